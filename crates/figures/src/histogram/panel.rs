//! The times of one panel, and the mixture that was fitted to them.

use crate::axis::Scale;
use crate::panels::PanelHead;

/// One component of a mixture: normal in the natural logarithm of the time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Component {
    /// Name for the legend, such as `thinking`; the same name has the same line in all panels.
    pub name: String,
    /// Share of all times that belong to it, 0 to 1.
    pub weight: f64,
    /// Mean of the natural logarithm of its times.
    pub log_mean: f64,
    /// Standard deviation of the natural logarithm of its times.
    pub log_sd: f64,
}

/// The times of one panel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// Name and statistic, such as those of a participant or of a level.
    pub head: PanelHead,
    /// The single times, in the unit of the axis. Those that are not positive have no place; the figure counts them.
    pub values: Vec<f64>,
    /// The fitted mixture; may be empty.
    pub components: Vec<Component>,
    /// Boundary between one component and the next, in the unit of the axis; drawn as a dashed line.
    pub boundary: Option<f64>,
}

/// Meaning of the height of a bar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Height {
    /// Density for each unit of the natural logarithm: bars have an area of 1 in all.
    #[default]
    Density,
    /// Share of the times in each bin, in percent.
    Share,
}

pub(super) fn shown(panel: &Panel) -> impl Iterator<Item = f64> {
    panel.values.iter().copied().filter(|&value| Scale::Log.shows(value))
}

impl Component {
    /// Its weighted density for each unit of the natural logarithm.
    pub(super) fn density(&self, time: f64) -> f64 {
        let z = (time.ln() - self.log_mean) / self.log_sd;
        self.weight * (-0.5 * z * z).exp() / (self.log_sd * (2.0 * std::f64::consts::PI).sqrt())
    }
}

pub(super) fn mixture(panel: &Panel, time: f64) -> f64 {
    panel.components.iter().map(|component| component.density(time)).sum()
}

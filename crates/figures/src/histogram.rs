//! Distribution of times on a logarithmic axis, with the mixture that was fitted to it.
//!
//! The components are log-normal: normal in the natural logarithm of the time.

use std::ops::Range;

use super::axis::{Axis, Plot, Scale, within_reach};
use super::chart::{Chart, Page};
use super::key::Key;
use super::label::{Label, note};
use super::message::Message;
use super::panels::{Multiples, is_alone};
use super::series::{MOST_SERIES, SeriesMark, colour_of};
use super::sheet::{INK, Mark, PALE, Pen, SOFT_INK, Sheet, cell, grouped};
use super::{ChartError, Heading, PlottedData, Style};

mod bins;
mod panel;

use bins::Bins;
use panel::{mixture, shown};

pub use panel::{Component, Height, Panel};

/// Distributions of times: one plot for each panel, on as many pages as they need; a single panel fills the figure, and
/// where it has no title, its statistic stands below that of the figure.
///
/// Components must have a weight within 0 to 1 and a positive standard deviation, the weights of a panel must not sum
/// to more than 1, and there must be at most 8 names of components; boundaries must be positive, the bins for each
/// decade 1 to
/// 100, and no time beyond 10¹⁵ or below 10⁻¹⁵.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// Title of the horizontal axis with its unit; empty for `inter-move time (s)`.
    pub x_title: Label,
    /// Noun for the things that are counted, in the plural, such as `moves`; empty for `moves`.
    pub counted: String,
    /// Meaning of the height of a bar.
    pub height: Height,
    /// Bins for each decade, 1 to 100; absent to choose from 5, 10 and 20 by the number of times in
    /// the median panel.
    pub bins_per_decade: Option<u32>,
    /// Meaning of the boundary, for the legend; empty for `boundary`.
    pub boundary: Label,
    /// The distributions, in the order in which they are drawn. All have the same axes and bins.
    pub panels: Vec<Panel>,
}

impl Chart for Histogram {
    fn heading(&self) -> &Heading {
        &self.heading
    }

    fn check(&self) -> Result<(), String> {
        if let Some(number) = self.bins_per_decade.filter(|number| !(1..=100).contains(number)) {
            return Err(format!("{number} bins for each decade: it must be 1 to 100"));
        }
        for panel in &self.panels {
            let title = &panel.head.title;
            for Component { name, weight, log_mean, log_sd } in &panel.components {
                if !((0.0..=1.0).contains(weight) && log_mean.is_finite() && *log_sd > 0.0 && log_sd.is_finite()) {
                    let rule = "the weight must be within 0 to 1, the deviation positive";
                    return Err(format!(
                        "component {name:?} of panel {title:?} has weight {weight}, mean {log_mean} and standard deviation \
                         {log_sd}: {rule}"
                    ));
                }
            }
            let sum: f64 = panel.components.iter().map(|component| component.weight).sum();
            if sum > 1.001 {
                return Err(format!("the weights of panel {title:?} sum to {sum}: they must not exceed 1"));
            }
            if let Some(boundary) = panel.boundary.filter(|&boundary| !Scale::Log.shows(boundary)) {
                return Err(format!("panel {title:?} has a boundary at {boundary}: it must be positive and finite"));
            }
        }
        let components = self.names().len();
        if components > MOST_SERIES {
            return Err(format!("{components} names of components, but one figure keeps {MOST_SERIES} apart"));
        }
        within_reach(Scale::Log, self.panels.iter().flat_map(shown).chain(self.boundaries()))
    }

    fn keys(&self, _: &Style) -> Vec<Key> {
        let mut keys = vec![Key::mark(Mark::Field(PALE, 1.0), Label::Given(self.counted().to_owned()))];
        for (index, name) in self.names().iter().enumerate() {
            keys.push(Key::mark(Mark::Series(SeriesMark::new(index).joined()), *name));
        }
        if self.any_sum() {
            keys.push(Key::mark(Mark::Line(Pen::new(INK, CURVE_PT.1)), Message::SumOfComponents));
        }
        if self.boundaries().next().is_some() {
            let label = Label::given_or(&self.boundary, Message::Boundary);
            keys.push(Key::mark(Mark::Dashed(Pen::new(INK, 0.6)), label));
        }
        keys
    }

    fn notes(&self) -> Vec<Label> {
        let (bins, counts) = self.binned();
        let y = self.y_axis(&bins, &counts);
        let all: usize = self.panels.iter().map(|panel| panel.values.len()).sum();
        let hidden = all - self.panels.iter().flat_map(shown).count();
        let cut = counts.iter().map(|of_panel| {
            let n = of_panel.iter().sum();
            of_panel.iter().filter(|&&count| bins.height(self.height, count, n) > y.high).count()
        });
        let n_cut: usize = cut.sum();
        let bars = if n_cut == 1 { Message::BarCut } else { Message::BarsCut };
        let notes = [
            self.is_alone().then(|| Label::from(&self.panels[0].head.statistic)),
            note(hidden, Message::NotShownMissingOrNotPositive, Message::NotShownMissingOrNotPositive),
            (n_cut > 0).then(|| bars.with([grouped(n_cut as u64), FEW.to_string()])),
        ];
        notes.into_iter().flatten().collect()
    }

    fn reading(&self) -> String {
        let bar = match self.height {
            Height::Density => "their area in units of the natural logarithm is the share of all of them",
            Height::Share => "their height is the share of all of them",
        };
        let curves = match (self.names().is_empty(), self.any_sum()) {
            (true, _) => "",
            (false, false) => "; the line is the fitted distribution, its mark stands at the median",
            (false, true) => {
                "; coloured lines are the components of the fitted mixture, with a mark at the median of each"
            }
        };
        let panels = if self.panels.len() > 1 { "; all panels have the same axes" } else { "" };
        let factor = 10_f64.powf(1.0 / Bins::new(&self.panels, self.bins_per_decade).per_decade);
        format!(
            "Bars count {} in bins that each span a factor of {factor:.2}, {bar}{curves}; the axis of time is \
             logarithmic{panels}",
            self.counted()
        )
    }

    fn pages<'a>(&'a self, style: &'a Style, room_mm: f64) -> Result<Vec<Page<'a>>, ChartError> {
        let (bins, counts) = self.binned();
        if counts.iter().flatten().all(|&count| count == 0) {
            return Ok(vec![Page::empty(self.data(&bins, 0..self.panels.len()))]);
        }
        let title = Label::given_or(&self.x_title, Message::InterMoveTime);
        let x = Axis { title, scale: Scale::Log, low: bins.edge(0), high: bins.end(), whole: false };
        let y = self.y_axis(&bins, &counts);
        let multiples = Multiples::new(style, x, y, self.panels.iter().map(|panel| panel.head.clone()));
        let draw = move |sheet: &Sheet, plot: &Plot, panel: usize| self.draw_panel(sheet, plot, &bins, panel);
        multiples.pages(room_mm, |range| self.data(&bins, range), draw)
    }
}

impl Histogram {
    /// The bins, and how many times of each panel lie in each.
    fn binned(&self) -> (Bins, Vec<Vec<u64>>) {
        let bins = Bins::new(&self.panels, self.bins_per_decade);
        let counts = self.panels.iter().map(|panel| bins.counts(panel)).collect();
        (bins, counts)
    }

    fn is_alone(&self) -> bool {
        is_alone(self.panels.iter().map(|panel| &panel.head))
    }

    fn boundaries(&self) -> impl Iterator<Item = f64> {
        self.panels.iter().filter_map(|panel| panel.boundary)
    }

    fn counted(&self) -> &str {
        if self.counted.is_empty() { "moves" } else { &self.counted }
    }

    /// Names of components in the order of their first use.
    fn names(&self) -> Vec<&String> {
        let mut names: Vec<&String> = Vec::new();
        for component in self.panels.iter().flat_map(|panel| &panel.components) {
            if !names.contains(&&component.name) {
                names.push(&component.name);
            }
        }
        names
    }

    fn any_sum(&self) -> bool {
        self.panels.iter().any(|panel| panel.components.len() > 1)
    }

    fn y_axis(&self, bins: &Bins, counts: &[Vec<u64>]) -> Axis {
        let total = |panel: usize| counts[panel].iter().sum::<u64>();
        let any_full = (0..counts.len()).any(|panel| total(panel) >= FEW);
        let sets = |panel: &usize| total(*panel) > 0 && (!any_full || total(*panel) >= FEW);
        let mut high = 0.0_f64;
        for panel in (0..counts.len()).filter(sets) {
            let n = total(panel);
            high = counts[panel].iter().map(|&count| bins.height(self.height, count, n)).fold(high, f64::max);
            let content = &self.panels[panel];
            let modes = content.components.iter().map(|component| component.log_mean.exp());
            // A component narrower than a bin would press all bars: its peak may be cut instead.
            let tallest = modes.map(|mode| bins.scale(self.height) * mixture(content, mode)).fold(0.0, f64::max);
            high = high.max(tallest.min(1.6 * high));
        }
        let title = match self.height {
            Height::Density => Message::DensityPerLogUnit.into(),
            Height::Share => Label::Given(format!("share of {} in each bin (%)", self.counted())),
        };
        Axis::fixed(title, 0.0, if high > 0.0 { 1.06 * high } else { 1.0 }, false)
    }

    fn data(&self, bins: &Bins, range: Range<usize>) -> PlottedData {
        let mut data = PlottedData::new("panel,statistic,kind,name,low,high,count,height,weight,log_mean,log_sd,value");
        for panel in &self.panels[range] {
            let counts = bins.counts(panel);
            let n = counts.iter().sum();
            let mut push = |kind: &str, name: &str, count: &str, numbers: [f64; 7]| {
                let [low, high, height, rest @ ..] = numbers.map(cell);
                let head = [panel.head.title.clone(), panel.head.statistic.clone(), kind.to_owned(), name.to_owned()];
                data.rows.push(head.into_iter().chain([low, high, count.to_owned(), height]).chain(rest).collect());
            };
            const NONE: f64 = f64::NAN;
            if n > 0 {
                for (bin, &count) in counts.iter().enumerate() {
                    let ends = (bins.edge(bin), bins.edge(bin + 1), bins.height(self.height, count, n));
                    push("bin", "", &count.to_string(), [ends.0, ends.1, ends.2, NONE, NONE, NONE, NONE]);
                }
            }
            for Component { name, weight, log_mean, log_sd } in &panel.components {
                push("component", name, "", [NONE, NONE, NONE, *weight, *log_mean, *log_sd, NONE]);
            }
            if let Some(boundary) = panel.boundary {
                push("boundary", &self.boundary.english(), "", [NONE, NONE, NONE, NONE, NONE, NONE, boundary]);
            }
        }
        data
    }

    fn draw_panel(&self, sheet: &Sheet, plot: &Plot, bins: &Bins, number: usize) -> Result<(), ChartError> {
        let panel = &self.panels[number];
        let counts = bins.counts(panel);
        let n: u64 = counts.iter().sum();
        if n == 0 {
            return sheet.no_data(plot.place, &Label::none());
        }
        self.draw_bars(sheet, plot, bins, &counts)?;
        if let Some(boundary) = panel.boundary {
            let x = plot.at(boundary, 0.0).0;
            sheet.dashed(&[(x, plot.place.top), (x, plot.place.bottom())], Pen::new(INK, 0.6))?;
        }
        let (names, times, scale) = (self.names(), curve_times(panel, &plot.x), bins.scale(self.height));
        let draw_curve = |density: &dyn Fn(f64) -> f64, pen: Pen| {
            let line: Vec<(f64, f64)> = times.iter().map(|&time| (time, scale * density(time))).collect();
            plot.clipped(&line).iter().try_for_each(|piece| sheet.line(piece, pen))
        };
        if panel.components.len() > 1 {
            draw_curve(&|time| mixture(panel, time), Pen::new(INK, CURVE_PT.1))?;
        }
        let series = |component: &Component| names.iter().position(|name| **name == component.name).unwrap_or(0);
        for component in &panel.components {
            draw_curve(&|time| component.density(time), Pen::new(colour_of(series(component)), CURVE_PT.0))?;
        }
        let size = if self.panels.len() > 1 { 0.6 } else { 0.8 };
        for component in &panel.components {
            let median = component.log_mean.exp();
            let height = scale * component.density(median);
            if plot.holds(median, height) {
                sheet.mark(plot.at(median, height), size, Mark::Series(SeriesMark::new(series(component))), 1.0)?;
            }
        }
        Ok(())
    }

    /// Bars side by side under one outline; a bar that the axis cuts has an arrow.
    fn draw_bars(&self, sheet: &Sheet, plot: &Plot, bins: &Bins, counts: &[u64]) -> Result<(), ChartError> {
        let n: u64 = counts.iter().sum();
        let height = |bin: usize| bins.height(self.height, counts[bin], n);
        let place = |bin: usize, height: f64| plot.at(bins.edge(bin), height.min(plot.y.high));
        let mut outline = vec![place(0, 0.0)];
        for bin in 0..bins.number {
            let (from, to) = (place(bin, height(bin)), place(bin + 1, height(bin)));
            outline.extend([from, to]);
        }
        outline.push(place(bins.number, 0.0));
        sheet.fill(&outline, PALE, 1.0)?;
        sheet.line(&outline, Pen::new(SOFT_INK, 0.3).alpha(0.7))?;
        for bin in (0..bins.number).filter(|&bin| height(bin) > plot.y.high) {
            let (x, top) = ((place(bin, 0.0).0 + place(bin + 1, 0.0).0) / 2.0, plot.place.top);
            sheet.fill(&[(x - 0.6, top + 1.2), (x, top + 0.2), (x + 0.6, top + 1.2)], INK, 1.0)?;
        }
        Ok(())
    }
}

/// The times that a curve is drawn through: even on the axis, and the mode of each component.
fn curve_times(panel: &Panel, x: &Axis) -> Vec<f64> {
    const STEPS: u32 = 160;
    // Even steps alone would miss the peak of a narrow component.
    let even = (0..=STEPS).map(|step| x.low * (x.high / x.low).powf(f64::from(step) / f64::from(STEPS)));
    let modes = panel.components.iter().map(|component| component.log_mean.exp()).filter(|&mode| x.holds(mode));
    let mut times: Vec<f64> = even.chain(modes).collect();
    times.sort_by(f64::total_cmp);
    times
}

/// Panels of fewer times do not set the height of the axis where others can: a single time is all of its panel.
const FEW: u64 = 30;

/// Width of the lines of components and of their sum, in points.
const CURVE_PT: (f64, f64) = (0.8, 1.0);

#[cfg(test)]
mod tests;

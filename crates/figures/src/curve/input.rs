//! Curves, their points, and what stands beside them: the chart's input.

use crate::label::Label;
use crate::message::Message;
use crate::{Heading, Reference};

/// One computed point of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Horizontal value, such as the number of participants.
    pub x: f64,
    /// Vertical value, such as the power; the curve has a gap where it is not finite.
    pub y: f64,
    /// Lower and upper end of the band.
    pub band: Option<(f64, f64)>,
}

/// One curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// Name for the legend, such as `r = 0.3`.
    pub label: String,
    /// Its points, at x that do not fall: two at the same x are joined by an upright line. A survival curve starts with
    /// a point of its own, such as 1 at the time 0.
    pub points: Vec<Point>,
    /// Places of small upright marks on the curve, such as the times of censored observations; may be empty.
    pub marks: Vec<f64>,
    /// Number at risk at each time at which someone leaves, by an event or censored, just before it; rising times. It
    /// holds back to the time before; after the last one nobody is at risk. May be empty.
    pub at_risk: Vec<(f64, u64)>,
}

/// Curves in one plot, or in several of which each has a page; all pages share both axes.
///
/// Each computed point has a mark; steps have a few marks that only distinguish them. Numbers at risk stand below the
/// axis, at its labels. There must be at most 8 curves on a page; the x of a curve must not fall, the times of its
/// numbers at risk must rise, marks must be finite, the ends of bands in order, the range and the reference must have a
/// place on the axis, and no value may be beyond 10¹⁵ (on a logarithmic axis also below 10⁻¹⁵).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curves {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// Title of the horizontal axis with its unit.
    pub x_title: Label,
    /// Title of the vertical axis with its unit.
    pub y_title: Label,
    /// `true` if the horizontal axis is logarithmic; points without a place on it are left out and counted.
    pub x_log: bool,
    /// `true` if the vertical axis is logarithmic; points without a place on it are left out and counted.
    pub y_log: bool,
    /// Ends of the vertical axis, such as 0 and 1 for a power; absent to fit the points.
    pub y_range: Option<(f64, f64)>,
    /// Meaning of the bands, for the legend, such as `95 % interval`; empty for `band`.
    pub band: Label,
    /// `true` if a value and its band hold until the next x, as in a curve of survival; else straight lines join the
    /// points.
    pub step: bool,
    /// `true` if curves stop at whole numbers that they have no point at, such as a trial that nobody made: where all x
    /// are whole and at least half of the steps between them are 1, no line and no band joins points that are farther
    /// apart.
    pub breaks: bool,
    /// Meaning of one of [`Curve::marks`], such as `censored`; empty for `mark`.
    pub mark: Label,
    /// Title above the rows of [`Curve::at_risk`]; empty for `number at risk`.
    pub at_risk: Label,
    /// A value on the vertical axis to compare with, such as a power of 0.8.
    pub reference: Option<Reference>,
    /// The curves of each page, at most 8, in the order of the legend.
    pub pages: Vec<Vec<Curve>>,
}

impl Curves {
    /// `true` if marks stand on the lines of a page that distinguish them.
    pub(super) fn distinguished_by_marks(&self, curves: &[Curve]) -> bool {
        !self.step || curves.len() > 1
    }

    /// Title above the numbers at risk.
    pub(super) fn risk_title(&self) -> Label {
        Label::given_or(&self.at_risk, Message::NumberAtRisk)
    }
}

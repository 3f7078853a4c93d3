//! Extent of the nodes, and the axis of the distance below them.

use super::super::ChartError;
use super::super::axis::{Axis, Plot};
use super::super::sheet::{INK, Pen, Rect, SOFT_INK, Sheet, Translated};
use super::nodes::Drawing;
use crate::label::Label;
use crate::message::Message;

/// The distance of states without a path to a goal.
const BEYOND: &str = "∞";

impl Drawing<'_> {
    /// The nodes' place on the sheet, undistorted.
    pub(super) fn plot(&self, place: Rect) -> Plot {
        let (x, y) = self.axes();
        self.undistorted(Plot { place, x, y })
    }

    /// The rectangle that the nodes span, as axes.
    pub(super) fn axes(&self) -> (Axis, Axis) {
        let span =
            |values: &mut dyn Iterator<Item = f64>| values.fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(v), b.max(v)));
        let (left, right) = match self.by_distance {
            true => (-0.6, self.beyond.unwrap_or(f64::from(self.farthest)) + 0.6),
            false => padded(span(&mut self.nodes.iter().map(|node| node.x))),
        };
        let (low, high) = padded(span(&mut self.nodes.iter().map(|node| node.y)));
        (Axis::fixed(self.title(), left, right, true), Axis::fixed(Label::none(), low, high, false))
    }

    fn title(&self) -> Label {
        match &*self.input.unit {
            "" => Message::DistanceToGoalInMoves.into(),
            unit => Label::Given(format!("distance to goal ({unit})")),
        }
    }

    /// Widens one axis so that both have the same scale; layers keep the axis of distance as it is.
    pub(super) fn undistorted(&self, mut plot: Plot) -> Plot {
        let per_mm = ((plot.x.high - plot.x.low) / plot.place.width, (plot.y.high - plot.y.low) / plot.place.height);
        let scale = per_mm.0.max(per_mm.1);
        let widened = |axis: &mut Axis, length: f64| {
            let missing = (scale * length - (axis.high - axis.low)) / 2.0;
            axis.low -= missing;
            axis.high += missing;
        };
        if !self.by_distance {
            widened(&mut plot.x, plot.place.width);
        }
        if !self.by_distance || per_mm.0 > per_mm.1 {
            widened(&mut plot.y, plot.place.height);
        }
        plot
    }

    pub(super) fn draw_axis(&self, sheet: &Sheet, plot: &Plot, body: Rect) -> Result<(), ChartError> {
        let (small, label) = (sheet.style.small(), sheet.style.label());
        let (base, pen) = (plot.place.bottom() + 0.5, Pen::new(INK, 0.5));
        let at = |value: f64| plot.at(value, plot.y.low).0;
        let tick = |x: f64, text: &Translated| {
            sheet.line(&[(x, base), (x, base + 0.9)], pen)?;
            sheet.text(x, base + 1.3 + 0.75 * small.em_mm(), text, small.centre())
        };
        if self.nodes.iter().any(|node| node.distance.is_some()) {
            let reach = Axis::fixed(Label::none(), 0.0, f64::from(self.farthest.max(1)), true);
            let ticks = reach.ticks(at(reach.high) - at(0.0), &small, false)?;
            // The last label must not run into that sign.
            let end = self.beyond.map_or(f64::INFINITY, |beyond| at(beyond) - small.em_mm() * 2.4);
            let fits = |value: f64, text: &Translated| Ok(at(value) + small.width_of(text)? / 2.0 < end);
            let mut used = Vec::new();
            for (value, text) in ticks {
                if value <= f64::from(self.farthest) && (value == 0.0 || fits(value, &text)?) {
                    used.push((value, text));
                }
            }
            sheet.line(&[(at(0.0), base), (at(f64::from(self.farthest)), base)], pen)?;
            used.into_iter().try_for_each(|(value, text)| tick(at(value), &text))?;
        }
        if let Some(beyond) = self.beyond {
            sheet.line(&[(at(beyond - 0.4), base), (at(beyond + 0.4), base)], pen)?;
            tick(at(beyond), &Translated::as_is(BEYOND.to_owned()))?;
        }
        let title = label.centre().colour(SOFT_INK);
        let words = title.cut(&plot.x.title, body.width)?;
        sheet.text(body.centre().0, body.bottom() - 0.25 * label.em_mm(), &words, title)
    }
}

fn padded((low, high): (f64, f64)) -> (f64, f64) {
    let room = if high > low { 0.03 * (high - low) } else { 1.0 };
    (low - room, high + room)
}

//! The legend of what is drawn on the graph: lines, widths, discs and their sizes, in rows above the graph.

use plotters::style::RGBColor;

use super::super::sheet::{INK, MARGIN, MARK_MM, Pen, Rect, Sheet, Type};
use super::super::{ChartError, Style};
use super::flows::Look;

const GAP_MM: f64 = 3.0;

/// What stands before a label.
pub(super) enum Sample {
    /// A line, with a head where wanted.
    Line(Look, bool),
    /// A disc of some radius in millimetres with its colour, and a rim where wanted.
    Disc { radius: f64, colour: RGBColor, rim: Option<Pen> },
}

impl Sample {
    fn width(&self) -> f64 {
        match self {
            Self::Line(..) => MARK_MM + 1.0,
            Self::Disc { radius, .. } => 2.0 * radius + 0.3,
        }
    }

    fn height(&self) -> f64 {
        match self {
            Self::Line(look, _) => look.width,
            Self::Disc { radius, .. } => 2.0 * radius + 0.5,
        }
    }

    fn draw(&self, sheet: &Sheet, left: f64, middle: f64) -> Result<(), ChartError> {
        match self {
            Self::Line(look, has_head) => look.draw(sheet, &[(left, middle), (left + self.width(), middle)], *has_head),
            Self::Disc { radius, colour, rim } => {
                let at = (left + self.width() / 2.0, middle);
                sheet.disc(at, *radius, *colour, 1.0)?;
                rim.map_or(Ok(()), |pen| sheet.ring(at, *radius, pen))
            }
        }
    }
}

/// Samples that belong together, on one row.
pub(super) struct Group {
    /// What they show; may be empty.
    pub title: String,
    pub samples: Vec<(Sample, String)>,
}

impl Group {
    pub fn one(sample: Sample, label: &str) -> Self {
        Self { title: String::new(), samples: vec![(sample, label.to_owned())] }
    }

    /// Where its title and its samples start, and where it ends.
    fn stops(&self, kind: &Type) -> Result<Vec<f64>, ChartError> {
        let mut stops = vec![0.0];
        let mut next = if self.title.is_empty() { 0.0 } else { kind.width_of(&self.title)? + 1.4 };
        for (sample, label) in &self.samples {
            stops.push(next);
            next += sample.width() + 0.7 + kind.width_of(label)? + 1.6;
        }
        stops.push(next - 1.6);
        Ok(stops)
    }
}

/// Groups in rows, with their places.
pub(super) struct Legend {
    rows: Vec<Row>,
}

struct Row {
    height: f64,
    groups: Vec<(f64, Group)>,
}

impl Legend {
    pub fn new(groups: Vec<Group>, style: &Style) -> Result<Self, ChartError> {
        let kind = style.small();
        let room = style.width.mm() - 2.0 * MARGIN;
        let (mut rows, mut next): (Vec<Row>, f64) = (Vec::new(), f64::INFINITY);
        for mut group in groups {
            // Labels come from outside: a long one must not leave the sheet.
            for (sample, label) in &mut group.samples {
                *label = kind.cut(label, room - sample.width() - 0.8)?;
            }
            let width = group.stops(&kind)?.last().copied().unwrap_or(0.0);
            if next + width > room {
                rows.push(Row { height: 1.5 * kind.em_mm(), groups: Vec::new() });
                next = 0.0;
            }
            if let Some(row) = rows.last_mut() {
                row.height = group.samples.iter().map(|(sample, _)| sample.height()).fold(row.height, f64::max);
                row.groups.push((next, group));
            }
            next += width + GAP_MM;
        }
        Ok(Self { rows })
    }

    pub fn height_mm(&self) -> f64 {
        self.rows.iter().map(|row| row.height).sum::<f64>() + if self.rows.is_empty() { 0.0 } else { 1.0 }
    }

    /// Draws it at the top of a rectangle.
    pub fn draw(&self, sheet: &Sheet, place: Rect) -> Result<(), ChartError> {
        let kind = sheet.style.small().colour(INK);
        // Close to the legend of the heading above it.
        let mut top = place.top - 0.9;
        for row in &self.rows {
            let middle = top + row.height / 2.0;
            let base = middle + kind.half_cap_mm();
            for (left, group) in &row.groups {
                let stops = group.stops(&kind)?;
                if !group.title.is_empty() {
                    sheet.text(place.left + left, base, &group.title, kind)?;
                }
                for ((sample, label), stop) in group.samples.iter().zip(&stops[1..]) {
                    sample.draw(sheet, place.left + left + stop, middle)?;
                    sheet.text(place.left + left + stop + sample.width() + 0.7, base, label, kind)?;
                }
            }
            top += row.height;
        }
        Ok(())
    }
}

/// Up to three round numbers that show a scale from 1 to `most`: the middle one has about half the width or radius of
/// the last.
pub(super) fn scale(most: u64) -> Vec<u64> {
    let round_below = |limit: u64| {
        let power = 10_u64.pow(limit.max(1).ilog10());
        [5, 2, 1].into_iter().map(|step| power.saturating_mul(step)).find(|&value| value <= limit).unwrap_or(1)
    };
    let top = round_below(most);
    let mut values = vec![1, round_below((top / 4).max(1)), top];
    values.dedup();
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_round_and_within_reach() {
        assert_eq!(scale(0), [1]);
        assert_eq!(scale(1), [1]);
        assert_eq!(scale(4), [1, 2]);
        assert_eq!(scale(37), [1, 5, 20]);
        assert_eq!(scale(1_234), [1, 200, 1_000]);
        assert_eq!(scale(u64::MAX).len(), 3);
    }
}

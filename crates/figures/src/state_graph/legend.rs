//! The legend of what is drawn on the graph: lines, widths, discs and their sizes, in rows above the graph.

use plotters::style::RGBColor;

use super::super::label::Label;
use super::super::sheet::{INK, MARGIN, MARK_MM, Number, Pen, Rect, Sheet, TextStyle, Translated, widest};
use super::super::{ChartError, Style};
use super::flows::Look;

const GAP_MM: f64 = 3.0;
/// The most lines of a label.
const LINES: usize = 4;

/// Sample before a label.
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

/// Label behind a sample.
pub(super) enum SampleLabel {
    Text(Label),
    Number(Number),
}

impl SampleLabel {
    fn translated(&self, font: &TextStyle) -> Translated {
        match self {
            Self::Text(text) => font.translate(text),
            Self::Number(number) => font.translate(number),
        }
    }
}

/// Samples that belong together, on one row.
pub(super) struct LegendGroup {
    /// Title in front of them; may be empty.
    pub title: Label,
    pub samples: Vec<(Sample, SampleLabel)>,
}

impl LegendGroup {
    pub fn one(sample: Sample, label: impl Into<Label>) -> Self {
        Self { title: Label::none(), samples: vec![(sample, SampleLabel::Text(label.into()))] }
    }

    /// The labels of its samples, in lines that fit beside them: labels come from outside, and a long one must not
    /// leave the sheet.
    fn labels(&self, font: &TextStyle, room: f64) -> Result<Vec<Vec<Translated>>, ChartError> {
        let lines = |(sample, label): &(Sample, SampleLabel)| {
            let (label, room) = (label.translated(font), room - sample.width() - 0.8);
            if font.width_of(&label)? <= room { Ok(vec![label]) } else { font.wrapped_within(&label, room, LINES) }
        };
        self.samples.iter().map(lines).collect()
    }

    /// Starts of its title and its samples, and its end.
    fn stops(&self, font: &TextStyle, labels: &[Vec<Translated>]) -> Result<Vec<f64>, ChartError> {
        let mut stops = vec![0.0];
        let mut next = if self.title.is_empty() { 0.0 } else { font.width_of(&self.title)? + 1.4 };
        for ((sample, _), lines) in self.samples.iter().zip(labels) {
            stops.push(next);
            next += sample.width() + 0.7 + widest(lines, font)? + 1.6;
        }
        stops.push(next - 1.6);
        Ok(stops)
    }
}

/// Groups in rows, with their places.
pub(super) struct Legend {
    rows: Vec<LegendRow>,
}

/// Groups side by side.
struct LegendRow {
    /// Height of the samples and of the first line of their labels.
    first_mm: f64,
    /// Height of all lines.
    height: f64,
    groups: Vec<Placed>,
}

struct Placed {
    left: f64,
    group: LegendGroup,
    labels: Vec<Vec<Translated>>,
    stops: Vec<f64>,
}

impl Legend {
    pub fn new(groups: Vec<LegendGroup>, style: &Style) -> Result<Self, ChartError> {
        let font = style.label();
        let room = style.width_mm - 2.0 * MARGIN;
        let (mut rows, mut next): (Vec<LegendRow>, f64) = (Vec::new(), f64::INFINITY);
        for mut group in groups {
            let (labels, stops, width) = loop {
                let labels = group.labels(&font, room)?;
                let stops = group.stops(&font, &labels)?;
                let width = stops.last().copied().unwrap_or(0.0);
                // Of the samples of a scale its ends say most.
                if width <= room || group.samples.len() < 3 {
                    break (labels, stops, width);
                }
                group.samples.remove(group.samples.len() / 2);
            };
            if next + width > room {
                let first_mm = 1.5 * font.em_mm();
                rows.push(LegendRow { first_mm, height: first_mm, groups: Vec::new() });
                next = 0.0;
            }
            if let Some(row) = rows.last_mut() {
                row.first_mm = group.samples.iter().map(|(sample, _)| sample.height()).fold(row.first_mm, f64::max);
                let lines = labels.iter().map(Vec::len).max().unwrap_or(1).max(1);
                row.height = row.height.max(row.first_mm + (lines - 1) as f64 * font.line_mm());
                row.groups.push(Placed { left: next, group, labels, stops });
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
        let font = sheet.style.label().colour(INK);
        // Close to the legend of the heading above it.
        let mut top = place.top - 0.9;
        for row in &self.rows {
            let middle = top + row.first_mm / 2.0;
            let base = middle + font.half_cap_mm();
            for Placed { left, group, labels, stops } in &row.groups {
                if !group.title.is_empty() {
                    sheet.text(place.left + left, base, &group.title, font)?;
                }
                for (((sample, _), lines), stop) in group.samples.iter().zip(labels).zip(&stops[1..]) {
                    let left = place.left + left + stop;
                    sample.draw(sheet, left, middle)?;
                    for (index, line) in lines.iter().enumerate() {
                        let base = base + index as f64 * font.line_mm();
                        sheet.text(left + sample.width() + 0.7, base, line, font)?;
                    }
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
    let top = round_below(most);
    let mut values = vec![1, round_below((top / 4).max(1)), top];
    values.dedup();
    values
}

/// The largest of 1, 2, 5, 10, 20 … that is not above a limit.
fn round_below(limit: u64) -> u64 {
    let power = 10_u64.pow(limit.max(1).ilog10());
    [5, 2, 1].into_iter().map(|step| power.saturating_mul(step)).find(|&value| value <= limit).unwrap_or(1)
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

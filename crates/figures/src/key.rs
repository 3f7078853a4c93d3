//! The entries of the legend below the heading: their marks and ramps, and rows that fit the width.

use super::error::ChartError;
use super::label::Label;
use super::sheet::{MARGIN, MARK_MM, Mark, Rect, Sheet, diverging, viridis};
use super::text::{Number, TextStyle, Translated, widest};

const RAMP_MM: f64 = 14.0;

const KEY_GAP_MM: f64 = 3.0;

/// The most lines of a label in a legend.
pub(super) const KEY_LINES: usize = 4;

/// One entry of a legend.
#[derive(Clone)]
pub enum Key {
    /// A mark and what it means.
    Mark(Mark, Label),
    /// A ramp of viridis between two shares, with what it means and the values at its ends.
    Ramp { title: Label, low: Number, high: Number, from: f64, to: f64 },
    /// The ramp of [`diverging`] from -1 to 1, with what it means.
    Diverging { title: Label },
    /// A text in bold and what its boldness means.
    Bold { sample: Label, label: Label },
}

impl Key {
    /// The entry of a mark.
    pub fn mark(mark: Mark, label: impl Into<Label>) -> Self {
        Self::Mark(mark, label.into())
    }

    /// Its text.
    fn label(&self) -> &Label {
        match self {
            Self::Mark(_, label) | Self::Bold { label, .. } => label,
            Self::Ramp { title, .. } | Self::Diverging { title } => title,
        }
    }

    /// The values at the ends of its ramp.
    fn ends(&self) -> [Number; 2] {
        match self {
            Self::Ramp { low, high, .. } => [low.clone(), high.clone()],
            _ => ["−1", "1"].map(|end| Number::new(end.to_owned())),
        }
    }

    /// Width of all but its label.
    fn beside_mm(&self, text: &TextStyle) -> Result<f64, ChartError> {
        Ok(match self {
            Self::Mark(..) => MARK_MM + 0.8,
            Self::Ramp { .. } | Self::Diverging { .. } => {
                let [low, high] = self.ends();
                text.width_of(&low)? + text.width_of(&high)? + RAMP_MM + 3.2
            }
            Self::Bold { sample, .. } => text.bold().width_of(sample)? + 0.8,
        })
    }

    /// Its label in lines that fit the width beside the rest of it.
    fn lines(&self, text: &TextStyle, width_mm: f64) -> Result<Vec<Translated>, ChartError> {
        let label = text.translate(self.label());
        let room = width_mm - self.beside_mm(text)?;
        if text.width_of(&label)? <= room { Ok(vec![label]) } else { text.wrapped_within(&label, room, KEY_LINES) }
    }

    /// Draws its ramp of colours with the values at its ends.
    fn draw_ramp(&self, sheet: &Sheet, (left, middle): (f64, f64)) -> Result<(), ChartError> {
        let colour = |share: f64| match self {
            Self::Ramp { from, to, .. } => viridis(from + (to - from) * share),
            _ => diverging(2.0 * share - 1.0),
        };
        let font = sheet.style.label();
        let base = middle + font.half_cap_mm();
        let [low, high] = self.ends();
        sheet.text(left, base, &low, font)?;
        let next = left + font.width_of(&low)? + 0.8;
        let step = RAMP_MM / 28.0;
        for part in 0..28 {
            // Half a step more than its width: no seam shows between neighbours.
            let width = if part < 27 { 1.5 * step } else { step };
            let field = Rect { left: next + f64::from(part) * step, top: middle - 0.9, width, height: 1.8 };
            sheet.fill(&field.corners(), colour((f64::from(part) + 0.5) / 28.0), 1.0)?;
        }
        sheet.text(next + RAMP_MM + 0.8, base, &high, font)
    }
}

/// An entry of a legend with its place.
pub(super) struct PlacedKey<'a> {
    left: f64,
    key: &'a Key,
    lines: Vec<Translated>,
}

impl PlacedKey<'_> {
    /// Draws the entry, the first line of its label at a height.
    pub fn draw(&self, sheet: &Sheet, middle: f64) -> Result<(), ChartError> {
        let font = sheet.style.label();
        let (base, Self { left, key, lines }) = (middle + font.half_cap_mm(), self);
        let label_left = match key {
            Key::Mark(mark, _) => {
                sheet.mark((left + MARK_MM / 2.0, middle), 0.8, *mark, 1.0)?;
                left + MARK_MM + 0.8
            }
            Key::Bold { sample, .. } => {
                sheet.text(*left, base, sample, font.bold())?;
                left + font.bold().width_of(sample)? + 0.8
            }
            Key::Ramp { .. } | Key::Diverging { .. } => {
                key.draw_ramp(sheet, (left + widest(lines, &font)? + 1.6, middle))?;
                *left
            }
        };
        for (index, line) in lines.iter().enumerate() {
            sheet.text(label_left, base + index as f64 * font.line_mm(), line, font)?;
        }
        Ok(())
    }
}

/// Entries side by side.
#[derive(Default)]
pub(super) struct KeyRow<'a> {
    pub keys: Vec<PlacedKey<'a>>,
}

impl<'a> KeyRow<'a> {
    /// Entries in rows that fit a width.
    pub fn all(keys: &'a [Key], text: &TextStyle, inner: f64) -> Result<Vec<Self>, ChartError> {
        let mut rows: Vec<KeyRow> = Vec::new();
        let mut next = f64::INFINITY;
        for key in keys {
            let lines = key.lines(text, inner)?;
            let width = key.beside_mm(text)? + widest(&lines, text)?;
            if next + width > inner {
                rows.push(KeyRow::default());
                next = 0.0;
            }
            if let Some(row) = rows.last_mut() {
                row.keys.push(PlacedKey { left: MARGIN + next, key, lines });
            }
            next += width + KEY_GAP_MM;
        }
        Ok(rows)
    }

    pub fn height_mm(&self, text: &TextStyle) -> f64 {
        let lines = self.keys.iter().map(|key| key.lines.len()).max().unwrap_or(1).max(1);
        1.5 * text.em_mm() + (lines - 1) as f64 * text.line_mm()
    }
}

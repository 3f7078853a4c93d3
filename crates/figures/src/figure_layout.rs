//! The layout of a figure: its title, subtitle, legend, drawing and caption.

use super::error::ChartError;
use super::figure::{Figure, Heading, PlottedData};
use super::key::{Key, KeyRow};
use super::label::Label;
use super::message::Message;
use super::sheet::{MARGIN, PALE, Pen, Rect, SOFT_INK, Sheet};
use super::style::Style;
use super::svg::{Svg, SvgBackend, printable, units};
use super::text::{TextStyle, Translated, register_fonts};

/// Parts of a figure besides its drawing.
pub(super) struct FigureLayout<'a> {
    pub heading: &'a Heading,
    pub style: &'a Style,
    /// Number of this page, from 1, and of all pages.
    pub page: (usize, usize),
    /// Sentences that follow the subtitle: what was left out or summed up.
    pub notes: Vec<Label>,
    pub keys: Vec<Key>,
    /// Text on how to read the figure.
    pub reading: String,
    pub data: PlottedData,
}

impl FigureLayout<'_> {
    /// The title: that of the study as it is, or else its own in the language of the figure.
    fn title(&self) -> Translated {
        let (page, pages) = self.page;
        let suffix = if pages > 1 { format!(" ({page}/{pages})") } else { String::new() };
        let title = match &self.style.title {
            Some(title) => title.clone(),
            None => self.style.title().translate(&self.heading.title).to_string(),
        };
        Translated::as_is(title + &suffix)
    }

    fn subtitle(&self) -> Translated {
        let (label, subtitle) = (self.style.label(), Label::from(&self.heading.subtitle));
        let parts = std::iter::once(&subtitle).chain(&self.notes).filter(|part| !part.is_empty());
        Translated::as_is(parts.map(|part| label.translate(part).to_string()).collect::<Vec<_>>().join("; "))
    }

    fn inner_width(&self) -> f64 {
        self.style.width_mm - 2.0 * MARGIN
    }

    fn key_rows(&self) -> Result<Vec<KeyRow<'_>>, ChartError> {
        KeyRow::all(&self.keys, &self.style.label(), self.inner_width())
    }

    fn heading_lines(&self) -> Result<Vec<(TextStyle<'_>, Translated)>, ChartError> {
        let (title, label) = (self.style.title().bold(), self.style.label().colour(SOFT_INK));
        let mut lines = Vec::new();
        if !self.style.has_titles {
            return Ok(lines);
        }
        for (font, text) in [(title, self.title()), (label, self.subtitle())] {
            lines.extend(
                font.wrapped(&Translated::as_is(printable(&text)), self.inner_width())?
                    .into_iter()
                    .map(|line| (font, line)),
            );
        }
        Ok(lines)
    }

    /// Height of all that stands above the drawing, in millimetres.
    pub fn head_mm(&self) -> Result<f64, ChartError> {
        let lines: f64 = self.heading_lines()?.iter().map(|(font, _)| font.line_mm()).sum();
        let rows: f64 = self.key_rows()?.iter().map(|row| row.height_mm(&self.style.label())).sum();
        Ok(MARGIN + lines + rows + 1.2)
    }

    /// The greatest height of a drawing that keeps the figure within its greatest height.
    pub fn max_body_mm(&self) -> Result<f64, ChartError> {
        Ok((self.style.max_height_mm - self.head_mm()? - MARGIN).max(20.0))
    }

    /// Draws the figure; `body` draws into the rectangle below the heading, `body_mm` high.
    pub fn draw(
        self,
        body_mm: f64,
        body: impl FnOnce(&Sheet, Rect) -> Result<(), ChartError>,
    ) -> Result<Figure, ChartError> {
        register_fonts()?;
        let (width_mm, top) = (self.style.width_mm, self.head_mm()?);
        let height_mm = ((top + body_mm + MARGIN) * 10.0).ceil() / 10.0;
        let (title, subtitle) = (self.title(), self.subtitle());
        let mut drawing = String::new();
        {
            let size = (units(width_mm) as u32, units(height_mm) as u32);
            let sheet = Sheet::new(SvgBackend::new(&mut drawing, size), self.style);
            self.draw_heading(&sheet)?;
            body(&sheet, Rect { left: MARGIN, top, width: self.inner_width(), height: body_mm })?;
            sheet.finish()?;
        }
        let parts = [&*title, &*subtitle, &self.reading].map(sentence);
        let caption = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        let (page, pages) = self.page;
        let name = match pages {
            0 | 1 => self.heading.name.clone(),
            _ => format!("{}-{page}", self.heading.name),
        };
        let svg = Svg::new(&drawing, (width_mm, height_mm), &title, &caption);
        let (title, subtitle) = (title.to_string(), subtitle.to_string());
        Ok(Figure { name, title, subtitle, width_mm, height_mm, svg, caption, data: self.data })
    }

    /// Draws a frame that says that there is nothing to draw, and why.
    pub fn draw_empty(mut self) -> Result<Figure, ChartError> {
        // A legend would explain marks that are not there.
        self.keys.clear();
        let reason = Some(&self.heading.no_data_reason).filter(|reason| !reason.is_empty());
        let reason = reason.map_or_else(|| Message::NothingToDraw.into(), Label::clone);
        self.draw(30.0, |sheet, body| {
            sheet.outline(&body.corners(), Pen::new(PALE, 0.5))?;
            sheet.no_data(body, &reason)
        })
    }

    fn draw_heading(&self, sheet: &Sheet) -> Result<(), ChartError> {
        let mut top = MARGIN;
        for (font, line) in self.heading_lines()? {
            sheet.text(MARGIN, top + font.em_mm(), &line, font)?;
            top += font.line_mm();
        }
        let label = self.style.label();
        for row in self.key_rows()? {
            for key in &row.keys {
                key.draw(sheet, top + 0.75 * label.em_mm())?;
            }
            top += row.height_mm(&label);
        }
        Ok(())
    }
}

/// A text that ends with a full stop, or nothing.
fn sentence(text: &str) -> String {
    match text.trim() {
        "" => String::new(),
        text if text.ends_with(['.', '!', '?']) => text.to_owned(),
        text => format!("{text}."),
    }
}

#[cfg(test)]
mod tests {
    use super::super::key::KEY_LINES;
    use super::super::sheet::{INK, Mark, Number};
    use super::*;

    #[test]
    fn text_is_measured_as_it_is_drawn() {
        let words = "Distance to goal (moves) 0123456789";
        let heading = Heading { name: "t".to_owned(), title: words.into(), ..Default::default() };
        let style = Style::new(super::super::Width::Double);
        let data = PlottedData::default();
        let draft = FigureLayout {
            heading: &heading,
            style: &style,
            page: (1, 1),
            notes: vec![],
            keys: vec![],
            reading: String::new(),
            data,
        };
        let figure = draft.draw(10.0, |_, _| Ok(())).unwrap();
        let boxes = super::super::legible::text_boxes(&figure);
        let measured = style.title().bold().width_of(words).unwrap();
        // The ink of a text is narrower than its advance by the side bearings of two letters.
        assert!((measured - boxes[0].width).abs() < 0.5, "{measured} mm measured, {} mm drawn", boxes[0].width);
    }

    #[test]
    fn the_title_of_a_study_is_no_phrase() {
        let german = Style::german(super::super::Width::Single);
        let (heading, style) = (Heading { title: "moves".into(), ..Default::default() }, german);
        let title = |style: &Style| {
            let (notes, keys, data) = (Vec::new(), Vec::new(), PlottedData::default());
            FigureLayout { heading: &heading, style, page: (1, 1), notes, keys, reading: String::new(), data }
                .title()
                .to_string()
        };
        assert_eq!(title(&style), "Züge");
        assert_eq!(title(&Style { title: Some("moves".to_owned()), ..style }), "moves");
    }

    #[test]
    fn a_wide_entry_of_a_legend_takes_further_lines() {
        let label = "mean difference for each participant to the best model of all and its 95 % interval";
        let heading = Heading { name: "legend".to_owned(), title: "Legend".into(), ..Default::default() };
        let key = |label: &str| Key::mark(Mark::Disc(INK), label);
        let ramp = Key::Ramp { title: label.into(), low: Number::count(1), high: Number::count(9), from: 0.0, to: 1.0 };
        for width in [super::super::Width::Single, super::super::Width::Double] {
            let style = Style::new(width);
            let keys = vec![
                key("short"),
                key(label),
                ramp.clone(),
                Key::Diverging { title: label.into() },
                key(&"word ".repeat(99)),
            ];
            let (notes, data) = (Vec::new(), PlottedData::default());
            let draft = FigureLayout {
                heading: &heading,
                style: &style,
                page: (1, 1),
                notes,
                keys,
                reading: String::new(),
                data,
            };
            let figure = draft.draw(10.0, |_, _| Ok(())).unwrap();
            super::super::legible::check(&figure);
            let texts: Vec<&str> =
                figure.svg.split("<text").skip(1).filter_map(|text| text.split(['>', '<']).nth(1)).collect();
            let joined = texts.join(" ");
            assert!(joined.contains(label), "{joined}");
            assert_eq!(texts.iter().filter(|text| text.starts_with("word")).count(), KEY_LINES, "then it is cut");
        }
    }
}

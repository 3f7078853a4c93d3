//! The SVG of a figure, as plotters draws it.
//!
//! Opacity is that of the stroke or of the fill: one of the element would make every line a transparency group of its
//! own, slow to draw, and a PDF of many megabytes. Runs of elements with the same paint share one group.

use std::convert::Infallible;
use std::fmt::Write;

use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontStyle,
    FontTransform,
};

/// The fonts of the SVG: the embedded one first, then such of the same width as browsers have.
pub(super) const FAMILY: &str = "DejaVu Sans, Verdana, Arial, sans-serif";
/// Distance from the top of a text down to its base line, in em.
pub(super) const BASELINE_EM: f64 = 0.76;
/// Units of the drawing for each millimetre. plotters counts in whole units; with 10 of them the
/// thinnest line above 0.3 points would have 0.57.
pub(super) const UNITS_PER_MM: f64 = 100.0;

/// Millimetres in units of the drawing.
pub(super) fn units(mm: f64) -> i32 {
    (mm * UNITS_PER_MM).round() as i32
}

/// A backend that writes the elements of a drawing into a text, those of one paint in one group.
///
/// What a [`super::sheet::Sheet`] draws is written as one element each; anything else plotters would make of pixels.
pub(super) struct SvgBackend<'a> {
    body: &'a mut String,
    size: (u32, u32),
    /// The attributes of the open group; empty where none is open.
    paint: String,
}

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

impl<'a> SvgBackend<'a> {
    /// A drawing of a size in units, appended to `body`.
    pub fn new(body: &'a mut String, size: (u32, u32)) -> Self {
        Self { body, size, paint: String::new() }
    }

    /// Writes an element into the group of its paint.
    fn push(&mut self, paint: String, element: &str) -> Drawn {
        if self.paint != paint {
            self.close();
            self.body.push_str(&format!("<g{paint}>\n"));
            self.paint = paint;
        }
        self.body.push_str(element);
        self.body.push('\n');
        Ok(())
    }

    fn close(&mut self) {
        if !std::mem::take(&mut self.paint).is_empty() {
            self.body.push_str("</g>\n");
        }
    }
}

impl DrawingBackend for SvgBackend<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        self.close();
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, colour: BackendColor) -> Drawn {
        self.fill_polygon([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)], &colour)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Drawn {
        if style.color().alpha == 0.0 {
            return Ok(());
        }
        self.push(stroke(style), &format!("<polyline points=\"{}\"/>", points(path)))
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Drawn {
        if style.color().alpha == 0.0 {
            return Ok(());
        }
        self.push(fill(style.color()), &format!("<polygon points=\"{}\"/>", points(path)))
    }

    fn draw_circle<S: BackendStyle>(&mut self, (x, y): BackendCoord, radius: u32, style: &S, is_filled: bool) -> Drawn {
        if style.color().alpha == 0.0 {
            return Ok(());
        }
        let paint = if is_filled { fill(style.color()) } else { stroke(style) };
        self.push(paint, &format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>"))
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, (x, y): BackendCoord) -> Drawn {
        let anchor = match style.anchor().h_pos {
            HPos::Left => "start",
            HPos::Center => "middle",
            HPos::Right => "end",
        };
        let drop_em = match style.anchor().v_pos {
            VPos::Top => BASELINE_EM,
            VPos::Center => BASELINE_EM / 2.0,
            VPos::Bottom => 0.0,
        };
        let size = (style.size() * 10.0).round() / 10.0;
        let weight = if matches!(style.style(), FontStyle::Bold) { " font-weight=\"bold\"" } else { "" };
        let paint = format!(" text-anchor=\"{anchor}\" font-size=\"{size}\"{}{weight}", fill(style.color()));
        let degrees = match style.transform() {
            FontTransform::None => 0,
            FontTransform::Rotate90 => 90,
            FontTransform::Rotate180 => 180,
            FontTransform::Rotate270 => 270,
        };
        let turn = if degrees > 0 { format!(" transform=\"rotate({degrees}, {x}, {y})\"") } else { String::new() };
        let text = escaped(text);
        self.push(paint, &format!("<text x=\"{x}\" y=\"{y}\" dy=\"{drop_em}em\"{turn}>{text}</text>"))
    }
}

fn hex(BackendColor { rgb: (red, green, blue), .. }: BackendColor) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}

fn fill(colour: BackendColor) -> String {
    let opacity = if colour.alpha < 1.0 { format!(" fill-opacity=\"{}\"", colour.alpha) } else { String::new() };
    format!("{opacity} fill=\"{}\"", hex(colour))
}

fn stroke(style: &impl BackendStyle) -> String {
    let (colour, width) = (style.color(), style.stroke_width());
    let opacity = if colour.alpha < 1.0 { format!(" stroke-opacity=\"{}\"", colour.alpha) } else { String::new() };
    format!(" fill=\"none\"{opacity} stroke=\"{}\" stroke-width=\"{width}\"", hex(colour))
}

fn points(path: impl IntoIterator<Item = BackendCoord>) -> String {
    let mut text = String::new();
    for (x, y) in path {
        let space = if text.is_empty() { "" } else { " " };
        let _ = write!(text, "{space}{x},{y}");
    }
    text
}

/// A complete SVG document that this crate wrote. No other can be made, so a page may hold it without a look into it:
/// it has neither scripts nor ids nor references, and its texts are escaped.
///
/// ```compile_fail
/// let foreign = plymap_figures::Svg { text: "<svg><script/></svg>".to_owned(), width_mm: 85.0 };
/// ```
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
#[serde(transparent)]
pub struct Svg {
    text: String,
    #[serde(skip)]
    width_mm: f64,
}

impl Svg {
    /// The document around the elements of a drawing.
    pub(super) fn new(body: &str, (width_mm, height_mm): (f64, f64), title: &str, description: &str) -> Self {
        let (width, height) = (units(width_mm), units(height_mm));
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width_mm}mm\" height=\"{height_mm}mm\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{FAMILY}\" stroke-linejoin=\"round\">\n\
             <title>{}</title>\n<desc>{}</desc>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#FFFFFF\"/>\n\
             {body}</svg>\n",
            escaped(title),
            escaped(description)
        );
        Self { text, width_mm }
    }

    /// The same drawing for an HTML page with others: `alt` stands for it where it cannot be seen, and its width in
    /// pixels of CSS is the variable `--width` of its style.
    pub fn inlined(&self, alt: &str) -> Self {
        let px = (self.width_mm / 25.4 * 96.0).round();
        // HTML needs no namespace, and the page sets the size: what stands before the `viewBox` is left out.
        let (_, rest) = self.text.split_once(" viewBox=").unwrap_or_default();
        let head = format!("<svg aria-label=\"{}\" style=\"--width:{px}px\" viewBox=", escaped(alt));
        Self { text: head + rest.trim_end(), ..*self }
    }
}

impl std::ops::Deref for Svg {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

/// Text that can stand in XML: the five special characters escaped, control characters made spaces.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in printable(text).chars() {
        match character {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&apos;"),
            other => safe.push(other),
        }
    }
    safe
}

/// The text without characters that XML forbids or that would break a line.
pub(super) fn printable(text: &str) -> String {
    let forbidden = |c: char| c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}' | '\u{2028}' | '\u{2029}');
    text.chars().map(|c| if forbidden(c) { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use plotters::element::{Circle, PathElement, Polygon, Text};
    use plotters::prelude::IntoDrawingArea;
    use plotters::style::text_anchor::Pos;
    use plotters::style::{BLACK, Color, FontDesc, FontFamily, RED, ShapeStyle, TextStyle};

    use super::*;

    #[test]
    fn a_page_sets_the_width_and_the_alternative_text() {
        let drawing = Svg::new("<g/>\n", (85.0, 60.0), "<script>", "d");
        let inlined = drawing.inlined("\"a\" & <b>");
        let head =
            "<svg aria-label=\"&quot;a&quot; &amp; &lt;b&gt;\" style=\"--width:321px\" viewBox=\"0 0 8500 6000\" role";
        assert!(inlined.starts_with(head), "{}", &*inlined);
        assert!(inlined.ends_with("<g/>\n</svg>") && inlined.contains("<title>&lt;script&gt;</title>"));
        assert!(!inlined.contains("http") && drawing.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width"));
    }

    #[test]
    fn elements_of_one_paint_share_a_group() {
        let mut body = String::new();
        let area = SvgBackend::new(&mut body, (8500, 6000)).into_drawing_area();
        let faint = ShapeStyle { color: BLACK.mix(0.2), filled: false, stroke_width: 11 };
        area.draw(&PathElement::new([(1, 2), (3, 4)], faint)).unwrap();
        area.draw(&PathElement::new([(5, 6), (7, 8)], faint)).unwrap();
        area.draw(&Circle::new((1, 2), 3, faint)).unwrap();
        area.draw(&Circle::new((1, 2), 3, RED.filled())).unwrap();
        area.draw(&Polygon::new([(1, 2), (3, 4), (5, 6)], RED.mix(0.0).filled())).unwrap();
        let font =
            FontDesc::new(FontFamily::Name(FAMILY), 248.04999, FontStyle::Bold).transform(FontTransform::Rotate270);
        let style = TextStyle::from(font).color(&RED).pos(Pos::new(HPos::Center, VPos::Top));
        area.draw(&Text::new("a & b", (1, 2), style)).unwrap();
        area.present().unwrap();
        drop(area);
        let body: Vec<&str> = body.lines().collect();
        assert_eq!(
            body,
            [
                "<g fill=\"none\" stroke-opacity=\"0.2\" stroke=\"#000000\" stroke-width=\"11\">",
                "<polyline points=\"1,2 3,4\"/>",
                "<polyline points=\"5,6 7,8\"/>",
                "<circle cx=\"1\" cy=\"2\" r=\"3\"/>",
                "</g>",
                "<g fill=\"#FF0000\">",
                "<circle cx=\"1\" cy=\"2\" r=\"3\"/>",
                "</g>",
                "<g text-anchor=\"middle\" font-size=\"248\" fill=\"#FF0000\" font-weight=\"bold\">",
                "<text x=\"1\" y=\"2\" dy=\"0.76em\" transform=\"rotate(270, 1, 2)\">a &amp; b</text>",
                "</g>",
            ]
        );
    }
}

//! From the SVG that plotters writes to one that a journal can take.
//!
//! plotters gives each element an `opacity`, which makes every line a transparency group of its
//! own: slow to draw, and a PDF of many megabytes. Here it becomes the opacity of the stroke or of
//! the fill, and runs of elements with the same paint share one group. The header gets its size in
//! millimetres, the text its list of fonts.

/// The fonts of the SVG: the embedded one first, then such of the same width as browsers have.
pub(super) const FAMILY: &str = "DejaVu Sans, Verdana, Arial, sans-serif";
/// Units of the drawing for each millimetre. plotters counts in whole units; with 10 of them the
/// thinnest line above 0.3 points would have 0.57.
pub(super) const UNITS_PER_MM: f64 = 100.0;

/// Millimetres in units of the drawing.
pub(super) fn units(mm: f64) -> i32 {
    (mm * UNITS_PER_MM).round() as i32
}

/// The document for print. `raw` is what plotters wrote: one tag on each line.
pub(super) fn for_print(raw: &str, width_mm: f64, height_mm: f64, title: &str, description: &str) -> String {
    let (width, height) = (units(width_mm), units(height_mm));
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width_mm}mm\" height=\"{height_mm}mm\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{FAMILY}\" stroke-linejoin=\"round\">\n\
         <title>{}</title>\n<desc>{}</desc>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#FFFFFF\"/>\n",
        escaped(title),
        escaped(description)
    );
    let mut open_paint: Option<String> = None;
    let mut lines = raw.lines();
    while let Some(line) = lines.next() {
        let Some(tag) = line.strip_prefix('<').filter(|tag| !tag.starts_with("svg") && !tag.starts_with('/')) else {
            continue;
        };
        let element = Element::read(tag.trim_end_matches('>').trim_end_matches('/'));
        let paint = element.paint();
        if open_paint.as_ref() != Some(&paint) {
            text.push_str(if open_paint.is_some() { "</g>\n" } else { "" });
            text.push_str(&format!("<g{paint}>\n"));
            open_paint = Some(paint);
        }
        text.push_str(&format!("<{}{}", element.name, element.shape()));
        if element.name == "text" {
            text.push_str(&format!(">{}</text>\n", lines.next().unwrap_or_default()));
        } else {
            text.push_str("/>\n");
        }
    }
    text.push_str(if open_paint.is_some() { "</g>\n</svg>\n" } else { "</svg>\n" });
    text
}

/// Text that can stand in XML: the five special characters escaped, control characters made spaces.
pub(super) fn escaped(text: &str) -> String {
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

/// One tag as plotters wrote it.
struct Element<'a> {
    name: &'a str,
    attributes: Vec<(&'a str, &'a str)>,
}

impl<'a> Element<'a> {
    fn read(tag: &'a str) -> Self {
        let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
        let mut attributes = Vec::new();
        while let Some((key, after)) = rest.split_once("=\"") {
            let (value, behind) = after.split_once('"').unwrap_or((after, ""));
            attributes.push((key.trim(), value));
            rest = behind;
        }
        Self { name, attributes }
    }

    fn get(&self, key: &str) -> Option<&'a str> {
        self.attributes.iter().find(|(name, _)| *name == key).map(|(_, value)| *value)
    }

    /// The attributes that neighbours may share.
    fn paint(&self) -> String {
        let stroked = self.get("stroke").is_some_and(|stroke| stroke != "none");
        let mut paint = String::new();
        for (key, value) in &self.attributes {
            match *key {
                "opacity" if *value == "1" => {}
                "opacity" if stroked => paint.push_str(&format!(" stroke-opacity=\"{value}\"")),
                "opacity" => paint.push_str(&format!(" fill-opacity=\"{value}\"")),
                "stroke" if *value == "none" => {}
                "stroke-width" if !stroked => {}
                "font-size" => {
                    let size: f64 = value.parse().unwrap_or_default();
                    paint.push_str(&format!(" font-size=\"{}\"", (size * 10.0).round() / 10.0));
                }
                "fill" | "stroke" | "stroke-width" | "text-anchor" | "font-weight" => {
                    paint.push_str(&format!(" {key}=\"{value}\""));
                }
                _ => {}
            }
        }
        paint
    }

    /// The attributes of its own.
    fn shape(&self) -> String {
        let own = ["x", "y", "dy", "x1", "y1", "x2", "y2", "cx", "cy", "r", "width", "height", "points", "transform"];
        let attributes = self.attributes.iter().filter(|(key, _)| own.contains(key));
        attributes.map(|(key, value)| format!(" {key}=\"{}\"", value.trim_end())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_one_paint_share_a_group() {
        let raw = "<svg width=\"1\">\n\
            <line opacity=\"0.2\" stroke=\"#000000\" stroke-width=\"11\" x1=\"1\" y1=\"2\" x2=\"3\" y2=\"4\"/>\n\
            <line opacity=\"0.2\" stroke=\"#000000\" stroke-width=\"11\" x1=\"5\" y1=\"6\" x2=\"7\" y2=\"8\"/>\n\
            <text x=\"1\" y=\"2\" dy=\"0.76em\" font-family=\"A\" font-size=\"248.04999\" opacity=\"1\" fill=\"#FF0000\">\n\
            a &amp; b\n</text>\n</svg>\n";
        let text = for_print(raw, 85.0, 60.0, "t", "d");
        let body = text.lines().skip(4).collect::<Vec<_>>().join("\n");
        assert_eq!(
            body,
            "<g stroke-opacity=\"0.2\" stroke=\"#000000\" stroke-width=\"11\">\n\
             <line x1=\"1\" y1=\"2\" x2=\"3\" y2=\"4\"/>\n\
             <line x1=\"5\" y1=\"6\" x2=\"7\" y2=\"8\"/>\n</g>\n\
             <g font-size=\"248\" fill=\"#FF0000\">\n\
             <text x=\"1\" y=\"2\" dy=\"0.76em\">a &amp; b</text>\n</g>\n</svg>"
        );
    }
}

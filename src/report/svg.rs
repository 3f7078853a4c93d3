//! Makes an SVG fit to stand inside a page with others: nothing clashes, runs or is fetched.

/// Elements that only draw. Anything else could run, load or restyle the page around it.
const ELEMENTS: &str = "svg g path rect circle ellipse line polyline polygon text tspan textPath defs use symbol \
    marker linearGradient radialGradient stop clipPath mask pattern image title desc filter feGaussianBlur feOffset \
    feBlend feColorMatrix feComposite feFlood feMerge feMergeNode";

/// Attributes of the root that the page sets itself.
const ROOT_ATTRIBUTES: [&str; 9] =
    ["width", "height", "role", "aria-label", "aria-labelledby", "viewBox", "style", "x", "y"];

/// The SVG without prologue and namespaces, with `prefix` before each id and each reference to one,
/// and with `alt` as the text that stands for it where it cannot be seen.
///
/// # Errors
/// What in it is in the way: bad nesting, an element that is not for drawing, an event handler, or a
/// reference to anything outside.
pub(super) fn inline(svg: &str, prefix: &str, alt: &str) -> Result<String, String> {
    let mut out = String::with_capacity(svg.len());
    let mut open: Vec<&str> = Vec::new();
    let mut seen_root = false;
    let mut rest = svg.trim_start_matches('\u{feff}');
    while let Some(at) = rest.find('<') {
        push_text(&rest[..at], open.is_empty(), &mut out)?;
        rest = &rest[at..];
        if let Some(end) = skipped(rest)? {
            rest = &rest[end..];
            continue;
        }
        let tag = Tag::read(rest)?;
        rest = &rest[tag.length..];
        if tag.closes {
            if open.pop() != Some(tag.name) {
                return Err(format!("</{}> closes an element that is not open", tag.name));
            }
            out.push_str(&format!("</{}>", tag.name));
            continue;
        }
        if !ELEMENTS.split_whitespace().any(|element| element == tag.name) {
            return Err(format!("it has a <{}>; only elements that draw are let in, styled by attributes", tag.name));
        }
        if open.is_empty() && (seen_root || tag.name != "svg") {
            return Err(format!("<{}> stands outside the one <svg> that a file holds", tag.name));
        }
        write_tag(&tag, open.is_empty().then_some(alt), prefix, &mut out)?;
        seen_root = true;
        if !tag.empty {
            open.push(tag.name);
        }
    }
    push_text(rest, open.is_empty(), &mut out)?;
    match open.last() {
        Some(name) => Err(format!("<{name}> is never closed")),
        None if seen_root => Ok(out),
        None => Err("it has no <svg>".to_owned()),
    }
}

/// A tag as it was read; values still carry their entities.
struct Tag<'a> {
    name: &'a str,
    attributes: Vec<(&'a str, &'a str)>,
    closes: bool,
    empty: bool,
    length: usize,
}

impl<'a> Tag<'a> {
    fn read(text: &'a str) -> Result<Self, String> {
        let unfinished = || format!("the tag at {:?} is never finished", text.chars().take(30).collect::<String>());
        let closes = text.starts_with("</");
        let mut at = 1 + usize::from(closes);
        let name = word(&text[at..]);
        at += name.len();
        let mut attributes = Vec::new();
        loop {
            at += text[at..].len() - text[at..].trim_start().len();
            if let Some(length) = [">", "/>"].iter().find(|end| text[at..].starts_with(**end)).map(|end| end.len()) {
                return Ok(Tag { name, attributes, closes, empty: length == 2, length: at + length });
            }
            let attribute = word(&text[at..]);
            let value = text[at + attribute.len()..].trim_start().strip_prefix('=').map(str::trim_start);
            let value = value.filter(|_| !attribute.is_empty()).ok_or_else(unfinished)?;
            let quote = value.chars().next().filter(|c| matches!(c, '"' | '\'')).ok_or_else(unfinished)?;
            let end = value[1..].find(quote).ok_or_else(unfinished)?;
            attributes.push((attribute, &value[1..=end]));
            at = text.len() - value.len() + end + 2;
        }
    }

    fn get(&self, name: &str) -> Option<&'a str> {
        self.attributes.iter().find(|(attribute, _)| *attribute == name).map(|(_, value)| *value)
    }
}

/// The name at the start of a text.
fn word(text: &str) -> &str {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.');
    &text[..text.find(|c| !is_name(c)).unwrap_or(text.len())]
}

/// Length of the comment or prologue at the start of `text`, if it is one.
fn skipped(text: &str) -> Result<Option<usize>, String> {
    let end = if text.starts_with("<!--") {
        "-->"
    } else if text.starts_with("<?") {
        "?>"
    } else if text.starts_with("<!DOCTYPE") {
        ">"
    } else if text.starts_with("<!") {
        return Err("it has a CDATA section or a declaration; write plain elements and text".to_owned());
    } else {
        return Ok(None);
    };
    let length = text.find(end).ok_or("a comment or declaration is never finished")? + end.len();
    match end == ">" && text[..length].contains('[') {
        true => Err("its DOCTYPE declares entities; write them out".to_owned()),
        false => Ok(Some(length)),
    }
}

fn push_text(text: &str, outside: bool, out: &mut String) -> Result<(), String> {
    if outside && !text.trim().is_empty() {
        return Err(format!("{:?} stands outside its <svg>", text.trim()));
    }
    if !outside {
        // A bare `>` is legal in XML text; escaped it is so everywhere.
        out.push_str(&text.replace('>', "&gt;"));
    }
    Ok(())
}

/// Writes an opening tag; `alt` is given for the root.
fn write_tag(tag: &Tag<'_>, alt: Option<&str>, prefix: &str, out: &mut String) -> Result<(), String> {
    out.push('<');
    out.push_str(tag.name);
    if let Some(alt) = alt {
        out.push_str(&format!(" role=\"img\" aria-label=\"{}\"{}", escape(alt), size(tag)?));
    }
    for &(name, value) in &tag.attributes {
        let set_by_page = alt.is_some() && ROOT_ATTRIBUTES.contains(&name);
        // A class means nothing without a style sheet, but could meet one of the page's.
        if set_by_page || name == "class" || name.starts_with("xmlns") {
            continue;
        }
        out.push_str(&format!(" {name}=\"{}\"", attribute(name, value, prefix)?.replace('"', "&quot;")));
    }
    out.push_str(if tag.empty { "/>" } else { ">" });
    Ok(())
}

fn attribute(name: &str, value: &str, prefix: &str) -> Result<String, String> {
    if name.to_ascii_lowercase().starts_with("on") {
        return Err(format!("the attribute {name} would run a script; leave it out"));
    }
    match name {
        "id" => Ok(format!("{prefix}{value}")),
        "aria-labelledby" | "aria-describedby" => {
            Ok(value.split_whitespace().map(|id| format!("{prefix}{id}")).collect::<Vec<_>>().join(" "))
        }
        "href" | "xlink:href" => match value.strip_prefix('#') {
            Some(id) => Ok(format!("#{prefix}{id}")),
            None if is_picture(value) => Ok(value.to_owned()),
            None => Err(format!("{name} points outside, to {value:?}; only #… and embedded pictures are let in")),
        },
        _ => prefix_urls(name, value, prefix),
    }
}

fn is_picture(value: &str) -> bool {
    ["png", "jpeg", "gif", "webp"].iter().any(|kind| value.starts_with(&format!("data:image/{kind};base64,")))
}

/// Prefixes the ids in `url(#id)`.
fn prefix_urls(name: &str, value: &str, prefix: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = value;
    while let Some(at) = rest.to_ascii_lowercase().find("url(") {
        let target = rest[at + 4..].trim_start_matches(['"', '\'', ' ']);
        let target = target.strip_prefix("&quot;").or(target.strip_prefix("&apos;")).unwrap_or(target);
        let id = target.strip_prefix('#').ok_or_else(|| format!("{name} points outside, to {value:?}"))?;
        let end = id.find(')').ok_or_else(|| format!("{name} has an unfinished url in {value:?}"))?;
        let bare = id[..end].trim_end_matches(['"', '\'', ' ']);
        let bare = bare.strip_suffix("&quot;").or(bare.strip_suffix("&apos;")).unwrap_or(bare);
        out.push_str(&format!("{}url(#{prefix}{bare})", &rest[..at]));
        rest = &id[end + 1..];
    }
    Ok(out + rest)
}

/// The frame of the drawing, and its own width for the style sheet to scale from.
fn size(root: &Tag<'_>) -> Result<String, String> {
    let length = |name: &str| root.get(name).and_then(pixels);
    let view_box = root.get("viewBox").map(|text| {
        text.split([' ', ','])
            .filter(|word| !word.is_empty())
            .filter_map(|word| word.parse().ok())
            .collect::<Vec<f64>>()
    });
    let (frame, width) = match (view_box.as_deref(), length("width"), length("height")) {
        (Some(&[left, top, width, height]), drawn, _) => {
            (format!("{left} {top} {width} {height}"), drawn.unwrap_or(width))
        }
        (None, Some(width), Some(height)) => (format!("0 0 {width} {height}"), width),
        _ => return Err("its <svg> has neither a viewBox of four numbers nor a width and height".to_owned()),
    };
    Ok(format!(" viewBox=\"{frame}\" style=\"--width:{}px\"", width.round()))
}

/// A length in CSS pixels, 96 to the inch.
fn pixels(text: &str) -> Option<f64> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match &text[number.len()..] {
        "" | "px" => 1.0,
        "mm" => 96.0 / 25.4,
        "cm" => 96.0 / 2.54,
        "in" => 96.0,
        "pt" => 96.0 / 72.0,
        _ => return None,
    };
    number.trim().parse::<f64>().ok().filter(|length| length.is_finite() && *length > 0.0).map(|length| length * factor)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_all_references_to_them_are_prefixed() {
        let svg = r##"<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="30pt" height="15pt">
            <defs><clipPath id="c"/></defs><g clip-path="url('#c')" fill="url(#d)"><use xlink:href="#c"/></g></svg>"##;
        let inlined = inline(svg, "f-", "a \"test\"").unwrap();
        assert!(inlined.starts_with(
            r#"<svg role="img" aria-label="a &quot;test&quot;" viewBox="0 0 40 20" style="--width:40px">"#
        ));
        for part in [r#"id="f-c""#, r#"clip-path="url(#f-c)""#, r#"fill="url(#f-d)""#, r##"xlink:href="#f-c""##] {
            assert!(inlined.contains(part), "{part} not in {inlined}");
        }
        assert!(!inlined.contains("http"));
    }

    #[test]
    fn whatever_could_run_or_fetch_or_break_the_page_is_refused() {
        let refused = |inner: &str| inline(&format!(r#"<svg viewBox="0 0 1 1">{inner}</svg>"#), "f-", "").unwrap_err();
        assert!(refused("<script>alert(1)</script>").contains("<script>"));
        assert!(refused("<style>p{color:red}</style>").contains("<style>"));
        assert!(refused("<foreignObject/>").contains("<foreignObject>"));
        assert!(refused(r#"<g onload="x()"/>"#).contains("onload"));
        assert!(refused(r#"<image href="https://example.org/x.png"/>"#).contains("outside"));
        assert!(refused(r#"<use href="javascript:x()"/>"#).contains("outside"));
        assert!(refused(r#"<g fill="URL( 'http://example.org/x')"/>"#).contains("outside"));
        assert!(refused("<g>").contains("not open"));
        assert!(refused("</svg><svg>").contains("outside the one"));
        assert!(refused("<g").contains("never finished"));
        assert!(inline("<svg/>", "f-", "").unwrap_err().contains("viewBox"));
        assert!(inline("plain", "f-", "").unwrap_err().contains("outside its <svg>"));
    }

    #[test]
    fn a_viewbox_wins_over_the_size_and_text_survives() {
        let svg = r#"<svg width="200" height="100" viewBox="0 0 2000 1000"><text x='1'>5 > 3 &amp; ü</text></svg>"#;
        let expected = r#"viewBox="0 0 2000 1000" style="--width:200px"><text x="1">5 &gt; 3 &amp; ü</text></svg>"#;
        assert!(inline(svg, "", "").unwrap().ends_with(expected));
    }
}

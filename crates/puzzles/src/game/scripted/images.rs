//! Images of scripts: paths and circles in a box of their own, each in one colour.

use plymap_lua::{Key, Value};

use super::entries::Entries;
use crate::game::picture::{Image, ImagePart};

/// Width and height of an image that does not say its own, as in most collections of icons.
const SIDE: f64 = 24.0;

/// The most parts of an image.
const MAX_PARTS: usize = 100;

/// Reads an image: a path, or a list of parts with the width and the height of the image.
///
/// # Errors
///
/// What is wrong with it.
pub(super) fn image(value: &Value, what: &str) -> Result<Image, String> {
    let entries = match value {
        Value::Text(path) => {
            let part = ImagePart::path(path, (SIDE, SIDE), None).map_err(|reason| format!("{what}: {reason}"))?;
            return Ok(Image { parts: vec![part] });
        }
        Value::Table(entries) => entries,
        other => return Err(format!("{what} is {other}, and has to be a path as text, or a table of parts")),
    };
    let named = entries.iter().filter(|(key, _)| matches!(key, Key::Name(_)));
    let named = named.map(|(key, value)| (key.clone(), value.clone())).collect();
    let named = Entries::of(&named, what, &["width", "height"])?;
    let size = (named.number("width", Some(SIDE))?, named.number("height", Some(SIDE))?);
    if size.0 <= 0.0 || size.1 <= 0.0 {
        return Err(format!("{what} is {} wide and {} high; both are more than 0", size.0, size.1));
    }
    let parts: Vec<&Value> =
        entries.iter().filter(|(key, _)| matches!(key, Key::Index(_))).map(|(_, part)| part).collect();
    if parts.is_empty() || parts.len() > MAX_PARTS {
        let n_parts = parts.len();
        return Err(format!(
            "{what} has {n_parts} parts; it has 1 to {MAX_PARTS}, such as {{ path = \"M0 0H24V24Z\" }}"
        ));
    }
    let numbered = parts.into_iter().enumerate();
    let parts = numbered.map(|(number, value)| part(value, &format!("part {} of {what}", number + 1), size));
    Ok(Image { parts: parts.collect::<Result<_, _>>()? })
}

/// Reads a part of an image of this width and height.
fn part(value: &Value, what: &str, size: (f64, f64)) -> Result<ImagePart, String> {
    let Value::Table(entries) = value else { return Err(format!("{what} is {value}, and has to be a table")) };
    let entries = Entries::of(entries, what, &["path", "circle", "fill"])?;
    let fill = entries.text("fill")?.map(|fill| colour(fill, what)).transpose()?;
    let part = match (entries.text("path")?, entries.get("circle")) {
        (Some(path), None) => ImagePart::path(path, size, fill),
        (None, Some(Value::Table(numbers))) => {
            let numbers: Vec<f64> = numbers.values().filter_map(as_number).collect();
            let [x, y, radius] = numbers[..] else {
                return Err(format!("`circle` of {what} has to be {{ x, y, radius }}"));
            };
            ImagePart::circle((x, y), radius, size, fill)
        }
        (None, Some(other)) => return Err(format!("`circle` of {what} is {other}, and has to be {{ x, y, radius }}")),
        _ => return Err(format!("{what} has to have either a `path` or a `circle`")),
    };
    part.map_err(|reason| format!("{what}: {reason}"))
}

fn as_number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Number(number) => Some(*number),
        _ => None,
    }
}

/// An image that is nothing but its field in a colour: a rectangle, or an ellipse.
pub(super) fn filled(fill: [u8; 3], is_disc: bool) -> Image {
    let part = match is_disc {
        true => ImagePart::circle((0.5, 0.5), 0.5, (1.0, 1.0), Some(fill)),
        false => ImagePart::path("M0 0H1V1H0Z", (1.0, 1.0), Some(fill)),
    };
    Image { parts: part.into_iter().collect() }
}

/// Reads a colour as `#rrggbb`.
pub(super) fn colour(text: &str, what: &str) -> Result<[u8; 3], String> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii());
    let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let [_, red, green, blue] = number
        .ok_or_else(|| format!("`fill` of {what} is {text:?}; it is a colour such as \"#8b5a2b\""))?
        .to_be_bytes();
    Ok([red, green, blue])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(expression: &str) -> Result<Image, String> {
        let lua = mlua::Lua::new();
        image(&Value::from_lua(&lua.load(expression).eval().unwrap()).unwrap(), "`image`")
    }

    #[test]
    fn an_image_has_paths_and_circles_in_a_box() {
        let triangle = read("'M0 0H24V24Z'").unwrap();
        assert_eq!(triangle.parts[0].outlines, [[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)]]);
        let image =
            read("{ width = 4, height = 2, { path = 'M0 0H4V2Z', fill = '#0a0b0c' }, { circle = { 2, 1, 1 } } }");
        let parts = image.unwrap().parts;
        assert_eq!(parts[0].fill, Some([10, 11, 12]));
        assert_eq!((parts[1].fill, parts[1].outlines[0][0]), (None, (0.75, 0.5)));
    }

    #[test]
    fn faults_name_the_part_and_the_remedy() {
        for (expression, words) in [
            ("7", "`image` is 7, and has to be a path as text, or a table of parts"),
            ("{}", "`image` has 0 parts"),
            ("{ widht = 3 }", "its entries are width, height"),
            ("{ width = 0, { circle = { 1, 1, 1 } } }", "both are more than 0"),
            ("{ { fill = '#000000' } }", "part 1 of `image` has to have either a `path` or a `circle`"),
            ("{ { circle = { 1, 1, 1 } }, { circle = { 1, 1 } } }", "`circle` of part 2 of `image` has to be"),
            ("{ { path = 'M0 0H9V9Z', fill = 'red' } }", "`fill` of part 1 of `image` is \"red\""),
            ("{ { path = 'M0 0H99V9Z' } }", "part 1 of `image`: the point 99, 0 lies outside"),
            ("'M0 0A1 1 0 0 0 2 2Z'", "`image`: the path has an arc"),
        ] {
            let fault = read(expression).unwrap_err();
            assert!(fault.contains(words), "{expression}: {fault}");
        }
    }
}

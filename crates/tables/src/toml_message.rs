//! Messages of the reader of TOML in plain words, for those who write studies.

use crate::did_you_mean::nearest;

/// A message of a reader in plain words; what is not known stays as it is.
///
/// What other modules put before the message of a reader (`policy look-ahead: `) stays before it.
pub fn plain(message: &str) -> String {
    const BEGINNINGS: [&str; 6] = [
        "unknown field `",
        "unknown variant `",
        "missing field `",
        "invalid type: ",
        "invalid value: ",
        "invalid length ",
    ];
    let begins = |place: usize| place == 0 || message[..place].ends_with(": ");
    let place = BEGINNINGS.iter().filter_map(|word| message.find(word)).filter(|&place| begins(place)).min();
    match place {
        Some(place) => format!("{}{}", &message[..place], reader(&message[place..])),
        None => syntax(message).to_owned(),
    }
}

/// Returns the message on an entry that is missing in the table whose header the message is about.
pub fn missing_in(header: &str, message: &str) -> Option<String> {
    let name = message.strip_prefix("missing field `")?.strip_suffix('`')?;
    let is_header = header.starts_with('[') && header.ends_with(']') && !header.contains('\n');
    is_header.then(|| format!("the entry `{name}` is missing in {header}"))
}

/// Rewords the message of a deserializer, whose words are those of serde.
fn reader(message: &str) -> String {
    let quoted = |text: &str| text.split('`').nth(1).unwrap_or_default().to_owned();
    let known = |text: &str| match text.split_once(", expected ") {
        Some((_, names)) => names.split('`').skip(1).step_by(2).map(str::to_owned).collect(),
        None => Vec::new(),
    };
    let name = quoted(message);
    if message.starts_with("unknown field") {
        return said_unknown("entry", &name, &known(message), "entries");
    }
    if message.starts_with("unknown variant") {
        return said_unknown("choice", &name, &known(message), "choices");
    }
    if message.starts_with("missing field") {
        return match name.as_str() {
            "study" | "levels" => format!("the table [{name}] is missing"),
            _ => format!("the entry `{name}` is missing"),
        };
    }
    let Some((actual, expected)) = message.split_once(": ").and_then(|(_, rest)| rest.split_once(", expected ")) else {
        return message.to_owned();
    };
    // A choice that is no text is refused in words that name neither.
    if actual == "unit variant" || expected == "string only" {
        return "a text in quotes is needed here, such as \"name\"".to_owned();
    }
    format!("{} is needed here, not {}", needed(expected), said(actual))
}

fn said_unknown(kind: &str, name: &str, known: &[String], plural: &str) -> String {
    let nearest = nearest(name, known.iter().map(String::as_str));
    let hint = nearest.map_or_else(String::new, |other| format!(" (did you mean `{other}`?)"));
    let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    match known.as_slice() {
        [] => format!("there is no {kind} `{name}`"),
        _ => format!("there is no {kind} `{name}`{hint}; the {plural} are {}", known.join(", ")),
    }
}

/// Rewords the value that was found: "integer `3`", "string \"x\"", "sequence".
fn said(actual: &str) -> String {
    let value = actual.split('`').nth(1).unwrap_or_default();
    match actual.split([' ', '`']).next().unwrap_or_default() {
        "integer" | "floating" => format!("the number {value}"),
        "boolean" => value.to_owned(),
        "string" => format!("the text {}", actual.trim_start_matches("string").trim()),
        "sequence" => "a list".to_owned(),
        "map" => "a table".to_owned(),
        "datetime" => "a date".to_owned(),
        _ => actual.to_owned(),
    }
}

/// Rewords the value that was expected, where the deserializer names it by a type of Rust.
fn needed(expected: &str) -> &str {
    match expected {
        "a string" | "path string" | "a borrowed string" | "str" => "a text in quotes",
        "a character" => "a text of one character",
        "a sequence" => "a list such as [\"…\"]",
        "a map" | "map" => "a table",
        "a boolean" => "true or false",
        "f32" | "f64" => "a number",
        "i8" | "i16" | "i32" | "i64" => "a whole number",
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number from 0",
        other => match other.strip_prefix("struct ") {
            Some(_) => "a table",
            None => other,
        },
    }
}

/// Rewords the message of the parser on a text that is not TOML.
fn syntax(message: &str) -> &str {
    match message {
        "invalid mantissa, expected digits" => "a number needs a digit before and behind its point, as in 0.9",
        "unclosed table, expected `]`" => "the name of a table needs its closing bracket, as in [study]",
        "unclosed array, expected `]`" => "the list needs its closing bracket ]",
        "unclosed inline table, expected `}`" => "the table needs its closing brace }",
        "key with no value, expected `=`" => "a name needs `=` and its value behind it, as in name = \"demo\"",
        "string values must be quoted, expected literal string" => "a text needs quotes, as in name = \"demo\"",
        "invalid basic string, expected `\"`" | "invalid literal string, expected `'`" => {
            "a text needs its closing quote"
        }
        // `missing escaped value, expected ...`, and `too few unicode value digits, expected ...` of C:\Users.
        escape if escape.starts_with("missing escaped value") || escape.starts_with("too few unicode value digits") => {
            "a backslash in double quotes begins an escape, such as \\n for a line break: write / between the folders of a \
             path, or put the text into single quotes, as in 'a\\b'"
        }
        "duplicate key" => "the entry or table stands here a second time; keep one of them",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::{missing_in, plain};

    #[test]
    fn what_a_table_lacks_is_named_with_it() {
        let said = |header| missing_in(header, "missing field `levels`");
        assert_eq!(
            said("[[experiment.block]]").as_deref(),
            Some("the entry `levels` is missing in [[experiment.block]]")
        );
        assert_eq!(said("[study]\nname = \"demo\"\n[levels]"), None, "the whole file");
        assert_eq!(missing_in("[study]", "duplicate key"), None);
    }

    #[test]
    fn words_of_rust_become_plain() {
        for (said, meant) in [
            ("missing field `study`", "the table [study] is missing"),
            ("missing field `policy`", "the entry `policy` is missing"),
            (
                "unknown field `nme`, expected one of `name`, `title`",
                "there is no entry `nme` (did you mean `name`?); the entries are `name`, `title`",
            ),
            ("unknown field `x`, there are no fields", "there is no entry `x`"),
            (
                "unknown variant `out`, expected `exit` or `path-clear`",
                "there is no choice `out`; the choices are `exit`, `path-clear`",
            ),
            ("invalid type: integer `3`, expected a string", "a text in quotes is needed here, not the number 3"),
            (
                "invalid type: string \"levels\", expected a sequence",
                "a list such as [\"…\"] is needed here, not the text \"levels\"",
            ),
            ("invalid value: integer `-1`, expected usize", "a whole number from 0 is needed here, not the number -1"),
            (
                "invalid type: floating point `300.5`, expected u32",
                "a whole number from 0 to 4294967295 is needed here, not the number 300.5",
            ),
            ("invalid type: string \"0.95\", expected f64", "a number is needed here, not the text \"0.95\""),
            ("invalid type: integer `1`, expected a boolean", "true or false is needed here, not the number 1"),
            ("invalid type: unit variant, expected string only", "a text in quotes is needed here, such as \"name\""),
            ("invalid mantissa, expected digits", "a number needs a digit before and behind its point, as in 0.9"),
            (
                "policy look-ahead: `depth`: invalid type: string \"three\", expected u32",
                "policy look-ahead: `depth`: a whole number from 0 to 4294967295 is needed here, not the text \"three\"",
            ),
            ("confidence is between 0 and 1", "confidence is between 0 and 1"),
        ] {
            assert_eq!(plain(said), meant);
        }
    }
}

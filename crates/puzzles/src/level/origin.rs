//! Places of the text of a level in its file.

use std::ops::Range;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, SourceText};

/// A value with the bytes of the file that gave it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spanned<T> {
    pub value: T,
    pub span: Range<usize>,
}

/// Maps places in a level's text to places in the file that it was read from.
///
/// A board inside a JSON string or a quoted table cell differs from the bytes of the file wherever
/// a character is escaped (`\n`, `\"`, `""`); faults have to point at the bytes of the file.
#[derive(Clone, Debug)]
pub struct Origin {
    source: Arc<SourceText>,
    offset: usize,
    /// The place in the file of each byte of the text and of its end; absent where the text
    /// stands in the file as it is.
    places: Option<Vec<usize>>,
}

impl Origin {
    /// The origin of `text`, which begins at byte `offset` of the file, as it is or escaped.
    pub fn new(text: &str, source: &Arc<SourceText>, offset: usize) -> Self {
        let raw = source.text.get(offset..).unwrap_or("");
        let places = (!raw.starts_with(text)).then(|| {
            let end = source.text.len();
            unescaped_places(text, raw).into_iter().map(|place| (offset + place).min(end)).collect()
        });
        Self { source: source.clone(), offset, places }
    }

    /// The origin of a string whose literal stands in `text`, the text of this origin; its first
    /// character stands at byte `start` of `text`, after the opening quote.
    pub fn of_string(&self, string: &str, text: &str, start: usize) -> Self {
        let places = unescaped_places(string, text.get(start..).unwrap_or(""));
        let places = places.into_iter().map(|place| self.place(start + place)).collect();
        Self { source: self.source.clone(), offset: self.place(start), places: Some(places) }
    }

    /// The bytes of the file that hold these bytes of the text.
    pub fn span(&self, range: Range<usize>) -> Range<usize> {
        self.place(range.start)..self.place(range.end)
    }

    /// The file.
    pub fn source(&self) -> &Arc<SourceText> {
        &self.source
    }

    /// An error at these bytes of the text.
    pub fn error(&self, code: &'static str, range: Range<usize>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(code, &self.source, self.span(range), message)
    }

    fn place(&self, byte: usize) -> usize {
        match &self.places {
            None => self.offset + byte,
            Some(places) => places.get(byte).or(places.last()).copied().unwrap_or(self.offset),
        }
    }
}

/// The byte of `raw` at which each byte of `text` stands, and the end; `raw` holds `text` with the
/// escapes of JSON strings or of quoted table cells. From the first character that is not there,
/// all places are that of the last one found.
fn unescaped_places(text: &str, raw: &str) -> Vec<usize> {
    let mut places = Vec::with_capacity(text.len() + 1);
    let mut at = 0;
    for character in text.chars() {
        places.extend(std::iter::repeat_n(at, character.len_utf8()));
        at += escaped_length(character, &raw[at..]);
    }
    places.push(at);
    places
}

/// Number of bytes of the character at the start of `raw`; 0 if it is not there.
fn escaped_length(character: char, raw: &str) -> usize {
    let mut ahead = raw.chars();
    match (ahead.next(), ahead.next()) {
        (Some('"'), Some('"')) if character == '"' => 2,
        (Some('\\'), Some('u')) => {
            let length = 6 * character.len_utf16();
            if raw.is_char_boundary(length) && raw.len() >= length { length } else { 0 }
        }
        (Some('\\'), Some(escape)) if is_escape_of(escape, character) => 2,
        (Some(first), _) if first == character => character.len_utf8(),
        _ => 0,
    }
}

fn is_escape_of(escape: char, character: char) -> bool {
    match escape {
        'n' => character == '\n',
        'r' => character == '\r',
        't' => character == '\t',
        'b' => character == '\u{8}',
        'f' => character == '\u{c}',
        '"' | '\\' | '/' => character == escape,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> Arc<SourceText> {
        Arc::new(SourceText { path: "levels.json".into(), text: text.to_owned() })
    }

    #[test]
    fn text_that_stands_in_the_file_is_shifted() {
        let origin = Origin::new("AA.", &file("x,AA.,y"), 2);
        assert_eq!(origin.span(1..3), 3..5);
    }

    #[test]
    fn escapes_of_json_and_of_tables_are_counted() {
        // The line end takes two bytes of the file, the letter é takes six as \u00e9.
        let origin = Origin::new("A\né\"B", &file(r#"{"A\n\u00e9\"B"}"#), 2);
        assert_eq!(origin.span(0..1), 2..3);
        assert_eq!(origin.span(2..4), 5..11);
        assert_eq!(origin.span(5..6), 13..14);
        let origin = Origin::new("[\"A\"]", &file("\"[\"\"A\"\"]\""), 1);
        assert_eq!(origin.span(2..3), 4..5);
    }

    #[test]
    fn text_from_elsewhere_stays_within_the_file() {
        let origin = Origin::new("ABCDEF", &file("AB"), 0);
        assert_eq!(origin.span(5..6), 2..2);
    }
}

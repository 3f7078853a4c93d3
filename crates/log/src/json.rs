//! JSON rows: one object a line (NDJSON), or arrays of objects.

use super::cells::Cells;
use super::error::LogError;
use super::file_format::strip_bom;
use super::limit::{check_row, read_line};
use super::raw::Sink;
use super::raw::{RawRow, RowDiagnostic};
use super::recorded::{self, REPAIR, Recorded, Sessions, unfinished_line};
use super::source::Source;
use plymap_puzzles::progress::Progress;
use plymap_tables::checksum::json::FIELD;
use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::collections::HashMap;
use std::fmt;
use std::io::{self, BufRead};

/// Form of a row, for those who wrote it otherwise.
const OBJECT: &str =
    "write each row as an object such as {\"participant\": \"P1\", \"level\": \"1\", \"action\": \"A+1\"}";

/// Keys of all lines, in order of appearance; a checksum is none. Where lines have one, a last line that was not
/// written to its end is noted in the file.
pub(super) fn columns_of_lines(source: &mut Source) -> Result<Vec<String>, LogError> {
    let mut keys = Keys::default();
    let mut are_any_signed = false;
    let unfinished = for_each_line(source, None, &mut |_, text, is_signed| {
        are_any_signed |= is_signed;
        keys.collect(text, is_signed.then_some(FIELD));
        Ok(())
    })?;
    if are_any_signed {
        check_sessions(source)?;
    }
    source.file.notices.extend(unfinished.map(|(line, text)| unfinished_line(line, &text)));
    keys.known(source)
}

/// Refuses sessions of which some lines have a checksum and others have none, or that lack lines.
fn check_sessions(source: &Source) -> Result<(), LogError> {
    let mut sessions = Sessions::default();
    for_each_line(source, None, &mut |line, text, is_signed| {
        sessions.take(line, text, is_signed).map_err(|reason| source.malformed(line, reason, REPAIR))
    })
    .map(drop)
}

/// Keys of all elements, in order of appearance. Arrays without an end are noted in the file.
pub(super) fn columns_of_array(source: &mut Source) -> Result<Vec<String>, LogError> {
    let mut keys = Keys::default();
    let cuts = for_each_element(source, None, &mut |line, text| {
        let is_signed = match recorded::check(text) {
            Recorded::Wrong => return Err(source.malformed(line, recorded::WRONG, REPAIR)),
            Recorded::Rewritten => return Err(source.malformed(line, recorded::REWRITTEN, REPAIR)),
            found => found == Recorded::Signed,
        };
        keys.collect(text, is_signed.then_some(FIELD));
        Ok(())
    })?;
    let columns = keys.known(source)?;
    source.file.notices.extend(cuts.into_iter().map(|(line, rest)| {
        let end = match rest.is_empty() {
            true => "the rows before it are read".to_owned(),
            false => "what stands from there on is left out, and the rows before it are read".to_owned(),
        };
        let rule = format!("the array of rows has no end (line {line}), as where a page was closed; {end}");
        let fix = "nothing, if somebody left early; else restore the file";
        RowDiagnostic::new("no-end-of-array", "", &String::from_utf8_lossy(&rest), rule, fix)
    }));
    Ok(columns)
}

/// Hands every line to `sink`.
pub(super) fn rows_of_lines(source: &Source, progress: &dyn Progress, sink: &mut Sink<'_>) -> Result<(), LogError> {
    let mut row = ObjectCells::new(source);
    for_each_line(source, Some(progress), &mut |line, text, _| row.give(line, text, sink)).map(drop)
}

/// Hands every element to `sink`, with the line that it begins on.
pub(super) fn rows_of_array(source: &Source, progress: &dyn Progress, sink: &mut Sink<'_>) -> Result<(), LogError> {
    let mut row = ObjectCells::new(source);
    for_each_element(source, Some(progress), &mut |line, text| row.give(line, text, sink)).map(drop)
}

/// Takes rows apart into cells.
struct ObjectCells<'s> {
    /// Place of the cell of each key.
    places: HashMap<&'s str, usize>,
    cells: Cells,
}

impl<'s> ObjectCells<'s> {
    fn new(source: &'s Source) -> Self {
        let places = source.columns.iter().enumerate().map(|(place, name)| (name.as_str(), place)).collect();
        Self { places, cells: Cells::default() }
    }

    fn give(&mut self, line: u64, text: &[u8], sink: &mut Sink<'_>) -> Result<(), LogError> {
        self.cells.reset(self.places.len());
        let mut deserializer = serde_json::Deserializer::from_slice(text);
        let object = (&mut *self).deserialize(&mut deserializer).and_then(|()| deserializer.end());
        if object.is_err() {
            let (code, rule) = match serde_json::from_slice::<Value>(text) {
                Ok(_) => ("not-an-object", "the row is valid JSON, but no object".to_owned()),
                Err(error) => ("invalid-json", format!("the row is not valid JSON: {error}")),
            };
            let fault = RowDiagnostic::new(code, "", String::from_utf8_lossy(text).trim(), rule, OBJECT);
            return sink(RawRow { line, cells: &[], fault: Some(fault.into()), notices: &[] });
        }
        let cells: Vec<Option<&str>> = self.cells.iter().collect();
        sink(RawRow { line, cells: &cells, fault: None, notices: &[] })
    }
}

impl<'de> DeserializeSeed<'de> for &mut ObjectCells<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &mut ObjectCells<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(place) = map.next_key_seed(Place(&self.places))? {
            match place {
                Some(place) => self.cells.write(place, |text| map.next_value_seed(Text(text)))?,
                None => drop(map.next_value_seed(Text(&mut String::new()))?),
            }
        }
        Ok(())
    }
}

/// Finds where the cell of a key stands.
struct Place<'p>(&'p HashMap<&'p str, usize>);

impl<'de> DeserializeSeed<'de> for Place<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<usize>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Place<'_> {
    type Value = Option<usize>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Option<usize>, E> {
        Ok(self.0.get(key).copied())
    }
}

/// Adds the text of a value, as [`as_text`] gives it; whether it has one.
struct Text<'t>(&'t mut String);

impl<'de> DeserializeSeed<'de> for Text<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Text<'_> {
    fn add<E>(self, value: impl Into<Value>) -> Result<bool, E> {
        let text = as_text(value.into());
        self.0.extend(text.as_deref());
        Ok(text.is_some())
    }
}

impl<'de> Visitor<'de> for Text<'_> {
    type Value = bool;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_str<E>(self, text: &str) -> Result<bool, E> {
        self.0.push_str(text);
        Ok(true)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<bool, E> {
        self.add(truth)
    }

    fn visit_u64<E>(self, number: u64) -> Result<bool, E> {
        self.add(number)
    }

    fn visit_i64<E>(self, number: i64) -> Result<bool, E> {
        self.add(number)
    }

    fn visit_f64<E>(self, number: f64) -> Result<bool, E> {
        self.add(number)
    }

    fn visit_unit<E>(self) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, sequence: A) -> Result<bool, A::Error> {
        self.add(Value::deserialize(SeqAccessDeserializer::new(sequence))?)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<bool, A::Error> {
        self.add(Value::deserialize(MapAccessDeserializer::new(map))?)
    }
}

/// A value as a cell has it; what is nested stays JSON.
pub(super) fn as_text(value: Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text),
        other => Some(other.to_string()),
    }
}

type Visit<'v> = dyn FnMut(u64, &[u8]) -> Result<(), LogError> + 'v;

/// Receives lines, each with whether it has a checksum.
type VisitLine<'v> = dyn FnMut(u64, &[u8], bool) -> Result<(), LogError> + 'v;

/// Hands all lines to `visit` that are not blank. Gives the last one with its number where others have checksums and
/// it was not written to its end.
fn for_each_line(
    source: &Source,
    progress: Option<&dyn Progress>,
    visit: &mut VisitLine<'_>,
) -> Result<Option<(u64, Vec<u8>)>, LogError> {
    let unreadable = |error: io::Error| source.unreadable(&error);
    let mut input = open(source, progress)?;
    let mut text = Vec::new();
    let (mut line, mut is_recorded) = (0, false);
    while read_line(&mut input, &mut text).map_err(unreadable)? > 0 {
        line += 1;
        if !text.trim_ascii().is_empty() {
            match recorded::check(&text) {
                Recorded::Wrong => return Err(source.malformed(line, recorded::WRONG, REPAIR)),
                Recorded::Rewritten => return Err(source.malformed(line, recorded::REWRITTEN, REPAIR)),
                Recorded::PartialOutput if is_recorded => return Ok(Some((line, text))),
                Recorded::PartialOutput | Recorded::Unsigned => visit(line, &text, false)?,
                Recorded::Signed => {
                    is_recorded = true;
                    visit(line, &text, true)?;
                }
            }
        }
        text.clear();
    }
    Ok(None)
}

/// Walks through one array, or several one behind the other, without holding more than one element. Gives where arrays
/// lack their end: the line, and what stands from there on if that is no element.
fn for_each_element(
    source: &Source,
    progress: Option<&dyn Progress>,
    visit: &mut Visit<'_>,
) -> Result<Vec<(u64, Vec<u8>)>, LogError> {
    let mut input = open(source, progress)?;
    let mut scanner = Scanner::default();
    loop {
        let chunk = input.fill_buf().map_err(|error| source.unreadable(&error))?;
        if chunk.is_empty() {
            break;
        }
        let n = chunk.len();
        for &byte in chunk {
            scanner.take(byte, visit).map_err(|fault| match fault {
                ScanError::Outside => {
                    let fix = "write the rows as one array of objects, or one object a line in a file named .ndjson";
                    source.malformed(scanner.line, "there is something outside of the array of rows", fix)
                }
                ScanError::Stopped(error) => error,
            })?;
        }
        input.consume(n);
        check_row(scanner.element.len()).map_err(|error| source.unreadable(&error))?;
    }
    scanner.end(visit)?;
    Ok(scanner.cuts)
}

fn open<'s>(source: &'s Source, progress: Option<&'s dyn Progress>) -> Result<Box<dyn BufRead + 's>, LogError> {
    let mut input = source.open(progress)?;
    let start = input.fill_buf().map_err(|error| source.unreadable(&error))?;
    let mark = start.len() - strip_bom(start).len();
    input.consume(mark);
    Ok(input)
}

/// Finds where the elements of an array begin and end.
struct Scanner {
    line: u64,
    /// Brackets that are open; 1 between the elements.
    depth: usize,
    in_text: bool,
    escaped: bool,
    element: Vec<u8>,
    element_line: u64,
    has_elements: bool,
    is_line_start: bool,
    /// Lines on which an array lacks its end, with what stands there that is no element.
    cuts: Vec<(u64, Vec<u8>)>,
}

enum ScanError {
    Outside,
    Stopped(LogError),
}

impl Default for Scanner {
    fn default() -> Self {
        Self {
            line: 1,
            depth: 0,
            in_text: false,
            escaped: false,
            element: Vec::new(),
            element_line: 0,
            has_elements: false,
            is_line_start: true,
            cuts: Vec::new(),
        }
    }
}

impl Scanner {
    fn take(&mut self, byte: u8, visit: &mut Visit<'_>) -> Result<(), ScanError> {
        let result = self.step(byte, visit);
        self.is_line_start = byte == b'\n';
        self.line += u64::from(self.is_line_start);
        result
    }

    fn step(&mut self, byte: u8, visit: &mut Visit<'_>) -> Result<(), ScanError> {
        // No text of JSON has a break in it: it was cut off, and the next array begins.
        if self.in_text && self.is_line_start && byte == b'[' {
            self.cuts.push((self.element_line, std::mem::take(&mut self.element)));
            (self.in_text, self.escaped, self.depth) = (false, false, 0);
        }
        if self.in_text {
            self.element.push(byte);
            self.in_text = byte != b'"' || self.escaped;
            self.escaped = byte == b'\\' && !self.escaped;
            return Ok(());
        }
        match (self.depth, byte) {
            (0, b'[') => (self.depth, self.has_elements) = (1, false),
            (0, _) if byte.is_ascii_whitespace() => {}
            (0, _) => return Err(ScanError::Outside),
            (1, b',') => self.end_element(visit)?,
            // Behind rows that are objects another array begins: theirs has no end.
            (1, b'[') if self.has_elements && self.is_line_start && self.element.is_empty() => {
                self.cuts.push((self.line, Vec::new()))
            }
            (1, b']') => {
                self.end_element(visit)?;
                self.depth = 0;
            }
            _ => self.push(byte),
        }
        Ok(())
    }

    fn push(&mut self, byte: u8) {
        if self.element.is_empty() {
            if byte.is_ascii_whitespace() {
                return;
            }
            self.element_line = self.line;
        }
        match byte {
            b'[' | b'{' => self.depth += 1,
            // A bracket too many leaves the array; one that closes nothing stays in its element.
            b']' | b'}' if self.depth > 1 => self.depth -= 1,
            b'"' => self.in_text = true,
            _ => {}
        }
        self.element.push(byte);
    }

    /// Rest of a file that ends within an array.
    fn end(&mut self, visit: &mut Visit<'_>) -> Result<(), LogError> {
        match self.depth {
            0 => {}
            1 => {
                self.cuts.push((self.line, Vec::new()));
                if !self.element.is_empty() {
                    visit(self.element_line, &self.element)?;
                }
            }
            _ => self.cuts.push((self.element_line, std::mem::take(&mut self.element))),
        }
        Ok(())
    }

    fn end_element(&mut self, visit: &mut Visit<'_>) -> Result<(), ScanError> {
        if self.element.is_empty() {
            return Ok(());
        }
        self.has_elements = true;
        let result = visit(self.element_line, &self.element).map_err(ScanError::Stopped);
        self.element.clear();
        result
    }
}

/// Keys of objects, each once.
#[derive(Default)]
struct Keys {
    /// `true` if any row says something.
    is_said: bool,
    names: Vec<String>,
    places: HashMap<String, usize>,
}

impl Keys {
    /// Adds the keys of one row but for one; a row that is no object has none, and is rejected when it is read.
    fn collect(&mut self, text: &[u8], left_out: Option<&str>) {
        let Ok(KeysOfObject(keys)) = serde_json::from_slice(text) else {
            self.is_said |= text.trim_ascii() != b"null";
            return;
        };
        for key in keys.into_iter().filter(|key| Some(key.as_str()) != left_out) {
            if !self.places.contains_key(&key) {
                self.places.insert(key.clone(), self.names.len());
                self.names.push(key);
            }
        }
    }

    fn known(self, source: &Source) -> Result<Vec<String>, LogError> {
        match self.names.is_empty() {
            // Who left before the first row leaves `null` or `{}`.
            true if !self.is_said => Err(LogError::NoRows { path: source.file.path.clone() }),
            true => Err(source.malformed(1, "no row of the file is a JSON object", OBJECT)),
            false => Ok(self.names),
        }
    }
}

struct KeysOfObject(Vec<String>);

impl<'de> Deserialize<'de> for KeysOfObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = Vec<String>;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<String>, A::Error> {
                let mut keys = Vec::new();
                while let Some((key, IgnoredAny)) = map.next_entry()? {
                    keys.push(key);
                }
                Ok(keys)
            }
        }
        deserializer.deserialize_map(KeyVisitor).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{LogSpec, read_log};
    use super::*;
    use plymap_puzzles::progress::Silent;

    fn elements(text: &str) -> Vec<(u64, String)> {
        let mut scanner = Scanner::default();
        let mut elements = Vec::new();
        for byte in text.bytes() {
            let result = scanner.take(byte, &mut |line, text| {
                elements.push((line, String::from_utf8(text.to_vec()).unwrap()));
                Ok(())
            });
            assert!(result.is_ok());
        }
        elements
    }

    #[test]
    fn elements_begin_where_an_editor_shows_them() {
        let found_elements = elements("[\n  {\"a\": \"],{\\\"\"},\n\n  {\"a\":\n [1, 2]}\n]\n[{}]\n");
        let expected = [(2, "{\"a\": \"],{\\\"\"}"), (4, "{\"a\":\n [1, 2]}\n"), (7, "{}")];
        assert_eq!(found_elements, expected.map(|(line, text)| (line, text.to_owned())));
    }

    /// The lines of the rows of a file of this content, and what is said of it as a whole.
    fn read(name: &str, content: &str) -> (Vec<u64>, Vec<String>) {
        let folder = tempfile::TempDir::new().unwrap();
        std::fs::write(folder.path().join(name), content).unwrap();
        std::fs::write(folder.path().join("z.csv"), "participant,level,action\nz,1,A+1\n").unwrap();
        let files = vec![name.into(), "z.csv".into()];
        let spec = LogSpec { files, folder: folder.path().to_owned(), ..LogSpec::default() };
        let log = read_log(&spec, &Silent).unwrap_or_else(|error| panic!("{content}: {error}"));
        let rows = (0..log.rows.len()).map(|row| log.rows.at(row)).filter(|row| row.participant() != "z");
        let mut lines: Vec<u64> = rows.map(|row| row.line()).collect();
        lines.sort_unstable();
        let of_file = log.diagnostics.iter().filter(|diagnostic| diagnostic.file == name && diagnostic.row == 0);
        (lines, of_file.map(|diagnostic| format!("{} {}", diagnostic.code, diagnostic.rule)).collect())
    }

    #[test]
    fn an_array_without_an_end_is_read_up_to_there() {
        let row = r#"{"participant": "p", "level": 1, "action": "A+1"}"#;
        for (content, lines, line) in [
            (format!("[{row},\n{row},\n"), vec![1, 2], 3),
            (format!("[{row},\n{row}"), vec![1, 2], 2),
            (format!("[{row},\n{{\"participant\": \"q"), vec![1], 2),
            (format!("[{row},\n[{row}]\n"), vec![1, 2], 2),
            (format!("[{row},{{\"participant\": \"q\n[{row}]\n"), vec![1, 2], 1),
        ] {
            for name in ["log.json", "log.jsonl", "log.txt"] {
                let (read, said) = read(name, &content);
                assert_eq!(read, lines, "{content}");
                let cut = said.iter().find(|said| said.starts_with("no-end-of-array")).unwrap();
                assert!(cut.contains(&format!("has no end (line {line})")), "{cut}");
            }
        }
        let (read, said) = read("log.json", &format!("[{row}]\n[{row}]"));
        assert_eq!((read, said.iter().any(|said| said.starts_with("no-end"))), (vec![1, 2], false));
    }

    #[test]
    fn who_left_before_the_first_row_leaves_an_empty_file() {
        for content in ["", "[]", "[", "{}", "{ }\n", "null", "[null]", "[{}]", "[null, {}]"] {
            let (read, said) = read("log.json", content);
            assert!(read.is_empty() && said == ["empty-file the file has no rows"], "{content}: {said:?}");
        }
    }
}

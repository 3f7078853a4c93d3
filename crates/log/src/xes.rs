//! XES, the event logs of process mining (IEEE Std 1849-2023): one row for each event.
//!
//! A column is an attribute of events, by its key; attributes of the trace that an event belongs to have `case:` before
//! theirs. Attributes of attributes, lists and defaults (`global`) are not read.

use super::error::LogError;
use super::limit::check_row;
use super::raw::RawRow;
use super::raw::Sink;
use super::source::Source;
use plymap_puzzles::progress::Progress;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::io::{self, BufRead, Read};

/// Elements that are attributes with a value.
const VALUES: [&str; 7] = ["string", "date", "int", "float", "boolean", "id", "duration"];

/// `true` if a text begins as XES does.
pub(super) fn is_xes(start: &[u8]) -> bool {
    let start = String::from_utf8_lossy(&start[..start.len().min(4096)]);
    let text = start.trim_start_matches('\u{feff}').trim_start();
    text.starts_with("<log") || text.starts_with("<?xml") && text.contains("<log")
}

/// Keys of all events and traces, in order of appearance.
pub(super) fn columns(source: &Source) -> Result<Vec<String>, LogError> {
    let mut names: Vec<String> = Vec::new();
    for_each_event(source, None, &mut |_, cells| {
        for (name, _) in cells {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        Ok(())
    })?;
    match names.is_empty() {
        true => Err(LogError::NoRows { path: source.file.path.clone() }),
        false => Ok(names),
    }
}

/// Hands every event to `sink`, with the line that it begins on.
pub(super) fn rows(source: &Source, progress: &dyn Progress, sink: &mut Sink<'_>) -> Result<(), LogError> {
    for_each_event(source, Some(progress), &mut |line, cells| {
        let value = |name: &String| cells.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
        let cells: Vec<Option<&str>> = source.columns.iter().map(value).collect();
        sink(RawRow { line, cells: &cells, fault: None, notices: &[] })
    })
}

type Cells = Vec<(String, String)>;

fn for_each_event(
    source: &Source,
    progress: Option<&dyn Progress>,
    visit: &mut dyn FnMut(u64, &Cells) -> Result<(), LogError>,
) -> Result<(), LogError> {
    let mut reader = Reader::from_reader(Lines { input: source.open(progress)?, line: 1, n_bytes: 0 });
    let (mut of_trace, mut of_event) = (Cells::new(), Cells::new());
    let mut open: Vec<String> = Vec::new();
    let mut first_line = 1;
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        reader.get_mut().n_bytes = 0;
        let event = reader.read_event_into(&mut buffer);
        let line = reader.get_ref().line;
        let malformed = |said: String| {
            let fix = "write the log anew with the program that made it";
            source.malformed(line, format!("this is no XML of an event log: {said}"), fix)
        };
        match event.map_err(|error| malformed(error.to_string()))? {
            Event::Start(element) => {
                let name = element.local_name().as_ref().to_owned();
                if name == "trace" {
                    of_trace.clear();
                } else if name == "event" {
                    of_event.clear();
                    first_line = line;
                }
                take(&element, &open, &mut of_trace, &mut of_event).map_err(malformed)?;
                open.push(name);
            }
            Event::Empty(element) => take(&element, &open, &mut of_trace, &mut of_event).map_err(malformed)?,
            Event::End(_) if open.pop().is_some_and(|name| name == "event") => {
                let cells = [&of_event[..], &of_trace[..]].concat();
                visit(first_line, &cells)?;
            }
            Event::Eof => break,
            _ => {}
        }
    }
    match open.last() {
        Some(name) => Err(source.malformed(
            reader.get_ref().line,
            format!("the element {name:?} has no end"),
            "the file may be cut off; restore it",
        )),
        None => Ok(()),
    }
}

/// Takes an attribute of a trace or an event.
fn take(element: &BytesStart<'_>, open: &[String], of_trace: &mut Cells, of_event: &mut Cells) -> Result<(), String> {
    let name = element.local_name();
    if !VALUES.contains(&name.as_ref()) {
        return Ok(());
    }
    let (cells, prefix) = match open.last().map(String::as_str) {
        Some("event") => (of_event, ""),
        Some("trace") => (of_trace, "case:"),
        _ => return Ok(()),
    };
    let value = |name: &str| -> Result<Option<String>, String> {
        let attribute = element.try_get_attribute(name).map_err(|error| error.to_string())?;
        let text = attribute
            .map(|attribute| attribute.normalized_value(XmlVersion::Explicit1_0).map(|text| text.into_owned()));
        text.transpose().map_err(|error| error.to_string())
    };
    // What pandas writes for an attribute that an event does not have.
    if let (Some(key), Some(value)) = (value("key")?, value("value")?.filter(|value| !is_absent(value))) {
        cells.push((format!("{prefix}{key}"), value));
    }
    Ok(())
}

fn is_absent(value: &str) -> bool {
    matches!(value, "nan" | "NaN" | "NaT")
}

/// Counts the lines that were read.
struct Lines<R> {
    input: R,
    line: u64,
    /// Bytes of the element that is being read.
    n_bytes: usize,
}

impl<R: BufRead> Read for Lines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?;
        let n = bytes.len().min(buffer.len());
        buffer[..n].copy_from_slice(&bytes[..n]);
        self.consume(n);
        Ok(n)
    }
}

impl<R: BufRead> BufRead for Lines<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        check_row(self.n_bytes)?;
        self.input.fill_buf()
    }

    fn consume(&mut self, n: usize) {
        // What is consumed lies in the buffer already, so that nothing is read here.
        if let Ok(bytes) = self.input.fill_buf() {
            self.line += bytes[..n.min(bytes.len())].iter().filter(|&&byte| byte == b'\n').count() as u64;
        }
        self.n_bytes += n;
        self.input.consume(n);
    }
}

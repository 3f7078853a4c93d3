//! Sheets of a workbook (Excel, LibreOffice), as text.

use std::io::{Cursor, Read};

use calamine::{Data, Range, Reader, Sheets, open_workbook_auto_from_rs};
use jiff::Timestamp;
use jiff::tz::Offset;

use super::LogError;
use super::raw::RawRow;
use super::source::{Sink, Source};
use plymap_puzzles::progress::Progress;

/// The names in the first row of the sheet.
pub(super) fn columns(source: &Source) -> Result<Vec<String>, LogError> {
    let sheet = sheet(source)?;
    let mut names: Vec<String> = Vec::new();
    let line = sheet.start().map_or(1, |(row, _)| u64::from(row) + 1);
    for (number, cell) in sheet.rows().next().unwrap_or_default().iter().enumerate() {
        let name = as_text(cell).map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| format!("column_{}", number + 1));
        if names.contains(&name) {
            return Err(LogError::RepeatedColumn { path: source.file.path.clone(), line, column: name });
        }
        names.push(name);
    }
    Ok(names)
}

/// Hands every row below the first to `sink`.
pub(super) fn rows(source: &Source, progress: &dyn Progress, sink: &mut Sink<'_>) -> Result<(), LogError> {
    let sheet = sheet(source)?;
    let first = sheet.start().map_or(0, |(row, _)| u64::from(row));
    for (number, row) in sheet.rows().enumerate().skip(1) {
        let texts: Vec<Option<String>> = row.iter().map(as_text).collect();
        if texts.iter().any(Option::is_some) {
            let cells: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
            sink(RawRow { line: first + number as u64 + 1, cells: &cells, fault: None, notices: &[] })?;
        }
    }
    progress.advance(source.file.bytes);
    Ok(())
}

fn sheet(source: &Source) -> Result<Range<Data>, LogError> {
    let mut bytes = Vec::new();
    source.open(None)?.read_to_end(&mut bytes).map_err(|error| source.unreadable(&error))?;
    let opened = open_workbook_auto_from_rs(Cursor::new(bytes));
    let mut book: Sheets<_> = opened.map_err(|error| LogError::Unreadable {
        path: source.file.path.clone(),
        reason: format!("it is no whole workbook: {error}"),
    })?;
    let names = book.sheet_names();
    let name = match (source.table.as_deref(), names.as_slice()) {
        (Some(table), _) if names.iter().any(|name| name == table) => table.to_owned(),
        (None, [only]) => only.clone(),
        _ => {
            return Err(LogError::NoTable {
                path: source.file.path.clone(),
                wanted: source.table.clone(),
                has: names.clone(),
            });
        }
    };
    let range = book.worksheet_range(&name).map_err(|error| source.unreadable(&error))?;
    if range.rows().len() == 0 {
        return Err(LogError::NoRows { path: source.file.path.clone() });
    }
    Ok(range)
}

/// A cell as CSV would have it: numbers with as few digits as tell them apart, dates as ISO 8601 without a zone,
/// durations in seconds.
fn as_text(cell: &Data) -> Option<String> {
    match cell {
        Data::Empty => None,
        Data::Int(number) => Some(number.to_string()),
        Data::Float(number) => Some(number.to_string()),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => Some(text.clone()),
        Data::Bool(truth) => Some(truth.to_string()),
        Data::DateTime(time) if time.is_duration() => Some(to_microseconds(time.as_f64() * 86_400.0).to_string()),
        Data::DateTime(time) => {
            // Days since the end of 1899; 1970 began with day 25,569.
            let seconds = to_microseconds((time.as_f64() - 25_569.0) * 86_400.0);
            let instant = Timestamp::from_microsecond((seconds * 1e6).round() as i64).ok()?;
            Some(Offset::UTC.to_datetime(instant).to_string())
        }
        Data::Error(error) => Some(error.to_string()),
    }
}

/// A day is kept as a fraction, in which a second has no end.
fn to_microseconds(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

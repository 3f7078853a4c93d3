//! Sheets of a workbook (Excel, LibreOffice), as text.

use super::archive::check_archive;
use super::archive::foreign_message;
use super::error::LogError;
use super::limit::{check_whole, read_whole};
use super::raw::RawRow;
use super::raw::Sink;
use super::source::Source;
use calamine::{Cell, Data, DataRef, ExcelDateTime, ExcelDateTimeType, Reader, Sheets, open_workbook_auto_from_rs};
use jiff::Timestamp;
use jiff::tz::Offset;
use plymap_puzzles::foreign::foreign;
use plymap_puzzles::progress::Progress;
use plymap_tables::panic_guard::caught;
use std::collections::HashSet;
use std::io::{Cursor, Read, Seek};
use std::sync::Arc;

/// The most columns of a sheet, in Excel and in LibreOffice.
const MOST_COLUMNS: u32 = 1 << 14;

/// The names in the first row of the sheet.
pub(super) fn columns(source: &Source) -> Result<Vec<String>, LogError> {
    let sheet = Sheet::open(source)?;
    let mut names: Vec<String> = Vec::new();
    let mut known = HashSet::new();
    let (line, header) = sheet.rows().next().unwrap_or_default();
    for (number, cell) in header.into_iter().enumerate() {
        let name = cell.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| format!("column_{}", number + 1));
        if !known.insert(name.clone()) {
            return Err(LogError::RepeatedColumn { path: source.file.path.clone(), line, column: name });
        }
        names.push(name);
    }
    Ok(names)
}

/// Hands every row below the first to `sink`.
pub(super) fn rows(source: &Source, progress: &dyn Progress, sink: &mut Sink<'_>) -> Result<(), LogError> {
    for (line, texts) in Sheet::open(source)?.rows().skip(1) {
        if texts.iter().any(Option::is_some) {
            let cells: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
            sink(RawRow { line, cells: &cells, fault: None, notices: &[] })?;
        }
    }
    progress.advance(source.file.bytes);
    Ok(())
}

/// The cells of a sheet that hold something, row by row. One far away takes no room for those in between.
struct Sheet {
    /// Row and column from 0, and what stands there.
    cells: Vec<(u32, u32, Data)>,
    first_column: u32,
    n_columns: usize,
}

impl Sheet {
    fn open(source: &Source) -> Result<Self, LogError> {
        let bytes = read_whole(source.open(None)?).map_err(|error| source.unreadable(&error))?;
        check_archive(&bytes).map_err(|error| source.unreadable(&error))?;
        let of_path = |reason| LogError::Unreadable { path: source.file.path.clone(), reason };
        caught(|| Self::of_bytes(source, bytes)).map_err(of_path)?
    }

    fn of_bytes(source: &Source, bytes: Vec<u8>) -> Result<Self, LogError> {
        let bytes = Arc::<[u8]>::from(bytes);
        let opened = open_workbook_auto_from_rs(Cursor::new(Arc::clone(&bytes)));
        let mut book: Sheets<_> = opened.map_err(|error| {
            let other = foreign(&bytes).filter(|_| is_other(&bytes)).map(foreign_message);
            let reason = other.unwrap_or_else(|| format!("it is no whole workbook: {error}"));
            LogError::Unreadable { path: source.file.path.clone(), reason }
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
        let mut cells = cells_of(&mut book, &name).map_err(|error| source.unreadable(&error))?;
        cells.retain(|(_, _, cell)| *cell != Data::Empty);
        cells.sort_by_key(|(row, column, _)| (*row, *column));
        let columns = cells.iter().map(|(_, column, _)| *column);
        let (Some(first), Some(last)) = (columns.clone().min(), columns.max()) else {
            return Err(LogError::NoRows { path: source.file.path.clone() });
        };
        let of_path = |reason| LogError::Unreadable { path: source.file.path.clone(), reason };
        check_column(last, MOST_COLUMNS).map_err(of_path)?;
        Ok(Self { cells, first_column: first, n_columns: (last - first) as usize + 1 })
    }

    /// The rows that hold something, each with its line.
    fn rows(&self) -> impl Iterator<Item = (u64, Vec<Option<String>>)> {
        self.cells.chunk_by(|(left, ..), (right, ..)| left == right).map(|row| {
            let mut texts = vec![None; self.n_columns];
            for (_, column, cell) in row {
                texts[(column - self.first_column) as usize] = as_text(cell);
            }
            (u64::from(row[0].0) + 1, texts)
        })
    }
}

/// `true` if what could not be opened is something else than a damaged workbook.
fn is_other(bytes: &[u8]) -> bool {
    let kind = foreign(bytes).map(|foreign| foreign.what);
    match kind {
        Some("a ZIP archive") => zip::ZipArchive::new(Cursor::new(bytes)).is_ok(),
        kind => !kind.is_some_and(|what| what.starts_with("a workbook") || what.starts_with("a document of")),
    }
}

/// Refuses a column, from 0, that no sheet has: each row takes room for all columns before it.
fn check_column(column: u32, most: u32) -> Result<(), String> {
    if column < most {
        return Ok(());
    }
    Err(format!("the file is damaged (a cell in column {}, of {most} that a sheet can have)", column + 1))
}

/// The cells of a sheet with their places.
fn cells_of<R: Read + Seek>(book: &mut Sheets<R>, name: &str) -> Result<Vec<(u32, u32, Data)>, calamine::Error> {
    // A text that stands in the file once may be in every cell.
    let mut n_bytes = 0;
    let mut placed = |cell: Cell<DataRef<'_>>| {
        let (row, column) = cell.get_position();
        if let DataRef::SharedString(text) = cell.get_value() {
            n_bytes += text.len() as u64;
        }
        check_whole(n_bytes).map(|()| (row, column, Data::from(cell.get_value().clone())))
    };
    let mut cells = Vec::new();
    match book {
        Sheets::Xlsx(book) => {
            let mut reader = book.worksheet_cells_reader(name)?;
            while let Some(cell) = reader.next_cell()? {
                cells.push(placed(cell)?);
            }
        }
        Sheets::Xlsb(book) => {
            let mut reader = book.worksheet_cells_reader(name)?;
            while let Some(cell) = reader.next_cell()? {
                cells.push(placed(cell)?);
            }
        }
        Sheets::Xls(_) | Sheets::Ods(_) => {
            let range = book.worksheet_range(name)?;
            let (first_row, first_column) = range.start().unwrap_or_default();
            let place = |(row, column, cell): (usize, usize, &Data)| {
                (first_row + row as u32, first_column + column as u32, cell.clone())
            };
            cells.extend(range.used_cells().map(place));
        }
    }
    Ok(cells)
}

/// A cell as CSV would have it: numbers with as few digits as tell them apart, dates as ISO 8601 without a zone,
/// durations and times without a date, such as `01:30` for minutes and seconds, in seconds.
fn as_text(cell: &Data) -> Option<String> {
    match cell {
        Data::Empty => None,
        Data::Int(number) => Some(number.to_string()),
        Data::Float(number) => Some(number.to_string()),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => Some(text.clone()),
        Data::Bool(truth) => Some(truth.to_string()),
        Data::DateTime(time) if time.is_duration() || (0.0..1.0).contains(&time.as_f64()) => {
            Some(to_microseconds(time.as_f64() * 86_400.0).to_string())
        }
        Data::DateTime(time) => {
            // Days since the end of 1899, or since the start of 1904, as the workbook has it.
            let of_1904 = ExcelDateTime::new(time.as_f64(), ExcelDateTimeType::DateTime, true);
            let day_of_1970 = if *time == of_1904 { 24_107.0 } else { 25_569.0 };
            let seconds = to_microseconds((time.as_f64() - day_of_1970) * 86_400.0);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_the_epoch_of_their_workbook_and_times_are_seconds() {
        let text = |value: f64, kind, is_1904| as_text(&Data::DateTime(ExcelDateTime::new(value, kind, is_1904)));
        let moment = Some("2026-05-01T10:30:00".to_owned());
        assert_eq!(text(46_143.437_5, ExcelDateTimeType::DateTime, false), moment);
        assert_eq!(text(44_681.437_5, ExcelDateTimeType::DateTime, true), moment);
        let (seconds, hours) = (90.0 / 86_400.0, 25.5 / 24.0);
        for is_1904 in [false, true] {
            assert_eq!(text(seconds, ExcelDateTimeType::DateTime, is_1904).as_deref(), Some("90"));
            assert_eq!(text(hours, ExcelDateTimeType::TimeDelta, is_1904).as_deref(), Some("91800"));
        }
    }

    #[test]
    fn a_sheet_has_so_many_columns() {
        assert_eq!(check_column(3, 4), Ok(()));
        let said = check_column(4, 4).unwrap_err();
        assert_eq!(said, "the file is damaged (a cell in column 5, of 4 that a sheet can have)");
    }
}

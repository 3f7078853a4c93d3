//! Tables of a SQLite database, as text.

use super::error::LogError;
use super::limit::{MOST_OF_ROW, copy_whole, too_large};
use super::raw::RawRow;
use super::raw::Sink;
use super::source::Source;
use plymap_puzzles::progress::Progress;
use plymap_tables::cleanup::TemporaryFile;
use plymap_tables::panic_guard::caught;
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags};

/// The columns of the table.
pub(super) fn columns(source: &Source) -> Result<Vec<String>, LogError> {
    let database = Database::open(source)?;
    let unreadable = |error: rusqlite::Error| source.unreadable(&error);
    let query = database.query(source)?;
    let statement = database.connection.prepare(&query).map_err(unreadable)?;
    names_of(source, || statement.column_names().into_iter().map(str::to_owned).collect())
}

/// The names of columns that `tell` gives; an error where the library panics at one.
fn names_of(source: &Source, tell: impl FnOnce() -> Vec<String>) -> Result<Vec<String>, LogError> {
    caught(tell).map_err(|reason| LogError::Unreadable { path: source.file.path.clone(), reason })
}

/// Hands every row to `sink`, in the order in which they were inserted.
pub(super) fn rows(source: &Source, progress: &dyn Progress, sink: &mut Sink<'_>) -> Result<(), LogError> {
    let database = Database::open(source)?;
    let unreadable = |error: rusqlite::Error| match error.sqlite_error_code() {
        Some(ErrorCode::TooBig) => source.unreadable(&too_large("a row of it has", MOST_OF_ROW)),
        _ => source.unreadable(&error),
    };
    let query = database.query(source)?;
    let mut statement = database.connection.prepare(&query).map_err(unreadable)?;
    let n_columns = statement.column_count();
    let mut rows = statement.query([]).map_err(unreadable)?;
    let mut line = 0;
    while let Some(row) = rows.next().map_err(unreadable)? {
        line += 1;
        let mut texts = Vec::with_capacity(n_columns);
        for column in 0..n_columns {
            texts.push(as_text(row.get_ref(column).map_err(unreadable)?));
        }
        let cells: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
        sink(RawRow { line, cells: &cells, fault: None, notices: &[] })?;
    }
    progress.advance(source.file.bytes);
    Ok(())
}

struct Database {
    connection: Connection,
    /// Folder into which a compressed one was unpacked.
    _unpacked: Option<TemporaryFile>,
}

impl Database {
    fn open(source: &Source) -> Result<Self, LogError> {
        let unpacked = source.is_packed().then(|| unpack(source)).transpose()?;
        let place = unpacked.as_ref().map_or(source.place.clone(), |file| file.path().to_owned());
        let connection = Connection::open_with_flags(place, OpenFlags::SQLITE_OPEN_READ_ONLY)
            .map_err(|error| source.unreadable(&error))?;
        // A view may make a text of any length.
        connection
            .set_limit(Limit::SQLITE_LIMIT_LENGTH, MOST_OF_ROW as i32)
            .map_err(|error| source.unreadable(&error))?;
        Ok(Self { connection, _unpacked: unpacked })
    }

    fn query(&self, source: &Source) -> Result<String, LogError> {
        let unreadable = |error: rusqlite::Error| source.unreadable(&error);
        let mut statement = self
            .connection
            .prepare("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name")
            .map_err(unreadable)?;
        let names: Vec<String> =
            statement.query_map([], |row| row.get(0)).and_then(Iterator::collect).map_err(unreadable)?;
        let name = match (source.table.as_deref(), names.as_slice()) {
            (Some(table), _) if names.iter().any(|name| name == table) => table,
            (None, [only]) => only,
            _ => {
                return Err(LogError::NoTable {
                    path: source.file.path.clone(),
                    wanted: source.table.clone(),
                    has: names.clone(),
                });
            }
        };
        Ok(format!("SELECT * FROM \"{}\"", name.replace('"', "\"\"")))
    }
}

fn unpack(source: &Source) -> Result<TemporaryFile, LogError> {
    let input = source.open(None)?;
    TemporaryFile::new(|file| copy_whole(input, file)).map_err(|error| source.unreadable(&error))
}

fn as_text(value: ValueRef<'_>) -> Option<String> {
    match value {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
        ValueRef::Text(text) | ValueRef::Blob(text) => Some(String::from_utf8_lossy(text).into_owned()),
    }
}

#[cfg(test)]
mod tests {
    use polars::prelude::df;

    use super::super::read::inspect_frame;
    use super::*;
    use crate::{Frame, LogSpec};

    #[test]
    fn a_panic_over_the_names_of_columns_is_an_error() {
        let table = df!("participant" => ["p"], "level" => ["1"], "action" => ["A+1"]).unwrap();
        let source = inspect_frame(&Frame(table), &LogSpec::default()).unwrap();
        assert_eq!(names_of(&source, || vec!["level".to_owned()]).unwrap(), ["level"]);
        let said = names_of(&source, || panic!("no name")).unwrap_err().to_string();
        assert!(said.contains("the file is damaged (no name)"), "{said}");
    }
}

//! Errors of files and tables, each with the file or column, the problem and the remedy.

use std::io;
use std::path::{Path, PathBuf};

use plymap_puzzles::diagnostic::separator_hint;

/// A file or folder that could not be read, made, written or moved.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}: {source}{}", path.display(), separator_hint(path, source.kind()))]
pub struct FileError {
    /// The attempted action, such as `write`.
    pub action: &'static str,
    /// The file or folder.
    pub path: PathBuf,
    /// The answer of the system.
    pub source: io::Error,
}

/// Turns an `io::Error` into one that names what was tried and where.
pub fn failed<'a>(action: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> FileError + 'a {
    move |source| FileError { action, path: path.to_owned(), source }
}

/// A table that cannot be written, read or printed.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// A file or folder could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A table and its documentation do not agree.
    #[error("table {table:?}, column {column:?}: {problem}")]
    Column {
        /// Name of the table.
        table: String,
        /// Name of the column.
        column: String,
        /// Description of the problem, and the remedy.
        problem: String,
    },
    /// A name cannot be the stem of a file.
    #[error("{stem:?} cannot be a file name on every system; pass it through `safe_stem` first")]
    Stem {
        /// The name.
        stem: String,
    },
    /// A word is not one of the formats.
    #[error("{word:?} is not a format; use one of {known}")]
    UnknownFormat {
        /// The word.
        word: String,
        /// The formats that exist.
        known: String,
    },
    /// polars could not write a Parquet file.
    #[error("cannot write {}: {source}", path.display())]
    Parquet {
        /// The file.
        path: PathBuf,
        /// The error of polars.
        source: polars::error::PolarsError,
    },
    /// A table that was written cannot be read back.
    #[error("cannot read {} as a table: {problem}", path.display())]
    BadTable {
        /// The file.
        path: PathBuf,
        /// Description of the problem, and its place.
        problem: String,
    },
    /// A value cannot be written as JSON.
    #[error("cannot write as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

impl TableError {
    /// The error of a file that holds no such table.
    pub(crate) fn bad(path: &Path, problem: impl ToString) -> Self {
        Self::BadTable { path: path.to_owned(), problem: problem.to_string() }
    }
}

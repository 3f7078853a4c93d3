//! Errors of reports.

use std::path::PathBuf;

use plymap_documents::DocumentError;
use plymap_tables::{FileError, TableError};

/// Error in writing, reading or checking the output of a run.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A file or folder could not be read, made, written or moved.
    #[error(transparent)]
    File(#[from] FileError),
    /// A table could not be written, read or printed.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A document or workbook could not be made.
    #[error(transparent)]
    Document(Box<DocumentError>),
    /// A study cannot be compared with its preregistration.
    #[error(transparent)]
    Preregistration(Box<PreregistrationError>),
    /// Two parts of a report go by the same name.
    #[error("two {what}s of the report are called {name:?}; names must differ, because links point to them")]
    Duplicate {
        /// `section`, `figure` or `table`.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// Rows appeared or vanished between two counts.
    #[error("counts of rows do not add up: {equation}")]
    Counts {
        /// The equation that does not hold, with its numbers.
        equation: String,
    },
    /// A page template failed.
    #[error("cannot render the report: {0}")]
    Template(#[from] minijinja::Error),
    /// A path that would not mean the same on another machine was to be recorded.
    #[error("{path:?} cannot stand in the manifest; give a path relative to the study, written with `/`")]
    PathNotPortable {
        /// The path.
        path: String,
    },
    /// A manifest cannot be understood.
    #[error("cannot read {}: {source}; it was not written by plymap, or was changed since", path.display())]
    BadManifest {
        /// The file.
        path: PathBuf,
        /// Error of the JSON reader, with its place.
        source: serde_json::Error,
    },
    /// A manifest is not as it was written.
    #[error(
        "{} is damaged, or was changed since: it is not as plymap wrote it (`crc32`); restore it, or make the folder anew",
        path.display()
    )]
    ChangedManifest {
        /// The file.
        path: PathBuf,
    },
    /// A value cannot be written as JSON.
    #[error("cannot write as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The folder that is to receive a run holds something else.
    #[error("{} was left untouched: {why}; choose another --out, or move what is there", path.display())]
    ForeignFolder {
        /// The folder.
        path: PathBuf,
        /// Reason why it is not taken for the output of an earlier run.
        why: String,
    },
    /// Two processes would write to one folder.
    #[error(
        "{} was left untouched: another run is writing to it, for now in {}; wait for that one, or choose another --out",
        path.display(),
        other.display()
    )]
    Busy {
        /// The folder.
        path: PathBuf,
        /// Folder that the other run writes to.
        other: PathBuf,
    },
}

/// A preregistration that cannot be compared with.
#[derive(Debug, thiserror::Error)]
pub enum PreregistrationError {
    /// The file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is none of `plymap preregister`.
    #[error("cannot read {} as a preregistration: {reason}; name the .json file that plymap preregister wrote", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Reason of the reader.
        reason: String,
    },
    /// The file was changed.
    #[error(
        "{} was changed since it was registered: its settings do not have the sha256 that it names; restore the registered file",
        path.display()
    )]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

// Boxed, so that the errors of runs, which hold these, stay small.

impl From<DocumentError> for ReportError {
    fn from(error: DocumentError) -> Self {
        Self::Document(Box::new(error))
    }
}

impl From<PreregistrationError> for ReportError {
    fn from(error: PreregistrationError) -> Self {
        Self::Preregistration(Box::new(error))
    }
}

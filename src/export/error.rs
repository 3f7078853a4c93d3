//! Errors of an export.

use plymap_report::ReportError;
use plymap_run::RunError;
use plymap_tables::{FileError, TableError};
use polars::prelude::PolarsError;

/// Error of an export.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// Error that any run can have.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The study has no level of that name.
    #[error("--level names {level:?}, and the study has no such level; {hint}")]
    UnknownLevel {
        /// The name.
        level: String,
        /// The name that was meant, or those that there are.
        hint: String,
    },
    /// The format is of logs, and there is none.
    #[error("the study has no log, and {format} is a format of logs; name one in files of [log]")]
    NoLog {
        /// The format.
        format: &'static str,
    },
    /// No row is left to be written.
    #[error("no row of the logs was replayed at these levels; plymap check says why")]
    NothingPlayed,
    /// The graph of a level is not known.
    #[error("level {level:?} is not mapped: its game values positions without a map, so that there is no graph")]
    NotMapped {
        /// The level.
        level: String,
    },
}

errors_of_a_run!(ExportError: ReportError, FileError, TableError, PolarsError);

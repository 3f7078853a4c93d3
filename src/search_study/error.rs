//! Errors of a study of searches.

use plymap_report::ReportError;
use plymap_run::RunError;
use plymap_tables::{FileError, TableError};

/// Error in the plan of a study of searches.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// `[search]` names an algorithm that there is not.
    #[error("[search] algorithms names {name:?}, and there is no such algorithm; there are {known}")]
    UnknownAlgorithm {
        /// The name.
        name: String,
        /// Those that there are.
        known: String,
    },
    /// `[search]` names a heuristic that a level does not have.
    #[error("[search] heuristics names {name:?}, and level {level:?} has no such heuristic; it has {known}")]
    UnknownHeuristic {
        /// The name, or the part of a sum that is unknown.
        name: String,
        /// The level.
        level: String,
        /// Those that it has.
        known: String,
    },
    /// `[search]` names a level that the study does not have.
    #[error("[search] levels names {level:?}, and the study has no such level; it has {known}")]
    UnknownLevel {
        /// The name.
        level: String,
        /// Those that there are.
        known: String,
    },
}

/// Error of a study of searches. Nothing was written, and an earlier run is as it was.
#[derive(Debug, thiserror::Error)]
pub enum SearchStudyError {
    /// Unknown name in `[search]`.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Error that any run can have.
    #[error(transparent)]
    Run(#[from] RunError),
}

errors_of_a_run!(SearchStudyError: ReportError, FileError, TableError);

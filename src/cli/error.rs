//! Failures of commands, and how they are told.

use crate::experiment::site::ExperimentError;
use crate::export::ExportError;
use crate::search_study::SearchStudyError;
use plymap_puzzles::diagnostic::Diagnostic;
use plymap_puzzles::valuation::LoadError;
use plymap_report::FailedPart;
use plymap_run::RunError;
use plymap_run::study::StudyError;

use super::ExitCode;
use super::diagnostics::print_diagnostics;
use super::say::{say, set_quiet};

/// Failure of a command.
#[derive(Debug)]
pub enum Failure {
    /// Faults of an input, each with its place.
    Diagnostics(Vec<Diagnostic>),
    /// Too many rows of the logs cannot be used.
    Unused(RunError),
    /// Anything else, with its causes.
    Message(Box<dyn std::error::Error + Send + Sync>),
    /// The user asked to stop.
    Interrupted,
    /// The user asked to stop, and what is there can be gone on with.
    InterruptedWith(String),
}

/// The exit code of a program that was asked to stop, as shells give it for Ctrl-C.
pub const INTERRUPTED: u8 = 130;

impl Failure {
    /// Creates a failure with the message of an error.
    pub fn message(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Message(error.into())
    }

    /// The exit code of the program.
    pub fn code(&self) -> ExitCode {
        match self {
            Self::Interrupted | Self::InterruptedWith(_) => ExitCode(INTERRUPTED),
            Self::Unused(_) => ExitCode(5),
            _ => ExitCode::FAILURE,
        }
    }

    /// Tells the failure on standard error, even with `--quiet`.
    pub fn print(&self) {
        let was_quiet = set_quiet(false);
        self.say();
        set_quiet(was_quiet);
    }

    fn say(&self) {
        match self {
            Self::Diagnostics(faults) => print_diagnostics(faults),
            Self::Unused(error) => say!("plymap: {error}"),
            Self::Message(error) => {
                let mut said = error.to_string();
                say!("plymap: {said}");
                let mut cause = error.source();
                while let Some(error) = cause {
                    let reason = error.to_string();
                    if !said.contains(&reason) {
                        say!("  because {reason}");
                        said = reason;
                    }
                    cause = error.source();
                }
            }
            Self::Interrupted => say!("plymap: interrupted; nothing was written"),
            Self::InterruptedWith(what) => say!("plymap: interrupted; {what}"),
        }
    }
}

/// Says on standard error which parts of the results could not be made, even with `--quiet`; returns the exit code that
/// says so.
pub fn tell_failed(parts: &[FailedPart]) -> ExitCode {
    let was_quiet = set_quiet(false);
    parts.iter().for_each(|part| say!("plymap: {part}"));
    set_quiet(was_quiet);
    if parts.is_empty() { ExitCode::SUCCESS } else { ExitCode::PARTIAL }
}

impl From<StudyError> for Failure {
    fn from(error: StudyError) -> Self {
        match error {
            StudyError::Diagnostics(faults) => Self::Diagnostics(faults),
            error => Self::message(error),
        }
    }
}

impl From<LoadError> for Failure {
    fn from(LoadError(faults): LoadError) -> Self {
        Self::Diagnostics(faults)
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Levels(error) => error.into(),
            RunError::Interrupted => Self::Interrupted,
            error @ RunError::TooManyUnused { .. } => Self::Unused(error),
            error => Self::message(error),
        }
    }
}

/// Converts errors that are told as they are into failures.
macro_rules! told_as_they_are {
    ($($error:ty),+) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::message(error)
            }
        })+
    };
}

told_as_they_are!(
    plymap_server::AccessError,
    plymap_report::ReportError,
    plymap_tables::FileError,
    plymap_tables::TableError
);

/// Converts errors of commands, which hold those of a run, into failures.
macro_rules! those_of_a_run_within {
    ($($error:ident),+) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                match error {
                    $error::Run(error) => error.into(),
                    error => Self::message(error),
                }
            }
        })+
    };
}

those_of_a_run_within!(ExperimentError, ExportError, SearchStudyError);

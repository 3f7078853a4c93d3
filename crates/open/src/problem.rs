//! Why a request cannot be answered, with the faults of the study or its files.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use plymap_import::ProposalError;
use plymap_log::LogError;
use plymap_puzzles::diagnostic::{Diagnostic, Severity};
use plymap_puzzles::valuation::LoadError;
use plymap_run::RunError;
use plymap_run::study::StudyError;
use plymap_server::api_error::ApiError;
use serde::Serialize;
use serde_json::json;

/// The most faults that are sent to the page; the first tell what to mend.
const MOST_FAULTS: usize = 50;

/// The longest source line that is sent with a fault, in characters.
const LONGEST_SOURCE: usize = 400;

/// Fault of a file, as the page shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Short stable name of the rule that is broken.
    pub code: String,
    /// `error` or `warning`.
    pub severity: &'static str,
    /// Message that names the value.
    pub message: String,
    /// A few words for the marked place.
    pub label: String,
    /// Remedy.
    pub help: Option<String>,
    /// Path of the file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The marked line.
    pub source: String,
}

impl Fault {
    /// Creates the faults of diagnostics, the first of them.
    pub fn of(diagnostics: &[Diagnostic]) -> Vec<Self> {
        diagnostics.iter().take(MOST_FAULTS).map(Self::from).collect()
    }
}

impl From<&Diagnostic> for Fault {
    fn from(diagnostic: &Diagnostic) -> Self {
        let (line, column) = diagnostic.place.line_and_column();
        let source = diagnostic.place.source.text.lines().nth(line - 1).unwrap_or_default();
        Self {
            code: diagnostic.code.to_owned(),
            severity: if diagnostic.severity == Severity::Error { "error" } else { "warning" },
            message: diagnostic.message.clone(),
            label: diagnostic.label.clone(),
            help: diagnostic.help.clone(),
            file: diagnostic.place.source.path.display().to_string(),
            line,
            column,
            source: source.chars().take(LONGEST_SOURCE).collect(),
        }
    }
}

/// The same as an error in the language of the page: the key of its text, and what is put there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    /// One of [`MESSAGES`].
    key: &'static str,
    values: BTreeMap<&'static str, String>,
}

/// Keys of the messages that the page has texts for, which begin with `problem_` there.
pub const MESSAGES: &[&str] = &[
    "being_read",
    "busy",
    "changed_elsewhere",
    "file_exists",
    "file_gone",
    "file_kind",
    "file_name",
    "file_other",
    "no_column",
    "no_figure",
    "no_game",
    "no_levels",
    "no_logs",
    "no_move",
    "no_play",
    "no_study",
    "no_trial",
    "no_trial_fits",
    "no_value",
    "none_of",
    "nothing_to_undo",
    "outside",
    "stopped",
    "study_changed",
    "study_stays",
];

/// Why a request cannot be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Status of the answer.
    pub status: StatusCode,
    /// Reason and remedy.
    pub error: String,
    /// Faults of files.
    pub faults: Vec<Fault>,
    /// The same in the language of the page, where it has a text for it.
    pub message: Option<Message>,
}

impl Problem {
    /// Adds the key of the text of the page that says the same, with what is put there.
    #[must_use]
    pub fn says<const N: usize>(mut self, key: &'static str, values: [(&'static str, &str); N]) -> Self {
        debug_assert!(MESSAGES.contains(&key), "{key}");
        self.message = Some(Message { key, values: values.map(|(name, value)| (name, value.to_owned())).into() });
        self
    }

    /// Creates the problem of work that was asked to stop.
    pub fn stopped() -> Self {
        Self::conflict("stopped; nothing was changed").says("stopped", [])
    }

    /// Creates the problem of a study without logs.
    pub fn no_logs() -> Self {
        Self::conflict("the study has no logs yet: add some").says("no_logs", [])
    }

    /// Creates a problem of what was requested.
    pub fn bad(error: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, error)
    }

    /// Creates a problem of what the study is now.
    pub fn conflict(error: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, error)
    }

    /// Creates a problem of something that is not there.
    pub fn missing(error: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, error)
    }

    /// Creates a problem with a status of its own.
    pub fn new(status: StatusCode, error: impl Into<String>) -> Self {
        Self { status, error: error.into(), faults: Vec::new(), message: None }
    }

    /// Creates a problem of the files, which are to be mended at these places.
    pub fn of_faults(diagnostics: &[Diagnostic]) -> Self {
        let n = diagnostics.len();
        let error = diagnostics.first().map_or_else(String::new, |first| match n {
            1 => first.message.clone(),
            _ => format!("{} (the first of {n} faults)", first.message),
        });
        Self { status: StatusCode::UNPROCESSABLE_ENTITY, error, faults: Fault::of(diagnostics), message: None }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        ApiError(self.status, json!({ "error": self.error, "faults": self.faults, "message": self.message }))
            .into_response()
    }
}

/// Returns an error with its causes, as one text.
fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let reason = error.to_string();
        if !text.contains(&reason) {
            text.push_str(": ");
            text.push_str(&reason);
        }
        cause = error.source();
    }
    text
}

impl From<StudyError> for Problem {
    fn from(error: StudyError) -> Self {
        match error {
            StudyError::Diagnostics(faults) => Self::of_faults(&faults),
            error => Self::conflict(with_causes(&error)),
        }
    }
}

impl From<LoadError> for Problem {
    fn from(LoadError(faults): LoadError) -> Self {
        Self::of_faults(&faults)
    }
}

impl From<RunError> for Problem {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Levels(error) => error.into(),
            RunError::Interrupted => Self::stopped(),
            error => Self::conflict(with_causes(&error)),
        }
    }
}

impl From<LogError> for Problem {
    fn from(error: LogError) -> Self {
        match error {
            LogError::Cancelled => Self::stopped(),
            error => Self::conflict(with_causes(&error)),
        }
    }
}

impl From<ProposalError> for Problem {
    fn from(error: ProposalError) -> Self {
        match error {
            ProposalError::Cancelled => Self::stopped(),
            ProposalError::Log(error) => error.into(),
            // The words of the command name its options.
            ProposalError::NothingFound { path, levels, reason, columns } => {
                let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let why = format!(
                    "{file}: nothing in the files can be replayed at the levels {levels}: {reason}. The columns are \
                     {columns}. Check that the files belong to these levels, and choose the game"
                );
                let values = [("file", file.as_str()), ("levels", &levels), ("reason", &reason), ("columns", &columns)];
                Self::conflict(why).says("no_play", values)
            }
            ProposalError::NoGame { n_games, reasons } => {
                let n_games = n_games.to_string();
                let why = format!("the levels can be those of {n_games} games: choose the game\n  {reasons}");
                Self::conflict(why).says("no_game", [("n", n_games.as_str()), ("reasons", &reasons)])
            }
        }
    }
}

impl From<polars::prelude::PolarsError> for Problem {
    fn from(error: polars::prelude::PolarsError) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, with_causes(&error))
    }
}

impl From<plymap_report::ReportError> for Problem {
    fn from(error: plymap_report::ReportError) -> Self {
        Self::conflict(with_causes(&error))
    }
}

impl From<plymap_tables::TableError> for Problem {
    fn from(error: plymap_tables::TableError) -> Self {
        Self::conflict(with_causes(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proposals_that_fail_name_no_option_of_the_command() {
        let [levels, reason, columns] = ["a, b", "no column gives moves", "x, y"].map(str::to_owned);
        let none = ProposalError::NothingFound { path: "logs/a.csv".into(), levels, reason, columns };
        let no_game = ProposalError::NoGame { n_games: 2, reasons: "hanoi: no move".to_owned() };
        for (error, key) in [(none, "no_play"), (no_game, "no_game")] {
            let problem = Problem::from(error);
            assert_eq!(problem.message.map(|message| message.key), Some(key));
            assert!(!problem.error.contains("--") && !problem.error.contains("by hand"), "{}", problem.error);
        }
    }
}

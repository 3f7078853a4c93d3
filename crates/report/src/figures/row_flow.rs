//! Where the rows of a log went.

use plymap_log::{DiagnosticSummary, LogFile, StepCount};
use plymap_measures::selection::{PlayCount, SelectionCount};

/// Where the rows of a log went.
#[derive(Clone, Debug, Default)]
pub struct RowFlow<'a> {
    /// The files; there are none without a log.
    pub files: &'a [LogFile],
    /// What the steps of the study did with their rows.
    pub steps: &'a [StepCount],
    /// Rows behind the steps.
    pub n_read: u64,
    /// How many of these were rejected or excluded.
    pub n_refused: u64,
    /// Why, by kind.
    pub refused: Vec<DiagnosticSummary>,
    /// What the selections of the study left out.
    pub selection: &'a [SelectionCount],
    /// What is left.
    pub analysed: PlayCount,
    /// What is analysed of it, if only a sample is.
    pub drawn: Option<PlayCount>,
}

//! Flow of the rows of a log to the analysis.

use plymap_log::{DiagnosticSummary, LogFile, StepCount};
use plymap_measures::selection::{PlayCount, SelectionCount};

/// Flow of the rows of a log to the analysis: read, rejected, left out, analysed.
#[derive(Clone, Debug, Default)]
pub struct RowFlow<'a> {
    /// The files; there are none without a log.
    pub files: &'a [LogFile],
    /// Counts of the steps of `[log]`, in their order.
    pub steps: &'a [StepCount],
    /// Rows behind the steps.
    pub n_read: u64,
    /// Number of these that were rejected or excluded.
    pub n_refused: u64,
    /// Diagnostics of the rejected and excluded rows, by kind.
    pub refused: Vec<DiagnosticSummary>,
    /// Counts of the selections of the study, in their order.
    pub selection: &'a [SelectionCount],
    /// Play that is left after them.
    pub analysed: PlayCount,
    /// Sample of that play, if only a sample is analysed.
    pub drawn: Option<PlayCount>,
}

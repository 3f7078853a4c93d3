//! What people did: logs read, replayed, labelled and measured.

use super::RunError;
use crate::doctor::{Anomaly, Examined, anomalies};
use crate::figures::RowFlow;
use crate::label::{Labelled, label};
use crate::log::replay::{Replay, replay};
use crate::log::{Consequence, IssueSummary, Log, LogError, LogIssue, issues_table, read_log, summarise};
use crate::measure::Measures;
use crate::report::RowCounts;
use crate::selection::{PlayCount, SelectionCount, select};
use crate::study::Study;
use crate::table::Table;
use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::ValuedLevel;

/// What people did, replayed, labelled and measured.
#[derive(Debug)]
pub struct Play {
    /// The canonical log, with the actions of its rows alone.
    pub log: Log,
    /// What was noticed in replay; what each row did is in `labelled`.
    pub replay: Replay,
    /// The labelled moves, and the replayed rows that could not be labelled.
    pub labelled: Labelled,
    /// What the selections of the study left out, in their order.
    pub selection: Vec<SelectionCount>,
    /// What is measured of attempts, trials, participants and levels.
    pub measures: Measures,
    /// What is odd about the log as a whole.
    pub anomalies: Vec<Anomaly>,
}

impl Play {
    /// How many rows went where.
    pub fn counts(&self) -> RowCounts {
        let rejected = self.log.n_rejected + self.replay.n_rejected;
        let replayed = self.labelled.moves.data.height() as u64;
        let left_out = self.selection.iter().map(|count| count.left_out.n_rows).sum();
        let off_the_map =
            self.labelled.issues.iter().filter(|issue| issue.consequence == Consequence::Excluded).count();
        let excluded = self.replay.n_excluded + off_the_map as u64;
        RowCounts {
            read: self.log.n_read,
            accepted: self.log.n_read - rejected,
            rejected,
            replayed,
            excluded,
            left_out,
        }
    }

    /// The way of the rows from the files to the analysis.
    pub fn row_flow(&self) -> RowFlow<'_> {
        let counts = self.counts();
        let is_refused =
            |summary: &IssueSummary| matches!(summary.consequence, Consequence::Rejected | Consequence::Excluded);
        RowFlow {
            files: &self.log.files,
            steps: &self.log.steps,
            n_read: counts.read,
            n_refused: counts.rejected + counts.excluded,
            refused: self.issue_summaries().into_iter().filter(is_refused).collect(),
            selection: &self.selection,
            analysed: PlayCount::of(&self.labelled.log),
        }
    }

    /// The table of everything that was rejected, excluded or noticed.
    pub fn rejects(&self) -> Table {
        issues_table(&self.issues())
    }

    /// Everything that was noticed, by kind.
    pub fn issue_summaries(&self) -> Vec<IssueSummary> {
        summarise(&self.issues())
    }

    fn issues(&self) -> Vec<LogIssue> {
        let mut issues = [&self.log.issues[..], &self.replay.issues, &self.labelled.issues].concat();
        issues.sort_by(|one, other| (&one.file, one.row).cmp(&(&other.file, other.row)));
        issues
    }
}

/// Reads, replays, labels and measures the logs of a study; nothing if it has none.
///
/// # Errors
///
/// A log that cannot be read at all, or the request to stop.
pub fn play(study: &Study, levels: &[ValuedLevel], progress: &dyn Progress) -> Result<Option<Play>, RunError> {
    let Some(spec) = study.log_spec() else { return Ok(None) };
    let mut log = read_log(&spec, progress).map_err(|error| match error {
        LogError::Cancelled => RunError::Interrupted,
        error => error.into(),
    })?;
    let spec = spec.with_preset()?;
    let rules: Vec<_> = levels.iter().map(|level| (level.id.as_str(), &*level.rules)).collect();
    let mut replay = replay(&log, &rules, &spec, progress)?;
    if progress.is_cancelled() {
        return Err(RunError::Interrupted);
    }
    let mut labelled = label(&log, std::mem::take(&mut replay.steps), levels, &spec, progress)?;
    if progress.is_cancelled() {
        return Err(RunError::Interrupted);
    }
    let mut issues = [&log.issues[..], &replay.issues, &labelled.issues].concat();
    let selection = select(&mut labelled, &mut issues, &study.selections(), levels)?;
    let measures = Measures::new(&labelled.log, &issues, levels);
    let anomalies = anomalies(&Examined {
        log: &log,
        issues: &issues,
        labelled: &labelled.log,
        measures: &measures,
        levels,
        spec: &spec,
    });
    // What was replayed is in the table `moves`; the maps of the report show actions.
    log.moves = log.moves.select(["action"])?;
    let play = Play { log, replay, labelled, selection, measures, anomalies };
    let RowCounts { read, rejected, replayed, excluded, left_out, .. } = play.counts();
    let accounted = replayed + rejected + excluded + left_out;
    if accounted != read {
        return Err(RunError::RowsNotConserved { read, accounted });
    }
    Ok(Some(play))
}

//! The behaviour of participants: logs read, replayed, labelled and measured.

use std::ops::Range;

use polars::prelude::PolarsResult;
use rayon::prelude::*;

use super::sample::Sample;
use super::{RunError, continues};
use crate::study::Study;
use plymap_log::replay::Replay;
use plymap_log::{
    CanonicalRows, Consequence, DiagnosticSummary, KeyFile, Log, LogDiagnostic, LogFile, LogSpec, StepCount,
    diagnostics_table, read_log, summarise,
};
use plymap_measures::doctor::{Anomaly, DoctorInput, anomalies};
use plymap_measures::label::{LabelledLog, Quality, label, moves_table};
use plymap_measures::level_tables::levels_table;
use plymap_measures::measure::{
    Measures, attempts_table, conditions_table, level_play_table, participants_table, trials_table,
};
use plymap_measures::selection::{PlayCount, Selected, SelectionCount, select};
use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_report::RowCounts;
use plymap_report::figures::RowFlow;
use plymap_tables::Table;
use plymap_tables::parallel::each_in_order;

/// Play of people, replayed, labelled and measured.
#[derive(Debug)]
pub struct Play {
    /// Accounting of all rows of the log.
    pub account: RowAccounting,
    /// The labelled moves that the study analyses.
    pub labelled: LabelledLog,
    /// The rows of the log that they were made of.
    pub rows: CanonicalRows,
    /// Measures of attempts, trials, participants and levels.
    pub measures: Measures,
    /// Anomalies of the log as a whole.
    pub anomalies: Vec<Anomaly>,
    /// Sample that `labelled`, `measures` and `anomalies` are of; none if they are of everybody.
    pub sample: Option<Sample>,
}

/// Accounting of the rows of a log, and of who played.
#[derive(Clone, Debug)]
pub struct RowAccounting {
    /// The files, in the order in which they were read.
    pub files: Vec<LogFile>,
    /// Files whose columns were joined.
    pub joined: Vec<LogFile>,
    /// Counts of rows by the steps of the study, in their order.
    pub steps: Vec<StepCount>,
    /// File with the key of the codes of participants, if they have codes and the key is kept.
    pub key: Option<KeyFile>,
    /// Numbers of rows by what became of them.
    pub counts: RowCounts,
    /// Counts of what the selections of the study left out, in their order.
    pub selection: Vec<SelectionCount>,
    /// Counts of what the selections left.
    pub analysed: PlayCount,
    /// Numbers of people, trials and attempts that are measured.
    pub totals: Totals,
    /// Diagnostics, by file and row.
    pub diagnostics: Vec<LogDiagnostic>,
    /// Text columns of the canonical log without any value.
    pub empty_columns: Vec<String>,
}

/// Number of participants below which a study is a pilot: tests of so few people say next to nothing, in either direction.
pub(super) const FEWEST: u64 = 10;

/// Totals of what is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Totals {
    /// Number of participants.
    pub n_participants: u64,
    /// Number of trials.
    pub n_trials: u64,
    /// Number of trials that were solved, or, where values are points, played to their end.
    pub n_solved: u64,
    /// Number of attempts.
    pub n_attempts: u64,
    /// Number of moves that the rules do not allow.
    pub n_illegal: u64,
}

impl Totals {
    /// Adds the totals of other people.
    pub(super) fn add(&mut self, measures: &Measures) {
        let illegal = measures.attempts.iter().map(|attempt| attempt.tally.n_by_quality[Quality::Illegal.index()]);
        self.n_participants += measures.participants.len() as u64;
        self.n_trials += measures.trials.len() as u64;
        self.n_solved += measures.trials.iter().filter(|trial| trial.solution.is_some()).count() as u64;
        self.n_attempts += measures.attempts.len() as u64;
        self.n_illegal += illegal.sum::<u64>();
    }
}

impl Play {
    /// Returns true if so few people took part that results are estimates with intervals, and no test is told.
    pub fn is_pilot(&self) -> bool {
        self.account.totals.n_participants < FEWEST
    }

    /// Returns the table `moves` of the labelled rows with these numbers; `levels` are those that the log was replayed
    /// on.
    ///
    /// # Errors
    ///
    /// What polars says; it has no reason to.
    ///
    /// # Panics
    ///
    /// If there are not so many rows.
    pub fn moves(&self, rows: Range<usize>, levels: &[ValuedLevel]) -> PolarsResult<Table> {
        moves_table(&self.rows, &self.account.empty_columns, &self.labelled.rows, rows, levels)
    }

    /// The table `moves` of all labelled rows.
    ///
    /// # Errors
    ///
    /// What polars says; it has no reason to.
    pub fn all_moves(&self, levels: &[ValuedLevel]) -> PolarsResult<Table> {
        self.moves(0..self.labelled.rows.len(), levels)
    }

    /// The tables of what was played and measured, and that of the levels: they need no analysis.
    ///
    /// # Errors
    ///
    /// What polars says; it has no reason to.
    pub fn tables(&self, levels: &[ValuedLevel]) -> PolarsResult<Vec<Table>> {
        let measured = [trials_table, attempts_table, participants_table, conditions_table, level_play_table];
        let mut tables: Vec<Table> = measured.into_iter().map(|table| table(&self.measures)).collect();
        tables.push(self.all_moves(levels)?);
        self.remark(&mut tables);
        tables.push(levels_table(&levels.par_iter().map(ValuedLevel::summary).collect::<Vec<_>>()));
        Ok(tables)
    }

    /// The way of the rows from the files to the analysis.
    pub fn row_flow(&self) -> RowFlow<'_> {
        let is_refused =
            |summary: &DiagnosticSummary| matches!(summary.consequence, Consequence::Rejected | Consequence::Excluded);
        let account = &self.account;
        RowFlow {
            files: &account.files,
            steps: &account.steps,
            n_read: account.counts.read,
            n_refused: account.counts.rejected + account.counts.excluded,
            refused: account.diagnostic_summaries().into_iter().filter(is_refused).collect(),
            selection: &account.selection,
            analysed: account.analysed,
            drawn: self.sample.as_ref().map(|sample| sample.count),
        }
    }

    /// Adds to the captions of tables made of this play whom it is of, if not of everybody.
    pub fn remark(&self, tables: &mut [Table]) {
        let remark = self.sample.as_ref().map(Sample::remark);
        for table in tables {
            table.caption.extend(remark.iter().flat_map(|remark| [" ", remark]));
        }
    }
}

impl RowAccounting {
    /// The table of everything that was rejected, excluded or noticed.
    pub fn rejects(&self) -> Table {
        diagnostics_table(&self.diagnostics)
    }

    /// Returns the diagnostics, by kind.
    pub fn diagnostic_summaries(&self) -> Vec<DiagnosticSummary> {
        summarise(&self.diagnostics)
    }

    /// Refuses an account that does not add up.
    pub(super) fn checked(self) -> Result<Self, RunError> {
        let RowCounts { read, rejected, replayed, excluded, left_out, .. } = self.counts;
        let accounted = replayed + rejected + excluded + left_out;
        if accounted != read {
            return Err(RunError::RowsNotConserved { read, accounted });
        }
        Ok(self)
    }
}

/// Diagnostics in the order of the table `rejects`. Those of one row stand in the order in which they were noticed; a row
/// of a file of which steps made rows of several people has theirs one after the other.
pub(super) fn in_order(mut diagnostics: Vec<LogDiagnostic>) -> Vec<LogDiagnostic> {
    // An attempt is replayed as a whole, so that what is said of it comes in one order, however the log is cut into pieces.
    fn key(diagnostic: &LogDiagnostic) -> impl Ord + '_ {
        (
            &diagnostic.file,
            diagnostic.row,
            &diagnostic.participant,
            &diagnostic.session,
            &diagnostic.level,
            diagnostic.attempt,
        )
    }
    diagnostics.sort_by(|left, right| key(left).cmp(&key(right)));
    diagnostics
}

/// Reads, replays, labels and measures the logs of a study, all at once in memory; nothing if it has none.
///
/// # Errors
///
/// A log that cannot be read at all, or the request to stop.
pub fn play_all(study: &Study, levels: &[ValuedLevel], progress: &dyn Progress) -> Result<Option<Play>, RunError> {
    let Some(spec) = study.log_spec() else { return Ok(None) };
    let log = read_log(&spec, progress)?;
    play_of(study, log, levels, progress).map(Some)
}

/// Returns the play of a log that was read.
pub fn play_of(study: &Study, log: Log, levels: &[ValuedLevel], progress: &dyn Progress) -> Result<Play, RunError> {
    let spec = log_spec(study)?;
    let mut replayed = Replayed::new(log, levels, &spec, rayon::current_num_threads(), progress)?;
    let diagnostics = in_order(replayed.diagnostics.clone());
    let (selected, measures, left_out) =
        select(&mut replayed.labelled, &mut replayed.diagnostics, &study.selections(), levels)?;
    let anomalies = replayed.anomalies(&measures, levels, &spec);
    let Replayed { log, labelled, n_rejected, n_excluded, .. } = replayed;
    let mut totals = Totals::default();
    totals.add(&measures);
    let account = RowAccounting {
        counts: counts(log.n_read, n_rejected, n_excluded, &selected),
        files: log.files,
        joined: log.joined,
        steps: log.steps,
        key: log.key,
        analysed: selected.left,
        selection: selected.counts,
        totals,
        diagnostics: in_order([diagnostics, left_out].concat()),
        empty_columns: log.empty_columns,
    };
    Ok(Play { account: account.checked()?, labelled, rows: log.rows, measures, anomalies, sample: None })
}

/// Returns the specification of the log of a study, with that of its preset.
pub(super) fn log_spec(study: &Study) -> Result<LogSpec, RunError> {
    Ok(study.log_spec().unwrap_or_default().with_preset()?)
}

/// Returns the numbers of rows by what became of them.
pub(super) fn counts(read: u64, rejected: u64, excluded: u64, selected: &Selected) -> RowCounts {
    RowCounts {
        read,
        accepted: read - rejected,
        rejected,
        replayed: selected.left.n_rows,
        excluded,
        left_out: selected.counts.iter().map(|count| count.left_out.n_rows).sum(),
    }
}

/// A log with its rows replayed and labelled, before anything is left out.
#[derive(Debug)]
pub(super) struct Replayed {
    pub log: Log,
    pub labelled: LabelledLog,
    /// Diagnostics of reading, replaying and labelling.
    pub diagnostics: Vec<LogDiagnostic>,
    /// Rows that are not in the canonical log, or could not be played.
    pub n_rejected: u64,
    /// Rows that were played in a position that nobody knows.
    pub n_excluded: u64,
}

impl Replayed {
    pub fn new(
        mut log: Log,
        levels: &[ValuedLevel],
        spec: &LogSpec,
        n_threads: usize,
        progress: &dyn Progress,
    ) -> Result<Self, RunError> {
        let mut replayed = Self {
            labelled: LabelledLog::default(),
            diagnostics: std::mem::take(&mut log.diagnostics),
            n_rejected: log.n_rejected,
            n_excluded: 0,
            log: Log { diagnostics: Vec::new(), ..log },
        };
        let log = &replayed.log;
        let mut labelled = LabelledLog::default();
        let mut of_replay = Replay::default();
        each_labelled(log, levels, spec, progress, n_threads, Ok, |piece, replay| {
            labelled.append(piece);
            of_replay.append(replay);
            Ok::<_, RunError>(())
        })?;
        labelled.shrink();
        replayed.labelled = labelled;
        replayed.diagnostics.extend(of_replay.diagnostics);
        replayed.labelled.mark_interrupted();
        if spec.implied_ends {
            replayed.labelled.imply_ends(&replayed.diagnostics);
        }
        replayed.n_rejected += of_replay.n_rejected;
        replayed.n_excluded += of_replay.n_excluded;
        Ok(replayed)
    }

    /// Returns the anomalies of what is left.
    pub fn anomalies(&self, measures: &Measures, levels: &[ValuedLevel], spec: &LogSpec) -> Vec<Anomaly> {
        let Self { log, labelled, diagnostics, .. } = self;
        anomalies(&DoctorInput { log, diagnostics, labelled, measures, levels, spec })
    }
}

/// Maximum number of rows that are replayed and labelled at once on one thread; of small logs fewer, so that all
/// threads have some.
const ROWS_AT_ONCE: usize = 1 << 16;

/// Minimum number of rows at once.
const FEWEST_AT_ONCE: usize = 1 << 8;

/// Splits the rows of a table into pieces of at most [`ROWS_AT_ONCE`].
pub(super) fn pieces(n_rows: usize) -> impl Iterator<Item = Range<usize>> {
    (0..n_rows).step_by(ROWS_AT_ONCE).map(move |start| start..n_rows.min(start + ROWS_AT_ONCE))
}

/// Number of pieces that may wait to be taken: while a row group of Parquet is written, work goes on.
pub(super) const PIECES_AHEAD: usize = 4;

/// Replays and labels a log piece by piece on so many threads, and hands what `make` makes of the pieces to `sink` in their
/// order.
pub(super) fn each_labelled<T: Send, E: From<RunError> + Send>(
    log: &Log,
    levels: &[ValuedLevel],
    spec: &LogSpec,
    progress: &dyn Progress,
    n_threads: usize,
    make: impl Fn(LabelledLog) -> Result<T, RunError> + Sync,
    mut sink: impl FnMut(T, Replay) -> Result<(), E>,
) -> Result<(), E> {
    progress.begin("replaying and labelling moves", Some(log.rows.len() as u64));
    let work = |rows: Range<usize>| {
        let n = rows.len() as u64;
        let (labelled, replay) = label(log, rows, levels, spec, progress);
        let output = make(labelled)?;
        progress.advance(n);
        continues(progress)?;
        Ok((output, replay))
    };
    let n_rows = (log.rows.len() / (4 * n_threads)).clamp(FEWEST_AT_ONCE, ROWS_AT_ONCE);
    each_in_order(log.rows.pieces(n_rows), n_threads, PIECES_AHEAD, work, |(output, replay)| sink(output, replay))?;
    progress.end();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps can make rows of several attempts of one row of a file; which were replayed together depends on the threads.
    #[test]
    fn what_is_said_of_one_row_does_not_depend_on_how_the_log_was_cut() {
        let (first, second, third) =
            (diagnostic("off-the-map", "A", 1), diagnostic("null-move", "B", 1), diagnostic("null-move", "A", 2));
        let whole = in_order(vec![second.clone(), third.clone(), first.clone()]);
        let pieces = in_order(vec![first, third, second]);
        assert_eq!(whole, pieces);
        let codes: Vec<&str> = whole.iter().map(|diagnostic| &*diagnostic.code).collect();
        assert_eq!(codes, ["off-the-map", "null-move", "null-move"]);
    }

    fn diagnostic(code: &str, level: &str, attempt: i64) -> LogDiagnostic {
        LogDiagnostic {
            code: code.to_owned().into(),
            consequence: Consequence::Kept,
            file: "log.csv".to_owned(),
            row: 2,
            column: String::new(),
            value: String::new(),
            rule: String::new(),
            fix: String::new(),
            participant: Some("P1".to_owned()),
            session: Some("1".to_owned()),
            level: Some(level.to_owned()),
            attempt: Some(attempt),
        }
    }
}

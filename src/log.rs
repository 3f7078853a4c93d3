//! Logs of people playing, read into the canonical log.
//!
//! [`read_log`] takes files as laboratories and web pages write them (CSV, TSV, NDJSON, JSON, Parquet,
//! plain or compressed) and returns one row for each thing that a participant did.
//! It guesses nothing: every cell is read as text, columns are found by name or by the study's
//! `[columns]`, and whatever cannot be used is reported in a [`LogIssue`] with file, row, column, value,
//! rule and fix.
//!
//! # The canonical log
//!
//! | column | type | meaning |
//! |---|---|---|
//! | `participant` | text | who played |
//! | `session` | text | sitting; counted from `1` where no column tells it |
//! | `level` | text | level that was played |
//! | `attempt` | integer | run at the level between resets, from 1 where it is derived |
//! | `move_index` | integer? | position of the row within its attempt, from 0 |
//! | `event` | text | `start`, `move`, `undo`, `reset`, `hint`, `give_up`, `solved`, `null_move` or `limit` |
//! | `action` | text? | the move in the game's notation |
//! | `state_before`, `state_after` | text? | recorded positions |
//! | `onset_s` | number? | when the row happened, in seconds since the zero of the log |
//! | `rt_s` | number? | seconds since what happened before it in the attempt |
//! | `time_source` | text? | `logged`, `rt from onset` or `onset from rt` |
//! | `condition` | text? | experimental condition |
//! | … | text? | every other column of the files, as it was written |
//! | `source_file`, `source_row` | text, integer | where the row stands: the line an editor shows, or the row of a Parquet file, from 1 |
//!
//! # Invariant
//!
//! Rows are conserved: `n_read == rows.len() + n_rejected`, and there is exactly one issue with
//! [`Consequence::Rejected`] for each rejected row.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};

use batch::{Batch, TextBatch};
use plymap_puzzles::fault::separator_hint;
use plymap_puzzles::progress::Progress;
use plymap_tables::parallel::each_in_order;
use plymap_tables::threads::spawn;
use rayon::prelude::*;

mod archive;
mod assemble;
mod batch;
mod canonical;
mod cells;
mod columns;
mod delimited;
mod encoding;
mod entry;
mod event;
mod files;
mod held;
mod json;
mod json_object;
pub mod jspsych;
mod limit;
mod order;
mod parquet;
mod pattern;
mod personal;
mod pipeline;
mod preset;
mod pseudonym;
mod raw;
mod read;
mod recorded;
mod reject;
pub mod replay;
mod role;
mod row;
mod sample;
mod separator;
pub(crate) mod shard;
mod sidecar;
mod sitting;
mod source;
mod spec;
mod sqlite;
mod stray;
mod survey;
mod texts;
mod time;
mod transform;
mod whole;
mod workbook;
mod xes;

pub use canonical::{CanonicalRow, CanonicalRows};
pub use entry::FileRow;
pub use event::Event;
pub(crate) use files::is_log;
pub(crate) use held::Files;
pub use held::Held;
pub(crate) use order::TimeSource;
pub use parquet::is_read;
pub(crate) use pattern::without_numbers;
pub use personal::{PersonalColumn, PersonalData, PersonalKind};
pub use preset::{Preset, presets};
pub use pseudonym::{KEY_NAME, KeyFile};
pub use reject::{Consequence, IssueSummary, LogIssue, issues_table, summarise};
pub(crate) use role::Role;
#[cfg(test)]
pub(crate) use sample::counted::looks;
pub use sample::{Sample, SampleRow, sample};
pub(crate) use sample::{read_rows, sample_within};
pub use spec::{Clock, ColumnSpec, Frame, IllegalMoves, LogSpec, NullMoves, RepeatedColumns, SittingRule, Unit};
pub(crate) use time::{PLAUSIBLE_MEDIAN, instant_seconds, is_instant};
pub use transform::{Fill, Join, Notation, Pair, Replace, Split, StepCount, Transform, Wide};

/// A log as it was read: the canonical rows, and an account of everything else.
#[derive(Clone, Debug)]
pub struct Log {
    /// The canonical log.
    pub rows: CanonicalRows,
    /// For rows of it the first row that was rejected of their attempt, or perhaps of it, where that stands before
    /// them in the order of play: nobody knows in which position they were played.
    pub behind_rejected: HashMap<usize, RowPlace>,
    /// The files, in the order in which they were read.
    pub files: Vec<LogFile>,
    /// Everything that was noticed, by file and row.
    pub issues: Vec<LogIssue>,
    /// Rows that are to be used: those of the files, header and blank lines not counted, as the steps of the study leave
    /// and make them.
    pub n_read: u64,
    /// Rows that are not in `rows`; each has one issue that says why.
    pub n_rejected: u64,
    /// What the steps of the study did with the rows of the files, in their order; the last one is that of ignored events,
    /// if there are any.
    pub steps: Vec<StepCount>,
    /// Files whose columns were joined.
    pub joined: Vec<LogFile>,
    /// Text columns of the canonical log without any value in the whole log.
    pub empty_columns: Vec<String>,
    /// Columns of the files that are read as times.
    pub time_columns: Vec<String>,
    /// What tells of people beyond their play.
    pub personal: PersonalData,
    /// Where the key of the codes of participants lies, if they have codes and the key is kept.
    pub key: Option<KeyFile>,
}

/// Where a rejected row stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowPlace {
    /// Number of the file among the files of the log.
    pub file: usize,
    /// Row in it, as `source_row` counts.
    pub row: u64,
    /// Whether it is beyond doubt that it belongs to the attempt that it breaks.
    pub is_of_attempt: bool,
}

/// One file of a log.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct LogFile {
    /// Where it was read from, as the study names it.
    pub path: PathBuf,
    /// Size as it lies on the disk.
    pub bytes: u64,
    /// SHA-256 of the file as it lies on the disk, in hexadecimal.
    pub sha256: String,
    /// What it was read as: `csv`, `tsv`, `ndjson`, `json`, `json-columns`, `json-by-key`, `json-object` (one row), `parquet` and
    /// others, with `+gzip` or `+zstd`.
    pub format: String,
    /// Rows in it, rejected ones included.
    pub n_rows: u64,
    /// Lines above its header that are none of its rows.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_above: u64,
    /// What is worth knowing of it as a whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notices: Vec<raw::Flaw>,
    /// Encoding that its text was converted from, if that is not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// Why a log could not be read at all.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The study names no log.
    #[error("no log file is given; name at least one in `files`")]
    NoFiles,
    /// A pattern or folder has no log in it.
    #[error("{}: {reason}", path.display())]
    NoMatch {
        /// The pattern or folder.
        path: PathBuf,
        /// What is wrong and what to do.
        reason: String,
    },
    /// A workbook or database has several tables, or not the one that is named.
    #[error("{}: {}; it has {}: name one with `table` in [log]", path.display(), match wanted {
        Some(table) => format!("there is no table {table:?}"),
        None => "the file has several tables".to_owned(),
    }, has.join(", "))]
    NoTable {
        /// The file.
        path: PathBuf,
        /// The one that the study names.
        wanted: Option<String>,
        /// The tables that there are.
        has: Vec<String>,
    },
    /// The path of a file does not fit `path`.
    #[error("{}: the path does not end as the pattern {pattern:?} of `path` in [log] says", path.display())]
    PathMismatch {
        /// The file.
        path: PathBuf,
        /// The pattern.
        pattern: String,
    },
    /// A step or another entry of `[log]` makes no sense.
    #[error("[log] {step}: {reason}")]
    BadStep {
        /// The step or entry.
        step: String,
        /// What is wrong and what to do.
        reason: String,
    },
    /// An expression of `[log]` is wrong.
    #[error("[log] {place}: {error}")]
    BadExpression {
        /// Where it stands.
        place: String,
        /// What is wrong, and where in it.
        error: Box<plymap_expression::ExpressionError>,
    },
    /// An encoding is not known.
    #[error(
        "[log] encoding = {name:?} is not known; use a name such as \"utf-8\", \"latin-1\", \"windows-1252\" or \"utf-16le\""
    )]
    UnknownEncoding {
        /// Its name.
        name: String,
    },
    /// A file does not exist.
    #[error(
        "{}: the log file does not exist; check its path, which starts from the folder of the study{}",
        path.display(),
        separator_hint(path, std::io::ErrorKind::NotFound)
    )]
    FileMissing {
        /// The file.
        path: PathBuf,
    },
    /// A file cannot be read or decompressed.
    #[error("{}: the log file cannot be read: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system or the decompressor said.
        reason: String,
    },
    /// A file beside a log that tells units cannot be read.
    #[error("{}: the units of the log cannot be read: {reason}; restore the file, or move it away", path.display())]
    Sidecar {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A file does not have the form of its format.
    #[error("{}:{line}: {reason}; {fix}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: u64,
        /// What is wrong.
        reason: String,
        /// What to do about it.
        fix: String,
    },
    /// A Parquet column has a type that is not read.
    #[error("{}: column {column:?} has the type {dtype}, which is not read; save it as text or numbers", path.display())]
    UnsupportedType {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// Its type as the file names it.
        dtype: String,
    },
    /// Two files have the same content.
    #[error(
        "{} has the same content as {}; name each log once, or say with `path` in [log] how their paths tell whose they are",
        path.display(),
        first.display()
    )]
    SameFile {
        /// The second of them.
        path: PathBuf,
        /// The first of them.
        first: PathBuf,
    },
    /// `[columns]` has a name on the left that the canonical log does not know.
    #[error(
        "[columns] names {key:?}, which is no column of the canonical log{}; it can name {known}",
        did_you_mean(nearest)
    )]
    UnknownKey {
        /// The name.
        key: String,
        /// The closest name.
        nearest: Option<String>,
        /// Every name that is possible.
        known: String,
    },
    /// An entry of `[columns]` makes no sense.
    #[error("[columns] {key}: {reason}")]
    BadColumn {
        /// The canonical name.
        key: String,
        /// What is wrong and what to do.
        reason: String,
    },
    /// The study names a column that the file does not have.
    #[error("{}: {key} names the column {column:?}, which the file does not have{}; it has {has}", path.display(), did_you_mean(nearest))]
    UnknownColumn {
        /// The file.
        path: PathBuf,
        /// What names it: an entry of `[columns]` or `[log]`, or a step.
        key: Box<str>,
        /// The column that is not there.
        column: Box<str>,
        /// The closest column that is.
        nearest: Option<String>,
        /// Every column of the file.
        has: String,
    },
    /// A column that every log needs is not there.
    #[error("{}: no column gives {needed}{}; the file has {has}; name the right one in [columns], as in `{example}`", path.display(), did_you_mean(nearest))]
    MissingColumn {
        /// The file.
        path: PathBuf,
        /// What is needed.
        needed: &'static str,
        /// The closest column of the file.
        nearest: Option<String>,
        /// Every column of the file.
        has: String,
        /// A line for study.toml.
        example: String,
    },
    /// A column that every log needs has the right name, and is taken for something else.
    #[error("{}: no column gives {needed}: [columns] takes {taken_by} from {column:?}; name another column for one of the two", path.display())]
    TakenColumn {
        /// The file.
        path: PathBuf,
        /// What is needed.
        needed: &'static str,
        /// The column.
        column: String,
        /// The canonical name that it is taken for.
        taken_by: &'static str,
    },
    /// A header is not taken apart.
    #[error("{}: the header {column:?} is read as one column; say `separator = {:?}` in [log]", path.display(), mark.to_string())]
    OneColumn {
        /// The file.
        path: PathBuf,
        /// The only column.
        column: String,
        /// What may separate its fields.
        mark: char,
    },
    /// A header names a column twice.
    #[error(
        "{}:{line}: column {column:?} is named twice; give the columns different names, or say repeated_columns = \"number\" \
         in [log]",
        path.display()
    )]
    RepeatedColumn {
        /// The file.
        path: PathBuf,
        /// Line of the header, from 1.
        line: u64,
        /// The column.
        column: String,
    },
    /// `[log.events]` translates a value into something that is no event.
    #[error("[log.events] translates {value:?} into {event:?}, which is no event{}; events are {}", did_you_mean(nearest), Event::NAMES.join(", "))]
    UnknownEvent {
        /// The value in the files.
        value: String,
        /// What it is translated into.
        event: String,
        /// The closest event.
        nearest: Option<String>,
    },
    /// The files hold no row.
    #[error("{}: the log has no rows; a header alone is not a log", path.display())]
    NoRows {
        /// The first file.
        path: PathBuf,
    },
    /// Shards of a log cannot be read, written or used.
    #[error("{}: the shards cannot be used: {reason}; make them with plymap shard", path.display())]
    Shards {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The system refuses the thread that reads.
    #[error("the system gives no thread to read the log: {reason}; end other programs, or raise the limit (ulimit -u)")]
    NoThread {
        /// What it says.
        reason: String,
    },
    /// A file that is made of a log cannot be written.
    #[error("cannot write {}: {reason}", path.display())]
    Unwritten {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// It has more rows than the caller can take.
    #[error("the log has more than {most} rows")]
    TooManyRows {
        /// So many it can take.
        most: u64,
    },
    /// The key of the codes of participants cannot be read or written.
    #[error("{}: the key of the codes of participants cannot be used: {reason}; restore it, or move it away to have a new one, and new codes", path.display())]
    BadKey {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The key of the codes of participants is gone, or not the one of which the codes in shards are.
    #[error("{}: {}; restore it, or divide the log anew with plymap shard, which gives other codes", path.display(), match is_gone {
        true => "the key of the codes of participants is gone, and the shards have codes of it",
        false => "this is another key than the one of which the codes of participants in the shards are",
    })]
    OtherKey {
        /// The file.
        path: PathBuf,
        /// Whether there is none.
        is_gone: bool,
    },
    /// The caller asked to stop.
    #[error("reading the logs was stopped before it was done")]
    Cancelled,
}

/// Where a [`LogError`] is, and what to do about it, as far as it says so apart from its sentence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LogErrorPlace<'a> {
    /// The file.
    pub file: Option<&'a Path>,
    /// The line, from 1.
    pub line: Option<u64>,
    /// The column.
    pub column: Option<&'a str>,
    /// What to do.
    pub fix: Option<&'a str>,
}

impl LogError {
    /// Where it is.
    pub fn place(&self) -> LogErrorPlace<'_> {
        let (mut line, mut column, mut fix) = (None, None, None);
        let file = match self {
            Self::Malformed { path, line: at, fix: what, .. } => {
                (line, fix) = (Some(*at), Some(what.as_str()));
                Some(path)
            }
            Self::RepeatedColumn { path, line: at, column: name } => {
                (line, column) = (Some(*at), Some(name.as_str()));
                Some(path)
            }
            Self::UnsupportedType { path, column: name, .. } | Self::OneColumn { path, column: name, .. } => {
                column = Some(name.as_str());
                Some(path)
            }
            Self::UnknownColumn { path, column: name, .. } => {
                column = Some(&**name);
                Some(path)
            }
            Self::NoMatch { path, .. }
            | Self::NoTable { path, .. }
            | Self::PathMismatch { path, .. }
            | Self::FileMissing { path }
            | Self::Unreadable { path, .. }
            | Self::Sidecar { path, .. }
            | Self::SameFile { path, .. }
            | Self::MissingColumn { path, .. }
            | Self::TakenColumn { path, .. }
            | Self::NoRows { path }
            | Self::Shards { path, .. }
            | Self::Unwritten { path, .. }
            | Self::BadKey { path, .. }
            | Self::OtherKey { path, .. } => Some(path),
            _ => None,
        };
        LogErrorPlace { file: file.map(PathBuf::as_path), line, column, fix }
    }
}

/// Reads the files of `spec`, in their order, into one canonical log.
///
/// Rows that cannot be used do not stop the reading: each becomes a [`LogIssue`].
///
/// # Errors
///
/// A [`LogError`] where no row could be trusted: a file that is missing, unreadable or not in the
/// form of its format, columns that no file has, or no row at all.
pub fn read_log(spec: &LogSpec, progress: &dyn Progress) -> Result<Log, LogError> {
    read_log_within(spec, u64::MAX, progress)
}

/// Reads a log that has at most so many rows. It is given up early where the first rows take so few of the bytes that there
/// are likely more.
///
/// # Errors
///
/// As for [`read_log`], and [`LogError::TooManyRows`].
pub(crate) fn read_log_within(spec: &LogSpec, most: u64, progress: &dyn Progress) -> Result<Log, LogError> {
    // Rows are numbered with 32 bits.
    let most = most.min(u64::from(u32::MAX));
    let spec = &spec.with_preset()?;
    spec.check()?;
    let mut opened = Opened::new(spec, progress)?;
    let mapping = columns::Mapping::new(spec, &opened.sources)?;
    let checker = row::Checker::new(spec, &mapping);
    let file_names = opened.sources.iter().map(|source| source.file.path.display().to_string()).collect();
    let mut assembly = assemble::Assembly::new(&mapping, file_names, spec)?;
    let n_bytes: u64 = opened.sources.iter().map(|source| source.file.bytes).sum();
    let counted = Counted { progress, n: AtomicU64::new(0) };
    let mut is_measured = false;
    let mut continues = |assembly: &mut assemble::Assembly<'_>| {
        let n = assembly.n_read();
        if n >= FIRST_ROWS && !is_measured {
            is_measured = true;
            let share = counted.n.load(Ordering::Relaxed) as f64 / n_bytes as f64;
            let likely = if share > 0.0 { n as f64 / share } else { 0.0 };
            if likely > 1.5 * most as f64 {
                return Err(LogError::TooManyRows { most });
            }
            // The reader is ahead of this row, so that there are more.
            assembly.reserve((1.25 * likely) as usize);
        }
        if n > most { Err(LogError::TooManyRows { most }) } else { Ok(()) }
    };
    match assembly.parts() {
        Some(new_part) => opened.for_each_batch(
            &checker,
            "reading logs",
            &counted,
            |file, positions, mut batch, give_back| {
                let mut part = new_part();
                batch.with_rows(|rows| {
                    for raw in rows {
                        part.push(&checker, file, positions, (raw, checker.read(raw, positions)), None);
                    }
                })?;
                batch.give_back(give_back);
                Ok(part)
            },
            |_, _, part, _| {
                assembly.append(part);
                continues(&mut assembly)
            },
        ),
        // Who comes first has the first code.
        None => opened.for_each_row(&checker, "reading logs", &counted, &mut |file, positions, raw, reading| {
            assembly.push(&checker, file, positions, (raw, reading), None);
            continues(&mut assembly)
        }),
    }?;
    let steps = opened.steps(assembly.n_read(), assembly.n_ignored())?;
    let Opened { sources, joined, .. } = opened;
    let log = assembly.finish(sources.into_iter().map(|source| source.file).collect());
    Ok(Log { steps, joined, ..log })
}

/// From so many rows one may tell how many a log has.
const FIRST_ROWS: u64 = 100_000;

/// Counts the bytes that are read.
struct Counted<'a> {
    progress: &'a dyn Progress,
    n: AtomicU64,
}

impl Progress for Counted<'_> {
    fn begin(&self, stage: &str, total: Option<u64>) {
        self.progress.begin(stage, total);
    }

    fn advance(&self, steps: u64) {
        self.n.fetch_add(steps, Ordering::Relaxed);
        self.progress.advance(steps);
    }

    fn end(&self) {
        self.progress.end();
    }

    fn is_cancelled(&self) -> bool {
        self.progress.is_cancelled()
    }
}

/// The files of a log, looked at and ready to be read through.
struct Opened {
    sources: Vec<source::Source>,
    pipelines: pipeline::Pipelines,
    joined: Vec<LogFile>,
}

/// Receives the rows of a log: the number of the file of each, where the columns of the mapping lie in it, the row, and what it
/// says.
type RowSink<'s> = dyn FnMut(usize, &[Option<usize>], &raw::RawRow<'_>, row::Reading<'_>) -> Result<(), LogError> + 's;

impl Opened {
    fn new(spec: &LogSpec, progress: &dyn Progress) -> Result<Self, LogError> {
        let mut sources = match &spec.frame {
            Some(frame) => vec![read::inspect_frame(frame, spec)?],
            None => read::sources(spec, progress)?,
        };
        read::refuse_repeated_files(&sources, spec)?;
        let mut joined = Vec::new();
        let pipelines = pipeline::pipelines(&mut sources, spec, &mut joined)?;
        Ok(Self { sources, pipelines, joined })
    }

    /// Makes it ready to be read through once more.
    fn again(&mut self, spec: &LogSpec) -> Result<(), LogError> {
        self.pipelines = pipeline::pipelines(&mut self.sources, spec, &mut Vec::new())?;
        Ok(())
    }

    /// Hands all rows, as the steps of the study leave and make them, to `sink`.
    fn for_each_row(
        &mut self,
        checker: &row::Checker<'_>,
        task: &'static str,
        progress: &dyn Progress,
        sink: &mut RowSink<'_>,
    ) -> Result<(), LogError> {
        let whole = |_, _: &[Option<usize>], batch: Batch, _: &mpsc::Sender<TextBatch>| Ok(batch);
        self.for_each_batch(checker, task, progress, whole, |number, positions, mut batch, give_back| {
            batch.with_rows(|rows| {
                let read = rows.par_iter().with_min_len(ROWS_AT_ONCE).map(|raw| checker.read(raw, positions));
                let readings: Vec<row::Reading<'_>> = read.collect();
                let mut read = rows.iter().zip(readings);
                read.try_for_each(|(raw, reading)| sink(number, positions, raw, reading))
            })??;
            batch.give_back(give_back);
            Ok(())
        })
    }

    /// Hands what `work` makes of the rows, batch by batch on all threads, to `sink`, in their order. Both are told the number
    /// of the file, where the columns of the mapping lie in it, and where batches go that are not needed any more.
    fn for_each_batch<T: Send>(
        &mut self,
        checker: &row::Checker<'_>,
        task: &'static str,
        progress: &dyn Progress,
        work: impl Fn(usize, &[Option<usize>], Batch, &mpsc::Sender<TextBatch>) -> Result<T, LogError> + Sync,
        mut sink: impl FnMut(usize, &[Option<usize>], T, &mpsc::Sender<TextBatch>) -> Result<(), LogError>,
    ) -> Result<(), LogError> {
        progress.begin(task, Some(self.sources.iter().map(|source| source.file.bytes).sum()));
        let positions = positions_of(self.sources.iter().map(|source| &source.given), |given| checker.positions(given));
        let Self { sources, pipelines, .. } = self;
        // One thread takes files apart, all of them work, and this one takes what they made, in its order.
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::sync_channel(BATCHES_AHEAD);
            let (give_back, empty) = mpsc::channel();
            let read = move || take_apart(sources, pipelines, &sender, &empty, progress);
            let reader = spawn(scope, read).map_err(|error| LogError::NoThread { reason: error.to_string() })?;
            let give_back = &give_back;
            each_in_order(
                receiver,
                rayon::current_num_threads(),
                BATCHES_AHEAD,
                |(number, batch): (usize, Batch)| Ok((number, work(number, &positions[number], batch, give_back)?)),
                |(number, made)| sink(number, &positions[number], made, give_back),
            )?;
            reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })?;
        progress.end();
        Ok(())
    }

    /// What the steps of the study did, of which so many rows came, and so many were ignored behind them.
    ///
    /// # Errors
    ///
    /// If no row came.
    fn steps(&self, n_read: u64, n_ignored: u64) -> Result<Vec<StepCount>, LogError> {
        let steps = self.pipelines.counts(n_read, n_ignored);
        if n_read == 0 && !steps.is_empty() {
            let of_step =
                |count: &StepCount| format!("{} {} left {} of {}", count.step, count.detail, count.n_out, count.n_in);
            let said: Vec<String> = steps.iter().map(of_step).collect();
            let reason = format!("they leave no row: {}", said.join("; "));
            return Err(LogError::BadStep { step: "steps".to_owned(), reason });
        }
        if n_read == 0 {
            return Err(LogError::NoRows { path: self.sources[0].file.path.clone() });
        }
        Ok(steps)
    }
}

/// Where columns lie in each file, by the columns of each; files that share theirs share that, too.
fn positions_of<'s>(
    given: impl Iterator<Item = &'s Arc<[String]>>,
    of_list: impl Fn(&[String]) -> Vec<Option<usize>>,
) -> Vec<Arc<[Option<usize>]>> {
    let mut known: HashMap<*const String, Arc<[Option<usize>]>> = HashMap::new();
    given.map(|list| Arc::clone(known.entry(list.as_ptr()).or_insert_with(|| of_list(list).into()))).collect()
}

/// Rows of a batch are read by one thread in pieces of so many at least.
const ROWS_AT_ONCE: usize = 256;

/// So many batches may wait to be taken.
const BATCHES_AHEAD: usize = 4;

/// Sends the rows of all files, with the number of their file, until nobody wants more of them. Batches that were taken come
/// back `empty`.
fn take_apart(
    sources: &mut [source::Source],
    pipelines: &mut pipeline::Pipelines,
    batches: &mpsc::SyncSender<(usize, Batch)>,
    empty: &mpsc::Receiver<TextBatch>,
    progress: &dyn Progress,
) -> Result<(), LogError> {
    for (number, source) in sources.iter_mut().enumerate() {
        let mut n_given = 0;
        let send = |batch| batches.send((number, batch)).map_err(|_| LogError::Cancelled);
        if pipelines.is_empty() && source.is_table() && source.max_rows.is_none() {
            parquet::parts(source, progress, &mut |part| {
                n_given += part.len() as u64;
                if progress.is_cancelled() { Err(LogError::Cancelled) } else { send(Batch::Columns(part)) }
            })?;
            source.file.n_rows = n_given;
            continue;
        }
        let mut batch = TextBatch::default();
        let mut take = |raw: raw::RawRow<'_>| {
            n_given += 1;
            if n_given % 1024 == 0 && progress.is_cancelled() {
                return Err(LogError::Cancelled);
            }
            match batch.push(raw) {
                true => send(Batch::Texts(std::mem::replace(&mut batch, empty.try_recv().unwrap_or_default()))),
                false => Ok(()),
            }
        };
        let read = match pipelines.of(number) {
            Some(pipeline) => pipeline.for_each_row(source, progress, &mut take),
            None => read::for_each_row(source, progress, &mut take),
        };
        // What stands before a fault counts.
        send(Batch::Texts(batch))?;
        read?;
        if pipelines.is_empty() {
            source.file.n_rows = n_given;
        }
    }
    Ok(())
}

/// The files that reading a log as `spec` says reads, as far as that is known before: the logs in their order, files that
/// are joined, a preset of one's own, sidecars. The key of codes of participants is not among them.
///
/// # Errors
///
/// A folder or pattern without files, or a preset that there is not.
pub(crate) fn input_files(spec: &LogSpec) -> Result<Vec<PathBuf>, LogError> {
    let preset = spec.preset.iter().filter(|name| name.ends_with(".toml")).map(|name| spec.folder.join(name));
    let mut files: Vec<PathBuf> = preset.collect();
    let spec = &spec.with_preset()?;
    let logs: Vec<PathBuf> = files::expand(spec)?.into_iter().map(|file| spec.folder.join(file.path)).collect();
    if spec.sidecars {
        let mut sidecars = sidecar::Sidecars::default();
        let mut seen = HashSet::new();
        files.extend(logs.iter().flat_map(|log| sidecars.files(log)).filter(|file| seen.insert(file.clone())));
    }
    files.extend(spec.steps.iter().filter_map(|step| match step {
        Transform::Join(join) => Some(spec.folder.join(&join.file)),
        _ => None,
    }));
    files.extend(logs);
    Ok(files)
}

/// Whether a cell has a structure that a step `split` takes apart; the number of elements of a list.
pub(crate) fn n_nested(cell: &str) -> Option<Option<usize>> {
    let is_structure = cell.starts_with(['[', '{', '(']) || cell.starts_with("array(");
    match is_structure.then(|| pipeline::nested(cell))? {
        Ok(serde_json::Value::Array(elements)) => Some(Some(elements.len())),
        Ok(serde_json::Value::Object(object)) => {
            // Arrays side by side, the n-th values of which belong together.
            let lengths: Option<Vec<usize>> = object.values().map(|value| Some(value.as_array()?.len())).collect();
            Some(lengths.and_then(|lengths| lengths.first().copied()))
        }
        _ => None,
    }
}

/// The end of a message that offers the closest name.
fn did_you_mean(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |name| format!(" (did you mean {name:?}?)"))
}

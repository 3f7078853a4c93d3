#![doc = include_str!("../README.md")]
//! # How a proposal is made
//!
//! [`propose`] reads the first rows of the files, finds the program that wrote them ([`presets`]), how
//! rows must be taken apart, which column names levels, people, moves and times, and in which unit. Each choice is replayed
//! from the starts of the levels, and what gives the most legal moves is proposed; what came second is told. The proposal
//! says of each entry how sure it is and why, and becomes a commented study.toml ([`study_toml`]). A run guesses nothing: it
//! reads that file.

use std::fmt;
use std::path::{Path, PathBuf};

use plymap_puzzles::progress::Progress;
use plymap_puzzles::rules::Rules;
use plymap_statistics::stats::apa::first_of;

use find::Plays;
use plymap_log::replay::Replay;
use plymap_log::{IssueSummary, Log, LogError, LogSpec, RepeatedColumns, presets, sample, summarise};
use search::{Search, Tried, attempt};

mod find;
mod form;
mod narrow;
mod remarks;
mod search;
mod shape;
mod words;
mod write;

pub use write::{StudyText, study_toml};

/// How sure an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// What stands in the files leaves no doubt.
    Sure,
    /// It is the usual meaning, and fits.
    Likely,
    /// Somebody who knows the experiment has to say.
    Ask,
}

impl fmt::Display for Certainty {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Sure => "sure",
            Self::Likely => "likely",
            Self::Ask => "QUESTION",
        })
    }
}

/// What is said of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The entry: a key of `[columns]` or `[log]`, a step, or `events.VALUE`.
    pub entry: String,
    /// How sure it is.
    pub certainty: Certainty,
    /// Why it is proposed.
    pub reason: String,
}

/// How a log may be read.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// `[log]` and `[columns]`.
    pub spec: LogSpec,
    /// What is said of them.
    pub remarks: Vec<Remark>,
    /// What the files are, as the log names their formats; the title of the preset behind them, if there is one.
    pub source: String,
    /// What came of it.
    pub trial: Trial,
    /// How well it fits, from 0: moves that the rules allow, times their share of the rows, where attempts reach goals and
    /// columns are called so. Proposals for the same files can be compared by it.
    pub score: f64,
}

impl Proposal {
    /// So many of the rows that should be moves have to be moves for a proposal that asks nothing of them.
    pub const USABLE: f64 = 0.9;

    /// Whether so few rows can be replayed that the proposal is likely wrong.
    pub fn is_doubtful(&self) -> bool {
        self.trial.share() < Self::USABLE
    }
}

/// A log that was read and replayed.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The log.
    pub log: Log,
    /// Its replay.
    pub replay: Replay,
    /// Rows that are moves which the rules allow.
    pub n_moves: usize,
    /// Rows that cannot be used.
    pub n_unused: u64,
    /// Attempts with a move.
    pub n_attempts: usize,
    /// Those of them that reach a goal.
    pub n_solved: usize,
    /// The share of people at levels who reach a goal there, in any attempt.
    pub solved: f64,
}

/// Why nothing can be proposed.
#[derive(Debug, thiserror::Error)]
pub enum ProposalError {
    /// A file cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// Nothing in the files looks like play at the levels.
    #[error(
        "{}: nothing in the files can be replayed at the levels {levels}: {reason}. The columns are {columns}. Check that the \
         files belong to these levels and to this game (--game); docs/logs.md says how to write a study.toml by hand",
        path.display()
    )]
    NothingFound {
        /// The first file.
        path: PathBuf,
        /// Names of the first levels.
        levels: String,
        /// What is missing.
        reason: String,
        /// The columns of the files.
        columns: String,
    },
    /// The caller asked to stop.
    #[error("the import was stopped before it was done")]
    Cancelled,
}

/// So many columns are named where nothing is found; a message is to be read.
const COLUMNS_NAMED: usize = 30;

/// So many rows are looked at, of all files together.
const ROWS: u64 = 20_000;
/// At least so many of each file.
const ROWS_OF_FILE: u64 = 500;
/// So many files are looked at, spread over all.
const FILES: usize = 400;

/// Finds out how the `files` may be read as play at these levels, each a name and its rules. With `preset` they are read as
/// that preset says, else as the one that they fit.
///
/// # Errors
///
/// [`ProposalError`].
pub fn propose(
    files: &[PathBuf],
    preset: Option<&str>,
    levels: &[(&str, &dyn Rules)],
    progress: &dyn Progress,
) -> Result<Proposal, ProposalError> {
    let plays = Plays::new(levels);
    let mut search = Search::new(&plays, progress);
    progress.begin("reading proposals", None);
    let plain = LogSpec { files: files.to_vec(), max_files: Some(FILES), ..LogSpec::default() };
    let mut first = None;
    let mut columns: Vec<String> = Vec::new();
    let mut tables_read: Vec<String> = Vec::new();
    for base in tables(&plain)? {
        let table = base.table.clone();
        tables_read.extend(table.clone());
        // A table that cannot be read is no play; another may be.
        let tried = with_known_preset(base, preset).and_then(|(base, title)| {
            let whole = sample(&LogSpec { max_rows: Some(1), ..base.clone() })?;
            let max_rows = Some((ROWS / whole.files.len().max(1) as u64).max(ROWS_OF_FILE));
            first = first.take().or_else(|| whole.files.first().map(|file| file.path.clone()));
            columns.push(in_table(table.as_deref(), &first_of(&whole.columns, COLUMNS_NAMED)));
            let base = LogSpec { max_rows, ..base };
            let (base, remark) = narrow::narrowed(base, whole.columns.len(), &plays)?;
            search.try_files(&base, title, remark)
        });
        match tried {
            Err(ProposalError::Log(error)) if table.is_some() => {
                search.note(0.0, in_table(table.as_deref(), &error.to_string()));
            }
            tried => tried?,
        }
    }
    progress.end();
    let names: Vec<&str> = levels.iter().take(3).map(|(id, _)| *id).collect();
    let Some(Tried { spec, mut title, mut remarks, trial, mut score, mut next, .. }) = search.best else {
        return Err(ProposalError::NothingFound {
            path: first.or_else(|| files.first().cloned()).unwrap_or_default(),
            levels: names.join(", "),
            reason: search.reason,
            columns: columns.join("; "),
        });
    };
    drop(trial);
    // The sample tells what the columns mean; what becomes of all rows is told by all rows.
    let of_all = |spec: LogSpec| LogSpec { max_rows: None, max_files: None, held: None, ..spec };
    let mut spec = of_all(spec);
    let mut trial = attempt(&spec, levels, progress)?;
    // What fits some rows by chance does not fit all.
    if trial.share() < Proposal::USABLE
        && let Some(other) = next.as_ref().map(|next| of_all(next.spec.clone()))
        && let Ok(tried) = attempt(&other, levels, progress)
        && tried.share() >= Proposal::USABLE
        && tried.n_moves >= trial.n_moves
        && let Some(other_reading) = next.take()
    {
        (spec, trial) = (other, tried);
        (title, remarks, score) = (other_reading.title, other_reading.remarks, other_reading.score);
    }
    let source = title.unwrap_or_else(|| trial.log.files[0].format.clone());
    remarks.extend(remarks::files_without_moves(&spec, &trial));
    if let Some(table) = spec.table.as_ref().filter(|_| tables_read.len() > 1) {
        let others = tables_read.iter().filter(|other| *other != table).map(|other| format!("{other:?}"));
        let reason = format!("of several; not read are {}", others.collect::<Vec<_>>().join(", "));
        remarks.push(Remark { entry: "table".to_owned(), certainty: Certainty::Ask, reason });
    }
    remarks::weigh(&mut remarks, &spec, &trial, score, next.as_deref());
    Ok(Proposal { spec, remarks, source, trial, score })
}

/// A text about one table of a file, if there are several.
fn in_table(table: Option<&str>, text: &str) -> String {
    table.map_or_else(|| text.to_owned(), |table| format!("of {table:?}: {text}"))
}

impl Trial {
    /// What was noticed, by kind, the most frequent first.
    pub fn issues(&self) -> Vec<IssueSummary> {
        summarise(&[&self.log.issues[..], &self.replay.issues].concat())
    }

    /// The share of moves among them and the rows that cannot be used.
    pub fn share(&self) -> f64 {
        self.n_moves as f64 / (self.n_moves as f64 + self.n_unused as f64).max(1.0)
    }
}

/// The log, or each of its tables where a workbook or database has several.
fn tables(plain: &LogSpec) -> Result<Vec<LogSpec>, ProposalError> {
    let lenient = LogSpec { max_rows: Some(1), repeated_columns: Some(RepeatedColumns::Number), ..plain.clone() };
    match sample(&lenient) {
        Err(LogError::NoTable { wanted: None, has, .. }) => {
            let of = |table: &String| LogSpec { table: Some(table.clone()), ..plain.clone() };
            let is_used = |spec: &LogSpec| sample(&LogSpec { max_rows: Some(1), ..spec.clone() }).is_ok();
            Ok(has.iter().map(of).filter(is_used).collect())
        }
        Err(error) => Err(error.into()),
        Ok(_) => Ok(vec![plain.clone()]),
    }
}

/// With the preset that is named, else that of the program which wrote the files, and its title.
fn with_known_preset(base: LogSpec, named: Option<&str>) -> Result<(LogSpec, Option<String>), ProposalError> {
    let of = |name: &str| LogSpec { preset: Some(name.to_owned()), ..base.clone() };
    if let Some(name) = named {
        let spec = of(name);
        spec.with_preset()?;
        let title = presets().iter().find(|(known, _)| *known == name).map(|(_, preset)| preset.about.title.clone());
        return Ok((spec, Some(title.unwrap_or_else(|| name.to_owned()))));
    }
    let lenient = LogSpec { max_rows: Some(1), repeated_columns: Some(RepeatedColumns::Number), ..base.clone() };
    let header = sample(&lenient)?;
    let path = header.files[0].path.display().to_string().replace('\\', "/");
    // Files of a program that has a preset of its own may fit that of the library which it uses, too.
    let fitting: Vec<_> = presets().iter().filter(|(_, preset)| preset.fits(&path, &header.columns)).collect();
    match fitting.iter().find(|(_, preset)| preset.about.complete).or(fitting.first()) {
        Some((name, preset)) => Ok((of(name), Some(preset.about.title.clone()))),
        None => match sample(&LogSpec { max_rows: Some(1), ..base.clone() }) {
            Err(LogError::RepeatedColumn { .. }) => Ok((LogSpec { max_rows: None, ..lenient }, None)),
            _ => Ok((base, None)),
        },
    }
}

/// The column that by its name holds participants; `id` alone may be that of anything.
pub fn participant_column<'a>(names: &[&'a str]) -> Option<&'a str> {
    let rated = names.iter().filter(|name| !name.eq_ignore_ascii_case("id"));
    rated
        .filter_map(|name| Some((words::participant(name)?, *name)))
        .min_by_key(|(rank, _)| *rank)
        .map(|(_, name)| name)
}

/// The path of `to` as seen from the folder `from`; both must be absolute.
fn relative(from: &Path, to: &Path) -> PathBuf {
    let common = from.components().zip(to.components()).take_while(|(one, other)| one == other).count();
    if common == 0 {
        return to.to_owned();
    }
    let up = from.components().skip(common).map(|_| Path::new(".."));
    up.chain(to.components().skip(common).map(|part| Path::new(part.as_os_str()))).collect()
}

#[cfg(test)]
mod tests;

//! Proposals: what the files of an experiment most likely say, found by their names, by what stands in them, and by
//! replaying it.
//!
//! [`propose`] reads the first rows of the files, finds the program that wrote them ([`presets`]), how
//! rows must be taken apart, which column names levels, people, moves and times, and in which unit. What fits best is what
//! gives the most legal moves when it is replayed from the starts of the levels. The proposal says of each entry how sure
//! it is and why, and becomes a commented study.toml ([`study_toml`]). A run guesses nothing: it reads that file.

use plymap_statistics::stats::apa::counted;
use std::fmt;
use std::path::{Path, PathBuf};

use plymap_puzzles::progress::{Progress, Silent};
use plymap_puzzles::rules::Rules;

use crate::log::replay::{Replay, replay};
use crate::log::{
    Consequence, IssueSummary, Log, LogError, LogSpec, NullMoves, RepeatedColumns, Sample, presets, read_log, sample,
    summarise,
};
use crate::nearest::plain;
use find::{Finder, Found, Levels, fill_of_participants};

mod find;
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

/// So many rows are looked at, of all files together.
const ROWS: u64 = 20_000;
/// At least so many of each file.
const ROWS_OF_FILE: u64 = 500;
/// So often cells are taken apart one after the other.
const DEPTH: usize = 3;

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
    let mut search = Search { levels, progress, best: None, reason: "no column names a level".to_owned() };
    progress.begin("reading proposals", None);
    let plain = LogSpec { files: files.to_vec(), ..LogSpec::default() };
    let mut whole = Sample::default();
    for base in tables(&plain)? {
        let (base, title) = with_known_preset(base, preset)?;
        whole = sample(&LogSpec { max_rows: Some(1), ..base.clone() })?;
        let max_rows = Some((ROWS / whole.files.len().max(1) as u64).max(ROWS_OF_FILE));
        search.try_files(&LogSpec { max_rows, ..base }, title)?;
    }
    progress.end();
    let Some(found) = search.best else {
        let names: Vec<&str> = levels.iter().take(3).map(|(id, _)| *id).collect();
        return Err(ProposalError::NothingFound {
            path: whole.files.first().map(|file| file.path.clone()).unwrap_or_default(),
            levels: names.join(", "),
            reason: search.reason,
            columns: whole.columns.join(", "),
        });
    };
    let Candidate { spec, title, mut remarks, trial } = found;
    let source = title.unwrap_or_else(|| trial.log.files[0].format.clone());
    let (spec, remark) = without_null_moves(spec, levels, &trial)?;
    remarks.extend(remark);
    // The sample tells what the columns mean; what becomes of all rows is told by all rows.
    let spec = LogSpec { max_rows: None, ..spec };
    let trial = attempt(&spec, levels, progress)?;
    Ok(Proposal { spec, remarks, source, trial })
}

impl Trial {
    /// What was noticed, by kind, the most frequent first.
    pub fn issues(&self) -> Vec<IssueSummary> {
        summarise(&[&self.log.issues[..], &self.replay.issues].concat())
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

struct Candidate {
    spec: LogSpec,
    title: Option<String>,
    remarks: Vec<Remark>,
    trial: Trial,
}

impl Candidate {
    /// Many legal moves are good, and rows that cannot be used are bad.
    fn score(&self) -> f64 {
        let n = self.trial.n_moves as f64;
        n * n / (n + self.trial.n_unused as f64).max(1.0)
    }
}

struct Search<'a> {
    levels: &'a Levels<'a>,
    progress: &'a dyn Progress,
    best: Option<Candidate>,
    /// Why there is none.
    reason: String,
}

impl Search<'_> {
    /// Tries files, or one table of them; `title` is that of their preset.
    fn try_files(&mut self, base: &LogSpec, title: Option<String>) -> Result<(), ProposalError> {
        let usual = base.with_preset()?.usual_columns;
        let fill = fill_of_participants(&sample(base)?, &usual);
        let steps = fill.iter().map(|(step, _)| step.clone()).collect();
        let before = self.best.as_ref().map(Candidate::score);
        if base.is_said_by_preset()? {
            self.try_reading(base, Found::default());
        } else {
            self.try_shape(&LogSpec { steps, ..base.clone() }, DEPTH)?;
        }
        if let Some(best) = self.best.as_mut().filter(|best| Some(best.score()) != before) {
            best.title = title;
            best.remarks.extend(fill.map(|(_, remark)| remark));
        }
        Ok(())
    }

    /// Tries the rows that `spec` gives, and those that come of them if they are taken apart.
    fn try_shape(&mut self, spec: &LogSpec, depth: usize) -> Result<(), ProposalError> {
        if self.progress.is_cancelled() {
            return Err(ProposalError::Cancelled);
        }
        let sample = match sample(spec) {
            Ok(sample) if !sample.rows.is_empty() => sample,
            // Steps that do not fit these files are no fault of the files.
            _ if depth < DEPTH => return Ok(()),
            other => other?,
        };
        let usual = spec.with_preset()?.usual_columns;
        if let Some(finder) = Finder::new(&sample, self.levels) {
            let (found, actions) = finder.find(&usual);
            if actions.is_empty() && self.best.is_none() {
                self.reason = "a column names the levels, and none has moves or positions of them".to_owned();
            }
            for actions in actions {
                if self.progress.is_cancelled() {
                    return Err(ProposalError::Cancelled);
                }
                self.try_reading(spec, found.clone().with(&actions));
            }
        }
        if depth > 0 {
            for step in shape::shapes(&sample) {
                let steps = [&spec.steps[..], &[step]].concat();
                self.try_shape(&LogSpec { steps, ..spec.clone() }, depth - 1)?;
            }
        }
        Ok(())
    }

    fn try_reading(&mut self, spec: &LogSpec, found: Found) {
        let Found { steps, columns, events, clock, decimal_comma, path, remarks, .. } = found;
        let spec = LogSpec {
            steps: [&spec.steps[..], &steps].concat(),
            columns,
            events,
            clock,
            decimal_comma,
            path,
            ..spec.clone()
        };
        let trial = match attempt(&spec, self.levels, &Silent) {
            Ok(trial) => trial,
            // A reading that the reader refuses is no proposal.
            Err(error) => return self.reason = error.to_string(),
        };
        if trial.n_moves == 0 {
            let issues = trial.issues();
            let worst = issues.iter().find(|issue| issue.consequence != Consequence::Kept);
            return self.reason = worst.map_or_else(|| "no row is a move".to_owned(), ToString::to_string);
        }
        let candidate = Candidate { spec, title: None, remarks, trial };
        if self.best.as_ref().is_none_or(|best| candidate.score() > best.score()) {
            self.best = Some(candidate);
        }
    }
}

/// Reads and replays.
fn attempt(spec: &LogSpec, levels: &Levels<'_>, progress: &dyn Progress) -> Result<Trial, LogError> {
    let log = read_log(spec, progress)?;
    let replay = replay(&log, 0..log.rows.len(), levels, spec);
    let n_moves = replay.steps.iter().filter(|step| step.played.is_some_and(|played| played.is_legal)).count();
    let n_unused = log.n_rejected + replay.n_rejected + replay.n_excluded;
    Ok(Trial { log, replay, n_moves, n_unused })
}

/// Leaves out actions that change nothing, where that makes more rows moves.
fn without_null_moves(
    spec: LogSpec,
    levels: &Levels<'_>,
    trial: &Trial,
) -> Result<(LogSpec, Option<Remark>), LogError> {
    let is_rejected = |issue: &IssueSummary| issue.consequence == Consequence::Rejected;
    if !trial.issues().iter().any(is_rejected) {
        return Ok((spec, None));
    }
    let other = LogSpec { null_moves: NullMoves::Drop, ..spec.clone() };
    let without = attempt(&other, levels, &Silent)?;
    if without.n_moves <= trial.n_moves {
        return Ok((spec, None));
    }
    let n = without.replay.issues.iter().filter(|issue| issue.code == "null-move").count();
    let reason = format!("{} without effect; a time there becomes part of that of the next move", counted(n, "row"));
    Ok((other, Some(Remark { entry: "null_moves".to_owned(), certainty: Certainty::Likely, reason })))
}

/// The column that by its name holds participants; `id` alone may be that of anything.
pub(crate) fn participant_column<'a>(names: &[&'a str]) -> Option<&'a str> {
    let named = |word: &&str| names.iter().copied().find(|name| plain(name) == **word);
    words::PARTICIPANT.iter().filter(|word| **word != "id").find_map(named)
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
mod tests {
    use super::*;

    #[test]
    fn paths_are_seen_from_the_study() {
        let of = |from: &str, to: &str| relative(Path::new(from), Path::new(to)).display().to_string();
        assert_eq!(of("/a/study", "/a/raw/log.csv"), "../raw/log.csv");
        assert_eq!(of("/a", "/a/log.csv"), "log.csv");
    }
}

#![doc = include_str!("../README.md")]
//! # How a proposal is made
//!
//! [`propose`] reads the first rows of the files, finds the program that wrote them ([`presets`]), how
//! rows must be taken apart, which column names levels, people, moves and times, and in which unit. Each choice is
//! replayed from the starts of the levels, and what gives the most legal moves is proposed; what came second is told.
//! The proposal says of each entry how sure it is and why, and becomes a commented study.toml ([`study_toml`]). A run
//! guesses nothing: it reads that file.

use std::path::PathBuf;

use plymap_puzzles::progress::Progress;
use plymap_puzzles::rules::Rules;
use plymap_statistics::stats::apa::first_of;

use find::Plays;
use plymap_log::{LogError, LogSpec, RepeatedColumns, presets, sample};
use search::Search;
use tried::Tried;

mod find;
mod form;
mod games;
mod narrow;
mod notes;
mod proposal;
mod quoted;
mod search;
mod shape;
mod tried;
mod words;
mod write;

pub use games::{GameLevels, GameProposal, levels_of_games, propose_game, study_name};
pub use write::{NO_QUESTION, QUESTIONS, StudyText, study_toml};

/// Number of columns that a message names where nothing is found, so that it can be read.
const COLUMNS_NAMED: usize = 30;

/// Number of rows that are looked at, of all files together.
const ROWS: u64 = 20_000;
/// Least number of rows that are looked at of each file.
const ROWS_OF_FILE: u64 = 500;
/// Number of files that are looked at, spread over all.
const FILES: usize = 400;

/// Finds out how the `files` may be read as play at these levels, each a name and its rules. With `preset` they are
/// read as that preset says, else as the one that they fit.
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
            let (base, note) = narrow::narrowed(base, whole.columns.len(), &plays)?;
            search.try_files(&base, title, note)
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
    let Some(Tried { spec, mut title, mut notes, trial, mut score, mut next, .. }) = search.best else {
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
    let mut trial = replayed(&spec, levels, progress)?;
    // What fits some rows by chance does not fit all.
    if trial.share() < Proposal::USABLE
        && let Some(other) = next.as_ref().map(|next| of_all(next.spec.clone()))
        && let Ok(tried) = replayed(&other, levels, progress)
        && tried.share() >= Proposal::USABLE
        && tried.n_moves >= trial.n_moves
        && let Some(other_reading) = next.take()
    {
        (spec, trial) = (other, tried);
        (title, notes, score) = (other_reading.title, other_reading.notes, other_reading.score);
    }
    let source = title.unwrap_or_else(|| trial.log.files[0].format.clone());
    notes.extend(notes::files_without_moves(&spec, &trial));
    if let Some(table) = spec.table.as_ref().filter(|_| tables_read.len() > 1) {
        let others = tables_read.iter().filter(|other| *other != table).map(|other| format!("{other:?}"));
        let reason = format!("of several; not read are {}", others.collect::<Vec<_>>().join(", "));
        notes.push(ProposalNote { entry: "table".to_owned(), certainty: Certainty::Ask, reason });
    }
    notes::weigh(&mut notes, &spec, &trial, score, next.as_deref());
    Ok(Proposal { spec, notes, source, trial, score })
}

/// A text about one table of a file, if there are several.
fn in_table(table: Option<&str>, text: &str) -> String {
    table.map_or_else(|| text.to_owned(), |table| format!("of {table:?}: {text}"))
}

/// The log, or each of its tables where a workbook or database has several.
fn tables(plain: &LogSpec) -> Result<Vec<LogSpec>, ProposalError> {
    let lenient = LogSpec { max_rows: Some(1), repeated_columns: Some(RepeatedColumns::Number), ..plain.clone() };
    match sample(&lenient) {
        Err(LogError::NoTable { wanted: None, has, .. }) => {
            let with_table = |table: &String| LogSpec { table: Some(table.clone()), ..plain.clone() };
            let is_used = |spec: &LogSpec| sample(&LogSpec { max_rows: Some(1), ..spec.clone() }).is_ok();
            Ok(has.iter().map(with_table).filter(is_used).collect())
        }
        Err(error) => Err(error.into()),
        Ok(_) => Ok(vec![plain.clone()]),
    }
}

/// With the preset that is named, else that of the program which wrote the files, and its title.
fn with_known_preset(base: LogSpec, named: Option<&str>) -> Result<(LogSpec, Option<String>), ProposalError> {
    let with_preset = |name: &str| LogSpec { preset: Some(name.to_owned()), ..base.clone() };
    if let Some(name) = named {
        let spec = with_preset(name);
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
        Some((name, preset)) => Ok((with_preset(name), Some(preset.about.title.clone()))),
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

#[cfg(test)]
mod tests;

pub use proposal::{Certainty, Proposal, ProposalError, ProposalNote, Trial};
pub use search::replayed;

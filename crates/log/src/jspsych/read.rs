//! The rows of raw files, as text.

use super::imported::{FEEDBACK_TASK, ImportError, Micros};
use crate::file_settings::RepeatedColumns;
use crate::raw::RowDiagnostic;
use crate::read::{for_each_row, sources};
use crate::source::Source;
use crate::spec::LogSpec;
use plymap_expression::is_missing;
use plymap_puzzles::progress::{Progress, Silent};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A raw file.
pub(super) struct RawFile {
    pub path: PathBuf,
    pub name: String,
    pub columns: Columns,
    pub rows: Vec<RawRow>,
}

/// A row; cells that are empty or stand for a missing value are absent.
#[derive(Clone, Debug, Default)]
pub(super) struct RawRow {
    pub line: u64,
    /// Reason why its cells cannot be trusted.
    pub fault: Option<Box<RowDiagnostic>>,
    pub task: Option<String>,
    pub click: Option<String>,
    pub position: Option<String>,
    pub target: Option<String>,
    pub problem: Option<String>,
    pub rt: Option<String>,
    pub elapsed: Option<String>,
    pub participant: Option<String>,
    pub number: Option<String>,
    pub min_moves: Option<String>,
    pub correct: Option<String>,
    /// Duration of the row.
    pub duration: Option<String>,
    /// Duration of its problem.
    pub problem_time: Option<String>,
}

/// Columns by the names of the task as others wrote it, and behind them by those of its first authors and of what
/// stores its rows; the first that a file has counts. The first [`N_NEEDED`] are needed.
const COLUMNS: [&[&str]; 14] = [
    &["task", "trial_id"],
    &["mouse_click"],
    &["current_position"],
    &["tol_target", "target"],
    &["tol_problem_id", "problem_id"],
    &["rt"],
    &["time_elapsed"],
    &["subject_id", "worker_id", "subject", "participant", "uniqueid"],
    &["tol_num_moves_made", "num_moves_made"],
    &["tol_min_moves", "min_moves"],
    &["tol_correct", "correct"],
    &["stim_duration"],
    &["problem_time"],
    &["exp_stage"],
];
const N_NEEDED: usize = 6;

/// Reads the files, sorted by path.
pub(super) fn read_files(files: &[PathBuf], progress: &dyn Progress) -> Result<Vec<RawFile>, ImportError> {
    if files.is_empty() {
        return Err(ImportError::NoFiles);
    }
    let mut files = files.to_vec();
    files.sort();
    let spec = LogSpec { files, repeated_columns: Some(RepeatedColumns::Number), ..LogSpec::default() };
    let sources = sources(&spec, progress)?;
    let mut n_named: HashMap<&OsStr, usize> = HashMap::new();
    sources
        .iter()
        .filter_map(|source| source.file.path.file_name())
        .for_each(|name| *n_named.entry(name).or_default() += 1);
    let mut known: HashMap<&str, usize> = HashMap::new();
    progress.begin("reading raw files", Some(sources.len() as u64));
    let mut raw = Vec::with_capacity(sources.len());
    for (number, source) in sources.iter().enumerate() {
        if progress.is_cancelled() {
            return Err(ImportError::Cancelled);
        }
        let file = read_file(source)?;
        let first = *known.entry(&source.file.sha256).or_insert(number);
        // Several people may have left before the first row.
        if first != number && !file.rows.is_empty() {
            return Err(ImportError::SameFile { path: file.path, first: sources[first].file.path.clone() });
        }
        raw.push(RawFile { name: shown_name(&file.path, &n_named), ..file });
        progress.advance(1);
    }
    progress.end();
    Ok(raw)
}

/// The name of the file, or its whole path if another file has the same name.
fn shown_name(path: &Path, n_named: &HashMap<&OsStr, usize>) -> String {
    match path.file_name() {
        Some(name) if n_named.get(name) == Some(&1) => name.to_string_lossy().into_owned(),
        _ => path.display().to_string(),
    }
}

fn read_file(source: &Source) -> Result<RawFile, ImportError> {
    let path = source.file.path.clone();
    let mut file = RawFile { path, name: String::new(), columns: Columns::default(), rows: Vec::new() };
    if source.is_empty {
        return Ok(file);
    }
    let places = places(source, &mut file.columns.0)?;
    for_each_row(source, &Silent, &mut |row| {
        let cell = |number: usize| {
            let text = row.cells.get(places[number]?)?.as_ref()?.trim();
            (!is_missing(text)).then(|| text.to_owned())
        };
        file.rows.push(RawRow {
            // Arrays may stand on one line.
            line: if source.is_delimited() { row.line } else { file.rows.len() as u64 + 1 },
            task: task(cell(0), cell(13).or(cell(4))),
            click: cell(1),
            position: cell(2),
            target: cell(3),
            problem: cell(4),
            rt: cell(5),
            elapsed: cell(6),
            participant: cell(7),
            number: cell(8),
            min_moves: cell(9),
            correct: cell(10),
            duration: cell(11),
            problem_time: cell(12),
            fault: row.fault,
        });
        Ok(())
    })?;
    Ok(file)
}

/// Place of each of [`COLUMNS`], and its name in the file.
fn places(
    source: &Source,
    names_in_file: &mut [&'static str; COLUMNS.len()],
) -> Result<[Option<usize>; COLUMNS.len()], ImportError> {
    let path = || source.file.path.clone();
    let mut places = [None; COLUMNS.len()];
    for (number, names) in COLUMNS.into_iter().enumerate() {
        let place_of = |name: &str| source.columns.iter().position(|column| column == name);
        let Some((name, place)) = names.iter().find_map(|&name| Some((name, place_of(name)?))) else {
            if number < N_NEEDED {
                let has = source.columns.join(", ");
                let column = names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(" or ");
                return Err(ImportError::MissingColumn { path: path(), column, has });
            }
            continue;
        };
        if place_of(&format!("{name}_2")).is_some() {
            return Err(ImportError::RepeatedColumn { path: path(), column: name });
        }
        (names_in_file[number], places[number]) = (name, Some(place));
    }
    Ok(places)
}

/// The task of a row. Its first authors name it without `tol_`, and tell practice by the stage, or by the problem.
fn task(task: Option<String>, stage: Option<String>) -> Option<String> {
    let task = task?;
    let is_practice = stage.is_some_and(|stage| stage == "practice");
    Some(match task.as_str() {
        "to_hand" | "to_board" if is_practice => "tol_practice".to_owned(),
        "to_hand" => "tol_tohand".to_owned(),
        "to_board" => "tol_toboard".to_owned(),
        "feedback" => FEEDBACK_TASK.to_owned(),
        _ => task,
    })
}

/// The names that [`COLUMNS`] have in a file.
#[derive(Clone, Copy)]
pub(super) struct Columns([&'static str; COLUMNS.len()]);

impl Default for Columns {
    fn default() -> Self {
        Self(COLUMNS.map(|names| names[0]))
    }
}

impl Columns {
    /// The name of a column by the first that it may have.
    pub fn name_of<'a>(&self, column: &'a str) -> &'a str {
        COLUMNS.iter().position(|names| names[0] == column).map_or(column, |number| self.0[number])
    }
}

impl RawRow {
    /// A time in milliseconds: absent if there is none, an error if it is no time.
    pub fn time(cell: Option<&String>) -> Result<Option<Micros>, ()> {
        let Some(text) = cell else { return Ok(None) };
        match text.parse::<f64>() {
            Ok(milliseconds) if (0.0..1e12).contains(&milliseconds) => {
                Ok(Some(Micros((milliseconds * 1e3).round() as i64)))
            }
            _ => Err(()),
        }
    }

    /// As [`RawRow::time`]; absent too if it is no time, such as the -1 of a row without a response.
    pub fn time_if_any(cell: Option<&String>) -> Option<Micros> {
        Self::time(cell).ok().flatten()
    }

    /// A whole number, also written `3.0`.
    pub fn whole(cell: Option<&String>) -> Option<u64> {
        let number: f64 = cell?.parse().ok()?;
        (number.fract() == 0.0 && (0.0..1e15).contains(&number)).then_some(number as u64)
    }
}

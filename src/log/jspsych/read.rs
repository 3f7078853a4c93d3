//! The rows of raw files, as text.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::{ImportError, Micros};
use crate::log::limit::read_whole;
use plymap_puzzles::progress::Progress;

/// A raw file.
pub(super) struct RawFile {
    pub path: PathBuf,
    pub name: String,
    pub rows: Vec<RawRow>,
}

/// A row; cells that are empty or stand for a missing value are absent.
#[derive(Clone, Debug, Default)]
pub(super) struct RawRow {
    pub line: u64,
    /// Number of its fields, where that is not the number of columns.
    pub ragged: Option<usize>,
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
    /// How long the row lasted.
    pub duration: Option<String>,
    /// How long its problem lasted.
    pub problem_time: Option<String>,
}

/// Texts that stand for a missing value, beside the empty one.
const MISSING: [&str; 5] = ["NA", "NaN", "null", "undefined", "None"];

/// Columns that every file has, then those that it may have.
const COLUMNS: [&str; 13] = [
    "task",
    "mouse_click",
    "current_position",
    "tol_target",
    "tol_problem_id",
    "rt",
    "time_elapsed",
    "subject_id",
    "tol_num_moves_made",
    "tol_min_moves",
    "tol_correct",
    "stim_duration",
    "problem_time",
];
const N_NEEDED: usize = 6;

/// Reads the files, sorted by path.
pub(super) fn read_files(files: &[PathBuf], progress: &dyn Progress) -> Result<Vec<RawFile>, ImportError> {
    let mut paths: Vec<&PathBuf> = files.iter().collect();
    paths.sort();
    if paths.is_empty() {
        return Err(ImportError::NoFiles);
    }
    progress.begin("reading raw files", Some(paths.len() as u64));
    let mut seen: HashMap<String, &PathBuf> = HashMap::new();
    let mut raw = Vec::with_capacity(paths.len());
    for path in &paths {
        if progress.is_cancelled() {
            return Err(ImportError::Cancelled);
        }
        let text = read_text(path)?;
        let rows = read_rows(path, &text)?;
        if let Some(first) = seen.insert(text, path) {
            return Err(ImportError::SameFile { path: (*path).clone(), first: first.clone() });
        }
        raw.push(RawFile { path: (*path).clone(), name: shown_name(path, &paths), rows });
        progress.advance(1);
    }
    progress.end();
    Ok(raw)
}

/// The name of the file, or its whole path if another file has the same name.
fn shown_name(path: &Path, paths: &[&PathBuf]) -> String {
    let is_same = |other: &&&PathBuf| other.file_name() == path.file_name();
    match path.file_name() {
        Some(name) if paths.iter().filter(is_same).count() == 1 => name.to_string_lossy().into_owned(),
        _ => path.display().to_string(),
    }
}

fn read_text(path: &Path) -> Result<String, ImportError> {
    let fail = |source| ImportError::Unreadable { path: path.to_owned(), source };
    let mut bytes = std::fs::read(path).map_err(fail)?;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        bytes = read_whole(flate2::read::MultiGzDecoder::new(bytes.as_slice())).map_err(fail)?;
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().filter(|&&byte| byte == b'\n').count() + 1;
        ImportError::NotUtf8 { path: path.to_owned(), line }
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

fn read_rows(path: &Path, text: &str) -> Result<Vec<RawRow>, ImportError> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let fail = |error: csv::Error| ImportError::Unreadable { path: path.to_owned(), source: error.into() };
    let header = reader.headers().map_err(fail)?.clone();
    let mut places = [None; COLUMNS.len()];
    for (number, column) in COLUMNS.into_iter().enumerate() {
        let mut found = (0..header.len()).filter(|&place| header[place].trim() == column);
        places[number] = found.next();
        if found.next().is_some() {
            return Err(ImportError::RepeatedColumn { path: path.to_owned(), column });
        }
        if places[number].is_none() && number < N_NEEDED {
            let has = header.iter().collect::<Vec<_>>().join(", ");
            return Err(ImportError::MissingColumn { path: path.to_owned(), column, has });
        }
    }
    let mut rows = Vec::new();
    let mut lines = Lines { bytes: text.as_bytes(), at: 0, line: 1 };
    for record in reader.records() {
        let record = record.map_err(fail)?;
        lines.advance(record.position().map_or(0, |position| position.byte() as usize));
        let cell = |number: usize| {
            let text = record.get(places[number]?)?.trim();
            (!text.is_empty() && !MISSING.contains(&text)).then(|| text.to_owned())
        };
        rows.push(RawRow {
            line: lines.line,
            ragged: (record.len() != header.len()).then_some(record.len()),
            task: cell(0),
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
        });
    }
    Ok(rows)
}

/// Counts the lines up to a record.
struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The line of the record, as an editor counts.
    line: u64,
}

impl Lines<'_> {
    /// Goes on to the record that is said to start at `byte`. Line ends and blank lines before it are said to belong
    /// to it, and do not.
    fn advance(&mut self, byte: usize) {
        let behind = self.bytes.iter().skip(byte).take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let start = (byte + behind).min(self.bytes.len());
        self.line += self.bytes[self.at.min(start)..start].iter().filter(|&&byte| byte == b'\n').count() as u64;
        self.at = start;
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

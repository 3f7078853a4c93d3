//! Which files `files` of `[log]` stands for.

use std::io;
use std::path::{Path, PathBuf};

use plymap_puzzles::fault::separator_hint;

use super::LogError;
use super::spec::LogSpec;

/// What the names of logs end with, compression aside.
const EXTENSIONS: [&str; 15] = [
    ".csv", ".tsv", ".tab", ".txt", ".ndjson", ".jsonl", ".json", ".parquet", ".pq", ".xlsx", ".xls", ".ods",
    ".sqlite", ".db", ".xes",
];

/// The files of a log in their order: patterns and folders stand for the files in them, in the order of their names.
pub(super) fn expand(spec: &LogSpec) -> Result<Vec<PathBuf>, LogError> {
    let mut files = Vec::new();
    for path in &spec.files {
        let place = spec.folder.join(path);
        let is_pattern = path.to_string_lossy().contains(['*', '?', '[']) && !place.exists();
        let mut found = match () {
            () if is_pattern => matches(path, &place)?,
            () if place.is_dir() => logs_in(path, &place)?,
            () => vec![place],
        };
        found.sort();
        // Shown as the study names them: relative to its folder.
        files.extend(found.into_iter().map(|file| match file.strip_prefix(&spec.folder) {
            Ok(inner) => inner.to_owned(),
            Err(_) => file,
        }));
    }
    Ok(files)
}

fn matches(path: &Path, place: &Path) -> Result<Vec<PathBuf>, LogError> {
    let no_match = |reason: String| LogError::NoMatch { path: path.to_owned(), reason };
    let pattern = place.to_string_lossy();
    let found = glob::glob(&pattern).map_err(|error| no_match(format!("this is no pattern of files: {error}")))?;
    let mut files = Vec::new();
    for file in found {
        let file = file.map_err(|error| no_match(format!("a folder cannot be read: {error}")))?;
        if file.is_file() {
            files.push(file);
        }
    }
    if files.is_empty() {
        return Err(no_match(format!(
            "no file fits the pattern, which starts from the folder of the study{}",
            separator_hint(path, io::ErrorKind::NotFound)
        )));
    }
    Ok(files)
}

fn logs_in(path: &Path, place: &Path) -> Result<Vec<PathBuf>, LogError> {
    let no_match = |reason: String| LogError::NoMatch { path: path.to_owned(), reason };
    let entries = std::fs::read_dir(place).map_err(|error| no_match(format!("the folder cannot be read: {error}")))?;
    let mut files = Vec::new();
    for entry in entries {
        let file = entry.map_err(|error| no_match(format!("the folder cannot be read: {error}")))?.path();
        let name = file.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
        let name = super::source::unpacked_name(&name);
        let is_log = EXTENSIONS.iter().any(|extension| name.ends_with(extension));
        if is_log && !name.starts_with('.') && file.is_file() {
            files.push(file);
        }
    }
    if files.is_empty() {
        return Err(no_match(format!("the folder has no log in it; logs end in {}", EXTENSIONS.join(", "))));
    }
    Ok(files)
}

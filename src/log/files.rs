//! Which files `files` of `[log]` stands for.

use std::io;
use std::path::{Path, PathBuf};

use plymap_puzzles::fault::separator_hint;

use super::LogError;
use super::archive::is_archive;
use super::spec::LogSpec;

/// What the names of logs end with, compression aside.
pub(super) const EXTENSIONS: [&str; 16] = [
    ".csv", ".tsv", ".tab", ".txt", ".ndjson", ".jsonl", ".json", ".parquet", ".pq", ".xlsx", ".xls", ".ods",
    ".sqlite", ".db", ".xes", ".xpd",
];

/// What describes a data set of BIDS or Psych-DS, in its folder.
const DESCRIPTION: &str = "dataset_description.json";

/// What the names of files with data end with in such a data set.
const DATA: [&str; 4] = ["_beh.tsv", "_events.tsv", "_data.csv", "_data.tsv"];

/// What texts about data are called, whatever they end with.
const ABOUT: [&str; 4] = ["readme", "license", "licence", "changelog"];

/// Folders of a data set whose files are made of others, or are none of its form.
const ASIDE: [&str; 4] = ["derivatives", "sourcedata", "code", "phenotype"];

/// The files of a log in their order: patterns and folders stand for the files in them, in the order of their names.
pub(super) fn expand(spec: &LogSpec) -> Result<Vec<PathBuf>, LogError> {
    let mut files = Vec::new();
    for path in &spec.files {
        let place = spec.folder.join(path);
        let is_pattern = path.to_string_lossy().contains(['*', '?', '[']) && !place.exists();
        let mut found = match () {
            () if is_pattern => matches(path, &place)?,
            () if place.join(DESCRIPTION).is_file() => logs_of_data_set(path, &place)?,
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
        files.extend(Some(file).filter(|file| file.is_file()));
    }
    let archives: Vec<PathBuf> = files.iter().filter(|file| is_archive(file)).cloned().collect();
    let logs = logs_with_data(files);
    match (logs.is_empty(), archives.is_empty()) {
        (false, _) => Ok(logs),
        // Beside logs they may hold the same once more.
        (true, false) => Ok(archives),
        (true, true) => Err(no_match(format!("the folder has no log in it; logs end in {}", EXTENSIONS.join(", ")))),
    }
}

/// Those of the files of an archive that are logs, whatever their folders.
pub(super) fn logs_among(mut files: Vec<PathBuf>) -> Vec<PathBuf> {
    let root = files.iter().find(|file| file.ends_with(DESCRIPTION)).and_then(|file| file.parent()).map(Path::to_owned);
    if let Some(root) = root {
        let is_aside = |inner: &Path| ASIDE.iter().any(|folder| inner.starts_with(folder));
        files.retain(|file| {
            let inner = file.strip_prefix(&root).ok().filter(|inner| !is_aside(inner));
            inner.is_some_and(|inner| DATA.iter().any(|end| lower_name(inner).ends_with(end)))
        });
    }
    let is_hidden = |folder: &str| folder.starts_with('.') || folder == "__MACOSX";
    files.retain(|file| !file.iter().any(|folder| is_hidden(&folder.to_string_lossy())));
    logs_with_data(files)
}

/// Those of the files that hold rows, by their names.
fn logs_with_data(mut files: Vec<PathBuf>) -> Vec<PathBuf> {
    files.retain(|file| {
        let name = lower_name(file);
        is_log(file)
            && !is_archive(file)
            && !name.starts_with('.')
            && !ABOUT.contains(&name.split('.').next().unwrap_or_default())
    });
    // JSON beside a table of the same name describes its columns.
    let tables: Vec<PathBuf> = files.iter().filter(|file| !is_json(file)).map(|file| stem(file)).collect();
    files.retain(|file| !is_json(file) || !tables.contains(&stem(file)));
    files
}

/// The name of a file in small letters, without what compression adds to it.
fn lower_name(file: &Path) -> String {
    let name = file.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    super::source::unpacked_name(&name).to_owned()
}

/// Whether a file is a table or a log, or an archive of such, by its name.
pub(crate) fn is_log(file: &Path) -> bool {
    let name = lower_name(file);
    is_archive(file) || EXTENSIONS.iter().any(|extension| name.ends_with(extension))
}

fn is_json(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// The path without what tells format and compression.
fn stem(file: &Path) -> PathBuf {
    let name = file.to_string_lossy();
    let name = super::source::unpacked_name(&name);
    Path::new(name).with_extension("")
}

/// The files with data of a data set in its form, whatever their folders; what stands beside them describes it.
fn logs_of_data_set(path: &Path, place: &Path) -> Result<Vec<PathBuf>, LogError> {
    let no_match = |reason: String| LogError::NoMatch { path: path.to_owned(), reason };
    let mut files = Vec::new();
    let mut folders = vec![place.to_owned()];
    while let Some(folder) = folders.pop() {
        let unreadable = |error: io::Error| no_match(format!("a folder cannot be read: {error}"));
        for entry in std::fs::read_dir(&folder).map_err(unreadable)? {
            let file = entry.map_err(unreadable)?.path();
            let name = file.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
            if name.starts_with('.') {
                continue;
            }
            if file.is_dir() {
                let is_aside = folder == place && ASIDE.contains(&name.as_str());
                folders.extend(Some(file).filter(|_| !is_aside));
            } else if DATA.iter().any(|end| lower_name(&file).ends_with(end)) {
                files.push(file);
            }
        }
    }
    if files.is_empty() {
        let ends = DATA.join(", ");
        return Err(no_match(format!("the data set has no file whose name ends in {ends}; name its files one by one")));
    }
    Ok(files)
}

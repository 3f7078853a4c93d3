//! Files that `files` of `[log]` stands for.

use super::error::LogError;
use super::file_format::is_archive;
use super::spec::LogSpec;
use plymap_puzzles::diagnostic::separator_hint;
use std::collections::HashSet;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Extensions of logs, compression aside.
pub(super) const EXTENSIONS: [&str; 16] = [
    ".csv", ".tsv", ".tab", ".txt", ".ndjson", ".jsonl", ".json", ".parquet", ".pq", ".xlsx", ".xls", ".ods",
    ".sqlite", ".db", ".xes", ".xpd",
];

/// Name of the description of a data set of BIDS or Psych-DS.
const DESCRIPTION: &str = "dataset_description.json";

/// Ends of the names of files with data in such a data set.
const DATA: [&str; 4] = ["_beh.tsv", "_events.tsv", "_data.csv", "_data.tsv"];

/// Names of texts about data, whatever their extension.
const ABOUT: [&str; 4] = ["readme", "license", "licence", "changelog"];

/// Folders of a data set whose files are made of others, or are none of its form.
const ASIDE: [&str; 4] = ["derivatives", "sourcedata", "code", "phenotype"];

/// A file of a log, as the study names it: relative to its folder.
pub(super) struct Found {
    pub path: PathBuf,
    /// Files beside it that are no logs, with the first file of each folder that the study names.
    pub left_out: Vec<String>,
}

/// The files of a log in their order: patterns and folders stand for the files in them, in the order of their names.
pub(super) fn expand(spec: &LogSpec) -> Result<Vec<Found>, LogError> {
    let mut files = Vec::new();
    for path in &spec.files {
        let place = spec.folder.join(path);
        let is_pattern = path.to_string_lossy().contains(['*', '?', '[']) && !place.exists();
        let (mut listed, mut left_out) = match () {
            () if is_pattern => (matches(path, &place)?, Vec::new()),
            () if place.is_dir() => logs_in(path, &place)?,
            () => (vec![place], Vec::new()),
        };
        listed.sort();
        files.extend(listed.into_iter().map(|file| Found {
            path: file.strip_prefix(&spec.folder).map(Path::to_owned).unwrap_or(file),
            left_out: std::mem::take(&mut left_out),
        }));
    }
    Ok(files)
}

fn matches(path: &Path, place: &Path) -> Result<Vec<PathBuf>, LogError> {
    let no_match = |reason: String| LogError::NoMatch { path: path.to_owned(), reason };
    let pattern = place.to_string_lossy();
    let matches = glob::glob(&pattern).map_err(|error| no_match(format!("this is no pattern of files: {error}")))?;
    let mut files = Vec::new();
    for file in matches {
        let file = file.map_err(|error| no_match(format!("a folder cannot be read: {error}")))?;
        // By an option of the pattern, names that are no UTF-8 would end the program.
        if file.is_file() && n_hidden(&file) <= n_hidden(place) {
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

/// The logs of a folder, and the names of its other files but for hidden ones; of a data set in its form all that it
/// holds, whatever their folders.
fn logs_in(path: &Path, place: &Path) -> Result<(Vec<PathBuf>, Vec<String>), LogError> {
    let no_match = |reason: String| LogError::NoMatch { path: path.to_owned(), reason };
    let is_data_set = place.join(DESCRIPTION).is_file();
    let mut files = Vec::new();
    let listed = files_in(place, Path::new(""), is_data_set, &mut files);
    listed.map_err(|error| no_match(format!("the folder cannot be read: {error}")))?;
    files.sort();
    let mut logs = logs_among(files.clone());
    if logs.is_empty() {
        // Beside logs they may hold the same once more.
        logs.extend(files.iter().filter(|file| is_archive(file)).cloned());
    }
    if logs.is_empty() {
        return Err(no_match(match is_data_set {
            true => {
                format!("the data set has no file whose name ends in {}; name its files one by one", DATA.join(", "))
            }
            false => format!("the folder has no log in it; logs end in {}", EXTENSIONS.join(", ")),
        }));
    }
    Ok((logs.iter().map(|log| place.join(log)).collect(), left_out(&files, &logs)))
}

/// The names of the files that are none of the logs among them.
fn left_out(files: &[PathBuf], logs: &[PathBuf]) -> Vec<String> {
    let log_set: HashSet<&PathBuf> = logs.iter().collect();
    files.iter().filter(|file| !log_set.contains(file)).map(|file| file.display().to_string()).collect()
}

/// Adds the files of a folder that are not hidden, by their paths in `place`.
fn files_in(place: &Path, inner: &Path, is_deep: bool, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(place.join(inner))? {
        let file = inner.join(entry?.file_name());
        let place_of_file = place.join(&file);
        if file.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')) {
            continue;
        }
        if place_of_file.is_file() {
            files.push(file);
        } else if is_deep && place_of_file.is_dir() {
            files_in(place, &file, is_deep, files)?;
        }
    }
    Ok(())
}

/// Those of the files of an archive or folder that are logs, whatever their folders in it.
pub(super) fn logs_among(mut files: Vec<PathBuf>) -> Vec<PathBuf> {
    let descriptions = files.iter().filter(|file| file.ends_with(DESCRIPTION)).filter_map(|file| file.parent());
    // A data set may hold others that were made of it.
    if let Some(root) = descriptions.min_by_key(|folder| folder.iter().count()).map(Path::to_owned) {
        files.retain(|file| {
            let inner = file.strip_prefix(&root).ok().filter(|inner| !is_aside(inner));
            inner.is_some_and(|inner| DATA.iter().any(|end| lower_name(inner).ends_with(end)))
        });
    }
    files.retain(|file| !file.iter().any(|folder| is_hidden(&folder.to_string_lossy())));
    logs_with_data(files)
}

/// Number of hidden parts of a path, which a pattern has to name as such.
fn n_hidden(path: &Path) -> usize {
    let names = path.components().filter(|part| matches!(part, Component::Normal(_)));
    names.filter(|name| name.as_os_str().to_string_lossy().starts_with('.')).count()
}

fn is_hidden(folder: &str) -> bool {
    folder.starts_with('.') || folder == "__MACOSX"
}

fn is_aside(inner: &Path) -> bool {
    ASIDE.iter().any(|folder| inner.starts_with(folder))
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
    let tables: HashSet<PathBuf> = files.iter().filter(|file| !is_json(file)).map(|file| stem(file)).collect();
    files.retain(|file| !is_json(file) || !tables.contains(&stem(file)));
    files
}

/// The name of a file in small letters, without what compression adds to it.
fn lower_name(file: &Path) -> String {
    let name = file.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    super::file_format::unpacked_name(&name).to_owned()
}

/// `true` if a file is a table or a log, or an archive of such, by its name.
pub fn is_log(file: &Path) -> bool {
    let name = lower_name(file);
    is_archive(file) || EXTENSIONS.iter().any(|extension| name.ends_with(extension))
}

fn is_json(file: &Path) -> bool {
    lower_name(file).ends_with(".json")
}

/// The path without what tells format and compression.
fn stem(file: &Path) -> PathBuf {
    let name = file.to_string_lossy();
    let name = super::file_format::unpacked_name(&name);
    Path::new(name).with_extension("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_hidden_files_where_they_name_them() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["a.csv", ".b.csv", "raw/c.csv", ".removed/1/d.csv", ".hidden/raw/e.csv"] {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        for (folder, pattern, fitting) in [
            (folder.path().to_owned(), "**/*.csv", &["a.csv", "raw/c.csv"][..]),
            (folder.path().to_owned(), ".removed/*/*.csv", &[".removed/1/d.csv"]),
            (folder.path().to_owned(), ".*.csv", &[".b.csv"]),
            (folder.path().join(".hidden"), "**/*.csv", &["raw/e.csv"]),
        ] {
            let spec = LogSpec { folder, files: vec![pattern.into()], ..LogSpec::default() };
            let found: Vec<PathBuf> = expand(&spec).unwrap().into_iter().map(|found| found.path).collect();
            assert_eq!(found, fitting.iter().map(PathBuf::from).collect::<Vec<_>>(), "{pattern}");
        }
    }

    /// Compared one by one, these names would be compared ten thousand million times.
    #[test]
    fn as_many_files_as_a_study_on_the_web_has_are_told_apart() {
        const N: usize = 100_000;
        let names = ["csv", "json", "txt.bak"].map(|end| (0..N).map(move |person| format!("P{person:06}.{end}")));
        let mut files: Vec<PathBuf> = names.into_iter().flatten().map(PathBuf::from).collect();
        files.sort();
        let logs = logs_among(files.clone());
        assert_eq!((logs.len(), &logs[N - 1]), (N, &PathBuf::from("P099999.csv")), "JSON beside a table describes it");
        let left_out = left_out(&files, &logs);
        assert_eq!((left_out.len(), left_out[0].as_str()), (2 * N, "P000000.json"));
    }
}

//! Units of columns in JSON files beside a log, as BIDS and Psych-DS have them (the BIDS inheritance principle: a file
//! counts for all logs in its folder and below whose names have all of its `key-value` parts and end as it does).

use super::error::LogError;
use super::file_format::unpacked_name;
use super::file_settings::Unit;
use super::pattern::entities;
use plymap_puzzles::foreign::read_text;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// Number of folders up in which sidecars are looked for: session, modality and subject lie between a log and its
/// dataset.
const LEVELS_UP: usize = 4;

/// The file that describes a whole dataset, and lies at its top.
const DATASET: &str = "dataset_description.json";

/// The sidecars of folders, each folder listed and each sidecar read once, however many logs there are.
#[derive(Debug, Default)]
pub(super) struct Sidecars {
    folders: HashMap<PathBuf, Folder>,
    units_by_file: HashMap<PathBuf, BTreeMap<String, Unit>>,
}

/// The `key-value` parts of the name of a file.
type Parts = BTreeSet<(String, String)>;

/// The JSON files of a folder.
#[derive(Debug, Default)]
struct Folder {
    /// By the end of their names and the `key-value` parts; all that may be about the same log, in their order.
    files: HashMap<(String, Parts), Vec<PathBuf>>,
    /// The file that describes the whole dataset, where it lies here.
    dataset: Option<PathBuf>,
}

impl Sidecars {
    /// The units of columns that are told beside the file at `place`; nearer files count before others. One that is no
    /// JSON is refused: without it times might be read in a wrong unit.
    pub(super) fn units(&mut self, place: &Path) -> Result<BTreeMap<String, Unit>, LogError> {
        let mut units = BTreeMap::new();
        for file in self.files(place) {
            if !self.units_by_file.contains_key(&file) {
                let is_dataset = file.file_name().is_some_and(|name| name == DATASET);
                let units = if is_dataset { of_dataset(&file)? } else { read(&file)? };
                self.units_by_file.insert(file.clone(), units);
            }
            for (column, unit) in &self.units_by_file[&file] {
                units.entry(column.clone()).or_insert(*unit);
            }
        }
        Ok(units)
    }

    /// The sidecars of the file at `place`, the nearest first.
    pub(super) fn files(&mut self, place: &Path) -> Vec<PathBuf> {
        let mut sidecars = Vec::new();
        let name = name_of(place);
        let name = unpacked_name(&name).rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem).to_owned();
        for folder in place.ancestors().skip(1).take(LEVELS_UP) {
            let known = self.folders.entry(folder.to_owned()).or_insert_with(|| Folder::list(folder));
            sidecars.extend(known.about(&name));
            if let Some(dataset) = &known.dataset {
                sidecars.push(dataset.clone());
                break;
            }
        }
        sidecars
    }
}

/// So many `key-value` parts have names at most, as far as sidecars are about them.
const MOST_PARTS: usize = 12;

impl Folder {
    fn list(folder: &Path) -> Self {
        let mut units = Self::default();
        let dataset = folder.join(DATASET);
        units.dataset = dataset.exists().then_some(dataset);
        for file in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path()) {
            let name = name_of(&file);
            let Some(name) = name.strip_suffix(".json") else { continue };
            let parts = entities(name).into_iter().collect();
            units.files.entry((suffix(name), parts)).or_default().push(file);
        }
        units
    }

    /// Those about a log: they end as its name does, and have no `key-value` part that it has not.
    fn about(&self, log: &str) -> Vec<PathBuf> {
        let parts: Parts = entities(log).into_iter().take(MOST_PARTS).collect();
        let end = suffix(log);
        let mut paths: Vec<PathBuf> = match 1_usize << parts.len() {
            // Whichever are fewer: the sets of its parts, or the sidecars.
            n_sets if n_sets < self.files.len() => {
                let of_set = |set: usize| {
                    let chosen = parts.iter().enumerate().filter(|(place, _)| set >> place & 1 == 1);
                    self.files.get(&(end.clone(), chosen.map(|(_, part)| part.clone()).collect()))
                };
                (0..n_sets).filter_map(of_set).flatten().cloned().collect()
            }
            _ => {
                let is_about =
                    |(last_name, their_parts): &&(String, Parts)| *last_name == end && their_parts.is_subset(&parts);
                let fitting = self.files.keys().filter(is_about);
                fitting.flat_map(|key| &self.files[key]).cloned().collect()
            }
        };
        // The name with the most parts is the one that is most about this log.
        paths.sort_by_key(|file| (std::cmp::Reverse(name_of(file).len()), name_of(file)));
        paths
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// End of a name, behind its `key-value` parts.
fn suffix(name: &str) -> String {
    name.rsplit('_').next().unwrap_or_default().to_owned()
}

fn json(file: &Path) -> Result<Value, LogError> {
    let failed = |reason: String| LogError::Sidecar { path: file.to_owned(), reason };
    let text = read_text(file).map_err(|error| failed(error.to_string()))?;
    serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| failed(format!("it is no JSON: {error}")))
}

fn read(file: &Path) -> Result<BTreeMap<String, Unit>, LogError> {
    let Value::Object(columns) = json(file)? else { return Ok(BTreeMap::new()) };
    Ok(columns
        .iter()
        .filter_map(|(column, described)| Some((column.clone(), unit(described.get("Units")?)?)))
        .collect())
}

/// Description of a variable in Psych-DS, in the words of schema.org.
fn of_dataset(file: &Path) -> Result<BTreeMap<String, Unit>, LogError> {
    let dataset = json(file)?;
    let variables = dataset.get("variableMeasured").and_then(Value::as_array);
    let entry = |variable: &Value| Some((variable.get("name")?.as_str()?.to_owned(), unit(variable.get("unitText")?)?));
    Ok(variables.into_iter().flatten().filter_map(entry).collect())
}

fn unit(text: &Value) -> Option<Unit> {
    let name = text.as_str()?.trim().to_lowercase();
    let long = [("second", "s"), ("sec", "s"), ("millisecond", "ms"), ("msec", "ms"), ("microsecond", "us")];
    let singular = name.trim_end_matches('s');
    Unit::from_name(&name).or_else(|| {
        let (_, short) = long.into_iter().find(|(long, _)| *long == singular)?;
        Unit::from_name(short)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_inherited_from_above() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("sub-01/beh");
        std::fs::create_dir_all(&folder).unwrap();
        let write = |path: &str, text: &str| std::fs::write(root.path().join(path), text).unwrap();
        write("dataset_description.json", "{}");
        write("task-rush_beh.json", r#"{"rt": {"Units": "ms"}, "onset": {"Units": "milliseconds"}}"#);
        write("task-rush_events.json", r#"{"rt": {"Units": "ns"}}"#);
        write("sub-01/beh/sub-01_task-rush_beh.json", r#"{"rt": {"Units": "s"}, "move": {"Units": "cells"}}"#);
        let units = |path: PathBuf| Sidecars::default().units(&path);
        let read = units(folder.join("sub-01_task-rush_beh.tsv")).unwrap();
        let expected = [("onset", Unit::Milliseconds), ("rt", Unit::Seconds)];
        assert_eq!(read, expected.map(|(name, unit)| (name.to_owned(), unit)).into());
        assert_eq!(units(root.path().join("sub-01/beh/sub-01_task-other_beh.tsv")).unwrap(), BTreeMap::new());
        write("task-other_beh.json", r#"{"rt": {"Units": "ms""#);
        let said = units(folder.join("sub-01_task-other_beh.tsv")).unwrap_err().to_string();
        assert!(said.contains("task-other_beh.json: ") && said.contains("it is no JSON"), "{said}");
    }

    /// By the sets of the parts of its name, or by all sidecars, whichever are fewer.
    #[test]
    fn a_log_among_many_has_the_sidecars_that_it_has_alone() {
        let root = tempfile::tempdir().unwrap();
        let write = |name: &str| std::fs::write(root.path().join(name), "{}").unwrap();
        let names = |sidecars: &mut Sidecars, log: &str| -> Vec<String> {
            sidecars.files(&root.path().join(log)).iter().map(|file| name_of(file)).collect()
        };
        for name in
            ["beh.json", "task-rush_beh.json", "sub-7_task-rush_beh.json", "sub-7_beh.json", "sub-7_events.json"]
        {
            write(name);
        }
        let few = names(&mut Sidecars::default(), "sub-7_task-rush_beh.tsv.gz");
        assert_eq!(few, ["sub-7_task-rush_beh.json", "task-rush_beh.json", "sub-7_beh.json", "beh.json"]);
        (100..200).for_each(|number| write(&format!("sub-{number}_task-rush_beh.json")));
        let mut many = Sidecars::default();
        assert_eq!(names(&mut many, "sub-7_task-rush_beh.tsv.gz"), few);
        assert_eq!(names(&mut many, "sub-150_task-rush_beh.tsv")[0], "sub-150_task-rush_beh.json");
        write("task-rush_task-rush_beh.json");
        assert_eq!(names(&mut many, "sub-7_task-rush_beh.tsv.gz"), few, "folders are listed once");
    }
}

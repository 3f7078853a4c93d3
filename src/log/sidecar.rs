//! Units of columns in JSON files beside a log, as BIDS and Psych-DS have them (the BIDS inheritance principle: a file counts for all logs
//! in its folder and below whose names have all of its `key-value` parts and end as it does).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use plymap_puzzles::foreign::read_text;
use serde_json::Value;

use super::LogError;
use super::pattern::entities;
use super::source::unpacked_name;
use super::spec::Unit;

/// How many folders up sidecars are looked for: session, modality and subject lie between a log and its dataset.
const LEVELS_UP: usize = 4;

/// The file that describes a whole dataset, and lies at its top.
const DATASET: &str = "dataset_description.json";

/// The units of columns that are told beside the file at `place`; nearer files count before others. One that is no JSON is
/// refused: without it times might be read in a wrong unit.
pub(super) fn units(place: &Path) -> Result<BTreeMap<String, Unit>, LogError> {
    let mut units = BTreeMap::new();
    for file in files(place) {
        let is_dataset = file.file_name().is_some_and(|name| name == DATASET);
        for (column, unit) in if is_dataset { of_dataset(&file)? } else { read(&file)? } {
            units.entry(column).or_insert(unit);
        }
    }
    Ok(units)
}

/// The sidecars of the file at `place`, the nearest first.
pub(super) fn files(place: &Path) -> Vec<PathBuf> {
    let mut sidecars = Vec::new();
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let own = name(place);
    let own = unpacked_name(&own).rsplit_once('.').map_or(own.as_str(), |(stem, _)| stem).to_owned();
    for folder in place.ancestors().skip(1).take(LEVELS_UP) {
        let mut files: Vec<_> =
            std::fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path()).collect();
        // The name with the most parts is the one that is most about this log.
        files.sort_by_key(|file| (std::cmp::Reverse(name(file).len()), name(file)));
        files.retain(|file| name(file).strip_suffix(".json").is_some_and(|name| is_about(name, &own)));
        sidecars.extend(files);
        let dataset = folder.join(DATASET);
        if dataset.exists() {
            sidecars.push(dataset);
            break;
        }
    }
    sidecars
}

/// Whether a sidecar of this name is about a log of that name.
fn is_about(sidecar: &str, log: &str) -> bool {
    let suffix = |name: &str| name.rsplit('_').next().map(str::to_owned);
    let of_log = entities(log);
    suffix(sidecar) == suffix(log) && entities(sidecar).iter().all(|entity| of_log.contains(entity))
}

fn json(file: &Path) -> Result<Value, LogError> {
    let failed = |reason: String| LogError::Sidecar { path: file.to_owned(), reason };
    let text = read_text(file).map_err(|error| failed(error.to_string()))?;
    serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| failed(format!("it is no JSON: {error}")))
}

fn read(file: &Path) -> Result<BTreeMap<String, Unit>, LogError> {
    let Value::Object(columns) = json(file)? else { return Ok(BTreeMap::new()) };
    Ok(columns.iter().filter_map(|(column, told)| Some((column.clone(), unit(told.get("Units")?)?))).collect())
}

/// What Psych-DS says of its variables, in the words of schema.org.
fn of_dataset(file: &Path) -> Result<BTreeMap<String, Unit>, LogError> {
    let dataset = json(file)?;
    let variables = dataset.get("variableMeasured").and_then(Value::as_array);
    let of = |told: &Value| Some((told.get("name")?.as_str()?.to_owned(), unit(told.get("unitText")?)?));
    Ok(variables.into_iter().flatten().filter_map(of).collect())
}

fn unit(told: &Value) -> Option<Unit> {
    let name = told.as_str()?.trim().to_lowercase();
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
        let found = units(&folder.join("sub-01_task-rush_beh.tsv")).unwrap();
        let expected = [("onset", Unit::Milliseconds), ("rt", Unit::Seconds)];
        assert_eq!(found, expected.map(|(name, unit)| (name.to_owned(), unit)).into());
        assert_eq!(units(&root.path().join("sub-01/beh/sub-01_task-other_beh.tsv")).unwrap(), BTreeMap::new());
        write("task-other_beh.json", r#"{"rt": {"Units": "ms""#);
        let said = units(&folder.join("sub-01_task-other_beh.tsv")).unwrap_err().to_string();
        assert!(said.contains("task-other_beh.json: ") && said.contains("it is no JSON"), "{said}");
    }
}

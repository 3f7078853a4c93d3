//! What a preregistration fixes: the settings of a study and its files of levels, by which a later run is compared with it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use plymap_documents::{Part, Run};
use plymap_tables::{failed, regular};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::error::PreregistrationError;
use super::manifest::Manifest;
use super::page::{Section, generated_by};

/// `[preregistration]`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PreregistrationFile {
    /// The file that `plymap preregister` wrote, with which a run compares the study.
    pub file: PathBuf,
}

/// The section of a report that says what departs from a preregistration.
pub const PREREGISTRATION: &str = "preregistration";

/// Sections and entries of a study that a preregistration does not fix: how results look, where files lie, what is asked of
/// other commands.
const NOT_FIXED: [&str; 14] = [
    "figures",
    "levels.files",
    "log.files",
    "map.cache",
    "output",
    "preregistration",
    "report",
    "search",
    "strategy",
    "study.claims",
    "study.description",
    "study.name",
    "study.title",
    "tournament",
];

/// Settings and levels as they were registered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Preregistration {
    /// Program and version that wrote it.
    pub generated_by: String,
    /// Name of the study.
    pub study: String,
    /// Values of all settings, by their paths such as `statistics.confidence`.
    pub settings: BTreeMap<String, Value>,
    /// SHA-256 of the files of levels and rules, by their paths from the study.
    pub files: BTreeMap<String, String>,
    /// SHA-256 of the settings and files as compact JSON.
    pub sha256: String,
}

/// A setting that is not as it was registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Departure {
    /// Path of the setting, or of the file.
    pub key: String,
    /// Registered value; absent where there was none.
    pub registered: Option<String>,
    /// Value now; absent where there is none.
    pub now: Option<String>,
}

impl Preregistration {
    /// The registration of a study with this manifest, before there are data. These inputs of it are not fixed: the study
    /// itself, whose settings are, its claims, an earlier registration.
    pub fn new(manifest: &Manifest, free_inputs: &[String]) -> Self {
        let mut settings = BTreeMap::new();
        flatten("", &manifest.study, &mut settings);
        let files = manifest.inputs.iter().filter(|entry| !free_inputs.contains(&entry.path));
        let files: BTreeMap<String, String> = files.map(|entry| (entry.path.clone(), entry.sha256.clone())).collect();
        let sha256 = sha256_of(&settings, &files);
        let study = manifest.study["study"]["name"].as_str().unwrap_or_default().to_owned();
        Self { generated_by: generated_by(), study, settings, files, sha256 }
    }

    /// Reads a registration.
    ///
    /// # Errors
    /// A file that cannot be read, that is none, or that was changed.
    pub fn read(path: &Path) -> Result<Self, PreregistrationError> {
        let text = regular::read(path).map_err(failed("read", path))?;
        let read: Self = serde_json::from_slice(&text)
            .map_err(|error| PreregistrationError::Unreadable { path: path.to_owned(), reason: error.to_string() })?;
        if read.sha256 != sha256_of(&read.settings, &read.files) {
            return Err(PreregistrationError::Changed { path: path.to_owned() });
        }
        Ok(read)
    }

    /// Writes the registration as JSON.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), PreregistrationError> {
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        Ok(fs::write(path, text).map_err(failed("write", path))?)
    }

    /// The settings and files of `now` that are not as registered here, in the order of their paths.
    pub fn departures(&self, now: &Self) -> Vec<Departure> {
        let settings = differences(&self.settings, &now.settings, departures_of_setting);
        let files = differences(&self.files, &now.files, |path, registered, now| {
            let hash = |sha256: &String| format!("sha256 {sha256}");
            vec![Departure { key: format!("file {path}"), registered: registered.map(hash), now: now.map(hash) }]
        });
        settings.into_iter().chain(files).collect()
    }

    /// Returns true if a list of settings was registered with this entry; a name that it has does not count.
    pub fn has_entry(&self, list: &str, entry: &Value) -> bool {
        let unnamed = |entry: &Value| entry.get("test").unwrap_or(entry).clone();
        self.settings.get(list).is_some_and(|items| entries(items).any(|item| unnamed(item) == unnamed(entry)))
    }

    /// Says how many settings and files depart from the registration in `file`.
    pub fn summary(&self, file: &str, now: &Self) -> String {
        match self.departures(now).len() {
            0 => format!("Nothing departs from the preregistration {file}."),
            1 => format!("1 entry departs from the preregistration {file}."),
            n => format!("{n} entries depart from the preregistration {file}."),
        }
    }

    /// The section of a report that says what departs from the registration in `file`.
    pub fn section(&self, file: &str, now: &Self) -> Section {
        let departures = self.departures(now);
        let head = match departures.len() {
            0 => format!(
                "{} All {} settings and {} files of levels are as registered (sha256 {}).",
                self.summary(file, now),
                self.settings.len(),
                self.files.len(),
                self.sha256
            ),
            _ => format!("{} Its sha256 is {}.", self.summary(file, now), self.sha256),
        };
        let said = departures.iter().map(Departure::sentence);
        Section {
            id: PREREGISTRATION.to_owned(),
            heading: "Preregistration".to_owned(),
            paragraphs: std::iter::once(head).chain(said).collect(),
            ..Section::default()
        }
    }
}

impl Departure {
    /// Says what departs.
    fn sentence(&self) -> String {
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "not set".to_owned());
        format!("{}: registered {}; now {}.", self.key, value(&self.registered), value(&self.now))
    }
}

/// The entries that differ between two maps, as `departures_of` says for each.
fn differences<V: PartialEq>(
    registered: &BTreeMap<String, V>,
    now: &BTreeMap<String, V>,
    departures_of: impl Fn(&str, Option<&V>, Option<&V>) -> Vec<Departure>,
) -> Vec<Departure> {
    let keys: BTreeSet<&String> = registered.keys().chain(now.keys()).collect();
    let pairs = keys.into_iter().map(|key| (key, registered.get(key), now.get(key)));
    pairs
        .filter(|(_, registered, now)| registered != now)
        .flat_map(|(key, before, now)| departures_of(key, before, now))
        .collect()
}

/// How a setting departs. Of a list of tables, such as hypotheses and exclusions, each entry that only one of both has departs
/// by itself, wherever it stands.
fn departures_of_setting(key: &str, registered: Option<&Value>, now: Option<&Value>) -> Vec<Departure> {
    let both = || [registered, now].into_iter().flatten();
    let mut pairs = vec![(registered, now)];
    if both().all(Value::is_array) && both().flat_map(entries).any(Value::is_object) {
        let mut added: Vec<&Value> = now.into_iter().flat_map(entries).collect();
        let mut removed: Vec<&Value> = registered.into_iter().flat_map(entries).collect();
        removed.retain(|one| added.iter().position(|other| other == one).map(|place| added.remove(place)).is_none());
        // Lists that differ in nothing but their order depart as a whole.
        if !(removed.is_empty() && added.is_empty()) {
            let places = 0..removed.len().max(added.len());
            pairs = places.map(|place| (removed.get(place).copied(), added.get(place).copied())).collect();
        }
    }
    let departure = |(registered, now): (Option<&Value>, Option<&Value>)| Departure {
        key: key.to_owned(),
        registered: registered.map(as_in_study),
        now: now.map(as_in_study),
    };
    pairs.into_iter().map(departure).collect()
}

/// The entries of a setting that is a list.
fn entries(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// A value as study.toml writes it.
fn as_in_study(value: &Value) -> String {
    toml::Value::try_from(value).map_or_else(|_| value.to_string(), |value| value.to_string())
}

/// Adds the values of a tree of settings by their paths. A list is one value, for its order counts.
fn flatten(path: &str, value: &Value, settings: &mut BTreeMap<String, Value>) {
    if NOT_FIXED.contains(&path) {
        return;
    }
    let inner = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match value {
        Value::Object(entries) => entries.iter().for_each(|(key, value)| flatten(&inner(key), value, settings)),
        Value::Null => {}
        value => drop(settings.insert(path.to_owned(), without_nulls(value))),
    }
}

/// A value without the entries that are not set.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(without_nulls).collect(),
        Value::Object(entries) => {
            let set = entries.iter().filter(|(_, value)| !value.is_null());
            set.map(|(key, value)| (key.clone(), without_nulls(value))).collect()
        }
        value => value.clone(),
    }
}

fn sha256_of(settings: &BTreeMap<String, Value>, files: &BTreeMap<String, String>) -> String {
    let text = serde_json::to_string(&(settings, files)).unwrap_or_default();
    let hash = Sha256::digest(text);
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The parts that a registration adds to its text: by what it can be told later.
pub(super) fn fingerprint(registration: &Preregistration) -> Vec<Part> {
    vec![Part::Paragraph(vec![
        Run::plain(format!(
            "All {} settings and {} files of levels are in the file that goes with this text; its checksum (SHA-256) is ",
            registration.settings.len(),
            registration.files.len()
        )),
        Run::code(&registration.sha256),
        Run::plain(". The report of the data says which of them departed from it."),
    ])]
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn registered(study: Value) -> Preregistration {
        Preregistration::new(&Manifest::new(study), &[])
    }

    #[test]
    fn a_setting_that_departs_is_named_with_both_values() {
        let before = registered(json!({
            "study": { "name": "x", "title": "A" }, "statistics": { "confidence": 0.95 },
            "exclude": [{ "trials": "time_s < 1", "reason": "too fast" }],
        }));
        let now = registered(json!({
            "study": { "name": "x", "title": "B" }, "statistics": { "confidence": 0.9, "max_moves": 10 },
        }));
        let departures = before.departures(&now);
        let keys: Vec<&str> = departures.iter().map(|departure| departure.key.as_str()).collect();
        assert_eq!(keys, ["exclude", "statistics.confidence", "statistics.max_moves"], "the title is free");
        let excluded = "exclude: registered { reason = \"too fast\", trials = \"time_s < 1\" }; now not set.";
        assert_eq!(departures[0].sentence(), excluded);
        assert_eq!(departures[1].sentence(), "statistics.confidence: registered 0.95; now 0.9.");
        assert_eq!(departures[2].sentence(), "statistics.max_moves: registered not set; now 10.");
        assert!(before.section("p.json", &before).paragraphs[0].starts_with("Nothing departs"));
        assert!(before.section("p.json", &now).paragraphs[0].starts_with("3 entries depart"));
    }

    #[test]
    fn entries_of_a_list_depart_one_by_one_wherever_they_stand() {
        let study = |list: Value| registered(json!({ "statistics": { "confirmatory": list } }));
        let hypothesis = |name: &str| json!({ "name": name, "test": "solved: condition" });
        let before = study(json!(["optimal: condition", hypothesis("a"), hypothesis("b")]));
        let departures = |list: Value| {
            let said = before.departures(&study(list)).into_iter();
            said.map(|one| one.sentence().replace("statistics.confirmatory: registered ", "")).collect::<Vec<_>>()
        };
        let [a, c] = ["a", "c"].map(|name| format!("{{ name = \"{name}\", test = \"solved: condition\" }}"));
        let first = json!([hypothesis("c"), "optimal: condition", hypothesis("a"), hypothesis("b")]);
        assert_eq!(departures(first), [format!("not set; now {c}.")], "added before the others");
        assert_eq!(departures(json!(["optimal: condition", hypothesis("b")])), [format!("{a}; now not set.")]);
        assert_eq!(
            departures(json!([hypothesis("b"), hypothesis("c")])),
            [format!("\"optimal: condition\"; now {c}."), format!("{a}; now not set.")]
        );
        assert_eq!(departures(json!([hypothesis("a"), "optimal: condition", hypothesis("b")])).len(), 1, "their order");
    }

    #[test]
    fn an_entry_of_a_list_is_found_by_what_it_tests() {
        let has = |list: Value, entry: Value| {
            registered(json!({ "statistics": { "confirmatory": list } })).has_entry("statistics.confirmatory", &entry)
        };
        let named = json!({ "name": "Haste", "test": "solved: condition" });
        let row = json!({ "table": "t", "row": { "measure": "time_s" } });
        assert!(has(json!(["solved: condition"]), named.clone()) && has(json!([named]), json!("solved: condition")));
        assert!(has(json!(["optimal: condition", named, row]), row.clone()));
        assert!(!has(json!([]), named.clone()) && !has(json!([row]), named.clone()) && !has(json!([named]), row));
    }

    #[test]
    fn a_registration_that_was_changed_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("preregistration.json");
        let written = registered(json!({ "study": { "name": "x" }, "statistics": { "confidence": 0.95 } }));
        written.write(&path).unwrap();
        assert_eq!(Preregistration::read(&path).unwrap(), written);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("0.95", "0.9")).unwrap();
        assert!(matches!(Preregistration::read(&path), Err(PreregistrationError::Changed { .. })));
        fs::write(&path, "{}").unwrap();
        assert!(matches!(Preregistration::read(&path), Err(PreregistrationError::Unreadable { .. })));
    }
}

//! Presets: what an experiment program writes, said in the language of `[log]` and `[columns]`.
//!
//! A preset is a file. Those in `preset/` come with plymap; `preset = "our_lab.toml"` in a study names one of its own.

use super::error::LogError;
use super::role::Role;
use super::spec::{ColumnSpec, LogSpec};
use plymap_puzzles::diagnostic::separator_hint;
use plymap_puzzles::foreign::read_text;
use plymap_tables::did_you_mean::nearest;
use regex::Regex;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

/// The presets that come with plymap.
const PRESETS: [(&str, &str); 16] = [
    ("bids", include_str!("preset/bids.toml")),
    ("datashop", include_str!("preset/datashop.toml")),
    ("expyriment", include_str!("preset/expyriment.toml")),
    ("gorilla", include_str!("preset/gorilla.toml")),
    ("jspsych", include_str!("preset/jspsych.toml")),
    ("labjs", include_str!("preset/labjs.toml")),
    ("opensesame", include_str!("preset/opensesame.toml")),
    ("osweb", include_str!("preset/osweb.toml")),
    ("otree", include_str!("preset/otree.toml")),
    ("plymap", include_str!("preset/plymap.toml")),
    ("plymap-jspsych", include_str!("preset/plymap-jspsych.toml")),
    ("psiturk", include_str!("preset/psiturk.toml")),
    ("psiturk-database", include_str!("preset/psiturk-database.toml")),
    ("psych-ds", include_str!("preset/psych-ds.toml")),
    ("psychopy", include_str!("preset/psychopy.toml")),
    ("xes", include_str!("preset/xes.toml")),
];

/// A preset as its file has it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// Purpose.
    #[serde(rename = "preset")]
    pub about: About,
    #[serde(default)]
    log: LogSpec,
    #[serde(default)]
    columns: BTreeMap<String, ColumnSpec>,
}

/// Purpose of a preset, and the traits of its files.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// The program or format, in a few words.
    pub title: String,
    /// Settings that it makes, for the manual.
    #[serde(default)]
    pub says: String,
    /// Settings that are left to the study, for the manual.
    #[serde(default)]
    pub asks: String,
    /// `true` if it says all that there is to say, so that nothing is left to be found.
    #[serde(default)]
    pub complete: bool,
    /// Its files have all columns of one of these lists.
    #[serde(default)]
    pub columns: Vec<Vec<String>>,
    /// The cells of the first row of its files, which have no header, fit these regular expressions.
    #[serde(default)]
    pub cells: Vec<String>,
    /// The paths of its files fit this regular expression.
    #[serde(default)]
    pub path: Option<String>,
}

/// Names and presets, by name.
pub fn presets() -> &'static [(&'static str, Preset)] {
    // An import asks for them with every reading that it tries.
    static READ: LazyLock<Vec<(&str, Preset)>> = LazyLock::new(|| {
        let parse = |text| toml::from_str(text).expect("a test reads all presets");
        PRESETS.map(|(name, text)| (name, parse(text))).into()
    });
    &READ
}

impl Preset {
    fn named(name: &str, folder: &Path) -> Result<Self, LogError> {
        let wrong = |reason: String| LogError::BadStep { step: format!("preset = {name:?}"), reason };
        let text = match presets().iter().find(|(known, _)| *known == name) {
            Some((_, preset)) => return Ok(preset.clone()),
            None if name.ends_with(".toml") => read_text(&folder.join(name)).map_err(|error| {
                wrong(format!("the file cannot be read: {error}{}", separator_hint(Path::new(name), error.kind())))
            })?,
            None => {
                let known = || PRESETS.iter().map(|(known, _)| *known);
                let near = nearest(name, known()).map(|near| format!("did you mean {near:?}? ")).unwrap_or_default();
                let list = known().collect::<Vec<_>>().join(", ");
                return Err(wrong(format!(
                    "there is no such preset; {near}presets are {list}, or the path of a file that ends in .toml"
                )));
            }
        };
        toml::from_str(&text).map_err(|error| wrong(error.message().to_owned()))
    }

    /// `true` if it is made for a file with this path and header.
    pub fn fits(&self, path: &str, header: &[String]) -> bool {
        let has = |name: &String| header.contains(name);
        let matches = |pattern: &str, text: &str| Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(text));
        let About { columns, cells, path: pattern, .. } = &self.about;
        let by_columns = columns.iter().any(|list| list.iter().all(has));
        let by_cells = !cells.is_empty()
            && cells.len() == header.len()
            && cells.iter().zip(header).all(|(pattern, cell)| matches(pattern, cell));
        by_columns || by_cells || pattern.as_ref().is_some_and(|pattern| matches(pattern, path))
    }
}

impl LogSpec {
    /// `true` if its preset says all that there is to say.
    ///
    /// # Errors
    ///
    /// There is no such preset, or its file is none.
    pub fn is_said_by_preset(&self) -> Result<bool, LogError> {
        let preset = self.preset.as_ref().map(|name| Preset::named(name, &self.folder)).transpose()?;
        Ok(preset.is_some_and(|preset| preset.about.complete))
    }

    /// With what its preset says where it says nothing itself. Steps of the preset come first; times of the preset
    /// count where no time is named here, and its events as well as the own ones.
    ///
    /// # Errors
    ///
    /// There is no such preset, or its file is none.
    pub fn with_preset(&self) -> Result<Self, LogError> {
        let Some(name) = &self.preset else { return Ok(self.clone()) };
        let Preset { log, columns, .. } = Preset::named(name, &self.folder)?;
        let roles: Vec<Role> = self.columns.keys().filter_map(|key| Role::from_key(key)).collect();
        let is_named = |role: Role| roles.contains(&role) || is_time(&role) && roles.iter().any(is_time);
        let usual = columns.into_iter().filter(|(key, _)| Role::from_key(key).is_some_and(|role| !is_named(role)));
        let or = |list: &[String], other: Vec<String>| if list.is_empty() { other } else { list.to_vec() };
        Ok(Self {
            preset: None,
            path: self.path.clone().or(log.path),
            entities: if self.entities.is_empty() { log.entities } else { self.entities.clone() },
            sidecars: self.sidecars || log.sidecars,
            header: or(&self.header, log.header),
            repeated_columns: self.repeated_columns.or(log.repeated_columns),
            encoding: self.encoding.clone().or(log.encoding),
            table: self.table.clone().or(log.table),
            steps: [log.steps, self.steps.clone()].concat(),
            null_values: self.null_values.clone().or(log.null_values),
            events: log.events.into_iter().chain(self.events.clone()).collect(),
            separator: self.separator.or(log.separator),
            decimal_comma: self.decimal_comma || log.decimal_comma,
            thousands: self.thousands.or(log.thousands),
            time_zone: self.time_zone.clone().or(log.time_zone),
            usual_row_number: log.row_number,
            clock: self.clock.or(log.clock),
            usual_columns: usual.collect(),
            ..self.clone()
        })
    }
}

fn is_time(role: &Role) -> bool {
    matches!(role, Role::Onset | Role::Rt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_can_be_read_and_says_how_it_is_known() {
        for (name, preset) in presets() {
            let about = &preset.about;
            assert!(!about.columns.is_empty() || !about.cells.is_empty() || about.path.is_some(), "{name}");
            for pattern in about.cells.iter().chain(&about.path) {
                assert!(Regex::new(pattern).is_ok(), "{name}: {pattern}");
            }
            assert!(preset.columns.keys().all(|key| Role::from_key(key).is_some()), "{name}");
            let Preset { log, columns, .. } = preset.clone();
            let spec = LogSpec { files: vec!["a".into()], columns, ..log };
            assert!(spec.check().is_ok(), "{name}: {:?}", spec.check());
        }
    }

    #[test]
    fn what_the_study_says_counts_before_its_preset() {
        let spec: LogSpec = toml::from_str("preset = \"jspsych\"\nfiles = [\"a\"]\nevents.RESET = \"reset\"").unwrap();
        let plain = spec.with_preset().unwrap();
        assert!(plain.usual_columns.contains_key("rt") && plain.usual_columns.contains_key("onset"));
        let columns = BTreeMap::from([("onset".to_owned(), ColumnSpec::column("t"))]);
        let completed = LogSpec { columns, ..spec.clone() }.with_preset().unwrap();
        assert!(!completed.usual_columns.contains_key("rt") && !completed.usual_columns.contains_key("onset"));
        let wrong = LogSpec { preset: Some("jspsyhc".to_owned()), ..spec };
        assert!(wrong.with_preset().unwrap_err().to_string().contains("did you mean \"jspsych\"?"));
    }
}

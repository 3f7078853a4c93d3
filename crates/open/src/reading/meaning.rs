//! What the columns of the files mean: by the study, by its preset, or by names that every log can have.

use std::collections::BTreeMap;

use plymap_log::{ColumnSpec, LogSpec, Role, Sample, Unit};
use serde_json::{Value as Json, json};

/// The columns that each meaning is read from, where the files have them.
#[derive(Debug)]
pub struct Meanings(Vec<Meaning>);

#[derive(Debug)]
struct Meaning {
    role: Role,
    column: ColumnSpec,
    source: &'static str,
}

/// A meaning of one column.
#[derive(Clone, Copy, Debug)]
pub struct MeaningOfColumn {
    pub role: Role,
    pub unit: Option<Unit>,
    /// What says so: `study`, `preset` or `name`.
    pub source: &'static str,
}

impl Meanings {
    /// Finds them as logs are read: by the study, else by its preset, else by their own names. `spec` has its preset.
    pub fn new(spec: &LogSpec, sample: &Sample) -> Self {
        let mut all = Vec::new();
        for role in Role::ALL {
            let own = of_role(&spec.columns, role);
            let usual = || of_role(&spec.usual_columns, role).and_then(|column| read(column, sample));
            let found = match own {
                Some(column) => Some((read(column, sample).unwrap_or_else(|| column.clone()), "study")),
                None => usual().map(|column| (column, "preset")),
            };
            all.extend(found.map(|(column, source)| Meaning { role, column, source }));
        }
        for role in Role::ALL {
            let name = role.name();
            let is_free = |meaning: &Meaning| meaning.role != role && !names(&meaning.column).contains(&name);
            if sample.place(name).is_some() && all.iter().all(is_free) {
                all.push(Meaning { role, column: ColumnSpec::column(name), source: "name" });
            }
        }
        Self(all)
    }

    /// Returns the meaning of a column.
    pub fn of(&self, name: &str) -> Option<MeaningOfColumn> {
        self.0.iter().find_map(|Meaning { role, column, source }| {
            Some(MeaningOfColumn { role: *role, unit: unit_of(column, name)?, source })
        })
    }

    /// Returns the names of the columns that a meaning is read from.
    pub fn columns_of(&self, role: Role) -> Vec<&str> {
        self.0.iter().find(|meaning| meaning.role == role).map(|meaning| names(&meaning.column)).unwrap_or_default()
    }

    /// Returns what the study does not name itself, but its preset.
    pub fn of_preset(&self) -> impl Iterator<Item = (&str, &ColumnSpec)> {
        let of_preset = self.0.iter().filter(|meaning| meaning.source == "preset");
        of_preset.map(|meaning| (meaning.role.key(), &meaning.column))
    }

    fn reads(&self, role: Role, name: &str) -> bool {
        self.columns_of(role).contains(&name)
    }
}

/// Returns the edits of `[columns]` after which a meaning is no longer read from a column; none where the log needs it, or
/// nothing that a study can say leaves it out.
pub fn without(role: Role, name: &str, own: &LogSpec, meanings: &Meanings, sample: &Sample) -> Option<Vec<Json>> {
    let rest = of_role(&own.columns, role).and_then(|column| others(column, name));
    let mut ways = vec![vec![(role, rest.clone())]];
    // What stands in no column is the same in all rows.
    let constant = match role {
        Role::Condition | Role::Event | Role::StateAfter => Some(""),
        Role::Session => Some("1"),
        _ => None,
    };
    ways.extend(constant.map(|value| vec![(role, Some(ColumnSpec::Value { value: value.to_owned() }))]));
    // A preset tells no time beside one that the study names.
    let other = match role {
        Role::Rt => Some(Role::Onset),
        Role::Onset => Some(Role::Rt),
        _ => None,
    };
    let other = other.and_then(|other| meanings.0.iter().find(|meaning| meaning.role == other));
    ways.extend(other.map(|other| vec![(role, rest), (other.role, Some(other.column.clone()))]));
    let leaves_out = |way: &Vec<(Role, Option<ColumnSpec>)>| {
        let mut spec = own.clone();
        for (role, column) in way {
            spec.columns.retain(|key, _| ![role.key(), role.name()].contains(&key.as_str()));
            spec.columns.extend(column.clone().map(|column| (role.key().to_owned(), column)));
        }
        spec.with_preset().is_ok_and(|spec| !Meanings::new(&spec, sample).reads(role, name))
    };
    let way = ways.into_iter().find(leaves_out)?;
    let edits = way.into_iter().map(|(role, column)| {
        let path = ["columns", role.key()];
        json!({ "path": path, "value": column.as_ref().map(entry) })
    });
    Some(edits.collect())
}

fn of_role(columns: &BTreeMap<String, ColumnSpec>, role: Role) -> Option<&ColumnSpec> {
    columns.get(role.key()).or_else(|| columns.get(role.name()))
}

/// Returns what is read of a column: of several the first that all files have, else those that some have.
fn read(column: &ColumnSpec, sample: &Sample) -> Option<ColumnSpec> {
    match column {
        ColumnSpec::Column { column: name, .. } | ColumnSpec::Template { template: name } => {
            sample.place(name).map(|_| column.clone())
        }
        ColumnSpec::Value { .. } => Some(column.clone()),
        ColumnSpec::FirstOf(columns) => {
            let filled: Vec<usize> = (0..sample.files.len()).filter(|&file| has_columns(sample, file)).collect();
            let place = |column: &ColumnSpec| names(column).first().and_then(|name| sample.place(name));
            let in_all = |column: &&ColumnSpec| {
                place(column).is_some_and(|place| filled.iter().all(|&file| sample.file_has(file, place)))
            };
            if let Some(column) = columns.iter().find(in_all) {
                return Some(column.clone());
            }
            let some: Vec<ColumnSpec> = columns.iter().filter(|column| place(column).is_some()).cloned().collect();
            (!some.is_empty()).then_some(ColumnSpec::FirstOf(some))
        }
    }
}

fn has_columns(sample: &Sample, file: usize) -> bool {
    (0..sample.columns.len()).any(|place| sample.file_has(file, place))
}

/// Returns an entry without one of its columns; none where nothing is left.
fn others(column: &ColumnSpec, name: &str) -> Option<ColumnSpec> {
    let ColumnSpec::FirstOf(columns) = column else { return None };
    let mut others: Vec<ColumnSpec> = columns.iter().filter(|column| !names(column).contains(&name)).cloned().collect();
    if others.len() > 1 { Some(ColumnSpec::FirstOf(others)) } else { others.pop() }
}

fn names(column: &ColumnSpec) -> Vec<&str> {
    match column {
        ColumnSpec::Column { column, .. } => vec![column],
        ColumnSpec::FirstOf(columns) => columns.iter().flat_map(names).collect(),
        ColumnSpec::Value { .. } | ColumnSpec::Template { .. } => Vec::new(),
    }
}

/// Returns the unit of a column, if it is read.
fn unit_of(column: &ColumnSpec, name: &str) -> Option<Option<Unit>> {
    match column {
        ColumnSpec::Column { column, unit, .. } => (column == name).then_some(*unit),
        ColumnSpec::FirstOf(columns) => columns.iter().find_map(|column| unit_of(column, name)),
        ColumnSpec::Value { .. } | ColumnSpec::Template { .. } => None,
    }
}

/// Returns the entry of a column as a study has it: its name alone where that says all.
pub fn entry(column: &ColumnSpec) -> Json {
    match column {
        ColumnSpec::Column { column, unit: None, first: None } => json!(column),
        ColumnSpec::FirstOf(columns) => columns.iter().map(entry).collect(),
        column => json!(column),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meanings(preset: Option<&str>, header: &str) -> (LogSpec, Sample) {
        let folder = tempfile::tempdir().expect("a folder");
        let row = vec!["1"; header.split(',').count()].join(",");
        std::fs::write(folder.path().join("log.csv"), format!("{header}\n{row}\n")).expect("a log");
        let files = vec!["log.csv".into()];
        let own = LogSpec {
            folder: folder.path().to_owned(),
            files,
            preset: preset.map(str::to_owned),
            ..LogSpec::default()
        };
        let sample = plymap_log::sample(&own).expect("rows");
        (own, sample)
    }

    #[test]
    fn columns_of_a_preset_have_its_meanings_and_can_be_left_out() {
        let header = "trial_type,trial_index,time_elapsed,rt,subject,PROLIFIC_PID,response";
        let (own, sample) = meanings(Some("jspsych"), header);
        let all = Meanings::new(&own.with_preset().expect("a preset"), &sample);
        let told = |name: &str| all.of(name).map(|it| (it.role, it.unit, it.source));
        assert_eq!(told("rt"), Some((Role::Rt, Some(Unit::Milliseconds), "preset")));
        assert_eq!((told("subject"), told("PROLIFIC_PID")), (Some((Role::Participant, None, "preset")), None));
        let onset = json!({ "column": "time_elapsed", "unit": "ms" });
        let edits = [
            json!({ "path": ["columns", "rt"], "value": null }),
            json!({ "path": ["columns", "onset"], "value": onset }),
        ];
        assert_eq!(without(Role::Rt, "rt", &own, &all, &sample), Some(edits.to_vec()));
        assert_eq!(without(Role::Participant, "subject", &own, &all, &sample), None);
    }

    #[test]
    fn names_that_every_log_can_have_are_left_out_by_a_value() {
        let (own, sample) = meanings(None, "participant,level,action,condition,rt,rt_s");
        let all = Meanings::new(&own, &sample);
        let told = |name: &str| all.of(name).map(|it| (it.role, it.source));
        assert_eq!((told("rt"), told("rt_s")), (None, Some((Role::Rt, "name"))));
        let edit = json!({ "path": ["columns", "condition"], "value": { "value": "" } });
        assert_eq!(without(Role::Condition, "condition", &own, &all, &sample), Some(vec![edit]));
        assert_eq!(without(Role::Rt, "rt_s", &own, &all, &sample), None);
        let named = LogSpec { columns: [("session".to_owned(), ColumnSpec::column("condition"))].into(), ..own };
        let all = Meanings::new(&named, &sample);
        assert_eq!(all.of("condition").map(|it| it.role), Some(Role::Session));
    }
}

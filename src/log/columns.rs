//! Which column of the files is which column of the canonical log.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::LogError;
use super::role::Role;
use super::source::Source;
use super::spec::{ColumnSpec, LogSpec, Unit};
use crate::nearest::nearest;

/// Columns of the canonical log that the reader writes itself.
const WRITTEN_HERE: [&str; 3] = ["time_source", "source_file", "source_row"];

/// Where the values of a canonical column come from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Origin {
    /// The column at this place of [`Mapping::columns`].
    Column(usize),
    /// The same value everywhere.
    Constant(String),
}

/// A canonical column that the log has.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Bound {
    pub origin: Origin,
    pub unit: Unit,
    /// What `move_index` starts from in the files.
    pub first: i64,
}

/// A column of the files that is kept as it is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Extra {
    /// Place in [`Mapping::columns`].
    pub column: usize,
    /// Name in the canonical log.
    pub name: String,
}

/// What the columns of a log's files mean.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Mapping {
    /// Columns of all files, in order of appearance.
    pub columns: Vec<String>,
    bound: [Option<Bound>; Role::ALL.len()],
    pub extras: Vec<Extra>,
}

impl Mapping {
    pub(super) fn new(spec: &LogSpec, sources: &[Source]) -> Result<Self, LogError> {
        refuse_one_column(sources)?;
        refuse_different_columns(sources)?;
        let columns = union(sources);
        let mut bound: [Option<Bound>; Role::ALL.len()] = Default::default();
        for (key, column) in &spec.columns {
            let Some(role) = Role::from_key(key) else { continue };
            bound[role as usize] = Some(bind(key, column, &columns, sources)?);
        }
        for (key, column) in &spec.usual_columns {
            let Some(role) = Role::from_key(key) else { continue };
            if let Ok(usual) = bind(key, column, &columns, sources) {
                bound[role as usize] = Some(usual);
            }
        }
        let mut used: HashSet<usize> = bound.iter().flatten().filter_map(column_of).collect();
        for role in Role::ALL {
            let place = columns.iter().position(|column| column == role.name()).filter(|place| !used.contains(place));
            if let (None, Some(place)) = (&bound[role as usize], place) {
                bound[role as usize] = Some(Bound { origin: Origin::Column(place), unit: Unit::Seconds, first: 0 });
                used.insert(place);
            }
        }
        let extras = extras(&columns, &used);
        let mapping = Self { columns, bound, extras };
        mapping.refuse_missing(sources)?;
        Ok(mapping)
    }

    pub(super) fn bound(&self, role: Role) -> Option<&Bound> {
        self.bound[role as usize].as_ref()
    }

    /// What the files call the column of `role`, or its canonical name where it is a constant.
    pub(super) fn source_name(&self, role: Role) -> &str {
        match self.bound(role).and_then(column_of) {
            Some(place) => &self.columns[place],
            None => role.name(),
        }
    }

    /// For each of [`Mapping::columns`], its index in a file with these columns.
    pub(super) fn positions(&self, file_columns: &[String]) -> Vec<Option<usize>> {
        let places: HashMap<&str, usize> =
            file_columns.iter().enumerate().map(|(place, name)| (name.as_str(), place)).collect();
        self.columns.iter().map(|name| places.get(name.as_str()).copied()).collect()
    }

    /// Refuses a log without the columns that every log needs, in each of its files.
    fn refuse_missing(&self, sources: &[Source]) -> Result<(), LogError> {
        for source in sources {
            let has = |role| match self.bound(role).map(|bound| &bound.origin) {
                Some(Origin::Column(place)) => source.given.contains(&self.columns[*place]),
                Some(Origin::Constant(_)) => true,
                None => false,
            };
            for role in [Role::Participant, Role::Level] {
                if !has(role) {
                    let takes = |other: Role| other != role && self.source_name(other) == role.name();
                    let taken = Role::ALL.into_iter().find(|&other| self.bound(other).is_some() && takes(other));
                    if let Some(other) = taken {
                        let (needed, column) = (role.name(), role.name().to_owned());
                        let path = source.file.path.clone();
                        return Err(LogError::TakenColumn { path, needed, column, taken_by: other.key() });
                    }
                    return Err(missing(source, role, role.name()));
                }
            }
            if !has(Role::Action) && !has(Role::StateAfter) {
                return Err(missing(source, Role::Action, "what was done (action, or state_after)"));
            }
        }
        Ok(())
    }
}

fn column_of(bound: &Bound) -> Option<usize> {
    match bound.origin {
        Origin::Column(place) => Some(place),
        Origin::Constant(_) => None,
    }
}

fn bind(key: &str, spec: &ColumnSpec, columns: &[String], sources: &[Source]) -> Result<Bound, LogError> {
    let (column, unit, first) = match spec {
        ColumnSpec::Value { value } => {
            return Ok(Bound { origin: Origin::Constant(value.clone()), unit: Unit::Seconds, first: 0 });
        }
        ColumnSpec::Template { template } => (template, &None, &None),
        ColumnSpec::Column { column, unit, first } => (column, unit, first),
        ColumnSpec::FirstOf(list) => {
            let is_there = |column: &&ColumnSpec| match column {
                ColumnSpec::Column { column, .. } => sources.iter().all(|source| source.given.contains(column)),
                _ => false,
            };
            // Where none is there, the message is about the first.
            let Some(column) = list.iter().find(is_there).or(list.first()) else {
                let reason = "the list is empty; name a column".to_owned();
                return Err(LogError::BadColumn { key: key.to_owned(), reason });
            };
            return bind(key, column, columns, sources);
        }
    };
    if let Some(source) = sources.iter().find(|source| !source.given.contains(column)) {
        return Err(LogError::UnknownColumn {
            path: source.file.path.clone(),
            key: key.into(),
            column: column.as_str().into(),
            nearest: nearest(column, source.given.iter().map(String::as_str)),
            has: source.given.join(", "),
        });
    }
    let place = columns.iter().position(|known| known == column).unwrap_or_default();
    let unit = unit.or_else(|| sources.iter().find_map(|source| source.units.get(column).copied()));
    Ok(Bound { origin: Origin::Column(place), unit: unit.unwrap_or(Unit::Seconds), first: first.unwrap_or(0) })
}

fn missing(source: &Source, role: Role, needed: &'static str) -> LogError {
    let has = || source.given.iter().map(String::as_str);
    let near = nearest(role.name(), has());
    let example = format!("{} = {:?}", role.key(), near.as_deref().unwrap_or("name in the file"));
    let has = has().collect::<Vec<_>>().join(", ");
    LogError::MissingColumn { path: source.file.path.clone(), needed, nearest: near, has, example }
}

fn union(sources: &[Source]) -> Vec<String> {
    let mut seen = HashSet::new();
    sources.iter().flat_map(|source| &source.given).filter(|&name| seen.insert(name)).cloned().collect()
}

fn extras(columns: &[String], used: &HashSet<usize>) -> Vec<Extra> {
    let mut taken: HashSet<String> =
        Role::ALL.iter().map(|role| role.name()).chain(WRITTEN_HERE).map(str::to_owned).collect();
    // A name that is free is never taken from its column by the new name of another.
    let clashes: HashSet<String> = taken.clone();
    taken.extend(columns.iter().cloned());
    let rest = columns.iter().enumerate().filter(|(place, _)| !used.contains(place));
    rest.map(|(column, name)| {
        let mut name = name.clone();
        if clashes.contains(&name) {
            while !taken.insert(name.clone()) {
                name = format!("log_{name}");
            }
        }
        Extra { column, name }
    })
    .collect()
}

/// A header of one column with marks that separate is one that was not taken apart.
fn refuse_one_column(sources: &[Source]) -> Result<(), LogError> {
    for source in sources.iter().filter(|source| source.is_delimited()) {
        if let [column] = source.given.as_slice()
            && let Some(mark) = [';', '\t', ',', '|'].into_iter().find(|&mark| column.contains(mark))
        {
            return Err(LogError::OneColumn { path: source.file.path.clone(), column: column.clone(), mark });
        }
    }
    Ok(())
}

/// Files with a fixed set of columns must agree in it, before the steps of the study: what is nested, and JSON rows, may
/// leave out keys.
fn refuse_different_columns(sources: &[Source]) -> Result<(), LogError> {
    let mut fixed = sources.iter().filter(|source| source.has_fixed_columns());
    let Some(first) = fixed.next() else { return Ok(()) };
    let only = |one: &Source, other: &Source| -> Vec<String> {
        one.columns.iter().filter(|name| !other.columns.contains(name)).map(|name| format!("{name:?}")).collect()
    };
    for source in fixed {
        let difference: Vec<String> = [(first, source), (source, first)]
            .into_iter()
            .map(|(one, other)| (one.file.path.display(), only(one, other)))
            .filter(|(_, names)| !names.is_empty())
            .map(|(path, names)| format!("only {path} has {}", names.join(", ")))
            .collect();
        if !difference.is_empty() {
            let (path, first) = (source.file.path.clone(), first.file.path.clone());
            return Err(LogError::ColumnsDiffer { path, first, difference: difference.join("; ") });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extra_column_never_hides_a_canonical_one() {
        let columns = ["level", "log_level", "instance", "d_before"].map(str::to_owned);
        let names: Vec<_> = extras(&columns, &HashSet::from([2])).into_iter().map(|extra| extra.name).collect();
        assert_eq!(names, ["log_log_level", "log_level", "d_before"]);
    }
}

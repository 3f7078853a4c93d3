//! Columns that repeat with a number in their names: one row for each number.

use std::collections::BTreeMap;

use super::super::LogError;
use super::super::transform;
use super::{Asked, ColumnSet, Row, Stage};

pub(super) struct Wide {
    /// New columns.
    made: Vec<usize>,
    /// For each number the old column of each new one.
    sets: BTreeMap<u64, Vec<Option<usize>>>,
    number: Option<usize>,
}

impl Wide {
    pub(super) fn new(wide: &transform::Wide, columns: &mut ColumnSet, asked: &Asked<'_>) -> Result<Self, LogError> {
        let n_new = wide.columns.len();
        let mut sets: BTreeMap<u64, Vec<Option<usize>>> = BTreeMap::new();
        for (place, (name, pattern)) in wide.columns.iter().enumerate() {
            let Some((before, behind)) = pattern.split_once("{n}") else {
                return Err(asked.wrong(format!("{pattern:?} has no {{n}} where the number of the column stands")));
            };
            let mut found = false;
            for (column, old) in columns.there() {
                let middle = old.strip_prefix(before).and_then(|rest| rest.strip_suffix(behind));
                let number = middle
                    .filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
                    .and_then(|text| text.parse().ok());
                if let Some(number) = number {
                    found = true;
                    sets.entry(number).or_insert_with(|| vec![None; n_new])[place] = Some(column);
                }
            }
            if !found {
                let names: Vec<_> = columns.there().map(|(_, name)| name).collect();
                return Err(asked.wrong(format!(
                    "{}: no column is named {pattern:?} with a number (for {name}); the file has {}",
                    asked.path.display(),
                    names.join(", ")
                )));
            }
        }
        for column in sets.values().flatten().flatten() {
            columns.remove(*column);
        }
        let made = wide.columns.keys().map(|name| columns.add(name)).collect();
        let number = wide.number.as_ref().map(|name| columns.add(name));
        Ok(Self { made, sets, number })
    }
}

impl Stage for Wide {
    fn take(&mut self, mut row: Row, _columns: &mut ColumnSet, made: &mut Vec<Row>) {
        let values: Vec<(u64, Vec<Option<String>>)> = self
            .sets
            .iter()
            .map(|(&number, set)| (number, set.iter().map(|old| old.and_then(|old| row.take(old))).collect()))
            .collect();
        // An empty set between others is a move that was lost; those behind the last are room that was not needed.
        let n_used = values.iter().rposition(|(_, set)| set.iter().any(Option::is_some)).map_or(0, |last| last + 1);
        for (number, set) in values.into_iter().take(n_used) {
            let mut row = row.clone();
            for (&column, value) in self.made.iter().zip(set) {
                row.set(column, value);
            }
            if let Some(column) = self.number {
                row.set(column, Some(number.to_string()));
            }
            made.push(row);
        }
    }
}

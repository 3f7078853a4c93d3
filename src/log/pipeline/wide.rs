//! Columns that repeat with a number in their names, or with several: one row for each.

use std::collections::BTreeMap;

use super::super::LogError;
use super::super::transform;
use super::{Asked, ColumnSet, Row, Stage};

pub(super) struct Wide {
    /// New columns.
    made: Vec<usize>,
    /// For the numbers the old column of each new one.
    sets: BTreeMap<Vec<u64>, Vec<Option<usize>>>,
    number: Option<usize>,
}

impl Wide {
    pub(super) fn new(wide: &transform::Wide, columns: &mut ColumnSet, asked: &Asked<'_>) -> Result<Self, LogError> {
        let n_new = wide.columns.len();
        let mut sets: BTreeMap<Vec<u64>, Vec<Option<usize>>> = BTreeMap::new();
        for (place, (name, pattern)) in wide.columns.iter().enumerate() {
            if !pattern.contains("{n}") {
                return Err(asked.wrong(format!("{pattern:?} has no {{n}} where the number of the column stands")));
            }
            let mut found = false;
            for (column, old) in columns.there() {
                if let Some(numbers) = numbers(pattern, old) {
                    found = true;
                    sets.entry(numbers).or_insert_with(|| vec![None; n_new])[place] = Some(column);
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

/// The numbers in the name of a column, if it is like the pattern.
fn numbers(pattern: &str, name: &str) -> Option<Vec<u64>> {
    let mut numbers = Vec::new();
    let mut parts = pattern.split("{n}");
    let mut rest = name.strip_prefix(parts.next()?)?;
    for part in parts {
        let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        numbers.push(rest[..n_digits].parse().ok()?);
        rest = rest[n_digits..].strip_prefix(part)?;
    }
    rest.is_empty().then_some(numbers)
}

impl Stage for Wide {
    fn take(&mut self, mut row: Row, _columns: &mut ColumnSet, made: &mut Vec<Row>) {
        let values: Vec<(&[u64], Vec<Option<String>>)> = self
            .sets
            .iter()
            .map(|(numbers, set)| (&numbers[..], set.iter().map(|old| old.and_then(|old| row.take(old))).collect()))
            .collect();
        // An empty set between others is a move that was lost; those behind the last of their list are room that was not
        // needed.
        let list_of = |numbers: &[u64]| numbers[..numbers.len().saturating_sub(1)].to_vec();
        let used = values.iter().filter(|(_, set)| set.iter().any(Option::is_some));
        let last: BTreeMap<Vec<u64>, &[u64]> = used.map(|(numbers, _)| (list_of(numbers), *numbers)).collect();
        let is_needed = |numbers: &[u64]| last.get(&list_of(numbers)).is_some_and(|last| numbers <= *last);
        for (numbers, set) in values.into_iter().filter(|(numbers, _)| is_needed(numbers)) {
            let mut row = row.clone();
            for (&column, value) in self.made.iter().zip(set) {
                row.set(column, value);
            }
            if let Some(column) = self.number {
                row.set(column, Some(numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(".")));
            }
            made.push(row);
        }
    }
}

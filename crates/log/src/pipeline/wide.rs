//! Columns that repeat with a number in their names, or with several: one row for each.

use super::super::pattern::without_numbers;
use super::super::pipeline_step;
use super::columns::ColumnSet;
use super::step::{Row, Step, StepContext};
use crate::error::LogError;
use std::collections::{BTreeMap, HashMap};

pub(super) struct Wide {
    /// New columns.
    made_columns: Vec<usize>,
    /// Those of them that rows have before.
    there_before: Vec<usize>,
    /// For the numbers each new column that has an old one, by its place among the new ones.
    sets: BTreeMap<Vec<u64>, Vec<(usize, usize)>>,
    number: Option<usize>,
}

impl Wide {
    pub(super) fn new(
        wide: &pipeline_step::Wide,
        columns: &mut ColumnSet,
        context: &StepContext<'_>,
    ) -> Result<Self, LogError> {
        // Columns that differ in numbers alone: a pattern is like no others.
        let mut alike: HashMap<String, Vec<(usize, &str)>> = HashMap::new();
        for (column, name) in columns.there() {
            alike.entry(without_numbers(name)).or_default().push((column, name));
        }
        let mut sets: BTreeMap<Vec<u64>, Vec<(usize, usize)>> = BTreeMap::new();
        for (place, (name, pattern)) in wide.columns.iter().enumerate() {
            if !pattern.contains("{n}") {
                return Err(context.wrong(format!("{pattern:?} has no {{n}} where the number of the column stands")));
            }
            let mut is_used = false;
            for &(column, old) in alike.get(&without_numbers(&pattern.replace("{n}", "0"))).into_iter().flatten() {
                if let Some(numbers) = numbers(pattern, old) {
                    is_used = true;
                    let set = sets.entry(numbers).or_default();
                    // Of two that have the same numbers, such as `a1` and `a01`, the last counts.
                    set.retain(|(other, _)| *other != place);
                    set.push((place, column));
                }
            }
            if !is_used {
                let names: Vec<_> = columns.there().map(|(_, name)| name).collect();
                return Err(context.wrong(format!(
                    "{}: no column is named {pattern:?} with a number (for {name}); the file has {}",
                    context.path.display(),
                    names.join(", ")
                )));
            }
        }
        drop(alike);
        for (_, column) in sets.values().flatten() {
            columns.remove(*column);
        }
        let there_before = wide.columns.keys().filter(|name| columns.has(name)).cloned().collect::<Vec<_>>();
        let there_before = there_before.iter().map(|name| columns.number(name)).collect();
        let made_columns = wide.columns.keys().map(|name| columns.add(name)).collect();
        let number = wide.number.as_ref().map(|name| columns.add(name));
        Ok(Self { made_columns, there_before, sets, number })
    }
}

/// Cells by the numbers of their columns.
type Cells = Vec<(usize, Option<String>)>;

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

impl Step for Wide {
    fn take(&mut self, mut row: Row, _columns: &mut ColumnSet, output: &mut Vec<Row>) {
        let values: Vec<(&[u64], Cells)> = self
            .sets
            .iter()
            .map(|(numbers, set)| {
                let cells = set.iter().map(|&(place, old)| (self.made_columns[place], row.take(old)));
                (&numbers[..], cells.collect())
            })
            .collect();
        for &column in &self.there_before {
            row.set(column, None);
        }
        // An empty set between others is a move that was lost; those behind the last of their list are room that was not
        // needed.
        let used = values.iter().filter(|(_, set)| set.iter().any(|(_, cell)| cell.is_some()));
        let last: BTreeMap<Vec<u64>, &[u64]> = used.map(|(numbers, _)| (list_of(numbers), *numbers)).collect();
        let is_needed = |numbers: &[u64]| last.get(&list_of(numbers)).is_some_and(|last| numbers <= *last);
        for (numbers, set) in values.into_iter().filter(|(numbers, _)| is_needed(numbers)) {
            let mut row = row.clone();
            for (column, cell) in set {
                row.set(column, cell);
            }
            if let Some(column) = self.number {
                row.set(column, Some(numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(".")));
            }
            output.push(row);
        }
    }
}

fn list_of(numbers: &[u64]) -> Vec<u64> {
    numbers[..numbers.len().saturating_sub(1)].to_vec()
}

//! The columns of rows on their way through the steps.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

/// Columns by number. A column that a step makes or takes away keeps its number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ColumnSet {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    /// `true` if rows have it; otherwise a step only asks for it.
    is_there: Vec<bool>,
}

impl Hash for ColumnSet {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.names.hash(state);
        self.is_there.hash(state);
    }
}

impl ColumnSet {
    /// The number of a column that a step asks for.
    pub(super) fn number(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        self.names.push(name.to_owned());
        self.is_there.push(false);
        self.numbers.insert(name.to_owned(), self.names.len() - 1);
        self.names.len() - 1
    }

    /// The number of a column that rows have from here on.
    pub(super) fn add(&mut self, name: &str) -> usize {
        let number = self.number(name);
        self.is_there[number] = true;
        number
    }

    /// Takes a column away.
    pub(super) fn remove(&mut self, number: usize) {
        self.is_there[number] = false;
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.numbers.get(name).is_some_and(|&number| self.is_there[number])
    }

    /// All that there ever was.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        self.names.iter().cloned()
    }

    pub(super) fn name(&self, number: usize) -> &str {
        &self.names[number]
    }

    /// The columns that rows have, with their numbers.
    pub(super) fn there(&self) -> impl Iterator<Item = (usize, &str)> {
        self.names
            .iter()
            .enumerate()
            .filter(|&(number, _)| self.is_there[number])
            .map(|(number, name)| (number, name.as_str()))
    }
}

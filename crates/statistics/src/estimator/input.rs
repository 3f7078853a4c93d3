//! A column in a role, and the rows that have all that is needed.

use super::frame::Values;

/// A column in a role.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Input {
    pub name: String,
    pub values: Values,
}

/// Rows that have all that is needed.
pub(crate) struct Complete {
    pub indices: Vec<usize>,
    pub n_missing: usize,
}

impl Input {
    pub fn at(&self, indices: &[usize]) -> Self {
        Self { name: self.name.clone(), values: self.values.at(indices) }
    }

    /// Returns true if there is a value at this index.
    pub fn has(&self, place: usize) -> bool {
        match &self.values {
            Values::Numbers(values) => values[place].is_some(),
            Values::Written(values) => values[place].is_some(),
            Values::Text(values) => values[place].is_some(),
            Values::Flags(values) => values[place].is_some(),
        }
    }

    /// The numbers at these indices, those that are there; empty if it holds no numbers.
    pub fn numbers(&self, indices: &[usize]) -> Vec<f64> {
        match &self.values {
            Values::Numbers(values) => indices.iter().filter_map(|&place| values[place]).collect(),
            _ => Vec::new(),
        }
    }

    pub fn labels(&self, indices: &[usize]) -> Vec<&str> {
        match &self.values {
            Values::Text(values) => indices.iter().filter_map(|&place| values[place].as_deref()).collect(),
            _ => Vec::new(),
        }
    }

    pub fn flags(&self, indices: &[usize]) -> Vec<bool> {
        match &self.values {
            Values::Flags(values) => indices.iter().filter_map(|&place| values[place]).collect(),
            _ => Vec::new(),
        }
    }
}

//! A table with the meaning of each of its columns.

use polars::prelude::DataFrame;
use serde::Serialize;

/// What one column of a table means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ColumnDoc {
    /// Name of the column.
    pub name: String,
    /// What a value in it means, for someone who has not read the code.
    pub meaning: String,
    /// Unit of its values; empty for counts, names and flags.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// The values that it can take, where they are few.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<String>,
}

impl ColumnDoc {
    /// A column without a unit.
    pub fn new(name: &str, meaning: &str) -> Self {
        Self { name: name.to_owned(), meaning: meaning.to_owned(), unit: String::new(), levels: Vec::new() }
    }

    /// The same column with a unit.
    pub fn unit(mut self, unit: &str) -> Self {
        self.unit = unit.to_owned();
        self
    }

    /// The same column with the values that it can take.
    pub fn levels(mut self, levels: &[&str]) -> Self {
        self.levels = levels.iter().map(|&level| level.to_owned()).collect();
        self
    }
}

/// A table that can be written: its data, and what each column means.
#[derive(Clone, Debug)]
pub struct Table {
    /// Name of the table and stem of its files, such as `trials`.
    pub name: String,
    /// One sentence: what a row is and what the table is for.
    pub caption: String,
    /// The rows.
    pub data: DataFrame,
    /// One entry for each column of `data`, in the same order.
    pub columns: Vec<ColumnDoc>,
}

//! Rows of results.

use super::column::Column;
use super::columns::REASON;
use crate::apa::TestFamily;
use crate::inference::PMethod;
use crate::not_estimable::NotEstimable;

/// A value of a result.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Cell {
    /// No value.
    #[default]
    Missing,
    /// A number; counts are whole and below 2^53.
    Number(f64),
    /// Text.
    Text(String),
    /// Yes or no.
    Flag(bool),
}

/// A row of results.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    cells: Vec<(&'static str, Cell)>,
    /// True if its p value is no test that was asked for, such as that of an intercept.
    pub skip_adjustment: bool,
    /// Name that tells its test from others of the same hypothesis, such as `wald`: p values of one family are adjusted
    /// together.
    pub family: Option<String>,
    /// Number of tests that its p value was adjusted for, its own among them; 0 before.
    pub n_tests: usize,
    /// True if a value that was set is not a number (NaN).
    pub has_nan: bool,
}

impl Record {
    /// A row without values.
    pub fn new() -> Self {
        Self::default()
    }

    /// A row that only says why there is no result.
    pub fn without(reason: NotEstimable) -> Self {
        Self::new().set(REASON, reason)
    }

    /// Sets a value; a number that is not finite counts as missing.
    pub fn set(mut self, column: Column, value: impl Into<Cell>) -> Self {
        let value = value.into();
        self.has_nan |= matches!(value, Cell::Number(number) if number.is_nan());
        let value = match value {
            Cell::Number(value) if !value.is_finite() => Cell::Missing,
            value => value,
        };
        self.cells.retain(|(name, _)| *name != column.key);
        self.cells.push((column.key, value));
        self
    }

    /// Sets what was estimated, or the reason why it was not.
    pub fn outcome<T>(self, outcome: &Result<T, NotEstimable>, set: impl FnOnce(Self, &T) -> Self) -> Self {
        match outcome {
            Ok(estimate) => set(self, estimate),
            Err(reason) => self.set(REASON, reason.clone()),
        }
    }

    /// Sets both ends of an interval, or the reason why there is none.
    pub fn interval(self, lower: Column, upper: Column, ends: &Result<(f64, f64), NotEstimable>) -> Self {
        self.outcome(ends, |record, ends| record.set(lower, ends.0).set(upper, ends.1))
    }

    /// The same row without a value in this column.
    pub fn unset(mut self, column: Column) -> Self {
        self.cells.retain(|(name, _)| *name != column.key);
        self
    }

    /// The same row, whose p value takes no part in adjustments.
    pub fn skipping_adjustment(mut self) -> Self {
        self.skip_adjustment = true;
        self
    }

    /// The same row, whose p value is adjusted with those of its family alone, because other rows test the same
    /// hypothesis in another way.
    pub fn family(mut self, name: &str) -> Self {
        self.family = Some(name.to_owned());
        self
    }

    /// Returns the row that all rows of a model share, overlaid by one of them: its values, and its part in
    /// adjustments, replace those of the shared row; what it lacks stays.
    pub fn overlaid(mut self, other: Self) -> Self {
        self.cells.retain(|(name, _)| *other.cell(name) == Cell::Missing);
        self.cells.extend(other.cells.into_iter().filter(|(_, cell)| *cell != Cell::Missing));
        self.skip_adjustment |= other.skip_adjustment;
        self.has_nan |= other.has_nan;
        self.family = other.family.or(self.family);
        self
    }

    /// These rows of a model, each over what all share; what they share alone where there are none.
    pub fn shared_by(self, rows: Vec<Self>) -> Vec<Self> {
        if rows.is_empty() { vec![self] } else { rows.into_iter().map(|row| self.clone().overlaid(row)).collect() }
    }

    /// The same row without the values of these columns.
    pub fn without_cells(self, columns: &[Column]) -> Self {
        columns.iter().fold(self, |record, column| record.unset(*column))
    }

    /// The value in the column of this name; missing if it was not set.
    pub fn cell(&self, name: &str) -> &Cell {
        self.cells.iter().find(|(key, _)| *key == name).map_or(&Cell::Missing, |(_, cell)| cell)
    }

    /// The number in a column; absent where it is missing.
    pub fn number(&self, column: Column) -> Option<f64> {
        self.cell(column.key).number()
    }

    /// The text in a column; absent where it is missing.
    pub fn text(&self, column: Column) -> Option<&str> {
        self.cell(column.key).text()
    }

    /// The tests that its p value was adjusted for.
    pub fn family_of_tests(&self) -> TestFamily {
        TestFamily::of_tests(self.n_tests)
    }

    /// The same row with the cells of another, which replace its own of the same columns.
    pub fn with(self, other: Self) -> Self {
        let kept = self.cells.into_iter().filter(|(name, _)| other.cells.iter().all(|(new, _)| new != name));
        let cells = kept.chain(other.cells.iter().cloned()).collect();
        Self {
            cells,
            has_nan: self.has_nan | other.has_nan,
            skip_adjustment: self.skip_adjustment,
            family: self.family,
            n_tests: self.n_tests,
        }
    }

    /// Names of the columns that were set.
    #[cfg(test)]
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.cells.iter().map(|(name, _)| *name)
    }
}

impl Cell {
    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        if let Self::Number(value) = self { Some(*value) } else { None }
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(value) = self { Some(value) } else { None }
    }

    /// Yes or no, if it says so.
    pub fn flag(&self) -> Option<bool> {
        if let Self::Flag(value) = self { Some(*value) } else { None }
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Missing, Into::into)
    }
}

impl From<f64> for Cell {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<usize> for Cell {
    fn from(value: usize) -> Self {
        Self::Number(value as f64)
    }
}

impl From<u64> for Cell {
    fn from(value: u64) -> Self {
        Self::Number(value as f64)
    }
}

impl From<bool> for Cell {
    fn from(value: bool) -> Self {
        Self::Flag(value)
    }
}

impl From<&str> for Cell {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for Cell {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl From<NotEstimable> for Cell {
    fn from(reason: NotEstimable) -> Self {
        Self::Text(reason.to_string())
    }
}

impl From<PMethod> for Cell {
    fn from(method: PMethod) -> Self {
        Self::Text(method.to_string())
    }
}

//! Rows of results, and what their columns mean.

use crate::stats::{NotEstimable, PMethod};

/// A column of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What its cells hold.
    pub kind: ColumnKind,
    /// What a value in it means.
    pub meaning: &'static str,
}

/// What a column of results holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Numbers.
    Number,
    /// Whole numbers.
    Count,
    /// Text.
    Text,
    /// Yes or no.
    Flag,
}

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
pub(super) struct Record {
    cells: Vec<(&'static str, Cell)>,
    /// Whether its p value is no test that was asked for, such as that of an intercept.
    pub is_aside: bool,
    /// What tells its test from others of the same hypothesis, such as `wald`: p values of one family are adjusted
    /// together.
    pub family: Option<String>,
    /// Whether a value that was set is no number.
    pub is_lost: bool,
}

impl Column {
    /// The same column with what it means for one estimator.
    pub(super) const fn means(self, meaning: &'static str) -> Self {
        Self { meaning, ..self }
    }
}

/// A column of numbers.
pub(super) const fn number(name: &'static str, meaning: &'static str) -> Column {
    Column { name, kind: ColumnKind::Number, meaning }
}

/// A column of whole numbers.
pub(super) const fn count(name: &'static str, meaning: &'static str) -> Column {
    Column { name, kind: ColumnKind::Count, meaning }
}

/// A column of text.
pub(super) const fn text(name: &'static str, meaning: &'static str) -> Column {
    Column { name, kind: ColumnKind::Text, meaning }
}

/// A column of yes or no.
pub(super) const fn flag(name: &'static str, meaning: &'static str) -> Column {
    Column { name, kind: ColumnKind::Flag, meaning }
}

pub(super) const X: Column = text("x", "first measure");
pub(super) const Y: Column = text("y", "second measure");
pub(super) const OUTCOME: Column = text("y", "what is explained or compared");
pub(super) const MEASURE: Column = text("measure", "what is described");
pub(super) const TERM: Column = text("term", "what the estimate belongs to");
pub(super) const FIRST: Column = text("first", "first label");
pub(super) const SECOND: Column = text("second", "second label");
pub(super) const N: Column = count("n", "number of rows that are used");
pub(super) const N_ROWS: Column = count("n_rows", "number of rows that are used");
pub(super) const N_FIRST: Column = count("n_first", "number of values of the first label");
pub(super) const N_SECOND: Column = count("n_second", "number of values of the second label");
pub(super) const N_GROUPS: Column = count("n_groups", "number of groups with values");
pub(super) const N_PARTICIPANTS: Column = count("n_participants", "number of participants");
pub(super) const N_EVENTS: Column = count("n_events", "number of rows in which the event happened");
pub(super) const N_CLUSTERS: Column =
    count("n_clusters", "number of participants, where standard errors are cluster-robust");
pub(super) const N_MISSING: Column =
    count("n_missing", "number of rows without a value that is needed; they are left out");
pub(super) const N_EXCLUDED: Column =
    count("n_excluded", "number of participants who are left out because they lack a value that is needed");
pub(super) const N_SHARED: Column = count(
    "n_shared",
    "number of participants with values in several of these groups, empty where participants are not named; the \
     values are then not independent: compare each with themselves (wilcoxon, friedman)",
);
pub(super) const N_FILTERED: Column =
    count("n_filtered", "number of rows of the whole table that the conditions left out");
pub(super) const ESTIMATE: Column = number("estimate", "the estimate");
pub(super) const STANDARD_ERROR: Column = number("standard_error", "standard error of the estimate");
pub(super) const LOWER: Column = number("lower", "lower end of the interval of the estimate");
pub(super) const UPPER: Column = number("upper", "upper end of the interval of the estimate");
pub(super) const CONFIDENCE: Column = number("confidence", "level of the intervals");
pub(super) const EFFECT_SIZE: Column = number("effect_size", "size of the effect, without a unit");
pub(super) const EFFECT_LOWER: Column = number("effect_lower", "lower end of the interval of the effect size");
pub(super) const EFFECT_UPPER: Column = number("effect_upper", "upper end of the interval of the effect size");
pub(super) const STATISTIC: Column = number("statistic", "the test statistic; empty where it is infinite");
pub(super) const DF: Column = number("df", "degrees of freedom");
pub(super) const DF2: Column = number("df2", "denominator degrees of freedom");
pub(super) const P_VALUE: Column = number("p_value", "p value, not adjusted");
pub(super) const P_METHOD: Column = text("p_method", "how the p value was computed");
pub(super) const R_SQUARED: Column = number("r_squared", "share of the variance that is explained");
pub(super) const RESIDUAL_SD: Column = number("residual_sd", "standard deviation of the residuals, in the unit of y");
pub(super) const LOG_LIKELIHOOD: Column = number("log_likelihood", "log-likelihood of the model");
pub(super) const AIC: Column = number("aic", "Akaike information criterion (AIC); the smaller the better");
pub(super) const BIC: Column = number("bic", "Bayesian information criterion (BIC); the smaller the better");
pub(super) const CONVERGED: Column = flag("converged", "whether the optimiser converged");
pub(super) const SENTENCE: Column = text("sentence", "APA-formatted result, p not adjusted");
pub(super) const REASON: Column = text("reason", "why the first of the missing values is missing");

impl Record {
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
        self.is_lost |= matches!(value, Cell::Number(number) if number.is_nan());
        let value = match value {
            Cell::Number(value) if !value.is_finite() => Cell::Missing,
            value => value,
        };
        self.cells.retain(|(name, _)| *name != column.name);
        self.cells.push((column.name, value));
        self
    }

    /// The same row without a value in this column.
    pub fn unset(mut self, column: Column) -> Self {
        self.cells.retain(|(name, _)| *name != column.name);
        self
    }

    /// The same row, whose p value takes no part in adjustments.
    pub fn aside(mut self) -> Self {
        self.is_aside = true;
        self
    }

    /// The same row, whose p value is adjusted with those of its family alone, because other rows test the same
    /// hypothesis in another way.
    pub fn family(mut self, name: &str) -> Self {
        self.family = Some(name.to_owned());
        self
    }

    pub fn cell(&self, name: &str) -> &Cell {
        self.cells.iter().find(|(own, _)| *own == name).map_or(&Cell::Missing, |(_, cell)| cell)
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

//! The columns of a table as plain data.

use std::collections::HashSet;

use super::error::nearest;
use crate::estimator::error::EstimatorError;

/// The values of one column; `None` where one is missing.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Numbers; NaN counts as missing.
    Numbers(Vec<Option<f64>>),
    /// Numbers with the text that says them, where that is not how the number is written here: `1.10`, `1e5`, `+7`, or
    /// more digits than a number of 64 bits keeps. As labels they are their text, so that no two are taken for one.
    Written(Vec<Option<Written>>),
    /// Text.
    Text(Vec<Option<String>>),
    /// Yes or no: 1 or 0 where numbers are asked for, `true` or `false` where text is.
    Flags(Vec<Option<bool>>),
}

/// A number as it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// The number, rounded to 64 bits.
    pub number: f64,
    /// Its text.
    pub text: String,
}

/// Named columns of equal length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    columns: Vec<(String, Values)>,
    /// The number of each row in the table that it is from, from 1.
    rows: Vec<usize>,
}

impl Values {
    /// Numbers from their text; without it where it is what the number would be written as.
    pub fn written(values: Vec<Option<Written>>) -> Self {
        if values.iter().flatten().all(|written| written.number.to_string() == written.text) {
            return Self::Numbers(values.into_iter().map(|value| Some(value?.number)).collect());
        }
        Self::Written(values)
    }

    /// Number of them, with the missing ones.
    pub fn len(&self) -> usize {
        match self {
            Self::Numbers(values) => values.len(),
            Self::Written(values) => values.len(),
            Self::Text(values) => values.len(),
            Self::Flags(values) => values.len(),
        }
    }

    /// Returns true if there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values at these indices.
    pub(super) fn at(&self, indices: &[usize]) -> Self {
        match self {
            Self::Numbers(values) => Self::Numbers(indices.iter().map(|&index| values[index]).collect()),
            Self::Written(values) => Self::Written(indices.iter().map(|&index| values[index].clone()).collect()),
            Self::Text(values) => Self::Text(indices.iter().map(|&index| values[index].clone()).collect()),
            Self::Flags(values) => Self::Flags(indices.iter().map(|&index| values[index]).collect()),
        }
    }
}

impl Frame {
    /// A table of these columns.
    ///
    /// # Errors
    ///
    /// [`EstimatorError`] if columns differ in length or two have one name.
    pub fn new(columns: Vec<(String, Values)>) -> Result<Self, EstimatorError> {
        let wanted = columns.first().map_or(0, |(_, values)| values.len());
        let mut names = HashSet::new();
        for (name, values) in &columns {
            if values.len() != wanted {
                return Err(EstimatorError::UnequalColumns { column: name.clone(), found: values.len(), wanted });
            }
            if !names.insert(name) {
                return Err(EstimatorError::DoubleColumn { column: name.clone() });
            }
        }
        Ok(Self { columns, rows: (1..=wanted).collect() })
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.rows.len()
    }

    /// Names of the columns, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    /// The number of each row in the table that it is from, from 1.
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// The values of a column.
    ///
    /// # Errors
    ///
    /// [`EstimatorError::UnknownColumn`], with the names that are nearest.
    pub fn values(&self, column: &str) -> Result<&Values, EstimatorError> {
        let column_of_name = self.columns.iter().find(|(name, _)| name == column);
        column_of_name.map(|(_, values)| values).ok_or_else(|| EstimatorError::UnknownColumn {
            column: column.to_owned(),
            nearest: nearest(column, self.names()),
            known: self.names().map(str::to_owned).collect(),
        })
    }

    /// A column as numbers: flags as 0 and 1, text if it says a number in each row. `log(column)` is the natural
    /// logarithm, missing where the value is not above 0.
    ///
    /// # Errors
    ///
    /// [`EstimatorError`] if there is no such column or it is no number.
    pub fn numbers(&self, column: &str) -> Result<Vec<Option<f64>>, EstimatorError> {
        if let Some(inner) = self.argument(column, "log") {
            let log = |value: Option<f64>| value.filter(|value| *value > 0.0).map(f64::ln);
            return Ok(self.numbers(inner)?.into_iter().map(log).collect());
        }
        match self.values(column)? {
            Values::Numbers(values) => Ok(values.iter().map(|value| value.filter(|value| !value.is_nan())).collect()),
            Values::Written(values) => {
                Ok(values.iter().map(|value| value.as_ref().map(|value| value.number)).collect())
            }
            Values::Flags(values) => {
                Ok(values.iter().map(|value| value.map(|value| f64::from(u8::from(value)))).collect())
            }
            Values::Text(values) => self.parsed(values, number, |value, row| EstimatorError::NotNumeric {
                column: column.to_owned(),
                value,
                row,
            }),
        }
    }

    /// A column as text: flags as `true` and `false`, numbers as they are written in the table.
    ///
    /// # Errors
    ///
    /// [`EstimatorError::UnknownColumn`].
    pub fn text(&self, column: &str) -> Result<Vec<Option<String>>, EstimatorError> {
        Ok(match self.values(column)? {
            Values::Text(values) => values.clone(),
            Values::Written(values) => {
                values.iter().map(|value| value.as_ref().map(|value| value.text.clone())).collect()
            }
            Values::Flags(values) => values.iter().map(|value| value.map(|value| value.to_string())).collect(),
            Values::Numbers(values) => values
                .iter()
                .map(|value| value.filter(|value| !value.is_nan()).map(|value| value.to_string()))
                .collect(),
        })
    }

    /// A column as yes or no: also numbers that are 0 or 1, and text that says true or false, yes or no, 1 or 0.
    ///
    /// # Errors
    ///
    /// [`EstimatorError`] if there is no such column or it says something else.
    pub fn flags(&self, column: &str) -> Result<Vec<Option<bool>>, EstimatorError> {
        let text = match self.values(column)? {
            Values::Flags(values) => return Ok(values.clone()),
            // 1.0 is 1.
            Values::Written(values) => {
                values.iter().map(|value| value.as_ref().map(|value| value.number.to_string())).collect()
            }
            _ => self.text(column)?,
        };
        self.parsed(&text, flag, |value, row| EstimatorError::NotYesNo { column: column.to_owned(), value, row })
    }

    /// Text in the parentheses of `function(…)`, if no column has the whole as its name.
    pub(super) fn argument<'a>(&self, column: &'a str, function: &str) -> Option<&'a str> {
        if self.names().any(|name| name == column) {
            return None;
        }
        column.strip_prefix(function)?.strip_prefix('(')?.strip_suffix(')').map(str::trim)
    }

    /// The rows at these indices.
    pub(super) fn at(&self, indices: &[usize]) -> Self {
        Self {
            columns: self.columns.iter().map(|(name, values)| (name.clone(), values.at(indices))).collect(),
            rows: indices.iter().map(|&index| self.rows[index]).collect(),
        }
    }

    fn parsed<T>(
        &self,
        values: &[Option<String>],
        parse: fn(&str) -> Option<T>,
        error: impl Fn(String, usize) -> EstimatorError,
    ) -> Result<Vec<Option<T>>, EstimatorError> {
        let parsed = |(value, &row): (&Option<String>, &usize)| match value {
            None => Ok(None),
            Some(value) => parse(value).map(Some).ok_or_else(|| error(value.clone(), row)),
        };
        values.iter().zip(&self.rows).map(parsed).collect()
    }
}

/// The number that a text says.
pub(super) fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|value: &f64| value.is_finite())
}

/// The yes or no that a text says.
pub(super) fn flag(text: &str) -> Option<bool> {
    match text.trim().to_lowercase().as_str() {
        "true" | "yes" | "1" => Some(true),
        "false" | "no" | "0" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame() -> Frame {
        let text = |values: [&str; 3]| Values::Text(values.map(|value| Some(value.to_owned())).to_vec());
        Frame::new(vec![
            ("time_s".to_owned(), Values::Numbers(vec![Some(1.0), Some(0.0), Some(f64::NAN)])),
            ("solved".to_owned(), Values::Flags(vec![Some(true), None, Some(false)])),
            ("level".to_owned(), text(["demo-01", "demo-02", "demo-01"])),
            ("rating".to_owned(), text(["3", " 4.5", "0"])),
            ("won".to_owned(), text(["TRUE", "False", "yes"])),
        ])
        .unwrap()
    }

    #[test]
    fn a_column_is_what_is_asked_for_where_it_can_be() {
        let frame = frame();
        assert_eq!(frame.numbers("solved").unwrap(), [Some(1.0), None, Some(0.0)]);
        assert_eq!(frame.text("solved").unwrap(), [Some("true".to_owned()), None, Some("false".to_owned())]);
        assert_eq!(frame.numbers("rating").unwrap(), [Some(3.0), Some(4.5), Some(0.0)]);
        assert_eq!(frame.flags("won").unwrap(), [Some(true), Some(false), Some(true)]);
        assert_eq!(frame.numbers("time_s").unwrap(), [Some(1.0), Some(0.0), None]);
        assert_eq!(frame.numbers("log(time_s)").unwrap(), [Some(0.0), None, None]);
        assert_eq!(frame.text("time_s").unwrap()[0].as_deref(), Some("1"));
    }

    #[test]
    fn numbers_are_labels_as_they_are_written() {
        let written = |texts: &[&str]| {
            let cell = |text: &&str| Some(Written { number: text.parse().unwrap(), text: (*text).to_owned() });
            Values::written(texts.iter().map(cell).collect())
        };
        assert_eq!(written(&["3", "-0.5", "100000"]), Values::Numbers(vec![Some(3.0), Some(-0.5), Some(1e5)]));
        let labels = ["1.1", "1.10", "+7", "7", "1e5", "100000", "90071992547409931", "90071992547409932"];
        let frame =
            Frame::new(vec![("id".to_owned(), written(&labels)), ("won".to_owned(), written(&["1.0"; 8]))]).unwrap();
        assert_eq!(frame.text("id").unwrap(), labels.map(|label| Some(label.to_owned())));
        let numbers = [1.1, 1.1, 7.0, 7.0, 1e5, 1e5, 90071992547409936.0, 90071992547409936.0];
        assert_eq!(frame.numbers("id").unwrap(), numbers.map(Some));
        assert_eq!(
            (frame.numbers("log(id)").unwrap()[3], frame.flags("won").unwrap()[0]),
            (Some(7_f64.ln()), Some(true))
        );
        assert_eq!(frame.at(&[1]).text("id").unwrap(), [Some("1.10".to_owned())]);
    }

    #[test]
    fn what_a_column_is_not_is_said_with_the_first_value_and_its_row() {
        let frame = frame();
        let message = |error: EstimatorError| error.to_string();
        assert_eq!(
            message(frame.numbers("level").unwrap_err()),
            "column \"level\" is no number: row 1 holds \"demo-01\""
        );
        assert!(
            message(frame.flags("rating").unwrap_err()).starts_with("column \"rating\" does not say yes or no: row 1")
        );
        assert_eq!(
            message(frame.numbers("log(tim_s)").unwrap_err()),
            "there is no column \"tim_s\" (did you mean \"time_s\"?); the columns are time_s, solved, level, rating, won"
        );
    }

    #[test]
    fn columns_must_fit_together() {
        let numbers = |n: usize| Values::Numbers(vec![None; n]);
        let frame = |columns: Vec<(&str, Values)>| {
            Frame::new(columns.into_iter().map(|(name, values)| (name.to_owned(), values)).collect())
        };
        let unequal = frame(vec![("a", numbers(2)), ("b", numbers(3))]).unwrap_err();
        assert_eq!(unequal.to_string(), "column \"b\" has 3 rows, the columns before it have 2");
        assert!(matches!(frame(vec![("a", numbers(2)), ("a", numbers(2))]), Err(EstimatorError::DoubleColumn { .. })));
        assert_eq!(frame(vec![]).unwrap().n_rows(), 0);
    }
}

//! Expressions over the cells of a row.

use super::super::raw::RowDiagnostic;
use super::columns::ColumnSet;
use super::step::{Row, StepContext};
use crate::error::LogError;
use plymap_expression::{EvalError, Expression, Value};
use plymap_tables::did_you_mean::nearest;

/// An expression, and the numbers of its columns.
pub(super) struct Bound {
    expression: Expression,
    columns: Vec<usize>,
}

impl Bound {
    pub(super) fn new(text: &str, columns: &mut ColumnSet, context: &StepContext<'_>) -> Result<Self, LogError> {
        let wrong =
            |error| LogError::BadExpression { place: format!("steps, {}", context.step), error: Box::new(error) };
        let expression = Expression::parse(text).map_err(wrong)?.with_numbers(context.pipeline.spec.numbers());
        let mut numbers = Vec::new();
        for (place, name) in expression.names().enumerate() {
            if !columns.has(name) && !context.pipeline.may_have(name) {
                let near = nearest(name, columns.there().map(|(_, name)| name));
                return Err(wrong(expression.unknown(place, near.as_deref())));
            }
            numbers.push(columns.number(name));
        }
        Ok(Self { expression, columns: numbers })
    }

    pub(super) fn decide(&self, row: &Row) -> Result<Option<bool>, RowDiagnostic> {
        self.expression.decide(&|place| self.cell(row, place)).map_err(|error| self.diagnostic(&error))
    }

    pub(super) fn value(&self, row: &Row) -> Result<Option<String>, RowDiagnostic> {
        let value =
            self.expression.evaluate(&|place| self.cell(row, place)).map_err(|error| self.diagnostic(&error))?;
        Ok(value.into_text().map(|text| text.into_owned()))
    }

    fn cell<'r>(&self, row: &'r Row, place: usize) -> Value<'r> {
        Value::from(row.get(self.columns[place]))
    }

    fn diagnostic(&self, error: &EvalError) -> RowDiagnostic {
        let part = &self.expression.text()[error.span.clone()];
        let rule = format!("{part} should be {} in {}", error.wanted, self.expression);
        RowDiagnostic::new("expression", part, &error.value, rule, error.help)
    }
}

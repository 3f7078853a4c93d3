//! Steps that give at most one row for a row.

use super::super::pipeline_step;
use super::super::raw::RowDiagnostic;
use super::columns::ColumnSet;
use super::expression::Bound;
use super::step::{Row, Step, StepContext};
use crate::error::LogError;
use plymap_expression::{Template, Value};
use std::collections::{BTreeMap, HashMap};

/// Keeps the rows for which an expression holds.
pub(super) struct Where {
    condition: Bound,
    n_undecided: u64,
}

impl Where {
    pub(super) fn new(text: &str, columns: &mut ColumnSet, context: &StepContext<'_>) -> Result<Self, LogError> {
        Ok(Self { condition: Bound::new(text, columns, context)?, n_undecided: 0 })
    }
}

impl Step for Where {
    fn take(&mut self, row: Row, _columns: &mut ColumnSet, output: &mut Vec<Row>) {
        match self.condition.decide(&row) {
            Ok(Some(true)) => output.push(row),
            Ok(Some(false)) => {}
            Ok(None) => self.n_undecided += 1,
            Err(diagnostic) => output.push(row.reject(diagnostic)),
        }
    }

    fn take_undecided(&mut self) -> u64 {
        std::mem::take(&mut self.n_undecided)
    }
}

/// Computes columns.
pub(super) struct Set {
    columns: Vec<(usize, Bound)>,
}

impl Set {
    pub(super) fn new(
        set: &BTreeMap<String, String>,
        columns: &mut ColumnSet,
        context: &StepContext<'_>,
    ) -> Result<Self, LogError> {
        let bound: Vec<(&String, Bound)> = set
            .iter()
            .map(|(name, text)| Ok((name, Bound::new(text, columns, context)?)))
            .collect::<Result<_, LogError>>()?;
        Ok(Self { columns: bound.into_iter().map(|(name, bound)| (columns.add(name), bound)).collect() })
    }
}

impl Step for Set {
    fn take(&mut self, mut row: Row, _columns: &mut ColumnSet, output: &mut Vec<Row>) {
        // All before any is written: expressions of one step see the row as it came.
        let values: Result<Vec<_>, _> = self.columns.iter().map(|(_, bound)| bound.value(&row)).collect();
        output.push(match values {
            Ok(values) => {
                for ((column, _), value) in self.columns.iter().zip(values) {
                    row.set(*column, value);
                }
                row
            }
            Err(diagnostic) => row.reject(diagnostic),
        });
    }
}

/// Fills empty cells with what stands above them.
pub(super) struct Fill {
    columns: Vec<usize>,
    by: Vec<usize>,
    /// Cells above, in rows that have the same in `by`.
    above: HashMap<Vec<Option<String>>, Vec<Option<String>>>,
}

impl Fill {
    pub(super) fn new(
        fill: &pipeline_step::Fill,
        columns: &mut ColumnSet,
        context: &StepContext<'_>,
    ) -> Result<Self, LogError> {
        let by = context.columns(&fill.by, columns)?;
        Ok(Self { columns: context.columns(&fill.columns, columns)?, by, above: HashMap::new() })
    }
}

impl Step for Fill {
    fn take(&mut self, mut row: Row, _columns: &mut ColumnSet, output: &mut Vec<Row>) {
        let key = key(&row, &self.by);
        let above = self.above.entry(key).or_insert_with(|| vec![None; self.columns.len()]);
        for (&column, above) in self.columns.iter().zip(above) {
            match row.get(column) {
                Some(cell) => *above = Some(cell.to_owned()),
                None => row.set(column, above.clone()),
            }
        }
        output.push(row);
    }

    fn end(&mut self, _made: &mut Vec<Row>) {
        // Nothing may flow from the end of one file into the next.
        self.above.clear();
    }
}

/// Cells of a row in some columns, by which rows are grouped.
pub(super) fn key(row: &Row, columns: &[usize]) -> Vec<Option<String>> {
    columns.iter().map(|&column| row.get(column).map(str::to_owned)).collect()
}

/// Replaces values of a column.
pub(super) struct Replace {
    column: usize,
    by: Option<usize>,
    /// By the value of `by`, which is empty where there is none.
    values: HashMap<String, HashMap<String, String>>,
}

impl Replace {
    pub(super) fn new(
        replace: &pipeline_step::Replace,
        columns: &mut ColumnSet,
        context: &StepContext<'_>,
    ) -> Result<Self, LogError> {
        let column = context.column(&replace.column, columns)?;
        let by = replace.by.as_ref().map(|by| context.column(by, columns)).transpose()?;
        let table = |values: &toml::Table| -> Result<HashMap<String, String>, LogError> {
            let text = |(old, new): (&String, &toml::Value)| match new {
                toml::Value::String(new) => Ok((old.clone(), new.clone())),
                toml::Value::Integer(new) => Ok((old.clone(), new.to_string())),
                _ => Err(context.wrong(format!("{old:?} is to be replaced by {new}, which is no text"))),
            };
            values.iter().map(text).collect()
        };
        let values = match by {
            None => HashMap::from([(String::new(), table(&replace.values)?)]),
            Some(_) => {
                let group = |(value, rest): (&String, &toml::Value)| match rest {
                    toml::Value::Table(rest) => Ok((value.clone(), table(rest)?)),
                    _ => Err(context.wrong(format!("with `by`, {value:?} needs a table of values of its own"))),
                };
                replace.values.iter().map(group).collect::<Result<_, _>>()?
            }
        };
        Ok(Self { column, by, values })
    }
}

impl Step for Replace {
    fn take(&mut self, mut row: Row, _columns: &mut ColumnSet, output: &mut Vec<Row>) {
        let group = self.by.map_or(Some(""), |by| row.get(by));
        let new = group.and_then(|group| self.values.get(group)?.get(row.get(self.column)?)).cloned();
        if new.is_some() {
            row.set(self.column, new);
        }
        output.push(row);
    }
}

/// Makes a text with columns in it.
pub(super) struct Compose {
    column: usize,
    template: Template,
    /// For each expression of the template the numbers of its columns.
    columns: Vec<Vec<usize>>,
}

impl Compose {
    pub(super) fn new(text: &str, columns: &mut ColumnSet, context: &StepContext<'_>) -> Result<Self, LogError> {
        let wrong = |error| LogError::BadExpression { place: "columns".to_owned(), error: Box::new(error) };
        let template = Template::parse(text).map_err(wrong)?.with_numbers(context.pipeline.spec.numbers());
        let mut numbers = Vec::new();
        for expression in template.expressions() {
            let names: Vec<String> = expression.names().map(str::to_owned).collect();
            numbers.push(context.columns(&names, columns)?);
        }
        Ok(Self { column: columns.add(text), template, columns: numbers })
    }
}

impl Step for Compose {
    fn take(&mut self, mut row: Row, _columns: &mut ColumnSet, output: &mut Vec<Row>) {
        let cell = |expression: usize, name: usize| Value::from(row.get(self.columns[expression][name]));
        output.push(match self.template.fill(&cell) {
            Ok(value) => {
                let text = value.into_text().map(|text| text.into_owned());
                row.set(self.column, text);
                row
            }
            Err((_, trouble)) => {
                let rule = format!("this should be {} in {}", trouble.wanted, self.template.text());
                let diagnostic = RowDiagnostic::new("expression", "", &trouble.value, rule, trouble.help);
                row.reject(diagnostic)
            }
        });
    }
}

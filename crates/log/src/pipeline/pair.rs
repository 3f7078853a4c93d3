//! Two rows that are one, such as the pick and the drop of a piece.

use super::super::pipeline_step;
use super::super::raw::RowDiagnostic;
use super::columns::ColumnSet;
use super::expression::Bound;
use super::rows::key;
use super::step::{Row, Step, StepContext};
use crate::error::LogError;
use std::collections::HashMap;

pub(super) struct Pair {
    first: Bound,
    second: Bound,
    by: Vec<usize>,
    /// Each column, and where it goes when its row is the first of a pair.
    moved: Vec<(usize, usize)>,
    /// First rows that wait for their second.
    waiting: HashMap<Vec<Option<String>>, Row>,
    said: [String; 2],
}

impl Pair {
    pub(super) fn new(
        pair: &pipeline_step::Pair,
        columns: &mut ColumnSet,
        context: &StepContext<'_>,
    ) -> Result<Self, LogError> {
        if pair.prefix.is_empty() {
            return Err(context.wrong("`prefix` is empty; the columns of the first row need names of their own"));
        }
        let first = Bound::new(&pair.first, columns, context)?;
        let second = Bound::new(&pair.second, columns, context)?;
        let by = context.columns(&pair.by, columns)?;
        let there: Vec<(usize, String)> =
            columns.there().map(|(number, name)| (number, format!("{}{name}", pair.prefix))).collect();
        let moved = there.into_iter().map(|(number, name)| (number, columns.add(&name))).collect();
        let said = [pair.first.clone(), pair.second.clone()];
        Ok(Self { first, second, by, moved, waiting: HashMap::new(), said })
    }

    fn alone(&self, row: Row, place: usize) -> Row {
        let (word, other) = [("first", "no second row follows it"), ("second", "no first row precedes it")][place];
        let rule = format!("the row is the {word} of a pair ({}), and {other}", self.said[place]);
        let fix = "look for a lost row; leave out such rows with a step { where = \"…\" } before this one";
        row.reject(RowDiagnostic::new("unpaired-row", "", "", rule, fix))
    }
}

impl Step for Pair {
    fn leaves_out(&self) -> bool {
        false
    }

    fn take(&mut self, row: Row, _columns: &mut ColumnSet, output: &mut Vec<Row>) {
        let decided = self.first.decide(&row).and_then(|first| Ok((first, self.second.decide(&row)?)));
        let (is_first, is_second) = match decided {
            Ok((first, second)) => (first == Some(true), second == Some(true)),
            Err(diagnostic) => return output.push(row.reject(diagnostic)),
        };
        let key = key(&row, &self.by);
        if is_first {
            if let Some(before) = self.waiting.insert(key, row) {
                output.push(self.alone(before, 0));
            }
            return;
        }
        let Some(first) = self.waiting.remove(&key) else {
            return output.push(if is_second { self.alone(row, 1) } else { row });
        };
        if !is_second {
            output.push(self.alone(first, 0));
            return output.push(row);
        }
        let mut joined = row;
        for &(column, moved) in &self.moved {
            joined.set(moved, first.get(column).map(str::to_owned));
        }
        output.push(joined);
    }

    fn end(&mut self, output: &mut Vec<Row>) {
        let mut rows: Vec<Row> = std::mem::take(&mut self.waiting).into_values().collect();
        // A hash map has no order, and results must not depend on it.
        rows.sort_by_key(|row| row.line);
        output.extend(rows.into_iter().map(|row| self.alone(row, 0)));
    }
}

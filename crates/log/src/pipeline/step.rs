//! One step of a pipeline, and the row that it takes.

use std::collections::BTreeMap;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use super::columns::ColumnSet;
use crate::error::LogError;
use crate::raw::RowDiagnostic;
use crate::spec::LogSpec;

/// A row on its way through the steps. Rows that are made of one share its cells: each has of its own what is another
/// in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    pub(super) line: u64,
    /// By the numbers of a [`ColumnSet`]; what is behind the end is missing.
    pub(super) cells: Arc<Vec<Option<String>>>,
    /// Cells that override these.
    pub(super) own: BTreeMap<usize, Option<String>>,
    pub(super) fault: Option<Box<RowDiagnostic>>,
    pub(super) notices: Vec<RowDiagnostic>,
}

impl Row {
    pub(super) fn get(&self, column: usize) -> Option<&str> {
        self.own.get(&column).or_else(|| self.cells.get(column))?.as_deref()
    }

    pub(super) fn set(&mut self, column: usize, cell: Option<String>) {
        let cell = cell.filter(|cell| !cell.is_empty());
        // What a step adds stands behind the others, and what has been made of a row is not gone through again.
        match Arc::get_mut(&mut self.cells).filter(|_| self.own.is_empty()) {
            Some(cells) => {
                if cells.len() <= column {
                    cells.resize(column + 1, None);
                }
                cells[column] = cell;
            }
            None => drop(self.own.insert(column, cell)),
        }
    }

    pub(crate) fn take(&mut self, column: usize) -> Option<String> {
        if let Some(cells) = Arc::get_mut(&mut self.cells)
            && !self.own.contains_key(&column)
        {
            return cells.get_mut(column)?.take();
        }
        let cell = self.get(column)?.to_owned();
        self.own.insert(column, None);
        Some(cell)
    }

    pub(super) fn reject(mut self, diagnostic: RowDiagnostic) -> Self {
        self.fault.get_or_insert_with(|| diagnostic.into());
        self
    }
}

/// Work of one step on a row.
pub(crate) trait Step: Send {
    /// Takes a row without a fault, and puts what it makes of it into `output`.
    fn take(&mut self, row: Row, columns: &mut ColumnSet, output: &mut Vec<Row>);

    /// Gives what it still holds at the end of a file, and holds nothing of it any more.
    fn end(&mut self, _made: &mut Vec<Row>) {}

    /// `true` if it makes columns that only the rows tell.
    fn finds_columns(&self) -> bool {
        false
    }

    /// `true` if a row of which it makes nothing is left out; otherwise it waits for the next one.
    fn leaves_out(&self) -> bool {
        true
    }

    /// Number of rows that it left out since it was asked last because a missing value left its condition open.
    fn take_undecided(&mut self) -> u64 {
        0
    }
}

/// Context that steps share: how cells are read, and which columns there are beside those of a file.
pub(crate) struct PipelineContext<'a> {
    pub spec: &'a LogSpec,
    /// Columns of all files, before the first step: a file may lack some of them.
    pub known: HashSet<String>,
    /// `true` if only some of the files are read, and another may have what these lack.
    pub is_part: bool,
}

impl PipelineContext<'_> {
    /// `true` if a file may have this column.
    pub(super) fn may_have(&self, name: &str) -> bool {
        self.is_part || self.known.contains(name)
    }
}

/// A step as it asks for columns of a file.
pub(crate) struct StepContext<'a> {
    pub(super) step: &'static str,
    pub(super) path: &'a Path,
    pub(super) pipeline: &'a PipelineContext<'a>,
}

impl StepContext<'_> {
    /// The number of a column that the rows must have.
    pub(super) fn column(&self, name: &str, columns: &mut ColumnSet) -> Result<usize, LogError> {
        if !columns.has(name) && !self.pipeline.may_have(name) {
            let names = || columns.there().map(|(_, name)| name);
            return Err(LogError::UnknownColumn {
                path: self.path.to_owned(),
                key: format!("the step {}", self.step).into(),
                column: name.into(),
                nearest: plymap_tables::did_you_mean::nearest(name, names()),
                has: names().collect::<Vec<_>>().join(", "),
            });
        }
        Ok(columns.number(name))
    }

    pub(super) fn columns(&self, names: &[String], columns: &mut ColumnSet) -> Result<Vec<usize>, LogError> {
        names.iter().map(|name| self.column(name, columns)).collect()
    }

    pub(super) fn wrong(&self, reason: impl Into<String>) -> LogError {
        LogError::BadStep { step: self.step.to_owned(), reason: reason.into() }
    }
}

//! Rows of one file that are held in memory.

use std::fmt;
use std::sync::Arc;

use super::error::LogError;
use super::raw::{RawRow, RowDiagnostic, Sink};

/// A row of a file, with the cells of the columns that are held.
pub(crate) struct HeldRow {
    pub(super) line: u64,
    pub(super) cells: Box<[Option<Box<str>>]>,
    pub(super) fault: Option<Box<RowDiagnostic>>,
    pub(super) notices: Box<[RowDiagnostic]>,
}

/// The rows of one file.
#[derive(Clone)]
pub(crate) struct HeldRows(pub(super) Arc<[HeldRow]>);

impl fmt::Debug for HeldRows {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} rows", self.0.len())
    }
}

impl HeldRows {
    /// Hands each of them to `sink`.
    pub(crate) fn give(&self, sink: &mut Sink<'_>) -> Result<(), LogError> {
        for HeldRow { line, cells, fault, notices } in self.0.iter() {
            let cells: Vec<Option<&str>> = cells.iter().map(Option::as_deref).collect();
            sink(RawRow { line: *line, cells: &cells, fault: fault.clone(), notices })?;
        }
        Ok(())
    }
}

//! Rows on their way from the thread that takes files apart to the one that checks them, and the empty batches on their
//! way back: what they hold would else be taken from the system anew for each.

use super::cells::Cells;
use super::error::LogError;
use super::parquet::Part;
use super::raw::{RawRow, RowDiagnostic};
use std::sync::mpsc;

/// So much of a file is handed over at once, in bytes; in tests so little that small logs come in several parts, too.
const FULL: usize = if cfg!(test) { 1 << 9 } else { 1 << 18 };

/// Bytes that a row takes beside the texts of its cells, about.
const OF_EACH_ROW: usize = 64;

/// Rows of one file, as they stand in it.
#[derive(Debug)]
pub(super) enum Batch {
    /// Of a file that is text.
    Texts(TextBatch),
    /// Of a table.
    Columns(Part),
}

impl Batch {
    /// Hands the rows to `take`.
    ///
    /// # Errors
    ///
    /// If a table has a value that cannot be a text.
    pub(super) fn with_rows<T>(&mut self, take: impl FnOnce(&[RawRow<'_>]) -> T) -> Result<T, LogError> {
        match self {
            Self::Texts(batch) => Ok(batch.with_rows(take)),
            Self::Columns(part) => part.with_rows(take),
        }
    }

    /// Leaves out all rows, for others in their place.
    pub(super) fn give_back(self, to: &mpsc::Sender<TextBatch>) {
        if let Self::Texts(mut batch) = self {
            batch.clear();
            // Nobody takes it who has read everything.
            let _ = to.send(batch);
        }
    }
}

/// Rows as they were pushed.
#[derive(Debug, Default)]
pub(super) struct TextBatch {
    cells: Cells,
    rows: Vec<BatchRow>,
}

#[derive(Debug)]
struct BatchRow {
    line: u64,
    n_cells: usize,
    fault: Option<Box<RowDiagnostic>>,
    notices: Vec<RowDiagnostic>,
}

impl TextBatch {
    /// Adds a row; whether there is no room for more.
    pub(super) fn push(&mut self, raw: RawRow<'_>) -> bool {
        raw.cells.iter().for_each(|cell| self.cells.push(*cell));
        let RawRow { line, cells, fault, notices } = raw;
        self.rows.push(BatchRow { line, n_cells: cells.len(), fault, notices: notices.to_vec() });
        self.cells.n_bytes() + self.cells.len() + self.rows.len() * OF_EACH_ROW >= FULL
    }

    fn clear(&mut self) {
        self.cells.reset(0);
        self.rows.clear();
    }

    fn with_rows<T>(&mut self, take: impl FnOnce(&[RawRow<'_>]) -> T) -> T {
        let cells: Vec<Option<&str>> = self.cells.iter().collect();
        let mut rest = cells.as_slice();
        let mut rows = Vec::with_capacity(self.rows.len());
        for BatchRow { line, n_cells, fault, notices } in &mut self.rows {
            let (cells, behind) = rest.split_at(*n_cells);
            rest = behind;
            rows.push(RawRow { line: *line, cells, fault: fault.take(), notices });
        }
        take(&rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_as_they_were_pushed() {
        let diagnostic = || RowDiagnostic::new("code", "column", "value", "rule", "fix");
        type Row = (&'static [Option<&'static str>], Option<Box<RowDiagnostic>>, Vec<RowDiagnostic>);
        let rows: [Row; 3] = [
            (&[Some("p"), None, Some("")], None, Vec::new()),
            (&[], Some(diagnostic().into()), Vec::new()),
            (&[Some("é"), Some("A+1")], None, vec![diagnostic(), diagnostic()]),
        ];
        let mut batch = TextBatch::default();
        // The second time it is used again.
        for _ in 0..2 {
            for (line, (cells, fault, notices)) in (1..).zip(&rows) {
                assert!(!batch.push(RawRow { line, cells, fault: fault.clone(), notices }));
            }
            batch.with_rows(|row| {
                assert_eq!(row.len(), 3);
                for (number, (raw, (cells, fault, notices))) in (1..).zip(row.iter().zip(&rows)) {
                    let actual = (raw.line, raw.cells, &raw.fault, raw.notices);
                    assert_eq!(actual, (number, *cells, fault, notices.as_slice()));
                }
            });
            batch.clear();
        }
        assert!(TextBatch::default().push(RawRow {
            line: 1,
            cells: &[Some(&"a".repeat(FULL))],
            fault: None,
            notices: &[]
        }));
    }
}

//! Rows on their way from the thread that takes files apart to the one that checks them.

use super::cells::Cells;
use super::raw::{Flaw, RawRow};

/// So much of a file is handed over at once, in bytes.
const FULL: usize = 1 << 18;

/// What a row takes beside the texts of its cells, about.
const OF_EACH_ROW: usize = 64;

/// Rows of one file, as they stand in it.
#[derive(Debug, Default)]
pub(super) struct Batch {
    cells: Cells,
    rows: Vec<BatchRow>,
}

#[derive(Debug)]
struct BatchRow {
    line: u64,
    n_cells: usize,
    fault: Option<Flaw>,
    notices: Vec<Flaw>,
}

impl Batch {
    /// Adds a row; whether there is no room for more.
    pub(super) fn push(&mut self, raw: RawRow<'_>) -> bool {
        raw.cells.iter().for_each(|cell| self.cells.push(*cell));
        let RawRow { line, cells, fault, notices } = raw;
        self.rows.push(BatchRow { line, n_cells: cells.len(), fault, notices: notices.to_vec() });
        self.cells.n_bytes() + self.cells.len() + self.rows.len() * OF_EACH_ROW >= FULL
    }

    /// Hands over the rows, as they were pushed, until one is refused.
    pub(super) fn hand_over<E>(self, mut sink: impl FnMut(RawRow<'_>) -> Result<(), E>) -> Result<(), E> {
        let cells: Vec<Option<&str>> = self.cells.iter().collect();
        let mut rest = cells.as_slice();
        for BatchRow { line, n_cells, fault, notices } in self.rows {
            let (cells, behind) = rest.split_at(n_cells);
            rest = behind;
            sink(RawRow { line, cells, fault, notices: &notices })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_as_they_were_pushed_until_one_is_refused() {
        let flaw = || Flaw::new("code", "column", "value", "rule", "fix");
        type Row = (&'static [Option<&'static str>], Option<Flaw>, Vec<Flaw>);
        let rows: [Row; 3] = [
            (&[Some("p"), None, Some("")], None, Vec::new()),
            (&[], Some(flaw()), Vec::new()),
            (&[Some("é"), Some("A+1")], None, vec![flaw(), flaw()]),
        ];
        let batch = || {
            let mut batch = Batch::default();
            for (line, (cells, fault, notices)) in (1..).zip(&rows) {
                assert!(!batch.push(RawRow { line, cells, fault: fault.clone(), notices }));
            }
            batch
        };
        let mut n = 0;
        let all = batch().hand_over(|raw| {
            let (cells, fault, notices) = &rows[n];
            assert_eq!(
                (raw.line, raw.cells, &raw.fault, raw.notices),
                (n as u64 + 1, *cells, fault, notices.as_slice())
            );
            n += 1;
            Ok::<_, ()>(())
        });
        assert_eq!((all, n), (Ok(()), 3));
        assert_eq!(batch().hand_over(|raw| if raw.line == 2 { Err(raw.line) } else { Ok(()) }), Err(2));
        assert!(Batch::default().push(RawRow {
            line: 1,
            cells: &[Some(&"a".repeat(FULL))],
            fault: None,
            notices: &[]
        }));
    }
}

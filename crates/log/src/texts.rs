//! Texts of a log, each held once.

use std::collections::HashMap;
use std::sync::Arc;

/// Texts by numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    numbers: HashMap<Arc<str>, u32, foldhash::fast::RandomState>,
    texts: Vec<Arc<str>>,
}

impl Names {
    /// The number of a text, which is the next one if it is new.
    pub(super) fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let (number, text) = (self.texts.len() as u32, Arc::<str>::from(text));
        self.texts.push(text.clone());
        self.numbers.insert(text, number);
        number
    }

    pub(super) fn text(&self, number: u32) -> &str {
        &self.texts[number as usize]
    }

    /// The numbers that these texts have among others, to which they are added.
    pub(super) fn numbers_in(&self, others: &mut Self) -> Vec<u32> {
        self.texts.iter().map(|text| others.number(text)).collect()
    }
}

/// A text column: four bytes a row, none while it is empty, and each different text once.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    names: Names,
    /// Number of the text of each row, plus 1; 0 where there is none, as in all rows behind the last.
    rows: Vec<u32>,
    n_rows: usize,
    /// Number of the last text: rows beside each other mostly say the same.
    last: u32,
}

impl Texts {
    pub(super) fn push(&mut self, text: Option<&str>) {
        self.n_rows += 1;
        let Some(text) = text else { return };
        if self.names.texts.get(self.last as usize).is_none_or(|last| **last != *text) {
            self.last = self.names.number(text);
        }
        self.rows.resize(self.n_rows, 0);
        self.rows[self.n_rows - 1] = self.last + 1;
    }

    /// Adds the rows of another, behind its own.
    pub(super) fn append(&mut self, other: Self) {
        let numbers = other.names.numbers_in(&mut self.names);
        if !other.rows.is_empty() {
            self.rows.resize(self.n_rows, 0);
            self.rows.extend(other.rows.into_iter().map(|row| match row {
                0 => 0,
                row => numbers[row as usize - 1] + 1,
            }));
        }
        self.n_rows += other.n_rows;
    }

    /// `true` if no row has a text.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Makes room for so many rows in all, unless none has a text.
    pub(super) fn reserve(&mut self, n_rows: usize) {
        if !self.is_empty() {
            // What is refused here may still come in smaller steps.
            let _ = self.rows.try_reserve_exact(n_rows.saturating_sub(self.rows.len()));
        }
    }

    /// Gives back what was taken ahead for more rows.
    pub(super) fn shrink(&mut self) {
        self.rows.shrink_to_fit();
    }

    /// The number of the text of a row, if it has one.
    pub(super) fn code(&self, row: usize) -> Option<u32> {
        self.rows.get(row)?.checked_sub(1)
    }

    pub(super) fn text(&self, code: u32) -> &str {
        self.names.text(code)
    }
}

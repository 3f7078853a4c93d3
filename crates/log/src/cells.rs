//! Cells whose texts stand one after the other, so that none takes memory of its own.

use std::fmt::{self, Write as _};

/// Cells of a row, of a column, or of many rows; a cell may be missing.
#[derive(Debug, Default)]
pub(super) struct Cells {
    text: String,
    places: Vec<Option<(usize, usize)>>,
}

impl Cells {
    /// No cell yet, with room for so many.
    pub(super) fn with_capacity(n: usize) -> Self {
        Self { text: String::new(), places: Vec::with_capacity(n) }
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Bytes of their texts.
    pub(super) fn n_bytes(&self) -> usize {
        self.text.len()
    }

    pub(super) fn get(&self, number: usize) -> Option<&str> {
        self.places[number].map(|(start, end)| &self.text[start..end])
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Option<&str>> {
        (0..self.len()).map(|number| self.get(number))
    }

    pub(super) fn push(&mut self, cell: Option<&str>) {
        self.places.push(cell.map(|cell| {
            self.text.push_str(cell);
            (self.text.len() - cell.len(), self.text.len())
        }));
    }

    /// Adds a cell with the text of a value.
    pub(super) fn push_shown(&mut self, value: impl fmt::Display) {
        let start = self.text.len();
        write!(self.text, "{value}").expect("a text takes everything");
        self.places.push(Some((start, self.text.len())));
    }

    /// Adds a cell: `write` adds its text, and tells whether it has one.
    pub(super) fn push_written<E>(&mut self, write: impl FnOnce(&mut String) -> Result<bool, E>) -> Result<(), E> {
        self.places.push(None);
        self.write(self.len() - 1, write)
    }

    /// Gives a cell another text.
    pub(super) fn write<E>(
        &mut self,
        number: usize,
        write: impl FnOnce(&mut String) -> Result<bool, E>,
    ) -> Result<(), E> {
        let start = self.text.len();
        self.places[number] = write(&mut self.text)?.then_some((start, self.text.len()));
        Ok(())
    }

    /// So many missing cells in place of all that there are.
    pub(super) fn reset(&mut self, n: usize) {
        self.text.clear();
        self.places.clear();
        self.places.resize(n, None);
    }
}

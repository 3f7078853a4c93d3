//! Levels as a container holds them, before they have names.

use std::ops::Range;

/// A cell of a table row beside the level's own text, or an entry of an object of JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The name of the column, or the key.
    pub name: String,
    /// Content, escapes resolved; lists and objects as they are written.
    pub value: String,
    /// The bytes of the file that hold it.
    pub span: Range<usize>,
}

impl Cell {
    /// `true` if nothing stands here, or a word that says so. `none` is a value, as of the target of 2048.
    pub fn is_missing(&self) -> bool {
        self.value.trim() != "none" && plymap_expression::is_missing(&self.value)
    }
}

/// A level as a container finds it.
pub(super) struct FoundLevel {
    /// Its name, where the file gives one, and the bytes that hold it.
    pub id: Option<(String, Range<usize>)>,
    pub span: Range<usize>,
    pub text: String,
    pub column: Option<String>,
    pub extra: Vec<Cell>,
}

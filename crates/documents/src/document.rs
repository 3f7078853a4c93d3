//! A document as plain parts, in the order in which they are read.

use crate::DocumentError;

/// A document of text, tables and figures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// Title, which is also that of the file's properties.
    pub title: String,
    /// Program and version that made the document, for the file's properties.
    pub made_by: String,
    /// Content below the title.
    pub parts: Vec<Part>,
}

/// A part of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// A heading with its depth, from 1; Word's navigation lists it.
    Heading(u8, String),
    /// A paragraph of text.
    Paragraph(Vec<Run>),
    /// An entry of a list.
    Item(Vec<Run>),
    /// An entry of a list of references, with a hanging indent.
    Reference(Vec<Run>),
    /// A table in the style of the APA.
    Table(ApaTable),
    /// A figure.
    Figure(Picture),
    /// Start of a new page.
    PageBreak,
}

/// A piece of text in one look.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The text; a line feed breaks the line.
    pub text: String,
    /// Its look.
    pub emphasis: Emphasis,
}

/// Look of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Emphasis {
    /// As its paragraph.
    #[default]
    Plain,
    /// Italic, as statistical symbols.
    Italic,
    /// Bold.
    Bold,
    /// Letters of equal width, as code and names of files.
    Code,
}

impl Run {
    /// A text that looks as its paragraph.
    pub fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), emphasis: Emphasis::Plain }
    }

    /// An italic text.
    pub fn italic(text: impl Into<String>) -> Self {
        Self { text: text.into(), emphasis: Emphasis::Italic }
    }

    /// A bold text.
    pub fn bold(text: impl Into<String>) -> Self {
        Self { text: text.into(), emphasis: Emphasis::Bold }
    }

    /// A text in letters of equal width.
    pub fn code(text: impl Into<String>) -> Self {
        Self { text: text.into(), emphasis: Emphasis::Code }
    }
}

/// A table with three lines: number, title, head, rows and note (American Psychological Association, 2020, Publication
/// Manual, 7th ed., sections 7.8 to 7.21).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ApaTable {
    /// Number of the table in its document, from 1.
    pub number: usize,
    /// Title, which is set in italics.
    pub title: String,
    /// The columns.
    pub columns: Vec<ApaColumn>,
    /// The rows, each with a cell for each column.
    pub rows: Vec<Vec<Vec<Run>>>,
    /// Note below the table, behind the word "Note."; may be empty.
    pub note: Vec<Run>,
}

/// Head of a column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ApaColumn {
    /// Text of the head.
    pub head: Vec<Run>,
    /// True if the cells are numbers, which are set to the right.
    pub is_number: bool,
}

impl ApaTable {
    /// Checks that each row has a cell for each column.
    pub(crate) fn check(&self) -> Result<(), DocumentError> {
        let n_columns = self.columns.len();
        match self.rows.iter().position(|row| row.len() != n_columns) {
            Some(row) => {
                let n = self.rows[row].len();
                Err(DocumentError::Ragged { table: self.title.clone(), row: row + 1, n, n_columns })
            }
            None => Ok(()),
        }
    }
}

/// A figure with what stands above and below it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// Number of the figure in its document, from 1.
    pub number: usize,
    /// Title, which is set in italics.
    pub title: String,
    /// The drawing as a PNG file.
    pub png: Vec<u8>,
    /// Width in print, in millimetres; a wider one than the text is reduced to that.
    pub width_mm: f64,
    /// Height in print, in millimetres.
    pub height_mm: f64,
    /// Alternative text, for those who cannot see it.
    pub alt: String,
    /// Note below the figure, behind the word "Note."; may be empty.
    pub note: Vec<Run>,
}

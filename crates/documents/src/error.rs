//! Errors of documents and workbooks.

use plymap_tables::TableError;

/// A document or workbook that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// A table and its documentation do not agree.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The package of a document, which is a ZIP archive, could not be written.
    #[error("cannot write the document: {0}")]
    Package(#[from] zip::result::ZipError),
    /// XML could not be written.
    #[error("cannot write the document: {0}")]
    Xml(#[from] std::io::Error),
    /// A table has a row whose cells are not as many as its columns.
    #[error(
        "table {table:?}, row {row}: {n} cells for {n_columns} columns; give each column a cell, empty where it is missing"
    )]
    Ragged {
        /// Title of the table.
        table: String,
        /// The row, from 1.
        row: usize,
        /// Number of its cells.
        n: usize,
        /// Number of columns.
        n_columns: usize,
    },
    /// A table is too long for a document that somebody reads.
    #[error(
        "table {table:?} has {n_rows} rows, and a document for Word is for at most {most}; write it as xlsx, csv or parquet, or \
         choose rows first"
    )]
    TooLong {
        /// Name of the table.
        table: String,
        /// Number of its rows.
        n_rows: usize,
        /// The most rows of a table in a document.
        most: usize,
    },
    /// None of the tables fits into a workbook.
    #[error("{reason}; write csv or parquet")]
    TooLarge {
        /// Description of what does not fit.
        reason: String,
    },
    /// The workbook could not be written.
    #[error("cannot write the workbook: {0}")]
    Workbook(#[from] rust_xlsxwriter::XlsxError),
}

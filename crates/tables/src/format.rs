//! The formats in which tables are kept.

use std::fmt;
use std::str::FromStr;

use crate::TableError;

/// A format in which a table is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TableFormat {
    /// Text, quoted as in RFC 4180, UTF-8, lines ended by a line feed; missing is empty, the empty
    /// text is `""`, the decimal sign is a point, numbers read back to the same bits.
    Csv,
    /// Apache Parquet, compressed with zstd; keeps the types of the columns.
    Parquet,
}

impl TableFormat {
    /// All of them.
    pub const ALL: [TableFormat; 2] = [TableFormat::Csv, TableFormat::Parquet];

    /// Returns the extension of its files, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            TableFormat::Csv => "csv",
            TableFormat::Parquet => "parquet",
        }
    }
}

impl fmt::Display for TableFormat {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.extension())
    }
}

impl FromStr for TableFormat {
    type Err = TableError;

    fn from_str(word: &str) -> Result<Self, TableError> {
        Self::ALL
            .into_iter()
            .find(|format| format.extension() == word)
            .ok_or_else(|| TableError::UnknownFormat { word: word.to_owned(), known: "csv, parquet".to_owned() })
    }
}

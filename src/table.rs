//! A table with the meaning of each of its columns.

use plymap_statistics::record::{self, ColumnKind, Record};
use polars::prelude::{Column, DataFrame, PolarsResult};
use serde::Serialize;

/// What one column of a table means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ColumnDoc {
    /// Name of the column.
    pub name: String,
    /// What a value in it means, for someone who has not read the code.
    pub meaning: String,
    /// Unit of its values; empty for counts, names and flags.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// The values that it can take, where they are few.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<String>,
}

impl ColumnDoc {
    /// A column without a unit.
    pub fn new(name: &str, meaning: &str) -> Self {
        Self { name: name.to_owned(), meaning: meaning.to_owned(), unit: String::new(), levels: Vec::new() }
    }

    /// The same column with a unit.
    pub fn unit(mut self, unit: &str) -> Self {
        self.unit = unit.to_owned();
        self
    }

    /// The same column with the values that it can take.
    pub fn levels(mut self, levels: &[&str]) -> Self {
        self.levels = levels.iter().map(|&level| level.to_owned()).collect();
        self
    }
}

/// A table that can be written: its data, and what each column means.
#[derive(Clone, Debug)]
pub struct Table {
    /// Name of the table and stem of its files, such as `trials`.
    pub name: String,
    /// One sentence: what a row is and what the table is for.
    pub caption: String,
    /// The rows.
    pub data: DataFrame,
    /// One entry for each column of `data`, in the same order.
    pub columns: Vec<ColumnDoc>,
}

impl Table {
    /// A table of results: one row for each record, one column for each that is declared.
    ///
    /// # Errors
    ///
    /// If the table cannot be made.
    pub fn of_records(name: &str, caption: &str, columns: &[record::Column], records: &[Record]) -> PolarsResult<Self> {
        let add = |table: Columns, column: &record::Column| table.records(*column, records.iter());
        columns.iter().fold(Columns::new(), add).into_table(name, caption)
    }
}

/// The columns of a table under construction, each with its documentation; one value for each row.
#[derive(Default)]
pub(crate) struct Columns {
    data: Vec<Column>,
    docs: Vec<ColumnDoc>,
}

impl Columns {
    pub fn new() -> Self {
        Self::default()
    }

    fn with(mut self, column: Column, doc: ColumnDoc) -> Self {
        self.data.push(column);
        self.docs.push(doc);
        self
    }

    pub fn text<T>(self, rows: &[T], name: &str, meaning: &str, value: impl Fn(&T) -> String) -> Self {
        let column = Column::new(name.into(), rows.iter().map(value).collect::<Vec<_>>());
        self.with(column, ColumnDoc::new(name, meaning))
    }

    /// Text that may be missing.
    pub fn label<T>(self, rows: &[T], name: &str, meaning: &str, value: impl Fn(&T) -> Option<String>) -> Self {
        let column = Column::new(name.into(), rows.iter().map(value).collect::<Vec<_>>());
        self.with(column, ColumnDoc::new(name, meaning))
    }

    pub fn count<T>(self, rows: &[T], name: &str, meaning: &str, value: impl Fn(&T) -> u64) -> Self {
        let column = Column::new(name.into(), rows.iter().map(value).collect::<Vec<_>>());
        self.with(column, ColumnDoc::new(name, meaning))
    }

    pub fn whole<T>(
        self,
        rows: &[T],
        name: &str,
        unit: &str,
        meaning: &str,
        value: impl Fn(&T) -> Option<i64>,
    ) -> Self {
        let column = Column::new(name.into(), rows.iter().map(value).collect::<Vec<_>>());
        self.with(column, ColumnDoc::new(name, meaning).unit(unit))
    }

    pub fn number<T>(
        self,
        rows: &[T],
        name: &str,
        unit: &str,
        meaning: &str,
        value: impl Fn(&T) -> Option<f64>,
    ) -> Self {
        let column = Column::new(name.into(), rows.iter().map(value).collect::<Vec<_>>());
        self.with(column, ColumnDoc::new(name, meaning).unit(unit))
    }

    pub fn flag<T>(self, rows: &[T], name: &str, meaning: &str, value: impl Fn(&T) -> Option<bool>) -> Self {
        let column = Column::new(name.into(), rows.iter().map(value).collect::<Vec<_>>());
        self.with(column, ColumnDoc::new(name, meaning))
    }

    /// A column of results: of the records, in their order.
    pub fn records<'a>(self, column: record::Column, records: impl Iterator<Item = &'a Record>) -> Self {
        let record::Column { name, key, kind, meaning, unit, levels } = column;
        let cells = records.map(|record| record.cell(key));
        // Counts and whole numbers are below 2^53, where a number of 64 bits is exact.
        let data = match kind {
            ColumnKind::Number => Column::new(name.into(), cells.map(|cell| cell.number()).collect::<Vec<_>>()),
            ColumnKind::Count => {
                Column::new(name.into(), cells.map(|cell| cell.number().map(|n| n as u64)).collect::<Vec<_>>())
            }
            ColumnKind::Whole => {
                Column::new(name.into(), cells.map(|cell| cell.number().map(|n| n as i64)).collect::<Vec<_>>())
            }
            ColumnKind::Text => {
                Column::new(name.into(), cells.map(|cell| cell.text().map(str::to_owned)).collect::<Vec<_>>())
            }
            ColumnKind::Flag => Column::new(name.into(), cells.map(|cell| cell.flag()).collect::<Vec<_>>()),
        };
        self.with(data, ColumnDoc::new(name, meaning).unit(unit).levels(levels))
    }

    pub fn into_table(self, name: &str, caption: &str) -> PolarsResult<Table> {
        Ok(Table {
            name: name.to_owned(),
            caption: caption.to_owned(),
            data: DataFrame::new_infer_height(self.data)?,
            columns: self.docs,
        })
    }
}

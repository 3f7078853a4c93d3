//! The values of a table, one column at a time, as every writer and comparison needs them.

use polars::prelude::{
    BooleanChunked, Column, DataType, Float32Chunked, Float64Chunked, Int64Chunked, StringChunked, UInt64Chunked,
};
use std::fmt;

use crate::TableError;
use crate::table::Table;

/// A value of a column. Its `Display` is exact: numbers read back to the same bits, missing is empty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// No value.
    Missing,
    /// A truth value.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// A whole number that is not negative.
    Unsigned(u64),
    /// A real number of single precision.
    Single(f32),
    /// A real number.
    Number(f64),
    /// A text.
    Text(&'a str),
}

impl Cell<'_> {
    /// The value as a JSON value; not-a-number and the infinities, which JSON lacks, become null.
    pub fn to_json(self) -> serde_json::Value {
        match self {
            Cell::Missing => serde_json::Value::Null,
            Cell::Boolean(value) => value.into(),
            Cell::Integer(value) => value.into(),
            Cell::Unsigned(value) => value.into(),
            // Through its shortest decimal form, so that 0.1 stays 0.1 and does not grow digits.
            Cell::Single(value) => value.to_string().parse::<f64>().unwrap_or(f64::NAN).into(),
            Cell::Number(value) => value.into(),
            Cell::Text(value) => value.into(),
        }
    }
}

impl Cell<'_> {
    /// The value as a number; nothing of what is none.
    pub fn number(self) -> Option<f64> {
        match self {
            Cell::Integer(value) => Some(value as f64),
            Cell::Unsigned(value) => Some(value as f64),
            Cell::Single(value) => Some(value.into()),
            Cell::Number(value) => Some(value),
            Cell::Missing | Cell::Boolean(_) | Cell::Text(_) => None,
        }
    }
}

impl fmt::Display for Cell<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Missing => Ok(()),
            Cell::Boolean(value) => write!(formatter, "{value}"),
            Cell::Integer(value) => write!(formatter, "{value}"),
            Cell::Unsigned(value) => write!(formatter, "{value}"),
            // Debug writes the shortest form that reads back the same, keeps the `.0` that marks a
            // number as one, and turns to an exponent where Display would write hundreds of zeros.
            Cell::Single(value) => write!(formatter, "{value:?}"),
            Cell::Number(value) => write!(formatter, "{value:?}"),
            Cell::Text(value) => formatter.write_str(value),
        }
    }
}

/// A column in one of the few types that a table can carry.
pub enum Cells {
    /// Values that are all missing.
    Missing,
    /// Truth values.
    Boolean(BooleanChunked),
    /// Whole numbers.
    Integer(Int64Chunked),
    /// Whole numbers that are not negative.
    Unsigned(UInt64Chunked),
    /// Real numbers of single precision.
    Single(Float32Chunked),
    /// Real numbers.
    Number(Float64Chunked),
    /// Texts.
    Text(StringChunked),
}

impl Cells {
    /// The values of all columns of a table.
    pub fn of_table(table: &Table) -> Result<Vec<Cells>, TableError> {
        table.data.columns().iter().map(|column| Cells::of_column(&table.name, column)).collect()
    }

    /// The values of one column. Dates and times become ISO 8601 text.
    pub fn of_column(table: &str, column: &Column) -> Result<Cells, TableError> {
        // One chunk: `get` is then a plain index.
        let series = column.as_materialized_series().rechunk();
        let cells = match series.dtype() {
            DataType::Null => Ok(Cells::Missing),
            DataType::Boolean => series.bool().map(|values| Cells::Boolean(values.clone())),
            DataType::Float32 => series.f32().map(|values| Cells::Single(values.clone())),
            DataType::Float64 => series.f64().map(|values| Cells::Number(values.clone())),
            DataType::UInt64 => series.u64().map(|values| Cells::Unsigned(values.clone())),
            other if other.is_integer() => series
                .strict_cast(&DataType::Int64)
                .and_then(|values| values.i64().map(|values| Cells::Integer(values.clone()))),
            _ => series
                .strict_cast(&DataType::String)
                .and_then(|values| values.str().map(|values| Cells::Text(values.clone()))),
        };
        cells.map_err(|error| TableError::Column {
            table: table.to_owned(),
            column: column.name().to_string(),
            problem: format!("a table cannot carry the type {}; make it numbers or text ({error})", series.dtype()),
        })
    }

    /// The value in one row; missing beyond the last.
    pub fn get(&self, row: usize) -> Cell<'_> {
        match self {
            Cells::Missing => None,
            Cells::Boolean(values) => values.get(row).map(Cell::Boolean),
            Cells::Integer(values) => values.get(row).map(Cell::Integer),
            Cells::Unsigned(values) => values.get(row).map(Cell::Unsigned),
            Cells::Single(values) => values.get(row).map(Cell::Single),
            Cells::Number(values) => values.get(row).map(Cell::Number),
            Cells::Text(values) => values.get(row).map(Cell::Text),
        }
        .unwrap_or(Cell::Missing)
    }

    /// Returns true if the values are numbers, which are set to the right and sorted by size.
    pub fn is_numeric(&self) -> bool {
        matches!(self, Cells::Integer(_) | Cells::Unsigned(_) | Cells::Single(_) | Cells::Number(_))
    }
}

/// Returns the name of a type for readers, whatever the library calls it.
pub fn type_name(data_type: &DataType) -> &'static str {
    match data_type {
        DataType::Boolean => "boolean",
        DataType::Date => "date",
        DataType::Datetime(..) => "datetime",
        DataType::Time => "time",
        DataType::Duration(_) => "duration",
        other if other.is_integer() => "integer",
        other if other.is_float() => "number",
        _ => "text",
    }
}

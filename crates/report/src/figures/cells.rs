//! The cells of a table of statistics, for figures that are drawn from it.

use polars::prelude::{DataType, PolarsResult};

use plymap_tables::Table;

/// A table to be drawn.
pub(super) struct TableCells<'a>(pub &'a Table);

impl TableCells<'_> {
    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.0.data.height()
    }

    /// A column as text; missing is empty.
    pub fn texts(&self, column: &str) -> PolarsResult<Vec<String>> {
        let column = self.0.data.column(column)?.cast(&DataType::String)?;
        Ok(column.str()?.iter().map(|cell| cell.unwrap_or_default().to_owned()).collect())
    }

    /// A column as numbers.
    pub fn numbers(&self, column: &str) -> PolarsResult<Vec<Option<f64>>> {
        let column = self.0.data.column(column)?.cast(&DataType::Float64)?;
        Ok(column.f64()?.iter().collect())
    }

    /// A column of counts; missing is 0.
    pub fn counts(&self, column: &str) -> PolarsResult<Vec<u64>> {
        Ok(self.numbers(column)?.into_iter().map(|cell| cell.unwrap_or(0.0) as u64).collect())
    }
}

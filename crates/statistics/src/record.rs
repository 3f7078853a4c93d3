//! Results as records: rows whose columns are declared once, with their meaning, for every table that shows them.
//!
//! A method declares its columns as constants and turns its result into a [`Record`]; an estimator, an analysis of a
//! study and the page of the documentation use the same constants. A column that means something more special in one
//! table is [`Column::means`].

pub(crate) mod column;
mod columns;
mod row;

pub(crate) use column::joined;
pub use column::{Column, ColumnKind, count, flag, number, text, whole};
pub use columns::*;
pub use row::{Cell, Record};

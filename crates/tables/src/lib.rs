#![doc = include_str!("../README.md")]

mod cells;
pub mod checksum;
pub mod cleanup;
mod codebook;
pub mod did_you_mean;
mod error;
mod format;
pub mod interner;
pub mod panic_guard;
pub mod parallel;
pub mod parquet_guard;
mod print;
mod read;
pub mod regular;
mod row_groups;
mod stem;
pub mod store;
mod table;
pub mod testing;
mod text_grid;
pub mod threads;
pub mod toml_message;
mod write;

pub use cells::{Cell, Cells};
pub use codebook::{CODEBOOK_NAME, Codebook, CodebookColumn, CodebookFile, CodebookTable};
pub use error::{FileError, TableError, failed};
pub use format::TableFormat;
pub use plymap_statistics::record::{Column, count, flag, number, text, whole};
pub use print::{
    Format, Print, escape_markdown, format_p, format_significant, is_p_value, print_cell, render, to_latex,
    to_markdown, to_text,
};
pub use read::read_table;
pub use stem::{SafeStems, is_portable, safe_stem};
pub use table::{ColumnDoc, ColumnKey, Columns, Named, Table, coded_texts};
pub use text_grid::wrapped;
pub use write::{Dialect, TableWriter, check_table, write_delimited_file, write_table, write_table_as};

#![doc = include_str!("../README.md")]

mod build;
mod error;
mod header;
mod memory;
mod numbering;
mod pebbles;
mod place;
mod ranks;
mod space;
mod store;
mod table;

pub use build::{BuildOptions, build};
pub use error::TablebaseError;
pub use header::Bits;
pub use table::Tablebase;

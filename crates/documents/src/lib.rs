#![doc = include_str!("../README.md")]

pub mod apa;
mod document;
mod docx;
mod error;
mod markdown;
mod package;
mod workbook;
mod xml;

pub use document::{ApaColumn, ApaTable, Document, Emphasis, Part, Picture, Run};
pub use error::DocumentError;
pub use workbook::Workbook;

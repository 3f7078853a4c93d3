#![doc = include_str!("../README.md")]

pub use plymap_tables::{FileError, TableError};

mod canvas;
pub mod claims;
pub mod diff;
mod error;
mod failed;
pub mod figures;
mod folder;
pub mod interactive;
mod manifest;
mod page;
pub mod references;
pub mod settings;
pub mod survey;

pub use error::ReportError;
pub use failed::{FailedPart, PartKind};
pub use folder::{OutputFiles, OutputFolder};
pub use manifest::{FileEntry, MANIFEST_NAME, Manifest, Mismatch, file_entry, input_name, sha256_file, verify};
pub use page::{
    Answer, Count, Definition, Figure, PreviewCell, PreviewColumn, REPORT_PAGE, ReportContent, ReportDiagnostic,
    RowCounts, Section, TablePreview, generated_by,
};

/// The script that lies beside every report and computes its main results anew from the tables.
pub const ANALYSIS_SCRIPT: &str = include_str!("analysis.py");

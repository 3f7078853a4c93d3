#![doc = include_str!("../README.md")]

pub use plymap_tables::{FileError, TableError};

mod canvas;
pub mod claims;
mod codebook;
pub mod diff;
mod document;
mod error;
mod exports;
mod failed;
pub mod figures;
mod folder;
pub mod interactive;
mod manifest;
mod map_page;
mod page;
mod preregistration;
mod preregistration_text;
mod preview;
pub mod references;
pub mod settings;
pub mod survey;

pub use codebook::write_codebook;
pub use document::{Drawn, Pictures};
pub use error::{PreregistrationError, ReportError};
pub use exports::{Exported, figures_as, tables_as, workbook_of};
pub use failed::{FailedPart, PartKind};
pub use folder::{OutputFiles, OutputFolder};
pub use manifest::{FileEntry, MANIFEST_NAME, Manifest, Mismatch, file_entry, input_name, sha256_file, verify};
pub use map_page::map_page;
pub use page::{
    Answer, Count, Definition, Figure, REPORT_PAGE, ReportContent, ReportDiagnostic, RowCounts, Section, generated_by,
};
pub use preregistration::{Departure, Preregistration, PreregistrationFile};
pub use preregistration_text::{RegisteredLevel, preregistration_text};
pub use preview::{PreviewCell, PreviewColumn, TablePreview};

/// The script that lies beside every report and computes its main results anew from the tables.
pub const ANALYSIS_SCRIPT: &str = include_str!("analysis.py");

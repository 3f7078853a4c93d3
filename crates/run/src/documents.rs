//! The report for Word and the tables for Excel.

use std::path::Path;

use super::RunError;
use super::files::write;
use crate::study::Study;
use plymap_report::{Pictures, ReportContent, ReportError, workbook_of};
use plymap_tables::Table;

/// Writes the report for Word.
pub(super) fn write_document(folder: &Path, content: &ReportContent, pictures: &Pictures) -> Result<(), RunError> {
    write(&folder.join("report.docx"), &content.to_document(pictures)?.to_docx().map_err(ReportError::from)?)
}

/// Writes the tables as a workbook.
pub(super) fn write_workbook(folder: &Path, study: &Study, tables: &[&Table]) -> Result<(), RunError> {
    let mut workbook = workbook_of(study.title(), tables)?;
    if !tables.iter().any(|table| table.name == "moves") {
        let place = "tables/moves has it, and plymap label STUDY --out moves.xlsx makes a workbook of it";
        workbook.add_notice(format!("moves: not in this workbook, for it has a row for each move; {place}"));
    }
    write(&folder.join("tables.xlsx"), &workbook.finish().map_err(ReportError::from)?)
}

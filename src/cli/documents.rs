//! Tables that are printed, or given as a file for Word or Excel.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;

use plymap_report::settings::DocumentFormat;
use plymap_report::{OutputFiles, tables_as};
use plymap_tables::{Format, Table, failed};

use super::Failure;
use super::output::{format, say, wrote};

/// A format in which tables are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableOutput {
    /// Text.
    Printed(Format),
    /// A file for Word or Excel.
    Document(DocumentFormat),
}

impl TableOutput {
    /// The format of what is printed; where a document is asked for, that of tables for readers.
    pub fn printed(self) -> Format {
        match self {
            Self::Printed(format) => format,
            Self::Document(_) => Format::Table,
        }
    }
}

/// Reads the name of a format.
pub fn table_output(word: &str) -> Result<TableOutput, String> {
    match DocumentFormat::named(word) {
        Some(document) => Ok(TableOutput::Document(document)),
        None => format(word).map(TableOutput::Printed).map_err(|error| format!("{error}, docx, xlsx")),
    }
}

/// The format that the name of a file asks for, if it is for Word or Excel.
pub fn document_of(file: &Path) -> Option<DocumentFormat> {
    file.extension().and_then(|extension| extension.to_str()).and_then(DocumentFormat::named)
}

/// The format of a document, if the file or, without one, the format asks for it.
pub fn asked_document(out: Option<&Path>, format: TableOutput) -> Option<DocumentFormat> {
    match (out, format) {
        (Some(out), _) => document_of(out),
        (None, TableOutput::Document(kind)) => Some(kind),
        (None, TableOutput::Printed(_)) => None,
    }
}

/// Refuses a document on a terminal, before it is made.
pub fn check_place(kind: Option<DocumentFormat>, out: Option<&Path>) -> Result<(), Failure> {
    let Some(kind) = kind.filter(|_| out.is_none() && io::stdout().is_terminal()) else { return Ok(()) };
    let extension = kind.extension();
    Err(Failure::message(format!(
        "a file for {} cannot be shown on a terminal: name it with --out FILE.{extension}, or add > FILE.{extension}",
        if kind == DocumentFormat::Docx { "Word" } else { "Excel" }
    )))
}

/// Gives tables as a document: to a file, or on standard output, which [`check_place`] has looked at.
pub fn give_document(kind: DocumentFormat, title: &str, tables: &[&Table], out: Option<&Path>) -> Result<(), Failure> {
    let (bytes, notices) = tables_as(kind, title, tables)?;
    notices.iter().for_each(|notice| say!("{notice}"));
    let Some(out) = out else {
        let mut output = io::stdout().lock();
        wrote(output.write_all(&bytes).and_then(|()| output.flush()));
        return Ok(());
    };
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let files = OutputFiles::create(folder)?;
    let file = files.path().join(out.file_name().unwrap_or_default());
    std::fs::write(&file, bytes).map_err(failed("write", &file)).map_err(Failure::message)?;
    Ok(files.commit()?)
}

//! Writing data to standard output.

use std::io::{self, Write as _};

use plymap::report::{Format, render};
use plymap::table::Table;

use super::error::Failure;

/// Writes data to standard output. A reader that has seen enough, such as `head`, is no failure.
pub fn print(text: &str) -> Result<(), Failure> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::message(error)),
        _ => Ok(()),
    }
}

/// Writes a table to standard output.
pub fn print_table(table: &Table, format: Format) -> Result<(), Failure> {
    print(&render(table, format)?)
}

/// Writes a value to standard output as indented JSON.
pub fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(Failure::message)?;
    print(&format!("{text}\n"))
}

/// Reads the name of a format.
pub fn format(word: &str) -> Result<Format, String> {
    word.parse().map_err(|error: plymap::report::ReportError| error.to_string())
}

//! Everything that is written to standard output goes through here, and what is said on standard error through
//! [`super::say`]: names and cells are of files that somebody else may have made, and a terminal obeys what stands in them.

use std::io::{self, IsTerminal as _, Write as _};

use crate::report::{Format, render};
use crate::table::Table;

use super::error::Failure;
pub(super) use super::say::say;
use super::say::{is_quiet, visible};

/// Writes words for people to standard output.
pub fn print(text: &str) -> Result<(), Failure> {
    write_out(&visible(text))
}

/// Writes an account of what was done, which nobody asked for in the words of the command, to standard output.
pub fn print_account(text: &str) -> Result<(), Failure> {
    if is_quiet() { Ok(()) } else { print(text) }
}

/// Writes data to standard output: byte for byte what they are, but where they are shown on a terminal.
pub fn print_data(text: &str) -> Result<(), Failure> {
    if io::stdout().is_terminal() { print(text) } else { write_out(text) }
}

/// A reader that has seen enough, such as `head`, is no failure.
fn write_out(text: &str) -> Result<(), Failure> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::message(error)),
        _ => Ok(()),
    }
}

/// Writes a table to standard output.
pub fn print_table(table: &Table, format: Format) -> Result<(), Failure> {
    print_data(&render(table, format)?)
}

/// Writes a value to standard output as indented JSON.
pub fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(Failure::message)?;
    print_data(&format!("{text}\n"))
}

/// Reads the name of a format.
pub fn format(word: &str) -> Result<Format, String> {
    word.parse().map_err(|error: crate::report::ReportError| error.to_string())
}

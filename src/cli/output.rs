//! Everything that is written to standard output goes through here, and what is said on standard error through
//! [`super::say`]: names and cells are of files that somebody else may have made, and a terminal obeys what stands in them.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use textwrap::core::display_width;

use plymap_report::settings::DocumentFormat;
use plymap_tables::{Format, Print, Table, render, to_text, wrapped};

pub(super) use super::say::say;
use super::say::{is_quiet, set_quiet, visible};
use super::terminal::columns_of;
use super::{ExitCode, Failure};

/// Writes words for people to standard output. On a terminal, lines that are longer than it is wide go on below, a little
/// to the right; what stands between two spaces stays in one piece, to be copied.
pub fn print(text: &str) -> Result<(), Failure> {
    let text = visible(text);
    match terminal_width() {
        Some(width) => write_out(&in_lines(&text, width)),
        None => write_out(&text),
    }
}

/// The number of columns of the terminal that standard output is; absent where it is a file or a pipe.
fn terminal_width() -> Option<usize> {
    columns_of(io::stdout())
}

/// The text in lines of at most so many columns where that is possible.
fn in_lines(text: &str, width: usize) -> String {
    let in_lines = |line: &str| {
        let inner = line.trim_start_matches(' ');
        let indent = " ".repeat(line.len() - inner.len() + 2);
        let mut lines = wrapped(line.trim_end(), width).into_iter();
        let mut whole = lines.next().unwrap_or_default();
        for line in lines.flat_map(|line| wrapped(&line, width.saturating_sub(indent.len()))) {
            // What is longer than a line begins at its left.
            let is_too_long = indent.len() + display_width(&line) > width;
            whole.push_str(&format!("\n{}{line}", if is_too_long { "" } else { &indent }));
        }
        whole
    };
    let is_too_long = |line: &str| display_width(line) > width;
    text.split('\n')
        .map(|line| if is_too_long(line) { in_lines(line) } else { line.to_owned() })
        .collect::<Vec<_>>()
        .join("\n")
}

/// Writes an account of what was done, which nobody asked for in the words of the command, to standard output.
pub fn print_account(text: &str) -> Result<(), Failure> {
    if is_quiet() { Ok(()) } else { print(text) }
}

/// Writes a table of what was done to standard output, which nobody asked for.
pub fn print_account_table(table: &Table) -> Result<(), Failure> {
    if is_quiet() { Ok(()) } else { print_table(table, Format::Table) }
}

/// Writes a text to standard output whose lines stay as they are, such as a file.
pub fn print_lines(text: &str) -> Result<(), Failure> {
    write_out(&visible(text))
}

/// Writes data to standard output, byte for byte unless it is a terminal.
pub fn print_data(text: &str) -> Result<(), Failure> {
    if io::stdout().is_terminal() { print(text) } else { write_out(text) }
}

/// Reason of the first write to standard output that failed.
static LOST: Mutex<Option<String>> = Mutex::new(None);

/// True if standard output was closed when the program began.
static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Notes that standard output was closed when the program began. Before `main` Rust puts `/dev/null` in its place, so
/// that what is opened later is not taken for it; from then on nothing tells it from an output that nobody wants to
/// see.
pub fn closed() {
    IS_CLOSED.store(true, Ordering::Relaxed);
}

/// Returns true if standard output is open. Rust takes what is written to a closed one for written.
#[cfg(unix)]
fn is_open() -> bool {
    !IS_CLOSED.load(Ordering::Relaxed) && rustix::io::fcntl_getfd(io::stdout()).is_ok()
}

/// Returns true unless standard output was closed when the program began.
#[cfg(not(unix))]
fn is_open() -> bool {
    !IS_CLOSED.load(Ordering::Relaxed)
}

/// Writes to standard output what can be written. What cannot is no reason to stop: results that go to files are written all the
/// same, and [`ended`] says at the end what became of the rest.
fn write_out(text: &str) -> Result<(), Failure> {
    if lost().is_none() {
        let mut output = io::stdout().lock();
        wrote(output.write_all(text.as_bytes()).and_then(|()| output.flush()));
    }
    Ok(())
}

/// Notes the failure of a write to standard output. A reader that has seen enough, such as `head`, is no failure.
pub(super) fn wrote(written: io::Result<()>) {
    let reason = match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => error.to_string(),
        _ if !is_open() => "it is closed".to_owned(),
        _ => return,
    };
    lost().get_or_insert(reason);
}

/// Returns the exit code of a program that would end with this one; says on standard error if output was lost.
pub(super) fn ended(code: ExitCode) -> ExitCode {
    let Some(reason) = lost().take() else { return code };
    let is_done = code == ExitCode::SUCCESS;
    let files = if is_done { "; files that it was to write are whole" } else { "" };
    let was_quiet = set_quiet(false);
    say!("plymap: standard output cannot be written ({reason}): what was to be shown there is lost{files}");
    set_quiet(was_quiet);
    if is_done { ExitCode::UNSHOWN } else { code }
}

fn lost() -> MutexGuard<'static, Option<String>> {
    LOST.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a table to standard output.
pub fn print_table(table: &Table, format: Format) -> Result<(), Failure> {
    match format {
        Format::Table => print_data(&to_text(table, &Print { width: terminal_width(), ..Print::default() })?),
        format => print_data(&render(table, format)?),
    }
}

/// Writes a value to standard output as indented JSON.
pub fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(Failure::message)?;
    print_data(&format!("{text}\n"))
}

/// Reads the name of a format that is printed.
pub fn format(word: &str) -> Result<Format, String> {
    if DocumentFormat::named(word).is_some() {
        return Err(format!("{word} is for tables of label, stats and figures; csv can be opened in Excel too"));
    }
    word.parse().map_err(|error: plymap_tables::TableError| error.to_string())
}

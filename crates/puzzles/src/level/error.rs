//! The reasons why level files cannot be read.

use std::io;
use std::path::PathBuf;

use crate::diagnostic::{Diagnostic, separator_hint};
use crate::foreign::Foreign;

/// Ends of the names of files that a folder is searched for, before `.gz`, `.zst` or nothing.
pub const EXTENSIONS: [&str; 7] = ["txt", "board", "csv", "tsv", "json", "jsonl", "ndjson"];

/// Reason why level files could not be read.
#[derive(Debug, thiserror::Error)]
pub enum LevelError {
    /// The file or folder could not be read or decompressed.
    #[error("cannot read {}: {source}{}", path.display(), separator_hint(path, source.kind()))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// The file holds more than [`MAX_BYTES`](crate::level::MAX_BYTES).
    #[error("{} holds more than {limit} bytes (after decompression): split it into smaller files", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The most bytes that are read.
        limit: u64,
    },
    /// The file is no text.
    #[error("{} is no level file: {foreign}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Kind of file.
        foreign: Foreign,
    },
    /// The file is not text in UTF-8.
    #[error(
        "{} is not UTF-8 text: line {line}, byte {offset} from 0, is not valid; save the file as UTF-8",
        path.display()
    )]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// The first byte that is not valid, from 0, after decompression.
        offset: usize,
        /// Its line, from 1.
        line: usize,
    },
    /// The folder holds no file that ends in one of [`EXTENSIONS`].
    #[error(
        "{} holds no level file: the names of level files end in {} (and .gz or .zst)",
        path.display(),
        EXTENSIONS.map(|end| format!(".{end}")).join(", ")
    )]
    NoFiles {
        /// The folder.
        path: PathBuf,
    },
    /// The files hold faults; at least one.
    #[error("{}", summary(.0))]
    Diagnostics(Vec<Diagnostic>),
}

fn summary(faults: &[Diagnostic]) -> String {
    let shown: Vec<String> = faults.iter().take(20).map(Diagnostic::to_string).collect();
    let more = faults.len() - shown.len();
    let rest = if more == 0 { String::new() } else { format!("\nand {more} more faults") };
    format!("{}{rest}", shown.join("\n"))
}

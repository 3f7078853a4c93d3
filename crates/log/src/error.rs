//! Errors that end the reading of a log.

use super::event::Event;
use plymap_puzzles::diagnostic::separator_hint;
use std::path::{Path, PathBuf};

/// Reason why a log could not be read at all.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The study names no log.
    #[error("no log file is given; name at least one in `files`")]
    NoFiles,
    /// A pattern or folder has no log in it.
    #[error("{}: {reason}", path.display())]
    NoMatch {
        /// The pattern or folder.
        path: PathBuf,
        /// Reason and remedy.
        reason: String,
    },
    /// A workbook or database has several tables, or not the one that is named.
    #[error("{}: {}; it has {}: name one with `table` in [log]", path.display(), match wanted {
        Some(table) => format!("there is no table {table:?}"),
        None => "the file has several tables".to_owned(),
    }, has.join(", "))]
    NoTable {
        /// The file.
        path: PathBuf,
        /// The one that the study names.
        wanted: Option<String>,
        /// The tables that there are.
        has: Vec<String>,
    },
    /// The path of a file does not fit `path`.
    #[error("{}: the path does not end as the pattern {pattern:?} of `path` in [log] says", path.display())]
    PathMismatch {
        /// The file.
        path: PathBuf,
        /// The pattern.
        pattern: String,
    },
    /// A step or another entry of `[log]` makes no sense.
    #[error("[log] {step}: {reason}")]
    BadStep {
        /// The step or entry.
        step: String,
        /// Reason and remedy.
        reason: String,
    },
    /// An expression of `[log]` is wrong.
    #[error("[log] {place}: {error}")]
    BadExpression {
        /// Place.
        place: String,
        /// Reason, and its place in the text.
        error: Box<plymap_expression::ExpressionError>,
    },
    /// An encoding is not known.
    #[error(
        "[log] encoding = {name:?} is not known; use a name such as \"utf-8\", \"latin-1\", \"windows-1252\" or \"utf-16le\""
    )]
    UnknownEncoding {
        /// Its name.
        name: String,
    },
    /// A file does not exist.
    #[error(
        "{}: the log file does not exist; check its path, which starts from the folder of the study{}",
        path.display(),
        separator_hint(path, std::io::ErrorKind::NotFound)
    )]
    FileMissing {
        /// The file.
        path: PathBuf,
    },
    /// A file cannot be read or decompressed.
    #[error("{}: the log file cannot be read: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Message of the system or the decompressor.
        reason: String,
    },
    /// A file beside a log that tells units cannot be read.
    #[error("{}: the units of the log cannot be read: {reason}; restore the file, or move it away", path.display())]
    Sidecar {
        /// The file.
        path: PathBuf,
        /// Rule that is broken.
        reason: String,
    },
    /// A file does not have the form of its format.
    #[error("{}:{line}: {reason}; {fix}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: u64,
        /// Rule that is broken.
        reason: String,
        /// Remedy.
        fix: String,
    },
    /// A Parquet column has a type that is not read.
    #[error("{}: column {column:?} has the type {dtype}, which is not read; save it as text or numbers", path.display())]
    UnsupportedType {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// Its type as the file names it.
        dtype: String,
    },
    /// Two files have the same content.
    #[error(
        "{} has the same content as {}; name each log once, or say with `path` in [log] how their paths tell whose they are",
        path.display(),
        first.display()
    )]
    SameFile {
        /// The second of them.
        path: PathBuf,
        /// The first of them.
        first: PathBuf,
    },
    /// `[columns]` has a name on the left that the canonical log does not know.
    #[error(
        "[columns] names {key:?}, which is no column of the canonical log{}; it can name {known}",
        did_you_mean(nearest)
    )]
    UnknownKey {
        /// The name.
        key: String,
        /// The closest name.
        nearest: Option<String>,
        /// Every name that is possible.
        known: String,
    },
    /// An entry of `[columns]` makes no sense.
    #[error("[columns] {key}: {reason}")]
    BadColumn {
        /// The canonical name.
        key: String,
        /// Reason and remedy.
        reason: String,
    },
    /// The study names a column that the file does not have.
    #[error("{}: {key} names the column {column:?}, which the file does not have{}; it has {has}", path.display(), did_you_mean(nearest))]
    UnknownColumn {
        /// The file.
        path: PathBuf,
        /// Setting that names it: an entry of `[columns]` or `[log]`, or a step.
        key: Box<str>,
        /// The column that is not there.
        column: Box<str>,
        /// The closest column that is.
        nearest: Option<String>,
        /// Every column of the file.
        has: String,
    },
    /// A column that every log needs is not there.
    #[error("{}: no column gives {needed}{}; the file has {has}; name the right one in [columns], as in `{example}`", path.display(), did_you_mean(nearest))]
    MissingColumn {
        /// The file.
        path: PathBuf,
        /// Value that is needed.
        needed: &'static str,
        /// The closest column of the file.
        nearest: Option<String>,
        /// Every column of the file.
        has: String,
        /// A line for study.toml.
        example: String,
    },
    /// A column that every log needs has the right name, and is taken for something else.
    #[error("{}: no column gives {needed}: [columns] takes {taken_by} from {column:?}; name another column for one of the two", path.display())]
    TakenColumn {
        /// The file.
        path: PathBuf,
        /// Value that is needed.
        needed: &'static str,
        /// The column.
        column: String,
        /// The canonical name that it is taken for.
        taken_by: &'static str,
    },
    /// A header is not taken apart.
    #[error("{}: the header {column:?} is read as one column; say `separator = {:?}` in [log]", path.display(), mark.to_string())]
    OneColumn {
        /// The file.
        path: PathBuf,
        /// The only column.
        column: String,
        /// Separators that are possible.
        mark: char,
    },
    /// A header names a column twice.
    #[error(
        "{}:{line}: column {column:?} is named twice; give the columns different names, or say repeated_columns = \"number\" \
         in [log]",
        path.display()
    )]
    RepeatedColumn {
        /// The file.
        path: PathBuf,
        /// Line of the header, from 1.
        line: u64,
        /// The column.
        column: String,
    },
    /// `[log.events]` translates a value into something that is no event.
    #[error("[log.events] translates {value:?} into {event:?}, which is no event{}; events are {}", did_you_mean(nearest), Event::NAMES.join(", "))]
    UnknownEvent {
        /// The value in the files.
        value: String,
        /// Its translation.
        event: String,
        /// The closest event.
        nearest: Option<String>,
    },
    /// The files hold no row.
    #[error("{}: the log has no rows; a header alone is not a log", path.display())]
    NoRows {
        /// The first file.
        path: PathBuf,
    },
    /// Shards of a log cannot be read, written or used.
    #[error("{}: the shards cannot be used: {reason}; make them with plymap shard", path.display())]
    Shards {
        /// The file.
        path: PathBuf,
        /// Rule that is broken.
        reason: String,
    },
    /// The system refuses the thread that reads.
    #[error("the system gives no thread to read the log: {reason}; end other programs, or raise the limit (ulimit -u)")]
    NoThread {
        /// Its text.
        reason: String,
    },
    /// A file that is made of a log cannot be written.
    #[error("cannot write {}: {reason}", path.display())]
    Unwritten {
        /// The file.
        path: PathBuf,
        /// Message of the system.
        reason: String,
    },
    /// It has more rows than the caller can take.
    #[error("the log has more than {most} rows")]
    TooManyRows {
        /// So many it can take.
        most: u64,
    },
    /// The key of the codes of participants cannot be read or written.
    #[error("{}: the key of the codes of participants cannot be used: {reason}; restore it, or move it away to have a new one, and new codes", path.display())]
    BadKey {
        /// The file.
        path: PathBuf,
        /// Rule that is broken.
        reason: String,
    },
    /// The key of the codes of participants is gone, or not the one of which the codes in shards are.
    #[error("{}: {}; restore it, or divide the log anew with plymap shard, which gives other codes", path.display(), match is_gone {
        true => "the key of the codes of participants is gone, and the shards have codes of it",
        false => "this is another key than the one of which the codes of participants in the shards are",
    })]
    OtherKey {
        /// The file.
        path: PathBuf,
        /// `true` if there is none.
        is_gone: bool,
    },
    /// The caller asked to stop.
    #[error("reading the logs was stopped before it was done")]
    Cancelled,
}

/// Place of a [`LogError`], and its remedy, as far as it says them apart from its sentence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LogErrorPlace<'a> {
    /// The file.
    pub file: Option<&'a Path>,
    /// The line, from 1.
    pub line: Option<u64>,
    /// The column.
    pub column: Option<&'a str>,
    /// Remedy.
    pub fix: Option<&'a str>,
}

impl LogError {
    /// Place.
    pub fn place(&self) -> LogErrorPlace<'_> {
        let (mut line, mut column, mut fix) = (None, None, None);
        let file = match self {
            Self::Malformed { path, line: at, fix: what, .. } => {
                (line, fix) = (Some(*at), Some(what.as_str()));
                Some(path)
            }
            Self::RepeatedColumn { path, line: at, column: name } => {
                (line, column) = (Some(*at), Some(name.as_str()));
                Some(path)
            }
            Self::UnsupportedType { path, column: name, .. } | Self::OneColumn { path, column: name, .. } => {
                column = Some(name.as_str());
                Some(path)
            }
            Self::UnknownColumn { path, column: name, .. } => {
                column = Some(&**name);
                Some(path)
            }
            Self::NoMatch { path, .. }
            | Self::NoTable { path, .. }
            | Self::PathMismatch { path, .. }
            | Self::FileMissing { path }
            | Self::Unreadable { path, .. }
            | Self::Sidecar { path, .. }
            | Self::SameFile { path, .. }
            | Self::MissingColumn { path, .. }
            | Self::TakenColumn { path, .. }
            | Self::NoRows { path }
            | Self::Shards { path, .. }
            | Self::Unwritten { path, .. }
            | Self::BadKey { path, .. }
            | Self::OtherKey { path, .. } => Some(path),
            _ => None,
        };
        LogErrorPlace { file: file.map(PathBuf::as_path), line, column, fix }
    }
}

/// The end of a message that offers the closest name.
fn did_you_mean(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |name| format!(" (did you mean {name:?}?)"))
}

//! A file of a log: its format, its columns and its decompressed bytes.

use super::encoding::decoded;
use super::error::LogError;
use super::file_settings::{Frame, RepeatedColumns, Unit};
use super::held_rows::HeldRows;
use super::log_file::LogFile;
use crate::file_format::Compression;
use crate::file_format::FileFormat;
use crate::file_format::decompress;
use crate::file_format::reason;
use encoding_rs::Encoding;
use plymap_puzzles::progress::Progress;
use plymap_tables::cleanup::TemporaryFile;
use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::PathBuf;
use std::sync::Arc;

/// A file of a log that was looked at: its format and its columns are known.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub file: LogFile,
    /// `true` if there is nothing in it, not even columns.
    pub is_empty: bool,
    /// Its columns, in their order; files that have the same share them.
    pub columns: Arc<[String]>,
    /// The columns of its rows behind the steps of the study.
    pub output_columns: Arc<[String]>,
    /// Path of the file.
    pub place: PathBuf,
    pub format: FileFormat,
    pub compression: Compression,
    pub encoding: &'static Encoding,
    /// The sheet or table that the study names.
    pub table: Option<String>,
    /// The columns that the study names, where the file has no header.
    pub header: Vec<String>,
    pub repeated_columns: RepeatedColumns,
    /// Units of columns that a file beside it tells.
    pub units: BTreeMap<String, Unit>,
    /// The most rows that are read.
    pub max_rows: Option<u64>,
    /// The table that it is, where it is no file.
    pub frame: Option<Frame>,
    /// File that holds standard input for as long as it is read.
    pub _spool: Option<Arc<TemporaryFile>>,
    /// Its first rows, where they are held.
    pub held: Option<HeldRows>,
}

impl Source {
    /// `true` if every row has the same columns.
    pub(super) fn has_fixed_columns(&self) -> bool {
        !matches!(self.format, FileFormat::Ndjson | FileFormat::Json | FileFormat::Xes)
    }

    /// Its bytes after decompression; of a text file as UTF-8.
    pub(super) fn open<'p>(&self, progress: Option<&'p dyn Progress>) -> Result<Box<dyn BufRead + 'p>, LogError> {
        let bytes = decompress(&self.place, self.compression, progress);
        bytes.and_then(|bytes| decoded(bytes, self.encoding)).map_err(|error| self.unreadable(&error))
    }

    pub(super) fn unreadable(&self, error: &(dyn std::error::Error + 'static)) -> LogError {
        LogError::Unreadable { path: self.file.path.clone(), reason: reason(self.compression, error) }
    }

    /// `true` if it comes as columns.
    pub(super) fn is_table(&self) -> bool {
        self.held.is_none() && matches!(self.format, FileFormat::Parquet | FileFormat::Frame)
    }

    /// `true` if it is CSV or TSV.
    pub(super) fn is_delimited(&self) -> bool {
        matches!(self.format, FileFormat::Delimited(_))
    }

    pub(super) fn malformed(&self, line: u64, reason: impl Into<String>, fix: impl Into<String>) -> LogError {
        LogError::Malformed { path: self.file.path.clone(), line, reason: reason.into(), fix: fix.into() }
    }

    /// `true` if the file has to be unpacked to be read.
    pub(super) fn is_packed(&self) -> bool {
        self.compression != Compression::Plain
    }
}

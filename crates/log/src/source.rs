//! A file of a log: its format, its columns and its decompressed bytes.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use encoding_rs::Encoding;
use flate2::read::MultiGzDecoder;

use super::encoding::decoded;
use super::held::HeldRows;
use super::json_object::Shape;
use super::limit::Unpacked;
use super::raw::RawRow;
use super::separator::Separator;
use super::spec::{Frame, RepeatedColumns, Unit};
use super::{LogError, LogFile};
use plymap_puzzles::progress::Progress;
use plymap_tables::cleanup::TemporaryFile;

/// Receives the rows of a file, one after the other.
pub(super) type Sink<'s> = dyn FnMut(RawRow<'_>) -> Result<(), LogError> + 's;

/// A file of a log that was looked at: its format and its columns are known.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub file: LogFile,
    /// Whether there is nothing in it, not even columns.
    pub is_empty: bool,
    /// Its columns, in their order; files that have the same share them.
    pub columns: Arc<[String]>,
    /// The columns of its rows behind the steps of the study.
    pub given: Arc<[String]>,
    /// Where it lies.
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
    /// Where standard input was put, for as long as it is read.
    pub _spool: Option<Arc<TemporaryFile>>,
    /// Its first rows, where they are held.
    pub held: Option<HeldRows>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileFormat {
    Delimited(Separator),
    Ndjson,
    Json,
    /// JSON that is one object.
    JsonObject(Shape),
    Parquet,
    /// A table in memory.
    Frame,
    Workbook,
    Sqlite,
    Xes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    Plain,
    Gzip,
    Zstd,
}

impl Source {
    /// Whether every row has the same columns.
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

    /// Whether it comes as columns.
    pub(super) fn is_table(&self) -> bool {
        self.held.is_none() && matches!(self.format, FileFormat::Parquet | FileFormat::Frame)
    }

    /// Whether it is CSV or TSV.
    pub(super) fn is_delimited(&self) -> bool {
        matches!(self.format, FileFormat::Delimited(_))
    }

    pub(super) fn malformed(&self, line: u64, reason: impl Into<String>, fix: impl Into<String>) -> LogError {
        LogError::Malformed { path: self.file.path.clone(), line, reason: reason.into(), fix: fix.into() }
    }

    /// Whether the file has to be unpacked to be read.
    pub(super) fn is_packed(&self) -> bool {
        self.compression != Compression::Plain
    }
}

/// The name of a file without what compression adds to it.
pub(super) fn unpacked_name(name: &str) -> &str {
    [".gz", ".gzip", ".zst", ".zstd"].iter().fold(name, |name, packed| name.strip_suffix(packed).unwrap_or(name))
}

/// Drops the mark that some programs put before UTF-8 text.
pub(super) fn strip_bom(start: &[u8]) -> &[u8] {
    start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start)
}

/// What the system or a decompressor says, in words that tell what to do where that is known.
pub(super) fn reason(compression: Compression, error: &(dyn std::error::Error + 'static)) -> String {
    let is_end = |error: &io::Error| error.kind() == io::ErrorKind::UnexpectedEof;
    match error.downcast_ref::<io::Error>().is_some_and(is_end) && compression != Compression::Plain {
        true => "it is cut off: its compressed data have no end; copy or download it again".to_owned(),
        false => error.to_string(),
    }
}

pub(super) fn decompress<'p>(
    place: &Path,
    compression: Compression,
    progress: Option<&'p dyn Progress>,
) -> io::Result<Box<dyn BufRead + 'p>> {
    let file = File::open(place)?;
    let packed = file.metadata()?.len();
    let raw = Counted { file, progress };
    Ok(match compression {
        Compression::Plain => Box::new(BufReader::with_capacity(1 << 16, raw)),
        Compression::Gzip => {
            Box::new(BufReader::with_capacity(1 << 16, Unpacked::new(MultiGzDecoder::new(raw), packed)))
        }
        Compression::Zstd => {
            Box::new(BufReader::with_capacity(1 << 16, Unpacked::new(zstd::Decoder::new(raw)?, packed)))
        }
    })
}

/// Tells how many bytes were read from the disk.
struct Counted<'p> {
    file: File,
    progress: Option<&'p dyn Progress>,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.file.read(buffer)?;
        if let Some(progress) = self.progress {
            progress.advance(n as u64);
        }
        Ok(n)
    }
}

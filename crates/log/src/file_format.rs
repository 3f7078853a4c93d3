//! Formats and compressions of files.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::limit::Unpacked;
use super::separator::Separator;
use plymap_puzzles::foreign::ENOUGH;
use plymap_puzzles::progress::Progress;
use plymap_tables::regular;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileFormat {
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
pub(crate) enum Compression {
    Plain,
    Gzip,
    Zstd,
}

/// The name of a file without what compression adds to it.
pub(crate) fn unpacked_name(name: &str) -> &str {
    [".gz", ".gzip", ".zst", ".zstd"].iter().fold(name, |name, packed| name.strip_suffix(packed).unwrap_or(name))
}

/// Drops the mark that some programs put before UTF-8 text.
pub(crate) fn strip_bom(start: &[u8]) -> &[u8] {
    start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start)
}

/// Message of the system or a decompressor, with a remedy where one is known.
pub(crate) fn reason(compression: Compression, error: &(dyn std::error::Error + 'static)) -> String {
    match error.downcast_ref::<io::Error>().is_some_and(is_end_of_file) && compression != Compression::Plain {
        true => "it is cut off: its compressed data have no end; copy or download it again".to_owned(),
        false => error.to_string(),
    }
}

fn is_end_of_file(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::UnexpectedEof
}

pub(crate) fn decompress<'p>(
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
pub(crate) struct Counted<'p> {
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

/// Content of an object that is a whole file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A table by its columns.
    Columns,
    /// Lists of rows, each under a key or under several.
    ByKey,
    /// One row.
    Row,
}

pub(crate) fn compression(place: &Path) -> io::Result<Compression> {
    let mut magic = Vec::new();
    regular::open(place)?.take(4).read_to_end(&mut magic)?;
    Ok(match magic.as_slice() {
        [0x1f, 0x8b, ..] => Compression::Gzip,
        [0x28, 0xb5, 0x2f, 0xfd] => Compression::Zstd,
        _ => Compression::Plain,
    })
}

/// The beginning of a file, unpacked.
pub(crate) fn head(place: &Path, compression: Compression) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    decompress(place, compression, None)?.take(ENOUGH as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// Extensions of archives.
pub(crate) const ENDS: [&str; 5] = [".zip", ".tar", ".tar.gz", ".tgz", ".tar.zst"];

/// `true` if a file is an archive, by its name. Workbooks of today are ZIP archives too, by another name.
pub(crate) fn is_archive(path: &Path) -> bool {
    let name = path.to_string_lossy().to_lowercase();
    ENDS.iter().any(|end| name.ends_with(end))
}

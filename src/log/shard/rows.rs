//! The file of a shard: its rows, compressed, behind which stands a seal.

use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::super::LogError;
use super::super::entry::FileRow;
use super::super::raw::Flaw;
use super::{failed, not_begun, unwritten};
use crate::checksum::seal::{self, DAMAGED, Sealing};

/// What the files are, for their seals.
const WHAT: &[u8] = b"rows of a shard\n";

/// So hard are rows compressed: reading and writing them is to cost less than replaying them.
const COMPRESSION: i32 = 1;

/// A row as a shard holds it.
#[derive(Serialize, Deserialize)]
pub(super) struct ShardRow<'a> {
    pub number: u64,
    pub is_ghost: bool,
    pub at: FileRow,
    #[serde(borrow)]
    pub cells: Vec<Option<&'a str>>,
    pub fault: Option<Box<Flaw>>,
    pub notices: Vec<Flaw>,
}

/// A file of rows while it is written.
pub(super) struct RowFile {
    path: PathBuf,
    file: zstd::Encoder<'static, Sealing<BufWriter<File>>>,
    buffer: Vec<u8>,
}

impl RowFile {
    pub fn create(path: PathBuf) -> Result<Self, LogError> {
        let file = File::create(&path);
        let file = file.and_then(|file| zstd::Encoder::new(Sealing::new(WHAT, BufWriter::new(file)), COMPRESSION));
        Ok(Self { file: file.map_err(|error| not_begun(&path, &error))?, path, buffer: Vec::new() })
    }

    pub fn write(&mut self, row: &ShardRow<'_>) -> Result<(), LogError> {
        self.buffer.clear();
        self.buffer = postcard::to_extend(row, std::mem::take(&mut self.buffer))
            .map_err(|error| unwritten(&self.path, &error))?;
        let length = (self.buffer.len() as u32).to_le_bytes();
        let written = self.file.write_all(&length).and_then(|()| self.file.write_all(&self.buffer));
        written.map_err(|error| unwritten(&self.path, &error))
    }

    /// Ends the file; gives its seal.
    pub fn finish(self) -> Result<String, LogError> {
        self.file.finish().and_then(Sealing::finish).map_err(|error| unwritten(&self.path, &error))
    }
}

/// Hands the rows of the file with this seal to `sink`.
pub(super) fn for_each_row(
    path: &Path,
    seal: &str,
    sink: &mut dyn FnMut(ShardRow<'_>) -> Result<(), LogError>,
) -> Result<(), LogError> {
    let file = seal::open(WHAT, path, Some(seal)).and_then(zstd::Decoder::new);
    let mut file = BufReader::new(file.map_err(|error| failed(path, &error))?);
    let wrong = |error: &dyn std::fmt::Display| failed(path, &format!("{DAMAGED} ({error})"));
    let mut buffer = Vec::new();
    while !file.fill_buf().map_err(|error| wrong(&error))?.is_empty() {
        let mut length = [0; 4];
        file.read_exact(&mut length).map_err(|error| wrong(&error))?;
        buffer.clear();
        let length = u64::from(u32::from_le_bytes(length));
        file.by_ref().take(length).read_to_end(&mut buffer).map_err(|error| wrong(&error))?;
        sink(postcard::from_bytes(&buffer).map_err(|error| wrong(&error))?)?;
    }
    Ok(())
}

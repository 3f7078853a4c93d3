//! The file of a shard: its rows, compressed, behind which stands a seal.

use super::super::entry::FileRow;
use super::super::raw::RowDiagnostic;
use super::error::{MOST_SHARDS, failed, not_begun, shard_name, unwritten};
use crate::error::LogError;
use plymap_tables::checksum::seal;
use plymap_tables::checksum::seal::{DAMAGED, Sealing};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};

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
    pub fault: Option<Box<RowDiagnostic>>,
    pub notices: Vec<RowDiagnostic>,
}

/// A file of rows while it is written.
pub(super) struct RowFile {
    path: PathBuf,
    file: zstd::Encoder<'static, Sealing<BufWriter<File>>>,
    buffer: Vec<u8>,
}

impl RowFile {
    /// Begins the file of a shard.
    pub fn create(folder: &Path, shard: usize) -> Result<Self, LogError> {
        let path = folder.join(shard_name(shard));
        let file = File::create(&path);
        let sealing = |file| Sealing::new(&what(shard), BufWriter::new(file));
        let file = file.and_then(|file| zstd::Encoder::new(sealing(file), COMPRESSION));
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

/// Purpose of the file of a shard, for its seal.
fn what(shard: usize) -> Vec<u8> {
    format!("rows of shard {shard}\n").into_bytes()
}

/// Hands the rows of a shard, whose file has this seal, to `sink`.
pub(super) fn for_each_row(
    folder: &Path,
    shard: usize,
    seal: &str,
    sink: &mut dyn FnMut(ShardRow<'_>) -> Result<(), LogError>,
) -> Result<(), LogError> {
    let path = folder.join(shard_name(shard));
    let file = seal::open(&what(shard), &path, Some(seal)).and_then(zstd::Decoder::new);
    let file = file.map_err(|error| match seal::which(&path, (0..MOST_SHARDS).map(what)) {
        Some(other) if other != shard => failed(&path, &format!("it is {} under another name", shard_name(other))),
        _ => failed(&path, &error),
    });
    let mut file = BufReader::new(file?);
    let wrong = |error: &dyn std::fmt::Display| failed(&path, &format!("{DAMAGED} ({error})"));
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

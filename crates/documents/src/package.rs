//! The package of an Office document: a ZIP archive that is the same for the same parts.

use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::DocumentError;

/// A package in the making.
pub(crate) struct Package {
    archive: ZipWriter<Cursor<Vec<u8>>>,
}

impl Package {
    pub fn new() -> Self {
        Self { archive: ZipWriter::new(Cursor::new(Vec::new())) }
    }

    /// Adds a part that is text.
    pub fn text(&mut self, name: &str, content: &[u8]) -> Result<(), DocumentError> {
        self.add(name, content, CompressionMethod::Deflated)
    }

    /// Adds a part that is compressed already.
    pub fn stored(&mut self, name: &str, content: &[u8]) -> Result<(), DocumentError> {
        self.add(name, content, CompressionMethod::Stored)
    }

    fn add(&mut self, name: &str, content: &[u8], method: CompressionMethod) -> Result<(), DocumentError> {
        // No clock and no permissions of the machine: 1980 is the first time that an archive can name.
        let options = SimpleFileOptions::default()
            .compression_method(method)
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644);
        self.archive.start_file(name, options)?;
        Ok(self.archive.write_all(content)?)
    }

    /// Returns the bytes of the archive.
    pub fn finish(self) -> Result<Vec<u8>, DocumentError> {
        Ok(self.archive.finish()?.into_inner())
    }
}

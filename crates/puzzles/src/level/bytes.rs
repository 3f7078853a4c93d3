//! The text of a file, compressed or not.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use super::error::LevelError;
use crate::diagnostic::SourceText;
use crate::foreign::foreign;

/// The most bytes that a level file may hold after decompression: 256 MiB. Public lists of millions of levels have
/// half of that.
pub const MAX_BYTES: u64 = 256 << 20;

const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Reads a text file, through gzip or zstd where its first bytes say so, and drops a byte order mark.
pub(super) fn read_text(path: &Path) -> Result<SourceText, LevelError> {
    let bytes = read_bytes(path, MAX_BYTES).map_err(|error| LevelError::Io { path: path.to_owned(), source: error })?;
    let Some(bytes) = bytes else {
        return Err(LevelError::TooLarge { path: path.to_owned(), limit: MAX_BYTES });
    };
    if let Some(foreign) = foreign(&bytes) {
        return Err(LevelError::Foreign { path: path.to_owned(), foreign });
    }
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..offset];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        LevelError::NotUtf8 { path: path.to_owned(), offset, line }
    })?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(SourceText { path: path.to_owned(), text })
}

/// The bytes of a file after decompression; absent if there are more than `limit`.
fn read_bytes(path: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut file = BufReader::new(File::open(path)?);
    let mut head = Vec::with_capacity(4);
    file.by_ref().take(4).read_to_end(&mut head)?;
    let whole = head.as_slice().chain(file);
    let mut reader: Box<dyn Read + '_> = if head.starts_with(&GZIP) {
        Box::new(flate2::read::MultiGzDecoder::new(whole))
    } else if head.starts_with(&ZSTD) {
        Box::new(zstd::Decoder::new(whole)?)
    } else {
        Box::new(whole)
    };
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file that is too large from one that just fits.
    let length = reader.by_ref().take(limit + 1).read_to_end(&mut bytes)?;
    Ok((length as u64 <= limit).then_some(bytes))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn file(bytes: &[u8]) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    #[test]
    fn compressed_files_read_as_plain_ones() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gzip.write_all("\u{feff}AA.".as_bytes()).unwrap();
        let zstd = zstd::encode_all("AA.".as_bytes(), 0).unwrap();
        for bytes in [gzip.finish().unwrap(), zstd, b"AA.".to_vec()] {
            assert_eq!(read_text(file(&bytes).path()).unwrap().text, "AA.");
        }
    }

    #[test]
    fn decompression_stops_at_the_limit() {
        let bomb = zstd::encode_all(io::repeat(b'.').take(1 << 20), 0).unwrap();
        let bomb = file(&bomb);
        assert_eq!(read_bytes(bomb.path(), 1000).unwrap(), None);
        assert_eq!(read_bytes(bomb.path(), 1 << 20).unwrap().unwrap().len(), 1 << 20);
    }

    #[test]
    fn a_broken_archive_is_an_error_with_its_path() {
        let file = file(&[0x1f, 0x8b, 8, 0]);
        let error = read_text(file.path()).unwrap_err().to_string();
        assert!(error.contains(&*file.path().to_string_lossy()), "{error}");
    }

    #[test]
    fn what_is_no_text_is_named_as_what_it_is() {
        let picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
        let mut tar = vec![b'.'; 512];
        tar[257..262].copy_from_slice(b"ustar");
        let within = zstd::encode_all(&tar[..], 0).unwrap();
        let zip = zstd::encode_all(&b"PK\x03\x04\x14\0xl/workbook.xml"[..], 0).unwrap();
        for (bytes, expected) in [
            (&picture[..], "is no level file: it is a picture (PNG); name the file that was meant"),
            (&within, "is no level file: it is a tar archive; unpack it first, and name what is in it"),
            (&zip, "is no level file: it is a workbook of Excel; save the sheet as CSV, and name that"),
        ] {
            let file = file(bytes);
            let said = read_text(file.path()).unwrap_err().to_string();
            assert_eq!(said, format!("{} {expected}", file.path().display()));
        }
    }

    #[test]
    fn text_that_is_not_utf8_is_refused_where_it_breaks() {
        let error = read_text(file(b"AA.\nB\xe9.").path()).unwrap_err();
        assert!(matches!(error, LevelError::NotUtf8 { offset: 5, line: 2, .. }), "{error}");
    }
}

//! ZIP archives, which workbooks of today are.

use std::io;

use flate2::read::DeflateDecoder;

use super::limit::Whole;

/// What every file in an archive begins with.
const BEGIN: &[u8; 4] = b"PK\x03\x04";

/// Refuses an archive that unpacks to more than what is read as a whole.
///
/// Its files are unpacked to nowhere: what an archive says of their sizes need not be true. They are found by how they
/// begin, and not by the list at the end, which has several forms.
pub(super) fn check_archive(bytes: &[u8]) -> io::Result<()> {
    let mut whole = Whole::default();
    for (place, _) in bytes.windows(BEGIN.len()).enumerate().filter(|(_, found)| *found == BEGIN) {
        let header = &bytes[place..];
        let length =
            |at: usize| header.get(at..at + 2).map_or(0, |pair| usize::from(u16::from_le_bytes([pair[0], pair[1]])));
        // Its name and what else is said of it stand before its data.
        let data = header.get(30 + length(26) + length(28)..).unwrap_or_default();
        // What is no compressed file ends in an error here; what is damaged is for the reader to tell.
        match io::copy(&mut DeflateDecoder::new(data), &mut whole) {
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

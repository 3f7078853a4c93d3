//! How much of a file may be in memory at once: a small compressed file may hold gigabytes.

use std::io::{self, BufRead, Read};

/// The most bytes of a file that is read as a whole, after decompression: 1 GiB.
pub(super) const MOST_BYTES: u64 = 1 << 30;

/// The most bytes of one row, as the file has it: 64 MiB.
pub(super) const MOST_OF_ROW: u64 = 64 << 20;

/// All that a reader gives.
pub(super) fn read_whole(input: impl Read) -> io::Result<Vec<u8>> {
    read_within(input, MOST_BYTES)
}

fn read_within(input: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file that is too large from one that just fits.
    input.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large("unpacked, it holds", most)) } else { Ok(bytes) }
}

/// Adds the next line to `line`, with its end; gives the number of bytes read.
pub(super) fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    let n = input.take(MOST_OF_ROW + 1).read_until(b'\n', line)?;
    check_row(line.len()).map(|()| n)
}

/// Refuses a row of so many bytes.
pub(super) fn check_row(n_bytes: usize) -> io::Result<()> {
    if n_bytes as u64 > MOST_OF_ROW { Err(too_large("a row of it has", MOST_OF_ROW)) } else { Ok(()) }
}

fn too_large(what: &str, limit: u64) -> io::Error {
    let reason = format!("{what} more than {} MiB, which no log has; check the file, or split it", limit >> 20);
    io::Error::new(io::ErrorKind::FileTooLarge, reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_files_without_end_are_refused() {
        let endless = || io::BufReader::new(io::repeat(b'a'));
        let said = read_line(&mut endless(), &mut Vec::new()).unwrap_err().to_string();
        assert!(said.contains("a row of it has more than 64 MiB"), "{said}");
        let said = read_within(endless(), 1 << 20).unwrap_err().to_string();
        assert!(said.contains("unpacked, it holds more than 1 MiB"), "{said}");
        assert_eq!(read_within(&b"abc"[..], 3).unwrap(), b"abc");
        let (mut input, mut line) = (io::Cursor::new("ab\nc"), Vec::new());
        assert_eq!((read_line(&mut input, &mut line).unwrap(), &line[..]), (3, &b"ab\n"[..]));
    }
}

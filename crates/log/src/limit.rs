//! Bounds on the memory that one file may take: a small file may stand for gigabytes.

use std::borrow::BorrowMut;
use std::io::{self, BufRead, Read, Write};

/// The most bytes of a file that is read or unpacked as a whole, after decompression: 1 GiB. Unit tests unpack less.
pub(super) const MOST_BYTES: u64 = if cfg!(test) { 4 << 20 } else { 1 << 30 };

/// The most bytes of one row, as the file has it: 64 MiB.
pub(super) const MOST_OF_ROW: u64 = 64 << 20;

/// Number of times its own size that a file may hold, if that is more than [`MOST_BYTES`]. Logs are compressed to a
/// fifth or a thirtieth.
const MOST_TIMES: u64 = 200;

/// Bytes that a row takes besides its cells, about; of one that is rejected, what is said of it is most.
const OF_EACH_ROW: u64 = 512;

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

/// Writes all that a reader gives.
pub(super) fn copy_whole(input: impl Read, output: &mut impl Write) -> io::Result<()> {
    let n = io::copy(&mut input.take(MOST_BYTES + 1), output)?;
    check_whole(n)
}

/// Refuses so many bytes at once.
pub(super) fn check_whole(n_bytes: u64) -> io::Result<()> {
    if n_bytes > MOST_BYTES { Err(too_large("unpacked, it holds", MOST_BYTES)) } else { Ok(()) }
}

/// Takes so many bytes and keeps none.
#[derive(Debug, Default)]
pub(super) struct Whole(u64);

impl Write for Whole {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        check_whole(self.0).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(super) fn too_large(what: &str, limit: u64) -> io::Error {
    let reason = format!("{what} more than {} MiB, which no log has; check the file, or split it", limit >> 20);
    io::Error::new(io::ErrorKind::FileTooLarge, reason)
}

/// Size to which a file has grown while it is read.
#[derive(Debug)]
pub(super) struct Growth {
    /// Name of what grows, such as `its rows take`.
    what: &'static str,
    packed: u64,
    grown: u64,
}

impl Growth {
    pub fn of_bytes(packed: u64) -> Self {
        Self { what: "unpacked, it holds", packed, grown: 0 }
    }

    pub fn of_rows(packed: u64) -> Self {
        Self { what: "its rows take", packed, grown: 0 }
    }

    /// Counts a row.
    pub fn add_row(&mut self, cells: &[Option<&str>]) -> io::Result<()> {
        let text: usize = cells.iter().flatten().map(|cell| cell.len()).sum();
        self.add_rows(1, text as u64)
    }

    /// Counts rows whose cells have so many bytes.
    pub fn add_rows(&mut self, n_rows: usize, n_bytes: u64) -> io::Result<()> {
        self.add(n_bytes + n_rows as u64 * OF_EACH_ROW)
    }

    fn add(&mut self, n_bytes: u64) -> io::Result<()> {
        self.grown += n_bytes;
        if self.grown <= MOST_BYTES || self.grown <= self.packed.saturating_mul(MOST_TIMES) {
            return Ok(());
        }
        let (what, limit) = (self.what, MOST_BYTES >> 20);
        Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!(
                "{what} more than {limit} MiB and {MOST_TIMES} times its size, as no log does; check the file, or unpack or split it"
            ),
        ))
    }
}

/// A reader of what is unpacked.
pub(super) struct Unpacked<R, G = Growth> {
    inner: R,
    growth: G,
}

impl<R> Unpacked<R> {
    /// Reader of a file of so many bytes.
    pub fn new(inner: R, packed: u64) -> Self {
        Self { inner, growth: Growth::of_bytes(packed) }
    }
}

impl<'g, R> Unpacked<R, &'g mut Growth> {
    /// Reader of a part of a file that has grown so far.
    pub fn of_part(inner: R, growth: &'g mut Growth) -> Self {
        Self { inner, growth }
    }
}

impl<R: Read, G: BorrowMut<Growth>> Read for Unpacked<R, G> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.growth.borrow_mut().add(n as u64).map(|()| n)
    }
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
        let said = copy_whole(endless(), &mut io::sink()).unwrap_err().to_string();
        assert!(said.contains("unpacked, it holds more than 4 MiB"), "{said}");
    }
    #[test]
    fn what_is_compressed_as_logs_are_may_be_large_and_what_is_compressed_beyond_that_may_not() {
        let unpacked =
            |packed: u64, n: u64| io::copy(&mut Unpacked::new(io::repeat(b'a').take(n), packed), &mut io::sink());
        assert_eq!(unpacked(1 << 20, 50 << 20).unwrap(), 50 << 20);
        assert_eq!(unpacked(1, MOST_BYTES).unwrap(), MOST_BYTES);
        let said = unpacked(1 << 10, 50 << 20).unwrap_err().to_string();
        assert!(said.contains("unpacked, it holds more than 4 MiB and 200 times its size"), "{said}");
        // The shortest rows that a log can have, as they are, take less than 200 times their size.
        let (n_rows, row) = (1 << 20, "p,1,a\n");
        let mut plain = Growth::of_rows(n_rows * row.len() as u64);
        assert!((0..n_rows).all(|_| plain.add_row(&[Some("p"), Some("1"), Some("a")]).is_ok()));
    }
}

//! The files in which games keep what took long to compute.
//!
//! A line of text names the format and the rules. Then come little-endian numbers, and last a checksum of all
//! bytes before it (FNV-1a, 64 bits: Fowler, Noll and Vo 1991). A file that is not exactly so is refused.

use std::io::{self, BufReader, BufWriter, Read, Write};

/// Writes the line of text, what `body` puts, and the checksum.
pub(in crate::game) fn write<'a>(
    format: &str,
    rules: &str,
    to: &'a mut dyn Write,
    body: impl FnOnce(&mut Summed<BufWriter<&'a mut dyn Write>>) -> io::Result<()>,
) -> io::Result<()> {
    let mut to = Summed { inner: BufWriter::with_capacity(1 << 16, to), checksum: FNV_START };
    to.put(header(format, rules).as_bytes())?;
    body(&mut to)?;
    let checksum = to.checksum;
    to.inner.write_all(&checksum.to_le_bytes())?;
    to.inner.flush()
}

/// Content that `body` reads between the right line of text and the right checksum, at which the file ends.
pub(in crate::game) fn read<T, R: Read>(
    format: &str,
    rules: &str,
    from: R,
    body: impl FnOnce(&mut Summed<BufReader<R>>) -> Option<T>,
) -> Option<T> {
    let mut from = Summed { inner: BufReader::with_capacity(1 << 16, from), checksum: FNV_START };
    let expected = header(format, rules);
    if from.bytes(expected.len())? != expected.as_bytes() {
        return None;
    }
    let content = body(&mut from)?;
    let checksum = from.checksum;
    let is_whole = u64::from_le_bytes(from.array()?) == checksum && from.inner.read(&mut [0]).ok()? == 0;
    is_whole.then_some(content)
}

fn header(format: &str, rules: &str) -> String {
    format!("{format}: {rules}\n")
}

const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

/// A stream with the checksum of what went through it.
pub(in crate::game) struct Summed<S> {
    inner: S,
    checksum: u64,
}

impl<S> Summed<S> {
    fn sum(&mut self, bytes: &[u8]) {
        self.checksum = bytes.iter().fold(self.checksum, fnv_step);
    }
}

fn fnv_step(sum: u64, &byte: &u8) -> u64 {
    (sum ^ u64::from(byte)).wrapping_mul(FNV_PRIME)
}

impl<S: Write> Summed<S> {
    pub(in crate::game) fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum(bytes);
        self.inner.write_all(bytes)
    }
}

impl<S: Read> Summed<S> {
    /// The next bytes, in a buffer that grows only as far as the file goes.
    pub(in crate::game) fn bytes(&mut self, n_bytes: usize) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        (&mut self.inner).take(n_bytes as u64).read_to_end(&mut bytes).ok()?;
        self.sum(&bytes);
        (bytes.len() == n_bytes).then_some(bytes)
    }

    pub(in crate::game) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }

    pub(in crate::game) fn count(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }
}

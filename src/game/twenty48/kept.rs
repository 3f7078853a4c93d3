//! The file in which a table of values is kept.
//!
//! A line of text that names format, rules and size; then in little-endian numbers the count of positions,
//! of those without a move, and of layers, and for each layer the count of its after-states, their numbers
//! and their values; then a checksum of all bytes before it (FNV-1a, 64 bits: Fowler, Noll and Vo 1991). A
//! file that is not exactly so is refused.

use std::io::{self, BufReader, BufWriter, Read, Write};

use super::exact::{Layer, MAX_AFTER_STATES, Numbering, Table};

/// The first words of a file; the number grows when the format, or the meaning of values, changes.
const FORMAT: &str = "plymap values of 2048, format 1";

/// More layers than the largest board has.
const MAX_LAYERS: u32 = 1 << 24;

/// Writes a table that belongs to these rules.
pub(super) fn write(table: &Table, rules: &str, to: &mut dyn Write) -> io::Result<()> {
    let mut to = Summed { inner: BufWriter::with_capacity(1 << 16, to), checksum: FNV_START };
    to.put(header(rules).as_bytes())?;
    to.put(&table.n_states.to_le_bytes())?;
    to.put(&table.n_stuck.to_le_bytes())?;
    to.put(&(table.layers.len() as u32).to_le_bytes())?;
    for layer in &table.layers {
        to.put(&(layer.keys.len() as u32).to_le_bytes())?;
        layer.keys.iter().try_for_each(|key| to.put(&key.to_le_bytes()))?;
        layer.values.iter().try_for_each(|value| to.put(&value.to_le_bytes()))?;
    }
    let checksum = to.checksum;
    to.inner.write_all(&checksum.to_le_bytes())?;
    to.inner.flush()
}

/// Reads a table that belongs to these rules; nothing if the file is damaged, or belongs to others.
pub(super) fn read(from: impl Read, rules: &str, numbering: Numbering) -> Option<Table> {
    let mut from = Summed { inner: BufReader::with_capacity(1 << 16, from), checksum: FNV_START };
    let expected = header(rules);
    if from.bytes(expected.len())? != expected.as_bytes() {
        return None;
    }
    let n_states = u64::from_le_bytes(from.array()?);
    let n_stuck = u64::from_le_bytes(from.array()?);
    let n_layers = from.count()?;
    if n_layers > MAX_LAYERS {
        return None;
    }
    let mut layers = Vec::new();
    let mut n_after_states = 0;
    for _ in 0..n_layers {
        let layer = read_layer(&mut from, MAX_AFTER_STATES - n_after_states)?;
        n_after_states += layer.keys.len();
        layers.push(layer);
    }
    let checksum = from.checksum;
    let is_whole = u64::from_le_bytes(from.array()?) == checksum && from.inner.read(&mut [0]).ok()? == 0;
    is_whole.then_some(Table { numbering, layers, n_states, n_stuck })
}

fn read_layer(from: &mut Summed<impl Read>, most: usize) -> Option<Layer> {
    let n_keys = from.count()? as usize;
    if n_keys > most {
        return None;
    }
    let keys: Vec<u32> = from.bytes(4 * n_keys)?.as_chunks().0.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect();
    let values: Vec<f64> =
        from.bytes(8 * n_keys)?.as_chunks().0.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect();
    let is_sound = keys.is_sorted_by(|one, other| one < other) && values.iter().all(|value| value.is_finite());
    is_sound.then_some(Layer { keys, values })
}

fn header(rules: &str) -> String {
    format!("{FORMAT}: {rules}\n")
}

const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

/// A stream with the checksum of what went through it.
struct Summed<S> {
    inner: S,
    checksum: u64,
}

impl<S> Summed<S> {
    fn sum(&mut self, bytes: &[u8]) {
        let step = |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(FNV_PRIME);
        self.checksum = bytes.iter().fold(self.checksum, step);
    }
}

impl<S: Write> Summed<S> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum(bytes);
        self.inner.write_all(bytes)
    }
}

impl<S: Read> Summed<S> {
    /// The next bytes, in a buffer that grows only as far as the file goes.
    fn bytes(&mut self, n_bytes: usize) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        (&mut self.inner).take(n_bytes as u64).read_to_end(&mut bytes).ok()?;
        self.sum(&bytes);
        (bytes.len() == n_bytes).then_some(bytes)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }

    fn count(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }
}

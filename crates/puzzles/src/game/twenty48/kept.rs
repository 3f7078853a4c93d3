//! The files in which values and networks are kept.
//!
//! A line of text names the format and the rules. Then come little-endian numbers, and last a checksum of all
//! bytes before it (FNV-1a, 64 bits: Fowler, Noll and Vo 1991). A file that is not exactly so is refused.
//!
//! Of a table of values the numbers are the count of positions, of those without a move, and of layers, and
//! for each layer the count of its after-states, their numbers and their values. Of a network they are the
//! count of weights and the weights.

use std::io::{self, BufReader, BufWriter, Read, Write};

use super::exact::{Layer, MAX_AFTER_STATES, Numbering, Table};
use super::network::{Network, Tuples};

/// The first words of a file of values; the number grows when the format, or the meaning of values, changes.
const VALUES: &str = "plymap values of 2048, format 1";

/// The first words of a file of weights; the number grows when the format, or the way of learning, changes.
const WEIGHTS: &str = "plymap network of 2048, format 1";

/// More layers than the largest board has.
const MAX_LAYERS: u32 = 1 << 24;

/// So many weights are read or written at once.
const WEIGHTS_AT_ONCE: usize = 1 << 16;

/// Writes a table that belongs to these rules.
pub(super) fn write_table(table: &Table, rules: &str, to: &mut dyn Write) -> io::Result<()> {
    write(VALUES, rules, to, |to| {
        to.put(&table.n_states.to_le_bytes())?;
        to.put(&table.n_stuck.to_le_bytes())?;
        to.put(&(table.layers.len() as u32).to_le_bytes())?;
        for layer in &table.layers {
            to.put(&(layer.keys.len() as u32).to_le_bytes())?;
            layer.keys.iter().try_for_each(|key| to.put(&key.to_le_bytes()))?;
            layer.values.iter().try_for_each(|value| to.put(&value.to_le_bytes()))?;
        }
        Ok(())
    })
}

/// Reads a table that belongs to these rules; nothing if the file is damaged, or belongs to others.
pub(super) fn read_table(from: impl Read, rules: &str, numbering: Numbering) -> Option<Table> {
    read(VALUES, rules, from, |from| {
        let n_states = u64::from_le_bytes(from.array()?);
        let n_stuck = u64::from_le_bytes(from.array()?);
        let n_layers = from.count()?;
        if n_layers > MAX_LAYERS {
            return None;
        }
        let mut layers = Vec::new();
        let mut n_after_states = 0;
        for _ in 0..n_layers {
            let layer = read_layer(from, MAX_AFTER_STATES - n_after_states)?;
            n_after_states += layer.keys.len();
            layers.push(layer);
        }
        Some(Table { numbering, layers, n_states, n_stuck })
    })
}

fn read_layer(from: &mut Summed<impl Read>, most: usize) -> Option<Layer> {
    let n_keys = from.count()? as usize;
    // Before anything is reserved: a damaged count must not ask for all memory.
    if n_keys > most {
        return None;
    }
    let keys: Vec<u32> = from.bytes(4 * n_keys)?.as_chunks().0.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect();
    let values: Vec<f64> =
        from.bytes(8 * n_keys)?.as_chunks().0.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect();
    let is_sound = keys.is_sorted_by(|this, other| this < other) && values.iter().all(|value| value.is_finite());
    is_sound.then_some(Layer { keys, values })
}

/// Writes a network that learned this lesson.
pub(super) fn write_network(network: &Network, lesson: &str, to: &mut dyn Write) -> io::Result<()> {
    write(WEIGHTS, lesson, to, |to| {
        to.put(&(network.weights().len() as u32).to_le_bytes())?;
        let mut bytes = Vec::with_capacity(4 * WEIGHTS_AT_ONCE);
        for weights in network.weights().chunks(WEIGHTS_AT_ONCE) {
            bytes.clear();
            bytes.extend(weights.iter().flat_map(|weight| weight.to_le_bytes()));
            to.put(&bytes)?;
        }
        Ok(())
    })
}

/// Reads a network of these tuples that learned this lesson; nothing if the file is damaged, or belongs to
/// another lesson.
pub(super) fn read_network(from: impl Read, lesson: &str, tuples: Tuples) -> Option<Network> {
    read(WEIGHTS, lesson, from, |from| {
        if from.count()? as usize != tuples.n_weights() {
            return None;
        }
        let mut weights = Vec::new();
        while weights.len() < tuples.n_weights() {
            let n_next = WEIGHTS_AT_ONCE.min(tuples.n_weights() - weights.len());
            weights.extend(from.bytes(4 * n_next)?.as_chunks().0.iter().map(|&bytes| i32::from_le_bytes(bytes)));
        }
        Network::new(tuples, weights)
    })
}

/// Writes the line of text, what `body` puts, and the checksum.
fn write<'a>(
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
fn read<T, R: Read>(
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
struct Summed<S> {
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

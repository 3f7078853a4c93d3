//! What is kept of values and networks; see [`kept`](crate::game::kept) for the files.
//!
//! Of a table of values the numbers are the count of positions, of those without a move, and of layers, and
//! for each layer the count of its after-states, their numbers and their values. Of a network they are the
//! count of weights and the weights.

use std::io::{self, Read, Write};

use super::exact::{Layer, MAX_AFTER_STATES, Numbering, Table};
use super::network::{Network, Tuples};
use crate::game::kept::{Summed, read, write};

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

//! A level as pebbles on the vertices of a graph, one of which is free: what it is, without how it is played.

/// Pebbles on the vertices of a graph, one of which is free. A move takes a pebble along an edge to the free vertex
/// (Wilson, 1974. *Journal of Combinatorial Theory B*, 16, 86–96).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PebbleMotion {
    /// For each of at most 32 vertices those that an edge joins with it, one bit each.
    pub neighbours: Vec<u32>,
    /// The kind of the pebble on each vertex at the start, from 1; 0 where it is free.
    pub start: Vec<u8>,
    /// The goals: what lies on each vertex.
    pub goals: Vec<Vec<u8>>,
    /// Bits of a vertex in the code of a position, the first vertex in the lowest bits.
    pub bits: u32,
}

impl PebbleMotion {
    /// What lies on each vertex in the position with this code.
    pub fn kinds(&self, code: u128) -> Vec<u8> {
        let mask = (1 << self.bits) - 1;
        (0..self.start.len() as u32).map(|vertex| (code >> (vertex * self.bits)) as u8 & mask).collect()
    }

    /// The code of the position with this on each vertex.
    pub fn code(&self, kinds: &[u8]) -> u128 {
        kinds.iter().rev().fold(0, |code, &kind| code << self.bits | u128::from(kind))
    }
}

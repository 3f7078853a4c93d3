//! Distances by the ranks of an index.

use super::Distance;

/// Mark of ranks that are no state of the level, and of states from which no goal can be reached.
const NO_STATE: u16 = u16::MAX;
const UNSOLVABLE: u16 = u16::MAX - 1;

/// The distance of every state of a level to its nearest goal, by the ranks of an index: two bytes a rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedDistances {
    values: Vec<u16>,
    histogram: Vec<u64>,
    n_unsolvable: u64,
}

/// The states at one distance while they are found.
pub struct Layer<'a> {
    distances: &'a mut RankedDistances,
    distance: u16,
}

impl RankedDistances {
    /// A table without a state, for so many ranks.
    pub fn new(n_ranks: u32) -> Self {
        Self { values: vec![NO_STATE; n_ranks as usize], histogram: Vec::new(), n_unsolvable: 0 }
    }

    /// The layer behind the last one, of distance 0 at first; absent where its distance needs more than 16 bits.
    pub fn next_layer(&mut self) -> Option<Layer<'_>> {
        let distance = u16::try_from(self.histogram.len()).ok().filter(|&distance| distance < UNSOLVABLE)?;
        self.histogram.push(0);
        Some(Layer { distances: self, distance })
    }

    /// Adds states from which no goal can be reached: their ranks, from `first` on, are the bits of a set.
    pub fn add_unsolvable(&mut self, first: u32, set: u64) {
        self.n_unsolvable += u64::from(set.count_ones());
        self.write(first, set, UNSOLVABLE);
    }

    #[inline]
    fn write(&mut self, first: u32, set: u64, value: u16) {
        let mut rest = set;
        while rest != 0 {
            self.values[(first + rest.trailing_zeros()) as usize] = value;
            rest &= rest - 1;
        }
    }

    /// The distance of a state, absent within if no goal can be reached from it; absent where the rank is no state of
    /// the level.
    pub fn get(&self, rank: u64) -> Option<Option<Distance>> {
        let value = self.values[rank as usize];
        (value != NO_STATE).then(|| (value != UNSOLVABLE).then(|| Distance(u32::from(value))))
    }

    /// Number of states at each distance, from 0 to the largest.
    pub fn histogram(&self) -> &[u64] {
        &self.histogram
    }

    /// Number of states from which no goal can be reached.
    pub fn n_unsolvable(&self) -> u64 {
        self.n_unsolvable
    }

    /// Number of states.
    pub fn n_states(&self) -> u64 {
        self.histogram.iter().sum::<u64>() + self.n_unsolvable
    }
}

impl Layer<'_> {
    /// Adds the states whose ranks, from `first` on, are the bits of a set.
    #[inline]
    pub fn add(&mut self, first: u32, set: u64) {
        self.distances.histogram[usize::from(self.distance)] += u64::from(set.count_ones());
        self.distances.write(first, set, self.distance);
    }
}

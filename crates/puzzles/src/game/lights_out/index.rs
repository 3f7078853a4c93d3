//! The index of Lights Out: the lamps that are lit, as a number.

use crate::game::PositionIndex;

/// Lamps beyond which there is no index: a map of so many states would not fit into memory.
const MAX_LAMPS: u32 = 28;

/// The codes of a board of so many lamps, which are their own ranks. Where no set of presses lights every set of lamps,
/// some are no position that the start reaches.
#[derive(Clone, Copy, Debug)]
pub struct LampIndex {
    n_lamps: u32,
}

impl LampIndex {
    pub(super) fn new(n_lamps: usize) -> Option<Self> {
        let n_lamps = u32::try_from(n_lamps).ok()?;
        (n_lamps <= MAX_LAMPS).then_some(Self { n_lamps })
    }
}

impl PositionIndex for LampIndex {
    fn n_ranks(&self) -> u64 {
        1 << self.n_lamps
    }

    fn rank(&self, code: u64) -> Option<u64> {
        (code < self.n_ranks()).then_some(code)
    }

    fn unrank(&self, rank: u64) -> Option<u64> {
        self.rank(rank)
    }
}

//! The index of Panguru: the arrangements of its pebbles and the hole.

use super::level::{Board, Panguru};
use crate::game::PositionIndex;
use crate::game::arrangements::Arrangements;

/// All arrangements, of which lines that do not join all plates reach only a part.
#[derive(Clone, Debug)]
pub struct PanguruIndex {
    arrangements: Arrangements,
    n_plates: usize,
    bits: u32,
}

impl PanguruIndex {
    /// The index of a small level whose codes have at most 64 bits.
    pub(super) fn new(level: &Panguru) -> Option<Self> {
        let arrangements = level.arrangements().filter(|_| level.bits * level.n_plates() as u32 <= u64::BITS)?;
        Some(Self { arrangements: arrangements.clone(), n_plates: level.n_plates(), bits: level.bits })
    }
}

impl PositionIndex for PanguruIndex {
    fn n_ranks(&self) -> u64 {
        self.arrangements.n()
    }

    fn rank(&self, code: u64) -> Option<u64> {
        let kinds = (0..self.n_plates as u32).map(|plate| code >> (plate * self.bits) & ((1 << self.bits) - 1));
        let is_beyond = u128::from(code) >> (self.n_plates as u32 * self.bits) != 0;
        self.arrangements.rank(kinds.map(|kind| kind as usize)).filter(|_| !is_beyond)
    }

    fn unrank(&self, rank: u64) -> Option<u64> {
        let kinds = (rank < self.n_ranks()).then(|| self.arrangements.unrank(rank))?;
        Some(kinds.zip(0..).fold(0, |code, (kind, plate)| code | (kind as u64) << (plate * self.bits)))
    }
}

impl Panguru {
    /// The rank of a board of a small level.
    pub(super) fn rank(&self, board: Board) -> usize {
        let kinds = (0..self.n_plates()).map(|plate| usize::from(self.value_at(board, plate)));
        let rank = self.arrangements().and_then(|arrangements| arrangements.rank(kinds));
        rank.expect("a board of a small level") as usize
    }
}

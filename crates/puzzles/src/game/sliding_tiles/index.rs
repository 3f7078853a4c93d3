//! The index of sliding tiles: the positions of one class.

use super::frame::Frame;
use super::rank::Ranking;
use super::word::Word;
use crate::game::PositionIndex;

/// Ranks beyond which there is no index: a map of so many states would not fit into memory.
const MAX_RANKS: u64 = 1 << 28;

/// All positions that the start reaches, numbered.
#[derive(Clone, Debug)]
pub struct TilesIndex {
    frame: Frame,
    pub(super) ranking: Ranking,
    class: u32,
}

impl TilesIndex {
    /// The index of the positions of a class; absent where they are too many.
    pub(super) fn new(frame: &Frame, class: u32) -> Option<Self> {
        let ranking = Ranking::new(frame, class).filter(|ranking| ranking.n_positions() <= MAX_RANKS)?;
        Some(Self { frame: *frame, ranking, class })
    }
}

impl PositionIndex for TilesIndex {
    fn n_ranks(&self) -> u64 {
        self.ranking.n_positions()
    }

    fn rank(&self, code: u64) -> Option<u64> {
        let n_cells = self.frame.n_cells();
        let seen = (0..n_cells).fold(0u32, |seen, cell| seen | 1 << code.tile(cell));
        let is_whole = u128::from(code) >> (n_cells as u32 * u64::CELL_BITS) == 0 && seen == (1 << n_cells) - 1;
        (is_whole && self.frame.class(code) == self.class).then(|| self.ranking.rank(code))
    }

    fn unrank(&self, rank: u64) -> Option<u64> {
        (rank < self.n_ranks()).then(|| self.ranking.unrank(rank))
    }
}

//! Places of positions of levels whose game numbers them.

use plymap_puzzles::game::{PositionIndex, StateCode};
use plymap_puzzles::rules::Rules;

use crate::place::{MAX_BLOCK, Place};

/// The ranks of a level, in blocks of as many.
pub struct Ranks<'a> {
    rules: &'a dyn Rules,
    index: Box<dyn PositionIndex>,
    len: usize,
}

impl<'a> Ranks<'a> {
    /// The ranks of a level; absent if its game numbers no positions.
    pub fn new(rules: &'a dyn Rules) -> Option<Self> {
        let index = rules.index()?;
        let len = index.n_ranks().min(MAX_BLOCK as u64) as usize;
        Some(Self { rules, index, len })
    }

    pub fn n_ranks(&self) -> u64 {
        self.index.n_ranks()
    }

    pub fn block_len(&self) -> usize {
        self.len
    }

    pub fn place(&self, code: u128) -> Option<Place> {
        self.index.rank(u64::try_from(code).ok()?).map(|rank| self.place_of_rank(rank))
    }

    #[inline]
    pub fn place_of_rank(&self, rank: u64) -> Place {
        Place { block: rank / self.len as u64, inner: (rank % self.len as u64) as u16 }
    }

    /// The code of a position; absent where the rank is no position.
    pub fn code(&self, Place { block, inner }: Place) -> Option<u128> {
        let rank = block * self.len as u64 + u64::from(inner);
        if rank < self.n_ranks() { self.index.unrank(rank).map(u128::from) } else { None }
    }

    /// The goals of a block.
    pub fn goals(&self, block: u64) -> impl Iterator<Item = u16> + '_ {
        let is_goal = move |&inner: &u16| {
            self.code(Place { block, inner }).is_some_and(|code| self.rules.is_goal(StateCode(code)))
        };
        (0..self.len as u16).filter(is_goal)
    }

    /// Calls `visit` with the place of each position that one move leads to from one of these of a block.
    pub fn expand(&self, block: u64, inner: &[u16], visit: &mut impl FnMut(u64, u16)) {
        let mut after = Vec::new();
        for &inner in inner {
            let code = self.code(Place { block, inner }).expect("a place that was reached is a position");
            after.clear();
            self.rules.successors(StateCode(code), &mut after);
            for &StateCode(code) in &after {
                let place = self.place(code).expect("positions behind legal moves have a rank");
                visit(place.block, place.inner);
            }
        }
    }
}

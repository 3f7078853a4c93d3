//! The numbers of states of a level whose game numbers all positions.

use std::fmt;
use std::sync::Arc;

use crate::game::PositionIndex;

/// The states that were found so far, with their numbers in the order of the ranks.
#[derive(Clone, Debug)]
pub(super) struct Ranked {
    codes: Vec<u64>,
    /// Number + 1 of the state with each rank; 0 where none was found. Pages of it that no state is in take no memory.
    numbers: Vec<u32>,
}

impl Ranked {
    pub(super) fn new(index: &impl PositionIndex) -> Self {
        Self { codes: Vec::new(), numbers: vec![0; index.n_ranks() as usize] }
    }

    /// All codes, in the order of their numbers.
    pub(super) fn codes(&self) -> &[u64] {
        &self.codes
    }

    /// The number of a position; a new one, if it was not found yet.
    #[inline]
    pub(super) fn number(&mut self, rank: u64, code: u64) -> u32 {
        let number = &mut self.numbers[rank as usize];
        if *number == 0 {
            self.codes.push(code);
            *number = self.codes.len() as u32;
        }
        *number - 1
    }

    /// Memory in use.
    pub(super) fn bytes(&self) -> usize {
        self.codes.len() * size_of::<u64>() + self.numbers.len() * size_of::<u32>()
    }
}

/// The states of a map with the index that numbers them.
#[derive(Clone)]
pub(super) struct RankedCodes {
    pub(super) ranked: Ranked,
    pub(super) index: Arc<dyn PositionIndex>,
}

impl RankedCodes {
    /// The number of the state with this code, if it is on the map.
    pub(super) fn find(&self, code: u64) -> Option<u32> {
        self.ranked.numbers[self.index.rank(code)? as usize].checked_sub(1)
    }
}

impl fmt::Debug for RankedCodes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("RankedCodes").field(&self.ranked).finish()
    }
}

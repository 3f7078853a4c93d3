//! All positions of a level, each with its place in a table.

use plymap_puzzles::game::StateCode;
use plymap_puzzles::rules::Rules;

use crate::error::TablebaseError;
use crate::numbering::Numbering;
use crate::pebbles::Pebbles;
use crate::place::Place;
use crate::ranks::Ranks;

/// The positions of a level, by the way in which they are numbered.
pub enum Space<'a> {
    /// Pebbles on a graph.
    Pebbles(Pebbles),
    /// Ranks of the index of the game.
    Ranks(Ranks<'a>),
}

/// Ranks that a fingerprint looks at, as far from each other as they can be.
const LOOKED_AT: u64 = 1000;

impl<'a> Space<'a> {
    /// The positions of a level.
    pub fn new(rules: &'a dyn Rules) -> Result<Self, TablebaseError> {
        if !rules.is_reversible() || rules.has_chance() || !rules.unit().is_distance() {
            return Err(TablebaseError::Irreversible);
        }
        match rules.pebble_motion() {
            Some(motion) => Pebbles::new(motion).map(Self::Pebbles).ok_or(TablebaseError::TooMany),
            None => Ranks::new(rules).map(Self::Ranks).ok_or(TablebaseError::Unnumbered),
        }
    }

    /// What a table of these positions says of them.
    pub fn numbering(&self, rules: &dyn Rules) -> Numbering {
        match self {
            Self::Pebbles(pebbles) => pebbles.numbering(),
            Self::Ranks(ranks) => Numbering::Ranks { n_ranks: ranks.n_ranks(), fingerprint: fingerprint(rules, ranks) },
        }
    }

    pub fn n_blocks(&self) -> u64 {
        match self {
            Self::Pebbles(pebbles) => pebbles.n_blocks(),
            Self::Ranks(ranks) => ranks.n_ranks().div_ceil(ranks.block_len() as u64),
        }
    }

    /// Number of positions of a block.
    pub fn block_len(&self) -> usize {
        match self {
            Self::Pebbles(pebbles) => pebbles.block_len(),
            Self::Ranks(ranks) => ranks.block_len(),
        }
    }

    /// Number of positions that are expected to be reached, for the progress.
    pub fn n_expected(&self) -> u64 {
        match self {
            Self::Pebbles(pebbles) => pebbles.n_expected(),
            Self::Ranks(ranks) => ranks.n_ranks(),
        }
    }

    /// The place of a position; absent where it is none of the level.
    pub fn place(&self, code: StateCode) -> Option<Place> {
        match self {
            Self::Pebbles(pebbles) => pebbles.place(code.0),
            Self::Ranks(ranks) => ranks.place(code.0),
        }
    }

    /// The position at a place; absent where none is.
    pub fn code(&self, place: Place) -> Option<StateCode> {
        match self {
            Self::Pebbles(pebbles) => Some(StateCode(pebbles.code(place))),
            Self::Ranks(ranks) => ranks.code(place).map(StateCode),
        }
    }

    /// The goals that are found by looking at one block; all of them if this is done for every block.
    pub fn goals(&self, block: u64) -> Vec<Place> {
        match self {
            Self::Pebbles(pebbles) if block == 0 => pebbles.goals().collect(),
            Self::Pebbles(_) => Vec::new(),
            Self::Ranks(ranks) => ranks.goals(block).map(|inner| Place { block, inner }).collect(),
        }
    }

    /// Calls `visit` with the place of each position that one move leads to from one of these of a block.
    #[inline]
    pub fn expand(&self, block: u64, inner: &[u16], visit: &mut impl FnMut(u64, u16)) {
        match self {
            Self::Pebbles(pebbles) => pebbles.expand(block, inner, visit),
            Self::Ranks(ranks) => ranks.expand(block, inner, visit),
        }
    }
}

/// The rules and goals of a level, wherever it starts.
fn fingerprint(rules: &dyn Rules, ranks: &Ranks) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    let blocks = rules.sliding_blocks().map(|mut blocks| {
        for block in &mut blocks.blocks {
            *(if block.is_horizontal { &mut block.column } else { &mut block.row }) = 0;
        }
        blocks
    });
    hasher.update(format!("{blocks:?} {:?}", rules.specification()).as_bytes());
    let (n_ranks, mut after) = (ranks.n_ranks(), Vec::new());
    for rank in (0..n_ranks).step_by(n_ranks.div_ceil(LOOKED_AT).max(1) as usize) {
        let Some(code) = ranks.code(ranks.place_of_rank(rank)) else { continue };
        after.clear();
        rules.successors(StateCode(code), &mut after);
        hasher.update(&[u8::from(rules.is_goal(StateCode(code)))]);
        [StateCode(code)].iter().chain(&after).for_each(|state| hasher.update(&state.0.to_le_bytes()));
    }
    hasher.finalize()
}

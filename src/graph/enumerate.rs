//! Breadth-first enumeration of a level, with an open-addressing table over packed states.

use super::{Adjacency, Codes, LevelMap, MapError, MapOptions, StateGraph};
use crate::game::Puzzle;

/// Every position that can be reached from the start of `puzzle`, numbered breadth first in the order
/// of the legal moves, with all moves between them.
///
/// # Errors
///
/// [`MapError`] if a limit is passed or the caller asks to stop.
pub fn enumerate<P: Puzzle>(puzzle: &P, options: &MapOptions) -> Result<LevelMap, MapError> {
    if puzzle.code_bits() <= u64::BITS {
        Explorer::<u64>::explore(puzzle, options, Codes::Narrow)
    } else {
        Explorer::<u128>::explore(puzzle, options, Codes::Wide)
    }
}

/// A machine word that holds the code of a state.
pub(super) trait Word: Copy + Eq + std::fmt::Debug {
    fn from_code(code: u128) -> Self;
    fn code(self) -> u128;
    fn hash(self) -> u64;
}

/// The golden ratio in 64 bits: multiplying by it spreads neighbouring codes (Knuth 1973, section 6.4).
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

impl Word for u64 {
    fn from_code(code: u128) -> Self {
        code as u64
    }

    fn code(self) -> u128 {
        u128::from(self)
    }

    fn hash(self) -> u64 {
        (self ^ (self >> 32)).wrapping_mul(GOLDEN)
    }
}

impl Word for u128 {
    fn from_code(code: u128) -> Self {
        code
    }

    fn code(self) -> u128 {
        self
    }

    fn hash(self) -> u64 {
        (self as u64).wrapping_mul(GOLDEN).rotate_left(32) ^ ((self >> 64) as u64).wrapping_mul(GOLDEN).swap_bytes()
    }
}

/// The numbers of all codes seen so far: an open-addressing table of numbers beside the list of codes.
#[derive(Clone, Debug)]
pub(super) struct Numbering<W> {
    words: Vec<W>,
    /// Number + 1 of the code in each slot; 0 marks an empty slot. At most half full.
    slots: Vec<u32>,
    shift: u32,
}

impl<W: Word> Numbering<W> {
    fn new() -> Self {
        Self { words: Vec::new(), slots: vec![0; 1 << 10], shift: 64 - 10 }
    }

    pub(super) fn words(&self) -> &[W] {
        &self.words
    }

    pub(super) fn find(&self, word: W) -> Option<u32> {
        self.slots[self.slot(word)].checked_sub(1)
    }

    /// The slot that holds the word, or the empty one where it belongs.
    #[inline]
    fn slot(&self, word: W) -> usize {
        let last = self.slots.len() - 1;
        let mut slot = (word.hash() >> self.shift) as usize;
        loop {
            let number = self.slots[slot];
            if number == 0 || self.words[number as usize - 1] == word {
                return slot;
            }
            slot = (slot + 1) & last;
        }
    }

    /// The number of a word; a new one if it was not seen before.
    #[inline]
    fn number(&mut self, word: W) -> u32 {
        let slot = self.slot(word);
        let number = self.slots[slot];
        if number != 0 {
            return number - 1;
        }
        self.words.push(word);
        let number = self.words.len() as u32;
        self.slots[slot] = number;
        if self.words.len() * 2 > self.slots.len() {
            self.grow();
        }
        number - 1
    }

    fn grow(&mut self) {
        let n_slots = self.slots.len() * 2;
        self.shift -= 1;
        self.slots = vec![0; n_slots];
        for number in 0..self.words.len() {
            let slot = self.slot(self.words[number]);
            self.slots[slot] = number as u32 + 1;
        }
    }

    fn bytes(&self) -> usize {
        self.words.len() * size_of::<W>() + self.slots.len() * size_of::<u32>()
    }
}

/// How many states are expanded between two looks at the clock of the caller.
const STEPS_BETWEEN_REPORTS: usize = 1 << 14;

struct Explorer<W> {
    numbering: Numbering<W>,
    offsets: Vec<u32>,
    targets: Vec<u32>,
    is_goal: Vec<bool>,
}

impl<W: Word> Explorer<W> {
    fn explore<P: Puzzle>(
        puzzle: &P,
        options: &MapOptions,
        codes: impl FnOnce(Numbering<W>) -> Codes,
    ) -> Result<LevelMap, MapError> {
        let mut explorer =
            Self { numbering: Numbering::new(), offsets: vec![0], targets: Vec::new(), is_goal: Vec::new() };
        explorer.numbering.number(W::from_code(puzzle.encode(puzzle.start())));
        let depths = explorer.expand_all(puzzle, options)?;
        let forward = Adjacency { offsets: explorer.offsets, targets: explorer.targets };
        // A goal that is not expanded has no way back, even where every move can be undone.
        let symmetric = P::REVERSIBLE && (options.expand_goals || !explorer.is_goal.contains(&true));
        let backward = (!symmetric).then(|| forward.reversed());
        Ok(LevelMap {
            graph: StateGraph { forward, backward },
            codes: codes(explorer.numbering),
            is_goal: explorer.is_goal,
            depths,
            goals_expanded: options.expand_goals,
        })
    }

    /// Expands all states in the order of their numbers; returns the depth of each.
    fn expand_all<P: Puzzle>(&mut self, puzzle: &P, options: &MapOptions) -> Result<Vec<u32>, MapError> {
        let mut moves = Vec::new();
        let mut depths = Vec::new();
        let (mut depth, mut layer_end) = (0, 1);
        let mut node = 0;
        while node < self.numbering.words.len() {
            if node == layer_end {
                (depth, layer_end) = (depth + 1, self.numbering.words.len());
            }
            depths.push(depth);
            self.expand(puzzle, options, node, &mut moves)?;
            if let Some(trouble) = puzzle.trouble() {
                return Err(MapError::Rules(trouble));
            }
            node += 1;
            if node % STEPS_BETWEEN_REPORTS == 0 {
                options.progress.advance(STEPS_BETWEEN_REPORTS as u64);
                if options.progress.is_cancelled() {
                    return Err(MapError::Interrupted);
                }
            }
        }
        options.progress.advance((node % STEPS_BETWEEN_REPORTS) as u64);
        Ok(depths)
    }

    fn expand<P: Puzzle>(
        &mut self,
        puzzle: &P,
        options: &MapOptions,
        node: usize,
        moves: &mut Vec<P::Move>,
    ) -> Result<(), MapError> {
        let state = puzzle.decode(self.numbering.words[node].code());
        let is_goal = puzzle.is_goal(state);
        self.is_goal.push(is_goal);
        if options.expand_goals || !is_goal {
            let Self { numbering, targets, .. } = self;
            puzzle.for_each_successor(state, moves, &mut |after| {
                targets.push(numbering.number(W::from_code(puzzle.encode(after))));
            });
        }
        if self.numbering.words.len() > options.max_states {
            let bytes = self.numbering.bytes() + (self.offsets.len() + self.targets.len()) * size_of::<u32>();
            return Err(MapError::TooManyStates {
                limit: options.max_states,
                n_arcs: self.targets.len(),
                megabytes: bytes >> 20,
            });
        }
        self.offsets.push(u32::try_from(self.targets.len()).map_err(|_| MapError::TooManyArcs)?);
        Ok(())
    }
}

//! Breadth-first enumeration of a level.

use super::level_map::{Codes, LevelMap};
use super::numbering::{Numbering, Word};
use super::options::{MapError, MapOptions};
use super::state_graph::{Adjacency, StateGraph};
use crate::game::Puzzle;

/// Every position that can be reached from the start of `puzzle`, numbered breadth first in the order
/// of the legal moves, with all moves between them.
///
/// # Errors
///
/// [`MapError`] if a limit is passed or the caller asks to stop.
pub fn enumerate<P: Puzzle>(puzzle: &P, options: &MapOptions) -> Result<LevelMap, MapError> {
    // Two copies of the loop: codes of 64 bits take half the memory, and hash by one multiplication.
    if puzzle.code_bits() <= u64::BITS {
        Explorer::<u64>::explore(puzzle, options, Codes::Narrow)
    } else {
        Explorer::<u128>::explore(puzzle, options, Codes::Wide)
    }
}

/// Number of states that are expanded between two looks at the clock of the caller.
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
        // The codes in the order of their numbers are the queue: numbers are given as states are found, so that
        // breadth first needs no list beside them.
        while node < self.numbering.len() {
            if node == layer_end {
                (depth, layer_end) = (depth + 1, self.numbering.len());
            }
            depths.push(depth);
            self.expand(puzzle, options, node, &mut moves)?;
            if let Some(script_error) = puzzle.script_error() {
                return Err(MapError::Rules(script_error));
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
        let state = puzzle.decode(self.numbering.words()[node].code());
        let is_goal = puzzle.is_goal(state);
        self.is_goal.push(is_goal);
        if options.expand_goals || !is_goal {
            let Self { numbering, targets, .. } = self;
            puzzle.for_each_successor(state, moves, &mut |after| {
                targets.push(numbering.number(W::from_code(puzzle.encode(after))));
            });
        }
        // Looked at once for each state: its moves add few, and the inner loop stays free of checks.
        if self.numbering.len() > options.max_states {
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

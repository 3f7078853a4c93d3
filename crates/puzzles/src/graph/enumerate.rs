//! Breadth-first enumeration of a level.

use std::sync::{Arc, OnceLock};

use super::level_map::{Codes, LevelMap};
use super::options::{MapError, MapOptions};
use super::ranked::{Ranked, RankedCodes};
use super::state_graph::{Adjacency, StateGraph};
use crate::game::{PositionIndex, Puzzle};
use crate::numbering::{Numbering, Word};

/// Every position that can be reached from the start of `puzzle`, numbered breadth first in the order
/// of the legal moves, with all moves between them.
///
/// # Errors
///
/// [`MapError`] if a limit is passed or the caller asks to stop.
pub fn enumerate<P: Puzzle>(puzzle: &P, options: &MapOptions) -> Result<LevelMap, MapError> {
    let is_worth_it =
        |index: &P::Index| index.n_ranks() <= MOST_RANKS_FOR_A_STATE.saturating_mul(options.max_states as u64);
    if options.by_index
        && let Some(index) = puzzle.index().filter(is_worth_it)
    {
        let nodes = IndexedNodes { ranked: Ranked::new(&index), index };
        return Explorer::explore(puzzle, options, nodes, |IndexedNodes { ranked, index }| {
            Codes::Ranked(RankedCodes { ranked, index: Arc::new(index) })
        });
    }
    // Two copies of the loop: codes of 64 bits take half the memory, and hash by one multiplication.
    if puzzle.code_bits() <= u64::BITS {
        Explorer::explore(puzzle, options, Numbering::<u64>::new(), Codes::Narrow)
    } else {
        Explorer::explore(puzzle, options, Numbering::<u128>::new(), Codes::Wide)
    }
}

/// An index that has more ranks for each state that a map may have takes more memory than a hash table.
const MOST_RANKS_FOR_A_STATE: u64 = 4;

/// Number of states that are expanded between two looks at the clock of the caller.
const STEPS_BETWEEN_REPORTS: usize = 1 << 14;

/// The states that were found so far, in the order of their numbers.
trait Nodes<P: Puzzle> {
    /// Numbers the start, as the first one.
    fn begin(&mut self, puzzle: &P);

    fn n_nodes(&self) -> usize;

    /// Memory in use.
    fn bytes(&self) -> usize;

    /// The position of a state that was found.
    fn state(&self, puzzle: &P, node: usize) -> P::State;

    /// Numbers what the legal moves of a state lead to, and appends the numbers.
    fn expand(&mut self, puzzle: &P, node: usize, moves: &mut Vec<P::Move>, targets: &mut Vec<u32>);
}

impl<P: Puzzle, W: Word> Nodes<P> for Numbering<W> {
    fn begin(&mut self, puzzle: &P) {
        self.number(W::from_code(puzzle.encode(puzzle.start())));
    }

    fn n_nodes(&self) -> usize {
        self.len()
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }

    fn state(&self, puzzle: &P, node: usize) -> P::State {
        puzzle.decode(self.words()[node].code())
    }

    fn expand(&mut self, puzzle: &P, node: usize, moves: &mut Vec<P::Move>, targets: &mut Vec<u32>) {
        let state = puzzle.decode(self.words()[node].code());
        puzzle.for_each_successor(state, moves, &mut |after| {
            targets.push(self.number(W::from_code(puzzle.encode(after))));
        });
    }
}

struct IndexedNodes<I> {
    ranked: Ranked,
    index: I,
}

impl<P: Puzzle> Nodes<P> for IndexedNodes<P::Index> {
    fn begin(&mut self, puzzle: &P) {
        let code = puzzle.encode(puzzle.start()) as u64;
        self.ranked.number(self.index.rank(code).expect("the start has a rank"), code);
    }

    fn n_nodes(&self) -> usize {
        self.ranked.codes().len()
    }

    fn bytes(&self) -> usize {
        self.ranked.bytes()
    }

    fn state(&self, puzzle: &P, node: usize) -> P::State {
        puzzle.decode(u128::from(self.ranked.codes()[node]))
    }

    #[inline]
    fn expand(&mut self, puzzle: &P, node: usize, moves: &mut Vec<P::Move>, targets: &mut Vec<u32>) {
        let Self { ranked, index } = self;
        let code = ranked.codes()[node];
        puzzle.for_each_indexed_successor(index, code, moves, &mut |rank, code| {
            targets.push(ranked.number(rank, code));
        });
    }
}

struct Explorer<N> {
    nodes: N,
    offsets: Vec<u32>,
    targets: Vec<u32>,
    is_goal: Vec<bool>,
}

impl<N> Explorer<N> {
    fn explore<P: Puzzle>(
        puzzle: &P,
        options: &MapOptions,
        nodes: N,
        codes: impl FnOnce(N) -> Codes,
    ) -> Result<LevelMap, MapError>
    where
        N: Nodes<P>,
    {
        let mut explorer = Self { nodes, offsets: vec![0], targets: Vec::new(), is_goal: Vec::new() };
        explorer.nodes.begin(puzzle);
        let layers = explorer.expand_all(puzzle, options)?;
        let Self { nodes, offsets, mut targets, is_goal } = explorer;
        targets.shrink_to_fit();
        let forward = Adjacency { offsets, targets };
        // A goal that is not expanded has no way back, even where every move can be undone.
        let symmetric = P::REVERSIBLE && (options.expand_goals || !is_goal.contains(&true));
        let backward = (!symmetric).then(|| forward.reversed());
        let graph = StateGraph { forward, backward };
        Ok(LevelMap {
            graph,
            codes: codes(nodes),
            is_goal,
            layers,
            depths: OnceLock::new(),
            goals_expanded: options.expand_goals,
        })
    }

    /// Expands all states in the order of their numbers; returns the first state of each depth.
    fn expand_all<P: Puzzle>(&mut self, puzzle: &P, options: &MapOptions) -> Result<Vec<u32>, MapError>
    where
        N: Nodes<P>,
    {
        let mut moves = Vec::new();
        let mut layers = vec![0];
        let mut layer_end = 1;
        let mut node = 0;
        // The codes in the order of their numbers are the queue: numbers are given as states are found, so that
        // breadth first needs no list beside them.
        while node < self.nodes.n_nodes() {
            if node == layer_end {
                layers.push(node as u32);
                layer_end = self.nodes.n_nodes();
            }
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
        Ok(layers)
    }

    #[inline]
    fn expand<P: Puzzle>(
        &mut self,
        puzzle: &P,
        options: &MapOptions,
        node: usize,
        moves: &mut Vec<P::Move>,
    ) -> Result<(), MapError>
    where
        N: Nodes<P>,
    {
        let is_goal = puzzle.is_goal(self.nodes.state(puzzle, node));
        self.is_goal.push(is_goal);
        if options.expand_goals || !is_goal {
            self.nodes.expand(puzzle, node, moves, &mut self.targets);
        }
        // Looked at once for each state: its moves add few, and the inner loop stays free of checks.
        if self.nodes.n_nodes() > options.max_states {
            let bytes = self.nodes.bytes() + (self.offsets.len() + self.targets.len()) * size_of::<u32>();
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

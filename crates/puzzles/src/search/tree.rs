//! The states that a search has reached, each with the move that led to it.

use crate::game::Puzzle;
use crate::numbering::{Numbering, Word};

/// Reached states, numbered as they come.
pub(super) struct Tree<W, M> {
    numbering: Numbering<W>,
    /// The state before, and the move from there; none at a root.
    arrivals: Vec<Option<(u32, M)>>,
}

impl<W: Word, M: Copy> Tree<W, M> {
    pub fn new() -> Self {
        Self { numbering: Numbering::new(), arrivals: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.arrivals.len()
    }

    pub fn state<P: Puzzle<Move = M>>(&self, puzzle: &P, node: u32) -> P::State {
        puzzle.decode(self.numbering.words()[node as usize].code())
    }

    pub fn find(&self, word: W) -> Option<u32> {
        self.numbering.find(word)
    }

    /// The number of a state, and whether it is new; only a new one takes the arrival.
    #[inline]
    pub fn reach(&mut self, word: W, arrival: Option<(u32, M)>) -> (u32, bool) {
        let node = self.numbering.number(word);
        let is_new = node as usize == self.arrivals.len();
        if is_new {
            self.arrivals.push(arrival);
        }
        (node, is_new)
    }

    /// Records another path to a state.
    pub fn redirect(&mut self, node: u32, arrival: (u32, M)) {
        self.arrivals[node as usize] = Some(arrival);
    }

    /// The state before this one; none at a root.
    pub fn before(&self, node: u32) -> Option<u32> {
        self.arrivals[node as usize].map(|(before, _)| before)
    }

    /// The moves from the root to a state, and then `last`.
    pub fn path_to(&self, mut node: u32, last: Option<M>) -> Vec<M> {
        let mut moves: Vec<M> = last.into_iter().collect();
        // Paths are put together at the end only: a state holds the one before it, not the path to it.
        while let Some((before, action)) = self.arrivals[node as usize] {
            moves.push(action);
            node = before;
        }
        moves.reverse();
        moves
    }
}

//! Legal moves with the game's own types hidden.

use crate::game::{Gesture, Puzzle, StateCode};

/// One legal move of a state, with what later stages need to know of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalMove {
    /// The move in the notation of logs, such as `A+2`.
    pub notation: String,
    /// The position that the player's choice leads to, before chance has its turn.
    pub after: StateCode,
    /// The position of the next move: `after`, and where chance followed and is told, what it made of it.
    pub next: StateCode,
    /// Cost in the level's metric: 1, or the number of cells under the metric `cell`; where
    /// values are points, the points that it gains.
    pub cost: u32,
    /// Number of the part of the puzzle that moves (a piece, a disk, a lamp), where the game has such parts.
    pub piece: Option<u32>,
    /// Movement of the hand; nothing where the pictures before and after it tell.
    pub gesture: Option<Gesture>,
}

/// A move of a game as a [`LegalMove`].
pub(super) fn described<P: Puzzle>(puzzle: &P, before: P::State, action: P::Move) -> LegalMove {
    let next = puzzle.encode(puzzle.play_unchecked(before, action));
    let after = if P::CHANCE { puzzle.encode(puzzle.play_unchecked(before, puzzle.choice(action))) } else { next };
    LegalMove {
        notation: puzzle.format_move(before, action),
        after: StateCode(after),
        next: StateCode(next),
        cost: puzzle.cost(before, action),
        piece: puzzle.piece(action),
        gesture: puzzle.gesture(before, action),
    }
}

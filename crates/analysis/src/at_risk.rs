//! Moves at which something could happen: an error, a restart, a give-up.

use crate::dataset::{AttemptEnd, AttemptRow, MoveRow};

/// A move at which something could happen.
#[derive(Clone, Copy)]
pub(crate) struct AtRisk<'a> {
    /// Number of the participant who made it.
    pub participant: usize,
    /// The move.
    pub row: &'a MoveRow,
    /// True if the move that it follows was an error; absent where it follows none, or one from a lost position.
    pub is_after_error: Option<bool>,
    /// Outcome of the attempt, if it ends with this move.
    pub end: Option<AttemptEnd>,
}

/// The moves of an attempt.
pub(crate) fn at_risk<'a>(attempt: &AttemptRow, moves: &'a [MoveRow]) -> impl Iterator<Item = AtRisk<'a>> {
    let (participant, end, n) = (attempt.participant, attempt.end, moves.len());
    moves.iter().enumerate().map(move |(index, row)| {
        let before = index.checked_sub(1).filter(|_| row.is_next).map(|before| &moves[before]);
        AtRisk {
            participant,
            row,
            is_after_error: before.filter(|before| !before.is_dead_end()).map(|before| before.is_error()),
            end: (index + 1 == n).then_some(end),
        }
    })
}

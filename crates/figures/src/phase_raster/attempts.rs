//! Attempts with the moves that they consist of, in groups.

use crate::panels::PanelHead;

/// One move and the time before it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Move {
    /// Time at which it was made, in seconds since the start of the attempt.
    pub end_s: f64,
    /// Duration, in seconds back from there.
    pub duration_s: f64,
    /// `true` if this time was thinking, `false` if acting; absent where that is not known.
    pub is_thinking: Option<bool>,
    /// `true` if the move was an error.
    pub is_error: bool,
}

/// One attempt.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attempt {
    /// Name of its row, such as that of the participant; cut where it is long.
    pub label: String,
    /// Its moves in the order of time.
    pub moves: Vec<Move>,
    /// `true` if it ended with a solution; absent where that is not known, which a hollow mark says.
    pub is_solved: Option<bool>,
}

/// Attempts that stand together, such as those of one participant or of one level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Name and statistic, above the rows; without a title there is no such line.
    pub head: PanelHead,
    /// The attempts, from top to bottom.
    pub attempts: Vec<Attempt>,
}

//! Results of replaying rows.

use crate::reject::LogDiagnostic;
use plymap_puzzles::game::StateCode;

/// The rows of a log that could be replayed, in the order of the log.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// Step of each replayed row.
    pub steps: Vec<Step>,
    /// For each of these a number, counted from 0, that only moves share which did the same; nothing where that is not
    /// known.
    pub moves: Vec<Option<u32>>,
    /// Diagnostics of the rows that were rejected or excluded, and of others.
    pub diagnostics: Vec<LogDiagnostic>,
    /// Rows that could not be played.
    pub n_rejected: u64,
    /// Rows after a row that could not be played, and rows that belong to no game; labels add those off the map.
    pub n_excluded: u64,
}

impl Replay {
    /// Adds what was said of other rows of the same log, whose steps were taken.
    pub fn append(&mut self, other: Self) {
        self.diagnostics.extend(other.diagnostics);
        self.n_rejected += other.n_rejected;
        self.n_excluded += other.n_excluded;
    }
}

/// Effect of one row of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Number of the row in the canonical log.
    pub row: u32,
    /// Number of the level among those that the caller gave.
    pub level: u32,
    /// Position before the row.
    pub before: StateCode,
    /// Position after the row.
    pub after: StateCode,
    /// The move, where the row is one; a logged move without it changed nothing.
    pub played: Option<Played>,
}

/// One move of a participant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// Number of the move within its attempt, from 0.
    pub ply: u32,
    /// `true` if the rules allow it; `false` only where illegal moves are kept.
    pub is_legal: bool,
    /// The position that the player chose, before chance had its turn; `Step::after` in games without chance.
    pub chosen: StateCode,
    /// Its cost in the level's metric; where values are points, what it gains.
    pub cost: u32,
    /// `true` if the attempt had solved the level before it.
    pub is_after_goal: bool,
    /// `true` if it leads back to the position before the previous move.
    pub is_undo: bool,
    /// `true` if the attempt has been in the position after it before.
    pub is_revisit: bool,
    /// `true` if it moves the same piece as the previous move; absent on the first move, and in games
    /// without pieces.
    pub same_piece_as_last: Option<bool>,
}

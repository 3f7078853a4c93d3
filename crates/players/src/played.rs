//! Trials of synthetic players.

use crate::tempo::Mode;
use plymap_log::Event;
use plymap_puzzles::game::StateCode;

/// Trial of a player at a level.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedTrial {
    /// Name of the participant.
    pub participant: String,
    /// Experimental condition, where there is one.
    pub condition: Option<String>,
    /// Name of the level.
    pub level: String,
    /// Moves and other events, in order. The last move of a solved trial reaches the goal.
    pub rows: Vec<PlayedRow>,
    /// True if the goal was reached, or, where values are points, the game played to its end; otherwise the last row is
    /// a `give_up`.
    pub is_solved: bool,
    /// The position in which it ended.
    pub last_state: StateCode,
    /// Cost of the moves of the last attempt in the level's metric; where values are points, the points that they
    /// gained.
    pub cost: u64,
}

impl PlayedTrial {
    /// Number of moves, over all attempts.
    pub fn n_moves(&self) -> usize {
        self.rows.iter().filter(|row| row.event == Event::Move).count()
    }
}

/// Row of a synthetic log, with what a real log would not know.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedRow {
    /// Run at the level between resets, from 1. A reset belongs to the attempt that it ends.
    pub attempt: u32,
    /// Number of the move within its attempt, from 0; absent for other events.
    pub move_index: Option<u32>,
    /// `start`, `move`, `reset` or `give_up`; `start` only where chance draws the start.
    pub event: Event,
    /// The move in the notation of logs, with what chance did.
    pub action: Option<String>,
    /// The position after a `start` event.
    pub state_after: Option<String>,
    /// Seconds since the row before, or since the attempt began.
    pub rt_s: f64,
    /// The move with what is known of it; absent for other events. Never logged.
    pub made: Option<MadeMove>,
    /// Number of legal moves there were; never logged.
    pub n_legal: u32,
    /// Mode of the player, thinking or acting; absent for an attempt's first move and other events. Never logged.
    pub mode: Option<Mode>,
}

/// A move of a synthetic player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MadeMove {
    /// The position before it.
    pub before: StateCode,
    /// The position after it, before chance had its turn.
    pub after: StateCode,
    /// The position in which the next move is made.
    pub next: StateCode,
    /// Cost of the move in the level's metric, or the points that it gains.
    pub cost: u32,
    /// The piece that it moves, where the game has pieces.
    pub piece: Option<u32>,
}

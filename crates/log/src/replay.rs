//! Replay: what each logged row did to the position.
//!
//! Each attempt is played from the start of its level, or from the position that its first row records.
//! The first row that cannot be played is rejected, and the rest of its attempt is excluded: what came
//! after it happened in a position that nobody knows. Every such row becomes a [`LogDiagnostic`](crate::LogDiagnostic).
//!
//! # Invariant
//!
//! Rows are conserved: every row of the canonical log is replayed, rejected or excluded.

use super::log::Log;
use super::spec::LogSpec;
use player::Player;
use plymap_puzzles::rules::Rules;
use std::collections::HashMap;
use std::ops::Range;

mod player;
mod step;

pub use step::{Played, Replay, Step};

/// Replays rows of a log, which are whole attempts, on the levels that it names, as `spec` says what is to be done with
/// moves that are none.
///
/// # Panics
///
/// If the log does not have so many rows.
pub fn replay(log: &Log, rows: Range<usize>, levels: &[(&str, &dyn Rules)], spec: &LogSpec) -> Replay {
    let numbers: HashMap<&str, usize> = levels.iter().enumerate().map(|(number, (id, _))| (*id, number)).collect();
    let mut player = Player::new(log, levels, spec);
    player.replay.steps.reserve(rows.len());
    player.replay.moves.reserve(rows.len());
    for attempt in log.rows.attempts(rows) {
        match numbers.get(log.rows.at(attempt.start).level()) {
            Some(&level) => player.play(level, attempt),
            None => player.exclude_unknown_level(attempt),
        }
    }
    player.replay
}

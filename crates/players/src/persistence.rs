//! Persistence of a player: its resets of a level, and its giving up.

use serde::{Deserialize, Serialize};

use super::parameter::ParameterError;
use super::parameter::within;
use plymap_puzzles::game::Distance;

/// Rule by which a player puts a level back to its start, and gives up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Persistence {
    /// Excess of the distance to the goal over the least one of the attempt from which on a player is astray, in the
    /// level's metric; with 0 it always is, and so it is where no goal can be reached.
    pub astray_by: u32,
    /// Probability that a player who is astray resets the level, drawn before each move; from 0 to 1.
    pub reset_chance: f64,
    /// Number of moves at a level, over all attempts, after which the player gives up; from 1.
    pub max_moves: u32,
}

impl Default for Persistence {
    /// Never resets, and gives up after 200 moves.
    fn default() -> Self {
        Self::up_to(200)
    }
}

impl Persistence {
    /// Never resets; gives up after so many moves.
    pub fn up_to(max_moves: u32) -> Self {
        Self { astray_by: 1, reset_chance: 0.0, max_moves }
    }

    pub(crate) fn check(&self) -> Result<(), ParameterError> {
        within("astray_by", f64::from(self.astray_by), 0.0, f64::from(u32::MAX))?;
        within("reset_chance", self.reset_chance, 0.0, 1.0)?;
        within("max_moves", f64::from(self.max_moves), 1.0, f64::from(u32::MAX))
    }

    pub(crate) fn is_astray(&self, best: Option<Distance>, now: Option<Distance>) -> bool {
        match (best, now) {
            (Some(Distance(best)), Some(Distance(now))) => now.saturating_sub(best) >= self.astray_by,
            _ => true,
        }
    }
}

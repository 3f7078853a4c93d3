#![doc = include_str!("../README.md")]

use std::borrow::Borrow;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use plymap_log::Event;
use plymap_puzzles::distance::Oracle;
use plymap_puzzles::game::{Distance, StateCode};
use plymap_puzzles::progress::Progress;
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::ValuedLevel;

pub mod cohort;
mod measured;
pub mod policy;
mod record;
pub mod section;
mod sitting;
mod stream;
mod tempo;
#[cfg(test)]
mod tests;

pub use measured::measures_of;
pub use policy::{LapseOptimal, Policy, PolicyError};
pub use record::{LOG_COLUMNS, PlayerRow, players_table, write_log};
pub use tempo::{Mode, TYPICAL_CHOICE, Tempo};

use sitting::Sitting;

/// A synthetic participant.
#[derive(Clone, Debug, PartialEq)]
pub struct Player<P = LapseOptimal> {
    /// Name in the log; not empty, without blanks around it.
    pub participant: String,
    /// Experimental condition in the log, where there is one.
    pub condition: Option<String>,
    /// How it chooses moves.
    pub policy: P,
    /// How long it takes over them.
    pub tempo: Tempo,
    /// When it starts over, and when it stops.
    pub persistence: Persistence,
}

/// When a player puts a level back to its start, and when it gives up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Persistence {
    /// How far a player is astray: when the distance to the goal is this much above the least distance
    /// of the attempt, in the level's metric; 0 is always. Where no goal can be reached, it always is.
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

    fn check(&self) -> Result<(), ParameterError> {
        within("astray_by", f64::from(self.astray_by), 0.0, f64::from(u32::MAX))?;
        within("reset_chance", self.reset_chance, 0.0, 1.0)?;
        within("max_moves", f64::from(self.max_moves), 1.0, f64::from(u32::MAX))
    }

    fn is_astray(&self, best: Option<Distance>, now: Option<Distance>) -> bool {
        match (best, now) {
            (Some(Distance(best)), Some(Distance(now))) => now.saturating_sub(best) >= self.astray_by,
            _ => true,
        }
    }
}

/// A parameter of a player is out of its range.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{parameter} = {value} is not from {least} to {most}")]
pub struct ParameterError {
    /// The parameter.
    pub parameter: &'static str,
    /// Its value.
    pub value: f64,
    /// The least value that it can have.
    pub least: f64,
    /// The largest value that it can have.
    pub most: f64,
}

/// Not a number is in no range.
fn within(parameter: &'static str, value: f64, least: f64, most: f64) -> Result<(), ParameterError> {
    if (least..=most).contains(&value) { Ok(()) } else { Err(ParameterError { parameter, value, least, most }) }
}

/// Why a player could not play.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlayError {
    /// A name that a log could not carry.
    #[error("a participant cannot be named {name:?}; use a name that is not empty, without blanks around it")]
    Name {
        /// The name.
        name: String,
    },
    /// Two players would have the same name, and so the same chance.
    #[error("two participants are named {name:?}; give each its own name")]
    RepeatedName {
        /// The name.
        name: String,
    },
    /// A parameter is out of its range.
    #[error("participant {participant:?}: {source}")]
    Parameter {
        /// The participant.
        participant: String,
        /// The parameter.
        source: ParameterError,
    },
    /// The policy could not choose a move.
    #[error("participant {participant:?} at level {level:?}: {source}")]
    Policy {
        /// The participant.
        participant: String,
        /// The level.
        level: String,
        /// Why not.
        source: PolicyError,
    },
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
}

/// What a player did at a level.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedTrial {
    /// Who played.
    pub participant: String,
    /// In which condition.
    pub condition: Option<String>,
    /// At which level.
    pub level: String,
    /// What happened, in order. The last move of a solved trial reaches the goal.
    pub rows: Vec<PlayedRow>,
    /// Whether the goal was reached, or, where values are points, the game played to its end; otherwise the last
    /// row is a `give_up`.
    pub is_solved: bool,
    /// The position in which it ended.
    pub last_state: StateCode,
    /// What the moves of the last attempt cost in the level's metric; where values are points, the points that they
    /// gained.
    pub cost: u64,
}

impl PlayedTrial {
    /// Number of moves, over all attempts.
    pub fn n_moves(&self) -> usize {
        self.rows.iter().filter(|row| row.event == Event::Move).count()
    }
}

/// One row of a synthetic log, with what a real log would not know.
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
    /// Whether the player was thinking or acting; absent for an attempt's first move and other events.
    /// Never logged.
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
    /// What it costs in the level's metric, or the points that it gains.
    pub cost: u32,
    /// The piece that it moves, where the game has pieces.
    pub piece: Option<u32>,
}

/// Where a player plays.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// Name of the game, as studies give it.
    pub game: &'a str,
    /// Name of the level in the log, and part of the seed.
    pub level: &'a str,
    /// The rules of the level.
    pub rules: &'a dyn Rules,
    /// Tells what positions are worth. Policies that need none play without, and then no player is ever astray.
    pub oracle: Option<&'a dyn Oracle>,
}

impl<P: Policy> Player<P> {
    /// Whether every parameter is in its range.
    ///
    /// # Errors
    ///
    /// [`PlayError::Name`] or [`PlayError::Parameter`].
    pub fn check(&self) -> Result<(), PlayError> {
        if self.participant.is_empty() || self.participant.trim() != self.participant {
            return Err(PlayError::Name { name: self.participant.clone() });
        }
        let checks = self.policy.check().and_then(|()| self.tempo.check()).and_then(|()| self.persistence.check());
        checks.map_err(|source| PlayError::Parameter { participant: self.participant.clone(), source })
    }

    /// Plays a level until it is solved or given up; a function of the player, the level and the seed.
    ///
    /// # Errors
    ///
    /// As [`Player::play_in`].
    pub fn play(&self, level: &ValuedLevel, seed: u64, progress: &dyn Progress) -> Result<PlayedTrial, PlayError> {
        let oracle = level.oracle();
        let setting = Setting { game: level.game, level: &level.id, rules: &*level.rules, oracle: Some(&oracle) };
        self.play_in(&setting, seed, progress)
    }

    /// Plays in a setting, with an oracle or without.
    ///
    /// # Errors
    ///
    /// As [`Player::check`], [`PlayError::Policy`] if the policy cannot choose a move, and [`PlayError::Interrupted`].
    pub fn play_in(&self, setting: &Setting, seed: u64, progress: &dyn Progress) -> Result<PlayedTrial, PlayError> {
        self.check()?;
        let failed = |source| PlayError::Policy {
            participant: self.participant.clone(),
            level: setting.level.to_owned(),
            source,
        };
        Sitting::play(self, setting, seed, progress).map_err(failed)?.ok_or(PlayError::Interrupted)
    }
}

/// Lets every player play every level, on all threads. The trials come by player, then by level.
///
/// # Errors
///
/// [`PlayError`], if two players share a name or one of them cannot play.
pub fn play_all<P: Policy, L: Borrow<ValuedLevel> + Sync>(
    players: &[Player<P>],
    levels: &[L],
    seed: u64,
    progress: &dyn Progress,
) -> Result<Vec<PlayedTrial>, PlayError> {
    let mut names: Vec<&str> = players.iter().map(|player| player.participant.as_str()).collect();
    names.sort_unstable();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(PlayError::RepeatedName { name: pair[0].to_owned() });
    }
    progress.begin("playing", Some((players.len() * levels.len()) as u64));
    let trials = players.par_iter().flat_map(|player| {
        levels.par_iter().map(move |level| {
            let trial = player.play(level.borrow(), seed, progress)?;
            progress.advance(1);
            Ok(trial)
        })
    });
    let trials = trials.collect();
    progress.end();
    trials
}

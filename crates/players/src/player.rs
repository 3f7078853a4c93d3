//! A synthetic participant.

use super::error::PlayError;
use super::persistence::Persistence;
use super::tempo::Tempo;
use crate::policy::{LapseOptimal, Policy};
use plymap_puzzles::distance::Oracle;
use plymap_puzzles::rules::Rules;

/// A synthetic participant.
#[derive(Clone, Debug, PartialEq)]
pub struct Player<P = LapseOptimal> {
    /// Name in the log; not empty, without blanks around it.
    pub participant: String,
    /// Experimental condition in the log, where there is one.
    pub condition: Option<String>,
    /// Policy by which it chooses moves.
    pub policy: P,
    /// Tempo of its moves.
    pub tempo: Tempo,
    /// Persistence: its rule of resets and giving up.
    pub persistence: Persistence,
}

/// Level that a player plays, with its rules and oracle.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// Name of the game, as studies give it.
    pub game: &'a str,
    /// Name of the level in the log, and part of the seed.
    pub level: &'a str,
    /// The rules of the level.
    pub rules: &'a dyn Rules,
    /// Oracle of the values of positions. Policies that need none play without, and then no player is ever astray.
    pub oracle: Option<&'a dyn Oracle>,
}

impl<P: Policy> Player<P> {
    /// Checks that every parameter is in its range.
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
}

//! Players at levels, one by one or all on all threads.

use std::borrow::Borrow;

use rayon::prelude::*;

use super::error::PlayError;
use super::played::PlayedTrial;
use super::player::{Player, Setting};
use super::session::Session;
use crate::policy::Policy;
use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::ValuedLevel;

impl<P: Policy> Player<P> {
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
        Session::play(self, setting, seed, progress).map_err(failed)?.ok_or(PlayError::Interrupted)
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

//! A rule of choice, and what it remembers at a level.

use std::fmt::Debug;

use super::error::PolicyError;
use super::situation::{Ending, LevelContext, Situation};
use crate::parameter::ParameterError;
use plymap_puzzles::game::StateCode;
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::WholeMap;
use plymap_walks::hitting_times::Chain;

/// A rule of choice.
pub trait Policy: Debug + Send + Sync {
    /// Its kind, as studies name it: `soft-optimal`.
    fn kind(&self) -> &'static str;

    /// Describes the rule with its parameters, in a few words.
    fn describe(&self) -> String;

    /// Checks that every parameter is in its range.
    ///
    /// # Errors
    ///
    /// [`ParameterError`] of the first parameter that is not.
    fn check(&self) -> Result<(), ParameterError>;

    /// Returns true if it asks for the values of positions, so that a level has to be valued before it can play.
    fn needs_oracle(&self) -> bool;

    /// The chain of the policy on the map of a level, if it remembers nothing and chooses uniformly at random among some
    /// of the moves of each position.
    ///
    /// # Errors
    ///
    /// [`PolicyError`] if it does not, or the game lacks what it needs.
    fn chain<'a>(&self, _rules: &dyn Rules, _whole: &'a WholeMap) -> Result<Chain<'a>, PolicyError> {
        let reason = "expected numbers of moves are those of chance, greedy and look-ahead, without habits".to_owned();
        Err(PolicyError::Unsuited { policy: self.kind(), reason })
    }

    /// Starts a level.
    ///
    /// # Errors
    ///
    /// [`PolicyError`] if the game lacks what the policy needs, or its script or program does not start.
    fn start_level<'a>(&'a self, context: &LevelContext<'a>) -> Result<Box<dyn PolicyState + 'a>, PolicyError>;
}

/// The state of a policy at one level: what it remembers from one move to the next.
pub trait PolicyState {
    /// Begins an attempt in this position: at the start of the trial, and after each reset.
    ///
    /// # Errors
    ///
    /// [`PolicyError`] of a script or program.
    fn begin_attempt(&mut self, _state: StateCode) -> Result<(), PolicyError> {
        Ok(())
    }

    /// The probability of each of the situation's moves, in their order. They sum to 1, or there is no move.
    /// Called once for each move of a trial, in their order.
    ///
    /// # Errors
    ///
    /// [`PolicyError`] if the policy cannot choose.
    fn probabilities(&mut self, situation: &Situation) -> Result<Vec<f64>, PolicyError>;

    /// Ends the trial.
    fn end(&mut self, _ending: Ending) {}
}

/// A state of a policy that remembers nothing.
pub(crate) struct Memoryless<F>(F);

impl<F: Fn(&Situation) -> Result<Vec<f64>, PolicyError>> PolicyState for Memoryless<F> {
    fn probabilities(&mut self, situation: &Situation) -> Result<Vec<f64>, PolicyError> {
        (self.0)(situation)
    }
}

pub(crate) fn memoryless<'a>(
    choose: impl Fn(&Situation) -> Result<Vec<f64>, PolicyError> + 'a,
) -> Box<dyn PolicyState + 'a> {
    Box::new(Memoryless(choose))
}

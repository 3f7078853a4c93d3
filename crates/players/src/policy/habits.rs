//! Habits that any policy can have: a leaning against, or towards, undoing and moving the same piece again.

use super::error::PolicyError;
use super::rule::{Policy, PolicyState};
use super::situation::{Ending, LevelContext, Situation};
use super::weights::normalised;
use crate::parameter::{ParameterError, within};
use plymap_puzzles::game::StateCode;
use plymap_puzzles::rules::LegalMove;

/// Factors by which the probability of some moves is multiplied before all are divided by their sum.
///
/// 1 has no effect, and 0 keeps a player from such moves unless it would make no other. A move to which both
/// apply is multiplied by both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Habits {
    /// For moves that lead straight back to the position before the last move.
    pub undo: f64,
    /// For moves of the piece that the last move moved.
    pub same_piece: f64,
}

impl Default for Habits {
    fn default() -> Self {
        Self { undo: 1.0, same_piece: 1.0 }
    }
}

impl Habits {
    /// Checks that every factor is in its range, from 0 to 1,000,000.
    ///
    /// # Errors
    ///
    /// [`ParameterError`] of the first that is not.
    pub fn check(&self) -> Result<(), ParameterError> {
        within("undo", self.undo, 0.0, 1e6)?;
        within("same-piece", self.same_piece, 0.0, 1e6)
    }

    /// The probabilities of a situation's moves under these habits.
    pub fn applied(&self, probabilities: Vec<f64>, situation: &Situation) -> Vec<f64> {
        let Some(previous) = &situation.history.previous else { return probabilities };
        let factor = |legal: &LegalMove| {
            let undo = if legal.after == previous.state { self.undo } else { 1.0 };
            let is_same = legal.piece.is_some() && legal.piece == previous.piece;
            undo * if is_same { self.same_piece } else { 1.0 }
        };
        let weights: Vec<f64> =
            probabilities.iter().zip(situation.moves).map(|(probability, legal)| probability * factor(legal)).collect();
        if weights.iter().all(|&weight| weight == 0.0) { probabilities } else { normalised(weights) }
    }
}

/// A policy with habits.
#[derive(Debug)]
pub struct WithHabits {
    /// Policy without the habits.
    pub policy: Box<dyn Policy>,
    /// The habits.
    pub habits: Habits,
}

impl Policy for WithHabits {
    fn kind(&self) -> &'static str {
        self.policy.kind()
    }

    fn describe(&self) -> String {
        let Habits { undo, same_piece } = self.habits;
        format!("{}; undoing times {undo}, the same piece times {same_piece}", self.policy.describe())
    }

    fn check(&self) -> Result<(), ParameterError> {
        self.policy.check()?;
        self.habits.check()
    }

    fn needs_oracle(&self) -> bool {
        self.policy.needs_oracle()
    }

    fn start_level<'a>(&'a self, context: &LevelContext<'a>) -> Result<Box<dyn PolicyState + 'a>, PolicyError> {
        Ok(Box::new(Habitual { policy_state: self.policy.start_level(context)?, habits: self.habits }))
    }
}

struct Habitual<'a> {
    policy_state: Box<dyn PolicyState + 'a>,
    habits: Habits,
}

impl PolicyState for Habitual<'_> {
    fn begin_attempt(&mut self, state: StateCode) -> Result<(), PolicyError> {
        self.policy_state.begin_attempt(state)
    }

    fn probabilities(&mut self, situation: &Situation) -> Result<Vec<f64>, PolicyError> {
        Ok(self.habits.applied(self.policy_state.probabilities(situation)?, situation))
    }

    fn end(&mut self, ending: Ending) {
        self.policy_state.end(ending);
    }
}

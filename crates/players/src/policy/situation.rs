//! Situation in which a player has to choose a move.

use std::cell::OnceCell;
use std::fmt::Debug;

use super::error::PolicyError;
use plymap_puzzles::distance::{Evaluation, Oracle};
use plymap_puzzles::game::StateCode;
use plymap_puzzles::rules::{LegalMove, Rules};

/// The context of one level: all that stays the same while a player plays it.
#[derive(Clone, Copy)]
pub struct LevelContext<'a> {
    /// The rules of the level.
    pub rules: &'a dyn Rules,
    /// Oracle of the values of positions. Only policies that say so need one
    /// ([`Policy::needs_oracle`](super::Policy::needs_oracle)).
    pub oracle: Option<&'a dyn Oracle>,
    /// Name of the game, as studies give it.
    pub game: &'a str,
    /// Id of the level.
    pub level: &'a str,
    /// Seed of the random number stream of a policy with chance of its own, such as a script. Equal seeds
    /// give equal play.
    pub seed: u64,
}

/// The move made last in an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Previous {
    /// The position before it.
    pub state: StateCode,
    /// The part of the puzzle that it moved, where the game has such parts.
    pub piece: Option<u32>,
    /// The player's choice in the notation of logs, without what chance did.
    pub notation: String,
}

/// Course of an attempt so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The move made last; none at the beginning of an attempt.
    pub previous: Option<Previous>,
    /// Number of moves made.
    pub n_moves: u32,
    /// Cost of these moves in the level's metric; where values are points, the points gained.
    pub cost: u64,
}

/// Situation in which a player has to choose a move.
pub struct Situation<'a> {
    /// The context of its level.
    pub context: &'a LevelContext<'a>,
    /// The position.
    pub state: StateCode,
    /// Its legal moves, as [`Rules::legal_moves`] lists them.
    pub moves: &'a [LegalMove],
    /// The attempt so far.
    pub history: &'a History,
    evaluation: OnceCell<Result<Evaluation, PolicyError>>,
}

impl<'a> Situation<'a> {
    /// The situation in a position.
    pub fn new(context: &'a LevelContext<'a>, state: StateCode, moves: &'a [LegalMove], history: &'a History) -> Self {
        Self { context, state, moves, history, evaluation: OnceCell::new() }
    }

    /// The same situation, where the caller has asked the oracle already.
    pub fn with_evaluation(self, evaluation: Evaluation) -> Self {
        Self { evaluation: OnceCell::from(Ok(evaluation)), ..self }
    }

    /// Returns the evaluation of the position by the oracle, which is asked at the first call and not again.
    ///
    /// # Errors
    ///
    /// [`PolicyError::NoOracle`], [`PolicyError::Oracle`], or [`PolicyError::Moves`] if the oracle lists other
    /// moves than the rules, as it does at goals that a map does not expand.
    pub fn evaluation(&self) -> Result<&Evaluation, PolicyError> {
        let evaluation = self.evaluation.get_or_init(|| self.asked()).as_ref();
        let evaluation = evaluation.map_err(PolicyError::clone)?;
        match (self.moves.len(), evaluation.moves.len()) {
            (legal, known) if legal == known => Ok(evaluation),
            (legal, known) => {
                let state = self.context.rules.format_state(self.state);
                Err(PolicyError::Moves { state, n_legal: legal, n_known: known })
            }
        }
    }

    fn asked(&self) -> Result<Evaluation, PolicyError> {
        let oracle = self.context.oracle.ok_or(PolicyError::NoOracle)?;
        Ok(oracle.evaluate(self.state)?)
    }
}

/// End of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// True if the goal was reached, or the game came to its end where points are counted.
    pub is_solved: bool,
    /// Cost of the moves of the last attempt, or the points that they gained.
    pub cost: u64,
}

//! How a player chooses among legal moves.
//!
//! A [`Policy`] is a rule of choice, whoever plays by it. It takes a seat at a level ([`Policy::sit`]); the
//! [`Chooser`] on that seat remembers what the rule needs from one move to the next. It states probabilities
//! rather than drawing a move, so that the same rule can play and be fitted to the moves of people.
//!
//! Policies are the same for every game: they know positions by [`Rules`] and values by an [`Oracle`].
//! [`PolicySpec`] reads one from a study, and `docs/policies.md` describes them all.

use std::cell::OnceCell;
use std::fmt::Debug;

use super::{ParameterError, within};
use plymap_puzzles::diagnostic::Diagnostic;
use plymap_puzzles::distance::{Evaluation, Oracle, OracleError};
use plymap_puzzles::game::StateCode;
use plymap_puzzles::rules::{LegalMove, Rules};

mod and_or;
mod chance;
mod cyclic;
mod estimate;
mod eureka;
mod external;
mod fitted;
mod greedy;
mod habits;
mod hill_climbing;
mod lapse_optimal;
mod look_ahead;
mod lua;
mod own;
mod soft_optimal;
mod spec;
#[cfg(test)]
mod tests;

pub use and_or::AndOr;
pub use chance::Chance;
pub use cyclic::Cyclic;
pub use eureka::Eureka;
pub use external::{Disqualification, External, PROTOCOL, answers};
pub use fitted::FITTED;
pub use greedy::Greedy;
pub use habits::{Habits, WithHabits};
pub use hill_climbing::HillClimbing;
pub use lapse_optimal::LapseOptimal;
pub use look_ahead::LookAhead;
pub use lua::LuaPolicy;
pub use own::OwnStrategy;
pub use soft_optimal::SoftOptimal;
pub use spec::{KINDS, PolicyKind, PolicySpec, SpecError};

/// A seat before one level: all that stays the same while a player plays it.
#[derive(Clone, Copy)]
pub struct Seat<'a> {
    /// The rules of the level.
    pub rules: &'a dyn Rules,
    /// Tells what positions are worth. Only policies that say so need one ([`Policy::needs_oracle`]).
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

/// What happened in an attempt so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The move made last; none at the beginning of an attempt.
    pub previous: Option<Previous>,
    /// Number of moves made.
    pub n_moves: u32,
    /// What they cost in the level's metric; where values are points, the points gained.
    pub cost: u64,
}

/// What a player sees when it has to choose.
pub struct Situation<'a> {
    /// The seat.
    pub seat: &'a Seat<'a>,
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
    pub fn new(seat: &'a Seat<'a>, state: StateCode, moves: &'a [LegalMove], history: &'a History) -> Self {
        Self { seat, state, moves, history, evaluation: OnceCell::new() }
    }

    /// The same situation, where the caller has asked the oracle already.
    pub fn with_evaluation(self, evaluation: Evaluation) -> Self {
        Self { evaluation: OnceCell::from(Ok(evaluation)), ..self }
    }

    /// What the oracle knows of the position; it is asked at the first call and not again.
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
                let state = self.seat.rules.format_state(self.state);
                Err(PolicyError::Moves { state, n_legal: legal, n_known: known })
            }
        }
    }

    fn asked(&self) -> Result<Evaluation, PolicyError> {
        let oracle = self.seat.oracle.ok_or(PolicyError::NoOracle)?;
        Ok(oracle.evaluate(self.state)?)
    }
}

/// A rule of choice.
pub trait Policy: Debug + Send + Sync {
    /// Its kind, as studies name it: `soft-optimal`.
    fn kind(&self) -> &'static str;

    /// How it chooses, with its parameters, in a few words.
    fn describe(&self) -> String;

    /// Whether every parameter is in its range.
    ///
    /// # Errors
    ///
    /// [`ParameterError`] of the first parameter that is not.
    fn check(&self) -> Result<(), ParameterError>;

    /// Whether it asks what positions are worth, so that a level has to be valued before it can play.
    fn needs_oracle(&self) -> bool;

    /// Sits down before a level.
    ///
    /// # Errors
    ///
    /// [`PolicyError`] if the game lacks what the policy needs, or its script or program does not start.
    fn sit<'a>(&'a self, seat: &Seat<'a>) -> Result<Box<dyn Chooser + 'a>, PolicyError>;
}

impl<P: Policy + ?Sized> Policy for &P {
    fn kind(&self) -> &'static str {
        (**self).kind()
    }

    fn describe(&self) -> String {
        (**self).describe()
    }

    fn check(&self) -> Result<(), ParameterError> {
        (**self).check()
    }

    fn needs_oracle(&self) -> bool {
        (**self).needs_oracle()
    }

    fn sit<'a>(&'a self, seat: &Seat<'a>) -> Result<Box<dyn Chooser + 'a>, PolicyError> {
        (**self).sit(seat)
    }
}

impl<P: Policy + ?Sized> Policy for Box<P> {
    fn kind(&self) -> &'static str {
        (**self).kind()
    }

    fn describe(&self) -> String {
        (**self).describe()
    }

    fn check(&self) -> Result<(), ParameterError> {
        (**self).check()
    }

    fn needs_oracle(&self) -> bool {
        (**self).needs_oracle()
    }

    fn sit<'a>(&'a self, seat: &Seat<'a>) -> Result<Box<dyn Chooser + 'a>, PolicyError> {
        (**self).sit(seat)
    }
}

/// How a trial ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Whether the goal was reached, or the game came to its end where points are counted.
    pub is_solved: bool,
    /// What the moves of the last attempt cost, or the points that they gained.
    pub cost: u64,
}

/// One player at one level.
pub trait Chooser {
    /// An attempt begins in this position: at the start of the trial, and after each reset.
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

    /// The trial is over.
    fn end(&mut self, _ending: Ending) {}
}

/// Why a policy could not choose a move.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PolicyError {
    /// The oracle does not know the position.
    #[error(transparent)]
    Oracle(#[from] OracleError),
    /// The policy needs values, and there are none.
    #[error("this policy needs to know what positions are worth, and the level was not valued")]
    NoOracle,
    /// The oracle and the rules do not list the same moves.
    #[error("the position {state} has {n_legal} legal moves, and {n_known} of them are valued: is play over there?")]
    Moves {
        /// The position in the notation of the level.
        state: String,
        /// Number of legal moves.
        n_legal: usize,
        /// Number of moves that the oracle lists.
        n_known: usize,
    },
    /// The level has no heuristic or strategy of this name.
    #[error("this level has no {what} {name:?}; {}", listed(.known))]
    UnknownName {
        /// `heuristic` or `strategy`.
        what: &'static str,
        /// The name that was given; empty if none was.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// The policy cannot play games of this kind.
    #[error("the policy {policy} cannot play here: {reason}")]
    Unsuited {
        /// Its kind.
        policy: &'static str,
        /// Why not.
        reason: String,
    },
    /// Looking ahead passed its limit.
    #[error(
        "looking {depth} moves ahead from {state} takes more than {limit} positions: lower `depth`, or raise \
         `max-positions`"
    )]
    TooFar {
        /// The position in the notation of the level.
        state: String,
        /// How far it looks.
        depth: u32,
        /// The limit.
        limit: u64,
    },
    /// A script of a policy failed.
    #[error(transparent)]
    Script(#[from] Box<Diagnostic>),
    /// A program broke the rules of the protocol, and plays no more.
    #[error("the program `{program}` is disqualified: {reason}")]
    Disqualified {
        /// Its command.
        program: String,
        /// What it did.
        reason: Disqualification,
    },
}

/// The names that there are, as a sentence lists them.
fn listed(known: &[String]) -> String {
    if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", known.join(", ")) }
}

/// A chooser that needs to remember nothing.
struct Memoryless<F>(F);

impl<F: Fn(&Situation) -> Result<Vec<f64>, PolicyError>> Chooser for Memoryless<F> {
    fn probabilities(&mut self, situation: &Situation) -> Result<Vec<f64>, PolicyError> {
        (self.0)(situation)
    }
}

fn memoryless<'a>(choose: impl Fn(&Situation) -> Result<Vec<f64>, PolicyError> + 'a) -> Box<dyn Chooser + 'a> {
    Box::new(Memoryless(choose))
}

/// All of `n_moves` moves are equally probable.
fn equal(n_moves: usize) -> Vec<f64> {
    vec![1.0 / n_moves as f64; n_moves]
}

/// One of `n_moves` moves is certain.
fn certain(n_moves: usize, chosen: usize) -> Vec<f64> {
    (0..n_moves).map(|index| if index == chosen { 1.0 } else { 0.0 }).collect()
}

/// The moves that are marked are equally probable; all moves, if none is marked.
fn uniform_over(marked: impl ExactSizeIterator<Item = bool>) -> Vec<f64> {
    normalised(marked.map(|is_marked| if is_marked { 1.0 } else { 0.0 }).collect())
}

/// Weights that are 0 or more and finite, divided by their sum; equal shares if that is 0.
fn normalised(mut weights: Vec<f64>) -> Vec<f64> {
    // By the largest one first, as the sum of large weights may be infinite, and that of tiny ones inexact.
    let largest = weights.iter().copied().fold(0.0, f64::max);
    if largest == 0.0 {
        return equal(weights.len());
    }
    weights.iter_mut().for_each(|weight| *weight /= largest);
    let sum: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= sum);
    weights
}

/// The softmax rule of choice (Luce, 1959): the weight of a move is exp(−`beta` × its loss). With an infinite
/// `beta` the moves of least loss are equally probable. An infinite loss has probability 0, unless all are.
fn softmax(losses: &[f64], beta: f64) -> Vec<f64> {
    let least = losses.iter().copied().fold(f64::INFINITY, f64::min);
    if least.is_infinite() {
        return equal(losses.len());
    }
    if beta.is_infinite() {
        // Expected points that differ by rounding only are equal.
        let tolerance = 1e-9 * least.abs().max(1.0);
        return uniform_over(losses.iter().map(|loss| loss - least <= tolerance));
    }
    let weight = |loss: &f64| if loss.is_infinite() { 0.0 } else { (-beta * (loss - least)).exp() };
    normalised(losses.iter().map(weight).collect())
}

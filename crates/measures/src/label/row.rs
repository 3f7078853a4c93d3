//! A replayed row of a log with its label.

use super::quality::Quality;
use plymap_log::Event;
use plymap_log::replay::{Played, Step};
use plymap_puzzles::distance::{MoveEvaluation, regret};
use plymap_puzzles::game::{StateCode, Value};
use plymap_puzzles::rules::Rules;

/// The label of one move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Label {
    /// Evaluation of the move by the oracle.
    pub evaluation: MoveEvaluation,
    /// Loss against the best move; absent for illegal moves and where no goal can be reached.
    pub regret: Option<f64>,
    /// Effect on the value of the position.
    pub quality: Quality,
    /// `true` if the position after it is a goal: the level is solved, or the target reached.
    pub is_goal: bool,
    /// `true` if it ends the attempt: the level is solved, or the game over.
    pub is_end: bool,
}

impl Label {
    /// The label of a move that led, with what chance added, to the position `after`.
    pub fn new(played: &Played, after: StateCode, evaluation: MoveEvaluation, rules: &dyn Rules) -> Self {
        let MoveEvaluation { before: value_before, after: value_after, .. } = evaluation;
        let (is_goal, is_end) = (rules.is_goal(after), rules.is_end(after));
        if !played.is_legal {
            return Self { evaluation, regret: None, quality: Quality::Illegal, is_goal, is_end };
        }
        let regret = regret(played.cost, value_before, value_after);
        let quality = Quality::of_values(value_before, value_after, regret);
        Self { evaluation, regret, quality, is_goal, is_end }
    }

    /// Value of the position before the move, in the unit of the level.
    pub fn value_before(&self) -> Option<f64> {
        self.evaluation.before.map(Value::number)
    }

    /// Value of the position after it, before chance had its turn.
    pub fn value_after(&self) -> Option<f64> {
        self.evaluation.after.map(Value::number)
    }

    /// `true` if no other move is better.
    pub fn is_optimal(&self) -> bool {
        self.regret == Some(0.0)
    }

    /// Share of optimal moves among the legal ones.
    pub fn chance(&self) -> Option<f64> {
        let MoveEvaluation { n_legal, n_optimal, .. } = self.evaluation;
        (n_legal > 0).then(|| f64::from(n_optimal) / f64::from(n_legal))
    }
}

/// A replayed row of a log with its label.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelledRow {
    /// Event of the row.
    pub event: Event,
    /// Seconds since what happened before it.
    pub rt_s: Option<f64>,
    /// Effect on the position.
    pub step: Step,
    /// Its label, if it is a move.
    pub label: Option<Label>,
    /// `true` if it changed nothing, and its time is part of that of the next move.
    pub is_time_in_next: bool,
}

impl LabelledRow {
    /// The move that it is, with its label.
    pub fn made(&self) -> Option<(&Played, &Label)> {
        self.step.played.as_ref().zip(self.label.as_ref())
    }
}

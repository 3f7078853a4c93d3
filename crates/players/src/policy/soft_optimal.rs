//! Soft-optimal: the more a move loses, the less probable it is.

use super::error::PolicyError;
use super::rule::{Policy, PolicyState, memoryless};
use super::situation::LevelContext;
use super::weights::softmax;
use crate::parameter::{ParameterError, within};
use plymap_puzzles::distance::Evaluation;
use serde::{Deserialize, Serialize};

/// Policy by the softmax rule (Luce, 1959): the weight of a move is exp(−`beta` × its regret), where the regret is what
/// it loses against the best move ([`plymap_puzzles::distance::regret`]), in moves, cells or points.
///
/// Dead ends lose `dead_end_loss`, or as much as the worst other move if that loses more. By default that is
/// infinite, so that they have probability 0; where all moves lead to them, all are equally probable.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct SoftOptimal {
    /// Inverse temperature, per move, cell or point; from 0 (uniformly among all moves but dead ends) to infinity
    /// (uniformly among the optimal moves). 1 by default.
    pub beta: f64,
    /// Least regret of a move into a dead end; infinite by default. Fitted models take 10
    /// ([`plymap_choice::model::DEAD_END_REGRET`]).
    pub dead_end_loss: f64,
}

impl Default for SoftOptimal {
    fn default() -> Self {
        Self { beta: 1.0, dead_end_loss: f64::INFINITY }
    }
}

impl SoftOptimal {
    /// The probability of each move of an evaluation, in their order.
    pub fn probabilities(&self, evaluation: &Evaluation) -> Vec<f64> {
        let known = evaluation.moves.iter().filter_map(|valued| valued.regret);
        let of_dead_end = known.fold(self.dead_end_loss, f64::max);
        let losses: Vec<f64> = evaluation.moves.iter().map(|valued| valued.regret.unwrap_or(of_dead_end)).collect();
        softmax(&losses, self.beta)
    }
}

impl Policy for SoftOptimal {
    fn kind(&self) -> &'static str {
        "soft-optimal"
    }

    fn describe(&self) -> String {
        format!("by softmax of what moves lose, with inverse temperature {}", self.beta)
    }

    fn check(&self) -> Result<(), ParameterError> {
        within("beta", self.beta, 0.0, f64::INFINITY)?;
        within("dead-end-loss", self.dead_end_loss, 0.0, f64::INFINITY)
    }

    fn needs_oracle(&self) -> bool {
        true
    }

    fn start_level<'a>(&'a self, _seat: &LevelContext<'a>) -> Result<Box<dyn PolicyState + 'a>, PolicyError> {
        Ok(memoryless(|situation| Ok(self.probabilities(situation.evaluation()?))))
    }
}

//! Lapse-optimal: optimal but for lapses.

use super::error::PolicyError;
use super::rule::{Policy, PolicyState, memoryless};
use super::situation::LevelContext;
use super::weights::equal;
use crate::parameter::{ParameterError, within};
use plymap_puzzles::distance::Evaluation;
use serde::{Deserialize, Serialize};

/// Policy that plays optimally but for lapses: with probability `lapse` it chooses uniformly at random among all legal
/// moves, otherwise uniformly among the optimal ones.
///
/// A lapse can hit an optimal move. With k optimal ones among n legal moves, the move is optimal with
/// probability 1 − lapse (1 − k/n). Where no move is optimal, all are equally probable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LapseOptimal {
    /// Probability of a lapse, from 0 (always optimal, the default) to 1 (chance).
    pub lapse: f64,
}

impl LapseOptimal {
    /// The probability of each move of an evaluation, in their order.
    pub fn probabilities(&self, evaluation: &Evaluation) -> Vec<f64> {
        let n_legal = evaluation.moves.len() as f64;
        let n_optimal = evaluation.n_optimal() as f64;
        if n_optimal == 0.0 {
            return equal(evaluation.moves.len());
        }
        let by_skill = |is_optimal: bool| if is_optimal { (1.0 - self.lapse) / n_optimal } else { 0.0 };
        evaluation.moves.iter().map(|valued| self.lapse / n_legal + by_skill(valued.is_optimal())).collect()
    }
}

impl Policy for LapseOptimal {
    fn kind(&self) -> &'static str {
        "lapse-optimal"
    }

    fn describe(&self) -> String {
        format!("uniformly at random among the optimal moves, with probability {} among all", self.lapse)
    }

    fn check(&self) -> Result<(), ParameterError> {
        within("lapse", self.lapse, 0.0, 1.0)
    }

    fn needs_oracle(&self) -> bool {
        true
    }

    fn start_level<'a>(&'a self, _seat: &LevelContext<'a>) -> Result<Box<dyn PolicyState + 'a>, PolicyError> {
        Ok(memoryless(|situation| Ok(self.probabilities(situation.evaluation()?))))
    }
}

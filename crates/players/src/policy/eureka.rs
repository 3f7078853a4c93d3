//! Eureka: chance far from the goal, insight near it.

use super::error::PolicyError;
use super::lapse_optimal::LapseOptimal;
use super::rule::{Policy, PolicyState, memoryless};
use super::situation::LevelContext;
use super::weights::equal;
use crate::parameter::{ParameterError, within};
use plymap_puzzles::distance::Evaluation;
use plymap_puzzles::game::{Distance, Value};
use serde::{Deserialize, Serialize};

/// Policy that sees the whole path once the goal is near: optimal but for lapses ([`LapseOptimal`]) where the distance
/// is at most `within`, uniformly at random among all legal moves elsewhere. Plays only games whose values are
/// distances.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Eureka {
    /// The largest distance from which it sees the path, in the level's metric; 4 by default.
    pub within: u32,
    /// Probability of a lapse where it sees the path, from 0 (the default) to 1.
    pub lapse: f64,
}

impl Default for Eureka {
    fn default() -> Self {
        Self { within: 4, lapse: 0.0 }
    }
}

impl Eureka {
    /// The probability of each move of an evaluation, in their order.
    pub fn probabilities(&self, evaluation: &Evaluation) -> Vec<f64> {
        let distance = evaluation.value.and_then(Value::as_distance);
        match distance {
            Some(Distance(distance)) if distance <= self.within => {
                LapseOptimal { lapse: self.lapse }.probabilities(evaluation)
            }
            _ => equal(evaluation.moves.len()),
        }
    }
}

impl Policy for Eureka {
    fn kind(&self) -> &'static str {
        "eureka"
    }

    fn describe(&self) -> String {
        let lapses = if self.lapse > 0.0 { format!(" but for lapses ({})", self.lapse) } else { String::new() };
        format!(
            "optimal{lapses} within {} of the goal, otherwise uniformly at random among all legal moves",
            self.within
        )
    }

    fn check(&self) -> Result<(), ParameterError> {
        within("within", f64::from(self.within), 0.0, f64::from(u32::MAX))?;
        within("lapse", self.lapse, 0.0, 1.0)
    }

    fn needs_oracle(&self) -> bool {
        true
    }

    fn start_level<'a>(&'a self, context: &LevelContext<'a>) -> Result<Box<dyn PolicyState + 'a>, PolicyError> {
        if !context.rules.unit().is_distance() {
            let reason = "it needs distances to a goal, and positions of this game are worth points".to_owned();
            return Err(PolicyError::Unsuited { policy: self.kind(), reason });
        }
        Ok(memoryless(|situation| Ok(self.probabilities(situation.evaluation()?))))
    }
}

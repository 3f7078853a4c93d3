//! Eureka: chance far from the goal, insight near it.

use serde::{Deserialize, Serialize};

use super::{Chooser, ParameterError, Policy, PolicyError, Seat, evenly_among, memoryless, within};
use crate::distance::Evaluation;
use crate::game::{Distance, Value};

/// Sees the whole way once the goal is near: evenly among the optimal moves where the distance is at most
/// `within`, evenly among all moves elsewhere. Plays only games whose values are distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Eureka {
    /// The largest distance from which it sees the way, in the level's metric; 4 by default.
    pub within: u32,
}

impl Default for Eureka {
    fn default() -> Self {
        Self { within: 4 }
    }
}

impl Eureka {
    /// The probability of each move of an evaluation, in their order.
    pub fn probabilities(&self, evaluation: &Evaluation) -> Vec<f64> {
        let distance = evaluation.value.and_then(Value::as_distance);
        let sees = distance.is_some_and(|Distance(distance)| distance <= self.within);
        evenly_among(evaluation.moves.iter().map(|valued| !sees || valued.is_optimal()))
    }
}

impl Policy for Eureka {
    fn kind(&self) -> &'static str {
        "eureka"
    }

    fn describe(&self) -> String {
        format!("optimal within {} of the goal, otherwise evenly among all moves", self.within)
    }

    fn check(&self) -> Result<(), ParameterError> {
        within("within", f64::from(self.within), 0.0, f64::from(u32::MAX))
    }

    fn needs_oracle(&self) -> bool {
        true
    }

    fn sit<'a>(&'a self, seat: &Seat<'a>) -> Result<Box<dyn Chooser + 'a>, PolicyError> {
        if !seat.rules.unit().is_distance() {
            let reason = "it needs distances to a goal, and positions of this game are worth points".to_owned();
            return Err(PolicyError::Unsuited { policy: self.kind(), reason });
        }
        Ok(memoryless(|situation| Ok(self.probabilities(situation.evaluation()?))))
    }
}

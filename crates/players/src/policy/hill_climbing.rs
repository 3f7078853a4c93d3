//! Hill climbing: what looks best after one move, by what is seen of the position.

use super::error::PolicyError;
use super::rule::{Policy, PolicyState, memoryless};
use super::situation::LevelContext;
use super::weights::softmax;
use crate::parameter::{ParameterError, within};
use serde::{Deserialize, Serialize};

/// Policy that weighs what is seen of the position after each move: the probability of a move is in proportion to
/// exp(`first` · first feature + `second` · second feature), where the features are those of the game
/// ([`features`](plymap_puzzles::game::Puzzle::features)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HillClimbing {
    /// Log odds for each unit of the first feature; 0 by default.
    pub first: f64,
    /// The same for the second feature.
    pub second: f64,
}

impl Policy for HillClimbing {
    fn kind(&self) -> &'static str {
        "hill-climbing"
    }

    fn describe(&self) -> String {
        format!(
            "by what is seen after the move: {} for each unit of the first feature, {} of the second",
            self.first, self.second
        )
    }

    fn check(&self) -> Result<(), ParameterError> {
        within("first", self.first, -1e6, 1e6)?;
        within("second", self.second, -1e6, 1e6)
    }

    fn needs_oracle(&self) -> bool {
        false
    }

    fn start_level<'a>(&'a self, context: &LevelContext<'a>) -> Result<Box<dyn PolicyState + 'a>, PolicyError> {
        let n_features = context.rules.features().len();
        if n_features == 0 {
            let reason = "the rules do not say what is seen of a position".to_owned();
            return Err(PolicyError::Unsuited { policy: self.kind(), reason });
        }
        Ok(memoryless(move |situation| {
            let rules = situation.context.rules;
            let weight = |number: usize, factor: f64, after| {
                let value = if number < n_features { rules.feature(number, after) } else { 0.0 };
                // Where no goal can be reached, a heuristic is infinite.
                factor * value.min(1e6)
            };
            let losses: Vec<f64> = situation
                .moves
                .iter()
                .map(|legal| -weight(0, self.first, legal.after) - weight(1, self.second, legal.after))
                .collect();
            Ok(softmax(&losses, 1.0))
        }))
    }
}

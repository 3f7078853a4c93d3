//! Greedy: where it seems best after one move.

use super::error::PolicyError;
use super::estimate::{DISTANCE, Estimator};
use super::rule::{Policy, PolicyState, memoryless};
use super::situation::LevelContext;
use super::weights::softmax;
use crate::parameter::ParameterError;
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::WholeMap;
use plymap_walks::hitting_times::Chain;
use serde::{Deserialize, Serialize};

/// Policy that chooses uniformly at random among the moves to the positions with the least estimate. A move that
/// reaches a goal comes before all others.
///
/// What the moves cost plays no part. Where chance follows, the position before it has its turn is estimated.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Greedy {
    /// The name of one of the level's heuristics, or `distance` for the true distance.
    pub heuristic: String,
}

impl Policy for Greedy {
    fn kind(&self) -> &'static str {
        "greedy"
    }

    fn describe(&self) -> String {
        format!("to the position with the least {}", self.heuristic)
    }

    fn check(&self) -> Result<(), ParameterError> {
        Ok(())
    }

    fn needs_oracle(&self) -> bool {
        self.heuristic == DISTANCE
    }

    fn chain<'a>(&self, rules: &dyn Rules, whole: &'a WholeMap) -> Result<Chain<'a>, PolicyError> {
        let estimates = Estimator::named(self.kind(), &self.heuristic, rules)?.of_map(rules, whole);
        Ok(Chain::greedy(&whole.map, &estimates))
    }

    fn start_level<'a>(&'a self, context: &LevelContext<'a>) -> Result<Box<dyn PolicyState + 'a>, PolicyError> {
        let estimator = Estimator::named(self.kind(), &self.heuristic, context.rules)?;
        let rules = context.rules;
        Ok(memoryless(move |situation| {
            let estimates = situation.moves.iter().map(|legal| match rules.is_goal(legal.after) {
                // Below every estimate, as some heuristics are 0 elsewhere too.
                true => Ok(-1.0),
                false => estimator.estimate(situation, legal.after),
            });
            Ok(softmax(&estimates.collect::<Result<Vec<_>, _>>()?, f64::INFINITY))
        }))
    }
}

//! Chance: every legal move is equally probable.

use super::error::PolicyError;
use super::rule::{Policy, PolicyState, memoryless};
use super::situation::LevelContext;
use super::weights::equal;
use crate::parameter::ParameterError;
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::WholeMap;
use plymap_walks::hitting_times::Chain;
use serde::{Deserialize, Serialize};

/// Policy that chooses uniformly at random among all legal moves: the random player that people are compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chance {}

impl Policy for Chance {
    fn kind(&self) -> &'static str {
        "chance"
    }

    fn describe(&self) -> String {
        "uniformly at random among all legal moves".to_owned()
    }

    fn check(&self) -> Result<(), ParameterError> {
        Ok(())
    }

    fn needs_oracle(&self) -> bool {
        false
    }

    fn chain<'a>(&self, _rules: &dyn Rules, whole: &'a WholeMap) -> Result<Chain<'a>, PolicyError> {
        Ok(Chain::random_walk(&whole.map))
    }

    fn start_level<'a>(&'a self, _seat: &LevelContext<'a>) -> Result<Box<dyn PolicyState + 'a>, PolicyError> {
        Ok(memoryless(|situation| Ok(equal(situation.moves.len()))))
    }
}

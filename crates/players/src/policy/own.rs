//! Strategies that belong to one game, such as the players of its literature.

use super::error::PolicyError;
use super::rule::{Policy, PolicyState, memoryless};
use super::situation::LevelContext;
use super::weights::certain;
use crate::parameter::ParameterError;
use serde::{Deserialize, Serialize};

/// Policy that plays as one of the game's own strategies ([`plymap_puzzles::rules::Rules::strategies`]) does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OwnStrategy {
    /// Its name.
    pub strategy: String,
}

impl Policy for OwnStrategy {
    fn kind(&self) -> &'static str {
        "game"
    }

    fn describe(&self) -> String {
        format!("as the game's strategy {}", self.strategy)
    }

    fn check(&self) -> Result<(), ParameterError> {
        Ok(())
    }

    fn needs_oracle(&self) -> bool {
        false
    }

    fn start_level<'a>(&'a self, context: &LevelContext<'a>) -> Result<Box<dyn PolicyState + 'a>, PolicyError> {
        let rules = context.rules;
        let known: Vec<String> = rules.strategies().into_iter().map(|strategy| strategy.name).collect();
        let Some(strategy) = known.iter().position(|name| *name == self.strategy) else {
            return Err(PolicyError::UnknownName { what: "strategy", name: self.strategy.clone(), known });
        };
        Ok(memoryless(move |situation| {
            let moves = situation.moves;
            if moves.is_empty() {
                return Ok(Vec::new());
            }
            let chosen = rules.choose(strategy, situation.state);
            // Moves that lead to the same position are still distinguished.
            let chosen = chosen.and_then(|chosen| moves.iter().position(|legal| legal.notation == chosen.notation));
            chosen.map(|chosen| certain(moves.len(), chosen)).ok_or_else(|| {
                let state = rules.format_state(situation.state);
                let reason = format!("the strategy {} makes no legal move in {state}", self.strategy);
                PolicyError::Unsuited { policy: self.kind(), reason }
            })
        }))
    }
}

//! And-or: reasoning backwards from the goal.

use super::error::PolicyError;
use super::rule::{Policy, PolicyState, memoryless};
use super::situation::LevelContext;
use super::weights::equal;
use crate::parameter::{ParameterError, within};
use plymap_puzzles::thought::Tree;
use serde::{Deserialize, Serialize};

/// Policy that reasons backwards from the goal by the AND-OR tree of the position ([`plymap_puzzles::thought`]): what
/// is in the way of the last move, what is in the way of that, and so on to a legal move. At each step thinking stops
/// with the probability `stopping`, and any legal move is made; so it is, before all thought, with the probability
/// `lapse`.
///
/// A position whose tree is too large is played by chance. Plays only games that say what is in the way of a move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct AndOr {
    /// Probability to stop thinking at each step, from 0 (the default) to 1 (chance).
    pub stopping: f64,
    /// Probability of a lapse, from 0 (the default) to 1 (chance).
    pub lapse: f64,
    /// True, the default, if the piece that was moved last is left alone.
    pub new_piece: bool,
}

impl Default for AndOr {
    fn default() -> Self {
        Self { stopping: 0.0, lapse: 0.0, new_piece: true }
    }
}

impl Policy for AndOr {
    fn kind(&self) -> &'static str {
        "and-or"
    }

    fn describe(&self) -> String {
        let lapses =
            if self.lapse > 0.0 { format!(", with probability {} at once", self.lapse) } else { String::new() };
        let piece = if self.new_piece { ", never the piece that was moved last" } else { "" };
        format!(
            "backwards from the goal{piece}; with probability {} at each step{lapses} uniformly at random among all legal moves",
            self.stopping
        )
    }

    fn check(&self) -> Result<(), ParameterError> {
        within("stopping", self.stopping, 0.0, 1.0)?;
        within("lapse", self.lapse, 0.0, 1.0)
    }

    fn needs_oracle(&self) -> bool {
        false
    }

    fn start_level<'a>(&'a self, context: &LevelContext<'a>) -> Result<Box<dyn PolicyState + 'a>, PolicyError> {
        let start = context.rules.start();
        if !context.rules.is_goal(start) && context.rules.goal_moves(start).is_none() {
            let reason = "the rules do not say what is in the way of a move".to_owned();
            return Err(PolicyError::Unsuited { policy: self.kind(), reason });
        }
        Ok(memoryless(|situation| {
            let n = situation.moves.len();
            let Ok(ends) = Tree::new(situation.context.rules, situation.state).and_then(|tree| tree.ends()) else {
                return Ok(equal(n));
            };
            let last = situation.history.previous.as_ref().and_then(|previous| previous.piece);
            let is_left = |place: usize| self.new_piece && last.is_some() && situation.moves[place].piece == last;
            let thought = ends.probabilities(self.stopping, is_left);
            Ok(thought.into_iter().map(|p| self.lapse / n as f64 + (1.0 - self.lapse) * p).collect())
        }))
    }
}

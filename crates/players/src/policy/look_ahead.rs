//! Look-ahead: a search of limited depth, with an estimate at its end.

use super::error::PolicyError;
use super::estimate::{DISTANCE, Estimator};
use super::rule::{Policy, PolicyState, memoryless};
use super::situation::{LevelContext, Situation};
use super::weights::softmax;
use crate::parameter::{ParameterError, within};
use plymap_puzzles::game::StateCode;
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::WholeMap;
use plymap_walks::hitting_times::Chain;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Policy that looks a limited number of moves ahead.
///
/// Where values are distances, the loss of a move is the least, over all paths of `depth` moves that begin with it,
/// of what the path costs plus the estimate of the position at its end. A path that reaches a goal ends there, with
/// nothing to add. Any other position counts as at least 1 from the goal, so that a goal in sight is preferred to
/// a path that merely ends; then with `depth` at or above the distance and no heuristic the optimal moves have
/// the least loss. A path into a position without moves has an infinite loss.
///
/// Where values are points, a path ends at `depth` moves or with the game, and the loss of a move is less what it
/// gains, plus the mean over what chance does of the least loss after it; at its end a path adds its estimate.
/// This is expectimax (Michie, 1966) of limited depth.
///
/// The probability of a move is softmax of −`beta` × its loss.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct LookAhead {
    /// Number of moves, from 1 to 100; 3 by default.
    pub depth: u32,
    /// The name of one of the level's heuristics, or `distance` for the true distance; empty, the default, for an
    /// estimate of 0.
    pub heuristic: String,
    /// Inverse temperature, per move, cell or point, from 0; infinite by default: uniformly at random among the best
    /// moves.
    pub beta: f64,
    /// The most positions that may be looked at for one choice, each counted once for each number of moves left;
    /// 1,000,000 by default, which is some 100 MB.
    pub max_positions: u64,
}

impl Default for LookAhead {
    fn default() -> Self {
        Self { depth: 3, heuristic: String::new(), beta: f64::INFINITY, max_positions: 1_000_000 }
    }
}

impl Policy for LookAhead {
    fn kind(&self) -> &'static str {
        "look-ahead"
    }

    fn describe(&self) -> String {
        let estimate = if self.heuristic.is_empty() { "nothing" } else { &self.heuristic };
        let Self { depth, beta, .. } = self;
        format!("looking {depth} moves ahead, then by {estimate}, with inverse temperature {beta}")
    }

    fn check(&self) -> Result<(), ParameterError> {
        within("depth", f64::from(self.depth), 1.0, 100.0)?;
        within("beta", self.beta, 0.0, f64::INFINITY)?;
        within("max-positions", self.max_positions as f64, 1.0, 1e9)
    }

    fn needs_oracle(&self) -> bool {
        self.heuristic == DISTANCE
    }

    fn chain<'a>(&self, rules: &dyn Rules, whole: &'a WholeMap) -> Result<Chain<'a>, PolicyError> {
        if self.beta.is_finite() {
            let reason = "expected numbers of moves need `beta` to be infinite".to_owned();
            return Err(PolicyError::Unsuited { policy: self.kind(), reason });
        }
        Ok(Chain::look_ahead(&whole.map, self.depth, &self.estimator(rules)?.of_map(rules, whole)))
    }

    fn start_level<'a>(&'a self, context: &LevelContext<'a>) -> Result<Box<dyn PolicyState + 'a>, PolicyError> {
        let estimator = self.estimator(context.rules)?;
        Ok(memoryless(move |situation| Ok(softmax(&self.losses(estimator, situation)?, self.beta))))
    }
}

impl LookAhead {
    fn estimator(&self, rules: &dyn Rules) -> Result<Estimator, PolicyError> {
        match self.heuristic.as_str() {
            "" => Ok(Estimator::Nothing),
            name => Estimator::named(self.kind(), name, rules),
        }
    }

    /// The loss of each move.
    fn losses(&self, estimator: Estimator, situation: &Situation) -> Result<Vec<f64>, PolicyError> {
        let rules = situation.context.rules;
        let is_distance = rules.unit().is_distance();
        let mut search = Search {
            policy: self,
            situation,
            estimator,
            is_distance,
            has_chance: rules.has_chance(),
            known: HashMap::new(),
        };
        search.losses(situation.state, self.depth)
    }
}

/// Search from one position.
struct Search<'a> {
    policy: &'a LookAhead,
    situation: &'a Situation<'a>,
    estimator: Estimator,
    is_distance: bool,
    has_chance: bool,
    /// The least loss from a position with so many moves left. Only looked up, so that its order has no influence.
    known: HashMap<(StateCode, u32), f64>,
}

impl Search<'_> {
    /// The loss of each move of a position with `left` moves left, from 1.
    fn losses(&mut self, state: StateCode, left: u32) -> Result<Vec<f64>, PolicyError> {
        let rules = self.situation.context.rules;
        let is_distance = self.is_distance;
        let spent = |cost: u32| if is_distance { f64::from(cost) } else { -f64::from(cost) };
        let mut losses = Vec::new();
        if !self.has_chance {
            for legal in rules.legal_moves(state) {
                losses.push(spent(legal.cost) + self.rest(legal.after, left - 1)?);
            }
            return Ok(losses);
        }
        for outcomes in rules.outcomes(state) {
            let mut loss = 0.0;
            for (outcome, probability) in outcomes.iter().filter(|(_, probability)| *probability > 0.0) {
                loss += probability * (spent(outcome.cost) + self.rest(outcome.next, left - 1)?);
            }
            losses.push(loss);
        }
        Ok(losses)
    }

    /// The least loss from a position with `left` moves left.
    fn rest(&mut self, state: StateCode, left: u32) -> Result<f64, PolicyError> {
        if let Some(&loss) = self.known.get(&(state, left)) {
            return Ok(loss);
        }
        let limit = self.policy.max_positions;
        if self.known.len() as u64 >= limit {
            let state = self.situation.context.rules.format_state(self.situation.state);
            return Err(PolicyError::TooFar { state, depth: self.policy.depth, limit });
        }
        // Its place is taken at once, so that the limit holds for positions that are still looked at.
        self.known.insert((state, left), f64::INFINITY);
        let loss = self.looked_at(state, left)?;
        self.known.insert((state, left), loss);
        Ok(loss)
    }

    fn looked_at(&mut self, state: StateCode, left: u32) -> Result<f64, PolicyError> {
        if self.situation.context.rules.is_goal(state) {
            return Ok(0.0);
        }
        let losses = if left > 0 { self.losses(state, left)? } else { Vec::new() };
        if !losses.is_empty() {
            return Ok(losses.into_iter().fold(f64::INFINITY, f64::min));
        }
        match (self.is_distance, left) {
            (true, 0) => Ok(self.estimator.estimate(self.situation, state)?.max(1.0)),
            // No path leads on from here.
            (true, _) => Ok(f64::INFINITY),
            (false, _) => self.estimator.estimate(self.situation, state),
        }
    }
}

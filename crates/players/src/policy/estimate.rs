//! Estimates of the distance of a position to the goal.

use super::error::PolicyError;
use super::situation::Situation;
use plymap_puzzles::game::{StateCode, Value};
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::WholeMap;
use plymap_walks::hitting_times::true_distances;
use rayon::prelude::*;

/// The name of the first heuristic of a level, whatever that is.
pub(super) const FIRST: &str = "first";
/// The name of the true distance among heuristics.
pub(super) const DISTANCE: &str = "distance";

/// Source of the estimate of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Estimator {
    /// Every position is 0.
    Nothing,
    /// A heuristic of the level, by its index.
    Heuristic(usize),
    /// The true distance, from the oracle.
    Distance,
}

impl Estimator {
    /// The heuristic of this name.
    ///
    /// # Errors
    ///
    /// [`PolicyError`] if the level has none, or no distances.
    pub fn named(policy: &'static str, name: &str, rules: &dyn Rules) -> Result<Self, PolicyError> {
        let is_distance = rules.unit().is_distance() && !rules.has_chance();
        if name == DISTANCE {
            let reason = "distances to a goal are known only where no chance follows moves and no points are counted";
            let unsuited = PolicyError::Unsuited { policy, reason: reason.to_owned() };
            return if is_distance { Ok(Self::Distance) } else { Err(unsuited) };
        }
        if name == FIRST && !rules.heuristics().is_empty() {
            return Ok(Self::Heuristic(0));
        }
        let mut known: Vec<String> = rules.heuristics().into_iter().map(|heuristic| heuristic.name).collect();
        if let Some(index) = known.iter().position(|known| known == name) {
            return Ok(Self::Heuristic(index));
        }
        if is_distance {
            known.push(DISTANCE.to_owned());
        }
        Err(PolicyError::UnknownName { what: "heuristic", name: name.to_owned(), known })
    }

    /// Returns the estimate of a position that is no goal: 0 or more, infinite where no goal can be reached.
    ///
    /// # Errors
    ///
    /// [`PolicyError`] of the oracle.
    pub fn estimate(self, situation: &Situation, state: StateCode) -> Result<f64, PolicyError> {
        match self {
            Self::Nothing => Ok(0.0),
            Self::Heuristic(index) => Ok(situation.context.rules.estimate(index, state)),
            Self::Distance => {
                let oracle = situation.context.oracle.ok_or(PolicyError::NoOracle)?;
                Ok(oracle.evaluate(state)?.value.map_or(f64::INFINITY, Value::number))
            }
        }
    }

    /// The estimates of all states of a map, as of [`Estimator::estimate`].
    pub fn of_map(self, rules: &dyn Rules, whole: &WholeMap) -> Vec<f64> {
        let WholeMap { map, distances, .. } = whole;
        match self {
            Self::Nothing => vec![0.0; map.n_states()],
            Self::Heuristic(index) => {
                let estimate = |state| rules.estimate(index, map.code(state));
                (0..map.n_states() as u32).into_par_iter().map(estimate).collect()
            }
            Self::Distance => true_distances(distances),
        }
    }
}

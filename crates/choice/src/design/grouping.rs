//! Designs in which what is alike to a model is counted once.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::FixedState;
use plymap_statistics::numeric::newton::Local;

use super::{Design, Kinds};
use crate::decisions::Decisions;
use crate::model::{Model, ParameterValues};

/// The list or curve of a move, and its combination of covariates.
type Move = (u32, u32);

/// Numbers of decisions of each kind in each of several folds, fold after fold for each kind.
pub struct FoldWeights {
    n_folds: usize,
    weights: Vec<f64>,
}

impl FoldWeights {
    /// Returns the numbers of decisions, fold after fold for each kind.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }
}

impl Design {
    /// The design of eureka before its distance is fixed; see [`Design::within`].
    pub fn eureka(decisions: &Decisions, model: &Model) -> Self {
        let seen_anywhere = ParameterValues { eureka_distance: Some(u32::MAX), ..ParameterValues::default() };
        let mut result = Self::new(decisions, model, &seen_anywhere);
        let distances = (0..decisions.n()).map(|decision| decisions.distance(decision)).collect();
        Arc::make_mut(&mut result.kinds).distances = distances;
        result
    }

    /// The contents of each fold, from the number of the fold of each decision that the design was made of.
    pub fn fold_weights(&self, n_folds: usize, folds: &[usize]) -> FoldWeights {
        let mut weights = vec![0.0; n_folds * self.weights.len()];
        for (kind, fold) in self.kinds.of_given.iter().zip(folds) {
            weights[*kind as usize * n_folds + fold] += 1.0;
        }
        FoldWeights { n_folds, weights }
    }

    /// The log-likelihood of each fold at a point, with its gradient and information.
    pub fn evaluate_folds(&self, folds: &FoldWeights, point: &[f64]) -> Vec<Local> {
        self.evaluate_parts(point, folds.weights())
    }

    /// The decisions of the folds that `is_kept` accepts.
    pub fn of_folds(&self, folds: &FoldWeights, is_kept: impl Fn(usize) -> bool) -> Self {
        let sum =
            |row: &[f64]| row.iter().enumerate().filter(|(fold, _)| is_kept(*fold)).map(|(_, weight)| weight).sum();
        let weights = folds.weights.chunks_exact(folds.n_folds).map(sum).collect();
        Self { kinds: Arc::clone(&self.kinds), weights }
    }

    /// The design of eureka in which optimal moves are seen up to a distance, from [`Design::eureka`].
    pub fn within(&self, limit: u32) -> Self {
        let kinds = &self.kinds;
        let is_seen = |decision: usize| kinds.distances[decision].is_some_and(|distance| distance <= limit);
        let base = kinds.base.within(&kinds.offsets, is_seen);
        let kinds = Kinds { base, distances: Vec::new(), ..Kinds::clone(kinds) };
        Self { kinds: Arc::new(kinds), weights: self.weights.clone() }.grouped()
    }

    /// The same likelihood with the legal moves of a decision that are alike counted together, and then the
    /// decisions that are alike: the same moves, of which the same was chosen. They stand in the order in which the
    /// first of each comes. [`Design::log_probabilities`] is then of the moves that stand for others.
    pub fn grouped(self) -> Self {
        let ungrouped = &*self.kinds;
        let mut result = ungrouped.empty();
        let (mut weights, mut kind_of) = (Vec::new(), Vec::with_capacity(self.weights.len()));
        let mut places: HashMap<Vec<u64>, u32, FixedState> = HashMap::default();
        let mut moves: Vec<(Move, f64)> = Vec::new();
        // What a decision is: what was chosen, its distance, its base, and how many moves of each kind it has.
        let mut key: Vec<u64> = Vec::new();
        for (decision, weight) in self.weights.iter().enumerate() {
            moves.clear();
            for index in ungrouped.offsets[decision]..ungrouped.offsets[decision + 1] {
                let move_number = ungrouped.move_of(index);
                match moves.iter_mut().find(|(known, _)| *known == move_number) {
                    Some((_, count)) => *count += ungrouped.counts[index],
                    None => moves.push((move_number, ungrouped.counts[index])),
                }
            }
            moves.sort_unstable_by_key(|(move_number, _)| *move_number);
            let distance = ungrouped.distances.get(decision).copied().flatten();
            let chosen = ungrouped.move_of(ungrouped.chosen[decision]);
            let number = |(list, combination): Move| u64::from(list) << 32 | u64::from(combination);
            key.clear();
            key.extend([number(chosen), distance.map_or(u64::MAX, u64::from)]);
            key.extend([u64::from(ungrouped.base.decisions[decision]), ungrouped.n_legal[decision].to_bits()]);
            key.extend(moves.iter().flat_map(|(move_number, count)| [number(*move_number), count.to_bits()]));
            if let Some(&place) = places.get(&key) {
                weights[place as usize] += weight;
                kind_of.push(place);
                continue;
            }
            let place = weights.len() as u32;
            places.insert(key.clone(), place);
            kind_of.push(place);
            weights.push(*weight);
            let place = moves.iter().position(|(move_number, _)| *move_number == chosen).unwrap_or_default();
            result.chosen.push(result.counts.len() + place);
            for ((list, combination), count) in &moves {
                result.base.moves.push(*list);
                result.combinations.push(*combination);
                result.counts.push(*count);
            }
            result.offsets.push(result.counts.len());
            result.base.decisions.push(ungrouped.base.decisions[decision]);
            result.n_legal.push(ungrouped.n_legal[decision]);
            if !ungrouped.distances.is_empty() {
                result.distances.push(distance);
            }
        }
        result.of_given = ungrouped.of_given.iter().map(|kind| kind_of[*kind as usize]).collect();
        Self { kinds: Arc::new(result), weights }
    }
}

impl Kinds {
    /// The same parameters without decisions.
    fn empty(&self) -> Self {
        Self {
            offsets: vec![0],
            chosen: Vec::new(),
            parameters: self.parameters.clone(),
            covariates: Arc::clone(&self.covariates),
            n_covariates: self.n_covariates,
            products: Arc::clone(&self.products),
            combinations: Vec::new(),
            base: self.base.empty(),
            counts: Vec::new(),
            n_legal: Vec::new(),
            distances: Vec::new(),
            of_given: Vec::new(),
        }
    }

    fn move_of(&self, index: usize) -> Move {
        (self.base.moves[index], self.combinations[index])
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{Alternative, Decision, RolloutCurve, Rule, rollout_lengths};

    /// Forty decisions of a few kinds, at distances from 0 to 6.
    pub(crate) fn decisions() -> Decisions {
        let mut decisions = Decisions::with_depths(&[1]);
        let rollouts = [0.25, 0.5].map(|share| {
            Arc::new(RolloutCurve::new(&rollout_lengths().map(|length| share * (1.0 - 1.0 / length))).unwrap())
        });
        for i in 0..40_usize {
            let value = [0.5 * (i % 3) as f64];
            let alternatives: Vec<Alternative> = (0..4 + i % 3)
                .map(|j| Alternative {
                    regret: (j != 3).then_some((j % 3) as f64),
                    is_optimal: j % 3 == 0 && j != 3,
                    is_undo: j == 1 + i % 2,
                    is_same_piece: j == 2,
                    look_ahead: if j == 0 { &[2.0] } else { &value },
                    features: [(j % 3) as f64, (i % 2 * j) as f64],
                    thoughts: [&[][..], &[0.25], &[0.0, 0.5, 0.125]][(i + j) % 3],
                    rollouts: Some(&rollouts[j % 2]),
                })
                .collect();
            let chosen = (i * i / 3) % alternatives.len();
            let distance = (i % 5 > 0).then_some((i % 7) as u32);
            decisions
                .push(&Decision {
                    alternatives: &alternatives,
                    chosen,
                    distance,
                    level: (i % 4) as u32,
                    circles: &[0.0, 0.25],
                })
                .unwrap();
        }
        decisions
    }

    #[track_caller]
    fn assert_same(plain: &Design, grouped: &Design, point: &[f64]) {
        let (expected, actual) = (plain.evaluate(point), grouped.evaluate(point));
        let close = |left: f64, right: f64| (left - right).abs() <= 1e-12 * (1.0 + left.abs());
        assert!(close(expected.value, actual.value), "{} is not {}", expected.value, actual.value);
        assert!(expected.gradient.iter().zip(&actual.gradient).all(|(left, right)| close(*left, *right)));
        assert!(expected.information.iter().zip(&actual.information).all(|(left, right)| close(*left, *right)));
        for design in [plain, grouped] {
            assert_eq!(design.log_likelihood(point).to_bits(), design.evaluate(point).value.to_bits());
        }
        assert_eq!(plain.determined(), grouped.determined());
        assert_eq!(plain.weights.iter().sum::<f64>(), grouped.weights.iter().sum::<f64>());
    }

    #[test]
    fn what_is_counted_together_has_the_same_likelihood_and_derivatives() {
        let decisions = decisions();
        for rule in Rule::ALL.into_iter().filter(|rule| *rule != Rule::Eureka) {
            for model in [Model::new(rule), Model::new(rule).with_habits()] {
                let whole = ParameterValues { depth: Some(1), ..ParameterValues::default() };
                let plain = Design::new(&decisions, &model, &whole);
                let n = plain.kinds.counts.len();
                let grouped = Design::new(&decisions, &model, &whole).grouped();
                assert!(grouped.kinds.counts.len() < n, "{model}");
                assert_same(&plain, &grouped, &[0.3, -0.7, 0.4, 0.2][..plain.parameters().len()]);
            }
        }
    }

    #[test]
    fn folds_of_what_is_counted_together_are_folds_of_the_decisions() {
        let decisions = decisions();
        let folds: Vec<usize> = (0..decisions.n()).map(|decision| decisions.level(decision) as usize).collect();
        for rule in [Rule::LapseOptimal, Rule::SoftOptimal, Rule::AndOr, Rule::ForwardSearch] {
            let model = Model::new(rule).with_habits();
            let whole = ParameterValues::default();
            let grouped = Design::new(&decisions, &model, &whole).grouped();
            let weights = grouped.fold_weights(4, &folds);
            for fold in 0..4 {
                let without = decisions.on_levels(|level| level != fold as u32);
                let plain = Design::new(&without, &model, &whole);
                let without_fold = grouped.of_folds(&weights, |other| other != fold);
                assert_same(&plain, &without_fold, &[0.3, -0.7, 0.4, 0.2][..plain.parameters().len()]);
            }
        }
    }

    #[test]
    fn eureka_within_a_distance_is_that_of_the_plain_design() {
        let decisions = decisions();
        for model in [Model::new(Rule::Eureka), Model::new(Rule::Eureka).with_habits()] {
            let base = Design::eureka(&decisions, &model).grouped();
            for limit in 0..7 {
                let whole = ParameterValues { eureka_distance: Some(limit), ..ParameterValues::default() };
                let plain = Design::new(&decisions, &model, &whole);
                assert_same(&plain, &base.within(limit), &[0.3, -0.7, 0.4, 0.2][..plain.parameters().len()]);
            }
        }
    }
}

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

/// The decisions to eureka before its distance is fixed.
pub struct Eureka {
    /// Each decision both ways, the one with its optimal moves seen first.
    both: Design,
    /// Distance of each decision.
    distances: Vec<Option<u32>>,
}

impl Design {
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

    /// The decisions of a fold.
    pub fn of_fold(&self, folds: &FoldWeights, fold: usize) -> Self {
        let weights = folds.weights.iter().skip(fold).step_by(folds.n_folds).copied().collect();
        Self { kinds: Arc::clone(&self.kinds), weights }
    }

    /// The decisions without those of a fold.
    pub fn without_fold(&self, folds: &FoldWeights, fold: usize) -> Self {
        let of_fold = folds.weights.iter().skip(fold).step_by(folds.n_folds);
        let weights = self.weights.iter().zip(of_fold).map(|(all, out)| all - out).collect();
        Self { kinds: Arc::clone(&self.kinds), weights }
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
        // What a decision is: what was chosen, its base, and how many moves of each kind it has.
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
            let chosen = ungrouped.move_of(ungrouped.chosen[decision]);
            let number = |(list, combination): Move| u64::from(list) << 32 | u64::from(combination);
            key.clear();
            key.extend([number(chosen), u64::from(ungrouped.base.decisions[decision])]);
            key.push(ungrouped.n_legal[decision].to_bits());
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
            let chosen = moves.iter().position(|(move_number, _)| *move_number == chosen).unwrap_or_default();
            result.push(&moves, chosen, ungrouped.base.decisions[decision], ungrouped.n_legal[decision]);
        }
        result.of_given = ungrouped.of_given.iter().map(|kind| kind_of[*kind as usize]).collect();
        Self { kinds: Arc::new(result), weights }
    }
}

impl Eureka {
    /// Looks at each decision both ways: with its optimal moves seen, and not.
    pub fn new(decisions: &Decisions, model: &Model) -> Self {
        let seen_anywhere = ParameterValues { eureka_distance: Some(u32::MAX), ..ParameterValues::default() };
        let kinds = Design::new(decisions, model, &seen_anywhere).kinds.with_chance();
        let weights = vec![1.0; kinds.chosen.len()];
        let distances = (0..decisions.n()).map(|decision| decisions.distance(decision)).collect();
        Self { both: Design { kinds: Arc::new(kinds), weights }.grouped(), distances }
    }

    /// The design in which optimal moves are seen up to a distance, grouped.
    pub fn within(&self, limit: u32) -> Design {
        let both = &*self.both.kinds;
        let (mut result, mut weights) = (both.empty(), Vec::new());
        let mut places = vec![None; both.chosen.len()];
        let mut moves: Vec<(Move, f64)> = Vec::new();
        for (decision, distance) in self.distances.iter().enumerate() {
            let is_seen = distance.is_some_and(|distance| distance <= limit);
            let kind = both.of_given[if is_seen { decision } else { self.distances.len() + decision }] as usize;
            let place = *places[kind].get_or_insert_with(|| {
                let range = both.offsets[kind]..both.offsets[kind + 1];
                let chosen = both.chosen[kind] - range.start;
                moves.clear();
                moves.extend(range.map(|index| (both.move_of(index), both.counts[index])));
                result.push(&moves, chosen, both.base.decisions[kind], both.n_legal[kind]);
                weights.push(0.0);
                weights.len() - 1
            });
            weights[place] += 1.0;
            result.of_given.push(place as u32);
        }
        Design { kinds: Arc::new(result), weights }
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
            of_given: Vec::new(),
        }
    }

    fn move_of(&self, index: usize) -> Move {
        (self.base.moves[index], self.combinations[index])
    }

    /// Adds a decision with so many of each of these moves.
    fn push(&mut self, moves: &[(Move, f64)], chosen: usize, list: u32, n_legal: f64) {
        self.chosen.push(self.counts.len() + chosen);
        for ((list, combination), count) in moves {
            self.base.moves.push(*list);
            self.combinations.push(*combination);
            self.counts.push(*count);
        }
        self.offsets.push(self.counts.len());
        self.base.decisions.push(list);
        self.n_legal.push(n_legal);
    }

    /// Each decision as it is, and behind all of them each with every move alike to the base.
    fn with_chance(&self) -> Self {
        let n = self.counts.len();
        Self {
            offsets: self.offsets.iter().copied().chain(self.offsets[1..].iter().map(|end| n + end)).collect(),
            chosen: self.chosen.iter().copied().chain(self.chosen.iter().map(|index| n + index)).collect(),
            combinations: self.combinations.repeat(2),
            base: self.base.with_chance(),
            counts: self.counts.repeat(2),
            n_legal: self.n_legal.repeat(2),
            of_given: (0..2 * self.chosen.len() as u32).collect(),
            ..self.empty()
        }
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
                let without_fold = grouped.without_fold(&weights, fold);
                let point = &[0.3, -0.7, 0.4, 0.2][..plain.parameters().len()];
                assert_same(&plain, &without_fold, point);
                let plain = Design::new(&decisions.on_levels(|level| level == fold as u32), &model, &whole);
                assert_same(&plain, &grouped.of_fold(&weights, fold), point);
            }
        }
    }

    #[test]
    fn eureka_within_a_distance_is_that_of_the_plain_design() {
        let decisions = decisions();
        for model in [Model::new(Rule::Eureka), Model::new(Rule::Eureka).with_habits()] {
            let eureka = Eureka::new(&decisions, &model);
            for limit in 0..7 {
                let whole = ParameterValues { eureka_distance: Some(limit), ..ParameterValues::default() };
                let plain = Design::new(&decisions, &model, &whole);
                let (within, point) = (eureka.within(limit), &[0.3, -0.7, 0.4, 0.2][..plain.parameters().len()]);
                assert_same(&plain, &within, point);
                // The same kinds in the same order, so that sums have the same bits.
                let [left, right] = [plain.grouped(), within].map(|design| design.evaluate(point));
                assert_eq!((left.value, left.gradient), (right.value, right.gradient));
            }
        }
    }
}

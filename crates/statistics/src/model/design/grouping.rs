//! Designs in which what is alike to a model is counted once.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::{Design, MOST_PARAMETERS};
use crate::model::choice::{Model, ParameterValues};
use crate::model::decisions::Decisions;

type Kind = [u64; 1 + MOST_PARAMETERS];

impl Design {
    /// The design of eureka before its distance is fixed; see [`Design::within`].
    pub fn eureka(decisions: &Decisions, model: &Model) -> Self {
        let seen_anywhere = ParameterValues { eureka_distance: Some(u32::MAX), ..ParameterValues::default() };
        let distances = (0..decisions.n()).map(|decision| decisions.distance(decision)).collect();
        Self { distances, ..Self::new(decisions, model, &seen_anywhere) }
    }

    /// The same, with the number of the fold of each decision.
    pub fn in_folds(self, n_folds: usize, folds: &[usize]) -> Self {
        let mut fold_weights = vec![0.0; n_folds * self.weights.len()];
        for (decision, fold) in folds.iter().enumerate() {
            fold_weights[decision * n_folds + fold] = self.weights[decision];
        }
        Self { fold_weights, n_folds, ..self }
    }

    /// The decisions of the folds that `is_kept` accepts, from [`Design::in_folds`].
    pub fn of_folds(&self, is_kept: impl Fn(usize) -> bool) -> Self {
        let mut result = self.empty();
        for decision in 0..self.chosen.len() {
            let own = &self.fold_weights[decision * self.n_folds..(decision + 1) * self.n_folds];
            let weight: f64 = own.iter().enumerate().filter(|(fold, _)| is_kept(*fold)).map(|(_, weight)| weight).sum();
            if weight == 0.0 {
                continue;
            }
            let range = self.offsets[decision]..self.offsets[decision + 1];
            result.chosen.push(result.counts.len() + self.chosen[decision] - range.start);
            result.covariates.extend(&self.covariates[range.start * self.n_covariates..range.end * self.n_covariates]);
            result.base.moves.extend(&self.base.moves[range.clone()]);
            result.base.decisions.push(self.base.decisions[decision]);
            result.counts.extend(&self.counts[range]);
            result.offsets.push(result.counts.len());
            result.n_legal.push(self.n_legal[decision]);
            result.weights.push(weight);
        }
        result
    }

    /// The design of eureka in which optimal moves are seen up to a distance, from [`Design::eureka`].
    pub fn within(&self, limit: u32) -> Self {
        let is_seen = |decision: usize| self.distances[decision].is_some_and(|distance| distance <= limit);
        Self { base: self.base.within(&self.offsets, is_seen), distances: Vec::new(), ..self.clone() }.grouped()
    }

    /// The same parameters without decisions.
    fn empty(&self) -> Self {
        Self {
            offsets: vec![0],
            chosen: Vec::new(),
            parameters: self.parameters.clone(),
            covariates: Vec::new(),
            n_covariates: self.n_covariates,
            base: self.base.empty(),
            counts: Vec::new(),
            n_legal: Vec::new(),
            weights: Vec::new(),
            fold_weights: Vec::new(),
            n_folds: 0,
            distances: Vec::new(),
        }
    }

    /// Adds a move of another design, which stands for `count`.
    fn push_move(&mut self, other: &Self, index: usize, count: f64) {
        self.covariates.extend(other.covariates_of(index));
        self.base.moves.push(other.base.moves[index]);
        self.counts.push(count);
    }

    fn covariates_of(&self, index: usize) -> &[f64] {
        &self.covariates[index * self.n_covariates..(index + 1) * self.n_covariates]
    }

    /// A kind of move as numbers: that of its base, then the bits of the covariates.
    fn kind(&self, index: usize) -> Kind {
        let bits = |value: f64| (value + 0.0).to_bits();
        let mut kind = Kind::default();
        kind[0] = u64::from(self.base.moves[index]);
        kind[1..].iter_mut().zip(self.covariates_of(index)).for_each(|(place, &value)| *place = bits(value));
        kind
    }

    /// The same likelihood with the legal moves of a decision that are alike counted together, and then the
    /// decisions that are alike: the same moves, of which the same was chosen. They stand in the order in which the
    /// first of each comes. [`Design::log_probabilities`] is then of the moves that stand for others.
    pub fn grouped(self) -> Self {
        let mut result = Self { n_folds: self.n_folds, ..self.empty() };
        let mut places: HashMap<Vec<u64>, usize, FixedState> = HashMap::default();
        let mut kinds: Vec<(Kind, f64, usize)> = Vec::new();
        // What a decision is: what was chosen, its distance, its base, and how many moves of each kind it has.
        let mut key: Vec<u64> = Vec::new();
        for decision in 0..self.chosen.len() {
            kinds.clear();
            for index in self.offsets[decision]..self.offsets[decision + 1] {
                let own = self.kind(index);
                match kinds.iter_mut().find(|(known, _, _)| *known == own) {
                    Some((_, count, _)) => *count += self.counts[index],
                    None => kinds.push((own, self.counts[index], index)),
                }
            }
            kinds.sort_unstable_by_key(|(own, _, _)| *own);
            let distance = self.distances.get(decision).copied().flatten();
            let chosen = self.kind(self.chosen[decision]);
            key.clear();
            key.extend(chosen);
            key.push(distance.map_or(u64::MAX, u64::from));
            key.extend([u64::from(self.base.decisions[decision]), self.n_legal[decision].to_bits()]);
            for (own, count, _) in &kinds {
                key.extend(own);
                key.push(count.to_bits());
            }
            let folds = &self.fold_weights[decision * self.n_folds..(decision + 1) * self.n_folds];
            if let Some(&place) = places.get(&key) {
                result.weights[place] += self.weights[decision];
                let own = &mut result.fold_weights[place * self.n_folds..(place + 1) * self.n_folds];
                own.iter_mut().zip(folds).for_each(|(own, weight)| *own += weight);
                continue;
            }
            places.insert(key.clone(), result.weights.len());
            for (own, count, index) in &kinds {
                if *own == chosen {
                    result.chosen.push(result.counts.len());
                }
                result.push_move(&self, *index, *count);
            }
            result.offsets.push(result.counts.len());
            result.base.decisions.push(self.base.decisions[decision]);
            result.n_legal.push(self.n_legal[decision]);
            result.weights.push(self.weights[decision]);
            result.fold_weights.extend(folds);
            if !self.distances.is_empty() {
                result.distances.push(distance);
            }
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Alternative, Decision, Rule, rollout_lengths};

    /// Forty decisions of a few kinds, at distances from 0 to 6.
    fn decisions() -> Decisions {
        let mut decisions = Decisions::with_depths(&[1]);
        let rollouts = [0.25, 0.5].map(|share| rollout_lengths().map(|length| share * (1.0 - 1.0 / length)));
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
                    rollouts: &rollouts[j % 2],
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
        let (one, other) = (plain.evaluate(point), grouped.evaluate(point));
        let close = |left: f64, right: f64| (left - right).abs() <= 1e-12 * (1.0 + left.abs());
        assert!(close(one.value, other.value), "{} is not {}", one.value, other.value);
        assert!(one.gradient.iter().zip(&other.gradient).all(|(left, right)| close(*left, *right)));
        assert!(one.information.iter().zip(&other.information).all(|(left, right)| close(*left, *right)));
        assert_eq!(plain.determined(), grouped.determined());
        let n: f64 = grouped.weights.iter().sum();
        assert_eq!(
            (n, grouped.chosen.len(), grouped.offsets.len()),
            (plain.weights.iter().sum(), grouped.weights.len(), grouped.weights.len() + 1)
        );
    }

    #[test]
    fn what_is_counted_together_has_the_same_likelihood_and_derivatives() {
        let decisions = decisions();
        for rule in Rule::ALL.into_iter().filter(|rule| *rule != Rule::Eureka) {
            for model in [Model::new(rule), Model::new(rule).with_habits()] {
                let whole = ParameterValues { depth: Some(1), ..ParameterValues::default() };
                let plain = Design::new(&decisions, &model, &whole);
                let n = plain.counts.len();
                let grouped = Design::new(&decisions, &model, &whole).grouped();
                assert!(grouped.counts.len() < n, "{model}");
                assert_same(&plain, &grouped, &[0.3, -0.7, 0.4, 0.2][..plain.parameters.len()]);
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
            let grouped = Design::new(&decisions, &model, &whole).in_folds(4, &folds).grouped();
            for fold in 0..4 {
                let without = decisions.on_levels(|level| level != fold as u32);
                let plain = Design::new(&without, &model, &whole);
                let found = grouped.of_folds(|other| other != fold);
                assert_same(&plain, &found, &[0.3, -0.7, 0.4, 0.2][..plain.parameters.len()]);
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
                assert_same(&plain, &base.within(limit), &[0.3, -0.7, 0.4, 0.2][..plain.parameters.len()]);
            }
        }
    }
}

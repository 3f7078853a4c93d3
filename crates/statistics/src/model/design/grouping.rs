//! Designs in which what is alike to a model is counted once.

use std::collections::HashMap;

use super::Design;
use crate::model::choice::{Model, ParameterValues};
use crate::model::decisions::Decisions;

impl Design {
    /// The design of eureka before its distance is fixed; see [`Design::within`].
    pub fn eureka(decisions: &Decisions, model: &Model) -> Self {
        let seen_anywhere = ParameterValues { eureka_distance: Some(u32::MAX), ..ParameterValues::default() };
        let distances = (0..decisions.n()).map(|decision| decisions.distance(decision)).collect();
        Self { distances, ..Self::new(decisions, model, &seen_anywhere) }
    }

    /// The design of eureka in which optimal moves are seen up to a distance, from [`Design::eureka`].
    pub fn within(&self, limit: u32) -> Self {
        let mut target = Vec::with_capacity(self.counts.len());
        for (decision, distance) in self.distances.iter().enumerate() {
            let range = self.offsets[decision]..self.offsets[decision + 1];
            let seen = self.target.as_ref().filter(|_| distance.is_some_and(|distance| distance <= limit));
            match seen {
                Some(seen) => target.extend(&seen[range]),
                None => target.extend(range.map(|_| 1.0 / self.n_legal[decision])),
            }
        }
        Self {
            offsets: self.offsets.clone(),
            chosen: self.chosen.clone(),
            parameters: self.parameters.clone(),
            covariates: self.covariates.clone(),
            n_covariates: self.n_covariates,
            target: Some(target),
            counts: self.counts.clone(),
            n_legal: self.n_legal.clone(),
            weights: self.weights.clone(),
            distances: Vec::new(),
        }
        .grouped()
    }

    /// The same likelihood with the legal moves of a decision that are alike counted together, and then the
    /// decisions that are alike: the same moves, of which the same was chosen. They stand in the order in which the
    /// first of each comes. [`Design::log_probabilities`] is then of the moves that stand for others.
    pub fn grouped(self) -> Self {
        let empty = || Vec::with_capacity(self.counts.len() / 4);
        let mut result = Self {
            offsets: vec![0],
            chosen: Vec::new(),
            parameters: self.parameters.clone(),
            covariates: empty(),
            n_covariates: self.n_covariates,
            target: self.target.as_ref().map(|_| empty()),
            counts: empty(),
            n_legal: Vec::new(),
            weights: Vec::new(),
            distances: Vec::new(),
        };
        let bits = |value: f64| (value + 0.0).to_bits();
        let width = self.n_covariates + 1;
        let mut places: HashMap<Vec<u64>, usize> = HashMap::new();
        for decision in 0..self.chosen.len() {
            // Each kind of move as the bits of its numbers: the probability without lapse, then the covariates.
            let kind = |index: usize| {
                let target = self.target.as_ref().map_or(0, |target| bits(target[index]));
                let own = &self.covariates[index * self.n_covariates..(index + 1) * self.n_covariates];
                std::iter::once(target).chain(own.iter().map(|&value| bits(value))).collect::<Vec<u64>>()
            };
            let mut kinds: Vec<(Vec<u64>, f64, usize)> = Vec::new();
            for index in self.offsets[decision]..self.offsets[decision + 1] {
                let own = kind(index);
                match kinds.iter_mut().find(|(known, _, _)| *known == own) {
                    Some((_, count, _)) => *count += self.counts[index],
                    None => kinds.push((own, self.counts[index], index)),
                }
            }
            kinds.sort_unstable_by(|one, other| one.0.cmp(&other.0));
            // What the decision is: what was chosen, its distance, and how many moves of each kind it has.
            let distance = self.distances.get(decision).copied().flatten();
            let mut key = Vec::with_capacity(width * (kinds.len() + 2));
            key.extend(kind(self.chosen[decision]));
            key.push(distance.map_or(u64::MAX, u64::from));
            for (own, count, _) in &kinds {
                key.extend(own);
                key.push(bits(*count));
            }
            if let Some(&place) = places.get(&key) {
                result.weights[place] += self.weights[decision];
                continue;
            }
            places.insert(key, result.weights.len());
            let chosen = kind(self.chosen[decision]);
            for (own, count, index) in kinds {
                if own == chosen {
                    result.chosen.push(result.counts.len());
                }
                result.covariates.extend(&self.covariates[index * self.n_covariates..(index + 1) * self.n_covariates]);
                if let (Some(target), Some(from)) = (&mut result.target, &self.target) {
                    target.push(from[index]);
                }
                result.counts.push(count);
            }
            result.offsets.push(result.counts.len());
            result.n_legal.push(self.n_legal[decision]);
            result.weights.push(self.weights[decision]);
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
    use crate::model::{Alternative, Decision, Rule};

    /// Forty decisions of a few kinds, at distances from 0 to 6.
    fn decisions() -> Decisions {
        let mut decisions = Decisions::with_depths(&[1]);
        for i in 0..40_usize {
            let value = [0.5 * (i % 3) as f64];
            let alternatives: Vec<Alternative> = (0..4 + i % 3)
                .map(|j| Alternative {
                    regret: (j != 3).then_some((j % 3) as f64),
                    is_optimal: j % 3 == 0 && j != 3,
                    is_undo: j == 1 + i % 2,
                    is_same_piece: j == 2,
                    look_ahead: if j == 0 { &[2.0] } else { &value },
                })
                .collect();
            let chosen = (i * i / 3) % alternatives.len();
            let distance = (i % 5 > 0).then_some((i % 7) as u32);
            decisions.push(&Decision { alternatives: &alternatives, chosen, distance, level: (i % 4) as u32 }).unwrap();
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
            (40.0, grouped.weights.len(), grouped.weights.len() + 1)
        );
    }

    #[test]
    fn what_is_counted_together_has_the_same_likelihood_and_derivatives() {
        let decisions = decisions();
        for rule in [Rule::Chance, Rule::LapseOptimal, Rule::SoftOptimal, Rule::LookAhead] {
            for model in [Model::new(rule), Model::new(rule).with_habits()] {
                let whole = ParameterValues { depth: Some(1), ..ParameterValues::default() };
                let plain = Design::new(&decisions, &model, &whole);
                let n = plain.counts.len();
                let grouped = Design::new(&decisions, &model, &whole).grouped();
                assert!(grouped.counts.len() < n, "{model}");
                assert_same(&plain, &grouped, &[0.3, -0.7, 0.4][..plain.parameters.len()]);
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
                assert_same(&plain, &base.within(limit), &[0.3, -0.7, 0.4][..plain.parameters.len()]);
            }
        }
    }
}

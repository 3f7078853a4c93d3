//! The likelihood of decisions at a point, with its derivatives.

use nalgebra::{DMatrix, DVector};
use plymap_statistics::numeric::newton::Local;
use plymap_statistics::numeric::vector;
use plymap_statistics::numeric::wide::{self, Work};

use super::base::Terms;
use super::jet::Jet;
use super::{Design, MOST_PARAMETERS};
use crate::log_sum::LogSum;

/// Log odds up to this need no care: their exponentials are multiplied with a base, which can be as small as 1e-290.
const LARGEST_PLAIN: f64 = 38.0;

/// The log-likelihoods of parts for a model with M parameters of its base and N covariates, which makes P.
struct Locals<'a, const M: usize, const N: usize, const P: usize> {
    design: &'a Design,
    point: &'a [f64],
    weights: &'a [f64],
}

impl<const M: usize, const N: usize, const P: usize> Work for Locals<'_, M, N, P> {
    type Result = Vec<Local>;

    #[inline(always)]
    fn run(self) -> Vec<Local> {
        const { assert!(M + N == P) };
        let Self { design, point, weights } = self;
        let (kinds, n_parts) = (&*design.kinds, (weights.len() / design.weights.len().max(1)).max(1));
        let is_present = |decision: usize| weights[decision * n_parts..][..n_parts].iter().any(|weight| *weight > 0.0);
        let terms: Option<Terms<M>> = (M > 0).then(|| design.terms(point, is_present));
        let log_odds = LogOdds::new(design.logits(point));
        let mut sums: Vec<Sums<P>> = (0..n_parts).map(|_| Sums::default()).collect();
        let decisions = kinds.chosen.iter().zip(weights.chunks_exact(n_parts)).enumerate();
        for (decision, (&chosen, weights)) in decisions.filter(|(decision, _)| is_present(*decision)) {
            let moments = match &terms {
                None => design.moments_of_covariates::<N, P>(decision, &log_odds),
                Some(terms) => design.moments_with_base::<M, N, P>(decision, terms, &log_odds),
            };
            let base = terms.as_ref().map(|terms| terms.of(kinds.base.moves[chosen], decision));
            for (sums, &weight) in sums.iter_mut().zip(weights).filter(|(_, weight)| **weight > 0.0) {
                sums.add(&moments, base.as_ref(), weight);
            }
        }
        sums.iter().map(Sums::local).collect()
    }
}

impl Design {
    /// The log-likelihood at a point, with its gradient and information.
    pub fn evaluate(&self, point: &[f64]) -> Local {
        let mut local = self.evaluate_parts(point, &self.weights);
        local.pop().expect("one part")
    }

    /// The log-likelihoods of several parts of the decisions, of which the weights follow each other for each kind.
    pub(super) fn evaluate_parts(&self, point: &[f64], weights: &[f64]) -> Vec<Local> {
        // The compiler unrolls loops over covariates whose number it knows; fits spend their time in them.
        match (self.n_base(), self.kinds.n_covariates) {
            (0, 0) => self.locals_of::<0, 0, 0>(point, weights),
            (0, 1) => self.locals_of::<0, 1, 1>(point, weights),
            (0, 2) => self.locals_of::<0, 2, 2>(point, weights),
            (0, 3) => self.locals_of::<0, 3, 3>(point, weights),
            (0, 4) => self.locals_of::<0, 4, 4>(point, weights),
            (1, 0) => self.locals_of::<1, 0, 1>(point, weights),
            (1, 1) => self.locals_of::<1, 1, 2>(point, weights),
            (1, 2) => self.locals_of::<1, 2, 3>(point, weights),
            (2, 0) => self.locals_of::<2, 0, 2>(point, weights),
            (2, 1) => self.locals_of::<2, 1, 3>(point, weights),
            (2, 2) => self.locals_of::<2, 2, 4>(point, weights),
            (_, n) => unreachable!("{n} covariates, and a model has at most {MOST_PARAMETERS} parameters"),
        }
    }

    fn locals_of<const M: usize, const N: usize, const P: usize>(&self, point: &[f64], weights: &[f64]) -> Vec<Local> {
        wide::run(Locals::<M, N, P> { design: self, point, weights })
    }

    /// The log-likelihood at a point alone, in the order of sums of [`Self::evaluate`].
    pub fn log_likelihood(&self, point: &[f64]) -> f64 {
        let is_present = |decision: &usize| self.weights[*decision] > 0.0;
        let terms: Option<Terms<0>> = (self.n_base() > 0).then(|| self.terms(point, |decision| is_present(&decision)));
        let log_odds = LogOdds::new(self.logits(point));
        let mut sums = Sums::<0>::default();
        for decision in (0..self.weights.len()).filter(is_present) {
            let terms = terms.as_ref();
            let shift = self.shift(decision, terms, &log_odds);
            let (mut plain, mut specific) = (0.0, 0.0);
            for index in self.kinds.offsets[decision]..self.kinds.offsets[decision + 1] {
                let factor = log_odds.factor(self.kinds.combinations[index], self.kinds.counts[index], shift);
                plain += factor;
                specific +=
                    terms.map_or(0.0, |terms| factor * terms.specific[self.kinds.base.moves[index] as usize][0]);
            }
            let weight = specific + terms.map_or(1.0, |terms| terms.common[decision].value) * plain;
            let list = self.kinds.base.moves[self.kinds.chosen[decision]];
            let chosen = terms.map_or(1.0, |terms| terms.of(list, decision).value);
            sums.add_value(shift, weight, chosen, self.weights[decision]);
        }
        sums.value + sums.logs.total()
    }

    /// Log odds of each combination of covariates against the chosen move, without the base.
    pub(super) fn logits(&self, point: &[f64]) -> Vec<f64> {
        if self.kinds.n_covariates == 0 {
            return vec![0.0; usize::from(!self.kinds.combinations.is_empty())];
        }
        let weights = &point[self.n_base()..];
        let logit = |combination: &[f64]| combination.iter().zip(weights).map(|(value, weight)| value * weight).sum();
        self.kinds.covariates.chunks_exact(self.kinds.n_covariates).map(logit).collect()
    }

    /// The largest log odds of a possible move of a decision, which become exp(0) where one may overflow, or their sum vanish.
    #[inline(always)]
    fn shift<const M: usize>(&self, decision: usize, terms: Option<&Terms<M>>, log_odds: &LogOdds) -> f64 {
        let LogOdds::Large(logits) = log_odds else { return 0.0 };
        let range = self.kinds.offsets[decision]..self.kinds.offsets[decision + 1];
        let is_possible = |list: u32| terms.is_none_or(|terms| terms.of(list, decision).value > 0.0);
        let moves = self.kinds.combinations[range.clone()].iter().zip(&self.kinds.base.moves[range]);
        let possible = moves.filter(|(_, list)| is_possible(**list));
        possible.map(|(combination, _)| logits[*combination as usize]).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The moments of a decision to a model without base.
    #[inline(always)]
    fn moments_of_covariates<const N: usize, const P: usize>(&self, decision: usize, log_odds: &LogOdds) -> Moments<P> {
        let range = self.kinds.offsets[decision]..self.kinds.offsets[decision + 1];
        let shift = self.shift::<0>(decision, None, log_odds);
        let mut moments = Moments { shift, weight: 0.0, first: [0.0; P], second: [[0.0; P]; P] };
        for (&combination, &count) in self.kinds.combinations[range.clone()].iter().zip(&self.kinds.counts[range]) {
            let factor = if N == 0 { count } else { log_odds.factor(combination, count, shift) };
            let covariates: &[f64; N] =
                self.kinds.covariates[combination as usize * N..][..N].try_into().unwrap_or(&[0.0; N]);
            moments.weight += factor;
            for j in 0..N {
                let product = factor * covariates[j];
                moments.first[j] += product;
                (0..=j).for_each(|k| moments.second[j][k] += product * covariates[k]);
            }
        }
        moments
    }

    /// The moments of a decision to a model of which all covariates are habits. These are −1, 0 or 1, so that their products are
    /// exact, whatever the order.
    #[inline(always)]
    fn moments_with_base<const M: usize, const N: usize, const P: usize>(
        &self,
        decision: usize,
        terms: &Terms<M>,
        log_odds: &LogOdds,
    ) -> Moments<P> {
        let range = self.kinds.offsets[decision]..self.kinds.offsets[decision + 1];
        let combinations = &self.kinds.combinations[range.clone()];
        let lists = &self.kinds.base.moves[range.clone()];
        let shift = if N == 0 { 0.0 } else { self.shift(decision, Some(terms), log_odds) };
        // Sums of the factors that come of habits, and of their products with what of the base is each move's own.
        let (mut plain, mut specific, mut slopes, mut bend) = ([0.0; 8], [0.0; 8], [0.0; 4], 0.0);
        for ((&combination, &list), &count) in combinations.iter().zip(lists).zip(&self.kinds.counts[range]) {
            let factor = if N == 0 { count } else { log_odds.factor(combination, count, shift) };
            let [value, by, by_by] = terms.specific[list as usize];
            let products = if N == 0 { &[1.0; 8] } else { &self.kinds.products[combination as usize] };
            for lane in 0..if N == 0 { 1 } else { 8 } {
                plain[lane] += factor * products[lane];
                specific[lane] += factor * value * products[lane];
            }
            for lane in 0..if N == 0 { 1 } else { 4 } {
                slopes[lane] += factor * by * products[lane];
            }
            bend += factor * by_by;
        }
        // b is its own part and the common one.
        let common = &terms.common[decision];
        let sum = |lane: usize| specific[lane] + common.value * plain[lane];
        let mut moments = Moments { shift, weight: sum(0), first: [0.0; P], second: [[0.0; P]; P] };
        for j in 0..N {
            moments.first[M + j] = sum(1 + j);
            for k in 0..=j {
                moments.second[M + j][M + k] = sum(1 + N + j * (j + 1) / 2 + k);
            }
        }
        for j in 0..M {
            moments.first[j] = common.first[j] * plain[0];
            for k in 0..=j {
                moments.second[j][k] = common.second[j][k] * plain[0];
            }
            for k in 0..N {
                moments.second[M + k][j] = common.first[j] * plain[1 + k];
            }
        }
        moments.first[0] += slopes[0];
        moments.second[0][0] += bend;
        (0..N).for_each(|k| moments.second[M + k][0] += slopes[1 + k]);
        moments
    }
}

/// Log odds by combinations of covariates.
enum LogOdds {
    /// Their exponentials, where all are of a size that needs no care.
    Plain(Vec<f64>),
    Large(Vec<f64>),
}

impl LogOdds {
    fn new(mut logits: Vec<f64>) -> Self {
        if logits.iter().any(|logit| logit.abs() > LARGEST_PLAIN) {
            return Self::Large(logits);
        }
        vector::exponentials(&mut logits);
        Self::Plain(logits)
    }

    /// The weight of so many moves of a combination, without base.
    #[inline(always)]
    fn factor(&self, combination: u32, count: f64, shift: f64) -> f64 {
        match self {
            Self::Plain(exponentials) => count * exponentials[combination as usize],
            Self::Large(logits) => count * (logits[combination as usize] - shift).exp(),
        }
    }
}

/// Sums over the legal moves of a decision, in units of exp(shift).
struct Moments<const P: usize> {
    shift: f64,
    weight: f64,
    /// Derivatives of `weight`.
    first: [f64; P],
    /// Second derivatives of `weight`, the lower triangle.
    second: [[f64; P]; P],
}

/// Sums over decisions.
struct Sums<const P: usize> {
    logs: LogSum,
    value: f64,
    gradient: [f64; P],
    /// The lower triangle is of use.
    hessian: [[f64; P]; P],
}

impl<const P: usize> Default for Sums<P> {
    fn default() -> Self {
        Self { logs: LogSum::default(), value: 0.0, gradient: [0.0; P], hessian: [[0.0; P]; P] }
    }
}

impl<const P: usize> Sums<P> {
    /// Adds as many decisions as `times` says, whose chosen move has this base. The covariates of the chosen move are 0,
    /// so that otherwise only the sum of weights counts.
    #[inline(always)]
    fn add<const M: usize>(&mut self, moments: &Moments<P>, base: Option<&Jet<M>>, times: f64) {
        self.add_value(moments.shift, moments.weight, base.map_or(1.0, |base| base.value), times);
        self.add_derivatives(-times, 1.0 / moments.weight, &moments.first, &moments.second);
        if let Some(base) = base {
            self.add_derivatives(times, 1.0 / base.value, &base.first, &base.second);
        }
    }

    /// Adds the log-likelihood of decisions, from the sum of the weights of their moves in units of exp(shift) and the base of
    /// the chosen one.
    #[inline(always)]
    fn add_value(&mut self, shift: f64, weight: f64, chosen: f64, times: f64) {
        let probability = chosen / weight;
        // One logarithm instead of two, unless digits of the quotient are lost.
        if probability > 1e-290 {
            self.logs.add(probability, times);
        } else {
            self.logs.add(chosen, times);
            self.logs.add(weight, -times);
        }
        self.value -= times * shift;
    }

    /// Adds `times` the derivatives of a logarithm by the first parameters, from those of the number and its inverse.
    #[inline(always)]
    fn add_derivatives<const N: usize>(&mut self, times: f64, inverse: f64, first: &[f64; N], second: &[[f64; N]; N]) {
        let slopes = first.map(|first| first * inverse);
        for j in 0..N {
            self.gradient[j] += times * slopes[j];
            // Whole rows, of which a processor adds several numbers at once.
            for k in 0..N {
                self.hessian[j][k] += times * (second[j][k] * inverse - slopes[j] * slopes[k]);
            }
        }
    }

    fn local(&self) -> Local {
        Local {
            value: self.value + self.logs.total(),
            gradient: DVector::from_fn(P, |row, _| self.gradient[row]),
            information: DMatrix::from_fn(P, P, |row, column| -self.hessian[row.max(column)][row.min(column)]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::grouping::tests::decisions;
    use crate::{Model, ParameterValues, Rule};

    /// Bits of the log-likelihood and its derivatives.
    fn bits(locals: &[Local]) -> Vec<u64> {
        let numbers = |local: &Local| -> Vec<u64> {
            let derivatives = local.gradient.iter().chain(&local.information);
            [&local.value].into_iter().chain(derivatives).map(|number| number.to_bits()).collect()
        };
        locals.iter().flat_map(numbers).collect()
    }

    fn check<const M: usize, const N: usize, const P: usize>(rule: Rule) {
        let design = Design::new(&decisions(), &Model::new(rule).with_habits(), &ParameterValues::default()).grouped();
        // The second has log odds that need care.
        for last in [0.2, -45.0] {
            let point = [0.3, 0.7, -0.4, last];
            let work = || Locals::<M, N, P> { design: &design, point: &point[4 - P..], weights: &design.weights };
            assert_eq!(bits(&work().run()), bits(&wide::run(work())), "{rule:?}");
            assert_eq!(bits(&[design.evaluate(&point[4 - P..])]), bits(&work().run()), "{rule:?}");
        }
    }

    #[test]
    fn both_ways_of_compiling_give_the_same_bits() {
        check::<0, 4, 4>(Rule::HillClimbing);
        check::<0, 3, 3>(Rule::SoftOptimal);
        check::<1, 2, 3>(Rule::AndOr);
        check::<2, 2, 4>(Rule::ForwardSearch);
    }
}

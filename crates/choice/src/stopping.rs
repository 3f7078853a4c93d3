//! Depth of thought by the move: the probability of stopping in chains of thought, by what is
//! known of a move.
//!
//! The model is that of [`Rule::AndOr`], where the log odds of γ are α + β x instead of one number.
//! α and β are maximum likelihood estimates for one participant, by Newton's method.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use foldhash::fast::FixedState;
use nalgebra::{DMatrix, DVector};
use plymap_statistics::not_estimable::{NotEstimable, check_count};
use plymap_statistics::numeric::newton::{Local, Maximum};
use rayon::prelude::*;
use serde::Serialize;

use crate::bounded::Bounded;
use crate::cross_validation::{Folds, numbered};
use crate::decisions::Decisions;
use crate::design::{Design, Ends, Powers};
use crate::estimate::Limit;
use crate::log_sum::LogSum;
use crate::model::{Model, ParameterValues, Rule};

/// Log odds beyond which γ is 0 or 1 to all digits that matter.
const LARGEST_LOGIT: f64 = 20.0;

/// A standard error of log odds as large as this says that the likelihood rises without end.
const LARGEST_ERROR: f64 = 1e4;

/// The probability of stopping as a function of a covariate.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StoppingFit {
    /// Number of decisions.
    pub n: usize,
    /// α: log odds of stopping where the covariate is at its mean; absent if the likelihood keeps rising as they grow or fall
    /// without end.
    pub intercept: Option<f64>,
    /// β: by how much they rise for each unit of the covariate; absent where α is, and if the likelihood keeps rising with β
    /// itself.
    pub slope: Option<f64>,
    /// Its standard error, from the observed information.
    pub slope_error: Option<f64>,
    /// Maximised ln L.
    pub log_likelihood: Option<f64>,
    /// Maximised ln L if γ is the same for all moves.
    pub log_likelihood_constant: Option<f64>,
    /// ln L of decisions that took no part in the fit, less that of a γ that is the same for all moves.
    pub held_out_gain: Option<f64>,
    /// Reason why something is missing.
    pub reason: Option<NotEstimable>,
}

/// Decisions of which it is asked with what the probability of stopping changes.
pub struct Stopping<'a> {
    decisions: &'a Decisions,
    /// Ends of thoughts, each kind once.
    ends: Vec<Ends>,
    /// The kind of each decision.
    kinds: Vec<u32>,
    /// The fits so far: several questions ask for the same, as that without covariates.
    known: Mutex<Vec<(Question, Known)>>,
}

/// The bits of covariates, and what is left out in turn.
type Question = (Vec<Vec<u64>>, Folds);

/// A fit to all decisions, and ln L of decisions that took no part in it.
#[derive(Clone)]
struct Known {
    maximum: Maximum,
    held_out: Result<f64, NotEstimable>,
}

impl<'a> Stopping<'a> {
    /// Finds where thoughts before each of the decisions end.
    pub fn new(decisions: &'a Decisions) -> Self {
        let design = Design::new(decisions, &Model::new(Rule::AndOr), &ParameterValues::default());
        let (mut ends, mut kinds) = (Vec::new(), Vec::with_capacity(decisions.n()));
        let mut places: HashMap<Vec<u64>, u32, FixedState> = HashMap::default();
        for step_ends in design.ends() {
            let next = ends.len() as u32;
            let kind = *places.entry(step_ends.key()).or_insert(next);
            if kind == next {
                ends.push(step_ends);
            }
            kinds.push(kind);
        }
        Self { decisions, ends, kinds, known: Mutex::default() }
    }

    /// Fits the probability of stopping to the decisions, each with a value of the covariate.
    ///
    /// Cross-validation leaves out `folds`.
    pub fn fit(&self, covariate: &[f64], folds: Folds) -> StoppingFit {
        let mut result = StoppingFit { n: self.decisions.n(), ..StoppingFit::default() };
        result.reason = result.complete(self, covariate, folds).err();
        result
    }

    /// ln L of decisions that took no part in the fit, for a probability of stopping that depends on these covariates; on none,
    /// it is the same for all moves. Cross-validation leaves out `folds`.
    ///
    /// # Errors
    ///
    /// Why there is none: too few decisions, a covariate that does not vary or is not finite, a fit without a maximum, or a
    /// choice that was left out and has probability 0.
    pub fn held_out(&self, covariates: &[&[f64]], folds: Folds) -> Result<f64, NotEstimable> {
        self.known(covariates, folds)?.held_out
    }

    fn known(&self, covariates: &[&[f64]], folds: Folds) -> Result<Known, NotEstimable> {
        let bits = |covariate: &&[f64]| covariate.iter().map(|value| value.to_bits()).collect();
        let question: Question = (covariates.iter().map(bits).collect(), folds);
        let all = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let found = all().iter().find(|(other, _)| *other == question).map(|(_, known)| known.clone());
        if let Some(known) = found {
            return Ok(known);
        }
        let predictors = self.predictors(covariates)?;
        let cases = Cases::new(self, &predictors);
        let maximum = cases.maximum(&cases.all)?;
        let known = Known { held_out: cases.held_out(self.decisions, folds, &maximum), maximum };
        all().push((question, known.clone()));
        Ok(known)
    }

    /// Returns the predictors of each decision: 1, and its covariates less their means.
    fn predictors(&self, covariates: &[&[f64]]) -> Result<Vec<Vec<f64>>, NotEstimable> {
        let n = self.decisions.n();
        check_count("the probability of stopping", "decisions", n, 10)?;
        let mut predictors = vec![vec![1.0]; n];
        for covariate in covariates {
            let mean = checked_mean(covariate, n)?;
            // Less its mean, so that intercept and slope are hardly correlated and Newton's method is not led along a
            // ridge.
            predictors.iter_mut().zip(*covariate).for_each(|(predictor, value)| predictor.push(value - mean));
        }
        Ok(predictors)
    }
}

impl StoppingFit {
    fn complete(&mut self, stopping: &Stopping, covariate: &[f64], folds: Folds) -> Result<(), NotEstimable> {
        let predictors = stopping.predictors(&[covariate])?;
        let constant = stopping.known(&[], folds)?;
        let sloped = stopping.known(&[covariate], folds)?;
        self.log_likelihood_constant = Some(constant.maximum.local.value);
        self.log_likelihood = Some(sloped.maximum.local.value);
        let estimated = self.set_slope(&sloped.maximum, &predictors);
        self.held_out_gain = Some(sloped.held_out? - constant.held_out?);
        estimated
    }

    /// The estimates, where they are finite.
    fn set_slope(&mut self, maximum: &Maximum, predictors: &[Vec<f64>]) -> Result<(), NotEstimable> {
        let (intercept, slope) = (maximum.point[0], maximum.point[1]);
        if maximum.is_bound[0] {
            return Err(endless("the probability of stopping", intercept));
        }
        self.intercept = Some(intercept);
        let covariance = maximum.local.information.clone().try_inverse();
        let error = covariance.map(|covariance| covariance[(1, 1)]).filter(|variance| *variance > 0.0).map(f64::sqrt);
        let farthest = predictors.iter().map(|predictor| predictor[1].abs()).fold(0.0, f64::max);
        if maximum.is_bound[1] || error.is_some_and(|error| error * farthest > LARGEST_ERROR) {
            return Err(endless("the slope of stopping", slope));
        }
        (self.slope, self.slope_error) = (Some(slope), error);
        Ok(())
    }
}

fn endless(quantity: &'static str, value: f64) -> NotEstimable {
    let goal = Limit::towards(value).name();
    let why = format!(
        "its log odds have no finite maximum likelihood estimate, as the likelihood keeps rising towards {goal}"
    );
    NotEstimable::Undefined { quantity, why }
}

/// The mean of a covariate that has a value for each of `n` decisions, not always the same.
fn checked_mean(covariate: &[f64], n: usize) -> Result<f64, NotEstimable> {
    if covariate.len() != n {
        let (left_name, right_name) = ("the covariate", "the list of decisions");
        return Err(NotEstimable::UnequalLengths { left_name, left: covariate.len(), right_name, right: n });
    }
    if let Some(index) = covariate.iter().position(|value| !value.is_finite()) {
        let value = covariate[index].to_string();
        return Err(NotEstimable::NotFinite { variable: "the covariate", value, index });
    }
    let mean = covariate.iter().sum::<f64>() / n as f64;
    if covariate.iter().all(|value| (value - mean).abs() < 1e-12) {
        let why = "the covariate is the same at all decisions".to_owned();
        return Err(NotEstimable::Undefined { quantity: "the slope of stopping", why });
    }
    Ok(mean)
}

/// The decisions as a model with these predictors sees them: what is alike to it is counted together.
struct Cases<'a> {
    /// The values of the predictors, each combination once.
    predictors: Vec<&'a [f64]>,
    /// Index of the first case of each combination; one more at the end.
    offsets: Vec<usize>,
    /// The most steps that thoughts take in one of them.
    n_steps: Vec<usize>,
    /// Ends of thoughts in each case.
    ends: Vec<&'a Ends>,
    /// The case of each decision.
    of_decision: Vec<usize>,
    /// Number of decisions of each case.
    all: Vec<f64>,
}

impl<'a> Cases<'a> {
    fn new(thoughts: &'a Stopping, predictors: &'a [Vec<f64>]) -> Self {
        let by_predictors = |left: usize, right: usize| {
            let pairs = predictors[left].iter().zip(&predictors[right]);
            pairs.map(|(left, right)| left.total_cmp(right)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        };
        let mut order: Vec<usize> = (0..thoughts.kinds.len()).collect();
        order
            .sort_by(|&left, &right| by_predictors(left, right).then(thoughts.kinds[left].cmp(&thoughts.kinds[right])));
        let mut result = Self {
            predictors: Vec::new(),
            offsets: Vec::new(),
            n_steps: Vec::new(),
            ends: Vec::new(),
            of_decision: vec![0; order.len()],
            all: Vec::new(),
        };
        let mut last = None;
        for decision in order {
            let is_other = last.is_none_or(|last| by_predictors(last, decision).is_ne());
            if is_other {
                result.predictors.push(&predictors[decision]);
                result.offsets.push(result.ends.len());
            }
            if is_other || last.is_none_or(|last| thoughts.kinds[last] != thoughts.kinds[decision]) {
                result.ends.push(&thoughts.ends[thoughts.kinds[decision] as usize]);
                result.all.push(0.0);
            }
            let case = result.ends.len() - 1;
            result.of_decision[decision] = case;
            result.all[case] += 1.0;
            last = Some(decision);
        }
        result.offsets.push(result.ends.len());
        let most = |range: &[usize]| result.ends[range[0]..range[1]].iter().map(|ends| ends.n_steps()).max();
        result.n_steps = result.offsets.windows(2).map(|range| most(range).unwrap_or_default()).collect();
        result
    }

    /// ln L of decisions, each group left out in turn, from the maximum of all.
    fn held_out(&self, decisions: &Decisions, folds: Folds, of_all: &Maximum) -> Result<f64, NotEstimable> {
        let (of_decision, n_folds) = numbered(decisions, folds)?;
        let mut parts = vec![vec![0.0; self.all.len()]; n_folds];
        self.of_decision.iter().zip(of_decision).for_each(|(&case, fold)| parts[fold][case] += 1.0);
        let of_fold = |out: &Vec<f64>| -> Result<f64, NotEstimable> {
            let start = of_all.point.as_slice();
            let rest: Vec<f64> = self.all.iter().zip(out).map(|(all, out)| all - out).collect();
            // The likelihood of the others is that of all less that of the fold, which is a smaller sum.
            let local = of_all.local.without(&self.at(out, start));
            let (least, most) = self.ranges(self.n_predictors());
            let search = Bounded::new(|point: &[f64]| self.at(&rest, point), &least, &most);
            let near = search.without_last_evaluation().climb_from(start, &local);
            let maximum = if is_found(&near) { near } else { self.maximum(&rest)? };
            Ok(self.at(out, maximum.point.as_slice()).value)
        };
        let values: Result<Vec<f64>, NotEstimable> = parts.par_iter().map(of_fold).collect();
        let sum: f64 = values?.into_iter().sum();
        if !sum.is_finite() {
            let why = "a choice that was left out has probability 0".to_owned();
            return Err(NotEstimable::Undefined { quantity: "the cross-validated likelihood", why });
        }
        Ok(sum)
    }

    fn n_predictors(&self) -> usize {
        self.predictors[0].len()
    }

    /// Returns the lower and the upper bounds of the weights of the predictors, of which only the first `n_free` may
    /// differ from 0.
    fn ranges(&self, n_free: usize) -> (Vec<f64>, Vec<f64>) {
        let most: Vec<f64> =
            (0..self.n_predictors()).map(|place| if place < n_free { LARGEST_LOGIT } else { 0.0 }).collect();
        (most.iter().map(|most| -most).collect(), most)
    }

    /// The log-likelihood of as many decisions of each case as `weights` says.
    fn at(&self, weights: &[f64], point: &[f64]) -> Local {
        let n = point.len();
        let mut local = Local { value: 0.0, gradient: DVector::zeros(n), information: DMatrix::zeros(n, n) };
        let (mut powers, mut value) = (Powers::default(), LogSum::default());
        for (place, x) in self.predictors.iter().enumerate() {
            let range = self.offsets[place]..self.offsets[place + 1];
            if weights[range.clone()].iter().all(|weight| *weight == 0.0) {
                continue;
            }
            let logit: f64 = point.iter().zip(*x).map(|(weight, x)| weight * x).sum();
            let gamma = 1.0 / (1.0 + (-logit).exp());
            powers.set(gamma, self.n_steps[place]);
            let (mut by_gamma, mut twice) = (0.0, 0.0);
            for (ends, &weight) in self.ends[range.clone()].iter().zip(&weights[range]) {
                if weight > 0.0 {
                    let [probability, slope, bend] = ends.probability(&powers);
                    value.add(probability, weight);
                    by_gamma += weight * slope;
                    twice += weight * bend;
                }
            }
            let slope = gamma * (1.0 - gamma);
            let curvature = twice * slope * slope + by_gamma * slope * (1.0 - 2.0 * gamma);
            for row in 0..n {
                local.gradient[row] += by_gamma * slope * x[row];
                for column in 0..n {
                    local.information[(row, column)] -= curvature * x[row] * x[column];
                }
            }
        }
        local.value = value.total();
        local
    }

    /// The maximum with one γ, and from there with one that depends on the predictors.
    fn maximum(&self, weights: &[f64]) -> Result<Maximum, NotEstimable> {
        let evaluate = |point: &[f64]| self.at(weights, point);
        let (least, most) = self.ranges(1);
        let constant = Bounded::new(evaluate, &least, &most);
        let mut tried: Vec<Maximum> = Vec::new();
        // Not concave in γ: people who hardly think and people who think to the end can be two peaks.
        for intercept in [-3.0, 0.0, 2.0] {
            let mut start = vec![0.0; self.n_predictors()];
            start[0] = intercept;
            let other = constant.climb_elsewhere(&start, &tried);
            tried.extend(other);
        }
        let best = tried.into_iter().max_by(|left, right| left.local.value.total_cmp(&right.local.value));
        let mut maximum = best.expect("there are starts");
        if self.n_predictors() > 1 && maximum.converged {
            let (least, most) = self.ranges(self.n_predictors());
            maximum = Bounded::new(evaluate, &least, &most).climb_from(maximum.point.as_slice(), &maximum.local);
        }
        if is_found(&maximum) {
            return Ok(maximum);
        }
        let why = format!("the optimiser did not converge in {} steps", maximum.n_iterations);
        Err(NotEstimable::Undefined { quantity: "the maximum of the likelihood", why })
    }
}

fn is_found(maximum: &Maximum) -> bool {
    maximum.converged && maximum.local.value.is_finite()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::grouping::tests::decisions;

    #[test]
    fn what_is_asked_again_has_the_same_answer() {
        let decisions = decisions();
        let x: Vec<f64> = (0..decisions.n()).map(|place| (place % 7) as f64).collect();
        let [folds, others] = [3, 4].map(|n_folds| Folds::Decisions { n_folds, seed: 1 });
        let stopping = Stopping::new(&decisions);
        let fit = stopping.fit(&x, folds);
        assert!(fit.held_out_gain.is_some());
        for (covariates, folds) in [(&[][..], folds), (&[&x[..]], folds), (&[&x], others), (&[], others)] {
            assert_eq!(stopping.held_out(covariates, folds), Stopping::new(&decisions).held_out(covariates, folds));
        }
        let held_out = |covariates: &[&[f64]]| stopping.held_out(covariates, folds).unwrap();
        assert_eq!(fit.held_out_gain, Some(held_out(&[&x]) - held_out(&[])));
        // The fits of both folds, of none and of one covariate.
        assert_eq!(stopping.known.lock().unwrap().len(), 4);
    }
}

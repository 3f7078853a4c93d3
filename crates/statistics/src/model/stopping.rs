//! Whether people think deeper at some moves than at others: the probability of stopping in chains of thought, by what is
//! known of a move.
//!
//! The model is that of [`Rule::AndOr`], where the log odds of γ are α + β x instead of one number.
//! α and β are maximum likelihood estimates for one participant, by Newton's method.

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;
use serde::Serialize;

use super::choice::{Model, ParameterValues, Rule};
use super::cross_validation::{Folds, numbered};
use super::decisions::Decisions;
use super::design::{Design, Ends};
use crate::stats::newton::{Local, Maximum, maximise_within};
use crate::stats::{NotEstimable, check_count};

/// Log odds beyond which γ is 0 or 1 to all digits that matter.
const LARGEST_LOGIT: f64 = 20.0;

/// The probability of stopping as a function of a covariate.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StoppingFit {
    /// Number of decisions.
    pub n: usize,
    /// α: log odds of stopping where the covariate is at its mean.
    pub intercept: Option<f64>,
    /// β: by how much they rise for each unit of the covariate.
    pub slope: Option<f64>,
    /// Its standard error, from the observed information.
    pub slope_error: Option<f64>,
    /// Maximised ln L.
    pub log_likelihood: Option<f64>,
    /// Maximised ln L if γ is the same for all moves.
    pub log_likelihood_constant: Option<f64>,
    /// ln L of decisions that took no part in the fit, less that of a γ that is the same for all moves.
    pub held_out_gain: Option<f64>,
    /// Why something is missing.
    pub reason: Option<NotEstimable>,
}

/// Fits the probability of stopping to decisions, each with a value of the covariate.
///
/// Cross-validation leaves out `folds`.
pub fn fit_stopping(decisions: &Decisions, covariate: &[f64], folds: Folds) -> StoppingFit {
    let mut result = StoppingFit { n: decisions.n(), ..StoppingFit::default() };
    result.reason = result.complete(decisions, covariate, folds).err();
    result
}

/// ln L of decisions that took no part in the fit, for a probability of stopping that depends on these covariates; on none, it
/// is the same for all moves. Cross-validation leaves out `folds`.
///
/// # Errors
///
/// Why there is none: too few decisions, a covariate that does not vary or is not finite, a fit without a maximum, or a
/// choice that was left out and has probability 0.
pub fn held_out_stopping(decisions: &Decisions, covariates: &[&[f64]], folds: Folds) -> Result<f64, NotEstimable> {
    let likelihood = Likelihood::new(decisions, covariates)?;
    let all: Vec<usize> = (0..decisions.n()).collect();
    likelihood.held_out(decisions, folds, &likelihood.maximum(&all, 1 + covariates.len(), None)?)
}

impl StoppingFit {
    fn complete(&mut self, decisions: &Decisions, covariate: &[f64], folds: Folds) -> Result<(), NotEstimable> {
        let likelihood = Likelihood::new(decisions, &[covariate])?;
        let all: Vec<usize> = (0..self.n).collect();
        let constant = likelihood.maximum(&all, 1, None)?;
        let sloped = likelihood.maximum(&all, 2, None)?;
        self.log_likelihood_constant = Some(constant.local.value);
        self.log_likelihood = Some(sloped.local.value);
        (self.intercept, self.slope) = (Some(sloped.point[0]), Some(sloped.point[1]));
        let covariance = sloped.local.information.clone().try_inverse();
        let variance = covariance.map(|own| own[(1, 1)]).filter(|variance| *variance > 0.0 && !sloped.is_bound[0]);
        self.slope_error = variance.map(f64::sqrt);
        self.held_out_gain =
            Some(likelihood.held_out(decisions, folds, &sloped)? - likelihood.held_out(decisions, folds, &constant)?);
        Ok(())
    }
}

struct Likelihood {
    /// Where thoughts before each decision end.
    ends: Vec<Ends>,
    /// For each decision 1, and its covariates less their means.
    predictors: Vec<Vec<f64>>,
}

impl Likelihood {
    fn new(decisions: &Decisions, covariates: &[&[f64]]) -> Result<Self, NotEstimable> {
        let n = decisions.n();
        check_count("the probability of stopping", "decisions", n, 10)?;
        let mut predictors = vec![vec![1.0]; n];
        for covariate in covariates {
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
            predictors.iter_mut().zip(*covariate).for_each(|(own, value)| own.push(value - mean));
        }
        let design = Design::new(decisions, &Model::new(Rule::AndOr), &ParameterValues::default());
        Ok(Self { ends: design.ends(), predictors })
    }

    /// ln L of decisions, each group left out in turn, with the predictors that the maximum of all of them has.
    fn held_out(&self, decisions: &Decisions, folds: Folds, of_all: &Maximum) -> Result<f64, NotEstimable> {
        let (of_decision, n_folds) = numbered(decisions, folds)?;
        let of_fold = |fold: usize| -> Result<f64, NotEstimable> {
            let (out, rest): (Vec<usize>, Vec<usize>) =
                (0..decisions.n()).partition(|&decision| of_decision[decision] == fold);
            let found = self.maximum(&rest, of_all.point.len(), Some(of_all))?;
            Ok(self.at(&out, found.point.as_slice()).value)
        };
        let values: Result<Vec<f64>, NotEstimable> = (0..n_folds).into_par_iter().map(of_fold).collect();
        let sum: f64 = values?.into_iter().sum();
        if !sum.is_finite() {
            let why = "a choice that was left out has probability 0".to_owned();
            return Err(NotEstimable::Undefined { quantity: "the cross-validated likelihood", why });
        }
        Ok(sum)
    }

    /// The log-likelihood of some decisions, with as many predictors as the point has weights.
    fn at(&self, decisions: &[usize], point: &[f64]) -> Local {
        let n = point.len();
        let mut local = Local { value: 0.0, gradient: DVector::zeros(n), information: DMatrix::zeros(n, n) };
        for &decision in decisions {
            let x = &self.predictors[decision];
            let logit: f64 = point.iter().zip(x).map(|(weight, x)| weight * x).sum();
            let gamma = 1.0 / (1.0 + (-logit).exp());
            let slope = gamma * (1.0 - gamma);
            let [value, by_gamma, twice] = self.ends[decision].log_probability(gamma);
            local.value += value;
            let curvature = twice * slope * slope + by_gamma * slope * (1.0 - 2.0 * gamma);
            for row in 0..n {
                local.gradient[row] += by_gamma * slope * x[row];
                for column in 0..n {
                    local.information[(row, column)] -= curvature * x[row] * x[column];
                }
            }
        }
        local
    }

    /// The maximum with one γ, and from there with one that depends on the first `n` predictors; or from the maximum of all
    /// decisions, which lies close to that of most of them.
    fn maximum(&self, decisions: &[usize], n: usize, of_all: Option<&Maximum>) -> Result<Maximum, NotEstimable> {
        let from = |start: &[f64]| {
            let most = vec![LARGEST_LOGIT; start.len()];
            let least = vec![-LARGEST_LOGIT; start.len()];
            maximise_within(|point: &[f64]| self.at(decisions, point), start, &least, &most)
        };
        let is_found = |found: &Maximum| found.converged && found.local.value.is_finite();
        if let Some(near) = of_all.map(|of_all| from(of_all.point.as_slice())).filter(is_found) {
            return Ok(near);
        }
        let best = [-3.0, 0.0, 2.0].map(|start| from(&[start])).into_iter();
        let mut found =
            best.max_by(|left, right| left.local.value.total_cmp(&right.local.value)).expect("three starts");
        if n > 1 && found.converged {
            let mut start = vec![0.0; n];
            start[0] = found.point[0];
            found = from(&start);
        }
        if is_found(&found) {
            return Ok(found);
        }
        let why = format!("the optimiser did not converge in {} steps", found.n_iterations);
        Err(NotEstimable::Undefined { quantity: "the maximum of the likelihood", why })
    }
}

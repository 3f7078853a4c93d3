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
use super::design::Design;
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

impl StoppingFit {
    fn complete(&mut self, decisions: &Decisions, covariate: &[f64], folds: Folds) -> Result<(), NotEstimable> {
        check_count("the probability of stopping", "decisions", decisions.n(), 10)?;
        if covariate.len() != decisions.n() {
            let (left, right) = (covariate.len(), decisions.n());
            let (left_name, right_name) = ("the covariate", "the list of decisions");
            return Err(NotEstimable::UnequalLengths { left_name, left, right_name, right });
        }
        if let Some(index) = covariate.iter().position(|value| !value.is_finite()) {
            let value = covariate[index].to_string();
            return Err(NotEstimable::NotFinite { variable: "the covariate", value, index });
        }
        let mean = covariate.iter().sum::<f64>() / self.n as f64;
        let centred: Vec<f64> = covariate.iter().map(|value| value - mean).collect();
        if centred.iter().all(|value| value.abs() < 1e-12) {
            let why = "the covariate is the same at all decisions".to_owned();
            return Err(NotEstimable::Undefined { quantity: "the slope of stopping", why });
        }
        let model = Model::new(Rule::AndOr);
        let design = Design::new(decisions, &model, &ParameterValues::default());
        let likelihood = Likelihood { design: &design, covariate: &centred };
        let all: Vec<usize> = (0..self.n).collect();
        let constant = likelihood.maximum(&all, None)?;
        let sloped = likelihood.maximum(&all, Some(&constant))?;
        self.log_likelihood_constant = Some(constant.local.value);
        self.log_likelihood = Some(sloped.local.value);
        (self.intercept, self.slope) = (Some(sloped.point[0]), Some(sloped.point[1]));
        let covariance = sloped.local.information.clone().try_inverse();
        let variance = covariance.map(|own| own[(1, 1)]).filter(|variance| *variance > 0.0 && !sloped.is_bound[0]);
        self.slope_error = variance.map(f64::sqrt);
        let (of_decision, n_folds) = numbered(decisions, folds)?;
        let gain = |fold: usize| -> Result<f64, NotEstimable> {
            let (out, rest): (Vec<usize>, Vec<usize>) = all.iter().partition(|&&own| of_decision[own] == fold);
            let constant = likelihood.maximum(&rest, None)?;
            let sloped = likelihood.maximum(&rest, Some(&constant))?;
            Ok(likelihood.at(&out, sloped.point.as_slice()).value
                - likelihood.at(&out, constant.point.as_slice()).value)
        };
        let gains: Result<Vec<f64>, NotEstimable> = (0..n_folds).into_par_iter().map(gain).collect();
        let sum: f64 = gains?.into_iter().sum();
        if !sum.is_finite() {
            let why = "a choice that was left out has probability 0".to_owned();
            return Err(NotEstimable::Undefined { quantity: "the cross-validated likelihood", why });
        }
        self.held_out_gain = Some(sum);
        Ok(())
    }
}

struct Likelihood<'a> {
    design: &'a Design,
    covariate: &'a [f64],
}

impl Likelihood<'_> {
    /// The log-likelihood of some decisions, with one γ, or with one that depends on the covariate.
    fn at(&self, decisions: &[usize], point: &[f64]) -> Local {
        let n = point.len();
        let mut local = Local { value: 0.0, gradient: DVector::zeros(n), information: DMatrix::zeros(n, n) };
        for &decision in decisions {
            let x = [1.0, self.covariate[decision]];
            let logit: f64 = point.iter().zip(x).map(|(weight, x)| weight * x).sum();
            let gamma = 1.0 / (1.0 + (-logit).exp());
            let slope = gamma * (1.0 - gamma);
            let [value, by_gamma, twice] = self.design.log_probability_of_chosen(decision, gamma);
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

    /// The maximum with one γ, or from there with one that depends on the covariate.
    fn maximum(&self, decisions: &[usize], constant: Option<&Maximum>) -> Result<Maximum, NotEstimable> {
        let evaluate = |point: &[f64]| self.at(decisions, point);
        let found = match constant {
            Some(constant) => {
                let start = [constant.point[0], 0.0];
                let most = [LARGEST_LOGIT, LARGEST_LOGIT];
                maximise_within(evaluate, &start, &most.map(|own: f64| -own), &most)
            }
            None => [-3.0, 0.0, 2.0]
                .map(|start| maximise_within(evaluate, &[start], &[-LARGEST_LOGIT], &[LARGEST_LOGIT]))
                .into_iter()
                .max_by(|left, right| left.local.value.total_cmp(&right.local.value))
                .expect("three starts"),
        };
        if found.converged && found.local.value.is_finite() {
            return Ok(found);
        }
        let why = format!("the optimiser did not converge in {} steps", found.n_iterations);
        Err(NotEstimable::Undefined { quantity: "the maximum of the likelihood", why })
    }
}

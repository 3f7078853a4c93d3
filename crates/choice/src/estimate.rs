//! Estimates with their errors and intervals, from the maximum of a likelihood.

use nalgebra::{DMatrix, DVector, SymmetricEigen};
use plymap_statistics::inference::Confidence;
use plymap_statistics::not_estimable::NotEstimable;
use plymap_statistics::numeric::distribution::normal_upper_quantile;
use serde::Serialize;

use crate::climb::{Climb, Tried, scaled_range};
use crate::cone::{Directions, Tendency};
use crate::design::{Design, Determined, LARGEST_LOGIT};
use crate::model::{Model, Parameter};
use crate::profile;

/// Options of a fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct FitOptions {
    /// Confidence level of the intervals; 95 % by default.
    pub confidence: Confidence,
    /// True if all intervals are by profile likelihood, for which the model is fitted some ten times
    /// more for each end.
    /// Otherwise those of Wald, except at the end of a parameter's range.
    pub profile: bool,
}

/// Method of the interval of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum IntervalMethod {
    /// Estimate ± z · standard error, cut at the end of the range.
    Wald,
    /// The same for the log odds of a probability, taken back to it.
    WaldLogit,
    /// The same for ln K, and for ln(L − 1), taken back.
    WaldLog,
    /// All values whose profile likelihood (maximised over the other parameters) is not significantly
    /// below the maximum: 2 Δ ln L is at most the quantile of χ² with one degree of freedom. Conservative at the
    /// end of a range, and for whole numbers a convention.
    Profile,
}

/// A fitted parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The parameter.
    pub parameter: Parameter,
    /// The maximum likelihood estimate; absent if every value has the same likelihood, and if it is infinite: the
    /// likelihood keeps rising as the value grows, alone or together with others (separation).
    pub estimate: Option<f64>,
    /// Standard error from the observed information (the inverse of minus the Hessian of ln L, other parameters at an
    /// end of their range held there); absent at an end of the range and for whole numbers.
    pub standard_error: Option<f64>,
    /// Lower end of the interval.
    pub lower: Option<f64>,
    /// Upper end of the interval.
    pub upper: Option<f64>,
    /// Method of the interval; absent without interval.
    pub interval: Option<IntervalMethod>,
    /// True if the maximum of the likelihood is at an end of the range, or at infinity.
    pub at_boundary: bool,
    /// Limit of an estimate that is infinite by itself; absent of one that is so together with others, whose ratio the
    /// data tell and not their values.
    pub limit: Option<Limit>,
    /// Reason why the first of the absent values is absent.
    pub reason: Option<NotEstimable>,
}

/// Limit of an infinite estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// ∞.
    Infinity,
    /// −∞.
    MinusInfinity,
}

impl Limit {
    /// The names of all, as tables have them: none is one that R or pandas reads as a number.
    pub const NAMES: [&str; 2] = ["plus infinity", "minus infinity"];

    /// Its name.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    pub(crate) const fn towards(value: f64) -> Self {
        if value < 0.0 { Self::MinusInfinity } else { Self::Infinity }
    }
}

/// A standard error this many times as large as the largest sensible estimate says that several
/// parameters together have a monotone likelihood.
const LARGEST_ERROR: f64 = 1e4;

/// Information below this, where that of each parameter by itself is 1, is rounding.
const SMALLEST_EIGENVALUE: f64 = 1e-10;

/// The estimates of a model's parameters, in its order, and how many parameters that makes. `whole`
/// holds what was tried for the whole number.
pub(crate) fn estimates(best: &Tried, model: &Model, whole: &[Tried], options: &FitOptions) -> (Vec<Estimate>, usize) {
    let z = normal_upper_quantile(options.confidence.tail());
    let Tried { design, climb, .. } = best;
    let directions = design.directions(climb.maximum.point.as_slice());
    let errors = Errors::new(climb, design.n_base(), &directions);
    let estimate_of = |parameter: Parameter| match design.parameters().iter().position(|&other| other == parameter) {
        None => whole_number(parameter, whole, best, z),
        Some(index) => {
            let context = Context { design, climb, directions: &directions, index, z };
            context.estimate(errors.of[index], options.profile)
        }
    };
    let estimates: Vec<Estimate> = model.parameters().into_iter().map(estimate_of).collect();
    let n_whole =
        estimates.iter().filter(|estimate| estimate.parameter.is_whole() && estimate.estimate.is_some()).count();
    let n_determined = climb.determined.iter().filter(|&&state| state != Determined::Never).count();
    (estimates, n_whole + n_determined - errors.n_flat)
}

/// Standard errors from the observed information.
struct Errors {
    /// Standard error of each parameter; absent where it is not free, and where the likelihood stays the same if it is
    /// changed together with others.
    of: Vec<Option<f64>>,
    /// Number of directions in which the likelihood stays the same.
    n_flat: usize,
}

impl Errors {
    /// Computes the errors. Where the likelihood rises without end in some directions, they are those of its limit
    /// there: of what is perpendicular to the directions.
    fn new(climb: &Climb, n_base: usize, directions: &Directions) -> Self {
        let maximum = &climb.maximum;
        let free: Vec<usize> = (0..maximum.point.len()).filter(|&index| !maximum.is_bound[index]).collect();
        let mut errors = Self { of: vec![None; maximum.point.len()], n_flat: 0 };
        if directions.has_endless() {
            let n_informed = climb.determined[n_base..].iter().filter(|&&state| state != Determined::Never).count();
            errors.n_flat = n_informed - directions.rank();
        }
        if free.is_empty() || !maximum.local.value.is_finite() {
            return errors;
        }
        // Scaled to a diagonal of 1, so that the units of regret and value do not matter.
        let information = maximum.local.information_of(&free);
        let scale: Vec<f64> = information
            .diagonal()
            .iter()
            .map(|&variance| if variance > 0.0 && variance.is_finite() { variance.sqrt() } else { 1.0 })
            .collect();
        let mut scaled = DMatrix::from_fn(free.len(), free.len(), |row, column| {
            information[(row, column)] / (scale[row] * scale[column])
        });
        if directions.has_endless() {
            scaled = within(&scaled, &perpendicular(&free, &scale, n_base, directions));
        }
        let eigen = SymmetricEigen::new(scaled);
        let is_flat = |value: f64| value < SMALLEST_EIGENVALUE;
        errors.n_flat += eigen.eigenvalues.iter().filter(|value| is_flat(**value)).count();
        for (place, &index) in free.iter().enumerate() {
            let parts = || eigen.eigenvectors.row(place).into_iter().copied().zip(eigen.eigenvalues.iter().copied());
            let is_determined = parts().all(|(part, value)| !is_flat(value) || part.abs() < 1e-6);
            let variance: f64 =
                parts().filter(|(_, value)| !is_flat(*value)).map(|(part, value)| part * part / value).sum();
            errors.of[index] = is_determined.then(|| variance.sqrt() / scale[place]);
        }
        errors
    }
}

/// The part of the space of the free parameters, in units of `scale`, in which the likelihood has a limit: a projection.
fn perpendicular(free: &[usize], scale: &[f64], n_base: usize, directions: &Directions) -> DMatrix<f64> {
    // What is perpendicular to a direction d is so to its stretched version if it is compressed as much.
    let stretched = |vector: &DVector<f64>| {
        let at = |index: usize| index.checked_sub(n_base).map_or(0.0, |place| vector[place]);
        DVector::from_fn(free.len(), |row, _| at(free[row]) / scale[row])
    };
    let of_base = free.iter().enumerate().filter(|(_, index)| **index < n_base);
    let axes = of_base.map(|(row, _)| DVector::from_fn(free.len(), |other, _| f64::from(u8::from(other == row))));
    let all: Vec<DVector<f64>> = directions.bounded().map(|direction| stretched(&direction)).chain(axes).collect();
    let mut projection = DMatrix::zeros(free.len(), free.len());
    let mut basis: Vec<DVector<f64>> = Vec::new();
    for direction in all {
        let rest = basis.iter().fold(direction.clone(), |rest, axis| &rest - axis * axis.dot(&rest));
        if let Some(rest) = rest.try_normalize(1e-9 * direction.norm()) {
            projection += &rest * rest.transpose();
            basis.push(rest);
        }
    }
    projection
}

/// The information within a part of the space, and 1 beside it.
fn within(information: &DMatrix<f64>, projection: &DMatrix<f64>) -> DMatrix<f64> {
    let n = information.nrows();
    projection * information * projection + DMatrix::identity(n, n) - projection
}

struct Context<'a> {
    design: &'a Design,
    climb: &'a Climb,
    directions: &'a Directions,
    index: usize,
    z: f64,
}

impl Context<'_> {
    fn estimate(&self, error: Option<f64>, by_profile: bool) -> Estimate {
        let parameter = self.design.parameters()[self.index];
        let value = self.climb.maximum.point[self.index];
        let mut result = blank(parameter);
        match self.climb.determined[self.index] {
            Determined::Never => {
                result.reason = Some(undefined(parameter.name(), "no decision depends on it".to_owned()));
            }
            // Where only a sum of weights is infinite, none of them by itself is.
            _ if self.directions.has_endless() && self.tendency() == Tendency::Flat => {
                result.reason = Some(flat(parameter));
            }
            Determined::Endless(_) => {
                (result.at_boundary, result.limit) = (true, Some(Limit::towards(value)));
                result.reason = Some(endless(parameter, value, ""));
                // How far it may come back depends on where the others are held.
                if !self.has_others_endless() {
                    self.set_profile(&mut result, value, None);
                }
            }
            Determined::Yes { .. } if self.tendency() == Tendency::Endless => self.set_endless(&mut result, value),
            Determined::Yes { .. } if self.is_at_largest() => {
                result.at_boundary = true;
                let (_, most) = parameter.range();
                let why = format!("the likelihood keeps rising up to {most:.0}, the largest value that is tried");
                result.reason = Some(undefined(parameter.name(), why));
                self.set_profile(&mut result, value, None);
            }
            Determined::Yes { least } => {
                result.estimate = Some(parameter.unscaled(value));
                if self.climb.maximum.is_bound[self.index] {
                    result.at_boundary = true;
                    let why =
                        format!("{} lies at the end of its range, {}", parameter.name(), parameter.unscaled(value));
                    result.reason = Some(undefined("a standard error", why));
                    self.set_profile(&mut result, value, None);
                } else {
                    self.complete(&mut result, value, least, error, by_profile);
                }
            }
        }
        result
    }

    /// Dependence of the likelihood on the parameter, by what was chosen.
    fn tendency(&self) -> Tendency {
        self.tendency_of(self.index)
    }

    fn tendency_of(&self, index: usize) -> Tendency {
        let n_base = self.design.n_base();
        let n = self.design.parameters().len() - n_base;
        index.checked_sub(n_base).map_or(Tendency::Bounded, |place| self.directions.of(place, n))
    }

    fn has_others_endless(&self) -> bool {
        let n = self.design.parameters().len();
        (0..n).any(|other| other != self.index && self.tendency_of(other) == Tendency::Endless)
    }

    /// Returns true if a parameter without a largest value has the largest that is tried.
    fn is_at_largest(&self) -> bool {
        let parameter = self.design.parameters()[self.index];
        let (_, most) = scaled_range(parameter);
        let is_endless = matches!(parameter, Parameter::RolloutLength | Parameter::Rollouts);
        is_endless && self.climb.maximum.is_bound[self.index] && self.climb.maximum.point[self.index] >= most
    }

    /// The error and interval of an estimate within its range.
    fn complete(&self, result: &mut Estimate, value: f64, least: f64, error: Option<f64>, by_profile: bool) {
        let parameter = result.parameter;
        let is_large = value.abs() * least > LARGEST_LOGIT;
        let Some(error) = error.filter(|_| self.climb.maximum.converged) else {
            if self.climb.maximum.converged {
                (result.estimate, result.reason) = (None, Some(flat(parameter)));
            } else if is_large {
                self.set_endless(result, value);
            } else {
                result.reason = Some(undefined("a standard error", "the fit did not converge".to_owned()));
            }
            return;
        };
        if is_large || error * least > LARGEST_ERROR {
            return self.set_endless(result, value);
        }
        result.standard_error = Some(error * parameter.slope(value));
        if by_profile {
            return self.set_profile(result, value, Some(error));
        }
        let (least, most) = scaled_range(parameter);
        let (lower, upper, method) = if parameter.is_probability() {
            let (centre, half) = ((value / (1.0 - value)).ln(), self.z * error / (value * (1.0 - value)));
            (logistic(centre - half), logistic(centre + half), IntervalMethod::WaldLogit)
        } else {
            let [lower, upper] = [(value - self.z * error).max(least), (value + self.z * error).min(most)];
            let is_scaled = matches!(parameter, Parameter::RolloutLength | Parameter::Rollouts);
            let method = if is_scaled { IntervalMethod::WaldLog } else { IntervalMethod::Wald };
            (parameter.unscaled(lower), parameter.unscaled(upper), method)
        };
        (result.lower, result.upper, result.interval) = (Some(lower), Some(upper), Some(method));
    }

    fn set_endless(&self, result: &mut Estimate, value: f64) {
        (result.estimate, result.at_boundary) = (None, true);
        result.reason = Some(endless(result.parameter, value, TOGETHER));
    }

    /// The interval by profile likelihood; where the likelihood is monotone, only its near end.
    fn set_profile(&self, result: &mut Estimate, value: f64, error: Option<f64>) {
        let (least, most) = scaled_range(result.parameter);
        let (probability_step, logit_step) = (1e-3, 1e-3 * value.abs().max(1e-3));
        let default_step = if result.parameter.is_probability() { probability_step } else { logit_step };
        let step = error.map_or(default_step, |error| self.z * error);
        // Rollouts have several peaks along their lengths.
        let n_halvings = if self.design.n_base() > 1 { 10 } else { 0 };
        let end = |limit: f64| {
            if limit == value {
                return Some(result.parameter.unscaled(value));
            }
            let mut near = self.climb.maximum.clone();
            let drop = |value: f64| {
                let held = self.climb.held_at(self.design, self.index, value, &near);
                let drop = self.climb.drop_to(self.index, &held)?;
                if drop.value.is_finite() {
                    near = held;
                }
                Some(drop)
            };
            let bound = profile::end(drop, value, limit, step, 0.5 * self.z * self.z, n_halvings);
            bound.map(|end| result.parameter.unscaled(end))
        };
        let is_endless = result.estimate.is_none();
        let lower = if is_endless && value < 0.0 { None } else { end(least) };
        let upper = if is_endless && value > 0.0 { None } else { end(most) };
        (result.lower, result.upper) = (lower, upper);
        result.interval = (result.lower.is_some() || result.upper.is_some()).then_some(IntervalMethod::Profile);
    }
}

fn logistic(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// The whole number, with those that are not significantly worse as its interval.
fn whole_number(parameter: Parameter, tried: &[Tried], chosen: &Tried, z: f64) -> Estimate {
    let mut result = blank(parameter);
    let values = || tried.iter().map(Tried::log_likelihood);
    let (best, worst) = (values().fold(f64::NEG_INFINITY, f64::max), values().fold(f64::INFINITY, f64::min));
    if tried.len() > 1 && best - worst <= 1e-10 * (1.0 + best.abs()) {
        result.reason = Some(undefined(parameter.name(), "every value has the same likelihood".to_owned()));
        return result;
    }
    result.estimate = chosen.whole.get(parameter);
    result.reason = Some(undefined("a standard error", format!("{} is a whole number", parameter.name())));
    let is_near = |attempt: &&Tried| 2.0 * (best - attempt.log_likelihood()) <= z * z;
    let near = || tried.iter().filter(is_near).filter_map(|attempt| attempt.whole.get(parameter));
    (result.lower, result.upper) = (near().next(), near().next_back());
    result.interval = Some(IntervalMethod::Profile);
    result
}

fn blank(parameter: Parameter) -> Estimate {
    Estimate {
        parameter,
        estimate: None,
        standard_error: None,
        lower: None,
        upper: None,
        interval: None,
        at_boundary: false,
        limit: None,
        reason: None,
    }
}

/// Relation of an infinite value to other parameters.
const TOGETHER: &str = ", together with others";

fn endless(parameter: Parameter, value: f64, beside: &str) -> NotEstimable {
    let goal = Limit::towards(value).name();
    let why =
        format!("it has no finite maximum likelihood estimate, as the likelihood keeps rising towards {goal}{beside}");
    undefined(parameter.name(), why)
}

fn flat(parameter: Parameter) -> NotEstimable {
    undefined(parameter.name(), "the likelihood stays the same if it is changed together with others".to_owned())
}

fn undefined(quantity: &'static str, why: String) -> NotEstimable {
    NotEstimable::Undefined { quantity, why }
}

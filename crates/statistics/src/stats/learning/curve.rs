//! One learning curve by least squares.

use nalgebra::{DMatrix, DVector};
use serde::Serialize;

use super::rate::{N_STARTS, best_rate};
use super::shape::Shape;
use crate::apa;
use crate::inference::Confidence;
use crate::not_estimable::{NotEstimable, check_count, check_values};
use crate::numeric::distribution::student_upper_quantile;
use crate::numeric::moments::Centred;

/// Columns of the derivatives that are linear functions of each other up to this share tell nothing.
const SMALLEST_REST: f64 = 1e-10;

/// One parameter of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Parameter {
    /// Its name in the formula of [`Shape`].
    pub name: &'static str,
    /// The least-squares estimate.
    pub estimate: f64,
    /// Its standard error, from the curve's derivatives at the estimate; absent if there are no
    /// degrees of freedom.
    pub standard_error: Option<f64>,
    /// Lower end of its interval by Student's t; approximate for the curved shapes.
    pub lower: Option<f64>,
    /// Upper end of its interval.
    pub upper: Option<f64>,
}

/// A learning curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Curve {
    /// Its shape.
    pub shape: Shape,
    /// Number of observations.
    pub n: usize,
    /// Its parameters in the order of the formula; empty if it could not be fitted.
    pub parameters: Vec<Parameter>,
    /// Sum of the squared residuals, in the square of the unit of y.
    pub residual_sum_of_squares: Option<f64>,
    /// Standard deviation of the residuals, √(sum / df), in the unit of y.
    pub residual_sd: Option<f64>,
    /// Share of the variance of y that the curve explains, from 0 to 1.
    pub r_squared: Option<f64>,
    /// Degrees of freedom of the residuals, n less the number of parameters; absent if that is 0.
    pub df: Option<usize>,
    /// Akaike information criterion (AIC) for normal residuals, corrected for small samples: n ln(sum / n) + 2 k +
    /// 2 k (k + 1) / (n − k − 1), k counting the parameters and the residual variance. Constants that are
    /// equal for all curves of the same data are left out.
    pub aicc: Option<f64>,
    /// AICc minus the smallest AICc of the curves compared with it.
    pub delta: Option<f64>,
    /// Akaike weight among the curves compared with it, from 0 to 1.
    pub weight: Option<f64>,
    /// Confidence level of the intervals.
    pub confidence: Confidence,
    /// Number of rates between which minima were looked for; 0 for shapes with a closed form.
    pub n_starts: usize,
    /// Number of local minima found among them.
    pub n_minima: usize,
    /// Number of halvings that located the best rate.
    pub iterations: usize,
    /// True if a minimum was found inside the range of rates.
    pub converged: bool,
    /// Reason why the first of the absent values is absent.
    pub reason: Option<NotEstimable>,
}

/// Fits a learning curve by least squares on the scale of `y`; `trials` are the trial numbers, from 1,
/// in any order and with repetitions.
///
/// The curved shapes are searched over all rates c at which the curve differs from a straight line (it
/// falls by a thousandth or more of b over all trials) and from a first trial and a constant (a
/// millionth or more of b is left at the second). A best fit at an end of the range is reported as not
/// determined. There is no start to choose: the search finds every local minimum that is as wide as a
/// 200th of the range of ln c. The standard errors are those of scipy's `curve_fit`, the residual
/// variance times the inverse of J'J.
///
/// Seber & Wild (1989). *Nonlinear regression*, sections 2.1 and 5.1. Hurvich & Tsai (1989). Regression
/// and time series model selection in small samples. *Biometrika*, 76, 297–307.
pub fn fit_curve(shape: Shape, trials: &[f64], y: &[f64], confidence: Confidence) -> Curve {
    let n = trials.len().min(y.len());
    let mut curve = Curve {
        shape,
        n,
        parameters: Vec::new(),
        residual_sum_of_squares: None,
        residual_sd: None,
        r_squared: None,
        df: n.checked_sub(shape.parameter_names().len()).filter(|&df| df > 0),
        aicc: None,
        delta: None,
        weight: None,
        confidence,
        n_starts: 0,
        n_minima: 0,
        iterations: 0,
        converged: false,
        reason: None,
    };
    curve.reason = curve.complete(trials, y).err();
    curve
}

impl Curve {
    /// The fitted value at a trial; absent if the curve could not be fitted.
    pub fn at(&self, trial: f64) -> Option<f64> {
        let values: Vec<f64> = self.parameters.iter().map(|parameter| parameter.estimate).collect();
        let fitted = match (self.shape, values.as_slice()) {
            (Shape::Constant, [a]) => *a,
            (Shape::Linear, [a, b]) => a + b * trial,
            (Shape::Exponential, [a, b, c]) => a + b * (-c * (trial - 1.0)).exp(),
            (Shape::Power, [a, b, c]) => a + b * trial.powf(-c),
            _ => return None,
        };
        Some(fitted).filter(|fitted| fitted.is_finite())
    }

    /// `exponential curve: a = 2.01 (SE = 0.03), b = 2.97 (SE = 0.08), c = 0.41 (SE = 0.02), R² = .98, AICc = −51.20, n = 40`.
    pub fn sentence(&self) -> String {
        let name = format!("{} curve", self.shape.name());
        if self.parameters.is_empty() {
            return apa::not_estimable(&name, self.n, self.reason.as_ref());
        }
        let parameters: Vec<String> = self.parameters.iter().map(printed).collect();
        let r_squared = self.r_squared.map_or(String::new(), |share| format!(", R² = {}", apa::bounded(share, 2)));
        let aicc = self.aicc.map_or(String::new(), |aicc| format!(", AICc = {}", apa::number(aicc, 2)));
        format!("{name}: {}{r_squared}{aicc}, n = {}", parameters.join(", "), apa::count(self.n))
    }

    fn complete(&mut self, trials: &[f64], y: &[f64]) -> Result<(), NotEstimable> {
        check_trials(trials, y)?;
        let names = self.shape.parameter_names();
        check_count("a learning curve", "observations", self.n, names.len())?;
        let mut different = trials.to_vec();
        different.sort_by(f64::total_cmp);
        different.dedup();
        check_count("a learning curve", "different trials", different.len(), names.len())?;
        if names.len() > 1 && y.iter().all(|&value| value == y[0]) {
            return Err(NotEstimable::NoVariance { variable: "y" });
        }
        let estimates = self.estimate(trials, y)?;
        self.converged = true;
        let bare = |(&name, &estimate): (&&'static str, &f64)| Parameter {
            name,
            estimate,
            standard_error: None,
            lower: None,
            upper: None,
        };
        self.parameters = names.iter().zip(&estimates).map(bare).collect();
        let residuals: Vec<f64> =
            trials.iter().zip(y).map(|(&trial, y)| y - self.at(trial).unwrap_or(f64::NAN)).collect();
        let (sum, total) = (sum_of_squares(&residuals), Centred::new(y).sum_of_squares());
        // Points on the curve leave residuals of a few units of the last place: noise, not variance.
        let largest = y.iter().fold(0.0, |largest: f64, y| largest.max(y.abs()));
        let is_noise = sum <= self.n as f64 * (8.0 * f64::EPSILON * largest).powi(2);
        let sum = if is_noise { 0.0 } else { sum };
        self.residual_sum_of_squares = Some(sum);
        self.r_squared = (total > 0.0).then(|| (1.0 - sum / total).max(0.0));
        if let Some(df) = self.df {
            let residual_sd = (sum / df as f64).sqrt();
            self.residual_sd = Some(residual_sd);
            self.set_errors(trials, &estimates, residual_sd, df)?;
        }
        self.aicc = Some(aicc(sum, self.n, names.len() + 1)?);
        Ok(())
    }

    fn estimate(&mut self, trials: &[f64], y: &[f64]) -> Result<Vec<f64>, NotEstimable> {
        // The scale on which the shape is exponential: t − 1, or ln t, because t^(−c) = exp(−c ln t).
        let scale = |trial: &f64| if self.shape == Shape::Power { trial.ln() } else { trial - 1.0 };
        match self.shape {
            Shape::Constant => Ok(vec![Centred::new(y).mean]),
            Shape::Linear => {
                let (level, slope) = line(trials, y);
                Ok(vec![level, slope])
            }
            Shape::Exponential | Shape::Power => {
                let u: Vec<f64> = trials.iter().map(scale).collect();
                self.n_starts = N_STARTS;
                let rate = best_rate(&u, y)?;
                (self.n_minima, self.iterations) = (rate.n_minima, rate.iterations);
                // From the first trial, so that the powers do not vanish where trials begin late.
                let first = u.iter().copied().fold(f64::INFINITY, f64::min);
                let part: Vec<f64> = u.iter().map(|u| (-rate.rate * (u - first)).exp()).collect();
                let (level, amount) = line(&part, y);
                let amount = amount * (rate.rate * first).exp();
                if !amount.is_finite() {
                    let why = "its amount b at the first trial is too large for a number".to_owned();
                    return Err(NotEstimable::Undefined { quantity: "the learning curve", why });
                }
                Ok(vec![level, amount, rate.rate])
            }
        }
    }

    /// Standard errors from the triangle R of the derivatives' QR decomposition: J'J = R'R.
    fn set_errors(
        &mut self,
        trials: &[f64],
        estimates: &[f64],
        residual_sd: f64,
        df: usize,
    ) -> Result<(), NotEstimable> {
        let columns: Vec<DVector<f64>> = derivatives(self.shape, trials, estimates);
        let lengths: Vec<f64> = columns.iter().map(|column| column.norm()).collect();
        let units: Vec<DVector<f64>> = columns.iter().zip(&lengths).map(|(column, length)| column / *length).collect();
        let triangle = DMatrix::from_columns(&units).qr().r();
        if triangle.diagonal().iter().any(|rest| rest.is_nan() || rest.abs() < SMALLEST_REST) {
            return Err(not_identified());
        }
        let size = triangle.nrows();
        let inverse = triangle.solve_upper_triangular(&DMatrix::identity(size, size)).ok_or_else(not_identified)?;
        let quantile = student_upper_quantile(self.confidence.tail(), df as f64);
        for (number, parameter) in self.parameters.iter_mut().enumerate() {
            let error = residual_sd * inverse.row(number).norm() / lengths[number];
            parameter.standard_error = Some(error);
            parameter.lower = Some(parameter.estimate - quantile * error);
            parameter.upper = Some(parameter.estimate + quantile * error);
        }
        Ok(())
    }
}

/// `a = 2.01 (SE = 0.03)`.
fn printed(parameter: &Parameter) -> String {
    let error = parameter.standard_error.map_or(String::new(), |se| format!(" (SE = {})", apa::number(se, 2)));
    format!("{} = {}{error}", parameter.name, apa::number(parameter.estimate, 2))
}

fn not_identified() -> NotEstimable {
    let why = "its parameters are not identified by these trials".to_owned();
    NotEstimable::Undefined { quantity: "the standard error of a learning curve", why }
}

/// The derivatives of the fitted values by each parameter.
fn derivatives(shape: Shape, trials: &[f64], estimates: &[f64]) -> Vec<DVector<f64>> {
    let column = |derivative: &dyn Fn(f64) -> f64| {
        DVector::from_iterator(trials.len(), trials.iter().map(|&trial| derivative(trial)))
    };
    let ones = column(&|_| 1.0);
    match (shape, estimates) {
        (Shape::Linear, _) => vec![ones, column(&|trial| trial)],
        (Shape::Exponential, &[_, b, c]) => {
            let part = |trial: f64| (-c * (trial - 1.0)).exp();
            vec![ones, column(&part), column(&|trial| -b * (trial - 1.0) * part(trial))]
        }
        (Shape::Power, &[_, b, c]) => {
            let part = |trial: f64| trial.powf(-c);
            vec![ones, column(&part), column(&|trial| -b * trial.ln() * part(trial))]
        }
        _ => vec![ones],
    }
}

fn check_trials(trials: &[f64], y: &[f64]) -> Result<(), NotEstimable> {
    if trials.len() != y.len() {
        let (left, right) = (trials.len(), y.len());
        return Err(NotEstimable::UnequalLengths { left_name: "trials", left, right_name: "y", right });
    }
    check_values("trials", trials)?;
    check_values("y", y)?;
    match trials.iter().find(|&&trial| trial < 1.0) {
        None => Ok(()),
        Some(trial) => {
            let (quantity, allowed) = ("a trial number", "1 or more");
            Err(NotEstimable::OutOfRange { quantity, value: trial.to_string(), allowed })
        }
    }
}

/// Level and slope of the least-squares line; `x` must not be constant.
fn line(x: &[f64], y: &[f64]) -> (f64, f64) {
    let (x, y) = (Centred::new(x), Centred::new(y));
    let slope = x.sum_of_products(&y) / x.sum_of_powers(2) * y.scale / x.scale;
    (y.mean - slope * x.mean, slope)
}

fn aicc(sum: f64, n: usize, k: usize) -> Result<f64, NotEstimable> {
    check_count("AICc", "observations", n, k + 2)?;
    if sum == 0.0 {
        let why = "all points lie on the curve, so that its likelihood is infinite".to_owned();
        return Err(NotEstimable::Undefined { quantity: "AICc", why });
    }
    let (n, k) = (n as f64, k as f64);
    Ok(n * (sum / n).ln() + 2.0 * k + 2.0 * k * (k + 1.0) / (n - k - 1.0))
}

fn sum_of_squares(values: &[f64]) -> f64 {
    values.iter().map(|value| value * value).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(shape: Shape, trials: &[f64], y: &[f64]) -> Curve {
        fit_curve(shape, trials, y, Confidence::default())
    }

    #[test]
    fn points_on_a_curve_give_its_parameters_back_and_no_aicc() {
        let trials: Vec<f64> = (1..=10).map(f64::from).collect();
        for (shape, wanted) in [(Shape::Exponential, [2.0, 3.0, 0.4]), (Shape::Power, [1.0, -5.0, 0.8])] {
            let on = |trial: &f64| match shape {
                Shape::Power => wanted[0] + wanted[1] * trial.powf(-wanted[2]),
                _ => wanted[0] + wanted[1] * (-wanted[2] * (trial - 1.0)).exp(),
            };
            let curve = fit(shape, &trials, &trials.iter().map(on).collect::<Vec<_>>());
            for (parameter, wanted) in curve.parameters.iter().zip(wanted) {
                assert!((parameter.estimate - wanted).abs() < 1e-9, "{shape:?}: {parameter:?}");
            }
            assert!(curve.converged && curve.r_squared.unwrap() > 1.0 - 1e-15);
        }
    }

    #[test]
    fn what_cannot_be_fitted_says_why() {
        let reason = |shape, trials: &[f64], y: &[f64]| {
            let curve = fit(shape, trials, y);
            assert!(curve.parameters.is_empty() && !curve.converged && curve.at(1.0).is_none());
            curve.reason.unwrap().to_string()
        };
        let four = [1.0, 2.0, 3.0, 4.0];
        assert_eq!(reason(Shape::Constant, &[], &[]), "a learning curve needs observations, found none");
        assert_eq!(
            reason(Shape::Linear, &[2.0; 4], &four),
            "a learning curve needs at least 2 different trials, found 1"
        );
        assert_eq!(reason(Shape::Power, &four, &[0.1; 4]), "all values of y are equal");
        assert_eq!(reason(Shape::Power, &[0.0, 1.0, 2.0, 3.0], &four), "a trial number is 0, but must be 1 or more");
        assert!(reason(Shape::Power, &four, &four[..3]).starts_with("trials has 4 values but y has 3"));
        assert!(reason(Shape::Linear, &four, &[1.0, 2.0, f64::NAN, 3.0]).starts_with("y holds NaN"));
        // A first trial that stands apart from all others, which do not differ.
        assert!(reason(Shape::Exponential, &four, &[9.0, 1.0, 1.0, 1.0]).contains("fast end"));
    }

    #[test]
    fn a_fit_without_degrees_of_freedom_has_no_errors() {
        let curve = fit(Shape::Linear, &[1.0, 2.0], &[3.0, 5.0]);
        assert_eq!((curve.df, curve.at(3.0), curve.residual_sd), (None, Some(7.0), None));
        assert_eq!(curve.parameters[1].standard_error, None);
        assert_eq!(curve.sentence(), "linear curve: a = 1.00, b = 2.00, R² = 1.00, n = 2");
        assert_eq!(curve.reason.unwrap().to_string(), "AICc needs at least 5 observations, found 2");
        let constant = fit(Shape::Constant, &[1.0, 2.0, 3.0, 4.0], &[0.1; 4]);
        assert_eq!((constant.residual_sum_of_squares, constant.r_squared), (Some(0.0), None));
        assert!(constant.reason.unwrap().to_string().contains("all points lie on the curve"));
    }
}

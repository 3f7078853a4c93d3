//! Learning curves: how a measure, such as the time per move, changes over trials.

mod curve;
mod rate;
mod shape;

use serde::Serialize;

pub use curve::{Curve, Parameter, fit_curve};
pub use shape::Shape;

use crate::apa;
use crate::estimator::Input;
use crate::estimator::fit::{Fitted, Model, Part, Rows};
use crate::estimator::sample::Sample;
use crate::estimator::{Estimate, Estimator, Kind, Need, Role};
use crate::inference::Confidence;
use crate::record::*;

/// Several learning curves of the same data.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LearningCurves {
    /// Number of observations.
    pub n: usize,
    /// Curves, one for each shape, in the order of [`Shape::ALL`], with `delta` and `weight` set.
    pub curves: Vec<Curve>,
    /// The shape with the smallest AICc; absent if none could be fitted.
    pub best: Option<Shape>,
    /// Evidence ratio: the Akaike weight of the exponential over that of the power curve. Absent if one
    /// of them could not be fitted; its `reason` says why.
    pub exponential_over_power: Option<f64>,
}

/// Fits all shapes and compares them by AICc; see [`fit_curve`].
///
/// The Akaike weight of a curve is its likelihood, corrected for the number of parameters, as a share
/// of that of all curves that were fitted. Curves whose parameters the data do not determine take no
/// part. Averages of several people's curves look like power curves even where no single one is: fit
/// each participant (Heathcote, Brown & Mewhort, 2000).
///
/// Heathcote, Brown & Mewhort (2000). The power law repealed: The case for an exponential law of
/// practice. *Psychonomic Bulletin & Review*, 7, 185–207. Burnham & Anderson (2002). *Model selection
/// and multimodel inference* (2nd ed.), sections 2.4 and 2.9.
///
/// ```
/// use plymap_statistics::stats::{Confidence, learning::{Shape, compare_curves}};
///
/// let trials: Vec<f64> = (1..=12).map(f64::from).collect();
/// let times: Vec<f64> = trials.iter().map(|t| 2.0 + 3.0 * (-0.4 * (t - 1.0)).exp() + 0.01 * (5.0 * t).sin()).collect();
/// let found = compare_curves(&trials, &times, Confidence::default());
/// assert_eq!(found.best, Some(Shape::Exponential));
/// assert!(found.exponential_over_power > Some(100.0));
/// ```
pub fn compare_curves(trials: &[f64], y: &[f64], confidence: Confidence) -> LearningCurves {
    let mut curves: Vec<Curve> = Shape::ALL.iter().map(|&shape| fit_curve(shape, trials, y, confidence)).collect();
    let smallest = curves.iter().filter_map(|curve| curve.aicc).fold(f64::INFINITY, f64::min);
    for curve in &mut curves {
        curve.delta = curve.aicc.map(|aicc| aicc - smallest);
    }
    let sum: f64 = curves.iter().filter_map(relative_likelihood).sum();
    for curve in &mut curves {
        curve.weight = relative_likelihood(curve).map(|relative_likelihood| relative_likelihood / sum);
    }
    let delta = |shape| curves.iter().find(|curve| curve.shape == shape).and_then(|curve| curve.delta);
    let ratio = delta(Shape::Exponential).zip(delta(Shape::Power));
    LearningCurves {
        n: trials.len().min(y.len()),
        best: curves.iter().find(|curve| curve.delta == Some(0.0)).map(|curve| curve.shape),
        // Of the differences, not of the weights, which can vanish.
        exponential_over_power: ratio.map(|(exponential, power)| ((power - exponential) / 2.0).exp()),
        curves,
    }
}

/// Likelihood relative to the best model (Burnham and Anderson, 2002, section 2.8).
fn relative_likelihood(curve: &Curve) -> Option<f64> {
    curve.delta.map(|delta| (-delta / 2.0).exp())
}

impl LearningCurves {
    /// `AICc was smallest for the exponential curve (w = .87; linear w = .12, power w = .01, constant w < .01), n = 40`.
    pub fn sentence(&self) -> String {
        let Some(best) = self.best else {
            let reason = self.curves.iter().find_map(|curve| curve.reason.as_ref());
            return apa::not_estimable("AICc", self.n, reason);
        };
        let mut fitted: Vec<(Shape, f64)> =
            self.curves.iter().filter_map(|curve| Some((curve.shape, curve.weight?))).collect();
        fitted.sort_by(|left, right| right.1.total_cmp(&left.1));
        let others: Vec<String> =
            fitted.iter().skip(1).map(|(shape, w)| format!("{} {}", shape.name(), weight(*w))).collect();
        let others = if others.is_empty() { String::new() } else { format!("; {}", others.join(", ")) };
        let best_weight = fitted.first().map_or(String::new(), |(_, w)| weight(*w));
        format!("AICc was smallest for the {} curve ({best_weight}{others}), n = {}", best.name(), apa::count(self.n))
    }
}

/// `w = .87`, or `w < .01`.
fn weight(value: f64) -> String {
    if value < 0.005 { "w < .01".to_owned() } else { format!("w = {}", apa::bounded(value, 2)) }
}

/// Shape of a curve.
pub const SHAPE: Column = text("shape", "shape of the curve: constant, linear, exponential, power");
/// Name of a parameter.
pub const PARAMETER: Column = text("parameter", "a: asymptote, or level; b: amount, or slope; c: rate");
/// The parameters, each with the ends of its interval.
pub const PARAMETERS: [[Column; 3]; 3] = [
    [
        number("a", "level or asymptote"),
        number("a_lower", "lower end of the interval of a"),
        number("a_upper", "upper end of the interval of a"),
    ],
    [
        number("b", "amount that is learnt, or slope per trial"),
        number("b_lower", "lower end of the interval of b"),
        number("b_upper", "upper end of the interval of b"),
    ],
    [
        number("c", "rate of learning"),
        number("c_lower", "lower end of the interval of c"),
        number("c_upper", "upper end of the interval of c"),
    ],
];
/// Corrected Akaike information criterion.
pub const AICC: Column = number("aicc", "Akaike information criterion, corrected for small samples (AICc)");
/// Difference from the best curve.
pub const DELTA: Column = number("delta", "aicc minus the smallest of the curves of the same points");
/// Akaike weight.
pub const WEIGHT: Column = number("weight", "Akaike weight among the curves of the same points that could be fitted");
const COMPARISON: Column = text("comparison", "APA-formatted comparison of the shapes");

impl Curve {
    /// Fit of the curve.
    pub fn record(&self) -> Record {
        Record::new()
            .set(SHAPE, self.shape.name())
            .set(N, self.n)
            .set(R_SQUARED, self.r_squared)
            .set(RESIDUAL_SD, self.residual_sd)
            .set(AICC, self.aicc)
            .set(DELTA, self.delta)
            .set(WEIGHT, self.weight)
            .set(CONVERGED, self.converged)
            .set(SENTENCE, self.sentence())
            .set(REASON, self.reason.clone())
    }

    /// Its parameters side by side, with their intervals.
    pub fn parameter_record(&self) -> Record {
        let row = Record::new().set(CONFIDENCE, self.confidence.level());
        self.parameters.iter().zip(PARAMETERS).fold(row, |row, (value, [estimate, lower, upper])| {
            row.set(estimate, value.estimate).set(lower, value.lower).set(upper, value.upper)
        })
    }

    /// Its parameters, in [`Shape::parameter_names`]' order, each without an estimate where there is no curve.
    pub fn parameter_records(&self) -> Vec<Record> {
        let row = |(index, name): (usize, &&str)| {
            let parameter = self.parameters.get(index);
            Record::new()
                .set(SHAPE, self.shape.name())
                .set(PARAMETER, *name)
                .set(N, self.n)
                .set(ESTIMATE, parameter.map(|parameter| parameter.estimate))
                .set(STANDARD_ERROR, parameter.and_then(|parameter| parameter.standard_error))
                .set(LOWER, parameter.and_then(|parameter| parameter.lower))
                .set(UPPER, parameter.and_then(|parameter| parameter.upper))
                .set(CONFIDENCE, self.confidence.level())
                .set(CONVERGED, self.converged)
                .set(REASON, self.reason.clone())
        };
        self.shape.parameter_names().iter().enumerate().map(row).collect()
    }
}

/// The curves of any table.
pub const LEARNING: Estimator = Estimator {
    name: "learning",
    summary: "Four learning curves of y over trials, compared: constant, linear, exponential and power.",
    assumptions: "The mean of several people's curves has another shape than theirs: use --by participant.",
    source: "Heathcote, Brown and Mewhort (2000); Burnham and Anderson (2002).",
    roles: &[Need::several(Role::Y, Kind::Number, 1), Need::one(Role::Trial, Kind::Number)],
    columns: &[
        OUTCOME,
        SHAPE,
        N,
        N_MISSING,
        PARAMETERS[0][0],
        PARAMETERS[1][0],
        PARAMETERS[2][0],
        R_SQUARED,
        RESIDUAL_SD,
        AICC,
        DELTA,
        WEIGHT,
        CONVERGED,
        SENTENCE,
        COMPARISON,
        REASON,
    ],
    estimate: Estimate::Tables(&Model {
        fit: curves_of_outcomes,
        rows: |outcomes| {
            each_outcome(outcomes, |fits| {
                let row = |curve: &Curve| {
                    let record = curve.record().set(COMPARISON, fits.sentence());
                    let parameters = curve.parameters.iter().zip(PARAMETERS);
                    parameters.fold(record, |record, (value, [column, ..])| record.set(column, value.estimate))
                };
                fits.curves.iter().map(row).collect()
            })
        },
        parts: &[LEARNING_PARAMETERS],
    }),
};

/// The parameters of the curves.
const LEARNING_PARAMETERS: Part<Rows<Vec<OutcomeCurves>>> = Part {
    name: "learning-parameters",
    summary: "The parameters of four learning curves of y over trials, with their intervals.",
    assumptions: "",
    source: "Seber and Wild (1989).",
    columns: joined!(&[OUTCOME, SHAPE, PARAMETER, N, N_MISSING, ESTIMATE], INTERVAL_COLUMNS, &[CONVERGED, REASON]),
    rows: |outcomes| each_outcome(outcomes, |fits| fits.curves.iter().flat_map(Curve::parameter_records).collect()),
};

/// The curves of an outcome, with its name and the number of rows without a value.
struct OutcomeCurves {
    whole: Record,
    curves: LearningCurves,
}

fn curves_of_outcomes(sample: &Sample) -> Fitted<Vec<OutcomeCurves>> {
    let trial = sample.one(Role::Trial);
    let of_outcome = |y: &Input| {
        let complete = sample.complete([trial, y]);
        let (trials, ys) = (trial.numbers(&complete.indices), y.numbers(&complete.indices));
        let curves = compare_curves(&trials, &ys, sample.request.confidence);
        let whole = Record::new().set(OUTCOME, y.name.as_str()).set(N_MISSING, complete.n_missing);
        OutcomeCurves { whole, curves }
    };
    Fitted { whole: Record::new(), model: Some(sample.all(Role::Y).iter().map(of_outcome).collect()) }
}

/// Rows for each outcome over trials.
fn each_outcome(outcomes: &[OutcomeCurves], rows: impl Fn(&LearningCurves) -> Vec<Record>) -> Vec<Record> {
    outcomes.iter().flat_map(|outcome| outcome.whole.clone().shared_by(rows(&outcome.curves))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_shares_of_the_curves_that_were_fitted() {
        let trials: Vec<f64> = (1..=9).map(f64::from).collect();
        // A rising line with a bend upwards: no rate above 0 fits it best.
        let y = trials.iter().map(|t| t + 0.05 * t * t + 0.1 * (3.0 * t).sin()).collect::<Vec<_>>();
        let comparison = compare_curves(&trials, &y, Confidence::default());
        assert_eq!((comparison.best, comparison.exponential_over_power), (Some(Shape::Linear), None));
        let sum: f64 = comparison.curves.iter().filter_map(|curve| curve.weight).sum();
        assert!((sum - 1.0).abs() < 1e-12);
        assert!(comparison.curves[2].reason.as_ref().unwrap().to_string().contains("slow end"));
        assert_eq!(comparison.sentence(), "AICc was smallest for the linear curve (w = 1.00; constant w < .01), n = 9");
    }

    #[test]
    fn without_data_there_is_no_best_curve() {
        let none = compare_curves(&[], &[], Confidence::default());
        assert_eq!((none.best, none.curves.len()), (None, 4));
        assert!(none.sentence().starts_with("AICc not estimable, n = 0"));
    }
}

//! The mean of estimates that differ by more than their errors: random effects.

use serde::Serialize;

use crate::apa;
use crate::estimator::{Estimate, Estimator, Kind, Need, Role, each_pair};
use crate::inference::Confidence;
use crate::not_estimable::{NotEstimable, check_count, check_values};
use crate::numeric::distribution::{chi_squared_upper, student_two_sided, student_upper_quantile};
use crate::record::*;

/// Standard deviation of the true effects.
pub const TAU: Column = number("tau", "standard deviation of the true effects, by restricted maximum likelihood");
/// Share of the variance that is not error.
pub const I_SQUARED: Column = number(
    "i_squared",
    "share of the variance of the estimates that is between true effects (Higgins and Thompson, 2002)",
);
/// Cochran's statistic.
pub const Q: Column = number("q", "weighted sum of squares of the estimates around their fixed mean (Cochran, 1954)");
/// Its p.
pub const Q_P: Column = number(
    "q_p_value",
    "p of the hypothesis that all true effects are the same, from q by chi-squared with n - 1 degrees of freedom",
);
/// Prediction interval of the next true effect.
pub const PREDICTION_LOWER: Column =
    number("prediction_lower", "lower end of the interval in which a further true effect lies");
/// Prediction interval of the next true effect.
pub const PREDICTION_UPPER: Column = number("prediction_upper", "upper end of that interval");

/// The mean of estimates of any table.
pub const RANDOM_EFFECTS: Estimator = Estimator {
    name: "random-effects",
    summary: "Mean of the estimates in each column of x, with the standard errors in y, by random effects: how much the true effects differ, and where a further one lies.",
    assumptions: "Assumes independent estimates, which those of the same participants are not.",
    source: "Viechtbauer (2005); Knapp and Hartung (2003), modified after Röver, Knapp and Friede (2015).",
    roles: &[Need::several(Role::X, Kind::Number, 1), Need::several(Role::Y, Kind::Number, 1)],
    columns: &[
        X.means("column with the estimates"),
        Y.means("column with their standard errors"),
        N,
        N_MISSING,
        ESTIMATE.means("mean of the true effects"),
        STANDARD_ERROR.means("standard error of the mean: that of Knapp and Hartung (2003), but never below that of the weights alone (Röver, Knapp and Friede, 2015)"),
        LOWER,
        UPPER,
        CONFIDENCE,
        STATISTIC.means("t"),
        DF,
        P_VALUE,
        TAU,
        I_SQUARED,
        Q,
        Q_P,
        PREDICTION_LOWER,
        PREDICTION_UPPER,
        SENTENCE,
        REASON,
    ],
    estimate: Estimate::Table(|sample| {
        each_pair(sample, &[], |effects, errors, _| {
            let variances: Vec<f64> = errors.iter().map(|error| error * error).collect();
            let pooled = random_effects(effects, &variances, sample.request.confidence);
            vec![pooled.map_or_else(Record::without, |pooled| pooled.record()).set(N, effects.len())]
        })
    }),
};

/// The mean of true effects of which there are estimates with errors, and how much they differ.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RandomEffects {
    /// Number of estimates.
    pub n: usize,
    /// Mean of the true effects.
    pub estimate: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// Ends of its interval, by t.
    pub interval: (f64, f64),
    /// Confidence level of the intervals.
    pub confidence: Confidence,
    /// The mean divided by its error.
    pub statistic: f64,
    /// Degrees of freedom of t.
    pub df: usize,
    /// Two-sided p of the hypothesis that the mean is 0.
    pub p_value: f64,
    /// Standard deviation of the true effects.
    pub tau: f64,
    /// Share of the variance of the estimates that is between true effects.
    pub i_squared: f64,
    /// Cochran's Q.
    pub q: f64,
    /// Its p.
    pub q_p_value: f64,
    /// Ends of the interval of a further true effect.
    pub prediction: (f64, f64),
}

/// The mean of true effects from estimates and the variances of their errors. The variance of the true effects is that of
/// the restricted likelihood (Viechtbauer, 2005, *Journal of Educational and Behavioral Statistics*, 30, 261–293); the error
/// of the mean is that of Knapp and Hartung (2003, *Statistics in Medicine*, 22, 2693–2710), with Student's t with n - 1
/// degrees of freedom, which the interval of a further true effect takes too.
///
/// Their variance is that of the weights, 1 / Σ w, times a factor q = Σ w (y - mean)² / (n - 1). The factor is at least 1 here
/// (Röver, Knapp and Friede, 2015, *BMC Medical Research Methodology*, 15, 99: q* = max(1, q)), always and not only where Cochran's Q
/// is below its degrees of freedom. There the variance between is 0 as a rule, q is Q / (n - 1), and estimates that are alike by
/// chance would have an interval narrower than that of one effect common to all, or none. But q can fall below 1 beside a
/// variance between that is above 0 too, where sizes differ much; and a factor that jumps at Q = n - 1 would make the
/// interval wider by a smaller difference of the estimates. So the interval is never narrower than that of a common effect
/// by the normal distribution. It holds the mean at least as often as it says: somewhat more often where effects differ
/// little. As metafor's `rma(test = "adhoc")` in R.
///
/// ```
/// use plymap_statistics::stats::{Confidence, meta::random_effects};
///
/// let found = random_effects(&[0.1, 0.4, 0.6], &[0.02, 0.03, 0.02], Confidence::default()).unwrap();
/// assert!(found.prediction.0 < found.interval.0 && found.tau > 0.0);
/// ```
///
/// # Errors
///
/// [`NotEstimable`] with fewer than two estimates, or a variance that is not above 0.
pub fn random_effects(
    estimates: &[f64],
    variances: &[f64],
    confidence: Confidence,
) -> Result<RandomEffects, NotEstimable> {
    const QUANTITY: &str = "a mean of random effects";
    check_values("the estimate", estimates)?;
    check_values("the variance", variances)?;
    check_count(QUANTITY, "estimates", estimates.len(), 2)?;
    if variances.iter().any(|&variance| variance <= 0.0) {
        return Err(NotEstimable::Undefined { quantity: QUANTITY, why: "a standard error is not above 0".to_owned() });
    }
    let n = estimates.len();
    let fixed = Weighted::new(estimates, variances, 0.0);
    let tau_squared = variance_between(estimates, variances);
    let random = Weighted::new(estimates, variances, tau_squared);
    let df = n - 1;
    let factor = (random.squares / df as f64).max(1.0);
    let standard_error = (factor / random.sum).sqrt();
    let statistic = random.mean / standard_error;
    let quantile = student_upper_quantile((1.0 - confidence.level()) / 2.0, df as f64);
    let around = |spread: f64| (random.mean - quantile * spread, random.mean + quantile * spread);
    // The variance of an error that is typical of all of them.
    let typical = df as f64 * fixed.sum / (fixed.sum * fixed.sum - fixed.sum_of_squares);
    Ok(RandomEffects {
        n,
        estimate: random.mean,
        standard_error,
        interval: around(standard_error),
        confidence,
        statistic,
        df,
        p_value: student_two_sided(statistic, df as f64),
        tau: tau_squared.sqrt(),
        i_squared: tau_squared / (tau_squared + typical),
        q: fixed.squares,
        q_p_value: chi_squared_upper(fixed.squares, df as f64),
        prediction: around((standard_error * standard_error + tau_squared).sqrt()),
    })
}

/// The sums that estimates have with the weights of one variance between them.
struct Weighted {
    mean: f64,
    /// Sum of the weights.
    sum: f64,
    /// Sum of the squared weights.
    sum_of_squares: f64,
    /// Weighted sum of squares around the mean.
    squares: f64,
    /// Sum of squares around the mean, weighted twice.
    squares_twice: f64,
}

impl Weighted {
    fn new(estimates: &[f64], variances: &[f64], between: f64) -> Self {
        let weights: Vec<f64> = variances.iter().map(|variance| 1.0 / (variance + between)).collect();
        let sum: f64 = weights.iter().sum();
        let mean = weights.iter().zip(estimates).map(|(weight, estimate)| weight * estimate).sum::<f64>() / sum;
        let squares = |power: i32| -> f64 {
            weights.iter().zip(estimates).map(|(weight, estimate)| weight.powi(power) * (estimate - mean).powi(2)).sum()
        };
        let sum_of_squares = weights.iter().map(|weight| weight * weight).sum();
        Self { mean, sum, sum_of_squares, squares: squares(1), squares_twice: squares(2) }
    }

    /// Twice the derivative of the restricted log-likelihood by the variance between.
    fn score(&self) -> f64 {
        self.squares_twice - self.sum + self.sum_of_squares / self.sum
    }
}

/// Maximum of the restricted likelihood: at 0, or where its derivative is 0.
fn variance_between(estimates: &[f64], variances: &[f64]) -> f64 {
    let score = |between: f64| Weighted::new(estimates, variances, between).score();
    if score(0.0) <= 0.0 {
        return 0.0;
    }
    let mut high = variances.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    while score(high) > 0.0 && high < 1e300 {
        high *= 2.0;
    }
    let mut low = 0.0;
    // Halving ends where no number lies between the two.
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return middle;
        }
        if score(middle) > 0.0 { low = middle } else { high = middle }
    }
}

impl RandomEffects {
    /// `M = 0.38, 95 % CI [0.27, 0.49], t(11) = 7.67, p < .001, τ = 0.05, I² = 8 %, n = 12`.
    pub fn sentence(&self) -> String {
        let number = |value: f64| apa::number(value, 2);
        format!(
            "M = {}{}, t({}) = {}, {}, τ = {}, I² = {} %, n = {}",
            number(self.estimate),
            apa::interval(self.confidence, Some(self.interval), number),
            self.df,
            number(self.statistic),
            apa::p_value(self.p_value),
            number(self.tau),
            apa::number(100.0 * self.i_squared, 0),
            apa::count(self.n)
        )
    }

    /// The result as a row.
    pub fn record(&self) -> Record {
        Record::new()
            .set(N, self.n)
            .set(ESTIMATE, self.estimate)
            .set(STANDARD_ERROR, self.standard_error)
            .set(LOWER, self.interval.0)
            .set(UPPER, self.interval.1)
            .set(CONFIDENCE, self.confidence.level())
            .set(STATISTIC, self.statistic)
            .set(DF, self.df)
            .set(P_VALUE, self.p_value)
            .set(TAU, self.tau)
            .set(I_SQUARED, self.i_squared)
            .set(Q, self.q)
            .set(Q_P, self.q_p_value)
            .set(PREDICTION_LOWER, self.prediction.0)
            .set(PREDICTION_UPPER, self.prediction.1)
            .set(SENTENCE, self.sentence())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_estimated_says_why() {
        let pooled = |estimates: &[f64], variances: &[f64]| {
            random_effects(estimates, variances, Confidence::default()).map_err(|reason| reason.to_string())
        };
        assert_eq!(pooled(&[0.1], &[0.1]).unwrap_err(), "a mean of random effects needs at least 2 estimates, found 1");
        assert!(pooled(&[0.1, 0.2], &[0.1, 0.0]).unwrap_err().contains("not above 0"));
        // Estimates that are the same have no variance between, and the error of one that is common to all: 1 / √(10 + 5 + 10).
        let same = pooled(&[0.25, 0.25, 0.25], &[0.1, 0.2, 0.1]).unwrap();
        assert_eq!((same.tau, same.q, same.estimate), (0.0, 0.0, 0.25));
        assert!((same.standard_error - 0.2).abs() < 1e-15);
    }
}

//! Welch's t test and Hedges' g.

use serde::Serialize;
use statrs::function::gamma::ln_gamma;

use crate::apa;
use crate::estimator::comparison::TwoSampleTest;
use crate::estimator::comparison::{ASSUMPTIONS, GROUPS, VALUES, each_pair};
use crate::estimator::{Estimate, Estimator};
use crate::inference::{Confidence, PMethod};
use crate::not_estimable::check_samples;
use crate::not_estimable::{NotEstimable, check_count};
use crate::numeric::distribution::{student_two_sided, student_upper_quantile};
use crate::numeric::moments::Centred;
use crate::numeric::noncentral::{LARGEST, noncentrality_at};
use crate::record::*;

/// Welch's test of analyses and tables.
pub const WELCH: TwoSampleTest = TwoSampleTest {
    estimator: Estimator {
        name: "welch",
        summary: "Welch's t test of each pair of groups, with Hedges' g.",
        assumptions: ASSUMPTIONS,
        source: "Welch (1947); Hedges (1981).",
        roles: GROUPS,
        columns: &[
            OUTCOME,
            FIRST,
            SECOND,
            VALUES,
            N_FIRST,
            N_SECOND,
            N_ROWS,
            N_MISSING,
            N_SHARED,
            MEAN_FIRST,
            MEAN_SECOND,
            ESTIMATE.means("mean of the first less that of the second label, in the unit of y"),
            LOWER,
            UPPER,
            CONFIDENCE,
            EFFECT_SIZE.means("Hedges' g, positive if the first mean is larger"),
            EFFECT_LOWER,
            EFFECT_UPPER,
            STATISTIC.means("t"),
            DF,
            P_VALUE,
            P_METHOD,
            SENTENCE,
            REASON,
        ],
        estimate: Estimate::Table(|sample| each_pair(sample, &WELCH)),
    },
    effect: "Hedges' g",
    test: |x, y, confidence| welch(x, y, confidence).record(),
};

/// A comparison of the means of two independent samples.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Welch {
    /// Number of values of x.
    pub n_x: usize,
    /// Number of values of y.
    pub n_y: usize,
    /// Mean of x.
    pub mean_x: Option<f64>,
    /// Mean of y.
    pub mean_y: Option<f64>,
    /// Standard deviation of x (denominator n − 1); absent if n < 2.
    pub sd_x: Option<f64>,
    /// Standard deviation of y.
    pub sd_y: Option<f64>,
    /// Mean of x minus mean of y, in the unit of the values.
    pub difference: Option<f64>,
    /// Lower end of the interval of the difference, by Welch's t.
    pub lower: Option<f64>,
    /// Upper end of the interval of the difference.
    pub upper: Option<f64>,
    /// The t statistic; absent if a sample has fewer than two values or none has any variance.
    pub statistic: Option<f64>,
    /// Welch's degrees of freedom, no whole number in general.
    pub df: Option<f64>,
    /// Two-sided p value of the hypothesis of equal means; Welch's distribution is a close approximation.
    pub p_value: Option<f64>,
    /// Hedges' g: the difference in units of the pooled standard deviation, corrected for bias.
    pub hedges_g: Option<f64>,
    /// Lower end of the interval of g; absent where the noncentrality is beyond 200.
    pub hedges_g_lower: Option<f64>,
    /// Upper end of the interval of g; absent with the lower one.
    pub hedges_g_upper: Option<f64>,
    /// Confidence level of the intervals.
    pub confidence: Confidence,
    /// Reason why the first of the absent values is absent.
    pub reason: Option<NotEstimable>,
}

/// Compares the means of two independent, roughly normal samples whose variances may differ.
///
/// g is d J: d the difference over the pooled standard deviation, and J = Γ(m/2) / (√(m/2) Γ((m − 1)/2))
/// with m = `n_x` + `n_y` − 2, the exact correction (pingouin's 1 − 3 / (4 (m + 2) − 9) is an
/// approximation to it). Its interval comes from the noncentral t distribution, times J; it supposes
/// equal variances. The same as `hedges_g` of the R package effectsize.
///
/// Welch (1947). The generalization of "Student's" problem when several different population
/// variances are involved. *Biometrika*, 34, 28–35. Hedges (1981). Distribution theory for Glass's
/// estimator of effect size and related estimators. *Journal of Educational Statistics*, 6,
/// 107–128. Steiger & Fouladi (1997), in *What if there were no significance tests?*, 221–257.
///
/// ```
/// use plymap_statistics::stats::{Confidence, two_samples::welch};
///
/// let found = welch(&[5.0, 7.0, 9.0], &[1.0, 2.0, 6.0, 3.0], Confidence::default());
/// assert_eq!((found.mean_x, found.mean_y, found.difference), (Some(7.0), Some(3.0), Some(4.0)));
/// assert!(found.p_value < Some(0.1));
/// ```
pub fn welch(x: &[f64], y: &[f64], confidence: Confidence) -> Welch {
    let mut result = Welch { n_x: x.len(), n_y: y.len(), confidence, ..Welch::default() };
    result.reason = result.complete(x, y).err();
    result
}

impl Welch {
    /// `t(4.66) = 2.53, p = .056, g = 1.60, 95 % CI [−0.03, 3.14]`.
    pub fn sentence(&self) -> String {
        let (Some(t), Some(df), Some(p), Some(g)) = (self.statistic, self.df, self.p_value, self.hedges_g) else {
            return apa::not_estimable("t", self.n_x + self.n_y, self.reason.as_ref());
        };
        let (lower, upper) = (self.hedges_g_lower, self.hedges_g_upper);
        let interval = apa::interval(self.confidence, lower.zip(upper), |value| apa::number(value, 2));
        let (df, t, p, g) = (apa::number(df, 2), apa::number(t, 2), apa::p_value(p), apa::number(g, 2));
        format!("t({df}) = {t}, {p}, g = {g}{interval}")
    }

    /// The row of a table.
    pub fn record(&self) -> Record {
        Record::new()
            .set(N, self.n_x + self.n_y)
            .set(N_FIRST, self.n_x)
            .set(N_SECOND, self.n_y)
            .set(MEAN_FIRST, self.mean_x)
            .set(MEAN_SECOND, self.mean_y)
            .set(ESTIMATE, self.difference)
            .set(LOWER, self.lower)
            .set(UPPER, self.upper)
            .set(CONFIDENCE, self.confidence.level())
            .set(EFFECT_SIZE, self.hedges_g)
            .set(EFFECT_LOWER, self.hedges_g_lower)
            .set(EFFECT_UPPER, self.hedges_g_upper)
            .set(STATISTIC, self.statistic)
            .set(DF, self.df)
            .set(P_VALUE, self.p_value)
            .set(P_METHOD, self.p_value.map(|_| PMethod::WelchT))
            .set(SENTENCE, self.sentence())
            .set(REASON, self.reason.clone())
    }

    fn complete(&mut self, x: &[f64], y: &[f64]) -> Result<(), NotEstimable> {
        check_samples(x, y)?;
        check_count("a mean", "values of x", x.len(), 1)?;
        check_count("a mean", "values of y", y.len(), 1)?;
        let (x, y) = (Centred::new(x), Centred::new(y));
        let difference = x.mean - y.mean;
        (self.mean_x, self.mean_y, self.difference) = (Some(x.mean), Some(y.mean), Some(difference));
        // In units of the larger deviation: the squares of values near 1e-170 would be 0.
        let unit = x.scale.max(y.scale);
        let (var_x, var_y) = (variance(&x, unit), variance(&y, unit));
        let sd = |variance: Option<f64>| variance.map(|variance| variance.sqrt() * unit);
        (self.sd_x, self.sd_y) = (sd(var_x), sd(var_y));
        let (Some(var_x), Some(var_y)) = (var_x, var_y) else {
            let which = if var_x.is_none() { "values of x" } else { "values of y" };
            return check_count("Welch's t", which, 1, 2);
        };
        if x.is_constant() && y.is_constant() {
            return Err(NotEstimable::NoVariance { variable: "x, as all of y," });
        }
        let (n_x, n_y) = (self.n_x as f64, self.n_y as f64);
        let (error_x, error_y) = (var_x / n_x, var_y / n_y);
        let error = error_x + error_y;
        let (share_x, share_y) = (error_x / error, error_y / error);
        let df = 1.0 / (share_x * share_x / (n_x - 1.0) + share_y * share_y / (n_y - 1.0));
        let half = student_upper_quantile(self.confidence.tail(), df) * error.sqrt() * unit;
        let distance = difference / unit;
        let statistic = distance / error.sqrt();
        (self.lower, self.upper) = (Some(difference - half), Some(difference + half));
        (self.statistic, self.df) = (Some(statistic), Some(df));
        self.p_value = Some(student_two_sided(statistic, df));
        let pooled_df = n_x + n_y - 2.0;
        let pooled = (((n_x - 1.0) * var_x + (n_y - 1.0) * var_y) / pooled_df).sqrt();
        self.standardise(distance / pooled, (1.0 / n_x + 1.0 / n_y).sqrt(), pooled_df)
    }

    /// Sets g and its interval from d and the factor that makes d of a noncentrality.
    fn standardise(&mut self, d: f64, factor: f64, df: f64) -> Result<(), NotEstimable> {
        let correction = (ln_gamma(df / 2.0) - ln_gamma((df - 1.0) / 2.0)).exp() / (df / 2.0).sqrt();
        self.hedges_g = Some(d * correction);
        let (t, tail) = (d / factor, self.confidence.tail());
        let ends = noncentrality_at(t, df, 1.0 - tail).zip(noncentrality_at(t, df, tail));
        let Some((lower, upper)) = ends else {
            let (quantity, why) = ("the interval of Hedges' g", format!("its noncentrality is beyond {LARGEST}"));
            return Err(NotEstimable::Undefined { quantity, why });
        };
        self.hedges_g_lower = Some(lower * factor * correction);
        self.hedges_g_upper = Some(upper * factor * correction);
        Ok(())
    }
}

/// Variance with the denominator n − 1, in squares of `unit`; absent for a single value.
fn variance(sample: &Centred, unit: f64) -> Option<f64> {
    let n = sample.deviations.len();
    let scale = if sample.is_constant() { 0.0 } else { sample.scale / unit };
    (n > 1).then(|| scale * scale * sample.sum_of_powers(2) / (n - 1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_without_errors_is_still_a_difference() {
        let single = welch(&[3.0], &[1.0, 2.0], Confidence::default());
        assert_eq!((single.difference, single.statistic), (Some(1.5), None));
        assert_eq!(single.reason.unwrap().to_string(), "Welch's t needs at least 2 values of x, found 1");
        let constant = welch(&[0.1; 3], &[0.2; 4], Confidence::default());
        assert_eq!((constant.difference, constant.p_value), (Some(-0.1), None));
        assert_eq!(constant.reason.unwrap().to_string(), "all values of x, as all of y, are equal");
    }

    #[test]
    fn the_unit_of_the_values_changes_no_test() {
        let (x, y) = ([5.0, 7.0, 9.0], [1.0, 2.0, 6.0, 3.0]);
        let expected = welch(&x, &y, Confidence::default());
        for exponent in [-1000, -566, 300] {
            let unit = 2_f64.powi(exponent);
            let test = welch(&x.map(|value| value * unit), &y.map(|value| value * unit), Confidence::default());
            assert_eq!((test.statistic, test.df, test.p_value), (expected.statistic, expected.df, expected.p_value));
            assert_eq!((test.hedges_g, test.reason.as_ref()), (expected.hedges_g, None));
            assert_eq!(test.sd_x, expected.sd_x.map(|sd| sd * unit));
            assert_eq!(test.upper, expected.upper.map(|upper| upper * unit));
        }
    }

    #[test]
    fn an_effect_beyond_measure_has_no_interval() {
        let x: Vec<f64> = (0..400).map(|i| f64::from(i % 2)).collect();
        let y: Vec<f64> = x.iter().map(|x| x + 100.0).collect();
        let apart = welch(&x, &y, Confidence::default());
        assert!(apart.hedges_g.unwrap() < -190.0 && apart.hedges_g_lower.is_none());
        let reason = "the interval of Hedges' g is not defined here: its noncentrality is beyond 200";
        assert_eq!(apart.reason.unwrap().to_string(), reason);
    }

    #[test]
    fn what_cannot_be_compared_says_why() {
        let reason = |x: &[f64], y: &[f64]| welch(x, y, Confidence::default()).reason.unwrap().to_string();
        assert_eq!(reason(&[], &[1.0]), "a mean needs values of x, found none");
        assert!(reason(&[1.0], &[f64::NAN]).starts_with("y holds NaN"));
        let text = welch(&[5.0, 7.0, 9.0], &[1.0, 2.0, 6.0, 3.0], Confidence::default()).sentence();
        assert_eq!(text, "t(4.66) = 2.53, p = .056, g = 1.60, 95 % CI [−0.03, 3.14]");
    }
}

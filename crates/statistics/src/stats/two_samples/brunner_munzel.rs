//! The Brunner–Munzel test of the relative effect of two samples.

use serde::Serialize;

use crate::apa;
use crate::estimator::comparison::TwoSampleTest;
use crate::estimator::comparison::{ASSUMPTIONS, GROUPS, VALUES, each_pair};
use crate::estimator::{Estimate, Estimator};
use crate::inference::{Confidence, PMethod};
use crate::not_estimable::check_samples;
use crate::not_estimable::{NotEstimable, check_count};
use crate::numeric::distribution::{student_two_sided, student_upper_quantile};
use crate::numeric::moments::mean;
use crate::numeric::rank::{mid_ranks, with_equal_ties};
use crate::record::*;

/// The Brunner–Munzel test of analyses and tables.
pub const BRUNNER_MUNZEL: TwoSampleTest = TwoSampleTest {
    estimator: Estimator {
        name: "brunner-munzel",
        summary: "Brunner-Munzel test of each pair of groups, with the relative effect.",
        assumptions: ASSUMPTIONS,
        source: "Brunner and Munzel (2000).",
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
            CONFIDENCE,
            EFFECT_SIZE.means(
                "relative effect, P(first < second) + ½ P(first = second), from 0 to 1; above ½ if the second tends to be \
                 larger",
            ),
            EFFECT_LOWER,
            EFFECT_UPPER,
            STATISTIC.means("the studentised relative effect less ½"),
            DF.means("degrees of freedom after Satterthwaite"),
            P_VALUE,
            P_METHOD,
            SENTENCE,
            REASON,
        ],
        estimate: Estimate::Table(|sample| each_pair(sample, &BRUNNER_MUNZEL)),
    },
    effect: "relative effect",
    test: |x, y, confidence| brunner_munzel(x, y, confidence).record(),
};

/// A comparison of two independent samples by their relative effect.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BrunnerMunzel {
    /// Number of values of x.
    pub n_x: usize,
    /// Number of values of y.
    pub n_y: usize,
    /// P(x < y) + ½ P(x = y), from 0 to 1; above ½ if y tends to be larger. Absent if a sample has fewer than two
    /// values.
    pub relative_effect: Option<f64>,
    /// The test of the hypothesis that the relative effect is ½, or why there is none.
    pub test: Result<RelativeEffectTest, NotEstimable>,
    /// Confidence level of the interval.
    pub confidence: Confidence,
}

/// The test that a relative effect is ½, which does not suppose that the distributions have one shape.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RelativeEffectTest {
    /// The relative effect less ½ over its standard error; positive if y tends to be larger.
    pub statistic: f64,
    /// Degrees of freedom after Satterthwaite, no whole number in general.
    pub df: f64,
    /// Two-sided p value.
    pub p_value: f64,
    /// Lower end of the interval of the relative effect, cut at 0.
    pub lower: f64,
    /// Upper end of the interval of the relative effect, cut at 1.
    pub upper: f64,
}

/// Compares two independent samples by ranks; their variances and shapes may differ, and values may be tied.
///
/// With the placement of a value, the number of values of the other sample below it (ties one half), the relative
/// effect is the mean placement of y over `n_x`, and its variance follows from the variances of the placements of both
/// samples. The statistic is compared with Student's t, with Satterthwaite's degrees of freedom: an approximation that is
/// good from some ten values of each sample on. The same as scipy's `brunnermunzel`.
///
/// Samples that do not overlap have a relative effect of 0 or 1, but no test: all placements of a sample are equal, so
/// that the standard error is 0.
///
/// Brunner & Munzel (2000). The nonparametric Behrens-Fisher problem: Asymptotic theory and a small-sample approximation.
/// *Biometrical Journal*, 42, 17–25.
///
/// ```
/// use plymap_statistics::stats::{Confidence, two_samples::brunner_munzel};
///
/// let found = brunner_munzel(&[1.0, 2.0, 3.0, 6.0], &[5.0, 7.0, 9.0], Confidence::default());
/// assert_eq!(found.relative_effect, Some(11.0 / 12.0));
/// assert!(found.test.unwrap().p_value < 0.05);
/// ```
pub fn brunner_munzel(x: &[f64], y: &[f64], confidence: Confidence) -> BrunnerMunzel {
    let placements = check_sizes(x, y).and_then(|()| Placements::new(x, y));
    let relative_effect = placements.as_ref().ok().map(Placements::relative_effect);
    let test = placements.and_then(|placements| placements.test(confidence));
    BrunnerMunzel { n_x: x.len(), n_y: y.len(), relative_effect, test, confidence }
}

impl BrunnerMunzel {
    /// `t(17.68) = 3.14, p = .006, relative effect = .79, 95 % CI [.60, .98], nx = 14, ny = 11`.
    pub fn sentence(&self) -> String {
        apa::outcome("t", self.n_x + self.n_y, &self.test, |test| {
            let interval = apa::interval(self.confidence, Some((test.lower, test.upper)), |end| apa::bounded(end, 2));
            let (df, t, p) = (apa::number(test.df, 2), apa::number(test.statistic, 2), apa::p_value(test.p_value));
            let effect = self.relative_effect.map_or(String::new(), |effect| apa::bounded(effect, 2));
            let (n_x, n_y) = (self.n_x, self.n_y);
            format!("t({df}) = {t}, {p}, relative effect = {effect}{interval}, nx = {n_x}, ny = {n_y}")
        })
    }

    /// The row of a table.
    pub fn record(&self) -> Record {
        let record = Record::new()
            .set(N, self.n_x + self.n_y)
            .set(N_FIRST, self.n_x)
            .set(N_SECOND, self.n_y)
            .set(CONFIDENCE, self.confidence.level())
            .set(EFFECT_SIZE, self.relative_effect)
            .set(SENTENCE, self.sentence());
        match &self.test {
            Ok(test) => record
                .set(EFFECT_LOWER, test.lower)
                .set(EFFECT_UPPER, test.upper)
                .set(STATISTIC, test.statistic)
                .set(DF, test.df)
                .set(P_VALUE, test.p_value)
                .set(P_METHOD, PMethod::StudentTApproximation),
            Err(reason) => record.set(REASON, reason.clone()),
        }
    }
}

fn check_sizes(x: &[f64], y: &[f64]) -> Result<(), NotEstimable> {
    check_samples(x, y)?;
    check_count("the Brunner–Munzel test", "values of x", x.len(), 2)?;
    check_count("the Brunner–Munzel test", "values of y", y.len(), 2)
}

/// Number of values of the other sample below each value, ties counting one half.
struct Placements {
    x: Vec<f64>,
    y: Vec<f64>,
}

impl Placements {
    fn new(x: &[f64], y: &[f64]) -> Result<Self, NotEstimable> {
        // Values that are tied but for rounding are equal within their sample too.
        let pooled = with_equal_ties(&[x, y].concat());
        let ranks = mid_ranks(&pooled)?.ranks;
        let ((x, y), (ranks_x, ranks_y)) = (pooled.split_at(x.len()), ranks.split_at(x.len()));
        Ok(Self { x: placements(ranks_x, x)?, y: placements(ranks_y, y)? })
    }

    fn relative_effect(&self) -> f64 {
        mean(&self.y) / self.x.len() as f64
    }

    fn test(&self, confidence: Confidence) -> Result<RelativeEffectTest, NotEstimable> {
        let (n_x, n_y) = (self.x.len() as f64, self.y.len() as f64);
        // The squared standard errors of the mean placements, each as a share of the other sample.
        let (error_x, error_y) = (variance(&self.x) / (n_x * n_y * n_y), variance(&self.y) / (n_y * n_x * n_x));
        let (effect, error) = (self.relative_effect(), error_x + error_y);
        if error == 0.0 && effect == 0.5 {
            return Err(NotEstimable::NoVariance { variable: "the two samples together" });
        }
        if error == 0.0 {
            let why = "the samples do not overlap, so that the standard error of the relative effect is 0".to_owned();
            return Err(NotEstimable::Undefined { quantity: "the Brunner–Munzel test", why });
        }
        let df = error * error / (error_x * error_x / (n_x - 1.0) + error_y * error_y / (n_y - 1.0));
        let statistic = (effect - 0.5) / error.sqrt();
        let half = student_upper_quantile(confidence.tail(), df) * error.sqrt();
        let (lower, upper) = ((effect - half).max(0.0), (effect + half).min(1.0));
        Ok(RelativeEffectTest { statistic, df, p_value: student_two_sided(statistic, df), lower, upper })
    }
}

/// Rank among both samples less that within its sample: how many of the other sample lie below.
fn placements(among_all: &[f64], sample: &[f64]) -> Result<Vec<f64>, NotEstimable> {
    let within = mid_ranks(sample)?.ranks;
    Ok(among_all.iter().zip(within).map(|(overall, within_rank)| overall - within_rank).collect())
}

/// Variance with the denominator n − 1; exactly 0 of equal values.
fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (values.len() - 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: [f64; 14] = [1.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 4.0, 1.0, 1.0];
    const Y: [f64; 11] = [3.0, 3.0, 4.0, 3.0, 1.0, 2.0, 3.0, 1.0, 1.0, 5.0, 4.0];

    /// Pain scores of two treatments: t = 3.1375 with 17.683 degrees of freedom, p = .0058, effect 0.79.
    #[test]
    fn the_example_of_brunner_and_munzel_has_their_result() {
        let comparison = brunner_munzel(&X, &Y, Confidence::default());
        let test = comparison.test.clone().unwrap();
        assert!((test.statistic - 3.1375).abs() < 5e-5 && (test.df - 17.683).abs() < 5e-4);
        let expected = "t(17.68) = 3.14, p = .006, relative effect = .79, 95 % CI [.60, .98], nx = 14, ny = 11";
        assert_eq!(comparison.sentence(), expected);
    }

    #[test]
    fn swapping_the_samples_swaps_the_sign() {
        let (there, back) =
            (brunner_munzel(&X, &Y, Confidence::default()), brunner_munzel(&Y, &X, Confidence::default()));
        assert!((there.relative_effect.unwrap() + back.relative_effect.unwrap() - 1.0).abs() < 1e-15);
        let (there, back) = (there.test.unwrap(), back.test.unwrap());
        assert!((there.statistic + back.statistic).abs() < 1e-13 && (there.p_value - back.p_value).abs() < 1e-15);
        assert!((there.lower + back.upper - 1.0).abs() < 1e-14);
    }

    #[test]
    fn samples_that_do_not_overlap_have_an_effect_but_no_test() {
        let apart = brunner_munzel(&[1.0, 2.0, 3.0], &[4.0, 5.0], Confidence::default());
        assert_eq!(apart.relative_effect, Some(1.0));
        assert!(apart.test.as_ref().unwrap_err().to_string().contains("the samples do not overlap"));
        assert!(apart.sentence().starts_with("t not estimable, n = 5 ("));
        // Where one sample alone has equal placements, there is a test.
        let inside = brunner_munzel(&[2.0, 2.0, 2.0], &[1.0, 3.0, 4.0], Confidence::default());
        assert_eq!((inside.relative_effect, inside.test.unwrap().df), (Some(2.0 / 3.0), 2.0));
    }

    #[test]
    fn the_interval_ends_at_0_and_1() {
        let test = brunner_munzel(&[1.0, 2.0, 3.0], &[2.5, 5.0, 6.0], Confidence::default()).test.unwrap();
        assert_eq!(test.upper, 1.0);
        assert!(test.lower < 0.9);
    }

    #[test]
    fn what_cannot_be_compared_says_why() {
        let reason = |x: &[f64], y: &[f64]| brunner_munzel(x, y, Confidence::default()).test.unwrap_err().to_string();
        assert_eq!(reason(&[1.0], &[1.0, 2.0]), "the Brunner–Munzel test needs at least 2 values of x, found 1");
        assert_eq!(reason(&[2.0; 3], &[2.0; 4]), "all values of the two samples together are equal");
        assert!(reason(&[f64::NAN], &[1.0]).starts_with("x holds NaN"));
    }
}

//! Estimators: one per file, each citing the source of its formula.
//!
//! All take plain slices from which missing values are already removed, and return small structs
//! that can become the row of a table. What is estimated together is a `Result`, whose error says why
//! it is not; what can be absent alone is an `Option`, and the field `reason` of the result says why.
//! No estimator returns a silent NaN, and none panics. Every number is checked against scipy,
//! statsmodels or a second implementation; the scripts that made the reference values are in
//! `tests/oracles/`.
//!
//! To add an estimator: a file here with its source, a script `tests/oracles/NAME.py` that writes
//! `NAME.json` beside it, a test in `tests/it/stats.rs`, and a sentence in [`apa`] if a paper
//! would print it.

use std::fmt;

use serde::{Deserialize, Serialize};

pub mod adjust;
pub mod adjusted_columns;
pub mod apa;
pub mod association;
mod bias_reduced;
pub mod chi_squared;
mod clusters;
pub(crate) mod cone;
pub mod correlation;
pub mod counted;
pub mod covariate;
pub mod describe;
pub mod distribution;
pub mod friedman;
pub mod interval;
mod inverse_root;
mod kendall;
pub mod kruskal;
pub mod learning;
pub mod logit;
pub mod matrix;
pub mod meta;
pub mod mixed;
pub mod moments;
pub(crate) mod newton;
mod noncentral;
pub mod outliers;
pub mod partial;
mod permutation;
pub mod posthoc;
pub mod quantile;
pub mod rank;
pub mod rasch;
pub mod regression;
pub mod reliability;
pub mod repeated;
pub mod resample;
pub mod survival;
pub mod two_samples;
pub(crate) mod vector;

/// `at least 3 pairs, found 1`, or `pairs, found none` where one would do.
fn too_few(needed: usize, found: usize, unit: &str) -> String {
    match (needed, found) {
        (1, 0) => format!("{unit}, found none"),
        _ => format!("at least {needed} {unit}, found {found}"),
    }
}

/// Why a quantity could not be estimated; its `Display` is a phrase for a table's `reason` column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum NotEstimable {
    /// There are fewer observations than the formula needs.
    #[error("{quantity} needs {}", too_few(*.needed, *.found, .unit))]
    TooFew {
        /// What could not be estimated.
        quantity: &'static str,
        /// What is counted, in the plural.
        unit: &'static str,
        /// The smallest number that would do.
        needed: usize,
        /// The number that is there.
        found: usize,
    },
    /// All values of a variable are equal.
    #[error("all values of {variable} are equal")]
    NoVariance {
        /// Which variable.
        variable: &'static str,
    },
    /// A value is NaN, infinite, or so large that its powers would overflow.
    #[error("{variable} holds {value} at position {index} (from 0), which cannot be computed with; remove it before")]
    NotFinite {
        /// Which variable.
        variable: &'static str,
        /// The value, as text because NaN has no JSON form.
        value: String,
        /// Its index in the slice, from 0.
        index: usize,
    },
    /// Slices that belong together differ in length.
    #[error("{left_name} has {left} values but {right_name} has {right}; they must be paired")]
    UnequalLengths {
        /// Name of the first slice.
        left_name: &'static str,
        /// Length of the first slice.
        left: usize,
        /// Name of the second slice.
        right_name: &'static str,
        /// Length of the second slice.
        right: usize,
    },
    /// An argument is outside the values that make sense.
    #[error("{quantity} is {value}, but must be {allowed}")]
    OutOfRange {
        /// Which argument.
        quantity: &'static str,
        /// Its value.
        value: String,
        /// The values that it may take.
        allowed: &'static str,
    },
    /// The method breaks down on these data.
    #[error("{quantity} is not defined here: {why}")]
    Undefined {
        /// What could not be estimated.
        quantity: &'static str,
        /// What breaks down.
        why: String,
    },
}

/// The confidence level of an interval, strictly between 0 and 1; 0.95 by default.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Confidence(f64);

impl Confidence {
    /// The level as a proportion, such as 0.95.
    ///
    /// # Errors
    ///
    /// [`NotEstimable::OutOfRange`] unless `0 < level < 1`.
    pub fn new(level: f64) -> Result<Self, NotEstimable> {
        // From 1 - 2^-53 on, half of the error probability can no longer be told from 0.
        if level > 0.0 && level < 1.0 - f64::EPSILON {
            return Ok(Self(level));
        }
        let allowed = "a proportion between 0 and 1, such as 0.95";
        Err(NotEstimable::OutOfRange { quantity: "the confidence level", value: level.to_string(), allowed })
    }

    /// The level as a proportion.
    pub fn level(self) -> f64 {
        self.0
    }

    /// The probability outside of one end of a two-sided interval, such as 0.025.
    pub fn tail(self) -> f64 {
        (1.0 - self.0) / 2.0
    }
}

impl Default for Confidence {
    fn default() -> Self {
        Self(0.95)
    }
}

impl TryFrom<f64> for Confidence {
    type Error = NotEstimable;

    fn try_from(level: f64) -> Result<Self, NotEstimable> {
        Self::new(level)
    }
}

impl From<Confidence> for f64 {
    fn from(confidence: Confidence) -> f64 {
        confidence.0
    }
}

impl fmt::Display for Confidence {
    /// In percent with all its digits, such as `95 %` or `99.99999 %`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written = |decimals: usize| format!("{:.decimals$}", self.0 * 100.0);
        let is_told =
            |text: &String| text.parse().is_ok_and(|percent: f64| (percent / 100.0 - self.0).abs() < f64::EPSILON);
        write!(formatter, "{} %", (0..15).map(written).find(is_told).unwrap_or_else(|| written(15)))
    }
}

/// How a p value was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PMethod {
    /// Student's t distribution; exact if the model's assumptions hold.
    StudentT,
    /// Student's t distribution as an approximation to a permutation distribution.
    StudentTApproximation,
    /// The share of all permutations that are at least as extreme: exact without any model.
    ExactPermutation,
    /// The chi-squared distribution as an approximation to a permutation distribution.
    ChiSquaredApproximation,
    /// The normal distribution as an approximation to a permutation distribution.
    NormalApproximation,
    /// The normal distribution as an approximation to a permutation distribution, with the statistic
    /// moved by one half towards its mean because it is a whole number.
    NormalApproximationContinuity,
    /// The F distribution; exact if the model's assumptions hold.
    FDistribution,
}

impl fmt::Display for PMethod {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::StudentT => "two-sided, Student's t",
            Self::StudentTApproximation => "two-sided, t approximation",
            Self::ExactPermutation => "two-sided, exact permutation test",
            Self::ChiSquaredApproximation => "chi-squared approximation",
            Self::NormalApproximation => "two-sided, normal approximation",
            Self::NormalApproximationContinuity => "two-sided, normal approximation with continuity correction",
            Self::FDistribution => "upper tail, F distribution",
        })
    }
}

/// Values beyond this are refused: their third powers, summed, would leave the range of `f64`.
const LARGEST_MAGNITUDE: f64 = 1e100;

/// Refuses values that no estimator can work with.
pub(crate) fn check_values(variable: &'static str, values: &[f64]) -> Result<(), NotEstimable> {
    match values.iter().position(|value| value.is_nan() || value.abs() > LARGEST_MAGNITUDE) {
        Some(index) => Err(NotEstimable::NotFinite { variable, value: values[index].to_string(), index }),
        None => Ok(()),
    }
}

/// Refuses pairs of unequal length, or with values that no estimator can work with.
pub(crate) fn check_pairs(x: &[f64], y: &[f64]) -> Result<(), NotEstimable> {
    if x.len() != y.len() {
        let (left, right) = (x.len(), y.len());
        return Err(NotEstimable::UnequalLengths { left_name: "x", left, right_name: "y", right });
    }
    check_values("x", x)?;
    check_values("y", y)
}

/// Refuses samples that are too small.
pub(crate) fn check_count(
    quantity: &'static str,
    unit: &'static str,
    found: usize,
    needed: usize,
) -> Result<(), NotEstimable> {
    if found < needed { Err(NotEstimable::TooFew { quantity, unit, needed, found }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_of_confidence_have_all_their_digits() {
        let shown = |level: f64| Confidence::new(level).unwrap().to_string();
        assert_eq!([0.9, 0.95, 0.975].map(shown), ["90 %", "95 %", "97.5 %"]);
        assert_eq!([0.9999999, 0.123456789].map(shown), ["99.99999 %", "12.3456789 %"]);
    }

    #[test]
    fn too_few_is_said_in_the_number_that_is_needed() {
        let said = |found, needed| check_count("a median", "values", found, needed).unwrap_err().to_string();
        assert_eq!(said(0, 1), "a median needs values, found none");
        assert_eq!(said(1, 3), "a median needs at least 3 values, found 1");
    }

    #[test]
    fn a_confidence_level_is_a_proportion() {
        assert_eq!(Confidence::default().to_string(), "95 %");
        assert_eq!(Confidence::new(0.999).unwrap().to_string(), "99.9 %");
        for level in [0.0, 1.0, 95.0, -0.5, f64::NAN] {
            assert!(Confidence::new(level).is_err(), "{level} is no confidence level");
        }
        assert_eq!(
            serde_json::from_str::<Confidence>("95").unwrap_err().to_string(),
            "the confidence level is 95, but must be a proportion between 0 and 1, such as 0.95"
        );
    }

    #[test]
    fn a_reason_can_be_read_and_be_sorted_by_its_code() {
        let reason = check_count("Pearson's r", "pairs", 2, 3).unwrap_err();
        assert_eq!(reason.to_string(), "Pearson's r needs at least 3 pairs, found 2");
        assert_eq!(serde_json::to_value(&reason).unwrap()["code"], "too-few");
        assert_eq!(
            check_values("x", &[1.0, f64::NAN]).unwrap_err().to_string().split(',').next().unwrap(),
            "x holds NaN at position 1 (from 0)"
        );
    }
}

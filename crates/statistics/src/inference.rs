//! Confidence levels of intervals, and the ways in which p values are computed.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::not_estimable::NotEstimable;

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

/// Method of a p value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PMethod {
    /// Student's t distribution; exact if the model's assumptions hold.
    StudentT,
    /// Student's t distribution with Satterthwaite's degrees of freedom, for variances that differ: Welch's t test.
    WelchT,
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

impl PMethod {
    /// The words of all methods.
    pub const NAMES: [&'static str; 8] = [
        Self::StudentT.name(),
        Self::WelchT.name(),
        Self::StudentTApproximation.name(),
        Self::ExactPermutation.name(),
        Self::ChiSquaredApproximation.name(),
        Self::NormalApproximation.name(),
        Self::NormalApproximationContinuity.name(),
        Self::FDistribution.name(),
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::StudentT => "Student's t distribution, two-sided",
            Self::WelchT => {
                "Student's t distribution with Satterthwaite's degrees of freedom (Welch's t test), two-sided"
            }
            Self::StudentTApproximation => "approximation by Student's t distribution, two-sided",
            Self::ExactPermutation => "exact, over all permutations, two-sided",
            Self::ChiSquaredApproximation => "approximation by the chi-squared distribution",
            Self::NormalApproximation => "approximation by the normal distribution, two-sided",
            Self::NormalApproximationContinuity => {
                "approximation by the normal distribution with continuity correction, two-sided"
            }
            Self::FDistribution => "F distribution",
        }
    }
}

impl fmt::Display for PMethod {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
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
}

//! Fixed and random effects of a mixed model, their tests, and the limits of what is fitted.

use serde::{Deserialize, Serialize};

use crate::inference::Confidence;
use crate::not_estimable::NotEstimable;

/// Problems are refused where (a + b) b² + a q² exceeds this, for a effects of the largest factor, q of them of each label,
/// and b effects and columns besides: one evaluation, of some hundred, would take seconds.
pub const MOST_WORK: f64 = 2e9;

/// More random terms than this are refused.
pub const MOST_TERMS: usize = 6;

/// Models with more parameters of covariance than this are refused.
pub const MOST_COVARIANCES: usize = 30;

/// Criterion that the variances maximise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Criterion {
    /// Restricted maximum likelihood: the variances account for the fixed effects having been
    /// estimated. Models with different fixed effects cannot be compared by it.
    #[default]
    Reml,
    /// Maximum likelihood: variances too small, but likelihoods that can be compared.
    Ml,
}

/// Distribution of the outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// A number, normal around its expectation.
    #[default]
    Normal,
    /// An event that happens or does not: its log odds are modelled.
    Logistic,
}

/// A fixed effect, or a contrast of several, with its test and interval.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Effect {
    /// Name of the column, or of the contrast.
    pub name: String,
    /// Distribution of the outcome.
    pub family: Family,
    /// The effect, in the unit of y or in log odds per unit of the column.
    pub estimate: Option<f64>,
    /// Its standard error.
    pub standard_error: Option<f64>,
    /// Degrees of freedom of t: Satterthwaite's, or of log odds those between and within labels; absent where it is a z.
    pub df: Option<f64>,
    /// The t statistic, or z of log odds: `estimate / standard_error`.
    pub statistic: Option<f64>,
    /// Two-sided p value of the hypothesis that the effect is 0.
    pub p_value: Option<f64>,
    /// Lower end of the interval by Student's t, or by the normal distribution.
    pub lower: Option<f64>,
    /// Upper end of the interval.
    pub upper: Option<f64>,
    /// Confidence level of the interval.
    pub confidence: Confidence,
    /// Reason why the first of the absent values is absent.
    pub reason: Option<NotEstimable>,
}

/// A joint test that several contrasts of the fixed effects are 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FTest {
    /// Name of the term or of the contrasts.
    pub name: String,
    /// The F statistic; of log odds Wald's chi-squared divided by `df1`.
    pub statistic: Option<f64>,
    /// Numerator degrees of freedom: the number of contrasts, less those that follow from the others.
    pub df1: Option<usize>,
    /// Denominator degrees of freedom: by Satterthwaite's method, or of log odds the fewest of the contrasts; absent where
    /// it is compared with chi-squared.
    pub df2: Option<f64>,
    /// Probability of so large an F where all contrasts are 0.
    pub p_value: Option<f64>,
    /// Reason why the first of the absent values is absent.
    pub reason: Option<NotEstimable>,
}

/// The random effects of one term.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RandomEffects {
    /// Name of the factor.
    pub factor: String,
    /// Number of its labels.
    pub n_labels: usize,
    /// Effects of each label: an intercept, slopes.
    pub effects: Vec<String>,
    /// Covariance of the effects of a label, in the units of y per unit of the columns.
    pub covariance: Vec<Vec<f64>>,
    /// True if correlations were estimated, if there are several effects.
    pub correlated: bool,
    /// True if the covariance has fewer dimensions than there are effects: a variance of 0, or a correlation of ±1.
    pub singular: bool,
    /// Intraclass correlation: the share that these effects have in the variance that remains beside the fixed part, on
    /// average over the observations.
    pub icc: f64,
}

impl RandomEffects {
    /// Standard deviation of an effect, in the unit of y per unit of its column.
    pub fn sd(&self, effect: usize) -> f64 {
        self.covariance[effect][effect].sqrt()
    }

    /// Correlation of two effects; absent where a variance is 0.
    pub fn correlation(&self, left: usize, right: usize) -> Option<f64> {
        let product = self.sd(left) * self.sd(right);
        (product > 0.0).then(|| (self.covariance[left][right] / product).clamp(-1.0, 1.0))
    }
}

/// The conditional mode of one random effect, its best linear unbiased prediction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mode {
    /// Name of the factor.
    pub factor: String,
    /// The label, such as the participant.
    pub label: String,
    /// Its intercept, or one of its slopes.
    pub effect: String,
    /// Number of its observations.
    pub n: usize,
    /// Expected difference of the effect from the fixed one, in the unit of y per unit of the column.
    pub mode: f64,
}

pub(super) fn undefined(why: String) -> NotEstimable {
    NotEstimable::Undefined { quantity: "the mixed model", why }
}

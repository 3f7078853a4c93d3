//! Correlation of two variables.

use serde::{Deserialize, Serialize};

use super::distribution::{normal_upper_quantile, student_two_sided};
use super::moments::Centred;
use super::rank::mid_ranks;
use super::{Confidence, NotEstimable, PMethod, check_count, check_pairs};

/// Which coefficient of correlation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Pearson's product-moment correlation r.
    Pearson,
    /// Spearman's rank correlation ρ, with mid-ranks for ties.
    Spearman,
}

/// A correlation with its test and interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Correlation {
    /// Which coefficient.
    pub method: Method,
    /// Number of pairs.
    pub n: usize,
    /// The coefficient, from −1 to 1; absent if n < 3 or a variable has no variance.
    pub estimate: Option<f64>,
    /// Lower end of the interval; absent if n < 4, because its standard error divides by n − 3.
    pub lower: Option<f64>,
    /// Upper end of the interval; absent with the lower one.
    pub upper: Option<f64>,
    /// Confidence level of the interval.
    pub confidence: Confidence,
    /// Degrees of freedom of the t statistic, n − 2; absent if n < 3.
    pub df: Option<usize>,
    /// The t statistic, r √(df / (1 − r²)); infinite for a perfect correlation.
    pub statistic: Option<f64>,
    /// Two-sided p value of the hypothesis of no correlation; 0 for a perfect correlation.
    pub p_value: Option<f64>,
    /// How the p value was computed.
    pub p_method: PMethod,
    /// Why the first of the absent values is absent.
    pub reason: Option<NotEstimable>,
}

/// Pearson's r, its test by Student's t with n − 2 degrees of freedom, and its interval by
/// Fisher's z with the standard error 1 / √(n − 3).
///
/// Pearson (1895). *Proceedings of the Royal Society of London*, 58, 240–242. Fisher (1921). On the
/// "probable error" of a coefficient of correlation deduced from a small sample. *Metron*, 1, 3–32.
/// The same as scipy's `pearsonr` and R's `cor.test`. A perfect correlation has an interval of
/// width 0, which is the formula's and not knowledge.
///
/// ```
/// use plymap::stats::{Confidence, correlation::pearson};
///
/// let moves = [12.0, 25.0, 31.0, 40.0, 58.0];
/// let seconds = [20.0, 61.0, 50.0, 90.0, 120.0];
/// let correlation = pearson(&moves, &seconds, Confidence::default());
/// assert_eq!((correlation.n, correlation.df), (5, Some(3)));
/// assert!(correlation.estimate > Some(0.9));
/// ```
pub fn pearson(x: &[f64], y: &[f64], confidence: Confidence) -> Correlation {
    correlate(Method::Pearson, x, y, confidence)
}

/// Spearman's ρ: Pearson's r of the mid-ranks, its test by the t approximation with n − 2 degrees
/// of freedom (as scipy's `spearmanr`), and its interval by Fisher's z with the standard error
/// √((1 + ρ²/2) / (n − 3)).
///
/// Spearman (1904). *American Journal of Psychology*, 15, 72–101. Bonett & Wright (2000). Sample
/// size requirements for estimating Pearson, Kendall and Spearman correlations. *Psychometrika*,
/// 65, 23–28. The t approximation is rough below ten pairs.
pub fn spearman(x: &[f64], y: &[f64], confidence: Confidence) -> Correlation {
    correlate(Method::Spearman, x, y, confidence)
}

/// The correlation by either method; see [`pearson`] and [`spearman`].
pub fn correlate(method: Method, x: &[f64], y: &[f64], confidence: Confidence) -> Correlation {
    let mut result = Correlation::absent(method, x.len().min(y.len()), confidence);
    match coefficient(method, x, y) {
        Ok(estimate) => result.complete(estimate),
        Err(reason) => result.reason = Some(reason),
    }
    result
}

/// The coefficient alone, for resampling.
///
/// # Errors
///
/// [`NotEstimable`] for fewer than three pairs, unequal lengths, no variance, or values that are
/// not finite.
pub fn coefficient(method: Method, x: &[f64], y: &[f64]) -> Result<f64, NotEstimable> {
    check_pairs(x, y)?;
    check_count(method.name(), "pairs", x.len(), 3)?;
    match method {
        Method::Pearson => product_moment(x, y),
        Method::Spearman => product_moment(&mid_ranks(x)?.ranks, &mid_ranks(y)?.ranks),
    }
}

impl Method {
    /// Its name in tables.
    pub fn key(self) -> &'static str {
        match self {
            Self::Pearson => "pearson",
            Self::Spearman => "spearman",
        }
    }

    /// Name of the coefficient, such as `Pearson's r`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pearson => "Pearson's r",
            Self::Spearman => "Spearman's ρ",
        }
    }

    /// The letter that stands for the coefficient in a text: `r` or `ρ`.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Pearson => "r",
            Self::Spearman => "ρ",
        }
    }
}

impl Correlation {
    fn absent(method: Method, n: usize, confidence: Confidence) -> Self {
        let p_method = match method {
            Method::Pearson => PMethod::StudentT,
            Method::Spearman => PMethod::StudentTApproximation,
        };
        Self {
            method,
            n,
            estimate: None,
            lower: None,
            upper: None,
            confidence,
            df: n.checked_sub(2).filter(|&df| df > 0),
            statistic: None,
            p_value: None,
            p_method,
            reason: None,
        }
    }

    fn complete(&mut self, estimate: f64) {
        self.estimate = Some(estimate);
        let df = (self.n - 2) as f64;
        let statistic = estimate * (df / ((1.0 - estimate) * (1.0 + estimate))).sqrt();
        self.statistic = Some(statistic);
        self.p_value = Some(student_two_sided(statistic, df));
        match fisher_interval(self.method, estimate, self.n, self.confidence) {
            Ok((lower, upper)) => (self.lower, self.upper) = (Some(lower), Some(upper)),
            Err(reason) => self.reason = Some(reason),
        }
    }
}

fn product_moment(x: &[f64], y: &[f64]) -> Result<f64, NotEstimable> {
    let (x, y) = (Centred::new(x), Centred::new(y));
    for (variable, centred) in [("x", &x), ("y", &y)] {
        if centred.is_constant() {
            return Err(NotEstimable::NoVariance { variable });
        }
    }
    let r = x.sum_of_products(&y) / (x.sum_of_powers(2) * y.sum_of_powers(2)).sqrt();
    // Rounding leaves perfect correlations a few units of the last place beside 1; without this,
    // their t would be a large number made of noise.
    Ok(if 1.0 - r.abs() < 8.0 * f64::EPSILON { r.signum() } else { r })
}

fn fisher_interval(
    method: Method,
    estimate: f64,
    n: usize,
    confidence: Confidence,
) -> Result<(f64, f64), NotEstimable> {
    check_count("the interval of a correlation", "pairs", n, 4)?;
    let variance_factor = match method {
        Method::Pearson => 1.0,
        Method::Spearman => 1.0 + estimate * estimate / 2.0,
    };
    let standard_error = (variance_factor / (n - 3) as f64).sqrt();
    let half = normal_upper_quantile(confidence.tail()) * standard_error;
    let z = estimate.atanh();
    Ok(((z - half).tanh(), (z + half).tanh()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_pairs_have_a_p_value_but_no_interval() {
        let three = pearson(&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0], Confidence::default());
        assert!((three.estimate.unwrap() - 0.5).abs() < 1e-15);
        // With one degree of freedom t is Cauchy: p = 1 − (2/π) atan(1/√3) = 2/3.
        assert!((three.p_value.unwrap() - 2.0 / 3.0).abs() < 1e-14);
        assert_eq!(three.lower, None);
        assert_eq!(three.reason.unwrap().to_string(), "the interval of a correlation needs at least 4 pairs, found 3");
    }

    #[test]
    fn a_perfect_correlation_is_exactly_one_whatever_the_rounding() {
        let x: Vec<f64> = (0..100).map(|i| 0.1 * f64::from(i)).collect();
        let y: Vec<f64> = x.iter().map(|x| 0.7 - 0.3 * x).collect();
        let perfect = pearson(&x, &y, Confidence::default());
        assert_eq!((perfect.estimate, perfect.p_value), (Some(-1.0), Some(0.0)));
        assert_eq!((perfect.lower, perfect.upper), (Some(-1.0), Some(-1.0)));
    }

    #[test]
    fn what_cannot_be_estimated_says_why() {
        let reason = |x: &[f64], y: &[f64]| pearson(x, y, Confidence::default()).reason.unwrap().to_string();
        assert_eq!(reason(&[1.0, 2.0], &[1.0, 2.0]), "Pearson's r needs at least 3 pairs, found 2");
        assert_eq!(reason(&[0.1; 4], &[1.0, 2.0, 3.0, 4.0]), "all values of x are equal");
        assert_eq!(reason(&[1.0], &[1.0, 2.0]), "x has 1 values but y has 2; they must be paired");
    }
}

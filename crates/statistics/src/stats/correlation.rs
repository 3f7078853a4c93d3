//! Correlation of two variables.

use serde::{Deserialize, Serialize};

use super::kendall::Concordance;
use crate::apa;
use crate::estimator::sample::Sample;
use crate::estimator::{Estimate, Estimator, Kind, Need, Role, each_pair};
use crate::inference::{Confidence, PMethod};
use crate::not_estimable::{NotEstimable, check_count, check_pairs};
use crate::numeric::distribution::{normal_upper_quantile, student_two_sided};
use crate::numeric::moments::Centred;
pub use crate::numeric::permutation::MAX_EXACT;
use crate::numeric::permutation::share_as_extreme;
use crate::numeric::rank::mid_ranks;
use crate::record::*;

/// A coefficient of correlation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CorrelationKind {
    /// Pearson's product-moment correlation r.
    Pearson,
    /// Spearman's rank correlation ρ, with mid-ranks for ties.
    Spearman,
    /// Kendall's rank correlation τb, which allows for ties.
    Kendall,
}

/// A correlation with its test and interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Correlation {
    /// The coefficient.
    pub method: CorrelationKind,
    /// Number of pairs.
    pub n: usize,
    /// The coefficient with its test, or why there is none: n < 3, or a variable has no variance.
    pub coefficient: Result<Coefficient, NotEstimable>,
    /// Confidence level of the interval.
    pub confidence: Confidence,
    /// Degrees of freedom of the t statistic, n − 2; absent if n < 3 and for Kendall's τb.
    pub df: Option<usize>,
    /// Method of the p value.
    pub p_method: PMethod,
}

/// A coefficient of correlation with its test and interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Coefficient {
    /// The coefficient, from −1 to 1.
    pub estimate: f64,
    /// Ends of the interval. There is none if its standard error divides by 0, with three pairs (for Kendall's τb with
    /// four), and for a perfect correlation, whose Fisher z is infinite.
    pub interval: Result<(f64, f64), NotEstimable>,
    /// The t statistic, r √(df / (1 − r²)), infinite for a perfect correlation; for Kendall's τb the
    /// standard normal statistic, with the variance that allows for ties.
    pub statistic: f64,
    /// Two-sided p value of the hypothesis of no correlation. From t, that of a perfect correlation
    /// is 0; an exact one is never below 1 / n!.
    pub p_value: f64,
}

const ASSUMPTIONS: &str = "Assumes independent rows, which those of one participant are not: bootstrap-pearson, \
                       bootstrap-spearman and repeated allow for that.";
const COLUMNS: &[Column] = &[
    X,
    Y,
    N,
    N_MISSING,
    ESTIMATE.means("the coefficient, from −1 to 1"),
    LOWER,
    UPPER,
    CONFIDENCE,
    STATISTIC.means("t, for Kendall z; empty where it is infinite because the correlation is perfect"),
    DF,
    P_OF_CORRELATION,
    P_METHOD,
    SENTENCE,
    REASON,
];

/// The method of the p value of a coefficient.
pub const P_OF_CORRELATION: Column = P_VALUE.means(
    "two-sided p of the hypothesis of no correlation, not adjusted: of Pearson by Student's t; of Spearman the share of all permutations up to n = 9, above that by the t approximation; of Kendall the share of all permutations up to n = 9 with ties and up to n = 33 without, above that by the normal approximation",
);

/// Pearson's r of columns of any table.
pub const PEARSON: Estimator = Estimator {
    name: "pearson",
    summary: "Pearson's r of each x with each y.",
    assumptions: ASSUMPTIONS,
    source: "Pearson (1895); Fisher (1921).",
    roles: &[Need::several(Role::X, Kind::Number, 1), Need::several(Role::Y, Kind::Number, 1)],
    columns: COLUMNS,
    estimate: Estimate::Table(|sample| estimate_pairs(sample, CorrelationKind::Pearson)),
};

/// Spearman's ρ of columns of any table.
pub const SPEARMAN: Estimator = Estimator {
    name: "spearman",
    summary: "Spearman's ρ of each x with each y.",
    source: "Spearman (1904); Bonett and Wright (2000).",
    estimate: Estimate::Table(|sample| estimate_pairs(sample, CorrelationKind::Spearman)),
    ..PEARSON
};

/// Kendall's τb of columns of any table.
pub const KENDALL: Estimator = Estimator {
    name: "kendall",
    summary: "Kendall's τb of each x with each y; with the time as x it is the Mann-Kendall test of a trend.",
    source: "Kendall (1945); Bonett and Wright (2000).",
    estimate: Estimate::Table(|sample| estimate_pairs(sample, CorrelationKind::Kendall)),
    ..PEARSON
};

fn estimate_pairs(sample: &Sample, method: CorrelationKind) -> Vec<Record> {
    each_pair(sample, &[], |x, y, _| vec![correlate(method, x, y, sample.request.confidence).record()])
}

/// Pearson's r, its test by Student's t with n − 2 degrees of freedom, and its interval by
/// Fisher's z with the standard error 1 / √(n − 3).
///
/// Pearson (1895). *Proceedings of the Royal Society of London*, 58, 240–242. Fisher (1921). On the
/// "probable error" of a coefficient of correlation deduced from a small sample. *Metron*, 1, 3–32.
/// The same as scipy's `pearsonr` and R's `cor.test`, except that a perfect correlation has no
/// interval here: theirs has width 0, which is the formula's and not knowledge.
///
/// ```
/// use plymap_statistics::stats::{Confidence, correlation::pearson};
///
/// let moves = [12.0, 25.0, 31.0, 40.0, 58.0];
/// let seconds = [20.0, 61.0, 50.0, 90.0, 120.0];
/// let correlation = pearson(&moves, &seconds, Confidence::default());
/// assert_eq!((correlation.n, correlation.df), (5, Some(3)));
/// assert!(correlation.estimate() > Some(0.9));
/// ```
pub fn pearson(x: &[f64], y: &[f64], confidence: Confidence) -> Correlation {
    correlate(CorrelationKind::Pearson, x, y, confidence)
}

/// Spearman's ρ: Pearson's r of the mid-ranks, its test, and its interval by Fisher's z with the
/// standard error √((1 + ρ²/2) / (n − 3)).
///
/// Up to [`MAX_EXACT`] pairs the p value is exact: the share of all n! ways to pair the ranks, ties
/// included, whose |ρ| is at least the observed one. Above that it is the t approximation with
/// n − 2 degrees of freedom (as scipy's `spearmanr`), which is rough for fewer pairs.
///
/// Spearman (1904). *American Journal of Psychology*, 15, 72–101. Bonett & Wright (2000). Sample
/// size requirements for estimating Pearson, Kendall and Spearman correlations. *Psychometrika*,
/// 65, 23–28.
///
/// ```
/// use plymap_statistics::stats::{Confidence, correlation::spearman};
///
/// // Of the 24 orders of four ranks, only the same one and the reverse are perfect.
/// let perfect = spearman(&[1.0, 2.0, 3.0, 4.0], &[2.0, 5.0, 6.0, 9.0], Confidence::default());
/// let perfect = perfect.coefficient?;
/// assert_eq!((perfect.estimate, perfect.p_value), (1.0, 2.0 / 24.0));
/// # Ok::<(), plymap_statistics::stats::NotEstimable>(())
/// ```
pub fn spearman(x: &[f64], y: &[f64], confidence: Confidence) -> Correlation {
    correlate(CorrelationKind::Spearman, x, y, confidence)
}

/// Kendall's τb: the share of concordant less that of discordant pairs of observations, divided by
/// its largest size with these ties; its test; and its interval by Fisher's z with the standard
/// error √(0.437 / (n − 4)).
///
/// The p value is exact up to 33 pairs without ties, and with ties up to [`MAX_EXACT`]: the share of all n! orders of y whose
/// C − D (concordant less discordant comparisons) is at least as far from 0 as the observed one; the ties stay, so that
/// this is the order of |τb| too. Else it is the normal approximation with the variance that allows for ties, which is too
/// small or too large by a half in the smallest samples. scipy's `kendalltau` takes that for all samples with ties, and an exact
/// p for more than 33 pairs without ties of which at most one is out of order, where both are below 1e-15. Takes
/// O(n log n) time, and n! with ties in few pairs.
///
/// Kendall (1945). The treatment of ties in ranking problems. *Biometrika*, 33, 239–251. Knight
/// (1966). *Journal of the American Statistical Association*, 61, 436–439. Interval: Fieller,
/// Hartley & Pearson (1957). *Biometrika*, 44, 470–481; Bonett & Wright (2000), as for [`spearman`].
/// It is meant for |τ| below .8 and variables without ties.
///
/// ```
/// use plymap_statistics::stats::{Confidence, correlation::kendall};
///
/// // Five of the six comparisons agree, one does not.
/// let four = kendall(&[1.0, 2.0, 3.0, 4.0], &[10.0, 30.0, 20.0, 40.0], Confidence::default());
/// let four = four.coefficient?;
/// assert_eq!((four.estimate, four.p_value), (4.0 / 6.0, 8.0 / 24.0));
/// # Ok::<(), plymap_statistics::stats::NotEstimable>(())
/// ```
pub fn kendall(x: &[f64], y: &[f64], confidence: Confidence) -> Correlation {
    correlate(CorrelationKind::Kendall, x, y, confidence)
}

/// The correlation by any method; see [`pearson`], [`spearman`] and [`kendall`].
pub fn correlate(method: CorrelationKind, x: &[f64], y: &[f64], confidence: Confidence) -> Correlation {
    let n = x.len().min(y.len());
    let mut p_method = match method {
        CorrelationKind::Pearson => PMethod::StudentT,
        CorrelationKind::Spearman if n <= MAX_EXACT => PMethod::ExactPermutation,
        CorrelationKind::Spearman => PMethod::StudentTApproximation,
        CorrelationKind::Kendall => PMethod::NormalApproximation,
    };
    let tested = coefficient(method, x, y).and_then(|estimate| {
        if method == CorrelationKind::Kendall {
            let concordance = Concordance::new(x, y);
            let interval = fisher_interval(method, estimate, n, confidence);
            let exact = concordance.exact_p_value(x, y).inspect(|_| p_method = PMethod::ExactPermutation);
            let p_value = exact.unwrap_or_else(|| concordance.asymptotic_p_value());
            return Ok(Coefficient { estimate, interval, statistic: concordance.z(), p_value });
        }
        let mut tested = Coefficient::by_t(method, estimate, n, confidence);
        if p_method == PMethod::ExactPermutation {
            tested.p_value = exact_p_value(x, y)?;
        }
        Ok(tested)
    });
    let df = n.checked_sub(2).filter(|&df| df > 0 && method != CorrelationKind::Kendall);
    Correlation { method, n, coefficient: tested, confidence, df, p_method }
}

/// The coefficient alone, for resampling.
///
/// # Errors
///
/// [`NotEstimable`] for fewer than three pairs, unequal lengths, no variance, or values that are
/// not finite.
pub fn coefficient(method: CorrelationKind, x: &[f64], y: &[f64]) -> Result<f64, NotEstimable> {
    check_pairs(x, y)?;
    check_count(method.name(), "pairs", x.len(), 3)?;
    match method {
        CorrelationKind::Pearson => product_moment(x, y),
        CorrelationKind::Spearman => product_moment(&mid_ranks(x)?.ranks, &mid_ranks(y)?.ranks),
        CorrelationKind::Kendall => {
            for (variable, values) in [("x", x), ("y", y)] {
                if values.iter().all(|&value| value == values[0]) {
                    return Err(NotEstimable::NoVariance { variable });
                }
            }
            Ok(Concordance::new(x, y).tau_b())
        }
    }
}

impl CorrelationKind {
    /// Its name in tables.
    pub fn key(self) -> &'static str {
        match self {
            Self::Pearson => "pearson",
            Self::Spearman => "spearman",
            Self::Kendall => "kendall",
        }
    }

    /// Name of the coefficient, such as `Pearson's r`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pearson => "Pearson's r",
            Self::Spearman => "Spearman's ρ",
            Self::Kendall => "Kendall's τb",
        }
    }

    /// The letter that stands for the coefficient in a text: `r`, `ρ` or `τb`.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Pearson => "r",
            Self::Spearman => "ρ",
            Self::Kendall => "τb",
        }
    }
}

impl Correlation {
    /// `r(48) = .35, 95 % CI [.08, .57], p = .012`; the number in parentheses is n − 2. Kendall's τb has
    /// no degrees of freedom: `τb = .35, 95 % CI [.12, .54], p = .002, n = 50`.
    ///
    /// ```
    /// use plymap_statistics::stats::{Confidence, correlation::spearman};
    ///
    /// let falling = spearman(&[1.0, 2.0, 3.0, 4.0, 5.0], &[9.0, 7.0, 8.0, 4.0, 5.0], Confidence::default());
    /// assert_eq!(falling.sentence(), "ρ(3) = −.80, 95 % CI [−.99, .46], p = .133");
    /// ```
    pub fn sentence(&self) -> String {
        let symbol = self.method.symbol();
        apa::outcome(symbol, self.n, &self.coefficient, |coefficient| {
            let (estimate, p) = (coefficient.printed(self.confidence), apa::p_value(coefficient.p_value));
            match self.df {
                Some(df) => format!("{symbol}({df}) = {estimate}, {p}"),
                None => format!("{symbol} = {estimate}, {p}, n = {}", apa::count(self.n)),
            }
        })
    }

    /// The coefficient alone, if there is one.
    pub fn estimate(&self) -> Option<f64> {
        self.coefficient.as_ref().ok().map(|coefficient| coefficient.estimate)
    }

    /// The p value alone, if there is one.
    pub fn p_value(&self) -> Option<f64> {
        self.coefficient.as_ref().ok().map(|coefficient| coefficient.p_value)
    }

    /// The result as a row.
    pub fn record(&self) -> Record {
        Record::new()
            .set(N, self.n)
            .set(CONFIDENCE, self.confidence.level())
            .set(DF, self.df)
            .set(P_METHOD, self.p_method)
            .set(SENTENCE, self.sentence())
            .outcome(&self.coefficient, Coefficient::set)
    }
}

impl Coefficient {
    /// Its test by t, as one of `n` pairs.
    pub(super) fn by_t(method: CorrelationKind, estimate: f64, n: usize, confidence: Confidence) -> Self {
        let df = (n - 2) as f64;
        let statistic = estimate * (df / ((1.0 - estimate) * (1.0 + estimate))).sqrt();
        let interval = fisher_interval(method, estimate, n, confidence);
        Self { estimate, interval, statistic, p_value: student_two_sided(statistic, df) }
    }

    /// `.35, 95 % CI [.08, .57]`.
    pub(super) fn printed(&self, confidence: Confidence) -> String {
        let interval = apa::interval(confidence, self.interval.clone().ok(), |end| apa::bounded(end, 2));
        format!("{}{interval}", apa::bounded(self.estimate, 2))
    }

    pub(super) fn set(record: Record, coefficient: &Self) -> Record {
        record
            .set(ESTIMATE, coefficient.estimate)
            .interval(LOWER, UPPER, &coefficient.interval)
            .set(STATISTIC, coefficient.statistic)
            .set(P_VALUE, coefficient.p_value)
    }
}

pub(super) fn product_moment(x: &[f64], y: &[f64]) -> Result<f64, NotEstimable> {
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

/// Share of all pairings of the ranks whose |ρ| is at least that of the pairs as they are.
///
/// Twice a mid-rank is a whole number, so that pairings with the same ρ are found equal without rounding.
fn exact_p_value(x: &[f64], y: &[f64]) -> Result<f64, NotEstimable> {
    // The ranks stay the same, and with them their variances: only the sum of products differs.
    let (x, mut y) = (centred_ranks(x)?, centred_ranks(y)?);
    let sum: i64 = x.iter().zip(&y).map(|(x, y)| x * y).sum();
    Ok(share_as_extreme(y.len(), sum, |i, j| {
        let change = -(x[i] - x[j]) * (y[i] - y[j]);
        y.swap(i, j);
        change
    }))
}

/// Twice the deviations of mid-ranks from their mean: whole numbers, of which sums are exact.
fn centred_ranks(values: &[f64]) -> Result<Vec<i64>, NotEstimable> {
    let ranks = mid_ranks(values)?.ranks;
    Ok(ranks.iter().map(|rank| (2.0 * rank) as i64 - values.len() as i64 - 1).collect())
}

/// The interval by Fisher's z. A partial correlation counts as one of fewer pairs.
fn fisher_interval(
    method: CorrelationKind,
    estimate: f64,
    n: usize,
    confidence: Confidence,
) -> Result<(f64, f64), NotEstimable> {
    let quantity = "the interval of a correlation";
    check_count(quantity, "pairs", n, if method == CorrelationKind::Kendall { 5 } else { 4 })?;
    if estimate.abs() >= 1.0 {
        let why = format!("{} is {estimate}, whose Fisher z is infinite", method.name());
        return Err(NotEstimable::Undefined { quantity, why });
    }
    let n = n as f64;
    let variance = match method {
        CorrelationKind::Pearson => 1.0 / (n - 3.0),
        CorrelationKind::Spearman => (1.0 + estimate * estimate / 2.0) / (n - 3.0),
        CorrelationKind::Kendall => 0.437 / (n - 4.0),
    };
    let half = normal_upper_quantile(confidence.tail()) * variance.sqrt();
    let z = estimate.atanh();
    Ok(((z - half).tanh(), (z + half).tanh()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_pairs_have_a_p_value_but_no_interval() {
        let three = pearson(&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0], Confidence::default()).coefficient.unwrap();
        assert!((three.estimate - 0.5).abs() < 1e-15);
        // With one degree of freedom t is Cauchy: p = 1 − (2/π) atan(1/√3) = 2/3.
        assert!((three.p_value - 2.0 / 3.0).abs() < 1e-14);
        let reason = "the interval of a correlation needs at least 4 pairs, found 3";
        assert_eq!(three.interval.unwrap_err().to_string(), reason);
    }

    #[test]
    fn a_perfect_correlation_is_exactly_one_whatever_the_rounding() {
        let x: Vec<f64> = (0..100).map(|i| 0.1 * f64::from(i)).collect();
        let y: Vec<f64> = x.iter().map(|x| 0.7 - 0.3 * x).collect();
        let perfect = pearson(&x, &y, Confidence::default()).coefficient.unwrap();
        assert_eq!((perfect.estimate, perfect.p_value), (-1.0, 0.0));
        let reason = "the interval of a correlation is not defined here: Pearson's r is -1, whose Fisher z is infinite";
        assert_eq!(perfect.interval.unwrap_err().to_string(), reason);
    }

    #[test]
    fn small_samples_have_the_p_values_of_the_printed_tables() {
        let ascending = |n: usize| (0..n).map(|i| i as f64).collect::<Vec<_>>();
        // Best & Roberts (1975), *Applied Statistics*, 24, 377–379: P(ρ ≥ 0.8) of five pairs is 8 / 120.
        let five = spearman(&ascending(5), &[0.0, 2.0, 1.0, 4.0, 3.0], Confidence::default());
        assert_eq!((five.coefficient.unwrap().p_value, five.p_method), (16.0 / 120.0, PMethod::ExactPermutation));
        let nine = spearman(&ascending(9), &ascending(9), Confidence::default()).coefficient.unwrap();
        assert_eq!((nine.p_value, nine.statistic), (2.0 / 362_880.0, f64::INFINITY));
        let ten = spearman(&ascending(10), &ascending(10), Confidence::default());
        assert_eq!((ten.coefficient.unwrap().p_value, ten.p_method), (0.0, PMethod::StudentTApproximation));
    }

    #[test]
    fn what_cannot_be_estimated_says_why() {
        let reason = |x: &[f64], y: &[f64]| pearson(x, y, Confidence::default()).coefficient.unwrap_err().to_string();
        assert_eq!(reason(&[1.0, 2.0], &[1.0, 2.0]), "Pearson's r needs at least 3 pairs, found 2");
        assert_eq!(reason(&[0.1; 4], &[1.0, 2.0, 3.0, 4.0]), "all values of x are equal");
        assert_eq!(reason(&[1.0], &[1.0, 2.0]), "x has 1 values but y has 2; they must be paired");
    }
}

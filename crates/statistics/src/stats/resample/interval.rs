//! A statistic with its bootstrap interval, and the methods that read its ends from resamples.

use serde::{Deserialize, Serialize};

use crate::apa;
use crate::inference::Confidence;
use crate::not_estimable::{NotEstimable, check_count, check_values};
use crate::numeric::distribution::{normal_cdf, normal_upper_quantile};
use crate::numeric::moments::Centred;
use crate::numeric::quantile::sorted_quantile;
use crate::record::*;

pub(super) const N_UNITS: Column = count("n_units", "number of resampled units: rows or participants");
pub(super) const INTERVAL: Column = text(
    "interval",
    "how the interval is computed from the resamples: bca, bias-corrected and accelerated; percentile where rows times units \
     are more than 10 million",
);
pub(super) const N_RESAMPLES: Column = count(
    "n_resamples",
    "number of resamples: 9,999 for up to 1,000 rows, fewer for more but at least 999, or as --resamples asks for",
);
pub(super) const N_FAILED: Column = count("n_failed", "number of resamples without a finite value");
pub(super) const SEED: Column = count("seed", "seed of the generator");

/// Method that reads the ends of a bootstrap interval from the resamples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BootstrapMethod {
    /// The plain quantiles of the resampled statistic (Efron & Tibshirani, 1993, chapter 13).
    Percentile,
    /// Quantiles moved for bias and skewness (BCa; Efron, 1987).
    BiasCorrectedAccelerated,
}

/// A statistic with its bootstrap interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BootstrapInterval {
    /// Method of the interval.
    pub method: BootstrapMethod,
    /// Number of units that were resampled: values, pairs, or clusters.
    pub n_units: usize,
    /// Number of observations in them.
    pub n: usize,
    /// The statistic of the data themselves.
    pub estimate: Option<f64>,
    /// Lower end of the interval.
    pub lower: Option<f64>,
    /// Upper end of the interval.
    pub upper: Option<f64>,
    /// Confidence level of the interval.
    pub confidence: Confidence,
    /// Standard deviation of the resampled statistic.
    pub standard_error: Option<f64>,
    /// Number of resamples.
    pub n_resamples: usize,
    /// Number of them without a finite statistic (a correlation of a resample without variance).
    /// They are left out; more than one in a hundred, and there is no interval.
    pub n_failed: usize,
    /// Seed of the generator.
    pub seed: u64,
    /// Reason why the first of the absent values is absent.
    pub reason: Option<NotEstimable>,
}

impl BootstrapMethod {
    /// Its name in tables of estimators.
    pub fn key(self) -> &'static str {
        match self {
            Self::Percentile => "percentile",
            Self::BiasCorrectedAccelerated => "bca",
        }
    }

    /// Its name in a text: `percentile` or `BCa`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Percentile => "percentile",
            Self::BiasCorrectedAccelerated => "BCa",
        }
    }
}

impl BootstrapInterval {
    /// `r = .35, 95 % bootstrap CI [.08, .57]`; `symbol` names the statistic, and `is_bounded` tells whether it cannot
    /// exceed 1.
    pub fn sentence(&self, symbol: &str, is_bounded: bool) -> String {
        let format = |value| if is_bounded { apa::bounded(value, 2) } else { apa::number(value, 2) };
        let Some(estimate) = self.estimate else {
            return apa::not_estimable(symbol, self.n, self.reason.as_ref());
        };
        let interval = apa::interval(self.confidence, self.lower.zip(self.upper), format);
        format!("{symbol} = {}{}", format(estimate), interval.replace(" CI", " bootstrap CI"))
    }

    /// The result as a row; see [`BootstrapInterval::sentence`].
    pub fn record(&self, symbol: &str, is_bounded: bool) -> Record {
        Record::new()
            .set(N, self.n)
            .set(N_UNITS, self.n_units)
            .set(ESTIMATE, self.estimate)
            .set(LOWER, self.lower)
            .set(UPPER, self.upper)
            .set(CONFIDENCE, self.confidence.level())
            .set(INTERVAL, self.method.key())
            .set(STANDARD_ERROR, self.standard_error)
            .set(N_RESAMPLES, self.n_resamples)
            .set(N_FAILED, self.n_failed)
            .set(SEED, self.seed)
            .set(SENTENCE, self.sentence(symbol, is_bounded))
            .set(REASON, self.reason.clone())
    }
}

/// The percentile interval of given bootstrap replicates: their quantiles (type 7) at the two tails.
///
/// Efron & Tibshirani (1993). *An introduction to the bootstrap*, section 13.3.
///
/// # Errors
///
/// [`NotEstimable`] if there are no replicates, one is not finite, or all are equal.
pub fn percentile_interval(replicates: &[f64], confidence: Confidence) -> Result<(f64, f64), NotEstimable> {
    let sorted = sorted_replicates(replicates)?;
    Ok((sorted_quantile(&sorted, confidence.tail()), sorted_quantile(&sorted, 1.0 - confidence.tail())))
}

/// The bias-corrected and accelerated interval of given bootstrap replicates.
///
/// `jackknife` holds the statistic with each unit left out in turn. Replicates equal to the
/// estimate count half below it.
///
/// Efron (1987), equations 2.3 and 6.6; Efron & Tibshirani (1993), equations 14.9 to 14.15.
///
/// # Errors
///
/// [`NotEstimable`] if a value is not finite, all replicates or all jackknife values are equal, or
/// the whole of the replicates lies on one side of the estimate.
pub fn bca_interval(
    estimate: f64,
    replicates: &[f64],
    jackknife: &[f64],
    confidence: Confidence,
) -> Result<(f64, f64), NotEstimable> {
    let sorted = sorted_replicates(replicates)?;
    let bias = bias_correction(estimate, &sorted)?;
    let acceleration = acceleration(jackknife)?;
    let end = |tail: f64| {
        let shifted = bias - normal_upper_quantile(tail);
        let stretch = 1.0 - acceleration * shifted;
        if stretch <= 0.0 {
            return Err(undefined("the BCa interval", "its acceleration is too large for this confidence level"));
        }
        Ok(sorted_quantile(&sorted, normal_cdf(bias + shifted / stretch)))
    };
    Ok((end(confidence.tail())?, end(1.0 - confidence.tail())?))
}

fn sorted_replicates(replicates: &[f64]) -> Result<Vec<f64>, NotEstimable> {
    check_count("a bootstrap interval", "resamples", replicates.len(), 1)?;
    check_values("the resampled statistic", replicates)?;
    let mut sorted = replicates.to_vec();
    sorted.sort_by(f64::total_cmp);
    if sorted[0] == sorted[sorted.len() - 1] {
        return Err(NotEstimable::NoVariance { variable: "the resampled statistic" });
    }
    Ok(sorted)
}

/// The normal quantile of the share of replicates below the estimate.
fn bias_correction(estimate: f64, sorted: &[f64]) -> Result<f64, NotEstimable> {
    let n_below = sorted.partition_point(|&replicate| replicate < estimate);
    let n_at_most = sorted.partition_point(|&replicate| replicate <= estimate);
    let share = (n_below + n_at_most) as f64 / (2 * sorted.len()) as f64;
    if share == 0.0 || share == 1.0 {
        return Err(undefined("the BCa interval", "all resamples lie on one side of the estimate"));
    }
    Ok(-normal_upper_quantile(share))
}

/// A sixth of the skewness of the jackknife's influence values.
fn acceleration(jackknife: &[f64]) -> Result<f64, NotEstimable> {
    check_count("the BCa interval", "jackknife values", jackknife.len(), 2)?;
    if jackknife.iter().any(|value| !value.is_finite()) {
        return Err(undefined("the BCa interval", "the statistic is not finite with one unit left out"));
    }
    check_values("the jackknife", jackknife)?;
    let centred = Centred::new(jackknife);
    if centred.is_constant() {
        return Err(NotEstimable::NoVariance { variable: "the jackknife" });
    }
    Ok(-centred.sum_of_powers(3) / (6.0 * centred.sum_of_powers(2).powf(1.5)))
}

pub(super) fn undefined(quantity: &'static str, why: &str) -> NotEstimable {
    NotEstimable::Undefined { quantity, why: why.to_owned() }
}

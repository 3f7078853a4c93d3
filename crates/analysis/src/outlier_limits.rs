//! The limits beyond which a measure is an outlier among others.

use plymap_statistics::record::*;
use plymap_statistics::stats::NotEstimable;
use plymap_statistics::stats::outliers::{LOWER_LIMIT, Rule, UPPER_LIMIT, outliers};

pub(super) const N_OUTLIERS: Column =
    whole("n_outliers", "number of values beyond the limits; empty where there are no limits");
pub(super) const N_WITHOUT_LOGARITHM: Column = count(
    "n_without_logarithm",
    "number of times that are not above 0: they have no logarithm and take no part in the rule of outliers",
);
pub(super) const RULE: Column = text("rule", "which values are outliers (Leys et al., 2013)");

/// The rule of outliers of counts and shares.
const PLAIN_RULE: &str = "|x − Mdn| > 3 · 1.4826 MAD";
/// The rule of outliers of times, which are skewed.
const LOG_RULE: &str = "|ln x − Mdn(ln x)| > 3 · 1.4826 MAD(ln x)";

/// The limits beyond which a value is an outlier.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Limits {
    /// The rule, as a formula.
    pub rule: &'static str,
    /// Values below it are outliers; absent where the rule has no limits.
    pub lower: Option<f64>,
    /// Values above it are outliers.
    pub upper: Option<f64>,
    /// Places of the outliers in the sample.
    pub indices: Vec<usize>,
    /// Number of times that are not above 0, which the rule leaves out.
    pub n_without_logarithm: usize,
    /// Reason why there are no limits.
    pub reason: Option<NotEstimable>,
}

impl Limits {
    /// The row of a table.
    pub fn record(&self) -> Record {
        Record::new()
            .set(RULE, self.rule)
            .set(N_OUTLIERS, self.lower.map(|_| self.indices.len()))
            .set(LOWER_LIMIT, self.lower)
            .set(UPPER_LIMIT, self.upper)
            .set(N_WITHOUT_LOGARITHM, self.n_without_logarithm)
            .set(REASON, self.reason.clone())
    }
}

/// The limits of outliers; of times, those of their logarithms, taken back to seconds.
pub(super) fn limits(values: &[f64], is_time: bool) -> Limits {
    if !is_time {
        let outliers = outliers(values, Rule::MAD);
        let (lower, upper, indices, reason) =
            (outliers.lower_limit, outliers.upper_limit, outliers.indices, outliers.reason);
        return Limits { rule: PLAIN_RULE, lower, upper, indices, n_without_logarithm: 0, reason };
    }
    let (indices, logarithms): (Vec<usize>, Vec<f64>) =
        values.iter().enumerate().filter(|(_, value)| **value > 0.0).map(|(index, value)| (index, value.ln())).unzip();
    let outliers = outliers(&logarithms, Rule::MAD);
    // Limits so wide that their exponential is no number exclude nothing.
    let back = |limit: Option<f64>| limit.map(|limit| limit.exp().min(f64::MAX));
    Limits {
        rule: LOG_RULE,
        lower: back(outliers.lower_limit),
        upper: back(outliers.upper_limit),
        indices: outliers.indices.iter().map(|&index| indices[index]).collect(),
        n_without_logarithm: values.len() - logarithms.len(),
        reason: outliers.reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_judged_by_their_logarithms() {
        // Logarithms 0, 1, 2, 3, 4 and 20: the median is 2.5, and the MAD is 1.5.
        let times: Vec<f64> = [0.0_f64, 1.0, 2.0, 3.0, 4.0, 20.0].iter().map(|logarithm| logarithm.exp()).collect();
        let result = limits(&[&[0.0], times.as_slice()].concat(), true);
        assert_eq!((result.indices, result.n_without_logarithm), (vec![6], 1));
        let half = 3.0 * 1.482_602_218_505_602 * 1.5;
        assert!((result.upper.unwrap().ln() - (2.5 + half)).abs() < 1e-12);
        assert!((result.lower.unwrap().ln() - (2.5 - half)).abs() < 1e-12);
        // Logarithms 0 to 7 are no outliers. As they are, the median is 37.3 and the MAD 35.5: 403 and 1,097 are.
        let even: Vec<f64> = (0..8).map(|logarithm| f64::from(logarithm).exp()).collect();
        assert!(limits(&even, true).indices.is_empty());
        assert_eq!(limits(&even, false).indices, [6, 7]);
    }

    #[test]
    fn equal_values_have_no_limits() {
        let result = limits(&[4.0; 5], false);
        assert!(result.lower.is_none() && result.indices.is_empty() && result.reason.is_some());
        assert_eq!(limits(&[0.0; 5], true).n_without_logarithm, 5);
    }
}

//! Intervals of a median and of a proportion.

use serde::Serialize;

use super::distribution::{fair_binomial_cdf, normal_upper_quantile};
use super::quantile::sorted_quantile;
use super::{Confidence, NotEstimable, apa, check_count, check_values};
use crate::estimator::description::{COLUMNS_DESCRIBED, each};
use crate::estimator::sample::Input;
use crate::estimator::{Estimator, INDEPENDENT, Kind, Need, Role};
use crate::record::*;

/// The level that an interval has.
pub const COVERAGE: Column =
    number("coverage", "confidence that the interval has: at least that asked for, as it ends at values of the sample");
/// How many count.
pub const N_TRUE: Column = count("n_true", "number of rows in which it is true");
const EVENT: Column = text("event", "what happened or not");

/// The median of columns of any table.
pub const MEDIAN: Estimator = Estimator {
    name: "median",
    summary: "Median of each column with its exact, distribution-free interval.",
    assumptions: INDEPENDENT,
    source: "Hahn and Meeker (1991), section 5.2.",
    roles: COLUMNS_DESCRIBED,
    columns: &[
        MEASURE,
        N,
        N_MISSING,
        ESTIMATE.means("the median"),
        LOWER,
        UPPER,
        CONFIDENCE,
        COVERAGE,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| each(sample, |values| vec![median_interval(values, sample.request.confidence).record()]),
};

/// The share of columns of any table.
pub const PROPORTION: Estimator = Estimator {
    name: "proportion",
    summary: "Share of the rows in which each column is true, with Wilson's interval.",
    assumptions: INDEPENDENT,
    source: "Wilson (1927).",
    roles: &[Need::several(Role::Event, Kind::Flag, 1)],
    columns: &[EVENT, N, N_MISSING, N_TRUE, ESTIMATE.means("the share"), LOWER, UPPER, CONFIDENCE, SENTENCE, REASON],
    estimate: |sample| {
        let row = |event: &Input| {
            let complete = sample.complete([event]);
            let flags = event.flags(&complete.indices);
            let n_true = flags.iter().filter(|&&flag| flag).count();
            proportion(n_true as u64, flags.len() as u64, sample.request.confidence)
                .record()
                .set(EVENT, event.name.as_str())
                .set(N_MISSING, complete.n_missing)
        };
        sample.all(Role::Event).iter().map(row).collect()
    },
};

/// A median with its exact interval, in the unit of the values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MedianInterval {
    /// Number of values.
    pub n: usize,
    /// Median; absent for an empty sample.
    pub estimate: Option<f64>,
    /// Lower end, one of the values; absent where no two values enclose the median surely enough.
    pub lower: Option<f64>,
    /// Upper end, one of the values; absent with the lower one.
    pub upper: Option<f64>,
    /// The confidence that was asked for.
    pub confidence: Confidence,
    /// The confidence that the interval has for a continuous variable: at least `confidence`,
    /// because an interval between order statistics cannot hit every level. With ties it is a
    /// lower bound.
    pub coverage: Option<f64>,
    /// Why the first of the absent values is absent.
    pub reason: Option<NotEstimable>,
}

/// A median and its distribution-free interval between two order statistics, the narrowest
/// symmetric one whose binomial coverage reaches the confidence level.
///
/// Hahn & Meeker (1991). *Statistical intervals*, section 5.2. Conover (1999). *Practical
/// nonparametric statistics* (3rd ed.), section 3.2. At 95 % it needs six values.
pub fn median_interval(values: &[f64], confidence: Confidence) -> MedianInterval {
    let n = values.len();
    let mut result =
        MedianInterval { n, estimate: None, lower: None, upper: None, confidence, coverage: None, reason: None };
    if let Err(reason) = check_count("the median", "values", n, 1).and_then(|()| check_values("the sample", values)) {
        result.reason = Some(reason);
        return result;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    result.estimate = Some(sorted_quantile(&sorted, 0.5));
    match n_outside(n, confidence.tail()) {
        0 => {
            let quantity = "the interval of the median";
            // With n values, even the whole range misses the median with probability 2^(1-n).
            let needed = 1 + (-(2.0 * confidence.tail()).log2()).ceil() as usize;
            result.reason = Some(NotEstimable::TooFew { quantity, unit: "values", needed, found: n });
        }
        outside => {
            result.lower = Some(sorted[outside - 1]);
            result.upper = Some(sorted[n - outside]);
            result.coverage = Some(1.0 - 2.0 * fair_binomial_cdf(outside - 1, n));
        }
    }
    result
}

impl MedianInterval {
    /// `Mdn = 11.00, 95 % CI [9.00, 14.00], n = 48`.
    pub fn sentence(&self, decimals: usize) -> String {
        let Some(estimate) = self.estimate else {
            return apa::not_estimable("Mdn", self.n, self.reason.as_ref());
        };
        let interval = apa::interval(self.confidence, self.lower.zip(self.upper), |value| apa::number(value, decimals));
        format!("Mdn = {}{interval}, n = {}", apa::number(estimate, decimals), apa::count(self.n))
    }

    /// The row of a table.
    pub fn record(&self) -> Record {
        Record::new()
            .set(N, self.n)
            .set(ESTIMATE, self.estimate)
            .set(LOWER, self.lower)
            .set(UPPER, self.upper)
            .set(CONFIDENCE, self.confidence.level())
            .set(COVERAGE, self.coverage)
            .set(SENTENCE, self.sentence(2))
            .set(REASON, self.reason.clone())
    }
}

/// A proportion with its interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Proportion {
    /// How many of the `n` count.
    pub successes: u64,
    /// Number of all.
    pub n: u64,
    /// `successes / n`; absent if there are none at all.
    pub estimate: Option<f64>,
    /// Lower end of the Wilson interval.
    pub lower: Option<f64>,
    /// Upper end of the Wilson interval.
    pub upper: Option<f64>,
    /// Confidence level of the interval.
    pub confidence: Confidence,
    /// Why estimate and interval are absent.
    pub reason: Option<NotEstimable>,
}

/// A proportion and its score interval, without continuity correction.
///
/// Wilson (1927). Probable inference, the law of succession, and statistical inference. *Journal
/// of the American Statistical Association*, 22, 209–212. The observations must be independent:
/// for moves of the same players, resample the players instead.
pub fn proportion(successes: u64, n: u64, confidence: Confidence) -> Proportion {
    let absent = Proportion { successes, n, estimate: None, lower: None, upper: None, confidence, reason: None };
    if n == 0 {
        let reason = NotEstimable::TooFew { quantity: "a proportion", unit: "observations", needed: 1, found: 0 };
        return Proportion { reason: Some(reason), ..absent };
    }
    if successes > n {
        let (quantity, allowed) = ("the number of successes", "at most the number of observations");
        let reason = NotEstimable::OutOfRange { quantity, value: format!("{successes} of {n}"), allowed };
        return Proportion { reason: Some(reason), ..absent };
    }
    let (total, share) = (n as f64, successes as f64 / n as f64);
    let z = normal_upper_quantile(confidence.tail());
    let shrink = 1.0 + z * z / total;
    let centre = (share + z * z / (2.0 * total)) / shrink;
    let half = z / shrink * (share * (1.0 - share) / total + z * z / (4.0 * total * total)).sqrt();
    // At 0 and n the formula gives 0 and 1 exactly; rounding must not carry it past them.
    let lower = if successes == 0 { 0.0 } else { (centre - half).max(0.0) };
    let upper = if successes == n { 1.0 } else { (centre + half).min(1.0) };
    Proportion { estimate: Some(share), lower: Some(lower), upper: Some(upper), ..absent }
}

impl Proportion {
    /// `.72 (36 of 50), 95 % CI [.58, .83]`.
    pub fn sentence(&self) -> String {
        let Some(estimate) = self.estimate else {
            return apa::not_estimable("proportion", self.n as usize, self.reason.as_ref());
        };
        // Of very many, the ends can be nearer to each other than two decimals show.
        let is_wide = |decimals: usize| match (self.lower, self.upper) {
            (Some(lower), Some(upper)) => apa::bounded(lower, decimals) != apa::bounded(upper, decimals),
            _ => true,
        };
        let decimals = (2..=4).find(|&decimals| is_wide(decimals)).unwrap_or(2);
        let interval =
            apa::interval(self.confidence, self.lower.zip(self.upper), |value| apa::bounded(value, decimals));
        let (successes, n) = (apa::count(self.successes), apa::count(self.n));
        format!("{} ({successes} of {n}){interval}", apa::bounded(estimate, decimals))
    }

    /// The row of a table.
    pub fn record(&self) -> Record {
        Record::new()
            .set(N, self.n)
            .set(N_TRUE, self.successes)
            .set(ESTIMATE, self.estimate)
            .set(LOWER, self.lower)
            .set(UPPER, self.upper)
            .set(CONFIDENCE, self.confidence.level())
            .set(SENTENCE, self.sentence())
            .set(REASON, self.reason.clone())
    }
}

/// How many order statistics, counted from either end, the interval may begin at: the largest k
/// with P(at most k − 1 values lie below the median) ≤ `tail`, or 0.
fn n_outside(n: usize, tail: f64) -> usize {
    // The probability grows with k, and half of the values always suffice.
    let (mut fits, mut fails) = (0, n / 2 + 1);
    while fails - fits > 1 {
        let middle = (fits + fails) / 2;
        if fair_binomial_cdf(middle - 1, n) <= tail {
            fits = middle;
        } else {
            fails = middle;
        }
    }
    fits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_values_are_the_fewest_that_enclose_a_median_with_95_percent() {
        let six = median_interval(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], Confidence::default());
        assert_eq!((six.lower, six.upper), (Some(1.0), Some(6.0)));
        assert!((six.coverage.unwrap() - 62.0 / 64.0).abs() < 1e-14);
        let five = median_interval(&[1.0, 2.0, 3.0, 4.0, 5.0], Confidence::default());
        assert_eq!((five.estimate, five.lower), (Some(3.0), None));
        assert_eq!(five.reason.unwrap().to_string(), "the interval of the median needs at least 6 values, found 5");
    }

    #[test]
    fn all_of_ten_is_not_certainty() {
        let all = proportion(10, 10, Confidence::default());
        assert_eq!(all.upper, Some(1.0));
        assert!((all.lower.unwrap() - 0.722_467_2).abs() < 1e-7);
        assert!(proportion(0, 0, Confidence::default()).estimate.is_none());
        assert!(proportion(3, 2, Confidence::default()).reason.is_some());
    }
}

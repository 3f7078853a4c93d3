//! Intervals of a median, of a proportion, and of a proportion over participants.

use serde::Serialize;

use super::clusters::rows_by_group;
use crate::apa;
use crate::estimator::Input;
use crate::estimator::description::{COLUMNS_DESCRIBED, each};
use crate::estimator::{Estimate, Estimator, INDEPENDENT, Kind, Need, Role};
use crate::inference::Confidence;
use crate::not_estimable::{NotEstimable, check_count, check_values};
use crate::numeric::distribution::{fair_binomial_cdf, normal_upper_quantile, student_upper_quantile};
use crate::numeric::quantile::sorted_quantile;
use crate::record::*;

/// The level that an interval has.
pub const COVERAGE: Column =
    number("coverage", "confidence that the interval has: at least that asked for, as it ends at values of the sample");
/// Number of those that count.
pub const N_TRUE: Column = count("n_true", "number of rows in which it is true");
const EVENT: Column = text("event", "what happened or not");

/// The median of columns of any table.
pub const MEDIAN: Estimator = Estimator {
    name: "median",
    summary: "Median of each column with its exact, distribution-free interval.",
    assumptions: INDEPENDENT,
    source: "Hahn and Meeker (1991), section 5.2.",
    roles: COLUMNS_DESCRIBED,
    columns: joined!(&[MEASURE, N, N_MISSING, ESTIMATE.means("the median")], BOUNDS, &[COVERAGE, SENTENCE, REASON]),
    estimate: Estimate::Table(|sample| {
        each(sample, |values| vec![median_interval(values, sample.request.confidence).record()])
    }),
};

/// The share of columns of any table.
pub const PROPORTION: Estimator = Estimator {
    name: "proportion",
    summary: "Share of the rows in which each column is true, with Wilson's interval.",
    assumptions: INDEPENDENT,
    source: "Wilson (1927).",
    roles: &[Need::several(Role::Event, Kind::Flag, 1)],
    columns: &[EVENT, N, N_MISSING, N_TRUE, ESTIMATE.means("the share"), LOWER, UPPER, CONFIDENCE, SENTENCE, REASON],
    estimate: Estimate::Table(|sample| {
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
    }),
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
    /// Reason why the first of the absent values is absent.
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
    /// Number of the `n` that count.
    pub successes: u64,
    /// Number of all.
    pub n: u64,
    /// `successes / n`; absent if there are none at all.
    pub estimate: Option<f64>,
    /// Lower end of the Wilson interval; absent if there are none, or only those of one participant where these are
    /// told apart.
    pub lower: Option<f64>,
    /// Upper end of the Wilson interval; absent with the lower one.
    pub upper: Option<f64>,
    /// Confidence level of the interval.
    pub confidence: Confidence,
    /// Reason why the first of the absent values is absent.
    pub reason: Option<NotEstimable>,
}

/// A proportion and its score interval, without continuity correction.
///
/// Wilson (1927). Probable inference, the law of succession, and statistical inference. *Journal
/// of the American Statistical Association*, 22, 209–212. The observations must be independent:
/// those of the same participants have [`clustered_proportion`].
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
    let share = successes as f64 / n as f64;
    let (lower, upper) = score_interval(share, n as f64, normal_upper_quantile(confidence.tail()));
    Proportion { estimate: Some(share), lower: Some(lower), upper: Some(upper), ..absent }
}

/// A proportion over all observations of several participants, each with the own successes and observations, and the
/// score interval of [`proportion`] at the effective number of observations.
///
/// Participants are a sample of those whom the share is about; those without an observation do not count. The effective
/// number is that of independent observations with the same variance p (1 − p) / n as the share p = Σ y / Σ n has as a
/// ratio of sums over G participants, G / (G − 1) · Σ (y − p n)² / (Σ n)² (Cochran, 1977, *Sampling techniques*, section
/// 3.12), times (z / t)² with G − 1 degrees of freedom of t, as the variance is estimated from so few (Korn & Graubard,
/// 1998, Confidence intervals for proportions with small expected number of positive counts estimated from survey data,
/// *Survey Methodology*, 24, 193–201, whose interval is the exact one; that of Wilson is compared with it by Franco,
/// Little, Louis & Slud, 2019, *Journal of Survey Statistics and Methodology*, 7, 334–364). It is at most the number of
/// observations, so that a share is never more certain than one of independent ones.
///
/// A share of 0 or 1 has no variance to learn from. It is then (Σ n)² / Σ n², what it would be if all observations of a
/// participant had to be alike (Kish, 1965, *Survey sampling*): G where all have as many, else less. The interval is
/// wide for that, and wider than that of a few successes.
///
/// With one participant there is no interval, only the estimate and a reason. A number of successes beyond that of
/// observations has neither.
pub fn clustered_proportion(clusters: &[(u64, u64)], confidence: Confidence) -> Proportion {
    if let Some(&(successes, n)) = clusters.iter().find(|(successes, n)| successes > n) {
        return proportion(successes, n, confidence);
    }
    let whole = pooled(clusters, confidence);
    let Some(share) = whole.estimate else { return whole };
    match effective_n(clusters, share, confidence) {
        Ok(n) => {
            let (lower, upper) = score_interval(share, n, normal_upper_quantile(confidence.tail()));
            Proportion { lower: Some(lower), upper: Some(upper), ..whole }
        }
        Err(reason) => Proportion { lower: None, upper: None, reason: Some(reason), ..whole },
    }
}

/// The proportion of several counts, each successes and observations: with the participant of each
/// [`clustered_proportion`] over these, else [`proportion`], as if all were independent. Lists of different lengths have
/// only a reason.
pub fn proportion_of(counts: &[(u64, u64)], participants: Option<&[usize]>, confidence: Confidence) -> Proportion {
    let Some(participants) = participants else { return pooled(counts, confidence) };
    if counts.len() != participants.len() {
        let (left_name, right_name) = ("the list of counts", "that of their participants");
        let (left, right) = (counts.len(), participants.len());
        let reason = Some(NotEstimable::UnequalLengths { left_name, left, right_name, right });
        return Proportion { reason, ..proportion(0, 0, confidence) };
    }
    let of_participant = |rows: &Vec<usize>| sum(rows.iter().map(|&row| counts[row]));
    let clusters: Vec<(u64, u64)> = rows_by_group(participants).iter().map(of_participant).collect();
    clustered_proportion(&clusters, confidence)
}

fn pooled(counts: &[(u64, u64)], confidence: Confidence) -> Proportion {
    let (successes, n) = sum(counts.iter().copied());
    proportion(successes, n, confidence)
}

fn sum(counts: impl Iterator<Item = (u64, u64)>) -> (u64, u64) {
    counts.fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1))
}

/// Returns the effective sample size: the number of independent observations with which a share is as certain as with
/// these participants'.
fn effective_n(clusters: &[(u64, u64)], share: f64, confidence: Confidence) -> Result<f64, NotEstimable> {
    let played = clusters.iter().filter(|(_, n)| *n > 0);
    let clusters: Vec<(f64, f64)> = played.map(|&(successes, n)| (successes as f64, n as f64)).collect();
    check_count("the interval of a proportion over participants", "participants", clusters.len(), 2)?;
    let total: f64 = clusters.iter().map(|(_, n)| n).sum();
    if share == 0.0 || share == 1.0 {
        return Ok(total * total / clusters.iter().map(|(_, n)| n * n).sum::<f64>());
    }
    let df = clusters.len() as f64 - 1.0;
    let squares: f64 = clusters.iter().map(|(successes, n)| (successes - share * n).powi(2)).sum();
    let variance = (df + 1.0) / df * squares / (total * total);
    let tail = confidence.tail();
    let few = (normal_upper_quantile(tail) / student_upper_quantile(tail, df)).powi(2);
    Ok((share * (1.0 - share) / variance * few).min(total))
}

/// Wilson's interval of a share of `n` observations.
fn score_interval(share: f64, n: f64, z: f64) -> (f64, f64) {
    let shrink = 1.0 + z * z / n;
    let centre = (share + z * z / (2.0 * n)) / shrink;
    let half = z / shrink * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    // At 0 and 1 the formula gives 0 and 1 exactly; rounding must not carry it past them.
    let lower = if share == 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let upper = if share == 1.0 { 1.0 } else { (centre + half).min(1.0) };
    (lower, upper)
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

/// Number of order statistics, counted from either end, at which the interval may begin: the largest k
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

    #[test]
    fn people_who_always_do_the_same_count_once() {
        // 300 of 1,000 people do it at each of their 50 moves: nearly as certain as 300 of 1,000 moves.
        let people: Vec<(u64, u64)> = (0..1_000).map(|number| (if number < 300 { 50 } else { 0 }, 50)).collect();
        let (clustered, once) =
            (clustered_proportion(&people, Confidence::default()), proportion(300, 1_000, Confidence::default()));
        assert!((clustered.lower.unwrap() / once.lower.unwrap() - 1.0).abs() < 1e-3, "{clustered:?}");
        assert!((clustered.upper.unwrap() / once.upper.unwrap() - 1.0).abs() < 1e-3, "{clustered:?}");
        // Nobody ever does it: as certain as none of eight moves, one for each person.
        let never = clustered_proportion(&[(0, 50); 8], Confidence::default());
        assert_eq!((never.upper, never.n), (proportion(0, 8, Confidence::default()).upper, 400));
        let always = clustered_proportion(&[(50, 50); 8], Confidence::default());
        assert!((always.lower.unwrap() + never.upper.unwrap() - 1.0).abs() < 1e-12, "{always:?}");
    }

    #[test]
    fn people_who_do_not_differ_are_as_good_as_independent_moves() {
        let clustered = clustered_proportion(&[(30, 100); 7], Confidence::default());
        assert_eq!(clustered, proportion(210, 700, Confidence::default()));
    }

    #[test]
    fn one_participant_has_a_share_without_an_interval() {
        let single = clustered_proportion(&[(3, 10), (0, 0)], Confidence::default());
        assert_eq!((single.estimate, single.lower, single.upper), (Some(0.3), None, None));
        let expected = "the interval of a proportion over participants needs at least 2 participants, found 1";
        assert_eq!(single.reason.as_ref().unwrap().to_string(), expected);
        assert_eq!(single.sentence(), ".30 (3 of 10)");
        assert!(clustered_proportion(&[], Confidence::default()).estimate.is_none());
        assert!(clustered_proportion(&[(3, 2), (0, 9)], Confidence::default()).estimate.is_none());
        assert!(proportion_of(&[(1, 2)], Some(&[]), Confidence::default()).reason.is_some());
    }
}

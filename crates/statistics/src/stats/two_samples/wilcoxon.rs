//! Wilcoxon's signed-rank test of paired values.

use serde::Serialize;

use super::shift::Pairwise;
use crate::apa;
use crate::estimator::comparison::TwoSampleTest;
use crate::estimator::labels::pairs;
use crate::estimator::repeated_measures::{ASSUMPTIONS, ASSUMPTIONS_WIDE, LONG, MEASURED, WIDE, each_outcome};
use crate::estimator::sample::{Crossed, Sample};
use crate::estimator::{Estimate, Estimator, Role};
use crate::inference::{Confidence, PMethod};
use crate::not_estimable::{NotEstimable, check_count, check_pairs};
use crate::numeric::distribution::{normal_two_sided, normal_upper_quantile};
use crate::numeric::moments::mean;
use crate::numeric::rank::mid_ranks;
use crate::record::*;

const N_DIFFERENT: Column = count("n_different", "number of participants whose two values differ");

/// Wilcoxon's test of analyses and tables.
pub const WILCOXON: TwoSampleTest = TwoSampleTest {
    estimator: Estimator {
        name: "wilcoxon",
        summary: "Wilcoxon's signed-rank test of each pair of groups, paired by participant.",
        assumptions: ASSUMPTIONS,
        source: "Wilcoxon (1945); Kerby (2014); Hodges and Lehmann (1963).",
        roles: LONG,
        columns: &[
            MEASURED,
            FIRST,
            SECOND,
            N.means("number of participants with both values"),
            N_DIFFERENT,
            N_ROWS.means("number of rows with all values, from which participants' values were made"),
            N_MISSING,
            N_EXCLUDED,
            ESTIMATE.means("Hodges-Lehmann shift from the second to the first, in the unit of y"),
            LOWER,
            UPPER,
            CONFIDENCE,
            EFFECT_SIZE.means("matched-pairs rank-biserial correlation, from −1 to 1"),
            STATISTIC.means("sum of the ranks of positive differences"),
            P_VALUE,
            P_METHOD,
            SENTENCE,
            REASON,
        ],
        estimate: Estimate::Table(|sample| each_outcome(sample, |table| labels_in_pairs(sample, table))),
    },
    effect: "matched rank-biserial r",
    test: |x, y, confidence| wilcoxon(x, y, confidence).record(),
};

/// The test on columns that stand side by side.
pub const WILCOXON_COLUMNS: Estimator = Estimator {
    name: "wilcoxon-columns",
    summary: "Wilcoxon's signed-rank test of each pair of columns, paired by row.",
    assumptions: ASSUMPTIONS_WIDE,
    roles: WIDE,
    estimate: Estimate::Table(columns_in_pairs),
    ..WILCOXON.estimator
};

/// Largest number of differences other than 0 with an exact p value.
const MAX_EXACT: usize = 50;

/// Part of a difference that may be the rounding of its two values, as a share of the larger one. That of 64-bit numbers
/// is some 1e-16 each, more where they were computed themselves. A millisecond of a date in seconds is more than this.
const ROUNDING: f64 = 1e-13;

/// A comparison of paired values by signed ranks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Wilcoxon {
    /// Number of pairs.
    pub n: usize,
    /// Number of pairs whose values differ; the test uses only these.
    pub n_different: usize,
    /// Hodges–Lehmann shift (pseudo-median): the median of the means of all pairs of differences x − y,
    /// in the unit of the values; absent without pairs.
    pub shift: Option<f64>,
    /// The test that the differences are symmetric around 0, or why there is none.
    pub test: Result<SignedRankTest, NotEstimable>,
    /// Confidence level of the interval.
    pub confidence: Confidence,
}

/// Wilcoxon's test, with the interval of the shift.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SignedRankTest {
    /// Sum of the ranks of the positive differences x − y.
    pub w_plus: f64,
    /// Sum of the ranks of the negative differences.
    pub w_minus: f64,
    /// The standard normal statistic, positive if x tends to be larger.
    pub z: f64,
    /// Two-sided p value.
    pub p_value: f64,
    /// Method of the p value.
    pub p_method: PMethod,
    /// Matched-pairs rank-biserial correlation, (`w_plus` − `w_minus`) / (`w_plus` + `w_minus`), from −1
    /// to 1.
    pub rank_biserial: f64,
    /// Ends of the interval of the shift; there is none if there are too few pairs for the level.
    pub shift_interval: Result<(f64, f64), NotEstimable>,
}

/// Compares the two values of each pair by the ranks of their differences; pairs without a
/// difference are left out of the test (Wilcoxon's rule), but not of the shift.
///
/// A difference counts as 0, and two as equally large, where they are so but for the rounding of the values: within
/// 1e-13 of the larger value of the pair. As 64-bit numbers, 0.3 − 0.2 and 0.8 − 0.7 differ in the last of 16 digits,
/// and 300 − 200 and 800 − 700 do not; so the test would depend on the unit. Whole numbers up to 2^53 are compared
/// exactly. scipy and R do not do this; they give the same where no two differences are as near.
///
/// Up to 50 differences the p value is exact, with ties too: the share of all ways to give the ranks
/// signs. Above that it is the normal approximation, with the variance that allows for ties and
/// without continuity correction. scipy's `wilcoxon` gives the same p values, but that with ties or
/// zeros it uses the normal approximation from 14 pairs on. The interval of the shift is from the
/// k-th smallest to the k-th largest mean of two differences, k from the distribution of the signed
/// ranks without ties (as R's `wilcox.test`; zeros are left out there), from 51 pairs on by the
/// normal approximation, rounded to the nearest whole number. Takes O(n log n) time and O(n) memory.
///
/// Wilcoxon (1945). Individual comparisons by ranking methods. *Biometrics Bulletin*, 1, 80–83.
/// Kerby (2014). The simple difference formula: An approach to teaching nonparametric correlation.
/// *Comprehensive Psychology*, 3, 1. Hollander, Wolfe & Chicken (2014), sections 3.1 to 3.3.
///
/// ```
/// use plymap_statistics::stats::{Confidence, two_samples::wilcoxon};
///
/// let (before, after) = ([9.0, 12.0, 7.0, 8.0], [5.0, 6.0, 8.0, 5.0]);
/// let found = wilcoxon(&before, &after, Confidence::default());
/// let test = found.test?;
/// assert_eq!((test.w_plus, test.w_minus, test.rank_biserial), (9.0, 1.0, 0.8));
/// assert_eq!(test.p_value, 4.0 / 16.0);
/// # Ok::<(), plymap_statistics::stats::NotEstimable>(())
/// ```
pub fn wilcoxon(x: &[f64], y: &[f64], confidence: Confidence) -> Wilcoxon {
    let n = x.len().min(y.len());
    if let Err(reason) = check_pairs(x, y).and_then(|()| check_count("the signed-rank test", "pairs", n, 1)) {
        return Wilcoxon { n, n_different: 0, shift: None, test: Err(reason), confidence };
    }
    let differences = differences(x, y);
    let averages = Pairwise::averages(&differences);
    let different: Vec<f64> = differences.iter().copied().filter(|&difference| difference != 0.0).collect();
    let test = SignedRankTest::new(&different, &averages, n, confidence);
    Wilcoxon { n, n_different: different.len(), shift: Some(averages.median()), test, confidence }
}

impl Wilcoxon {
    /// `W = 9.0, p = .250, r = .80, n = 4`; W is the sum of the positive ranks, r the matched-pairs
    /// rank-biserial correlation, n the number of pairs that differ.
    pub fn sentence(&self) -> String {
        apa::outcome("W", self.n, &self.test, |test| {
            let (w, p) = (apa::number(test.w_plus, 1), apa::p_value(test.p_value));
            format!("W = {w}, {p}, r = {}, n = {}", apa::bounded(test.rank_biserial, 2), apa::count(self.n_different))
        })
    }

    /// The row of a table.
    pub fn record(&self) -> Record {
        Record::new()
            .set(N, self.n)
            .set(N_DIFFERENT, self.n_different)
            .set(ESTIMATE, self.shift)
            .set(CONFIDENCE, self.confidence.level())
            .set(SENTENCE, self.sentence())
            .outcome(&self.test, |record, test| {
                record
                    .interval(LOWER, UPPER, &test.shift_interval)
                    .set(EFFECT_SIZE, test.rank_biserial)
                    .set(STATISTIC, test.w_plus)
                    .set(P_VALUE, test.p_value)
                    .set(P_METHOD, test.p_method)
            })
    }
}

impl SignedRankTest {
    /// `averages` are those of the differences of all pairs.
    fn new(
        different: &[f64],
        averages: &Pairwise,
        n_pairs: usize,
        confidence: Confidence,
    ) -> Result<Self, NotEstimable> {
        check_count("the signed-rank test", "pairs that differ", different.len(), 1)?;
        let sizes: Vec<f64> = different.iter().map(|difference| difference.abs()).collect();
        let ranked = mid_ranks(&sizes)?;
        let n = different.len() as f64;
        let all = n * (n + 1.0) / 2.0;
        let signed = ranked.ranks.iter().zip(different);
        let w_plus: f64 = signed.filter(|&(_, &difference)| difference > 0.0).map(|(rank, _)| rank).sum();
        let w_minus = all - w_plus;
        let tied: f64 = ranked.ties.iter().map(|&size| (size as f64).powi(3) - size as f64).sum();
        let sd = ((n * (n + 1.0) * (2.0 * n + 1.0) - tied / 2.0) / 24.0).sqrt();
        let z = (w_plus - w_minus) / 2.0 / sd;
        // Up to 50 pairs the 2ⁿ signs are counted in whole numbers of 64 bits, ties included.
        let (p_value, p_method) = if different.len() <= MAX_EXACT {
            // Twice a mid-rank is a whole number.
            let counts = signings_by_sum(ranked.ranks.iter().map(|rank| (2.0 * rank) as usize));
            let extreme: u64 = counts[..=(2.0 * w_plus.min(w_minus)) as usize].iter().sum();
            ((2.0 * extreme as f64 / n.exp2()).min(1.0), PMethod::ExactPermutation)
        } else {
            (normal_two_sided(z), PMethod::NormalApproximation)
        };
        let rank_biserial = (w_plus - w_minus) / all;
        let shift_interval = shift_interval(averages, n_pairs, confidence);
        Ok(Self { w_plus, w_minus, z, p_value, p_method, rank_biserial, shift_interval })
    }
}

fn shift_interval(averages: &Pairwise, n_pairs: usize, confidence: Confidence) -> Result<(f64, f64), NotEstimable> {
    let (tail, n) = (confidence.tail(), n_pairs as f64);
    let k = if n_pairs <= MAX_EXACT {
        let counts = signings_by_sum(1..=n_pairs);
        let cumulated = counts.iter().scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        });
        // (1 - 0.9) / 2 is a little less than 0.05, which is a share of signs too.
        cumulated.take_while(|&sum| sum as f64 / n.exp2() <= tail * (1.0 + 1e-12)).count() as u64
    } else {
        let half = normal_upper_quantile(tail) * (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0).sqrt();
        (n * (n + 1.0) / 4.0 - half).round().max(0.0) as u64
    };
    averages.interval(k).ok_or_else(|| {
        let why = format!("{n_pairs} pairs are too few for {confidence}");
        NotEstimable::Undefined { quantity: "the interval of the shift", why }
    })
}

/// The differences x − y: 0 where they are so but for rounding, and of one size, the mean of them, where they are.
fn differences(x: &[f64], y: &[f64]) -> Vec<f64> {
    let roundings: Vec<f64> = x.iter().zip(y).map(|(&x, &y)| rounding(x, y)).collect();
    let mut differences: Vec<f64> = x.iter().zip(y).map(|(x, y)| x - y).collect();
    let mut order = Vec::new();
    for (place, difference) in differences.iter_mut().enumerate() {
        if difference.abs() <= roundings[place] {
            *difference = 0.0;
        } else {
            order.push(place);
        }
    }
    order.sort_by(|&left, &right| differences[left].abs().total_cmp(&differences[right].abs()));
    let sizes: Vec<f64> = differences.iter().map(|difference| difference.abs()).collect();
    for group in order.chunk_by(|&left, &right| sizes[right] - sizes[left] <= roundings[left].max(roundings[right])) {
        let size = mean(&group.iter().map(|&place| sizes[place]).collect::<Vec<_>>());
        group.iter().for_each(|&place| differences[place] = size.copysign(differences[place]));
    }
    differences
}

/// Part of the difference of two values that may be due to their rounding; none for whole numbers.
fn rounding(x: f64, y: f64) -> f64 {
    let larger = x.abs().max(y.abs());
    let is_exact = larger < 2_f64.powi(53) && x.fract() == 0.0 && y.fract() == 0.0;
    if is_exact { 0.0 } else { ROUNDING * larger }
}

/// Number of the 2^n ways to give ranks signs that have a sum of 0, 1, 2, … of the positive ones; for at
/// most [`MAX_EXACT`] ranks.
fn signings_by_sum(ranks: impl Iterator<Item = usize>) -> Vec<u64> {
    let mut counts = vec![1];
    for rank in ranks {
        let mut longer = counts.clone();
        longer.resize(counts.len() + rank, 0);
        longer[rank..].iter_mut().zip(&counts).for_each(|(sum, count)| *sum += count);
        counts = longer;
    }
    counts
}

/// Each pair of columns over the rows that have both values.
fn columns_in_pairs(sample: &Sample) -> Vec<Record> {
    let columns = sample.all(Role::X);
    let row = |(first, second): (usize, usize)| {
        let (x, y) = (&columns[first], &columns[second]);
        let complete = sample.complete([x, y]);
        wilcoxon(&x.numbers(&complete.indices), &y.numbers(&complete.indices), sample.request.confidence)
            .record()
            .set(FIRST, x.name.as_str())
            .set(SECOND, y.name.as_str())
            .set(N_ROWS, complete.indices.len())
            .set(N_MISSING, complete.n_missing)
            .set(N_EXCLUDED, 0_usize)
    };
    match pairs(columns.len()) {
        Ok(pairs) => pairs.into_iter().map(row).collect(),
        Err(reason) => vec![Record::without(reason).set(N, 0_usize).set(N_MISSING, 0_usize)],
    }
}

/// Each pair of labels over the participants who have both values.
fn labels_in_pairs(sample: &Sample, table: &Crossed) -> Vec<Record> {
    let whole = |record: Record| record.set(N_ROWS, table.n_rows).set(N_MISSING, table.n_missing);
    let pairs = match pairs(table.labels.len()) {
        Ok(pairs) => pairs,
        Err(reason) => return vec![whole(Record::without(reason).set(N, 0_usize))],
    };
    let of_pair = |(first, second): (usize, usize)| {
        let (xs, ys): (Vec<f64>, Vec<f64>) = table.pair(first, second).filter_map(|(x, y)| x.zip(y)).unzip();
        let n_any = table.pair(first, second).filter(|(x, y)| x.or(*y).is_some()).count();
        wilcoxon(&xs, &ys, sample.request.confidence)
            .record()
            .set(FIRST, table.labels[first].as_str())
            .set(SECOND, table.labels[second].as_str())
            .set(N_EXCLUDED, n_any - xs.len())
    };
    pairs.into_iter().map(of_pair).map(whole).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_ranks_have_eight_signings() {
        assert_eq!(signings_by_sum([1, 2, 3].into_iter()), [1, 1, 1, 2, 1, 1, 1]);
        let all: u64 = signings_by_sum(1..=MAX_EXACT).iter().sum();
        assert_eq!(all, 1 << 50);
    }

    #[test]
    fn the_unit_of_the_values_changes_nothing_but_the_shift() {
        let seconds =
            [(0.3, 0.2), (0.8, 0.7), (0.9, 1.0), (1.1, 1.2), (0.7, 0.6), (0.6, 0.3), (0.4, 0.5), (0.1 + 0.2, 0.3)];
        let (x, y): (Vec<f64>, Vec<f64>) = seconds.into_iter().unzip();
        let scaled = |values: &[f64], unit: f64| values.iter().map(|value| value * unit).collect::<Vec<_>>();
        let whole = |values: &[f64]| values.iter().map(|value| (value * 1000.0).round()).collect::<Vec<_>>();
        let expected = wilcoxon(&whole(&x), &whole(&y), Confidence::default());
        assert_eq!(expected.shift, Some(0.0));
        let is_expected = |comparison: Wilcoxon| {
            let test = comparison.test.unwrap();
            (comparison.n_different, test.w_plus, test.p_value) == (7, 17.5, 0.765625)
        };
        assert!(is_expected(expected));
        for unit in [1.0, 1000.0, 1.0 / 60.0, 1e-9] {
            let comparison = wilcoxon(&scaled(&x, unit), &scaled(&y, unit), Confidence::default());
            assert_eq!(comparison.shift, Some(0.0));
            assert!(is_expected(comparison), "{unit}");
        }
    }

    #[test]
    fn large_whole_numbers_are_compared_exactly() {
        // Microseconds since 1970, and seconds with milliseconds.
        for (now, step) in [(1_700_000_000_000_000.0, 1.0), (1_700_000_000.0, 0.001)] {
            let comparison = wilcoxon(&[now + step, now + 2.0 * step], &[now, now], Confidence::default());
            assert_eq!((comparison.n_different, comparison.test.unwrap().w_plus), (2, 3.0));
        }
    }

    #[test]
    fn pairs_without_a_difference_count_for_the_shift_alone() {
        let comparison = wilcoxon(&[1.0, 2.0, 3.0, 7.0], &[1.0, 2.0, 2.0, 4.0], Confidence::default());
        // The ten means of 0, 0, 1 and 3 are 0, 0, 0, ½, ½, 1, 1½, 1½, 2 and 3.
        assert_eq!((comparison.n, comparison.n_different, comparison.shift), (4, 2, Some(0.75)));
        assert_eq!(comparison.sentence(), "W = 3.0, p = .500, r = 1.00, n = 2");
        let test = comparison.test.unwrap();
        assert_eq!(test.w_plus, 3.0);
        assert!(test.shift_interval.unwrap_err().to_string().ends_with("4 pairs are too few for 95 %"));
    }

    #[test]
    fn what_cannot_be_compared_says_why() {
        let reason = |x: &[f64], y: &[f64]| wilcoxon(x, y, Confidence::default()).test.unwrap_err().to_string();
        assert_eq!(reason(&[], &[]), "the signed-rank test needs pairs, found none");
        assert_eq!(reason(&[2.0; 5], &[2.0; 5]), "the signed-rank test needs pairs that differ, found none");
        assert!(reason(&[1.0], &[1.0, 2.0]).starts_with("x has 1 values but y has 2"));
        assert!(reason(&[1.0, f64::INFINITY], &[1.0, 2.0]).starts_with("x holds inf"));
        assert_eq!(wilcoxon(&[2.0; 5], &[2.0; 5], Confidence::default()).shift, Some(0.0));
    }
}

//! The Mann–Whitney U test (Wilcoxon's rank-sum test), Cliff's δ and the Hodges–Lehmann shift.

use serde::Serialize;

use super::shift::Pairwise;
use crate::apa;
use crate::estimator::comparison::TwoSampleTest;
use crate::estimator::comparison::{ASSUMPTIONS, GROUPS, VALUES, each_pair};
use crate::estimator::{Estimate, Estimator};
use crate::inference::{Confidence, PMethod};
use crate::not_estimable::check_samples;
use crate::not_estimable::{NotEstimable, check_count};
use crate::numeric::distribution::{normal_two_sided, normal_upper_quantile};
use crate::numeric::rank::{Ranks, mid_ranks, with_equal_ties};
use crate::record::*;

/// The Mann–Whitney test of analyses and tables.
pub const MANN_WHITNEY: TwoSampleTest = TwoSampleTest {
    estimator: Estimator {
        name: "mann-whitney",
        summary: "Mann-Whitney test of each pair of groups, with Cliff's δ and the Hodges-Lehmann shift.",
        assumptions: ASSUMPTIONS,
        source: "Mann and Whitney (1947); Feng and Cliff (2004); Hodges and Lehmann (1963).",
        roles: GROUPS,
        columns: &[
            OUTCOME,
            FIRST,
            SECOND,
            VALUES,
            N_FIRST,
            N_SECOND,
            N_ROWS,
            N_MISSING,
            N_SHARED,
            ESTIMATE.means(
                "Hodges-Lehmann shift from the second to the first: median of all differences, in the unit of y",
            ),
            LOWER,
            UPPER,
            CONFIDENCE,
            EFFECT_SIZE.means("Cliff's δ, from −1 to 1, positive if the first tends to be larger"),
            EFFECT_LOWER,
            EFFECT_UPPER,
            STATISTIC.means("U of the first label"),
            P_VALUE.means("two-sided p, not adjusted: exact, with ties too, where one of the two samples has at most 8 values and their sizes multiply to no more than 200,000, with ties than 1,000; else by the normal approximation with continuity correction"),
            P_METHOD,
            SENTENCE,
            REASON,
        ],
        estimate: Estimate::Table(|sample| each_pair(sample, &MANN_WHITNEY)),
    },
    effect: "Cliff's delta",
    test: |x, y, confidence| mann_whitney(x, y, confidence).record(),
};

/// The p value can be exact if one sample has at most this many values, as in scipy.
const MAX_EXACT: usize = 8;

/// Largest product of the sizes with an exact p value; beyond it the counts of orders would leave 128-bit integers.
const MAX_EXACT_PRODUCT: usize = 200_000;

/// The same with ties, where the counts take time by the square of the larger size: some milliseconds at this product.
const MAX_EXACT_PRODUCT_WITH_TIES: usize = 1_000;

/// A comparison of two independent samples by ranks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MannWhitney {
    /// Number of values of x.
    pub n_x: usize,
    /// Number of values of y.
    pub n_y: usize,
    /// Dominance of x over y, or the reason that there is none.
    pub dominance: Result<Dominance, NotEstimable>,
    /// Confidence level of the intervals.
    pub confidence: Confidence,
}

/// Dominance: the tendency of one sample to be larger than another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Dominance {
    /// U of x: in how many of the `n_x n_y` pairs x is larger than y, ties counting one half.
    pub u: f64,
    /// U / (`n_x n_y`): the probability that a value of x is larger than one of y (ties one half), the
    /// measure A of Vargha & Delaney (2000).
    pub superiority: f64,
    /// Cliff's δ, P(x > y) − P(x < y), from −1 to 1; the rank-biserial correlation of x and y is the
    /// same number.
    pub cliffs_delta: f64,
    /// Hodges–Lehmann shift: the median of all differences x − y, in the unit of the values.
    pub shift: f64,
    /// The test that x and y have one distribution; there is none if all values are equal.
    pub test: Result<MannWhitneyTest, NotEstimable>,
}

/// The Mann–Whitney test, with the intervals of the effects.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MannWhitneyTest {
    /// The standard normal statistic of U, without continuity correction; positive if x tends to be
    /// larger.
    pub z: f64,
    /// Two-sided p value.
    pub p_value: f64,
    /// Method of the p value.
    pub p_method: PMethod,
    /// Ends of the interval of the shift; there is none if the samples are too small for the level.
    pub shift_interval: Result<(f64, f64), NotEstimable>,
    /// Ends of the interval of δ; there is none without that of the shift, if a sample has fewer than two
    /// values, and if the samples do not overlap (|δ| = 1), where its standard error is 0.
    pub delta_interval: Result<(f64, f64), NotEstimable>,
}

/// Compares two independent samples by ranks.
///
/// The p value is exact if one of the samples has at most eight values and their sizes multiply to no more than 200,000, with
/// ties than 1,000: the share of all ways to divide the pooled values, ties included, into samples of these sizes whose U is at
/// least as far from its mean `n_x n_y` / 2 as the observed one. Else it is the normal approximation, with the
/// variance that allows for ties and a continuity correction. scipy's `mannwhitneyu` takes that for all samples with ties, and
/// the exact p for samples of any product; with ties, `wilcox_test(distribution = "exact")` of R's coin has this p.
///
/// The interval of δ is that of Feng & Cliff: not symmetric, and within −1 and 1. The interval of
/// the shift is that of Moses: from the k-th smallest to the k-th largest difference, k from the exact
/// distribution of U without ties where one sample has at most eight values (as R's `wilcox.test`),
/// else from the normal approximation, rounded to the nearest whole number. Its coverage is at least
/// the level in the exact case, and near it otherwise. Takes O(n log n) time and O(n) memory.
///
/// Mann & Whitney (1947). *Annals of Mathematical Statistics*, 18, 50–60. Cliff (1993). Dominance
/// statistics. *Psychological Bulletin*, 114, 494–509. Feng & Cliff (2004). Monte Carlo evaluation
/// of ordinal d with improved confidence interval. *Journal of Modern Applied Statistical Methods*,
/// 3, 322–332. Hodges & Lehmann (1963). *Annals of Mathematical Statistics*, 34, 598–611. Vargha &
/// Delaney (2000). *Journal of Educational and Behavioral Statistics*, 25, 101–132.
///
/// ```
/// use plymap_statistics::stats::{Confidence, two_samples::mann_whitney};
///
/// let found = mann_whitney(&[5.0, 7.0, 9.0], &[1.0, 2.0, 6.0, 3.0], Confidence::default());
/// let found = found.dominance?;
/// assert_eq!((found.u, found.cliffs_delta, found.shift), (11.0, 10.0 / 12.0, 4.0));
/// assert_eq!(found.test?.p_value, 4.0 / 35.0);
/// # Ok::<(), plymap_statistics::stats::NotEstimable>(())
/// ```
pub fn mann_whitney(x: &[f64], y: &[f64], confidence: Confidence) -> MannWhitney {
    MannWhitney { n_x: x.len(), n_y: y.len(), dominance: Dominance::new(x, y, confidence), confidence }
}

impl MannWhitney {
    /// `U = 11.0, p = .114, δ = .83, 95 % CI [−.19, .99], nx = 3, ny = 4`.
    pub fn sentence(&self) -> String {
        apa::outcome("U", self.n_x + self.n_y, &self.dominance, |dominance| {
            let test = dominance.test.as_ref().ok();
            let p = test.map_or(String::new(), |test| format!(", {}", apa::p_value(test.p_value)));
            let ends = test.and_then(|test| test.delta_interval.clone().ok());
            let interval = apa::interval(self.confidence, ends, |value| apa::bounded(value, 2));
            let (u, delta) = (apa::number(dominance.u, 1), apa::bounded(dominance.cliffs_delta, 2));
            format!("U = {u}{p}, δ = {delta}{interval}, nx = {}, ny = {}", self.n_x, self.n_y)
        })
    }

    /// The row of a table.
    pub fn record(&self) -> Record {
        Record::new()
            .set(N, self.n_x + self.n_y)
            .set(N_FIRST, self.n_x)
            .set(N_SECOND, self.n_y)
            .set(CONFIDENCE, self.confidence.level())
            .set(SENTENCE, self.sentence())
            .outcome(&self.dominance, |record, dominance| {
                record
                    .set(ESTIMATE, dominance.shift)
                    .set(EFFECT_SIZE, dominance.cliffs_delta)
                    .set(STATISTIC, dominance.u)
                    .outcome(&dominance.test, with_test)
            })
    }
}

fn with_test(record: Record, test: &MannWhitneyTest) -> Record {
    record
        .interval(EFFECT_LOWER, EFFECT_UPPER, &test.delta_interval)
        .interval(LOWER, UPPER, &test.shift_interval)
        .set(P_VALUE, test.p_value)
        .set(P_METHOD, test.p_method)
}

impl Dominance {
    fn new(x: &[f64], y: &[f64], confidence: Confidence) -> Result<Self, NotEstimable> {
        check_samples(x, y)?;
        check_count("the Mann–Whitney test", "values of x", x.len(), 1)?;
        check_count("the Mann–Whitney test", "values of y", y.len(), 1)?;
        let pooled: Vec<f64> = x.iter().chain(y).copied().collect();
        let ranked = mid_ranks(&pooled)?;
        let pooled = with_equal_ties(&pooled);
        let (x, y) = pooled.split_at(x.len());
        let (n_x, n_y) = (x.len() as f64, y.len() as f64);
        let n_pairs = n_x * n_y;
        let u = ranked.ranks[..x.len()].iter().sum::<f64>() - n_x * (n_x + 1.0) / 2.0;
        let delta = (2.0 * u - n_pairs) / n_pairs;
        let differences = Pairwise::differences(x, y);
        let test = test(u, x.len(), y.len(), &ranked).map(|(z, p_value, p_method)| {
            let shift_interval = shift_interval(&differences, x.len(), y.len(), confidence);
            let delta_interval = shift_interval.clone().and_then(|_| delta_interval(delta, x, y, confidence));
            MannWhitneyTest { z, p_value, p_method, shift_interval, delta_interval }
        });
        Ok(Self { u, superiority: u / n_pairs, cliffs_delta: delta, shift: differences.median(), test })
    }
}

/// The standard normal statistic, the p value, and how it was computed.
fn test(u: f64, n_x: usize, n_y: usize, ranked: &Ranks) -> Result<(f64, f64, PMethod), NotEstimable> {
    let ties = &ranked.ties;
    if *ties == [n_x + n_y] {
        return Err(NotEstimable::NoVariance { variable: "the two samples together" });
    }
    let (n_pairs, n) = (n_x as f64 * n_y as f64, (n_x + n_y) as f64);
    let tied: f64 = ties.iter().map(|&size| (size as f64).powi(3) - size as f64).sum();
    let variance = n_pairs / 12.0 * (n + 1.0 - tied / (n * (n - 1.0)));
    let (excess, sd) = (u - n_pairs / 2.0, variance.sqrt());
    if ties.is_empty()
        && let Some(counts) = orders_by_u(n_x, n_y)
    {
        let fewest = u.min(n_pairs - u) as usize;
        return Ok((excess / sd, (2.0 * share_up_to(&counts, fewest)).min(1.0), PMethod::ExactPermutation));
    }
    if n_x.min(n_y) <= MAX_EXACT && n_x * n_y <= MAX_EXACT_PRODUCT_WITH_TIES {
        let p_value = share_of_divisions(&ranked.ranks, n_x.min(n_y), excess.abs());
        return Ok((excess / sd, p_value, PMethod::ExactPermutation));
    }
    // Half a step of U towards its mean: the statistic is a whole number, the normal distribution is not.
    let corrected = (excess.abs() - 0.5) / sd;
    let p_value = if corrected <= 0.0 { 1.0 } else { normal_two_sided(corrected) };
    Ok((excess / sd, p_value, PMethod::NormalApproximationContinuity))
}

fn shift_interval(
    differences: &Pairwise,
    n_x: usize,
    n_y: usize,
    confidence: Confidence,
) -> Result<(f64, f64), NotEstimable> {
    let tail = confidence.tail();
    let k = match orders_by_u(n_x, n_y) {
        Some(counts) => {
            let all = counts.iter().sum::<u128>() as f64;
            let cumulated = counts.iter().scan(0, |sum, count| {
                *sum += count;
                Some(*sum)
            });
            // (1 - 0.9) / 2 is a little less than 0.05, which is a share of orders too.
            cumulated.take_while(|&sum| sum as f64 / all <= tail * (1.0 + 1e-12)).count() as u64
        }
        None => {
            let (n_pairs, n) = (n_x as f64 * n_y as f64, (n_x + n_y) as f64);
            let half = normal_upper_quantile(tail) * (n_pairs * (n + 1.0) / 12.0).sqrt();
            (n_pairs / 2.0 - half).round().max(0.0) as u64
        }
    };
    differences.interval(k).ok_or_else(|| {
        let why = format!("{n_x} and {n_y} values are too few for {confidence}");
        NotEstimable::Undefined { quantity: "the interval of the shift", why }
    })
}

fn delta_interval(delta: f64, x: &[f64], y: &[f64], confidence: Confidence) -> Result<(f64, f64), NotEstimable> {
    let quantity = "the interval of Cliff's δ";
    check_count(quantity, "values of x", x.len(), 2)?;
    check_count(quantity, "values of y", y.len(), 2)?;
    if delta.abs() == 1.0 {
        let why = "the samples do not overlap, so that its standard error is 0".to_owned();
        return Err(NotEstimable::Undefined { quantity, why });
    }
    let z = normal_upper_quantile(confidence.tail());
    let spread = z * z * delta_variance(delta, x, y);
    // Cliff's asymmetric interval: the symmetric one would leave −1 to 1 for large effects.
    let rest = 1.0 - delta * delta;
    let half = (spread * (rest * rest + spread)).sqrt();
    let end = |sign: f64| ((delta * rest + sign * half) / (rest + spread)).clamp(-1.0, 1.0);
    Ok((end(-1.0), end(1.0)))
}

/// Cliff's unbiased estimate of the variance of δ, but at least (1 − δ²) / (n_x n_y − 1), because it
/// can be negative (Cliff, 1996, *Ordinal methods for behavioral data analysis*, equation 5.14).
fn delta_variance(delta: f64, x: &[f64], y: &[f64]) -> f64 {
    let (n_x, n_y) = (x.len() as f64, y.len() as f64);
    let (of_x, of_y) = (dominances(x, y), dominances(y, x));
    let rows: f64 = of_x.iter().map(|&(above, below)| ((above - below) / n_y - delta).powi(2)).sum();
    let columns: f64 = of_y.iter().map(|&(above, below)| ((above - below) / n_x + delta).powi(2)).sum();
    // Each pair that is no tie has a dominance of 1 or −1.
    let untied: f64 = of_x.iter().map(|&(above, below)| above + below).sum();
    let pairs = untied - n_x * n_y * delta * delta;
    let variance = (n_y * n_y * rows + n_x * n_x * columns - pairs) / (n_x * n_y * (n_x - 1.0) * (n_y - 1.0));
    variance.max((1.0 - delta * delta) / (n_x * n_y - 1.0))
}

/// Returns, for each value, the number of the others that it is above, and below.
fn dominances(values: &[f64], others: &[f64]) -> Vec<(f64, f64)> {
    let mut sorted = others.to_vec();
    sorted.sort_by(f64::total_cmp);
    let compare = |&value: &f64| {
        let above = sorted.partition_point(|&other| other < value);
        let at_least = sorted.partition_point(|&other| other <= value);
        (above as f64, (sorted.len() - at_least) as f64)
    };
    values.iter().map(compare).collect()
}

/// Number of the orders of the pooled values that give U = 0, 1, 2, …; absent if that is not counted.
///
/// The generating function is the Gaussian binomial coefficient, the product over i = 1 … m of
/// (1 − q^(n + i)) / (1 − q^i), m being the smaller and n the larger size.
fn orders_by_u(n_x: usize, n_y: usize) -> Option<Vec<u128>> {
    let (small, large) = (n_x.min(n_y), n_x.max(n_y));
    if small > MAX_EXACT || small.checked_mul(large)? > MAX_EXACT_PRODUCT {
        return None;
    }
    let mut counts = vec![0_i128; small * large + 1];
    counts[0] = 1;
    for i in 1..=small {
        // Multiplication by 1 − qⁿ⁺ⁱ downwards and division by 1 − qⁱ upwards, both in place and in whole numbers:
        // the counts are exact.
        for power in (large + i..counts.len()).rev() {
            counts[power] -= counts[power - large - i];
        }
        for power in i..counts.len() {
            counts[power] += counts[power - i];
        }
    }
    Some(counts.into_iter().map(i128::unsigned_abs).collect())
}

/// Share of all ways to choose the smaller sample from the pooled ranks, ties included, whose U is at least `excess` away
/// from its mean.
fn share_of_divisions(ranks: &[f64], small: usize, excess: f64) -> f64 {
    // Twice a mid-rank is a whole number.
    let doubled: Vec<usize> = ranks.iter().map(|rank| (2.0 * rank) as usize).collect();
    let most = small * 2 * ranks.len();
    // How many ways there are to choose so many of the ranks with such a sum.
    let mut ways = vec![vec![0_u128; most + 1]; small + 1];
    ways[0][0] = 1;
    for &rank in &doubled {
        // From the largest number down, so that no rank is chosen twice.
        for n_chosen in (1..=small).rev() {
            let (fewer, more) = ways.split_at_mut(n_chosen);
            more[0][rank..].iter_mut().zip(&fewer[n_chosen - 1]).for_each(|(sum, n_ways)| *sum += n_ways);
        }
    }
    let expected = small * (ranks.len() + 1);
    let is_extreme = |sum: usize| sum.abs_diff(expected) as f64 >= 2.0 * excess;
    let extreme: u128 = (0..=most).filter(|&sum| is_extreme(sum)).map(|sum| ways[small][sum]).sum();
    extreme as f64 / ways[small].iter().sum::<u128>() as f64
}

fn share_up_to(counts: &[u128], last: usize) -> f64 {
    counts[..=last].iter().sum::<u128>() as f64 / counts.iter().sum::<u128>() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_and_two_values_have_ten_orders() {
        assert_eq!(orders_by_u(3, 2).unwrap(), [1, 1, 2, 2, 2, 1, 1]);
        // The number of ways to choose 8 of 25,008 places, as the product formula gives it.
        let all: u128 = orders_by_u(25_000, 8).unwrap().iter().sum();
        let expected = (1..=8).fold(1_u128, |ways, i| ways * (25_000 + i) / i);
        assert_eq!(all, expected);
        assert!(orders_by_u(25_001, 8).is_none() && orders_by_u(9, 9).is_none());
    }

    #[test]
    fn ties_are_divided_in_all_ways() {
        // Of the ten ways to give two of 1, 1, 1, 2, 3 to x, only {2, 3} has a sum of ranks 3 from its mean of 6; {1, 1} has 4.
        let p_of = |x: &[f64], y: &[f64]| found(x, y, Confidence::default()).test.unwrap();
        let apart = p_of(&[2.0, 3.0], &[1.0, 1.0, 1.0]);
        assert_eq!((apart.p_value, apart.p_method), (0.1, PMethod::ExactPermutation));
        assert_eq!(p_of(&[1.0, 1.0, 1.0], &[3.0, 2.0]).p_value, 0.1);
        // Beyond the limit the p is approximate.
        let many: Vec<f64> = (0..126).map(|i| f64::from(i / 2)).collect();
        assert_eq!(p_of(&many[..8], &many[8..]).p_method, PMethod::ExactPermutation);
        assert_eq!(
            p_of(&many[..8], &[&many[8..], &many[..8]].concat()).p_method,
            PMethod::NormalApproximationContinuity
        );
    }

    #[test]
    fn samples_that_do_not_overlap_have_the_smallest_p() {
        let apart = mann_whitney(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0], Confidence::default());
        assert_eq!(apart.sentence(), "U = 0.0, p = .100, δ = −1.00, nx = 3, ny = 3");
        let apart = apart.dominance.unwrap();
        assert_eq!((apart.u, apart.cliffs_delta), (0.0, -1.0));
        // Two of 20 orders are the smallest p: no interval at 95 %, but one at 90 %.
        let test = apart.test.unwrap();
        let reason = "the interval of the shift is not defined here: 3 and 3 values are too few for 95 %";
        assert_eq!((test.p_value, test.shift_interval.unwrap_err().to_string().as_str()), (0.1, reason));
        let wider = found(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0], Confidence::new(0.9).unwrap()).test.unwrap();
        assert_eq!(wider.shift_interval, Ok((-5.0, -1.0)));
        assert!(wider.delta_interval.unwrap_err().to_string().contains("do not overlap"));
    }

    #[test]
    fn swapping_the_samples_swaps_the_sign() {
        let (x, y) = ([3.0, 1.0, 4.0, 1.0, 5.0], [9.0, 2.0, 6.0, 5.0, 3.0, 5.0]);
        let (there, back) = (found(&x, &y, Confidence::default()), found(&y, &x, Confidence::default()));
        assert_eq!(there.shift, -back.shift);
        let (there, back) = (there.test.unwrap(), back.test.unwrap());
        assert_eq!(there.p_value, back.p_value);
        assert_eq!(there.shift_interval, back.shift_interval.map(|(lower, upper)| (-upper, -lower)));
        assert!((there.delta_interval.unwrap().0 + back.delta_interval.unwrap().1).abs() < 1e-15);
    }

    #[test]
    fn what_cannot_be_compared_says_why() {
        let reason = |x: &[f64], y: &[f64]| {
            mann_whitney(x, y, Confidence::default()).dominance.and_then(|delta| delta.test).unwrap_err().to_string()
        };
        assert_eq!(reason(&[], &[1.0]), "the Mann–Whitney test needs values of x, found none");
        assert_eq!(reason(&[2.0; 3], &[2.0; 4]), "all values of the two samples together are equal");
        assert!(reason(&[f64::NAN], &[1.0]).starts_with("x holds NaN"));
        let alike = found(&[2.0; 3], &[2.0; 4], Confidence::default());
        assert_eq!((alike.cliffs_delta, alike.shift), (0.0, 0.0));
        let single = found(&[1.0], &[2.0], Confidence::default());
        assert_eq!((single.test.unwrap().p_value, single.cliffs_delta), (1.0, -1.0));
    }

    fn found(x: &[f64], y: &[f64], confidence: Confidence) -> Dominance {
        mann_whitney(x, y, confidence).dominance.unwrap()
    }
}

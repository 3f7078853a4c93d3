//! Bootstrap intervals: of a sample, of pairs, and of pairs in clusters.
//!
//! Resample number `b` draws from the stream `b` of a ChaCha8 generator keyed by the seed, so the
//! result depends on the data, the options and the seed alone, not on the number of threads.

use std::hash::Hash;

use rayon::prelude::*;
use serde::Serialize;

use super::clusters::rows_by_group;
use super::correlation::{CorrelationKind, coefficient};
use super::counted::{CountedPairs, PairSums};
use crate::apa;
use crate::inference::Confidence;
use crate::not_estimable::{NotEstimable, check_count, check_pairs, check_values};
use crate::numeric::moments::mean;
use crate::numeric::random::{below, stream};

pub mod estimators;
mod interval;

use interval::undefined;
pub use interval::{BootstrapInterval, BootstrapMethod, bca_interval, percentile_interval};

/// More resamples than this are refused: they would take memory and time, and add no digit.
pub const MOST_RESAMPLES: usize = 10_000_000;
/// Most resamples that are made where their number is not given.
const MOST_AFFORDABLE: usize = 9_999;
/// Fewest resamples that are made where their number is not given and the confidence level does not need more.
const FEWEST_AFFORDABLE: usize = 999;
/// Resamples times observations, and units times observations, up to which neither resamples nor jackknife are cut.
const WORK: usize = 10_000_000;

/// Options of resampling.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bootstrap {
    /// Number of resamples; 9,999 by default.
    pub n_resamples: usize,
    /// Seed of the generator.
    pub seed: u64,
    /// Confidence level of the interval.
    pub confidence: Confidence,
    /// Method of the interval; BCa by default.
    pub method: BootstrapMethod,
}

impl Bootstrap {
    /// A BCa interval at 95 % from 9,999 resamples; change the fields for another one.
    pub fn new(seed: u64) -> Self {
        let (confidence, method) = (Confidence::default(), BootstrapMethod::BiasCorrectedAccelerated);
        Self { n_resamples: 9_999, seed, confidence, method }
    }

    /// A bootstrap of observations in these clusters that takes a moderate time: 9,999 resamples up to 1,000
    /// observations, fewer above, but at least 999, or as many as the confidence level needs. Beyond 10 million
    /// observations times clusters it is the percentile interval, which needs no jackknife.
    pub fn affordable<G: Eq + Hash>(clusters: &[G], confidence: Confidence, seed: u64) -> Self {
        let (n, n_units) = (clusters.len(), rows_by_group(clusters).len());
        let fewest = FEWEST_AFFORDABLE.max((1.0 / confidence.tail()).ceil() as usize);
        let n_resamples = (WORK / n.max(1)).clamp(fewest, MOST_AFFORDABLE.max(fewest));
        let is_large = n.saturating_mul(n_units) > WORK;
        let method = if is_large { BootstrapMethod::Percentile } else { BootstrapMethod::BiasCorrectedAccelerated };
        Self { n_resamples, seed, confidence, method }
    }

    /// The interval of a statistic of one sample of independent values.
    ///
    /// The statistic is NaN where it cannot be computed. It gets a slice in no particular order.
    ///
    /// Efron (1987). Better bootstrap confidence intervals. *Journal of the American Statistical
    /// Association*, 82, 171–185. Efron & Tibshirani (1993). *An introduction to the bootstrap*,
    /// chapters 13 and 14. The same as scipy's `bootstrap`, but for the random numbers.
    ///
    /// ```
    /// use plymap_statistics::stats::resample::Bootstrap;
    ///
    /// let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    /// let interval = Bootstrap::new(1).sample(&[3.0, 5.0, 8.0, 9.0, 20.0], mean);
    /// assert_eq!(interval.estimate, Some(9.0));
    /// assert!(interval.lower < interval.estimate && interval.estimate < interval.upper);
    /// ```
    pub fn sample(&self, values: &[f64], statistic: impl Fn(&[f64]) -> f64 + Sync) -> BootstrapInterval {
        let units: Vec<Vec<usize>> = (0..values.len()).map(|index| vec![index]).collect();
        let checked = check_values("the sample", values);
        self.run(checked, units.len(), values.len(), of_columns(&units, &[values], |columns| statistic(&columns[0])))
    }

    /// The interval of a statistic of independent pairs, such as a correlation.
    ///
    /// Pairs are resampled whole. The statistic is NaN where it cannot be computed.
    pub fn pairs(&self, x: &[f64], y: &[f64], statistic: impl Fn(&[f64], &[f64]) -> f64 + Sync) -> BootstrapInterval {
        let units: Vec<Vec<usize>> = (0..x.len()).map(|index| vec![index]).collect();
        let of_pairs = |columns: &[Vec<f64>]| statistic(&columns[0], &columns[1]);
        self.run(check_pairs(x, y), units.len(), x.len(), of_columns(&units, &[x, y], of_pairs))
    }

    /// The interval of a statistic of pairs that come in clusters, such as the trials of each
    /// participant: whole clusters are resampled, with all their pairs, because the pairs of one
    /// cluster are not independent.
    ///
    /// `clusters` names the cluster of each pair. The jackknife of BCa leaves out one cluster at a
    /// time. The statistic is NaN where it cannot be computed.
    ///
    /// Davison & Hinkley (1997). *Bootstrap methods and their application*, section 3.8. Field &
    /// Welsh (2007). Bootstrapping clustered data. *Journal of the Royal Statistical Society B*, 69,
    /// 369–390. Intervals from fewer than some twenty clusters are too narrow.
    pub fn clustered_pairs<G: Eq + Hash>(
        &self,
        clusters: &[G],
        x: &[f64],
        y: &[f64],
        statistic: impl Fn(&[f64], &[f64]) -> f64 + Sync,
    ) -> BootstrapInterval {
        let checked = check_pairs(x, y).and_then(|()| check_clusters(clusters.len(), x.len(), "x"));
        let units = rows_by_group(clusters);
        self.run(
            checked,
            units.len(),
            x.len(),
            of_columns(&units, &[x, y], |columns| statistic(&columns[0], &columns[1])),
        )
    }

    /// The interval of a statistic of values that come in clusters, such as the median of all response
    /// times: whole clusters are resampled, as in [`Bootstrap::clustered_pairs`].
    pub fn clustered_sample<G: Eq + Hash>(
        &self,
        clusters: &[G],
        values: &[f64],
        statistic: impl Fn(&[f64]) -> f64 + Sync,
    ) -> BootstrapInterval {
        let checked = check_values("the sample", values)
            .and_then(|()| check_clusters(clusters.len(), values.len(), "the sample"));
        let units = rows_by_group(clusters);
        self.run(checked, units.len(), values.len(), of_columns(&units, &[values], |columns| statistic(&columns[0])))
    }

    /// The interval of a coefficient of correlation of pairs that come in clusters, as in
    /// [`Bootstrap::clustered_pairs`]. Where the coefficient cannot be computed, it says why.
    ///
    /// Resamples are not written out: for Pearson's r sums over each cluster are enough, and for Spearman's ρ the values are
    /// ranked once, and the ranks of a resample counted.
    pub fn clustered_correlation<G: Eq + Hash>(
        &self,
        method: CorrelationKind,
        clusters: &[G],
        x: &[f64],
        y: &[f64],
    ) -> BootstrapInterval {
        let checked = coefficient(method, x, y).and_then(|_| check_clusters(clusters.len(), x.len(), "x"));
        let units = rows_by_group(clusters);
        let (n_units, n) = (units.len(), x.len());
        match CountedPairs::new(method, x, y).filter(|_| checked.is_ok()) {
            Some(CountedPairs::Values { x, y }) => {
                let sums: Vec<PairSums> = units.iter().map(|rows| PairSums::of(&x, &y, rows)).collect();
                // In the order of the clusters, not of the draws: each drawn once is then the estimate to the last digit.
                self.run(checked, n_units, n, |numbers| {
                    let mut all = PairSums::default();
                    let drawn = counts(n_units, numbers).into_iter().zip(&sums).filter(|(times, _)| *times > 0.0);
                    drawn.for_each(|(times, pair_sums)| all.add(pair_sums, times));
                    all.coefficient()
                })
            }
            Some(pairs) => {
                let mut of_row = vec![0; n];
                units.iter().enumerate().for_each(|(unit, rows)| rows.iter().for_each(|&row| of_row[row] = unit));
                self.run(checked, n_units, n, |numbers| {
                    let counts = counts(n_units, numbers);
                    pairs.coefficient(&of_row.iter().map(|&unit| counts[unit]).collect::<Vec<f64>>())
                })
            }
            None => {
                let statistic =
                    |columns: &[Vec<f64>]| coefficient(method, &columns[0], &columns[1]).unwrap_or(f64::NAN);
                self.run(checked, n_units, n, of_columns(&units, &[x, y], statistic))
            }
        }
    }

    /// The intervals of the means of several samples of the same units, such as differences between models for the same
    /// participants: the same as of [`Bootstrap::sample`] for each, from resamples that are drawn once for all.
    ///
    /// # Panics
    ///
    /// If samples differ in length.
    pub fn means(&self, samples: &[Vec<f64>]) -> Vec<BootstrapInterval> {
        let n = samples.first().map_or(0, Vec::len);
        let rows: Vec<Vec<f64>> = (0..n).map(|row| samples.iter().map(|sample| sample[row]).collect()).collect();
        // Sums are kept for each sample, not the drawn rows: memory for all resamples is that of their results.
        let drawn = |number: u64| {
            let mut sums = vec![0.0; samples.len()];
            let mut generator = stream(self.seed, number);
            for _ in 0..n {
                let row = &rows[below(&mut generator, n)];
                sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
            }
            sums
        };
        let is_needed = n > 1 && self.check_resamples().is_ok();
        let n_drawn = if is_needed { self.n_resamples as u64 } else { 0 };
        let sums: Vec<Vec<f64>> = (0..n_drawn).into_par_iter().map(drawn).collect();
        let of_sample = |(number, sample): (usize, &Vec<f64>)| {
            assert_eq!(sample.len(), n, "a value of each unit");
            let total: f64 = sample.iter().sum();
            let without = |value: &f64| (total - value) / (n - 1) as f64;
            self.interval(
                check_values("the sample", sample),
                (n, n),
                || total / n as f64,
                || sums.iter().map(|sums| sums[number] / n as f64).collect(),
                || sample.iter().map(without).collect(),
            )
        };
        samples.iter().enumerate().map(of_sample).collect()
    }

    fn run(
        &self,
        checked: Result<(), NotEstimable>,
        n_units: usize,
        n: usize,
        statistic: impl Fn(&mut dyn Iterator<Item = usize>) -> f64 + Sync,
    ) -> BootstrapInterval {
        // Resamples of as many units as there are, drawn with replacement.
        let resample = |number: u64| {
            let mut generator = stream(self.seed, number);
            statistic(&mut (0..n_units).map(|_| below(&mut generator, n_units)))
        };
        let without = |out: usize| statistic(&mut (0..n_units).filter(|&number| number != out));
        self.interval(
            checked,
            (n_units, n),
            || statistic(&mut (0..n_units)),
            || (0..self.n_resamples as u64).into_par_iter().map(resample).collect(),
            || (0..n_units).into_par_iter().map(without).collect(),
        )
    }

    /// The interval of a statistic, from its value for the data, for resamples, and with each unit left out in turn.
    fn interval(
        &self,
        checked: Result<(), NotEstimable>,
        (n_units, n): (usize, usize),
        estimate: impl FnOnce() -> f64,
        resamples: impl FnOnce() -> Vec<f64>,
        jackknife: impl FnOnce() -> Vec<f64>,
    ) -> BootstrapInterval {
        let mut result = BootstrapInterval {
            method: self.method,
            n_units,
            n,
            estimate: None,
            lower: None,
            upper: None,
            confidence: self.confidence,
            standard_error: None,
            n_resamples: self.n_resamples,
            n_failed: 0,
            seed: self.seed,
            reason: None,
        };
        let completed = checked.and_then(|()| self.complete(&mut result, estimate, resamples, jackknife));
        result.reason = completed.err();
        result
    }

    fn complete(
        &self,
        result: &mut BootstrapInterval,
        estimate: impl FnOnce() -> f64,
        resamples: impl FnOnce() -> Vec<f64>,
        jackknife: impl FnOnce() -> Vec<f64>,
    ) -> Result<(), NotEstimable> {
        check_count("a statistic", "units", result.n_units, 1)?;
        let estimate = estimate();
        if !estimate.is_finite() {
            return Err(undefined("the statistic", "it is not finite for the data themselves"));
        }
        result.estimate = Some(estimate);
        check_count("a bootstrap interval", "units", result.n_units, 2)?;
        self.check_resamples()?;
        let replicates: Vec<f64> = resamples().into_iter().filter(|replicate| replicate.is_finite()).collect();
        result.n_failed = self.n_resamples - replicates.len();
        if result.n_failed * 100 > self.n_resamples {
            let why = format!(
                "the statistic failed in {} of {} resamples",
                apa::count(result.n_failed),
                apa::count(self.n_resamples)
            );
            return Err(undefined("the bootstrap interval", &why));
        }
        result.standard_error = Some(standard_deviation(&replicates));
        let (lower, upper) = match self.method {
            BootstrapMethod::Percentile => percentile_interval(&replicates, self.confidence)?,
            BootstrapMethod::BiasCorrectedAccelerated => {
                bca_interval(estimate, &replicates, &jackknife(), self.confidence)?
            }
        };
        (result.lower, result.upper) = (Some(lower), Some(upper));
        Ok(())
    }

    /// Below this number, the ends of the interval would be the extremes of the resamples.
    fn check_resamples(&self) -> Result<(), NotEstimable> {
        let needed = (1.0 / self.confidence.tail()).round() as usize;
        check_count("a bootstrap interval", "resamples", self.n_resamples, needed)?;
        if self.n_resamples > MOST_RESAMPLES {
            let (value, allowed) = (self.n_resamples.to_string(), "at most 10,000,000");
            return Err(NotEstimable::OutOfRange { quantity: "the number of resamples", value, allowed });
        }
        Ok(())
    }
}

/// A statistic of what columns have in the rows of some units.
fn of_columns<'a>(
    units: &'a [Vec<usize>],
    columns: &'a [&'a [f64]],
    statistic: impl Fn(&[Vec<f64>]) -> f64 + Sync + 'a,
) -> impl Fn(&mut dyn Iterator<Item = usize>) -> f64 + Sync + 'a {
    move |numbers| {
        let rows: Vec<usize> = numbers.flat_map(|number| &units[number]).copied().collect();
        let columns: Vec<Vec<f64>> =
            columns.iter().map(|column| rows.iter().map(|&row| column[row]).collect()).collect();
        statistic(&columns)
    }
}

/// Frequency of each of so many units among these.
fn counts(n_units: usize, numbers: &mut dyn Iterator<Item = usize>) -> Vec<f64> {
    let mut counts = vec![0.0; n_units];
    numbers.for_each(|number| counts[number] += 1.0);
    counts
}

fn check_clusters(left: usize, right: usize, right_name: &'static str) -> Result<(), NotEstimable> {
    if left == right {
        return Ok(());
    }
    Err(NotEstimable::UnequalLengths { left_name: "the list of clusters", left, right_name, right })
}

fn standard_deviation(replicates: &[f64]) -> f64 {
    let centre = mean(replicates);
    let sum: f64 = replicates.iter().map(|replicate| (replicate - centre).powi(2)).sum();
    (sum / (replicates.len() - 1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMES: [f64; 8] = [3.1, 4.5, 2.2, 9.8, 5.0, 14.2, 3.3, 6.1];

    #[test]
    fn the_number_of_threads_does_not_change_a_digit() {
        let run = |n_threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            pool.install(|| Bootstrap { n_resamples: 500, ..Bootstrap::new(7) }.sample(&TIMES, mean))
        };
        assert_eq!(run(1), run(3));
    }

    #[test]
    fn another_seed_gives_another_interval() {
        let run = |seed| Bootstrap { n_resamples: 500, ..Bootstrap::new(seed) }.sample(&TIMES, mean).lower;
        assert_eq!(run(7), run(7));
        assert_ne!(run(7), run(8));
    }

    #[test]
    fn clusters_of_one_are_plain_pairs_and_clusters_stay_whole() {
        let weights = TIMES.map(|time| time * time);
        let ratio = |x: &[f64], y: &[f64]| mean(y) / mean(x);
        let options = Bootstrap { n_resamples: 200, ..Bootstrap::new(3) };
        let ids = ["a", "b", "c", "d", "e", "f", "g", "h"];
        assert_eq!(options.clustered_pairs(&ids, &TIMES, &weights, ratio), options.pairs(&TIMES, &weights, ratio));
        let alone = options.clustered_sample(&ids, &TIMES, mean);
        assert_eq!(alone, options.sample(&TIMES, mean));
        let reason = options.clustered_sample(&ids[1..], &TIMES, mean).reason.unwrap().to_string();
        assert_eq!(reason, "the list of clusters has 7 values but the sample has 8; they must be paired");
    }

    #[test]
    fn means_of_several_samples_are_those_of_each() {
        let options = Bootstrap { n_resamples: 200, ..Bootstrap::new(3) };
        let samples = vec![TIMES.to_vec(), TIMES.map(|time| time.ln() - 1.0).to_vec(), vec![2.0; TIMES.len()]];
        for (interval, sample) in options.means(&samples).into_iter().zip(&samples) {
            let alone = options.sample(sample, |values| values.iter().sum::<f64>() / values.len() as f64);
            // What is computed otherwise are the means without one value, on which the ends depend.
            let close = |left: Option<f64>, right: Option<f64>| match (left, right) {
                (Some(left), Some(right)) => (left - right).abs() <= 1e-12 * right.abs(),
                (left, right) => left == right,
            };
            assert!(close(interval.lower, alone.lower) && close(interval.upper, alone.upper), "{interval:?}");
            assert_eq!(BootstrapInterval { lower: alone.lower, upper: alone.upper, ..interval }, alone);
        }
        assert!(options.means(&[]).is_empty());
        assert_eq!(options.means(&[vec![]])[0].reason, options.sample(&[], mean).reason);
        assert_eq!(options.means(&[vec![2.0]])[0].reason, options.sample(&[2.0], mean).reason);
        assert!(options.means(&[vec![2.0, f64::NAN]])[0].reason.is_some());
    }

    #[test]
    fn spearman_of_counted_ranks_is_that_of_the_values() {
        let x = [3.5, -1.0, 3.5, 7.0, 0.0, -0.0, 0.1 + 0.2, 0.3];
        let y = [1.0, 2.0, 5.0, 5.0, 4.0, 9.0, 8.0, 1.0];
        let close = |left: f64, right: f64| (left - right).abs() < 1e-15;
        // Percentiles: which resamples equal the estimate, as BCa counts them, is a matter of rounding where ranks are sorted.
        let options = Bootstrap { n_resamples: 200, method: BootstrapMethod::Percentile, ..Bootstrap::new(3) };
        let spearman = |x: &[f64], y: &[f64]| coefficient(CorrelationKind::Spearman, x, y).unwrap_or(f64::NAN);
        let clusters = ["a", "a", "b", "b", "c", "d", "e", "f"];
        let counted = options.clustered_correlation(CorrelationKind::Spearman, &clusters, &x, &y);
        let sorted = options.clustered_pairs(&clusters, &x, &y, spearman);
        let values: [fn(&BootstrapInterval) -> Option<f64>; 3] =
            [|interval| interval.lower, |interval| interval.upper, |interval| interval.standard_error];
        for value in values {
            assert!(close(value(&counted).unwrap(), value(&sorted).unwrap()));
        }
        assert_eq!(counted.n_failed, sorted.n_failed);
    }

    #[test]
    fn large_samples_have_fewer_resamples_and_no_jackknife() {
        let affordable = |n: usize, n_clusters: usize, level: f64| {
            let clusters: Vec<usize> = (0..n).map(|row| row % n_clusters).collect();
            let bootstrap = Bootstrap::affordable(&clusters, Confidence::new(level).unwrap(), 1);
            (bootstrap.n_resamples, bootstrap.method)
        };
        assert_eq!(affordable(1_000, 34, 0.95), (9_999, BootstrapMethod::BiasCorrectedAccelerated));
        assert_eq!(affordable(3_000, 34, 0.95).0, 3_333);
        assert_eq!(affordable(200_000, 5_000, 0.95), (999, BootstrapMethod::Percentile));
        assert!(affordable(200_000, 5_000, 0.999).0 >= 2_000);
    }

    #[test]
    fn what_cannot_be_resampled_says_why() {
        let reason = |interval: BootstrapInterval| interval.reason.unwrap().to_string();
        let options = Bootstrap::new(1);
        assert_eq!(reason(options.sample(&[], mean)), "a statistic needs units, found none");
        assert_eq!(reason(options.sample(&[2.0], mean)), "a bootstrap interval needs at least 2 units, found 1");
        assert_eq!(reason(options.sample(&[2.0; 9], mean)), "all values of the resampled statistic are equal");
        let few = Bootstrap { n_resamples: 10, ..options };
        assert_eq!(reason(few.sample(&TIMES, mean)), "a bootstrap interval needs at least 40 resamples, found 10");
        let failing = |values: &[f64]| if values[0] == TIMES[0] { 1.0 } else { f64::NAN };
        assert!(reason(options.sample(&TIMES, failing)).starts_with("the bootstrap interval is not defined here"));
    }
}

//! The cluster bootstrap of participants, in studies of any size.

use super::Context;
use plymap_statistics::stats::correlation::{Method, coefficient};
use plymap_statistics::stats::resample::{self, Bootstrap};

/// Most resamples of a bootstrap interval.
const MOST_RESAMPLES: usize = 9_999;
/// Fewest resamples of a bootstrap interval, if its level does not ask for more.
const FEWEST_RESAMPLES: usize = 999;
/// Resamples times trials, and participants times trials, up to which neither resamples nor jackknife are cut.
const WORK: usize = 10_000_000;

/// As many resamples as the work allows; without a jackknife where that would be too much.
pub(super) fn bootstrap(context: &Context, n: usize, n_participants: usize) -> Bootstrap {
    let asked = (1.0 / context.confidence.tail()).ceil() as usize;
    let fewest = FEWEST_RESAMPLES.max(asked);
    let n_resamples = (WORK / n.max(1)).clamp(fewest, MOST_RESAMPLES.max(fewest));
    let method = if n.saturating_mul(n_participants) > WORK {
        resample::Method::Percentile
    } else {
        resample::Method::BiasCorrectedAccelerated
    };
    Bootstrap { n_resamples, seed: context.seed, confidence: context.confidence, method }
}

/// The dense rank of each value, from 0. Ranks of dense ranks are ranks of values.
pub(super) fn dense_ranks(values: &[f64]) -> Vec<f64> {
    let mut different = values.to_vec();
    different.sort_by(f64::total_cmp);
    different.dedup_by(|right, left| right == left);
    values.iter().map(|value| different.partition_point(|other| other < value) as f64).collect()
}

/// Spearman's ρ of dense ranks, see [`dense_ranks`]; the ranks are counted and not sorted, which is what makes
/// thousands of resamples affordable.
pub(super) fn spearman_of_dense_ranks(x: &[f64], y: &[f64]) -> f64 {
    let ranks = |values: &[f64]| -> Vec<f64> {
        let last = values.iter().copied().fold(0.0, f64::max) as usize;
        let mut counts = vec![0_usize; last + 1];
        values.iter().for_each(|&value| counts[value as usize] += 1);
        let mut n_before = 0;
        let mid_rank = |count: usize| {
            let rank = n_before as f64 + (count + 1) as f64 / 2.0;
            n_before += count;
            rank
        };
        let of_places: Vec<f64> = counts.into_iter().map(mid_rank).collect();
        values.iter().map(|&value| of_places[value as usize]).collect()
    };
    coefficient(Method::Pearson, &ranks(x), &ranks(y)).unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::fixture::{context, dataset};
    use plymap_statistics::stats::Confidence;

    #[test]
    fn ranks_of_places_are_ranks_of_values() {
        let x = [3.5, -1.0, 3.5, 7.0, 0.0, -0.0];
        assert_eq!(dense_ranks(&x), [2.0, 0.0, 2.0, 3.0, 1.0, 1.0]);
        let y = [1.0, 2.0, 5.0, 5.0, 4.0, 9.0];
        let expected = coefficient(Method::Spearman, &x, &y).unwrap();
        assert_eq!(spearman_of_dense_ranks(&dense_ranks(&x), &dense_ranks(&y)), expected);
        assert!(spearman_of_dense_ranks(&[1.0; 4], &[0.0, 1.0, 2.0, 3.0]).is_nan());
    }

    #[test]
    fn large_studies_have_fewer_resamples_and_no_jackknife() {
        let data = dataset(Vec::new());
        let small = bootstrap(&context(&data), 1_000, 34);
        assert_eq!((small.n_resamples, small.method), (9_999, resample::Method::BiasCorrectedAccelerated));
        assert_eq!(bootstrap(&context(&data), 3_000, 34).n_resamples, 3_333);
        let large = bootstrap(&context(&data), 200_000, 5_000);
        assert_eq!((large.n_resamples, large.method), (999, resample::Method::Percentile));
        let sure = Context { confidence: Confidence::new(0.999).unwrap(), ..context(&data) };
        assert!(bootstrap(&sure, 200_000, 5_000).n_resamples >= 2_000);
    }
}

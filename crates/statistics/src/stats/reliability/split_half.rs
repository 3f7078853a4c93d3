//! Split-half reliability of a measure that is computed from the trials of each participant.

use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::Serialize;

use super::tables::{MEASURED, OF_PARTICIPANTS, each_outcome};
use crate::apa;
use crate::estimator::{Estimate, Estimator, Kind, Need, Request, Role};
use crate::inference::Confidence;
use crate::not_estimable::{NotEstimable, check_count, check_values};
use crate::numeric::moments::mean;
use crate::numeric::quantile::sorted_quantile;
use crate::numeric::random::{below, stream};
use crate::record::*;
use crate::stats::correlation::{Correlation, CorrelationKind, correlate, product_moment};

/// More splits than this are refused: they would take memory and time, and add no digit.
pub const MOST_SPLITS: usize = 1_000_000;
/// Most and fewest splits that are made where their number is not given.
const MOST_AFFORDABLE: usize = 5_000;
const FEWEST_AFFORDABLE: usize = 500;
/// Splits times trials up to which splits are not cut.
const WORK: usize = 10_000_000;

/// Split-half reliability over many random splits.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SplitHalf {
    /// Number of participants with two trials or more.
    pub n: usize,
    /// Number of participants with fewer, left out.
    pub n_left_out: usize,
    /// The reliability, or why there is none.
    pub outcome: Result<SplitReliability, NotEstimable>,
    /// Share of the splits between the quantiles of the reliability.
    pub coverage: Confidence,
    /// Number of splits.
    pub n_splits: usize,
    /// Number of them without a correlation (a half without variance, or a measure that is not finite).
    /// They are left out; more than one in a hundred, and there is no estimate.
    pub n_failed: usize,
    /// Seed of the generator.
    pub seed: u64,
}

/// The reliability over many random splits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SplitReliability {
    /// Reliability of the measure from all trials: the mean over the splits of the correlation of the
    /// halves, each corrected for length by [`spearman_brown`].
    pub estimate: f64,
    /// Lower quantile of the corrected correlations over the splits. The interval tells how much they
    /// depend on the split; it is no confidence interval for other participants.
    pub lower: f64,
    /// Upper quantile of the corrected correlations over the splits.
    pub upper: f64,
    /// Mean over the splits of the correlation of the halves, not corrected.
    pub half_correlation: f64,
}

/// Reliability from odd against even trials.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OddEven {
    /// Number of participants with two trials or more.
    pub n: usize,
    /// Number of participants with fewer, left out.
    pub n_left_out: usize,
    /// Pearson's r of the halves.
    pub half_correlation: Correlation,
}

const HALF: Column = number("half_correlation", "correlation of the halves, not corrected for length");
/// Number of random splits that a reliability rests on.
pub const SPLITS: Column = count(
    "n_splits",
    "number of random splits: 5,000 for up to 2,000 rows, fewer for more but at least 500, or as --resamples asks for",
);
const N_FAILED: Column = count("n_failed", "number of splits without a correlation");
const SEED: Column = count("seed", "seed of the generator");
const N_WITH_TWO: Column = N_PARTICIPANTS.means("number of participants with two rows or more");
const TOO_FEW_ROWS: Column = N_EXCLUDED.means("number of participants with a single row, left out");

/// The split-half reliability of columns of any table.
pub const SPLIT_HALF: Estimator = Estimator {
    name: "split-half",
    summary: "Split-half reliability of participants' means (or --measure median) over random splits of their rows.",
    assumptions: "The interval shows how much the result depends on the split, and is no confidence interval.",
    source: "Pronk et al. (2022).",
    roles: OF_PARTICIPANTS,
    columns: &[
        MEASURED,
        N,
        N_WITH_TWO,
        N_MISSING,
        TOO_FEW_ROWS,
        ESTIMATE.means("reliability: mean correlation of the halves, corrected for length"),
        LOWER.means("lower quantile over the splits"),
        UPPER.means("upper quantile over the splits"),
        CONFIDENCE.means("share of the splits between them"),
        HALF.means("mean correlation of the halves, not corrected for length"),
        SPLITS,
        N_FAILED,
        SEED,
        SENTENCE,
        REASON,
    ],
    estimate: Estimate::Table(|sample| {
        let &Request { measure, n_resamples, seed, confidence, .. } = sample.request;
        each_outcome(sample, |trials| {
            let n_splits = n_resamples.unwrap_or_else(|| affordable_splits(trials));
            split_half(trials, |values| measure.of(values), n_splits, seed, confidence).record()
        })
    }),
};

/// The reliability of odd against even rows of any table.
pub const ODD_EVEN: Estimator = Estimator {
    name: "odd-even",
    summary: "Reliability of participants' means (or --measure median) from their odd against their even rows.",
    assumptions: "Rows are taken in the order of --trial, or else of the table.",
    source: "Spearman (1910); Brown (1910).",
    roles: &[
        Need::several(Role::Y, Kind::Number, 1),
        Need::one(Role::Participant, Kind::Label),
        Need::optional(Role::Trial, Kind::Number),
    ],
    columns: &[
        MEASURED,
        N,
        N_WITH_TWO,
        N_MISSING,
        TOO_FEW_ROWS,
        ESTIMATE.means("reliability: correlation of the halves, corrected for length"),
        LOWER,
        UPPER,
        CONFIDENCE,
        HALF,
        STATISTIC.means("t of the correlation of the halves"),
        DF,
        P_VALUE.means("two-sided p of the correlation of the halves, not adjusted"),
        SENTENCE,
        REASON,
    ],
    estimate: Estimate::Table(|sample| {
        let &Request { measure, confidence, .. } = sample.request;
        each_outcome(sample, |trials| odd_even(trials, |values| measure.of(values), confidence).record())
    }),
};

/// The reliability of a whole from the correlation r of its halves: 2 r / (1 + |r|).
///
/// Spearman (1910) and Brown (1910), *British Journal of Psychology*, 3, 271–295 and 296–322. The
/// absolute value keeps negative correlations within −1; for positive ones it changes nothing.
pub fn spearman_brown(r: f64) -> f64 {
    2.0 * r / (1.0 + r.abs())
}

/// Number of random splits that take a moderate time: 5,000 up to 2,000 trials of participants with two or more, fewer
/// above, but at least 500.
pub fn affordable_splits<T: AsRef<[f64]>>(participants: &[T]) -> usize {
    let n_trials: usize = with_two_trials(participants).into_iter().map(<[f64]>::len).sum();
    (WORK / n_trials.max(1)).clamp(FEWEST_AFFORDABLE, MOST_AFFORDABLE)
}

/// Split-half reliability: the trials of each participant are split at random into two halves (of an
/// odd number the second half gets one more), the measure is computed from either, and the two are
/// correlated over participants; again for each of `n_splits` splits.
///
/// `measure` gives the measure of some trials, such as their mean, or NaN. Split number `s` draws from
/// stream `s` of a ChaCha8 generator keyed by the seed, so the digits do not depend on the number of
/// threads. A few thousand splits suffice; at most [`MOST_SPLITS`].
///
/// Pronk, Molenaar, Wiers & Murre (2022). Methods to split cognitive task data for estimating
/// split-half reliability: A comprehensive review and systematic assessment. *Psychonomic Bulletin &
/// Review*, 29, 44–54.
///
/// ```
/// use plymap_statistics::stats::{Confidence, reliability::split_half};
///
/// let times = [vec![2.0, 2.5, 2.2, 2.1], vec![4.0, 4.4, 4.2], vec![3.0, 3.3, 2.9, 3.1], vec![5.0, 6.0]];
/// let mean = |trials: &[f64]| trials.iter().sum::<f64>() / trials.len() as f64;
/// let found = split_half(&times, mean, 500, 1, Confidence::default());
/// assert!(found.outcome?.estimate > 0.9 && found.n == 4);
/// # Ok::<(), plymap_statistics::stats::NotEstimable>(())
/// ```
pub fn split_half<T: AsRef<[f64]> + Sync>(
    participants: &[T],
    measure: impl Fn(&[f64]) -> f64 + Sync,
    n_splits: usize,
    seed: u64,
    coverage: Confidence,
) -> SplitHalf {
    let kept = with_two_trials(participants);
    let halves = half_correlations(&kept, measure, n_splits, seed);
    let n_failed = halves.as_ref().map_or(0, |halves| n_splits - halves.len());
    let outcome = halves.and_then(|halves| SplitReliability::new(&halves, n_splits, coverage));
    SplitHalf {
        n: kept.len(),
        n_left_out: participants.len() - kept.len(),
        outcome,
        coverage,
        n_splits,
        n_failed,
        seed,
    }
}

/// Reliability from the first, third, … against the second, fourth, … trial of each participant, in
/// the order of the trials. See [`split_half`], which does not depend on a single split.
pub fn odd_even<T: AsRef<[f64]>>(
    participants: &[T],
    measure: impl Fn(&[f64]) -> f64,
    confidence: Confidence,
) -> OddEven {
    let kept = with_two_trials(participants);
    let every_second =
        |trials: &[f64], first: usize| measure(&trials.iter().skip(first).step_by(2).copied().collect::<Vec<_>>());
    let odd: Vec<f64> = kept.iter().map(|trials| every_second(trials, 0)).collect();
    let even: Vec<f64> = kept.iter().map(|trials| every_second(trials, 1)).collect();
    let half_correlation = correlate(CorrelationKind::Pearson, &odd, &even, confidence);
    OddEven { n: kept.len(), n_left_out: participants.len() - kept.len(), half_correlation }
}

impl SplitHalf {
    /// `rSB = .82, 95 % of 5,000 random splits in [.71, .90], n = 48`.
    pub fn sentence(&self) -> String {
        apa::outcome("rSB", self.n, &self.outcome, |reliability| {
            let [estimate, lower, upper] =
                [reliability.estimate, reliability.lower, reliability.upper].map(|value| apa::bounded(value, 2));
            let (coverage, n_splits, n) = (self.coverage, apa::count(self.n_splits), apa::count(self.n));
            format!("rSB = {estimate}, {coverage} of {n_splits} random splits in [{lower}, {upper}], n = {n}")
        })
    }

    /// The result as a row.
    pub fn record(&self) -> Record {
        Record::new()
            .set(N_PARTICIPANTS, self.n)
            .set(N_EXCLUDED, self.n_left_out)
            .set(CONFIDENCE, self.coverage.level())
            .set(SPLITS, self.n_splits)
            .set(N_FAILED, self.n_failed)
            .set(SEED, self.seed)
            .set(SENTENCE, self.sentence())
            .outcome(&self.outcome, |record, reliability| {
                record
                    .set(ESTIMATE, reliability.estimate)
                    .set(LOWER, reliability.lower)
                    .set(UPPER, reliability.upper)
                    .set(HALF, reliability.half_correlation)
            })
    }
}

/// The correlation of the halves of each split that has one.
fn half_correlations(
    kept: &[&[f64]],
    measure: impl Fn(&[f64]) -> f64 + Sync,
    n_splits: usize,
    seed: u64,
) -> Result<Vec<f64>, NotEstimable> {
    kept.iter().try_for_each(|trials| check_values("a participant", trials))?;
    check_count("split-half reliability", "participants with two trials", kept.len(), 3)?;
    check_count("split-half reliability", "splits", n_splits, 1)?;
    if n_splits > MOST_SPLITS {
        let (value, allowed) = (n_splits.to_string(), "at most 1,000,000");
        return Err(NotEstimable::OutOfRange { quantity: "the number of splits", value, allowed });
    }
    let correlation = |split: u64| {
        let mut generator = stream(seed, split);
        let halves = kept.iter().map(|trials| random_halves(trials, &measure, &mut generator));
        let (first, second): (Vec<f64>, Vec<f64>) = halves.unzip();
        check_values("a half", &first).and_then(|()| check_values("a half", &second)).ok()?;
        product_moment(&first, &second).ok()
    };
    let of_splits: Vec<Option<f64>> = (0..n_splits as u64).into_par_iter().map(correlation).collect();
    Ok(of_splits.into_iter().flatten().collect())
}

impl SplitReliability {
    fn new(halves: &[f64], n_splits: usize, coverage: Confidence) -> Result<Self, NotEstimable> {
        let n_failed = n_splits - halves.len();
        if n_failed * 100 > n_splits {
            let why = format!("{} of {} splits have no correlation", apa::count(n_failed), apa::count(n_splits));
            return Err(NotEstimable::Undefined { quantity: "split-half reliability", why });
        }
        let mut corrected: Vec<f64> = halves.iter().map(|&r| spearman_brown(r)).collect();
        let estimate = mean(&corrected);
        corrected.sort_by(f64::total_cmp);
        let [lower, upper] = [coverage.tail(), 1.0 - coverage.tail()].map(|share| sorted_quantile(&corrected, share));
        Ok(Self { estimate, lower, upper, half_correlation: mean(halves) })
    }
}

impl OddEven {
    /// Reliability of the measure from all trials: the correlation corrected for length; absent without one.
    pub fn estimate(&self) -> Option<f64> {
        self.half_correlation.estimate().map(spearman_brown)
    }

    /// Ends of the confidence interval of the correlation, corrected likewise; absent without one.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let (lower, upper) = self.half_correlation.coefficient.as_ref().ok()?.interval.as_ref().ok()?;
        Some((spearman_brown(*lower), spearman_brown(*upper)))
    }

    /// `rSB = .82, 95 % CI [.71, .90], n = 48, odd against even trials`.
    pub fn sentence(&self) -> String {
        apa::outcome("rSB", self.n, &self.half_correlation.coefficient, |half| {
            let estimate = apa::bounded(spearman_brown(half.estimate), 2);
            let interval =
                apa::interval(self.half_correlation.confidence, self.interval(), |value| apa::bounded(value, 2));
            format!("rSB = {estimate}{interval}, n = {}, odd against even trials", apa::count(self.n))
        })
    }

    /// The result as a row.
    pub fn record(&self) -> Record {
        let interval = self.interval();
        self.half_correlation
            .record()
            .unset(N)
            .unset(P_METHOD)
            .set(N_PARTICIPANTS, self.n)
            .set(N_EXCLUDED, self.n_left_out)
            .set(ESTIMATE, self.estimate())
            .set(LOWER, interval.map(|ends| ends.0))
            .set(UPPER, interval.map(|ends| ends.1))
            .set(HALF, self.half_correlation.estimate())
            .set(SENTENCE, self.sentence())
    }
}

/// The measure of either half of the trials, shuffled (Durstenfeld, 1964, *Communications of the ACM*, 7, 420).
fn random_halves(trials: &[f64], measure: impl Fn(&[f64]) -> f64, generator: &mut ChaCha8Rng) -> (f64, f64) {
    let mut shuffled = trials.to_vec();
    for last in (1..shuffled.len()).rev() {
        shuffled.swap(last, below(generator, last + 1));
    }
    let (first, second) = shuffled.split_at(trials.len() / 2);
    (measure(first), measure(second))
}

fn with_two_trials<T: AsRef<[f64]>>(participants: &[T]) -> Vec<&[f64]> {
    participants.iter().map(AsRef::as_ref).filter(|trials| trials.len() > 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIALS: [&[f64]; 5] =
        [&[2.0, 2.5, 3.9, 2.1], &[4.0, 3.4, 5.2], &[3.0, 4.3, 2.9, 3.1], &[9.0], &[5.0, 3.0, 4.0, 6.0, 7.0]];

    #[test]
    fn neither_threads_nor_another_run_change_a_digit() {
        let run = |n_threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            pool.install(|| split_half(&TRIALS, mean, 300, 5, Confidence::default()))
        };
        assert_eq!(run(1), run(3));
        let other = split_half(&TRIALS, mean, 300, 6, Confidence::default());
        assert_ne!(run(1).outcome, other.outcome);
        assert_eq!((other.n, other.n_left_out, other.n_failed), (4, 1, 0));
    }

    #[test]
    fn halves_share_no_trial_and_lose_none() {
        let mut generator = stream(1, 0);
        let trials = [1.0, 10.0, 100.0, 1_000.0, 10_000.0];
        for _ in 0..50 {
            let (first, second) = random_halves(&trials, |half| half.iter().sum(), &mut generator);
            assert_eq!(first + second, 11_111.0);
        }
    }

    #[test]
    fn odd_and_even_trials_keep_their_order() {
        let count = |half: &[f64]| half.len() as f64 + half[0];
        let halves = odd_even(&[vec![0.0, 5.0, 0.0], vec![1.0, 7.0], vec![2.0, 1.0]], count, Confidence::default());
        let by_hand = product_moment(&[2.0, 2.0, 3.0], &[6.0, 8.0, 2.0]).unwrap();
        assert_eq!(halves.half_correlation.estimate(), Some(by_hand));
        assert!(halves.sentence().starts_with("rSB = −.97, n = 3"));
    }

    #[test]
    fn what_cannot_be_estimated_says_why() {
        let reason = |trials: &[&[f64]], n_splits| {
            split_half(trials, mean, n_splits, 1, Confidence::default()).outcome.unwrap_err().to_string()
        };
        assert_eq!(reason(&[], 9), "split-half reliability needs at least 3 participants with two trials, found 0");
        assert_eq!(reason(&TRIALS, 0), "split-half reliability needs splits, found none");
        assert!(reason(&TRIALS, MOST_SPLITS + 1).contains("must be at most 1,000,000"));
        assert!(reason(&[&[1.0; 4], &[1.0; 4], &[1.0; 2]], 9).contains("9 of 9 splits have no correlation"));
        assert!(reason(&[&[1.0, f64::NAN], &[1.0; 4], &[1.0; 2]], 9).starts_with("a participant holds NaN"));
        let single = odd_even(&[[1.0], [2.0]], mean, Confidence::default());
        assert_eq!((single.n, single.n_left_out, single.estimate()), (0, 2, None));
        assert!(single.half_correlation.coefficient.is_err());
    }
}

//! Phases against chance: are they longer and fewer than in shuffled times?
//!
//! Even independent times fall into runs. So the times of each attempt are shuffled, which keeps the times
//! and the lengths of attempts and destroys nothing but order, and the shuffled attempts are segmented in
//! the same way as the real ones, fit included. If the real number of phases is unusual among the shuffled
//! ones, the order of times matters. Good (2005). *Permutation, parametric, and bootstrap tests of
//! hypotheses* (3rd ed.), chapter 3. With b of N shuffles at least as extreme, p is (1 + b) / (1 + N):
//! Phipson & Smyth (2010). Permutation P-values should never be zero. *Statistical Applications in Genetics
//! and Molecular Biology*, 9, article 39.
//!
//! A model that was fitted to the real order must be fitted again to every shuffled one: decoding shuffled
//! times with the parameters of the real ones would compare unlike things. For a quantile split and a
//! mixture this is the same as shuffling labels, because they do not look at order; a hidden Markov model
//! takes a fit for every shuffle.
//!
//! A slow drift of tempo within an attempt also makes runs. A small p says that times are serially dependent, not
//! that there are two states.

use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::Serialize;

use super::mixture::Mixture;
use super::times::LogTimes;
use super::{PhaseMethod, Segmenter};
use crate::apa;
use crate::not_estimable::{NotEstimable, check_count};
use crate::numeric::random::{below, stream};
use crate::phase::labels::{Labels, Mode};

/// More shuffles than this are refused.
pub const MOST_SHUFFLES: usize = 1_000_000;

/// One number about phases, beside the same of shuffled times.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct NullComparison {
    /// The number in the real order; absent where there are no such phases.
    pub observed: Option<f64>,
    /// Number of shuffles that gave the number.
    pub n_shuffles: usize,
    /// Its mean over the shuffles.
    pub null_mean: Option<f64>,
    /// Its standard deviation over the shuffles, denominator n − 1.
    pub null_sd: Option<f64>,
    /// (`observed` − `null_mean`) / `null_sd`; absent if all shuffles gave one number.
    pub z: Option<f64>,
    /// Share of shuffles with at most the observed number, the real order counted as one more.
    pub p_low: Option<f64>,
    /// Share of shuffles with at least the observed number, the real order counted as one more.
    pub p_high: Option<f64>,
    /// Two-sided p value: twice the smaller of the two, at most 1.
    pub p_value: Option<f64>,
    /// Reason why the first of the absent values is absent.
    pub reason: Option<NotEstimable>,
}

/// Phases beside those of shuffled times.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShuffleTest {
    /// Method that labelled the moves.
    pub method: PhaseMethod,
    /// Number of labelled moves.
    pub n_moves: usize,
    /// Number of attempts with at least two of them, whose order can be shuffled.
    pub n_attempts: usize,
    /// Number of shuffles that were asked for.
    pub n_shuffles: usize,
    /// Seed of the shuffles.
    pub seed: u64,
    /// Number of phases of both modes in all attempts.
    pub n_phases: NullComparison,
    /// Mean number of moves of a phase of thinking.
    pub mean_moves_thinking: NullComparison,
    /// Mean number of moves of a phase of acting.
    pub mean_moves_acting: NullComparison,
    /// Reason why nothing could be compared.
    pub reason: Option<NotEstimable>,
}

/// Compares the phases of attempts, each a list of times in seconds, with those of shuffled times.
///
/// Give the times that are to be labelled, without first moves. One shuffle takes microseconds with a
/// quantile split or a mixture, as long as one search for change points, and as long as one fit of a hidden
/// Markov model with all its starts (milliseconds for each thousand moves: some 199 shuffles and few starts
/// will do, `segmenter.em.n_starts = 1`; the real order is then segmented with as few). At most 1,000,000
/// shuffles; memory is 24 bytes for each, and the times once for each thread. Result and digits depend on
/// the seed and not on the number of threads.
pub fn shuffle_test<A: AsRef<[f64]>>(
    attempts: &[A],
    segmenter: &Segmenter,
    n_shuffles: usize,
    seed: u64,
) -> ShuffleTest {
    let mut result = ShuffleTest::new(attempts, segmenter, n_shuffles, seed);
    result.reason = result.complete(attempts, segmenter, |times| segmenter.labels(times)).err();
    result
}

/// The same by a mixture that was fitted to these times before.
pub fn shuffle_test_by_mixture<A: AsRef<[f64]>>(
    attempts: &[A],
    model: &Mixture,
    n_shuffles: usize,
    seed: u64,
) -> ShuffleTest {
    let segmenter = Segmenter::new(PhaseMethod::Mixture { n_components: model.n_components }, seed);
    let mut result = ShuffleTest::new(attempts, &segmenter, n_shuffles, seed);
    result.reason = result.complete(attempts, &segmenter, |times| model.labels(times)).err();
    result
}

impl ShuffleTest {
    fn new<A: AsRef<[f64]>>(attempts: &[A], segmenter: &Segmenter, n_shuffles: usize, seed: u64) -> Self {
        let lengths = attempts.iter().map(|attempt| attempt.as_ref().len());
        Self {
            method: segmenter.method,
            n_moves: lengths.clone().sum(),
            n_attempts: lengths.filter(|&length| length > 1).count(),
            n_shuffles,
            seed,
            n_phases: NullComparison::default(),
            mean_moves_thinking: NullComparison::default(),
            mean_moves_acting: NullComparison::default(),
            reason: None,
        }
    }

    /// The test of attempts without phases, which says why there are none.
    pub fn without_phases<A: AsRef<[f64]>>(
        attempts: &[A],
        segmenter: &Segmenter,
        seed: u64,
        reason: NotEstimable,
    ) -> Self {
        Self { reason: Some(reason), ..Self::new(attempts, segmenter, 0, seed) }
    }

    /// Compares the phases by these labels of the real order.
    fn complete<A: AsRef<[f64]>>(
        &mut self,
        attempts: &[A],
        segmenter: &Segmenter,
        labels: impl FnOnce(&LogTimes) -> Result<Labels, NotEstimable>,
    ) -> Result<(), NotEstimable> {
        check_count("a shuffle test", "shuffles", self.n_shuffles, 1)?;
        if self.n_shuffles > MOST_SHUFFLES {
            let (value, allowed) = (self.n_shuffles.to_string(), "at most 1,000,000");
            return Err(NotEstimable::OutOfRange { quantity: "the number of shuffles", value, allowed });
        }
        let times = LogTimes::new(attempts)?;
        check_count("a shuffle test", "attempts of two or more moves", self.n_attempts, 1)?;
        let modes = labels(&times)?.modes;
        let observed = Runs::of(&times, &modes).numbers();
        let shuffle = |number: u64| {
            let mut generator = stream(self.seed, number);
            // Each label depends on its own time alone and moves with it: no shuffle is labelled anew.
            if segmenter.method.is_order_free() {
                let mut modes = modes.clone();
                shuffle_within(&mut modes, times.ends(), &mut generator);
                return Runs::of(&times, &modes).numbers();
            }
            let shuffled = times.reordered(|logs, ends| shuffle_within(logs, ends, &mut generator));
            segmenter.labels(&shuffled).map_or([None; 3], |labels| Runs::of(&times, &labels.modes).numbers())
        };
        let shuffled: Vec<[Option<f64>; 3]> = (0..self.n_shuffles as u64).into_par_iter().map(shuffle).collect();
        let compare = |index: usize| NullComparison::new(observed[index], shuffled.iter().map(|row| row[index]));
        [self.n_phases, self.mean_moves_thinking, self.mean_moves_acting] = [compare(0), compare(1), compare(2)];
        Ok(())
    }

    /// `149 phases against M = 201.3, SD = 8.9 in 999 shuffles, z = −5.88, p = .002`, with the numbers as
    /// they are.
    pub fn sentence(&self) -> String {
        let n_phases = &self.n_phases;
        let (Some(observed), Some(mean), Some(p)) = (n_phases.observed, n_phases.null_mean, n_phases.p_value) else {
            let reason = self.reason.as_ref().or(n_phases.reason.as_ref());
            return apa::not_estimable("number of phases against shuffled times", self.n_moves, reason);
        };
        let sd = n_phases.null_sd.map_or(String::new(), |sd| format!(", SD = {}", apa::number(sd, 1)));
        let z = n_phases.z.map_or(String::new(), |z| format!(", z = {}", apa::number(z, 2)));
        let (phases, mean, p) = (apa::counted(observed as u64, "phase"), apa::number(mean, 1), apa::p_value(p));
        let shuffles = apa::counted(n_phases.n_shuffles, "shuffle");
        format!("{phases} against M = {mean}{sd} in {shuffles}{z}, {p}")
    }
}

impl NullComparison {
    fn new(observed: Option<f64>, shuffled: impl Iterator<Item = Option<f64>>) -> Self {
        let mut result = Self { observed, ..Self::default() };
        result.reason = result.complete(shuffled).err();
        result
    }

    fn complete(&mut self, shuffled: impl Iterator<Item = Option<f64>>) -> Result<(), NotEstimable> {
        let shuffled: Vec<Option<f64>> = shuffled.collect();
        let values: Vec<f64> = shuffled.iter().copied().flatten().collect();
        self.n_shuffles = values.len();
        let undefined =
            |why: String| Err(NotEstimable::Undefined { quantity: "the comparison with shuffled times", why });
        let Some(observed) = self.observed else {
            return undefined("the real order has no such phases".to_owned());
        };
        let n_failed = shuffled.len() - values.len();
        if n_failed * 100 > shuffled.len() {
            return undefined(format!("{n_failed} of {} shuffles have no such phases, or no fit", shuffled.len()));
        }
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        self.null_mean = Some(mean);
        let n_at_most = values.iter().filter(|&&value| value <= observed).count();
        let n_at_least = values.iter().filter(|&&value| value >= observed).count();
        let (low, high) = ((1 + n_at_most) as f64 / (1.0 + n), (1 + n_at_least) as f64 / (1.0 + n));
        (self.p_low, self.p_high) = (Some(low), Some(high));
        self.p_value = Some((2.0 * low.min(high)).min(1.0));
        check_count("the standard deviation", "shuffles", values.len(), 2)?;
        let is_constant = values.iter().all(|&value| value == values[0]);
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let sd = if is_constant { 0.0 } else { (squares / (n - 1.0)).sqrt() };
        self.null_sd = Some(sd);
        if is_constant {
            return Err(NotEstimable::NoVariance { variable: "the shuffled number" });
        }
        self.z = Some((observed - mean) / sd);
        Ok(())
    }
}

/// Numbers of phases and moves of each mode.
#[derive(Default)]
struct Runs {
    n_phases: [usize; 2],
    n_moves: [usize; 2],
}

impl Runs {
    fn of(times: &LogTimes, modes: &[Mode]) -> Self {
        let mut runs = Self::default();
        for range in times.ranges() {
            let modes = &modes[range];
            let Some(&first) = modes.first() else { continue };
            runs.n_phases[first as usize] += 1;
            // Without a branch for each move: in random order none could be foreseen.
            for mode in [Mode::Thinking, Mode::Acting] {
                let begins = |pair: &(&Mode, &Mode)| *pair.0 != mode && *pair.1 == mode;
                runs.n_phases[mode as usize] += modes.iter().zip(&modes[1..]).filter(begins).count();
                runs.n_moves[mode as usize] += modes.iter().filter(|&&other| other == mode).count();
            }
        }
        runs
    }

    /// Number of phases, and mean moves of a phase of thinking and of acting.
    fn numbers(&self) -> [Option<f64>; 3] {
        let mean = |mode: Mode| {
            let (n_phases, n_moves) = (self.n_phases[mode as usize], self.n_moves[mode as usize]);
            (n_phases > 0).then(|| n_moves as f64 / n_phases as f64)
        };
        let n_phases = self.n_phases[0] + self.n_phases[1];
        [Some(n_phases as f64), mean(Mode::Thinking), mean(Mode::Acting)]
    }
}

/// Brings the values of each attempt into a random order (Durstenfeld, 1964, *Communications of the ACM*,
/// 7, 420).
fn shuffle_within<T>(values: &mut [T], ends: &[usize], generator: &mut ChaCha8Rng) {
    let mut start = 0;
    for &end in ends {
        for last in (start + 1..end).rev() {
            values.swap(last, start + below(generator, last - start + 1));
        }
        start = end;
    }
}

#[cfg(test)]
mod tests {
    use super::super::em::Em;
    use super::super::mixture::mixture;
    use super::*;

    const SPLIT: PhaseMethod = PhaseMethod::Quantile { proportion: 0.5 };

    #[test]
    fn all_orders_of_an_attempt_are_equally_likely() {
        let mut counts = std::collections::BTreeMap::new();
        for number in 0..24_000 {
            let mut values = [0, 1, 2, 3, 4];
            shuffle_within(&mut values, &[4, 5], &mut stream(5, number));
            assert_eq!(values[4], 4, "the second attempt has one move");
            *counts.entry(values).or_insert(0) += 1;
        }
        // 1,000 of each are expected, with a standard deviation of 31.
        assert_eq!(counts.len(), 24);
        assert!(counts.values().all(|count| (860..1_140).contains(count)), "{counts:?}");
    }

    #[test]
    fn p_is_the_share_of_orders_with_as_few_phases() {
        // Three fast and three slow moves: 2 of the 20 orders of labels have only two phases.
        let shuffled = shuffle_test(&[[1.0, 1.1, 1.2, 5.0, 5.1, 5.2]], &Segmenter::new(SPLIT, 1), 20_000, 3);
        let phases = &shuffled.n_phases;
        assert_eq!((phases.observed, phases.n_shuffles, phases.p_high), (Some(2.0), 20_000, Some(1.0)));
        let (p, error) = (phases.p_low.unwrap(), (0.1 * 0.9 / 20_000.0_f64).sqrt());
        assert!((p - 0.1).abs() < 4.0 * error, "{p}");
        assert_eq!(phases.p_value, Some(2.0 * p));
        // The expected number of runs is 1 + 2·3·3/6 = 4, its variance 1.2 (Wald & Wolfowitz, 1940).
        assert!((phases.null_mean.unwrap() - 4.0).abs() < 4.0 * (1.2 / 20_000.0_f64).sqrt());
        assert!((phases.null_sd.unwrap() - 1.2_f64.sqrt()).abs() < 0.03);
        assert_eq!(shuffled.mean_moves_thinking.observed, Some(3.0));
    }

    #[test]
    fn the_number_of_threads_does_not_change_a_digit() {
        let time = |i: usize| if i % 9 < 3 { 8.0 } else { 1.0 } * (1.0 + (i * 7 % 13) as f64 / 20.0);
        let attempts: Vec<Vec<f64>> = (0..4).map(|a| (0..15).map(|i| time(15 * a + i)).collect()).collect();
        for method in PhaseMethod::USUAL {
            let run = |n_threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
                pool.install(|| shuffle_test(&attempts, &Segmenter::new(method, 1), 19, 3))
            };
            let shuffled = run(1);
            assert_eq!(shuffled, run(3), "{method}");
            assert!(shuffled.n_phases.p_value.is_some(), "{method}: {shuffled:?}");
        }
    }

    #[test]
    fn a_mixture_that_was_fitted_before_gives_the_same() {
        let time = |i: usize| if i % 9 < 3 { 8.0 } else { 1.0 } * (1.0 + (i * 7 % 13) as f64 / 20.0);
        let attempts: Vec<Vec<f64>> = (0..4).map(|a| (0..15).map(|i| time(15 * a + i)).collect()).collect();
        for n in [4, 0] {
            let attempts = &attempts[..n];
            let model = mixture(&attempts.concat(), 2, &Em::new(5));
            let segmenter = Segmenter::new(PhaseMethod::Mixture { n_components: 2 }, 5);
            let anew = shuffle_test(attempts, &segmenter, 99, 5);
            assert_eq!(anew.reason.is_none(), n > 0);
            assert_eq!(shuffle_test_by_mixture(attempts, &model, 99, 5), anew);
        }
    }

    #[test]
    fn what_cannot_be_shuffled_says_why() {
        let reason = |attempts: &[Vec<f64>], n_shuffles| {
            let shuffled = shuffle_test(attempts, &Segmenter::new(SPLIT, 1), n_shuffles, 1);
            assert!(shuffled.sentence().starts_with("number of phases against shuffled times not estimable"));
            shuffled.reason.unwrap().to_string()
        };
        assert_eq!(
            reason(&[vec![1.0], vec![2.0]], 9),
            "a shuffle test needs attempts of two or more moves, found none"
        );
        assert_eq!(reason(&[vec![1.0, 2.0]], 0), "a shuffle test needs shuffles, found none");
        assert!(reason(&[vec![1.0, 2.0]], 2_000_000).contains("at most 1,000,000"));
        assert!(reason(&[vec![1.0, 1.0]], 9).contains("are equal"));
        let two = shuffle_test(&[[1.0, 2.0]], &Segmenter::new(SPLIT, 1), 9, 1);
        assert_eq!((two.n_phases.z, two.n_phases.p_value), (None, Some(1.0)));
        assert!(two.n_phases.reason.is_some());
        assert_eq!(two.sentence(), "2 phases against M = 2.0, SD = 0.0 in 9 shuffles, p > .999");
    }
}

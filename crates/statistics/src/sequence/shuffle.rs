//! Permutation tests: the same moves in random orders, shuffled within attempts.
//!
//! Each shuffle keeps the moves of each attempt and puts them in random order, every order equally
//! likely. What differs between people and attempts stays, so that it is not taken for dependence. The
//! hypothesis tested is that all orders within an attempt are equally likely: a trend over an attempt
//! (say, better moves towards its end) also speaks against it.
//!
//! Shuffle number `b` draws from the stream `b` of a ChaCha8 generator keyed by the seed: the result
//! does not depend on the number of threads. p values are (1 + k) / (1 + n) for k of n shuffles at
//! least as extreme (Davison & Hinkley, 1997, *Bootstrap methods and their application*, section 4.2).

use rayon::prelude::*;
use serde::Serialize;

use super::dependence::{g_statistic, margins};
use super::runs::RunCounts;
use super::{check_codes, count_pairs, count_pairs_of};
use crate::apa;
use crate::not_estimable::{NotEstimable, check_count};
use crate::numeric::random::{below, stream};

/// More shuffles than this are refused.
pub const MOST_SHUFFLES: usize = 1_000_000;

/// Number of shuffles whose statistics are held at once.
const BLOCK: usize = 1_024;

/// Options of shuffling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Shuffles {
    /// Number of shuffles; 9,999 is a good one.
    pub n: usize,
    /// Seed of the generator.
    pub seed: u64,
}

/// One transition against shuffled attempts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ShuffledTransition {
    /// The code before.
    pub from: u8,
    /// The code after.
    pub to: u8,
    /// Frequency of the transition.
    pub n: u64,
    /// Mean frequency in a shuffle.
    pub expected: f64,
    /// Two-sided p value: twice the smaller of the two one-sided ones, at most 1; not adjusted for the
    /// number of transitions.
    pub p_value: f64,
}

/// A test of dependence by shuffling.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShuffledPairs {
    /// Number of transitions.
    pub n: u64,
    /// Number of shuffles, and the seed.
    pub shuffles: Shuffles,
    /// Result of the shuffles, or why there are none.
    pub outcome: Result<PairsTest, NotEstimable>,
}

/// The transitions against their shuffles.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairsTest {
    /// The statistic G² of the transitions, as in [`first_order`](super::dependence::first_order).
    pub statistic: f64,
    /// Its mean over the shuffles. It is above the degrees of freedom where attempts differ.
    pub expected: f64,
    /// Share of the shuffles with a G² as large, counted as (1 + k) / (1 + n).
    pub p_value: f64,
    /// Each transition, by the code before and then the code after.
    pub transitions: Vec<ShuffledTransition>,
}

/// The streaks of a code against shuffled attempts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShuffledRuns {
    /// The code.
    pub code: u8,
    /// Number of streaks of the code.
    pub n_runs: usize,
    /// Length of the longest streak.
    pub longest: usize,
    /// Number of shuffles, and the seed.
    pub shuffles: Shuffles,
    /// Result of the shuffles, or why there are none.
    pub outcome: Result<RunsTest, NotEstimable>,
}

/// Streaks against their shuffles.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunsTest {
    /// Mean number of streaks over the shuffles; more than the observed one if the code comes in clusters.
    pub expected_runs: f64,
    /// One-sided p value of so few streaks.
    pub p_few: f64,
    /// One-sided p value of so many streaks.
    pub p_many: f64,
    /// Mean length of the longest streak over the shuffles.
    pub expected_longest: f64,
    /// One-sided p value of so long a longest streak.
    pub p_longest: f64,
    /// Mean number of streaks of each length over the shuffles, lengths from 1 on.
    pub expected_lengths: Vec<f64>,
}

impl Shuffles {
    /// Tests whether the next code depends on the one before, and which transitions come too often or
    /// too seldom. Time grows with the number of moves times the number of shuffles.
    pub fn pairs<A: AsRef<[u8]>>(&self, attempts: &[A], n_codes: usize) -> ShuffledPairs {
        let mut tallies = self.pair_tallies(attempts, n_codes);
        if let Ok(tallies) = &mut tallies {
            self.run(attempts, |shuffled| count_pairs(shuffled, n_codes)).for_each(|counts| tallies.add(&counts));
        }
        self.shuffled_pairs(tallies)
    }

    /// Tests whether the streaks of a code are fewer, more or longer than in shuffled attempts.
    pub fn runs<A: AsRef<[u8]>>(&self, attempts: &[A], code: u8) -> ShuffledRuns {
        let observed = RunCounts::new(attempts.iter().map(|attempt| attempt.as_ref()), code);
        let mut tallies = self.run_tallies(&observed);
        if let Ok(tallies) = &mut tallies {
            let count = |shuffled: &[&[u8]]| RunCounts::new(shuffled.iter().copied(), code);
            self.run(attempts, count).for_each(|counts| tallies.add(&counts));
        }
        self.shuffled_runs(code, &observed, tallies)
    }

    /// Both tests by the same shuffles, which are most of the work, of moves that have a code and are of a kind or not: of
    /// the codes, and of the streaks of moves that are not of the kind (code 0) and of those that are (code 1).
    pub fn pairs_and_runs<A: AsRef<[(u8, bool)]>>(
        &self,
        attempts: &[A],
        n_codes: usize,
    ) -> (ShuffledPairs, [ShuffledRuns; 2]) {
        let is_of_kind = |step: &(u8, bool)| step.1;
        let moves = || attempts.iter().map(AsRef::as_ref);
        let codes: Vec<Vec<u8>> = moves().map(|attempt| attempt.iter().map(|step| step.0).collect()).collect();
        let observed = RunCounts::of_both(moves(), is_of_kind);
        let mut pairs = self.pair_tallies(&codes, n_codes);
        let mut runs = [0, 1].map(|code: usize| self.run_tallies(&observed[code]));
        let with_pairs = pairs.is_ok();
        if with_pairs || runs.iter().any(Result::is_ok) {
            let count = |shuffled: &[&[(u8, bool)]]| {
                let moves = || shuffled.iter().copied();
                let pairs = with_pairs.then(|| count_pairs_of(moves(), n_codes, |step| step.0));
                (pairs, RunCounts::of_both(moves(), is_of_kind))
            };
            for (pair_counts, run_counts) in self.run(attempts, count) {
                pairs.iter_mut().zip(&pair_counts).for_each(|(tallies, counts)| tallies.add(counts));
                runs.iter_mut().flatten().zip(&run_counts).for_each(|(tallies, counts)| tallies.add(counts));
            }
        }
        let [others, of_kind] = runs;
        let runs = [self.shuffled_runs(0, &observed[0], others), self.shuffled_runs(1, &observed[1], of_kind)];
        (self.shuffled_pairs(pairs), runs)
    }

    fn pair_tallies<A: AsRef<[u8]>>(&self, attempts: &[A], n_codes: usize) -> Result<PairTallies, NotEstimable> {
        check_codes(attempts, n_codes)?;
        self.check()?;
        let observed = count_pairs(attempts, n_codes);
        let n: u64 = observed.iter().sum();
        check_count("a test by shuffling", "moves after another move", n as usize, 1)?;
        Ok(PairTallies::new(observed, n_codes))
    }

    fn shuffled_pairs(&self, tallies: Result<PairTallies, NotEstimable>) -> ShuffledPairs {
        let n = tallies.as_ref().map_or(0, |tallies| tallies.observed.iter().sum());
        ShuffledPairs { n, shuffles: *self, outcome: tallies.map(|tallies| tallies.test(self)) }
    }

    fn run_tallies(&self, observed: &RunCounts) -> Result<RunTallies, NotEstimable> {
        self.check()?;
        check_count("a streak", "moves with the code", observed.n_runs(), 1)?;
        let (n_runs, longest) = (Tally::new(observed.n_runs() as u64), Tally::new(observed.longest() as u64));
        Ok(RunTallies { n_runs, longest, lengths: Vec::new() })
    }

    fn shuffled_runs(&self, code: u8, observed: &RunCounts, tallies: Result<RunTallies, NotEstimable>) -> ShuffledRuns {
        let outcome = tallies.map(|tallies| tallies.test(self));
        ShuffledRuns { code, n_runs: observed.n_runs(), longest: observed.longest(), shuffles: *self, outcome }
    }

    /// A statistic of each shuffle, in the order of their numbers. They come in blocks, so that memory
    /// does not grow with their number.
    fn run<M: Copy + Send + Sync, A: AsRef<[M]>, T: Send>(
        &self,
        attempts: &[A],
        statistic: impl Fn(&[&[M]]) -> T + Sync,
    ) -> impl Iterator<Item = T> {
        let moves: Vec<M> = attempts.iter().flat_map(|attempt| attempt.as_ref()).copied().collect();
        let lengths: Vec<usize> = attempts.iter().map(|attempt| attempt.as_ref().len()).collect();
        let (seed, n) = (self.seed, self.n as u64);
        (0..n).step_by(BLOCK).flat_map(move |first| {
            let shuffle = |number| {
                let mut moves = moves.clone();
                statistic(&shuffle_within(&mut moves, &lengths, seed, number))
            };
            (first..n.min(first + BLOCK as u64)).into_par_iter().map(shuffle).collect::<Vec<T>>()
        })
    }

    /// Mean of a shuffle.
    fn mean(&self, sum: u64) -> f64 {
        sum as f64 / self.n as f64
    }

    fn p_value(&self, n_extreme: usize) -> f64 {
        (1 + n_extreme) as f64 / (1 + self.n) as f64
    }

    fn check(&self) -> Result<(), NotEstimable> {
        check_count("a test by shuffling", "shuffles", self.n, 1)?;
        if self.n > MOST_SHUFFLES {
            let (quantity, allowed) = ("the number of shuffles", "at most 1,000,000");
            return Err(NotEstimable::OutOfRange { quantity, value: self.n.to_string(), allowed });
        }
        Ok(())
    }
}

impl ShuffledPairs {
    /// `G² = 31.20 (8.10 by chance), p < .001, 9999 shuffles within attempts`.
    pub fn sentence(&self) -> String {
        apa::outcome("G²", self.n as usize, &self.outcome, |test| {
            let (statistic, expected) = (apa::number(test.statistic, 2), apa::number(test.expected, 2));
            let (p, n) = (apa::p_value(test.p_value), self.shuffles.n);
            format!("G² = {statistic} ({expected} by chance), {p}, {n} shuffles within attempts")
        })
    }
}

/// The transitions, and how those of shuffles compare with them.
struct PairTallies {
    n_codes: usize,
    observed: Vec<u64>,
    statistic: f64,
    sum_of_statistics: f64,
    n_at_least: usize,
    transitions: Vec<Tally>,
}

impl PairTallies {
    fn new(observed: Vec<u64>, n_codes: usize) -> Self {
        let statistic = g(&observed, n_codes);
        let transitions = observed.iter().map(|&n| Tally::new(n)).collect();
        Self { n_codes, observed, statistic, sum_of_statistics: 0.0, n_at_least: 0, transitions }
    }

    fn add(&mut self, shuffled: &[u64]) {
        let statistic = g(shuffled, self.n_codes);
        self.sum_of_statistics += statistic;
        // Shuffles with the same statistic may differ from it in its last digits.
        self.n_at_least += usize::from(statistic >= self.statistic - 1e-9 * (1.0 + self.statistic));
        self.transitions.iter_mut().zip(shuffled).for_each(|(tally, &n)| tally.add(n));
    }

    fn test(&self, shuffles: &Shuffles) -> PairsTest {
        let transition = |(index, tally): (usize, &Tally)| ShuffledTransition {
            from: (index / self.n_codes) as u8,
            to: (index % self.n_codes) as u8,
            n: tally.observed,
            expected: shuffles.mean(tally.sum),
            p_value: (2.0 * shuffles.p_value(tally.n_at_least.min(tally.n_at_most))).min(1.0),
        };
        PairsTest {
            statistic: self.statistic,
            expected: self.sum_of_statistics / shuffles.n as f64,
            p_value: shuffles.p_value(self.n_at_least),
            transitions: self.transitions.iter().enumerate().map(transition).collect(),
        }
    }
}

/// The statistic G² of transitions.
fn g(counts: &[u64], n_codes: usize) -> f64 {
    let (rows, columns) = margins(counts, n_codes);
    g_statistic(counts, &rows, &columns)
}

/// How the streaks of shuffles compare with the observed ones.
struct RunTallies {
    n_runs: Tally,
    longest: Tally,
    /// Number of streaks of each length in all shuffles.
    lengths: Vec<u64>,
}

impl RunTallies {
    fn add(&mut self, counts: &RunCounts) {
        self.n_runs.add(counts.n_runs() as u64);
        self.longest.add(counts.longest() as u64);
        self.lengths.resize(self.lengths.len().max(counts.lengths.len()), 0);
        self.lengths.iter_mut().zip(&counts.lengths).for_each(|(sum, &n)| *sum += n as u64);
    }

    fn test(&self, shuffles: &Shuffles) -> RunsTest {
        RunsTest {
            expected_runs: shuffles.mean(self.n_runs.sum),
            p_few: shuffles.p_value(self.n_runs.n_at_most),
            p_many: shuffles.p_value(self.n_runs.n_at_least),
            expected_longest: shuffles.mean(self.longest.sum),
            p_longest: shuffles.p_value(self.longest.n_at_least),
            expected_lengths: self.lengths.iter().map(|&sum| shuffles.mean(sum)).collect(),
        }
    }
}

/// Comparison of shuffled counts with the observed one.
struct Tally {
    observed: u64,
    sum: u64,
    n_at_least: usize,
    n_at_most: usize,
}

impl Tally {
    fn new(observed: u64) -> Self {
        Self { observed, sum: 0, n_at_least: 0, n_at_most: 0 }
    }

    fn add(&mut self, shuffled: u64) {
        self.sum += shuffled;
        self.n_at_least += usize::from(shuffled >= self.observed);
        self.n_at_most += usize::from(shuffled <= self.observed);
    }
}

/// Shuffles each attempt in its place and returns the attempts (Fisher & Yates; Durstenfeld, 1964,
/// *Communications of the ACM*, 7, 420).
fn shuffle_within<'a, M>(moves: &'a mut [M], lengths: &[usize], seed: u64, number: u64) -> Vec<&'a [M]> {
    let mut generator = stream(seed, number);
    let mut rest = moves;
    let mut attempts = Vec::with_capacity(lengths.len());
    for &length in lengths {
        let (attempt, others) = rest.split_at_mut(length);
        for last in (1..length).rev() {
            attempt.swap(last, below(&mut generator, last + 1));
        }
        attempts.push(&*attempt);
        rest = others;
    }
    attempts
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHUFFLES: Shuffles = Shuffles { n: 999, seed: 5 };

    #[test]
    fn the_number_of_threads_does_not_change_a_digit() {
        let attempts: Vec<Vec<u8>> =
            (0..9).map(|i| (0..20).map(|j| ((i * j + j * j / 3) % 3) as u8).collect()).collect();
        let run = |n_threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            pool.install(|| (SHUFFLES.pairs(&attempts, 3), SHUFFLES.runs(&attempts, 1)))
        };
        assert_eq!(run(1), run(3));
        assert_ne!(run(1).0, Shuffles { seed: 6, ..SHUFFLES }.pairs(&attempts, 3));
    }

    #[test]
    fn attempts_that_differ_are_not_taken_for_dependence() {
        // Half of the attempts are all 0, half all 1: dependent if pooled, but no order differs.
        let attempts: Vec<Vec<u8>> = (0..10).map(|i| vec![i % 2; 30]).collect();
        let pooled = super::super::dependence::first_order(&attempts, 2);
        assert!(pooled.outcome.unwrap().likelihood_ratio.p_value < 1e-6);
        let within = SHUFFLES.pairs(&attempts, 2).outcome.unwrap();
        assert_eq!(within.p_value, 1.0);
        assert!((within.statistic - within.expected).abs() < 1e-9);
    }

    #[test]
    fn clusters_are_seen_as_fewer_and_longer_streaks() {
        let codes: Vec<u8> = (0..200).map(|i| u8::from(i % 20 < 8)).collect();
        let runs = SHUFFLES.runs(&[&codes], 1);
        assert_eq!((runs.n_runs, runs.longest), (10, 8));
        let test = runs.outcome.unwrap();
        assert!(test.p_few == 0.001 && test.expected_runs > 40.0 && test.p_many == 1.0);
        // Σ length · number is the number of moves with the code, in every shuffle.
        let n: f64 = test.expected_lengths.iter().zip(1..).map(|(n, length)| n * f64::from(length)).sum();
        assert!((n - 80.0).abs() < 1e-9);
        assert_eq!(SHUFFLES.pairs(&[&codes], 2).outcome.unwrap().p_value, 0.001);
    }

    #[test]
    fn both_tests_by_the_same_shuffles_are_what_each_is_alone() {
        let step = |i: usize, j: usize| (((i * j + j * j / 3) % 3) as u8, (i * i + j * 5 / 2).is_multiple_of(4));
        let moves: Vec<Vec<(u8, bool)>> = (0..9).map(|i| (0..2 * i).map(|j| step(i, j)).collect()).collect();
        let alone = |moves: &[Vec<(u8, bool)>], n_codes| {
            let codes_of = |code: fn(&(u8, bool)) -> u8| -> Vec<Vec<u8>> {
                moves.iter().map(|attempt| attempt.iter().map(code).collect()).collect()
            };
            let kinds = codes_of(|step| u8::from(step.1));
            (SHUFFLES.pairs(&codes_of(|step| step.0), n_codes), [0, 1].map(|code| SHUFFLES.runs(&kinds, code)))
        };
        assert_eq!(SHUFFLES.pairs_and_runs(&moves, 3), alone(&moves, 3));
        // Each says for itself why it cannot be made: codes beyond their number, and no move of the kind.
        assert_eq!(SHUFFLES.pairs_and_runs(&moves, 2), alone(&moves, 2));
        let without: Vec<Vec<(u8, bool)>> = vec![vec![(0, false); 4], vec![(1, false), (0, false)]];
        let (pairs, runs) = SHUFFLES.pairs_and_runs(&without, 2);
        assert_eq!(pairs.outcome.is_ok() && runs[0].outcome.is_ok(), runs[1].outcome.is_err());
        assert_eq!((pairs, runs), alone(&without, 2));
    }

    #[test]
    fn nothing_to_shuffle_says_why() {
        assert_eq!(
            SHUFFLES.pairs(&[[1], [0]], 2).outcome.unwrap_err().to_string(),
            "a test by shuffling needs moves after another move, found none"
        );
        assert!(SHUFFLES.runs(&[[0, 0]], 1).outcome.is_err());
        assert!(Shuffles { n: 0, seed: 1 }.pairs(&[[1, 0]], 2).outcome.is_err());
        assert!(Shuffles { n: 2_000_000, seed: 1 }.runs(&[[1, 0]], 1).outcome.is_err());
    }
}

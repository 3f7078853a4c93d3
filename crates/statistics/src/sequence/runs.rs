//! Streaks: runs of moves in a row that share a code.

use serde::Serialize;

use crate::apa;
use crate::not_estimable::NotEstimable;
use crate::numeric::distribution::normal_cdf;

/// Number of streaks of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RunLength {
    /// Number of moves of the streak.
    pub length: usize,
    /// Number of streaks of that length.
    pub n: usize,
}

/// The streaks of a code.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Runs {
    /// The code.
    pub code: u8,
    /// Number of moves in all attempts.
    pub n_moves: usize,
    /// Number of moves with the code.
    pub n_with_code: usize,
    /// Number of streaks.
    pub n_runs: usize,
    /// Number of streaks that ended because the attempt did; they might have been longer.
    pub n_at_end: usize,
    /// Mean length; absent without streaks.
    pub mean_length: Option<f64>,
    /// Length of the longest; 0 without streaks.
    pub longest: usize,
    /// The lengths that occur, in ascending order.
    pub lengths: Vec<RunLength>,
}

/// The streaks of a code within attempts, as long as they can be.
///
/// ```
/// let runs = plymap_statistics::sequence::runs::runs(&[vec![1, 1, 0, 1], vec![1, 0]], 1);
/// assert_eq!((runs.n_runs, runs.longest, runs.mean_length), (3, 2, Some(4.0 / 3.0)));
/// ```
pub fn runs<A: AsRef<[u8]>>(attempts: &[A], code: u8) -> Runs {
    let counts = RunCounts::new(attempts.iter().map(|attempt| attempt.as_ref()), code);
    let (n_runs, n_with_code) = (counts.n_runs(), counts.n_with_code());
    Runs {
        code,
        n_moves: attempts.iter().map(|attempt| attempt.as_ref().len()).sum(),
        n_with_code,
        n_runs,
        n_at_end: attempts.iter().filter(|attempt| attempt.as_ref().last() == Some(&code)).count(),
        mean_length: (n_runs > 0).then(|| n_with_code as f64 / n_runs as f64),
        longest: counts.longest(),
        lengths: counts.table(),
    }
}

/// Number of streaks of each length, from length 1 on.
pub(super) struct RunCounts {
    pub lengths: Vec<usize>,
}

impl RunCounts {
    pub fn new<'a>(attempts: impl Iterator<Item = &'a [u8]>, code: u8) -> Self {
        let mut counts = Self { lengths: Vec::new() };
        for attempt in attempts {
            for run in attempt.chunk_by(|left, right| left == right).filter(|run| run[0] == code) {
                counts.add(run.len());
            }
        }
        counts
    }

    /// Counts the streaks of moves that are not of a kind, and of those that are.
    pub fn of_both<'a, T: 'a>(attempts: impl Iterator<Item = &'a [T]>, is_of_kind: impl Fn(&T) -> bool) -> [Self; 2] {
        let mut counts = [Vec::new(), Vec::new()].map(|lengths| Self { lengths });
        for attempt in attempts {
            for run in attempt.chunk_by(|left, right| is_of_kind(left) == is_of_kind(right)) {
                counts[usize::from(is_of_kind(&run[0]))].add(run.len());
            }
        }
        counts
    }

    /// Counts the streaks of every value of a sequence.
    pub fn of_all<T: PartialEq>(attempts: &[impl AsRef<[T]>]) -> Self {
        let mut counts = Self { lengths: Vec::new() };
        for attempt in attempts {
            attempt.as_ref().chunk_by(|left, right| left == right).for_each(|run| counts.add(run.len()));
        }
        counts
    }

    fn add(&mut self, length: usize) {
        if self.lengths.len() < length {
            self.lengths.resize(length, 0);
        }
        self.lengths[length - 1] += 1;
    }

    pub fn n_runs(&self) -> usize {
        self.lengths.iter().sum()
    }

    pub fn longest(&self) -> usize {
        self.lengths.len()
    }

    fn n_with_code(&self) -> usize {
        self.lengths.iter().enumerate().map(|(index, n)| (index + 1) * n).sum()
    }

    pub fn table(&self) -> Vec<RunLength> {
        let lengths = self.lengths.iter().enumerate().filter(|(_, n)| **n > 0);
        lengths.map(|(index, &n)| RunLength { length: index + 1, n }).collect()
    }
}

/// A Wald–Wolfowitz test of the number of runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunsTest {
    /// Number of moves with the code.
    pub n_with_code: usize,
    /// Number of the other moves.
    pub n_other: usize,
    /// Number of runs of both kinds, with the code and without.
    pub n_runs: usize,
    /// Expected number of runs if all orders within an attempt were equally likely.
    pub expected: f64,
    /// Standardised difference, below 0 if the code comes in clusters.
    pub statistic: Option<f64>,
    /// Two-sided p value by the normal approximation, without correction for continuity.
    pub p_value: Option<f64>,
    /// Reason why there is no test.
    pub reason: Option<NotEstimable>,
}

/// Tests whether moves with a code and moves without are in random order.
///
/// Runs, their expected number and its variance are added over attempts, so that attempts may differ
/// in how often the code comes. One attempt alone is the classic test, statsmodels'
/// `runstest_1samp(x, correction=False)`.
///
/// Wald & Wolfowitz (1940). On a test whether two samples are from the same population. *Annals of
/// Mathematical Statistics*, 11, 147–162.
pub fn runs_test<A: AsRef<[u8]>>(attempts: &[A], code: u8) -> RunsTest {
    let mut result =
        RunsTest { n_with_code: 0, n_other: 0, n_runs: 0, expected: 0.0, statistic: None, p_value: None, reason: None };
    let mut variance = 0.0;
    for attempt in attempts.iter().map(|attempt| attempt.as_ref()).filter(|attempt| !attempt.is_empty()) {
        let n_with_code = attempt.iter().filter(|&&other| other == code).count();
        result.n_with_code += n_with_code;
        result.n_other += attempt.len() - n_with_code;
        result.n_runs += attempt.chunk_by(|left, right| (*left == code) == (*right == code)).count();
        let n = attempt.len() as f64;
        let twice_product = 2.0 * n_with_code as f64 * (n - n_with_code as f64);
        result.expected += twice_product / n + 1.0;
        // With one kind of move there is one order of runs only; of a single move, the formula would be 0 / 0.
        if twice_product > 0.0 {
            variance += twice_product * (twice_product - n) / (n * n * (n - 1.0));
        }
    }
    if variance > 0.0 {
        let statistic = (result.n_runs as f64 - result.expected) / variance.sqrt();
        result.statistic = Some(statistic);
        result.p_value = Some(2.0 * normal_cdf(-statistic.abs()));
    } else {
        let why = "no attempt has several orders of moves with the code and without that differ in their runs";
        result.reason = Some(NotEstimable::Undefined { quantity: "the runs test", why: why.to_owned() });
    }
    result
}

impl RunsTest {
    /// `211 runs (240.5 by chance), z = −2.91, p = .004`.
    pub fn sentence(&self) -> String {
        let (Some(statistic), Some(p)) = (self.statistic, self.p_value) else {
            return apa::not_estimable("z", self.n_with_code + self.n_other, self.reason.as_ref());
        };
        let expected = apa::number(self.expected, 1);
        let runs = apa::counted(self.n_runs, "run");
        format!("{runs} ({expected} by chance), z = {}, {}", apa::number(statistic, 2), apa::p_value(p))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streaks_end_with_the_attempt() {
        let streaks = runs(&[vec![2, 2, 2], vec![2, 0, 2, 2], vec![]], 2);
        assert_eq!((streaks.n_moves, streaks.n_with_code, streaks.n_runs, streaks.n_at_end), (7, 6, 3, 2));
        let lengths = [1, 2, 3].map(|length| RunLength { length, n: 1 });
        assert_eq!(streaks.lengths, lengths);
        let none = runs(&[[0, 1]], 5);
        assert_eq!((none.n_runs, none.mean_length, none.longest), (0, None, 0));
    }

    #[test]
    fn a_test_of_moves_that_cannot_be_reordered_says_so() {
        // 1 0 and 0 1 both have two runs.
        for attempts in [vec![vec![1, 0]], vec![vec![1, 1, 1]], vec![vec![]], vec![]] {
            let test = runs_test(&attempts, 1);
            assert!(test.statistic.is_none() && test.reason.is_some());
        }
        let test = runs_test(&[[1, 1, 1, 0, 0, 0]], 1);
        // 2 runs of 4 expected, variance 18 · 12 / (36 · 5) = 1.2.
        assert_eq!(test.sentence(), "2 runs (4.0 by chance), z = −1.83, p = .068");
    }
}

//! Change points in the mean of log time.
//!
//! Each attempt is cut into stretches so that the sum over stretches of squared distances of log times
//! from the mean of their stretch, plus a penalty for each cut, is as small as can be. The minimum is
//! exact: Jackson et al. (2005). An algorithm for optimal partitioning of data on an interval. *IEEE
//! Signal Processing Letters*, 12, 105–108; with the pruning of Killick, Fearnhead & Eckley (2012).
//! Optimal detection of changepoints with a linear computational cost. *Journal of the American
//! Statistical Association*, 107, 1590–1598 (PELT). The same as ruptures' `Pelt(model="l2")`, where that
//! finds the optimum.
//!
//! The penalty is a number times σ² ln n. With σ² the variance of the noise, a cost divided by σ² is −2
//! log-likelihood, and each cut adds two parameters (its place and a mean), so 2 gives the Bayesian
//! information criterion (Yao, 1988. Estimating the number of change-points via Schwarz' criterion.
//! *Statistics & Probability Letters*, 6, 181–189). Here n counts the moves of all attempts, so that
//! short attempts are not cut more easily than long ones.
//!
//! σ is estimated from the differences d of successive log times within attempts, 1.4826 median |d| / √2
//! (the median absolute deviation about 0, consistent for normal noise), which few cuts disturb little.
//! Where pauses come every few moves, most differences are between stretches: σ comes out too large, and
//! too few cuts are found. That is why this method suits slow changes of tempo only.

use serde::Serialize;

use super::times::LogTimes;
use crate::apa;
use crate::not_estimable::{NotEstimable, check_count};
use crate::phase::labels::{Labels, Mode};
use crate::stats::describe::{MAD_TO_NORMAL_SD, quantile};

/// σ needs at least this many pairs of successive moves.
pub const FEWEST_DIFFERENCES: usize = 10;

/// Stretches of steady tempo.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChangePoints {
    /// Number of times.
    pub n: usize,
    /// Number of attempts that have times.
    pub n_attempts: usize,
    /// Price of a cut in units of σ² ln n.
    pub penalty: f64,
    /// Smallest number of moves of a stretch. An attempt of fewer than twice as many is never cut.
    pub min_moves: usize,
    /// The best partition, or why there is none.
    pub outcome: Result<Partition, NotEstimable>,
}

/// The best partition of all attempts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Partition {
    /// Standard deviation σ of the noise of log times.
    pub noise_sd: f64,
    /// Price of a cut, `penalty` σ² ln n.
    pub price: f64,
    /// Mean of all log times; stretches with a mean above it are thinking.
    pub mean: f64,
    /// Sum of squares within stretches plus the price of all cuts: the minimum.
    pub cost: f64,
    /// For each attempt, where its stretches end: the number of moves up to each end, the last one that
    /// of all its moves. Empty for an attempt without moves.
    pub ends: Vec<Vec<usize>>,
}

/// Finds the change points of attempts, each a list of times in seconds.
///
/// `penalty` is the price of a cut in units of σ² ln n (2 for the Bayesian information criterion), and
/// `min_moves` (at least 1) the fewest moves of a stretch. Needs 10 pairs of successive moves, of which
/// more than half must differ in time. Its time grows with the length of an attempt times the length of
/// its stretches, and with the square of the length where nothing changes; 35,000 moves in one attempt
/// take some seconds then. Memory is proportional to the number of moves.
pub fn change_points<A: AsRef<[f64]>>(attempts: &[A], penalty: f64, min_moves: usize) -> ChangePoints {
    let lengths = attempts.iter().map(|attempt| attempt.as_ref().len());
    ChangePoints {
        n: lengths.clone().sum(),
        n_attempts: lengths.filter(|&length| length > 0).count(),
        penalty,
        min_moves,
        outcome: LogTimes::new(attempts).and_then(|times| Partition::new(&times, penalty, min_moves)),
    }
}

impl ChangePoints {
    /// `12 change points in 40 attempts (800 moves, σ of log time = 0.41)`, with the numbers as they are.
    pub fn sentence(&self) -> String {
        apa::outcome("number of change points", self.n, &self.outcome, |split| {
            let (moves, attempts) = (apa::counted(self.n, "move"), apa::counted(self.n_attempts, "attempt"));
            let (changes, sd) = (apa::counted(split.n_changes(), "change point"), apa::number(split.noise_sd, 2));
            format!("{changes} in {attempts} ({moves}, σ of log time = {sd})")
        })
    }
}

impl Partition {
    /// Number of cuts.
    pub fn n_changes(&self) -> usize {
        self.ends.iter().map(|ends| ends.len().saturating_sub(1)).sum()
    }

    fn new(times: &LogTimes, penalty: f64, min_moves: usize) -> Result<Self, NotEstimable> {
        if !(penalty > 0.0 && penalty.is_finite()) {
            let (quantity, allowed) = ("the penalty of a change point", "above 0");
            return Err(NotEstimable::OutOfRange { quantity, value: penalty.to_string(), allowed });
        }
        if min_moves == 0 {
            let (quantity, allowed) = ("the smallest number of moves of a stretch", "at least 1");
            return Err(NotEstimable::OutOfRange { quantity, value: "0".to_owned(), allowed });
        }
        let mean = times.spread("change points", 2)?.mean;
        let noise_sd = noise_sd(times)?;
        let price = penalty * noise_sd * noise_sd * (times.len() as f64).ln();
        let mut partition = Self { noise_sd, price, mean, cost: 0.0, ends: Vec::new() };
        for logs in times.attempts() {
            let (cost, ends) = optimal(logs, mean, price, min_moves);
            partition.cost += cost;
            partition.ends.push(ends);
        }
        Ok(partition)
    }
}

fn noise_sd(times: &LogTimes) -> Result<f64, NotEstimable> {
    let differences: Vec<f64> =
        times.attempts().flat_map(|logs| logs.windows(2).map(|pair| (pair[1] - pair[0]).abs())).collect();
    check_count("change points", "pairs of successive moves", differences.len(), FEWEST_DIFFERENCES)?;
    let median = quantile(&differences, 0.5)?;
    if median > 0.0 {
        return Ok(MAD_TO_NORMAL_SD * median / std::f64::consts::SQRT_2);
    }
    let why = "at least half of the successive times are equal, so there is no noise to compare with".to_owned();
    Err(NotEstimable::Undefined { quantity: "a change point", why })
}

/// The cheapest partition of one attempt: its cost, and where its stretches end. Of equally cheap ones,
/// that whose last stretch is the longest.
fn optimal(logs: &[f64], centre: f64, price: f64, min_moves: usize) -> (f64, Vec<usize>) {
    let n = logs.len();
    if n == 0 {
        return (0.0, Vec::new());
    }
    // Sums of the log times and of their squares; around the centre, they keep their digits.
    let mut sums = vec![(0.0, 0.0)];
    for log in logs {
        let (first, second) = sums[sums.len() - 1];
        let deviation = log - centre;
        sums.push((first + deviation, second + deviation * deviation));
    }
    let within = |from: usize, to: usize| {
        let (first, second) = (sums[to].0 - sums[from].0, sums[to].1 - sums[from].1);
        (second - first * first / (to - from) as f64).max(0.0)
    };
    // best[t]: cost of the first t moves with a price for every stretch, less one price.
    let mut best = vec![f64::INFINITY; n + 1];
    best[0] = -price;
    let mut last_start = vec![0; n + 1];
    // Starts of the last stretch that may still win, each with the end from which on it cannot.
    let mut candidates: Vec<(usize, usize)> = vec![(0, usize::MAX)];
    let mut stretch_costs = Vec::new();
    for end in min_moves.min(n)..=n {
        if end >= 2 * min_moves {
            candidates.push((end - min_moves, usize::MAX));
        }
        candidates.retain(|&(_, expires)| expires > end);
        stretch_costs.clear();
        stretch_costs.extend(candidates.iter().map(|&(start, _)| best[start] + within(start, end)));
        for (&(start, _), cost) in candidates.iter().zip(&stretch_costs) {
            if cost + price < best[end] {
                (best[end], last_start[end]) = (cost + price, start);
            }
        }
        // A stretch that would be no dearer if cut here is cut here wherever it ends, once what follows
        // the cut is long enough to be a stretch.
        for ((_, expires), cost) in candidates.iter_mut().zip(&stretch_costs) {
            if *cost >= best[end] {
                *expires = (*expires).min(end.saturating_add(min_moves));
            }
        }
    }
    let mut ends = vec![n];
    while last_start[ends[ends.len() - 1]] > 0 {
        ends.push(last_start[ends[ends.len() - 1]]);
    }
    ends.reverse();
    (best[n], ends)
}

/// Labels by stretch: one whose mean log time is above that of all moves is thinking.
pub(super) fn labels(times: &LogTimes, penalty: f64, min_moves: usize) -> Result<Labels, NotEstimable> {
    let partition = Partition::new(times, penalty, min_moves)?;
    let mut modes = Vec::with_capacity(times.len());
    for (logs, ends) in times.attempts().zip(&partition.ends) {
        let mut start = 0;
        for &end in ends {
            let above: f64 = logs[start..end].iter().map(|log| log - partition.mean).sum();
            let mode = if above > 0.0 { Mode::Thinking } else { Mode::Acting };
            modes.resize(modes.len() + end - start, mode);
            start = end;
        }
    }
    Ok(Labels { modes, ..Labels::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times whose logarithms are noise around levels; no two noises are equal.
    fn with_levels(levels: &[(usize, f64)]) -> Vec<f64> {
        let levels = levels.iter().flat_map(|&(n, level)| std::iter::repeat_n(level, n));
        levels.enumerate().map(|(index, level)| (level + (index * 37 % 101) as f64 / 200.0).exp()).collect()
    }

    #[test]
    fn levels_that_differ_are_distinguished() {
        let change_points = change_points(&[with_levels(&[(12, 0.0), (9, 2.0), (15, 0.5)]), vec![], vec![3.0]], 2.0, 2);
        let partition = change_points.outcome.as_ref().unwrap();
        assert_eq!(partition.ends, [vec![12, 21, 36], vec![], vec![1]]);
        assert_eq!((partition.n_changes(), change_points.n_attempts), (2, 2));
        assert!(change_points.sentence().starts_with("2 change points in 2 attempts (37 moves, σ of log time = 0."));
    }

    #[test]
    fn pruning_changes_nothing() {
        for (number, min_moves) in [(1, 1), (2, 2), (3, 3), (4, 5), (5, 8)] {
            let logs: Vec<f64> = (0..150_u64).map(|t| ((t * t * number + t / 9 * 5) % 23) as f64 / 8.0).collect();
            for price in [0.05, 0.4, 1.5, 6.0] {
                let (cost, ends) = optimal(&logs, 1.3, price, min_moves);
                assert!((cost - unpruned(&logs, price, min_moves)).abs() < 1e-9, "{number}: {price}");
                let lengths = std::iter::once(&0).chain(&ends).zip(&ends).map(|(start, end)| end - start);
                assert!(lengths.min().unwrap() >= min_moves);
            }
        }
    }

    /// Optimal partitioning without pruning, written again.
    fn unpruned(logs: &[f64], price: f64, min_moves: usize) -> f64 {
        let cost = |part: &[f64]| {
            let mean = part.iter().sum::<f64>() / part.len() as f64;
            part.iter().map(|log| (log - mean).powi(2)).sum::<f64>()
        };
        let mut best = vec![f64::INFINITY; logs.len() + 1];
        best[0] = -price;
        for end in min_moves..=logs.len() {
            for start in 0..=end - min_moves {
                best[end] = f64::min(best[end], best[start] + cost(&logs[start..end]) + price);
            }
        }
        best[logs.len()]
    }

    #[test]
    fn short_attempts_are_one_stretch() {
        assert_eq!(optimal(&[0.0, 5.0, 0.0], 1.0, 0.1, 2).1, [3]);
        assert_eq!(optimal(&[0.0], 1.0, 0.1, 4).1, [1]);
        assert_eq!(optimal(&[0.0, 0.1, 5.0, 5.1], 1.0, 0.1, 2).1, [2, 4]);
    }

    #[test]
    fn what_cannot_be_cut_says_why() {
        let reason = |times: &[f64], penalty, min_moves| {
            change_points(&[times], penalty, min_moves).outcome.unwrap_err().to_string()
        };
        let steps = with_levels(&[(10, 0.0)]);
        assert_eq!(reason(&steps, 2.0, 2), "change points needs at least 10 pairs of successive moves, found 9");
        assert!(reason(&steps, 0.0, 2).starts_with("the penalty of a change point is 0"));
        assert!(reason(&steps, 2.0, 0).starts_with("the smallest number of moves of a stretch is 0"));
        let repeated = [&[1.0; 10][..], &[2.0; 10]].concat();
        assert!(reason(&repeated, 2.0, 2).contains("at least half of the successive times are equal"));
        let single = [[1.0], [2.0]];
        assert!(change_points(&single, 2.0, 2).outcome.unwrap_err().to_string().contains("found 0"));
    }
}

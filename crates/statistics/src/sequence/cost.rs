//! Costs of errors: the moves and the time until the goal is again as near as before it.

use serde::Serialize;

use crate::inference::Confidence;
use crate::not_estimable::{NotEstimable, check_values};
use crate::stats::survival::kaplan_meier::{KaplanMeier, kaplan_meier};

/// Course of an attempt: what is known of each position, the start first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course<'a> {
    /// Distance of each position to the goal; absent where no goal can be reached.
    pub distances: &'a [Option<u32>],
    /// Time at which each position was reached, in seconds since any fixed moment.
    pub times: &'a [f64],
}

/// Cost of an error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ErrorCost {
    /// Place of the attempt in the input.
    pub attempt: usize,
    /// Number of moves of the attempt before the error.
    pub ply: usize,
    /// Distance before the error.
    pub distance_before: u32,
    /// Distance after the error; absent for a dead end.
    pub distance_after: Option<u32>,
    /// Number of moves from the position before the error to the first position that is as near to the
    /// goal, the error included; if there is none, to the end of the attempt.
    pub moves: usize,
    /// Seconds for these moves, the time before the erroneous move included.
    pub seconds: f64,
    /// True if a position as near to the goal was reached again; if not, the cost is censored.
    pub is_recovered: bool,
    /// True if the error was made before an earlier one was recovered from, so that its cost is part of
    /// the other's.
    pub is_nested: bool,
}

/// The errors of all attempts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ErrorCosts {
    /// Every error, attempt by attempt.
    pub errors: Vec<ErrorCost>,
    /// Reason why there are none.
    pub reason: Option<NotEstimable>,
}

/// The costs of errors together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CostSummary {
    /// Number of errors.
    pub n: usize,
    /// Number of errors recovered from.
    pub n_recovered: usize,
    /// Number of errors that led to a dead end.
    pub n_dead_ends: usize,
    /// Moves until recovery.
    pub moves: KaplanMeier,
    /// Seconds until recovery.
    pub seconds: KaplanMeier,
}

/// The cost of every error: of every move that leads farther from the goal, or from where the goal can
/// be reached to a dead end.
///
/// A position counts as a recovery if its distance is that before the error, or smaller. An error that
/// is not recovered from is censored at the end of the attempt. Moves from positions from which no goal
/// can be reached are no errors.
pub fn error_costs(attempts: &[Course]) -> ErrorCosts {
    let mut errors = Vec::new();
    for (number, attempt) in attempts.iter().enumerate() {
        if let Err(reason) = attempt.check() {
            return ErrorCosts { errors: Vec::new(), reason: Some(reason) };
        }
        attempt.add_errors(number, &mut errors);
    }
    ErrorCosts { errors, reason: None }
}

impl ErrorCosts {
    /// Median costs with their intervals, errors without recovery censored (Kaplan & Meier, 1958).
    ///
    /// With `outermost_only`, errors made before an earlier one was recovered from are left out, so
    /// that no move is counted twice. If those give up whose error would have cost most, the medians
    /// are too low; a dead end has no recovery but by taking moves back, so report `n_dead_ends` beside.
    pub fn summary(&self, outermost_only: bool, confidence: Confidence) -> CostSummary {
        let errors: Vec<&ErrorCost> = self.errors.iter().filter(|error| !(outermost_only && error.is_nested)).collect();
        let recovered: Vec<bool> = errors.iter().map(|error| error.is_recovered).collect();
        let moves: Vec<f64> = errors.iter().map(|error| error.moves as f64).collect();
        let seconds: Vec<f64> = errors.iter().map(|error| error.seconds).collect();
        CostSummary {
            n: errors.len(),
            n_recovered: recovered.iter().filter(|&&is_recovered| is_recovered).count(),
            n_dead_ends: errors.iter().filter(|error| error.distance_after.is_none()).count(),
            moves: kaplan_meier(&moves, &recovered, confidence),
            seconds: kaplan_meier(&seconds, &recovered, confidence),
        }
    }
}

impl CostSummary {
    /// `moves: Mdn = 2.0, …; seconds: Mdn = 4.1, …`, each as [`KaplanMeier::sentence`].
    pub fn sentence(&self) -> String {
        format!("moves: {}; seconds: {}", self.moves.sentence(1), self.seconds.sentence(1))
    }
}

impl Course<'_> {
    fn check(&self) -> Result<(), NotEstimable> {
        if self.distances.len() != self.times.len() {
            let (left_name, right_name) = ("the list of distances", "the list of times");
            let (left, right) = (self.distances.len(), self.times.len());
            return Err(NotEstimable::UnequalLengths { left_name, left, right_name, right });
        }
        check_values("the times", self.times)?;
        match self.times.windows(2).find(|pair| pair[0] > pair[1]) {
            Some(pair) => {
                let (quantity, value) = ("a time", format!("{} after {}", pair[1], pair[0]));
                Err(NotEstimable::OutOfRange { quantity, value, allowed: "no earlier than the one before" })
            }
            None => Ok(()),
        }
    }

    /// Errors wait for their recovery on a stack: each was made at a smaller distance than those above
    /// it, so that a position recovers from some of the topmost. Time grows with the number
    /// of moves alone.
    fn add_errors(&self, attempt: usize, errors: &mut Vec<ErrorCost>) {
        let first = errors.len();
        let mut open: Vec<usize> = Vec::new();
        for (ply, pair) in self.distances.windows(2).enumerate() {
            let (before, after) = (pair[0], pair[1]);
            while let (Some(&top), Some(distance)) = (open.last(), after) {
                if errors[top].distance_before < distance {
                    break;
                }
                self.close(&mut errors[top], ply + 1, true);
                open.pop();
            }
            if let Some(distance_before) = before
                && after.is_none_or(|after| after > distance_before)
            {
                let is_nested = !open.is_empty();
                let (moves, seconds, is_recovered) = (0, 0.0, false);
                open.push(errors.len());
                errors.push(ErrorCost {
                    attempt,
                    ply,
                    distance_before,
                    distance_after: after,
                    moves,
                    seconds,
                    is_recovered,
                    is_nested,
                });
            }
        }
        let end = self.distances.len().saturating_sub(1);
        errors[first..].iter_mut().filter(|error| !error.is_recovered).for_each(|error| self.close(error, end, false));
    }

    fn close(&self, error: &mut ErrorCost, position: usize, is_recovered: bool) {
        error.moves = position - error.ply;
        error.seconds = self.times[position] - self.times[error.ply];
        error.is_recovered = is_recovered;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs(distances: &[i64]) -> Vec<(usize, usize, bool, bool)> {
        let distances: Vec<Option<u32>> = distances.iter().map(|&distance| u32::try_from(distance).ok()).collect();
        let times: Vec<f64> = (0..distances.len()).map(|ply| (ply * ply) as f64).collect();
        let costs = error_costs(&[Course { distances: &distances, times: &times }]);
        for error in &costs.errors {
            let end = error.ply + error.moves;
            assert_eq!(error.seconds, (end * end - error.ply * error.ply) as f64);
        }
        costs.errors.iter().map(|error| (error.ply, error.moves, error.is_recovered, error.is_nested)).collect()
    }

    #[test]
    fn a_detour_costs_the_moves_until_the_same_distance() {
        //            0  1  2  3  4  5  6
        // distance   3  4  3  2  3  4  …: an error and its undo, then an error within an error
        assert_eq!(
            costs(&[3, 4, 3, 2, 3, 4, 3, 2, 1, 0]),
            [(0, 2, true, false), (3, 4, true, false), (4, 2, true, true)]
        );
    }

    #[test]
    fn what_is_not_recovered_from_is_censored_at_the_end() {
        // -1 is a dead end; one leaves it only by taking the move back.
        assert_eq!(costs(&[5, 6, 6, 7]), [(0, 3, false, false), (2, 1, false, true)]);
        assert_eq!(costs(&[2, -1, -1, 2, 1]), [(0, 3, true, false)]);
        assert_eq!(costs(&[2, -1, 3]), [(0, 2, false, false)]);
        // A leap past the old distance recovers, too.
        assert_eq!(costs(&[5, 9, 3]), [(0, 2, true, false)]);
        assert_eq!((costs(&[]), costs(&[4]), costs(&[4, 3, 3])), (vec![], vec![], vec![]));
    }

    #[test]
    fn costs_are_those_of_a_search_forward_from_each_error() {
        // A walk that wanders; the plain definition, which looks ahead from each error.
        let mut distance = 9_i64;
        let walk: Vec<i64> = (0..400_i64)
            .map(|i| {
                distance = (distance + [1, -1, 1, 1, -1, -1, 0][((i * i + 3 * i) % 7) as usize]).max(0);
                if i % 31 == 30 { -1 } else { distance }
            })
            .collect();
        let expected: Vec<(usize, usize, bool)> = (0..walk.len() - 1)
            .filter(|&ply| walk[ply] >= 0 && (walk[ply + 1] > walk[ply] || walk[ply + 1] < 0))
            .map(|ply| {
                let end = (ply + 1..walk.len()).find(|&later| (0..=walk[ply]).contains(&walk[later]));
                (ply, end.unwrap_or(walk.len() - 1) - ply, end.is_some())
            })
            .collect();
        let actual: Vec<_> =
            costs(&walk).into_iter().map(|(ply, moves, is_recovered, _)| (ply, moves, is_recovered)).collect();
        assert!(expected.len() > 100 && expected.iter().any(|error| !error.2));
        assert_eq!(actual, expected);
    }

    #[test]
    fn medians_allow_for_errors_that_were_not_recovered_from() {
        let distances = [Some(1), Some(2), Some(1), Some(2), Some(3), Some(2), Some(1), None];
        let times = [0.0, 1.0, 2.0, 4.0, 6.0, 7.0, 9.0, 12.0];
        let costs = error_costs(&[Course { distances: &distances, times: &times }]);
        let all = costs.summary(false, Confidence::default());
        assert_eq!((all.n, all.n_recovered, all.n_dead_ends), (4, 3, 1));
        let outermost = costs.summary(true, Confidence::default());
        // 2 and 4 moves, and one censored after 1.
        assert_eq!((outermost.n, outermost.moves.median.estimate), (3, Some(3.0)));
        assert_eq!(outermost.seconds.points.last().unwrap().time, 7.0);
        assert!(costs.summary(true, Confidence::default()).sentence().starts_with("moves: Mdn = 3.0"));
    }

    #[test]
    fn times_that_run_back_are_refused() {
        let course =
            |times| error_costs(&[Course { distances: &[Some(1), Some(2)], times }]).reason.unwrap().to_string();
        assert_eq!(course(&[2.0, 1.0]), "a time is 1 after 2, but must be no earlier than the one before");
        assert!(course(&[1.0]).contains("paired") && course(&[1.0, f64::NAN]).contains("NaN"));
        assert!(error_costs(&[]).summary(true, Confidence::default()).moves.reason.is_some());
    }
}

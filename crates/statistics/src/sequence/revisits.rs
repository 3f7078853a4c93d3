//! Returns to states that an attempt has already been in.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::inference::Confidence;
use crate::stats::interval::{Proportion, proportion_of};

/// Number of returns after one number of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LoopLength {
    /// Number of moves since the last visit of the state: 2 for an undo.
    pub length: usize,
    /// Number of returns after so many moves.
    pub n: usize,
}

/// The returns of one attempt, or of several together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Revisits {
    /// Number of attempts with a state.
    pub n_attempts: usize,
    /// Number of moves.
    pub n_moves: u64,
    /// Number of different states, added over attempts.
    pub n_states: u64,
    /// Share of different states among all visits, the start being one; 1 if no attempt returns
    /// anywhere.
    pub unique: Proportion,
    /// Moves that lead to a state in which the attempt has been, of all moves; those that change
    /// nothing are not among them.
    pub revisits: Proportion,
    /// Moves that take back the one before (A B A), of all moves that could: those after the first.
    pub undos: Proportion,
    /// Moves that close a loop: they lead to a state last visited three or more moves ago, of all moves
    /// that could, those after the second.
    pub loops: Proportion,
    /// Number of moves that change nothing, such as illegal ones.
    pub n_stays: u64,
    /// The numbers of moves after which returns come, in ascending order, undos included.
    pub lengths: Vec<LoopLength>,
}

/// Counts the returns within attempts, each a list of the numbers of its states: the start, then the
/// state after each move.
///
/// The length of a return is the number of moves since the last visit of the same state, so that a
/// state visited three times makes two returns. Moves that change nothing count as moves in it. Intervals:
/// [`proportion_of`] with the participant of each attempt; without, as if moves were independent. Time and memory grow
/// with the number of moves.
///
/// ```
/// use plymap_statistics::{sequence::revisits::revisits, stats::Confidence};
///
/// // To 2 and back (an undo), then around 1 → 3 → 4 → 1 (a loop of three).
/// let found = revisits(&[[1, 2, 1, 3, 4, 1]], None, Confidence::default());
/// assert_eq!((found.undos.successes, found.loops.successes, found.revisits.n), (1, 1, 5));
/// ```
pub fn revisits<A: AsRef<[u32]>>(attempts: &[A], participants: Option<&[usize]>, confidence: Confidence) -> Revisits {
    let counts: Vec<Counts> = attempts.iter().map(|attempt| Counts::of(attempt.as_ref())).collect();
    let share = |part: fn(&Counts) -> (u64, u64)| {
        proportion_of(&counts.iter().map(part).collect::<Vec<_>>(), participants, confidence)
    };
    let sum = |part: fn(&Counts) -> u64| counts.iter().map(part).sum();
    let mut lengths = BTreeMap::new();
    counts.iter().flat_map(|count| &count.returns).for_each(|&length| *lengths.entry(length).or_insert(0) += 1);
    Revisits {
        n_attempts: counts.iter().filter(|count| count.n_visits > 0).count(),
        n_moves: sum(|counts| counts.n_moves(0)),
        n_states: sum(|counts| counts.n_states),
        unique: share(|counts| (counts.n_states, counts.n_visits)),
        revisits: share(|counts| (counts.n_returns(|length| length > 1), counts.n_moves(0))),
        undos: share(|counts| (counts.n_returns(|length| length == 2), counts.n_moves(1))),
        loops: share(|counts| (counts.n_returns(|length| length > 2), counts.n_moves(2))),
        n_stays: sum(|counts| counts.n_returns(|length| length == 1)),
        lengths: lengths.into_iter().filter(|(k, _)| *k > 1).map(|(length, n)| LoopLength { length, n }).collect(),
    }
}

/// Counts of one attempt.
#[derive(Default)]
struct Counts {
    n_visits: u64,
    n_states: u64,
    /// The number of moves since the last visit, of each return and of each move that changes nothing.
    returns: Vec<usize>,
}

impl Counts {
    fn of(states: &[u32]) -> Self {
        let mut counts = Self { n_visits: states.len() as u64, ..Self::default() };
        let mut last_visit = HashMap::new();
        for (ply, state) in states.iter().enumerate() {
            match last_visit.insert(state, ply) {
                Some(last) => counts.returns.push(ply - last),
                None => counts.n_states += 1,
            }
        }
        counts
    }

    /// The number of moves but for so many at the beginning.
    fn n_moves(&self, n_first: u64) -> u64 {
        self.n_visits.saturating_sub(1 + n_first)
    }

    fn n_returns(&self, is_such: fn(usize) -> bool) -> u64 {
        self.returns.iter().filter(|&&length| is_such(length)).count() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_are_counted_by_the_moves_since_the_last_visit() {
        //  0   1   2   3   4   5   6   7   8
        //  A   B   A   B   C   D   B   B   A      and another attempt that starts where this one did
        let revisits = revisits(&[vec![0, 1, 0, 1, 2, 3, 1, 1, 0], vec![0, 5]], None, Confidence::default());
        // Plies 2 and 3 undo, 6 closes a loop of 3, 7 changes nothing, 8 closes one of 6.
        assert_eq!(
            revisits.lengths.iter().map(|length| (length.length, length.n)).collect::<Vec<_>>(),
            [(2, 2), (3, 1), (6, 1)]
        );
        assert_eq!((revisits.n_moves, revisits.n_states, revisits.n_stays), (9, 6, 1));
        assert_eq!((revisits.unique.successes, revisits.unique.n), (6, 11));
        assert_eq!((revisits.revisits.successes, revisits.revisits.n), (4, 9));
        assert_eq!((revisits.undos.successes, revisits.undos.n), (2, 7));
        assert_eq!((revisits.loops.successes, revisits.loops.n), (2, 6));
        // Visits are first ones, returns, or stays.
        assert_eq!(revisits.n_states + revisits.revisits.successes + revisits.n_stays, revisits.unique.n);
    }

    #[test]
    fn attempts_without_moves_have_no_shares() {
        let revisits = revisits(&[vec![], vec![7]], None, Confidence::default());
        assert_eq!((revisits.n_attempts, revisits.n_moves, revisits.unique.estimate), (1, 0, Some(1.0)));
        assert!(revisits.revisits.estimate.is_none() && revisits.undos.reason.is_some());
    }
}

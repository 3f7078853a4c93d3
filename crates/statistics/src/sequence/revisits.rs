//! Returns to states that an attempt has already been in.

use std::collections::HashMap;

use serde::Serialize;

use crate::stats::Confidence;
use crate::stats::interval::{Proportion, proportion};

/// How many returns come after one number of moves.
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
/// state visited three times makes two returns. Moves that change nothing count as moves in it. Wilson intervals take moves as independent. Time and
/// memory grow with the number of moves.
///
/// ```
/// use plymap_statistics::{sequence::revisits::revisits, stats::Confidence};
///
/// // To 2 and back (an undo), then around 1 → 3 → 4 → 1 (a loop of three).
/// let found = revisits(&[[1, 2, 1, 3, 4, 1]], Confidence::default());
/// assert_eq!((found.undos.successes, found.loops.successes, found.revisits.n), (1, 1, 5));
/// ```
pub fn revisits<A: AsRef<[u32]>>(attempts: &[A], confidence: Confidence) -> Revisits {
    let mut counts = Counts::default();
    attempts.iter().for_each(|attempt| counts.add(attempt.as_ref()));
    let n_undos = counts.lengths.get(2).copied().unwrap_or(0);
    let n_loops: u64 = counts.lengths.iter().skip(3).sum();
    let lengths = counts.lengths.iter().enumerate().skip(2).filter(|(_, n)| **n > 0);
    Revisits {
        n_attempts: counts.n_attempts,
        n_moves: counts.n_moves,
        n_states: counts.n_states,
        unique: proportion(counts.n_states, counts.n_visits, confidence),
        revisits: proportion(n_undos + n_loops, counts.n_moves, confidence),
        undos: proportion(n_undos, counts.n_after_first, confidence),
        loops: proportion(n_loops, counts.n_after_second, confidence),
        n_stays: counts.lengths.get(1).copied().unwrap_or(0),
        lengths: lengths.map(|(length, &n)| LoopLength { length, n: n as usize }).collect(),
    }
}

#[derive(Default)]
struct Counts {
    n_attempts: usize,
    n_visits: u64,
    n_states: u64,
    n_moves: u64,
    n_after_first: u64,
    n_after_second: u64,
    /// Returns by the number of moves since the last visit.
    lengths: Vec<u64>,
}

impl Counts {
    fn add(&mut self, states: &[u32]) {
        let n_moves = states.len().saturating_sub(1) as u64;
        self.n_attempts += usize::from(!states.is_empty());
        self.n_visits += states.len() as u64;
        self.n_moves += n_moves;
        self.n_after_first += n_moves.saturating_sub(1);
        self.n_after_second += n_moves.saturating_sub(2);
        let mut last_visit = HashMap::new();
        for (ply, state) in states.iter().enumerate() {
            match last_visit.insert(state, ply) {
                Some(last) => self.add_return(ply - last),
                None => self.n_states += 1,
            }
        }
    }

    fn add_return(&mut self, length: usize) {
        if self.lengths.len() <= length {
            self.lengths.resize(length + 1, 0);
        }
        self.lengths[length] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_are_counted_by_the_moves_since_the_last_visit() {
        //  0   1   2   3   4   5   6   7   8
        //  A   B   A   B   C   D   B   B   A      and another attempt that starts where this one did
        let found = revisits(&[vec![0, 1, 0, 1, 2, 3, 1, 1, 0], vec![0, 5]], Confidence::default());
        // Plies 2 and 3 undo, 6 closes a loop of 3, 7 changes nothing, 8 closes one of 6.
        assert_eq!(
            found.lengths.iter().map(|length| (length.length, length.n)).collect::<Vec<_>>(),
            [(2, 2), (3, 1), (6, 1)]
        );
        assert_eq!((found.n_moves, found.n_states, found.n_stays), (9, 6, 1));
        assert_eq!((found.unique.successes, found.unique.n), (6, 11));
        assert_eq!((found.revisits.successes, found.revisits.n), (4, 9));
        assert_eq!((found.undos.successes, found.undos.n), (2, 7));
        assert_eq!((found.loops.successes, found.loops.n), (2, 6));
        // Visits are first ones, returns, or stays.
        assert_eq!(found.n_states + found.revisits.successes + found.n_stays, found.unique.n);
    }

    #[test]
    fn attempts_without_moves_have_no_shares() {
        let found = revisits(&[vec![], vec![7]], Confidence::default());
        assert_eq!((found.n_attempts, found.n_moves, found.unique.estimate), (1, 0, Some(1.0)));
        assert!(found.revisits.estimate.is_none() && found.undos.reason.is_some());
    }
}

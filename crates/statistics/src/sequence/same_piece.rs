//! Moving the same piece again.

use std::collections::HashMap;

use serde::Serialize;

use super::runs::{RunCounts, RunLength};
use crate::apa;
use crate::inference::Confidence;
use crate::stats::interval::{Proportion, proportion_of};

/// Frequency of moves of the piece that moved last.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SamePiece {
    /// Moves of the piece that moved last, of all moves that follow another.
    pub same: Proportion,
    /// The expected share if the moves of each attempt came in random order; absent if no move
    /// follows another.
    pub expected: Option<f64>,
    /// Lengths of the runs of moves of one piece, in ascending order.
    pub lengths: Vec<RunLength>,
    /// Length of the longest run; 0 without moves.
    pub longest: usize,
}

/// Counts the moves of the same piece again, within attempts, each a list of the numbers of the pieces
/// moved.
///
/// In random order, a piece with k of the n moves of an attempt is expected to follow itself
/// k (k − 1) / n times. Interval: [`proportion_of`] with the participant of each attempt; without, as if moves were
/// independent.
///
/// ```
/// use plymap_statistics::{sequence::same_piece::same_piece, stats::Confidence};
///
/// let found = same_piece(&[[4, 4, 7, 4]], None, Confidence::default());
/// assert_eq!((found.same.successes, found.same.n, found.expected), (1, 3, Some(0.5)));
/// ```
pub fn same_piece<A: AsRef<[u32]>>(
    attempts: &[A],
    participants: Option<&[usize]>,
    confidence: Confidence,
) -> SamePiece {
    let (mut counts, mut expected) = (Vec::with_capacity(attempts.len()), 0.0);
    for attempt in attempts.iter().map(|attempt| attempt.as_ref()) {
        let n_same = attempt.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64;
        counts.push((n_same, attempt.len().saturating_sub(1) as u64));
        let mut moves = HashMap::<u32, u64>::new();
        attempt.iter().for_each(|&piece| *moves.entry(piece).or_default() += 1);
        // A whole number, whose sum does not depend on the order of the pieces.
        let pairs: u64 = moves.values().map(|k| k * (k - 1)).sum();
        expected += pairs as f64 / attempt.len().max(1) as f64;
    }
    let runs = RunCounts::of_all(attempts);
    let n_pairs: u64 = counts.iter().map(|(_, n)| n).sum();
    SamePiece {
        same: proportion_of(&counts, participants, confidence),
        expected: (n_pairs > 0).then(|| expected / n_pairs as f64),
        lengths: runs.table(),
        longest: runs.longest(),
    }
}

impl SamePiece {
    /// `same piece: .42 (301 of 717), 95 % CI [.38, .46], .21 by chance`.
    pub fn sentence(&self) -> String {
        let chance = self.expected.map_or(String::new(), |share| format!(", {} by chance", apa::bounded(share, 2)));
        format!("same piece: {}{chance}", self.same.sentence())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_is_the_mean_over_all_orders() {
        let pieces = [1_u32, 1, 2, 2, 3];
        // All 120 orders of the five moves.
        fn orders(rest: Vec<u32>, done: Vec<u32>, sums: &mut (u64, u64)) {
            if rest.is_empty() {
                sums.0 += done.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64;
                sums.1 += 4;
            }
            for index in 0..rest.len() {
                let (mut rest, mut done) = (rest.clone(), done.clone());
                done.push(rest.remove(index));
                orders(rest, done, sums);
            }
        }
        let mut sums = (0, 0);
        orders(pieces.to_vec(), Vec::new(), &mut sums);
        let repeats = same_piece(&[pieces], None, Confidence::default());
        assert!((repeats.expected.unwrap() - sums.0 as f64 / sums.1 as f64).abs() < 1e-15);
    }

    #[test]
    fn runs_and_borders() {
        let repeats = same_piece(&[vec![5, 5, 5], vec![5, 6], vec![]], None, Confidence::default());
        assert_eq!((repeats.same.successes, repeats.same.n, repeats.longest), (2, 3, 3));
        assert_eq!(repeats.lengths, [RunLength { length: 1, n: 2 }, RunLength { length: 3, n: 1 }]);
        assert_eq!(repeats.sentence(), "same piece: .67 (2 of 3), 95 % CI [.21, .94], .67 by chance");
        let none = same_piece(&[[9]], None, Confidence::default());
        assert_eq!((none.expected, none.same.estimate, none.longest), (None, None, 1));
    }
}

//! Concordance of a score with the times of events.

use serde::Serialize;

use crate::numeric::rank::mid_ranks;

/// Concordance of a score with times (Harrell's C).
///
/// Harrell, Lee & Mark (1996). *Statistics in Medicine*, 15, 361–387. Two observations are compared
/// if it is known which of the two had the event first: the earlier time is that of an event, and
/// the later one is later, or censored at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Concordance {
    /// Share of the compared pairs in which the one with the earlier event has the higher score,
    /// pairs with the same score counted half; 0.5 for a score that tells nothing.
    pub estimate: f64,
    /// Its standard error by the infinitesimal jackknife (as R's `concordance`); it takes the
    /// observations as independent.
    pub standard_error: f64,
    /// Number of compared pairs.
    pub n_pairs: u64,
}

/// The concordance of scores with times; absent if no two observations can be compared.
pub(super) fn concordance(times: &[f64], events: &[bool], scores: &[f64]) -> Option<Concordance> {
    // Twice a mid-rank is a whole number that orders the scores and keeps their ties.
    let ranks = mid_ranks(scores).ok()?.ranks;
    let places: Vec<usize> = ranks.iter().map(|rank| (2.0 * rank) as usize).collect();
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by(|&left, &right| times[left].total_cmp(&times[right]).then(events[right].cmp(&events[left])));
    // For each observation: the pairs it is in, and the number of them won, ties half.
    let mut tallies = vec![(0_u64, 0.0_f64); times.len()];
    // Backwards for its role as the one with the event: who comes later in the order is compared,
    // except events at the same time.
    let mut later = Counter::new(2 * times.len() + 1);
    let at_once = |&left: &usize, &right: &usize| times[left] == times[right] && events[left] == events[right];
    for tied in order.chunk_by(at_once).rev() {
        if events[tied[0]] {
            for &index in tied {
                let (below, equal) = later.below_and_at(places[index]);
                tallies[index].0 += later.n;
                tallies[index].1 += below as f64 + 0.5 * equal as f64;
            }
        }
        tied.iter().for_each(|&index| later.add(places[index]));
    }
    // Forwards for its role as the later one: who had the event before is compared.
    let mut earlier = Counter::new(2 * times.len() + 1);
    for tied in order.chunk_by(at_once) {
        for &index in tied {
            let (below, equal) = earlier.below_and_at(places[index]);
            tallies[index].0 += earlier.n;
            tallies[index].1 += (earlier.n - below - equal) as f64 + 0.5 * equal as f64;
        }
        if events[tied[0]] {
            tied.iter().for_each(|&index| earlier.add(places[index]));
        }
    }
    // Each pair was counted from both sides.
    let n_pairs = tallies.iter().map(|tally| tally.0).sum::<u64>() / 2;
    if n_pairs == 0 {
        return None;
    }
    let estimate = tallies.iter().map(|tally| tally.1).sum::<f64>() / (2 * n_pairs) as f64;
    let influence = |&(n, won): &(u64, f64)| (won - estimate * n as f64) / n_pairs as f64;
    let standard_error = tallies.iter().map(|tally| influence(tally).powi(2)).sum::<f64>().sqrt();
    Some(Concordance { estimate, standard_error, n_pairs })
}

/// Counts of numbers seen, with counts below any of them in logarithmic time.
///
/// Fenwick (1994). A new data structure for cumulative frequency tables. *Software: Practice and
/// Experience*, 24, 327–336.
struct Counter {
    tree: Vec<u64>,
    n: u64,
}

impl Counter {
    /// A counter of the numbers 0 to `n` − 1.
    fn new(n: usize) -> Self {
        Self { tree: vec![0; n + 1], n: 0 }
    }

    fn add(&mut self, number: usize) {
        self.n += 1;
        let mut node = number + 1;
        while node < self.tree.len() {
            self.tree[node] += 1;
            node += node & node.wrapping_neg();
        }
    }

    fn below_and_at(&self, number: usize) -> (u64, u64) {
        let up_to = |mut node: usize| {
            let mut count = 0;
            while node > 0 {
                count += self.tree[node];
                node -= node & node.wrapping_neg();
            }
            count
        };
        let below = up_to(number);
        (below, up_to(number + 1) - below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_compared_where_it_is_known_who_was_first() {
        // Of the six pairs, the two censored ones (3 and 4) cannot be compared.
        let times = [1.0, 2.0, 3.0, 4.0];
        let events = [true, true, false, false];
        let index = concordance(&times, &events, &[9.0, 1.0, 5.0, 1.0]).unwrap();
        // 1 beats all three; 2 loses to 3 and ties with 4.
        assert_eq!((index.n_pairs, index.estimate), (5, 3.5 / 5.0));
        // Two events at once are not compared; an event and one censored at once are.
        assert_eq!(concordance(&[1.0, 1.0], &[true, true], &[2.0, 1.0]), None);
        assert_eq!(concordance(&[1.0, 1.0], &[true, false], &[2.0, 1.0]).unwrap().estimate, 1.0);
        assert_eq!(concordance(&[], &[], &[]), None);
    }
}

//! Concordance of pairs, counted in O(n log n), and the exact p of Kendall's statistic.
//!
//! Knight (1966). A computer method for calculating Kendall's tau with ungrouped data. *Journal of
//! the American Statistical Association*, 61, 436–439. Kendall (1970). *Rank correlation methods*
//! (4th ed.), chapters 3 and 5.

use crate::numeric::distribution::normal_two_sided;
use crate::numeric::permutation::{self, share_as_extreme};
use crate::numeric::rank::with_equal_ties;

/// Largest number of pairs without ties with an exact p value: the permutations are counted in 128-bit integers (33! <
/// 2^127).
pub(super) const MAX_EXACT: usize = 33;

/// Counts of the n (n − 1) / 2 comparisons of two observations.
pub(super) struct Concordance {
    n: usize,
    /// Comparisons that order x and y the same way.
    concordant: u64,
    /// Comparisons that order them in opposite ways.
    discordant: u64,
    x: Ties,
    y: Ties,
}

/// Sums over the groups of tied values that the formulas need, t being the size of a group.
struct Ties {
    /// Σ t (t − 1) / 2: comparisons that are ties.
    pairs: u64,
    /// Σ t (t − 1) (t − 2).
    triples: f64,
    /// Σ t (t − 1) (2 t + 5).
    variance: f64,
}

impl Concordance {
    /// Compares all pairs of observations, with the ties of [`mid_ranks`](crate::numeric::rank::mid_ranks). The values must be finite and the slices of equal length.
    pub fn new(x: &[f64], y: &[f64]) -> Self {
        let n = x.len();
        let (x, y) = (with_equal_ties(x), with_equal_ties(y));
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&left, &right| {
            let by_x = x[left].partial_cmp(&x[right]).expect("finite values have an order");
            by_x.then(y[left].partial_cmp(&y[right]).expect("finite values have an order"))
        });
        let tied_x = Ties::of(order.chunk_by(|&left, &right| x[left] == x[right]).map(<[usize]>::len));
        let both = order.chunk_by(|&left, &right| x[left] == x[right] && y[left] == y[right]);
        let tied_both = Ties::of(both.map(<[usize]>::len)).pairs;
        let mut by_x: Vec<f64> = order.iter().map(|&row| y[row]).collect();
        // Within tied x, y ascends, so that only discordant pairs are out of order.
        let discordant = inversions(&mut by_x);
        let tied_y = Ties::of(by_x.chunk_by(|left, right| left == right).map(<[f64]>::len));
        let all = pairs_of(n);
        let concordant = all + tied_both - tied_x.pairs - tied_y.pairs - discordant;
        Self { n, concordant, discordant, x: tied_x, y: tied_y }
    }

    /// τb = (C − D) / √((N − Tx) (N − Ty)); NaN if all x or all y are tied.
    pub fn tau_b(&self) -> f64 {
        let all = pairs_of(self.n);
        let (untied_x, untied_y) = ((all - self.x.pairs) as f64, (all - self.y.pairs) as f64);
        // Where both variables have the same ties, the root of the product is the factor itself.
        let size = if untied_x == untied_y { untied_x } else { untied_x.sqrt() * untied_y.sqrt() };
        (self.score() / size).clamp(-1.0, 1.0)
    }

    /// The standard normal statistic of C − D, with the variance that allows for ties.
    pub fn z(&self) -> f64 {
        let n = self.n as f64;
        let m = n * (n - 1.0);
        let untied = (m * (2.0 * n + 5.0) - self.x.variance - self.y.variance) / 18.0;
        let twice_tied = 2.0 * self.x.pairs as f64 * self.y.pairs as f64 / m;
        let thrice_tied = self.x.triples * self.y.triples / (9.0 * m * (n - 2.0));
        self.score() / (untied + twice_tied + thrice_tied).sqrt()
    }

    /// Two-sided p value from [`Concordance::z`].
    pub fn asymptotic_p_value(&self) -> f64 {
        normal_two_sided(self.z())
    }

    /// Two-sided p value of these pairs from all n! orders of y; absent above [`MAX_EXACT`] pairs, with ties above
    /// [`permutation::MAX_EXACT`].
    pub fn exact_p_value(&self, x: &[f64], y: &[f64]) -> Option<f64> {
        if self.has_ties() {
            return (self.n <= permutation::MAX_EXACT).then(|| share_of_orders(x, y));
        }
        if self.n > MAX_EXACT {
            return None;
        }
        let fewest = self.concordant.min(self.discordant);
        if 2 * fewest == pairs_of(self.n) {
            return Some(1.0);
        }
        let counts = orders_by_inversions(self.n);
        let all: u128 = counts.iter().sum();
        let extreme: u128 = counts[..=fewest as usize].iter().sum();
        Some((2.0 * extreme as f64 / all as f64).min(1.0))
    }

    fn has_ties(&self) -> bool {
        self.x.pairs > 0 || self.y.pairs > 0
    }

    fn score(&self) -> f64 {
        self.concordant as f64 - self.discordant as f64
    }
}

impl Ties {
    fn of(sizes: impl Iterator<Item = usize>) -> Self {
        let mut ties = Self { pairs: 0, triples: 0.0, variance: 0.0 };
        for size in sizes {
            let t = size as f64;
            ties.pairs += pairs_of(size);
            ties.triples += t * (t - 1.0) * (t - 2.0);
            ties.variance += t * (t - 1.0) * (2.0 * t + 5.0);
        }
        ties
    }
}

/// Share of all orders of y, ties included, whose C − D is at least as far from 0 as that of the pairs as they are.
fn share_of_orders(x: &[f64], y: &[f64]) -> f64 {
    let (x, y, n) = (signs(x), signs(y), x.len());
    let score: i64 = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| x[i][j] * y[i][j]).sum();
    // Which value of y stands at each place.
    let mut order: Vec<usize> = (0..n).collect();
    share_as_extreme(n, score, |i, j| {
        let (from_i, from_j) = (&y[order[i]], &y[order[j]]);
        let others = (0..n).filter(|&place| place != i && place != j);
        let change: i64 =
            others.map(|place| (x[i][place] - x[j][place]) * (from_j[order[place]] - from_i[order[place]])).sum();
        let between = 2 * x[i][j] * from_j[order[i]];
        order.swap(i, j);
        change + between
    })
}

/// Sign of the difference of each pair of values.
fn signs(values: &[f64]) -> Vec<Vec<i64>> {
    let values = with_equal_ties(values);
    let sign = |left: f64, right: f64| i64::from(left > right) - i64::from(left < right);
    values.iter().map(|&left| values.iter().map(|&right| sign(left, right)).collect()).collect()
}

fn pairs_of(n: usize) -> u64 {
    let n = n as u64;
    n * n.saturating_sub(1) / 2
}

/// Sorts the values and says how many pairs of them were out of order, equal ones not counted.
fn inversions(values: &mut [f64]) -> u64 {
    let mut spare = values.to_vec();
    let mut n_inversions = 0;
    let mut width = 1;
    // Merges of doubled width from below: no recursion, and one spare list for all.
    while width < values.len() {
        for (from, to) in values.chunks(2 * width).zip(spare.chunks_mut(2 * width)) {
            n_inversions += merge(from, width.min(from.len()), to);
        }
        values.copy_from_slice(&spare);
        width *= 2;
    }
    n_inversions
}

/// Merges the sorted parts before and from `middle`; returns how often a value of the right part
/// went before one of the left.
fn merge(from: &[f64], middle: usize, to: &mut [f64]) -> u64 {
    let (mut left, mut right, mut n_inversions) = (0, middle, 0);
    for place in to {
        // Equal values keep their order: a tie is no inversion.
        if left < middle && (right == from.len() || from[left] <= from[right]) {
            *place = from[left];
            left += 1;
        } else {
            *place = from[right];
            right += 1;
            n_inversions += (middle - left) as u64;
        }
    }
    n_inversions
}

/// Number of the n! orders of n values with 0, 1, 2, … inversions.
fn orders_by_inversions(n: usize) -> Vec<u128> {
    let mut counts: Vec<u128> = vec![1];
    for size in 2..=n {
        // A further value can be put before 0 to size − 1 of the others.
        let mut longer = vec![0; counts.len() + size - 1];
        for (inversions, count) in counts.iter().enumerate() {
            longer[inversions..inversions + size].iter_mut().for_each(|sum| *sum += count);
        }
        counts = longer;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_those_counted_one_by_one() {
        let x: Vec<f64> = (0..60).map(|i| f64::from(i * 37 % 11)).collect();
        let y: Vec<f64> = (0..60).map(|i| f64::from(i * 53 % 13 + i / 20)).collect();
        let (mut concordant, mut discordant) = (0, 0);
        for i in 0..60 {
            for j in 0..i {
                let product = (x[i] - x[j]) * (y[i] - y[j]);
                concordant += u64::from(product > 0.0);
                discordant += u64::from(product < 0.0);
            }
        }
        let concordance = Concordance::new(&x, &y);
        assert_eq!((concordance.concordant, concordance.discordant), (concordant, discordant));
    }

    #[test]
    fn four_values_have_one_three_five_six_five_three_one_orders() {
        assert_eq!(orders_by_inversions(4), [1, 3, 5, 6, 5, 3, 1]);
        let largest: u128 = orders_by_inversions(MAX_EXACT).iter().sum();
        assert_eq!(largest, (1..=MAX_EXACT as u128).product::<u128>());
    }
}

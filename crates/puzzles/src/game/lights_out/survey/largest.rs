//! The largest distance of any board of a size that has a solution.
//!
//! The solutions of a board are one solution plus all quiet patterns: a coset of a linear code. The largest distance
//! is the largest weight of a lightest element of a coset, the covering radius of the code (Cohen, Karpovsky,
//! Mattson and Schatz 1985).
//!
//! Which cells a quiet pattern presses depends on the cells' columns in a basis only, so cells with the same
//! column are alike: of `m` such cells, only the number `a` that a solution presses matters. Adding the quiet pattern
//! `u` leaves `a` presses where `u` and the column are orthogonal, and `m - a` where they are not. What is looked
//! for is the choice of all `a` whose smallest sum over all `u` is largest.
//!
//! Few choices need be tried. Write F(u) for the sum at `u` less the mean of all sums, which is half the number of the
//! cells in question. The Walsh transform of F gives the deviations a - m / 2. If no F(u) is below -t, then F + t is
//! nowhere negative and has the mean t, so that no value of its transform is beyond t: every `a` lies within t of
//! m / 2.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::game::lights_out::bits::Bits;

/// The most sums that are made for one board size; beyond it the largest distance is absent.
pub const MAX_COST: u64 = 1 << 28;

/// Cells that each quiet pattern presses all or none of.
#[derive(Clone, Copy, Debug)]
struct CellGroup {
    /// Patterns of the basis that hold the cells.
    column: u32,
    n_cells: u32,
    /// `true` if at most half of the cells need be tried: quiet patterns turn these groups over independently.
    is_halved: bool,
}

/// The largest distance on a board of so many cells with this basis of quiet patterns; absent if it would take more
/// than [`MAX_COST`] sums.
pub(super) fn largest_distance<B: Bits>(n_cells: usize, quiet: &[B]) -> Option<u32> {
    if quiet.len() > MAX_COST.ilog2() as usize {
        return None;
    }
    let mut counts = column_counts(n_cells, quiet);
    // Cells that no quiet pattern touches are pressed in the worst case.
    let fixed = counts.remove(&0).unwrap_or(0);
    let n_free: u32 = counts.values().sum();
    if counts.values().all(|count| count % 2 == 0) {
        // With half of each group pressed all sums are equal, and none can be above the mean of all of them.
        return Some(fixed + n_free / 2);
    }
    // Where a group is odd the sums differ, so that the smallest is below their mean.
    let bound = n_free.div_ceil(2) - 1;
    let best = Worst::search(&counts, quiet.len(), bound, 1)?;
    if best == bound {
        return Some(fixed + best);
    }
    // A better choice lies in each group as near to the half as its smallest sum lies to the mean, see above.
    let deviation = n_free - 2 * best - 2;
    if deviation < 2 {
        return Some(fixed + best);
    }
    Worst::search(&counts, quiet.len(), bound, deviation).map(|worst| fixed + worst.max(best))
}

/// The number of cells with each column: which patterns of the basis press them.
pub(super) fn column_counts<B: Bits>(n_cells: usize, quiet: &[B]) -> BTreeMap<u32, u32> {
    let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
    for cell in 0..n_cells {
        let column = (0..quiet.len()).filter(|&at| quiet[at].contains(cell)).fold(0, |column, at| column | 1 << at);
        *counts.entry(column).or_default() += 1;
    }
    counts
}

struct Worst {
    groups: Vec<CellGroup>,
    /// Largest difference between twice the number of presses in a group and its number of cells.
    deviation: u32,
    bound: u32,
    best: u32,
}

impl Worst {
    /// The largest smallest sum among the choices; absent if there are too many of them.
    fn search(counts: &BTreeMap<u32, u32>, nullity: usize, bound: u32, deviation: u32) -> Option<u32> {
        let mut worst = Self { groups: groups(counts), deviation, bound, best: 0 };
        let n_choices = worst.groups.iter().map(|&group| worst.choices(group).count() as u64);
        let cost = n_choices.into_iter().try_fold(1u64 << nullity, |cost, n| cost.checked_mul(n))?;
        if cost > MAX_COST {
            return None;
        }
        worst.choose(0, &vec![0; 1 << nullity]);
        Some(worst.best)
    }

    /// The numbers of presses that are tried in a group.
    fn choices(&self, group: CellGroup) -> RangeInclusive<u32> {
        let first = (group.n_cells - self.deviation.min(group.n_cells)).div_ceil(2);
        first..=if group.is_halved { group.n_cells / 2 } else { group.n_cells - first }
    }

    /// Tries all choices of the groups from `at` on; `sums` holds the sum of the others for each quiet pattern.
    fn choose(&mut self, at: usize, sums: &[u32]) {
        let Some(&group) = self.groups.get(at) else {
            self.best = self.best.max(sums.iter().copied().min().unwrap_or(0));
            return;
        };
        let mut next = vec![0; sums.len()];
        for pressed in self.choices(group) {
            if self.best == self.bound {
                return;
            }
            for (pattern, (next, sum)) in next.iter_mut().zip(sums).enumerate() {
                let is_turned = (pattern as u32 & group.column).count_ones() % 2 == 1;
                *next = sum + if is_turned { group.n_cells - pressed } else { pressed };
            }
            self.choose(at + 1, &next);
        }
    }
}

/// The groups, those with the most cells first, with as many linearly independent ones halved as there can be.
fn groups(counts: &BTreeMap<u32, u32>) -> Vec<CellGroup> {
    let mut groups: Vec<CellGroup> =
        counts.iter().map(|(&column, &n_cells)| CellGroup { column, n_cells, is_halved: false }).collect();
    groups.sort_by_key(|group| std::cmp::Reverse((group.n_cells % 2, group.n_cells)));
    let mut basis: Vec<u32> = Vec::new();
    for group in &mut groups {
        // Each vector of the basis clears its highest bit.
        let rest = basis.iter().fold(group.column, |rest, &vector| rest.min(rest ^ vector));
        if rest != 0 {
            group.is_halved = true;
            basis.push(rest);
            basis.sort_unstable_by(|this, other| other.cmp(this));
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::super::super::algebra::Algebra;
    use super::super::super::neighbourhood::Neighbourhood;
    use super::*;

    /// The same by trying every set of presses: those that no quiet pattern makes lighter are lightest solutions.
    fn by_brute_force(n_cells: usize, quiet: &[u64]) -> u32 {
        let patterns: Vec<u64> = (0..1u32 << quiet.len())
            .map(|chosen| {
                quiet.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1).fold(0, |sum, (_, q)| sum ^ q)
            })
            .collect();
        let least = |presses: u64| patterns.iter().map(|quiet| (presses ^ quiet).count_ones()).min().unwrap();
        (0..1u64 << n_cells).map(least).max().unwrap()
    }

    #[test]
    fn groups_of_cells_give_what_all_sets_of_presses_give() {
        let asymmetric: Neighbourhood = "0,0 0,1 1,0 1,1".parse().unwrap();
        let neighbourhoods =
            [Neighbourhood::Plus, Neighbourhood::Torus, Neighbourhood::Diagonal, Neighbourhood::Moore, asymmetric];
        let mut nullities = std::collections::BTreeSet::new();
        for neighbourhood in neighbourhoods {
            for (width, height) in [(1, 1), (2, 2), (3, 2), (3, 3), (4, 3), (5, 3), (4, 4)] {
                let presses: Vec<u64> = neighbourhood.presses(width, height);
                let algebra = Algebra::new(&presses);
                nullities.insert(algebra.nullity());
                let quiet = algebra.quiet_patterns();
                let expected = by_brute_force(width * height, quiet);
                let largest = largest_distance(width * height, quiet);
                assert_eq!(largest, Some(expected), "{neighbourhood} {width}x{height}");
            }
        }
        assert!(nullities.len() >= 5, "{nullities:?}");
    }

    #[test]
    fn groups_of_any_size_give_what_all_sets_of_presses_give() {
        // Codes that no board has, drawn by a multiplicative hash: the theory holds for all of them.
        let mut seed = 1u64;
        for (n_cells, nullity) in (0..120).map(|number| (6 + number % 6, 1 + number / 6 % 5)) {
            let mut draw = || {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                seed >> 40 & ((1 << n_cells) - 1)
            };
            // Each vector has a cell of its own, so that they are independent.
            let own_cells = (1 << nullity) - 1;
            let quiet: Vec<u64> = (0..nullity).map(|at| draw() & !own_cells | 1 << at).collect();
            let expected = by_brute_force(n_cells, &quiet);
            assert_eq!(largest_distance(n_cells, &quiet), Some(expected), "{n_cells} {quiet:?}");
        }
    }
}

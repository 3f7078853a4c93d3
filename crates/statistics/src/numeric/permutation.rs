//! All orders of a few values, one swap after the other.

/// The largest number of pairs whose p value of Spearman's ρ, and of Kendall's τb with ties, is exact: 9! = 362,880
/// permutations take a few milliseconds. Without ties that of Kendall's τb is exact up to 33 pairs.
pub const MAX_EXACT: usize = 9;

/// Share of all orders of `n` values whose statistic is at least as far from 0 as that of the order in which they are.
///
/// `change` says by how much the swap of the values at two places changes the statistic, and makes the swap. The
/// statistic is a whole number, so that orders with the same one are found equal without rounding.
pub(crate) fn share_as_extreme(n: usize, observed: i64, mut change: impl FnMut(usize, usize) -> i64) -> f64 {
    let mut statistic = observed;
    let (mut n_all, mut n_extreme) = (1_u32, 1_u32);
    swaps_of_all_permutations(n, |i, j| {
        statistic += change(i, j);
        n_all += 1;
        n_extreme += u32::from(statistic.abs() >= observed.abs());
    });
    f64::from(n_extreme) / f64::from(n_all)
}

/// Calls `swap` with two indices whose swap makes the next permutation, until all `n`! have been.
///
/// Heap (1963). Permutations by interchanges. *The Computer Journal*, 6, 293–298.
fn swaps_of_all_permutations(n: usize, mut swap: impl FnMut(usize, usize)) {
    // Heap's method, without recursion: one swap from each order to the next, so that a statistic changes by a
    // difference and is not summed anew.
    let mut n_swaps = vec![0; n];
    let mut place = 1;
    while place < n {
        if n_swaps[place] < place {
            swap(if place % 2 == 0 { 0 } else { n_swaps[place] }, place);
            n_swaps[place] += 1;
            place = 1;
        } else {
            n_swaps[place] = 0;
            place += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_permutation_comes_once() {
        for n in 0..=6 {
            let mut order: Vec<usize> = (0..n).collect();
            let mut orders = std::collections::BTreeSet::from([order.clone()]);
            swaps_of_all_permutations(n, |i, j| {
                order.swap(i, j);
                assert!(orders.insert(order.clone()), "{order:?} came twice");
            });
            assert_eq!(orders.len(), (1..=n).product::<usize>());
        }
    }
}

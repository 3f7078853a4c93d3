//! Numbers of boards of a size at each distance.
//!
//! As for the largest distance, cells with the same column in a basis of the quiet patterns are alike: of `m` such
//! cells only the number `a` that is pressed matters, and `m` over `a` sets of presses have it. The distance of a
//! board is the smallest sum over all quiet patterns; each board is met once for each of its solutions.

use super::largest::{MAX_COST, column_counts};
use crate::game::lights_out::bits::Bits;

/// The number of boards at each distance, from 0 on; absent if it would take more than [`MAX_COST`] sums, or there
/// are more boards than 128 bits count.
pub(super) fn n_by_distance<B: Bits>(n_cells: usize, quiet: &[B]) -> Option<Vec<u128>> {
    let nullity = u32::try_from(quiet.len()).ok().filter(|&nullity| nullity <= MAX_COST.ilog2())?;
    let groups: Vec<(u32, u32)> = column_counts(n_cells, quiet).into_iter().collect();
    let cost = groups.iter().try_fold(1u64 << nullity, |cost, (_, n)| cost.checked_mul(u64::from(*n) + 1))?;
    // Every number below is at most that of all sets of presses.
    if cost > MAX_COST || n_cells >= 128 {
        return None;
    }
    let mut counts = vec![0u128; n_cells + 1];
    add(&groups, &vec![0; 1 << nullity], 1, &mut counts);
    let largest = counts.iter().rposition(|&n| n > 0)?;
    Some(counts[..=largest].iter().map(|n| n >> nullity).collect())
}

/// Adds the sets of presses of these groups; `sums` holds the presses in the others for each quiet pattern, and
/// `n_sets` how many sets have them.
fn add(groups: &[(u32, u32)], sums: &[u32], n_sets: u128, counts: &mut [u128]) {
    let Some((&(column, n_cells), rest)) = groups.split_first() else {
        let distance = sums.iter().copied().min().unwrap_or(0);
        counts[distance as usize] += n_sets;
        return;
    };
    let mut next = vec![0; sums.len()];
    let mut n_choices = 1u128;
    for pressed in 0..=n_cells {
        for (pattern, (next, sum)) in next.iter_mut().zip(sums).enumerate() {
            let is_turned = (pattern as u32 & column).count_ones() % 2 == 1;
            *next = sum + if is_turned { n_cells - pressed } else { pressed };
        }
        add(rest, &next, n_sets * n_choices, counts);
        n_choices = n_choices * u128::from(n_cells - pressed) / u128::from(pressed + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::algebra::Algebra;
    use super::super::super::neighbourhood::Neighbourhood;
    use super::super::largest::largest_distance;
    use super::*;

    fn counts(neighbourhood: &Neighbourhood, width: usize, height: usize) -> (Vec<u128>, usize) {
        let presses: Vec<u128> = neighbourhood.presses(width, height);
        let algebra = Algebra::new(&presses);
        let quiet = algebra.quiet_patterns();
        let n_boards = n_by_distance(width * height, quiet).expect("a small board");
        assert_eq!(largest_distance(width * height, quiet), Some(n_boards.len() as u32 - 1));
        (n_boards, algebra.nullity())
    }

    /// The same by searching all boards from the dark one.
    #[test]
    fn counts_are_those_of_a_breadth_first_search() {
        for neighbourhood in [Neighbourhood::Plus, Neighbourhood::Torus, Neighbourhood::Moore] {
            for (width, height) in [(1, 1), (2, 2), (3, 3), (4, 3), (4, 4)] {
                let presses: Vec<u64> = neighbourhood.presses(width, height);
                let mut visited = vec![false; 1 << (width * height)];
                visited[0] = true;
                let (mut frontier, mut expected) = (vec![0usize], Vec::new());
                while !frontier.is_empty() {
                    expected.push(frontier.len() as u128);
                    let mut next = Vec::new();
                    for board in frontier {
                        for press in &presses {
                            let after = board ^ *press as usize;
                            if !std::mem::replace(&mut visited[after], true) {
                                next.push(after);
                            }
                        }
                    }
                    frontier = next;
                }
                assert_eq!(counts(&neighbourhood, width, height).0, expected, "{neighbourhood} {width}x{height}");
            }
        }
    }

    #[test]
    fn all_boards_that_can_be_solved_are_counted() {
        for side in 1..=8 {
            let (n_boards, nullity) = counts(&Neighbourhood::Plus, side, side);
            assert_eq!(n_boards.iter().sum::<u128>(), 1 << (side * side - nullity), "{side}");
        }
        // Without quiet patterns each set of presses is the only solution of a board.
        assert_eq!(counts(&Neighbourhood::Plus, 2, 2).0, [1, 4, 6, 4, 1]);
    }
}

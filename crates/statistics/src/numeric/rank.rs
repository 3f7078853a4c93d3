//! Ranks with ties.

use serde::Serialize;

use crate::not_estimable::{NotEstimable, check_values};

/// The ranks of a sample.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranks {
    /// Rank of each value, in the order of the sample; from 1 to n, tied values share their mean.
    pub ranks: Vec<f64>,
    /// Size of each group of tied values, in ascending order of their value; empty without ties.
    pub ties: Vec<usize>,
}

/// Mid-ranks: the smallest value has rank 1, and equal values get the mean of the ranks that they
/// occupy together (Kendall, 1945, *Biometrika*, 33, 239–251; scipy's `rankdata`).
///
/// Values that agree to 15 digits are tied too, unless both are whole numbers: 1/3 + 2/3 and 1/2 + 1/2, or 0.1 + 0.3 and
/// 0.2 + 0.2, are equal sums, but as 64-bit numbers they or their means may differ in the last digit. Two numbers
/// of up to 15 digits never are as near.
///
/// ```
/// let ranked = plymap_statistics::stats::rank::mid_ranks(&[7.0, 3.0, 7.0, 9.0])?;
/// assert_eq!(ranked.ranks, [2.5, 1.0, 2.5, 4.0]);
/// assert_eq!(ranked.ties, [2]);
/// # Ok::<(), plymap_statistics::stats::NotEstimable>(())
/// ```
///
/// # Errors
///
/// [`NotEstimable::NotFinite`] if a value has no place in the order.
pub fn mid_ranks(values: &[f64]) -> Result<Ranks, NotEstimable> {
    check_values("the sample", values)?;
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&left, &right| values[left].total_cmp(&values[right]));
    let mut ranks = vec![0.0; values.len()];
    let mut ties = Vec::new();
    let mut n_before = 0;
    for group in order.chunk_by(|&left, &right| is_tied(values[left], values[right])) {
        let shared = n_before as f64 + (group.len() + 1) as f64 / 2.0;
        group.iter().for_each(|&index| ranks[index] = shared);
        if group.len() > 1 {
            ties.push(group.len());
        }
        n_before += group.len();
    }
    Ok(Ranks { ranks, ties })
}

/// The values, each group that [`mid_ranks`] takes as tied with its smallest value instead.
pub(crate) fn with_equal_ties(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&left, &right| values[left].total_cmp(&values[right]));
    let mut equal = values.to_vec();
    for group in order.chunk_by(|&left, &right| is_tied(values[left], values[right])) {
        group.iter().for_each(|&place| equal[place] = values[group[0]]);
    }
    equal
}

fn is_tied(left: f64, right: f64) -> bool {
    let is_near = (right - left).abs() <= 4.0 * f64::EPSILON * left.abs().max(right.abs());
    left == right || is_near && !(left.fract() == 0.0 && right.fract() == 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_the_mean_of_their_ranks() {
        let ranked = mid_ranks(&[5.0, 1.0, 5.0, 5.0, 0.0, -0.0]).unwrap();
        assert_eq!(ranked.ranks, [5.0, 3.0, 5.0, 5.0, 1.5, 1.5]);
        assert_eq!(ranked.ties, [2, 3]);
    }

    #[test]
    fn values_that_agree_to_fifteen_digits_are_tied_and_whole_numbers_only_if_they_are_equal() {
        let shares = [(1.0 / 3.0 + 2.0 / 3.0) / 2.0, 0.5, 0.49999999999999997, 0.500000000000001];
        assert_eq!(mid_ranks(&shares).unwrap().ranks, [2.0, 2.0, 2.0, 4.0]);
        let equal = with_equal_ties(&[0.1 + 0.2, 0.3, 0.4]);
        assert_eq!(equal, [0.3, 0.3, 0.4]);
        let large = 9_007_199_254_740_990.0;
        assert!(mid_ranks(&[large, large + 1.0]).unwrap().ties.is_empty());
        assert_eq!(mid_ranks(&[-1e-300, 1e-300, 0.0]).unwrap().ranks, [1.0, 3.0, 2.0]);
    }

    #[test]
    fn an_empty_sample_has_no_ranks_and_nan_has_no_rank() {
        assert_eq!(mid_ranks(&[]).unwrap(), Ranks { ranks: vec![], ties: vec![] });
        assert!(mid_ranks(&[1.0, f64::NAN]).is_err());
    }
}

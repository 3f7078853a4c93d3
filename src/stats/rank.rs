//! Ranks with ties.

use serde::Serialize;

use super::{NotEstimable, check_values};

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
/// ```
/// let ranked = plymap::stats::rank::mid_ranks(&[7.0, 3.0, 7.0, 9.0])?;
/// assert_eq!(ranked.ranks, [2.5, 1.0, 2.5, 4.0]);
/// assert_eq!(ranked.ties, [2]);
/// # Ok::<(), plymap::stats::NotEstimable>(())
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
    for group in order.chunk_by(|&left, &right| values[left] == values[right]) {
        let shared = n_before as f64 + (group.len() + 1) as f64 / 2.0;
        group.iter().for_each(|&index| ranks[index] = shared);
        if group.len() > 1 {
            ties.push(group.len());
        }
        n_before += group.len();
    }
    Ok(Ranks { ranks, ties })
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
    fn an_empty_sample_has_no_ranks_and_nan_has_no_rank() {
        assert_eq!(mid_ranks(&[]).unwrap(), Ranks { ranks: vec![], ties: vec![] });
        assert!(mid_ranks(&[1.0, f64::NAN]).is_err());
    }
}

//! Gauss–Hermite quadrature.
//!
//! Golub & Welsch (1969). Calculation of Gauss quadrature rules. *Mathematics of Computation*, 23,
//! 221–230.

use nalgebra::DMatrix;

/// Nodes and weights of the rule for the mean of a function of a standard normal variable; exact for
/// polynomials of a degree below 2 `n`.
pub(super) fn standard_normal_rule(n: usize) -> Vec<(f64, f64)> {
    // The nodes are the eigenvalues of the recurrence of the Hermite polynomials.
    let recurrence =
        DMatrix::from_fn(
            n,
            n,
            |row, column| {
                if row.abs_diff(column) == 1 { (row.max(column) as f64).sqrt() } else { 0.0 }
            },
        );
    let mut nodes: Vec<f64> = recurrence.symmetric_eigenvalues().iter().copied().collect();
    nodes.sort_by(f64::total_cmp);
    nodes.into_iter().map(|node| (node, weight(node, n))).collect()
}

/// Weight of a node: one over the sum of the squares of the first `n` orthonormal polynomials. Unlike the squares of
/// eigenvectors, it keeps its digits where the weight is tiny.
fn weight(node: f64, n: usize) -> f64 {
    let (mut previous, mut current) = (0.0, 1.0);
    let mut sum = 0.0;
    for degree in 0..n {
        sum += current * current;
        let degree = degree as f64;
        let next = (node * current - degree.sqrt() * previous) / (degree + 1.0).sqrt();
        (previous, current) = (current, next);
    }
    1.0 / sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_has_the_moments_of_the_normal_distribution() {
        let rule = standard_normal_rule(25);
        let moment = |power: i32| rule.iter().map(|(node, weight)| weight * node.powi(power)).sum::<f64>();
        for (power, expected) in [(0, 1.0), (1, 0.0), (2, 1.0), (4, 3.0), (6, 15.0), (8, 105.0), (20, 654_729_075.0)] {
            assert!((moment(power) - expected).abs() < 1e-11 * f64::max(1.0, expected), "moment {power}");
        }
    }

    #[test]
    fn three_nodes_are_those_of_the_printed_tables() {
        let rule = standard_normal_rule(3);
        for ((node, weight), expected) in rule.iter().zip([(-3_f64.sqrt(), 1.0 / 6.0), (0.0, 2.0 / 3.0)]) {
            assert!((node - expected.0).abs() < 1e-14 && (weight - expected.1).abs() < 1e-14);
        }
    }
}

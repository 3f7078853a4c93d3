//! Maximum likelihood within bounds, by Newton's method.
//!
//! Bertsekas (1982). Projected Newton methods for optimization problems with simple constraints.
//! *SIAM Journal on Control and Optimization*, 20, 221–246.

use nalgebra::{DMatrix, DVector, SymmetricEigen};

/// A fit that takes more steps than this has not converged. Most take fewer than ten.
pub(super) const MOST_ITERATIONS: usize = 200;

/// Newton's decrement is half the gain that one more step promises. Below this bound, the estimates
/// lie within 2e-8 standard errors of the maximum.
const SMALLEST_DECREMENT: f64 = 1e-16;

/// A log-likelihood with its derivatives at a point.
#[derive(Clone, Debug)]
pub(super) struct Evaluation {
    /// The log-likelihood; negative infinity where a choice is impossible, and then without meaning
    /// the derivatives.
    pub value: f64,
    pub gradient: DVector<f64>,
    pub hessian: DMatrix<f64>,
}

/// Where the search ended.
#[derive(Clone, Debug)]
pub(super) struct Maximum {
    pub point: Vec<f64>,
    pub at: Evaluation,
    /// Which parameters lie at an end of their range, the likelihood still growing beyond it.
    pub is_bound: Vec<bool>,
    pub converged: bool,
    pub n_iterations: usize,
}

/// Climbs from `start` to a local maximum within the ranges.
///
/// Steps are Newton's on the parameters that are free, projected into the ranges, and halved until the
/// likelihood has grown enough. Where it is not concave, the curvature is taken with its sign reversed.
pub(super) fn maximise(
    evaluate: impl Fn(&[f64]) -> Evaluation,
    start: &[f64],
    lower: &[f64],
    upper: &[f64],
) -> Maximum {
    let clamp = |index: usize, value: f64| value.max(lower[index]).min(upper[index]);
    let mut point: Vec<f64> = start.iter().enumerate().map(|(index, &value)| clamp(index, value)).collect();
    let mut at = evaluate(&point);
    let mut n_iterations = 0;
    loop {
        let is_bound: Vec<bool> = (0..point.len())
            .map(|index| {
                let gradient = at.gradient[index];
                point[index] <= lower[index] && gradient <= 0.0 || point[index] >= upper[index] && gradient >= 0.0
            })
            .collect();
        let free: Vec<usize> = (0..point.len()).filter(|&index| !is_bound[index]).collect();
        let (direction, decrement) = if at.value.is_finite() { ascent(&at, &free) } else { (Vec::new(), f64::NAN) };
        let converged = decrement <= SMALLEST_DECREMENT;
        if converged || !decrement.is_finite() || n_iterations == MOST_ITERATIONS {
            return Maximum { point, at, is_bound, converged, n_iterations };
        }
        n_iterations += 1;
        let Some((next, evaluation)) = step(&evaluate, &point, &at, &free, &direction, decrement, &clamp) else {
            return Maximum { point, at, is_bound, converged: false, n_iterations };
        };
        (point, at) = (next, evaluation);
    }
}

/// The first of the full, half, quarter ... step that gains enough.
fn step(
    evaluate: &impl Fn(&[f64]) -> Evaluation,
    point: &[f64],
    at: &Evaluation,
    free: &[usize],
    direction: &[f64],
    decrement: f64,
    clamp: &impl Fn(usize, f64) -> f64,
) -> Option<(Vec<f64>, Evaluation)> {
    let mut length = 1.0;
    for _ in 0..60 {
        let mut next = point.to_vec();
        for (&index, along) in free.iter().zip(direction) {
            next[index] = clamp(index, point[index] + length * along);
        }
        let promised: f64 = free.iter().map(|&index| at.gradient[index] * (next[index] - point[index])).sum();
        let evaluation = evaluate(&next);
        // Close to the maximum the gain is smaller than the rounding of the sum.
        let rounding = if decrement < 1e-6 { 1e-12 * (1.0 + at.value.abs()) } else { 0.0 };
        if evaluation.value >= at.value + 1e-4 * promised - rounding {
            return Some((next, evaluation));
        }
        length *= 0.5;
    }
    None
}

/// The step of the free parameters, and half the gain that it promises.
fn ascent(at: &Evaluation, free: &[usize]) -> (Vec<f64>, f64) {
    if free.is_empty() {
        return (Vec::new(), 0.0);
    }
    let gradient = DVector::from_iterator(free.len(), free.iter().map(|&index| at.gradient[index]));
    let information = information(&at.hessian, free);
    let direction = match information.clone().cholesky() {
        Some(factor) => factor.solve(&gradient),
        None => {
            let eigen = SymmetricEigen::new(information);
            let largest = eigen.eigenvalues.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
            let smallest = (1e-8 * largest).max(f64::MIN_POSITIVE.sqrt());
            let mut rotated = eigen.eigenvectors.transpose() * &gradient;
            for (entry, value) in rotated.iter_mut().zip(&eigen.eigenvalues) {
                *entry /= value.abs().max(smallest);
            }
            eigen.eigenvectors * rotated
        }
    };
    let decrement = 0.5 * gradient.dot(&direction);
    (direction.iter().copied().collect(), decrement)
}

/// The observed information of the parameters `free`: minus the Hessian.
pub(super) fn information(hessian: &DMatrix<f64>, free: &[usize]) -> DMatrix<f64> {
    DMatrix::from_fn(free.len(), free.len(), |row, column| -hessian[(free[row], free[column])])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// −(x − 3)² − (x − 3)(y + 1) − (y + 1)² − (x − 3)⁴, whose maximum is (3, −1).
    fn hill(point: &[f64]) -> Evaluation {
        let (x, y) = (point[0] - 3.0, point[1] + 1.0);
        Evaluation {
            value: -x * x - x * y - y * y - x.powi(4),
            gradient: DVector::from_vec(vec![-2.0 * x - y - 4.0 * x.powi(3), -x - 2.0 * y]),
            hessian: DMatrix::from_row_slice(2, 2, &[-2.0 - 12.0 * x * x, -1.0, -1.0, -2.0]),
        }
    }

    #[test]
    fn the_top_is_found_where_it_can_be_reached() {
        let all = f64::INFINITY;
        let top = maximise(hill, &[50.0, 80.0], &[-all; 2], &[all; 2]);
        assert!(top.converged && (top.point[0] - 3.0).abs() < 1e-8 && (top.point[1] + 1.0).abs() < 1e-8);
        assert_eq!(top.is_bound, [false, false]);
    }

    #[test]
    fn at_an_end_of_a_range_the_others_are_still_fitted() {
        let all = f64::INFINITY;
        // With x held at 5, the best y + 1 is −(5 − 3) / 2.
        let top = maximise(hill, &[8.0, 4.0], &[5.0, -all], &[all; 2]);
        assert!(top.converged && top.point[0] == 5.0 && (top.point[1] + 2.0).abs() < 1e-8);
        assert_eq!(top.is_bound, [true, false]);
        let corner = maximise(hill, &[8.0, 4.0], &[5.0, 0.0], &[all; 2]);
        assert_eq!((corner.point, corner.converged), (vec![5.0, 0.0], true));
    }

    #[test]
    fn a_slope_without_top_does_not_converge() {
        let slope = |point: &[f64]| Evaluation {
            value: point[0],
            gradient: DVector::from_vec(vec![1.0]),
            hessian: DMatrix::from_row_slice(1, 1, &[-1e-3]),
        };
        let end = maximise(slope, &[0.0], &[f64::NEG_INFINITY], &[f64::INFINITY]);
        assert_eq!((end.converged, end.n_iterations), (false, MOST_ITERATIONS));
    }
}

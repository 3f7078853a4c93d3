//! A quasi-Newton method, for functions whose variables have units of their own.
//!
//! Nocedal & Wright (2006). *Numerical Optimization*, second edition, chapters 6 and 18. Springer.

use nalgebra::{DMatrix, DVector, SymmetricEigen};

use crate::numeric::newton::halving;

/// A curvature that is less than this share of what the variables have by themselves counts as so much.
const SMALLEST_CURVATURE: f64 = 1e-4;

/// Largest number of halvings of a step that does not lower the function enough.
const MOST_HALVINGS: i32 = 30;

/// The share of what a step promises that it must keep.
const SUFFICIENT: f64 = 1e-4;

/// State of the search.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub point: DVector<f64>,
    pub value: f64,
    pub slopes: DVector<f64>,
    /// An approximation of the inverse of the second derivatives.
    inverse: DMatrix<f64>,
}

impl Place {
    /// A place where the search begins. `curvature` are the second derivatives, here or not far away, where they are known.
    pub fn new(point: Vec<f64>, value: f64, slopes: Vec<f64>, curvature: Option<&DMatrix<f64>>) -> Self {
        let slopes = DVector::from_vec(slopes);
        let inverse = curvature.map(positive_inverse);
        let inverse = inverse.unwrap_or_else(|| {
            let length = slopes.norm().max(f64::MIN_POSITIVE);
            DMatrix::identity(slopes.len(), slopes.len()) / length
        });
        Self { point: DVector::from_vec(point), value, slopes, inverse }
    }

    /// Expected fall of the function if it were a parabola with these derivatives.
    pub fn expected(&self) -> f64 {
        0.5 * self.slopes.dot(&(&self.inverse * &self.slopes))
    }

    /// The next place: that of the longest of the step, its half, its quarter, … that lowers the function enough. No
    /// variable changes by more than `largest` tells. Absent where there is none, or slopes cannot be computed.
    pub fn next(
        &self,
        largest: impl Fn(usize) -> f64,
        mut value: impl FnMut(&[f64]) -> f64,
        slopes: impl FnOnce(&[f64]) -> Option<Vec<f64>>,
    ) -> Option<Self> {
        let direction = -(&self.inverse * &self.slopes);
        // One factor for the whole step, not one for each variable: the direction stays downhill.
        let share = |(place, change): (usize, &f64)| largest(place) / change.abs();
        let longest = direction.iter().enumerate().map(share).fold(1.0, f64::min);
        let descent = self.slopes.dot(&direction);
        // Near the minimum the function falls by less than its rounding.
        let rounding = 1e-13 * (1.0 + self.value.abs());
        let (length, point, value) = halving(MOST_HALVINGS, |share| {
            let length = longest * share;
            let point = &self.point + &direction * length;
            let lower = value(point.as_slice());
            (lower <= self.value + SUFFICIENT * length * descent + rounding).then_some((length, point, lower))
        })?;
        let slopes = DVector::from_vec(slopes(point.as_slice())?);
        let mut change = &slopes - &self.slopes;
        // Powell's damping: where the function does not curve upwards along the step, it counts as a fifth of the curvature
        // that was expected.
        let (step, expected) = (direction * length, -length * length * descent);
        let observed = step.dot(&change);
        if observed < 0.2 * expected {
            let damping = 0.8 * expected / (expected - observed);
            change = change * damping - &self.slopes * (length * (1.0 - damping));
        }
        Some(Self { point, value, slopes, inverse: self.updated(&step, &change) })
    }

    /// The inverse of the second derivatives (BFGS) after slopes have changed by `change` along `step`.
    fn updated(&self, step: &DVector<f64>, change: &DVector<f64>) -> DMatrix<f64> {
        let along = step.dot(change);
        // Without an update the matrix stays positive definite, so the next direction is downhill.
        if along <= 0.0 || !along.is_finite() {
            return self.inverse.clone();
        }
        let by_change = &self.inverse * change;
        let mut inverse = self.inverse.clone();
        inverse.ger((1.0 + change.dot(&by_change) / along) / along, step, step, 1.0);
        inverse.ger(-1.0 / along, &by_change, step, 1.0);
        inverse.ger(-1.0 / along, step, &by_change, 1.0);
        inverse
    }
}

/// The inverse of a matrix of second derivatives with all of its curvatures turned upwards, in units in which each variable
/// alone has a curvature of 1.
fn positive_inverse(curvature: &DMatrix<f64>) -> DMatrix<f64> {
    let n = curvature.nrows();
    let unit = |place: usize| Some(curvature[(place, place)].abs().sqrt()).filter(|&unit| unit > 0.0).unwrap_or(1.0);
    let units: Vec<f64> = (0..n).map(unit).collect();
    // In units in which each second derivative is 1: the bound below is then the same for a variance and for an
    // effect.
    let scaled = DMatrix::from_fn(n, n, |row, column| curvature[(row, column)] / (units[row] * units[column]));
    let SymmetricEigen { eigenvectors, eigenvalues } = SymmetricEigen::new(scaled);
    let rows = DMatrix::from_fn(n, n, |row, column| {
        // Absolute curvatures: from a saddle the step goes away from it, and a flat direction takes no endless one.
        eigenvectors[(row, column)] / (units[row] * eigenvalues[column].abs().max(SMALLEST_CURVATURE).sqrt())
    });
    &rows * rows.transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (1 − x)² + 100 (y − x²)², with its minimum at (1, 1), in units that differ by a million.
    fn valley(point: &[f64]) -> (f64, Vec<f64>) {
        let (x, y) = (point[0], 1e6 * point[1]);
        let across = y - x * x;
        ((1.0 - x).powi(2) + 100.0 * across.powi(2), vec![-2.0 * (1.0 - x) - 400.0 * x * across, 1e6 * 200.0 * across])
    }

    #[test]
    fn a_bent_valley_is_followed_to_its_end() {
        let start = vec![-1.2, 1e-6];
        let (value, slopes) = valley(&start);
        // Second derivatives at the start, of which one curvature points downwards.
        let curvature = DMatrix::from_row_slice(2, 2, &[1330.0, 480e6, 480e6, 200e12]);
        let mut place = Place::new(start, value, slopes, Some(&curvature));
        let mut n_steps = 0;
        while place.expected() > 1e-14 {
            place = place.next(|_| 1.0, |point| valley(point).0, |point| Some(valley(point).1)).unwrap();
            n_steps += 1;
        }
        assert!((place.point[0] - 1.0).abs() < 1e-6 && (1e6 * place.point[1] - 1.0).abs() < 1e-6);
        assert!(n_steps < 60, "{n_steps} steps");
    }

    #[test]
    fn curvatures_that_point_downwards_are_turned() {
        let inverse = positive_inverse(&DMatrix::from_diagonal(&DVector::from_vec(vec![4.0, -1e-6])));
        assert!((inverse - DMatrix::from_diagonal(&DVector::from_vec(vec![0.25, 1e6]))).amax() < 1e-9);
    }
}

//! Maximum likelihood by Newton's method: of concave likelihoods, with proof of those that have no maximum, and of any
//! likelihood within bounds.

use nalgebra::{DMatrix, DVector, SymmetricEigen};

use super::NotEstimable;

/// Steps after which the search for the maximum of a concave likelihood is given up.
const MOST_STEPS: usize = 60;

/// A step this short, in standard deviations of the covariates, is the last: as the error of
/// Newton's method is squared with each step, what remains after it is rounding.
const LAST_STEP: f64 = 1e-8;

/// A direction in which the curvature of the likelihood is less than this share of the largest, at the origin, is one
/// in which the data say nothing, and the rest is rounding.
const SMALLEST_CURVATURE: f64 = 1e-13;

/// A search within bounds that takes more steps than this has not converged. Most take fewer than ten.
const MOST_BOUNDED_STEPS: usize = 200;

/// Newton's decrement is half the gain that one more step promises. Below this bound, the estimates
/// lie within 2e-8 standard errors of the maximum.
const SMALLEST_DECREMENT: f64 = 1e-16;

/// A log-likelihood at one point.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    /// Negative infinity where the data are impossible, and then without meaning the derivatives.
    pub value: f64,
    pub gradient: DVector<f64>,
    /// Minus the matrix of second derivatives.
    pub information: DMatrix<f64>,
}

/// The maximum of a log-likelihood, or where the search for it ended.
#[derive(Clone, Debug)]
pub(crate) struct Maximum {
    pub point: DVector<f64>,
    pub local: Local,
    /// Which parameters lie at an end of their range, the likelihood still growing beyond it.
    pub is_bound: Vec<bool>,
    pub converged: bool,
    pub n_iterations: usize,
}

/// A concave log-likelihood.
pub(crate) trait Concave {
    /// What is sought, for messages, such as `the maximum of the likelihood`.
    const NAME: &'static str;

    /// Value and derivatives at a point.
    fn at(&self, point: &DVector<f64>) -> Local;

    /// Whether it never falls in this direction, from no point and however far one goes: then it has
    /// no maximum, and the returned sentence says which covariates are the reason.
    fn recedes(&self, direction: &DVector<f64>) -> Option<String>;
}

impl Local {
    /// The observed information of the parameters `free`.
    pub fn information_of(&self, free: &[usize]) -> DMatrix<f64> {
        DMatrix::from_fn(free.len(), free.len(), |row, column| self.information[(free[row], free[column])])
    }
}

/// What is made of the whole step, or of its half, its quarter, …: of the first that is good enough.
pub(crate) fn halving<T>(most: i32, attempt: impl FnMut(f64) -> Option<T>) -> Option<T> {
    (0..most).map(|halvings| 0.5_f64.powi(halvings)).find_map(attempt)
}

/// Climbs from the origin to the maximum of a concave likelihood.
///
/// Where the likelihood has no maximum (separation), the steps tend to a direction in which it keeps rising; the data
/// then prove that it recedes, which is checked after each step.
pub(crate) fn maximise<L: Concave>(likelihood: &L, dimension: usize) -> Result<Maximum, NotEstimable> {
    let undefined = |why: String| NotEstimable::Undefined { quantity: L::NAME, why };
    let mut point = DVector::zeros(dimension);
    let mut local = likelihood.at(&point);
    let curvatures = local.information.symmetric_eigenvalues();
    if curvatures.min() <= SMALLEST_CURVATURE * curvatures.max() {
        return Err(undefined("the covariates are collinear in these data".to_owned()));
    }
    for n_iterations in 1..=MOST_STEPS {
        let Some(step) = local.information.clone().cholesky().map(|factor| factor.solve(&local.gradient)) else {
            return Err(undefined("its curvature vanishes before it is reached".to_owned()));
        };
        // Near the top, a step in the right direction may lower the value by its rounding.
        let floor = local.value - 1e-10 * (1.0 + local.value.abs());
        let climbed = halving(50, |share| {
            let next = &point + &step * share;
            let found = likelihood.at(&next);
            (found.value.is_finite() && found.value >= floor).then_some((next, found))
        });
        let (next, next_local) =
            climbed.ok_or_else(|| undefined("the values of the covariates leave the range of numbers".to_owned()))?;
        let is_last = step.amax() <= LAST_STEP * (1.0 + point.amax());
        (point, local) = (next, next_local);
        if is_last {
            return Ok(Maximum { point, local, is_bound: vec![false; dimension], converged: true, n_iterations });
        }
        if let Some(why) = likelihood.recedes(&step) {
            return Err(undefined(why));
        }
    }
    Err(undefined(format!("it was not reached in {MOST_STEPS} steps of Newton's method")))
}

/// Climbs from `start` to a local maximum within the ranges.
///
/// Steps are Newton's on the parameters that are free, projected into the ranges, and halved until the
/// likelihood has grown enough. Where it is not concave, the curvature is taken with its sign reversed.
///
/// Bertsekas (1982). Projected Newton methods for optimization problems with simple constraints.
/// *SIAM Journal on Control and Optimization*, 20, 221–246.
pub(crate) fn maximise_within(
    evaluate: impl Fn(&[f64]) -> Local,
    start: &[f64],
    lower: &[f64],
    upper: &[f64],
) -> Maximum {
    let clamp = |index: usize, value: f64| value.max(lower[index]).min(upper[index]);
    let mut point = DVector::from_fn(start.len(), |index, _| clamp(index, start[index]));
    let mut local = evaluate(point.as_slice());
    let mut n_iterations = 0;
    loop {
        let is_bound_at = |index: usize| {
            let gradient = local.gradient[index];
            point[index] <= lower[index] && gradient <= 0.0 || point[index] >= upper[index] && gradient >= 0.0
        };
        let is_bound: Vec<bool> = (0..point.len()).map(is_bound_at).collect();
        let free: Vec<usize> = (0..point.len()).filter(|&index| !is_bound[index]).collect();
        let (direction, decrement) =
            if local.value.is_finite() { ascent(&local, &free) } else { (DVector::zeros(0), f64::NAN) };
        let converged = decrement <= SMALLEST_DECREMENT;
        if converged || !decrement.is_finite() || n_iterations == MOST_BOUNDED_STEPS {
            return Maximum { point, local, is_bound, converged, n_iterations };
        }
        n_iterations += 1;
        // Close to the maximum the gain is smaller than the rounding of the sum.
        let rounding = if decrement < 1e-6 { 1e-12 * (1.0 + local.value.abs()) } else { 0.0 };
        let climbed = halving(60, |length| {
            let mut next = point.clone();
            for (&index, along) in free.iter().zip(&direction) {
                next[index] = clamp(index, point[index] + length * along);
            }
            let promised: f64 = free.iter().map(|&index| local.gradient[index] * (next[index] - point[index])).sum();
            let found = evaluate(next.as_slice());
            (found.value >= local.value + 1e-4 * promised - rounding).then_some((next, found))
        });
        let Some(climbed) = climbed else {
            return Maximum { point, local, is_bound, converged: false, n_iterations };
        };
        (point, local) = climbed;
    }
}

/// The step of the free parameters, and half of what the slope promises of it: the gain, where the likelihood is a parabola.
pub(crate) fn ascent(local: &Local, free: &[usize]) -> (DVector<f64>, f64) {
    if free.is_empty() {
        return (DVector::zeros(0), 0.0);
    }
    let gradient = DVector::from_iterator(free.len(), free.iter().map(|&index| local.gradient[index]));
    let information = local.information_of(free);
    let direction = match information.clone().cholesky() {
        Some(factor) => factor.solve(&gradient),
        // Not concave here: along each axis of the curvature the step goes uphill, whatever the sign of the curvature,
        // and not farther than the least of them allows.
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
    (direction, decrement)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ln of a logistic curve that falls to both sides, or has no maximum.
    struct Curve {
        is_bounded: bool,
    }

    impl Concave for Curve {
        const NAME: &'static str = "the curve";

        fn at(&self, point: &DVector<f64>) -> Local {
            let x = point[0];
            let rise = 1.0 / (1.0 + x.exp());
            let down = if self.is_bounded { 0.1 } else { 0.0 };
            Local {
                value: -(-x).exp().ln_1p() - down * x,
                gradient: DVector::from_element(1, rise - down),
                information: DMatrix::from_element(1, 1, rise * (1.0 - rise)),
            }
        }

        fn recedes(&self, direction: &DVector<f64>) -> Option<String> {
            (!self.is_bounded && direction[0] > 0.0).then(|| "it has no maximum".to_owned())
        }
    }

    #[test]
    fn the_top_is_found_to_the_last_digits() {
        let top = maximise(&Curve { is_bounded: true }, 1).unwrap();
        assert!((top.point[0] - 9f64.ln()).abs() < 1e-14, "1 / (1 + exp x) is a tenth at ln 9");
        assert!((2..12).contains(&top.n_iterations));
    }

    #[test]
    fn a_curve_without_a_top_is_known_as_one() {
        let reason = maximise(&Curve { is_bounded: false }, 1).err().unwrap();
        assert_eq!(reason.to_string(), "the curve is not defined here: it has no maximum");
    }

    /// −(x − 3)² − (x − 3)(y + 1) − (y + 1)² − (x − 3)⁴, whose maximum is (3, −1).
    fn hill(point: &[f64]) -> Local {
        let (x, y) = (point[0] - 3.0, point[1] + 1.0);
        Local {
            value: -x * x - x * y - y * y - x.powi(4),
            gradient: DVector::from_vec(vec![-2.0 * x - y - 4.0 * x.powi(3), -x - 2.0 * y]),
            information: DMatrix::from_row_slice(2, 2, &[2.0 + 12.0 * x * x, 1.0, 1.0, 2.0]),
        }
    }

    #[test]
    fn the_top_is_found_where_it_can_be_reached() {
        let all = f64::INFINITY;
        let top = maximise_within(hill, &[50.0, 80.0], &[-all; 2], &[all; 2]);
        assert!(top.converged && (top.point[0] - 3.0).abs() < 1e-8 && (top.point[1] + 1.0).abs() < 1e-8);
        assert_eq!(top.is_bound, [false, false]);
    }

    #[test]
    fn at_an_end_of_a_range_the_others_are_still_fitted() {
        let all = f64::INFINITY;
        // With x held at 5, the best y + 1 is −(5 − 3) / 2.
        let top = maximise_within(hill, &[8.0, 4.0], &[5.0, -all], &[all; 2]);
        assert!(top.converged && top.point[0] == 5.0 && (top.point[1] + 2.0).abs() < 1e-8);
        assert_eq!(top.is_bound, [true, false]);
        let corner = maximise_within(hill, &[8.0, 4.0], &[5.0, 0.0], &[all; 2]);
        assert_eq!((corner.point.as_slice(), corner.converged), (&[5.0, 0.0][..], true));
    }

    #[test]
    fn a_slope_without_top_does_not_converge() {
        let slope = |point: &[f64]| Local {
            value: point[0],
            gradient: DVector::from_vec(vec![1.0]),
            information: DMatrix::from_row_slice(1, 1, &[1e-3]),
        };
        let end = maximise_within(slope, &[0.0], &[f64::NEG_INFINITY], &[f64::INFINITY]);
        assert_eq!((end.converged, end.n_iterations), (false, MOST_BOUNDED_STEPS));
    }
}

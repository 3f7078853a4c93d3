//! Maximum likelihood by Newton's method within bounds, of likelihoods that need not be concave.

use nalgebra::{DVector, SymmetricEigen};
use plymap_statistics::numeric::newton::{Local, Maximum, halving};

/// A search within bounds that takes more steps than this has not converged. Most take fewer than ten.
const MOST_BOUNDED_STEPS: usize = 200;

/// Newton's decrement is half the gain that one more step promises. Below this bound, the estimates
/// lie within 2e-8 standard errors of the maximum.
const SMALLEST_DECREMENT: f64 = 1e-16;

/// Decrement below which the next step is trusted unseen: as the error of Newton's method is squared with each step,
/// some 1e-9 standard errors remain after it.
const TRUSTED_DECREMENT: f64 = 2e-10;

/// A longer step, with hardly anything to gain, is one of many along a likelihood that rises without end ever more slowly.
const LONGEST_TRUSTED: f64 = 1e-3;

/// A climb that has less than this to gain, a few standard errors away, is close enough to see where it leads.
const NEAR_DECREMENT: f64 = 10.0;

/// Share of the gain, and of the squared distance, that a step may leave if it leads to a maximum.
const NEAR_SHARE: f64 = 0.01;

/// Part of the longest change of a parameter that may be left.
const NEAR_LENGTH: f64 = 0.25;

/// A length below this, in units of the parameters, is what the last step of Newton's method leaves.
const LAST_LENGTH: f64 = 1e-8;

/// A search for local maxima of a log-likelihood within ranges.
///
/// Steps are Newton's on the parameters that are free, projected into the ranges, and halved until the
/// likelihood has grown enough. Where it is not concave, the curvature is taken with its sign reversed.
///
/// Bertsekas (1982). Projected Newton methods for optimization problems with simple constraints.
/// *SIAM Journal on Control and Optimization*, 20, 221–246.
pub(crate) struct Bounded<'a, F> {
    evaluate: F,
    lower: &'a [f64],
    upper: &'a [f64],
    /// Newton's decrement at which the next step is taken to be the last, and not evaluated any more.
    last_decrement: f64,
}

impl<'a, F: Fn(&[f64]) -> Local> Bounded<'a, F> {
    pub fn new(evaluate: F, lower: &'a [f64], upper: &'a [f64]) -> Self {
        Self { evaluate, lower, upper, last_decrement: SMALLEST_DECREMENT }
    }

    /// The last step is not followed by an evaluation: value and gradient are what the parabola says, and the information is
    /// that of the point before. The estimates lie within 1e-8 standard errors of the maximum.
    pub fn without_last_evaluation(self) -> Self {
        Self { last_decrement: TRUSTED_DECREMENT, ..self }
    }

    /// Climbs from a point.
    pub fn climb(&self, start: &[f64]) -> Maximum {
        let local = (self.evaluate)(self.clamped(start).as_slice());
        self.climb_on(start, local, &[]).expect("nothing is known that it could lead to")
    }

    /// Climbs from a point at which the likelihood is known.
    pub fn climb_from(&self, start: &[f64], local: &Local) -> Maximum {
        // The ranges may be other ones than those within which the point was found.
        if self.clamped(start).as_slice() != start {
            return self.climb(start);
        }
        self.climb_on(start, local.clone(), &[]).expect("nothing is known that it could lead to")
    }

    /// Climbs from a point, unless that leads to one of these maxima.
    pub fn climb_elsewhere(&self, start: &[f64], known: &[Maximum]) -> Option<Maximum> {
        let local = (self.evaluate)(self.clamped(start).as_slice());
        self.climb_on(start, local, known)
    }

    fn clamp(&self, index: usize, value: f64) -> f64 {
        value.max(self.lower[index]).min(self.upper[index])
    }

    fn clamped(&self, point: &[f64]) -> DVector<f64> {
        DVector::from_fn(point.len(), |index, _| self.clamp(index, point[index]))
    }

    fn climb_on(&self, start: &[f64], mut local: Local, known: &[Maximum]) -> Option<Maximum> {
        let mut point = self.clamped(start);
        let mut n_iterations = 0;
        loop {
            let is_bound_at = |index: usize| {
                let gradient = local.gradient[index];
                point[index] <= self.lower[index] && gradient <= 0.0
                    || point[index] >= self.upper[index] && gradient >= 0.0
            };
            let is_bound: Vec<bool> = (0..point.len()).map(is_bound_at).collect();
            let free: Vec<usize> = (0..point.len()).filter(|&index| !is_bound[index]).collect();
            let step = if local.value.is_finite() { Ascent::new(&local, &free) } else { Ascent::none(f64::NAN) };
            let converged = step.decrement <= SMALLEST_DECREMENT;
            if converged || !step.decrement.is_finite() || n_iterations == MOST_BOUNDED_STEPS {
                return Some(Maximum { point, local, is_bound, converged, n_iterations });
            }
            if known.iter().any(|known| step.leads_to(known, &point, &local, &is_bound)) {
                return None;
            }
            n_iterations += 1;
            if step.decrement <= self.last_decrement
                && let Some((point, local)) = self.trusted(&step, &point, &local)
            {
                return Some(Maximum { point, local, is_bound, converged: true, n_iterations });
            }
            let Some(climbed) = self.climbed(&step, &point, &local) else {
                return Some(Maximum { point, local, is_bound, converged: false, n_iterations });
            };
            (point, local) = climbed;
        }
    }

    /// Result of the longest step that gains enough.
    fn climbed(&self, step: &Ascent, point: &DVector<f64>, local: &Local) -> Option<(DVector<f64>, Local)> {
        // Close to the maximum the gain is smaller than the rounding of the sum.
        let rounding = if step.decrement < 1e-6 { 1e-12 * (1.0 + local.value.abs()) } else { 0.0 };
        halving(60, |length| {
            let mut next = point.clone();
            for (&index, along) in step.free.iter().zip(&step.direction) {
                next[index] = self.clamp(index, point[index] + length * along);
            }
            let promised: f64 =
                step.free.iter().map(|&index| local.gradient[index] * (next[index] - point[index])).sum();
            let next_local = (self.evaluate)(next.as_slice());
            // Armijo's rule with the slope along the projected step: where a range cuts it short, less is promised.
            (next_local.value >= local.value + 1e-4 * promised - rounding).then_some((next, next_local))
        })
    }

    /// End of a step within the ranges, if the likelihood is a parabola.
    fn trusted(&self, step: &Ascent, point: &DVector<f64>, local: &Local) -> Option<(DVector<f64>, Local)> {
        let whole = step.whole(point.len());
        let next = point + &whole;
        let is_within = (0..next.len()).all(|index| self.clamp(index, next[index]) == next[index]);
        (step.is_concave && is_within && whole.amax() <= LONGEST_TRUSTED * (1.0 + point.amax())).then(|| {
            let gradient = &local.gradient - &local.information * &whole;
            let local = Local { value: local.value + step.decrement, gradient, information: local.information.clone() };
            (next, local)
        })
    }
}

/// A step of Newton's method on the parameters that are free.
pub(crate) struct Ascent {
    free: Vec<usize>,
    /// Change of each of them.
    direction: DVector<f64>,
    /// Half of what the slope promises of it: the gain, where the likelihood is a parabola.
    pub decrement: f64,
    /// True if the likelihood is concave at the point.
    is_concave: bool,
}

impl Ascent {
    /// A step to nowhere.
    fn none(decrement: f64) -> Self {
        Self { free: Vec::new(), direction: DVector::zeros(0), decrement, is_concave: true }
    }

    pub fn new(local: &Local, free: &[usize]) -> Self {
        if free.is_empty() {
            return Self::none(0.0);
        }
        let gradient = DVector::from_iterator(free.len(), free.iter().map(|&index| local.gradient[index]));
        let information = local.information_of(free);
        let factor = information.clone().cholesky();
        let is_concave = factor.is_some();
        let direction = match factor {
            Some(factor) => factor.solve(&gradient),
            // Not concave here: along each axis of the curvature the step goes uphill, whatever the sign of the curvature,
            // and not farther than the least of them allows.
            None => {
                let eigen = SymmetricEigen::new(information);
                let largest = eigen.eigenvalues.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
                // A direction without curvature would take an endless step.
                let smallest = (1e-8 * largest).max(f64::MIN_POSITIVE.sqrt());
                let mut rotated = eigen.eigenvectors.transpose() * &gradient;
                for (entry, value) in rotated.iter_mut().zip(&eigen.eigenvalues) {
                    *entry /= value.abs().max(smallest);
                }
                eigen.eigenvectors * rotated
            }
        };
        let decrement = 0.5 * gradient.dot(&direction);
        Self { free: free.to_vec(), direction, decrement, is_concave }
    }

    /// The step of all parameters, of which those that are not free stay.
    fn whole(&self, n: usize) -> DVector<f64> {
        let mut whole = DVector::zeros(n);
        self.free.iter().zip(&self.direction).for_each(|(&index, along)| whole[index] = *along);
        whole
    }

    /// Returns true if the step ends at this maximum, but for what is left by Newton's method: so close to a maximum,
    /// it comes to no other one.
    fn leads_to(&self, known: &Maximum, point: &DVector<f64>, local: &Local, is_bound: &[bool]) -> bool {
        let is_near = self.is_concave && self.decrement <= NEAR_DECREMENT && known.converged;
        if !is_near || known.is_bound != is_bound {
            return false;
        }
        let whole = self.whole(point.len());
        let rest = point + &whole - &known.point;
        // Where the likelihood hardly changes, what it says of the distance is not enough.
        if rest.amax() > NEAR_LENGTH * whole.amax() + LAST_LENGTH * (1.0 + point.amax()) {
            return false;
        }
        let is_same_end = (0..point.len()).all(|index| !is_bound[index] || rest[index] == 0.0);
        let distance = 0.5 * rest.dot(&(&local.information * &rest));
        let gain = local.value + self.decrement - known.local.value;
        let rounding = 1e-12 * (1.0 + local.value.abs());
        let most = NEAR_SHARE * self.decrement + rounding;
        is_same_end && distance.abs() <= most && gain.abs() <= most
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::DMatrix;

    use super::*;

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
        let top = Bounded::new(hill, &[-all; 2], &[all; 2]).climb(&[50.0, 80.0]);
        assert!(top.converged && (top.point[0] - 3.0).abs() < 1e-8 && (top.point[1] + 1.0).abs() < 1e-8);
        assert_eq!(top.is_bound, [false, false]);
        let again = Bounded::new(hill, &[-all; 2], &[all; 2]).without_last_evaluation().climb(&[50.0, 80.0]);
        assert!((&again.point - &top.point).amax() < 1e-8 && (again.local.value - top.local.value).abs() < 1e-12);
        assert!(again.n_iterations <= top.n_iterations && again.local.gradient.amax() < 1e-8);
    }

    /// ln of two humps, around −2 and 2, of which the second is higher.
    fn humps(point: &[f64]) -> Local {
        let [left, right] = [(-2.0, 1.0), (2.0, 3.0)].map(|(middle, height)| {
            let away: f64 = point[0] - middle;
            let value = height * (-0.5 * away * away).exp();
            [value, -away * value, (away * away - 1.0) * value]
        });
        let [value, slope, bend]: [f64; 3] = std::array::from_fn(|order| left[order] + right[order]);
        Local {
            value: value.ln(),
            gradient: DVector::from_element(1, slope / value),
            information: DMatrix::from_element(1, 1, (slope / value).powi(2) - bend / value),
        }
    }

    #[test]
    fn a_climb_ends_early_only_where_it_leads_to_what_is_known() {
        let search = Bounded::new(humps, &[-9.0], &[9.0]);
        let [left, right] = [-3.0, 3.0].map(|start| search.climb(&[start]));
        assert!(left.point[0] < -1.9 && right.point[0] > 1.9 && left.local.value < right.local.value);
        for (start, known, leads_there) in [(-2.5, &left, true), (2.5, &left, false), (-2.5, &right, false)] {
            let known = std::slice::from_ref(known);
            assert_eq!(search.climb_elsewhere(&[start], known).is_none(), leads_there, "{start}");
        }
        let from = search.climb_from(&[2.5], &humps(&[2.5]));
        assert_eq!(from.point, search.climb(&[2.5]).point);
    }

    #[test]
    fn at_an_end_of_a_range_the_others_are_still_fitted() {
        let all = f64::INFINITY;
        // With x held at 5, the best y + 1 is −(5 − 3) / 2.
        let top = Bounded::new(hill, &[5.0, -all], &[all; 2]).climb(&[8.0, 4.0]);
        assert!(top.converged && top.point[0] == 5.0 && (top.point[1] + 2.0).abs() < 1e-8);
        assert_eq!(top.is_bound, [true, false]);
        let corner = Bounded::new(hill, &[5.0, 0.0], &[all; 2]).climb(&[8.0, 4.0]);
        assert_eq!((corner.point.as_slice(), corner.converged), (&[5.0, 0.0][..], true));
    }

    #[test]
    fn a_slope_without_top_does_not_converge() {
        let slope = |point: &[f64]| Local {
            value: point[0],
            gradient: DVector::from_vec(vec![1.0]),
            information: DMatrix::from_row_slice(1, 1, &[1e-3]),
        };
        let end = Bounded::new(slope, &[f64::NEG_INFINITY], &[f64::INFINITY]).climb(&[0.0]);
        assert_eq!((end.converged, end.n_iterations), (false, MOST_BOUNDED_STEPS));
    }
}

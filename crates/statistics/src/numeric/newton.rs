//! Maximum likelihood by Newton's method: of concave likelihoods, with proof of those that have no maximum, and of any
//! likelihood within bounds.

use nalgebra::{DMatrix, DVector, SymmetricEigen};

use crate::not_estimable::NotEstimable;

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

/// As the error of Newton's method is squared with each step, what remains after a step from below this decrement is some
/// 1e-9 standard errors.
const TRUSTED_DECREMENT: f64 = 2e-10;

/// A longer step, with hardly anything to gain, is one of many along a likelihood that rises without end ever more slowly.
const LONGEST_TRUSTED: f64 = 1e-3;

/// A climb that has less than this to gain, a few standard errors away, is close enough to see where it leads.
const NEAR_DECREMENT: f64 = 10.0;

/// What a step may leave of the gain, and of the squared distance, if it leads to a maximum.
const NEAR_SHARE: f64 = 0.01;

/// Part of the longest change of a parameter that may be left.
const NEAR_LENGTH: f64 = 0.25;

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
    /// Parameters at an end of their range, the likelihood still growing beyond it.
    pub is_bound: Vec<bool>,
    pub converged: bool,
    pub n_iterations: usize,
}

impl Maximum {
    /// About where the maximum is if a parameter is held at `value`: the others that are free follow as far as their slope
    /// stays 0 on a parabola.
    pub fn followed(&self, index: usize, value: f64) -> DVector<f64> {
        let mut point = self.point.clone();
        point[index] = value;
        let others: Vec<usize> = (0..point.len()).filter(|&other| other != index && !self.is_bound[other]).collect();
        let mixed = DVector::from_fn(others.len(), |row, _| self.local.information[(others[row], index)]);
        if let Some(factor) = self.local.information_of(&others).cholesky() {
            let by_value = factor.solve(&mixed) * (value - self.point[index]);
            others.iter().zip(&by_value).for_each(|(&other, by)| point[other] -= by);
        }
        point
    }
}

/// A concave log-likelihood.
pub(crate) trait Concave {
    /// Name of what is sought, for messages, such as `the maximum of the likelihood`.
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

    /// The likelihood of data of which a part is left out.
    pub fn without(&self, part: &Self) -> Self {
        Self {
            value: self.value - part.value,
            gradient: &self.gradient - &part.gradient,
            information: &self.information - &part.information,
        }
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
            let found = (self.evaluate)(next.as_slice());
            (found.value >= local.value + 1e-4 * promised - rounding).then_some((next, found))
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
    /// By how much each of them changes.
    direction: DVector<f64>,
    /// Half of what the slope promises of it: the gain, where the likelihood is a parabola.
    pub decrement: f64,
    /// `true` if the likelihood is concave at the point.
    is_concave: bool,
}

impl Ascent {
    /// To nowhere.
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

    /// `true` if the step ends at this maximum, but for what is left by Newton's method: so close to a maximum, it comes to no
    /// other one.
    fn leads_to(&self, known: &Maximum, point: &DVector<f64>, local: &Local, is_bound: &[bool]) -> bool {
        let is_near = self.is_concave && self.decrement <= NEAR_DECREMENT && known.converged;
        if !is_near || known.is_bound != is_bound {
            return false;
        }
        let whole = self.whole(point.len());
        let rest = point + &whole - &known.point;
        // Where the likelihood hardly changes, what it says of the distance is not enough.
        if rest.amax() > NEAR_LENGTH * whole.amax() + LAST_STEP * (1.0 + point.amax()) {
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

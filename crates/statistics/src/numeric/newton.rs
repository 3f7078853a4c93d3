//! Maximum likelihood by Newton's method, of concave likelihoods, with proof of those that have no maximum.

use nalgebra::{DMatrix, DVector};

use crate::not_estimable::NotEstimable;

/// Steps after which the search for the maximum of a concave likelihood is given up.
const MOST_STEPS: usize = 60;

/// A step this short, in standard deviations of the covariates, is the last: as the error of
/// Newton's method is squared with each step, what remains after it is rounding.
const LAST_STEP: f64 = 1e-8;

/// A direction in which the curvature of the likelihood is less than this share of the largest, at the origin, is one
/// in which the data say nothing, and the rest is rounding.
const SMALLEST_CURVATURE: f64 = 1e-13;

/// A log-likelihood at one point.
#[derive(Clone, Debug)]
pub struct Local {
    /// Negative infinity where the data are impossible, and then without meaning the derivatives.
    pub value: f64,
    /// First derivatives.
    pub gradient: DVector<f64>,
    /// Minus the matrix of second derivatives.
    pub information: DMatrix<f64>,
}

/// The maximum of a log-likelihood, or where the search for it ended.
#[derive(Clone, Debug)]
pub struct Maximum {
    /// Parameters at it.
    pub point: DVector<f64>,
    /// Value and derivatives there.
    pub local: Local,
    /// Parameters at an end of their range, the likelihood still growing beyond it.
    pub is_bound: Vec<bool>,
    /// True if the search came to its end.
    pub converged: bool,
    /// Number of steps taken.
    pub n_iterations: usize,
}

impl Maximum {
    /// Approximates the maximum with a parameter held at `value`: the others that are free follow as far as their slope
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
pub trait Concave {
    /// Name of what is sought, for messages, such as `the maximum of the likelihood`.
    const NAME: &'static str;

    /// Value and derivatives at a point.
    fn at(&self, point: &DVector<f64>) -> Local;

    /// Returns a sentence on the covariates that are the reason if the likelihood never falls in this direction, from any
    /// point and however far one goes, so that it has no maximum; `None` if it falls.
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

/// Result of the first good enough of the whole step, its half, its quarter, ….
pub fn halving<T>(most: i32, attempt: impl FnMut(f64) -> Option<T>) -> Option<T> {
    (0..most).map(|halvings| 0.5_f64.powi(halvings)).find_map(attempt)
}

/// Climbs from the origin to the maximum of a concave likelihood.
///
/// Where the likelihood has no maximum (separation), the steps tend to a direction in which it keeps rising; the data
/// then prove that it recedes, which is checked after each step.
pub fn maximise<L: Concave>(likelihood: &L, dimension: usize) -> Result<Maximum, NotEstimable> {
    let undefined = |why: String| NotEstimable::Undefined { quantity: L::NAME, why };
    let mut point = DVector::zeros(dimension);
    let mut local = likelihood.at(&point);
    let curvatures = local.information.symmetric_eigenvalues();
    // At the origin, where no observation has lost its weight yet: collinearity shows here before steps lead to where
    // everything is flat.
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
            let next_local = likelihood.at(&next);
            (next_local.value.is_finite() && next_local.value >= floor).then_some((next, next_local))
        });
        let (next, next_local) =
            climbed.ok_or_else(|| undefined("the values of the covariates leave the range of numbers".to_owned()))?;
        let is_last = step.amax() <= LAST_STEP * (1.0 + point.amax());
        (point, local) = (next, next_local);
        if is_last {
            return Ok(Maximum { point, local, is_bound: vec![false; dimension], converged: true, n_iterations });
        }
        // Proved from the data rather than concluded from a large estimate or error: a separation is told apart from
        // a strong effect.
        if let Some(why) = likelihood.recedes(&step) {
            return Err(undefined(why));
        }
    }
    Err(undefined(format!("it was not reached in {MOST_STEPS} steps of Newton's method")))
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
}

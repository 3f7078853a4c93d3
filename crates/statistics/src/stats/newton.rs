//! Newton's method for likelihoods that are concave, with proof of those that have no maximum.

use nalgebra::{DMatrix, DVector};

use super::NotEstimable;

/// Steps after which the search is given up.
const MOST_STEPS: usize = 60;

/// A step this short, in standard deviations of the covariates, is the last: as the error of
/// Newton's method is squared with each step, what remains after it is rounding.
const LAST_STEP: f64 = 1e-8;

/// A direction in which the curvature of the likelihood is less than this share of the largest, at the origin, is one
/// in which the data say nothing, and the rest is rounding.
const SMALLEST_CURVATURE: f64 = 1e-13;

/// A log-likelihood at one point.
pub(super) struct Local {
    pub value: f64,
    pub gradient: DVector<f64>,
    /// Minus the matrix of second derivatives.
    pub information: DMatrix<f64>,
}

/// A concave log-likelihood.
pub(super) trait Concave {
    /// What is sought, for messages, such as `the maximum of the likelihood`.
    const NAME: &'static str;

    /// Value and derivatives at a point.
    fn at(&self, point: &DVector<f64>) -> Local;

    /// Whether it never falls in this direction, from no point and however far one goes: then it has
    /// no maximum, and the returned sentence says which covariates are the reason.
    fn recedes(&self, direction: &DVector<f64>) -> Option<String>;
}

/// The maximum of a log-likelihood.
pub(super) struct Maximum {
    pub point: DVector<f64>,
    pub local: Local,
    pub n_iterations: usize,
}

/// Climbs from the origin to the maximum.
///
/// Where the likelihood has no maximum (separation), the steps tend to a direction in which it keeps rising; the data
/// then prove that it recedes, which is checked after each step.
pub(super) fn maximise<L: Concave>(likelihood: &L, dimension: usize) -> Result<Maximum, NotEstimable> {
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
        let (next, next_local) = climb(likelihood, &point, &local, &step)
            .ok_or_else(|| undefined("the values of the covariates leave the range of numbers".to_owned()))?;
        let is_last = step.amax() <= LAST_STEP * (1.0 + point.amax());
        (point, local) = (next, next_local);
        if is_last {
            return Ok(Maximum { point, local, n_iterations });
        }
        if let Some(why) = likelihood.recedes(&step) {
            return Err(undefined(why));
        }
    }
    Err(undefined(format!("it was not reached in {MOST_STEPS} steps of Newton's method")))
}

/// One step, halved until it does not lead down.
fn climb<L: Concave>(
    likelihood: &L,
    point: &DVector<f64>,
    local: &Local,
    step: &DVector<f64>,
) -> Option<(DVector<f64>, Local)> {
    let mut share = 1.0;
    // Near the top, a step in the right direction may lower the value by its rounding.
    let floor = local.value - 1e-10 * (1.0 + local.value.abs());
    for _ in 0..50 {
        let next = point + step * share;
        let next_local = likelihood.at(&next);
        if next_local.value.is_finite() && next_local.value >= floor {
            return Some((next, next_local));
        }
        share /= 2.0;
    }
    None
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

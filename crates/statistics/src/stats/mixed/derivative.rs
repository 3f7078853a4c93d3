//! Derivatives by central differences, extrapolated to a step of 0.
//!
//! Richardson (1911). *Philosophical Transactions of the Royal Society A*, 210, 307–357.

use nalgebra::DVector;

/// Number of times that the step is halved for a single difference. The steps of the deviance are a tenth of the radius in which it is
/// analytic: the error is some 1e-7 of the derivative.
const NARROW: i32 = 8;

/// Steps from which a derivative is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::stats) enum Precision {
    /// A single step, some hundred times as short: for functions that are known to nearly all digits.
    Narrow,
    /// The step, its half, and its quarter: the error of the extrapolated difference is of the sixth power of the step.
    Fine,
}

/// The derivatives of `functions` at `point`, one vector for each of the variables at the indices `free`; `step` tells
/// the largest step of a variable. Absent where a function cannot be computed.
pub(in crate::stats) fn derivatives(
    point: &[f64],
    free: &[usize],
    precision: Precision,
    step: impl Fn(usize) -> f64,
    mut functions: impl FnMut(&[f64]) -> Option<DVector<f64>>,
) -> Option<Vec<DVector<f64>>> {
    let mut moved = |k: usize, change: f64| {
        let mut next = point.to_vec();
        next[k] += change;
        functions(&next)
    };
    let halvings = match precision {
        Precision::Narrow => NARROW..NARROW + 1,
        Precision::Fine => 0..3,
    };
    let derivative = |&k: &usize| {
        let difference = |halvings: i32| {
            let size = step(k) * 0.5_f64.powi(halvings);
            Some((moved(k, size)? - moved(k, -size)?) / (2.0 * size))
        };
        Some(extrapolated(halvings.clone().map(difference).collect::<Option<Vec<_>>>()?))
    };
    free.iter().map(derivative).collect()
}

/// The limit of central differences whose step is halved from one to the next: their error has only
/// even powers of the step.
fn extrapolated(mut differences: Vec<DVector<f64>>) -> DVector<f64> {
    let mut power = 4.0;
    while differences.len() > 1 {
        // Errors of central differences have even powers of the step only, so each halving removes two orders
        // (Romberg).
        differences = differences.windows(2).map(|pair| (power * &pair[1] - &pair[0]) / (power - 1.0)).collect();
        power *= 4.0;
    }
    differences.swap_remove(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_of_known_functions_are_found() {
        let functions = |x: &[f64]| Some(DVector::from_vec(vec![x[0].exp() * x[1].sin(), x[0].powi(4) * x[1]]));
        let slopes = derivatives(&[0.5, 1.2], &[0, 1], Precision::Fine, |_| 0.05, functions).unwrap();
        let (e, sin, cos) = (0.5_f64.exp(), 1.2_f64.sin(), 1.2_f64.cos());
        let near = |actual: f64, expected: f64| assert!((actual - expected).abs() < 1e-8, "{actual} for {expected}");
        near(slopes[0][0], e * sin);
        near(slopes[1][0], e * cos);
        near(slopes[0][1], 4.0 * 0.125 * 1.2);
        near(slopes[1][1], 0.5_f64.powi(4));
        assert!(derivatives(&[1.0], &[0], Precision::Fine, |_| 0.1, |_| None).is_none());
    }
}

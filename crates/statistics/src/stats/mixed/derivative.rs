//! First and second derivatives by central differences, extrapolated to a step of 0.
//!
//! Richardson (1911). *Philosophical Transactions of the Royal Society A*, 210, 307–357.

use nalgebra::DVector;

/// How often the step is halved. With the three steps, the error of the extrapolated difference is
/// of the sixth power of the step.
const N_HALVINGS: usize = 2;

/// Derivatives of a vector of functions.
pub(in crate::stats) struct Derivatives {
    /// The functions at the point itself.
    pub value: DVector<f64>,
    /// For each variable the derivatives of the functions.
    pub gradient: Vec<DVector<f64>>,
    /// For each pair of variables the second derivatives.
    pub second: Vec<Vec<DVector<f64>>>,
}

/// The derivatives of `functions` at `point` in the variables at the indices `free`; `step` tells
/// the largest step of a variable. Absent where a function cannot be computed.
pub(in crate::stats) fn derivatives(
    point: &[f64],
    free: &[usize],
    step: impl Fn(usize, f64) -> f64,
    mut functions: impl FnMut(&[f64]) -> Option<DVector<f64>>,
) -> Option<Derivatives> {
    let value = functions(point)?;
    let mut gradient = Vec::with_capacity(free.len());
    let mut second = vec![vec![value.clone() * 0.0; free.len()]; free.len()];
    for (own, &k) in free.iter().enumerate() {
        let (mut firsts, mut seconds) = (Vec::new(), Vec::new());
        for size in steps(step(k, point[k])) {
            let above = functions(&moved(point, &[(k, size)]))?;
            let below = functions(&moved(point, &[(k, -size)]))?;
            firsts.push((&above - &below) / (2.0 * size));
            seconds.push((above + below - 2.0 * &value) / (size * size));
        }
        gradient.push(extrapolated(firsts));
        second[own][own] = extrapolated(seconds);
        for (other, &l) in free.iter().enumerate().take(own) {
            let mut mixed = Vec::new();
            for (size, across) in steps(step(k, point[k])).zip(steps(step(l, point[l]))) {
                let mut at = |up: f64, right: f64| functions(&moved(point, &[(k, up * size), (l, right * across)]));
                let difference = at(1.0, 1.0)? - at(1.0, -1.0)? - at(-1.0, 1.0)? + at(-1.0, -1.0)?;
                mixed.push(difference / (4.0 * size * across));
            }
            second[own][other] = extrapolated(mixed);
            second[other][own] = second[own][other].clone();
        }
    }
    Some(Derivatives { value, gradient, second })
}

fn steps(largest: f64) -> impl Iterator<Item = f64> {
    (0..=N_HALVINGS).map(move |halvings| largest * 0.5_f64.powi(halvings as i32))
}

fn moved(point: &[f64], changes: &[(usize, f64)]) -> Vec<f64> {
    let mut next = point.to_vec();
    changes.iter().for_each(|&(k, change)| next[k] += change);
    next
}

/// The limit of central differences whose step is halved from one to the next: their error has only
/// even powers of the step.
fn extrapolated(mut differences: Vec<DVector<f64>>) -> DVector<f64> {
    let mut power = 4.0;
    while differences.len() > 1 {
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
        let found = derivatives(&[0.5, 1.2], &[0, 1], |_, _| 0.05, functions).unwrap();
        let (e, sin, cos) = (0.5_f64.exp(), 1.2_f64.sin(), 1.2_f64.cos());
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-8, "{found} for {expected}");
        near(found.gradient[0][0], e * sin);
        near(found.gradient[1][0], e * cos);
        near(found.second[0][0][0], e * sin);
        near(found.second[0][1][0], e * cos);
        near(found.second[1][1][0], -e * sin);
        near(found.gradient[0][1], 4.0 * 0.125 * 1.2);
        near(found.second[0][0][1], 12.0 * 0.25 * 1.2);
        near(found.second[1][1][1], 0.0);
        assert!(derivatives(&[1.0], &[0], |_, _| 0.1, |_| None).is_none());
    }
}

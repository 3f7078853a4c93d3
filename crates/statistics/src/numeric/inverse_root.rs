//! The inverse square root as a sum of inverses, for matrices of which only shifted inverses are cheap.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, PI};

/// −ln of the relative error of the sum, about 1e-14.
const DIGITS: f64 = 32.0;

/// One term of the sum: `weight` / (λ + `shift`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Node {
    /// Above 0, in the unit of λ.
    pub shift: f64,
    pub weight: f64,
}

/// Terms whose sum is 1 / √λ for each λ from `smallest` to 1, but for rounding; `smallest` must be above 0 and at most 1.
///
/// 1 / √λ is 2 / π times the integral of 1 / (λ + t²) over t from 0 to ∞. With t = √`smallest` · sn u / cn u of Jacobi's
/// elliptic functions the midpoint rule in u converges geometrically, so that the number of terms grows with
/// ln(1 / `smallest`) only: some 40 for 1e-8.
///
/// Hale, Higham & Trefethen (2008). Computing A^α, log(A), and related matrix functions by contour integrals. *SIAM
/// Journal on Numerical Analysis*, 46, 2505–2523, method 3.
pub(crate) fn inverse_root(smallest: f64) -> Vec<Node> {
    // The error falls by a constant factor for each node, and the factor depends on the condition number by its
    // logarithm only (Hale, Higham and Trefethen, 2008): so many nodes are enough and no more.
    let half = (DIGITS * (3.0 - smallest.ln()) / (4.0 * PI * PI)).ceil() as usize;
    let (root, elliptic) = (smallest.sqrt(), Elliptic::new(smallest.sqrt()));
    let step = elliptic.quarter / (2 * half) as f64;
    let node = |t: f64, slope: f64| Node { shift: t * t, weight: FRAC_2_PI * step * slope };
    let pair = |number: usize| {
        let cotangent = elliptic.cotangent((number as f64 + 0.5) / (2 * half) as f64);
        let square = cotangent * cotangent;
        let (t, slope) = (root / cotangent, root * ((square + smallest) * (square + 1.0)).sqrt() / square);
        // The other half of the nodes mirrors this one: with the rest of the quarter period, t becomes root / t.
        [node(t, slope), node(root / t, root / (t * t) * slope)]
    };
    (0..half).flat_map(pair).collect()
}

/// Jacobi's elliptic functions of one modulus, by the arithmetic-geometric mean.
///
/// Bulirsch (1965). Numerical calculation of elliptic integrals and elliptic functions. *Numerische Mathematik*, 7,
/// 78–90.
struct Elliptic {
    /// The quarter period K.
    quarter: f64,
    /// The arithmetic and the geometric mean of each step.
    means: Vec<(f64, f64)>,
    /// Their limit.
    mean: f64,
}

impl Elliptic {
    /// The functions of the modulus √(1 − `complement`²).
    fn new(complement: f64) -> Self {
        let (mut arithmetic, mut geometric, mut means) = (1.0, complement, Vec::new());
        // The means converge quadratically: at the root of rounding, one more average has all digits.
        while arithmetic - geometric > f64::EPSILON.sqrt() * arithmetic {
            means.push((arithmetic, geometric));
            (arithmetic, geometric) = (0.5 * (arithmetic + geometric), f64::sqrt(arithmetic * geometric));
        }
        means.push((arithmetic, geometric));
        let mean = 0.5 * (arithmetic + geometric);
        Self { quarter: FRAC_PI_2 / mean, means, mean }
    }

    /// cn / sn at a share of the quarter period, from above 0 to 1. All terms are positive, so that no digits are lost.
    fn cotangent(&self, share: f64) -> f64 {
        let mut part = 1.0 / (share * FRAC_PI_2).tan();
        let (mut cotangent, mut delta) = (self.mean * part, 1.0);
        for (arithmetic, geometric) in self.means.iter().rev() {
            part *= cotangent;
            cotangent *= delta;
            delta = (geometric + part) / (arithmetic + part);
            part = cotangent / arithmetic;
        }
        cotangent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_the_inverse_root_at_either_end_and_between() {
        for (smallest, most) in [(1.0, 6), (0.3, 8), (1e-4, 24), (1e-8, 40), (1e-16, 70), (1e-30, 130)] {
            let nodes = inverse_root(smallest);
            assert!(nodes.len() <= most, "{} nodes of {smallest:e}", nodes.len());
            for place in 0..=20 {
                let value = smallest.powf(f64::from(place) / 20.0);
                let sum: f64 = nodes.iter().map(|node| node.weight / (value + node.shift)).sum();
                let error = sum * value.sqrt() - 1.0;
                assert!(error.abs() < 1e-13, "from {smallest:e} at {value:e}: {error:e}");
            }
        }
    }
}

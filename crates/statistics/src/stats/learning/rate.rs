//! The rate of a curve y = a + b exp(−c u) by least squares, where u is a known function of the trial.
//!
//! For a given rate c the best a and b are those of a straight line in exp(−c u), so the sum of squares
//! is a function of c alone (Golub & Pereyra, 1973, *SIAM Journal on Numerical Analysis*, 10, 413–432).
//! Its derivative is searched for changes of sign over the whole range of rates that the data could tell
//! apart; each is a local minimum, and the best of them is the estimate.

use crate::not_estimable::NotEstimable;
use crate::numeric::moments::Centred;

/// Number of rates, evenly spaced in their logarithm, between which minima are looked for.
pub(super) const N_STARTS: usize = 200;

/// A curve that falls by less than this share over all trials is a straight line to the eye of the
/// data; one that keeps less than this share by the second trial has a first trial and a constant.
const SMALLEST_CHANGE: f64 = 1e-3;
const SMALLEST_REST: f64 = 1e-6;

/// The best rate.
pub(super) struct Rate {
    pub rate: f64,
    /// Number of local minima.
    pub n_minima: usize,
    /// Number of halvings that located the best one.
    pub iterations: usize,
}

/// The sum of squares as a function of the rate.
struct Profile<'a> {
    /// u less its smallest value.
    u: &'a [f64],
    y: Centred,
}

/// Finds the rate. `u` and `y` must be finite, of equal length, and take three values or more.
pub(super) fn best_rate(u: &[f64], y: &[f64]) -> Result<Rate, NotEstimable> {
    let smallest = u.iter().copied().fold(f64::INFINITY, f64::min);
    let u: Vec<f64> = u.iter().map(|u| u - smallest).collect();
    let largest = u.iter().copied().fold(0.0, f64::max);
    let second = u.iter().copied().filter(|&u| u > 0.0).fold(f64::INFINITY, f64::min);
    let profile = Profile { u: &u, y: Centred::new(y) };
    let (slowest, fastest) = (SMALLEST_CHANGE / largest, -SMALLEST_REST.ln() / second);
    let step = (fastest / slowest).ln() / (N_STARTS - 1) as f64;
    let rates: Vec<f64> = (0..N_STARTS).map(|number| slowest * (step * number as f64).exp()).collect();
    let slopes: Vec<f64> = rates.iter().map(|&rate| profile.at(rate).1).collect();
    let brackets = (1..N_STARTS).filter(|&number| slopes[number - 1] < 0.0 && slopes[number] >= 0.0);
    let minima: Vec<(f64, usize)> =
        brackets.map(|number| profile.minimum_between(rates[number - 1], rates[number])).collect();
    let sum_at = |rate: f64| profile.at(rate).0;
    let best = minima.iter().copied().min_by(|left, right| sum_at(left.0).total_cmp(&sum_at(right.0)));
    let (at_slowest, at_fastest) = (sum_at(slowest), sum_at(fastest));
    match best {
        Some((rate, iterations)) if sum_at(rate) <= at_slowest.min(at_fastest) => {
            Ok(Rate { rate, n_minima: minima.len(), iterations })
        }
        _ => {
            let end = if at_slowest <= at_fastest { "slow" } else { "fast" };
            let why = format!("the fit is best at the {end} end of all rates, so the data do not determine the rate");
            Err(NotEstimable::Undefined { quantity: "the learning curve", why })
        }
    }
}

impl Profile<'_> {
    /// The sum of squares and its derivative by the rate, in units of the largest deviation of y.
    fn at(&self, rate: f64) -> (f64, f64) {
        let part: Vec<f64> = self.u.iter().map(|u| (-rate * u).exp()).collect();
        let x = Centred::new(&part);
        let slope = x.sum_of_products(&self.y) / x.sum_of_powers(2);
        let (mut sum, mut derivative) = (0.0, 0.0);
        for ((x, y), (u, part)) in x.deviations.iter().zip(&self.y.deviations).zip(self.u.iter().zip(&part)) {
            let residual = y - slope * x;
            sum += residual * residual;
            derivative += residual * u * part;
        }
        // Up to a positive factor. The derivatives by a and b are 0 at their best values, so that c counts by way of
        // exp(−c u) alone (envelope theorem).
        (sum, slope * derivative)
    }

    /// Halves the bracket until its ends are neighbours.
    fn minimum_between(&self, mut low: f64, mut high: f64) -> (f64, usize) {
        let mut iterations = 0;
        loop {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                return (middle, iterations);
            }
            iterations += 1;
            if self.at(middle).1 < 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
    }
}

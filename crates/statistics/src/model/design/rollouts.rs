//! Rollouts of random moves that come to a goal: their probability as a function of their length.
//!
//! A rollout goes on after each of its moves with the probability 1 − γ, and so has L = 1 / γ moves on average. The logarithm
//! of the probability to come to a goal is smooth in t = ln(L − 1), and kept as a series of Chebyshev polynomials between the
//! ends of a range (Trefethen, 2013. *Approximation theory and approximation practice*, chapters 3 and 8).
//! The nearest singularities are π away from the range, where γ is negative; with 56 terms, 1e-9 of the logarithm is left out.

use std::sync::LazyLock;

/// The ends of t: rollouts of 1.0003 to 3,000 moves.
pub const ENDS: (f64, f64) = (-8.0, 8.0);

/// Number of lengths for which the probabilities are given.
pub const N_LENGTHS: usize = 56;

/// The lengths L of rollouts for which [`Alternative::rollouts`](crate::model::Alternative::rollouts) has probabilities, from
/// the longest to the shortest.
pub fn rollout_lengths() -> [f64; N_LENGTHS] {
    std::array::from_fn(|place| 1.0 + (middle() + half() * node(place)).exp())
}

fn middle() -> f64 {
    0.5 * (ENDS.0 + ENDS.1)
}

fn half() -> f64 {
    0.5 * (ENDS.1 - ENDS.0)
}

/// The Chebyshev points, from 1 to −1.
fn node(place: usize) -> f64 {
    angle(place).cos()
}

fn angle(place: usize) -> f64 {
    std::f64::consts::PI * (place as f64 + 0.5) / N_LENGTHS as f64
}

/// The series of the logarithm of these probabilities; none where no rollout comes to a goal.
pub fn series(probabilities: &[f64]) -> Vec<f64> {
    if probabilities.iter().any(|probability| *probability <= 0.0) {
        return Vec::new();
    }
    static FACTORS: LazyLock<Vec<[f64; N_LENGTHS]>> = LazyLock::new(|| {
        let factor = |order: usize, place: usize| {
            let scale = if order == 0 { 1.0 } else { 2.0 } / N_LENGTHS as f64;
            scale * (order as f64 * angle(place)).cos()
        };
        (0..N_LENGTHS).map(|order| std::array::from_fn(|place| factor(order, place))).collect()
    });
    let logs: Vec<f64> = probabilities.iter().map(|probability| probability.ln()).collect();
    FACTORS.iter().map(|factors| factors.iter().zip(&logs).map(|(factor, log)| factor * log).sum()).collect()
}

/// The polynomials at a point, with their first and second derivatives by t.
pub struct Basis([[f64; N_LENGTHS]; 3]);

impl Basis {
    pub fn new(t: f64) -> Self {
        let x = (t - middle()) / half();
        let scale = 1.0 / half();
        let [mut values, mut slopes, mut bends] = [[0.0; N_LENGTHS]; 3];
        (values[0], values[1], slopes[1]) = (1.0, x, scale);
        for order in 2..N_LENGTHS {
            let next = |of: &[f64; N_LENGTHS]| 2.0 * x * of[order - 1] - of[order - 2];
            values[order] = next(&values);
            slopes[order] = next(&slopes) + 2.0 * scale * values[order - 1];
            bends[order] = next(&bends) + 4.0 * scale * slopes[order - 1];
        }
        Self([values, slopes, bends])
    }

    /// The probability that a series stands for.
    pub fn value(&self, series: &[f64]) -> f64 {
        if series.is_empty() {
            return 0.0;
        }
        product(series, &self.0[0]).exp()
    }

    /// The probability that a series stands for, with its first and second derivative by t.
    pub fn probability(&self, series: &[f64]) -> [f64; 3] {
        if series.is_empty() {
            return [0.0; 3];
        }
        let [log, slope, bend] = self.0.each_ref().map(|terms| product(series, terms));
        let value = log.exp();
        [value, value * slope, value * (bend + slope * slope)]
    }
}

/// Σ of products, in four sums side by side: fits of rollouts spend their time here.
fn product(series: &[f64], terms: &[f64; N_LENGTHS]) -> f64 {
    const { assert!(N_LENGTHS.is_multiple_of(4)) };
    let mut sums = [0.0; 4];
    for (own, terms) in series.chunks_exact(4).zip(terms.chunks_exact(4)) {
        for lane in 0..4 {
            sums[lane] += own[lane] * terms[lane];
        }
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of two moves to the goal, each the right one of three: (q / 3)² of the rollouts come there, with q = 1 − 1 / L, but for
    /// those that go round: a rational function of q.
    #[test]
    fn a_series_stands_for_what_it_was_made_from() {
        let exact = |length: f64| {
            let q = 1.0 - 1.0 / length;
            (q / 3.0).powi(12) / (1.0 - 0.9 * q * q)
        };
        let found = series(&rollout_lengths().map(exact));
        for step in 0..=160 {
            let t = ENDS.0 + 0.1 * f64::from(step);
            let value = |t: f64| exact(1.0 + t.exp());
            let [own, slope, bend] = Basis::new(t).probability(&found);
            // The series of its logarithm is off by 8.9e-10 at most.
            assert!((own / value(t) - 1.0).abs() < 9e-10, "{t}");
            let h = 1e-4;
            let numeric =
                [(value(t + h) - value(t - h)) / (2.0 * h), (value(t + h) + value(t - h) - 2.0 * value(t)) / (h * h)];
            let is_close = |own: f64, numeric: f64| (own - numeric).abs() < 1e-4 * (value(t) + own.abs());
            assert!(is_close(slope, numeric[0]) && is_close(bend, numeric[1]), "{t}");
        }
        assert_eq!(Basis::new(0.0).probability(&series(&[0.0; N_LENGTHS])), [0.0; 3]);
    }
}

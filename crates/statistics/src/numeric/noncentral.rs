//! The noncentral t distribution, for intervals of standardised differences of means.

use statrs::function::gamma::ln_gamma;

use super::distribution::{beta_reg, normal_cdf};

/// Noncentralities are searched for up to this size; the series then has some thousand terms.
pub(crate) const LARGEST: f64 = 200.0;

/// Probability that a noncentral t variable is at most `t`.
///
/// Lenth (1989). Algorithm AS 243: cumulative distribution function of the non-central t
/// distribution. *Applied Statistics*, 38, 185–189: its series, summed around the largest weights.
pub(crate) fn noncentral_t_cdf(t: f64, df: f64, noncentrality: f64) -> f64 {
    // The series converges for t above 0; below, the distribution is mirrored.
    if t < 0.0 {
        return 1.0 - noncentral_t_cdf(-t, df, -noncentrality);
    }
    let below_zero = normal_cdf(-noncentrality);
    let x = t * t / (df + t * t);
    let half_square = noncentrality * noncentrality / 2.0;
    if half_square == 0.0 {
        return below_zero + 0.5 * beta_reg(0.5, df / 2.0, x);
    }
    // Poisson weights beyond twelve standard deviations from their mean are below 1e-30.
    let width = 12.0 * half_square.sqrt() + 40.0;
    let (first, last) = ((half_square - width).max(0.0).floor() as u64, (half_square + width).ceil() as u64);
    // Each weight by itself from logarithms: a recursion from j = 0 would begin at exp(−δ²/2), which is 0 in floating
    // point for a large δ.
    let terms = (first..=last).map(|j| {
        let j = j as f64;
        let even = (j * half_square.ln() - half_square - ln_gamma(j + 1.0)).exp();
        let odd =
            (j * half_square.ln() - half_square - ln_gamma(j + 1.5)).exp() * noncentrality / std::f64::consts::SQRT_2;
        even * beta_reg(j + 0.5, df / 2.0, x) + odd * beta_reg(j + 1.0, df / 2.0, x)
    });
    (below_zero + 0.5 * terms.sum::<f64>()).clamp(0.0, 1.0)
}

/// The noncentrality at which `t` has the probability `p` of being exceeded from below; absent
/// beyond [`LARGEST`].
pub(crate) fn noncentrality_at(t: f64, df: f64, p: f64) -> Option<f64> {
    // The probability falls as the noncentrality grows.
    let is_above = |noncentrality: f64| noncentral_t_cdf(t, df, noncentrality) > p;
    let (mut low, mut high) = (-LARGEST, LARGEST);
    if !is_above(low) || is_above(high) {
        return None;
    }
    // Halving needs no derivative, and cannot miss the root of a monotone function.
    while high - low > 1e-13 * (1.0 + low.abs().max(high.abs())) {
        let middle = 0.5 * (low + high);
        if is_above(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(0.5 * (low + high))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// t, degrees of freedom, noncentrality, probability.
    const SCIPY: [(f64, f64, f64, f64); 7] = [
        (1.5, 10.0, 0.0, 0.9177463367772799),
        (2.0, 18.0, 1.2, 0.7681902245598783),
        (-0.7, 5.0, 0.4, 0.14864814656597267),
        (-2.5, 30.0, -1.0, 0.07942709437640805),
        (0.0, 7.0, 0.8, 0.21185539858339664),
        (12.0, 60.0, 9.5, 0.9520189344979524),
        (45.0, 200.0, 42.0, 0.8847161890866508),
    ];

    #[test]
    fn probabilities_are_those_of_scipy() {
        // scipy: stats.nct.cdf(t, df, nc).
        for (t, df, noncentrality, expected) in SCIPY {
            let p = noncentral_t_cdf(t, df, noncentrality);
            // The normal distribution function, by the erfc of statrs, is exact to a relative 1e-10 only.
            assert!((p - expected).abs() < 1e-10, "t = {t}, df = {df}, nc = {noncentrality}: {p}");
        }
    }

    #[test]
    fn the_search_finds_the_noncentrality_again() {
        for noncentrality in [-3.0, 0.0, 0.7, 40.0] {
            let p = noncentral_t_cdf(noncentrality + 0.5, 23.0, noncentrality);
            let again = noncentrality_at(noncentrality + 0.5, 23.0, p).unwrap();
            assert!((again - noncentrality).abs() < 1e-9);
        }
        assert_eq!(noncentrality_at(1e6, 5.0, 0.025), None);
    }
}

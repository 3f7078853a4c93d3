//! Tail probabilities and quantiles of the distributions that the estimators use.
//!
//! Where a statistic or its degrees of freedom are no number, so is the probability: none of these functions panics.

use statrs::function::{beta, erf, gamma::gamma_ur};

/// The regularised incomplete beta function; NaN outside of its domain, where statrs panics.
pub(crate) fn beta_reg(a: f64, b: f64, x: f64) -> f64 {
    // statrs panics outside of the domain; a NaN reaches the caller as an absent value.
    let is_in_domain = is_shape(a) && is_shape(b) && (0.0..=1.0).contains(&x);
    if is_in_domain { beta::beta_reg(a, b, x) } else { f64::NAN }
}

fn is_shape(shape: f64) -> bool {
    shape > 0.0 && shape.is_finite()
}

/// Probability that a standard normal variable is at most `z`.
pub fn normal_cdf(z: f64) -> f64 {
    // By the complement of the error function: 1 + erf(z) would lose all digits in the lower tail.
    0.5 * erf::erfc(-z / std::f64::consts::SQRT_2)
}

/// The value that a standard normal variable exceeds with probability `tail`, for `0 < tail < 1`.
pub fn normal_upper_quantile(tail: f64) -> f64 {
    std::f64::consts::SQRT_2 * erf::erfc_inv(2.0 * tail)
}

/// Two-sided p value of a t statistic. An infinite statistic gives 0.
pub fn student_two_sided(t: f64, df: f64) -> f64 {
    if t.is_infinite() {
        return 0.0;
    }
    let square = t * t;
    // Small p values must be computed themselves: as 1 minus their complement they would lose all
    // digits. Near t = 0, where p is near 1, it is the other way round.
    if square > 1.0 {
        beta_reg(0.5 * df, 0.5, df / (df + square))
    } else {
        1.0 - beta_reg(0.5, 0.5 * df, square / (df + square))
    }
}

/// The value that |t| exceeds with probability `2 * tail`, for `0 < tail < 0.5`.
pub fn student_upper_quantile(tail: f64, df: f64) -> f64 {
    upper_quantile(|t| student_two_sided(t, df), 2.0 * tail)
}

/// The positive number that is exceeded with probability `tail`, by the probability `upper` of exceeding a number.
fn upper_quantile(upper: impl Fn(f64) -> f64, tail: f64) -> f64 {
    if upper(1.0).is_nan() || tail.is_nan() {
        return f64::NAN;
    }
    let exceeds = |value| upper(value) > tail;
    let (mut low, mut high) = (0.0, 1.0);
    while exceeds(high) && high < f64::MAX / 2.0 {
        (low, high) = (high, 2.0 * high);
    }
    // Halving until the two ends are neighbours takes some sixty steps and needs no starting value.
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return middle;
        }
        if exceeds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// Probability that a chi-squared variable exceeds `x`.
pub fn chi_squared_upper(x: f64, df: f64) -> f64 {
    if x.is_nan() || df.is_nan() || df <= 0.0 || df.is_infinite() {
        f64::NAN
    } else if x <= 0.0 {
        1.0
    } else if x.is_infinite() {
        0.0
    } else {
        gamma_ur(0.5 * df, 0.5 * x)
    }
}

/// Two-sided p value of a standard normal statistic.
pub fn normal_two_sided(z: f64) -> f64 {
    erf::erfc(z.abs() / std::f64::consts::SQRT_2)
}

/// Probability that an F variable exceeds `f`. An infinite statistic gives 0.
pub fn f_upper(f: f64, df1: f64, df2: f64) -> f64 {
    if f <= 0.0 {
        return 1.0;
    }
    if f.is_infinite() {
        return 0.0;
    }
    let rest = df2 / (df2 + df1 * f);
    // As for Student's t: the smaller of the two tails is computed, the other is its complement.
    if f > 1.0 { beta_reg(0.5 * df2, 0.5 * df1, rest) } else { 1.0 - beta_reg(0.5 * df1, 0.5 * df2, 1.0 - rest) }
}

/// The value that an F variable exceeds with probability `tail`, for `0 < tail < 1`.
pub fn f_upper_quantile(tail: f64, df1: f64, df2: f64) -> f64 {
    upper_quantile(|f| f_upper(f, df1, df2), tail)
}

/// Probability of at most `k` heads in `n` throws of a fair coin, for `k < n`.
pub fn fair_binomial_cdf(k: usize, n: usize) -> f64 {
    beta_reg((n - k) as f64, (k + 1) as f64, 0.5)
}

/// The logistic function 1 / (1 + exp(−x)), without overflow.
pub fn logistic(x: f64) -> f64 {
    // Only exponentials of negative numbers: exp(x) would overflow beyond 709, and the quotient be no number.
    if x >= 0.0 { 1.0 / (1.0 + (-x).exp()) } else { x.exp() / (1.0 + x.exp()) }
}

/// ln(1 + exp(x)), without overflow.
pub fn softplus(x: f64) -> f64 {
    // ln(1 + eˣ) with the larger of its two terms taken out, so that nothing overflows and small values keep their
    // digits.
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_has_no_probability_and_nothing_panics() {
        for (value, df) in [(f64::NAN, 3.0), (2.0, f64::NAN), (2.0, 0.0), (2.0, -1.0), (2.0, f64::INFINITY)] {
            assert!(student_two_sided(value, df).is_nan(), "t = {value}, df = {df}");
            assert!(f_upper(value, df, 3.0).is_nan() && f_upper(value, 3.0, df).is_nan(), "F = {value}, df = {df}");
            assert!(chi_squared_upper(value, df).is_nan(), "χ² = {value}, df = {df}");
        }
        assert!(student_upper_quantile(0.025, f64::NAN).is_nan() && f_upper_quantile(0.05, 2.0, f64::NAN).is_nan());
        let infinite = f64::INFINITY;
        assert_eq!((student_two_sided(infinite, 3.0), f_upper(infinite, 1.0, 3.0)), (0.0, 0.0));
        assert_eq!(chi_squared_upper(infinite, 3.0), 0.0);
    }

    #[test]
    fn f_has_the_tails_of_its_definition() {
        // With one numerator degree of freedom, F is the square of t.
        assert!((f_upper(2.5_f64.powi(2), 1.0, 7.3) - student_two_sided(2.5, 7.3)).abs() < 1e-15);
        // With two, the tail is (1 + 2 f / df2) to the power of −df2 / 2.
        for f in [0.01, 0.5, 1.0, 4.0, 60.0] {
            let expected = (1.0 + 2.0 * f / 9.0_f64).powf(-4.5);
            assert!((f_upper(f, 2.0, 9.0) / expected - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn quantiles_are_those_of_the_printed_tables() {
        assert!((normal_upper_quantile(0.025) - 1.959_963_984_540_054).abs() < 1e-14);
        assert!((student_upper_quantile(0.025, 10.0) - 2.228_138_851_986_274).abs() < 1e-12);
        // One degree of freedom is the Cauchy distribution, whose quantiles are tangents.
        let cauchy = (std::f64::consts::PI * 0.475).tan();
        assert!((student_upper_quantile(0.025, 1.0) - cauchy).abs() < 1e-11);
    }

    #[test]
    fn small_p_values_keep_their_digits() {
        // scipy: 2 * stats.t.sf(30, 33251) and 2 * stats.t.sf(1e-3, 33251).
        assert!((student_two_sided(30.0, 33_251.0) / 3.941_952_714_822_856e-195 - 1.0).abs() < 1e-9);
        assert!((student_two_sided(1e-3, 33_251.0) - 0.999_202_121_571_11).abs() < 1e-13);
    }

    #[test]
    fn a_fair_coin_thrown_six_times_shows_at_most_one_head_in_7_of_64_cases() {
        assert!((fair_binomial_cdf(1, 6) - 7.0 / 64.0).abs() < 1e-15);
    }
}

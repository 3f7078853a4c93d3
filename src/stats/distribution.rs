//! Tail probabilities and quantiles of the distributions that the estimators use.

use statrs::function::{beta::beta_reg, erf, gamma::gamma_ur};

/// Probability that a standard normal variable is at most `z`.
pub(crate) fn normal_cdf(z: f64) -> f64 {
    0.5 * erf::erfc(-z / std::f64::consts::SQRT_2)
}

/// The value that a standard normal variable exceeds with probability `tail`, for `0 < tail < 1`.
pub(crate) fn normal_upper_quantile(tail: f64) -> f64 {
    std::f64::consts::SQRT_2 * erf::erfc_inv(2.0 * tail)
}

/// Two-sided p value of a t statistic. An infinite statistic gives 0.
pub(crate) fn student_two_sided(t: f64, df: f64) -> f64 {
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
pub(crate) fn student_upper_quantile(tail: f64, df: f64) -> f64 {
    upper_quantile(|t| student_two_sided(t, df) > 2.0 * tail)
}

/// The positive number up to which a condition holds that no larger number meets.
fn upper_quantile(exceeds: impl Fn(f64) -> bool) -> f64 {
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
pub(crate) fn chi_squared_upper(x: f64, df: f64) -> f64 {
    if x <= 0.0 { 1.0 } else { gamma_ur(0.5 * df, 0.5 * x) }
}

/// Two-sided p value of a standard normal statistic.
pub(crate) fn normal_two_sided(z: f64) -> f64 {
    erf::erfc(z.abs() / std::f64::consts::SQRT_2)
}

/// Probability that an F variable exceeds `f`. An infinite statistic gives 0.
pub(crate) fn f_upper(f: f64, df1: f64, df2: f64) -> f64 {
    if f <= 0.0 {
        1.0
    } else if f.is_infinite() {
        0.0
    } else {
        beta_reg(0.5 * df2, 0.5 * df1, df2 / (df2 + df1 * f))
    }
}

/// The value that an F variable exceeds with probability `tail`, for `0 < tail < 1`.
pub(crate) fn f_upper_quantile(tail: f64, df1: f64, df2: f64) -> f64 {
    upper_quantile(|f| f_upper(f, df1, df2) > tail)
}

/// Probability of at most `k` heads in `n` throws of a fair coin, for `k < n`.
pub(crate) fn fair_binomial_cdf(k: usize, n: usize) -> f64 {
    beta_reg((n - k) as f64, (k + 1) as f64, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

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

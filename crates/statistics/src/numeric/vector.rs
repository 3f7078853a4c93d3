//! Arithmetic on many numbers at once, in loops that a compiler turns into instructions for several of them.

/// Σ left · right, in four sums side by side.
pub(crate) fn dot(left: &[f64], right: &[f64]) -> f64 {
    let (left, last) = left.as_chunks::<4>();
    let (right, other_last) = right.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (left, right) in left.iter().zip(right) {
        (0..4).for_each(|lane| sums[lane] += left[lane] * right[lane]);
    }
    let rest: f64 = last.iter().zip(other_last).map(|(left, right)| left * right).sum();
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}

/// Σ values, in four sums side by side.
pub(crate) fn sum(values: &[f64]) -> f64 {
    let (values, last) = values.as_chunks::<4>();
    let mut sums = [0.0; 4];
    values.iter().for_each(|values| (0..4).for_each(|lane| sums[lane] += values[lane]));
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + last.iter().sum::<f64>()
}

/// Adds `factor` times `values` to `total`.
pub(crate) fn add(factor: f64, values: &[f64], total: &mut [f64]) {
    total.iter_mut().zip(values).for_each(|(total, value)| *total += factor * value);
}

/// Σ n ln x, of which the products of many numbers take one logarithm together.
pub(crate) struct LogSum {
    sum: f64,
    product: f64,
}

impl Default for LogSum {
    fn default() -> Self {
        Self { sum: 0.0, product: 1.0 }
    }
}

impl LogSum {
    /// What is smaller than this, or larger than its inverse, is taken the logarithm of by itself.
    const LEAST: f64 = 1e-90;

    /// The product is taken the logarithm of before it can overflow with the next number.
    const LEAST_PRODUCT: f64 = 1e-200;

    /// A logarithm takes longer than to multiply a few times, and less than to multiply often.
    const MOST_TIMES: f64 = 32.0;

    /// Adds as many times the logarithm of a number as `times` says.
    pub fn add(&mut self, value: f64, times: f64) {
        let power = if times == 1.0 { value } else { Self::power(value, times) };
        if (Self::LEAST..=1.0 / Self::LEAST).contains(&power) {
            self.product *= power;
        } else {
            self.add_logarithm(value, times);
        }
        if !(Self::LEAST_PRODUCT..=1.0 / Self::LEAST_PRODUCT).contains(&self.product) {
            let product = std::mem::replace(&mut self.product, 1.0);
            self.add_logarithm(product, 1.0);
        }
    }

    // Within a loop the compiler would take every logarithm, and then choose.
    #[inline(never)]
    fn add_logarithm(&mut self, value: f64, times: f64) {
        self.sum += times * value.ln();
    }

    /// The number multiplied with itself, if that is so often a whole number of times, and not many.
    fn power(value: f64, times: f64) -> f64 {
        let mut rest = times as u32;
        if times > Self::MOST_TIMES || f64::from(rest) != times {
            return f64::NAN;
        }
        let (mut power, mut square) = (1.0, value);
        while rest > 0 {
            if rest % 2 == 1 {
                power *= square;
            }
            square *= square;
            rest /= 2;
        }
        power
    }

    /// The sum.
    pub fn total(&self) -> f64 {
        self.sum + self.product.ln()
    }
}

/// ln 2 in two parts, of which the first has so few digits that small multiples of it are exact.
const LN_2: (f64, f64) = (0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10);

/// Added to a number of less than 2⁵¹ it leaves no room for digits behind the point: they are rounded.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// Somewhat below it the exponential function is no normal number.
const LOWEST: f64 = -708.0;

/// 1 / n!, the factors of the Taylor series: with the whole powers of 2 taken off, |x| is at most ln 2 / 2, and what comes
/// behind the thirteenth power is less than rounding.
const FACTORS: [f64; 14] = {
    let mut factors = [1.0; 14];
    let mut power = 1;
    while power < 14 {
        factors[power] = factors[power - 1] / power as f64;
        power += 1;
    }
    factors
};

/// Replaces numbers up to 700 by their exponential function, to within 4e-16 of itself; numbers below −708 by 0.
pub(crate) fn exponentials(values: &mut [f64]) {
    for value in values {
        let is_low = *value < LOWEST;
        let x = if is_low { LOWEST } else { *value };
        let rounded = x * std::f64::consts::LOG2_E + ROUNDER;
        let power = rounded - ROUNDER;
        let rest = (x - power * LN_2.0) - power * LN_2.1;
        // Even and odd powers apart: neither waits for the other.
        let square = rest * rest;
        let (mut even, mut odd) = (FACTORS[12], FACTORS[13]);
        for power in (0..6).rev() {
            even = even * square + FACTORS[2 * power];
            odd = odd * square + FACTORS[2 * power + 1];
        }
        let series = even + odd * rest;
        // The lowest bits of `rounded` are the power of 2; they are brought to where a number has its exponent.
        let found = series * f64::from_bits((rounded.to_bits() << 52).wrapping_add(1.0_f64.to_bits()));
        *value = if is_low { 0.0 } else { found };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_have_nearly_all_digits() {
        let mut worst: f64 = 0.0;
        for place in 0..200_001 {
            let x = -708.0 + 1408.0 * f64::from(place) / 200_000.0;
            let mut found = [x];
            exponentials(&mut found);
            worst = worst.max((found[0] / x.exp() - 1.0).abs());
        }
        assert!(worst < 4.5e-16, "{worst:e}");
        let mut found = [0.0, -0.0, -1e4, f64::NEG_INFINITY, 1e-300, f64::NAN];
        exponentials(&mut found);
        assert_eq!(found[..5], [1.0, 1.0, 0.0, 0.0, 1.0]);
        assert!(found[5].is_nan());
    }

    #[test]
    fn logarithms_are_summed_whatever_the_size_of_the_numbers() {
        let (mut found, mut expected) = (LogSum::default(), 0.0);
        for place in 0..2000 {
            let value = 10.0_f64.powi(place % 37 - 30) * (1.0 + f64::from(place % 11));
            let times = [1.0, 2.0, 1.0, 32.0, 7.0, 50.0, 0.25][place as usize % 7];
            found.add(value, times);
            expected += times * value.ln();
        }
        assert!((found.total() / expected - 1.0_f64).abs() < 1e-13);
        found.add(0.0, 1.0);
        assert_eq!(found.total(), f64::NEG_INFINITY);
        found.add(f64::NAN, 1.0);
        assert!(found.total().is_nan());
    }

    #[test]
    fn products_are_summed_whatever_their_number() {
        for n in 0..11 {
            let values: Vec<f64> = (1..=n).map(f64::from).collect();
            assert_eq!(dot(&values, &values), f64::from(n * (n + 1) * (2 * n + 1) / 6));
        }
        let mut total = [1.0, 2.0];
        add(3.0, &[1.0, -1.0], &mut total);
        assert_eq!(total, [4.0, -1.0]);
        assert_eq!(sum(&[1.0, 2.0, 3.0, 4.0, 5.0]), 15.0);
    }
}

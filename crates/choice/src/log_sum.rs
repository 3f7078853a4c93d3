//! Sums of logarithms, of which the products of many numbers take one together.

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
    /// A number smaller than this, or larger than its inverse, has its logarithm taken by itself.
    const LEAST: f64 = 1e-90;

    /// The product is taken the logarithm of before it can overflow with the next number.
    const LEAST_PRODUCT: f64 = 1e-200;

    /// A logarithm takes longer than to multiply a few times, and less than to multiply often.
    const MOST_TIMES: f64 = 32.0;

    /// Adds as many times the logarithm of a number as `times` says.
    #[inline(always)]
    pub fn add(&mut self, value: f64, times: f64) {
        let power = if times == 1.0 { value } else { Self::power(value, times) };
        // A NaN is in no range: powers that are not computed, and values that are no number, go to the logarithm.
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
    #[inline(always)]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_summed_whatever_the_size_of_the_numbers() {
        let (mut sum, mut expected) = (LogSum::default(), 0.0);
        for place in 0..2000 {
            let value = 10.0_f64.powi(place % 37 - 30) * (1.0 + f64::from(place % 11));
            let times = [1.0, 2.0, 1.0, 32.0, 7.0, 50.0, 0.25][place as usize % 7];
            sum.add(value, times);
            expected += times * value.ln();
        }
        assert!((sum.total() / expected - 1.0_f64).abs() < 1e-13);
        sum.add(0.0, 1.0);
        assert_eq!(sum.total(), f64::NEG_INFINITY);
        sum.add(f64::NAN, 1.0);
        assert!(sum.total().is_nan());
    }
}

//! Means and deviations that survive large offsets and tiny or huge scales.

/// A non-empty sample as its mean and its deviations from it.
///
/// Deviations are kept in units of the largest one, so that their squares and cubes neither
/// overflow nor vanish whatever the unit of the data. A constant sample has scale 0 exactly, also
/// where rounding would put its mean beside its values.
pub(crate) struct Centred {
    /// Arithmetic mean.
    pub mean: f64,
    /// Largest absolute deviation; 0 if and only if all values are equal.
    pub scale: f64,
    /// Deviations from the mean divided by `scale`.
    pub deviations: Vec<f64>,
}

impl Centred {
    /// Centres a sample, which must not be empty.
    pub fn new(values: &[f64]) -> Self {
        // Exactly: a mean of equal numbers may be rounded, and would leave deviations that look like variance.
        if values.iter().all(|&value| value == values[0]) {
            return Self { mean: values[0], scale: 0.0, deviations: vec![0.0; values.len()] };
        }
        let mean = mean(values);
        let mut deviations: Vec<f64> = values.iter().map(|value| value - mean).collect();
        let scale = deviations.iter().fold(0.0, |largest: f64, deviation| largest.max(deviation.abs()));
        // In units of the largest, so that powers of tiny or huge deviations stay within the range of numbers.
        deviations.iter_mut().for_each(|deviation| *deviation /= scale);
        Self { mean, scale, deviations }
    }

    /// Returns true if all values are equal.
    pub fn is_constant(&self) -> bool {
        self.scale == 0.0
    }

    /// Sum of the deviations to a power, in units of `scale` to that power.
    pub fn sum_of_powers(&self, power: i32) -> f64 {
        self.deviations.iter().map(|deviation| deviation.powi(power)).sum()
    }

    /// Sum of the squared deviations, in the squared unit of the sample.
    pub fn sum_of_squares(&self) -> f64 {
        self.sum_of_powers(2) * self.scale * self.scale
    }

    /// Sum of the products with another sample's deviations, in units of both scales.
    pub fn sum_of_products(&self, other: &Self) -> f64 {
        self.deviations.iter().zip(&other.deviations).map(|(left, right)| left * right).sum()
    }
}

/// Arithmetic mean; NaN without values, and NaN or infinite where a value is.
///
/// The sum carries its rounding errors along (Knuth's TwoSum), and so does the division: what is left of the sum after
/// the first quotient is divided too. So the mean is the exact one, rounded once, unless the values differ so much in
/// size that their rounding errors do not fit 53 bits either. Hence equal numbers have that number as their mean, and
/// equal sums of whole numbers have equal means, whatever their order: a comparison by ranks sees ties as ties. It lies
/// between the smallest and the largest value in any case.
///
/// Proof for n equal numbers v: all partial sums are multiples of the last place of v, so their errors are too, and
/// the carried sum `sum + rest` is n v exactly. With q the rounded quotient `sum / n`, the remainder `sum − n q` is
/// exact, being a multiple of the last place of q that is smaller than n q's own; so the last line adds v − q, a few
/// last places of v, to q.
pub fn mean(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let (mut sum, mut rest) = (0.0_f64, 0.0);
    // Knuth's two-sum: what each addition rounds away is known exactly, and is added at the end. A plain sum of many
    // times loses digits that differ with their order.
    for &value in values {
        let next = sum + value;
        let added = next - sum;
        rest += (sum - (next - added)) + (value - added);
        sum = next;
    }
    if !(sum + rest).is_finite() {
        return beyond_range(values);
    }
    let quotient = sum / n;
    // A fused product gives the rounding of the quotient exactly.
    let remainder = quotient.mul_add(-n, sum);
    let mean = quotient + (remainder + rest) / n;
    let (smallest, largest) =
        values.iter().fold((f64::MAX, f64::MIN), |(low, high), &value| (value.min(low), value.max(high)));
    // The exact mean lies between the extremes, so a rounded one is put there too.
    if values.is_empty() { f64::NAN } else { mean.clamp(smallest, largest) }
}

/// The mean of values that are not all finite, or whose sum is not.
fn beyond_range(values: &[f64]) -> f64 {
    /// As many values have no sum beyond the range; a power of two costs no digits.
    const SCALE: f64 = (1_u128 << 70) as f64;
    if values.iter().any(|value| !value.is_finite()) {
        return values.iter().sum::<f64>();
    }
    let smaller: Vec<f64> = values.iter().map(|value| value / SCALE).collect();
    mean(&smaller) * SCALE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_sample_is_known_as_one() {
        // The sum of ten tenths is not 1 in floating point, so a plain variance would not be 0.
        let constant = Centred::new(&[0.1; 10]);
        assert!(constant.is_constant());
        assert_eq!(constant.mean, 0.1);
    }

    #[test]
    fn equal_numbers_have_that_number_as_their_mean() {
        for numerator in 1..40 {
            for denominator in 1..60 {
                let value = f64::from(numerator) / f64::from(denominator);
                for n in 1..40 {
                    assert_eq!(mean(&vec![value; n]), value, "{n} times {numerator}/{denominator}");
                    assert_eq!(mean(&vec![-value * 1e-200; n]), -value * 1e-200);
                }
            }
        }
        assert_eq!(mean(&[0.1; 100_000]), 0.1);
        assert_eq!((mean(&[f64::MAX; 3]), mean(&[f64::from_bits(1); 7])), (f64::MAX, f64::from_bits(1)));
    }

    #[test]
    fn equal_sums_have_equal_means() {
        // 55 in twelve values, in two ways.
        let left = mean(&[2.0, 3.0, 5.0, 7.0, 1.0, 4.0, 9.0, 6.0, 8.0, 2.0, 3.0, 5.0]);
        let right = mean(&[0.0, 0.0, 11.0, 11.0, 0.0, 0.0, 11.0, 0.0, 0.0, 11.0, 0.0, 11.0]);
        assert_eq!((left, right), (55.0 / 12.0, 55.0 / 12.0));
        assert_eq!(mean(&[0.1, 0.7, 0.3]), mean(&[0.3, 0.1, 0.7]));
        // Without the carried rest this is 0.
        assert_eq!(mean(&[1e100, 1.0, -1e100]), 1.0 / 3.0);
    }

    #[test]
    fn a_mean_is_between_its_values_and_infinite_only_where_one_is() {
        assert_eq!(mean(&[1e308, 1e308, 1.7e308, -1e308]), 0.675e308);
        assert_eq!(mean(&[f64::MAX, f64::MAX, f64::MIN]), f64::MAX / 3.0);
        assert_eq!(mean(&[1.0, f64::INFINITY]), f64::INFINITY);
        assert!(mean(&[1.0, f64::NAN]).is_nan() && mean(&[]).is_nan());
    }

    #[test]
    fn neither_offset_nor_scale_spoil_the_squares() {
        assert_eq!(Centred::new(&[1e9 + 1.0, 1e9 + 2.0, 1e9 + 3.0]).sum_of_powers(2), 2.0);
        assert_eq!(Centred::new(&[1e-200, 2e-200, 3e-200]).sum_of_powers(2), 2.0);
    }
}

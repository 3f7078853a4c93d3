//! Means and deviations that survive large offsets and tiny or huge scales.

/// A non-empty sample as its mean and its deviations from it.
///
/// Deviations are kept in units of the largest one, so that their squares and cubes neither
/// overflow nor vanish whatever the unit of the data. A constant sample has scale 0 exactly, also
/// where rounding would put its mean beside its values.
pub(super) struct Centred {
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
        if values.iter().all(|&value| value == values[0]) {
            return Self { mean: values[0], scale: 0.0, deviations: vec![0.0; values.len()] };
        }
        let mean = mean(values);
        let mut deviations: Vec<f64> = values.iter().map(|value| value - mean).collect();
        let scale = deviations.iter().fold(0.0, |largest: f64, deviation| largest.max(deviation.abs()));
        deviations.iter_mut().for_each(|deviation| *deviation /= scale);
        Self { mean, scale, deviations }
    }

    /// Whether all values are equal.
    pub fn is_constant(&self) -> bool {
        self.scale == 0.0
    }

    /// Sum of the deviations to a power, in units of `scale` to that power.
    pub fn sum_of_powers(&self, power: i32) -> f64 {
        self.deviations.iter().map(|deviation| deviation.powi(power)).sum()
    }

    /// Sum of the products with another sample's deviations, in units of both scales.
    pub fn sum_of_products(&self, other: &Self) -> f64 {
        self.deviations.iter().zip(&other.deviations).map(|(left, right)| left * right).sum()
    }
}

/// Arithmetic mean of a non-empty sample. The second pass takes back the rounding of the first.
pub(super) fn mean(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let rough = values.iter().sum::<f64>() / n;
    rough + values.iter().map(|value| value - rough).sum::<f64>() / n
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
    fn neither_offset_nor_scale_spoil_the_squares() {
        assert_eq!(Centred::new(&[1e9 + 1.0, 1e9 + 2.0, 1e9 + 3.0]).sum_of_powers(2), 2.0);
        assert_eq!(Centred::new(&[1e-200, 2e-200, 3e-200]).sum_of_powers(2), 2.0);
    }
}

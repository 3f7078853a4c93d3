//! Kernel density estimate of one sample.

use crate::numeric::moments::Centred;
use crate::numeric::quantile::sorted_quantile;

/// The bandwidth of a Gaussian kernel by the rule of thumb of Silverman (1986, *Density estimation for statistics and
/// data analysis*, equation 3.31): 0.9 · min(SD, IQR / 1.34) · n^(−1/5), as `bw.nrd0` of R; where the quartiles are
/// equal, of the SD alone. Absent for fewer than two different values.
pub fn bandwidth(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (first, last) = (*sorted.first()?, *sorted.last()?);
    if !(first < last && first.is_finite() && last.is_finite()) {
        return None;
    }
    let n = sorted.len() as f64;
    let sd = (Centred::new(&sorted).sum_of_squares() / (n - 1.0)).sqrt();
    let iqr = sorted_quantile(&sorted, 0.75) - sorted_quantile(&sorted, 0.25);
    let spread = if iqr > 0.0 { sd.min(iqr / 1.34) } else { sd };
    Some(0.9 * spread * n.powf(-0.2))
}

/// The density of a sample at `n_points` values from its least to its greatest, each with the density there, by a
/// Gaussian kernel of [`bandwidth`]. Nothing is drawn beyond the data; the area below it is therefore less than 1. Empty
/// where there is no bandwidth.
///
/// ```
/// let density = plymap_statistics::stats::density::density(&[1.0, 2.0, 3.0, 4.0, 5.0], 3);
/// assert_eq!(density.iter().map(|point| point.0).collect::<Vec<_>>(), [1.0, 3.0, 5.0]);
/// ```
pub fn density(values: &[f64], n_points: usize) -> Vec<(f64, f64)> {
    let Some(bandwidth) = bandwidth(values).filter(|_| n_points > 1) else { return Vec::new() };
    let (low, high) =
        values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &v| (low.min(v), high.max(v)));
    let scale = values.len() as f64 * bandwidth * std::f64::consts::TAU.sqrt();
    let at = |value: f64| {
        let kernel = |&one: &f64| (-0.5 * ((value - one) / bandwidth).powi(2)).exp();
        values.iter().map(kernel).sum::<f64>() / scale
    };
    let step = (high - low) / (n_points - 1) as f64;
    // The last point is the greatest value itself, whatever the rounding of the steps.
    let place = |number: usize| if number + 1 == n_points { high } else { low + step * number as f64 };
    (0..n_points).map(place).map(|value| (value, at(value))).collect()
}

//! Averages of values that may be none.

use plymap_statistics::stats::quantile::quantile;

/// Returns the median of some values; none if there are none.
pub fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    quantile(&values.collect::<Vec<_>>(), 0.5).ok()
}

/// Returns the mean of some values; none if there are none.
pub fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

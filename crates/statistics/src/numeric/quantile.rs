//! Quantiles of a sample.

use crate::not_estimable::{NotEstimable, check_count, check_values};

/// The quantile of a sample below which a `proportion` of it lies, type 7 of Hyndman & Fan (1996):
/// linear between the order statistics, as in R and numpy by default.
///
/// # Errors
///
/// [`NotEstimable`] for an empty sample, a value that is not finite, or a proportion outside 0 to 1.
pub fn quantile(values: &[f64], proportion: f64) -> Result<f64, NotEstimable> {
    check_count("a quantile", "values", values.len(), 1)?;
    check_values("the sample", values)?;
    if !(0.0..=1.0).contains(&proportion) {
        let (value, allowed) = (proportion.to_string(), "between 0 and 1");
        return Err(NotEstimable::OutOfRange { quantity: "the proportion of a quantile", value, allowed });
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    Ok(sorted_quantile(&sorted, proportion))
}

/// [`quantile`] of a sample that is sorted and not empty.
pub fn sorted_quantile(sorted: &[f64], proportion: f64) -> f64 {
    let position = proportion * (sorted.len() - 1) as f64;
    let below = sorted[position.floor() as usize];
    let above = sorted[position.ceil() as usize];
    below + (above - below) * position.fract()
}

//! Description of one sample: location, spread and shape.

use serde::Serialize;

use super::moments::Centred;
use super::{NotEstimable, check_count, check_values};

/// Multiplies a raw median absolute deviation to estimate the standard deviation of normal data:
/// 1 / Φ⁻¹(3/4) (Hampel, 1974, *Journal of the American Statistical Association*, 69, 383–393).
pub const MAD_TO_NORMAL_SD: f64 = 1.482_602_218_505_602;

/// Location, spread and shape of a sample, in the unit of its values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Description {
    /// Number of values.
    pub n: usize,
    /// Arithmetic mean; absent for an empty sample, as are the median, quartiles, `mad` and range.
    pub mean: Option<f64>,
    /// Standard deviation with the denominator n − 1; absent if n < 2.
    pub sd: Option<f64>,
    /// Smallest value.
    pub min: Option<f64>,
    /// First quartile, type 7 of Hyndman & Fan (1996), as in R and numpy by default.
    pub q1: Option<f64>,
    /// Median.
    pub median: Option<f64>,
    /// Third quartile, type 7 of Hyndman & Fan (1996).
    pub q3: Option<f64>,
    /// Largest value.
    pub max: Option<f64>,
    /// Median absolute deviation from the median, raw. R's `mad` multiplies it by
    /// [`MAD_TO_NORMAL_SD`]; scipy's `median_abs_deviation` does not.
    pub mad: Option<f64>,
    /// Adjusted Fisher–Pearson skewness G1 (Joanes & Gill, 1998), as in SPSS, SAS, Excel and scipy
    /// with `bias=False`; no unit. Absent if n < 3 or all values are equal.
    pub skewness: Option<f64>,
    /// Why the first of the absent values is absent.
    pub reason: Option<NotEstimable>,
}

/// Describes a sample.
///
/// Joanes & Gill (1998). Comparing measures of sample skewness and kurtosis. *The Statistician*,
/// 47, 183–189. Hyndman & Fan (1996). Sample quantiles in statistical packages. *The American
/// Statistician*, 50, 361–365.
///
/// ```
/// let times = plymap_statistics::stats::describe::describe(&[2.0, 4.0, 4.0, 10.0]);
/// assert_eq!((times.n, times.mean, times.median), (4, Some(5.0), Some(4.0)));
/// ```
pub fn describe(values: &[f64]) -> Description {
    let mut description = Description::empty(values.len());
    if let Err(reason) =
        check_count("the mean", "values", values.len(), 1).and_then(|()| check_values("the sample", values))
    {
        description.reason = Some(reason);
        return description;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let median = sorted_quantile(&sorted, 0.5);
    let centred = Centred::new(values);
    let (sd, skewness) = (standard_deviation(&centred), skewness(&centred));
    Description {
        mean: Some(centred.mean),
        sd: sd.as_ref().ok().copied(),
        min: sorted.first().copied(),
        q1: Some(sorted_quantile(&sorted, 0.25)),
        median: Some(median),
        q3: Some(sorted_quantile(&sorted, 0.75)),
        max: sorted.last().copied(),
        mad: Some(median_absolute_deviation(&sorted, median)),
        skewness: skewness.as_ref().ok().copied(),
        reason: sd.err().or(skewness.err()),
        ..description
    }
}

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
pub(crate) fn sorted_quantile(sorted: &[f64], proportion: f64) -> f64 {
    let position = proportion * (sorted.len() - 1) as f64;
    let below = sorted[position.floor() as usize];
    let above = sorted[position.ceil() as usize];
    below + (above - below) * position.fract()
}

impl Description {
    fn empty(n: usize) -> Self {
        Self {
            n,
            mean: None,
            sd: None,
            min: None,
            q1: None,
            median: None,
            q3: None,
            max: None,
            mad: None,
            skewness: None,
            reason: None,
        }
    }
}

fn standard_deviation(centred: &Centred) -> Result<f64, NotEstimable> {
    let n = centred.deviations.len();
    check_count("the standard deviation", "values", n, 2)?;
    Ok(centred.scale * (centred.sum_of_powers(2) / (n - 1) as f64).sqrt())
}

fn median_absolute_deviation(sorted: &[f64], median: f64) -> f64 {
    let mut distances: Vec<f64> = sorted.iter().map(|value| (value - median).abs()).collect();
    distances.sort_by(f64::total_cmp);
    sorted_quantile(&distances, 0.5)
}

fn skewness(centred: &Centred) -> Result<f64, NotEstimable> {
    check_count("the skewness", "values", centred.deviations.len(), 3)?;
    if centred.is_constant() {
        return Err(NotEstimable::NoVariance { variable: "the sample" });
    }
    let n = centred.deviations.len() as f64;
    let (second, third) = (centred.sum_of_powers(2) / n, centred.sum_of_powers(3) / n);
    Ok((n * (n - 1.0)).sqrt() / (n - 2.0) * third / second.powf(1.5))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_small_sample_cannot_tell_is_absent_and_not_zero() {
        assert_eq!(describe(&[]).mean, None);
        let one = describe(&[7.0]);
        assert_eq!((one.mean, one.sd, one.median, one.mad), (Some(7.0), None, Some(7.0), Some(0.0)));
        let two = describe(&[1.0, 2.0]);
        assert_eq!(two.skewness, None);
        assert_eq!(two.reason.unwrap().to_string(), "the skewness needs at least 3 values, found 2");
    }

    #[test]
    fn equal_values_have_a_standard_deviation_of_zero_and_no_skewness() {
        let constant = describe(&[0.1; 10]);
        assert_eq!((constant.sd, constant.skewness), (Some(0.0), None));
        assert_eq!(constant.reason, Some(NotEstimable::NoVariance { variable: "the sample" }));
    }

    #[test]
    fn the_quartiles_of_one_to_four_are_those_of_r() {
        let values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!((quantile(&values, 0.25), quantile(&values, 0.75)), (Ok(1.75), Ok(3.25)));
        assert!(quantile(&values, 1.5).is_err());
    }
}

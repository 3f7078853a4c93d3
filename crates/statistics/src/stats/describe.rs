//! Description of one sample: location, spread and shape.

use serde::Serialize;

use crate::apa;
use crate::inference::Confidence;
use crate::not_estimable::{NotEstimable, check_count, check_values};
use crate::numeric::distribution::student_upper_quantile;
use crate::numeric::moments::Centred;
use crate::numeric::quantile::sorted_quantile;

pub use crate::numeric::quantile::quantile;

use crate::estimator::description::{COLUMNS_DESCRIBED, each};
use crate::estimator::{Estimate, Estimator};
use crate::record::*;

/// The shares below each of which a quantile lies.
const SHARES: [f64; 7] = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95];

/// The columns of [`Description`].
pub mod columns {
    #![expect(missing_docs, reason = "what a column means is said once, as its meaning")]

    use crate::record::{Column, number};

    pub const MEAN: Column = number("mean", "arithmetic mean");
    pub const SD: Column = number("sd", "standard deviation, denominator n − 1");
    pub const MIN: Column = number("min", "smallest value");
    pub const Q1: Column = number("q1", "first quartile (type 7 of Hyndman and Fan, 1996)");
    pub const MEDIAN: Column = number("median", "median");
    pub const Q3: Column = number("q3", "third quartile");
    pub const MAX: Column = number("max", "largest value");
    pub const MAD: Column = number("mad", "median absolute deviation from the median, raw");
    pub const SKEWNESS: Column = number("skewness", "adjusted Fisher-Pearson skewness G1");
}
use columns::*;

const SHARE: Column = number("share", "share of the values that lie below the quantile");

/// The description of columns of any table.
pub const DESCRIBE: Estimator = Estimator {
    name: "describe",
    summary: "Number of values, mean, spread, quartiles and skewness of each column.",
    assumptions: "",
    source: "Joanes and Gill (1998); Hyndman and Fan (1996).",
    roles: COLUMNS_DESCRIBED,
    columns: &[MEASURE, N, N_MISSING, MEAN, SD, MIN, Q1, MEDIAN, Q3, MAX, MAD, SKEWNESS, SENTENCE, REASON],
    estimate: Estimate::Table(|sample| each(sample, |values| vec![describe(values).record()])),
};

/// Quantiles of columns of any table.
pub const QUANTILES: Estimator = Estimator {
    name: "quantiles",
    summary: "Quantiles of each column at 5, 10, 25, 50, 75, 90 and 95 %.",
    assumptions: "",
    source: "Hyndman and Fan (1996), type 7.",
    roles: COLUMNS_DESCRIBED,
    columns: &[MEASURE, SHARE, N, N_MISSING, ESTIMATE.means("the quantile"), REASON],
    estimate: Estimate::Table(|sample| {
        each(sample, |values| {
            let row = |share| match quantile(values, share) {
                Ok(quantile) => Record::new().set(SHARE, share).set(ESTIMATE, quantile),
                Err(reason) => Record::without(reason).set(SHARE, share),
            };
            SHARES.into_iter().map(row).collect()
        })
    }),
};

/// Multiplies a raw median absolute deviation to estimate the standard deviation of normal data:
/// 1 / Φ⁻¹(3/4) (Hampel, 1974, *Journal of the American Statistical Association*, 69, 383–393).
pub const MAD_TO_NORMAL_SD: f64 = 1.482_602_218_505_602;

/// Location, spread and shape of a sample, in the unit of its values.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
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
    /// Reason why the first of the absent values is absent.
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
    let checked = check_count("the mean", "values", values.len(), 1).and_then(|()| check_values("the sample", values));
    if let Err(reason) = checked {
        return Description { n: values.len(), reason: Some(reason), ..Description::default() };
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let median = sorted_quantile(&sorted, 0.5);
    let centred = Centred::new(values);
    let (sd, skewness) = (standard_deviation(&centred), skewness(&centred));
    Description {
        n: values.len(),
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
    }
}

impl Description {
    /// Ends of the interval of the mean, by Student's t with n − 1 degrees of freedom (Student, 1908); absent if n < 2.
    pub fn mean_interval(&self, confidence: Confidence) -> Option<(f64, f64)> {
        let (mean, sd) = (self.mean?, self.sd?);
        let n = self.n as f64;
        let half = student_upper_quantile(confidence.tail(), n - 1.0) * sd / n.sqrt();
        Some((mean - half, mean + half))
    }

    /// `M = 12.30, SD = 4.56, Mdn = 11.00, n = 48`.
    pub fn sentence(&self, decimals: usize) -> String {
        let (Some(mean), Some(median)) = (self.mean, self.median) else {
            return apa::not_estimable("M", self.n, self.reason.as_ref());
        };
        let sd = self.sd.map_or(String::new(), |sd| format!(", SD = {}", apa::number(sd, decimals)));
        let (mean, median) = (apa::number(mean, decimals), apa::number(median, decimals));
        format!("M = {mean}{sd}, Mdn = {median}, n = {}", apa::count(self.n))
    }

    /// The row of a table.
    pub fn record(&self) -> Record {
        Record::new()
            .set(N, self.n)
            .set(MEAN, self.mean)
            .set(SD, self.sd)
            .set(MIN, self.min)
            .set(Q1, self.q1)
            .set(MEDIAN, self.median)
            .set(Q3, self.q3)
            .set(MAX, self.max)
            .set(MAD, self.mad)
            .set(SKEWNESS, self.skewness)
            .set(SENTENCE, self.sentence(2))
            .set(REASON, self.reason.clone())
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
        let single = describe(&[7.0]);
        assert_eq!((single.mean, single.sd, single.median, single.mad), (Some(7.0), None, Some(7.0), Some(0.0)));
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

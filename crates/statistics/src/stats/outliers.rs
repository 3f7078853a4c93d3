//! Outliers by a stated rule. The rules mark; whether to leave a value out is the researcher's choice.

use serde::{Deserialize, Serialize};

use super::describe::MAD_TO_NORMAL_SD;
use crate::apa;
use crate::estimator::Input;
use crate::estimator::description::COLUMNS_DESCRIBED;
use crate::estimator::fit::{Fitted, Model, Part};
use crate::estimator::sample::Sample;
use crate::estimator::{Estimate, Estimator, Role};
use crate::not_estimable::{NotEstimable, check_count, check_values};
use crate::numeric::quantile::sorted_quantile;
use crate::record::*;

const N_OUTLIERS: Column = count("n_outliers", "number of values beyond the limits");
const N_BELOW: Column = count("n_below", "number of values below the lower limit");
const N_ABOVE: Column = count("n_above", "number of values above the upper limit");
/// The lower limit.
pub const LOWER_LIMIT: Column = number("lower_limit", "values below it are outliers");
/// The upper limit.
pub const UPPER_LIMIT: Column = number("upper_limit", "values above it are outliers");
const ROW: Column = count("row", "number of the row in the table, from 1");
const VALUE: Column = number("value", "the value");

const ROW_COLUMNS: &[Column] = &[MEASURE, N, N_MISSING, ROW, VALUE, LOWER_LIMIT, UPPER_LIMIT, REASON];

/// Outliers of columns of any table by the MAD: their number, and their rows.
pub const OUTLIERS: Estimator = Estimator {
    name: "outliers",
    summary: "How many values of each column are farther from the median than 3 (--threshold) times 1.4826 MAD.",
    assumptions: "Times are skewed: take log(time_s).",
    source: "Leys et al. (2013).",
    roles: COLUMNS_DESCRIBED,
    columns: &[MEASURE, N, N_MISSING, N_OUTLIERS, N_BELOW, N_ABOVE, LOWER_LIMIT, UPPER_LIMIT, SENTENCE, REASON],
    estimate: Estimate::Tables(&Model {
        fit: |sample| of_columns(sample, Rule::Mad { threshold: sample.request.threshold.unwrap_or(3.0) }),
        rows: |columns| counted(columns),
        parts: &[Part {
            name: "outlier-rows",
            summary: "The rows whose value is farther from the median than 3 (--threshold) times 1.4826 MAD.",
            assumptions: "",
            source: "Leys et al. (2013).",
            columns: ROW_COLUMNS,
            rows: |columns| listed(columns),
        }],
    }),
};

/// Outliers of columns of any table by Tukey's fences: their number, and their rows.
pub const OUTLIERS_TUKEY: Estimator = Estimator {
    name: "outliers-tukey",
    summary: "How many values of each column are farther than 1.5 (--threshold) × IQR from the quartiles.",
    source: "Tukey (1977), section 2D.",
    estimate: Estimate::Tables(&Model {
        fit: |sample| of_columns(sample, Rule::TukeyFences { factor: sample.request.threshold.unwrap_or(1.5) }),
        rows: |columns| counted(columns),
        parts: &[Part {
            name: "outlier-rows-tukey",
            summary: "The rows whose value is farther than 1.5 (--threshold) × IQR from the quartiles.",
            assumptions: "",
            source: "Tukey (1977), section 2D.",
            columns: ROW_COLUMNS,
            rows: |columns| listed(columns),
        }],
    }),
    ..OUTLIERS
};

/// A rule that tells outliers from other values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "rule")]
pub enum Rule {
    /// Farther from the median than `threshold` times 1.4826 MAD (Leys et al., 2013).
    Mad {
        /// Threshold in units of a standard deviation of normal data: 3 (very conservative), 2.5 or 2.
        threshold: f64,
    },
    /// Farther below the first or above the third quartile than `factor` times their distance (Tukey,
    /// 1977).
    TukeyFences {
        /// 1.5 for outliers, 3 for those that are far out.
        factor: f64,
    },
}

/// The outliers of a sample.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outliers {
    /// The rule.
    #[serde(flatten)]
    pub rule: Rule,
    /// Number of values.
    pub n: usize,
    /// Values below this are outliers, in the unit of the values.
    pub lower_limit: Option<f64>,
    /// Values above this are outliers.
    pub upper_limit: Option<f64>,
    /// Number of values below the lower limit.
    pub n_below: usize,
    /// Number of values above the upper limit.
    pub n_above: usize,
    /// The places of the outliers in the sample, from 0, ascending.
    pub indices: Vec<usize>,
    /// Reason why there are no limits.
    pub reason: Option<NotEstimable>,
}

impl Rule {
    /// The rule |x − median| > 3 · 1.4826 · MAD.
    pub const MAD: Self = Self::Mad { threshold: 3.0 };

    /// Tukey's inner fences, 1.5 × IQR from the quartiles.
    pub const TUKEY: Self = Self::TukeyFences { factor: 1.5 };

    fn multiple(self) -> f64 {
        match self {
            Self::Mad { threshold } => threshold,
            Self::TukeyFences { factor } => factor,
        }
    }
}

/// Finds the outliers of a sample.
///
/// Values on a limit are no outliers. Quartiles are of type 7 (numpy's and R's default); Tukey's
/// hinges differ a little from them in small samples. Where half of the values or more are equal the
/// MAD is 0, and so is the interquartile range (IQR) where the middle half of the values is equal: the rule would
/// mark whatever differs, and has no limits here. Times are skewed: mark outliers of their logarithms.
///
/// Leys, Ley, Klein, Bernard & Licata (2013). Detecting outliers: Do not use standard deviation around
/// the mean, use absolute deviation around the median. *Journal of Experimental Social Psychology*, 49,
/// 764–766. Tukey (1977). *Exploratory data analysis*, section 2D.
///
/// ```
/// use plymap_statistics::stats::outliers::{Rule, outliers};
///
/// let found = outliers(&[1.0, 3.0, 3.0, 6.0, 8.0, 10.0, 10.0, 1000.0], Rule::MAD);
/// assert_eq!((found.indices, found.n_above), (vec![7], 1));
/// ```
pub fn outliers(values: &[f64], rule: Rule) -> Outliers {
    let (lower_limit, upper_limit, reason) = match limits(values, rule) {
        Ok((lower, upper)) => (Some(lower), Some(upper), None),
        Err(reason) => (None, None, Some(reason)),
    };
    let is_below = |value: f64| lower_limit.is_some_and(|limit| value < limit);
    let is_above = |value: f64| upper_limit.is_some_and(|limit| value > limit);
    let places = values.iter().enumerate();
    Outliers {
        rule,
        n: values.len(),
        lower_limit,
        upper_limit,
        n_below: values.iter().filter(|&&value| is_below(value)).count(),
        n_above: values.iter().filter(|&&value| is_above(value)).count(),
        indices: places.filter(|&(_, &value)| is_below(value) || is_above(value)).map(|(place, _)| place).collect(),
        reason,
    }
}

impl Outliers {
    /// `3 of 120 values were outliers (|x − Mdn| > 3 · 1.4826 MAD)`.
    pub fn sentence(&self) -> String {
        if let Some(reason) = &self.reason {
            return format!("outliers not estimable, n = {} ({reason})", apa::count(self.n));
        }
        let rule = match self.rule {
            Rule::Mad { threshold } => format!("|x − Mdn| > {threshold} · 1.4826 MAD"),
            Rule::TukeyFences { factor } => format!("beyond {factor} × IQR from the quartiles"),
        };
        let verb = if self.indices.len() == 1 { "was an outlier" } else { "were outliers" };
        format!("{} of {} {verb} ({rule})", apa::count(self.indices.len()), apa::counted(self.n, "value"))
    }

    /// The row of a table.
    pub fn record(&self) -> Record {
        let known = |n: usize| self.reason.is_none().then_some(n);
        Record::new()
            .set(N, self.n)
            .set(N_OUTLIERS, known(self.indices.len()))
            .set(N_BELOW, known(self.n_below))
            .set(N_ABOVE, known(self.n_above))
            .set(LOWER_LIMIT, self.lower_limit)
            .set(UPPER_LIMIT, self.upper_limit)
            .set(SENTENCE, self.sentence())
            .set(REASON, self.reason.clone())
    }
}

fn limits(values: &[f64], rule: Rule) -> Result<(f64, f64), NotEstimable> {
    check_count("an outlier limit", "values", values.len(), 3)?;
    check_values("the sample", values)?;
    let multiple = rule.multiple();
    if !(multiple.is_finite() && multiple > 0.0) {
        let (quantity, allowed) = ("the multiple of an outlier rule", "a number above 0");
        return Err(NotEstimable::OutOfRange { quantity, value: multiple.to_string(), allowed });
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (low, high, spread, what) = match rule {
        Rule::Mad { .. } => {
            let median = sorted_quantile(&sorted, 0.5);
            let mut distances: Vec<f64> = sorted.iter().map(|value| (value - median).abs()).collect();
            distances.sort_by(f64::total_cmp);
            (median, median, MAD_TO_NORMAL_SD * sorted_quantile(&distances, 0.5), "the MAD")
        }
        Rule::TukeyFences { .. } => {
            let (q1, q3) = (sorted_quantile(&sorted, 0.25), sorted_quantile(&sorted, 0.75));
            (q1, q3, q3 - q1, "the interquartile range")
        }
    };
    if spread == 0.0 {
        return Err(NotEstimable::Undefined { quantity: "an outlier limit", why: format!("{what} is 0") });
    }
    Ok((low - multiple * spread, high + multiple * spread))
}

/// The outliers of a column of a table.
struct ColumnOutliers {
    /// The name of the column, and how many values it has and lacks.
    whole: Record,
    outliers: Outliers,
    /// The number of its row and the value of each outlier.
    rows: Vec<(usize, f64)>,
}

fn of_columns(sample: &Sample, rule: Rule) -> Fitted<Vec<ColumnOutliers>> {
    let of_column = |input: &Input| {
        let complete = sample.complete([input]);
        let values = input.numbers(&complete.indices);
        let outliers = outliers(&values, rule);
        let whole = Record::new().set(MEASURE, input.name.as_str());
        let whole = whole.set(N, values.len()).set(N_MISSING, complete.n_missing);
        let row = |&index: &usize| (sample.rows[complete.indices[index]], values[index]);
        let rows = outliers.indices.iter().map(row).collect();
        ColumnOutliers { whole, outliers, rows }
    };
    Fitted { whole: Record::new(), model: Some(sample.all(Role::X).iter().map(of_column).collect()) }
}

fn counted(columns: &[ColumnOutliers]) -> Vec<Record> {
    columns.iter().map(|column| column.whole.clone().overlaid(column.outliers.record())).collect()
}

fn listed(columns: &[ColumnOutliers]) -> Vec<Record> {
    columns.iter().flat_map(listed_column).collect()
}

fn listed_column(ColumnOutliers { whole, outliers, rows }: &ColumnOutliers) -> Vec<Record> {
    let whole = whole.clone().set(LOWER_LIMIT, outliers.lower_limit).set(UPPER_LIMIT, outliers.upper_limit);
    if rows.is_empty() {
        let reason = outliers.reason.as_ref().map_or("no value is an outlier".to_owned(), NotEstimable::to_string);
        return vec![whole.set(REASON, reason)];
    }
    rows.iter().map(|&(row, value)| whole.clone().set(ROW, row).set(VALUE, value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_on_a_limit_is_no_outlier() {
        // The quartiles of 0 … 8 are 2 and 6, the fences −4 and 12.
        let inside = outliers(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], Rule::TUKEY);
        assert_eq!((inside.lower_limit, inside.upper_limit, inside.indices.len()), (Some(-4.0), Some(12.0), 0));
        let on = outliers(&[-4.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 12.0], Rule::TUKEY);
        assert_eq!(on.indices, [0; 0]);
        let beyond = outliers(&[12.1, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, -4.1], Rule::TUKEY);
        assert_eq!((beyond.indices.as_slice(), beyond.n_below, beyond.n_above), (&[0, 8][..], 1, 1));
        assert_eq!(beyond.sentence(), "2 of 9 values were outliers (beyond 1.5 × IQR from the quartiles)");
    }

    #[test]
    fn a_rule_without_spread_marks_nothing() {
        let reason = |values: &[f64], rule| {
            let marked = outliers(values, rule);
            assert!(marked.indices.is_empty() && marked.lower_limit.is_none());
            marked.reason.unwrap().to_string()
        };
        let mostly = [5.0, 5.0, 5.0, 5.0, 90.0];
        assert_eq!(reason(&mostly, Rule::MAD), "an outlier limit is not defined here: the MAD is 0");
        assert!(reason(&mostly, Rule::TUKEY).ends_with("the interquartile range is 0"));
        assert!(reason(&[1.0, 2.0], Rule::MAD).starts_with("an outlier limit needs at least 3 values"));
        assert!(reason(&[1.0, 2.0, f64::NAN], Rule::MAD).starts_with("the sample holds NaN"));
        assert!(reason(&[1.0, 2.0, 3.0], Rule::Mad { threshold: -1.0 }).contains("must be a number above 0"));
    }

    #[test]
    fn a_rule_is_written_with_its_number() {
        let marked = outliers(&[1.0, 2.0, 3.0, 4.0, 100.0], Rule::MAD);
        let row = serde_json::to_value(&marked).unwrap();
        assert_eq!((row["rule"].as_str(), row["threshold"].as_f64()), (Some("mad"), Some(3.0)));
        assert_eq!(marked.sentence(), "1 of 5 values was an outlier (|x − Mdn| > 3 · 1.4826 MAD)");
    }
}

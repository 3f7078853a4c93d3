//! Description of columns: location, spread, quantiles and outliers.

use super::sample::{Input, Sample};
use super::{Estimator, Kind, Need, Role};
use crate::record::*;
use crate::stats::describe::{describe, quantile};
use crate::stats::interval::median_interval;
use crate::stats::outliers::{self, Rule};
use crate::stats::{NotEstimable, apa};

/// The shares below each of which a quantile lies.
const SHARES: [f64; 7] = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95];

const COLUMNS_DESCRIBED: &[Need] = &[Need::several(Role::X, Kind::Number, 1)];
const N_OUTLIERS: Column = count("n_outliers", "number of values beyond the limits");
const N_BELOW: Column = count("n_below", "number of values below the lower limit");
const N_ABOVE: Column = count("n_above", "number of values above the upper limit");
const LOWER_LIMIT: Column = number("lower_limit", "values below it are outliers");
const UPPER_LIMIT: Column = number("upper_limit", "values above it are outliers");
const ROW: Column = count("row", "number of the row in the table, from 1");
const VALUE: Column = number("value", "the value");
const SHARE: Column = number("share", "share of the values that lie below the quantile");
const COVERAGE: Column =
    number("coverage", "confidence that the interval has: at least that asked for, as it ends at values of the sample");
const MEAN: Column = number("mean", "arithmetic mean");
const SD: Column = number("sd", "standard deviation, denominator n − 1");
const MIN: Column = number("min", "smallest value");
const Q1: Column = number("q1", "first quartile (type 7 of Hyndman and Fan, 1996)");
const MEDIAN_VALUE: Column = number("median", "median");
const Q3: Column = number("q3", "third quartile");
const MAX: Column = number("max", "largest value");
const MAD: Column = number("mad", "median absolute deviation from the median, raw");
const SKEWNESS: Column = number("skewness", "adjusted Fisher-Pearson skewness G1");

pub(super) const DESCRIBE: Estimator = Estimator {
    name: "describe",
    summary: "Number of values, mean, spread, quartiles and skewness of each column.",
    assumptions: "",
    source: "Joanes and Gill (1998); Hyndman and Fan (1996).",
    roles: COLUMNS_DESCRIBED,
    columns: &[MEASURE, N, N_MISSING, MEAN, SD, MIN, Q1, MEDIAN_VALUE, Q3, MAX, MAD, SKEWNESS, SENTENCE, REASON],
    estimate: |sample| {
        each(sample, |values| {
            let found = describe(values);
            vec![
                Record::new()
                    .set(MEAN, found.mean)
                    .set(SD, found.sd)
                    .set(MIN, found.min)
                    .set(Q1, found.q1)
                    .set(MEDIAN_VALUE, found.median)
                    .set(Q3, found.q3)
                    .set(MAX, found.max)
                    .set(MAD, found.mad)
                    .set(SKEWNESS, found.skewness)
                    .set(SENTENCE, apa::description(&found, 2))
                    .set(REASON, found.reason),
            ]
        })
    },
};

pub(super) const QUANTILES: Estimator = Estimator {
    name: "quantiles",
    summary: "Quantiles of each column at 5, 10, 25, 50, 75, 90 and 95 %.",
    assumptions: "",
    source: "Hyndman and Fan (1996), type 7.",
    roles: COLUMNS_DESCRIBED,
    columns: &[MEASURE, SHARE, N, N_MISSING, ESTIMATE.means("the quantile"), REASON],
    estimate: |sample| {
        each(sample, |values| {
            let row = |share| match quantile(values, share) {
                Ok(found) => Record::new().set(SHARE, share).set(ESTIMATE, found),
                Err(reason) => Record::without(reason).set(SHARE, share),
            };
            SHARES.into_iter().map(row).collect()
        })
    },
};

pub(super) const MEDIAN: Estimator = Estimator {
    name: "median",
    summary: "Median of each column with its exact, distribution-free interval.",
    assumptions: super::INDEPENDENT,
    source: "Hahn and Meeker (1991), section 5.2.",
    roles: COLUMNS_DESCRIBED,
    columns: &[
        MEASURE,
        N,
        N_MISSING,
        ESTIMATE.means("the median"),
        LOWER,
        UPPER,
        CONFIDENCE,
        COVERAGE,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| {
        each(sample, |values| {
            let found = median_interval(values, sample.request.confidence);
            vec![
                Record::new()
                    .set(ESTIMATE, found.estimate)
                    .set(LOWER, found.lower)
                    .set(UPPER, found.upper)
                    .set(CONFIDENCE, found.confidence.level())
                    .set(COVERAGE, found.coverage)
                    .set(SENTENCE, apa::median(&found, 2))
                    .set(REASON, found.reason),
            ]
        })
    },
};

const OUTLIER_COLUMNS: &[Column] =
    &[MEASURE, N, N_MISSING, N_OUTLIERS, N_BELOW, N_ABOVE, LOWER_LIMIT, UPPER_LIMIT, SENTENCE, REASON];
const OUTLIER_ROW_COLUMNS: &[Column] = &[MEASURE, N, N_MISSING, ROW, VALUE, LOWER_LIMIT, UPPER_LIMIT, REASON];

pub(super) const OUTLIERS: Estimator = Estimator {
    name: "outliers",
    summary: "How many values of each column are farther from the median than 3 (--threshold) times 1.4826 MAD.",
    assumptions: "Times are skewed: take log(time_s).",
    source: "Leys et al. (2013).",
    roles: COLUMNS_DESCRIBED,
    columns: OUTLIER_COLUMNS,
    estimate: |sample| counted(sample, mad(sample)),
};

pub(super) const OUTLIERS_TUKEY: Estimator = Estimator {
    name: "outliers-tukey",
    summary: "How many values of each column are farther than 1.5 (--threshold) × IQR from the quartiles.",
    source: "Tukey (1977), section 2D.",
    estimate: |sample| counted(sample, tukey(sample)),
    ..OUTLIERS
};

pub(super) const OUTLIER_ROWS: Estimator = Estimator {
    name: "outlier-rows",
    summary: "The rows whose value is farther from the median than 3 (--threshold) times 1.4826 MAD.",
    columns: OUTLIER_ROW_COLUMNS,
    estimate: |sample| listed(sample, mad(sample)),
    ..OUTLIERS
};

pub(super) const OUTLIER_ROWS_TUKEY: Estimator = Estimator {
    name: "outlier-rows-tukey",
    summary: "The rows whose value is farther than 1.5 (--threshold) × IQR from the quartiles.",
    columns: OUTLIER_ROW_COLUMNS,
    estimate: |sample| listed(sample, tukey(sample)),
    ..OUTLIERS_TUKEY
};

fn mad(sample: &Sample) -> Rule {
    Rule::Mad { threshold: sample.request.threshold.unwrap_or(3.0) }
}

fn tukey(sample: &Sample) -> Rule {
    Rule::TukeyFences { factor: sample.request.threshold.unwrap_or(1.5) }
}

fn counted(sample: &Sample, rule: Rule) -> Vec<Record> {
    each(sample, |values| {
        let found = outliers::outliers(values, rule);
        let known = |n: usize| found.reason.is_none().then_some(n);
        vec![
            Record::new()
                .set(N_OUTLIERS, known(found.indices.len()))
                .set(N_BELOW, known(found.n_below))
                .set(N_ABOVE, known(found.n_above))
                .set(LOWER_LIMIT, found.lower_limit)
                .set(UPPER_LIMIT, found.upper_limit)
                .set(SENTENCE, found.sentence())
                .set(REASON, found.reason),
        ]
    })
}

fn listed(sample: &Sample, rule: Rule) -> Vec<Record> {
    let of_input = |input: &Input| {
        let complete = sample.complete([input]);
        let values = input.numbers(&complete.indices);
        let found = outliers::outliers(&values, rule);
        let shared = Record::new()
            .set(MEASURE, input.name.as_str())
            .set(N, values.len())
            .set(N_MISSING, complete.n_missing)
            .set(LOWER_LIMIT, found.lower_limit)
            .set(UPPER_LIMIT, found.upper_limit);
        if found.indices.is_empty() {
            let reason = found.reason.as_ref().map_or("no value is an outlier".to_owned(), NotEstimable::to_string);
            return vec![shared.set(REASON, reason)];
        }
        let row =
            |&index: &usize| shared.clone().set(ROW, sample.rows[complete.indices[index]]).set(VALUE, values[index]);
        found.indices.iter().map(row).collect()
    };
    sample.all(Role::X).iter().flat_map(of_input).collect()
}

/// Rows for each column that is described, with its name and numbers of values.
fn each(sample: &Sample, rows: impl Fn(&[f64]) -> Vec<Record>) -> Vec<Record> {
    let of_input = |input: &Input| {
        let complete = sample.complete([input]);
        let values = input.numbers(&complete.indices);
        let named = |record: Record| {
            let record = record.set(MEASURE, input.name.as_str());
            record.set(N, values.len()).set(N_MISSING, complete.n_missing)
        };
        rows(&values).into_iter().map(named).collect::<Vec<_>>()
    };
    sample.all(Role::X).iter().flat_map(of_input).collect()
}

//! Bootstrap intervals of rows, or by a cluster bootstrap of participants.

use super::correlation::each_pair;
use super::sample::{Input, Sample};
use super::{Estimator, Kind, Need, Role};
use crate::record::*;
use crate::stats::apa;
use crate::stats::correlation::{Method, coefficient};
use crate::stats::describe::quantile;
use crate::stats::moments::mean;
use crate::stats::resample::{self, Bootstrap, BootstrapInterval};

/// Most and fewest resamples where their number is not given.
const MOST_RESAMPLES: usize = 9_999;
const FEWEST_RESAMPLES: usize = 999;
/// Resamples times rows, and units times rows, up to which neither resamples nor jackknife are cut.
const WORK: usize = 10_000_000;

const ASSUMPTIONS: &str = "Without --participant, rows are drawn as if they were independent; with it, whole \
                       participants are drawn with all their rows. Intervals of fewer than some twenty participants \
                       are too narrow.";
const SOURCE: &str = "Efron (1987); participants: Davison and Hinkley (1997), section 3.8.";
const N_UNITS: Column = count("n_units", "number of resampled units: rows or participants");
const INTERVAL: Column = text(
    "interval",
    "how the interval is computed from the resamples: bca, bias-corrected and accelerated; percentile where rows times units \
     are more than 10 million",
);
const N_RESAMPLES: Column = count(
    "n_resamples",
    "number of resamples: 9,999 for up to 1,000 rows, fewer for more but at least 999, or as --resamples asks for",
);
const N_FAILED: Column = count("n_failed", "number of resamples without a finite value");
const SEED: Column = count("seed", "seed of the generator");
const OF_PAIRS: &[Need] = &[
    Need::several(Role::X, Kind::Number, 1),
    Need::several(Role::Y, Kind::Number, 1),
    Need::optional(Role::Participant, Kind::Label),
];

pub(super) const BOOTSTRAP_MEAN: Estimator = Estimator {
    name: "bootstrap-mean",
    summary: "Mean of each column with its bootstrap interval.",
    assumptions: ASSUMPTIONS,
    source: SOURCE,
    roles: &[Need::several(Role::X, Kind::Number, 1), Need::optional(Role::Participant, Kind::Label)],
    columns: &[
        MEASURE,
        N,
        N_UNITS,
        N_MISSING,
        ESTIMATE,
        LOWER,
        UPPER,
        CONFIDENCE,
        INTERVAL,
        STANDARD_ERROR.means("standard deviation of the resampled values"),
        N_RESAMPLES,
        N_FAILED,
        SEED,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| of_columns(sample, "M", mean),
};

pub(super) const BOOTSTRAP_MEDIAN: Estimator = Estimator {
    name: "bootstrap-median",
    summary: "Median of each column with its bootstrap interval.",
    estimate: |sample| of_columns(sample, "Mdn", |values| quantile(values, 0.5).unwrap_or(f64::NAN)),
    ..BOOTSTRAP_MEAN
};

pub(super) const BOOTSTRAP_PEARSON: Estimator = Estimator {
    name: "bootstrap-pearson",
    summary: "Pearson's r of each x with each y, with its bootstrap interval.",
    roles: OF_PAIRS,
    columns: &[
        X,
        Y,
        N,
        N_UNITS,
        N_MISSING,
        ESTIMATE.means("the coefficient, from −1 to 1"),
        LOWER,
        UPPER,
        CONFIDENCE,
        INTERVAL,
        STANDARD_ERROR.means("standard deviation of the resampled coefficients"),
        N_RESAMPLES,
        N_FAILED,
        SEED,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| of_pairs(sample, Method::Pearson),
    ..BOOTSTRAP_MEAN
};

pub(super) const BOOTSTRAP_SPEARMAN: Estimator = Estimator {
    name: "bootstrap-spearman",
    summary: "Spearman's ρ of each x with each y, with its bootstrap interval.",
    estimate: |sample| of_pairs(sample, Method::Spearman),
    ..BOOTSTRAP_PEARSON
};

pub(super) const BOOTSTRAP_KENDALL: Estimator = Estimator {
    name: "bootstrap-kendall",
    summary: "Kendall's τb of each x with each y, with its bootstrap interval.",
    estimate: |sample| of_pairs(sample, Method::Kendall),
    ..BOOTSTRAP_PEARSON
};

fn of_columns(sample: &Sample, symbol: &str, statistic: fn(&[f64]) -> f64) -> Vec<Record> {
    let participant = sample.maybe(Role::Participant);
    let row = |input: &Input| {
        let complete = sample.complete([input].into_iter().chain(participant));
        let values = input.numbers(&complete.indices);
        let found = match participant {
            Some(participant) => {
                let clusters = participant.labels(&complete.indices);
                bootstrap(sample, values.len(), &clusters).clustered_sample(&clusters, &values, statistic)
            }
            None => bootstrap::<usize>(sample, values.len(), &[]).sample(&values, statistic),
        };
        let sentence = apa::bootstrap(symbol, &found, false);
        record(&found, sentence).set(MEASURE, input.name.as_str()).set(N_MISSING, complete.n_missing)
    };
    sample.all(Role::X).iter().map(row).collect()
}

fn of_pairs(sample: &Sample, method: Method) -> Vec<Record> {
    let participant = sample.maybe(Role::Participant);
    let others: Vec<&Input> = participant.into_iter().collect();
    let statistic = |x: &[f64], y: &[f64]| coefficient(method, x, y).unwrap_or(f64::NAN);
    each_pair(sample, &others, |xs, ys, indices| {
        let found = match participant {
            Some(participant) => {
                let clusters = participant.labels(indices);
                bootstrap(sample, xs.len(), &clusters).clustered_pairs(&clusters, xs, ys, statistic)
            }
            None => bootstrap::<usize>(sample, xs.len(), &[]).pairs(xs, ys, statistic),
        };
        vec![record(&found, apa::bootstrap(method.symbol(), &found, true))]
    })
}

/// As many resamples as are asked for, or as the work allows; without a jackknife where that would be too much.
fn bootstrap<G: Ord>(sample: &Sample, n: usize, clusters: &[G]) -> Bootstrap {
    let confidence = sample.request.confidence;
    let fewest = FEWEST_RESAMPLES.max((1.0 / confidence.tail()).ceil() as usize);
    let by_work = (WORK / n.max(1)).clamp(fewest, MOST_RESAMPLES.max(fewest));
    let n_units = match clusters {
        [] => n,
        clusters => clusters.iter().collect::<std::collections::BTreeSet<_>>().len(),
    };
    let method = if n.saturating_mul(n_units) > WORK {
        resample::Method::Percentile
    } else {
        resample::Method::BiasCorrectedAccelerated
    };
    let n_resamples = sample.request.n_resamples.unwrap_or(by_work);
    Bootstrap { n_resamples, seed: sample.request.seed, confidence, method }
}

fn record(found: &BootstrapInterval, sentence: String) -> Record {
    let interval = match found.method {
        resample::Method::Percentile => "percentile",
        resample::Method::BiasCorrectedAccelerated => "bca",
    };
    Record::new()
        .set(N, found.n)
        .set(N_UNITS, found.n_units)
        .set(ESTIMATE, found.estimate)
        .set(LOWER, found.lower)
        .set(UPPER, found.upper)
        .set(CONFIDENCE, found.confidence.level())
        .set(INTERVAL, interval)
        .set(STANDARD_ERROR, found.standard_error)
        .set(N_RESAMPLES, found.n_resamples)
        .set(N_FAILED, found.n_failed)
        .set(SEED, found.seed)
        .set(SENTENCE, sentence)
        .set(REASON, found.reason.clone())
}

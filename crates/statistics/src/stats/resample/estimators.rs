//! Bootstrap intervals as estimators for the columns of any table.

use super::Bootstrap;
use super::interval::{INTERVAL, N_FAILED, N_RESAMPLES, N_UNITS, SEED};
use crate::estimator::sample::Sample;
use crate::estimator::{Estimate, Estimator, Input, Kind, Need, Role, each_pair};
use crate::numeric::moments::mean;
use crate::numeric::quantile::quantile;
use crate::record::*;
use crate::stats::correlation::CorrelationKind;
use crate::stats::predictors::numbered;

const ASSUMPTIONS: &str = "Without --participant, rows are drawn as if they were independent; with it, whole \
                       participants are drawn with all their rows. Intervals of fewer than some twenty participants \
                       are too narrow.";
const SOURCE: &str = "Efron (1987); participants: Davison and Hinkley (1997), section 3.8.";
const OF_PAIRS: &[Need] = &[
    Need::several(Role::X, Kind::Number, 1),
    Need::several(Role::Y, Kind::Number, 1),
    Need::optional(Role::Participant, Kind::Label),
];

/// The mean of columns of any table.
pub const BOOTSTRAP_MEAN: Estimator = Estimator {
    name: "bootstrap-mean",
    summary: "Mean of each column with its bootstrap interval.",
    assumptions: ASSUMPTIONS,
    source: SOURCE,
    roles: &[Need::several(Role::X, Kind::Number, 1), Need::optional(Role::Participant, Kind::Label)],
    columns: joined!(
        &[MEASURE, N, N_UNITS, N_MISSING, ESTIMATE],
        BOUNDS,
        &[
            INTERVAL,
            STANDARD_ERROR.means("standard deviation of the resampled values"),
            N_RESAMPLES,
            N_FAILED,
            SEED,
            SENTENCE,
            REASON
        ]
    ),
    estimate: Estimate::Table(|sample| estimate_columns(sample, "M", mean)),
};

/// The median of columns of any table.
pub const BOOTSTRAP_MEDIAN: Estimator = Estimator {
    name: "bootstrap-median",
    summary: "Median of each column with its bootstrap interval.",
    estimate: Estimate::Table(|sample| {
        estimate_columns(sample, "Mdn", |values| quantile(values, 0.5).unwrap_or(f64::NAN))
    }),
    ..BOOTSTRAP_MEAN
};

/// Pearson's r of columns of any table.
pub const BOOTSTRAP_PEARSON: Estimator = Estimator {
    name: "bootstrap-pearson",
    summary: "Pearson's r of each x with each y, with its bootstrap interval.",
    roles: OF_PAIRS,
    columns: joined!(
        &[X, Y, N, N_UNITS, N_MISSING, ESTIMATE.means("the coefficient, from −1 to 1")],
        BOUNDS,
        &[
            INTERVAL,
            STANDARD_ERROR.means("standard deviation of the resampled coefficients"),
            N_RESAMPLES,
            N_FAILED,
            SEED,
            SENTENCE,
            REASON
        ]
    ),
    estimate: Estimate::Table(|sample| estimate_correlation(sample, CorrelationKind::Pearson)),
    ..BOOTSTRAP_MEAN
};

/// Spearman's ρ of columns of any table.
pub const BOOTSTRAP_SPEARMAN: Estimator = Estimator {
    name: "bootstrap-spearman",
    summary: "Spearman's ρ of each x with each y, with its bootstrap interval.",
    estimate: Estimate::Table(|sample| estimate_correlation(sample, CorrelationKind::Spearman)),
    ..BOOTSTRAP_PEARSON
};

/// Kendall's τb of columns of any table.
pub const BOOTSTRAP_KENDALL: Estimator = Estimator {
    name: "bootstrap-kendall",
    summary: "Kendall's τb of each x with each y, with its bootstrap interval.",
    estimate: Estimate::Table(|sample| estimate_correlation(sample, CorrelationKind::Kendall)),
    ..BOOTSTRAP_PEARSON
};

fn estimate_columns(sample: &Sample, symbol: &str, statistic: fn(&[f64]) -> f64) -> Vec<Record> {
    let participant = sample.maybe(Role::Participant);
    let row = |input: &Input| {
        let complete = sample.complete([input].into_iter().chain(participant));
        let clusters = clusters(participant, &complete.indices);
        let bootstrap = requested(sample, &clusters);
        let found = bootstrap.clustered_sample(&clusters, &input.numbers(&complete.indices), statistic);
        found.record(symbol, false).set(MEASURE, input.name.as_str()).set(N_MISSING, complete.n_missing)
    };
    sample.all(Role::X).iter().map(row).collect()
}

fn estimate_correlation(sample: &Sample, method: CorrelationKind) -> Vec<Record> {
    let participant = sample.maybe(Role::Participant);
    let others: Vec<&Input> = participant.into_iter().collect();
    each_pair(sample, &others, |x, y, indices| {
        let clusters = clusters(participant, indices);
        let bootstrap = requested(sample, &clusters);
        vec![bootstrap.clustered_correlation(method, &clusters, x, y).record(method.symbol(), true)]
    })
}

/// The participant of each row, or else each row as a cluster of its own.
fn clusters(participant: Option<&Input>, indices: &[usize]) -> Vec<usize> {
    match participant {
        Some(participant) => numbered(&participant.labels(indices)),
        None => (0..indices.len()).collect(),
    }
}

fn requested(sample: &Sample, clusters: &[usize]) -> Bootstrap {
    let request = sample.request;
    let affordable = Bootstrap::affordable(clusters, request.confidence, request.seed);
    Bootstrap { n_resamples: request.n_resamples.unwrap_or(affordable.n_resamples), ..affordable }
}

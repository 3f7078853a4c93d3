//! Correlations of columns.

use super::sample::{Input, Sample};
use super::{Estimator, Kind, Need, Role};
use crate::record::*;
use crate::stats::adjust::Adjustment;
use crate::stats::apa;
use crate::stats::correlation::{Correlation, Method, correlate};
use crate::stats::matrix::{self, correlation_matrix};
use crate::stats::partial::partial_correlation;
use crate::stats::repeated::{RepeatedCorrelation, decompose, repeated_correlation};

const PAIRS: &[Need] = &[Need::several(Role::X, Kind::Number, 1), Need::several(Role::Y, Kind::Number, 1)];
const WITH_COVARIATES: &[Need] = &[
    Need::several(Role::X, Kind::Number, 1),
    Need::several(Role::Y, Kind::Number, 1),
    Need::several(Role::Given, Kind::Number, 1),
];
const OF_PARTICIPANTS: &[Need] = &[
    Need::several(Role::X, Kind::Number, 1),
    Need::several(Role::Y, Kind::Number, 1),
    Need::one(Role::Participant, Kind::Label),
];

const ASSUMPTIONS: &str = "Assumes independent rows, which those of one participant are not: bootstrap-pearson, \
                       bootstrap-spearman and repeated allow for that.";
const GIVEN: Column = text("given", "what is held constant");
const PART: Column = text(
    "part",
    "pooled: all rows; between: the participants' means, each once; between-weighted: each as often as it has rows; \
     within: deviations from the participants' means",
);
const N_SINGLE: Column = count("n_single", "number of participants with a single row, which tells nothing here");
const SLOPE: Column = number("slope", "slope of the parallel lines, y per unit of x");
const ETA_X: Column = number("eta_squared_x", "share of the variance of x between participants");
const ETA_Y: Column = number("eta_squared_y", "share of the variance of y between participants");

const PAIR_COLUMNS: &[Column] = &[
    X,
    Y,
    N,
    N_MISSING,
    ESTIMATE.means("the coefficient, from −1 to 1"),
    LOWER,
    UPPER,
    CONFIDENCE,
    STATISTIC.means("t, for Kendall z; empty where it is infinite because the correlation is perfect"),
    DF,
    P_VALUE.means("two-sided p of the hypothesis of no correlation, not adjusted"),
    P_METHOD,
    SENTENCE,
    REASON,
];

pub(super) const PEARSON: Estimator = Estimator {
    name: "pearson",
    summary: "Pearson's r of each x with each y.",
    assumptions: ASSUMPTIONS,
    source: "Pearson (1895); Fisher (1921).",
    roles: PAIRS,
    columns: PAIR_COLUMNS,
    estimate: |sample| of_pairs(sample, Method::Pearson),
};

pub(super) const SPEARMAN: Estimator = Estimator {
    name: "spearman",
    summary: "Spearman's ρ of each x with each y.",
    source: "Spearman (1904); Bonett and Wright (2000).",
    estimate: |sample| of_pairs(sample, Method::Spearman),
    ..PEARSON
};

pub(super) const KENDALL: Estimator = Estimator {
    name: "kendall",
    summary: "Kendall's τb of each x with each y; with the time as x it is the Mann-Kendall test of a trend.",
    source: "Kendall (1945); Bonett and Wright (2000).",
    estimate: |sample| of_pairs(sample, Method::Kendall),
    ..PEARSON
};

pub(super) const MATRIX_PEARSON: Estimator = Estimator {
    name: "matrix-pearson",
    summary: "Pearson's r of all pairs of columns, each over the rows that have both values.",
    roles: &[Need::several(Role::X, Kind::Number, 2)],
    estimate: |sample| of_all(sample, Method::Pearson),
    ..PEARSON
};

pub(super) const MATRIX_SPEARMAN: Estimator = Estimator {
    name: "matrix-spearman",
    summary: "Spearman's ρ of all pairs of columns, each over the rows that have both values.",
    source: SPEARMAN.source,
    estimate: |sample| of_all(sample, Method::Spearman),
    ..MATRIX_PEARSON
};

pub(super) const MATRIX_KENDALL: Estimator = Estimator {
    name: "matrix-kendall",
    summary: "Kendall's τb of all pairs of columns, each over the rows that have both values.",
    source: KENDALL.source,
    estimate: |sample| of_all(sample, Method::Kendall),
    ..MATRIX_PEARSON
};

pub(super) const PARTIAL_PEARSON: Estimator = Estimator {
    name: "partial-pearson",
    summary: "Pearson's r of each x with each y, the columns of --given held constant.",
    assumptions: super::INDEPENDENT,
    source: "Yule (1907); Fisher (1924).",
    roles: WITH_COVARIATES,
    columns: &[
        X,
        Y,
        GIVEN,
        N,
        N_MISSING,
        ESTIMATE.means("the partial correlation, from −1 to 1"),
        LOWER,
        UPPER,
        CONFIDENCE,
        STATISTIC.means("t; empty where it is infinite because the correlation is perfect"),
        DF,
        P_VALUE,
        P_METHOD,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| partial(sample, Method::Pearson),
};

pub(super) const PARTIAL_SPEARMAN: Estimator = Estimator {
    name: "partial-spearman",
    summary: "Spearman's ρ of each x with each y, the columns of --given held constant.",
    source: "Yule (1907); Bonett and Wright (2000).",
    estimate: |sample| partial(sample, Method::Spearman),
    ..PARTIAL_PEARSON
};

pub(super) const REPEATED: Estimator = Estimator {
    name: "repeated",
    summary: "Repeated-measures correlation of each x with each y: within participants, as parallel lines.",
    assumptions: "",
    source: "Bakdash and Marusich (2017).",
    roles: OF_PARTICIPANTS,
    columns: &[
        X,
        Y,
        N.means("number of rows that are used, those of participants with two or more"),
        N_PARTICIPANTS.means("number of participants with two or more rows"),
        N_MISSING,
        N_SINGLE,
        ESTIMATE.means("the coefficient, from −1 to 1"),
        LOWER,
        UPPER,
        CONFIDENCE,
        SLOPE,
        STATISTIC,
        DF,
        P_VALUE,
        P_METHOD,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| {
        let participant = sample.one(Role::Participant);
        each_pair(sample, &[participant], |xs, ys, indices| {
            let found = repeated_correlation(&participant.labels(indices), xs, ys, sample.request.confidence);
            vec![within(&found).set(N_SINGLE, found.n_single).set(SLOPE, found.slope).set(P_METHOD, found.p_method)]
        })
    },
};

pub(super) const DECOMPOSITION: Estimator = Estimator {
    name: "decomposition",
    summary: "Pearson's r of each x with each y, split into its parts between and within participants.",
    assumptions: "The pooled and the weighted coefficient are descriptions and have no test.",
    source: "Robinson (1950); Snijders and Bosker (2012), section 3.6.",
    roles: OF_PARTICIPANTS,
    columns: &[
        X,
        Y,
        PART,
        N.means("number of rows that are used; between participants, number of participants"),
        N_PARTICIPANTS,
        N_MISSING,
        ESTIMATE.means("the coefficient, from −1 to 1"),
        LOWER,
        UPPER,
        CONFIDENCE,
        STATISTIC,
        DF,
        P_VALUE,
        P_METHOD,
        ETA_X,
        ETA_Y,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| {
        let participant = sample.one(Role::Participant);
        each_pair(sample, &[participant], |xs, ys, indices| {
            let found = decompose(&participant.labels(indices), xs, ys, sample.request.confidence);
            let (n, n_participants) = (xs.len(), found.between.n);
            let bare = |part: &str, n: usize, estimate: Option<f64>| {
                let reason = if estimate.is_none() { found.reason.clone() } else { None };
                Record::new().set(PART, part).set(N, n).set(ESTIMATE, estimate).set(REASON, reason)
            };
            let whole = |record: Record| {
                record
                    .set(N_PARTICIPANTS, n_participants)
                    .set(ETA_X, found.eta_squared_x)
                    .set(ETA_Y, found.eta_squared_y)
            };
            vec![
                whole(bare("pooled", n, found.pooled)),
                whole(correlation(&found.between).set(PART, "between")),
                whole(bare("between-weighted", n_participants, found.between_weighted)),
                whole(within(&found.within).set(PART, "within").set(P_METHOD, found.within.p_method)),
            ]
        })
    },
};

fn of_pairs(sample: &Sample, method: Method) -> Vec<Record> {
    each_pair(sample, &[], |xs, ys, _| vec![correlation(&correlate(method, xs, ys, sample.request.confidence))])
}

fn partial(sample: &Sample, method: Method) -> Vec<Record> {
    let given: Vec<&Input> = sample.all(Role::Given).iter().collect();
    let names: Vec<&str> = given.iter().map(|input| input.name.as_str()).collect();
    each_pair(sample, &given, |xs, ys, indices| {
        let covariates: Vec<Vec<f64>> = given.iter().map(|input| input.numbers(indices)).collect();
        let found = partial_correlation(method, xs, ys, &covariates, sample.request.confidence);
        let record = Record::new()
            .set(GIVEN, names.join(", "))
            .set(N, found.n)
            .set(ESTIMATE, found.estimate)
            .set(LOWER, found.lower)
            .set(UPPER, found.upper)
            .set(CONFIDENCE, found.confidence.level())
            .set(STATISTIC, found.statistic)
            .set(DF, found.df)
            .set(P_VALUE, found.p_value)
            .set(P_METHOD, found.p_method)
            .set(SENTENCE, found.sentence())
            .set(REASON, found.reason);
        vec![record]
    })
}

fn of_all(sample: &Sample, method: Method) -> Vec<Record> {
    let inputs = sample.all(Role::X);
    let numbers = |input: &Input| -> Vec<Option<f64>> {
        if let super::Values::Numbers(values) = &input.values { values.clone() } else { Vec::new() }
    };
    let values: Vec<Vec<Option<f64>>> = inputs.iter().map(numbers).collect();
    let measure = |(input, values)| {
        let name: &Input = input;
        matrix::Measure { name: &name.name, values }
    };
    let measures: Vec<matrix::Measure> = inputs.iter().zip(values.iter().map(Vec::as_slice)).map(measure).collect();
    // Adjusted with all other rows of the table, if at all.
    let found = correlation_matrix(&measures, method, Adjustment::None, sample.request.confidence);
    if found.pairs.is_empty() {
        let record = Record::new().set(N_MISSING, 0_usize).set(N, 0_usize);
        return vec![record.set(REASON, found.reason)];
    }
    let row = |pair: &matrix::MeasurePair| {
        correlation(&pair.correlation)
            .set(X, pair.x.as_str())
            .set(Y, pair.y.as_str())
            .set(N_MISSING, sample.rows.len() - pair.correlation.n)
    };
    found.pairs.iter().map(row).collect()
}

fn correlation(found: &Correlation) -> Record {
    Record::new()
        .set(N, found.n)
        .set(ESTIMATE, found.estimate)
        .set(LOWER, found.lower)
        .set(UPPER, found.upper)
        .set(CONFIDENCE, found.confidence.level())
        .set(STATISTIC, found.statistic)
        .set(DF, found.df)
        .set(P_VALUE, found.p_value)
        .set(P_METHOD, found.p_method)
        .set(SENTENCE, apa::correlation(found))
        .set(REASON, found.reason.clone())
}

fn within(found: &RepeatedCorrelation) -> Record {
    Record::new()
        .set(N, found.n)
        .set(N_PARTICIPANTS, found.n_groups)
        .set(ESTIMATE, found.estimate)
        .set(LOWER, found.lower)
        .set(UPPER, found.upper)
        .set(CONFIDENCE, found.confidence.level())
        .set(STATISTIC, found.statistic)
        .set(DF, found.df)
        .set(P_VALUE, found.p_value)
        .set(SENTENCE, found.sentence())
        .set(REASON, found.reason.clone())
}

/// Rows for each x with each y, over the rows of the sample that have both and the `others`.
pub(crate) fn each_pair(
    sample: &Sample,
    others: &[&Input],
    rows: impl Fn(&[f64], &[f64], &[usize]) -> Vec<Record>,
) -> Vec<Record> {
    let pairs = sample.all(Role::X).iter().flat_map(|x| sample.all(Role::Y).iter().map(move |y| (x, y)));
    let of_pair = |(x, y): (&Input, &Input)| {
        let complete = sample.complete([x, y].into_iter().chain(others.iter().copied()));
        let found = rows(&x.numbers(&complete.indices), &y.numbers(&complete.indices), &complete.indices);
        let named =
            |record: Record| record.set(X, x.name.as_str()).set(Y, y.name.as_str()).set(N_MISSING, complete.n_missing);
        found.into_iter().map(named).collect::<Vec<_>>()
    };
    pairs.flat_map(of_pair).collect()
}

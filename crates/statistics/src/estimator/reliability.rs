//! Reliability of measures.

use super::sample::{Crossed, Input, Sample};
use super::{Estimator, Kind, Need, Role};
use crate::record::*;
use crate::stats::reliability::{Intraclass, cronbach_alpha, intraclass, odd_even, one_way, split_half};
use crate::stats::{NotEstimable, apa};

/// Number of random splits where it is not given.
const N_SPLITS: usize = 5_000;

const OF_PARTICIPANTS: &[Need] = &[Need::several(Role::Y, Kind::Number, 1), Need::one(Role::Participant, Kind::Label)];
const ORDERED: &[Need] = &[
    Need::several(Role::Y, Kind::Number, 1),
    Need::one(Role::Participant, Kind::Label),
    Need::optional(Role::Trial, Kind::Number),
];
const LONG: &[Need] = &[
    Need::several(Role::Y, Kind::Number, 1),
    Need::one(Role::Participant, Kind::Label),
    Need::one(Role::Item, Kind::Label),
];
const WIDE: &[Need] = &[Need::several(Role::X, Kind::Number, 2)];
const WIDE_ASSUMPTIONS: &str = "Each row is a participant, each column an item; rows without all values are left out.";
const MEASURED: Column = OUTCOME.means("the measure; empty where columns are items");
const FORM: Column = text(
    "form",
    "1: one-way; 2: absolute agreement; 3: consistency; then 1 for a single value, k for the mean of the k items",
);
const N_ITEMS: Column = count("n_items", "number of items k");
const HALF: Column = number("half_correlation", "correlation of the halves, not corrected for length");
const SPLITS: Column = count("n_splits", "number of random splits, as --resamples asks for");
const N_FAILED: Column = count("n_failed", "number of splits without a correlation");
const SEED: Column = count("seed", "seed of the generator");
const N_TYPICAL: Column = number("n_typical", "number of rows that stands for those of all participants");
const MEAN_RELIABILITY: Column = number("mean_reliability", "reliability of the mean of so many rows");
const MEAN_LOWER: Column = number("mean_lower", "lower end of its interval");
const MEAN_UPPER: Column = number("mean_upper", "upper end of its interval");
const N_WITH_TWO: Column = N_PARTICIPANTS.means("number of participants with two rows or more");
const TOO_FEW_ROWS: Column = N_EXCLUDED.means("number of participants with a single row, left out");

pub(super) const SPLIT_HALF: Estimator = Estimator {
    name: "split-half",
    summary: "Split-half reliability of participants' means (or --measure median) over random splits of their rows.",
    assumptions: "The interval shows how much the result depends on the split, and is no confidence interval.",
    source: "Pronk et al. (2022).",
    roles: OF_PARTICIPANTS,
    columns: &[
        MEASURED,
        N,
        N_WITH_TWO,
        N_MISSING,
        TOO_FEW_ROWS,
        ESTIMATE.means("reliability: mean correlation of the halves, corrected for length"),
        LOWER.means("lower quantile over the splits"),
        UPPER.means("upper quantile over the splits"),
        CONFIDENCE.means("share of the splits between them"),
        HALF.means("mean correlation of the halves, not corrected for length"),
        SPLITS,
        N_FAILED,
        SEED,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| {
        each_outcome(sample, |trials| {
            let (request, measure) = (sample.request, sample.request.measure);
            let n_splits = request.n_resamples.unwrap_or(N_SPLITS);
            let found = split_half(trials, |values| measure.of(values), n_splits, request.seed, request.confidence);
            Record::new()
                .set(N_PARTICIPANTS, found.n)
                .set(N_EXCLUDED, found.n_left_out)
                .set(ESTIMATE, found.estimate)
                .set(LOWER, found.lower)
                .set(UPPER, found.upper)
                .set(CONFIDENCE, found.coverage.level())
                .set(HALF, found.half_correlation)
                .set(SPLITS, found.n_splits)
                .set(N_FAILED, found.n_failed)
                .set(SEED, found.seed)
                .set(SENTENCE, found.sentence())
                .set(REASON, found.reason)
        })
    },
};

pub(super) const ODD_EVEN: Estimator = Estimator {
    name: "odd-even",
    summary: "Reliability of participants' means (or --measure median) from their odd against their even rows.",
    assumptions: "Rows are taken in the order of --trial, or else of the table.",
    source: "Spearman (1910); Brown (1910).",
    roles: ORDERED,
    columns: &[
        MEASURED,
        N,
        N_WITH_TWO,
        N_MISSING,
        TOO_FEW_ROWS,
        ESTIMATE.means("reliability: correlation of the halves, corrected for length"),
        LOWER,
        UPPER,
        CONFIDENCE,
        HALF,
        STATISTIC.means("t of the correlation of the halves"),
        DF,
        P_VALUE.means("two-sided p of the correlation of the halves, not adjusted"),
        SENTENCE,
        REASON,
    ],
    estimate: |sample| {
        each_outcome(sample, |trials| {
            let measure = sample.request.measure;
            let found = odd_even(trials, |values| measure.of(values), sample.request.confidence);
            let half = &found.half_correlation;
            let sentence = found.estimate.map(|estimate| {
                let ends = apa::interval(half.confidence, found.lower, found.upper, |end| apa::bounded(end, 2));
                format!("rSB = {}{ends}, n = {}", apa::bounded(estimate, 2), found.n)
            });
            let absent = || apa::not_estimable("rSB", found.n, half.reason.as_ref());
            Record::new()
                .set(N_PARTICIPANTS, found.n)
                .set(N_EXCLUDED, found.n_left_out)
                .set(ESTIMATE, found.estimate)
                .set(LOWER, found.lower)
                .set(UPPER, found.upper)
                .set(CONFIDENCE, half.confidence.level())
                .set(HALF, half.estimate)
                .set(STATISTIC, half.statistic)
                .set(DF, half.df)
                .set(P_VALUE, half.p_value)
                .set(SENTENCE, sentence.unwrap_or_else(absent))
                .set(REASON, half.reason.clone())
        })
    },
};

pub(super) const ICC_ONE_WAY: Estimator = Estimator {
    name: "icc-one-way",
    summary: "One-way intraclass correlation of participants with any numbers of rows.",
    assumptions: "",
    source: "Donner (1986).",
    columns: &[
        MEASURED,
        N,
        N_PARTICIPANTS,
        N_MISSING,
        ESTIMATE.means("ICC(1): share of the variance of a single row that lies between participants"),
        LOWER,
        UPPER,
        CONFIDENCE,
        STATISTIC.means("F"),
        DF.means("numerator degrees of freedom"),
        DF2,
        P_VALUE,
        P_METHOD,
        N_TYPICAL,
        MEAN_RELIABILITY,
        MEAN_LOWER,
        MEAN_UPPER,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| {
        each_outcome(sample, |trials| {
            let found = one_way(trials, sample.request.confidence);
            Record::new()
                .set(N_PARTICIPANTS, found.n_groups)
                .set(ESTIMATE, found.estimate)
                .set(LOWER, found.lower)
                .set(UPPER, found.upper)
                .set(CONFIDENCE, found.confidence.level())
                .set(STATISTIC, found.statistic)
                .set(DF, found.df1)
                .set(DF2, found.df2)
                .set(P_VALUE, found.p_value)
                .set(P_METHOD, found.p_method)
                .set(N_TYPICAL, found.n0)
                .set(MEAN_RELIABILITY, found.mean_reliability)
                .set(MEAN_LOWER, found.mean_lower)
                .set(MEAN_UPPER, found.mean_upper)
                .set(SENTENCE, found.sentence())
                .set(REASON, found.reason)
        })
    },
    ..SPLIT_HALF
};

pub(super) const ALPHA: Estimator = Estimator {
    name: "alpha",
    summary: "Cronbach's α of the sum of items, participants by items.",
    assumptions: "Several rows of a participant and item count as their mean (or --measure median).",
    source: "Cronbach (1951); Feldt (1965).",
    roles: LONG,
    columns: &[
        MEASURED,
        N.means("number of participants with all items"),
        N_ITEMS,
        N_ROWS.means("number of rows with all values"),
        N_MISSING,
        N_EXCLUDED,
        ESTIMATE.means("α, at most 1"),
        LOWER,
        UPPER,
        CONFIDENCE,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| long(sample, alpha),
};

pub(super) const ALPHA_COLUMNS: Estimator = Estimator {
    name: "alpha-columns",
    summary: "Cronbach's α of the sum of columns.",
    assumptions: WIDE_ASSUMPTIONS,
    roles: WIDE,
    estimate: |sample| alpha(sample, &sample.side_by_side(sample.all(Role::X))),
    ..ALPHA
};

pub(super) const ICC: Estimator = Estimator {
    name: "icc",
    summary: "The six intraclass correlations of participants by items, occasions or raters.",
    source: "Shrout and Fleiss (1979); McGraw and Wong (1996).",
    columns: &[
        MEASURED,
        FORM,
        N.means("number of participants with all items"),
        N_ITEMS,
        N_ROWS.means("number of rows with all values"),
        N_MISSING,
        N_EXCLUDED,
        ESTIMATE.means("the intraclass correlation, at most 1"),
        LOWER,
        UPPER,
        CONFIDENCE,
        STATISTIC.means("F"),
        DF.means("numerator degrees of freedom"),
        DF2,
        P_VALUE,
        P_METHOD,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| long(sample, icc),
    ..ALPHA
};

pub(super) const ICC_COLUMNS: Estimator = Estimator {
    name: "icc-columns",
    summary: "The six intraclass correlations of columns, each an item, occasion or rater.",
    assumptions: WIDE_ASSUMPTIONS,
    roles: WIDE,
    estimate: |sample| icc(sample, &sample.side_by_side(sample.all(Role::X))),
    ..ICC
};

/// A row for each outcome, from the values of each participant in their order.
fn each_outcome(sample: &Sample, row: impl Fn(&[Vec<f64>]) -> Record) -> Vec<Record> {
    let (participant, trial) = (sample.one(Role::Participant), sample.maybe(Role::Trial));
    let of_outcome = |y: &Input| {
        let mut complete = sample.complete([y, participant].into_iter().chain(trial));
        if let Some(trial) = trial {
            let numbers = trial.numbers(&complete.indices);
            let mut order: Vec<usize> = (0..numbers.len()).collect();
            order.sort_by(|&left, &right| numbers[left].total_cmp(&numbers[right]));
            complete.indices = order.into_iter().map(|index| complete.indices[index]).collect();
        }
        let mut trials: std::collections::BTreeMap<&str, Vec<f64>> = std::collections::BTreeMap::new();
        let labels = participant.labels(&complete.indices);
        for (label, value) in labels.into_iter().zip(y.numbers(&complete.indices)) {
            trials.entry(label).or_default().push(value);
        }
        let trials: Vec<Vec<f64>> = trials.into_values().collect();
        let record = row(&trials).set(MEASURED, y.name.as_str());
        record.set(N, complete.indices.len()).set(N_MISSING, complete.n_missing)
    };
    sample.all(Role::Y).iter().map(of_outcome).collect()
}

fn long(sample: &Sample, rows: fn(&Sample, &Crossed) -> Vec<Record>) -> Vec<Record> {
    let of_outcome = |y: &Input| {
        let table = sample.crossed(y, sample.one(Role::Participant), sample.one(Role::Item));
        let named = |record: Record| record.set(MEASURED, y.name.as_str());
        rows(sample, &table).into_iter().map(named).collect::<Vec<_>>()
    };
    sample.all(Role::Y).iter().flat_map(of_outcome).collect()
}

fn counted(record: Record, table: &Crossed, n: usize, n_excluded: usize) -> Record {
    let record = record.set(N, n).set(N_ITEMS, table.labels.len()).set(N_ROWS, table.n_rows);
    record.set(N_MISSING, table.n_missing).set(N_EXCLUDED, n_excluded)
}

fn alpha(sample: &Sample, table: &Crossed) -> Vec<Record> {
    let (rows, n_excluded) = table.complete();
    let found = cronbach_alpha(&rows, sample.request.confidence);
    let record = Record::new()
        .set(ESTIMATE, found.estimate)
        .set(LOWER, found.lower)
        .set(UPPER, found.upper)
        .set(CONFIDENCE, found.confidence.level())
        .set(SENTENCE, found.sentence())
        .set(REASON, found.reason);
    vec![counted(record, table, rows.len(), n_excluded)]
}

fn icc(sample: &Sample, table: &Crossed) -> Vec<Record> {
    let (rows, n_excluded) = table.complete();
    let found = intraclass(&rows, sample.request.confidence);
    if found.forms.is_empty() {
        let absent = || NotEstimable::Undefined { quantity: "an intraclass correlation", why: "no form".to_owned() };
        let record = Record::without(found.reason.unwrap_or_else(absent));
        return vec![counted(record, table, rows.len(), n_excluded)];
    }
    let row = |own: &Intraclass| {
        let record = Record::new()
            .family(own.form.name())
            .set(FORM, own.form.name())
            .set(ESTIMATE, own.estimate)
            .set(LOWER, own.lower)
            .set(UPPER, own.upper)
            .set(CONFIDENCE, found.confidence.level())
            .set(STATISTIC, own.statistic)
            .set(DF, own.df1)
            .set(DF2, own.df2)
            .set(P_VALUE, own.p_value)
            .set(P_METHOD, own.p_method)
            .set(SENTENCE, own.sentence(found.confidence))
            .set(REASON, found.reason.clone());
        counted(record, table, rows.len(), n_excluded)
    };
    found.forms.iter().map(row).collect()
}

//! Comparison of repeated measures (paired tests).

use super::sample::{Crossed, Input, Sample, pairs};
use super::{Estimator, Kind, Need, Role};
use crate::record::*;
use crate::stats::friedman::friedman;
use crate::stats::two_samples::wilcoxon;

const LONG: &[Need] = &[
    Need::several(Role::Y, Kind::Number, 1),
    Need::one(Role::Group, Kind::Label),
    Need::one(Role::Participant, Kind::Label),
];
const WIDE: &[Need] = &[Need::several(Role::X, Kind::Number, 2)];

const ASSUMPTIONS: &str = "Each participant has one value in a group, the mean of the own rows (or --measure median).";
const ASSUMPTIONS_WIDE: &str = "Each row is someone, each column a condition; rows are independent of each other.";
const N_CONDITIONS: Column = count("n_conditions", "number of labels or columns that are compared");
const N_DIFFERENT: Column = count("n_different", "number of participants whose two values differ");
const MEASURED: Column = OUTCOME.means("what is compared; empty where columns are");

pub(super) const WILCOXON: Estimator = Estimator {
    name: "wilcoxon",
    summary: "Wilcoxon's signed-rank test of each pair of groups, paired by participant.",
    assumptions: ASSUMPTIONS,
    source: "Wilcoxon (1945); Kerby (2014); Hodges and Lehmann (1963).",
    roles: LONG,
    columns: &[
        MEASURED,
        FIRST,
        SECOND,
        N.means("number of participants with both values"),
        N_DIFFERENT,
        N_ROWS.means("number of rows with all values, from which participants' values were made"),
        N_MISSING,
        N_EXCLUDED,
        ESTIMATE.means("Hodges-Lehmann shift from the second to the first, in the unit of y"),
        LOWER,
        UPPER,
        CONFIDENCE,
        EFFECT_SIZE.means("matched-pairs rank-biserial correlation, from −1 to 1"),
        STATISTIC.means("sum of the ranks of positive differences"),
        P_VALUE,
        P_METHOD,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| long(sample, compare_pairs),
};

pub(super) const WILCOXON_COLUMNS: Estimator = Estimator {
    name: "wilcoxon-columns",
    summary: "Wilcoxon's signed-rank test of each pair of columns, paired by row.",
    assumptions: ASSUMPTIONS_WIDE,
    roles: WIDE,
    estimate: columns_in_pairs,
    ..WILCOXON
};

pub(super) const FRIEDMAN: Estimator = Estimator {
    name: "friedman",
    summary: "Friedman's test of all groups at once, as repeated measures of participants, with Kendall's W.",
    source: "Friedman (1937); Kendall and Babington Smith (1939).",
    columns: &[
        MEASURED,
        N.means("number of participants with all values"),
        N_CONDITIONS,
        N_ROWS.means("number of rows with all values, from which participants' values were made"),
        N_MISSING,
        N_EXCLUDED,
        ESTIMATE.means("Kendall's W, from 0 to 1"),
        STATISTIC.means("χ², corrected for ties"),
        DF,
        P_VALUE,
        P_METHOD,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| long(sample, compare_all),
    ..WILCOXON
};

pub(super) const FRIEDMAN_COLUMNS: Estimator = Estimator {
    name: "friedman-columns",
    summary: "Friedman's test of all columns at once, as repeated measures of rows, with Kendall's W.",
    assumptions: ASSUMPTIONS_WIDE,
    roles: WIDE,
    estimate: |sample| compare_all(sample, &sample.side_by_side(sample.all(Role::X))),
    ..FRIEDMAN
};

fn long(sample: &Sample, compare: fn(&Sample, &Crossed) -> Vec<Record>) -> Vec<Record> {
    let of_outcome = |y: &Input| {
        let table = sample.crossed(y, sample.one(Role::Participant), sample.one(Role::Group));
        let named = |record: Record| record.set(MEASURED, y.name.as_str());
        compare(sample, &table).into_iter().map(named).collect::<Vec<_>>()
    };
    sample.all(Role::Y).iter().flat_map(of_outcome).collect()
}

/// Each pair of columns over the rows that have both values.
fn columns_in_pairs(sample: &Sample) -> Vec<Record> {
    let columns = sample.all(Role::X);
    let row = |(first, second): (usize, usize)| {
        let (x, y) = (&columns[first], &columns[second]);
        let complete = sample.complete([x, y]);
        signed_ranks(sample, &x.numbers(&complete.indices), &y.numbers(&complete.indices))
            .set(FIRST, x.name.as_str())
            .set(SECOND, y.name.as_str())
            .set(N_ROWS, complete.indices.len())
            .set(N_MISSING, complete.n_missing)
            .set(N_EXCLUDED, 0_usize)
    };
    match pairs(columns.len()) {
        Ok(pairs) => pairs.into_iter().map(row).collect(),
        Err(reason) => vec![Record::without(reason).set(N, 0_usize).set(N_MISSING, 0_usize)],
    }
}

fn compare_pairs(sample: &Sample, table: &Crossed) -> Vec<Record> {
    let whole = |record: Record| record.set(N_ROWS, table.n_rows).set(N_MISSING, table.n_missing);
    let pairs = match pairs(table.labels.len()) {
        Ok(pairs) => pairs,
        Err(reason) => return vec![whole(Record::without(reason).set(N, 0_usize))],
    };
    let row = |(first, second): (usize, usize)| {
        let (xs, ys): (Vec<f64>, Vec<f64>) = table.pair(first, second).filter_map(|(x, y)| x.zip(y)).unzip();
        let n_any = table.pair(first, second).filter(|(x, y)| x.or(*y).is_some()).count();
        signed_ranks(sample, &xs, &ys)
            .set(FIRST, table.labels[first].as_str())
            .set(SECOND, table.labels[second].as_str())
            .set(N_EXCLUDED, n_any - xs.len())
    };
    pairs.into_iter().map(row).map(whole).collect()
}

fn signed_ranks(sample: &Sample, xs: &[f64], ys: &[f64]) -> Record {
    let found = wilcoxon(xs, ys, sample.request.confidence);
    Record::new()
        .set(N, found.n)
        .set(N_DIFFERENT, found.n_different)
        .set(ESTIMATE, found.shift)
        .set(LOWER, found.shift_lower)
        .set(UPPER, found.shift_upper)
        .set(CONFIDENCE, found.confidence.level())
        .set(EFFECT_SIZE, found.rank_biserial)
        .set(STATISTIC, found.w_plus)
        .set(P_VALUE, found.p_value)
        .set(P_METHOD, found.p_method)
        .set(SENTENCE, found.sentence())
        .set(REASON, found.reason)
}

fn compare_all(_: &Sample, table: &Crossed) -> Vec<Record> {
    let (rows, n_excluded) = table.complete();
    let found = friedman(&rows);
    vec![
        Record::new()
            .set(N, found.n)
            .set(N_CONDITIONS, table.labels.len())
            .set(N_ROWS, table.n_rows)
            .set(N_MISSING, table.n_missing)
            .set(N_EXCLUDED, n_excluded)
            .set(ESTIMATE, found.kendalls_w)
            .set(STATISTIC, found.statistic)
            .set(DF, found.df)
            .set(P_VALUE, found.p_value)
            .set(P_METHOD, found.p_method)
            .set(SENTENCE, found.sentence())
            .set(REASON, found.reason),
    ]
}

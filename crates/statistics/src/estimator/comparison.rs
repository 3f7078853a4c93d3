//! Comparison of independent groups.

use super::sample::{Groups, Input, Sample};
use super::{Estimator, Kind, Need, Role};
use crate::record::*;
use crate::stats::adjust::Adjustment;
use crate::stats::kruskal::kruskal_wallis;
use crate::stats::posthoc::dunn;
use crate::stats::two_samples::{mann_whitney, welch};
use crate::stats::{NotEstimable, apa};

const GROUPS: &[Need] = &[
    Need::several(Role::Y, Kind::Number, 1),
    Need::one(Role::Group, Kind::Label),
    Need::optional(Role::Participant, Kind::Label),
];

const ASSUMPTIONS: &str = "Assumes independent values: with --participant, each participant has one value in a group, \
                       the mean of the own rows (or --measure median).";
const VALUES: Column = N.means("number of values: rows, or participants where they are named");
const MEAN_FIRST: Column = number("mean_first", "mean of the first label");
const MEAN_SECOND: Column = number("mean_second", "mean of the second label");

pub(super) const MANN_WHITNEY: Estimator = Estimator {
    name: "mann-whitney",
    summary: "Mann-Whitney test of each pair of groups, with Cliff's δ and the Hodges-Lehmann shift.",
    assumptions: ASSUMPTIONS,
    source: "Mann and Whitney (1947); Feng and Cliff (2004); Hodges and Lehmann (1963).",
    roles: GROUPS,
    columns: &[
        OUTCOME,
        FIRST,
        SECOND,
        VALUES,
        N_FIRST,
        N_SECOND,
        N_ROWS,
        N_MISSING,
        N_SHARED,
        ESTIMATE
            .means("Hodges-Lehmann shift from the second to the first: median of all differences, in the unit of y"),
        LOWER,
        UPPER,
        CONFIDENCE,
        EFFECT_SIZE.means("Cliff's δ, from −1 to 1, positive if the first tends to be larger"),
        EFFECT_LOWER,
        EFFECT_UPPER,
        STATISTIC.means("U of the first label"),
        P_VALUE,
        P_METHOD,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| {
        each_pair(sample, |first, second| {
            let found = mann_whitney(first, second, sample.request.confidence);
            Record::new()
                .set(ESTIMATE, found.shift)
                .set(LOWER, found.shift_lower)
                .set(UPPER, found.shift_upper)
                .set(CONFIDENCE, found.confidence.level())
                .set(EFFECT_SIZE, found.cliffs_delta)
                .set(EFFECT_LOWER, found.cliffs_delta_lower)
                .set(EFFECT_UPPER, found.cliffs_delta_upper)
                .set(STATISTIC, found.u)
                .set(P_VALUE, found.p_value)
                .set(P_METHOD, found.p_method)
                .set(SENTENCE, found.sentence())
                .set(REASON, found.reason)
        })
    },
};

pub(super) const WELCH: Estimator = Estimator {
    name: "welch",
    summary: "Welch's t test of each pair of groups, with Hedges' g.",
    source: "Welch (1947); Hedges (1981).",
    columns: &[
        OUTCOME,
        FIRST,
        SECOND,
        VALUES,
        N_FIRST,
        N_SECOND,
        N_ROWS,
        N_MISSING,
        N_SHARED,
        MEAN_FIRST,
        MEAN_SECOND,
        ESTIMATE.means("mean of the first less that of the second label, in the unit of y"),
        LOWER,
        UPPER,
        CONFIDENCE,
        EFFECT_SIZE.means("Hedges' g, positive if the first mean is larger"),
        EFFECT_LOWER,
        EFFECT_UPPER,
        STATISTIC.means("t"),
        DF,
        P_VALUE,
        P_METHOD,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| {
        each_pair(sample, |first, second| {
            let found = welch(first, second, sample.request.confidence);
            Record::new()
                .set(MEAN_FIRST, found.mean_x)
                .set(MEAN_SECOND, found.mean_y)
                .set(ESTIMATE, found.difference)
                .set(LOWER, found.lower)
                .set(UPPER, found.upper)
                .set(CONFIDENCE, found.confidence.level())
                .set(EFFECT_SIZE, found.hedges_g)
                .set(EFFECT_LOWER, found.hedges_g_lower)
                .set(EFFECT_UPPER, found.hedges_g_upper)
                .set(STATISTIC, found.statistic)
                .set(DF, found.df)
                .set(P_VALUE, found.p_value)
                .set(P_METHOD, found.p_method)
                .set(SENTENCE, found.sentence())
                .set(REASON, found.reason)
        })
    },
    ..MANN_WHITNEY
};

pub(super) const KRUSKAL_WALLIS: Estimator = Estimator {
    name: "kruskal-wallis",
    summary: "Kruskal-Wallis test of all groups at once, with ε².",
    source: "Kruskal and Wallis (1952); Kelley (1935).",
    columns: &[
        OUTCOME,
        VALUES,
        N_GROUPS,
        N_ROWS,
        N_MISSING,
        N_SHARED,
        ESTIMATE.means("effect size ε², from 0 to 1"),
        STATISTIC.means("H, corrected for ties"),
        DF,
        P_VALUE,
        P_METHOD,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| {
        each_outcome(sample, |groups| {
            let found = kruskal_wallis(&groups.values);
            let all: Vec<usize> = (0..groups.labels.len()).collect();
            vec![
                Record::new()
                    .set(N, found.n)
                    .set(N_GROUPS, found.n_groups)
                    .set(N_SHARED, groups.n_shared(&all))
                    .set(ESTIMATE, found.epsilon_squared)
                    .set(STATISTIC, found.statistic)
                    .set(DF, found.df)
                    .set(P_VALUE, found.p_value)
                    .set(P_METHOD, found.p_method)
                    .set(SENTENCE, apa::kruskal_wallis(&found))
                    .set(REASON, found.reason),
            ]
        })
    },
    ..MANN_WHITNEY
};

pub(super) const DUNN: Estimator = Estimator {
    name: "dunn",
    summary: "Dunn's test of each pair of groups by their ranks among all, after a Kruskal-Wallis test; give --adjust.",
    source: "Dunn (1964).",
    columns: &[
        OUTCOME,
        FIRST,
        SECOND,
        VALUES.means("number of values of all groups: rows, or participants where they are named"),
        N_FIRST,
        N_SECOND,
        N_ROWS,
        N_MISSING,
        N_SHARED,
        ESTIMATE.means("mean rank of the first less that of the second label"),
        STATISTIC.means("z"),
        P_VALUE,
        P_METHOD,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| {
        each_outcome(sample, |groups| {
            // Adjusted with all other rows of the table, if at all.
            let found = dunn(&groups.values, Adjustment::None);
            if found.pairs.is_empty() {
                return vec![Record::new().set(REASON, found.reason)];
            }
            let row = |pair: &crate::stats::posthoc::DunnPair| {
                let (z, p) = (apa::number(pair.statistic, 2), apa::p_value(pair.p_value));
                Record::new()
                    .set(FIRST, groups.labels[pair.first].as_str())
                    .set(SECOND, groups.labels[pair.second].as_str())
                    .set(N_FIRST, pair.n_first)
                    .set(N_SECOND, pair.n_second)
                    .set(N_SHARED, groups.n_shared(&[pair.first, pair.second]))
                    .set(ESTIMATE, pair.rank_difference)
                    .set(STATISTIC, pair.statistic)
                    .set(P_VALUE, pair.p_value)
                    .set(P_METHOD, pair.p_method)
                    .set(SENTENCE, format!("z = {z}, {p}"))
            };
            found.pairs.iter().map(row).collect()
        })
    },
    ..MANN_WHITNEY
};

/// Rows for each outcome, with its name and numbers.
fn each_outcome(sample: &Sample, rows: impl Fn(&Groups) -> Vec<Record>) -> Vec<Record> {
    let of_outcome = |y: &Input| {
        let groups = sample.groups(y);
        let named = |record: Record| {
            let n = match record.cell(N.name) {
                Cell::Missing => Cell::from(groups.n()),
                known => known.clone(),
            };
            record.set(OUTCOME, y.name.as_str()).set(N, n).set(N_ROWS, groups.n_rows).set(N_MISSING, groups.n_missing)
        };
        rows(&groups).into_iter().map(named).collect::<Vec<_>>()
    };
    sample.all(Role::Y).iter().flat_map(of_outcome).collect()
}

/// A row for each pair of groups, or one that says why there is none.
fn each_pair(sample: &Sample, row: impl Fn(&[f64], &[f64]) -> Record) -> Vec<Record> {
    let compare = |groups: &Groups| -> Result<Vec<Record>, NotEstimable> {
        let of_pair = |(first, second): (usize, usize)| {
            let (n_first, n_second) = (groups.values[first].len(), groups.values[second].len());
            row(&groups.values[first], &groups.values[second])
                .set(FIRST, groups.labels[first].as_str())
                .set(SECOND, groups.labels[second].as_str())
                .set(N, n_first + n_second)
                .set(N_FIRST, n_first)
                .set(N_SECOND, n_second)
                .set(N_SHARED, groups.n_shared(&[first, second]))
        };
        Ok(groups.pairs()?.into_iter().map(of_pair).collect())
    };
    each_outcome(sample, |groups| compare(groups).unwrap_or_else(|reason| vec![Record::without(reason)]))
}

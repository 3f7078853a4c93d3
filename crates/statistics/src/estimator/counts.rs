//! Shares, and the association of two categories.

use super::sample::{Input, Sample, in_order, index_of_labels};
use super::{Estimator, Kind, Need, Role};
use crate::record::*;
use crate::stats::association::{Association, association};
use crate::stats::interval::proportion;
use crate::stats::{NotEstimable, apa};

/// More labels than this are refused: their table would be none that anyone can read.
const MOST_LABELS: usize = 100;

const TWO_LABELS: &[Need] = &[Need::one(Role::X, Kind::Label), Need::one(Role::Y, Kind::Label)];
const N_TRUE: Column = count("n_true", "number of rows in which it is true");
const EVENT: Column = text("event", "what happened or not");
const FIRST_CATEGORY: Column = text("x", "first category");
const SECOND_CATEGORY: Column = text("y", "second category");
const N_LABELS_X: Column = count("n_labels_x", "number of labels of the first category");
const N_LABELS_Y: Column = count("n_labels_y", "number of labels of the second category");
const G: Column = number("g", "likelihood ratio statistic G");
const G_P_VALUE: Column = number("g_p_value", "its p value");
const SMALLEST_EXPECTED: Column = number("smallest_expected", "smallest expected count");
const N_SMALL_EXPECTED: Column =
    count("n_small_expected", "number of cells whose expected count is below 5; at most a fifth should be");
const LABEL_X: Column = text("label_x", "label of the first category");
const LABEL_Y: Column = text("label_y", "label of the second category");
const OBSERVED: Column = count("observed", "number of rows with both labels");
const EXPECTED: Column = number("expected", "expected number under independence");
const RESIDUAL: Column = number("residual", "adjusted residual: standard normal if the categories are independent");

pub(super) const PROPORTION: Estimator = Estimator {
    name: "proportion",
    summary: "Share of the rows in which each column is true, with Wilson's interval.",
    assumptions: super::INDEPENDENT,
    source: "Wilson (1927).",
    roles: &[Need::several(Role::Event, Kind::Flag, 1)],
    columns: &[EVENT, N, N_MISSING, N_TRUE, ESTIMATE.means("the share"), LOWER, UPPER, CONFIDENCE, SENTENCE, REASON],
    estimate: |sample| {
        let row = |event: &Input| {
            let complete = sample.complete([event]);
            let flags = event.flags(&complete.indices);
            let n_true = flags.iter().filter(|&&flag| flag).count();
            let found = proportion(n_true as u64, flags.len() as u64, sample.request.confidence);
            Record::new()
                .set(EVENT, event.name.as_str())
                .set(N, flags.len())
                .set(N_MISSING, complete.n_missing)
                .set(N_TRUE, n_true)
                .set(ESTIMATE, found.estimate)
                .set(LOWER, found.lower)
                .set(UPPER, found.upper)
                .set(CONFIDENCE, found.confidence.level())
                .set(SENTENCE, apa::proportion(&found))
                .set(REASON, found.reason)
        };
        sample.all(Role::Event).iter().map(row).collect()
    },
};

pub(super) const CHI_SQUARED: Estimator = Estimator {
    name: "chi-squared",
    summary: "χ² test of independence of two categories, with Cramér's V.",
    assumptions: super::INDEPENDENT,
    source: "Pearson (1900); Cramér (1946), section 21.9.",
    roles: TWO_LABELS,
    columns: &[
        FIRST_CATEGORY,
        SECOND_CATEGORY,
        N,
        N_MISSING,
        N_LABELS_X,
        N_LABELS_Y,
        ESTIMATE.means("Cramér's V, from 0 to 1"),
        STATISTIC.means("Pearson's χ², without continuity correction"),
        DF,
        P_VALUE,
        P_METHOD,
        G,
        G_P_VALUE,
        SMALLEST_EXPECTED,
        N_SMALL_EXPECTED,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| {
        crossed(sample, |table| {
            let found = &table.found;
            vec![
                Record::new()
                    .set(N_LABELS_X, found.n_rows)
                    .set(N_LABELS_Y, found.n_columns)
                    .set(ESTIMATE, found.cramers_v)
                    .set(STATISTIC, found.chi_squared)
                    .set(DF, found.df)
                    .set(P_VALUE, found.p_value)
                    .set(P_METHOD, found.p_method)
                    .set(G, found.g)
                    .set(G_P_VALUE, found.g_p_value)
                    .set(SMALLEST_EXPECTED, found.smallest_expected)
                    .set(N_SMALL_EXPECTED, found.n_small_expected)
                    .set(SENTENCE, found.sentence())
                    .set(REASON, found.reason.clone()),
            ]
        })
    },
};

pub(super) const CHI_SQUARED_CELLS: Estimator = Estimator {
    name: "chi-squared-cells",
    summary: "The cells of a contingency table: observed and expected counts, with residuals.",
    source: "Haberman (1973).",
    columns: &[
        FIRST_CATEGORY,
        SECOND_CATEGORY,
        LABEL_X,
        LABEL_Y,
        N.means("number of rows with both categories"),
        N_MISSING,
        OBSERVED,
        EXPECTED,
        RESIDUAL,
        REASON,
    ],
    estimate: |sample| {
        crossed(sample, |table| {
            let found = &table.found;
            let row = |cell: &crate::stats::association::Cell| {
                Record::new()
                    .set(LABEL_X, table.rows[cell.row].as_str())
                    .set(LABEL_Y, table.columns[cell.column].as_str())
                    .set(OBSERVED, cell.observed)
                    .set(EXPECTED, cell.expected)
                    .set(RESIDUAL, cell.residual)
                    .set(REASON, found.reason.clone())
            };
            if found.cells.is_empty() {
                return vec![Record::new().set(REASON, found.reason.clone())];
            }
            found.cells.iter().map(row).collect()
        })
    },
    ..CHI_SQUARED
};

/// How often each pair of labels comes together.
struct Crosstab {
    rows: Vec<String>,
    columns: Vec<String>,
    found: Association,
}

impl Crosstab {
    fn new(x: &[&str], y: &[&str]) -> Result<Self, NotEstimable> {
        let (rows, columns) = (in_order(x.iter().copied()), in_order(y.iter().copied()));
        if let Some(found) = [rows.len(), columns.len()].into_iter().find(|&found| found > MOST_LABELS) {
            let (quantity, value) = ("the number of labels of a category", found.to_string());
            return Err(NotEstimable::OutOfRange { quantity, value, allowed: "at most 100" });
        }
        let (row_indices, column_indices) = (index_of_labels(&rows), index_of_labels(&columns));
        let mut counts = vec![vec![0_u64; columns.len()]; rows.len()];
        for (x, y) in x.iter().zip(y) {
            counts[row_indices[x]][column_indices[y]] += 1;
        }
        Ok(Self { found: association(&counts), rows, columns })
    }
}

/// The records of two categories, or one that says why there are none.
fn crossed(sample: &Sample, records: impl Fn(&Crosstab) -> Vec<Record>) -> Vec<Record> {
    let (x, y) = (sample.one(Role::X), sample.one(Role::Y));
    let complete = sample.complete([x, y]);
    let found = match Crosstab::new(&x.labels(&complete.indices), &y.labels(&complete.indices)) {
        Ok(table) => records(&table),
        Err(reason) => vec![Record::without(reason)],
    };
    let named = |record: Record| {
        record
            .set(FIRST_CATEGORY, x.name.as_str())
            .set(SECOND_CATEGORY, y.name.as_str())
            .set(N, complete.indices.len())
            .set(N_MISSING, complete.n_missing)
    };
    found.into_iter().map(named).collect()
}

//! The p values of columns of any table, adjusted.

use crate::adjust::{benjamini_hochberg, holm};
use crate::estimator::Input;
use crate::estimator::sample::Sample;
use crate::estimator::{Estimate, Estimator, Kind, Need, Role};
use crate::record::*;

const ROW: Column = count("row", "number of the row in the table, from 1");
const P: Column = number("p", "the p value, as it is");
const HOLM: Column = number("p_holm", "p after Holm (1979)");
const FALSE_DISCOVERY: Column = number("p_benjamini_hochberg", "p after Benjamini and Hochberg (1995)");

/// The adjusted p values of columns of any table.
pub const ADJUST: Estimator = Estimator {
    name: "adjust",
    summary: "The p values of a column adjusted for their number.",
    assumptions: "",
    source: "Holm (1979); Benjamini and Hochberg (1995).",
    roles: &[Need::several(Role::X, Kind::Number, 1)],
    columns: &[
        MEASURE.means("the column"),
        ROW,
        N.means("number of p values that count"),
        N_MISSING.means("number of rows without a p value, or with one that is not from 0 to 1"),
        P,
        HOLM,
        FALSE_DISCOVERY,
        REASON,
    ],
    estimate: Estimate::Table(|sample| {
        sample.all(Role::X).iter().flat_map(|column| estimate_column(sample, column)).collect()
    }),
};

fn estimate_column(sample: &Sample, column: &Input) -> Vec<Record> {
    let complete = sample.complete([column]);
    let values: Vec<Option<f64>> = column.numbers(&complete.indices).into_iter().map(Some).collect();
    let (holm, discovery) = (holm(&values), benjamini_hochberg(&values));
    let n = holm.iter().flatten().count();
    let of_column =
        |record: Record| record.set(MEASURE, column.name.as_str()).set(N, n).set(N_MISSING, sample.rows.len() - n);
    if values.is_empty() {
        return vec![of_column(Record::new().set(REASON, "there is no p value"))];
    }
    let row = |index: usize| {
        Record::new()
            .set(ROW, sample.rows[complete.indices[index]])
            .set(P, values[index])
            .set(HOLM, holm[index])
            .set(FALSE_DISCOVERY, discovery[index])
            .set(REASON, holm[index].is_none().then_some("it is not from 0 to 1"))
    };
    (0..values.len()).map(|index| of_column(row(index))).collect()
}

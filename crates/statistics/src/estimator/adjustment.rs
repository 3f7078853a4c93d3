//! Adjustment of p values that stand in a column.

use super::{Estimator, Kind, Need, Role};
use crate::record::*;
use crate::stats::adjust::{benjamini_hochberg, holm};

const ROW: Column = count("row", "number of the row in the table, from 1");
const P: Column = number("p", "the p value, as it is");
const HOLM: Column = number("p_holm", "p after Holm (1979)");
const FALSE_DISCOVERY: Column = number("p_benjamini_hochberg", "p after Benjamini and Hochberg (1995)");

pub(super) const ADJUST: Estimator = Estimator {
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
    estimate: |sample| {
        let of_column = |input: &super::Input| {
            let complete = sample.complete([input]);
            let values: Vec<Option<f64>> = input.numbers(&complete.indices).into_iter().map(Some).collect();
            let (holm, discovery) = (holm(&values), benjamini_hochberg(&values));
            let n = holm.iter().flatten().count();
            let whole = |record: Record| {
                record.set(MEASURE, input.name.as_str()).set(N, n).set(N_MISSING, sample.rows.len() - n)
            };
            if values.is_empty() {
                return vec![whole(Record::new().set(REASON, "there is no p value"))];
            }
            let row = |index: usize| {
                let reason = holm[index].is_none().then_some("it is not from 0 to 1");
                Record::new()
                    .set(ROW, sample.rows[complete.indices[index]])
                    .set(P, values[index])
                    .set(HOLM, holm[index])
                    .set(FALSE_DISCOVERY, discovery[index])
                    .set(REASON, reason)
            };
            (0..values.len()).map(row).map(whole).collect()
        };
        sample.all(Role::X).iter().flat_map(of_column).collect()
    },
};

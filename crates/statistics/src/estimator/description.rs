//! Common parts of descriptions of columns.

use super::sample::Sample;
use crate::estimator::Input;
use crate::estimator::role::{Kind, Need, Role};
use crate::record::*;

/// The roles of a description.
pub(crate) const COLUMNS_DESCRIBED: &[Need] = &[Need::several(Role::X, Kind::Number, 1)];

/// Rows for each column that is described, with its name and numbers of values.
pub(crate) fn each(sample: &Sample, rows: impl Fn(&[f64]) -> Vec<Record>) -> Vec<Record> {
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

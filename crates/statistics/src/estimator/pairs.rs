//! Each x with each y: what the estimators of pairs of columns share.

use super::sample::Sample;
use crate::estimator::input::Input;
use crate::estimator::role::Role;
use crate::record::{N_MISSING, Record, X, Y};

/// Rows for each x with each y, over the rows of the sample that have both and the `others`.
pub(crate) fn each_pair(
    sample: &Sample,
    others: &[&Input],
    rows: impl Fn(&[f64], &[f64], &[usize]) -> Vec<Record>,
) -> Vec<Record> {
    let pairs = sample.all(Role::X).iter().flat_map(|x| sample.all(Role::Y).iter().map(move |y| (x, y)));
    let of_pair = |(x, y): (&Input, &Input)| {
        let complete = sample.complete([x, y].into_iter().chain(others.iter().copied()));
        let records = rows(&x.numbers(&complete.indices), &y.numbers(&complete.indices), &complete.indices);
        records
            .into_iter()
            .map(|record| record.set(X, x.name.as_str()).set(Y, y.name.as_str()).set(N_MISSING, complete.n_missing))
            .collect::<Vec<_>>()
    };
    pairs.flat_map(of_pair).collect()
}

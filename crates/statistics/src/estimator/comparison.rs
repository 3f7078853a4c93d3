//! Common parts of comparisons of independent groups.

use super::sample::{Groups, Sample};
use crate::estimator::Input;
use crate::estimator::definition::Estimator;
use crate::estimator::role::{Kind, Need, Role};
use crate::inference::Confidence;
use crate::not_estimable::NotEstimable;
use crate::record::*;

/// A test of two samples as analyses and tables name it.
#[derive(Clone, Copy, Debug)]
pub struct TwoSampleTest {
    /// The test on the columns of any table.
    pub estimator: Estimator,
    /// Name of its effect size.
    pub effect: &'static str,
    /// Tests x against y.
    pub test: fn(&[f64], &[f64], Confidence) -> Record,
}

/// The roles of a comparison of groups.
pub(crate) const GROUPS: &[Need] = &[
    Need::several(Role::Y, Kind::Number, 1),
    Need::one(Role::Group, Kind::Label),
    Need::optional(Role::Participant, Kind::Label),
];

pub(crate) const ASSUMPTIONS: &str = "Assumes independent values: with --participant, each participant has one value in a group, \
                                  the mean of the own rows (or --measure median).";
pub(crate) const VALUES: Column = N.means("number of values: rows, or participants where they are named");

/// Rows for each outcome, with its name and numbers.
pub(crate) fn each_outcome(sample: &Sample, rows: impl Fn(&Groups) -> Vec<Record>) -> Vec<Record> {
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
pub(crate) fn each_pair(sample: &Sample, test: &TwoSampleTest) -> Vec<Record> {
    let compare = |groups: &Groups| -> Result<Vec<Record>, NotEstimable> {
        let of_pair = |(first, second): (usize, usize)| {
            (test.test)(&groups.values[first], &groups.values[second], sample.request.confidence)
                .set(FIRST, groups.labels[first].as_str())
                .set(SECOND, groups.labels[second].as_str())
                .set(N_SHARED, groups.n_shared(&[first, second]))
        };
        Ok(groups.pairs()?.into_iter().map(of_pair).collect())
    };
    each_outcome(sample, |groups| compare(groups).unwrap_or_else(|reason| vec![Record::without(reason)]))
}

//! Common parts of comparisons of repeated measures.

use super::sample::{Crossed, Sample};
use crate::estimator::Input;
use crate::estimator::role::{Kind, Need, Role};
use crate::record::*;

/// The roles where each row is one of several of a participant.
pub(crate) const LONG: &[Need] = &[
    Need::several(Role::Y, Kind::Number, 1),
    Need::one(Role::Group, Kind::Label),
    Need::one(Role::Participant, Kind::Label),
];
/// The roles where each row is a participant.
pub(crate) const WIDE: &[Need] = &[Need::several(Role::X, Kind::Number, 2)];

pub(crate) const ASSUMPTIONS: &str =
    "Each participant has one value in a group, the mean of the own rows (or --measure median).";
pub(crate) const ASSUMPTIONS_WIDE: &str =
    "Each row is someone, each column a condition; rows are independent of each other.";
pub(crate) const MEASURED: Column = OUTCOME.means("what is compared; empty where columns are");

/// Rows for each outcome, with its name, from one value for each participant and label.
pub(crate) fn each_outcome(sample: &Sample, compare: impl Fn(&Crossed) -> Vec<Record>) -> Vec<Record> {
    let of_outcome = |y: &Input| {
        let table = sample.crossed(y, sample.one(Role::Participant), sample.one(Role::Group));
        compare(&table).into_iter().map(|record| record.set(MEASURED, y.name.as_str())).collect::<Vec<_>>()
    };
    sample.all(Role::Y).iter().flat_map(of_outcome).collect()
}

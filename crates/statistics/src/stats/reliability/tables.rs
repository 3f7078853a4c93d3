//! Input of the estimators of reliability: the values of each participant, or tables of participants by items.

use std::collections::BTreeMap;

use crate::estimator::Input;
use crate::estimator::sample::{Crossed, Sample};
use crate::estimator::{Kind, Need, Role};
use crate::inference::Confidence;
use crate::record::*;

pub const OF_PARTICIPANTS: &[Need] =
    &[Need::several(Role::Y, Kind::Number, 1), Need::one(Role::Participant, Kind::Label)];
pub const LONG: &[Need] = &[
    Need::several(Role::Y, Kind::Number, 1),
    Need::one(Role::Participant, Kind::Label),
    Need::one(Role::Item, Kind::Label),
];
pub const WIDE: &[Need] = &[Need::several(Role::X, Kind::Number, 2)];
pub const WIDE_ASSUMPTIONS: &str =
    "Each row is a participant, each column an item; rows without all values are left out.";
pub const MEASURED: Column = OUTCOME.means("the measure; empty where columns are items");
pub const N_ITEMS: Column = count("n_items", "number of items k");

/// A row for each outcome, from the values of each participant in their order.
pub fn each_outcome(sample: &Sample, row: impl Fn(&[Vec<f64>]) -> Record) -> Vec<Record> {
    sample.all(Role::Y).iter().map(|outcome| of_outcome(sample, outcome, &row)).collect()
}

fn of_outcome(sample: &Sample, outcome: &Input, row: impl Fn(&[Vec<f64>]) -> Record) -> Record {
    let (participant, trial) = (sample.one(Role::Participant), sample.maybe(Role::Trial));
    let mut complete = sample.complete([outcome, participant].into_iter().chain(trial));
    if let Some(trial) = trial {
        let numbers = trial.numbers(&complete.indices);
        let mut order: Vec<usize> = (0..numbers.len()).collect();
        order.sort_by(|&left, &right| numbers[left].total_cmp(&numbers[right]));
        complete.indices = order.into_iter().map(|index| complete.indices[index]).collect();
    }
    let mut trials: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let labels = participant.labels(&complete.indices);
    for (label, value) in labels.into_iter().zip(outcome.numbers(&complete.indices)) {
        trials.entry(label).or_default().push(value);
    }
    let trials: Vec<Vec<f64>> = trials.into_values().collect();
    let record = row(&trials).set(MEASURED, outcome.name.as_str());
    record.set(N, complete.indices.len()).set(N_MISSING, complete.n_missing)
}

/// Results of the complete table of participants by items of each outcome.
pub fn each_long_table(sample: &Sample, results: fn(&[Vec<f64>], Confidence) -> Vec<Record>) -> Vec<Record> {
    let of_outcome = |outcome: &Input| {
        let table = sample.crossed(outcome, sample.one(Role::Participant), sample.one(Role::Item));
        let records = of_table(&table, sample.request.confidence, results);
        records.into_iter().map(|record| record.set(MEASURED, outcome.name.as_str())).collect::<Vec<_>>()
    };
    sample.all(Role::Y).iter().flat_map(of_outcome).collect()
}

/// Results of columns side by side, each an item.
pub fn wide_table(sample: &Sample, results: fn(&[Vec<f64>], Confidence) -> Vec<Record>) -> Vec<Record> {
    of_table(&sample.side_by_side(sample.all(Role::X)), sample.request.confidence, results)
}

fn of_table(
    table: &Crossed,
    confidence: Confidence,
    results: fn(&[Vec<f64>], Confidence) -> Vec<Record>,
) -> Vec<Record> {
    let (rows, n_excluded) = table.complete();
    let counted = |record: Record| {
        let record = record.set(N, rows.len()).set(N_ITEMS, table.labels.len()).set(N_ROWS, table.n_rows);
        record.set(N_MISSING, table.n_missing).set(N_EXCLUDED, n_excluded)
    };
    results(&rows, confidence).into_iter().map(counted).collect()
}

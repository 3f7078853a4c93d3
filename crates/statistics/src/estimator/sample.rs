//! The columns that an estimator gets, each in the form that its role asks for.

use std::collections::BTreeMap;

use super::input::{Complete, Input};
use super::labels::{in_order, index_of_labels, pairs};
use super::request::Request;
use super::role::Role;
use crate::not_estimable::NotEstimable;

/// The rows of one group.
pub(crate) struct Sample<'a> {
    pub request: &'a Request<'a>,
    pub inputs: &'a BTreeMap<Role, Vec<Input>>,
    /// The number of each row in the user's table, from 1.
    pub rows: &'a [usize],
}

/// The values of each label, labels in natural order.
pub(crate) struct Groups {
    pub labels: Vec<String>,
    pub values: Vec<Vec<f64>>,
    /// Number of rows behind the values.
    pub n_rows: usize,
    pub n_missing: usize,
    /// The participants of each label, one for each value; empty where participants are not named.
    participants: Vec<Vec<String>>,
}

/// One value for each participant and label that have one. Only these are kept: participants times labels may be far
/// more than there are rows.
pub(crate) struct Crossed {
    pub labels: Vec<String>,
    pub participants: Vec<String>,
    /// The values of each participant, each with the index of its label, in the order of the labels.
    pub rows: Vec<Vec<(usize, f64)>>,
    pub n_rows: usize,
    pub n_missing: usize,
}

impl Sample<'_> {
    /// The columns of a role.
    pub fn all(&self, role: Role) -> &[Input] {
        self.inputs.get(&role).map_or(&[], Vec::as_slice)
    }

    /// The column of a role that the estimator requires, which a request is checked for.
    pub fn one(&self, role: Role) -> &Input {
        &self.all(role)[0]
    }

    /// The column of an optional role.
    pub fn maybe(&self, role: Role) -> Option<&Input> {
        self.all(role).first()
    }

    /// The rows in which all of these columns have a value.
    pub fn complete<'i>(&self, inputs: impl IntoIterator<Item = &'i Input>) -> Complete {
        let inputs: Vec<&Input> = inputs.into_iter().collect();
        let indices: Vec<usize> =
            (0..self.rows.len()).filter(|&place| inputs.iter().all(|input| input.has(place))).collect();
        Complete { n_missing: self.rows.len() - indices.len(), indices }
    }

    /// The values of `y` of each label of the group, one for each participant where participants are named.
    pub fn groups(&self, y: &Input) -> Groups {
        let (group, participant) = (self.one(Role::Group), self.maybe(Role::Participant));
        if let Some(participant) = participant {
            return Groups::of_participants(self.crossed(y, participant, group));
        }
        let complete = self.complete([y, group]);
        let mut values: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for (label, value) in group.labels(&complete.indices).into_iter().zip(y.numbers(&complete.indices)) {
            values.entry(label).or_default().push(value);
        }
        let labels = in_order(values.keys().copied());
        Groups {
            values: labels.iter().map(|label| values.remove(label.as_str()).unwrap_or_default()).collect(),
            labels,
            n_rows: complete.indices.len(),
            n_missing: complete.n_missing,
            participants: Vec::new(),
        }
    }

    /// One value of `y` for each participant and label: the measure of the rows, where there are several.
    pub fn crossed(&self, y: &Input, participant: &Input, label: &Input) -> Crossed {
        let complete = self.complete([y, participant, label]);
        let mut cells: BTreeMap<(&str, &str), Vec<f64>> = BTreeMap::new();
        let keys = participant.labels(&complete.indices).into_iter().zip(label.labels(&complete.indices));
        for (key, value) in keys.zip(y.numbers(&complete.indices)) {
            cells.entry(key).or_default().push(value);
        }
        let participants = in_order(cells.keys().map(|(participant, _)| *participant));
        let labels = in_order(cells.keys().map(|(_, label)| *label));
        let (participant_indices, label_indices) = (index_of_labels(&participants), index_of_labels(&labels));
        let mut rows = vec![Vec::new(); participants.len()];
        for ((participant, label), values) in cells {
            rows[participant_indices[participant]].push((label_indices[label], self.request.measure.of(&values)));
        }
        rows.iter_mut().for_each(|row| row.sort_unstable_by_key(|&(label, _)| label));
        Crossed { rows, n_rows: complete.indices.len(), n_missing: complete.n_missing, labels, participants }
    }

    /// Several columns side by side, each row someone.
    pub fn side_by_side(&self, columns: &[Input]) -> Crossed {
        let complete = self.complete(columns);
        let numbers: Vec<Vec<f64>> = columns.iter().map(|column| column.numbers(&complete.indices)).collect();
        Crossed {
            labels: columns.iter().map(|column| column.name.clone()).collect(),
            participants: complete.indices.iter().map(|&place| self.rows[place].to_string()).collect(),
            rows: (0..complete.indices.len())
                .map(|row| numbers.iter().map(|number| number[row]).enumerate().collect())
                .collect(),
            n_rows: complete.indices.len(),
            n_missing: complete.n_missing,
        }
    }
}

impl Groups {
    fn of_participants(crossed: Crossed) -> Self {
        let mut values = vec![Vec::new(); crossed.labels.len()];
        let mut participants = vec![Vec::new(); crossed.labels.len()];
        for (row, who) in crossed.rows.iter().zip(&crossed.participants) {
            for &(label, value) in row {
                values[label].push(value);
                participants[label].push(who.clone());
            }
        }
        let (n_rows, n_missing) = (crossed.n_rows, crossed.n_missing);
        Self { labels: crossed.labels, values, n_rows, n_missing, participants }
    }

    /// Number of values.
    pub fn n(&self) -> usize {
        self.values.iter().map(Vec::len).sum()
    }

    /// Number of participants with values in several of these groups; absent where they are not named.
    pub fn n_shared(&self, groups: &[usize]) -> Option<usize> {
        if self.participants.is_empty() {
            return None;
        }
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for participant in groups.iter().flat_map(|&group| &self.participants[group]) {
            *counts.entry(participant).or_default() += 1;
        }
        Some(counts.values().filter(|&&count| count > 1).count())
    }

    /// The pairs of groups, unless there are too few or too many.
    pub fn pairs(&self) -> Result<Vec<(usize, usize)>, NotEstimable> {
        pairs(self.labels.len())
    }
}

impl Crossed {
    /// For each participant the values of two labels, where there is one.
    pub fn pair(&self, first: usize, second: usize) -> impl Iterator<Item = (Option<f64>, Option<f64>)> {
        self.rows.iter().map(move |row| {
            let at = |label: usize| row.binary_search_by_key(&label, |&(key, _)| key).ok().map(|place| row[place].1);
            (at(first), at(second))
        })
    }

    /// The rows of those who have all values, and how many have not.
    pub fn complete(&self) -> (Vec<Vec<f64>>, usize) {
        let has_all = |row: &&Vec<(usize, f64)>| row.len() == self.labels.len();
        let rows: Vec<Vec<f64>> =
            self.rows.iter().filter(has_all).map(|row| row.iter().map(|&(_, value)| value).collect()).collect();
        let n_excluded = self.rows.len() - rows.len();
        (rows, n_excluded)
    }
}

//! Responses of participants to levels, solved or not, with cells missing where someone did not try one.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::not_estimable::{NotEstimable, check_count};

/// The responses by participant and level, labels in alphabetical order.
pub(super) struct Table {
    pub participants: Vec<String>,
    pub levels: Vec<String>,
    /// Levels tried by each participant, ascending, each with true if it was solved.
    pub rows: Vec<Vec<(usize, bool)>>,
}

/// Number of those who tried, and of those who solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    pub n: usize,
    pub n_solved: usize,
}

impl Count {
    fn add(&mut self, solved: bool) {
        self.n += 1;
        self.n_solved += usize::from(solved);
    }

    /// Returns true if all or none solved.
    pub fn is_extreme(self) -> bool {
        self.n_solved == 0 || self.n_solved == self.n
    }
}

impl Table {
    pub fn new<P: AsRef<str>, L: AsRef<str>>(
        participants: &[P],
        levels: &[L],
        solved: &[bool],
    ) -> Result<Self, NotEstimable> {
        let n = solved.len();
        for (left_name, left) in [("the participants", participants.len()), ("the levels", levels.len())] {
            if left != n {
                return Err(NotEstimable::UnequalLengths { left_name, left, right_name: "the responses", right: n });
            }
        }
        check_count("a Rasch model", "responses", n, 1)?;
        let (participant_labels, participant_places) = places(participants);
        let (level_labels, level_places) = places(levels);
        let mut rows: Vec<BTreeMap<usize, bool>> = vec![BTreeMap::new(); participant_labels.len()];
        for ((participant, level), &solved) in participants.iter().zip(levels).zip(solved) {
            let (participant, level) = (participant.as_ref(), level.as_ref());
            if rows[participant_places[participant]].insert(level_places[level], solved).is_some() {
                return Err(undefined(format!("{participant} has two responses to {level}; keep one")));
            }
        }
        let rows = rows.into_iter().map(|row| row.into_iter().collect()).collect();
        Ok(Self { participants: participant_labels, levels: level_labels, rows })
    }

    pub fn of_levels(&self) -> Vec<Count> {
        let mut counts = vec![Count::default(); self.levels.len()];
        self.rows.iter().flatten().for_each(|&(level, solved)| counts[level].add(solved));
        counts
    }

    pub fn of_participant(row: &[(usize, bool)]) -> Count {
        let mut count = Count::default();
        row.iter().for_each(|&(_, solved)| count.add(solved));
        count
    }

    /// The rows with only the levels that `keep` gives a new place to; a participant
    /// who tried none of them has an empty row.
    pub fn restricted(&self, keep: &[Option<usize>]) -> Vec<Vec<(usize, bool)>> {
        let kept = |row: &Vec<(usize, bool)>| -> Vec<(usize, bool)> {
            row.iter().filter_map(|&(level, solved)| Some((keep[level]?, solved))).collect()
        };
        self.rows.iter().map(kept).collect()
    }
}

fn places<S: AsRef<str>>(labels: &[S]) -> (Vec<String>, HashMap<&str, usize>) {
    let sorted: BTreeSet<&str> = labels.iter().map(AsRef::as_ref).collect();
    let places = sorted.iter().enumerate().map(|(place, &label)| (label, place)).collect();
    (sorted.into_iter().map(str::to_owned).collect(), places)
}

pub(super) fn undefined(why: String) -> NotEstimable {
    NotEstimable::Undefined { quantity: "the Rasch model", why }
}

//! Factors of inter-move times: groups of moves, and the median time of each participant in each group.

use super::dataset::{Dataset, MoveRow};
use plymap_measures::label::Quality;
use plymap_statistics::stats::describe::quantile;

/// Moves grouped by one property, with their times.
pub(super) struct Factor {
    /// Its name.
    pub name: &'static str,
    /// Names of its groups, in order.
    pub groups: Vec<String>,
    /// True if there are two groups by definition, so that one comparison suffices.
    pub is_pair: bool,
    /// Times in seconds, by group and by number of the participant.
    pub times_s: Vec<Vec<Vec<f64>>>,
    /// Moves after a first one, by group, that have no time.
    pub n_untimed: Vec<usize>,
    /// First moves of attempts.
    pub n_first: usize,
    /// Moves after a first one with no known value of the property.
    pub n_unknown: usize,
}

/// A move after the first of its attempt.
struct Later<'a> {
    participant: usize,
    row: &'a MoveRow,
    time_s: Option<f64>,
}

/// All factors of a study: quality, whether the move was optimal, distance before it where values are distances, and
/// number of legal moves. The last two are cut at the quartiles of the moves that have a time.
pub(super) fn factors(data: &Dataset) -> Vec<Factor> {
    let later = later_moves(data);
    let n_first = data.attempts.iter().flat_map(|attempt| data.moves_of(attempt)).count() - later.len();
    let n_participants = data.participants.len();
    let qualities: Vec<Quality> = data.qualities().into_iter().filter(|&quality| quality != Quality::Illegal).collect();
    let names = qualities.iter().map(|quality| quality.name().to_owned()).collect();
    let of_quality = |row: &MoveRow| qualities.iter().position(|&quality| quality == row.quality);
    let by = |name, groups: Vec<String>, is_pair, group_of: &dyn Fn(&MoveRow) -> Option<usize>| {
        Factor::new(name, groups, is_pair, n_participants, n_first, &later, group_of)
    };
    let optimal = ["optimal", "not optimal"].map(str::to_owned).to_vec();
    let mut factors = vec![
        by("quality", names, false, &of_quality),
        by("optimal", optimal, true, &|row| Some(usize::from(!row.is_optimal))),
    ];
    let binned = |name, value: &dyn Fn(&MoveRow) -> Option<f64>| {
        let timed = later.iter().filter(|later| later.time_s.is_some());
        let bins = Bins::new(timed.filter_map(|later| value(later.row)).collect());
        by(name, bins.names(), false, &|row| bins.of(value(row)?))
    };
    if data.unit.is_distance() {
        factors.push(binned("distance", &|row| row.value_before.filter(|value| value.is_finite())));
    }
    factors.push(binned("n_legal", &|row| Some(f64::from(row.n_legal))));
    factors
}

fn later_moves(data: &Dataset) -> Vec<Later<'_>> {
    let of_attempt = |attempt| {
        let attempt: &super::dataset::AttemptRow = attempt;
        // The time of a first move includes that of looking at the level.
        let moves = data.moves_of(attempt).iter().filter(|row| row.ply > 0);
        moves.map(|row| Later {
            participant: attempt.participant,
            row,
            time_s: row.rt_s.filter(|time| time.is_finite()),
        })
    };
    data.attempts.iter().flat_map(of_attempt).collect()
}

impl Factor {
    fn new(
        name: &'static str,
        groups: Vec<String>,
        is_pair: bool,
        n_participants: usize,
        n_first: usize,
        moves: &[Later],
        group_of: &dyn Fn(&MoveRow) -> Option<usize>,
    ) -> Self {
        let mut factor = Self {
            name,
            times_s: vec![vec![Vec::new(); n_participants]; groups.len()],
            n_untimed: vec![0; groups.len()],
            groups,
            is_pair,
            n_first,
            n_unknown: 0,
        };
        for later in moves {
            match (group_of(later.row), later.time_s) {
                (None, _) => factor.n_unknown += 1,
                (Some(group), None) => factor.n_untimed[group] += 1,
                (Some(group), Some(time)) => {
                    if let Some(times) = factor.times_s[group].get_mut(later.participant) {
                        times.push(time);
                    }
                }
            }
        }
        factor
    }

    /// The median time of each participant in a group; absent where there is no move.
    pub fn medians(&self, group: usize) -> Vec<Option<f64>> {
        self.times_s[group].iter().map(|times| quantile(times, 0.5).ok()).collect()
    }
}

/// Values cut at their quartiles. Where many are equal there are fewer than four bins, and they differ in size.
struct Bins {
    /// Smallest and largest value of each bin that is not empty, ascending.
    ranges: Vec<(f64, f64)>,
    /// Quartiles and maximum: a bin ends with each.
    ends: Vec<f64>,
    /// The bin of each stretch between ends; absent where no value lies.
    numbers: Vec<Option<usize>>,
}

impl Bins {
    fn new(values: Vec<f64>) -> Self {
        let mut ends: Vec<f64> = [0.25, 0.5, 0.75, 1.0].iter().filter_map(|&p| quantile(&values, p).ok()).collect();
        ends.dedup();
        let mut extremes: Vec<Option<(f64, f64)>> = vec![None; ends.len()];
        for value in values {
            if let Some(extreme) = extremes.get_mut(ends.partition_point(|&end| end < value)) {
                let (low, high) = extreme.unwrap_or((value, value));
                *extreme = Some((low.min(value), high.max(value)));
            }
        }
        let mut n_filled = 0;
        let number = |extreme: &Option<(f64, f64)>| {
            extreme.map(|_| {
                n_filled += 1;
                n_filled - 1
            })
        };
        let numbers = extremes.iter().map(number).collect();
        Self { ranges: extremes.into_iter().flatten().collect(), ends, numbers }
    }

    /// The bin of a value; one without a time may lie between two bins or beyond the last, and belongs to none.
    fn of(&self, value: f64) -> Option<usize> {
        let number = self.numbers.get(self.ends.partition_point(|&end| end < value)).copied().flatten()?;
        let (low, high) = self.ranges[number];
        (low..=high).contains(&value).then_some(number)
    }

    fn names(&self) -> Vec<String> {
        let name = |&(low, high): &(f64, f64)| if low == high { format!("{low}") } else { format!("{low} to {high}") };
        self.ranges.iter().map(name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{add_attempt, dataset, step, trial};

    #[test]
    fn bins_end_at_quartiles_and_empty_ones_are_dropped() {
        let bins = Bins::new((1..=8).map(f64::from).collect());
        // The quartiles are 2.75, 4.5 and 6.25.
        assert_eq!(bins.names(), ["1 to 2", "3 to 4", "5 to 6", "7 to 8"]);
        assert_eq!((bins.of(2.0), bins.of(3.0), bins.of(8.0), bins.of(9.0)), (Some(0), Some(1), Some(3), None));
        // Of 1, 1, 2, 2 the quartiles are 1, 1.5 and 2: nothing lies between 1 and 1.5.
        let tied = Bins::new(vec![2.0, 1.0, 1.0, 2.0]);
        assert_eq!((tied.names(), tied.of(2.0)), (vec!["1".to_owned(), "2".to_owned()], Some(1)));
        assert!(Bins::new(Vec::new()).names().is_empty());
        assert_eq!(Bins::new(Vec::new()).of(1.0), None);
    }

    #[test]
    fn times_go_to_their_group_and_participant() {
        let mut data = dataset(vec![trial(0, 0, 4.0, 9.0), trial(1, 0, 3.0, 9.0)]);
        let (better, worse) = (|time| step(Quality::Better, time), |time| step(Quality::Worse, time));
        add_attempt(&mut data, 0, 0, vec![better(Some(9.0)), better(Some(1.0)), better(Some(4.0)), worse(None)]);
        let unknown = worse(Some(2.0)).but(|fact| fact.value_before = None);
        add_attempt(&mut data, 1, 0, vec![worse(Some(8.0)), worse(Some(3.0)), unknown]);
        let groupings = factors(&data);
        let names: Vec<&str> = groupings.iter().map(|factor| factor.name).collect();
        assert_eq!(names, ["quality", "optimal", "distance", "n_legal"]);
        let quality = &groupings[0];
        assert_eq!(quality.groups, ["better", "same", "worse", "dead-end"]);
        assert_eq!((quality.medians(0), quality.medians(2)), (vec![Some(2.5), None], vec![None, Some(2.5)]));
        assert_eq!((quality.n_untimed.clone(), quality.n_first), (vec![0, 0, 1, 0], 2));
        assert_eq!((groupings[2].n_unknown, groupings[2].times_s[0].concat()), (1, vec![1.0, 4.0, 3.0]));
        data.unit = plymap_puzzles::game::Unit::Points;
        assert!(factors(&data).iter().all(|factor| factor.name != "distance"));
    }
}

//! Measures of trials and their means by participant: the values that several analyses share.

use std::collections::BTreeMap;

use super::dataset::{Dataset, Trial};
use plymap_measures::measure;
use plymap_measures::measure::Measure;
use plymap_puzzles::game::Unit;
use plymap_statistics::stats::moments;

/// A measure of a trial. Analyses take it of solved trials only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TrialMeasure {
    /// Number of moves, over all attempts.
    NMoves,
    /// Time, over all attempts, in seconds.
    Time,
    /// Cost of all moves beyond the distance of the start; only where values are distances.
    ExcessMoves,
    /// Share of optimal moves.
    ShareOptimal,
    /// Mean regret of a move, in the unit of values.
    MeanRegret,
    /// Time of the first move of the first attempt, in seconds.
    FirstMoveLatency,
    /// Median time of the moves after a first one, in seconds.
    MedianInterMove,
}

impl TrialMeasure {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 7] = [
        Self::NMoves,
        Self::Time,
        Self::ExcessMoves,
        Self::ShareOptimal,
        Self::MeanRegret,
        Self::FirstMoveLatency,
        Self::MedianInterMove,
    ];

    /// Returns the measures that trials can have where values are in this unit.
    pub fn of_unit(unit: Unit) -> Vec<Self> {
        Self::ALL.into_iter().filter(|measure| measure.is_for(unit)).collect()
    }

    /// Its declaration.
    pub fn declared(self) -> &'static Measure {
        match self {
            Self::NMoves => &measure::N_MOVES,
            Self::Time => &measure::TIME,
            Self::ExcessMoves => &measure::EXCESS_MOVES,
            Self::ShareOptimal => &measure::SHARE_OPTIMAL,
            Self::MeanRegret => &measure::MEAN_REGRET,
            Self::FirstMoveLatency => &measure::FIRST_MOVE_LATENCY,
            Self::MedianInterMove => &measure::MEDIAN_INTER_MOVE,
        }
    }

    /// Returns true if trials can have it where values are in this unit: of points there is no fewest number to exceed.
    pub fn is_for(self, unit: Unit) -> bool {
        self.declared().is_for(unit)
    }

    /// Its name in tables.
    pub fn column(self) -> &'static str {
        self.declared().name()
    }

    /// The measure in words.
    pub fn title(self) -> &'static str {
        self.declared().title
    }

    /// The unit of its values; absent for counts and shares.
    pub fn unit(self, values: Unit) -> Option<&'static str> {
        Some(self.declared().unit(values)).filter(|unit| !unit.is_empty())
    }

    /// Returns true if it is a time: skewed, so that outliers are looked for among its logarithms.
    pub fn is_time(self) -> bool {
        self.declared().column.unit == "s"
    }

    /// The value of a trial; absent where it could not be measured, or rows of the trial were left out.
    pub fn of(self, trial: &Trial) -> Option<f64> {
        // A trial that lacks rows has no number of moves, and its other measures are of a part only.
        let n_moves = trial.n_moves?;
        let value = match self {
            Self::NMoves => Some(n_moves),
            Self::Time => trial.time_s,
            Self::ExcessMoves => trial.excess_moves,
            Self::ShareOptimal => trial.share_optimal,
            Self::MeanRegret => trial.mean_regret,
            Self::FirstMoveLatency => trial.first_move_latency_s,
            Self::MedianInterMove => trial.median_inter_move_s,
        };
        value.filter(|value| value.is_finite())
    }
}

/// The pairs of measures that are correlated over trials, the article's question first. Within a level, moves and
/// excess moves differ by a constant, so that pair is left out.
pub const PAIRS: [(TrialMeasure, TrialMeasure); 9] = {
    use TrialMeasure::{ExcessMoves, FirstMoveLatency, NMoves, ShareOptimal, Time};
    [
        (NMoves, Time),
        (ExcessMoves, Time),
        (ShareOptimal, Time),
        (FirstMoveLatency, Time),
        (NMoves, ShareOptimal),
        (NMoves, FirstMoveLatency),
        (ExcessMoves, ShareOptimal),
        (ExcessMoves, FirstMoveLatency),
        (ShareOptimal, FirstMoveLatency),
    ]
};

/// Returns true if the trial is known to have been solved.
pub fn is_solved(trial: &Trial) -> bool {
    trial.is_solved == Some(true)
}

/// The values less the mean of their group.
pub(super) fn deviations(groups: &[usize], values: &[f64]) -> Vec<f64> {
    let mut sums: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    for (group, value) in groups.iter().zip(values) {
        let (sum, n) = sums.entry(*group).or_default();
        (*sum, *n) = (*sum + value, *n + 1.0);
    }
    groups.iter().zip(values).map(|(group, value)| value - sums[group].0 / sums[group].1).collect()
}

/// Limit on the passes of [`deviations_from_both`].
const MOST_PASSES: usize = 200;

/// Returns the residuals of the values after removal of the effects of both kinds of groups by least squares.
pub fn deviations_from_both(first: &[usize], second: &[usize], mut values: Vec<f64>) -> Vec<f64> {
    // Where not every group meets every other, taking off the one brings back something of the other.
    for _ in 0..MOST_PASSES {
        let next = deviations(second, &deviations(first, &values));
        let moved = values.iter().zip(&next).fold(0.0_f64, |most, (value, next)| most.max((value - next).abs()));
        values = next;
        let largest = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        if moved <= 1e-10 * largest {
            break;
        }
    }
    values
}

/// Returns the word for a trial that came to its end: `solved`, or `finished` where values are points.
pub fn solved_word(unit: Unit) -> &'static str {
    if unit.is_distance() { "solved" } else { "finished" }
}

/// The text with a capital at its beginning.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// The solved trials, in their order.
pub fn solved(data: &Dataset) -> Vec<&Trial> {
    data.trials.iter().filter(|trial| is_solved(trial)).collect()
}

/// Returns the number of trials that were not solved, or are not known to have been.
pub fn n_not_solved(data: &Dataset) -> usize {
    data.trials.iter().filter(|trial| !is_solved(trial)).count()
}

/// Arithmetic mean; absent without values. Equal values, and equal sums of whole numbers, have equal means.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| moments::mean(values))
}

/// The values of a measure in the solved trials of each participant, by number, in the order of the trials.
pub fn by_participant(data: &Dataset, measure: TrialMeasure) -> Vec<Vec<f64>> {
    let mut values = vec![Vec::new(); data.participants.len()];
    for trial in data.trials.iter().filter(|trial| is_solved(trial)) {
        if let (Some(of_participant), Some(value)) = (values.get_mut(trial.participant), measure.of(trial)) {
            of_participant.push(value);
        }
    }
    values
}

/// The mean of a measure over the solved trials of each participant, by number.
pub fn participant_means(data: &Dataset, measure: TrialMeasure) -> Vec<Option<f64>> {
    by_participant(data, measure).iter().map(|values| mean(values)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{dataset, trial};

    #[test]
    fn a_participant_is_the_mean_of_solved_trials() {
        let mut unsolved = trial(0, 2, 90.0, 900.0);
        unsolved.is_solved = Some(false);
        let mut unknown = trial(1, 0, 70.0, 700.0);
        unknown.is_solved = None;
        let data = dataset(vec![trial(0, 0, 10.0, 20.0), trial(0, 1, 20.0, 50.0), unsolved, unknown]);
        assert_eq!(participant_means(&data, TrialMeasure::NMoves), [Some(15.0), None]);
        assert_eq!(participant_means(&data, TrialMeasure::Time), [Some(35.0), None]);
        assert_eq!((solved(&data).len(), n_not_solved(&data)), (2, 2));
    }

    #[test]
    fn a_trial_that_lacks_rows_has_no_measure() {
        let mut cut = trial(0, 0, 10.0, 20.0);
        cut.n_moves = None;
        assert!(TrialMeasure::ALL.iter().all(|measure| measure.of(&cut).is_none()));
        let mut untimed = trial(0, 0, 10.0, f64::NAN);
        assert_eq!(TrialMeasure::Time.of(&untimed), None);
        untimed.time_s = None;
        assert_eq!((TrialMeasure::Time.of(&untimed), TrialMeasure::NMoves.of(&untimed)), (None, Some(10.0)));
    }

    #[test]
    fn points_have_no_excess() {
        assert_eq!(TrialMeasure::of_unit(Unit::Moves).len(), 7);
        assert!(!TrialMeasure::of_unit(Unit::Points).contains(&TrialMeasure::ExcessMoves));
        assert_eq!(TrialMeasure::MeanRegret.unit(Unit::Points), Some("points"));
    }

    #[test]
    fn equal_values_have_equal_means_however_many_they_are() {
        assert_eq!(mean(&[0.2; 3]), mean(&[0.2]));
        assert_eq!(mean(&[]), None);
    }
}

//! From labelled moves to what is measured of attempts, trials, participants and levels.
//!
//! A trial is one participant at one level (in one session): all attempts up to and including the first
//! that reaches a goal. What is played after that solution is counted, but not measured. Where values are
//! points, each attempt is a game, and a trial is all of them. An attempt ends where it solves the level, or with a
//! give-up or a limit: what its rows tell after that is counted, but not measured ([`AttemptEnd`]). It lasts until that
//! end, which may be long after its last move; a trial without a move is a trial, of 0 moves.
//!
//! Everything here is a count, a sum, a share or a median of labelled rows; nothing is estimated.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::label::{LabelledLog, unit_of};
use plymap_log::LogDiagnostic;
use plymap_puzzles::game::Unit;
use plymap_puzzles::valuation::ValuedLevel;

mod attempt;
mod attempt_end;
mod multiset;
mod played_attempts;
mod registry;
pub mod shared;
mod summary;
mod tables;
mod tally;
#[cfg(test)]
mod tests;
mod trial;

pub use attempt::Attempt;
pub use attempt_end::AttemptEnd;
pub use multiset::Multiset;
pub use played_attempts::{AttemptKey, PlayedAttempt, played_attempts, rows_left_out};
pub use registry::{
    EXCESS_MOVES, FIRST_MOVE_LATENCY, MEAN_EXCESS_MOVES, MEAN_REGRET, MEASURES, MEDIAN_INTER_MOVE, Measure,
    MeasureColumns, MeasureValue, N_MOVES, N_SOLVED, N_TRIALS, Needs, SHARE_OPTIMAL, SHARE_OPTIMAL_BY_CHANCE, TIME,
};
pub use summary::Summary;
pub use tables::{Conditions, LevelPlay};
pub use tables::{attempts_table, conditions_table, level_play_table, participants_table, trials_table};
pub use tally::Tally;
pub use trial::{Solution, Trial};

/// All measures of a study, from the finest to the coarsest.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Measures {
    /// Names of the participants, ascending.
    pub participants: Vec<String>,
    /// Names of the levels that were played, ascending.
    pub levels: Vec<String>,
    /// By participant, session, level and attempt.
    pub attempts: Vec<Attempt>,
    /// By participant, session and level.
    #[serde(serialize_with = "shared::serialize")]
    pub trials: Arc<Vec<Trial>>,
    /// Unit of values, regrets and costs.
    pub unit: Unit,
}

/// Verb for a trial that came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminology {
    /// Of a trial: `solved`, or `finished` where values are points.
    pub solved: &'static str,
    /// Name of its time: `time to solve`, or `time of the game`.
    pub time: &'static str,
}

impl Measures {
    /// The words for what players bring to an end.
    pub fn terminology(&self) -> Terminology {
        if self.unit.is_distance() {
            Terminology { solved: "solved", time: "time to solve" }
        } else {
            Terminology { solved: "finished", time: "time of the game" }
        }
    }

    /// The measures of a labelled log. `diagnostics` tell which attempts lack rows.
    pub fn new(log: &LabelledLog, diagnostics: &[LogDiagnostic], levels: &[ValuedLevel]) -> Self {
        Self::of_played(played_attempts(log, diagnostics, levels), levels)
    }

    /// The measures of attempts of a log, in ascending order of participant, session, level and number.
    pub fn of_played(attempts: Vec<PlayedAttempt>, levels: &[ValuedLevel]) -> Self {
        let is_same =
            |left: &PlayedAttempt, right: &PlayedAttempt| trial_key(&left.attempt) == trial_key(&right.attempt);
        let order = order_of_trials(attempts.chunk_by(is_same));
        let attempts = attempts.into_iter().map(|played| played.attempt).collect();
        let mut measures = Self::of_attempts(attempts, levels);
        for (trial, order) in Arc::make_mut(&mut measures.trials).iter_mut().zip(order) {
            trial.order = order;
        }
        measures
    }

    /// The measures of attempts, in ascending order of participant, session, level and number.
    pub fn of_attempts(attempts: Vec<Attempt>, levels: &[ValuedLevel]) -> Self {
        let unit = unit_of(levels);
        let start_distances: HashMap<&str, Option<u32>> =
            levels.iter().map(|level| (level.id.as_str(), level.start_distance().map(|distance| distance.0))).collect();
        let participants = distinct(attempts.iter().map(|attempt| &attempt.participant));
        let played = distinct(attempts.iter().map(|attempt| &attempt.level));
        let trial_of = |attempts: &[Attempt]| {
            let first = attempts.first()?;
            let numbers = (index(&participants, &first.participant)?, index(&played, &first.level)?);
            let start_distance = start_distances.get(first.level.as_str()).copied().flatten();
            Some(Trial::new(numbers, attempts, start_distance, unit))
        };
        let same_trial = |left: &Attempt, right: &Attempt| trial_key(left) == trial_key(right);
        let trials = Arc::new(attempts.chunk_by(same_trial).filter_map(trial_of).collect());
        Self { participants, levels: played, attempts, trials, unit }
    }
}

fn distinct<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    names.collect::<BTreeSet<_>>().into_iter().cloned().collect()
}

/// The index of a name among names in ascending order.
pub fn index(names: &[String], name: &str) -> Option<usize> {
    names.binary_search_by(|known| known.as_str().cmp(name)).ok()
}

/// Participant, session and level.
pub(crate) type TrialKey<'a> = (&'a str, &'a str, &'a str);

fn trial_key(attempt: &Attempt) -> TrialKey<'_> {
    (&attempt.participant, &attempt.session, &attempt.level)
}

/// The number of each trial within its participant, in the order in which their first rows stand in the files of the
/// log, and the files as they were read; absent where no row of the trial is left.
fn order_of_trials<'a>(trials: impl Iterator<Item = &'a [PlayedAttempt]>) -> Vec<Option<usize>> {
    let first = |trial: &'a [PlayedAttempt]| trial.iter().filter_map(|played| played.first).min();
    let trials: Vec<_> = trials.map(|trial| (trial[0].attempt.participant.as_str(), first(trial))).collect();
    let mut numbers: Vec<usize> = (0..trials.len()).filter(|&number| trials[number].1.is_some()).collect();
    numbers.sort_by_key(|&number| trials[number]);
    let mut order = vec![None; trials.len()];
    for same in numbers.chunk_by(|&left, &right| trials[left].0 == trials[right].0) {
        same.iter().enumerate().for_each(|(place, &number)| order[number] = Some(place));
    }
    order
}

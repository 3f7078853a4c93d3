//! Assignment of participants to conditions, and the measures of them that are compared.

use std::collections::BTreeMap;

use super::dataset::{Dataset, Trial};
use super::measures::{TrialMeasure, is_solved, mean, solved_word};

/// Measure of a participant that is compared between conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParticipantMeasure {
    /// The share of trials that were solved, of those of which it is known.
    ShareSolved,
    /// The mean of a measure over solved trials.
    Mean(TrialMeasure),
}

/// Design of the comparison of two conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Design {
    /// Each participant is in one of them.
    Between,
    /// Each participant is in both.
    Within,
    /// Some participants are in one, some in both.
    Mixed,
}

/// The trials of one condition.
pub(super) struct Condition<'a> {
    /// Its name.
    pub name: &'a str,
    /// Trials of each participant, by number of the participant.
    pub trials: Vec<Vec<&'a Trial>>,
}

impl ParticipantMeasure {
    /// All that trials can have where values are in the unit of the data.
    pub fn all(data: &Dataset) -> Vec<Self> {
        let means = TrialMeasure::of_unit(data.unit).into_iter().map(Self::Mean);
        std::iter::once(Self::ShareSolved).chain(means).collect()
    }

    /// Its name in tables.
    pub fn column(self) -> &'static str {
        match self {
            Self::ShareSolved => "share_solved",
            Self::Mean(measure) => measure.column(),
        }
    }

    /// The measure in words.
    pub fn title(self, data: &Dataset) -> String {
        match self {
            Self::ShareSolved => format!("share of {} trials", solved_word(data.unit)),
            Self::Mean(measure) => format!("mean of {}", measure.title()),
        }
    }

    /// Its unit; absent for counts and shares.
    pub fn unit(self, data: &Dataset) -> Option<&'static str> {
        match self {
            Self::ShareSolved => None,
            Self::Mean(measure) => measure.unit(data.unit),
        }
    }

    /// Returns true if the measure needs the trial to be left out.
    pub fn leaves_out(self, trial: &Trial) -> bool {
        match self {
            Self::ShareSolved => trial.is_solved.is_none(),
            Self::Mean(_) => !is_solved(trial),
        }
    }

    /// The value of a participant, from the trials in one condition.
    pub fn of(self, trials: &[&Trial]) -> Option<f64> {
        let kept = trials.iter().filter(|trial| !self.leaves_out(trial));
        mean(&kept.filter_map(|trial| self.of_trial(trial)).collect::<Vec<_>>())
    }

    fn of_trial(self, trial: &Trial) -> Option<f64> {
        match self {
            Self::ShareSolved => Some(f64::from(u8::from(is_solved(trial)))),
            Self::Mean(measure) => measure.of(trial),
        }
    }
}

impl Design {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Between => "between",
            Self::Within => "within",
            Self::Mixed => "mixed",
        }
    }

    /// Returns a description of the design for sentences.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Between => "each participant is in one condition only (between-subjects design)",
            Self::Within => "each participant is in both conditions (within-subjects design)",
            Self::Mixed => {
                "some participants are in one condition and some in both (mixed design); those in both are compared, within subjects"
            }
        }
    }
}

/// The conditions of the trials, by name.
pub(super) fn conditions(data: &Dataset) -> Vec<Condition<'_>> {
    let mut by_name: BTreeMap<&str, Vec<Vec<&Trial>>> = BTreeMap::new();
    for trial in &*data.trials {
        let Some(name) = trial.condition.as_deref() else { continue };
        let participants = by_name.entry(name).or_insert_with(|| vec![Vec::new(); data.participants.len()]);
        if let Some(trials) = participants.get_mut(trial.participant) {
            trials.push(trial);
        }
    }
    by_name.into_iter().map(|(name, trials)| Condition { name, trials }).collect()
}

/// Returns the design of the comparison of two conditions.
pub(super) fn design(first: &Condition, second: &Condition) -> Design {
    let indices =
        first.trials.iter().zip(&second.trials).map(|(first, second)| (!first.is_empty(), !second.is_empty()));
    let count = |wanted: &dyn Fn((bool, bool)) -> bool| indices.clone().filter(|&index| wanted(index)).count();
    let n_in_both = count(&|(first, second)| first && second);
    let n_in_one = count(&|(first, second)| first != second);
    match (n_in_both, n_in_one) {
        (0, _) => Design::Between,
        (_, 0) => Design::Within,
        _ => Design::Mixed,
    }
}

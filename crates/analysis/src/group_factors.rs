//! What trials are divided into groups by, and what groups are compared by.

use plymap_measures::measure::{Measures, Trial};
use serde::Serialize;

use super::dataset::Dataset;

/// A measure of a trial that groups are compared by.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct GroupMeasure {
    /// Key of the measure, a column of the table `trials`.
    pub key: &'static str,
    /// Unit; empty where it has none.
    pub unit: &'static str,
    /// True if groups differ by a factor rather than by an amount, as times do.
    pub is_ratio: bool,
    /// Value of a trial.
    #[serde(skip)]
    pub value: fn(&Trial) -> Option<f64>,
}

/// All of them.
pub const GROUP_MEASURES: &[GroupMeasure] = &[
    GroupMeasure { key: "time_s", unit: "s", is_ratio: true, value: |trial| trial.time_s },
    GroupMeasure { key: "n_moves", unit: "", is_ratio: true, value: |trial| trial.n_moves },
    GroupMeasure { key: "excess_moves", unit: "", is_ratio: false, value: |trial| trial.excess_moves },
    GroupMeasure { key: "share_optimal", unit: "", is_ratio: false, value: |trial| trial.share_optimal },
    GroupMeasure { key: "mean_regret", unit: "", is_ratio: false, value: |trial| trial.mean_regret },
    GroupMeasure { key: "first_move_latency_s", unit: "s", is_ratio: true, value: |trial| trial.first_move_latency_s },
    GroupMeasure { key: "median_inter_move_s", unit: "s", is_ratio: true, value: |trial| trial.median_inter_move_s },
    GroupMeasure {
        key: "solved",
        unit: "",
        is_ratio: false,
        value: |trial| trial.is_solved.map(|solved| f64::from(u8::from(solved))),
    },
];

impl GroupMeasure {
    /// Returns the measure of this key.
    pub fn named(key: &str) -> Option<&'static Self> {
        GROUP_MEASURES.iter().find(|measure| measure.key == key)
    }

    /// Returns the value of a trial as it is averaged: the logarithm where groups differ by a factor; absent where it
    /// has none.
    pub(super) fn averaged(&self, trial: &Trial) -> Option<f64> {
        let value = (self.value)(trial).filter(|value| value.is_finite());
        if self.is_ratio { value.filter(|value| *value > 0.0).map(f64::ln) } else { value }
    }

    /// Returns an averaged value in the unit of the measure.
    pub fn back(&self, value: f64) -> f64 {
        if self.is_ratio { value.exp() } else { value }
    }
}

/// What divides trials into groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// Experimental condition.
    Condition,
    /// Level.
    Level,
    /// Whether the trial was solved.
    Solved,
    /// Participant; then values are those of levels.
    Participant,
}

impl Factor {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Condition, Self::Level, Self::Solved, Self::Participant];

    /// Its name, as a column of the table `trials`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Condition => "condition",
            Self::Level => "level",
            Self::Solved => "solved",
            Self::Participant => "participant",
        }
    }

    /// Returns the factor of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|factor| factor.name() == name)
    }

    /// What a value is of: `participant`, or `level` where participants are compared.
    pub fn unit_of_analysis(self) -> &'static str {
        if self == Self::Participant { "level" } else { "participant" }
    }

    /// Returns the group of a trial; absent where it has none.
    pub(super) fn group(self, names: NamedTrials, trial: &Trial) -> Option<String> {
        match self {
            Self::Condition => trial.condition.clone(),
            Self::Level => Some(names.levels[trial.level].clone()),
            Self::Participant => Some(names.participants[trial.participant].clone()),
            Self::Solved => trial.is_solved.map(|solved| solved.to_string()),
        }
    }

    pub(super) fn unit(self, names: NamedTrials, trial: &Trial) -> String {
        match self {
            Self::Participant => names.levels[trial.level].clone(),
            _ => names.participants[trial.participant].clone(),
        }
    }
}

/// Trials with the names of their participants and levels.
#[derive(Clone, Copy, Debug)]
pub struct NamedTrials<'a> {
    pub(super) trials: &'a [Trial],
    pub(super) participants: &'a [String],
    pub(super) levels: &'a [String],
}

impl<'a> From<&'a Measures> for NamedTrials<'a> {
    fn from(Measures { trials, participants, levels, .. }: &'a Measures) -> Self {
        Self { trials, participants, levels }
    }
}

impl<'a> From<&'a Dataset> for NamedTrials<'a> {
    fn from(Dataset { trials, participants, levels, .. }: &'a Dataset) -> Self {
        Self { trials, participants, levels }
    }
}

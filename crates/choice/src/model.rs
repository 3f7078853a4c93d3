//! The models and their parameters, by name.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::rollouts;

/// The regret that stands for a dead end, in the unit of the level, unless a study says otherwise.
pub const DEAD_END_REGRET: f64 = 10.0;

/// The quantity that gives a legal move its weight, before habits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// All legal moves alike.
    Chance,
    /// With probability λ any legal move, otherwise any of the optimal ones.
    LapseOptimal,
    /// As [`Rule::LapseOptimal`] where the distance to the goal is at most k; any legal move beyond,
    /// and where the distance is unknown.
    Eureka,
    /// Softmax of −β · regret, β at least 0.
    SoftOptimal,
    /// Softmax of β · value by look-ahead to depth d, β at least 0.
    LookAhead,
    /// Softmax of what is seen of the position after the move: β₁ · first feature + β₂ · second feature.
    HillClimbing,
    /// Up to K rollouts of random moves, of L moves on average, each ending where it reaches a goal; the first move of the
    /// first that does. Any legal move if none does.
    ForwardSearch,
    /// Reasoning backwards from the goal; with probability γ at each step thinking stops, and any legal move is made. The
    /// piece that moved last is left alone.
    AndOr,
    /// Reasoning backwards from the goal without ever stopping, but for a lapse of probability λ, in which any legal move is
    /// made. The piece that moved last is left alone.
    AndOrLapse,
    /// As [`Rule::AndOr`], without regard to the piece that moved last.
    AndOrNoSame,
}

/// A model of choice: a rule, and the habits beside it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Model {
    /// The quantity that gives a move its weight.
    pub rule: Rule,
    /// True if the weight of the move back is multiplied by exp(u).
    #[serde(default)]
    pub undo: bool,
    /// True if the weight of each move of the piece that moved last is multiplied by exp(s).
    #[serde(default)]
    pub same_piece: bool,
    /// For soft-optimal, the regret of a legal move that has none: a dead end. A move to a dead end is
    /// thus rare but possible, and the likelihood stays concave in β. Where another legal move loses
    /// more than this, a dead end loses as much as that one. At least 0.
    #[serde(default = "dead_end_regret")]
    pub dead_end_regret: f64,
}

fn dead_end_regret() -> f64 {
    DEAD_END_REGRET
}

/// A parameter of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Parameter {
    /// λ: the probability of a lapse, in which any legal move is made; from 0 to 1.
    Lapse,
    /// β: by how much one unit less of regret, or more of value, raises the log odds of a move; at
    /// least 0.
    InverseTemperature,
    /// u: by how much the log odds of a move are raised because it leads back.
    Undo,
    /// s: by how much the log odds of a move are raised because it moves the same piece again.
    SamePiece,
    /// k: the largest distance at which the optimal moves are seen.
    EurekaDistance,
    /// d: the depth of look-ahead.
    Depth,
    /// γ: the probability to stop thinking at each step; from 0 to 1.
    Stopping,
    /// L: how many moves a rollout has on average, if it does not come to a goal.
    RolloutLength,
    /// K: the number of rollouts after which one gives up.
    Rollouts,
    /// β₁: by how much one more of the first feature raises the log odds of a move.
    FirstFeature,
    /// β₂: the same for the second feature.
    SecondFeature,
}

/// The number of features of a position that [`Rule::HillClimbing`] sees.
pub const N_FEATURES: usize = 2;

/// The most rollouts that are considered.
pub(crate) const MOST_ROLLOUTS: f64 = 1e10;

/// Values of the parameters of a model; those that it does not have are absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct ParameterValues {
    /// λ.
    pub lapse: Option<f64>,
    /// β.
    pub inverse_temperature: Option<f64>,
    /// u; 0 where it is absent from a model that has it.
    pub undo: Option<f64>,
    /// s; 0 where it is absent from a model that has it.
    pub same_piece: Option<f64>,
    /// k.
    pub eureka_distance: Option<u32>,
    /// d.
    pub depth: Option<u32>,
    /// γ.
    pub stopping: Option<f64>,
    /// L.
    pub rollout_length: Option<f64>,
    /// K.
    pub rollouts: Option<f64>,
    /// β₁; 0 where it is absent from a model that has it.
    pub first_feature: Option<f64>,
    /// β₂; 0 where it is absent from a model that has it.
    pub second_feature: Option<f64>,
}

impl Rule {
    /// All rules, simplest first.
    pub const ALL: [Self; 10] = [
        Self::Chance,
        Self::LapseOptimal,
        Self::Eureka,
        Self::SoftOptimal,
        Self::LookAhead,
        Self::HillClimbing,
        Self::ForwardSearch,
        Self::AndOr,
        Self::AndOrLapse,
        Self::AndOrNoSame,
    ];

    /// Its name in tables.
    pub fn key(self) -> &'static str {
        match self {
            Self::Chance => "chance",
            Self::LapseOptimal => "lapse-optimal",
            Self::Eureka => "eureka",
            Self::SoftOptimal => "soft-optimal",
            Self::LookAhead => "look-ahead",
            Self::HillClimbing => "hill-climbing",
            Self::ForwardSearch => "forward-search",
            Self::AndOr => "and-or",
            Self::AndOrLapse => "and-or-lapse",
            Self::AndOrNoSame => "and-or-no-same",
        }
    }
}

impl Model {
    /// A rule without habits.
    pub fn new(rule: Rule) -> Self {
        Self { rule, undo: false, same_piece: false, dead_end_regret: DEAD_END_REGRET }
    }

    /// The same rule with both habits.
    pub fn with_habits(self) -> Self {
        Self { undo: true, same_piece: true, ..self }
    }

    /// Its parameters, in the order in which they are reported.
    pub fn parameters(&self) -> Vec<Parameter> {
        let mut parameters = match self.rule {
            Rule::Chance => vec![],
            Rule::LapseOptimal => vec![Parameter::Lapse],
            Rule::Eureka => vec![Parameter::EurekaDistance, Parameter::Lapse],
            Rule::SoftOptimal => vec![Parameter::InverseTemperature],
            Rule::LookAhead => vec![Parameter::Depth, Parameter::InverseTemperature],
            Rule::HillClimbing => vec![Parameter::FirstFeature, Parameter::SecondFeature],
            Rule::ForwardSearch => vec![Parameter::RolloutLength, Parameter::Rollouts],
            Rule::AndOr | Rule::AndOrNoSame => vec![Parameter::Stopping],
            Rule::AndOrLapse => vec![Parameter::Lapse],
        };
        parameters.extend(self.habits());
        parameters
    }

    /// The habits that the model has.
    pub(crate) fn habits(&self) -> Vec<Parameter> {
        let habits = [(self.undo, Parameter::Undo), (self.same_piece, Parameter::SamePiece)];
        habits.into_iter().filter(|(is_there, _)| *is_there).map(|(_, parameter)| parameter).collect()
    }

    /// Its name in tables, such as `soft-optimal+undo+same-piece`.
    pub fn key(&self) -> String {
        let habits: String = self.habits().iter().map(|habit| format!("+{}", habit.key())).collect();
        format!("{}{habits}", self.rule.key())
    }
}

impl fmt::Display for Model {
    /// Writes [`Model::key`].
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.key())
    }
}

impl Parameter {
    /// Its name in tables.
    pub fn key(self) -> &'static str {
        self.texts()[0]
    }

    /// Its name in a sentence.
    pub fn name(self) -> &'static str {
        self.texts()[1]
    }

    /// The letter that stands for it.
    pub fn symbol(self) -> &'static str {
        self.texts()[2]
    }

    fn texts(self) -> [&'static str; 3] {
        match self {
            Self::Lapse => ["lapse", "the lapse rate", "λ"],
            Self::InverseTemperature => ["inverse-temperature", "the inverse temperature", "β"],
            Self::Undo => ["undo", "the weight of undoing", "u"],
            Self::SamePiece => ["same-piece", "the weight of the same piece", "s"],
            Self::EurekaDistance => ["eureka-distance", "the eureka distance", "k"],
            Self::Depth => ["depth", "the depth of look-ahead", "d"],
            Self::Stopping => ["stopping", "the probability of stopping", "γ"],
            Self::RolloutLength => ["rollout-length", "the length of a rollout", "L"],
            Self::Rollouts => ["rollouts", "the number of rollouts", "K"],
            Self::FirstFeature => ["first-feature", "the weight of the first feature", "β₁"],
            Self::SecondFeature => ["second-feature", "the weight of the second feature", "β₂"],
        }
    }

    /// Returns true if it is a whole number, found by trying all.
    pub fn is_whole(self) -> bool {
        matches!(self, Self::EurekaDistance | Self::Depth)
    }

    /// Returns true if it is a weight that is 0 where nothing is said of it.
    pub(crate) fn is_weight(self) -> bool {
        matches!(self, Self::Undo | Self::SamePiece | Self::FirstFeature | Self::SecondFeature)
    }

    /// Returns true if it is a probability.
    pub(crate) fn is_probability(self) -> bool {
        matches!(self, Self::Lapse | Self::Stopping)
    }

    /// The values that it may take.
    pub(crate) fn range(self) -> (f64, f64) {
        match self {
            Self::Lapse | Self::Stopping => (0.0, 1.0),
            Self::Undo | Self::SamePiece | Self::FirstFeature | Self::SecondFeature => {
                (f64::NEG_INFINITY, f64::INFINITY)
            }
            Self::InverseTemperature | Self::EurekaDistance | Self::Depth => (0.0, f64::INFINITY),
            Self::RolloutLength => (self.unscaled(rollouts::ENDS.0), self.unscaled(rollouts::ENDS.1)),
            Self::Rollouts => (1.0, MOST_ROLLOUTS),
        }
    }

    /// A value on the scale on which its maximum is sought: the logarithm of what spans orders of magnitude.
    pub(crate) fn scaled(self, value: f64) -> f64 {
        match self {
            Self::RolloutLength => (value - 1.0).ln(),
            Self::Rollouts => value.ln(),
            _ => value,
        }
    }

    /// The value from [`Parameter::scaled`].
    pub(crate) fn unscaled(self, value: f64) -> f64 {
        match self {
            Self::RolloutLength => 1.0 + value.exp(),
            Self::Rollouts => value.exp(),
            _ => value,
        }
    }

    /// Derivative of the value by [`Parameter::scaled`].
    pub(crate) fn slope(self, scaled: f64) -> f64 {
        match self {
            Self::RolloutLength | Self::Rollouts => scaled.exp(),
            _ => 1.0,
        }
    }
}

impl ParameterValues {
    /// The value of a parameter, as a number.
    pub fn get(&self, parameter: Parameter) -> Option<f64> {
        match parameter {
            Parameter::EurekaDistance => self.eureka_distance.map(f64::from),
            Parameter::Depth => self.depth.map(f64::from),
            Parameter::Lapse => self.lapse,
            Parameter::InverseTemperature => self.inverse_temperature,
            Parameter::Undo => self.undo,
            Parameter::SamePiece => self.same_piece,
            Parameter::Stopping => self.stopping,
            Parameter::RolloutLength => self.rollout_length,
            Parameter::Rollouts => self.rollouts,
            Parameter::FirstFeature => self.first_feature,
            Parameter::SecondFeature => self.second_feature,
        }
    }

    /// Sets a parameter that is not found by trying whole numbers.
    pub(crate) fn set(&mut self, parameter: Parameter, value: f64) {
        let place = match parameter {
            Parameter::EurekaDistance | Parameter::Depth => return,
            Parameter::Lapse => &mut self.lapse,
            Parameter::InverseTemperature => &mut self.inverse_temperature,
            Parameter::Undo => &mut self.undo,
            Parameter::SamePiece => &mut self.same_piece,
            Parameter::Stopping => &mut self.stopping,
            Parameter::RolloutLength => &mut self.rollout_length,
            Parameter::Rollouts => &mut self.rollouts,
            Parameter::FirstFeature => &mut self.first_feature,
            Parameter::SecondFeature => &mut self.second_feature,
        };
        *place = Some(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_named_by_its_rule_and_its_habits() {
        let model = Model::new(Rule::SoftOptimal).with_habits();
        assert_eq!(model.to_string(), "soft-optimal+undo+same-piece");
        assert_eq!(model.parameters(), [Parameter::InverseTemperature, Parameter::Undo, Parameter::SamePiece]);
        assert_eq!(Model::new(Rule::Chance).parameters(), []);
        let short: Model = serde_json::from_str(r#"{"rule": "lapse-optimal", "undo": true}"#).unwrap();
        assert_eq!(short, Model { undo: true, ..Model::new(Rule::LapseOptimal) });
    }
}

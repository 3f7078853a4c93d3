//! The models and their parameters, by name.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The regret that stands for a dead end, in the unit of the level, unless a study says otherwise.
pub const DEAD_END_REGRET: f64 = 10.0;

/// What gives a legal move its weight, before habits.
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
}

/// A model of choice: a rule, and the habits beside it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Model {
    /// What gives a move its weight.
    pub rule: Rule,
    /// Whether the weight of the move back is multiplied by exp(u).
    #[serde(default)]
    pub undo: bool,
    /// Whether the weight of each move of the piece that moved last is multiplied by exp(s).
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
}

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
}

impl Rule {
    /// All rules, simplest first.
    pub const ALL: [Self; 5] = [Self::Chance, Self::LapseOptimal, Self::Eureka, Self::SoftOptimal, Self::LookAhead];

    /// Its name in tables.
    pub fn key(self) -> &'static str {
        match self {
            Self::Chance => "chance",
            Self::LapseOptimal => "lapse-optimal",
            Self::Eureka => "eureka",
            Self::SoftOptimal => "soft-optimal",
            Self::LookAhead => "look-ahead",
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
        };
        parameters.extend(self.habits());
        parameters
    }

    /// The habits that the model has.
    pub(super) fn habits(&self) -> Vec<Parameter> {
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
    /// As [`Model::key`].
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.key())
    }
}

impl Parameter {
    /// Its name in tables.
    pub fn key(self) -> &'static str {
        match self {
            Self::Lapse => "lapse",
            Self::InverseTemperature => "inverse-temperature",
            Self::Undo => "undo",
            Self::SamePiece => "same-piece",
            Self::EurekaDistance => "eureka-distance",
            Self::Depth => "depth",
        }
    }

    /// Its name in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lapse => "the lapse rate",
            Self::InverseTemperature => "the inverse temperature",
            Self::Undo => "the weight of undoing",
            Self::SamePiece => "the weight of the same piece",
            Self::EurekaDistance => "the eureka distance",
            Self::Depth => "the depth of look-ahead",
        }
    }

    /// The letter that stands for it.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Lapse => "λ",
            Self::InverseTemperature => "β",
            Self::Undo => "u",
            Self::SamePiece => "s",
            Self::EurekaDistance => "k",
            Self::Depth => "d",
        }
    }

    /// Whether it is a whole number, found by trying all.
    pub fn is_whole(self) -> bool {
        matches!(self, Self::EurekaDistance | Self::Depth)
    }

    /// The values that it may take.
    pub(super) fn range(self) -> (f64, f64) {
        match self {
            Self::Lapse => (0.0, 1.0),
            Self::Undo | Self::SamePiece => (f64::NEG_INFINITY, f64::INFINITY),
            Self::InverseTemperature | Self::EurekaDistance | Self::Depth => (0.0, f64::INFINITY),
        }
    }
}

impl ParameterValues {
    /// The value of a parameter, as a number.
    pub fn get(&self, parameter: Parameter) -> Option<f64> {
        match parameter {
            Parameter::Lapse => self.lapse,
            Parameter::InverseTemperature => self.inverse_temperature,
            Parameter::Undo => self.undo,
            Parameter::SamePiece => self.same_piece,
            Parameter::EurekaDistance => self.eureka_distance.map(f64::from),
            Parameter::Depth => self.depth.map(f64::from),
        }
    }

    /// Sets a parameter that is no whole number.
    pub(super) fn set(&mut self, parameter: Parameter, value: f64) {
        match parameter {
            Parameter::Lapse => self.lapse = Some(value),
            Parameter::InverseTemperature => self.inverse_temperature = Some(value),
            Parameter::Undo => self.undo = Some(value),
            Parameter::SamePiece => self.same_piece = Some(value),
            Parameter::EurekaDistance | Parameter::Depth => {}
        }
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

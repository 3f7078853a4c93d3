//! Roles of columns for an estimator.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// Role of a column for an estimator; its name is the option of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// A measure: the first of a pair, or what is described.
    X,
    /// A measure: the second of a pair, or the outcome.
    Y,
    /// The label of the groups that are compared.
    Group,
    /// Participant of a row.
    Participant,
    /// The level, item or rater of a row.
    Item,
    /// The number of a trial, from 1.
    Trial,
    /// Time until the event, or until observation ended.
    Time,
    /// Yes or no: it happened, or did not.
    Event,
    /// The label of groups that each have a baseline of their own.
    Stratum,
    /// Predictor of the outcome.
    Predictor,
    /// A factor with random effects: intercepts, if no formula says more.
    Random,
    /// A measure that is held constant.
    Given,
}

/// Kind of values that a role's column must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Numbers, or `log(column)`.
    Number,
    /// Labels: any column, as text.
    Label,
    /// Yes or no.
    Flag,
    /// Numbers, or a category: text, or `factor(column)`.
    NumberOrCategory,
}

/// A role that an estimator takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Need {
    /// The role.
    pub role: Role,
    /// Kind of values of its columns.
    pub kind: Kind,
    /// Fewest columns; 0 where the role is optional.
    pub least: usize,
    /// Greatest number of columns; absent where there is no limit.
    pub most: Option<usize>,
}

impl Role {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::X,
        Self::Y,
        Self::Group,
        Self::Participant,
        Self::Item,
        Self::Trial,
        Self::Time,
        Self::Event,
        Self::Stratum,
        Self::Predictor,
        Self::Random,
        Self::Given,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
            Self::Group => "group",
            Self::Participant => "participant",
            Self::Item => "item",
            Self::Trial => "trial",
            Self::Time => "time",
            Self::Event => "event",
            Self::Stratum => "stratum",
            Self::Predictor => "predictor",
            Self::Random => "random",
            Self::Given => "given",
        }
    }

    /// Meaning of its column.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::X => "the measure that is described, or the first of a pair",
            Self::Y => "the outcome, or the second measure of a pair",
            Self::Group => "the label of the groups that are compared",
            Self::Participant => "the participant of a row",
            Self::Item => "the level, item or rater of a row",
            Self::Trial => "the number of a trial, from 1",
            Self::Time => "the time until the event, or until observation ended",
            Self::Event => "whether it happened (true or false, 1 or 0, yes or no)",
            Self::Stratum => "the stratum: the label of groups that each have their own baseline hazard",
            Self::Predictor => "a predictor of the outcome",
            Self::Random => "a factor with random intercepts, such as the participant; with slopes see --formula",
            Self::Given => "a measure that is held constant",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Role {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.map(Self::name).join(", ");
        Self::ALL.into_iter().find(|role| role.name() == name).ok_or(format!("there is no role {name:?}: {known}"))
    }
}

/// The name and the roles of an estimator.
#[derive(Clone, Copy)]
pub(super) struct Signature {
    pub name: &'static str,
    pub roles: &'static [Need],
}

impl Need {
    /// Exactly one column.
    pub(crate) const fn one(role: Role, kind: Kind) -> Self {
        Self { role, kind, least: 1, most: Some(1) }
    }

    /// A need of one column or none.
    pub(crate) const fn optional(role: Role, kind: Kind) -> Self {
        Self { role, kind, least: 0, most: Some(1) }
    }

    /// A need of as many columns as are given, but not fewer than `least`.
    pub(crate) const fn several(role: Role, kind: Kind, least: usize) -> Self {
        Self { role, kind, least, most: None }
    }

    /// The same with no more than `most` columns.
    pub(crate) const fn at_most(self, most: usize) -> Self {
        Self { most: Some(most), ..self }
    }

    /// Returns true if there is nothing to estimate without it.
    pub fn is_required(self) -> bool {
        self.least > 0
    }

    /// Number of columns that it takes, such as `one column` or `2 or more columns`.
    pub fn count(self) -> String {
        match (self.least, self.most) {
            (1, Some(1)) => "one column".to_owned(),
            (0, Some(1)) => "at most one column".to_owned(),
            (0, None) => "any number of columns".to_owned(),
            (least, None) => format!("{least} or more columns"),
            (least, Some(most)) => format!("{least} to {most} columns"),
        }
    }

    /// Returns the role as it is written in a list of roles: `x`, `x …` where it takes several, `x (2 or more)`.
    pub fn listed(self) -> String {
        match (self.least, self.most) {
            (_, Some(1)) => self.role.to_string(),
            (least, Some(most)) => format!("{} ({least} to {most})", self.role),
            (2.., None) => format!("{} ({} or more)", self.role, self.least),
            (_, None) => format!("{} …", self.role),
        }
    }
}

//! Observations of models, and the variables that formulas can name.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::at_risk::AtRisk;
use crate::dataset::{AttemptEnd, AttemptRow, Dataset, Trial, map_measures};
use crate::measures::{TrialMeasure, is_solved};

/// Unit of observation of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rows {
    /// A trial.
    Trials,
    /// A solved trial.
    SolvedTrials,
    /// A move.
    Moves,
    /// A move behind the first of its attempt.
    LaterMoves,
    /// A move from a position in which some moves are optimal and some are not.
    Choices,
}

impl Rows {
    pub(crate) const NAMES: [&'static str; 5] = ["trials", "solved-trials", "moves", "later-moves", "choices"];

    pub(crate) fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Several of them, in words.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Trials => "trials",
            Self::SolvedTrials => "solved trials",
            Self::Moves | Self::LaterMoves | Self::Choices => "moves",
        }
    }

    pub(crate) fn are_moves(self) -> bool {
        !matches!(self, Self::Trials | Self::SolvedTrials)
    }

    pub(crate) fn has(self, row: &Row) -> bool {
        match (self, row) {
            (Self::Trials, Row::Trial(_)) | (Self::Moves, Row::Move { .. }) => true,
            (Self::SolvedTrials, Row::Trial(trial)) => is_solved(trial),
            (Self::LaterMoves, Row::Move { risk, .. }) => risk.row.ply > 0,
            (Self::Choices, Row::Move { risk, .. }) => risk.row.is_choice(),
            _ => false,
        }
    }
}

/// An observation.
#[derive(Clone, Copy)]
pub(crate) enum Row<'a> {
    Trial(&'a Trial),
    Move { attempt: &'a AttemptRow, risk: AtRisk<'a> },
}

/// Value of a column for one observation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value<'a> {
    Number(f64),
    Label(&'a str),
    Flag(bool),
}

impl<'a> Row<'a> {
    pub(crate) fn participant(&self) -> usize {
        match self {
            Self::Trial(trial) => trial.participant,
            Self::Move { attempt, .. } => attempt.participant,
        }
    }

    pub(crate) fn level(&self) -> usize {
        match self {
            Self::Trial(trial) => trial.level,
            Self::Move { attempt, .. } => attempt.level,
        }
    }

    pub(crate) fn condition(&self) -> Option<&'a str> {
        match self {
            Self::Trial(trial) => trial.condition.as_deref(),
            Self::Move { attempt, .. } => attempt.condition.as_deref(),
        }
    }
}

impl<'a> Value<'a> {
    pub(crate) fn number(self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(number),
            Self::Flag(flag) => Some(f64::from(u8::from(flag))),
            Self::Label(_) => None,
        }
    }

    pub(crate) fn flag(self) -> Option<bool> {
        if let Self::Flag(flag) = self { Some(flag) } else { None }
    }

    pub(crate) fn label(self) -> Option<&'a str> {
        if let Self::Label(label) = self { Some(label) } else { None }
    }
}

pub(crate) fn argument<'a>(name: &'a str, function: &str) -> Option<&'a str> {
    name.strip_prefix(function)?.strip_prefix('(')?.strip_suffix(')')
}

pub(crate) type OfTrial = fn(&Trial) -> Option<Value<'static>>;

pub(crate) type OfMove = fn(&AtRisk) -> Option<Value<'static>>;

/// Columns of trials beside [`TrialMeasure`]s, the condition, and measures of levels.
pub(crate) const OF_TRIALS: &[(&str, OfTrial)] = &[
    ("solved", |trial| trial.is_solved.map(Value::Flag)),
    ("trial_number", |trial| trial.order.map(|order| Value::Number((order + 1) as f64))),
    ("start_distance", |trial| trial.start_distance.map(|distance| Value::Number(f64::from(distance)))),
    ("n_attempts", |trial| Some(Value::Number(trial.n_attempts as f64))),
];

/// Columns of moves beside the condition and measures of levels.
pub(crate) const OF_MOVES: &[(&str, OfMove)] = &[
    ("quality", |risk| Some(Value::Label(risk.row.quality.name()))),
    ("is_optimal", |risk| Some(Value::Flag(risk.row.is_optimal))),
    ("is_error", |risk| Some(Value::Flag(risk.row.is_error()))),
    ("is_undo", |risk| Some(Value::Flag(risk.row.is_undo))),
    ("is_revisit", |risk| Some(Value::Flag(risk.row.is_revisit))),
    ("is_same_piece", |risk| risk.row.is_same_piece.map(Value::Flag)),
    ("after_error", |risk| risk.is_after_error.map(Value::Flag)),
    ("is_restart", |risk| Some(Value::Flag(risk.end == Some(AttemptEnd::Reset)))),
    ("is_give_up", |risk| Some(Value::Flag(risk.end == Some(AttemptEnd::GaveUp)))),
    ("rt_s", |risk| risk.row.rt_s.map(Value::Number)),
    ("value_before", |risk| risk.row.value_before.map(Value::Number)),
    ("value_after", |risk| risk.row.value_after.map(Value::Number)),
    ("regret", |risk| risk.row.regret.map(Value::Number)),
    ("n_legal", |risk| Some(Value::Number(f64::from(risk.row.n_legal)))),
    ("n_optimal", |risk| Some(Value::Number(f64::from(risk.row.n_optimal)))),
    ("ply", |risk| Some(Value::Number(f64::from(risk.row.ply)))),
];

pub(crate) const CONDITION: &str = "condition";

impl Rows {
    /// The columns that a formula can name.
    pub(crate) fn columns(self) -> Vec<&'static str> {
        let columns: Vec<&str> = match self.are_moves() {
            true => OF_MOVES.iter().map(|(name, _)| *name).collect(),
            false => {
                let measures = TrialMeasure::ALL.iter().map(|measure| measure.column());
                measures.chain(OF_TRIALS.iter().map(|(name, _)| *name)).collect()
            }
        };
        [CONDITION].into_iter().chain(columns).chain(map_measures()).collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// Returns true if a formula can name it: a column, or log(…) or within(…) of one.
pub(crate) fn is_column(rows: Rows, name: &str) -> bool {
    match argument(name, "within").or(argument(name, "log")) {
        Some(inner) => is_column(rows, inner),
        None => rows.columns().contains(&name),
    }
}

/// The value of a column, named as in the tables `trials`, `moves` and `levels`, or its logarithm.
pub(crate) fn value<'a>(data: &Dataset, row: &Row<'a>, name: &str) -> Option<Value<'a>> {
    if let Some(inner) = argument(name, "within") {
        return value(data, row, inner);
    }
    if let Some(inner) = argument(name, "log") {
        let number = value(data, row, inner)?.number()?;
        return Some(Value::Number(number.ln())).filter(|_| number > 0.0);
    }
    if name == CONDITION {
        return row.condition().map(Value::Label);
    }
    let cell = match row {
        Row::Trial(trial) => of_trial(trial, name),
        Row::Move { risk, .. } => OF_MOVES.iter().find(|(column, _)| *column == name).map(|(_, get)| get(risk)),
    };
    let cell = cell.unwrap_or_else(|| data.level_rows.get(row.level())?.measure(name).map(Value::Number));
    cell.filter(|value| value.number().is_none_or(f64::is_finite))
}

/// Absent where trials have no such column.
pub(crate) fn of_trial(trial: &Trial, name: &str) -> Option<Option<Value<'static>>> {
    let measure = TrialMeasure::ALL.into_iter().find(|measure| measure.column() == name);
    let measured = measure.map(|measure| measure.of(trial).map(Value::Number));
    measured.or_else(|| OF_TRIALS.iter().find(|(column, _)| *column == name).map(|(_, get)| get(trial)))
}

//! Which of what was played is analysed: `[[include]]` and `[[exclude]]` of a study.
//!
//! Selections are made after labels and measures are there, so that they can ask for both: trials that were solved,
//! attempts in less than a second, people with too few trials. Each is made on what the ones before it left, and is
//! counted in rows, attempts, trials and people.

use std::collections::HashSet;

use plymap_expression::{Expression, ExpressionError, Value};
use polars::prelude::{AnyValue, DataFrame};
use serde::{Deserialize, Serialize};

use crate::label::{Labelled, LabelledAttempt, LabelledLog};
use crate::log::{Consequence, LogIssue};
use crate::measure::{Measures, attempts_table, level_play_table, participants_table, trials_table};
use crate::nearest::nearest;
use crate::table::Table;
use plymap_puzzles::valuation::ValuedLevel;

/// One `[[include]]` or `[[exclude]]`: a condition over the columns of one table, and why it is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Selection {
    /// Condition over the table `participants`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub participants: Option<String>,
    /// Condition over the table `level_play`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<String>,
    /// Condition over the table `trials`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trials: Option<String>,
    /// Condition over the table `attempts`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempts: Option<String>,
    /// Why, in the words of the paper.
    pub reason: String,
}

/// Whether a selection keeps or leaves out what it describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SelectionKind {
    /// Keeps it, and leaves out the rest.
    Include,
    /// Leaves it out.
    Exclude,
}

/// What a selection did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelectionCount {
    /// Whether it keeps or leaves out.
    pub kind: SelectionKind,
    /// Of what: `participants`, `levels`, `trials` or `attempts`.
    pub of: String,
    /// Its condition.
    pub condition: String,
    /// Why it was made.
    pub reason: String,
    /// What it left out.
    pub left_out: PlayCount,
    /// What is left after it.
    pub left: PlayCount,
    /// How many of the rows of its table have no value that decides; they are kept by an exclusion, and left out by an
    /// inclusion.
    pub n_undecided: u64,
}

/// How much was played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayCount {
    /// Rows of the table `moves`.
    pub n_rows: u64,
    /// Attempts.
    pub n_attempts: u64,
    /// Trials: participants at levels.
    pub n_trials: u64,
    /// Participants.
    pub n_participants: u64,
}

/// Why a selection cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    /// It does not say of what it is.
    #[error("[[{kind}]] with the reason {reason:?} needs exactly one of participants, levels, trials and attempts")]
    NotOne {
        /// `include` or `exclude`.
        kind: &'static str,
        /// Its reason.
        reason: String,
    },
    /// Its condition is wrong.
    #[error("[[{kind}]] {of}: {error}")]
    BadCondition {
        /// `include` or `exclude`.
        kind: &'static str,
        /// Of what it is.
        of: &'static str,
        /// What is wrong, and where in it.
        error: Box<ExpressionError>,
    },
    /// Nothing is left.
    #[error("[[{kind}]] {of} = {condition:?} leaves nothing that was played; see the table {of} of a run without it")]
    NothingLeft {
        /// `include` or `exclude`.
        kind: &'static str,
        /// Of what it is.
        of: &'static str,
        /// Its condition.
        condition: String,
    },
}

impl SelectionKind {
    /// Its name in study.toml.
    pub fn name(self) -> &'static str {
        match self {
            Self::Include => "include",
            Self::Exclude => "exclude",
        }
    }
}

impl Selection {
    /// Of what it is, and its condition.
    fn condition(&self, kind: SelectionKind) -> Result<(&'static str, &str), SelectionError> {
        let all = [
            ("participants", &self.participants),
            ("levels", &self.levels),
            ("trials", &self.trials),
            ("attempts", &self.attempts),
        ];
        let mut given = all.into_iter().filter_map(|(of, condition)| Some((of, condition.as_deref()?)));
        match (given.next(), given.next()) {
            (Some(one), None) => Ok(one),
            _ => Err(SelectionError::NotOne { kind: kind.name(), reason: self.reason.clone() }),
        }
    }

    /// Checks what can be checked before anything was played.
    ///
    /// # Errors
    ///
    /// [`SelectionError`] if it does not say of what it is, or its condition is no expression.
    pub fn check(&self, kind: SelectionKind) -> Result<(), SelectionError> {
        let (of, condition) = self.condition(kind)?;
        let wrong = |error| SelectionError::BadCondition { kind: kind.name(), of, error: Box::new(error) };
        Expression::parse(condition).map(|_| ()).map_err(wrong)
    }
}

/// Which attempts belong to what a selection describes.
type AttemptFilter = Box<dyn Fn(&LabelledAttempt) -> bool>;

/// Makes the selections of a study one after the other, inclusions first. `issues` are those of reading and replay; what
/// is said of attempts that are left out is taken from them, and rows that are left out are added to those of `labelled`.
///
/// # Errors
///
/// [`SelectionError`] if a selection cannot be made, or leaves nothing.
pub fn select(
    labelled: &mut Labelled,
    issues: &mut Vec<LogIssue>,
    selections: &[(SelectionKind, &Selection)],
    levels: &[ValuedLevel],
) -> Result<Vec<SelectionCount>, SelectionError> {
    let mut counts = Vec::new();
    for (kind, selection) in selections {
        let measures = Measures::new(&labelled.log, issues, levels);
        let (of, condition) = selection.condition(*kind)?;
        let (is_described, n_undecided) = described(&measures, *kind, of, condition)?;
        let is_kept = |attempt: &LabelledAttempt| is_described(attempt) == (*kind == SelectionKind::Include);
        let before = PlayCount::of(&labelled.log);
        let rule = format!("{} ({} {of}: {condition})", selection.reason, kind.name());
        leave_out(labelled, issues, &is_kept, &rule);
        let left = PlayCount::of(&labelled.log);
        // Where nothing was played before it, the faults of the rows say why.
        if left.n_rows == 0 && before.n_rows > 0 {
            let condition = condition.to_owned();
            return Err(SelectionError::NothingLeft { kind: kind.name(), of, condition });
        }
        counts.push(SelectionCount {
            kind: *kind,
            of: of.to_owned(),
            condition: condition.to_owned(),
            reason: selection.reason.clone(),
            left_out: before.minus(left),
            left,
            n_undecided,
        });
    }
    Ok(counts)
}

impl PlayCount {
    /// How much was played in a log.
    pub fn of(log: &LabelledLog) -> Self {
        let trials: HashSet<_> =
            log.attempts.iter().map(|attempt| (&attempt.participant, &attempt.session, &attempt.level)).collect();
        let people: HashSet<_> = log.attempts.iter().map(|attempt| &attempt.participant).collect();
        Self {
            n_rows: log.rows.len() as u64,
            n_attempts: log.attempts.len() as u64,
            n_trials: trials.len() as u64,
            n_participants: people.len() as u64,
        }
    }

    /// Both together, where nothing is in both.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            n_rows: self.n_rows + other.n_rows,
            n_attempts: self.n_attempts + other.n_attempts,
            n_trials: self.n_trials + other.n_trials,
            n_participants: self.n_participants + other.n_participants,
        }
    }

    fn minus(self, other: Self) -> Self {
        Self {
            n_rows: self.n_rows - other.n_rows,
            n_attempts: self.n_attempts - other.n_attempts,
            n_trials: self.n_trials - other.n_trials,
            n_participants: self.n_participants - other.n_participants,
        }
    }
}

/// Tells attempts that a condition over a table describes from others; in how many rows of the table it stays open.
fn described(
    measures: &Measures,
    kind: SelectionKind,
    of: &'static str,
    condition: &str,
) -> Result<(AttemptFilter, u64), SelectionError> {
    let wrong = |error| SelectionError::BadCondition { kind: kind.name(), of, error: Box::new(error) };
    let expression = Expression::parse(condition).map_err(wrong)?;
    let table = match of {
        "participants" => participants_table(measures),
        "levels" => level_play_table(measures),
        "trials" => trials_table(measures),
        _ => attempts_table(measures),
    };
    let decisions = decide(&expression, &table).map_err(wrong)?;
    let n_undecided = decisions.iter().filter(|decision| decision.is_none()).count() as u64;
    let names: &[&str] = match of {
        "participants" => &["participant"],
        "levels" => &["level"],
        "trials" => &["participant", "session", "level"],
        _ => &["participant", "session", "level", "attempt"],
    };
    let held: HashSet<Vec<String>> = (0..decisions.len())
        .filter(|&row| decisions[row] == Some(true))
        .map(|row| names.iter().map(|name| text_of(&table.data, name, row)).collect())
        .collect();
    let is_described = move |attempt: &LabelledAttempt| {
        let cell = |name: &&str| match *name {
            "participant" => attempt.participant.clone(),
            "session" => attempt.session.clone(),
            "level" => attempt.level.clone(),
            _ => attempt.attempt.to_string(),
        };
        held.contains(&names.iter().map(cell).collect::<Vec<_>>())
    };
    Ok((Box::new(is_described), n_undecided))
}

fn text_of(data: &DataFrame, name: &str, row: usize) -> String {
    let value = data.column(name).ok().and_then(|column| column.get(row).ok());
    value.map(value_of).and_then(Value::into_text).unwrap_or_default().into_owned()
}

/// For each row of a table whether an expression holds; nothing where a missing value leaves it open.
///
/// # Errors
///
/// An [`ExpressionError`] if the table lacks a column that the expression names, or has a text where it needs a number.
pub fn decide(expression: &Expression, table: &Table) -> Result<Vec<Option<bool>>, ExpressionError> {
    let mut columns = Vec::new();
    for (place, name) in expression.names().enumerate() {
        let names = table.columns.iter().map(|column| column.name.as_str());
        let unknown = || expression.unknown(place, nearest(name, names).as_deref());
        columns.push(table.data.column(name).map_err(|_| unknown())?);
    }
    (0..table.data.height())
        .map(|row| {
            let cell = |place: usize| columns[place].get(row).map_or(Value::Missing, value_of);
            expression.decide(&cell).map_err(|trouble| expression.explain(&trouble))
        })
        .collect()
}

fn value_of(value: AnyValue<'_>) -> Value<'_> {
    match value {
        AnyValue::Null => Value::Missing,
        AnyValue::Boolean(truth) => Value::Truth(truth),
        AnyValue::String(text) => Value::from(text),
        AnyValue::StringOwned(text) => Value::Text(text.to_string().into()),
        number => number.extract::<f64>().map_or(Value::Missing, Value::from),
    }
}

/// Leaves out the attempts that are not kept: their rows, and what was said of them.
fn leave_out(
    labelled: &mut Labelled,
    issues: &mut Vec<LogIssue>,
    is_kept: &dyn Fn(&LabelledAttempt) -> bool,
    rule: &str,
) {
    let old = std::mem::take(&mut labelled.log);
    let mut gone: HashSet<(&str, &str, &str, i64)> = HashSet::new();
    let mut log = LabelledLog { files: old.files.clone(), ..LabelledLog::default() };
    let mut is_row_kept = vec![false; old.rows.len()];
    for attempt in &old.attempts {
        let rows = attempt.rows.clone();
        if is_kept(attempt) {
            is_row_kept[rows.clone()].fill(true);
            let start = log.rows.len();
            log.rows.extend_from_slice(&old.rows[rows.clone()]);
            log.places.extend_from_slice(&old.places[rows]);
            log.attempts.push(LabelledAttempt { rows: start..log.rows.len(), ..attempt.clone() });
            continue;
        }
        gone.insert((&attempt.participant, &attempt.session, &attempt.level, attempt.attempt));
        for row in rows {
            let (file, line) = old.places[row];
            labelled.issues.push(LogIssue {
                code: "left-out",
                consequence: Consequence::LeftOut,
                file: old.files.get(file).cloned().unwrap_or_default(),
                row: line,
                column: String::new(),
                value: String::new(),
                rule: rule.to_owned(),
                fix: "nothing, if it is meant so".to_owned(),
                participant: Some(attempt.participant.clone()),
                session: Some(attempt.session.clone()),
                level: Some(attempt.level.clone()),
                attempt: Some(attempt.attempt),
            });
        }
    }
    issues.retain(|issue| {
        let place = (&issue.participant, &issue.session, &issue.level, issue.attempt);
        match place {
            (Some(participant), Some(session), Some(level), Some(attempt)) => {
                !gone.contains(&(participant.as_str(), session.as_str(), level.as_str(), attempt))
            }
            _ => true,
        }
    });
    labelled.moves.data = labelled
        .moves
        .data
        .filter(&is_row_kept.iter().copied().collect())
        .expect("a row of the table for each row of the log");
    labelled.log = log;
}

//! Selection of the play that is analysed: `[[include]]` and `[[exclude]]` of a study.
//!
//! Selections are made after labels and measures are there, so that they can ask for both: trials that were solved,
//! attempts in less than a second, people with too few trials. Each is made on what the ones before it left, and is
//! counted in rows, attempts, trials and people.

use plymap_puzzles::diagnostic::EntryDiagnostic;
use std::collections::HashSet;
use std::ops::Range;

use plymap_expression::{Expression, ExpressionError, Value};
use polars::prelude::{AnyValue, DataFrame};
use serde::{Deserialize, Serialize};

use crate::label::{LabelledAttempt, LabelledLog};
use crate::measure::{
    Attempt, LevelPlay, Measures, PlayedAttempt, attempts_table, participants_table, played_attempts, trials_table,
};
use plymap_log::{Consequence, LogDiagnostic};
use plymap_puzzles::valuation::ValuedLevel;
use plymap_tables::Table;
use plymap_tables::did_you_mean::nearest;

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
    /// Reason, in the words of the paper.
    pub reason: String,
}

/// `true` if a selection keeps or leaves out what it describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SelectionKind {
    /// Keeps it, and leaves out the rest.
    Include,
    /// Leaves it out.
    Exclude,
}

/// Counts of a selection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelectionCount {
    /// `true` if it keeps or leaves out.
    pub kind: SelectionKind,
    /// Of what: `participants`, `levels`, `trials` or `attempts`.
    pub of: String,
    /// Its condition.
    pub condition: String,
    /// Reason for the selection.
    pub reason: String,
    /// Play that it left out.
    pub left_out: PlayCount,
    /// Play that is left after it.
    pub left: PlayCount,
    /// Number of rows of its table without a value that decides; they are kept by an exclusion, and left out by an
    /// inclusion.
    pub n_undecided: u64,
}

/// Amount of play.
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

/// Reason why a selection cannot be made.
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
        /// Reason, and its place in the text.
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
        let mut conditions = all.into_iter().filter_map(|(name, condition)| Some((name, condition.as_deref()?)));
        match (conditions.next(), conditions.next()) {
            (Some(named), None) => Ok(named),
            _ => Err(SelectionError::NotOne { kind: kind.name(), reason: self.reason.clone() }),
        }
    }

    /// The diagnostics of the entry.
    pub fn check(&self, kind: SelectionKind) -> Vec<EntryDiagnostic> {
        let place_of = |error: SelectionError| {
            EntryDiagnostic::new("bad-selection", &[kind.name()], error.to_string(), "docs/study.md shows selections")
        };
        self.parsed(kind).err().map(place_of).into_iter().collect()
    }

    fn parsed(&self, kind: SelectionKind) -> Result<Expression, SelectionError> {
        let (table_name, condition) = self.condition(kind)?;
        let wrong = |error| SelectionError::BadCondition { kind: kind.name(), of: table_name, error: Box::new(error) };
        Expression::parse(condition).map_err(wrong)
    }
}

/// The attempts of a log in parts: a participant is in one part with all attempts, and parts and attempts are in
/// ascending order.
pub trait AttemptParts {
    /// Reason why a part cannot be had, or a selection cannot be made.
    type Error: From<SelectionError>;

    /// Number of parts.
    fn n_parts(&self) -> usize;

    /// All attempts of a part.
    fn attempts(&self, part: usize) -> Result<Vec<PlayedAttempt>, Self::Error>;
}

/// Effect of the selections of a study.
#[derive(Clone, Debug)]
pub struct Selected {
    /// Counts of what each of them left out.
    pub counts: Vec<SelectionCount>,
    /// For each attempt of each part the number of the selection that left it out, if one did.
    left_out: Vec<Vec<Option<usize>>>,
    /// Play that is left after all of them.
    pub left: PlayCount,
}

impl Selected {
    /// Makes selections one after the other on what the ones before them left, in their order.
    ///
    /// # Errors
    ///
    /// [`SelectionError`] if a selection cannot be made, or leaves nothing.
    pub fn new<P: AttemptParts>(
        parts: &P,
        selections: &[(SelectionKind, &Selection)],
        levels: &[ValuedLevel],
    ) -> Result<Self, P::Error> {
        let mut selected = Self { counts: Vec::new(), left_out: Vec::new(), left: PlayCount::default() };
        for part in 0..parts.n_parts() {
            let attempts = parts.attempts(part)?;
            selected.left_out.push(vec![None; attempts.len()]);
            selected.left = selected.left.plus(PlayCount::of(&attempts));
        }
        for (number, &(kind, selection)) in selections.iter().enumerate() {
            selected.add(number, kind, selection, parts, levels)?;
        }
        Ok(selected)
    }

    fn add<P: AttemptParts>(
        &mut self,
        number: usize,
        kind: SelectionKind,
        selection: &Selection,
        parts: &P,
        levels: &[ValuedLevel],
    ) -> Result<(), P::Error> {
        let (table_name, condition) = selection.condition(kind)?;
        // What a level is depends on all people; the rest is told by each participant alone.
        let mut of_levels = None;
        if table_name == "levels" {
            let mut play = LevelPlay::default();
            for part in 0..parts.n_parts() {
                play.push(&Measures::of_played(self.kept(part, parts.attempts(part)?), levels));
            }
            of_levels = Some(described(&play.into_table(), kind, table_name, condition)?);
        }
        let (mut left, mut n_undecided) = (PlayCount::default(), of_levels.as_ref().map_or(0, |(_, n)| *n));
        for part in 0..parts.n_parts() {
            let attempts = parts.attempts(part)?;
            let of_part = match &of_levels {
                Some(_) => None,
                None => {
                    // Measured anew for each selection: what the ones before it left out changes trials and
                    // participants.
                    let measures = Measures::of_played(self.kept(part, attempts.clone()), levels);
                    let table = match table_name {
                        "participants" => participants_table(&measures),
                        "trials" => trials_table(&measures),
                        _ => attempts_table(&measures),
                    };
                    Some(described(&table, kind, table_name, condition)?)
                }
            };
            n_undecided += of_part.as_ref().map_or(0, |(_, n)| *n);
            let Some((is_described, _)) = of_levels.as_ref().or(of_part.as_ref()) else { continue };
            for (attempt, left_out) in attempts.iter().zip(&mut self.left_out[part]) {
                let is_kept = is_described(&attempt.attempt) == (kind == SelectionKind::Include);
                // Attempts of which no row is left stay: they say that rows are missing.
                if left_out.is_none() && attempt.n_rows > 0 && !is_kept {
                    *left_out = Some(number);
                }
            }
            left = left.plus(PlayCount::of(&self.kept(part, attempts)));
        }
        let before = std::mem::replace(&mut self.left, left);
        // Where nothing was played before it, the faults of the rows say why.
        if left.n_rows == 0 && before.n_rows > 0 {
            let condition = condition.to_owned();
            return Err(SelectionError::NothingLeft { kind: kind.name(), of: table_name, condition }.into());
        }
        self.counts.push(SelectionCount {
            kind,
            of: table_name.to_owned(),
            condition: condition.to_owned(),
            reason: selection.reason.clone(),
            left_out: before.minus(left),
            left,
            n_undecided,
        });
        Ok(())
    }

    /// Those of the attempts of a part that are left.
    pub fn kept(&self, part: usize, attempts: Vec<PlayedAttempt>) -> Vec<PlayedAttempt> {
        attempts
            .into_iter()
            .zip(&self.left_out[part])
            .filter_map(|(attempt, out)| out.is_none().then_some(attempt))
            .collect()
    }

    /// The same for some of the participants, as one part.
    pub fn of<P: AttemptParts>(&self, parts: &P, is_wanted: &dyn Fn(&Attempt) -> bool) -> Result<Self, P::Error> {
        let mut left_out = Vec::new();
        for part in 0..parts.n_parts() {
            let attempts = parts.attempts(part)?;
            let wanted = attempts.iter().zip(&self.left_out[part]).filter(|(played, _)| is_wanted(&played.attempt));
            left_out.extend(wanted.map(|(_, number)| *number));
        }
        Ok(Self { left_out: vec![left_out], ..self.clone() })
    }

    /// `true` if each attempt of a part is left out.
    pub fn is_out(&self, part: usize) -> impl Iterator<Item = bool> {
        self.left_out[part].iter().map(Option::is_some)
    }

    /// Reason why each attempt of a part is left out, in the words of a diagnostic; nothing for those that are left.
    pub fn reasons(&self, part: usize) -> impl Iterator<Item = Option<String>> {
        self.left_out[part].iter().map(|number| {
            let SelectionCount { kind, of, condition, reason, .. } = &self.counts[(*number)?];
            Some(format!("{reason} ({} {of}: {condition})", kind.name()))
        })
    }
}

/// A log as one part.
struct Whole(Vec<PlayedAttempt>);

impl AttemptParts for Whole {
    type Error = SelectionError;

    fn n_parts(&self) -> usize {
        1
    }

    fn attempts(&self, _: usize) -> Result<Vec<PlayedAttempt>, SelectionError> {
        Ok(self.0.clone())
    }
}

/// Makes the selections of a study, measures what they leave, and takes the rest from the labelled log. `diagnostics`
/// are those of reading and replay; what is said of attempts that are left out is taken from them. Returns what is said of
/// the rows that are left out, too.
///
/// # Errors
///
/// [`SelectionError`] if a selection cannot be made, or leaves nothing.
pub fn select(
    labelled: &mut LabelledLog,
    diagnostics: &mut Vec<LogDiagnostic>,
    selections: &[(SelectionKind, &Selection)],
    levels: &[ValuedLevel],
) -> Result<(Selected, Measures, Vec<LogDiagnostic>), SelectionError> {
    let attempts = Whole(played_attempts(labelled, diagnostics, levels));
    let selected = Selected::new(&attempts, selections, levels)?;
    let left_out = match selections {
        [] => Vec::new(),
        _ => leave_out(labelled, diagnostics, &attempts.0, &selected, 0),
    };
    let kept = selected.kept(0, attempts.0);
    Ok((selected, Measures::of_played(kept, levels), left_out))
}

impl PlayCount {
    /// Amount of play in attempts, which are in ascending order.
    pub fn of(attempts: &[PlayedAttempt]) -> Self {
        let mut count = Self::default();
        let mut last: Option<&Attempt> = None;
        for PlayedAttempt { attempt, n_rows, .. } in attempts.iter().filter(|played| played.n_rows > 0) {
            let is_same_person = last.is_some_and(|last| last.participant == attempt.participant);
            let is_same_trial = is_same_person
                && last.is_some_and(|last| (&last.session, &last.level) == (&attempt.session, &attempt.level));
            count.n_rows += n_rows;
            count.n_attempts += 1;
            count.n_trials += u64::from(!is_same_trial);
            count.n_participants += u64::from(!is_same_person);
            last = Some(attempt);
        }
        count
    }

    /// Both together, where nothing is in both.
    pub fn plus(self, other: Self) -> Self {
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

/// Attempts that a selection describes.
type AttemptFilter = Box<dyn Fn(&Attempt) -> bool>;

/// Tells attempts that a condition over a table describes from others; in how many rows of the table it stays open.
fn described(
    table: &Table,
    kind: SelectionKind,
    table_name: &'static str,
    condition: &str,
) -> Result<(AttemptFilter, u64), SelectionError> {
    let wrong = |error| SelectionError::BadCondition { kind: kind.name(), of: table_name, error: Box::new(error) };
    let expression = Expression::parse(condition).map_err(wrong)?;
    let decisions = decide(&expression, table).map_err(wrong)?;
    let n_undecided = decisions.iter().filter(|decision| decision.is_none()).count() as u64;
    let names: &[&str] = match table_name {
        "participants" => &["participant"],
        "levels" => &["level"],
        "trials" => &["participant", "session", "level"],
        _ => &["participant", "session", "level", "attempt"],
    };
    // Keys as texts: tables of parts have other numbers than those of the whole.
    let held: HashSet<Vec<String>> = (0..decisions.len())
        .filter(|&row| decisions[row] == Some(true))
        .map(|row| names.iter().map(|name| text_of(&table.data, name, row)).collect())
        .collect();
    let is_described = move |attempt: &Attempt| {
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
            expression.decide(&cell).map_err(|error| expression.explain(&error))
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

/// Diagnostic of a row of an attempt that is left out, in this file and line.
pub fn left_out(attempt: &Attempt, (file, row): (&str, u64), rule: &str) -> LogDiagnostic {
    LogDiagnostic {
        code: "left-out".into(),
        consequence: Consequence::LeftOut,
        file: file.to_owned(),
        row,
        column: String::new(),
        value: String::new(),
        rule: rule.to_owned(),
        fix: "nothing, if it is meant so".to_owned(),
        participant: Some(attempt.participant.clone()),
        session: Some(attempt.session.clone()),
        level: Some(attempt.level.clone()),
        attempt: Some(attempt.attempt),
    }
}

/// Leaves out attempts: their rows, and what was said of them. `attempts` are all those of `labelled`, as a part.
/// Returns what is said of their rows now.
pub fn leave_out(
    labelled: &mut LabelledLog,
    diagnostics: &mut Vec<LogDiagnostic>,
    attempts: &[PlayedAttempt],
    selected: &Selected,
    part: usize,
) -> Vec<LogDiagnostic> {
    let reasons = attempts.iter().zip(selected.reasons(part)).filter(|(attempt, _)| attempt.n_rows > 0);
    let mut old = std::mem::take(labelled);
    labelled.rows = std::mem::take(&mut old.rows);
    let mut kept: Vec<Range<usize>> = Vec::new();
    let mut said = Vec::new();
    let mut gone: HashSet<(&str, &str, &str, i64)> = HashSet::new();
    labelled.files.clone_from(&old.files);
    for (attempt, (played, reason)) in old.attempts.iter().zip(reasons) {
        let rows = attempt.rows.clone();
        let Some(rule) = reason else {
            let start = labelled.places.len();
            labelled.places.extend_from_slice(&old.places[rows.clone()]);
            kept.push(rows);
            labelled.attempts.push(LabelledAttempt { rows: start..labelled.places.len(), ..attempt.clone() });
            continue;
        };
        gone.insert((&attempt.participant, &attempt.session, &attempt.level, attempt.attempt));
        for row in rows {
            let at = old.places[row];
            let file = old.files.get(at.file()).map_or("", String::as_str);
            said.push(left_out(&played.attempt, (file, at.row()), &rule));
        }
    }
    labelled.rows.keep(kept.into_iter().flatten());
    diagnostics.retain(|diagnostic| {
        let place = (&diagnostic.participant, &diagnostic.session, &diagnostic.level, diagnostic.attempt);
        // A diagnostic without a whole key is of a file, and stays.
        match place {
            (Some(participant), Some(session), Some(level), Some(attempt)) => {
                !gone.contains(&(participant.as_str(), session.as_str(), level.as_str(), attempt))
            }
            _ => true,
        }
    });
    said
}

//! The quality of every logged move: replayed log x oracle -> labelled moves.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

use plymap_log::replay::{Played, Replay, Step, replay};
use plymap_log::{Consequence, Event, FileRow, Log, LogIssue, LogSpec, NullMoves};
use plymap_puzzles::distance::{MoveEvaluation, Oracle, OracleError, regret};
use plymap_puzzles::game::{StateCode, Unit, Value};
use plymap_puzzles::progress::Progress;
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::ValuedLevel;

pub mod moves_table;
mod rows;

pub use moves_table::{keep_logged, moves_table};
pub use rows::LabelledRows;

/// What a move did to the value of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub enum Quality {
    /// The goal is nearer.
    Better,
    /// The goal is as far as before.
    Same,
    /// The goal is farther.
    Worse,
    /// No goal can be reached any more.
    DeadEnd,
    /// No other move lets expect more points.
    Best,
    /// It gives away up to [`SLIP`] of the expected points.
    Slip,
    /// It gives away up to [`MISTAKE`] of them.
    Mistake,
    /// It gives away more.
    Blunder,
    /// The rules do not allow the move; the position did not change.
    Illegal,
}

/// The largest share of the expected points that a slip gives away.
pub const SLIP: f64 = 0.02;
/// The largest share of the expected points that a mistake gives away.
pub const MISTAKE: f64 = 0.1;

impl Quality {
    /// All of them, the best first.
    pub const ALL: [Self; 9] = [
        Self::Better,
        Self::Same,
        Self::Worse,
        Self::DeadEnd,
        Self::Best,
        Self::Slip,
        Self::Mistake,
        Self::Blunder,
        Self::Illegal,
    ];

    /// Those that moves can have where values are in this unit, the best first.
    pub fn of_unit(unit: Unit) -> &'static [Self] {
        if unit.is_distance() {
            &[Self::Better, Self::Same, Self::Worse, Self::DeadEnd, Self::Illegal]
        } else {
            &[Self::Best, Self::Slip, Self::Mistake, Self::Blunder, Self::Illegal]
        }
    }

    /// Its index in [`Quality::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// The word that tables show.
    pub fn name(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Same => "same",
            Self::Worse => "worse",
            Self::DeadEnd => "dead-end",
            Self::Best => "best",
            Self::Slip => "slip",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
            Self::Illegal => "illegal",
        }
    }

    /// What a legal move from a position of one value to one of another is.
    pub fn of_values(before: Option<Value>, after: Option<Value>, regret: Option<f64>) -> Self {
        if let (Some(Value::Points(points)), Some(regret)) = (before, regret) {
            return Self::of_loss(regret, points);
        }
        let distance = |value: Option<Value>| value.and_then(Value::as_distance);
        match (distance(before), distance(after)) {
            (_, None) => Self::DeadEnd,
            (None, Some(_)) => Self::Better,
            (Some(before), Some(after)) if after < before => Self::Better,
            (Some(before), Some(after)) if after == before => Self::Same,
            _ => Self::Worse,
        }
    }

    /// What a move is that loses so many of the expected points.
    fn of_loss(lost: f64, of: f64) -> Self {
        match lost {
            _ if lost <= 0.0 => Self::Best,
            _ if lost <= SLIP * of => Self::Slip,
            _ if lost <= MISTAKE * of => Self::Mistake,
            _ => Self::Blunder,
        }
    }
}

impl fmt::Display for Quality {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// The label of one move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Label {
    /// What the oracle says of the move.
    pub evaluation: MoveEvaluation,
    /// What it lost against the best move; absent for illegal moves and where no goal can be reached.
    pub regret: Option<f64>,
    /// What it did to the value of the position.
    pub quality: Quality,
    /// Whether the position after it is a goal: the level is solved, or the target reached.
    pub is_goal: bool,
    /// Whether it ends the attempt: the level is solved, or the game over.
    pub is_end: bool,
}

impl Label {
    /// The label of a move that led, with what chance added, to the position `after`.
    pub fn new(played: &Played, after: StateCode, evaluation: MoveEvaluation, rules: &dyn Rules) -> Self {
        let MoveEvaluation { before: value_before, after: value_after, .. } = evaluation;
        let (is_goal, is_end) = (rules.is_goal(after), rules.is_end(after));
        if !played.is_legal {
            return Self { evaluation, regret: None, quality: Quality::Illegal, is_goal, is_end };
        }
        let regret = regret(played.cost, value_before, value_after);
        let quality = Quality::of_values(value_before, value_after, regret);
        Self { evaluation, regret, quality, is_goal, is_end }
    }

    /// Value of the position before the move, in the unit of the level.
    pub fn value_before(&self) -> Option<f64> {
        self.evaluation.before.map(Value::number)
    }

    /// Value of the position after it, before chance had its turn.
    pub fn value_after(&self) -> Option<f64> {
        self.evaluation.after.map(Value::number)
    }

    /// Whether no other move is better.
    pub fn is_optimal(&self) -> bool {
        self.regret == Some(0.0)
    }

    /// Share of optimal moves among the legal ones.
    pub fn chance(&self) -> Option<f64> {
        let MoveEvaluation { n_legal, n_optimal, .. } = self.evaluation;
        (n_legal > 0).then(|| f64::from(n_optimal) / f64::from(n_legal))
    }
}

/// A replayed row of a log with its label.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelledRow {
    /// What happened.
    pub event: Event,
    /// Seconds since what happened before it.
    pub rt_s: Option<f64>,
    /// What it did to the position.
    pub step: Step,
    /// Its label, if it is a move.
    pub label: Option<Label>,
    /// Whether it changed nothing, and its time is part of that of the next move.
    pub is_time_in_next: bool,
}

impl LabelledRow {
    /// The move that it is, with its label.
    pub fn made(&self) -> Option<(&Played, &Label)> {
        self.step.played.as_ref().zip(self.label.as_ref())
    }
}

/// The rows of one attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelledAttempt {
    /// Who played.
    pub participant: String,
    /// In which sitting.
    pub session: String,
    /// At which level.
    pub level: String,
    /// Number of the attempt, as logged.
    pub attempt: i64,
    /// Experimental condition of its first row that has one.
    pub condition: Option<String>,
    /// Its rows in [`LabelledLog::rows`].
    pub rows: Range<usize>,
    /// What ended it without a row of its own: a reset or a give-up, where the study says that open attempts have such ends.
    pub implied_end: Option<Event>,
    /// Whether it is the last of its session, behind which the participant came again: it is interrupted if no row ends it.
    pub is_interrupted: bool,
}

/// The replayed rows of a log, attempt by attempt: what measures, analyses and figures are made from.
#[derive(Clone, Debug, Default)]
pub struct LabelledLog {
    /// The attempts, in the order of the canonical log.
    pub attempts: Vec<LabelledAttempt>,
    /// Their rows, one attempt after the other; those of the table `moves`, in its order.
    pub rows: LabelledRows,
    /// Where each row stands; files are those of [`LabelledLog::files`].
    pub places: Vec<FileRow>,
    /// Paths of the files of the log, in the order in which they were read: the order of play.
    pub files: Vec<String>,
}

/// Replays rows of a log, which are whole attempts, and labels what each of them did with the oracle of its level. Whoever
/// asks to stop throws the result away: what was not yet labelled has no label.
///
/// # Panics
///
/// If the log does not have so many rows.
pub fn label(
    log: &Log,
    rows: Range<usize>,
    levels: &[ValuedLevel],
    spec: &LogSpec,
    progress: &dyn Progress,
) -> (LabelledLog, Replay) {
    let rules: Vec<_> = levels.iter().map(|level| (level.id.as_str(), &*level.rules)).collect();
    let mut replay = replay(log, rows, &rules, spec);
    let judge = |step: &Step| -> Result<Option<Label>, OracleError> {
        let Some(played) = step.played.filter(|_| !progress.is_cancelled()) else { return Ok(None) };
        let level = &levels[step.level as usize];
        let evaluation = level.oracle().evaluate_move(step.before, played.chosen, played.cost)?;
        Ok(Some(Label::new(&played, step.after, evaluation, &*level.rules)))
    };
    let mut labelled = LabelledLog { files: log.rows.file_names().to_vec(), ..LabelledLog::default() };
    labelled.reserve(replay.steps.len());
    let mut current = None;
    // Rows of actions that changed nothing since the last move, whose time is part of that of the next one.
    let mut carried: Vec<usize> = Vec::new();
    // The transition of each move that replay numbers.
    let mut known: Vec<Option<u32>> = Vec::new();
    for (step, number_of_move) in std::mem::take(&mut replay.steps).into_iter().zip(std::mem::take(&mut replay.moves)) {
        let row = log.rows.at(step.row as usize);
        let is_first = current != Some(row.place());
        let event = match row.event() {
            // A position alone before any move is the one that was posed.
            Event::Move
                if step.played.is_none() && is_first && row.action().is_none() && row.state_before().is_none() =>
            {
                Event::Start
            }
            Event::Move if step.played.is_none() => Event::NullMove,
            event => event,
        };
        let number = labelled.rows.len();
        let number_of_move = number_of_move.map(|number| number as usize);
        let known_transition = number_of_move.and_then(|number| *known.get(number)?);
        match labelled.rows.push_judged(event, row.rt_s(), step, known_transition, || judge(&step)) {
            Ok(transition) => {
                if let Some(number) = number_of_move {
                    known.resize(known.len().max(number + 1), None);
                    known[number] = Some(transition);
                }
            }
            Err(unknown) => {
                replay.issues.push(off_the_map(log, &step, unknown));
                replay.n_excluded += 1;
                continue;
            }
        }
        if current.replace(row.place()) != Some(row.place()) {
            carried.clear();
            labelled.attempts.push(LabelledAttempt {
                participant: row.participant().to_owned(),
                session: row.session().to_owned(),
                level: row.level().to_owned(),
                attempt: row.attempt(),
                condition: None,
                rows: number..number,
                implied_end: None,
                is_interrupted: false,
            });
        }
        match event {
            Event::NullMove if spec.null_moves == NullMoves::Drop => carried.push(number),
            Event::Move if !carried.is_empty() => labelled.rows.carry_times(carried.drain(..)),
            _ => {}
        }
        labelled.places.push(row.file_row());
        if let Some(attempt) = labelled.attempts.last_mut() {
            attempt.rows.end = number + 1;
            if attempt.condition.is_none() {
                attempt.condition = row.condition().filter(|name| !name.is_empty()).map(str::to_owned);
            }
        }
    }
    (labelled, replay)
}

/// Participant, session and level, and the number of the attempt.
type AttemptOf<'a> = ((&'a str, &'a str, &'a str), i64);

impl LabelledLog {
    /// The attempts at a level with all of their rows, those that are not measured too.
    pub fn attempts_at<'a>(&'a self, level: &str) -> impl Iterator<Item = &'a LabelledAttempt> {
        self.attempts.iter().filter(move |attempt| attempt.level == level)
    }

    /// The positions that an attempt was in: where it began, and where it was after each of its rows.
    pub fn positions(&self, attempt: &LabelledAttempt) -> impl Iterator<Item = StateCode> {
        let first = attempt.rows.clone().next().map(|number| self.rows.at(number).step.before);
        first.into_iter().chain(self.rows.range(attempt.rows.clone()).map(|row| row.step.after))
    }

    /// Numbers of the attempts in the order of play: participant by participant, as their rows stand in the files.
    fn in_order_of_play(&self) -> Vec<usize> {
        let key =
            |own: &LabelledAttempt| (own.participant.clone(), self.places[own.rows.clone()].iter().min().copied());
        let mut order: Vec<usize> = (0..self.attempts.len()).collect();
        order.sort_by_cached_key(|&number| key(&self.attempts[number]));
        order
    }

    /// Finds the last attempt of each session behind which the participant came again.
    pub fn mark_interrupted(&mut self) {
        let mut later: HashSet<&str> = HashSet::new();
        let mut last: Vec<usize> = Vec::new();
        let mut participant = "";
        for number in self.in_order_of_play().into_iter().rev() {
            let attempt = &self.attempts[number];
            if attempt.participant != participant {
                participant = &attempt.participant;
                later.clear();
            }
            if later.insert(&attempt.session) && later.len() > 1 {
                last.push(number);
            }
        }
        last.into_iter().for_each(|number| self.attempts[number].is_interrupted = true);
    }

    /// Takes it that whoever leaves an attempt and goes on playing in the same session has reset it, where the next attempt
    /// is at the same level, or else given it up. What rows end themselves stays as it is; the last attempt of a session
    /// stays open, and so does one with rows that were left out.
    pub fn imply_ends(&mut self, issues: &[LogIssue]) {
        let gaps: HashSet<AttemptOf> = issues
            .iter()
            .filter(|issue| matches!(issue.consequence, Consequence::Rejected | Consequence::Excluded))
            .filter_map(|issue| {
                let names = (issue.participant.as_deref()?, issue.session.as_deref()?, issue.level.as_deref()?);
                Some((names, issue.attempt?))
            })
            .collect();
        let of = |number: usize| {
            let LabelledAttempt { participant, session, level, attempt, .. } = &self.attempts[number];
            ((participant.as_str(), session.as_str(), level.as_str()), *attempt)
        };
        let implied = |pair: &[usize]| {
            let ((own, attempt), (next, _)) = (of(pair[0]), of(pair[1]));
            let end = if own == next { Event::Reset } else { Event::GiveUp };
            let is_of_session = (own.0, own.1) == (next.0, next.1);
            (is_of_session && !gaps.contains(&(own, attempt))).then_some((pair[0], end))
        };
        let implied: Vec<(usize, Event)> = self.in_order_of_play().windows(2).filter_map(implied).collect();
        implied.into_iter().for_each(|(number, end)| self.attempts[number].implied_end = Some(end));
    }

    /// Makes room for so many more rows.
    fn reserve(&mut self, n_rows: usize) {
        self.rows.reserve(n_rows);
        self.places.reserve(n_rows);
    }

    /// Gives back what was taken ahead for more rows.
    pub fn shrink(&mut self) {
        self.rows.shrink();
        self.places.shrink_to_fit();
        self.attempts.shrink_to_fit();
    }

    /// Adds the attempts of other rows of the same log.
    pub fn append(&mut self, other: Self) {
        let start = self.rows.len();
        let behind = |attempt: LabelledAttempt| LabelledAttempt {
            rows: start + attempt.rows.start..start + attempt.rows.end,
            ..attempt
        };
        self.attempts.extend(other.attempts.into_iter().map(behind));
        self.rows.append(other.rows);
        self.places.extend(other.places);
        self.files = other.files;
    }
}

fn off_the_map(log: &Log, step: &Step, unknown: OracleError) -> LogIssue {
    let row = log.rows.at(step.row as usize);
    let (code, fix) = match unknown {
        OracleError::UnknownState { .. } => (
            "off-the-map",
            "positions beyond a goal are on the map with expand_goals = true in [map]; a log that starts elsewhere needs a level with that start",
        ),
        OracleError::Value { .. } => ("not-valued", "the page of the game in docs says what it can value"),
    };
    LogIssue {
        code: code.into(),
        column: "action".to_owned(),
        value: row.action().unwrap_or_default().to_owned(),
        rule: unknown.to_string(),
        fix: fix.to_owned(),
        ..row.issue(Consequence::Excluded)
    }
}

/// The unit of the values of some levels, which are of one game under the same rules.
pub fn unit_of(levels: &[ValuedLevel]) -> Unit {
    levels.first().map_or(Unit::Moves, |level| level.rules.unit())
}

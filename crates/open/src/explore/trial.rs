//! One trial, move by move, beside those of others at the same level.

use plymap_measures::label::LabelledAttempt;
use plymap_measures::measure::Trial;
use plymap_play::Position;
use plymap_play::page_picture::Board;
use serde::Serialize;

use super::{Place, View};
use crate::problem::Problem;

/// Summary of a trial, as lists show it.
#[derive(Clone, Debug, Serialize)]
pub struct TrialRow {
    participant: String,
    session: String,
    level: String,
    condition: Option<String>,
    /// Number within its participant, from 1; none where the order is not known.
    trial: Option<usize>,
    n_attempts: u64,
    solved: Option<bool>,
    n_moves: Option<f64>,
    optimal: Option<u32>,
    time_s: Option<f64>,
    share_optimal: Option<f64>,
    mean_regret: Option<f64>,
}

impl TrialRow {
    /// Creates the summary of a trial of a view.
    pub fn new(view: &View, trial: &Trial) -> Self {
        let measures = &view.play.measures;
        Self {
            participant: measures.participants[trial.participant].clone(),
            session: trial.session.clone(),
            level: measures.levels[trial.level].clone(),
            condition: trial.condition.clone(),
            trial: view.number(trial),
            n_attempts: trial.n_attempts,
            solved: trial.is_solved,
            n_moves: trial.n_moves,
            optimal: trial.start_distance,
            time_s: trial.time_s,
            share_optimal: trial.share_optimal,
            mean_regret: trial.mean_regret,
        }
    }
}

/// A trial, move by move.
#[derive(Debug, Serialize)]
pub struct TrialView {
    trial: TrialRow,
    unit: &'static str,
    board: Board,
    attempts: Vec<AttemptView>,
    others: Others,
    n_rows: usize,
}

/// Play of all at the same level: moves and time over solved trials.
#[derive(Debug, Serialize)]
struct Others {
    n_moves: Option<Place>,
    time_s: Option<Place>,
    share_optimal: Option<Place>,
    mean_regret: Option<Place>,
}

#[derive(Debug, Serialize)]
struct AttemptView {
    attempt: i64,
    solved: bool,
    start: Start,
    moves: Vec<MoveView>,
}

#[derive(Debug, Serialize)]
struct Start {
    position: Position,
    value: Option<f64>,
}

/// A row of an attempt.
#[derive(Debug, Serialize)]
struct MoveView {
    action: String,
    event: &'static str,
    /// Seconds since the attempt began, without the moves whose times are missing; none where that of the move is.
    time_s: Option<f64>,
    rt_s: Option<f64>,
    value_before: Option<f64>,
    value: Option<f64>,
    regret: Option<f64>,
    quality: Option<&'static str>,
    n_legal: Option<u32>,
    n_optimal: Option<u32>,
    position: Position,
    source_file: String,
    source_row: u64,
}

impl TrialView {
    /// Returns the trial of a participant at a level in a session.
    ///
    /// # Errors
    ///
    /// There is none.
    pub fn new(view: &View, participant: &str, session: &str, level: &str) -> Result<Self, Problem> {
        let measures = &view.play.measures;
        let is_it = |trial: &&Trial| {
            measures.participants[trial.participant] == participant
                && measures.levels[trial.level] == level
                && trial.session == session
        };
        let trial = measures.trials.iter().find(is_it).ok_or_else(|| {
            let why = format!("{participant:?} has no trial at {level:?} in session {session:?}");
            let values = [("participant", participant), ("level", level), ("session", session)];
            Problem::missing(why).says("no_trial", values)
        })?;
        let of_level: Vec<&Trial> = measures.trials.iter().filter(|other| other.level == trial.level).collect();
        let place = |part: fn(&Trial) -> Option<f64>| {
            Place::among(part(trial), &of_level.iter().filter_map(|trial| part(trial)).collect::<Vec<_>>())
        };
        // Who gave up after three moves was not fast.
        let of_solved = |part: fn(&Trial) -> Option<f64>| {
            let is_solved = |trial: &Trial| trial.is_solved == Some(true);
            let values = of_level.iter().filter(|trial| is_solved(trial)).filter_map(|trial| part(trial));
            Place::among(part(trial).filter(|_| is_solved(trial)), &values.collect::<Vec<_>>())
        };
        let valued = view.level(level)?;
        let labelled = &view.play.labelled;
        let attempts: Vec<&LabelledAttempt> = labelled
            .attempts_at(level)
            .filter(|attempt| attempt.participant == participant && attempt.session == session)
            .collect();
        let n_rows = attempts.iter().map(|attempt| attempt.rows.len()).sum();
        Ok(Self {
            trial: TrialRow::new(view, trial),
            unit: valued.rules.unit().name(),
            board: Board::of(&valued.rules.picture(valued.rules.start())),
            others: Others {
                n_moves: of_solved(|trial| trial.n_moves),
                time_s: of_solved(|trial| trial.time_s),
                share_optimal: place(|trial| trial.share_optimal),
                mean_regret: place(|trial| trial.mean_regret),
            },
            attempts: attempts.into_iter().map(|attempt| AttemptView::new(view, attempt)).collect::<Result<_, _>>()?,
            n_rows,
        })
    }
}

impl AttemptView {
    fn new(view: &View, attempt: &LabelledAttempt) -> Result<Self, Problem> {
        let valued = view.level(&attempt.level)?;
        let rules = &*valued.rules;
        let labelled = &view.play.labelled;
        let start =
            labelled.rows.range(attempt.rows.clone()).next().map_or_else(|| rules.start(), |row| row.step.before);
        let mut sum_s = 0.0;
        let mut solved = false;
        let moves = attempt.rows.clone().map(|number| {
            let row = labelled.rows.at(number);
            let logged = view.play.rows.at(row.step.row as usize);
            let label = row.label.as_ref();
            solved |= label.is_some_and(|label| label.is_goal);
            MoveView {
                action: logged.action().unwrap_or_default().to_owned(),
                event: row.event.name(),
                time_s: row.rt_s.map(|rt_s| {
                    sum_s += rt_s;
                    sum_s
                }),
                rt_s: row.rt_s,
                value_before: label.and_then(|label| label.value_before()),
                value: label.and_then(|label| label.value_after()),
                regret: label.and_then(|label| label.regret),
                quality: label.map(|label| label.quality.name()),
                n_legal: label.map(|label| label.evaluation.n_legal),
                n_optimal: label.map(|label| label.evaluation.n_optimal),
                position: Position::still(rules, row.step.after),
                source_file: logged.file_name().to_owned(),
                source_row: logged.line(),
            }
        });
        let moves: Vec<MoveView> = moves.collect();
        let value = valued.evaluated(start).ok().and_then(|evaluation| evaluation.value).map(|value| value.number());
        Ok(Self {
            attempt: attempt.attempt,
            solved,
            start: Start { position: Position::still(rules, start), value },
            moves,
        })
    }
}

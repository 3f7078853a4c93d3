//! The quality of every logged move: replayed log x oracle -> labelled moves.

use std::ops::Range;

use plymap_log::replay::{Replay, Step, replay};
use plymap_log::{CanonicalRow, Consequence, Event, Log, LogDiagnostic, LogSpec, NullMoves};
use plymap_puzzles::distance::{Oracle, OracleError};
use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::ValuedLevel;

mod labelled_log;
pub mod moves_table;
mod quality;
mod row;
mod rows;

pub use labelled_log::{LabelledAttempt, LabelledLog, unit_of};
pub use moves_table::{keep_logged, moves_table};
pub use quality::{MISTAKE, Quality, SLIP};
pub use row::{Label, LabelledRow};
pub use rows::LabelledRows;

/// Replays rows of a log, which are whole attempts, and labels what each of them did with the oracle of its level.
/// Whoever asks to stop throws the result away: what was not yet labelled has no label.
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
        let event = replayed_event(&row, &step, is_first);
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
                replay.diagnostics.push(off_the_map(log, &step, unknown));
                replay.n_excluded += 1;
                continue;
            }
        }
        if current.replace(row.place()) != Some(row.place()) {
            carried.clear();
            labelled.attempts.push(empty_attempt(&row, number));
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

/// The event of a row by what its replay did.
fn replayed_event(row: &CanonicalRow<'_>, step: &Step, is_first: bool) -> Event {
    match row.event() {
        // A position alone before any move is the one that was posed.
        Event::Move if step.played.is_none() && is_first && row.action().is_none() && row.state_before().is_none() => {
            Event::Start
        }
        Event::Move if step.played.is_none() => Event::NullMove,
        event => event,
    }
}

/// The attempt that begins with this row, still without rows.
fn empty_attempt(row: &CanonicalRow<'_>, number: usize) -> LabelledAttempt {
    LabelledAttempt {
        participant: row.participant().to_owned(),
        session: row.session().to_owned(),
        level: row.level().to_owned(),
        attempt: row.attempt(),
        condition: None,
        rows: number..number,
        implied_end: None,
        is_interrupted: false,
    }
}

fn off_the_map(log: &Log, step: &Step, unknown: OracleError) -> LogDiagnostic {
    let row = log.rows.at(step.row as usize);
    let (code, fix) = match unknown {
        OracleError::UnknownState { .. } => (
            "off-the-map",
            "positions beyond a goal are on the map with expand_goals = true in [map]; a log that starts elsewhere needs a level with that start",
        ),
        OracleError::Value { .. } => ("not-valued", "the page of the game in docs says what it can value"),
    };
    LogDiagnostic {
        code: code.into(),
        column: "action".to_owned(),
        value: row.action().unwrap_or_default().to_owned(),
        rule: unknown.to_string(),
        fix: fix.to_owned(),
        ..row.diagnostic(Consequence::Excluded)
    }
}

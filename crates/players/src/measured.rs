//! Synthetic play measured without a log: the same counts, sums and shares as those of people.

use super::error::PlayError;
use super::played::{PlayedRow, PlayedTrial};
use crate::policy::PolicyError;
use plymap_log::Event;
use plymap_log::replay::{Played, Step};
use plymap_measures::label::{Label, LabelledRow};
use plymap_measures::measure::{Attempt, Measures};
use plymap_puzzles::distance::{Oracle, OracleError};
use plymap_puzzles::game::StateCode;
use plymap_puzzles::valuation::ValuedLevel;
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};

/// The measures of synthetic trials, as the tables of a run define them. They are those of the log that
/// [`super::write_log`] writes, but for the rounding of its times.
///
/// # Errors
///
/// [`PlayError::Policy`] if a position that was played cannot be valued.
pub fn measures_of(trials: &[PlayedTrial], levels: &[ValuedLevel]) -> Result<Measures, PlayError> {
    let by_name: HashMap<&str, &ValuedLevel> = levels.iter().map(|level| (level.id.as_str(), level)).collect();
    let attempts = trials.par_iter().filter_map(|trial| {
        let level = by_name.get(trial.level.as_str())?;
        let failed = |source: OracleError| PlayError::Policy {
            participant: trial.participant.clone(),
            level: trial.level.clone(),
            source: PolicyError::from(source),
        };
        Some(attempts_of(trial, level).map_err(failed))
    });
    let mut attempts = attempts.collect::<Result<Vec<_>, _>>()?.concat();
    let key = |attempt: &Attempt| (attempt.participant.clone(), attempt.level.clone(), attempt.attempt);
    // Trials come by player, and measures want them in ascending order.
    attempts.sort_by_key(key);
    Ok(Measures::of_attempts(attempts, levels))
}

/// Positions of an attempt so far.
struct Path {
    number: u32,
    positions: Vec<StateCode>,
    visited: HashSet<StateCode>,
}

fn attempts_of(trial: &PlayedTrial, level: &ValuedLevel) -> Result<Vec<Attempt>, OracleError> {
    let oracle = level.oracle();
    let mut attempts: Vec<Attempt> = Vec::new();
    let mut path: Option<Path> = None;
    for row in &trial.rows {
        let is_new = path.as_ref().is_none_or(|path| path.number != row.attempt);
        if is_new {
            path = Some(Path { number: row.attempt, positions: Vec::new(), visited: HashSet::new() });
            attempts.push(Attempt {
                participant: trial.participant.clone(),
                session: "1".to_owned(),
                level: trial.level.clone(),
                attempt: i64::from(row.attempt),
                condition: trial.condition.clone(),
                ..Attempt::default()
            });
        }
        let (Some(path), Some(attempt)) = (&mut path, attempts.last_mut()) else { continue };
        attempt.push(&labelled(row, level, &oracle, path)?);
    }
    Ok(attempts)
}

/// A row as a replay of its log and the labels give it; rows that are no moves are measured without their positions.
fn labelled(
    row: &PlayedRow,
    level: &ValuedLevel,
    oracle: &dyn Oracle,
    path: &mut Path,
) -> Result<LabelledRow, OracleError> {
    let nowhere = Step { row: 0, level: 0, before: StateCode(0), after: StateCode(0), played: None };
    let mut labelled =
        LabelledRow { event: row.event, rt_s: Some(row.rt_s), step: nowhere, label: None, is_time_in_next: false };
    let (Some(made_move), Event::Move) = (&row.made, row.event) else { return Ok(labelled) };
    if path.positions.is_empty() {
        path.positions.push(made_move.before);
        path.visited.insert(made_move.before);
    }
    let evaluation = oracle.evaluate_move(made_move.before, made_move.after, made_move.cost)?;
    let before_last = path.positions.len().checked_sub(2).map(|index| path.positions[index]);
    path.positions.push(made_move.next);
    let played = Played {
        ply: row.move_index.unwrap_or_default(),
        is_legal: true,
        chosen: made_move.after,
        cost: made_move.cost,
        is_after_goal: false,
        is_undo: before_last == Some(made_move.next),
        is_revisit: !path.visited.insert(made_move.next),
        same_piece_as_last: None,
    };
    labelled.step = Step { before: made_move.before, after: made_move.next, played: Some(played), ..nowhere };
    labelled.label = Some(Label::new(&played, made_move.next, evaluation, &*level.rules));
    Ok(labelled)
}

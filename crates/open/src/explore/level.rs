//! One level: its facts, how people solved it, and where they lost the way.

use std::collections::{BTreeMap, HashMap, HashSet};

use plymap_measures::label::Quality;
use plymap_play::Position;
use plymap_play::page_picture::Board;
use plymap_puzzles::game::StateCode;
use serde::Serialize;

use super::map::why_no_map;
use super::{TrialRow, View};
use crate::problem::Problem;

/// Number of first moves and traps that are shown.
const SHOWN: usize = 8;

/// A level.
#[derive(Debug, Serialize)]
pub struct LevelView {
    level: String,
    unit: &'static str,
    optimal: Option<u32>,
    n_states: Option<u64>,
    n_shortest: Option<u64>,
    n_attempts: usize,
    n_rows: usize,
    board: Board,
    start: Position,
    /// Reason why there is no map of all states.
    no_map: Option<String>,
    trials: Vec<TrialRow>,
    first_moves: Vec<FirstMove>,
    traps: Vec<Trap>,
}

/// A first move, and who made it.
#[derive(Debug, Serialize)]
struct FirstMove {
    action: String,
    n: usize,
    share: f64,
    regret: Option<f64>,
}

/// A position in which moves away from the goal were made.
#[derive(Debug, Serialize)]
struct Trap {
    position: Position,
    value: Option<f64>,
    n_visits: usize,
    /// Moves that brought the goal farther or out of reach.
    n_errors: usize,
    n_participants: usize,
}

impl LevelView {
    /// Returns a level of a view.
    ///
    /// # Errors
    ///
    /// There is none of this name.
    pub fn new(view: &View, name: &str) -> Result<Self, Problem> {
        let level = view.level(name)?;
        let rules = &*level.rules;
        let start = rules.start();
        let measures = &view.play.measures;
        let number = measures.levels.iter().position(|level| level == name);
        let attempts: Vec<_> = view.play.labelled.attempts_at(name).collect();
        let trials = measures.trials.iter().filter(|trial| Some(trial.level) == number);
        Ok(Self {
            level: name.to_owned(),
            unit: rules.unit().name(),
            optimal: level.start_distance().map(|distance| distance.0),
            n_states: level.n_states(),
            n_shortest: level.n_shortest(start),
            n_attempts: attempts.len(),
            n_rows: attempts.iter().map(|attempt| attempt.rows.len()).sum(),
            board: Board::of(&rules.picture(start)),
            start: Position::still(rules, start),
            no_map: why_no_map(level),
            trials: trials.map(|trial| TrialRow::new(view, trial)).collect(),
            first_moves: first_moves(view, name),
            traps: traps(view, name)?,
        })
    }
}

/// Returns the first moves of attempts at a level, the most frequent first.
fn first_moves(view: &View, name: &str) -> Vec<FirstMove> {
    let labelled = &view.play.labelled;
    let mut moves: BTreeMap<String, (usize, Option<f64>)> = BTreeMap::new();
    let mut n_all = 0;
    for attempt in labelled.attempts_at(name) {
        let first =
            labelled.rows.range(attempt.rows.clone()).find(|row| row.step.played.is_some_and(|played| played.ply == 0));
        let Some(row) = first else { continue };
        let action = view.play.rows.at(row.step.row as usize).action().unwrap_or_default().to_owned();
        let entry = moves.entry(action).or_insert((0, row.label.as_ref().and_then(|label| label.regret)));
        entry.0 += 1;
        n_all += 1;
    }
    let mut moves: Vec<FirstMove> = moves
        .into_iter()
        .map(|(action, (n, regret))| FirstMove { action, n, share: n as f64 / f64::from(n_all), regret })
        .collect();
    moves.sort_by_key(|first| std::cmp::Reverse(first.n));
    moves.truncate(SHOWN);
    moves
}

/// Returns the positions of a level in which most moves away from the goal were made.
fn traps(view: &View, name: &str) -> Result<Vec<Trap>, Problem> {
    #[derive(Default)]
    struct Visits<'a> {
        n: usize,
        n_errors: usize,
        participants: HashSet<&'a str>,
        value: Option<f64>,
    }
    let labelled = &view.play.labelled;
    let mut visits: HashMap<StateCode, Visits<'_>> = HashMap::new();
    for attempt in labelled.attempts_at(name) {
        for row in labelled.rows.range(attempt.rows.clone()) {
            let Some(label) = row.label.as_ref() else { continue };
            let visit = visits.entry(row.step.before).or_default();
            visit.n += 1;
            visit.value = label.value_before();
            if matches!(label.quality, Quality::Worse | Quality::DeadEnd | Quality::Mistake | Quality::Blunder) {
                visit.n_errors += 1;
                visit.participants.insert(&attempt.participant);
            }
        }
    }
    let rules = &*view.level(name)?.rules;
    let mut traps: Vec<(StateCode, Visits<'_>)> = visits.into_iter().filter(|(_, visit)| visit.n_errors > 0).collect();
    traps.sort_by(|left, right| right.1.n_errors.cmp(&left.1.n_errors).then(left.0.cmp(&right.0)));
    traps.truncate(SHOWN);
    let trap = |(state, visit): (StateCode, Visits<'_>)| Trap {
        position: Position::still(rules, state),
        value: visit.value,
        n_visits: visit.n,
        n_errors: visit.n_errors,
        n_participants: visit.participants.len(),
    };
    Ok(traps.into_iter().map(trap).collect())
}

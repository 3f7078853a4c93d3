//! The measured moves of a study, attempt by attempt, as estimators take them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use polars::prelude::{DataFrame, DataType, PolarsResult};
use rayon::prelude::*;

use super::measures::TrialMeasure;
use crate::game::Unit;
use crate::graph::optimal_ways::{OptimalWays, n_moves_away};
use crate::label::Quality;
use crate::measure::{Measures, Trial};
use crate::valuation::ValuedLevel;

/// A measured move: one until the level was solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveRow {
    /// Number of its row in the table `moves`, from 0.
    pub row: u32,
    /// Number of the move within its attempt, from 0.
    pub ply: u32,
    /// Seconds since what happened before it.
    pub rt_s: Option<f64>,
    /// Number of legal moves.
    pub n_legal: u32,
    /// Number of optimal ones among them.
    pub n_optimal: u32,
    /// Value before it.
    pub value_before: Option<f64>,
    /// Value after it.
    pub value_after: Option<f64>,
    /// What it loses against the best move.
    pub regret: Option<f64>,
    /// What it did to the value.
    pub quality: Quality,
    /// Whether no move was better.
    pub is_optimal: bool,
    /// Whether it leads back to the position before the previous move.
    pub is_undo: bool,
    /// Whether the attempt has been in the position after it.
    pub is_revisit: bool,
    /// Whether it moves the piece that was moved last.
    pub is_same_piece: Option<bool>,
    /// Number of the position before it, among all positions of the study.
    pub before: u32,
    /// Number of the position after it.
    pub after: u32,
}

impl MoveRow {
    /// Whether the move was an error: one that is not optimal.
    pub fn is_error(&self) -> bool {
        !self.is_optimal
    }
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptEnd {
    /// With the level solved, or the game over.
    Finished,
    /// With a reset.
    Reset,
    /// With a logged giving up.
    GaveUp,
    /// With the last row of the log.
    Open,
}

/// One run at a level between resets, with its moves.
#[derive(Clone, Debug, PartialEq)]
pub struct AttemptRow {
    /// Number of the participant in [`Dataset::participants`].
    pub participant: usize,
    /// Number of the level in [`Dataset::levels`].
    pub level: usize,
    /// Sitting.
    pub session: String,
    /// Number of the attempt, as logged.
    pub attempt: i64,
    /// Experimental condition of its first row.
    pub condition: Option<String>,
    /// Its moves in [`Dataset::moves`].
    pub moves: Range<usize>,
    /// How it ended.
    pub end: AttemptEnd,
}

/// One participant at one level: all attempts up to and including the first solution.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialRow {
    /// Number of the participant in [`Dataset::participants`].
    pub participant: usize,
    /// Number of the level in [`Dataset::levels`].
    pub level: usize,
    /// Sitting.
    pub session: String,
    /// Experimental condition.
    pub condition: Option<String>,
    /// Place of the trial among those of its participant, from 0, in the order of the log; absent where the order in
    /// which levels were played is not known.
    pub order: Option<usize>,
    /// Whether the level was solved, or, where values are points, the game played to its end; absent where rows were
    /// left out.
    pub is_solved: Option<bool>,
    /// Number of moves over all attempts; absent where rows were left out.
    pub n_moves: Option<f64>,
    /// Time over all attempts, in seconds.
    pub time_s: Option<f64>,
    /// What was spent beyond the fewest possible, of solved trials.
    pub excess_moves: Option<f64>,
    /// Share of optimal moves.
    pub share_optimal: Option<f64>,
    /// Mean regret of a move.
    pub mean_regret: Option<f64>,
    /// Time of the first move of the first attempt, in seconds.
    pub first_move_latency_s: Option<f64>,
    /// Median time of the moves after a first one, in seconds.
    pub median_inter_move_s: Option<f64>,
}

/// A level with the measures of its map.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelRow {
    /// Its name.
    pub name: String,
    /// Names and values of what its map says, such as `start_distance`; the same names for all levels.
    pub measures: Vec<(&'static str, Option<f64>)>,
}

/// All measured moves of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct Dataset {
    /// Names of the participants, ascending.
    pub participants: Vec<String>,
    /// Names of the levels, ascending.
    pub levels: Vec<String>,
    /// Level and text of each position that was met.
    pub positions: Vec<(usize, String)>,
    /// The attempts, in the order of the table `moves`; those without moves are among them.
    pub attempts: Vec<AttemptRow>,
    /// Their moves, one after the other. Illegal ones are left out.
    pub moves: Vec<MoveRow>,
    /// The trials, by participant, session and level.
    pub trials: Vec<TrialRow>,
    /// The levels of the study that were played, in the order of [`Dataset::levels`].
    pub level_rows: Vec<LevelRow>,
    /// Unit of values.
    pub unit: Unit,
}

impl Dataset {
    /// The measured moves of a table `moves`, the trials of its measures, and the levels that were played.
    ///
    /// # Errors
    ///
    /// If a column of the table is missing or has another type.
    pub fn new(table: &DataFrame, measures: &Measures, levels: &[ValuedLevel]) -> PolarsResult<Self> {
        let mut data = Self::of_moves(table, measures.unit)?;
        let order = order_of_trials(table, &data)?;
        data.trials = measures.trials.iter().filter_map(|trial| data.trial_row(trial, &order)).collect();
        let played: Vec<&ValuedLevel> =
            data.levels.iter().filter_map(|name| levels.iter().find(|level| level.id == *name)).collect();
        data.level_rows = played.par_iter().map(|level| level_row(level)).collect();
        Ok(data)
    }

    fn trial_row(&self, trial: &Trial, order: &HashMap<(usize, String, usize), usize>) -> Option<TrialRow> {
        let participant = self.participants.iter().position(|name| *name == trial.participant)?;
        let level = self.levels.iter().position(|name| *name == trial.level)?;
        let of = |measure: TrialMeasure| measure.of_trial(trial);
        Some(TrialRow {
            participant,
            level,
            session: trial.session.clone(),
            condition: trial.condition.clone(),
            order: order.get(&(participant, trial.session.clone(), level)).copied(),
            is_solved: trial.is_solved(),
            n_moves: of(TrialMeasure::NMoves),
            time_s: of(TrialMeasure::Time),
            excess_moves: of(TrialMeasure::ExcessMoves),
            share_optimal: of(TrialMeasure::ShareOptimal),
            mean_regret: of(TrialMeasure::MeanRegret),
            first_move_latency_s: of(TrialMeasure::FirstMoveLatency),
            median_inter_move_s: of(TrialMeasure::MedianInterMove),
        })
    }

    fn of_moves(table: &DataFrame, unit: Unit) -> PolarsResult<Self> {
        let text = |name: &str| -> PolarsResult<Vec<Option<&str>>> { Ok(table.column(name)?.str()?.iter().collect()) };
        let flag = |name: &str| -> PolarsResult<Vec<Option<bool>>> { Ok(table.column(name)?.bool()?.iter().collect()) };
        let whole = |name: &str| -> PolarsResult<Vec<Option<u32>>> { Ok(table.column(name)?.u32()?.iter().collect()) };
        let number = |name: &str| -> PolarsResult<Vec<Option<f64>>> {
            Ok(table.column(name)?.cast(&DataType::Float64)?.f64()?.iter().collect())
        };
        let (participant, session, level) = (text("participant")?, text("session")?, text("level")?);
        let (event, condition, quality) = (text("event")?, text("condition")?, text("quality")?);
        let (state_before, state_after) = (text("state_before")?, text("state_after")?);
        let attempt: Vec<Option<i64>> = table.column("attempt")?.i64()?.iter().collect();
        let (is_optimal, is_undo, is_revisit) = (flag("is_optimal")?, flag("is_undo")?, flag("is_revisit")?);
        let (is_same_piece, is_after_goal) = (flag("same_piece_as_last")?, flag("is_after_goal")?);
        let is_end = flag("is_end")?;
        let (ply, n_legal, n_optimal) = (whole("ply")?, whole("n_legal")?, whole("n_optimal")?);
        let (rt, before, after, regret) =
            (number("rt_s")?, number("value_before")?, number("value_after")?, number("regret")?);

        let names = |column: &[Option<&str>]| -> Vec<String> {
            let distinct: std::collections::BTreeSet<&str> = column.iter().flatten().copied().collect();
            distinct.into_iter().map(str::to_owned).collect()
        };
        let (participants, levels) = (names(&participant), names(&level));
        let place = |names: &[String], name: Option<&str>| {
            names.binary_search_by(|known| known.as_str().cmp(name.unwrap_or_default())).unwrap_or_default()
        };
        let mut data = Self {
            participants,
            levels,
            positions: Vec::new(),
            attempts: Vec::new(),
            moves: Vec::new(),
            trials: Vec::new(),
            level_rows: Vec::new(),
            unit,
        };
        let mut numbers: HashMap<(usize, &str), u32> = HashMap::new();
        let mut positions: Vec<(usize, String)> = Vec::new();
        let mut start = None;
        // Trials whose level was solved: what was done after that belongs to no trial.
        let mut solved: HashSet<(Option<&str>, Option<&str>, Option<&str>)> = HashSet::new();
        for row in 0..table.height() {
            let key = (participant[row], session[row], level[row], attempt[row]);
            if start != Some(key) {
                if solved.contains(&(key.0, key.1, key.2)) {
                    continue;
                }
                start = Some(key);
                data.attempts.push(AttemptRow {
                    participant: place(&data.participants, participant[row]),
                    level: place(&data.levels, level[row]),
                    session: session[row].unwrap_or_default().to_owned(),
                    attempt: attempt[row].unwrap_or_default(),
                    condition: condition[row].map(str::to_owned),
                    moves: data.moves.len()..data.moves.len(),
                    end: AttemptEnd::Open,
                });
            }
            let Some(current) = data.attempts.last_mut() else { continue };
            let level_number = current.level;
            if matches!(current.end, AttemptEnd::Finished | AttemptEnd::GaveUp) {
                continue;
            }
            let Some(ply) = ply[row] else {
                current.end = match event[row] {
                    Some("reset") => AttemptEnd::Reset,
                    Some("give_up") => AttemptEnd::GaveUp,
                    _ => AttemptEnd::Open,
                };
                continue;
            };
            let known = Quality::ALL.into_iter().find(|known| Some(known.name()) == quality[row]);
            let Some(quality) = known.filter(|&known| known != Quality::Illegal) else { continue };
            if is_after_goal[row] == Some(true) {
                continue;
            }
            let [from, to] = [state_before[row], state_after[row]].map(|text| {
                let text = text.unwrap_or_default();
                *numbers.entry((level_number, text)).or_insert_with(|| {
                    positions.push((level_number, text.to_owned()));
                    (positions.len() - 1) as u32
                })
            });
            data.moves.push(MoveRow {
                row: row as u32,
                ply,
                rt_s: rt[row],
                n_legal: n_legal[row].unwrap_or(0),
                n_optimal: n_optimal[row].unwrap_or(0),
                value_before: before[row],
                value_after: after[row],
                regret: regret[row],
                quality,
                is_optimal: is_optimal[row] == Some(true),
                is_undo: is_undo[row] == Some(true),
                is_revisit: is_revisit[row] == Some(true),
                is_same_piece: is_same_piece[row],
                before: from,
                after: to,
            });
            current.moves.end = data.moves.len();
            // A reset within a numbered attempt does not end it.
            current.end = AttemptEnd::Open;
            if is_end[row] == Some(true) {
                current.end = AttemptEnd::Finished;
                if unit.is_distance() {
                    solved.insert((key.0, key.1, key.2));
                }
            }
        }
        data.positions = positions;
        Ok(data)
    }

    /// The moves of an attempt.
    pub fn moves_of(&self, attempt: &AttemptRow) -> &[MoveRow] {
        &self.moves[attempt.moves.clone()]
    }

    /// The attempts of a participant, by number.
    pub fn attempts_of(&self, participant: usize) -> impl Iterator<Item = &AttemptRow> {
        self.attempts.iter().filter(move |attempt| attempt.participant == participant)
    }
}

/// The place of each trial among those of its participant, by participant, session and level: in the order in which
/// their first rows stand in the files of the log.
fn order_of_trials(table: &DataFrame, data: &Dataset) -> PolarsResult<HashMap<(usize, String, usize), usize>> {
    let text = |name: &str| -> PolarsResult<Vec<Option<&str>>> { Ok(table.column(name)?.str()?.iter().collect()) };
    let (participant, session, level) = (text("participant")?, text("session")?, text("level")?);
    let file = text("source_file")?;
    let row: Vec<Option<u64>> = table.column("source_row")?.u64()?.iter().collect();
    let mut first: BTreeMap<(&str, &str, &str), (&str, u64)> = BTreeMap::new();
    for index in 0..table.height() {
        let (Some(participant), Some(session), Some(level)) = (participant[index], session[index], level[index]) else {
            continue;
        };
        let place = (file[index].unwrap_or_default(), row[index].unwrap_or_default());
        let known = first.entry((participant, session, level)).or_insert(place);
        *known = place.min(*known);
    }
    let mut trials: Vec<_> =
        first.into_iter().map(|((who, session, level), place)| (who, place, session, level)).collect();
    trials.sort_unstable();
    let mut order = HashMap::new();
    let (mut current, mut next) = ("", 0);
    for (who, _, session, level) in trials {
        next = if who == current { next + 1 } else { 0 };
        current = who;
        let place = |names: &[String], name: &str| names.binary_search_by(|known| known.as_str().cmp(name)).ok();
        if let (Some(who), Some(level)) = (place(&data.participants, who), place(&data.levels, level)) {
            order.insert((who, session.to_owned(), level), next);
        }
    }
    Ok(order)
}

/// What the map of a level says of its difficulty.
fn level_row(level: &ValuedLevel) -> LevelRow {
    let mut measures: Vec<(&'static str, Option<f64>)> =
        vec![("start_distance", level.start_distance().map(|distance| f64::from(distance.0)))];
    let whole = level.whole.as_ref();
    let number = |value: u64| Some(value as f64);
    let metrics = whole.map(|whole| &whole.metrics);
    let ways = whole.and_then(|whole| OptimalWays::new(&whole.map, &whole.distances));
    let away = whole.filter(|_| !level.rules.heuristics().is_empty()).and_then(|whole| {
        n_moves_away(&whole.map, &whole.distances, |node| level.rules.estimate(0, whole.map.code(node)))
    });
    measures.extend([
        ("n_states", metrics.and_then(|metrics| number(metrics.n_states))),
        ("max_distance", metrics.and_then(|metrics| metrics.max_distance).map(|distance| f64::from(distance.0))),
        ("n_goals", metrics.and_then(|metrics| number(metrics.n_goals))),
        ("n_shortest", metrics.and_then(|metrics| metrics.n_shortest).map(|n| n as f64)),
        ("n_dead_ends", metrics.and_then(|metrics| number(metrics.n_dead_ends))),
        ("mean_branching", metrics.map(|metrics| metrics.mean_branching)),
        ("share_optimal_on_way", metrics.and_then(|metrics| metrics.share_optimal_on_way)),
        ("n_states_on_ways", ways.as_ref().and_then(|ways| number(ways.n_states))),
        ("n_bottlenecks", ways.as_ref().and_then(|ways| number(ways.n_bottlenecks))),
        ("entropy_bits", ways.as_ref().map(|ways| ways.entropy_bits)),
        ("n_moves_away", away.and_then(number)),
    ]);
    LevelRow { name: level.id.clone(), measures }
}

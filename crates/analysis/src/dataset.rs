//! The measured moves of a study, attempt by attempt, as estimators take them.
//!
//! # Which moves are neighbours
//!
//! A move follows another where it was made from the position after it, and the log has no undo, reset or illegal move
//! between the two. Moves that follow each other are a *stretch* ([`Dataset::stretches`]); in a log without such rows
//! it is a whole attempt. Whatever asks what came before a move asks within a stretch.
//!
//! From a *lost* position, in which no move is optimal because no goal can be reached, a move is no choice between
//! optimal and not: [`Dataset::choices`] are the stretches without such moves.

use std::collections::HashMap;
use std::ops::{Deref, Range};
use std::sync::Arc;

use rayon::prelude::*;

use plymap_log::Event;
use plymap_measures::label::{LabelledLog, LabelledRow, Quality};
pub use plymap_measures::measure::AttemptEnd;
pub use plymap_measures::measure::Trial;
use plymap_measures::measure::{Measures, index, shared};
use plymap_puzzles::game::{StateCode, Unit};
use plymap_puzzles::graph::shortest_solutions::{ShortestSolutions, n_moves_away};
use plymap_puzzles::valuation::{ValuedLevel, WholeMap};
use plymap_tables::interner::Interner;

/// A measured move: one until the level was solved.
///
/// What it did, [`MoveFact`], is held once for all moves that did the same, and read as if it were the move's own.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct MoveRow {
    /// Number of its row in the table `moves`, from 0.
    pub row: u32,
    /// Number of the move within its attempt, from 0.
    pub ply: u32,
    /// Seconds since what happened before it.
    pub rt_s: Option<f64>,
    /// True if it leads back to the position before the previous move.
    pub is_undo: bool,
    /// True if the attempt had already been in the position after it.
    pub is_revisit: bool,
    /// True if it moves the piece that was moved last.
    pub is_same_piece: Option<bool>,
    /// True if it follows the move before it in [`Dataset::moves`], in the same stretch.
    pub is_next: bool,
    /// Evaluation of the move.
    #[serde(serialize_with = "shared::serialize")]
    pub fact: Arc<MoveFact>,
}

/// Evaluation of a move, the same for whoever makes it.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct MoveFact {
    /// Cost in the level's metric, or points gained.
    pub cost: u32,
    /// Number of legal moves.
    pub n_legal: u32,
    /// Number of optimal ones among them.
    pub n_optimal: u32,
    /// Value before it.
    pub value_before: Option<f64>,
    /// Value after it.
    pub value_after: Option<f64>,
    /// Loss against the best move.
    pub regret: Option<f64>,
    /// Effect of the move on the value.
    pub quality: Quality,
    /// True if no move was better.
    pub is_optimal: bool,
    /// Number of the position before it, among all positions of the study.
    pub before: u32,
    /// Number of the position after it.
    pub after: u32,
}

impl MoveRow {
    /// Its time, if it is one between moves: not of a first move, and above 0.
    pub fn inter_move_s(&self) -> Option<f64> {
        self.rt_s.filter(|&time| time > 0.0 && self.ply > 0)
    }
}

impl Deref for MoveRow {
    type Target = MoveFact;

    fn deref(&self) -> &MoveFact {
        &self.fact
    }
}

#[cfg(test)]
impl std::ops::DerefMut for MoveRow {
    fn deref_mut(&mut self) -> &mut MoveFact {
        Arc::make_mut(&mut self.fact)
    }
}

impl MoveFact {
    /// Returns true if the move was an error: one that is not optimal.
    pub fn is_error(&self) -> bool {
        !self.is_optimal
    }

    /// Returns true if it was made from a dead end: none of the legal moves is optimal, as no goal can be reached.
    pub fn is_dead_end(&self) -> bool {
        self.n_optimal == 0
    }

    /// Returns true if it was made from a position in which some moves are optimal and some are not.
    pub fn is_choice(&self) -> bool {
        !self.is_dead_end() && self.n_optimal < self.n_legal
    }
}

/// A row of an attempt that is no legal move.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct OtherRow {
    /// Number of legal moves of the attempt before it.
    pub n_before: usize,
    /// Kind of the row.
    pub kind: OtherKind,
    /// Seconds since what happened before it.
    pub rt_s: Option<f64>,
}

/// Effect on the position of a row that is no legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub enum OtherKind {
    /// It takes a move back, and leads to the position of this number; absent where no move leads to or from there.
    Undo(Option<u32>),
    /// It goes back to the start.
    Reset,
    /// A move that the rules do not allow: nothing.
    Illegal,
    /// A hint, for instance: nothing.
    Still,
}

impl OtherKind {
    /// Returns true if the moves before and after it are not neighbours.
    fn splits(self) -> bool {
        self != Self::Still
    }
}

/// One run at a level between resets, with its moves.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct AttemptRow {
    /// Number of the participant in [`Dataset::participants`].
    pub participant: usize,
    /// Number of the level in [`Dataset::levels`].
    pub level: usize,
    /// Session.
    pub session: String,
    /// Number of the attempt, as logged.
    pub attempt: i64,
    /// Experimental condition of its first row that has one.
    pub condition: Option<String>,
    /// Its moves in [`Dataset::moves`].
    pub moves: Range<usize>,
    /// Its other rows, in their order.
    pub others: Vec<OtherRow>,
    /// Outcome of the attempt.
    pub end: AttemptEnd,
}

/// The measure of a map that counts the states from which no goal can be reached.
const N_DEAD_ENDS: &str = "n_dead_ends";

/// A level with the measures of its map.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct LevelRow {
    /// Its name.
    pub name: String,
    /// Names and values of what its map says, such as `start_distance`; the same names for all levels.
    pub measures: Vec<(&'static str, Option<f64>)>,
}

impl LevelRow {
    /// The measure with this name of the level's map; absent where it is not known.
    pub fn measure(&self, name: &str) -> Option<f64> {
        self.measures.iter().find(|(measure, _)| *measure == name)?.1
    }
}

/// All measured moves of a study.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Dataset {
    /// Names of the participants, ascending.
    pub participants: Vec<String>,
    /// Names of the levels, ascending.
    pub levels: Vec<String>,
    /// Level and text of each position that was met.
    pub positions: Vec<(usize, String)>,
    /// The attempts, in the order of the table `moves`; those without moves are among them.
    pub attempts: Vec<AttemptRow>,
    /// Moves of all attempts, one after the other. Illegal ones are left out.
    pub moves: Vec<MoveRow>,
    /// The trials, by participant, session and level.
    #[serde(serialize_with = "shared::serialize")]
    pub trials: Arc<Vec<Trial>>,
    /// The levels of the study that were played, in the order of [`Dataset::levels`].
    pub level_rows: Vec<LevelRow>,
    /// Unit of values.
    pub unit: Unit,
}

impl Dataset {
    /// The measured moves of a labelled log, the trials of its measures, and the levels that were played. `levels` are
    /// those that the log was replayed on, in the same order.
    pub fn new(log: &LabelledLog, measures: &Measures, levels: &[ValuedLevel]) -> Self {
        let mut data = Self::of_moves(log, measures, levels);
        let by_name: HashMap<&str, &ValuedLevel> = levels.iter().map(|level| (level.id.as_str(), level)).collect();
        let played: Vec<&ValuedLevel> =
            data.levels.iter().filter_map(|name| by_name.get(name.as_str()).copied()).collect();
        data.level_rows = played.par_iter().map(|level| level_row(level)).collect();
        data
    }

    fn of_moves(log: &LabelledLog, measures: &Measures, levels: &[ValuedLevel]) -> Self {
        let mut data = Self {
            participants: measures.participants.clone(),
            levels: measures.levels.clone(),
            positions: Vec::new(),
            attempts: Vec::new(),
            moves: Vec::new(),
            trials: measures.trials.clone(),
            level_rows: Vec::new(),
            unit: measures.unit,
        };
        // Where a level was solved, later attempts at it belong to no trial; games for points go on.
        let solved_in: HashMap<(usize, usize, &str), i64> = measures
            .trials
            .iter()
            .filter(|_| measures.unit.is_distance())
            .filter_map(|trial| {
                let key = (trial.participant, trial.level, trial.session.as_str());
                Some((key, trial.solution?.attempt))
            })
            .collect();
        let mut met = Met { positions: Interner::default(), facts: vec![None; log.rows.n_transitions()] };
        for logged in &log.attempts {
            let (Some(participant), Some(level)) =
                (index(&data.participants, &logged.participant), index(&data.levels, &logged.level))
            else {
                continue;
            };
            let key = (participant, level, logged.session.as_str());
            if solved_in.get(&key).is_some_and(|&solved| logged.attempt > solved) {
                continue;
            }
            let start = data.moves.len();
            let mut attempt = AttemptRow {
                participant,
                level,
                session: logged.session.clone(),
                attempt: logged.attempt,
                condition: logged.condition.clone(),
                moves: start..start,
                others: Vec::new(),
                end: AttemptEnd::default(),
            };
            for number in logged.rows.clone() {
                let row = &log.rows.at(number);
                if attempt.end.measures(row) {
                    attempt.end = attempt.end.after(row);
                    met.add_row((number, log.rows.transition(number)), row, &mut attempt, &mut data.moves);
                }
            }
            attempt.end = attempt.end.or_implied(logged);
            data.attempts.push(attempt);
        }
        let text = |&(level, step_level, code): &(usize, u32, StateCode)| {
            (level, levels[step_level as usize].rules.format_state(code))
        };
        data.positions = met.positions.into_items().par_iter().map(text).collect();
        data.moves.shrink_to_fit();
        data.attempts.shrink_to_fit();
        data
    }

    /// The trials, to change them.
    #[cfg(test)]
    pub(crate) fn trials_mut(&mut self) -> &mut Vec<Trial> {
        Arc::make_mut(&mut self.trials)
    }

    /// The moves of an attempt.
    pub fn moves_of(&self, attempt: &AttemptRow) -> &[MoveRow] {
        &self.moves[attempt.moves.clone()]
    }

    /// The moves of an attempt, split where a move does not follow the one before it.
    pub fn stretches(&self, attempt: &AttemptRow) -> impl Iterator<Item = &[MoveRow]> {
        self.moves_of(attempt).chunk_by(|_, next| next.is_next)
    }

    /// The moves of an attempt from positions in which some move is optimal, split where a move does not follow the
    /// one before it.
    pub fn choices(&self, attempt: &AttemptRow) -> impl Iterator<Item = &[MoveRow]> {
        let parts = self.stretches(attempt).flat_map(|stretch| stretch.split(|row| row.is_dead_end()));
        parts.filter(|moves| !moves.is_empty())
    }

    /// Number of moves of an attempt from lost positions.
    pub fn n_lost(&self, attempt: &AttemptRow) -> u64 {
        self.moves_of(attempt).iter().filter(|row| row.is_dead_end()).count() as u64
    }

    /// The qualities that moves of this study can have, the best first: without dead ends where no map has any, and without
    /// illegal moves where the log has none.
    pub fn qualities(&self) -> Vec<Quality> {
        // A level that is not mapped whole may have dead ends that nobody came to.
        let has_dead_ends =
            self.level_rows.is_empty() || self.level_rows.iter().any(|row| row.measure(N_DEAD_ENDS) != Some(0.0));
        let is_illegal = |other: &OtherRow| other.kind == OtherKind::Illegal;
        let has_illegal = self.attempts.iter().any(|attempt| attempt.others.iter().any(is_illegal));
        let can_be = |quality: &Quality| match quality {
            Quality::DeadEnd => has_dead_ends || self.moves.iter().any(|row| row.quality == Quality::DeadEnd),
            Quality::Illegal => has_illegal,
            _ => true,
        };
        Quality::of_unit(self.unit).iter().copied().filter(can_be).collect()
    }

    /// The attempts of each participant, in their order.
    pub fn attempts_by_participant(&self) -> Vec<Vec<&AttemptRow>> {
        let mut attempts = vec![Vec::new(); self.participants.len()];
        for attempt in &self.attempts {
            attempts[attempt.participant].push(attempt);
        }
        attempts
    }
}

/// Positions and move evaluations met so far.
struct Met {
    /// Level of the dataset and of the replay, and the position.
    positions: Interner<(usize, u32, StateCode)>,
    /// Evaluations of moves, by their number in the labelled rows.
    facts: Vec<Option<Arc<MoveFact>>>,
}

impl Met {
    /// Adds a measured row to its attempt, and to the moves if it is a legal one.
    fn add_row(
        &mut self,
        (number, transition): (usize, u32),
        row: &LabelledRow,
        attempt: &mut AttemptRow,
        moves: &mut Vec<MoveRow>,
    ) {
        let place = |code| (attempt.level, row.step.level, code);
        let Some((played, label)) = row.made().filter(|(played, _)| played.is_legal) else {
            let kind = match (row.made(), row.event) {
                (Some(_), _) => OtherKind::Illegal,
                (None, Event::Undo) => OtherKind::Undo(self.positions.get(&place(row.step.after))),
                (None, Event::Reset) => OtherKind::Reset,
                (None, _) => OtherKind::Still,
            };
            attempt.others.push(OtherRow { n_before: attempt.moves.len(), kind, rt_s: row.rt_s });
            return;
        };
        let fact = self.facts[transition as usize].get_or_insert_with(|| {
            Arc::new(MoveFact {
                cost: played.cost,
                n_legal: label.evaluation.n_legal,
                n_optimal: label.evaluation.n_optimal,
                value_before: label.value_before(),
                value_after: label.value_after(),
                regret: label.regret,
                quality: label.quality,
                is_optimal: label.is_optimal(),
                before: self.positions.number(place(row.step.before)),
                after: self.positions.number(place(row.step.after)),
            })
        });
        let last = moves[attempt.moves.clone()].last();
        let mut since = attempt.others.iter().rev().take_while(|other| other.n_before == attempt.moves.len());
        let is_split = since.any(|other| other.kind.splits());
        let is_next = last.is_some_and(|last| last.after == fact.before && last.ply + 1 == played.ply && !is_split);
        moves.push(MoveRow {
            row: number as u32,
            ply: played.ply,
            rt_s: row.rt_s,
            is_undo: played.is_undo,
            is_revisit: played.is_revisit,
            is_same_piece: played.same_piece_as_last,
            is_next,
            fact: fact.clone(),
        });
        attempt.moves.end = moves.len();
    }
}

/// A level with the metrics of its map, as far as they are known.
struct KnownLevel<'a> {
    level: &'a ValuedLevel,
    whole: Option<&'a WholeMap>,
    n_away: Option<u64>,
}

impl KnownLevel<'_> {
    fn solutions(&self) -> Option<&ShortestSolutions> {
        self.whole?.solutions()
    }
}

type MapMeasure = fn(&KnownLevel) -> Option<f64>;

/// Measures of the map of a level, by name.
const MAP_MEASURES: [(&str, MapMeasure); 12] = [
    ("start_distance", |known| known.level.start_distance().map(|distance| f64::from(distance.0))),
    ("n_states", |known| Some(known.whole?.states.n_states as f64)),
    ("max_distance", |known| Some(f64::from(known.whole?.states.max_distance()?.0))),
    ("n_goals", |known| Some(known.whole?.states.n_goals as f64)),
    ("n_shortest", |known| Some(known.solutions()?.n_solutions? as f64)),
    (N_DEAD_ENDS, |known| Some(known.whole?.states.n_dead_ends as f64)),
    ("mean_branching", |known| Some(known.whole?.moves().mean_branching)),
    ("share_optimal_on_solution", |known| known.solutions()?.share_optimal),
    ("n_states_on_solutions", |known| Some(known.solutions()?.n_states as f64)),
    ("n_bottlenecks", |known| Some(known.solutions()?.n_bottlenecks as f64)),
    ("entropy_bits", |known| Some(known.solutions()?.entropy_bits)),
    ("n_moves_away", |known| known.n_away.map(|n| n as f64)),
];

/// Names of the measures of maps that [`LevelRow::measures`] has.
pub fn map_measures() -> impl Iterator<Item = &'static str> {
    MAP_MEASURES.iter().map(|(name, _)| *name)
}

/// Returns a level with the measures of its map.
fn level_row(level: &ValuedLevel) -> LevelRow {
    let whole = level.whole.as_ref();
    let known = KnownLevel {
        level,
        whole: whole.map(|whole| &**whole),
        n_away: whole.filter(|_| !level.rules.heuristics().is_empty()).and_then(|whole| {
            n_moves_away(&whole.map, &whole.distances, |node| level.rules.estimate(0, whole.map.code(node)))
        }),
    };
    let measures = MAP_MEASURES.iter().map(|(name, measure)| (*name, measure(&known))).collect();
    LevelRow { name: level.id.clone(), measures }
}

#[cfg(test)]
pub(super) mod tests;

//! Play of participants at each level, with the measures of its map.

#![expect(missing_docs, reason = "what a column means is said once, as its meaning")]

use std::collections::BTreeSet;

use super::columns::{self, CONFIDENCE, LEVEL, LOWER, MEDIAN_TIME, SHARE_SOLVED, UPPER};
use super::dataset::{Dataset, Trial};
use super::level_rasch::LevelRasch;
use super::measures::{TrialMeasure, is_solved, mean};
use plymap_measures::measure;
use plymap_statistics::record::{Column, N_PARTICIPANTS, REASON, Record, SENTENCE, count, number};
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::describe::quantile;
use plymap_statistics::stats::interval::proportion;

const N_TRIALS: Column = measure::N_TRIALS.column;
const N_SOLVED: Column = measure::N_SOLVED.column;
const N_UNKNOWN: Column =
    count("n_unknown", "number of trials of which it is not known whether they were solved; not in share_solved");
const N_MEASURED: Column =
    count("n_measured", "number of solved trials with a number of moves: those without rows left out");
pub(super) const MEDIAN_MOVES: Column = number("median_moves", "median number of moves of solved trials");
const N_TIMED: Column = count("n_timed", "number of solved trials with a time");
const N_EXCESS: Column = count("n_excess", "number of solved trials with excess moves");
const MEAN_EXCESS: Column = measure::MEAN_EXCESS_MOVES.column.means("mean of the excess moves of solved trials");
const N_MOVES: Column = measure::N_MOVES.column.means("number of legal moves of all trials, solved or not");
const SHARE_OPTIMAL: Column =
    columns::SHARE_OPTIMAL.means("share of optimal moves among them; moves of one participant are not independent");
const RASCH_DIFFICULTY: Column = number(
    "rasch_difficulty",
    "difficulty by the Rasch model, as in the table level_rasch: unlike share_solved, it does not depend on who tried the level",
)
.unit("logits");

pub const START_DISTANCE: Column =
    number("start_distance", "of the level's map: fewest moves, or cells, from the start to a goal");

pub const N_STATES: Column =
    number("n_states", "of the level's map: number of states that can be reached from the start");
pub const N_SHORTEST: Column = number("n_shortest", "of the level's map: number of shortest solutions");
pub const N_MOVES_AWAY: Column = number(
    "n_moves_away",
    "of the level's map: fewest moves of a shortest solution that lead away from the goal by the first estimate of the distance that the rules offer; empty without one",
);

/// Measures of the map of a level: all that the rows of levels can hold.
const MAP: [Column; 12] = [
    START_DISTANCE,
    N_STATES,
    number("max_distance", "of the level's map: largest distance of any state that can reach a goal"),
    number("n_goals", "of the level's map: number of states in which the level is solved"),
    N_SHORTEST,
    number("n_dead_ends", "of the level's map: number of states from which no goal can be reached"),
    number("mean_branching", "of the level's map: mean number of legal moves over all expanded states"),
    number(
        "share_optimal_on_solution",
        "of the level's map: n_optimal / n_legal, averaged over the plies of a random shortest solution",
    ),
    number(
        "n_states_on_solutions",
        "of the level's map: number of states that lie on a shortest solution, start and goals included",
    ),
    number(
        "n_bottlenecks",
        "of the level's map: number of moves after which every shortest solution is in the same state; start and goals do not count",
    ),
    number(
        "entropy_bits",
        "of the level's map: entropy in bits of the shortest solution that is drawn by choosing uniformly at random among the optimal moves of each state (an optimal random walk); 0 if there is only one",
    ),
    N_MOVES_AWAY,
];

/// The measures of what people did that are correlated with those of maps. Excess moves and the Rasch model need
/// distances.
pub(super) fn human_columns(data: &Dataset) -> Vec<Column> {
    let all = [SHARE_SOLVED, MEDIAN_MOVES, MEDIAN_TIME, MEAN_EXCESS, SHARE_OPTIMAL, RASCH_DIFFICULTY];
    let needs_distance = |column: &Column| [MEAN_EXCESS.name, RASCH_DIFFICULTY.name].contains(&column.name);
    all.into_iter().filter(|column| data.unit.is_distance() || !needs_distance(column)).collect()
}

/// The measures of the maps of these levels.
pub(super) fn map_columns(data: &Dataset) -> Vec<Column> {
    let has = |name: &str| data.level_rows.first().is_some_and(|row| row.measures.iter().any(|(key, _)| *key == name));
    MAP.into_iter().filter(|column| has(column.name)).collect()
}

/// The columns of the rows of [`level_plays`].
pub(super) fn columns(data: &Dataset) -> Vec<Column> {
    let mut columns = vec![
        LEVEL,
        N_TRIALS,
        N_PARTICIPANTS,
        N_SOLVED,
        N_UNKNOWN,
        SHARE_SOLVED,
        LOWER.means(
            "lower end of the interval of share_solved (Wilson, 1927); trials of one participant are not independent",
        ),
        UPPER.means("upper end of the interval of share_solved"),
        CONFIDENCE,
        N_MEASURED,
        MEDIAN_MOVES,
        N_TIMED,
        MEDIAN_TIME,
    ];
    let is_distance = data.unit.is_distance();
    if is_distance {
        columns.extend([N_EXCESS, MEAN_EXCESS.unit(data.unit.name())]);
    }
    columns.extend([N_MOVES, SHARE_OPTIMAL]);
    columns.extend(is_distance.then_some(RASCH_DIFFICULTY));
    columns.extend(map_columns(data));
    columns.push(SENTENCE.means("APA-formatted share of solved trials"));
    columns.push(REASON.means("why the first of the missing human measures is missing"));
    columns
}

/// Returns a row for each level, in the order of the data: the play of participants and the measures of the map.
pub(super) fn level_plays(data: &Dataset, rasch: Option<&LevelRasch>, confidence: Confidence) -> Vec<Record> {
    let mut trials: Vec<Vec<&Trial>> = vec![Vec::new(); data.levels.len()];
    for trial in &*data.trials {
        if let Some(at_level) = trials.get_mut(trial.level) {
            at_level.push(trial);
        }
    }
    let mut n_moves = vec![(0_usize, 0_usize); data.levels.len()];
    for attempt in &data.attempts {
        if let Some((n, n_optimal)) = n_moves.get_mut(attempt.level) {
            let moves = data.moves_of(attempt);
            *n += moves.len();
            *n_optimal += moves.iter().filter(|row| row.is_optimal).count();
        }
    }
    let maps = map_columns(data);
    let play = |(number, name): (usize, &String)| {
        let row = data.level_rows.iter().find(|row| row.name == *name);
        let of_map = |column: &Column| row?.measure(column.name).filter(|value| value.is_finite());
        let record = level_play(&trials[number], n_moves[number], confidence, data.unit.is_distance())
            .set(LEVEL, name.as_str())
            .set(RASCH_DIFFICULTY, rasch.and_then(|model| model.difficulty(name)));
        maps.iter().fold(record, |record, column| record.set(*column, of_map(column)))
    };
    data.levels.iter().enumerate().map(play).collect()
}

fn level_play(
    trials: &[&Trial],
    (n_moves, n_optimal): (usize, usize),
    confidence: Confidence,
    is_distance: bool,
) -> Record {
    let solved: Vec<&Trial> = trials.iter().copied().filter(|trial| is_solved(trial)).collect();
    let n_unknown = trials.iter().filter(|trial| trial.is_solved.is_none()).count();
    let share = proportion(solved.len() as u64, (trials.len() - n_unknown) as u64, confidence);
    let values = |measure: TrialMeasure| solved.iter().filter_map(|trial| measure.of(trial)).collect::<Vec<f64>>();
    let (moves, times) = (values(TrialMeasure::NMoves), values(TrialMeasure::Time));
    let excess = if is_distance { values(TrialMeasure::ExcessMoves) } else { Vec::new() };
    let participants: BTreeSet<usize> = trials.iter().map(|trial| trial.participant).collect();
    let reason = [
        (trials.len() == n_unknown, "of no trial is it known whether the level was solved"),
        (moves.is_empty(), "no solved trial has a number of moves"),
        (times.is_empty(), "no solved trial has a time"),
        (is_distance && excess.is_empty(), "no solved trial has excess moves"),
        (n_moves == 0, "there are no moves"),
    ];
    Record::new()
        .set(N_TRIALS, trials.len())
        .set(N_PARTICIPANTS, participants.len())
        .set(N_SOLVED, solved.len())
        .set(N_UNKNOWN, n_unknown)
        .set(SHARE_SOLVED, share.estimate)
        .set(LOWER, share.lower)
        .set(UPPER, share.upper)
        .set(CONFIDENCE, confidence.level())
        .set(N_MEASURED, moves.len())
        .set(MEDIAN_MOVES, quantile(&moves, 0.5).ok())
        .set(N_TIMED, times.len())
        .set(MEDIAN_TIME, quantile(&times, 0.5).ok())
        .set(N_EXCESS, excess.len())
        .set(MEAN_EXCESS, mean(&excess))
        .set(N_MOVES, n_moves)
        .set(SHARE_OPTIMAL, (n_moves > 0).then(|| n_optimal as f64 / n_moves as f64))
        .set(SENTENCE, share.sentence())
        .set(REASON, reason.into_iter().find(|(is_missing, _)| *is_missing).map(|(_, why)| why))
}

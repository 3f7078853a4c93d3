//! What people did at each level, and the measures of its map.

use std::collections::BTreeSet;

use super::dataset::{Dataset, TrialRow};
use super::measures::{TrialMeasure, is_solved, mean};
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::describe::quantile;
use plymap_statistics::stats::interval::{Proportion, proportion};

/// A measure of what people did at a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Human {
    /// Share of solved trials.
    ShareSolved,
    /// Median number of moves of solved trials.
    MedianMoves,
    /// Median time of solved trials, in seconds.
    MedianTime,
    /// Mean of the excess moves of solved trials; only where values are distances.
    MeanExcess,
    /// Share of optimal moves among all.
    ShareOptimal,
    /// Difficulty by the Rasch model, in logits; only where values are distances.
    RaschDifficulty,
}

/// What people did at one level, and its map.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LevelPlay {
    /// Name of the level.
    pub name: String,
    /// Number of trials.
    pub n_trials: usize,
    /// Number of their participants.
    pub n_participants: usize,
    /// Number of trials of which it is not known whether they were solved.
    pub n_unknown: usize,
    /// Solved trials, of those of which it is known.
    pub solved: Proportion,
    /// Number of solved trials with a number of moves.
    pub n_measured: usize,
    /// Their median.
    pub median_moves: Option<f64>,
    /// Number of solved trials with a time.
    pub n_timed: usize,
    /// Their median, in seconds.
    pub median_time_s: Option<f64>,
    /// Number of solved trials with excess moves.
    pub n_excess: usize,
    /// Their mean.
    pub mean_excess: Option<f64>,
    /// Number of legal moves of all trials.
    pub n_moves: usize,
    /// Share of optimal ones among them.
    pub share_optimal: Option<f64>,
    /// Its difficulty by the Rasch model, in logits.
    pub rasch: Option<f64>,
    /// The measures of its map, in the order of [`map_columns`].
    pub map: Vec<Option<f64>>,
    /// Why the first of the missing human measures is missing.
    pub reason: Option<String>,
}

impl Human {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 6] = [
        Self::ShareSolved,
        Self::MedianMoves,
        Self::MedianTime,
        Self::MeanExcess,
        Self::ShareOptimal,
        Self::RaschDifficulty,
    ];

    /// Whether levels can have it where values are distances, or are points.
    pub fn is_for(self, is_distance: bool) -> bool {
        is_distance || !matches!(self, Self::MeanExcess | Self::RaschDifficulty)
    }

    /// Its name in tables.
    pub fn column(self) -> &'static str {
        match self {
            Self::ShareSolved => "share_solved",
            Self::MedianMoves => "median_moves",
            Self::MedianTime => "median_time_s",
            Self::MeanExcess => "mean_excess_moves",
            Self::ShareOptimal => "share_optimal",
            Self::RaschDifficulty => "rasch_difficulty",
        }
    }

    /// Its value at a level.
    pub fn of(self, level: &LevelPlay) -> Option<f64> {
        match self {
            Self::ShareSolved => level.solved.estimate,
            Self::MedianMoves => level.median_moves,
            Self::MedianTime => level.median_time_s,
            Self::MeanExcess => level.mean_excess,
            Self::ShareOptimal => level.share_optimal,
            Self::RaschDifficulty => level.rasch,
        }
    }
}

/// Names of the map measures of the first level, and their columns: one that has the name of a column of human
/// measures gets `map_` before it, because a table must not have two columns of one name.
pub(super) fn map_columns(data: &Dataset) -> Vec<(&'static str, String)> {
    let own = [
        "level",
        "n_trials",
        "n_participants",
        "n_solved",
        "n_unknown",
        "share_solved",
        "lower",
        "upper",
        "confidence",
        "n_measured",
        "median_moves",
        "n_timed",
        "median_time_s",
        "n_excess",
        "mean_excess_moves",
        "n_moves",
        "share_optimal",
        "rasch_difficulty",
        "sentence",
        "reason",
    ];
    let mut taken: BTreeSet<String> = own.iter().map(|&name| name.to_owned()).collect();
    let mut columns = Vec::new();
    for &(measure, _) in data.level_rows.first().map_or(&[][..], |row| row.measures.as_slice()) {
        if columns.iter().any(|(known, _)| *known == measure) {
            continue;
        }
        let mut column = measure.to_owned();
        while !taken.insert(column.clone()) {
            column.insert_str(0, "map_");
        }
        columns.push((measure, column));
    }
    columns
}

/// The meaning of a map measure, as the table `levels` has it.
pub(super) fn map_meaning(measure: &str) -> &'static str {
    match measure {
        "start_distance" => "fewest moves, or cells, from the start to a goal",
        "n_states" => "number of states that can be reached from the start",
        "n_arcs" => "number of legal moves, summed over all states",
        "n_edges" => "number of unordered pairs of states that a move joins",
        "n_goals" => "number of states in which the level is solved",
        "max_distance" => "largest distance of any state that can reach a goal",
        "n_shortest" => "number of shortest solutions",
        "n_dead_ends" => "number of states from which no goal can be reached",
        "mean_branching" => "mean number of legal moves over all expanded states",
        "max_branching" => "largest number of legal moves of a state",
        "n_states_on_solutions" => "number of states that lie on a shortest solution, start and goals included",
        "n_bottlenecks" => {
            "number of moves after which every shortest solution is in the same state; start and goals do not count"
        }
        "entropy_bits" => {
            "entropy in bits of the shortest solution that is drawn by choosing uniformly at random among the optimal moves of each state (an optimal random walk); 0 if there is only one"
        }
        "n_moves_away" => {
            "fewest moves of a shortest solution that lead away from the goal by the first estimate of the distance that the rules offer; empty without one"
        }
        "share_optimal_on_solution" => "n_optimal / n_legal, averaged over the plies of a random shortest solution",
        "n_components" => "number of strongly connected components",
        "n_articulation_points" => "number of states whose removal disconnects the graph",
        "n_bridges" => "number of edges whose removal disconnects the graph",
        "start_points" => "expected points from the start",
        _ => "the measure of this name",
    }
}

/// What people did at each level, in the order of the levels of the data.
pub(super) fn level_plays(data: &Dataset, maps: &[(&'static str, String)], confidence: Confidence) -> Vec<LevelPlay> {
    let mut trials: Vec<Vec<&TrialRow>> = vec![Vec::new(); data.levels.len()];
    for trial in &data.trials {
        if let Some(own) = trials.get_mut(trial.level) {
            own.push(trial);
        }
    }
    let mut n_moves = vec![(0_usize, 0_usize); data.levels.len()];
    for attempt in &data.attempts {
        if let Some((n, n_optimal)) = n_moves.get_mut(attempt.level) {
            let moves = data.moves_of(attempt);
            *n += moves.len();
            *n_optimal += moves.iter().filter(|made| made.is_optimal).count();
        }
    }
    let play = |(number, name): (usize, &String)| {
        let row = data.level_rows.iter().find(|row| row.name == *name);
        let of_map = |measure: &'static str| {
            let (_, value) = row?.measures.iter().find(|(own, _)| *own == measure)?;
            value.filter(|value| value.is_finite())
        };
        let map = maps.iter().map(|&(measure, _)| of_map(measure)).collect();
        level_play(name, &trials[number], n_moves[number], map, confidence, data.unit.is_distance())
    };
    data.levels.iter().enumerate().map(play).collect()
}

fn level_play(
    name: &str,
    trials: &[&TrialRow],
    (n_moves, n_optimal): (usize, usize),
    map: Vec<Option<f64>>,
    confidence: Confidence,
    is_distance: bool,
) -> LevelPlay {
    let solved: Vec<&TrialRow> = trials.iter().copied().filter(|trial| is_solved(trial)).collect();
    let n_unknown = trials.iter().filter(|trial| trial.is_solved.is_none()).count();
    let values = |measure: TrialMeasure| solved.iter().filter_map(|trial| measure.of(trial)).collect::<Vec<f64>>();
    let (moves, times) = (values(TrialMeasure::NMoves), values(TrialMeasure::Time));
    let excess = if is_distance { values(TrialMeasure::ExcessMoves) } else { Vec::new() };
    let participants: BTreeSet<usize> = trials.iter().map(|trial| trial.participant).collect();
    let median = |values: &[f64]| quantile(values, 0.5).ok();
    let reason = [
        (trials.len() == n_unknown, "of no trial is it known whether the level was solved"),
        (moves.is_empty(), "no solved trial has a number of moves"),
        (times.is_empty(), "no solved trial has a time"),
        (is_distance && excess.is_empty(), "no solved trial has excess moves"),
        (n_moves == 0, "there are no moves"),
    ];
    LevelPlay {
        name: name.to_owned(),
        n_trials: trials.len(),
        n_participants: participants.len(),
        n_unknown,
        solved: proportion(solved.len() as u64, (trials.len() - n_unknown) as u64, confidence),
        n_measured: moves.len(),
        median_moves: median(&moves),
        n_timed: times.len(),
        median_time_s: median(&times),
        n_excess: excess.len(),
        mean_excess: mean(&excess),
        n_moves,
        share_optimal: (n_moves > 0).then(|| n_optimal as f64 / n_moves as f64),
        rasch: None,
        map,
        reason: reason.iter().find(|(is_missing, _)| *is_missing).map(|(_, why)| (*why).to_owned()),
    }
}

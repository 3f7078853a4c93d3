//! One participant at one level.

use super::attempt::Attempt;
use super::shared;
use super::tally::Tally;
use plymap_puzzles::game::Unit;
use std::sync::Arc;

/// Measures of the attempt that ended a trial.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Solution {
    /// Number of the attempt, as logged.
    pub attempt: i64,
    /// Number of its moves.
    pub n_moves: u64,
    /// Its time, in seconds.
    pub time_s: Option<f64>,
    /// See [`Attempt::excess_moves`].
    pub excess_moves: Option<f64>,
}

impl Solution {
    pub(super) fn new(attempt: &Attempt) -> Self {
        let (n_moves, time_s) = (attempt.tally.n_moves, attempt.tally.time_s());
        Self { attempt: attempt.attempt, n_moves, time_s, excess_moves: attempt.excess_moves() }
    }
}

/// One participant at one level: all attempts up to and including the first solution.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Trial {
    /// Number of the participant in [`Measures::participants`](super::Measures::participants).
    pub participant: usize,
    /// Number of the level in [`Measures::levels`](super::Measures::levels).
    pub level: usize,
    /// Session.
    pub session: String,
    /// Experimental condition of the first attempt that has one.
    pub condition: Option<String>,
    /// Place of the trial among those of its participant, from 0, in the order of the log; absent where no row of the trial
    /// is left, and of attempts that are of no log.
    pub order: Option<usize>,
    /// `true` if the level was solved, or, where values are points, a game played to its end; absent if it was not, but
    /// rows of the trial were left out.
    pub is_solved: Option<bool>,
    /// Number of moves over all attempts; absent where rows were left out.
    pub n_moves: Option<f64>,
    /// Time over all attempts, in seconds; absent where rows were left out.
    pub time_s: Option<f64>,
    /// Excess over the fewest possible, over all attempts, in the level's metric; absent if the level was not
    /// solved, if rows were left out, or if an attempt did not begin at the level's start.
    pub excess_moves: Option<f64>,
    /// Share of optimal moves; absent where rows were left out.
    pub share_optimal: Option<f64>,
    /// Mean regret over the moves that have one: neither illegal, nor into a dead end or from there; absent where rows
    /// were left out.
    pub mean_regret: Option<f64>,
    /// Time of the first move of the first attempt, in seconds; absent where it has none.
    pub first_move_latency_s: Option<f64>,
    /// Median time of the moves after a first one, in seconds; absent where rows were left out.
    pub median_inter_move_s: Option<f64>,
    /// Attempts up to and including the first solution.
    pub n_attempts: u64,
    /// Attempts after the first solution; not measured.
    pub n_attempts_after: u64,
    /// Distance to the goal at the start of the level, where values are distances.
    pub start_distance: Option<u32>,
    /// The first attempt that solved the level, or, where values are points, was played to the end.
    pub solution: Option<Solution>,
    /// Attempts that reached a goal; more than one only where values are points and each attempt is a game.
    pub n_goals: u64,
    /// The most points that an attempt gained, where values are points.
    pub best_score: u64,
    /// Tally of all attempts up to and including the first solution, as far as it is known. That of a single
    /// attempt is its own.
    #[serde(serialize_with = "shared::serialize")]
    pub tally: Arc<Tally>,
}

impl Trial {
    /// The trial of these attempts of one participant at one level.
    pub(super) fn new(
        (participant, level): (usize, usize),
        attempts: &[Attempt],
        start_distance: Option<u32>,
        unit: Unit,
    ) -> Self {
        let first = attempts.first();
        let mut trial = Self {
            participant,
            level,
            session: first.map_or_else(String::new, |attempt| attempt.session.clone()),
            condition: attempts.iter().find_map(|attempt| attempt.condition.clone()),
            start_distance,
            first_move_latency_s: first.and_then(first_latency),
            ..Self::default()
        };
        let mut starts_regularly = true;
        for attempt in attempts {
            // A level is solved once; games for points go on.
            if trial.solution.is_some() && unit.is_distance() {
                trial.n_attempts_after += 1;
                continue;
            }
            trial.n_attempts += 1;
            trial.n_goals += u64::from(attempt.reaches_goal);
            trial.best_score = trial.best_score.max(attempt.tally.cost_sum);
            starts_regularly &= attempt.tally.n_moves == 0 || attempt.start_value == start_distance.map(f64::from);
            match trial.n_attempts {
                1 => trial.tally = attempt.tally.clone(),
                _ => Arc::make_mut(&mut trial.tally).add(&attempt.tally),
            }
            if trial.solution.is_none() {
                trial.solution = attempt.is_solved().then(|| Solution::new(attempt));
            }
        }
        trial.measure(starts_regularly);
        trial
    }

    /// Takes the measures of the whole trial: none where rows were left out.
    fn measure(&mut self, starts_regularly: bool) {
        let tally = &self.tally;
        let is_whole = tally.n_left_out == 0;
        self.is_solved = if self.solution.is_some() { Some(true) } else { is_whole.then_some(false) };
        if !is_whole {
            return;
        }
        self.n_moves = Some(tally.n_moves as f64);
        self.time_s = tally.time_s();
        self.share_optimal = tally.share_optimal();
        self.mean_regret = tally.mean_regret();
        self.median_inter_move_s = tally.median_inter_move_s();
        if let Some(distance) = self.start_distance.filter(|_| self.solution.is_some() && starts_regularly) {
            self.excess_moves = Some((tally.cost_sum as i64 - i64::from(distance)) as f64);
        }
    }

    /// `true` if the level was solved in the fewest moves; unknown where the excess of a solved trial is.
    pub fn is_perfect(&self) -> Option<bool> {
        match self.solution {
            Some(_) => self.excess_moves.map(|excess| excess == 0.0),
            None => self.is_solved,
        }
    }
}

/// Time of the first move of an attempt, since the level appeared.
pub(crate) fn first_latency(attempt: &Attempt) -> Option<f64> {
    attempt.tally.first_latencies_s.first().filter(|_| attempt.tally.n_starts_untimed == 0)
}

//! The measures of a run of moves.

use super::multiset::Multiset;
use crate::label::Quality;
use plymap_log::Event;
use std::collections::BTreeMap;

/// The measures of a run of moves; those of a longer run are the sum of its parts.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Tally {
    /// Number of moves.
    pub n_moves: u64,
    /// Sum of the costs of the moves in the level's metric: n_moves where each move counts 1; where values
    /// are points, the points that were gained.
    pub cost_sum: u64,
    /// Number of moves of each quality, in the order of [`Quality::ALL`].
    pub n_by_quality: [u64; Quality::ALL.len()],
    /// Number of optimal moves.
    pub n_optimal: u64,
    /// Number of moves with a chance level: all that were made where a move was possible.
    pub n_choices: u64,
    /// Sum of n_optimal / n_legal over those moves.
    pub chance_sum: f64,
    /// Sum of regret over the moves that have one, and their number.
    pub regret_sum: f64,
    /// Number of moves that have a regret.
    pub n_regrets: u64,
    /// Number of moves that lead back to the position before the previous one.
    pub n_undos: u64,
    /// Number of moves to a position that the attempt had been in.
    pub n_revisits: u64,
    /// Number of moves after the level was solved; all rows behind the solution are counted nowhere else.
    pub n_after_goal: u64,
    /// Number of moves after a give-up or a limit, in the same attempt; all rows behind it are counted nowhere else.
    pub n_after_give_up: u64,
    /// Number of rows of each other event.
    pub n_events: BTreeMap<Event, u64>,
    /// Sum of the times of all rows, in whole nanoseconds: sums of seconds would depend on their order,
    /// and equal times would no longer tie. Logs that give the time of day as the time of a move (1.8e18 ns) are
    /// summed like any other; what no sum can hold stays at the largest.
    pub time_ns: i128,
    /// Rows that have a time: moves, and what else takes time, such as waiting until a limit.
    pub n_times: u64,
    /// Rows whose time is missing, the first rows of attempts left out.
    pub n_times_missing: u64,
    /// Attempts whose first row has no time: their clock starts with that row.
    pub n_starts_untimed: u64,
    /// Times of first moves.
    pub first_latencies_s: Multiset,
    /// Times of all later moves, by the quality of the move, in the order of [`Quality::ALL`].
    pub inter_move_s: [Multiset; Quality::ALL.len()],
    /// Rows that were rejected or excluded, those behind the end of an attempt left out.
    pub n_left_out: u64,
}

impl Tally {
    /// Adds another run of moves to this one.
    pub fn add(&mut self, other: &Self) {
        self.n_moves += other.n_moves;
        self.cost_sum += other.cost_sum;
        for (sum, count) in self.n_by_quality.iter_mut().zip(other.n_by_quality) {
            *sum += count;
        }
        self.n_optimal += other.n_optimal;
        self.n_choices += other.n_choices;
        self.chance_sum += other.chance_sum;
        self.regret_sum += other.regret_sum;
        self.n_regrets += other.n_regrets;
        self.n_undos += other.n_undos;
        self.n_revisits += other.n_revisits;
        self.n_after_goal += other.n_after_goal;
        self.n_after_give_up += other.n_after_give_up;
        for (&event, count) in &other.n_events {
            *self.n_events.entry(event).or_default() += count;
        }
        self.time_ns = self.time_ns.saturating_add(other.time_ns);
        self.n_times += other.n_times;
        self.n_times_missing += other.n_times_missing;
        self.n_starts_untimed += other.n_starts_untimed;
        self.first_latencies_s.add(&other.first_latencies_s);
        for (times, others) in self.inter_move_s.iter_mut().zip(&other.inter_move_s) {
            times.add(others);
        }
        self.n_left_out += other.n_left_out;
    }

    /// Gives back what was taken ahead for more times.
    pub(super) fn shrink(&mut self) {
        self.first_latencies_s.shrink();
        self.inter_move_s.iter_mut().for_each(Multiset::shrink);
    }

    /// Share of optimal moves; absent without moves.
    pub fn share_optimal(&self) -> Option<f64> {
        share(self.n_optimal, self.n_moves)
    }

    /// Mean of n_optimal / n_legal over the moves: the share of optimal moves that uniformly random choice would reach
    /// in the same positions.
    pub fn share_optimal_by_chance(&self) -> Option<f64> {
        (self.n_choices > 0).then(|| self.chance_sum / self.n_choices as f64)
    }

    /// Number of moves that have no regret: illegal ones, and those into dead ends or from there.
    pub fn n_without_regret(&self) -> u64 {
        self.n_moves - self.n_regrets
    }

    /// Mean regret over the moves that have one.
    pub fn mean_regret(&self) -> Option<f64> {
        (self.n_regrets > 0).then(|| self.regret_sum / self.n_regrets as f64)
    }

    /// Time of the run; absent if the time of any row but first ones is missing, or there is no time.
    pub fn time_s(&self) -> Option<f64> {
        (self.n_times_missing == 0 && self.n_times > 0).then_some(self.time_ns as f64 / 1e9)
    }

    /// Median time of the moves after a first one.
    pub fn median_inter_move_s(&self) -> Option<f64> {
        let mut all = Multiset::default();
        self.inter_move_s.iter().for_each(|times| all.add(times));
        all.median()
    }

    /// Median time of first moves.
    pub fn median_first_latency_s(&self) -> Option<f64> {
        self.first_latencies_s.median()
    }

    /// Number of rows of an event.
    pub fn n_of(&self, event: Event) -> u64 {
        self.n_events.get(&event).copied().unwrap_or(0)
    }
}

pub(crate) fn share(count: u64, total: u64) -> Option<f64> {
    (total > 0).then(|| count as f64 / total as f64)
}

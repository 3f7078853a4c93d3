//! Trials taken together: of a participant, a level or a condition.

use super::multiset::Multiset;
use super::tally::{Tally, share};
use super::trial::Trial;

/// Trials taken together.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Summary {
    /// Number of trials.
    pub n_trials: u64,
    /// Trials that were solved, or, where values are points, played to their end.
    pub n_solved: u64,
    /// Trials that were not, but lack rows that were left out.
    pub n_incomplete_trials: u64,
    /// Attempts up to and including first solutions.
    pub n_attempts: u64,
    /// Attempts that reached a goal.
    pub n_goals: u64,
    /// Trials that were solved in the fewest moves.
    pub n_perfect: u64,
    /// Trials that were not; those of which it is unknown are neither.
    pub n_imperfect: u64,
    /// Solving attempts of which the excess moves are known.
    pub n_solving_attempts: u64,
    /// Those that took the fewest moves.
    pub n_perfect_attempts: u64,
    /// Number of moves of each solved trial without rows left out.
    pub moves_of_solved: Multiset,
    /// Excess moves of each solved trial that has them.
    pub excess_of_solved: Multiset,
    /// Time of each solved trial without rows left out, in seconds.
    pub times_of_solved: Multiset,
    /// All moves.
    pub tally: Tally,
}

impl Summary {
    /// These trials taken together.
    pub fn new<'a>(trials: impl IntoIterator<Item = &'a Trial>) -> Self {
        let mut summary = Self::default();
        trials.into_iter().for_each(|trial| summary.push(trial));
        summary
    }

    /// Takes one more trial.
    pub fn push(&mut self, trial: &Trial) {
        self.n_trials += 1;
        match trial.is_solved {
            Some(true) => {
                self.n_solved += 1;
                trial.n_moves.into_iter().for_each(|n| self.moves_of_solved.push(n));
                trial.excess_moves.into_iter().for_each(|n| self.excess_of_solved.push(n));
                trial.time_s.into_iter().for_each(|time| self.times_of_solved.push(time));
            }
            Some(false) => {}
            None => self.n_incomplete_trials += 1,
        }
        match trial.is_perfect() {
            Some(true) => self.n_perfect += 1,
            Some(false) => self.n_imperfect += 1,
            None => {}
        }
        if let Some(excess) = trial.solution.and_then(|solution| solution.excess_moves) {
            self.n_solving_attempts += 1;
            self.n_perfect_attempts += u64::from(excess == 0.0);
        }
        self.n_attempts += trial.n_attempts;
        self.n_goals += trial.n_goals;
        self.tally.add(&trial.tally);
    }

    /// Share of solved trials among those of which it is known.
    pub fn share_solved(&self) -> Option<f64> {
        share(self.n_solved, self.n_trials - self.n_incomplete_trials)
    }

    /// Mean of the excess moves of solved trials.
    pub fn mean_excess_moves(&self) -> Option<f64> {
        let n = self.excess_of_solved.len() as f64;
        (n > 0.0).then(|| self.excess_of_solved.sum() / n)
    }
}

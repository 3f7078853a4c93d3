//! Trials taken together: of a participant, a level or a condition.

use super::{Tally, Trial, share};

/// Trials taken together.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Summary {
    /// Number of trials.
    pub n_trials: u64,
    /// Trials that were solved, or, where values are points, played to their end.
    pub n_solved: u64,
    /// Trials that were not, but lack rows that were left out.
    pub n_cut: u64,
    /// Attempts up to and including first solutions.
    pub n_attempts: u64,
    /// Attempts that reached a goal.
    pub n_goals: u64,
    /// Trials that were solved in the fewest moves.
    pub n_perfect: u64,
    /// Trials that were not; those of which it is unknown are neither.
    pub n_imperfect: u64,
    /// Number of moves of each solved trial without rows left out.
    pub moves_of_solved: Vec<f64>,
    /// Excess moves of each solved trial that has them.
    pub excess_of_solved: Vec<f64>,
    /// Time of each solved trial without rows left out, in seconds.
    pub times_of_solved: Vec<f64>,
    /// All moves.
    pub tally: Tally,
}

impl Summary {
    /// These trials taken together.
    pub fn new<'a>(trials: impl IntoIterator<Item = &'a Trial>) -> Self {
        let mut summary = Self::default();
        for trial in trials {
            summary.n_trials += 1;
            match trial.is_solved {
                Some(true) => {
                    summary.n_solved += 1;
                    summary.moves_of_solved.extend(trial.n_moves);
                    summary.excess_of_solved.extend(trial.excess_moves);
                    summary.times_of_solved.extend(trial.time_s);
                }
                Some(false) => {}
                None => summary.n_cut += 1,
            }
            match trial.is_perfect() {
                Some(true) => summary.n_perfect += 1,
                Some(false) => summary.n_imperfect += 1,
                None => {}
            }
            summary.n_attempts += trial.n_attempts;
            summary.n_goals += trial.n_goals;
            summary.tally.add(&trial.tally);
        }
        summary
    }

    /// Share of solved trials among those of which it is known.
    pub fn share_solved(&self) -> Option<f64> {
        share(self.n_solved, self.n_trials - self.n_cut)
    }

    /// Mean of the excess moves of solved trials.
    pub fn mean_excess_moves(&self) -> Option<f64> {
        let n = self.excess_of_solved.len() as f64;
        (n > 0.0).then(|| self.excess_of_solved.iter().sum::<f64>() / n)
    }
}

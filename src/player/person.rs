//! What is measured of a participant over all trials, by name.

use crate::measure::{Tally, Trial};

/// A measure of a participant, over all of their trials.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// Its name: that of the column of the table `participants`, where there is one.
    pub name: &'static str,
    /// What it is, with its unit.
    pub title: &'static str,
    value: fn(&Person) -> Option<f64>,
}

/// All that a participant did.
#[derive(Clone, Debug, PartialEq)]
pub struct Person {
    /// All moves.
    pub tally: Tally,
    /// Excess moves of each solved trial that has them.
    pub excesses: Vec<f64>,
    /// Number of trials.
    pub n_trials: usize,
    /// Number of trials that were solved.
    pub n_solved: usize,
}

impl Person {
    /// One who made these trials.
    pub fn new(trials: &[Trial]) -> Self {
        let mut tally = Tally::default();
        trials.iter().for_each(|trial| tally.add(&trial.tally));
        Self {
            tally,
            excesses: trials.iter().filter_map(Trial::excess_moves).map(|moves| moves as f64).collect(),
            n_trials: trials.len(),
            n_solved: trials.iter().filter(|trial| trial.solution.is_some()).count(),
        }
    }
}

/// All measures.
pub const MEASURES: [Measure; 8] = [
    Measure { name: "n_moves", title: "number of moves", value: |person| Some(person.tally.n_moves as f64) },
    Measure { name: "share_optimal", title: "share of optimal moves", value: |person| person.tally.share_optimal() },
    Measure { name: "mean_regret", title: "mean regret of a move", value: |person| person.tally.mean_regret() },
    Measure {
        name: "mean_excess_moves",
        title: "mean excess moves of solved trials",
        value: |person| {
            let n = person.excesses.len() as f64;
            (n > 0.0).then(|| person.excesses.iter().sum::<f64>() / n)
        },
    },
    Measure {
        name: "share_solved",
        title: "share of solved trials",
        value: |person| (person.n_trials > 0).then(|| person.n_solved as f64 / person.n_trials as f64),
    },
    Measure { name: "time_s", title: "time of all trials (s)", value: |person| person.tally.time_s() },
    Measure {
        name: "median_inter_move_s",
        title: "median inter-move time (s)",
        value: |person| person.tally.median_inter_move_s(),
    },
    Measure {
        name: "median_first_move_latency_s",
        title: "median first-move latency (s)",
        value: |person| person.tally.median_first_latency_s(),
    },
];

impl Measure {
    /// The measure of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        MEASURES.iter().find(|measure| measure.name == name)
    }

    /// Its value for a participant; absent where there is none.
    pub fn of(&self, person: &Person) -> Option<f64> {
        (self.value)(person)
    }
}

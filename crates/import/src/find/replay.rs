//! Replay of whole runs of a sample by one way to write moves.

use super::finder::Finder;
use super::plays::{Next, Said};
use crate::words;

/// Approximate number of rows that are replayed of each candidate.
const ROWS: usize = 1_500;

/// Outcome of the rows of a candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Replayed {
    /// Rows that were replayed, whether or not they have a move.
    n_rows: usize,
    /// Those that have one.
    n_told: usize,
    n_legal: usize,
    n_runs: usize,
    n_solved: usize,
}

impl Replayed {
    /// Score of the candidate, from 0: the share of moves that the rules allow and of rows that are moves, and
    /// whether runs end at a goal, which tells a wrong reading from the right one where every move is legal.
    pub fn score(&self) -> f64 {
        let legal = share(self.n_legal, self.n_told) * share(self.n_legal, self.n_rows).sqrt();
        legal * (0.85 + 0.15 * share(self.n_solved, self.n_runs))
    }

    /// With a run, of which so many rows tell moves and so many of these are legal.
    pub fn add_run(&mut self, n_told: usize, n_legal: usize) {
        self.n_runs += 1;
        self.n_rows += n_told;
        self.n_told += n_told;
        self.n_legal += n_legal;
    }

    pub fn share_legal(&self) -> f64 {
        if self.n_told == 0 { 0.0 } else { self.n_legal as f64 / self.n_told as f64 }
    }
}

fn share(n: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { n as f64 / whole as f64 }
}

impl Finder<'_> {
    /// Whole runs, spread over the sample.
    pub(super) fn runs_to_replay(&self) -> Vec<Vec<usize>> {
        let mut runs = self.runs();
        let n: usize = runs.iter().map(Vec::len).sum();
        let step = n.div_ceil(ROWS).max(1);
        if step > 1 {
            runs = runs.into_iter().step_by(step).collect();
        }
        // One run may be longer than all that is wanted.
        runs.iter_mut().for_each(|run| run.truncate(ROWS));
        runs
    }

    /// Replays runs, of whose rows `said` tells the moves.
    pub(super) fn replayed(&self, runs: &[Vec<usize>], said: &mut dyn FnMut(usize) -> Said) -> Replayed {
        let mut replayed = Replayed::default();
        for run in runs {
            let Some(level) = self.level[run[0]] else { continue };
            let rules = self.plays.rules(level);
            let mut position = rules.start();
            let mut is_solved = false;
            replayed.n_runs += 1;
            for &row in run {
                replayed.n_rows += 1;
                let text = match said(row) {
                    Said::Nothing => continue,
                    Said::Move(text) if words::event(&text).is_some() && !self.plays.begins(level, &text) => {
                        // The rows behind it may begin anew.
                        position = rules.start();
                        continue;
                    }
                    text => text,
                };
                // An attempt may begin anew without a row that says so.
                let next = |position| self.plays.next(level, position, &text);
                let here = next(position);
                if here == Next::Same {
                    continue;
                }
                replayed.n_told += 1;
                if let Some(next) = here.position().or_else(|| next(rules.start()).position()) {
                    replayed.n_legal += 1;
                    position = next;
                    is_solved |= rules.is_goal(position);
                }
            }
            replayed.n_solved += usize::from(is_solved);
        }
        replayed
    }
}

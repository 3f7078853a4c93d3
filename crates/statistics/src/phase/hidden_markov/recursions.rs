//! Forward filter, backward smoother and most probable path of a hidden Markov model.
//!
//! Filter and smoother work with probabilities whose sum is kept near 1, so that nothing
//! underflows however long an attempt is: Hamilton (1989), *Econometrica*, 57, 357–384; Kim (1994),
//! *Journal of Econometrics*, 60, 1–22. They give what the forward and backward variables of Baum,
//! Petrie, Soules & Weiss (1970), *Annals of Mathematical Statistics*, 41, 164–171, give. The path is
//! that of Viterbi (1967), *IEEE Transactions on Information Theory*, 13, 260–269.

use std::ops::Range;

use super::super::density::{Densities, Normal};
use super::parameters::Parameters;

/// Sum of the probabilities of an attempt below which they begin again with a sum of 1.
const SMALLEST_SUM: f64 = 1e-50;

/// Sum of the probabilities of an attempt above which they begin again with a sum of 1.
const LARGEST_SUM: f64 = 1e50;

/// A model of `K` states in arrays, and room for the probabilities of some attempts.
pub(super) struct Chain<const K: usize> {
    start: [f64; K],
    transitions: [[f64; K]; K],
    densities: Densities<K>,
    /// P(state at t | times up to t), times a number that is the same for all states.
    filtered: Vec<[f64; K]>,
    /// 1 / P(state at t | times up to t − 1), divided by the number of `filtered` at t − 1; 0 of a state that cannot be
    /// reached.
    by_predicted: Vec<[f64; K]>,
    /// P(state at t | all times) of each state.
    smoothed: [Vec<f64>; K],
}

impl<const K: usize> Chain<K> {
    pub fn new(parameters: &Parameters) -> Self {
        let row = |values: &[f64]| std::array::from_fn(|j| values[j]);
        Self {
            start: row(&parameters.start),
            transitions: std::array::from_fn(|j| row(&parameters.transitions[j])),
            densities: Densities::new(std::array::from_fn(|j| Normal::new(parameters.means[j], parameters.sds[j]))),
            filtered: Vec::new(),
            by_predicted: Vec::new(),
            smoothed: std::array::from_fn(|_| Vec::new()),
        }
    }

    /// Filters the attempts that lie in these ranges, one behind the other; returns their log-likelihood.
    pub fn forward(&mut self, logs: &[f64], attempts: &[Range<usize>]) -> f64 {
        for room in [&mut self.filtered, &mut self.by_predicted] {
            room.clear();
            room.reserve(logs.len());
        }
        let units = self.densities.compute(logs);
        units + attempts.iter().map(|range| self.forward_in(logs, range.clone())).sum::<f64>()
    }

    /// Filters one attempt; returns its log-likelihood without the units of the densities.
    ///
    /// Each step waits for the one before: so it has no division, and the probabilities are divided by their sum only
    /// where that leaves its bounds.
    fn forward_in(&mut self, logs: &[f64], attempt: Range<usize>) -> f64 {
        let mut predicted = self.start;
        let (mut log_likelihood, mut last) = (0.0, 1.0);
        for t in attempt {
            let mut filtered: [f64; K] = std::array::from_fn(|j| predicted[j] * self.densities.multiples[j][t]);
            last = filtered.iter().sum();
            // Scaled only where it is needed, not at each move as textbooks do: a division and a logarithm less for
            // each.
            if !(SMALLEST_SUM..=LARGEST_SUM).contains(&last) {
                let density;
                (filtered, density) = self.update(&predicted, logs[t]);
                log_likelihood += density - self.densities.unit(t);
                last = 1.0;
            }
            // Smaller numbers have lost their digits.
            self.by_predicted.push(predicted.map(|p| if p >= f64::MIN_POSITIVE { 1.0 / p } else { 0.0 }));
            self.filtered.push(filtered);
            predicted = self.after(&filtered);
        }
        log_likelihood + f64::ln(last)
    }

    /// The states one move later.
    fn after(&self, states: &[f64; K]) -> [f64; K] {
        let mut after = self.transitions[0].map(|p| states[0] * p);
        for (from, transitions) in states.iter().zip(&self.transitions).skip(1) {
            after.iter_mut().zip(transitions).for_each(|(to, p)| *to += from * p);
        }
        after
    }

    /// The probabilities of the states after a time has been seen, and the logarithm of its density. `predicted` are
    /// probabilities times a number, of which the density is a multiple.
    #[cold]
    fn update(&self, predicted: &[f64; K], log: f64) -> ([f64; K], f64) {
        // By logarithms: perhaps only states that can hardly be reached explain this time.
        let of_states = self.densities.logs(log);
        let logs: [f64; K] = std::array::from_fn(|j| predicted[j].ln() + of_states[j]);
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let shares = logs.map(|log| (log - largest).exp());
        let total: f64 = shares.iter().sum();
        (shares.map(|share| share / total), largest + total.ln())
    }

    /// Smooths the attempts that [`Chain::forward`] has filtered: returns for each state P(state | all times) at each move,
    /// and adds the expected numbers of transitions to `transitions`.
    pub fn backward(&mut self, attempts: &[Range<usize>], transitions: &mut [[f64; K]; K]) -> &[Vec<f64>; K] {
        self.smoothed.iter_mut().for_each(|state| state.resize(self.filtered.len(), 0.0));
        attempts.iter().for_each(|range| self.backward_in(range.clone(), transitions));
        &self.smoothed
    }

    fn backward_in(&mut self, attempt: Range<usize>, transitions: &mut [[f64; K]; K]) {
        let Some(end) = attempt.clone().last() else { return };
        let total: f64 = self.filtered[end].iter().sum();
        let mut smoothed = self.filtered[end].map(|share| share / total);
        (0..K).for_each(|j| self.smoothed[j][end] = smoothed[j]);
        for t in (attempt.start..end).rev() {
            let (from, by_predicted) = (&self.filtered[t], &self.by_predicted[t + 1]);
            // The smoother of Kim needs no backward variables, so nothing has to be scaled a second time.
            let ratio: [f64; K] = std::array::from_fn(|j| smoothed[j] * by_predicted[j]);
            for i in 0..K {
                let to: [f64; K] = std::array::from_fn(|j| self.transitions[i][j] * ratio[j]);
                transitions[i].iter_mut().zip(&to).for_each(|(sum, to)| *sum += from[i] * to);
                smoothed[i] = from[i] * to.iter().sum::<f64>();
                self.smoothed[i][t] = smoothed[i];
            }
        }
    }

    /// The most probable path through the states, given all times of an attempt; of equally probable
    /// ones, that through the lower states.
    pub fn path(&self, logs: &[f64]) -> Vec<u8> {
        // By logarithms: the product along the best path underflows after some hundred moves, and no sum is needed
        // that would ask for probabilities.
        let log_transitions = self.transitions.map(|row| row.map(f64::ln));
        let mut best = self.start.map(f64::ln);
        let mut from: Vec<[u8; K]> = Vec::with_capacity(logs.len());
        for (t, &log) in logs.iter().enumerate() {
            let densities = self.densities.logs(log);
            let mut next = best;
            let mut origins = [0; K];
            for j in 0..K {
                if t > 0 {
                    next[j] = f64::NEG_INFINITY;
                    for i in 0..K {
                        let through = best[i] + log_transitions[i][j];
                        if through > next[j] {
                            (next[j], origins[j]) = (through, i as u8);
                        }
                    }
                }
                next[j] += densities[j];
            }
            best = next;
            from.push(origins);
        }
        let mut state = 0;
        for j in 1..K {
            if best[j] > best[state] {
                state = j;
            }
        }
        let mut path = vec![0; logs.len()];
        for t in (0..logs.len()).rev() {
            path[t] = state as u8;
            state = usize::from(from[t][state]);
        }
        path
    }
}

//! Forward filter, backward smoother and most probable path of a hidden Markov model.
//!
//! Filter and smoother work with probabilities that sum to 1 at every move, so that nothing
//! underflows however long an attempt is: Hamilton (1989), *Econometrica*, 57, 357–384; Kim (1994),
//! *Journal of Econometrics*, 60, 1–22. They give what the forward and backward variables of Baum,
//! Petrie, Soules & Weiss (1970), *Annals of Mathematical Statistics*, 41, 164–171, give. The path is
//! that of Viterbi (1967), *IEEE Transactions on Information Theory*, 13, 260–269.

use super::super::em::{MOST_STATES, Normal, Product};
use super::Parameters;

pub(super) type PerState = [f64; MOST_STATES];

/// A model in arrays, and room for the probabilities of one attempt.
pub(super) struct Chain {
    k: usize,
    start: PerState,
    transitions: [PerState; MOST_STATES],
    normals: [Normal; MOST_STATES],
    /// P(state at t | times up to t).
    filtered: Vec<PerState>,
    /// P(state at t | times up to t − 1).
    predicted: Vec<PerState>,
}

impl Chain {
    pub fn new(parameters: &Parameters) -> Self {
        let k = parameters.means.len();
        let row = |values: &[f64]| {
            let mut row = [0.0; MOST_STATES];
            row[..k].copy_from_slice(values);
            row
        };
        let mut transitions = [[0.0; MOST_STATES]; MOST_STATES];
        transitions.iter_mut().zip(&parameters.transitions).for_each(|(to, from)| *to = row(from));
        let normals = Normal::of(&parameters.means, &parameters.sds);
        Self { k, start: row(&parameters.start), transitions, normals, filtered: Vec::new(), predicted: Vec::new() }
    }

    /// Filters one attempt; returns its log-likelihood.
    pub fn forward(&mut self, logs: &[f64]) -> f64 {
        let k = self.k;
        self.filtered.clear();
        self.predicted.clear();
        let (mut log_likelihood, mut product) = (0.0, Product::default());
        let mut predicted = self.start;
        for &log in logs {
            self.predicted.push(predicted);
            let (filtered, largest, total) = self.update(&predicted, log);
            log_likelihood += largest;
            product.multiply(total);
            self.filtered.push(filtered);
            predicted = [0.0; MOST_STATES];
            for (from, transitions) in filtered[..k].iter().zip(&self.transitions) {
                for (to, p) in predicted[..k].iter_mut().zip(transitions) {
                    *to += from * p;
                }
            }
        }
        log_likelihood + product.ln()
    }

    /// The states after a time has been seen, and the density of that time in two factors: the
    /// logarithm of one, and the other, which lies between 1e-200 and the number of states.
    fn update(&self, predicted: &PerState, log: f64) -> (PerState, f64, f64) {
        let k = self.k;
        let mut filtered = [0.0; MOST_STATES];
        let mut largest = f64::NEG_INFINITY;
        for (density, normal) in filtered[..k].iter_mut().zip(&self.normals) {
            *density = normal.log_density(log);
            largest = largest.max(*density);
        }
        let densities = filtered;
        let mut total = 0.0;
        for j in 0..k {
            filtered[j] = predicted[j] * (filtered[j] - largest).exp();
            total += filtered[j];
        }
        if total < 1e-200 {
            // Only states that can hardly be reached explain this time: start again with logarithms.
            largest = f64::NEG_INFINITY;
            for j in 0..k {
                filtered[j] = predicted[j].ln() + densities[j];
                largest = largest.max(filtered[j]);
            }
            total = 0.0;
            for share in &mut filtered[..k] {
                *share = (*share - largest).exp();
                total += *share;
            }
        }
        filtered[..k].iter_mut().for_each(|share| *share /= total);
        (filtered, largest, total)
    }

    /// Smooths the attempt that [`Chain::forward`] has filtered, from its last move to its first: calls
    /// `visit` with every move's number and P(state | all times), and adds the expected numbers of
    /// transitions to `transitions`.
    pub fn backward(&self, transitions: &mut [PerState; MOST_STATES], mut visit: impl FnMut(usize, &PerState)) {
        let k = self.k;
        let Some(mut smoothed) = self.filtered.last().copied() else { return };
        visit(self.filtered.len() - 1, &smoothed);
        for t in (0..self.filtered.len() - 1).rev() {
            let mut ratio = [0.0; MOST_STATES];
            for j in 0..k {
                let predicted = self.predicted[t + 1][j];
                // A state that cannot be reached has probability 0 after smoothing as well.
                ratio[j] = if predicted > 0.0 { smoothed[j] / predicted } else { 0.0 };
            }
            smoothed = [0.0; MOST_STATES];
            for i in 0..k {
                let from = self.filtered[t][i];
                for j in 0..k {
                    let both = from * self.transitions[i][j] * ratio[j];
                    transitions[i][j] += both;
                    smoothed[i] += both;
                }
            }
            visit(t, &smoothed);
        }
    }

    /// The most probable path through the states, given all times of an attempt; of equally probable
    /// ones, that through the lower states.
    pub fn path(&self, logs: &[f64]) -> Vec<u8> {
        let k = self.k;
        let log_transitions = self.transitions.map(|row| row.map(f64::ln));
        let mut best = self.start.map(f64::ln);
        let mut from: Vec<[u8; MOST_STATES]> = Vec::with_capacity(logs.len());
        for (t, &log) in logs.iter().enumerate() {
            let mut next = best;
            let mut origins = [0; MOST_STATES];
            for j in 0..k {
                if t > 0 {
                    next[j] = f64::NEG_INFINITY;
                    for i in 0..k {
                        let through = best[i] + log_transitions[i][j];
                        if through > next[j] {
                            (next[j], origins[j]) = (through, i as u8);
                        }
                    }
                }
                next[j] += self.normals[j].log_density(log);
            }
            best = next;
            from.push(origins);
        }
        let mut state = 0;
        for j in 1..k {
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

//! Random-effects model selection: how frequent each model is among participants.
//!
//! Stephan, Penny, Daunizeau, Moran & Friston (2009). Bayesian model selection for group studies.
//! *NeuroImage*, 46, 1004–1017 (the variational scheme). Rigoux, Stephan, Friston &
//! Daunizeau (2014). Bayesian model selection for group studies, revisited. *NeuroImage*, 84, 971–985
//! (Bayes omnibus risk and protected exceedance probability).
//!
//! Exceedance probabilities are integrals, not drawn: the frequencies are independent gamma variables
//! divided by their sum, so that the largest is the same before and after the division.

use plymap_statistics::apa;
use plymap_statistics::not_estimable::{NotEstimable, check_count};
use serde::Serialize;
use statrs::function::gamma::{digamma, gamma_lr, ln_gamma};

/// The scheme takes some ten steps; more than this is no convergence.
const MOST_ITERATIONS: usize = 10_000;

/// Prior count of each model: all frequencies equally likely.
const PRIOR: f64 = 1.0;

/// A model among others.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ModelFrequency {
    /// Parameter of the Dirichlet distribution of frequencies: 1 plus the expected number of
    /// participants who follow this model.
    pub alpha: f64,
    /// Expected share of participants who follow this model.
    pub frequency: f64,
    /// Probability that this model is the most frequent, given that they differ in frequency.
    pub exceedance: f64,
    /// The same, with the chance that they do not differ taken into account.
    pub protected_exceedance: f64,
}

/// Random-effects model selection.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Selection {
    /// Number of participants.
    pub n_participants: usize,
    /// The models, in the order given; empty if there is no selection.
    pub models: Vec<ModelFrequency>,
    /// Probability that all models are equally frequent.
    pub omnibus_risk: Option<f64>,
    /// Free energy (lower bound of the log evidence) if frequencies may differ.
    pub free_energy: Option<f64>,
    /// Log evidence if all models are equally frequent.
    pub free_energy_null: Option<f64>,
    /// True if the scheme converged.
    pub converged: bool,
    /// Its number of steps.
    pub n_iterations: usize,
    /// Reason why the selection is absent.
    pub reason: Option<NotEstimable>,
}

/// Selects among models: one row for each participant, with the log evidence of each model.
///
/// The log evidence is −BIC / 2, or the cross-validated ln L. At most 1,000 models.
///
/// ```
/// use plymap_choice::selection::select;
///
/// let clear = select(&vec![vec![-100.0, -120.0]; 12]);
/// assert!(clear.models[0].protected_exceedance > 0.99);
/// ```
pub fn select(log_evidence: &[Vec<f64>]) -> Selection {
    let mut result = Selection { n_participants: log_evidence.len(), ..Selection::default() };
    result.reason = result.complete(log_evidence).err();
    result
}

impl Selection {
    fn complete(&mut self, rows: &[Vec<f64>]) -> Result<(), NotEstimable> {
        let n_models = check(rows)?;
        let mut alpha = vec![PRIOR; n_models];
        while !self.converged && self.n_iterations < MOST_ITERATIONS {
            self.n_iterations += 1;
            let mut next = vec![PRIOR; n_models];
            for row in rows {
                for (count, share) in next.iter_mut().zip(responsibilities(row, &alpha)) {
                    *count += share;
                }
            }
            let change = alpha.iter().zip(&next).fold(0.0, |most: f64, (old, new)| most.max((old - new).abs()));
            // In participants: the counts α add up to their number.
            self.converged = change < 1e-12 * rows.len() as f64;
            alpha = next;
        }
        if !self.converged {
            let why = format!("the scheme did not converge in {MOST_ITERATIONS} steps");
            return Err(NotEstimable::Undefined { quantity: "the frequency of models", why });
        }
        let (free_energy, null) = (free_energy(rows, &alpha), free_energy_null(rows));
        let risk = 1.0 / (1.0 + (free_energy - null).exp());
        self.omnibus_risk = Some(risk);
        (self.free_energy, self.free_energy_null) = (Some(free_energy), Some(null));
        let total: f64 = alpha.iter().sum();
        let exceedance = exceedance(&alpha);
        self.models = alpha
            .iter()
            .zip(exceedance)
            .map(|(&alpha, exceedance)| ModelFrequency {
                alpha,
                frequency: alpha / total,
                exceedance,
                protected_exceedance: (1.0 - risk) * exceedance + risk / n_models as f64,
            })
            .collect();
        Ok(())
    }

    /// `model 2 of 3: expected frequency .71, protected exceedance probability .98, Bayes omnibus risk
    /// .01, n = 34`, for the most frequent model, counted from 1.
    pub fn sentence(&self) -> String {
        let best = self.models.iter().enumerate().max_by(|left, right| left.1.alpha.total_cmp(&right.1.alpha));
        let (Some((place, best)), Some(risk)) = (best, self.omnibus_risk) else {
            return apa::not_estimable("model frequency", self.n_participants, self.reason.as_ref());
        };
        let bounded = |value| apa::bounded(value, 2);
        let (frequency, protected) = (bounded(best.frequency), bounded(best.protected_exceedance));
        format!(
            "model {} of {}: expected frequency {frequency}, protected exceedance probability {protected}, \
             Bayes omnibus risk {}, n = {}",
            place + 1,
            self.models.len(),
            bounded(risk),
            self.n_participants
        )
    }
}

fn check(rows: &[Vec<f64>]) -> Result<usize, NotEstimable> {
    check_count("model selection", "participants", rows.len(), 1)?;
    let n_models = rows[0].len();
    check_count("model selection", "models", n_models, 2)?;
    if n_models > 1000 {
        let (value, allowed) = (n_models.to_string(), "at most 1,000");
        return Err(NotEstimable::OutOfRange { quantity: "the number of models", value, allowed });
    }
    for row in rows {
        if row.len() != n_models {
            let (left_name, right_name) = ("the first participant", "another participant");
            return Err(NotEstimable::UnequalLengths { left_name, left: n_models, right_name, right: row.len() });
        }
        if let Some(index) = row.iter().position(|value| value.is_nan() || value.abs() > 1e12) {
            return Err(NotEstimable::NotFinite { variable: "log evidence", value: row[index].to_string(), index });
        }
    }
    Ok(n_models)
}

/// Expected log frequency of each model.
fn expected_logs(alpha: &[f64]) -> Vec<f64> {
    let total = digamma(alpha.iter().sum());
    alpha.iter().map(|&alpha| digamma(alpha) - total).collect()
}

/// Probability that a participant follows each model.
fn responsibilities(row: &[f64], alpha: &[f64]) -> Vec<f64> {
    let logs: Vec<f64> = row.iter().zip(expected_logs(alpha)).map(|(evidence, log)| evidence + log).collect();
    let total = log_sum(&logs);
    logs.into_iter().map(|log| (log - total).exp()).collect()
}

fn log_sum(logs: &[f64]) -> f64 {
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    largest + logs.iter().map(|log| (log - largest).exp()).sum::<f64>().ln()
}

/// Variational free energy. At the fixed point, the terms of the participants sum to the log of the normaliser of their
/// responsibilities; what is left is minus the divergence of the posterior from the prior.
fn free_energy(rows: &[Vec<f64>], alpha: &[f64]) -> f64 {
    let logs = expected_logs(alpha);
    let of_participant = |row: &Vec<f64>| {
        let sums: Vec<f64> = row.iter().zip(&logs).map(|(evidence, log)| evidence + log).collect();
        log_sum(&sums)
    };
    let fit: f64 = rows.iter().map(of_participant).sum();
    let prior_total = PRIOR * alpha.len() as f64;
    let mut divergence = ln_gamma(alpha.iter().sum()) - ln_gamma(prior_total);
    for (&alpha, log) in alpha.iter().zip(&logs) {
        divergence += ln_gamma(PRIOR) - ln_gamma(alpha) + (alpha - PRIOR) * log;
    }
    fit - divergence
}

fn free_energy_null(rows: &[Vec<f64>]) -> f64 {
    rows.iter().map(|row| log_sum(row) - (row.len() as f64).ln()).sum()
}

/// Exceedance probability of each model: the integral of its gamma density times the other models' gamma distributions.
fn exceedance(alpha: &[f64]) -> Vec<f64> {
    /// Places and weights of Gauss and Legendre for five points (Abramowitz & Stegun, 1964, 25.4.30).
    const RULE: [(f64, f64); 5] = [
        (0.0, 0.568_888_888_888_888_9),
        (-0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
        (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
        (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
        (0.906_179_845_938_664, 0.236_926_885_056_189_08),
    ];
    const N_PANELS: usize = 400;
    let mut shares = vec![0.0; alpha.len()];
    // Ten standard deviations and more around the largest; of the others less, where those are alone.
    let largest = alpha.iter().copied().fold(0.0, f64::max);
    let (low, high) = ((largest - 10.0 * largest.sqrt() - 20.0).max(0.0), largest + 12.0 * largest.sqrt() + 40.0);
    let half = 0.5 * (high - low) / N_PANELS as f64;
    let norms: Vec<f64> = alpha.iter().map(|&alpha| ln_gamma(alpha)).collect();
    for panel in 0..N_PANELS {
        let centre = low + (2 * panel + 1) as f64 * half;
        for (place, weight) in RULE {
            let x = centre + half * place;
            let below: Vec<f64> = alpha.iter().map(|&alpha| gamma_lr(alpha, x)).collect();
            for (model, share) in shares.iter_mut().enumerate() {
                let density = ((alpha[model] - 1.0) * x.ln() - x - norms[model]).exp();
                let others: f64 =
                    below.iter().enumerate().filter(|(other, _)| *other != model).map(|(_, below)| below).product();
                *share += half * weight * density * others;
            }
        }
    }
    shares
}

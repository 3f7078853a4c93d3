//! Comparison of models over participants by a criterion.
//!
//! Akaike weights: Burnham & Anderson (2002). *Model selection and multimodel inference* (2nd ed.),
//! section 2.9. Sums over participants treat the model as the same for all (fixed effects); the number
//! of participants that each fits best and [`crate::selection`] do not.

use plymap_statistics::apa;
use plymap_statistics::inference::Confidence;
use plymap_statistics::not_estimable::{NotEstimable, check_count};
use plymap_statistics::stats::resample::{Bootstrap, BootstrapInterval};
use serde::{Deserialize, Serialize};

use crate::cross_validation::CrossValidation;
use crate::fit::ModelFit;
use crate::model::Model;

/// Criteria that models are compared by; of each, less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Criterion {
    /// Akaike's information criterion.
    Aic,
    /// Schwarz's (Bayesian) information criterion.
    Bic,
    /// −2 times the cross-validated ln L, so that its differences can be read like those of AIC.
    HeldOut,
}

/// A model over all participants.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelSummary {
    /// The model.
    pub model: Model,
    /// Sum of ln L over participants; with [`Criterion::HeldOut`] the cross-validated one.
    pub log_likelihood: f64,
    /// Sum of the criterion over participants.
    pub score: f64,
    /// The sum less that of the best model; 0 for the best.
    pub difference: f64,
    /// exp(−difference / 2), divided by the sum over models: the weight of the model if it is the same
    /// for all participants. Akaike weights where the criterion is AIC.
    pub weight: f64,
    /// Mean over participants of the weights that each would give.
    pub mean_weight: f64,
    /// Number of participants whom it fits best; of equals the first counts, so list simple models
    /// first.
    pub n_best: usize,
    /// Mean over participants of the criterion less that of the best model, with its bootstrap
    /// interval (participants resampled); absent for the best.
    pub mean_difference: Option<BootstrapInterval>,
}

/// Models compared over participants.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The criterion of the comparison.
    pub criterion: Criterion,
    /// Number of participants compared.
    pub n_participants: usize,
    /// Number of participants left out because a model has no criterion, or did not converge.
    pub n_excluded: usize,
    /// Place of the best model.
    pub best: Option<usize>,
    /// The models, in the order given; empty if there is nothing to compare.
    pub models: Vec<ModelSummary>,
    /// Reason why the comparison is absent.
    pub reason: Option<NotEstimable>,
}

/// The part of a fit or a cross-validation that a comparison needs.
pub trait Score {
    /// The model.
    fn model(&self) -> Model;
    /// Its ln L.
    fn log_likelihood(&self) -> Option<f64>;
    /// Its criterion; absent if it has none, or did not converge.
    fn score(&self, criterion: Criterion) -> Option<f64>;
}

impl Score for ModelFit {
    fn model(&self) -> Model {
        self.model
    }

    fn log_likelihood(&self) -> Option<f64> {
        self.log_likelihood
    }

    fn score(&self, criterion: Criterion) -> Option<f64> {
        match criterion {
            Criterion::Aic => self.aic,
            Criterion::Bic => self.bic,
            Criterion::HeldOut => None,
        }
        .filter(|_| self.converged)
    }
}

impl Score for CrossValidation {
    fn model(&self) -> Model {
        self.model
    }

    fn log_likelihood(&self) -> Option<f64> {
        self.log_likelihood
    }

    fn score(&self, criterion: Criterion) -> Option<f64> {
        let is_asked = criterion == Criterion::HeldOut && self.converged;
        self.log_likelihood.filter(|_| is_asked).map(|value| -2.0 * value)
    }
}

/// Compares models over participants: one row for each participant, with the same models in the same
/// order. By [`Criterion::HeldOut`] rows of [`CrossValidation`], by the others rows of [`ModelFit`].
///
/// Intervals come from 9,999 resamples of participants (BCa).
pub fn compare<S: Score>(rows: &[Vec<S>], criterion: Criterion, seed: u64, confidence: Confidence) -> Comparison {
    let mut result =
        Comparison { criterion, n_participants: 0, n_excluded: 0, best: None, models: Vec::new(), reason: None };
    result.reason = result.complete(rows, seed, confidence).err();
    result
}

impl Comparison {
    fn complete<S: Score>(&mut self, rows: &[Vec<S>], seed: u64, confidence: Confidence) -> Result<(), NotEstimable> {
        check_count("a comparison", "participants", rows.len(), 1)?;
        let models = same_models(rows)?;
        check_count("a comparison", "models", models.len(), 2)?;
        let mut scores = vec![Vec::new(); models.len()];
        let mut sums = vec![0.0; models.len()];
        for row in rows {
            let row_scores: Option<Vec<(f64, f64)>> =
                row.iter().map(|score| Some((score.score(self.criterion)?, score.log_likelihood()?))).collect();
            // Sums are compared over the same participants: whoever lacks the score of one model is left out of all.
            let Some(row_scores) = row_scores else {
                self.n_excluded += 1;
                continue;
            };
            for (model, (score, log_likelihood)) in row_scores.into_iter().enumerate() {
                scores[model].push(score);
                sums[model] += log_likelihood;
            }
        }
        self.n_participants = rows.len() - self.n_excluded;
        check_count("a comparison", "participants with all models", self.n_participants, 1)?;
        let totals: Vec<f64> = scores.iter().map(|scores| scores.iter().sum()).collect();
        let best = first_least(&totals);
        let (weights, mean_weights, n_best) = shares(&scores, &totals);
        let difference = |scores_of_model: &Vec<f64>| {
            scores_of_model.iter().zip(&scores[best]).map(|(score, least)| score - least).collect()
        };
        let differences: Vec<Vec<f64>> = scores.iter().map(difference).collect();
        let mean_differences = Bootstrap { confidence, ..Bootstrap::new(seed) }.means(&differences);
        self.best = Some(best);
        self.models = mean_differences
            .into_iter()
            .enumerate()
            .map(|(model, mean_difference)| ModelSummary {
                model: models[model],
                log_likelihood: sums[model],
                score: totals[model],
                difference: totals[model] - totals[best],
                weight: weights[model],
                mean_weight: mean_weights[model],
                n_best: n_best[model],
                mean_difference: Some(mean_difference).filter(|_| model != best),
            })
            .collect();
        Ok(())
    }

    /// `best by BIC over 34 participants: lapse-optimal (best for 25); next soft-optimal, ΔBIC = 120.40`.
    pub fn sentence(&self) -> String {
        let name = self.criterion.symbol();
        let Some(best) = self.best else {
            return apa::not_estimable(&format!("Δ{name}"), self.n_participants, self.reason.as_ref());
        };
        let (n, top) = (apa::counted(self.n_participants, "participant"), &self.models[best]);
        let mut text = format!("best by {name} over {n}: {} (best for {})", top.model, apa::count(top.n_best));
        let others = self.models.iter().enumerate().filter(|(place, _)| *place != best).map(|(_, model)| model);
        if let Some(next) = others.min_by(|left, right| left.difference.total_cmp(&right.difference)) {
            text += &format!("; next {}, Δ{name} = {}", next.model, apa::number(next.difference, 2));
        }
        text
    }
}

impl Criterion {
    /// Its letters in a sentence.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Aic => "AIC",
            Self::Bic => "BIC",
            Self::HeldOut => "−2 ln L of levels left out",
        }
    }
}

fn same_models<S: Score>(rows: &[Vec<S>]) -> Result<Vec<Model>, NotEstimable> {
    let models: Vec<Model> = rows[0].iter().map(Score::model).collect();
    for (index, row) in rows.iter().enumerate() {
        let models_of_row: Vec<Model> = row.iter().map(Score::model).collect();
        if models_of_row != models {
            let why = format!("participant {index} (from 0) has other models than the first");
            return Err(NotEstimable::Undefined { quantity: "a comparison", why });
        }
    }
    Ok(models)
}

/// Place of the least value; of equals (up to rounding) the first.
fn first_least(values: &[f64]) -> usize {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    values.iter().position(|value| value - least <= 1e-9 * (1.0 + least.abs())).unwrap_or(0)
}

/// exp(−Δ / 2) of each value, divided by their sum.
fn weights(values: &[f64]) -> Vec<f64> {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let relative: Vec<f64> = values.iter().map(|value| (-0.5 * (value - least)).exp()).collect();
    let sum: f64 = relative.iter().sum();
    relative.into_iter().map(|value| value / sum).collect()
}

/// Weights from the totals, mean weights, and how often each model is the best.
fn shares(scores: &[Vec<f64>], totals: &[f64]) -> (Vec<f64>, Vec<f64>, Vec<usize>) {
    let n = scores[0].len();
    let (mut means, mut n_best) = (vec![0.0; scores.len()], vec![0; scores.len()]);
    for participant in 0..n {
        let scores_of_participant: Vec<f64> = scores.iter().map(|scores| scores[participant]).collect();
        n_best[first_least(&scores_of_participant)] += 1;
        for (mean, weight) in means.iter_mut().zip(weights(&scores_of_participant)) {
            *mean += weight / n as f64;
        }
    }
    (weights(totals), means, n_best)
}

//! Number of states of times, by the Bayesian information criterion (BIC).
//!
//! Schwarz (1978). Estimating the dimension of a model. *Annals of Statistics*, 6, 461–464. For mixtures:
//! Keribin (2000). Consistent estimation of the order of mixture models. *Sankhyā A*, 62, 49–66; for
//! hidden Markov models its use is a convention (Celeux & Durand, 2008. Selecting hidden Markov model
//! state number with cross-validated likelihood. *Computational Statistics*, 23, 541–564). Where times are
//! not log-normal within states, more states are chosen than there are, because they correct the shape
//! (Pohle, Langrock, van Beest & Schmidt, 2017. Selecting the number of states in hidden Markov models.
//! *Journal of Agricultural, Biological and Environmental Statistics*, 22, 270–293). So three states may
//! mean two states and a long tail; one state means that there is nothing to separate.

use serde::Serialize;

use super::em::Optimum;
use super::hidden_markov::HiddenMarkov;
use super::mixture::Mixture;
use crate::apa;
use crate::not_estimable::{NotEstimable, check_count};

/// The models that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// Log-normal mixtures, without the order of times.
    Mixture,
    /// Hidden Markov models.
    HiddenMarkov,
}

/// One model of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Candidate {
    /// Number of components or states.
    pub n_states: usize,
    /// Number of free parameters.
    pub n_parameters: usize,
    /// Log-likelihood.
    pub log_likelihood: Option<f64>,
    /// Bayesian information criterion; the smaller the better.
    pub bic: Option<f64>,
    /// Difference from the smallest one.
    pub delta_bic: Option<f64>,
    /// True if the fit converged.
    pub converged: Option<bool>,
    /// Reason why the model could not be fitted, or that its fit did not converge.
    pub reason: Option<NotEstimable>,
}

impl Candidate {
    fn new<P>(n_states: usize, n_parameters: usize, outcome: &Result<Optimum<P>, NotEstimable>) -> Self {
        let absent = Self { n_states, n_parameters, ..Self::default() };
        match outcome {
            Ok(Optimum { log_likelihood, bic, converged, reason, .. }) => Self {
                log_likelihood: Some(*log_likelihood),
                bic: Some(*bic),
                converged: Some(*converged),
                reason: reason.clone(),
                ..absent
            },
            Err(reason) => Self { reason: Some(reason.clone()), ..absent },
        }
    }
}

/// A comparison of numbers of states.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Selection {
    /// The models.
    pub family: Family,
    /// Number of times.
    pub n: usize,
    /// The models, usually with one to so many states, in this order.
    pub candidates: Vec<Candidate>,
    /// The number of states with the smallest criterion among the models that could be fitted; absent
    /// where fewer than two could be.
    pub chosen: Option<usize>,
    /// Reason why nothing could be chosen.
    pub reason: Option<NotEstimable>,
}

impl Selection {
    /// Compares mixtures of the same times.
    pub fn of_mixtures(fits: &[Mixture]) -> Self {
        let candidate = |fit: &Mixture| Candidate::new(fit.n_components, fit.n_parameters, &fit.outcome);
        Self::new(Family::Mixture, fits.first().map_or(0, |fit| fit.n), fits.iter().map(candidate).collect())
    }

    /// Compares hidden Markov models of the same times.
    pub fn of_hidden_markov(fits: &[HiddenMarkov]) -> Self {
        let candidate = |fit: &HiddenMarkov| Candidate::new(fit.n_states, fit.n_parameters, &fit.outcome);
        Self::new(Family::HiddenMarkov, fits.first().map_or(0, |fit| fit.n), fits.iter().map(candidate).collect())
    }

    fn new(family: Family, n: usize, candidates: Vec<Candidate>) -> Self {
        let reason = check_count("a choice of the number of states", "models", candidates.len(), 2).err();
        let mut selection = Self { family, n, candidates, chosen: None, reason };
        if selection.reason.is_none() {
            selection.choose();
        }
        selection
    }

    fn choose(&mut self) {
        let fitted = self.candidates.iter().filter_map(|candidate| candidate.bic.map(|bic| (bic, candidate.n_states)));
        let n_fitted = fitted.clone().count();
        let Some((smallest, n_states)) = fitted.min_by(|left, right| left.0.total_cmp(&right.0)) else {
            self.reason = self.candidates.iter().find_map(|candidate| candidate.reason.clone());
            return;
        };
        for candidate in &mut self.candidates {
            candidate.delta_bic = candidate.bic.map(|bic| bic - smallest);
        }
        if n_fitted < 2 {
            self.reason = self
                .candidates
                .iter()
                .find_map(|candidate| candidate.bic.is_none().then(|| candidate.reason.clone())?);
        } else {
            self.chosen = Some(n_states);
        }
    }

    /// Reason why there are no phases, if one state is enough; absent where several are chosen, and where none could be.
    pub fn without_phases(&self) -> Option<NotEstimable> {
        let why = || "one state is enough for the times between moves, by BIC".to_owned();
        let reason = || NotEstimable::Undefined { quantity: "a phase of thinking", why: why() };
        (self.chosen == Some(1)).then(reason)
    }

    /// `BIC of hidden Markov models with 1, 2, 3 states: 1,640.2, 1,327.2, 1,341.9; 2 chosen, n = 800`,
    /// with the numbers as they are, without separators.
    pub fn sentence(&self) -> String {
        let Some(chosen) = self.chosen else {
            return apa::not_estimable("number of states", self.n, self.reason.as_ref());
        };
        let (family, unit) = match self.family {
            Family::Mixture => ("mixtures", "components"),
            Family::HiddenMarkov => ("hidden Markov models", "states"),
        };
        let bic = |candidate: &Candidate| candidate.bic.map_or("none".to_owned(), |bic| apa::number(bic, 1));
        let values: Vec<String> = self.candidates.iter().map(bic).collect();
        let numbers: Vec<String> = (1..=self.candidates.len()).map(|number| number.to_string()).collect();
        let (numbers, values) = (numbers.join(", "), values.join(", "));
        format!("BIC of {family} with {numbers} {unit}: {values}; {chosen} chosen, n = {}", apa::count(self.n))
    }
}

#[cfg(test)]
mod tests {
    use super::super::em::Em;
    use super::super::hidden_markov::hidden_markov;
    use super::super::mixture::mixture;
    use super::*;

    fn of_mixtures(times: &[f64], most: usize) -> Selection {
        Selection::of_mixtures(&(1..=most).map(|n| mixture(times, n, &Em::new(1))).collect::<Vec<_>>())
    }

    fn of_hidden_markov(attempts: &[&[f64]], most: usize) -> Selection {
        Selection::of_hidden_markov(&(1..=most).map(|n| hidden_markov(attempts, n, &Em::new(1))).collect::<Vec<_>>())
    }

    #[test]
    fn one_state_is_the_same_model_in_both_families() {
        let times: Vec<f64> = (0..60).map(|i| 1.0 + (i * 17 % 61) as f64 / 20.0).collect();
        let (plain, hidden) = (of_mixtures(&times, 2), of_hidden_markov(&[&times], 2));
        let (plain, hidden) = (&plain.candidates[0], &hidden.candidates[0]);
        assert_eq!((plain.n_parameters, hidden.n_parameters), (2, 2));
        assert!((plain.bic.unwrap() - hidden.bic.unwrap()).abs() < 1e-9);
    }

    #[test]
    fn a_choice_needs_two_models() {
        let times: Vec<f64> = (1..=15).map(f64::from).collect();
        let selection = of_mixtures(&times, 3);
        assert_eq!((selection.chosen, selection.candidates[0].delta_bic), (None, Some(0.0)));
        let reason = selection.reason.as_ref().unwrap().to_string();
        assert_eq!(reason, "the log-normal mixture needs at least 20 moves, found 15");
        assert!(selection.sentence().starts_with("number of states not estimable, n = 15"));
        assert!(of_mixtures(&times, 1).reason.is_some());
        assert!(of_hidden_markov(&[], 2).reason.is_some());
    }
}

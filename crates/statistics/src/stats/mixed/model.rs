//! The fit of a mixed model, with contrasts, tests and marginal means.

use std::collections::BTreeSet;

use nalgebra::{DMatrix, DVector};
use serde::Serialize;

use super::design::{Design, INTERCEPT, Plan, RandomTerm};
use super::diagnostics::{Diagnostics, Fit, Left};
use super::effects::{Criterion, Effect, FTest, Family, MOST_COVARIANCES, MOST_TERMS, Mode, RandomEffects, undefined};
use super::inference::Uncertainty;
use super::layout::{Entry, Layout};
use super::logistic::Logistic;
use super::optimise::{self, Minimum, Objective};
use super::profile::Problem;
use crate::inference::Confidence;
use crate::not_estimable::{NotEstimable, check_count, check_values};
use crate::numeric::distribution::logistic;
use crate::stats::chi_squared::ChiSquaredTest;

/// A logistic model is refused where random effects have a larger share than this of the variance of log odds, with a
/// standard deviation of some 12: the approximation then runs away, as far as rounding lets it.
const MOST_DETERMINED: f64 = 0.98;

/// A linear or logistic mixed model.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MixedModel {
    /// Distribution of the outcome.
    pub family: Family,
    /// Criterion that the variances maximise.
    pub criterion: Criterion,
    /// Number of observations.
    pub n: usize,
    /// The fixed effects in the order of the design; empty if there is no fit.
    pub fixed: Vec<Effect>,
    /// The random terms in their order; empty if there is no fit.
    pub random: Vec<RandomEffects>,
    /// Standard deviation of the residuals, in the unit of y; absent where whether something happens is modelled.
    pub residual_sd: Option<f64>,
    /// −2 times the log-likelihood: lme4's REML criterion, or its deviance.
    pub deviance: Option<f64>,
    /// The log-likelihood, restricted or not.
    pub log_likelihood: Option<f64>,
    /// Number of parameters: fixed effects, variances and covariances of random effects, and the residual variance.
    pub n_parameters: usize,
    /// Akaike information criterion (AIC), deviance + 2 · `n_parameters`.
    pub aic: Option<f64>,
    /// Bayesian information criterion (BIC), deviance + ln n · `n_parameters`, with n observations as in lme4.
    pub bic: Option<f64>,
    /// Share of the variance that the fixed effects explain (Nakagawa & Schielzeth, 2013, *Methods
    /// in Ecology and Evolution*, 4, 133–142; with slopes Johnson, 2014, same journal, 5, 944–946). The variance of the
    /// fitted fixed part divides by n − 1.
    pub r2_marginal: Option<f64>,
    /// Share that fixed and random effects explain together (same sources).
    pub r2_conditional: Option<f64>,
    /// True if a variance of random effects is estimated as 0, or a correlation as ±1. Such a fit is one with fewer
    /// random effects; its other numbers hold.
    pub singular: Option<bool>,
    /// True if the optimiser converged to a minimum of the deviance.
    pub converged: bool,
    /// Number of times the deviance was evaluated to get there.
    pub n_evaluations: usize,
    /// Confidence level of the intervals.
    pub confidence: Confidence,
    /// Reason why there is no fit, or why the search did not converge; why an effect has no test, it says itself.
    pub reason: Option<NotEstimable>,
    #[serde(skip)]
    plan: Plan,
    #[serde(skip)]
    modes: Vec<Mode>,
    #[serde(skip)]
    diagnostics: Option<Diagnostics>,
    #[serde(skip)]
    uncertainty: Option<Uncertainty>,
}

/// Fits y on the fixed effects of `design` with one to [`MOST_TERMS`] random terms.
///
/// Takes about a second for 35,000 observations, 12 columns, and factors of 500 and 100 labels with random intercepts;
/// memory of 16 bytes for each observation and column. Limits: [`MOST_WORK`](crate::stats::rasch::MOST_WORK), [`MOST_COVARIANCES`].
///
/// ```
/// use plymap_statistics::stats::Confidence;
/// use plymap_statistics::stats::mixed::{Criterion, Design, Grouping, RandomTerm, mixed_model};
///
/// let seconds = [2.0, 3.1, 4.2, 2.9, 4.1, 5.3, 1.2, 2.4, 2.9, 3.3, 4.0, 5.4];
/// let moves = [1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1.0, 2.0, 3.0];
/// let participant = ["a", "a", "a", "b", "b", "b", "c", "c", "c", "d", "d", "d"];
/// let design = Design::with_intercept(12).numeric("moves", &moves)?;
/// let terms = [RandomTerm::intercepts(Grouping::new("participant", &participant))];
/// let model = mixed_model(&seconds, &design, &terms, Criterion::Reml, Confidence::default());
/// assert!(model.converged && model.singular == Some(false));
/// // Every participant has the same moves, so that the slope is that of the means.
/// assert!((model.fixed[1].estimate.unwrap() - 1.05).abs() < 1e-12);
/// assert_eq!(model.fixed[1].sentence(), "b = 1.05, 95 % CI [0.88, 1.22], t(7.0) = 14.51, p < .001");
/// # Ok::<(), plymap_statistics::stats::NotEstimable>(())
/// ```
pub fn mixed_model(
    y: &[f64],
    design: &Design,
    terms: &[RandomTerm],
    criterion: Criterion,
    confidence: Confidence,
) -> MixedModel {
    fitted(y, design, terms, criterion, confidence, true)
}

/// The same without [`MixedModel::diagnostics`], which take most of the time and memory where observations are many.
pub fn mixed_model_alone(
    y: &[f64],
    design: &Design,
    terms: &[RandomTerm],
    criterion: Criterion,
    confidence: Confidence,
) -> MixedModel {
    fitted(y, design, terms, criterion, confidence, false)
}

fn fitted(
    y: &[f64],
    design: &Design,
    terms: &[RandomTerm],
    criterion: Criterion,
    confidence: Confidence,
    is_diagnosed: bool,
) -> MixedModel {
    let n_parameters = design.names().len() + n_covariances(terms) + 1;
    let (n, plan) = (y.len(), design.plan());
    let mut model = MixedModel { criterion, n, n_parameters, confidence, plan, ..MixedModel::default() };
    let fitted = check_values("y", y).and_then(|()| check(y.len(), design, terms)).and_then(|()| {
        let is_constant = y.iter().all(|&value| value == y[0]);
        match is_constant {
            true => Err(NotEstimable::NoVariance { variable: "y" }),
            false => model.fit(y, design, terms, is_diagnosed),
        }
    });
    model.reason = fitted.err();
    model
}

/// Fits the log odds of an event on the fixed effects of `design` with one to [`MOST_TERMS`] random terms, by maximum
/// likelihood in Laplace's approximation. Standard errors come from the curvature of the deviance. Tests are those of R's
/// `glmer`, but that the statistic of an effect between labels, or of a random slope, is compared with Student's t:
/// with degrees of freedom by the between-within method (Li & Redden, 2015, *BMC Medical Research Methodology*, 15, 38).
///
/// With few events for each label the approximation makes the variances too small (Pinheiro & Chao, 2006, *Journal of
/// Computational and Graphical Statistics*, 15, 58–81). Time grows with n times the squared number of effects of an
/// observation, and with the squared number of effects of all factors but the largest.
///
/// ```
/// use plymap_statistics::stats::Confidence;
/// use plymap_statistics::stats::mixed::{Design, Grouping, RandomTerm, logistic_mixed_model};
///
/// let solved: Vec<bool> = "1101100111101100100111110100".chars().map(|solved| solved == '1').collect();
/// let person: Vec<String> = (0..28).map(|row| format!("p{}", row / 4)).collect();
/// let distance: Vec<f64> = (0..28).map(|row| f64::from(row % 4)).collect();
/// let design = Design::with_intercept(28).numeric("distance", &distance)?;
/// let terms = [RandomTerm::intercepts(Grouping::new("participant", &person))];
/// let model = logistic_mixed_model(&solved, &design, &terms, Confidence::default());
/// assert!(model.converged && model.fixed[1].sentence().starts_with("OR = "));
/// # Ok::<(), plymap_statistics::stats::NotEstimable>(())
/// ```
pub fn logistic_mixed_model(
    events: &[bool],
    design: &Design,
    terms: &[RandomTerm],
    confidence: Confidence,
) -> MixedModel {
    let (criterion, family) = (Criterion::Ml, Family::Logistic);
    let (n, plan) = (events.len(), design.plan());
    let n_parameters = design.names().len() + n_covariances(terms);
    let mut model = MixedModel { family, criterion, n, n_parameters, confidence, plan, ..MixedModel::default() };
    let n_events = events.iter().filter(|&&event| event).count();
    let quantity = "a logistic mixed model";
    let fitted = check(n, design, terms)
        .and_then(|()| check_count(quantity, "observations with the event", n_events, 1))
        .and_then(|()| check_count(quantity, "observations without the event", n - n_events, 1))
        .and_then(|()| model.fit_events(events, design, terms));
    model.reason = fitted.err();
    model.fixed.iter_mut().for_each(|effect| effect.family = family);
    model
}

impl MixedModel {
    /// The conditional modes of all random effects, term by term, labels in alphabetical
    /// order; empty if there is no fit.
    pub fn modes(&self) -> &[Mode] {
        &self.modes
    }

    /// Residuals, and the influence of single labels on the fixed effects; absent if there is no fit.
    pub fn diagnostics(&self) -> Option<&Diagnostics> {
        self.diagnostics.as_ref()
    }

    /// The contrast Σ weight · fixed effect, one weight for each of [`MixedModel::fixed`], with the
    /// test of the hypothesis that it is 0.
    pub fn contrast(&self, name: &str, weights: &[f64]) -> Effect {
        match self.checked(&[weights]) {
            Ok(known) => {
                let effect = known.contrast(name, &DVector::from_column_slice(weights), self.confidence);
                Effect { family: self.family, ..effect }
            }
            Err(reason) => {
                let (name, confidence) = (name.to_owned(), self.confidence);
                Effect { name, confidence, reason: Some(reason), ..Effect::default() }
            }
        }
    }

    /// The joint test that several contrasts are 0, each with one weight for each of
    /// [`MixedModel::fixed`].
    pub fn f_test<W: AsRef<[f64]>>(&self, name: &str, contrasts: &[W]) -> FTest {
        let rows: Vec<&[f64]> = contrasts.iter().map(AsRef::as_ref).collect();
        match self.checked(&rows) {
            Ok(known) => {
                let matrix = DMatrix::from_fn(rows.len(), self.fixed.len(), |row, column| rows[row][column]);
                known.joint(name, &matrix)
            }
            Err(reason) => FTest { name: name.to_owned(), reason: Some(reason), ..FTest::default() },
        }
    }

    /// The joint test that a term of the design has no effect (type III: averaged over the labels of categories with
    /// which it is multiplied, each counting alike, and where numbers with which it is multiplied are 0). Without
    /// products of columns: that all of its columns have no effect.
    pub fn term_test(&self, term: &str) -> FTest {
        match self.plan.hypothesis(term) {
            Ok(rows) => self.f_test(term, &rows),
            Err(reason) => {
                let reason = Some(self.reason.clone().filter(|_| self.uncertainty.is_none()).unwrap_or(reason));
                FTest { name: term.to_owned(), reason, ..FTest::default() }
            }
        }
    }

    /// Names of the terms of the design but the intercept.
    pub fn terms(&self) -> impl Iterator<Item = &str> {
        self.plan.terms.iter().map(|term| term.name.as_str()).filter(|&name| name != INTERCEPT)
    }

    /// The estimated marginal mean of each label of a category (Searle, Speed & Milliken, 1980, *The American
    /// Statistician*, 34, 216–221): where numbers are at their means, averaged over the labels of other categories, each
    /// counting alike. Its test is of the hypothesis that it is 0.
    ///
    /// # Errors
    ///
    /// [`NotEstimable`] if there is no such category, or the categories have more than 10,000 combinations of labels.
    pub fn marginal_means(&self, category: &str) -> Result<Vec<Effect>, NotEstimable> {
        let rows = self.plan.marginal_rows(category)?;
        Ok(rows.iter().map(|(label, weights)| self.contrast(label, weights)).collect())
    }

    /// The difference of the estimated marginal means of two labels of a category, the first less the second.
    ///
    /// # Errors
    ///
    /// As [`MixedModel::marginal_means`], or if there is no such label.
    pub fn marginal_difference(&self, category: &str, first: &str, second: &str) -> Result<Effect, NotEstimable> {
        let rows = self.plan.marginal_rows(category)?;
        let weights_of = |label: &str| {
            let row_of_label = rows.iter().find(|(name, _)| name == label);
            row_of_label
                .map(|(_, weights)| weights)
                .ok_or_else(|| undefined(format!("{category} has no label {label}")))
        };
        let weights: Vec<f64> =
            weights_of(first)?.iter().zip(weights_of(second)?).map(|(first, second)| first - second).collect();
        Ok(self.contrast(&format!("{first} - {second}"), &weights))
    }

    /// The labels of a category of the design, the reference first; none of another variable.
    pub fn labels(&self, category: &str) -> &[String] {
        self.plan.axes.iter().find(|axis| axis.name == category).map_or(&[], |axis| &axis.labels)
    }

    /// The categories of the design.
    pub fn categories(&self) -> impl Iterator<Item = &str> {
        self.plan.axes.iter().filter(|axis| !axis.labels.is_empty()).map(|axis| axis.name.as_str())
    }

    /// The likelihood-ratio test of this model against one that has fewer parameters and is a special case of it, fitted to
    /// the same observations. Of random effects it rejects too rarely, as a variance cannot be less than 0.
    ///
    /// # Errors
    ///
    /// [`NotEstimable`] if a model has no fit, if they are of different kinds, numbers of observations or fixed effects that
    /// the larger one lacks, or of restricted likelihoods with different fixed effects, which do not compare.
    pub fn likelihood_ratio(&self, smaller: &Self) -> Result<ChiSquaredTest, NotEstimable> {
        let why = |why: &str| NotEstimable::Undefined { quantity: "the likelihood-ratio test", why: why.to_owned() };
        if let Some(reason) = self.reason.clone().or_else(|| smaller.reason.clone()) {
            return Err(reason);
        }
        let (Some(full), Some(nested)) = (self.deviance, smaller.deviance) else { return Err(why("there is no fit")) };
        let names = |model: &Self| model.fixed.iter().map(|effect| effect.name.clone()).collect::<BTreeSet<String>>();
        if self.criterion == Criterion::Reml && names(self) != names(smaller) {
            return Err(why("restricted likelihoods of models with different fixed effects do not compare"));
        }
        let is_same = (self.family, self.criterion, self.n) == (smaller.family, smaller.criterion, smaller.n);
        if !is_same || self.n_parameters <= smaller.n_parameters || !names(smaller).is_subset(&names(self)) {
            return Err(why("the smaller model is no special case of the other"));
        }
        if nested - full < -1e-6 {
            return Err(why("the likelihood of the larger model is smaller: its search ended early"));
        }
        Ok(ChiSquaredTest::new(nested - full, self.n_parameters - smaller.n_parameters))
    }

    fn checked(&self, contrasts: &[&[f64]]) -> Result<&Uncertainty, NotEstimable> {
        let absent = || self.reason.clone().unwrap_or_else(|| undefined("there is no fit".to_owned()));
        let known = self.uncertainty.as_ref().ok_or_else(absent)?;
        check_count("a joint test", "contrasts", contrasts.len(), 1)?;
        for weights in contrasts {
            if weights.len() != self.fixed.len() {
                let (left_name, right_name) = ("the contrast", "the model");
                let (left, right) = (weights.len(), self.fixed.len());
                return Err(NotEstimable::UnequalLengths { left_name, left, right_name, right });
            }
            check_values("a contrast", weights)?;
        }
        Ok(known)
    }

    fn fit(
        &mut self,
        y: &[f64],
        design: &Design,
        terms: &[RandomTerm],
        is_diagnosed: bool,
    ) -> Result<(), NotEstimable> {
        let problem = Problem::new(y, design, terms, self.criterion)?;
        let minimum = optimise::minimise(&problem, terms.len());
        let unsolved = || undefined("the likelihood cannot be computed".to_owned());
        let solution = problem.solve(&minimum.point).ok_or_else(unsolved)?;
        let (fixed, modes) = problem.effects(&solution).ok_or_else(unsolved)?;
        let residual = solution.sum_of_squares / problem.df() * problem.scale().powi(2);
        self.residual_sd = Some(residual.sqrt());
        self.set_deviance(solution.deviance);
        self.set_variances(&problem.layout, &minimum.point, residual, residual, terms);
        self.set_explained(design, fixed.as_slice(), residual);
        let predictor = is_diagnosed.then(|| predictor(design, fixed.as_slice(), terms, &modes));
        let between = between_within(design, terms);
        let known = Uncertainty::new(&problem, &minimum.point, &solution, fixed, between).ok_or_else(unsolved)?;
        let leave = |(fitted, &y): (f64, &f64)| Left {
            fitted,
            residual: (y - fitted) / residual.sqrt(),
            response: y,
            weight: 1.0,
        };
        let fit = predictor.map(|predictor| Fit {
            layout: &problem.layout,
            basis: &problem.basis,
            terms,
            theta: &minimum.point,
            errors: known.errors(),
            left: predictor.into_iter().zip(y).map(leave).collect(),
        });
        self.diagnostics = fit.and_then(Fit::diagnostics);
        self.set_modes(terms, modes);
        self.complete(design, known, minimum)
    }

    fn fit_events(&mut self, events: &[bool], design: &Design, terms: &[RandomTerm]) -> Result<(), NotEstimable> {
        let problem = Logistic::new(events, design, terms)?;
        let minimum = optimise::minimise(&problem, terms.len());
        let unsolved = || undefined("the likelihood cannot be computed".to_owned());
        let deviance = problem.deviance(&minimum.point).ok_or_else(unsolved)?;
        // What the search has to say about its end is more than that there is no curvature.
        let estimates = problem
            .effects(&minimum.point, minimum.curvature.as_ref())
            .map_err(|reason| minimum.why.clone().map_or(reason, undefined))?;
        // The variance of the logistic distribution, around the log odds, is that of what remains.
        let residual = std::f64::consts::PI.powi(2) / 3.0;
        self.set_variances(&problem.layout, &minimum.point, 1.0, residual, terms);
        if self.random.iter().map(|term| term.icc).sum::<f64>() > MOST_DETERMINED {
            let all = std::mem::take(&mut self.random);
            self.singular = None;
            let largest = all.iter().max_by(|left, right| left.icc.total_cmp(&right.icc)).map(RandomEffects::name);
            let name = largest.unwrap_or_default();
            let why = "labels nearly tell whether it happens: with so few events, or so few others, their variance has no end";
            return Err(undefined(format!("{name} cannot be random: its {why}")));
        }
        self.set_deviance(deviance);
        self.set_explained(design, estimates.fixed.as_slice(), residual);
        let leave = |(log_odds, &event): (f64, &bool)| {
            let probability = logistic(log_odds);
            let weight = (probability * (1.0 - probability)).max(f64::MIN_POSITIVE);
            let left = f64::from(u8::from(event)) - probability;
            let response = log_odds + left / weight;
            Left { fitted: probability, residual: left / weight.sqrt(), response, weight }
        };
        let predictor = predictor(design, estimates.fixed.as_slice(), terms, &estimates.modes);
        let left = predictor.into_iter().zip(events).map(leave).collect();
        let theta = &minimum.point[..problem.layout.n_theta()];
        self.set_modes(terms, estimates.modes);
        let df = between_within(design, terms);
        let known = Uncertainty::known(estimates.fixed, estimates.covariance, df);
        let (layout, basis, errors) = (&problem.layout, &problem.basis, known.errors());
        self.diagnostics = Fit { layout, basis, terms, theta, errors, left }.diagnostics();
        self.complete(design, known, minimum)
    }

    /// Sets the result of the optimiser, and the tests of the fixed effects.
    fn complete(&mut self, design: &Design, known: Uncertainty, minimum: Minimum) -> Result<(), NotEstimable> {
        self.n_evaluations = minimum.n_evaluations;
        for (column, name) in design.names().iter().enumerate() {
            let weights = DVector::from_fn(design.names().len(), |place, _| f64::from(u8::from(place == column)));
            self.fixed.push(known.contrast(name, &weights, self.confidence));
        }
        self.uncertainty = Some(known);
        self.converged = minimum.converged;
        minimum.why.map_or(Ok(()), |why| Err(undefined(why)))
    }

    fn set_modes(&mut self, terms: &[RandomTerm], modes: Vec<DMatrix<f64>>) {
        for (term, modes) in terms.iter().zip(modes) {
            let sizes = term.grouping.sizes();
            for (label, (name, n)) in term.grouping.labels.iter().zip(sizes).enumerate() {
                let mode = |(effect, name_of_effect): (usize, &String)| Mode {
                    factor: term.grouping.name.clone(),
                    label: name.clone(),
                    effect: name_of_effect.clone(),
                    n,
                    mode: modes[(label, effect)],
                };
                self.modes.extend(term.effects.names().iter().enumerate().map(mode));
            }
        }
    }

    fn set_deviance(&mut self, deviance: f64) {
        let k = self.n_parameters as f64;
        self.deviance = Some(deviance);
        self.log_likelihood = Some(-0.5 * deviance);
        self.aic = Some(deviance + 2.0 * k);
        self.bic = Some(deviance + (self.n as f64).ln() * k);
    }

    /// Covariances in multiples of `unit`, and shares beside a `residual` variance.
    fn set_variances(&mut self, layout: &Layout, theta: &[f64], unit: f64, residual: f64, terms: &[RandomTerm]) {
        let theta = &theta[..layout.n_theta()];
        // The columns of the random effects have a mean square of 1 where θ is measured: θ² is a variance on average.
        let all: f64 = theta.iter().map(|theta| theta * theta * unit).sum();
        let is_free = layout.is_free(theta);
        let entries: Vec<Entry> = layout.entries().collect();
        let row = |(place, (term, relative)): (usize, (&RandomTerm, DMatrix<f64>))| {
            let parameters = || (0..theta.len()).filter(|&k| entries[k].term == place);
            RandomEffects {
                factor: term.grouping.name.clone(),
                n_labels: term.grouping.labels.len(),
                effects: term.effects.names().to_vec(),
                covariance: relative.row_iter().map(|row| row.iter().map(|value| value * unit).collect()).collect(),
                correlated: term.correlated,
                singular: parameters().any(|k| !is_free[k]),
                icc: parameters().map(|k| theta[k] * theta[k] * unit).sum::<f64>() / (residual + all),
            }
        };
        self.random = terms.iter().zip(layout.covariances(theta)).enumerate().map(row).collect();
        self.singular = Some(self.random.iter().any(|term| term.singular));
    }

    fn set_explained(&mut self, design: &Design, fixed: &[f64], residual: f64) {
        let mut fitted = vec![0.0; self.n];
        for (column, effect) in design.columns().zip(fixed) {
            fitted.iter_mut().zip(column).for_each(|(sum, value)| *sum += value * effect);
        }
        let mean = crate::numeric::moments::mean(&fitted);
        let by_fixed = fitted.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (self.n - 1) as f64;
        let icc: f64 = self.random.iter().map(|term| term.icc).sum();
        // What is random and residual together, of which the residuals have the share 1 − icc.
        let total = by_fixed + residual / (1.0 - icc);
        self.r2_marginal = Some(by_fixed / total);
        self.r2_conditional = Some(1.0 - residual / total);
    }
}

fn check(n: usize, design: &Design, terms: &[RandomTerm]) -> Result<(), NotEstimable> {
    if design.n() != n {
        let (left_name, right_name) = ("y", "the design");
        return Err(NotEstimable::UnequalLengths { left_name, left: n, right_name, right: design.n() });
    }
    if terms.is_empty() || terms.len() > MOST_TERMS {
        let (quantity, value) = ("the number of random terms", terms.len().to_string());
        return Err(NotEstimable::OutOfRange { quantity, value, allowed: "from 1 to 6" });
    }
    let n_theta = n_covariances(terms);
    if n_theta > MOST_COVARIANCES {
        let (quantity, value) = ("the number of variances and covariances of random effects", n_theta.to_string());
        return Err(NotEstimable::OutOfRange { quantity, value, allowed: "at most 30" });
    }
    check_count("a mixed model", "observations", n, (design.names().len() + 2).max(n_theta + 1))?;
    for (place, RandomTerm { grouping, effects, .. }) in terms.iter().enumerate() {
        for right in [grouping.codes.len(), effects.n()] {
            if right != n {
                let (left_name, left, right_name) = ("y", n, "a random term");
                return Err(NotEstimable::UnequalLengths { left_name, left, right_name, right });
            }
        }
        let (name, n_labels) = (&grouping.name, grouping.labels.len());
        if effects.names().is_empty() {
            return Err(undefined(format!("the random term of {name} has no effects")));
        }
        if n_labels < 2 {
            return Err(undefined(format!("all observations have the same {name}")));
        }
        if n_labels == n {
            return Err(undefined(format!("each observation has a {name} of its own, like a residual")));
        }
        let n_effects = n_labels * effects.names().len();
        if n_effects >= n {
            return Err(undefined(format!(
                "there are {n_effects} random effects of {name}, not fewer than observations"
            )));
        }
        for other in &terms[..place] {
            if other.grouping == *grouping {
                if let Some(twice) = effects.names().iter().find(|effect| other.effects.names().contains(effect)) {
                    return Err(undefined(format!("{twice} of {name} is random in two terms")));
                }
            } else if other.grouping.divides_as(grouping) {
                return Err(undefined(format!("{} and {name} divide the observations alike", other.grouping.name)));
            }
        }
    }
    Ok(())
}

/// Number of variances and covariances of the random effects.
/// What fixed and random effects make of each observation.
fn predictor(design: &Design, fixed: &[f64], terms: &[RandomTerm], modes: &[DMatrix<f64>]) -> Vec<f64> {
    let mut predictor = vec![0.0; design.n()];
    for (column, effect) in design.columns().zip(fixed) {
        predictor.iter_mut().zip(column).for_each(|(sum, value)| *sum += value * effect);
    }
    for (term, modes) in terms.iter().zip(modes) {
        for (effect, column) in term.effects.columns().enumerate() {
            let of_rows = predictor.iter_mut().zip(column).zip(&term.grouping.codes);
            of_rows.for_each(|((sum, value), &code)| *sum += value * modes[(code, effect)]);
        }
    }
    predictor
}

fn n_covariances(terms: &[RandomTerm]) -> usize {
    terms.iter().map(n_covariances_of).sum()
}

fn n_covariances_of(term: &RandomTerm) -> usize {
    let q = term.effects.names().len();
    if term.correlated { q * (q + 1) / 2 } else { q }
}

/// The degrees of freedom of each fixed effect by the between-within method (Schluchter & Elashoff, 1990, *Journal of
/// Statistical Computation and Simulation*, 37, 69–87; Li & Redden, 2015, *BMC Medical Research Methodology*, 15, 38): an
/// effect that is constant within the labels of a factor has those of a regression over labels, the number of labels less
/// that of such effects. So have a random slope and its products with what is constant within labels, for which each label
/// has one slope. Of several factors the fewest count, and without any of them they are infinite. With 0, as where each
/// condition has one person, nothing tells an effect from what labels have of their own. Tests of log odds have these
/// degrees of freedom, or are against the normal distribution.
fn between_within(design: &Design, terms: &[RandomTerm]) -> Vec<f64> {
    let columns: Vec<Vec<f64>> = design.columns().collect();
    let mut least = vec![f64::INFINITY; columns.len()];
    for RandomTerm { grouping, effects, .. } in terms {
        let ones = vec![1.0; design.n()];
        for values in effects.columns().chain([ones]) {
            let is_own: Vec<bool> = columns.iter().map(|column| grouping.is_multiple(column, &values)).collect();
            let n_own = is_own.iter().filter(|is_own| **is_own).count() as f64;
            let df = (grouping.labels.len() as f64 - n_own).max(0.0);
            least.iter_mut().zip(is_own).filter(|(_, is_own)| *is_own).for_each(|(bound, _)| *bound = bound.min(df));
        }
    }
    least
}

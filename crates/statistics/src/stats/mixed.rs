//! Linear mixed model with crossed random intercepts, such as participant and level.
//!
//! y = Xβ + Σ b(factor) + ε, where each label of each factor has its own intercept, normal with a
//! variance of its own, and ε is normal with one variance. Estimated by restricted maximum
//! likelihood (Patterson & Thompson, 1971, *Biometrika*, 58, 545–554) or by maximum likelihood, from
//! the deviance profiled over θ, the standard deviations of the intercepts relative to the residual's
//! (Bates, Mächler, Bolker & Walker, 2015, *Journal of Statistical Software*, 67(1)). Checked against R's
//! lme4 and lmerTest.
//!
//! The search for θ has no random part: the same data give the same digits.

use serde::{Deserialize, Serialize};

mod basis;
mod derivative;
mod design;
mod estimators;
mod inference;
mod optimise;
mod profile;
mod sentence;

pub use design::{Design, Grouping};
pub use estimators::*;

use super::{Confidence, NotEstimable, check_count, check_values};
use design::Term;
use inference::Uncertainty;
use nalgebra::{DMatrix, DVector};
use profile::{Problem, Solution};

/// Problems are refused where (a + b) b² exceeds this, for a labels of the largest factor and b
/// labels and columns besides: one evaluation, of some hundred, would take seconds.
pub const MOST_WORK: f64 = 2e9;

/// More grouping factors than this are refused.
pub const MOST_FACTORS: usize = 3;

/// What the variances maximise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Criterion {
    /// Restricted maximum likelihood: the variances account for the fixed effects having been
    /// estimated. Models with different fixed effects cannot be compared by it.
    #[default]
    Reml,
    /// Maximum likelihood: variances too small, but likelihoods that can be compared.
    Ml,
}

/// A linear mixed model.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MixedModel {
    /// What the variances maximise.
    pub criterion: Criterion,
    /// Number of observations.
    pub n: usize,
    /// The fixed effects in the order of the design; empty if there is no fit.
    pub fixed: Vec<Effect>,
    /// The random intercepts in the order of the factors; empty if there is no fit.
    pub random: Vec<RandomIntercept>,
    /// Standard deviation of the residuals, in the unit of y.
    pub residual_sd: Option<f64>,
    /// −2 times the log-likelihood: lme4's REML criterion, or its deviance.
    pub deviance: Option<f64>,
    /// The log-likelihood, restricted or not.
    pub log_likelihood: Option<f64>,
    /// Number of parameters: fixed effects, variances of intercepts, and the residual variance.
    pub n_parameters: usize,
    /// Akaike information criterion (AIC), deviance + 2 · `n_parameters`.
    pub aic: Option<f64>,
    /// Bayesian information criterion (BIC), deviance + ln n · `n_parameters`, with n observations as in lme4.
    pub bic: Option<f64>,
    /// Share of the variance that the fixed effects explain (Nakagawa & Schielzeth, 2013, *Methods
    /// in Ecology and Evolution*, 4, 133–142). The variance of the fitted fixed part divides by n − 1.
    pub r2_marginal: Option<f64>,
    /// Share that fixed effects and random intercepts explain together (same source).
    pub r2_conditional: Option<f64>,
    /// Whether a variance of random intercepts is estimated as 0. Such a fit is one without this
    /// factor; its other numbers hold.
    pub singular: Option<bool>,
    /// Whether the optimiser converged to a minimum of the deviance.
    pub converged: bool,
    /// Number of times the deviance was evaluated to get there.
    pub n_evaluations: usize,
    /// Confidence level of the intervals.
    pub confidence: Confidence,
    /// Why the first of the absent values is absent, or why the search did not converge.
    pub reason: Option<NotEstimable>,
    #[serde(skip)]
    terms: Vec<Term>,
    #[serde(skip)]
    modes: Vec<Mode>,
    #[serde(skip)]
    uncertainty: Option<Uncertainty>,
}

/// A fixed effect, or a contrast of several, with its test and interval.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Effect {
    /// Name of the column, or of the contrast.
    pub name: String,
    /// The effect, in the unit of y per unit of the column.
    pub estimate: Option<f64>,
    /// Its standard error.
    pub standard_error: Option<f64>,
    /// Satterthwaite's degrees of freedom of the t statistic.
    pub df: Option<f64>,
    /// The t statistic, `estimate / standard_error`.
    pub statistic: Option<f64>,
    /// Two-sided p value of the hypothesis that the effect is 0.
    pub p_value: Option<f64>,
    /// Lower end of the interval by Student's t.
    pub lower: Option<f64>,
    /// Upper end of the interval.
    pub upper: Option<f64>,
    /// Confidence level of the interval.
    pub confidence: Confidence,
    /// Why the first of the absent values is absent.
    pub reason: Option<NotEstimable>,
}

/// A joint test that several contrasts of the fixed effects are 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FTest {
    /// Name of the term or of the contrasts.
    pub name: String,
    /// The F statistic.
    pub statistic: Option<f64>,
    /// Numerator degrees of freedom: the number of contrasts, less those that follow from the others.
    pub df1: Option<usize>,
    /// Denominator degrees of freedom, by Satterthwaite's method.
    pub df2: Option<f64>,
    /// Probability of so large an F where all contrasts are 0.
    pub p_value: Option<f64>,
    /// Why the first of the absent values is absent.
    pub reason: Option<NotEstimable>,
}

/// The random intercepts of one grouping factor.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RandomIntercept {
    /// Name of the factor.
    pub name: String,
    /// Number of its labels.
    pub n_labels: usize,
    /// Variance of the intercepts.
    pub variance: f64,
    /// Standard deviation of the intercepts, in the unit of y; 0 in a singular fit.
    pub sd: f64,
    /// The standard deviation divided by the residual's.
    pub theta: f64,
    /// Intraclass correlation: the share of this variance in those of all intercepts and of the
    /// residuals, that is, without the variance of the fixed part.
    pub icc: f64,
}

/// The conditional mode of one random intercept, its best linear unbiased prediction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mode {
    /// Name of the factor.
    pub factor: String,
    /// The label, such as the participant.
    pub label: String,
    /// Number of its observations.
    pub n: usize,
    /// By how much y is expected to be above the fixed part, in the unit of y.
    pub mode: f64,
}

/// Fits y on the fixed effects of `design` with a random intercept for each label of each of the
/// one to three `groupings`.
///
/// Takes about a second for 35,000 observations, 12 columns, and factors of 500 and 100 labels; memory
/// of 16 bytes for each observation and column. Limits: [`MOST_WORK`], [`MOST_FACTORS`].
///
/// ```
/// use plymap_statistics::stats::Confidence;
/// use plymap_statistics::stats::mixed::{Criterion, Design, Grouping, mixed_model};
///
/// let seconds = [2.0, 3.1, 4.2, 2.9, 4.1, 5.3, 1.2, 2.4, 2.9, 3.3, 4.0, 5.4];
/// let moves = [1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1.0, 2.0, 3.0];
/// let participant = ["a", "a", "a", "b", "b", "b", "c", "c", "c", "d", "d", "d"];
/// let design = Design::with_intercept(12).numeric("moves", &moves)?;
/// let groupings = [Grouping::new("participant", &participant)];
/// let model = mixed_model(&seconds, &design, &groupings, Criterion::Reml, Confidence::default());
/// assert!(model.converged && model.singular == Some(false));
/// // Every participant has the same moves, so that the slope is that of the means.
/// assert!((model.fixed[1].estimate.unwrap() - 1.05).abs() < 1e-12);
/// assert_eq!(model.fixed[1].sentence(), "b = 1.05, 95 % CI [0.88, 1.22], t(7.0) = 14.51, p < .001");
/// # Ok::<(), plymap_statistics::stats::NotEstimable>(())
/// ```
pub fn mixed_model(
    y: &[f64],
    design: &Design,
    groupings: &[Grouping],
    criterion: Criterion,
    confidence: Confidence,
) -> MixedModel {
    let mut model = MixedModel {
        criterion,
        n: y.len(),
        n_parameters: design.names().len() + groupings.len() + 1,
        confidence,
        terms: design.terms().to_vec(),
        ..MixedModel::default()
    };
    let fitted = check(y, design, groupings).and_then(|()| model.fit(y, design, groupings));
    model.reason = fitted.err();
    model
}

impl MixedModel {
    /// The conditional modes of all random intercepts, factor by factor, labels in alphabetical
    /// order; empty if there is no fit.
    pub fn modes(&self) -> &[Mode] {
        &self.modes
    }

    /// The contrast Σ weight · fixed effect, one weight for each of [`MixedModel::fixed`], with the
    /// test of the hypothesis that it is 0.
    pub fn contrast(&self, name: &str, weights: &[f64]) -> Effect {
        match self.checked(&[weights]) {
            Ok(known) => known.contrast(name, &DVector::from_column_slice(weights), self.confidence),
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

    /// The joint test that all columns of a term of the design have no effect, such as all contrasts
    /// of a factor. In a design without products of columns this is lmerTest's test of type 3 and of
    /// type 2.
    pub fn term_test(&self, term: &str) -> FTest {
        let columns = self.terms.iter().find(|own| own.name == term).map_or(0..0, |own| own.columns.clone());
        let row = |column: usize| (0..self.fixed.len()).map(|own| f64::from(u8::from(own == column))).collect();
        let rows: Vec<Vec<f64>> = columns.map(row).collect();
        let mut test = self.f_test(term, &rows);
        if self.uncertainty.is_some() && rows.is_empty() {
            test.reason = Some(undefined(format!("the design has no term {term}")));
        }
        test
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

    fn fit(&mut self, y: &[f64], design: &Design, groupings: &[Grouping]) -> Result<(), NotEstimable> {
        let problem = Problem::new(y, design, groupings, self.criterion)?;
        let minimum = optimise::minimise(&problem, groupings.len());
        self.n_evaluations = minimum.n_evaluations;
        let unsolved = || undefined("the likelihood cannot be computed".to_owned());
        let solution = problem.solve(&minimum.theta).ok_or_else(unsolved)?;
        let (fixed, modes) = problem.effects(&solution, &minimum.theta).ok_or_else(unsolved)?;
        self.singular = Some(minimum.theta.contains(&0.0));
        self.set_variances(&problem, &solution, &minimum.theta, groupings);
        self.set_explained(design, fixed.as_slice());
        for (grouping, modes) in groupings.iter().zip(modes) {
            let rows = grouping.labels.iter().zip(grouping.sizes()).zip(modes);
            let row = |((label, n), mode): ((&String, usize), f64)| Mode {
                factor: grouping.name.clone(),
                label: label.clone(),
                n,
                mode,
            };
            self.modes.extend(rows.map(row));
        }
        let known = Uncertainty::new(&problem, &minimum.theta, &solution, fixed).ok_or_else(unsolved)?;
        for (column, name) in design.names().iter().enumerate() {
            let weights = DVector::from_fn(problem.p, |own, _| f64::from(u8::from(own == column)));
            self.fixed.push(known.contrast(name, &weights, self.confidence));
        }
        self.uncertainty = Some(known);
        self.converged = minimum.converged;
        if let Some(why) = minimum.why {
            return Err(undefined(why));
        }
        match self.fixed.iter().find_map(|effect| effect.reason.clone()) {
            Some(reason) => Err(reason),
            None => Ok(()),
        }
    }

    fn set_variances(&mut self, problem: &Problem, solution: &Solution, theta: &[f64], groupings: &[Grouping]) {
        let residual = solution.sum_of_squares / problem.df() * problem.scale().powi(2);
        let total = residual * (1.0 + theta.iter().map(|theta| theta * theta).sum::<f64>());
        let row = |(grouping, &theta): (&Grouping, &f64)| {
            let variance = residual * theta * theta;
            let (name, n_labels) = (grouping.name.clone(), grouping.labels.len());
            RandomIntercept { name, n_labels, variance, sd: variance.sqrt(), theta, icc: variance / total }
        };
        self.random = groupings.iter().zip(theta).map(row).collect();
        self.residual_sd = Some(residual.sqrt());
        let k = self.n_parameters as f64;
        self.deviance = Some(solution.deviance);
        self.log_likelihood = Some(-0.5 * solution.deviance);
        self.aic = Some(solution.deviance + 2.0 * k);
        self.bic = Some(solution.deviance + (self.n as f64).ln() * k);
    }

    fn set_explained(&mut self, design: &Design, fixed: &[f64]) {
        let columns = design.columns();
        let fitted: Vec<f64> = (0..self.n)
            .map(|row| columns.iter().zip(fixed).map(|(column, effect)| column[row] * effect).sum())
            .collect();
        let mean = super::moments::mean(&fitted);
        let by_fixed = fitted.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (self.n - 1) as f64;
        let by_random: f64 = self.random.iter().map(|factor| factor.variance).sum();
        let total = by_fixed + by_random + self.residual_sd.unwrap_or(0.0).powi(2);
        self.r2_marginal = Some(by_fixed / total);
        self.r2_conditional = Some((by_fixed + by_random) / total);
    }
}

fn check(y: &[f64], design: &Design, groupings: &[Grouping]) -> Result<(), NotEstimable> {
    if design.n() != y.len() {
        let (left_name, right_name) = ("y", "the design");
        return Err(NotEstimable::UnequalLengths { left_name, left: y.len(), right_name, right: design.n() });
    }
    check_values("y", y)?;
    if groupings.is_empty() || groupings.len() > MOST_FACTORS {
        let (quantity, value) = ("the number of grouping factors", groupings.len().to_string());
        return Err(NotEstimable::OutOfRange { quantity, value, allowed: "1, 2 or 3" });
    }
    check_count("a mixed model", "observations", y.len(), design.names().len() + 2)?;
    for (place, grouping) in groupings.iter().enumerate() {
        if grouping.codes.len() != y.len() {
            let (left_name, left, right_name) = ("y", y.len(), "a grouping factor");
            return Err(NotEstimable::UnequalLengths { left_name, left, right_name, right: grouping.codes.len() });
        }
        let (name, n_labels) = (&grouping.name, grouping.labels.len());
        if n_labels < 2 {
            return Err(undefined(format!("all observations have the same {name}")));
        }
        if n_labels == y.len() {
            return Err(undefined(format!("each observation has a {name} of its own, like a residual")));
        }
        if let Some(other) = groupings[..place].iter().find(|other| other.divides_as(grouping)) {
            return Err(undefined(format!("{} and {name} divide the observations alike", other.name)));
        }
    }
    if y.iter().all(|&value| value == y[0]) {
        return Err(NotEstimable::NoVariance { variable: "y" });
    }
    Ok(())
}

fn undefined(why: String) -> NotEstimable {
    NotEstimable::Undefined { quantity: "the mixed model", why }
}

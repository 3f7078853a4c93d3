//! Fits of models of choice to the decisions of one participant, by maximum likelihood.
//!
//! The conditional logit models (chance, soft-optimal, look-ahead, hill-climbing) have a concave log-likelihood; one
//! run of Newton's method finds its maximum. So have lapse-optimal and and-or-lapse without habits. With habits, and
//! with chains of thought of several steps, there may be a second maximum, and the best of three starts is taken; for
//! rollouts, of the three best points of a grid. The whole numbers k and d are found by trying all values that the
//! decisions hold; the number of rollouts is the better of those around the maximum.
//!
//! McFadden (1974). Conditional logit analysis of qualitative choice behavior. In P. Zarembka (Ed.),
//! *Frontiers in econometrics*, 105–142. Akaike (1974). *IEEE Transactions on Automatic Control*, 19,
//! 716–723. Schwarz (1978). *Annals of Statistics*, 6, 461–464.

use plymap_statistics::apa;
use plymap_statistics::inference::Confidence;
use plymap_statistics::not_estimable::{NotEstimable, check_count};
use rayon::prelude::*;
use serde::Serialize;

use crate::climb::{Climb, Tried};
use crate::decisions::Decisions;
use crate::design::Design;
use crate::design::grouping::Eureka;
use crate::estimate::{Estimate, FitOptions, estimates};
use crate::model::{Model, Parameter, ParameterValues, Rule};

/// A model fitted to the decisions of a participant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelFit {
    /// The model.
    pub model: Model,
    /// Number of decisions.
    pub n: usize,
    /// Number of levels on which they were made.
    pub n_levels: usize,
    /// Its parameters, in the order of [`Model::parameters`].
    pub parameters: Vec<Estimate>,
    /// The values at which the likelihood is taken. Where it is monotone, a value at which it
    /// has reached its limit; where no decision depends on a parameter, any.
    pub values: ParameterValues,
    /// Number of parameters, whole numbers included, on which some decision depends; of those that
    /// are not identified separately, one fewer. One whose estimate is infinite counts.
    pub n_parameters: usize,
    /// Maximised ln L.
    pub log_likelihood: Option<f64>,
    /// ln L of chance without habits: −Σ ln n_legal.
    pub log_likelihood_chance: Option<f64>,
    /// ln L for each decision.
    pub mean_log_likelihood: Option<f64>,
    /// 2 · n_parameters − 2 ln L (Akaike, 1974).
    pub aic: Option<f64>,
    /// n_parameters · ln n − 2 ln L (Schwarz, 1978), n the number of decisions.
    pub bic: Option<f64>,
    /// 1 − ln L / ln L of chance (McFadden, 1974), from 0 of chance itself; absent where every move was forced.
    pub r_squared: Option<f64>,
    /// True if the maximum was reached.
    pub converged: bool,
    /// Iterations of Newton's method in the best run.
    pub n_iterations: usize,
    /// Number of optimiser runs, over all starts and whole numbers.
    pub n_starts: usize,
    /// Confidence level of the intervals.
    pub confidence: Confidence,
    /// Reason why there is no fit, or why it cannot be trusted.
    pub reason: Option<NotEstimable>,
}

/// Fits a model to the decisions of one participant.
///
/// Forced moves count as decisions, with probability 1. Each iteration passes once over all legal
/// moves; most runs take fewer than ten. Eureka and look-ahead are optimised once for each distance or depth,
/// three times with a lapse rate and habits.
///
/// ```
/// use plymap_choice::{Alternative, Decision, Decisions, FitOptions, Model, Rule, fit};
///
/// let good = Alternative { regret: Some(0.0), is_optimal: true, ..Alternative::default() };
/// let bad = Alternative { regret: Some(1.0), ..Alternative::default() };
/// let mut decisions = Decisions::new();
/// for chosen in [0, 0, 0, 1] {
///     decisions.push(&Decision { alternatives: &[good, bad], chosen, ..Decision::default() }).unwrap();
/// }
/// let soft = fit(&decisions, &Model::new(Rule::SoftOptimal), &FitOptions::default());
/// // Three of four are optimal: the odds are 3, and β is their logarithm.
/// assert!((soft.values.inverse_temperature.unwrap() - 3.0_f64.ln()).abs() < 1e-8);
/// ```
pub fn fit(decisions: &Decisions, model: &Model, options: &FitOptions) -> ModelFit {
    Prepared::new(decisions, model).fit(options)
}

/// A model at the decisions of one participant: what is alike to it is counted together once, and its maximum sought once, for
/// the fit and for all cross-validations.
pub struct Prepared<'a> {
    pub(crate) decisions: &'a Decisions,
    pub(crate) model: Model,
    pub(crate) tried: Result<Vec<Tried>, NotEstimable>,
}

impl<'a> Prepared<'a> {
    /// Climbs to the maximum, once for each whole number.
    pub fn new(decisions: &'a Decisions, model: &Model) -> Self {
        let tried = || {
            check_count("a model of choice", "decisions", decisions.n(), 1)?;
            check_model(model)?;
            let climbed = |(whole, design)| Tried { whole, climb: Climb::new(&design), design };
            Ok(designs(decisions, model)?.into_iter().map(climbed).collect())
        };
        Self { decisions, model: *model, tried: tried() }
    }

    /// The fit to all decisions; see [`fit`].
    pub fn fit(&self, options: &FitOptions) -> ModelFit {
        let mut result = ModelFit::absent(self.decisions, &self.model, options.confidence);
        result.reason =
            self.tried.as_ref().map_err(Clone::clone).and_then(|tried| result.complete(tried, options)).err();
        result
    }
}

/// Fits several models to several participants: one row for each participant, with the models in the
/// order given. Participants are fitted side by side; the result does not depend on how many threads.
pub fn fit_all(participants: &[Decisions], models: &[Model], options: &FitOptions) -> Vec<Vec<ModelFit>> {
    participants
        .par_iter()
        .map(|decisions| models.iter().map(|model| fit(decisions, model, options)).collect())
        .collect()
}

/// ln L of decisions at given values of the parameters.
///
/// # Errors
///
/// [`NotEstimable`] without decisions, for a value that is missing or out of range, and where a choice
/// has probability 0.
pub fn log_likelihood(decisions: &Decisions, model: &Model, values: &ParameterValues) -> Result<f64, NotEstimable> {
    check_count("a likelihood", "decisions", decisions.n(), 1)?;
    check_model(model)?;
    check_values(decisions, model, values)?;
    let design = Design::new(decisions, model, values);
    finite(design.log_likelihood(&design.point(values)), model)
}

/// A log-likelihood, where no choice is impossible.
pub(crate) fn finite(log_likelihood: f64, model: &Model) -> Result<f64, NotEstimable> {
    let why = || format!("a choice has probability 0 under the model {model}");
    let impossible = || NotEstimable::Undefined { quantity: "the log-likelihood", why: why() };
    log_likelihood.is_finite().then_some(log_likelihood).ok_or_else(impossible)
}

/// McFadden's R². What differs from 0 by rounding is 0; below it is only a search that did not converge.
fn r_squared(value: f64, chance: f64) -> Option<f64> {
    const ROUNDING: f64 = 1e-12;
    let share = 1.0 - value / chance;
    (chance < 0.0).then_some(if share.abs() < ROUNDING { 0.0 } else { share })
}

/// ln L of chance.
pub(crate) fn chance(decisions: &Decisions) -> f64 {
    -(0..decisions.n()).map(|decision| (decisions.n_legal(decision) as f64).ln()).sum::<f64>()
}

pub(crate) fn check_model(model: &Model) -> Result<(), NotEstimable> {
    if (0.0..=1e12).contains(&model.dead_end_regret) {
        return Ok(());
    }
    let (quantity, allowed) = ("the regret of a dead end", "a number from 0 to 1e12");
    Err(NotEstimable::OutOfRange { quantity, value: model.dead_end_regret.to_string(), allowed })
}

/// Refuses values of parameters that are missing or make no sense.
pub(crate) fn check_values(decisions: &Decisions, model: &Model, values: &ParameterValues) -> Result<(), NotEstimable> {
    for parameter in model.parameters() {
        let (lower, upper) = parameter.range();
        let (value, allowed) = match values.get(parameter) {
            None if parameter.is_weight() => continue,
            None => ("absent".to_owned(), "given"),
            Some(value) if !(value.is_finite() && value >= lower && value <= upper) => (
                value.to_string(),
                match parameter {
                    own if own.is_probability() => "from 0 to 1",
                    Parameter::Rollouts => "from 1 to 10,000,000,000",
                    Parameter::RolloutLength => "from 1.0003 to 2,981",
                    _ => "finite, and not negative but for weights",
                },
            ),
            Some(value)
                if parameter == Parameter::Depth && !decisions.depths().iter().any(|&d| f64::from(d) == value) =>
            {
                (value.to_string(), "one of the depths of the decisions")
            }
            Some(_) => continue,
        };
        return Err(NotEstimable::OutOfRange { quantity: parameter.name(), value, allowed });
    }
    Ok(())
}

impl ModelFit {
    fn absent(decisions: &Decisions, model: &Model, confidence: Confidence) -> Self {
        Self {
            model: *model,
            n: decisions.n(),
            n_levels: decisions.levels().len(),
            parameters: Vec::new(),
            values: ParameterValues::default(),
            n_parameters: 0,
            log_likelihood: None,
            log_likelihood_chance: (decisions.n() > 0).then(|| chance(decisions)),
            mean_log_likelihood: None,
            aic: None,
            bic: None,
            r_squared: None,
            converged: false,
            n_iterations: 0,
            n_starts: 0,
            confidence,
            reason: None,
        }
    }

    fn complete(&mut self, tried: &[Tried], options: &FitOptions) -> Result<(), NotEstimable> {
        let nothing = NotEstimable::Undefined { quantity: "a model of choice", why: "nothing to try".to_owned() };
        let best = Tried::best(tried).ok_or(nothing)?;
        self.values = best.values();
        let maximum = &best.climb.maximum;
        self.n_starts = tried.iter().map(|attempt| attempt.climb.n_starts).sum();
        self.n_iterations = maximum.n_iterations;
        self.converged = maximum.converged;
        (self.parameters, self.n_parameters) = estimates(best, &self.model, tried, options);
        self.set_likelihood(maximum.local.value);
        if self.converged {
            return Ok(());
        }
        let why = format!("the optimiser did not converge in {} steps", self.n_iterations);
        Err(NotEstimable::Undefined { quantity: "the maximum of the likelihood", why })
    }

    fn set_likelihood(&mut self, value: f64) {
        let (n, n_parameters) = (self.n as f64, self.n_parameters as f64);
        self.log_likelihood = Some(value);
        self.mean_log_likelihood = Some(value / n);
        self.aic = Some(2.0 * n_parameters - 2.0 * value);
        self.bic = Some(n_parameters * n.ln() - 2.0 * value);
        self.r_squared = self.log_likelihood_chance.and_then(|chance| r_squared(value, chance));
    }

    /// `lapse-optimal: λ = .35, 95 % CI [.31, .39], ln L = −812.45, AIC = 1626.90, BIC = 1631.20,
    /// R² = .41, n = 402`.
    pub fn sentence(&self) -> String {
        let (Some(value), Some(aic), Some(bic)) = (self.log_likelihood, self.aic, self.bic) else {
            return apa::not_estimable(&self.model.key(), self.n, self.reason.as_ref());
        };
        let mut text = format!("{}: ", self.model);
        for parameter in &self.parameters {
            let symbol = parameter.parameter.symbol();
            let number = |value| match parameter.parameter {
                Parameter::Lapse | Parameter::Stopping => apa::bounded(value, 2),
                Parameter::Rollouts => apa::number(value, 0),
                whole if whole.is_whole() => apa::number(value, 0),
                _ => apa::number(value, 2),
            };
            text += &match parameter.estimate {
                Some(value) => {
                    let interval = apa::interval(self.confidence, parameter.lower.zip(parameter.upper), number);
                    format!("{symbol} = {}{interval}, ", number(value))
                }
                None if parameter.at_boundary => format!("{symbol} without finite estimate, "),
                None => format!("{symbol} not estimable, "),
            };
        }
        let number = |value| apa::number(value, 2);
        text += &format!("ln L = {}, AIC = {}, BIC = {}", number(value), number(aic), number(bic));
        if let Some(r_squared) = self.r_squared {
            text += &format!(", R² = {}", apa::bounded(r_squared, 2));
        }
        text += &format!(", n = {}", apa::count(self.n));
        if self.converged { text } else { text + " (not converged)" }
    }
}

/// The designs of a model, one for each whole number.
fn designs(decisions: &Decisions, model: &Model) -> Result<Vec<(ParameterValues, Design)>, NotEstimable> {
    let candidates = candidates(decisions, model)?.into_iter();
    if model.rule == Rule::Eureka {
        // Grouped once: the distance changes only the decisions in which optimal moves are seen.
        let eureka = Eureka::new(decisions, model);
        let within = |whole: ParameterValues| (whole, eureka.within(whole.eureka_distance.unwrap_or_default()));
        return Ok(candidates.map(within).collect());
    }
    Ok(candidates.map(|whole| (whole, Design::new(decisions, model, &whole).grouped())).collect())
}

/// The values of the whole-number parameter that are tried, ascending.
fn candidates(decisions: &Decisions, model: &Model) -> Result<Vec<ParameterValues>, NotEstimable> {
    let none = ParameterValues::default();
    match model.rule {
        Rule::Eureka => {
            // Only distances that were met: between two of them, no decision changes and the likelihood stays the same.
            let mut distances: Vec<u32> = (0..decisions.n()).filter_map(|index| decisions.distance(index)).collect();
            distances.sort_unstable();
            distances.dedup();
            check_count("eureka", "decisions with a distance", distances.len(), 1)?;
            let within = |distance| ParameterValues { eureka_distance: Some(distance), ..none };
            Ok(distances.into_iter().map(within).collect())
        }
        Rule::LookAhead => {
            let mut depths = decisions.depths().to_vec();
            depths.sort_unstable();
            depths.dedup();
            check_count("look-ahead", "depths", depths.len(), 1)?;
            Ok(depths.into_iter().map(|depth| ParameterValues { depth: Some(depth), ..none }).collect())
        }
        _ => Ok(vec![none]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decisions::{Alternative, Decision};

    /// Decisions among many numbers of moves, whose logarithms do not add up without rounding.
    fn decisions(is_random: bool) -> Decisions {
        let with_regret =
            |regret: f64| Alternative { regret: Some(regret), is_optimal: regret == 0.0, ..Alternative::default() };
        let mut decisions = Decisions::new();
        for index in 0..500_usize {
            let alternatives: Vec<Alternative> = (0..3 + index % 7).map(|regret| with_regret(regret as f64)).collect();
            let chosen = if is_random { (index / 7) % alternatives.len() } else { 0 };
            let decision = Decision {
                alternatives: &alternatives,
                chosen,
                distance: Some(4),
                level: index as u32 % 5,
                circles: &[],
            };
            decisions.push(&decision).unwrap();
        }
        decisions
    }

    #[test]
    fn chance_explains_nothing_and_no_model_less() {
        for is_random in [false, true] {
            let chance = fit(&decisions(is_random), &Model::new(Rule::Chance), &FitOptions::default());
            assert_eq!(chance.r_squared, Some(0.0));
            assert!(chance.sentence().contains("R² = .00"), "{}", chance.sentence());
        }
        for rule in [Rule::LapseOptimal, Rule::Eureka, Rule::SoftOptimal] {
            let [random, best] = [true, false].map(|is_random| {
                fit(&decisions(is_random), &Model::new(rule), &FitOptions::default()).r_squared.unwrap()
            });
            assert!((0.0..0.05).contains(&random) && best > 0.9, "{rule:?}: {random}, {best}");
        }
    }

    #[test]
    fn rounding_makes_no_r_squared_below_zero() {
        let nearly = |factor: f64| r_squared(-1000.0 * factor, -1000.0);
        assert_eq!([nearly(1.0 + 4e-15), nearly(1.0 - 4e-15)], [Some(0.0); 2]);
        assert!(nearly(1.2).is_some_and(|r_squared| (r_squared + 0.2).abs() < 1e-12));
        assert_eq!((nearly(0.75), r_squared(0.0, 0.0)), (Some(0.25), None));
    }
}

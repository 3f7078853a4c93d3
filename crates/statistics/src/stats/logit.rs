//! Logistic regression of a yes-or-no outcome on covariates, by maximum likelihood.

use nalgebra::{DMatrix, DVector};
use serde::Serialize;

use super::bias_reduced::{BiasReduced, LinearisedFit};
use super::covariate::*;
use super::regression_fit::RegressionFit;
use crate::estimator::fit::{Fitted, Model, Part, Rows};
use crate::estimator::sample::Sample;
use crate::estimator::{Estimate, Estimator, Kind, NAME_PARTICIPANTS, Need, Role};
use crate::inference::Confidence;
use crate::not_estimable::{NotEstimable, check_count};
use crate::numeric::distribution::{logistic, softplus};
use crate::numeric::newton::{Concave, Local, Maximum, maximise};
use crate::record::*;
use crate::stats::predictors::{model_of_events, numbered};

/// A logistic regression.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Logit {
    /// The effects of the covariates on the log odds, whose ratios are odds ratios.
    pub fit: RegressionFit,
    /// Log odds of the event where all covariates are 0; absent with the effects.
    pub intercept: Option<Effect>,
}

/// Fits the log odds of an event as a sum of effects of covariates, by Newton's method.
///
/// With `clusters`, the cluster (such as the participant) of each observation, the standard errors
/// allow for dependence within clusters, also where these are few: the bias-reduced linearisation CR2
/// of Bell & McCaffrey (2002), with Student's t and Satterthwaite's degrees of freedom for each effect
/// (Pustejovsky & Tipton, 2018), as clubSandwich's `coef_test(vcov = "CR2")` of a binomial `glm`. Degrees of
/// freedom are few, down to 1, for effects between few clusters, or where some clusters decide. Where
/// one cluster alone determines an effect, as that of a condition with one participant, nothing tells how
/// clusters would differ there, and the standard error is too small. Where a covariate separates events from others,
/// no maximum exists: the result says so and names the covariate (Albert & Anderson, 1984).
///
/// Cox (1958). The regression analysis of binary sequences. *Journal of the Royal Statistical
/// Society B*, 20, 215–242. Albert & Anderson (1984). On the existence of maximum likelihood
/// estimates in logistic regression models. *Biometrika*, 71, 1–10. Bell & McCaffrey (2002). Bias
/// reduction in standard errors for linear regression with multi-stage samples. *Survey Methodology*,
/// 28, 169–181. Pustejovsky & Tipton (2018). Small-sample methods for cluster-robust variance estimation
/// and hypothesis testing in fixed effects models. *Journal of Business & Economic Statistics*, 36,
/// 672–683. Time grows with n · p² for p covariates, and with G clusters besides with some 20 to 120
/// times n · p² + G · p³; memory with n · p + p³.
///
/// ```
/// use plymap_statistics::stats::{Confidence, covariate::Covariate, logit::logit};
///
/// let distance = [1.0, 2.0, 2.0, 3.0, 4.0, 5.0, 6.0, 6.0];
/// let error = [false, false, true, false, true, false, true, true];
/// let model = logit(&error, &[Covariate { name: "distance", values: &distance }], None, Confidence::default());
/// assert!(model.fit.maximum.is_some() && model.fit.effects()[0].ratio > 1.0);
/// ```
pub fn logit(events: &[bool], covariates: &[Covariate], clusters: Option<&[usize]>, confidence: Confidence) -> Logit {
    let mut result = Logit { fit: RegressionFit::new(events, confidence), intercept: None };
    result.fit.outcome = result.complete(events, covariates, clusters);
    result
}

impl Logit {
    /// Probability of the event for one value of each covariate, in the order of the effects; absent
    /// where the model is, or the number of values differs.
    pub fn probability(&self, values: &[f64]) -> Option<f64> {
        let intercept = self.intercept.as_ref()?.estimate;
        let effects = self.fit.effects();
        if values.len() != effects.len() {
            return None;
        }
        let log_odds: f64 =
            intercept + effects.iter().zip(values).map(|(effect, value)| effect.estimate * value).sum::<f64>();
        Some(1.0 / (1.0 + (-log_odds).exp())).filter(|probability| !probability.is_nan())
    }

    /// Each covariate in the style of a paper, as of [`RegressionFit::sentence`] with odds ratios.
    pub fn sentence(&self) -> String {
        self.fit.sentence("OR")
    }

    fn complete(
        &mut self,
        events: &[bool],
        covariates: &[Covariate],
        clusters: Option<&[usize]>,
    ) -> Result<Vec<Effect>, NotEstimable> {
        let quantity = "a logistic regression";
        let (n, n_events) = (self.fit.n, self.fit.n_events);
        check_count(quantity, "observations with the event", n_events, 1)?;
        check_count(quantity, "observations without the event", n - n_events, 1)?;
        clusters.map_or(Ok(()), |clusters| self.fit.set_clusters(clusters))?;
        let design = Design::new(covariates, n)?;
        check_count(quantity, "observations", n, design.len() + 2)?;
        let share = n_events as f64 / n as f64;
        let null = n as f64 * (share * share.ln() + (1.0 - share) * (1.0 - share).ln());
        self.fit.log_likelihood_null = Some(null);
        let likelihood = Likelihood { design, events };
        let maximum = maximise(&likelihood, likelihood.design.len() + 1)?;
        self.fit.set_maximum(&maximum, null, likelihood.design.len());
        let plain = inverse(&maximum.local.information).ok_or(NotEstimable::Undefined {
            quantity: "the standard errors of a logistic regression",
            why: "the information matrix is singular".to_owned(),
        })?;
        let to_units = to_units(&likelihood.design);
        let robust = match clusters {
            Some(clusters) => Some(likelihood.bias_reduced(&maximum, &plain, clusters, &to_units)?),
            None => None,
        };
        self.set_effects(&likelihood.design, &maximum, &to_units, &plain, robust.as_ref())
    }

    /// Effects in the units of the data from those of the standardised covariates.
    fn set_effects(
        &mut self,
        design: &Design,
        maximum: &Maximum,
        to_units: &DMatrix<f64>,
        plain: &DMatrix<f64>,
        robust: Option<&BiasReduced>,
    ) -> Result<Vec<Effect>, NotEstimable> {
        let p = design.len();
        let in_units = |covariance: &DMatrix<f64>| to_units * covariance * to_units.transpose();
        let covariance = robust.map_or(plain, |robust| &robust.covariance);
        let unit_covariance = in_units(covariance);
        if robust.is_some() {
            check_robust(&unit_covariance, &in_units(plain))?;
        }
        let estimates = to_units * &maximum.point;
        let errors = unit_covariance.diagonal().map(f64::sqrt);
        let confidence = self.fit.confidence;
        let effect = |number: usize, name: &str| {
            let effect = Effect::new(name, estimates[number], errors[number], confidence);
            match robust {
                Some(robust) => effect.with_student(errors[number], robust.df[number], confidence),
                None => effect,
            }
        };
        self.intercept = Some(effect(0, "intercept"));
        let slopes = maximum.point.rows(1, p).into_owned();
        let wald = joint_test(&slopes, &covariance.view((1, 1), (p, p)).into_owned());
        self.fit.set_wald(wald, robust.map(|robust| &robust.df.as_slice()[1..]));
        Ok(design.names.iter().enumerate().map(|(column, name)| effect(column + 1, name)).collect())
    }
}

/// The matrix that makes coefficients in the units of the data from those of the standardised covariates.
fn to_units(design: &Design) -> DMatrix<f64> {
    let p = design.len();
    let mut to_units = DMatrix::identity(p + 1, p + 1);
    for column in 0..p {
        to_units[(column + 1, column + 1)] = 1.0 / design.scales[column];
        to_units[(0, column + 1)] = -design.means[column] / design.scales[column];
    }
    to_units
}

struct Likelihood<'a> {
    design: Design,
    events: &'a [bool],
}

impl Likelihood<'_> {
    fn log_odds(&self, row: usize, point: &DVector<f64>) -> f64 {
        point[0] + self.design.row(row).iter().zip(point.iter().skip(1)).map(|(x, beta)| x * beta).sum::<f64>()
    }

    /// The covariance matrix that allows for clusters, from the inverse of the information, with degrees of freedom of
    /// the coefficients in the units of the data.
    fn bias_reduced(
        &self,
        maximum: &Maximum,
        inverse: &DMatrix<f64>,
        clusters: &[usize],
        to_units: &DMatrix<f64>,
    ) -> Result<BiasReduced, NotEstimable> {
        let (n, width) = (self.events.len(), self.design.len() + 1);
        let log_odds: Vec<f64> = (0..n).map(|row| self.log_odds(row, &maximum.point)).collect();
        let value = |place: usize, row: usize| if place == 0 { 1.0 } else { self.design.row(row)[place - 1] };
        let fitted = LinearisedFit {
            design: DMatrix::from_fn(width, n, value),
            variances: log_odds.iter().map(|&log_odds| logistic(log_odds) * logistic(-log_odds)).collect(),
            residuals: self.events.iter().zip(&log_odds).map(residual).collect(),
            root: inverse.clone().cholesky().ok_or_else(collinear)?.unpack(),
        };
        let reduced = fitted.bias_reduced(clusters, to_units).ok_or_else(collinear)?;
        if reduced.df.iter().all(|df| df.is_finite()) { Ok(reduced) } else { Err(balanced()) }
    }
}

fn collinear() -> NotEstimable {
    let why = "the covariates of a cluster are collinear but for rounding".to_owned();
    NotEstimable::Undefined { quantity: "a cluster-robust standard error", why }
}

/// Event less its probability, by the smaller of the two tails: 1 − p would lose the digits of a small p.
fn residual((&event, &log_odds): (&bool, &f64)) -> f64 {
    if event { logistic(-log_odds) } else { -logistic(log_odds) }
}

impl Concave for Likelihood<'_> {
    const NAME: &'static str = "the maximum of the likelihood";

    fn at(&self, point: &DVector<f64>) -> Local {
        let width = self.design.len() + 1;
        let mut local =
            Local { value: 0.0, gradient: DVector::zeros(width), information: DMatrix::zeros(width, width) };
        let mut row_with_one = DVector::from_element(width, 1.0);
        for (row, &event) in self.events.iter().enumerate() {
            row_with_one.as_mut_slice()[1..].copy_from_slice(self.design.row(row));
            let log_odds = self.log_odds(row, point);
            let probability = logistic(log_odds);
            let sign = if event { 1.0 } else { -1.0 };
            local.value -= softplus(-sign * log_odds);
            local.gradient.axpy(f64::from(u8::from(event)) - probability, &row_with_one, 1.0);
            // 1 − p loses its digits where p is near 1; the same from the other side does not.
            local.information.ger(probability * logistic(-log_odds), &row_with_one, &row_with_one, 1.0);
        }
        local
    }

    /// Separation: no event lies on one side of a plane, and nothing else on the other side.
    fn recedes(&self, direction: &DVector<f64>) -> Option<String> {
        let sides = self.events.iter().enumerate().map(|(row, &event)| {
            let log_odds = self.log_odds(row, direction);
            if event { log_odds } else { -log_odds }
        });
        let (least, most) =
            sides.fold((f64::INFINITY, 0.0_f64), |(least, most), side| (least.min(side), most.max(side)));
        if least < -1e-6 * most || most == 0.0 {
            return None;
        }
        let names = self.design.names_in(&direction.as_slice()[1..]);
        Some(format!(
            "the events are separated from the rest by {names}, so that the odds ratio has no finite estimate"
        ))
    }
}

/// The regression of any table.
pub const LOGISTIC: Estimator = Estimator {
    name: "logistic",
    summary: "Logistic regression of what happened or not on predictors: the effect of each on the log odds.",
    assumptions: NAME_PARTICIPANTS,
    source: "Cox (1958); participants: Bell and McCaffrey (2002), Pustejovsky and Tipton (2018).",
    roles: &[
        Need::one(Role::Event, Kind::Flag),
        Need::several(Role::Predictor, Kind::NumberOrCategory, 1),
        Need::optional(Role::Participant, Kind::Label),
    ],
    columns: joined!(
        &[
            MODEL_TERM,
            N,
            N_EVENTS,
            N_CLUSTERS,
            N_MISSING,
            ESTIMATE.means("change of the log odds per unit of the predictor; of the intercept, the log odds at 0")
        ],
        RATIO_COLUMNS,
        &[
            STATISTIC.means("t, or z where it has no degrees of freedom"),
            DF.means("degrees of freedom of t, by Satterthwaite's method, where participants are named"),
            P_VALUE.means("two-sided p of the hypothesis of no effect, from Student's distribution, or the normal one")
        ],
        CONVERGENCE_COLUMNS
    ),
    estimate: Estimate::Tables(&Model {
        fit: regression_of_sample,
        rows: |regression| {
            let row = |effect: &Effect| regression.fit.effect_record(effect, "OR");
            let intercept = regression.intercept.iter().map(|effect| row(effect).skipping_adjustment());
            intercept.chain(regression.fit.effects().iter().map(row)).collect()
        },
        parts: &[LOGISTIC_FIT],
    }),
};

/// The tests of all predictors at once.
const LOGISTIC_FIT: Part<Rows<Logit>> = Part {
    name: "logistic-fit",
    summary: "Tests of all predictors of a logistic regression at once, and McFadden's R².",
    assumptions: "The likelihood-ratio test assumes independent rows, also with --participant.",
    source: "Cox (1958); McFadden (1974).",
    columns: joined!(
        &[
            TEST.means("likelihood-ratio, or wald by the covariance matrix of the standard errors"),
            N,
            N_EVENTS,
            N_CLUSTERS,
            N_MISSING,
            R_SQUARED.means("McFadden's R²"),
            LOG_LIKELIHOOD,
            STATISTIC.means("χ²; F of the Wald test where participants are named"),
            DF.means("degrees of freedom of χ², or of the numerator of F"),
            DF2.means(
                "denominator degrees of freedom of F: the fewest of the predictors, less their number, and 1 more"
            ),
            P_VALUE
        ],
        CONVERGENCE_COLUMNS
    ),
    rows: |regression| {
        let tests = regression.fit.test_records(&[]).into_iter();
        tests.map(|row| row.set(R_SQUARED, regression.fit.mcfadden_r_squared())).collect()
    },
};

fn regression_of_sample(sample: &Sample) -> Fitted<Logit> {
    let (event, participant) = (sample.one(Role::Event), sample.maybe(Role::Participant));
    let inputs = [event].into_iter().chain(sample.all(Role::Predictor)).chain(participant);
    let complete = sample.complete(inputs);
    let clusters = participant.map(|input| numbered(&input.labels(&complete.indices)));
    let events = event.flags(&complete.indices);
    let fit = |covariates: &[Covariate]| logit(&events, covariates, clusters.as_deref(), sample.request.confidence);
    model_of_events(sample, &complete, &events, fit, |regression| regression.fit.record())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(events: &[u8], covariates: &[(&str, &[f64])]) -> Logit {
        let events: Vec<bool> = events.iter().map(|&event| event == 1).collect();
        let covariates: Vec<Covariate> = covariates.iter().map(|&(name, values)| Covariate { name, values }).collect();
        logit(&events, &covariates, None, Confidence::default())
    }

    #[test]
    fn one_yes_or_no_covariate_gives_the_odds_ratio_of_the_four_counts() {
        // 3 of 10 against 6 of 10: odds 3/7 and 6/4, whose log ratio has variance 1/3 + 1/7 + 1/6 + 1/4.
        let x: Vec<f64> = (0..20).map(|i| f64::from(u8::from(i >= 10))).collect();
        let events: Vec<u8> = (0..20).map(|i| u8::from(i < 3 || (10..16).contains(&i))).collect();
        let model = fit(&events, &[("after an error", &x)]);
        assert!((model.fit.effects()[0].ratio - 3.5).abs() < 1e-13);
        assert!(
            (model.fit.effects()[0].standard_error.powi(2) - (1.0 / 3.0 + 1.0 / 7.0 + 1.0 / 6.0 + 0.25)).abs() < 1e-13
        );
        assert!((model.probability(&[0.0]).unwrap() - 0.3).abs() < 1e-14);
        assert_eq!(model.probability(&[0.0, 1.0]), None);
        let expected = "after an error: OR = 3.50, 95 % CI [0.55, 22.30], z = 1.33, p = .185";
        assert_eq!(model.sentence(), expected);
    }

    #[test]
    fn separation_is_named_whether_complete_or_not() {
        let noise = [0.3, -0.2, 0.5, 0.1, -0.4, 0.2];
        for x in [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 2.0, 3.0, 3.0, 5.0, 6.0]] {
            let model = fit(&[0, 0, 0, 1, 1, 1], &[("x", &x)]);
            let reason = model.fit.reason().unwrap().to_string();
            assert!(reason.contains("the events are separated from the rest by x, so"), "{reason}");
            assert!(model.fit.effects().is_empty() && model.fit.maximum.is_none());
        }
        // Only those with flag 1 all have the event; the other covariate overlaps.
        let flag = [0.0, 0.0, 0.0, 0.0, 1.0, 1.0];
        let model = fit(&[0, 1, 0, 1, 1, 1], &[("noise", &noise), ("flag", &flag)]);
        let reason = model.fit.reason().unwrap().to_string();
        assert!(reason.contains("by flag, so") || reason.contains("by noise, flag, so"), "{reason}");
    }

    #[test]
    fn an_outcome_that_never_varies_or_lone_cluster_is_refused() {
        assert_eq!(
            fit(&[0, 0, 0], &[("x", &[1.0, 2.0, 3.0])]).sentence(),
            "OR not estimable, n = 3 (a logistic regression needs observations with the event, found none)"
        );
        assert!(fit(&[1, 1, 1], &[("x", &[1.0, 2.0, 3.0])]).fit.reason().is_some());
        assert!(fit(&[], &[]).fit.reason().is_some());
        assert!(fit(&[1, 0, 1], &[("x", &[1.0, f64::INFINITY, 3.0])]).fit.reason().is_some());
        let x = [Covariate { name: "x", values: &[1.0, 2.0, 3.0, 4.0] }];
        let events = [true, false, true, false];
        let alone = logit(&events, &x, Some(&[7; 4]), Confidence::default());
        assert_eq!(
            alone.fit.reason().unwrap().to_string(),
            "a cluster-robust standard error needs at least 2 clusters, found 1"
        );
        assert!(logit(&events, &x, Some(&[1, 2]), Confidence::default()).fit.reason().is_some());
        // Each cluster holds both outcomes at every value, so that its scores sum to 0.
        let x = [Covariate { name: "x", values: &[1.0, 1.0, 2.0, 2.0, 1.0, 1.0, 2.0, 2.0] }];
        let balanced = [true, false, true, false, true, false, true, false];
        let model = logit(&balanced, &x, Some(&[0, 0, 0, 0, 1, 1, 1, 1]), Confidence::default());
        assert!(model.fit.reason().unwrap().to_string().contains("the clusters balance each other"));
    }
}

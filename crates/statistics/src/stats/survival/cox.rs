//! Effects of covariates on the hazard of an event: the proportional hazards model.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector};
use serde::Serialize;

pub use super::concordance::Concordance;
use super::concordance::concordance;
use super::partial_likelihood::PartialLikelihood;
use super::proportional_hazards::{ProportionalHazards, SCALE, TimeScale, proportional_hazards};
use super::robust::Robust;
use crate::estimator::Input;
use crate::estimator::fit::{Fitted, Model, Part, Rows};
use crate::estimator::sample::Sample;
use crate::estimator::{Estimate, Estimator, Kind, Need, Role};
use crate::inference::Confidence;
use crate::not_estimable::{NotEstimable, check_count};
use crate::numeric::newton::{Concave, Maximum, maximise};
use crate::record::*;
use crate::stats::chi_squared::ChiSquaredTest;
use crate::stats::covariate::*;
use crate::stats::predictors::{model_of_events, numbered};
use crate::stats::regression_fit::RegressionFit;
use crate::stats::survival::ticks::{check_some, check_times};

/// A proportional hazards model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cox {
    /// The effects of the covariates on the log hazard, whose ratios are hazard ratios, from the partial likelihood.
    pub fit: RegressionFit,
    /// Number of clusters of the second kind, if standard errors allow for them too.
    pub n_second_clusters: Option<usize>,
    /// Number of strata, if the baseline hazard is one of its own in each.
    pub n_strata: Option<usize>,
    /// Score test of all covariates, which for one covariate of 0 and 1 without ties is the log-rank
    /// test. It takes the times as independent, also where there are clusters.
    pub score: Option<ChiSquaredTest>,
    /// Concordance of the model with the times; absent with strata.
    pub concordance: Option<Concordance>,
    #[serde(skip)]
    proportionality: Option<[ProportionalHazards; 3]>,
}

/// Fits the log hazard of an event as a baseline, left open, plus a sum of effects of covariates, by
/// Newton's method on the partial likelihood with Efron's treatment of ties.
///
/// With `clusters`, the cluster (such as the participant) of each time, the standard errors allow for dependence within
/// clusters: the sandwich of Lin & Wei (1989) summed over clusters, as R's `coxph(…, cluster = …)`, and of few clusters as
/// of many: its variance is multiplied by G / ν for G clusters, and the statistic is Student's t with ν degrees of freedom,
/// those of the unit that the covariate varies over. A covariate with one value in each cluster, such as a condition
/// between participants, has G − 1 less the number of such covariates, as in a regression over clusters, and any other
/// G − 1 (Cameron & Miller, 2015, *Journal of Human Resources*, 50, 317–372, section VI).
/// Where a covariate orders all events (a monotone likelihood), no maximum exists: the result says
/// so and names the covariate (Bryson & Johnson, 1981).
///
/// Cox (1972). Regression models and life-tables. *Journal of the Royal Statistical Society B*, 34,
/// 187–220. Efron (1977). *Journal of the American Statistical Association*, 72, 557–565. Lin & Wei
/// (1989). The robust inference for the Cox proportional hazards model. *Journal of the American
/// Statistical Association*, 84, 1074–1078. Bryson & Johnson (1981). The incidence of monotone
/// likelihood in the Cox model. *Technometrics*, 23, 381–383. The same as R's `coxph`. Time grows
/// with n · p² for p covariates, memory with n · p.
///
/// ```
/// use plymap_statistics::stats::{Confidence, covariate::Covariate, survival::cox::cox};
///
/// let seconds = [12.0, 15.0, 21.0, 30.0, 33.0, 60.0];
/// let solved = [true, true, true, true, false, true];
/// let distance = [4.0, 5.0, 3.0, 8.0, 9.0, 9.0];
/// let model = cox(&seconds, &solved, &[Covariate { name: "distance", values: &distance }], None, Confidence::default());
/// assert!(model.fit.maximum.is_some() && model.fit.effects()[0].ratio < 1.0);
/// ```
pub fn cox(
    times: &[f64],
    events: &[bool],
    covariates: &[Covariate],
    clusters: Option<&[usize]>,
    confidence: Confidence,
) -> Cox {
    cox_grouped(times, events, covariates, CoxGroups { clusters, ..CoxGroups::default() }, confidence)
}

/// Clusters and strata of the observations of a Cox model: one number for each of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct CoxGroups<'a> {
    /// Observations of one cluster (such as the participant) depend on each other.
    pub clusters: Option<&'a [usize]>,
    /// Clusters of another kind beside the first (such as the level beside the participant): standard errors are then
    /// two-way (Cameron, Gelbach & Miller, 2011, *Journal of Business & Economic Statistics*, 29, 238–249), with the degrees
    /// of freedom of the kind of cluster in each of which the covariate has one value: the levels for their distance,
    /// the participants for a condition between them; of the fewer if it is so in both, of the first if in neither.
    pub second_clusters: Option<&'a [usize]>,
    /// Observations of one stratum (such as the level) share a baseline hazard, and are compared only among
    /// themselves.
    pub strata: Option<&'a [usize]>,
}

/// As [`cox`], and with strata: each has a baseline hazard of its own, and the effects of covariates are the same
/// in all (Kalbfleisch & Prentice, 2002, *The statistical analysis of failure time data*, 2nd ed., section 4.4).
/// The same as R's `coxph(… + strata(stratum))`. A covariate that does not vary within strata has no effect that
/// could be estimated; the result says so.
pub fn cox_grouped(
    times: &[f64],
    events: &[bool],
    covariates: &[Covariate],
    groups: CoxGroups,
    confidence: Confidence,
) -> Cox {
    Cox::of_blocks(times, events, covariates, 1, groups, confidence)
}

impl Cox {
    /// Tests whether the hazard ratios stay the same over time; absent where the model is.
    pub fn proportionality(&self, scale: TimeScale) -> Option<&ProportionalHazards> {
        self.proportionality.as_ref()?.iter().find(|test| test.scale == scale)
    }

    /// Each covariate in the style of a paper, as of [`RegressionFit::sentence`] with hazard ratios.
    pub fn sentence(&self) -> String {
        self.fit.sentence("HR")
    }

    /// The model of covariates that are `n_blocks` times the same, see [`Robust::new`].
    pub(super) fn of_blocks(
        times: &[f64],
        events: &[bool],
        covariates: &[Covariate],
        n_blocks: usize,
        groups: CoxGroups,
        confidence: Confidence,
    ) -> Self {
        let mut result = Self {
            fit: RegressionFit { n: times.len(), ..RegressionFit::new(events, confidence) },
            n_second_clusters: None,
            n_strata: None,
            score: None,
            concordance: None,
            proportionality: None,
        };
        result.fit.outcome = result.complete(times, events, covariates, n_blocks, groups);
        result
    }

    fn complete(
        &mut self,
        times: &[f64],
        events: &[bool],
        covariates: &[Covariate],
        n_blocks: usize,
        CoxGroups { clusters, second_clusters, strata }: CoxGroups,
    ) -> Result<Vec<Effect>, NotEstimable> {
        check_times(times, events)?;
        check_some("a Cox model", times)?;
        check_count("a Cox model", "events", self.fit.n_events, 1)?;
        let n = self.fit.n;
        clusters.map_or(Ok(()), |clusters| self.fit.set_clusters(clusters))?;
        if let Some(strata) = strata {
            self.n_strata = Some(count_groups("the list of strata", strata, n)?);
        }
        if let Some(clusters) = second_clusters {
            let n_clusters = count_groups("the list of clusters", clusters, n)?;
            self.n_second_clusters = Some(n_clusters);
            // With no more clusters than effects, the sums of their scores are nearly 0 by the fit itself.
            let needed = covariates.len() + 2;
            check_count("a two-way cluster-robust standard error", "clusters of the second kind", n_clusters, needed)?;
        }
        let design = Design::new(covariates, n)?;
        if let Some(strata) = strata {
            check_within(covariates, strata)?;
        }
        let likelihood = PartialLikelihood::new(times, events, strata, design);
        let p = likelihood.design.len();
        let null = likelihood.at(&DVector::zeros(p));
        self.fit.log_likelihood_null = Some(null.value);
        let maximum = maximise(&likelihood, p)?;
        self.fit.set_maximum(&maximum, null.value, p);
        // The gradient at 0 in units of its own covariance matrix, the information there.
        let score = inverse(&null.information).map(|inverse| null.gradient.dot(&(inverse * &null.gradient)));
        self.score = score.map(|statistic| ChiSquaredTest::new(statistic, p));
        if strata.is_none() {
            self.concordance = concordance(times, events, &likelihood.linear(&maximum.point).0);
        }
        let plain = inverse(&maximum.local.information).ok_or(NotEstimable::Undefined {
            quantity: "the standard errors of a Cox model",
            why: "the information matrix is singular".to_owned(),
        })?;
        let kinds: Vec<&[usize]> = clusters.into_iter().chain(second_clusters).collect();
        let design = &likelihood.design;
        let effects = if kinds.is_empty() {
            self.fit.set_wald(joint_test(&maximum.point, &plain), None);
            self.effects_of(design, &maximum, &plain)
        } else {
            let Robust { covariance, df } = Robust::new(&likelihood, &maximum.point, &plain, &kinds, n_blocks)?;
            self.fit.set_wald(joint_test(&maximum.point, &covariance), Some(&df));
            let effects = self.effects_of(design, &maximum, &covariance).into_iter().zip(&df);
            effects.map(|(effect, &df)| effect.with_student(effect.standard_error, df, self.fit.confidence)).collect()
        };
        self.proportionality = Some(proportional_hazards(times, events, &likelihood, &maximum.point));
        Ok(effects)
    }

    /// Effects in the units of the data from those of the standardised covariates.
    fn effects_of(&self, design: &Design, maximum: &Maximum, covariance: &DMatrix<f64>) -> Vec<Effect> {
        let effect = |(column, name): (usize, &String)| {
            let estimate = maximum.point[column] / design.scales[column];
            let error = covariance[(column, column)].max(0.0).sqrt() / design.scales[column];
            Effect::new(name, estimate, error, self.fit.confidence)
        };
        design.names.iter().enumerate().map(effect).collect()
    }
}

/// Refuses a covariate that is the same in all observations of each stratum: only rounding would be left of it.
fn check_within(covariates: &[Covariate], strata: &[usize]) -> Result<(), NotEstimable> {
    for covariate in covariates {
        let mut first = BTreeMap::new();
        let mut pairs = covariate.values.iter().zip(strata);
        if pairs.all(|(value, stratum)| *first.entry(stratum).or_insert(value) == value) {
            let why = format!("{} does not vary within strata", covariate.name);
            return Err(NotEstimable::Undefined { quantity: "the effect of each covariate", why });
        }
    }
    Ok(())
}

const COX_CLUSTERS: Column = N_CLUSTERS
    .means("number of participants, or of items where only these are named, where standard errors are cluster-robust");
const N_SECOND_CLUSTERS: Column =
    count("n_items", "number of items, where standard errors are two-way cluster-robust, by participant and item");
const N_STRATA: Column = count("n_strata", "number of strata, each with a baseline hazard of its own; empty without");
const COX_DF: Column = DF.means(
    "degrees of freedom of t, where standard errors are cluster-robust: of a predictor with one value for each participant, number of participants less 1 and less such predictors, likewise of one for each item; of others, number of participants less 1; where two or three have one of two values, at most Welch's of two groups of equal variance",
);
const COX_COUNTS: &[Column] = &[N, N_EVENTS, COX_CLUSTERS, N_SECOND_CLUSTERS, N_STRATA, N_MISSING];
/// Harrell's C.
pub const CONCORDANCE: Column = number(
    "concordance",
    "concordance index (Harrell's C): share of pairs that the model orders correctly; empty with strata",
);
const CONCORDANCE_ERROR: Column = number("concordance_error", "its standard error");

impl Cox {
    /// The counts behind all rows of its tables.
    pub fn record(&self) -> Record {
        self.fit.record().set(N_SECOND_CLUSTERS, self.n_second_clusters).set(N_STRATA, self.n_strata)
    }
}

/// The model of any table.
pub const COX: Estimator = Estimator {
    name: "cox",
    summary: "Proportional hazards model: the effect of each predictor on the log hazard of the event.",
    assumptions: "Assumes independent rows, which those of one participant or item are not; --participant and --item \
                  account for that.",
    source: "Cox (1972); Efron (1977); participants: Lin and Wei (1989), Cameron and Miller (2015); items too: Cameron, Gelbach and Miller (2011).",
    roles: &[
        Need::one(Role::Time, Kind::Number),
        Need::one(Role::Event, Kind::Flag),
        Need::several(Role::Predictor, Kind::NumberOrCategory, 1),
        Need::optional(Role::Participant, Kind::Label),
        Need::optional(Role::Item, Kind::Label),
        Need::optional(Role::Stratum, Kind::Label),
    ],
    columns: joined!(
        &[MODEL_TERM],
        COX_COUNTS,
        &[ESTIMATE.means("change of the log hazard per unit of the predictor")],
        RATIO_COLUMNS,
        &[
            STATISTIC.means("t, or z where it has no degrees of freedom"),
            COX_DF,
            P_VALUE.means("two-sided p of the hypothesis of no effect, from Student's distribution, or the normal one")
        ],
        CONVERGENCE_COLUMNS
    ),
    estimate: Estimate::Tables(&Model {
        fit: model_of_sample,
        rows: |model| model.fit.effects().iter().map(|effect| model.fit.effect_record(effect, "HR")).collect(),
        parts: &[COX_FIT, PROPORTIONAL_HAZARDS],
    }),
};

/// The tests of all predictors at once.
const COX_FIT: Part<Rows<Cox>> = Part {
    name: "cox-fit",
    summary: "Tests of all predictors of a proportional hazards model at once, and its concordance.",
    assumptions: "Likelihood-ratio and score test assume independent rows, also with --participant or --item.",
    source: "Cox (1972); Harrell, Lee and Mark (1996).",
    columns: joined!(
        &[TEST.means("likelihood-ratio, wald or score")],
        COX_COUNTS,
        &[
            CONCORDANCE,
            CONCORDANCE_ERROR,
            LOG_LIKELIHOOD.means("log partial likelihood of the model"),
            STATISTIC.means("χ²; F of the Wald test where standard errors are cluster-robust"),
            DF.means("degrees of freedom of χ², or of the numerator of F"),
            DF2.means(
                "denominator degrees of freedom of F: the fewest of the predictors, less their number, and 1 more"
            ),
            P_VALUE
        ],
        CONVERGENCE_COLUMNS
    ),
    rows: |model| {
        let row = |record: Record| {
            record
                .set(CONCORDANCE, model.concordance.map(|index| index.estimate))
                .set(CONCORDANCE_ERROR, model.concordance.map(|index| index.standard_error))
        };
        model.fit.test_records(&[("score", model.score)]).into_iter().map(row).collect()
    },
};

/// The tests of proportional hazards.
const PROPORTIONAL_HAZARDS: Part<Rows<Cox>> = Part {
    name: "proportional-hazards",
    summary: "Tests whether the hazard ratios of a proportional hazards model stay the same over time.",
    assumptions: "They assume independent rows, also with --participant or --item.",
    source: "Grambsch and Therneau (1994).",
    columns: joined!(
        &[SCALE, MODEL_TERM.means("the predictor, or (all) at once")],
        COX_COUNTS,
        &[STATISTIC.means("χ²"), DF, P_VALUE],
        CONVERGENCE_COLUMNS
    ),
    rows: |model| {
        let tests = TimeScale::ALL.into_iter().filter_map(|scale| model.proportionality(scale));
        tests.flat_map(|tests| tests.records(model.fit.reason())).collect()
    },
};

fn model_of_sample(sample: &Sample) -> Fitted<Cox> {
    let [time, event] = [Role::Time, Role::Event].map(|role| sample.one(role));
    let optional = [Role::Participant, Role::Item, Role::Stratum].map(|role| sample.maybe(role));
    let inputs = [time, event].into_iter().chain(sample.all(Role::Predictor)).chain(optional.into_iter().flatten());
    let complete = sample.complete(inputs);
    let (times, events) = (time.numbers(&complete.indices), event.flags(&complete.indices));
    let numbers = |input: Option<&Input>| input.map(|input| numbered(&input.labels(&complete.indices)));
    let [participants, items, strata] = optional.map(numbers);
    let (clusters, second) = if participants.is_some() { (participants, items) } else { (items, None) };
    let groups =
        CoxGroups { clusters: clusters.as_deref(), second_clusters: second.as_deref(), strata: strata.as_deref() };
    let fit = |covariates: &[Covariate]| cox_grouped(&times, &events, covariates, groups, sample.request.confidence);
    model_of_events(sample, &complete, &events, fit, Cox::record)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(times: &[f64], events: &[u8], covariates: &[(&str, &[f64])]) -> Cox {
        let events: Vec<bool> = events.iter().map(|&event| event == 1).collect();
        let covariates: Vec<Covariate> = covariates.iter().map(|&(name, values)| Covariate { name, values }).collect();
        cox(times, &events, &covariates, None, Confidence::default())
    }

    #[test]
    fn three_events_by_hand() {
        // Risk sets {0, 1, 0}, {1, 0}, {0}, the event first: with r the hazard ratio the likelihood is
        // 1 / (r + 2) · r / (r + 1), largest at r = √2.
        let model = fit(&[1.0, 2.0, 3.0], &[1, 1, 1], &[("x", &[0.0, 1.0, 0.0])]);
        assert!((model.fit.effects()[0].ratio - 2f64.sqrt()).abs() < 1e-14);
        let r = 2f64.sqrt();
        assert!((model.fit.log_likelihood().unwrap() - (r / ((r + 2.0) * (r + 1.0))).ln()).abs() < 1e-14);
        assert!(model.sentence().starts_with("x: HR = 1.41, 95 % CI ["));
    }

    #[test]
    fn a_monotone_likelihood_is_named() {
        let noise = [0.3, -0.2, 0.5, 0.1, -0.4, 0.2];
        let model = fit(
            &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
            &[1, 1, 1, 0, 0, 0],
            &[("noise", &noise), ("x", &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0])],
        );
        let reason = model.fit.reason().unwrap().to_string();
        assert!(reason.contains("most extreme by") && reason.contains("x of all at risk"), "{reason}");
        assert!(model.fit.effects().is_empty() && model.fit.maximum.is_none());
        let falling = fit(&[1.0, 2.0, 3.0], &[1, 1, 1], &[("x", &[3.0, 2.0, 1.0])]);
        assert!(falling.sentence().contains("every event is that of the most extreme by x of all at risk"));
    }

    #[test]
    fn data_without_events_or_differences_at_events_are_refused() {
        let x = [1.0, 2.0, 3.0];
        let reason = |model: Cox| model.fit.reason().unwrap().to_string();
        assert_eq!(reason(fit(&x, &[0, 0, 0], &[("x", &x)])), "a Cox model needs events, found none");
        assert!(reason(fit(&[], &[], &[])).contains("times"));
        assert!(reason(fit(&[1.0, -2.0, 3.0], &[1, 1, 1], &[("x", &x)])).contains("0 or more"));
        // x differs only between those who had left before the event.
        let model = fit(&[1.0, 2.0, 3.0, 3.0], &[0, 0, 1, 1], &[("x", &[1.0, 2.0, 5.0, 5.0])]);
        assert!(reason(model).contains("collinear"));
    }

    #[test]
    fn clusters_of_two_kinds_add_their_variances_and_need_enough_of_the_second() {
        let times: Vec<f64> = (0..30).map(|i| f64::from(5 + (i * 17) % 31)).collect();
        let events: Vec<bool> = (0..30).map(|i| i % 7 != 0).collect();
        let x: Vec<f64> = (0..30).map(|i| f64::from((i * 11) % 13)).collect();
        let covariates = [Covariate { name: "x", values: &x }];
        let (who, level): (Vec<usize>, Vec<usize>) = (0..30).map(|i| (i % 6, i / 6)).unzip();
        let fit = |clusters, second_clusters| {
            let groups = CoxGroups { clusters: Some(clusters), second_clusters, strata: None };
            cox_grouped(&times, &events, &covariates, groups, Confidence::default())
        };
        let two_way = fit(&who, Some(&level));
        assert_eq!((two_way.fit.n_clusters, two_way.n_second_clusters), (Some(6), Some(5)));
        // x varies within people and levels: each of the six people has an effect.
        let effect = &two_way.fit.effects()[0];
        assert_eq!(effect.df, Some(5.0));
        let [by_participant, by_level] = [&who, &level].map(|clusters| fit(clusters, None).fit.effects()[0].clone());
        let variance = |effect: &Effect, n: f64| effect.standard_error.powi(2) * (n - 1.0) / n;
        assert!(variance(effect, 6.0) >= variance(&by_participant, 6.0).max(variance(&by_level, 5.0)) - 1e-15);
        // Wald's test of one effect is its t squared.
        let wald = two_way.fit.wald.unwrap();
        assert!((wald.statistic - effect.statistic.powi(2)).abs() < 1e-9);
        assert!((wald.p_value - effect.p_value).abs() < 1e-12);
        let few: Vec<usize> = level.iter().map(|level| level % 2).collect();
        assert_eq!(
            fit(&who, Some(&few)).fit.reason().unwrap().to_string(),
            "a two-way cluster-robust standard error needs at least 3 clusters of the second kind, found 2"
        );
    }
}

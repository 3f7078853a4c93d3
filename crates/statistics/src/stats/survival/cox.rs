//! Effects of covariates on the hazard of an event: the proportional hazards model.

use std::collections::{BTreeMap, BTreeSet};

use nalgebra::{DMatrix, DVector};
use serde::Serialize;

pub use super::concordance::Concordance;
use super::concordance::concordance;
use super::partial_likelihood::PartialLikelihood;
use super::proportional_hazards::{ProportionalHazards, SCALE, TimeScale, proportional_hazards};
use super::{check_some, check_times};
use crate::estimator::predictors::{model_of_events, numbered};
use crate::estimator::sample::Sample;
use crate::estimator::{Estimator, Kind, Need, Role};
use crate::record::*;
use crate::stats::chi_squared::ChiSquaredTest;
use crate::stats::covariate::*;
use crate::stats::newton::{Concave, Maximum, maximise};
use crate::stats::{Confidence, NotEstimable, apa, check_count};

/// A proportional hazards model.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Cox {
    /// Number of times.
    pub n: usize,
    /// Number of events.
    pub n_events: usize,
    /// Number of clusters, if standard errors allow for them.
    pub n_clusters: Option<usize>,
    /// Number of clusters of the second kind, if standard errors allow for them too.
    pub n_second_clusters: Option<usize>,
    /// Number of strata, if the baseline hazard is one of its own in each.
    pub n_strata: Option<usize>,
    /// The effect of each covariate on the log hazard, in the order of the input; the ratio is a
    /// hazard ratio. Empty if they cannot be estimated.
    pub effects: Vec<Effect>,
    /// Confidence level of the intervals.
    pub confidence: Confidence,
    /// Log partial likelihood of the model.
    pub log_likelihood: Option<f64>,
    /// Log partial likelihood without effects.
    pub log_likelihood_null: Option<f64>,
    /// Likelihood-ratio test of all covariates. It takes the times as independent, also where there
    /// are clusters.
    pub likelihood_ratio: Option<ChiSquaredTest>,
    /// Wald test of all covariates by the covariance matrix of the standard errors; absent where
    /// clusters are too few for it, or a two-way matrix is not positive definite.
    pub wald: Option<ChiSquaredTest>,
    /// Score test of all covariates, which for one covariate of 0 and 1 without ties is the log-rank
    /// test. It takes the times as independent, also where there are clusters.
    pub score: Option<ChiSquaredTest>,
    /// How well the model orders the times; absent with strata.
    pub concordance: Option<Concordance>,
    /// Whether Newton's method reached the maximum.
    pub converged: bool,
    /// Number of its steps; absent where it did not reach it.
    pub n_iterations: Option<usize>,
    /// Why the absent values are absent.
    pub reason: Option<NotEstimable>,
    #[serde(skip)]
    proportionality: Option<[ProportionalHazards; 3]>,
}

/// Fits the log hazard of an event as a baseline, left open, plus a sum of effects of covariates, by
/// Newton's method on the partial likelihood with Efron's treatment of ties.
///
/// With `clusters`, the cluster (such as the participant) of each time, the standard errors allow
/// for dependence within clusters: the sandwich of Lin & Wei (1989) summed over clusters, without a
/// factor for small samples, as R's `coxph(…, cluster = …)`; they are too small for few clusters.
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
/// assert!(model.converged && model.effects[0].ratio < 1.0);
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

/// What the observations of a Cox model belong to: one number for each of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct CoxGroups<'a> {
    /// Observations of one cluster (such as the participant) depend on each other.
    pub clusters: Option<&'a [usize]>,
    /// Clusters of another kind beside the first (such as the level beside the participant): standard errors are then
    /// two-way, see [`Effect::two_way`].
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
    let mut result =
        Cox { n: times.len(), n_events: events.iter().filter(|&&event| event).count(), confidence, ..Cox::default() };
    result.reason = result.complete(times, events, covariates, groups).err();
    result
}

impl Cox {
    /// Tests whether the hazard ratios stay the same over time; absent where the model is.
    pub fn proportionality(&self, scale: TimeScale) -> Option<&ProportionalHazards> {
        self.proportionality.as_ref()?.iter().find(|test| test.scale == scale)
    }

    /// Each covariate in the style of a paper: `distance: HR = 0.81, 95 % CI [0.72, 0.91], z = −3.54,
    /// p < .001`, joined by semicolons.
    pub fn sentence(&self) -> String {
        if self.effects.is_empty() {
            return apa::not_estimable("HR", self.n, self.reason.as_ref());
        }
        let sentence = |effect: &Effect| format!("{}: {}", effect.name, effect.sentence("HR", self.confidence));
        self.effects.iter().map(sentence).collect::<Vec<_>>().join("; ")
    }

    fn complete(
        &mut self,
        times: &[f64],
        events: &[bool],
        covariates: &[Covariate],
        CoxGroups { clusters, second_clusters, strata }: CoxGroups,
    ) -> Result<(), NotEstimable> {
        check_times(times, events)?;
        check_some("a Cox model", times)?;
        check_count("a Cox model", "events", self.n_events, 1)?;
        if let Some(clusters) = clusters {
            let n_clusters = count_groups("the list of clusters", clusters, self.n)?;
            self.n_clusters = Some(n_clusters);
            check_count("a cluster-robust standard error", "clusters", n_clusters, 2)?;
        }
        if let Some(strata) = strata {
            self.n_strata = Some(count_groups("the list of strata", strata, self.n)?);
        }
        if let Some(clusters) = second_clusters {
            let n_clusters = count_groups("the list of clusters", clusters, self.n)?;
            self.n_second_clusters = Some(n_clusters);
            // With no more clusters than effects, the sums of their scores are nearly 0 by the fit itself.
            let needed = covariates.len() + 2;
            check_count("a two-way cluster-robust standard error", "clusters of the second kind", n_clusters, needed)?;
        }
        let design = Design::new(covariates, self.n)?;
        if let Some(strata) = strata {
            check_within(covariates, strata)?;
        }
        let likelihood = PartialLikelihood::new(times, events, strata, design);
        let p = likelihood.design.len();
        let null = likelihood.at(&DVector::zeros(p));
        self.log_likelihood_null = Some(null.value);
        let maximum = maximise(&likelihood, p)?;
        (self.converged, self.n_iterations) = (true, Some(maximum.n_iterations));
        self.log_likelihood = Some(maximum.local.value);
        self.likelihood_ratio = Some(ChiSquaredTest::new(2.0 * (maximum.local.value - null.value), p));
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
        let robust = |clusters: &[usize]| {
            let covariance = sandwich(&likelihood, &maximum.point, &plain, clusters);
            check_robust(&covariance, &plain).map(|()| covariance)
        };
        let design = &likelihood.design;
        let (effects, covariance) = match (clusters, second_clusters) {
            (None, None) => (self.effects_of(design, &maximum, &plain), plain),
            (Some(clusters), None) | (None, Some(clusters)) => {
                let covariance = robust(clusters)?;
                (self.effects_of(design, &maximum, &covariance), covariance)
            }
            (Some(first), Some(second)) => {
                let kinds = [robust(first)?, robust(second)?, robust(&shared(first, second))?];
                let [one, other, both] = kinds.each_ref().map(|own| self.effects_of(design, &maximum, own));
                let each = one.iter().zip(&other).zip(&both);
                let two_way = |((one, other), both)| Effect::two_way(one, other, both, self.confidence);
                let effects: Vec<Effect> = each.map(two_way).collect();
                let mut covariance = &kinds[0] + &kinds[1] - &kinds[2];
                for (column, effect) in effects.iter().enumerate() {
                    covariance[(column, column)] = (effect.standard_error * design.scales[column]).powi(2);
                }
                (effects, covariance)
            }
        };
        self.effects = effects;
        self.wald = joint_test(&maximum.point, &covariance);
        self.proportionality = Some(proportional_hazards(times, events, &likelihood, &maximum.point));
        Ok(())
    }

    /// Effects in the units of the data from those of the standardised covariates.
    fn effects_of(&self, design: &Design, maximum: &Maximum, covariance: &DMatrix<f64>) -> Vec<Effect> {
        let effect = |(column, name): (usize, &String)| {
            let estimate = maximum.point[column] / design.scales[column];
            let error = covariance[(column, column)].max(0.0).sqrt() / design.scales[column];
            Effect::new(name, estimate, error, self.confidence)
        };
        design.names.iter().enumerate().map(effect).collect()
    }
}

/// The clusters of observations that share those of both kinds.
fn shared(first: &[usize], second: &[usize]) -> Vec<usize> {
    let pairs: BTreeSet<(usize, usize)> = first.iter().copied().zip(second.iter().copied()).collect();
    let numbers: BTreeMap<(usize, usize), usize> =
        pairs.into_iter().enumerate().map(|(number, pair)| (pair, number)).collect();
    first.iter().zip(second).map(|(&first, &second)| numbers[&(first, second)]).collect()
}

/// Refuses a covariate that is the same in all observations of each stratum: only rounding would be left of it.
fn check_within(covariates: &[Covariate], strata: &[usize]) -> Result<(), NotEstimable> {
    for covariate in covariates {
        let mut first = BTreeMap::new();
        let mut own = covariate.values.iter().zip(strata);
        if own.all(|(value, stratum)| *first.entry(stratum).or_insert(value) == value) {
            let why = format!("{} does not vary within strata", covariate.name);
            return Err(NotEstimable::Undefined { quantity: "the effect of each covariate", why });
        }
    }
    Ok(())
}

/// The covariance matrix that allows for clusters, from the inverse of the information.
fn sandwich(
    likelihood: &PartialLikelihood,
    point: &DVector<f64>,
    inverse: &DMatrix<f64>,
    clusters: &[usize],
) -> DMatrix<f64> {
    let p = likelihood.design.len();
    let mut meat = DMatrix::zeros(p, p);
    for sum in sum_by_cluster(&likelihood.scores(point), p, clusters) {
        let sum = DVector::from_vec(sum);
        meat.ger(1.0, &sum, &sum, 1.0);
    }
    inverse * meat * inverse
}

const COX_CLUSTERS: Column = N_CLUSTERS
    .means("number of participants, or of items where only these are named, where standard errors are cluster-robust");
const N_SECOND_CLUSTERS: Column =
    count("n_items", "number of items, where standard errors are two-way cluster-robust, by participant and item");
const N_STRATA: Column = count("n_strata", "number of strata, each with a baseline hazard of its own; empty without");
/// Harrell's C.
pub const CONCORDANCE: Column = number(
    "concordance",
    "concordance index (Harrell's C): share of pairs that the model orders correctly; empty with strata",
);
const CONCORDANCE_ERROR: Column = number("concordance_error", "its standard error");

impl Cox {
    /// What the model rests on.
    pub fn record(&self) -> Record {
        Record::new()
            .set(N, self.n)
            .set(N_EVENTS, self.n_events)
            .set(N_CLUSTERS, self.n_clusters)
            .set(N_SECOND_CLUSTERS, self.n_second_clusters)
            .set(N_STRATA, self.n_strata)
            .set(CONVERGED, self.converged)
            .set(REASON, self.reason.clone())
    }
}

/// The model of any table.
pub const COX: Estimator = Estimator {
    name: "cox",
    summary: "Proportional hazards model: the effect of each predictor on the log hazard of the event.",
    assumptions: "Assumes independent rows, which those of one participant or item are not; --participant and --item \
                  account for that.",
    source: "Cox (1972); Efron (1977); participants: Lin and Wei (1989); items too: Cameron, Gelbach and Miller (2011).",
    roles: &[
        Need::one(Role::Time, Kind::Number),
        Need::one(Role::Event, Kind::Flag),
        Need::several(Role::Predictor, Kind::NumberOrCategory, 1),
        Need::optional(Role::Participant, Kind::Label),
        Need::optional(Role::Item, Kind::Label),
        Need::optional(Role::Stratum, Kind::Label),
    ],
    columns: &[
        MODEL_TERM,
        N,
        N_EVENTS,
        COX_CLUSTERS,
        N_SECOND_CLUSTERS,
        N_STRATA,
        N_MISSING,
        ESTIMATE.means("change of the log hazard per unit of the predictor"),
        STANDARD_ERROR,
        WALD_LOWER,
        UPPER,
        CONFIDENCE,
        RATIO,
        RATIO_LOWER,
        RATIO_UPPER,
        Z,
        Z_P,
        CONVERGED,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| {
        of_sample(sample, |found| found.effects.iter().map(|own| own.record("HR", found.confidence)).collect())
    },
};

/// The tests of the model of any table.
pub const COX_FIT: Estimator = Estimator {
    name: "cox-fit",
    summary: "Tests of all predictors of a proportional hazards model at once, and its concordance.",
    assumptions: "Likelihood-ratio and score test assume independent rows, also with --participant or --item.",
    source: "Cox (1972); Harrell, Lee and Mark (1996).",
    columns: &[
        TEST.means("likelihood-ratio, wald or score"),
        N,
        N_EVENTS,
        COX_CLUSTERS,
        N_SECOND_CLUSTERS,
        N_STRATA,
        N_MISSING,
        CONCORDANCE,
        CONCORDANCE_ERROR,
        LOG_LIKELIHOOD.means("log partial likelihood of the model"),
        STATISTIC.means("χ²"),
        DF,
        P_VALUE,
        CONVERGED,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| {
        of_sample(sample, |found| {
            let tests = [("likelihood-ratio", found.likelihood_ratio), ("wald", found.wald), ("score", found.score)];
            let row = |(name, test)| {
                joint_record(name, test, found.reason.as_ref())
                    .set(CONCORDANCE, found.concordance.map(|own| own.estimate))
                    .set(CONCORDANCE_ERROR, found.concordance.map(|own| own.standard_error))
                    .set(LOG_LIKELIHOOD, found.log_likelihood)
            };
            tests.map(row).to_vec()
        })
    },
    ..COX
};

/// The tests of proportional hazards of any table.
pub const PROPORTIONAL_HAZARDS: Estimator = Estimator {
    name: "proportional-hazards",
    summary: "Tests whether the hazard ratios of a proportional hazards model stay the same over time.",
    assumptions: "They assume independent rows, also with --participant or --item.",
    source: "Grambsch and Therneau (1994).",
    columns: &[
        SCALE,
        MODEL_TERM.means("the predictor, or (all) at once"),
        N,
        N_EVENTS,
        COX_CLUSTERS,
        N_SECOND_CLUSTERS,
        N_STRATA,
        N_MISSING,
        STATISTIC.means("χ²"),
        DF,
        P_VALUE,
        CONVERGED,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| {
        of_sample(sample, |found| {
            let tests = TimeScale::ALL.into_iter().filter_map(|scale| found.proportionality(scale));
            tests.flat_map(|tests| tests.records(found.reason.as_ref())).collect()
        })
    },
    ..COX
};

/// Rows of the model of a sample, each with what it rests on.
fn of_sample(sample: &Sample, rows: impl Fn(&Cox) -> Vec<Record>) -> Vec<Record> {
    let [time, event] = [Role::Time, Role::Event].map(|role| sample.one(role));
    let optional = [Role::Participant, Role::Item, Role::Stratum].map(|role| sample.maybe(role));
    let inputs = [time, event].into_iter().chain(sample.all(Role::Predictor)).chain(optional.into_iter().flatten());
    let complete = sample.complete(inputs);
    let (times, events) = (time.numbers(&complete.indices), event.flags(&complete.indices));
    let [participants, items, strata] = optional.map(|input| input.map(|own| numbered(&own.labels(&complete.indices))));
    let (clusters, second) = if participants.is_some() { (participants, items) } else { (items, None) };
    let groups =
        CoxGroups { clusters: clusters.as_deref(), second_clusters: second.as_deref(), strata: strata.as_deref() };
    model_of_events(sample, &complete, &events, |covariates| {
        let found = cox_grouped(&times, &events, covariates, groups, sample.request.confidence);
        (found.record(), rows(&found))
    })
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
        assert!((model.effects[0].ratio - 2f64.sqrt()).abs() < 1e-14);
        let r = 2f64.sqrt();
        assert!((model.log_likelihood.unwrap() - (r / ((r + 2.0) * (r + 1.0))).ln()).abs() < 1e-14);
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
        let reason = model.reason.unwrap().to_string();
        assert!(reason.contains("most extreme by") && reason.contains("x of all at risk"), "{reason}");
        assert!(model.effects.is_empty() && !model.converged);
        let falling = fit(&[1.0, 2.0, 3.0], &[1, 1, 1], &[("x", &[3.0, 2.0, 1.0])]);
        assert!(falling.sentence().contains("every event is that of the most extreme by x of all at risk"));
    }

    #[test]
    fn data_without_events_or_differences_at_events_are_refused() {
        let x = [1.0, 2.0, 3.0];
        let reason = |model: Cox| model.reason.unwrap().to_string();
        assert_eq!(reason(fit(&x, &[0, 0, 0], &[("x", &x)])), "a Cox model needs at least 1 events, found 0");
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
        let both: Vec<usize> = (0..30).collect();
        let fit = |clusters, second_clusters| {
            let groups = CoxGroups { clusters: Some(clusters), second_clusters, strata: None };
            cox_grouped(&times, &events, &covariates, groups, Confidence::default())
        };
        let [one, other, pairs] = [&who, &level, &both].map(|own| fit(own, None).effects.remove(0));
        let found = fit(&who, Some(&level));
        assert_eq!(found.effects, [Effect::two_way(&one, &other, &pairs, Confidence::default())]);
        assert_eq!((found.n_clusters, found.n_second_clusters), (Some(6), Some(5)));
        // Wald's test of one effect is its z squared.
        assert!((found.wald.unwrap().statistic - found.effects[0].statistic.powi(2)).abs() < 1e-9);
        let few: Vec<usize> = level.iter().map(|level| level % 2).collect();
        assert_eq!(
            fit(&who, Some(&few)).reason.unwrap().to_string(),
            "a two-way cluster-robust standard error needs at least 3 clusters of the second kind, found 2"
        );
    }
}

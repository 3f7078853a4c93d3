//! Lines, learning curves and logistic regression.

use super::pairs::each_pair;
use super::predictors::{columns, covariates, numbered, predictors};
use super::sample::{Input, Sample};
use super::{Estimator, Kind, Need, Role};
use crate::record::*;
use crate::stats::chi_squared::ChiSquaredTest;
use crate::stats::covariate::Effect;
use crate::stats::learning::{Curve, LearningCurves, compare_curves};
use crate::stats::logit::{Logit, logit};
use crate::stats::regression::{Coefficient, line};
use crate::stats::{Confidence, NotEstimable, apa};

const SHAPE: Column = text("shape", "shape of the curve: constant, linear, exponential, power");
const PARAMETER: Column = text("parameter", "a: asymptote, or level; b: amount, or slope; c: rate");
const A: Column = number("a", "asymptote, or level, in the unit of y");
const B: Column = number("b", "amount that is learnt, or slope");
const C: Column = number("c", "rate of learning");
const AICC: Column =
    number("aicc", "Akaike information criterion, corrected for small samples (AICc); the smaller the better");
const DELTA: Column = number("delta", "difference from the smallest BIC");
const WEIGHT: Column = number("weight", "Akaike weight among the four shapes");
const COMPARISON: Column = text("comparison", "APA-formatted comparison of the shapes");
pub(super) const RATIO: Column =
    number("ratio", "exp(estimate): odds ratio, or hazard ratio, per unit of the predictor");
pub(super) const RATIO_LOWER: Column = number("ratio_lower", "lower end of the interval of the ratio");
pub(super) const RATIO_UPPER: Column = number("ratio_upper", "upper end of the interval of the ratio");
pub(super) const TEST: Column = text("test", "which test of all predictors at once");
pub(super) const MODEL_TERM: Column =
    text("term", "the predictor, or predictor = label against its reference (--reference)");

pub(super) const LINE: Estimator = Estimator {
    name: "line",
    summary: "Least-squares line of each y on each x: intercept and slope.",
    assumptions: super::INDEPENDENT,
    source: "Draper and Smith (1998), chapter 1.",
    roles: &[Need::several(Role::X, Kind::Number, 1), Need::several(Role::Y, Kind::Number, 1)],
    columns: &[
        X.means("what it is explained by"),
        Y.means("what is explained"),
        TERM.means("intercept, or slope: change of y per unit of x"),
        N,
        N_MISSING,
        ESTIMATE,
        STANDARD_ERROR,
        LOWER,
        UPPER,
        CONFIDENCE,
        STATISTIC.means("t"),
        DF,
        P_VALUE,
        P_METHOD,
        R_SQUARED,
        RESIDUAL_SD,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| {
        each_pair(sample, &[], |xs, ys, _| {
            let found = line(xs, ys, sample.request.confidence);
            let row = |term: &str, own: Option<Coefficient>| {
                Record::new()
                    .set(TERM, term)
                    .set(N, found.n)
                    .set(ESTIMATE, own.map(|own| own.estimate))
                    .set(STANDARD_ERROR, own.and_then(|own| own.standard_error))
                    .set(LOWER, own.and_then(|own| own.lower))
                    .set(UPPER, own.and_then(|own| own.upper))
                    .set(CONFIDENCE, found.confidence.level())
                    .set(STATISTIC, own.and_then(|own| own.statistic))
                    .set(DF, found.df)
                    .set(P_VALUE, own.and_then(|own| own.p_value))
                    .set(P_METHOD, found.p_method)
                    .set(R_SQUARED, found.r_squared)
                    .set(RESIDUAL_SD, found.residual_sd)
                    .set(REASON, found.reason.clone())
            };
            let slope = row("slope", found.slope).set(SENTENCE, apa::slope(&found));
            vec![row("intercept", found.intercept).aside(), slope]
        })
    },
};

const CURVE_ROLES: &[Need] = &[Need::several(Role::Y, Kind::Number, 1), Need::one(Role::Trial, Kind::Number)];

pub(super) const LEARNING: Estimator = Estimator {
    name: "learning",
    summary: "Four learning curves of y over trials, compared: constant, linear, exponential and power.",
    assumptions: "The mean of several people's curves has another shape than theirs: use --by participant.",
    source: "Heathcote, Brown and Mewhort (2000); Burnham and Anderson (2002).",
    roles: CURVE_ROLES,
    columns: &[
        OUTCOME,
        SHAPE,
        N,
        N_MISSING,
        A,
        B,
        C,
        R_SQUARED,
        RESIDUAL_SD,
        AICC,
        DELTA,
        WEIGHT,
        CONVERGED,
        SENTENCE,
        COMPARISON,
        REASON,
    ],
    estimate: |sample| {
        each_learner(sample, |found| {
            let row = |curve: &Curve| {
                let parameter =
                    |name: &str| curve.parameters.iter().find(|own| own.name == name).map(|own| own.estimate);
                Record::new()
                    .set(SHAPE, curve.shape.name())
                    .set(N, curve.n)
                    .set(A, parameter("a"))
                    .set(B, parameter("b"))
                    .set(C, parameter("c"))
                    .set(R_SQUARED, curve.r_squared)
                    .set(RESIDUAL_SD, curve.residual_sd)
                    .set(AICC, curve.aicc)
                    .set(DELTA, curve.delta)
                    .set(WEIGHT, curve.weight)
                    .set(CONVERGED, curve.converged)
                    .set(SENTENCE, curve.sentence())
                    .set(COMPARISON, found.sentence())
                    .set(REASON, curve.reason.clone())
            };
            found.curves.iter().map(row).collect()
        })
    },
};

pub(super) const LEARNING_PARAMETERS: Estimator = Estimator {
    name: "learning-parameters",
    summary: "The parameters of four learning curves of y over trials, with their intervals.",
    source: "Seber and Wild (1989).",
    columns: &[
        OUTCOME,
        SHAPE,
        PARAMETER,
        N,
        N_MISSING,
        ESTIMATE,
        STANDARD_ERROR,
        LOWER,
        UPPER,
        CONFIDENCE,
        CONVERGED,
        REASON,
    ],
    estimate: |sample| {
        each_learner(sample, |found| {
            let of_curve = |curve: &Curve| {
                let shared = Record::new()
                    .set(SHAPE, curve.shape.name())
                    .set(N, curve.n)
                    .set(CONVERGED, curve.converged)
                    .set(REASON, curve.reason.clone());
                let row = |(index, name): (usize, &&str)| {
                    let own = curve.parameters.get(index);
                    shared
                        .clone()
                        .set(PARAMETER, *name)
                        .set(ESTIMATE, own.map(|own| own.estimate))
                        .set(STANDARD_ERROR, own.and_then(|own| own.standard_error))
                        .set(LOWER, own.and_then(|own| own.lower))
                        .set(UPPER, own.and_then(|own| own.upper))
                        .set(CONFIDENCE, curve.confidence.level())
                };
                curve.shape.parameter_names().iter().enumerate().map(row).collect::<Vec<_>>()
            };
            found.curves.iter().flat_map(of_curve).collect()
        })
    },
    ..LEARNING
};

/// Rows for each outcome over trials.
fn each_learner(sample: &Sample, rows: impl Fn(&LearningCurves) -> Vec<Record>) -> Vec<Record> {
    let trial = sample.one(Role::Trial);
    let of_outcome = |y: &Input| {
        let complete = sample.complete([trial, y]);
        let (trials, ys) = (trial.numbers(&complete.indices), y.numbers(&complete.indices));
        let found = compare_curves(&trials, &ys, sample.request.confidence);
        let named = |record: Record| record.set(OUTCOME, y.name.as_str()).set(N_MISSING, complete.n_missing);
        rows(&found).into_iter().map(named).collect::<Vec<_>>()
    };
    sample.all(Role::Y).iter().flat_map(of_outcome).collect()
}

const LOGISTIC_ROLES: &[Need] = &[
    Need::one(Role::Event, Kind::Flag),
    Need::several(Role::Predictor, Kind::NumberOrCategory, 1),
    Need::optional(Role::Participant, Kind::Label),
];

pub(super) const LOGISTIC: Estimator = Estimator {
    name: "logistic",
    summary: "Logistic regression of what happened or not on predictors: the effect of each on the log odds.",
    assumptions: super::NAME_PARTICIPANTS,
    source: "Cox (1958); participants: Liang and Zeger (1986).",
    roles: LOGISTIC_ROLES,
    columns: &[
        MODEL_TERM,
        N,
        N_EVENTS,
        N_CLUSTERS,
        N_MISSING,
        ESTIMATE.means("change of the log odds per unit of the predictor; of the intercept, the log odds at 0"),
        STANDARD_ERROR,
        LOWER,
        UPPER,
        CONFIDENCE,
        RATIO,
        RATIO_LOWER,
        RATIO_UPPER,
        STATISTIC.means("z"),
        P_VALUE,
        CONVERGED,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| {
        of_logit(sample, |found| {
            let row = |own: &Effect| effect(own, "OR", found.confidence).set(REASON, found.reason.clone());
            let intercept = found.intercept.iter().map(|own| row(own).aside());
            intercept.chain(found.effects.iter().map(row)).collect()
        })
    },
};

pub(super) const LOGISTIC_FIT: Estimator = Estimator {
    name: "logistic-fit",
    summary: "Tests of all predictors of a logistic regression at once, and McFadden's R².",
    assumptions: "The likelihood-ratio test assumes independent rows, also with --participant.",
    source: "Cox (1958); McFadden (1974).",
    columns: &[
        TEST.means("likelihood-ratio, or wald by the covariance matrix of the standard errors"),
        N,
        N_EVENTS,
        N_CLUSTERS,
        N_MISSING,
        R_SQUARED.means("McFadden's R²"),
        LOG_LIKELIHOOD,
        STATISTIC.means("χ²"),
        DF,
        P_VALUE,
        CONVERGED,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| {
        of_logit(sample, |found| {
            let row = |name: &str, test: Option<ChiSquaredTest>| {
                joint(name, test, found.reason.as_ref())
                    .set(R_SQUARED, found.mcfadden_r_squared)
                    .set(LOG_LIKELIHOOD, found.log_likelihood)
            };
            vec![row("likelihood-ratio", found.likelihood_ratio), row("wald", found.wald)]
        })
    },
    ..LOGISTIC
};

fn of_logit(sample: &Sample, rows: impl Fn(&Logit) -> Vec<Record>) -> Vec<Record> {
    let (event, participant) = (sample.one(Role::Event), sample.maybe(Role::Participant));
    let inputs = [event].into_iter().chain(sample.all(Role::Predictor)).chain(participant);
    let complete = sample.complete(inputs);
    let events = event.flags(&complete.indices);
    let whole = |record: Record| {
        let n_events = events.iter().filter(|&&event| event).count();
        record.set(N, events.len()).set(N_EVENTS, n_events).set(N_MISSING, complete.n_missing)
    };
    let found = predictors(sample, &complete).map(|found| {
        let columns = columns(&found);
        let clusters = participant.map(|own| numbered(&own.labels(&complete.indices)));
        logit(&events, &covariates(&columns), clusters.as_deref(), sample.request.confidence)
    });
    match found {
        Ok(found) => {
            let mut records = rows(&found);
            if records.is_empty() {
                records.push(Record::new().set(REASON, found.reason.clone()));
            }
            let own = |record: Record| record.set(N_CLUSTERS, found.n_clusters).set(CONVERGED, found.converged);
            records.into_iter().map(own).map(whole).collect()
        }
        Err(reason) => vec![whole(Record::without(reason))],
    }
}

/// An effect on a log scale.
pub(super) fn effect(own: &Effect, symbol: &str, confidence: Confidence) -> Record {
    Record::new()
        .set(MODEL_TERM, own.name.as_str())
        .set(ESTIMATE, own.estimate)
        .set(STANDARD_ERROR, own.standard_error)
        .set(LOWER, own.lower)
        .set(UPPER, own.upper)
        .set(CONFIDENCE, confidence.level())
        .set(RATIO, own.ratio)
        .set(RATIO_LOWER, own.ratio_lower)
        .set(RATIO_UPPER, own.ratio_upper)
        .set(STATISTIC, own.statistic)
        .set(P_VALUE, own.p_value)
        .set(SENTENCE, own.sentence(symbol, confidence))
}

/// A test of all predictors at once, adjusted with others of its kind.
pub(super) fn joint(name: &str, test: Option<ChiSquaredTest>, reason: Option<&NotEstimable>) -> Record {
    let absent = || {
        let why =
            NotEstimable::Undefined { quantity: "the test", why: "its statistic has no variance here".to_owned() };
        reason.cloned().unwrap_or(why)
    };
    Record::new()
        .family(name)
        .set(TEST, name)
        .set(STATISTIC, test.map(|test| test.statistic))
        .set(DF, test.map(|test| test.df))
        .set(P_VALUE, test.map(|test| test.p_value))
        .set(SENTENCE, test.map(|test| test.sentence()))
        .set(REASON, if test.is_none() { Some(absent()) } else { reason.cloned() })
}

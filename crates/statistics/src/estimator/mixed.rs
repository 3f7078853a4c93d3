//! Mixed models with crossed random intercepts.

use super::predictors::{Predictor, design, predictors};
use super::regression::MODEL_TERM;
use super::sample::{Input, Sample, pairs};
use super::{Estimator, Kind, Need, Role};
use crate::record::*;
use crate::stats::NotEstimable;
use crate::stats::mixed::{Criterion, Effect, Grouping, MOST_FACTORS, MixedModel, RandomIntercept, mixed_model};

const ROLES: &[Need] = &[
    Need::one(Role::Y, Kind::Number),
    Need::several(Role::Random, Kind::Label, 1).at_most(MOST_FACTORS),
    Need::several(Role::Predictor, Kind::NumberOrCategory, 0),
];
const FACTOR: Column = text("factor", "factor of the random intercepts, or residual");
const LABEL: Column = text("label", "its label, such as the participant");
const N_LABELS: Column = count("n_labels", "number of labels of the factor");
const VARIANCE: Column = number("variance", "variance of the intercepts, in the squared unit of y");
const SD: Column = number("sd", "their standard deviation, in the unit of y");
const INTRACLASS: Column =
    number("icc", "intraclass correlation: share of this variance in those of all intercepts and of the residuals");
const CRITERION: Column =
    text("criterion", "reml: restricted maximum likelihood; ml: maximum likelihood, to compare predictors");
const N_PARAMETERS: Column = count("n_parameters", "number of parameters");
const DEVIANCE: Column = number("deviance", "−2 times the log-likelihood");
const R_MARGINAL: Column = number(
    "r_squared_marginal",
    "marginal R²: share of the variance that the predictors explain (Nakagawa and Schielzeth, 2013)",
);
const R_CONDITIONAL: Column =
    number("r_squared_conditional", "conditional R²: share that predictors and random intercepts explain together");
const SINGULAR: Column =
    flag("singular", "whether the fit is singular: a variance of random intercepts is estimated as 0");
const MODE: Column = number("mode", "by how much y is expected to be above the fixed part, in the unit of y");

pub(super) const MIXED: Estimator = Estimator {
    name: "mixed",
    summary: "Linear mixed model of y with crossed random intercepts: the effect of each predictor.",
    assumptions: "Assumes normal residuals that are independent given the random intercepts.",
    source: "Bates et al. (2015); degrees of freedom: Satterthwaite (1946), Kuznetsova et al. (2017).",
    roles: ROLES,
    columns: &[
        MODEL_TERM,
        N,
        N_MISSING,
        ESTIMATE.means("the effect, in the unit of y per unit of the predictor"),
        STANDARD_ERROR,
        LOWER,
        UPPER,
        CONFIDENCE,
        STATISTIC.means("t"),
        DF.means("degrees of freedom, by Satterthwaite's method"),
        P_VALUE,
        CONVERGED,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| {
        of_model(sample, &[Criterion::Reml], |model, _| {
            let row = |effect: &Effect| {
                let record = record(effect).set(REASON, effect.reason.clone().or_else(|| model.reason.clone()));
                if effect.name == "intercept" { record.aside() } else { record }
            };
            model.fixed.iter().map(row).collect()
        })
    },
};

pub(super) const MIXED_TERMS: Estimator = Estimator {
    name: "mixed-terms",
    summary: "F test of each predictor of a linear mixed model, all labels of a category at once.",
    source: "Fai and Cornelius (1996); Kuznetsova et al. (2017).",
    columns: &[
        TERM.means("the predictor"),
        N,
        N_MISSING,
        STATISTIC.means("F"),
        DF.means("numerator degrees of freedom"),
        DF2,
        P_VALUE,
        CONVERGED,
        SENTENCE,
        REASON,
    ],
    roles: &[
        Need::one(Role::Y, Kind::Number),
        Need::several(Role::Random, Kind::Label, 1).at_most(MOST_FACTORS),
        Need::several(Role::Predictor, Kind::NumberOrCategory, 1),
    ],
    estimate: |sample| {
        of_model(sample, &[Criterion::Reml], |model, predictors| {
            let row = |predictor: &Predictor| {
                let name = match predictor {
                    Predictor::Number { name, .. } | Predictor::Category { name, .. } => name,
                };
                let test = model.term_test(name);
                Record::new()
                    .set(TERM, *name)
                    .set(STATISTIC, test.statistic)
                    .set(DF, test.df1)
                    .set(DF2, test.df2)
                    .set(P_VALUE, test.p_value)
                    .set(SENTENCE, test.sentence())
                    .set(REASON, test.reason.or_else(|| model.reason.clone()))
            };
            predictors.iter().map(row).collect()
        })
    },
    ..MIXED
};

pub(super) const MIXED_CONTRASTS: Estimator = Estimator {
    name: "mixed-contrasts",
    summary: "All pairs of labels of each category among the predictors of a linear mixed model; give --adjust.",
    columns: &[
        TERM.means("the predictor"),
        FIRST,
        SECOND,
        N,
        N_MISSING,
        ESTIMATE.means("first less second label, in the unit of y"),
        STANDARD_ERROR,
        LOWER,
        UPPER,
        CONFIDENCE,
        STATISTIC.means("t"),
        DF.means("degrees of freedom, by Satterthwaite's method"),
        P_VALUE,
        CONVERGED,
        SENTENCE,
        REASON,
    ],
    roles: MIXED_TERMS.roles,
    estimate: |sample| {
        of_model(sample, &[Criterion::Reml], |model, predictors| {
            predictors.iter().flat_map(|predictor| contrasts(model, predictor)).collect()
        })
    },
    ..MIXED
};

pub(super) const MIXED_VARIANCES: Estimator = Estimator {
    name: "mixed-variances",
    summary: "Variances of the random intercepts and of the residuals of a linear mixed model, with intraclass \
              correlations.",
    source: "Bates et al. (2015).",
    columns: &[FACTOR, N, N_MISSING, N_LABELS, VARIANCE, SD, INTRACLASS, CONVERGED, REASON],
    estimate: |sample| {
        of_model(sample, &[Criterion::Reml], |model, _| {
            let row = |own: &RandomIntercept| {
                Record::new()
                    .set(FACTOR, own.name.as_str())
                    .set(N_LABELS, own.n_labels)
                    .set(VARIANCE, own.variance)
                    .set(SD, own.sd)
                    .set(INTRACLASS, own.icc)
                    .set(REASON, model.reason.clone())
            };
            let residual = model.residual_sd.map(|sd| {
                let record = Record::new().set(FACTOR, "residual").set(VARIANCE, sd * sd).set(SD, sd);
                record.set(REASON, model.reason.clone())
            });
            model.random.iter().map(row).chain(residual).collect()
        })
    },
    ..MIXED
};

pub(super) const MIXED_FIT: Estimator = Estimator {
    name: "mixed-fit",
    summary: "How well a linear mixed model fits, by restricted and by plain maximum likelihood.",
    source: "Bates et al. (2015); Nakagawa and Schielzeth (2013).",
    columns: &[
        CRITERION,
        N,
        N_MISSING,
        N_PARAMETERS,
        DEVIANCE,
        LOG_LIKELIHOOD,
        AIC,
        BIC,
        R_MARGINAL,
        R_CONDITIONAL,
        SINGULAR,
        CONVERGED,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| {
        of_model(sample, &[Criterion::Reml, Criterion::Ml], |model, _| {
            let criterion = if model.criterion == Criterion::Ml { "ml" } else { "reml" };
            vec![
                Record::new()
                    .set(CRITERION, criterion)
                    .set(N_PARAMETERS, model.n_parameters)
                    .set(DEVIANCE, model.deviance)
                    .set(LOG_LIKELIHOOD, model.log_likelihood)
                    .set(AIC, model.aic)
                    .set(BIC, model.bic)
                    .set(R_MARGINAL, model.r2_marginal)
                    .set(R_CONDITIONAL, model.r2_conditional)
                    .set(SINGULAR, model.singular)
                    .set(SENTENCE, model.sentence())
                    .set(REASON, model.reason.clone()),
            ]
        })
    },
    ..MIXED
};

pub(super) const MIXED_MODES: Estimator = Estimator {
    name: "mixed-modes",
    summary: "The random intercept that a linear mixed model predicts for each label.",
    source: "Bates et al. (2015).",
    columns: &[FACTOR, LABEL, N.means("number of rows of this label"), N_MISSING, MODE, CONVERGED, REASON],
    estimate: |sample| {
        of_model(sample, &[Criterion::Reml], |model, _| {
            let row = |own: &crate::stats::mixed::Mode| {
                Record::new()
                    .set(FACTOR, own.factor.as_str())
                    .set(LABEL, own.label.as_str())
                    .set(N, own.n)
                    .set(MODE, own.mode)
                    .set(REASON, model.reason.clone())
            };
            model.modes().iter().map(row).collect()
        })
    },
    ..MIXED
};

/// Rows for the model by each criterion, or one that says why there is none.
fn of_model(
    sample: &Sample,
    criteria: &[Criterion],
    rows: impl Fn(&MixedModel, &[Predictor]) -> Vec<Record>,
) -> Vec<Record> {
    let y = sample.one(Role::Y);
    let complete = sample.complete([y].into_iter().chain(sample.all(Role::Predictor)).chain(sample.all(Role::Random)));
    let n = complete.indices.len();
    let whole = |record: Record| {
        let n = match record.cell(N.name) {
            Cell::Missing => Cell::from(n),
            known => known.clone(),
        };
        record.set(N, n).set(N_MISSING, complete.n_missing)
    };
    let found = predictors(sample, &complete).and_then(|found| Ok((design(&found, n)?, found)));
    let (design, predictors) = match found {
        Ok(found) => found,
        Err(reason) => return vec![whole(Record::without(reason))],
    };
    let grouping = |own: &Input| Grouping::new(&own.name, &own.labels(&complete.indices));
    let groupings: Vec<Grouping> = sample.all(Role::Random).iter().map(grouping).collect();
    let of_criterion = |&criterion: &Criterion| {
        let ys = y.numbers(&complete.indices);
        let model = mixed_model(&ys, &design, &groupings, criterion, sample.request.confidence);
        let mut records = rows(&model, &predictors);
        if records.is_empty() {
            let absent = || NotEstimable::Undefined { quantity: "the model", why: "there is no fit".to_owned() };
            records.push(Record::without(model.reason.clone().unwrap_or_else(absent)));
        }
        records.into_iter().map(|record| whole(record).set(CONVERGED, model.converged)).collect::<Vec<_>>()
    };
    criteria.iter().flat_map(of_criterion).collect()
}

/// All pairs of labels of a category; of a number, a row that says why there are none.
fn contrasts(model: &MixedModel, predictor: &Predictor) -> Vec<Record> {
    let (name, mut labels) = match predictor {
        Predictor::Category { name, reference, others, .. } => {
            (name, [vec![reference.clone()], others.clone()].concat())
        }
        Predictor::Number { name, .. } => {
            let reason = "a number has no labels that could be compared; see mixed";
            return vec![Record::new().set(TERM, *name).set(REASON, reason)];
        }
    };
    labels.sort_by(|left, right| super::sample::natural(left, right));
    let pairs = match pairs(labels.len()) {
        Ok(pairs) => pairs,
        Err(reason) => return vec![Record::without(reason).set(TERM, *name)],
    };
    let weight_of = |effect: &Effect, label: &str| f64::from(u8::from(effect.name == format!("{name} = {label}")));
    let row = |(first, second): (usize, usize)| {
        let (first, second) = (labels[first].as_str(), labels[second].as_str());
        let weight = |effect: &Effect| weight_of(effect, first) - weight_of(effect, second);
        let weights: Vec<f64> = model.fixed.iter().map(weight).collect();
        let found = model.contrast(&format!("{first} - {second}"), &weights);
        let reason = found.reason.clone().or_else(|| model.reason.clone());
        record(&found).set(TERM, *name).set(FIRST, first).set(SECOND, second).set(REASON, reason)
    };
    pairs.into_iter().map(row).collect()
}

fn record(effect: &Effect) -> Record {
    Record::new()
        .set(MODEL_TERM, effect.name.as_str())
        .set(ESTIMATE, effect.estimate)
        .set(STANDARD_ERROR, effect.standard_error)
        .set(LOWER, effect.lower)
        .set(UPPER, effect.upper)
        .set(CONFIDENCE, effect.confidence.level())
        .set(STATISTIC, effect.statistic)
        .set(DF, effect.df)
        .set(P_VALUE, effect.p_value)
        .set(SENTENCE, effect.sentence())
}

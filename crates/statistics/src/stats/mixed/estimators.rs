//! The results of a mixed model as rows of tables, and the model of any table.

use super::{Criterion, Effect, FTest, Grouping, MOST_FACTORS, MixedModel, Mode, RandomIntercept, mixed_model};
use crate::estimator::predictors::{Predictor, design, predictors};
use crate::estimator::sample::{Input, Sample, natural, pairs};
use crate::estimator::{Estimator, Kind, Need, Role};
use crate::record::*;
use crate::stats::covariate::MODEL_TERM;

const ROLES: &[Need] = &[
    Need::one(Role::Y, Kind::Number),
    Need::several(Role::Random, Kind::Label, 1).at_most(MOST_FACTORS),
    Need::several(Role::Predictor, Kind::NumberOrCategory, 0),
];
/// A factor of random intercepts, or the residuals.
pub const FACTOR: Column = text("factor", "factor of the random intercepts, or residual");
const LABEL: Column = text("label", "its label, such as the participant");
/// Number of labels of a factor.
pub const N_LABELS: Column = count("n_labels", "number of labels of the factor");
/// Variance of intercepts or residuals.
pub const VARIANCE: Column = number("variance", "variance of the intercepts, in the squared unit of y");
/// Their standard deviation.
pub const SD: Column = number("sd", "their standard deviation, in the unit of y");
/// Intraclass correlation.
pub const INTRACLASS: Column =
    number("icc", "intraclass correlation: share of this variance in those of all intercepts and of the residuals");
const CRITERION: Column =
    text("criterion", "reml: restricted maximum likelihood; ml: maximum likelihood, to compare predictors");
const N_PARAMETERS: Column = count("n_parameters", "number of parameters");
const DEVIANCE: Column = number("deviance", "−2 times the log-likelihood");
/// Marginal R².
pub const R_MARGINAL: Column = number(
    "r_squared_marginal",
    "marginal R²: share of the variance that the predictors explain (Nakagawa and Schielzeth, 2013)",
);
/// Conditional R².
pub const R_CONDITIONAL: Column =
    number("r_squared_conditional", "conditional R²: share that predictors and random intercepts explain together");
/// Whether a variance is 0.
pub const SINGULAR: Column =
    flag("singular", "whether the fit is singular: a variance of random intercepts is estimated as 0");
const MODE: Column = number("mode", "by how much y is expected to be above the fixed part, in the unit of y");

impl Effect {
    /// The effect, or the contrast.
    pub fn record(&self) -> Record {
        Record::new()
            .set(MODEL_TERM, self.name.as_str())
            .set(ESTIMATE, self.estimate)
            .set(STANDARD_ERROR, self.standard_error)
            .set(LOWER, self.lower)
            .set(UPPER, self.upper)
            .set(CONFIDENCE, self.confidence.level())
            .set(STATISTIC, self.statistic)
            .set(DF, self.df)
            .set(P_VALUE, self.p_value)
            .set(SENTENCE, self.sentence())
            .set(REASON, self.reason.clone())
    }
}

impl FTest {
    /// The joint test.
    pub fn record(&self) -> Record {
        Record::new()
            .set(MODEL_TERM, self.name.as_str())
            .set(STATISTIC, self.statistic)
            .set(DF, self.df1)
            .set(DF2, self.df2)
            .set(P_VALUE, self.p_value)
            .set(SENTENCE, self.sentence())
            .set(REASON, self.reason.clone())
    }
}

impl RandomIntercept {
    /// The variance of the intercepts.
    pub fn record(&self) -> Record {
        Record::new()
            .set(FACTOR, self.name.as_str())
            .set(N_LABELS, self.n_labels)
            .set(VARIANCE, self.variance)
            .set(SD, self.sd)
            .set(INTRACLASS, self.icc)
    }
}

impl Mode {
    /// The predicted intercept.
    pub fn record(&self) -> Record {
        Record::new()
            .set(FACTOR, self.factor.as_str())
            .set(LABEL, self.label.as_str())
            .set(N, self.n)
            .set(MODE, self.mode)
    }
}

impl MixedModel {
    /// How well the model fits.
    pub fn record(&self) -> Record {
        let criterion = if self.criterion == Criterion::Ml { "ml" } else { "reml" };
        Record::new()
            .set(CRITERION, criterion)
            .set(N, self.n)
            .set(N_PARAMETERS, self.n_parameters)
            .set(DEVIANCE, self.deviance)
            .set(LOG_LIKELIHOOD, self.log_likelihood)
            .set(AIC, self.aic)
            .set(BIC, self.bic)
            .set(R_MARGINAL, self.r2_marginal)
            .set(R_CONDITIONAL, self.r2_conditional)
            .set(SINGULAR, self.singular)
            .set(CONVERGED, self.converged)
            .set(SENTENCE, self.sentence())
            .set(REASON, self.reason.clone())
    }

    /// The variances of the intercepts of each factor, then of the residuals.
    pub fn variance_records(&self) -> Vec<Record> {
        let residual = |sd: f64| Record::new().set(FACTOR, "residual").set(VARIANCE, sd * sd).set(SD, sd);
        self.random.iter().map(RandomIntercept::record).chain(self.residual_sd.map(residual)).collect()
    }
}

/// Fixed effects of the model of any table.
pub const MIXED: Estimator = Estimator {
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
        of_sample(sample, &[Criterion::Reml], |model, _| {
            let row = |own: &Effect| if own.name == "intercept" { own.record().aside() } else { own.record() };
            model.fixed.iter().map(row).collect()
        })
    },
};

/// Joint tests of the predictors of any table.
pub const MIXED_TERMS: Estimator = Estimator {
    name: "mixed-terms",
    summary: "F test of each predictor of a linear mixed model, all labels of a category at once.",
    source: "Fai and Cornelius (1996); Kuznetsova et al. (2017).",
    columns: &[
        MODEL_TERM.means("the predictor"),
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
        of_sample(sample, &[Criterion::Reml], |model, predictors| {
            predictors.iter().map(|predictor| model.term_test(predictor.name()).record()).collect()
        })
    },
    ..MIXED
};

/// Contrasts of the categories of any table.
pub const MIXED_CONTRASTS: Estimator = Estimator {
    name: "mixed-contrasts",
    summary: "All pairs of labels of each category among the predictors of a linear mixed model; give --adjust.",
    columns: &[
        MODEL_TERM.means("the predictor"),
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
        of_sample(sample, &[Criterion::Reml], |model, predictors| {
            predictors.iter().flat_map(|predictor| contrasts(model, predictor)).collect()
        })
    },
    ..MIXED
};

/// Variances of the model of any table.
pub const MIXED_VARIANCES: Estimator = Estimator {
    name: "mixed-variances",
    summary: "Variances of the random intercepts and of the residuals of a linear mixed model, with intraclass \
              correlations.",
    source: "Bates et al. (2015).",
    columns: &[FACTOR, N, N_MISSING, N_LABELS, VARIANCE, SD, INTRACLASS, CONVERGED, REASON],
    estimate: |sample| of_sample(sample, &[Criterion::Reml], |model, _| model.variance_records()),
    ..MIXED
};

/// Fit of the model of any table.
pub const MIXED_FIT: Estimator = Estimator {
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
    estimate: |sample| of_sample(sample, &[Criterion::Reml, Criterion::Ml], |model, _| vec![model.record()]),
    ..MIXED
};

/// Predicted intercepts of the model of any table.
pub const MIXED_MODES: Estimator = Estimator {
    name: "mixed-modes",
    summary: "The random intercept that a linear mixed model predicts for each label.",
    source: "Bates et al. (2015).",
    columns: &[FACTOR, LABEL, N.means("number of rows of this label"), N_MISSING, MODE, CONVERGED, REASON],
    estimate: |sample| {
        of_sample(sample, &[Criterion::Reml], |model, _| model.modes().iter().map(Mode::record).collect())
    },
    ..MIXED
};

/// Rows of the model of a sample by each criterion, or one that says why there is none.
fn of_sample(
    sample: &Sample,
    criteria: &[Criterion],
    rows: impl Fn(&MixedModel, &[Predictor]) -> Vec<Record>,
) -> Vec<Record> {
    let y = sample.one(Role::Y);
    let complete = sample.complete([y].into_iter().chain(sample.all(Role::Predictor)).chain(sample.all(Role::Random)));
    let n = complete.indices.len();
    let whole = Record::new().set(N, n).set(N_MISSING, complete.n_missing);
    let found = predictors(sample, &complete).and_then(|found| Ok((design(&found, n)?, found)));
    let (design, predictors) = match found {
        Ok(found) => found,
        Err(reason) => return vec![whole.set(REASON, reason)],
    };
    let grouping = |own: &Input| Grouping::new(&own.name, &own.labels(&complete.indices));
    let groupings: Vec<Grouping> = sample.all(Role::Random).iter().map(grouping).collect();
    let of_criterion = |&criterion: &Criterion| {
        let ys = y.numbers(&complete.indices);
        let model = mixed_model(&ys, &design, &groupings, criterion, sample.request.confidence);
        let whole = whole.clone().set(CONVERGED, model.converged).set(REASON, model.reason.clone());
        whole.shared_by(rows(&model, &predictors))
    };
    criteria.iter().flat_map(of_criterion).collect()
}

/// All pairs of labels of a category; of a number, a row that says why there are none.
fn contrasts(model: &MixedModel, predictor: &Predictor) -> Vec<Record> {
    let name = predictor.name();
    let Predictor::Category { reference, others, .. } = predictor else {
        let reason = "a number has no labels that could be compared; see mixed";
        return vec![Record::new().set(MODEL_TERM, name).set(REASON, reason)];
    };
    let mut labels = [vec![reference.clone()], others.clone()].concat();
    labels.sort_by(|left, right| natural(left, right));
    let pairs = match pairs(labels.len()) {
        Ok(pairs) => pairs,
        Err(reason) => return vec![Record::without(reason).set(MODEL_TERM, name)],
    };
    let weight_of = |effect: &Effect, label: &str| f64::from(u8::from(effect.name == format!("{name} = {label}")));
    let row = |(first, second): (usize, usize)| {
        let (first, second) = (labels[first].as_str(), labels[second].as_str());
        let weight = |effect: &Effect| weight_of(effect, first) - weight_of(effect, second);
        let weights: Vec<f64> = model.fixed.iter().map(weight).collect();
        let found = model.contrast(&format!("{first} - {second}"), &weights);
        found.record().set(MODEL_TERM, name).set(FIRST, first).set(SECOND, second)
    };
    pairs.into_iter().map(row).collect()
}

//! Mixed models of the columns of any table.

use super::design::{Grouping, INTERCEPT};
use super::effects::{Criterion, Effect, MOST_TERMS, Mode};
use super::model::MixedModel;
use super::records::*;
use super::specification::{Comparison, Outcome, Specification};
use crate::estimator::fit::{Fitted, Model, Part, Rows};
use crate::estimator::labels::{natural, pairs};
use crate::estimator::sample::Sample;
use crate::estimator::{Complete, Input};
use crate::estimator::{Estimate, Estimator, Kind, Need, Role};
use crate::formula::Formula;
use crate::not_estimable::NotEstimable;
use crate::record::*;
use crate::stats::covariate::{MODEL_TERM, RATIO, RATIO_LOWER, RATIO_UPPER};
use crate::stats::predictors::{Predictor, predictors};

const ROLES: &[Need] = &[
    Need::one(Role::Y, Kind::Number),
    Need::several(Role::Random, Kind::Label, 1).at_most(MOST_TERMS),
    Need::several(Role::Predictor, Kind::NumberOrCategory, 0),
];
const TERM_ROLES: &[Need] = &[
    Need::one(Role::Y, Kind::Number),
    Need::several(Role::Random, Kind::Label, 1).at_most(MOST_TERMS),
    Need::several(Role::Predictor, Kind::NumberOrCategory, 1),
];
const COUNTS: &[Column] = &[N, N_MISSING];
const EVENT_COUNTS: &[Column] = &[N, N_EVENTS, N_MISSING];
const FIT_COLUMNS: &[Column] = &[N_PARAMETERS, DEVIANCE, LOG_LIKELIHOOD, AIC, BIC, R_MARGINAL, R_CONDITIONAL, SINGULAR];
const DF_SATTERTHWAITE: Column = DF.means("degrees of freedom, by Satterthwaite's method");
const NO_TERM: &str = "the model has no fixed effect but the intercept";
const NO_CATEGORY: &str = "no predictor is a category";
const T_OR_Z: Column = STATISTIC.means("t, or z where it has no degrees of freedom");
const DF_OF_T: Column = DF.means("degrees of freedom of t, by the between-within method (Li and Redden, 2015)");
const EVENT_ROLES: &[Need] = &[
    Need::one(Role::Event, Kind::Flag),
    Need::several(Role::Random, Kind::Label, 1).at_most(MOST_TERMS),
    Need::several(Role::Predictor, Kind::NumberOrCategory, 0),
];
const EVENT_TERM_ROLES: &[Need] = &[
    Need::one(Role::Event, Kind::Flag),
    Need::several(Role::Random, Kind::Label, 1).at_most(MOST_TERMS),
    Need::several(Role::Predictor, Kind::NumberOrCategory, 1),
];

/// The linear mixed model of any table.
pub const MIXED: Estimator = Estimator {
    name: "mixed",
    summary: "Linear mixed model of y with random effects of crossed factors: the effect of each predictor.",
    assumptions: "Assumes normal residuals that are independent given the random effects.",
    source: "Bates et al. (2015); degrees of freedom: Satterthwaite (1946), Kuznetsova et al. (2017).",
    roles: ROLES,
    columns: joined!(
        &[MODEL_TERM],
        COUNTS,
        &[ESTIMATE.means("the effect, in the unit of y per unit of the predictor")],
        INTERVAL_COLUMNS,
        &[STATISTIC.means("t"), DF_SATTERTHWAITE, P_VALUE],
        CONVERGENCE_COLUMNS
    ),
    estimate: Estimate::Tables(&Model {
        fit: fit_of_sample,
        rows: |fit| fit.rows(effects(fit, Effect::record)),
        parts: &[NUMBER_TERMS, NUMBER_CONTRASTS, NUMBER_MEANS, NUMBER_VARIANCES, NUMBER_FIT, NUMBER_MODES],
    }),
};

/// Joint tests of the predictors.
const NUMBER_TERMS: Part<Rows<ModelFit>> = Part {
    name: "mixed-terms",
    summary: "F test (type III) of each term of a linear mixed model, all labels of a category at once.",
    assumptions: "",
    source: "Fai and Cornelius (1996); Kuznetsova et al. (2017).",
    columns: joined!(
        &[MODEL_TERM.means("the predictor, or a product of several")],
        COUNTS,
        &[STATISTIC.means("F"), DF.means("numerator degrees of freedom"), DF2, P_VALUE],
        CONVERGENCE_COLUMNS
    ),
    rows: terms,
};

/// Contrasts of the categories.
const NUMBER_CONTRASTS: Part<Rows<ModelFit>> = Part {
    name: "mixed-contrasts",
    summary: "All pairs of labels of each category among the predictors of a linear mixed model, at the means of \
              numbers and averaged over the labels of other categories; give --adjust.",
    assumptions: "",
    source: "Searle et al. (1980); degrees of freedom: Satterthwaite (1946), Kuznetsova et al. (2017).",
    columns: joined!(
        &[MODEL_TERM.means("the predictor"), FIRST, SECOND],
        COUNTS,
        &[ESTIMATE.means("first less second label, in the unit of y")],
        INTERVAL_COLUMNS,
        &[STATISTIC.means("t"), DF_SATTERTHWAITE, P_VALUE],
        CONVERGENCE_COLUMNS
    ),
    rows: contrasts,
};

/// Means of the categories.
const NUMBER_MEANS: Part<Rows<ModelFit>> = Part {
    name: "mixed-means",
    summary: "Estimated marginal mean of each label of each category among the predictors of a linear mixed model, at \
              the means of numbers and averaged over the labels of other categories.",
    assumptions: "",
    source: "Searle et al. (1980); degrees of freedom: Satterthwaite (1946), Kuznetsova et al. (2017).",
    columns: joined!(
        &[MODEL_TERM.means("the predictor"), LABEL.means("its label")],
        COUNTS,
        &[ESTIMATE.means("the mean, in the unit of y")],
        INTERVAL_COLUMNS,
        &[DF_SATTERTHWAITE, CONVERGED, REASON]
    ),
    rows: means,
};

/// Variances of the random effects and of the residuals.
const NUMBER_VARIANCES: Part<Rows<ModelFit>> = Part {
    name: "mixed-variances",
    summary: "Variances and covariances of the random effects and of the residuals of a linear mixed model, with \
              intraclass correlations.",
    assumptions: "",
    source: "Bates et al. (2015).",
    columns: &[FACTOR, EFFECT, WITH, N, N_MISSING, N_LABELS, VARIANCE, SD, CORRELATION, INTRACLASS, CONVERGED, REASON],
    rows: |fit| fit.rows(fit.model.variance_records()),
};

/// Fit by both criteria.
const NUMBER_FIT: Part<Rows<ModelFit>> = Part {
    name: "mixed-fit",
    summary: "How well a linear mixed model fits, by restricted and by plain maximum likelihood.",
    assumptions: "",
    source: "Bates et al. (2015); Nakagawa and Schielzeth (2013).",
    columns: joined!(&[CRITERION], COUNTS, FIT_COLUMNS, CONVERGENCE_COLUMNS),
    rows: |fit| {
        let by_likelihood = fit.specification.fit(Criterion::Ml, fit.model.confidence);
        vec![fit.model.record(), by_likelihood.map_or_else(Record::without, |model| model.record())]
    },
};

/// Predicted random effects.
const NUMBER_MODES: Part<Rows<ModelFit>> = Part {
    name: "mixed-modes",
    summary: "The random effects that a linear mixed model predicts for each label.",
    assumptions: "",
    source: "Bates et al. (2015).",
    columns: &[FACTOR, LABEL, EFFECT, N.means("number of rows of this label"), N_MISSING, MODE, CONVERGED, REASON],
    rows: modes,
};

/// Likelihood-ratio tests of the predictors of any table.
pub const MIXED_COMPARISONS: Estimator = Estimator {
    name: "mixed-comparisons",
    summary: "Likelihood-ratio test of each term of a linear mixed model: against the model without the term and its \
              products with others, both by maximum likelihood.",
    assumptions: "Assumes normal residuals that are independent given the random effects, and many labels of each \
                  factor: with few of them the test rejects too often, and mixed-terms is better.",
    source: "Bates et al. (2015).",
    roles: TERM_ROLES,
    columns: joined!(
        &[MODEL_TERM.means("the term")],
        COUNTS,
        &[
            STATISTIC.means("twice the difference of the log-likelihoods"),
            DF.means("the number of columns that are left out"),
            P_VALUE,
            SENTENCE,
            REASON
        ]
    ),
    estimate: Estimate::Table(comparisons),
};

/// The logistic mixed model of any table.
pub const LOGISTIC_MIXED: Estimator = Estimator {
    name: "logistic-mixed",
    summary: "Logistic mixed model of what happened or not with random effects of crossed factors, by Laplace's \
              approximation: the effect of each predictor on the log odds.",
    assumptions: "Assumes rows that are independent given the random effects; variances are too small where labels have \
                  few events.",
    source: "Breslow and Clayton (1993); Bates et al. (2015); degrees of freedom: Li and Redden (2015).",
    roles: EVENT_ROLES,
    columns: joined!(
        &[MODEL_TERM],
        EVENT_COUNTS,
        &[ESTIMATE.means("change of the log odds per unit of the predictor; of the intercept, the log odds at 0")],
        INTERVAL_COLUMNS,
        &[RATIO, RATIO_LOWER, RATIO_UPPER, T_OR_Z, DF_OF_T, P_VALUE],
        CONVERGENCE_COLUMNS
    ),
    estimate: Estimate::Tables(&Model {
        fit: fit_of_sample,
        rows: |fit| fit.rows(effects(fit, Effect::odds_record)),
        parts: &[EVENT_TERMS, EVENT_CONTRASTS, EVENT_VARIANCES, EVENT_FIT, EVENT_MODES],
    }),
};

/// Joint tests of the predictors.
const EVENT_TERMS: Part<Rows<ModelFit>> = Part {
    name: "logistic-mixed-terms",
    summary: "Wald's test (type III) of each term of a logistic mixed model, all labels of a category at once.",
    assumptions: "",
    source: "Wald (1943); Breslow and Clayton (1993); degrees of freedom: Li and Redden (2015).",
    columns: joined!(
        &[MODEL_TERM.means("the predictor, or a product of several")],
        EVENT_COUNTS,
        &[
            STATISTIC.means("F: Wald's χ² divided by its degrees of freedom"),
            DF.means("numerator degrees of freedom"),
            DF2.means(
                "denominator degrees of freedom, by the between-within method; empty where it is compared with χ²"
            ),
            P_VALUE
        ],
        CONVERGENCE_COLUMNS
    ),
    rows: terms,
};

/// Contrasts of the categories.
const EVENT_CONTRASTS: Part<Rows<ModelFit>> = Part {
    name: "logistic-mixed-contrasts",
    summary: "All pairs of labels of each category among the predictors of a logistic mixed model, at the means of \
              numbers and averaged over the labels of other categories; give --adjust.",
    assumptions: "",
    source: "Searle et al. (1980); Breslow and Clayton (1993); degrees of freedom: Li and Redden (2015).",
    columns: joined!(
        &[MODEL_TERM.means("the predictor"), FIRST, SECOND],
        EVENT_COUNTS,
        &[ESTIMATE.means("first less second label, in log odds")],
        INTERVAL_COLUMNS,
        &[T_OR_Z, DF_OF_T, P_VALUE],
        CONVERGENCE_COLUMNS
    ),
    rows: contrasts,
};

/// Variances of the random effects.
const EVENT_VARIANCES: Part<Rows<ModelFit>> = Part {
    name: "logistic-mixed-variances",
    summary: "Variances and covariances of the random effects of a logistic mixed model, in log odds, with intraclass \
              correlations beside a residual variance of π² / 3.",
    assumptions: "",
    source: "Breslow and Clayton (1993); Nakagawa et al. (2017).",
    columns: joined!(
        &[FACTOR, EFFECT, WITH],
        EVENT_COUNTS,
        &[
            N_LABELS,
            VARIANCE
                .means("variance of the effect, or covariance with the other one, in log odds per unit of the columns"),
            SD.means("standard deviation of the effect, in log odds per unit of the column"),
            CORRELATION,
            INTRACLASS,
            CONVERGED,
            REASON
        ]
    ),
    rows: NUMBER_VARIANCES.rows,
};

/// Fit of the model.
const EVENT_FIT: Part<Rows<ModelFit>> = Part {
    name: "logistic-mixed-fit",
    summary: "How well a logistic mixed model fits.",
    assumptions: "",
    source: "Bates et al. (2015); Nakagawa et al. (2017).",
    columns: joined!(EVENT_COUNTS, FIT_COLUMNS, CONVERGENCE_COLUMNS),
    rows: |fit| fit.rows(vec![fit.model.fit_record()]),
};

/// Predicted random effects.
const EVENT_MODES: Part<Rows<ModelFit>> = Part {
    name: "logistic-mixed-modes",
    summary: "The random effects that a logistic mixed model predicts for each label, in log odds.",
    assumptions: "",
    source: "Breslow and Clayton (1993); Bates et al. (2015).",
    columns: &[
        FACTOR,
        LABEL,
        EFFECT,
        N.means("number of rows of this label"),
        N_EVENTS.means("number of events of all labels"),
        N_MISSING,
        MODE.means("by how much the effect is expected to be above the fixed one, in log odds per unit of the column"),
        CONVERGED,
        REASON,
    ],
    rows: modes,
};

/// Likelihood-ratio tests of the predictors of the logistic model of any table.
pub const LOGISTIC_MIXED_COMPARISONS: Estimator = Estimator {
    name: "logistic-mixed-comparisons",
    summary: "Likelihood-ratio test of each term of a logistic mixed model: against the model without the term and its \
              products with others.",
    assumptions: "Assumes rows that are independent given the random effects, and many labels of each factor.",
    source: "Breslow and Clayton (1993); Bates et al. (2015).",
    roles: EVENT_TERM_ROLES,
    columns: joined!(
        &[MODEL_TERM.means("the term")],
        EVENT_COUNTS,
        &[
            STATISTIC.means("twice the difference of the log-likelihoods"),
            DF.means("the number of columns that are left out"),
            P_VALUE,
            SENTENCE,
            REASON
        ]
    ),
    estimate: MIXED_COMPARISONS.estimate,
};

/// The model that a sample asks for, at the rows that have all values.
fn specification(sample: &Sample, complete: &Complete) -> Result<Specification, NotEstimable> {
    let random = sample.all(Role::Random);
    let (name, outcome) = match sample.maybe(Role::Event) {
        Some(event) => (&event.name, Outcome::Event(event.flags(&complete.indices))),
        None => {
            let y = sample.one(Role::Y);
            (&y.name, Outcome::Number(y.numbers(&complete.indices)))
        }
    };
    let predictors = predictors(sample, complete)?;
    let names: Vec<&str> = predictors.iter().map(Predictor::name).collect();
    let factors: Vec<&str> = random.iter().map(|input| input.name.as_str()).collect();
    let formula = sample.request.formula.clone();
    let formula = formula.unwrap_or_else(|| Formula::additive(name, &names, &factors));
    // A formula may say `factor(x)` of a column whose name is `x`; the order is that of the columns.
    let named = formula.predictors().into_iter().map(str::to_owned).zip(&predictors);
    let variables = named.map(|(name, predictor)| predictor.variable(&name)).collect::<Result<Vec<_>, _>>()?;
    let grouping = |(name, input): (&str, &Input)| Grouping::new(name, &input.labels(&complete.indices));
    let factors = formula.factors().into_iter().zip(random).map(grouping).collect();
    Specification::new(formula, outcome, variables, factors)
}

/// A fitted model with what was asked for.
struct ModelFit {
    specification: Specification,
    model: MixedModel,
}

impl ModelFit {
    /// Rows that tell whether the model converged, or one that says why there are none.
    fn rows(&self, rows: Vec<Record>) -> Vec<Record> {
        let whole = Record::new().set(CONVERGED, self.model.converged).set(REASON, self.model.reason.clone());
        whole.shared_by(rows)
    }

    /// The same rows, or, where the model has a fit but none of them, one that says why.
    fn rows_or(&self, rows: Vec<Record>, why: &str) -> Vec<Record> {
        let is_empty = rows.is_empty() && self.model.reason.is_none();
        self.rows(if is_empty { vec![Record::new().set(REASON, why)] } else { rows })
    }
}

fn fit_of_sample(sample: &Sample) -> Fitted<ModelFit> {
    let (whole, specification) = specification_of_sample(sample);
    let fit = specification.and_then(|specification| {
        let model = specification.fit(Criterion::Reml, sample.request.confidence)?;
        Ok(ModelFit { specification, model })
    });
    Fitted::new(whole, fit)
}

/// The number of rows behind a model, and the model that is to be fitted to them.
fn specification_of_sample(sample: &Sample) -> (Record, Result<Specification, NotEstimable>) {
    let inputs = [Role::Y, Role::Event, Role::Predictor, Role::Random].into_iter().flat_map(|role| sample.all(role));
    let complete = sample.complete(inputs);
    let mut whole = Record::new().set(N, complete.indices.len()).set(N_MISSING, complete.n_missing);
    if let Some(event) = sample.maybe(Role::Event) {
        whole = whole.set(N_EVENTS, event.flags(&complete.indices).into_iter().filter(|&event| event).count());
    }
    (whole, specification(sample, &complete))
}

/// The fixed effects; a test of the intercept is of no interest.
fn effects(fit: &ModelFit, record: fn(&Effect) -> Record) -> Vec<Record> {
    let row =
        |effect: &Effect| if effect.name == INTERCEPT { record(effect).skipping_adjustment() } else { record(effect) };
    fit.model.fixed.iter().map(row).collect()
}

/// The joint test of each term.
fn terms(fit: &ModelFit) -> Vec<Record> {
    let terms: Vec<&str> = fit.model.terms().collect();
    fit.rows_or(terms.into_iter().map(|term| fit.model.term_test(term).record()).collect(), NO_TERM)
}

/// The predicted effect of each label.
fn modes(fit: &ModelFit) -> Vec<Record> {
    fit.rows(fit.model.modes().iter().map(Mode::record).collect())
}

/// The likelihood-ratio test of each term, against a model of its own that is fitted without it.
fn comparisons(sample: &Sample) -> Vec<Record> {
    let (whole, specification) = specification_of_sample(sample);
    match specification.and_then(|specification| specification.comparisons()) {
        Ok(tests) if tests.is_empty() => vec![whole.set(REASON, NO_TERM)],
        Ok(tests) => whole.shared_by(tests.into_iter().map(compared).collect()),
        Err(reason) => vec![whole.set(REASON, reason)],
    }
}

fn compared(Comparison { term, test }: Comparison) -> Record {
    Record::new().set(MODEL_TERM, term).outcome(&test, |row, test| {
        row.set(STATISTIC, test.statistic).set(DF, test.df).set(P_VALUE, test.p_value).set(SENTENCE, test.sentence())
    })
}

/// All pairs of labels of each category.
fn contrasts(fit: &ModelFit) -> Vec<Record> {
    let model = &fit.model;
    let of_category = |category: &str| {
        let mut labels = model.labels(category).to_vec();
        labels.sort_by(|left, right| natural(left, right));
        let pairs = match pairs(labels.len()) {
            Ok(pairs) => pairs,
            Err(reason) => return vec![Record::without(reason).set(MODEL_TERM, category)],
        };
        let row = |(first, second): (usize, usize)| {
            let (first, second) = (labels[first].as_str(), labels[second].as_str());
            let difference = model.marginal_difference(category, first, second);
            let row = difference.map_or_else(Record::without, |effect| effect.record());
            row.set(MODEL_TERM, category).set(FIRST, first).set(SECOND, second)
        };
        pairs.into_iter().map(row).collect()
    };
    fit.rows_or(model.categories().flat_map(of_category).collect(), NO_CATEGORY)
}

/// The mean of each label of each category.
fn means(fit: &ModelFit) -> Vec<Record> {
    let model = &fit.model;
    let of_category = |category: &str| match model.marginal_means(category) {
        Ok(mut means) => {
            means.sort_by(|left, right| natural(&left.name, &right.name));
            means.iter().map(|mean| mean.mean_record().set(MODEL_TERM, category)).collect()
        }
        Err(reason) => vec![Record::without(reason).set(MODEL_TERM, category)],
    };
    fit.rows_or(model.categories().flat_map(of_category).collect(), NO_CATEGORY)
}

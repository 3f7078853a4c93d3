//! The results of a mixed model as rows of tables, and the model of any table.

use crate::estimator::labels::{natural, pairs};
use crate::estimator::sample::Sample;
use crate::estimator::{Complete, Input};
use crate::estimator::{Estimator, Kind, Need, Role};
use crate::formula::Formula;
use crate::not_estimable::NotEstimable;
use crate::record::*;
use crate::stats::covariate::{MODEL_TERM, RATIO, RATIO_LOWER, RATIO_UPPER};
use crate::stats::mixed::design::{Grouping, INTERCEPT};
use crate::stats::mixed::effects::{Criterion, Effect, FTest, MOST_TERMS, Mode, RandomEffects};
use crate::stats::mixed::model::MixedModel;
use crate::stats::mixed::specification::{Comparison, Outcome, Specification};
use crate::stats::predictors::{Predictor, predictors};

const ROLES: &[Need] = &[
    Need::one(Role::Y, Kind::Number),
    Need::several(Role::Random, Kind::Label, 1).at_most(MOST_TERMS),
    Need::several(Role::Predictor, Kind::NumberOrCategory, 0),
];
/// A factor of random effects, or the residuals.
pub const FACTOR: Column = text("factor", "factor of the random effects, or residual");
/// A random effect.
pub const EFFECT: Column = text("effect", "the random effect: intercept, or the column of a slope");
/// The other effect of a covariance.
pub const WITH: Column = text("with", "for a covariance, the other effect");
const LABEL: Column = text("label", "its label, such as the participant");
/// Number of labels of a factor.
pub const N_LABELS: Column = count("n_labels", "number of labels of the factor");
/// Variance of effects or residuals.
pub const VARIANCE: Column = number(
    "variance",
    "variance of the effect, or covariance with the other one; in the product of the units of the two effects, each that of y per unit of its column",
);
/// Their standard deviation.
pub const SD: Column = number("sd", "standard deviation of the effect, in the unit of y per unit of the column");
/// Correlation of two random effects.
pub const CORRELATION: Column = number("correlation", "for a covariance, the correlation of the two effects");
/// Intraclass correlation.
pub const INTRACLASS: Column = number(
    "icc",
    "intraclass correlation: share of all effects of the term in the variance of random effects and residuals, on average over the rows",
);
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
    number("r_squared_conditional", "conditional R²: share that predictors and random effects explain together");
/// Whether a variance is 0.
pub const SINGULAR: Column = flag(
    "singular",
    "whether the fit is singular: a variance of random effects is estimated as 0, or a correlation as ±1",
);
const MODE: Column = number(
    "mode",
    "by how much the effect is expected to be above the fixed one, in the unit of y per unit of the column",
);

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

    /// The effect on log odds, also as an odds ratio.
    pub fn odds_record(&self) -> Record {
        let ratio = |value: Option<f64>| value.map(f64::exp);
        let row = self.record().set(RATIO, ratio(self.estimate));
        row.set(RATIO_LOWER, ratio(self.lower)).set(RATIO_UPPER, ratio(self.upper))
    }
}

impl Effect {
    /// The effect as the mean of a label, whose difference from 0 is of no interest.
    pub fn mean_record(&self) -> Record {
        Record::new()
            .set(LABEL, self.name.as_str())
            .set(ESTIMATE, self.estimate)
            .set(STANDARD_ERROR, self.standard_error)
            .set(LOWER, self.lower)
            .set(UPPER, self.upper)
            .set(CONFIDENCE, self.confidence.level())
            .set(DF, self.df)
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

impl RandomEffects {
    /// The variance of each effect, then the covariances.
    pub fn records(&self) -> Vec<Record> {
        let whole = Record::new().set(FACTOR, self.factor.as_str()).set(N_LABELS, self.n_labels);
        let variance = |(own, name): (usize, &String)| {
            let row = whole.clone().set(EFFECT, name.as_str()).set(INTRACLASS, self.icc);
            row.set(VARIANCE, self.covariance[own][own]).set(SD, self.sd(own))
        };
        let mut rows: Vec<Record> = self.effects.iter().enumerate().map(variance).collect();
        let below =
            (0..self.effects.len()).flat_map(|right| (right + 1..self.effects.len()).map(move |left| (left, right)));
        rows.extend(below.filter(|_| self.correlated).map(|(left, right)| {
            let row = whole.clone().set(EFFECT, self.effects[right].as_str()).set(WITH, self.effects[left].as_str());
            row.set(VARIANCE, self.covariance[left][right]).set(CORRELATION, self.correlation(left, right))
        }));
        rows
    }
}

impl Mode {
    /// The predicted effect.
    pub fn record(&self) -> Record {
        Record::new()
            .set(FACTOR, self.factor.as_str())
            .set(LABEL, self.label.as_str())
            .set(EFFECT, self.effect.as_str())
            .set(N, self.n)
            .set(MODE, self.mode)
    }
}

impl MixedModel {
    /// How well the model fits.
    pub fn record(&self) -> Record {
        let criterion = if self.criterion == Criterion::Ml { "ml" } else { "reml" };
        self.fit_record().set(CRITERION, criterion)
    }

    /// How well the model fits, whatever the criterion.
    fn fit_record(&self) -> Record {
        Record::new()
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

    /// The variances and covariances of the effects of each term, then the variance of the residuals.
    pub fn variance_records(&self) -> Vec<Record> {
        let residual = |sd: f64| Record::new().set(FACTOR, "residual").set(VARIANCE, sd * sd).set(SD, sd);
        self.random.iter().flat_map(RandomEffects::records).chain(self.residual_sd.map(residual)).collect()
    }
}

/// Fixed effects of the model of any table.
pub const MIXED: Estimator = Estimator {
    name: "mixed",
    summary: "Linear mixed model of y with random effects of crossed factors: the effect of each predictor.",
    assumptions: "Assumes normal residuals that are independent given the random effects.",
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
        of_sample(sample, |model| {
            let row = |own: &Effect| if own.name == INTERCEPT { own.record().aside() } else { own.record() };
            model.fixed.iter().map(row).collect()
        })
    },
};

/// Joint tests of the predictors of any table.
pub const MIXED_TERMS: Estimator = Estimator {
    name: "mixed-terms",
    summary: "F test (type III) of each term of a linear mixed model, all labels of a category at once.",
    source: "Fai and Cornelius (1996); Kuznetsova et al. (2017).",
    columns: &[
        MODEL_TERM.means("the predictor, or a product of several"),
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
        Need::several(Role::Random, Kind::Label, 1).at_most(MOST_TERMS),
        Need::several(Role::Predictor, Kind::NumberOrCategory, 1),
    ],
    estimate: |sample| {
        of_sample(sample, |model| {
            let terms: Vec<&str> = model.terms().collect();
            let rows = terms.into_iter().map(|term| model.term_test(term).record()).collect();
            or_reason(rows, model, NO_TERM)
        })
    },
    ..MIXED
};

/// Contrasts of the categories of any table.
pub const MIXED_CONTRASTS: Estimator = Estimator {
    name: "mixed-contrasts",
    summary: "All pairs of labels of each category among the predictors of a linear mixed model, at the means of \
              numbers and averaged over the labels of other categories; give --adjust.",
    source: "Searle et al. (1980); degrees of freedom: Satterthwaite (1946), Kuznetsova et al. (2017).",
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
    estimate: |sample| of_sample(sample, contrasts),
    ..MIXED
};

/// Means of the categories of any table.
pub const MIXED_MEANS: Estimator = Estimator {
    name: "mixed-means",
    summary: "Estimated marginal mean of each label of each category among the predictors of a linear mixed model, at \
              the means of numbers and averaged over the labels of other categories.",
    source: "Searle et al. (1980); degrees of freedom: Satterthwaite (1946), Kuznetsova et al. (2017).",
    columns: &[
        MODEL_TERM.means("the predictor"),
        LABEL.means("its label"),
        N,
        N_MISSING,
        ESTIMATE.means("the mean, in the unit of y"),
        STANDARD_ERROR,
        LOWER,
        UPPER,
        CONFIDENCE,
        DF.means("degrees of freedom, by Satterthwaite's method"),
        CONVERGED,
        REASON,
    ],
    roles: MIXED_TERMS.roles,
    estimate: |sample| of_sample(sample, means),
    ..MIXED
};

/// Likelihood-ratio tests of the predictors of any table.
pub const MIXED_COMPARISONS: Estimator = Estimator {
    name: "mixed-comparisons",
    summary: "Likelihood-ratio test of each term of a linear mixed model: against the model without the term and its \
              products with others, both by maximum likelihood.",
    assumptions: "Assumes normal residuals that are independent given the random effects, and many labels of each \
                  factor: with few of them the test rejects too often, and mixed-terms is better.",
    source: "Bates et al. (2015).",
    columns: &[
        MODEL_TERM.means("the term"),
        N,
        N_MISSING,
        STATISTIC.means("twice the difference of the log-likelihoods"),
        DF.means("the number of columns that are left out"),
        P_VALUE,
        SENTENCE,
        REASON,
    ],
    roles: MIXED_TERMS.roles,
    estimate: |sample| of_asked(sample, |asked, whole| comparisons(asked, &whole)),
};

/// Variances of the model of any table.
pub const MIXED_VARIANCES: Estimator = Estimator {
    name: "mixed-variances",
    summary: "Variances and covariances of the random effects and of the residuals of a linear mixed model, with \
              intraclass correlations.",
    source: "Bates et al. (2015).",
    columns: &[FACTOR, EFFECT, WITH, N, N_MISSING, N_LABELS, VARIANCE, SD, CORRELATION, INTRACLASS, CONVERGED, REASON],
    estimate: |sample| of_sample(sample, MixedModel::variance_records),
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
    estimate: |sample| {
        let confidence = sample.request.confidence;
        of_asked(sample, |asked, whole| {
            let fit = |criterion| Ok(whole.clone().overlaid(asked.fit(criterion, confidence)?.record()));
            [Criterion::Reml, Criterion::Ml].into_iter().map(fit).collect()
        })
    },
    ..MIXED
};

/// Predicted effects of the model of any table.
pub const MIXED_MODES: Estimator = Estimator {
    name: "mixed-modes",
    summary: "The random effects that a linear mixed model predicts for each label.",
    source: "Bates et al. (2015).",
    columns: &[FACTOR, LABEL, EFFECT, N.means("number of rows of this label"), N_MISSING, MODE, CONVERGED, REASON],
    estimate: |sample| of_sample(sample, |model| model.modes().iter().map(Mode::record).collect()),
    ..MIXED
};

const NO_TERM: &str = "the model has no fixed effect but the intercept";
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

/// Fixed effects of the logistic model of any table.
pub const LOGISTIC_MIXED: Estimator = Estimator {
    name: "logistic-mixed",
    summary: "Logistic mixed model of what happened or not with random effects of crossed factors, by Laplace's \
              approximation: the effect of each predictor on the log odds.",
    assumptions: "Assumes rows that are independent given the random effects; variances are too small where labels have \
                  few events.",
    source: "Breslow and Clayton (1993); Bates et al. (2015); degrees of freedom: Li and Redden (2015).",
    roles: EVENT_ROLES,
    columns: &[
        MODEL_TERM,
        N,
        N_EVENTS,
        N_MISSING,
        ESTIMATE.means("change of the log odds per unit of the predictor; of the intercept, the log odds at 0"),
        STANDARD_ERROR,
        LOWER,
        UPPER,
        CONFIDENCE,
        RATIO,
        RATIO_LOWER,
        RATIO_UPPER,
        T_OR_Z,
        DF_OF_T,
        P_VALUE,
        CONVERGED,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| {
        of_sample(sample, |model| {
            let row = |own: &Effect| {
                if own.name == INTERCEPT { own.odds_record().aside() } else { own.odds_record() }
            };
            model.fixed.iter().map(row).collect()
        })
    },
};

/// Joint tests of the predictors of the logistic model of any table.
pub const LOGISTIC_MIXED_TERMS: Estimator = Estimator {
    name: "logistic-mixed-terms",
    summary: "Wald's test (type III) of each term of a logistic mixed model, all labels of a category at once.",
    source: "Wald (1943); Breslow and Clayton (1993); degrees of freedom: Li and Redden (2015).",
    roles: EVENT_TERM_ROLES,
    columns: &[
        MODEL_TERM.means("the predictor, or a product of several"),
        N,
        N_EVENTS,
        N_MISSING,
        STATISTIC.means("F: Wald's χ² divided by its degrees of freedom"),
        DF.means("numerator degrees of freedom"),
        DF2.means("denominator degrees of freedom, by the between-within method; empty where it is compared with χ²"),
        P_VALUE,
        CONVERGED,
        SENTENCE,
        REASON,
    ],
    estimate: MIXED_TERMS.estimate,
    ..LOGISTIC_MIXED
};

/// Contrasts of the categories of the logistic model of any table.
pub const LOGISTIC_MIXED_CONTRASTS: Estimator = Estimator {
    name: "logistic-mixed-contrasts",
    summary: "All pairs of labels of each category among the predictors of a logistic mixed model, at the means of \
              numbers and averaged over the labels of other categories; give --adjust.",
    source: "Searle et al. (1980); Breslow and Clayton (1993); degrees of freedom: Li and Redden (2015).",
    roles: EVENT_TERM_ROLES,
    columns: &[
        MODEL_TERM.means("the predictor"),
        FIRST,
        SECOND,
        N,
        N_EVENTS,
        N_MISSING,
        ESTIMATE.means("first less second label, in log odds"),
        STANDARD_ERROR,
        LOWER,
        UPPER,
        CONFIDENCE,
        T_OR_Z,
        DF_OF_T,
        P_VALUE,
        CONVERGED,
        SENTENCE,
        REASON,
    ],
    estimate: MIXED_CONTRASTS.estimate,
    ..LOGISTIC_MIXED
};

/// Likelihood-ratio tests of the predictors of the logistic model of any table.
pub const LOGISTIC_MIXED_COMPARISONS: Estimator = Estimator {
    name: "logistic-mixed-comparisons",
    summary: "Likelihood-ratio test of each term of a logistic mixed model: against the model without the term and its \
              products with others.",
    assumptions: "Assumes rows that are independent given the random effects, and many labels of each factor.",
    source: "Breslow and Clayton (1993); Bates et al. (2015).",
    roles: EVENT_TERM_ROLES,
    columns: &[
        MODEL_TERM.means("the term"),
        N,
        N_EVENTS,
        N_MISSING,
        STATISTIC.means("twice the difference of the log-likelihoods"),
        DF.means("the number of columns that are left out"),
        P_VALUE,
        SENTENCE,
        REASON,
    ],
    estimate: MIXED_COMPARISONS.estimate,
};

/// Variances of the logistic model of any table.
pub const LOGISTIC_MIXED_VARIANCES: Estimator = Estimator {
    name: "logistic-mixed-variances",
    summary: "Variances and covariances of the random effects of a logistic mixed model, in log odds, with intraclass \
              correlations beside a residual variance of π² / 3.",
    source: "Breslow and Clayton (1993); Nakagawa et al. (2017).",
    columns: &[
        FACTOR,
        EFFECT,
        WITH,
        N,
        N_EVENTS,
        N_MISSING,
        N_LABELS,
        VARIANCE.means("variance of the effect, or covariance with the other one, in log odds per unit of the columns"),
        SD.means("standard deviation of the effect, in log odds per unit of the column"),
        CORRELATION,
        INTRACLASS,
        CONVERGED,
        REASON,
    ],
    estimate: MIXED_VARIANCES.estimate,
    ..LOGISTIC_MIXED
};

/// Fit of the logistic model of any table.
pub const LOGISTIC_MIXED_FIT: Estimator = Estimator {
    name: "logistic-mixed-fit",
    summary: "How well a logistic mixed model fits.",
    source: "Bates et al. (2015); Nakagawa et al. (2017).",
    columns: &[
        N,
        N_EVENTS,
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
    estimate: |sample| of_sample(sample, |model| vec![model.fit_record()]),
    ..LOGISTIC_MIXED
};

/// Predicted random effects of the logistic model of any table.
pub const LOGISTIC_MIXED_MODES: Estimator = Estimator {
    name: "logistic-mixed-modes",
    summary: "The random effects that a logistic mixed model predicts for each label, in log odds.",
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
    estimate: MIXED_MODES.estimate,
    ..LOGISTIC_MIXED
};

/// The model that a sample asks for, at the rows that have all values.
fn asked(sample: &Sample, complete: &Complete) -> Result<Specification, NotEstimable> {
    let random = sample.all(Role::Random);
    let (name, outcome) = match sample.maybe(Role::Event) {
        Some(event) => (&event.name, Outcome::Event(event.flags(&complete.indices))),
        None => {
            let y = sample.one(Role::Y);
            (&y.name, Outcome::Number(y.numbers(&complete.indices)))
        }
    };
    let found = predictors(sample, complete)?;
    let names: Vec<&str> = found.iter().map(Predictor::name).collect();
    let factors: Vec<&str> = random.iter().map(|own| own.name.as_str()).collect();
    let formula = sample.request.formula.clone();
    let formula = formula.unwrap_or_else(|| Formula::additive(name, &names, &factors));
    // A formula may say `factor(x)` of a column whose name is `x`; the order is that of the columns.
    let named = formula.predictors().into_iter().map(str::to_owned).zip(&found);
    let variables = named.map(|(name, own)| own.variable(&name)).collect::<Result<Vec<_>, _>>()?;
    let grouping = |(name, own): (&str, &Input)| Grouping::new(name, &own.labels(&complete.indices));
    let factors = formula.factors().into_iter().zip(random).map(grouping).collect();
    Specification::new(formula, outcome, variables, factors)
}

/// Rows of the model of a sample, or one that says why there is none.
fn of_sample(sample: &Sample, rows: impl Fn(&MixedModel) -> Vec<Record>) -> Vec<Record> {
    of_asked(sample, |asked, whole| {
        let model = asked.fit(Criterion::Reml, sample.request.confidence)?;
        let whole = whole.set(CONVERGED, model.converged).set(REASON, model.reason.clone());
        Ok(whole.shared_by(rows(&model)))
    })
}

fn of_asked(
    sample: &Sample,
    rows: impl Fn(&Specification, Record) -> Result<Vec<Record>, NotEstimable>,
) -> Vec<Record> {
    let inputs = [Role::Y, Role::Event, Role::Predictor, Role::Random].into_iter().flat_map(|role| sample.all(role));
    let complete = sample.complete(inputs);
    let whole = Record::new().set(N, complete.indices.len()).set(N_MISSING, complete.n_missing);
    let events = sample.maybe(Role::Event).map(|own| own.flags(&complete.indices));
    let n_events = events.map(|events| events.into_iter().filter(|&event| event).count());
    let whole = if n_events.is_some() { whole.set(N_EVENTS, n_events) } else { whole };
    let found = asked(sample, &complete).and_then(|asked| rows(&asked, whole.clone()));
    found.unwrap_or_else(|reason| vec![whole.set(REASON, reason)])
}

/// The likelihood-ratio test of each term.
fn comparisons(asked: &Specification, whole: &Record) -> Result<Vec<Record>, NotEstimable> {
    let row = |Comparison { term, test }| {
        let row = whole.clone().set(MODEL_TERM, term);
        match test {
            Ok(test) => row
                .set(STATISTIC, test.statistic)
                .set(DF, test.df)
                .set(P_VALUE, test.p_value)
                .set(SENTENCE, test.sentence()),
            Err(reason) => row.set(REASON, reason),
        }
    };
    let rows: Vec<Record> = asked.comparisons()?.into_iter().map(row).collect();
    Ok(if rows.is_empty() { vec![whole.clone().set(REASON, NO_TERM)] } else { rows })
}

/// All pairs of labels of each category.
fn contrasts(model: &MixedModel) -> Vec<Record> {
    let of_category = |category: &str| {
        let mut labels = model.labels(category).to_vec();
        labels.sort_by(|left, right| natural(left, right));
        let pairs = match pairs(labels.len()) {
            Ok(pairs) => pairs,
            Err(reason) => return vec![Record::without(reason).set(MODEL_TERM, category)],
        };
        let row = |(first, second): (usize, usize)| {
            let (first, second) = (labels[first].as_str(), labels[second].as_str());
            let found = model.marginal_difference(category, first, second);
            let row = found.map_or_else(Record::without, |effect| effect.record());
            row.set(MODEL_TERM, category).set(FIRST, first).set(SECOND, second)
        };
        pairs.into_iter().map(row).collect()
    };
    or_reason(model.categories().flat_map(of_category).collect(), model, "no predictor is a category")
}

/// The rows of a model, or, where it has a fit but none, one that says why.
fn or_reason(rows: Vec<Record>, model: &MixedModel, why: &str) -> Vec<Record> {
    if rows.is_empty() && model.reason.is_none() { vec![Record::new().set(REASON, why)] } else { rows }
}

/// The mean of each label of each category.
fn means(model: &MixedModel) -> Vec<Record> {
    let of_category = |category: &str| match model.marginal_means(category) {
        Ok(mut found) => {
            found.sort_by(|left, right| natural(&left.name, &right.name));
            found.iter().map(|own| own.mean_record().set(MODEL_TERM, category)).collect()
        }
        Err(reason) => vec![Record::without(reason).set(MODEL_TERM, category)],
    };
    or_reason(model.categories().flat_map(of_category).collect(), model, "no predictor is a category")
}

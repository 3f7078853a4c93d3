//! Results of a mixed model as rows of tables.

use super::effects::{Criterion, Effect, FTest, Mode, RandomEffects};
use super::model::MixedModel;
use crate::record::*;
use crate::stats::covariate::{MODEL_TERM, RATIO, RATIO_LOWER, RATIO_UPPER};

/// A factor of random effects, or the residuals.
pub const FACTOR: Column = text("factor", "factor of the random effects, or residual");
/// A random effect.
pub const EFFECT: Column = text("effect", "the random effect: intercept, or the column of a slope");
/// The other effect of a covariance.
pub const WITH: Column = text("with", "for a covariance, the other effect");
pub(super) const LABEL: Column = text("label", "its label, such as the participant");
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
pub(super) const CRITERION: Column =
    text("criterion", "reml: restricted maximum likelihood; ml: maximum likelihood, to compare predictors");
pub(super) const N_PARAMETERS: Column = count("n_parameters", "number of parameters");
pub(super) const DEVIANCE: Column = number("deviance", "−2 times the log-likelihood");
/// Marginal R².
pub const R_MARGINAL: Column = number(
    "r_squared_marginal",
    "marginal R²: share of the variance that the predictors explain (Nakagawa and Schielzeth, 2013)",
);
/// Conditional R².
pub const R_CONDITIONAL: Column =
    number("r_squared_conditional", "conditional R²: share that predictors and random effects explain together");
/// True if a variance is 0.
pub const SINGULAR: Column = flag(
    "singular",
    "whether the fit is singular: a variance of random effects is estimated as 0, or a correlation as ±1",
);
pub(super) const MODE: Column = number(
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
        let variance = |(place, name): (usize, &String)| {
            let row = whole.clone().set(EFFECT, name.as_str()).set(INTRACLASS, self.icc);
            row.set(VARIANCE, self.covariance[place][place]).set(SD, self.sd(place))
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
    /// Fit of the model.
    pub fn record(&self) -> Record {
        let criterion = if self.criterion == Criterion::Ml { "ml" } else { "reml" };
        self.fit_record().set(CRITERION, criterion)
    }

    /// Fit of the model, whatever the criterion.
    pub(super) fn fit_record(&self) -> Record {
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

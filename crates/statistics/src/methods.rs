//! Every method of this crate, as an estimator that can be applied to the columns of any table.

use crate::estimator::{Estimator, EstimatorError, Request};
use crate::stats::survival::{cox, kaplan_meier, log_rank};
use crate::stats::{
    adjusted_columns, association, correlation, describe, friedman, interval, kruskal, learning, logit, matrix, meta,
    mixed, outliers, partial, posthoc, rasch, regression, reliability, repeated, resample, two_samples,
};

mod alias;

pub use alias::other_names;

/// All estimators, by topic.
pub const ESTIMATORS: &[Estimator] = &[
    describe::DESCRIBE,
    describe::QUANTILES,
    interval::MEDIAN,
    outliers::OUTLIERS,
    outliers::OUTLIERS_TUKEY,
    outliers::OUTLIER_ROWS,
    outliers::OUTLIER_ROWS_TUKEY,
    interval::PROPORTION,
    resample::BOOTSTRAP_MEAN,
    resample::BOOTSTRAP_MEDIAN,
    resample::BOOTSTRAP_PEARSON,
    resample::BOOTSTRAP_SPEARMAN,
    resample::BOOTSTRAP_KENDALL,
    correlation::PEARSON,
    correlation::SPEARMAN,
    correlation::KENDALL,
    partial::PARTIAL_PEARSON,
    partial::PARTIAL_SPEARMAN,
    matrix::MATRIX_PEARSON,
    matrix::MATRIX_SPEARMAN,
    matrix::MATRIX_KENDALL,
    repeated::REPEATED,
    repeated::DECOMPOSITION,
    two_samples::MANN_WHITNEY.estimator,
    two_samples::BRUNNER_MUNZEL.estimator,
    two_samples::WELCH.estimator,
    kruskal::KRUSKAL_WALLIS,
    posthoc::DUNN,
    two_samples::WILCOXON.estimator,
    two_samples::WILCOXON_COLUMNS,
    friedman::FRIEDMAN,
    friedman::FRIEDMAN_COLUMNS,
    association::CHI_SQUARED,
    association::CHI_SQUARED_CELLS,
    regression::LINE,
    meta::RANDOM_EFFECTS,
    learning::LEARNING,
    learning::LEARNING_PARAMETERS,
    logit::LOGISTIC,
    logit::LOGISTIC_FIT,
    mixed::MIXED,
    mixed::MIXED_TERMS,
    mixed::MIXED_CONTRASTS,
    mixed::MIXED_MEANS,
    mixed::MIXED_COMPARISONS,
    mixed::MIXED_VARIANCES,
    mixed::MIXED_FIT,
    mixed::MIXED_MODES,
    mixed::LOGISTIC_MIXED,
    mixed::LOGISTIC_MIXED_TERMS,
    mixed::LOGISTIC_MIXED_CONTRASTS,
    mixed::LOGISTIC_MIXED_COMPARISONS,
    mixed::LOGISTIC_MIXED_VARIANCES,
    mixed::LOGISTIC_MIXED_FIT,
    mixed::LOGISTIC_MIXED_MODES,
    reliability::SPLIT_HALF,
    reliability::ODD_EVEN,
    reliability::ALPHA,
    reliability::ALPHA_COLUMNS,
    reliability::ICC,
    reliability::ICC_COLUMNS,
    reliability::ICC_ONE_WAY,
    rasch::RASCH,
    rasch::RASCH_ABILITIES,
    rasch::RASCH_FIT,
    rasch::RASCH_CONDITIONAL,
    kaplan_meier::KAPLAN_MEIER,
    kaplan_meier::SURVIVAL_CURVE,
    log_rank::LOG_RANK,
    log_rank::LOG_RANK_GROUPS,
    cox::COX,
    cox::COX_FIT,
    cox::PROPORTIONAL_HAZARDS,
    adjusted_columns::ADJUST,
];

/// The estimator of this name, which may be that of another program, such as `coxph`.
///
/// # Errors
///
/// [`EstimatorError::UnknownEstimator`], with the names that are nearest; [`EstimatorError::NoSuchMethod`] for a method
/// that others have; [`EstimatorError::AmbiguousEstimator`] for a name that several may be meant by.
pub fn named(name: &str) -> Result<&'static Estimator, EstimatorError> {
    alias::chosen(name, &alias::candidates(name)?, None)
}

/// The estimator of this name; where others call several by it, such as `t-test`, that which takes the columns of the
/// request.
///
/// # Errors
///
/// As of [`named`].
pub fn meant(name: &str, request: &Request) -> Result<&'static Estimator, EstimatorError> {
    alias::chosen(name, &alias::candidates(name)?, Some(request))
}

#[cfg(test)]
mod contract;

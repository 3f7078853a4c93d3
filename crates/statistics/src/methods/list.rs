//! All estimators.

use crate::estimator::Estimator;
use crate::stats::resample::estimators as bootstrap;
use crate::stats::survival::{cox, kaplan_meier, log_rank};
use crate::stats::{adjusted_columns, correlation, matrix, partial, reliability, repeated};
use crate::stats::{association, describe, friedman, interval, kruskal, outliers, posthoc, two_samples};
use crate::stats::{learning, logit, meta, mixed, rasch, regression};

/// All estimators, by topic.
pub const ESTIMATORS: &[Estimator] = &[
    describe::DESCRIBE,
    describe::QUANTILES,
    interval::MEDIAN,
    outliers::OUTLIERS,
    outliers::OUTLIERS_TUKEY,
    interval::PROPORTION,
    bootstrap::BOOTSTRAP_MEAN,
    bootstrap::BOOTSTRAP_MEDIAN,
    bootstrap::BOOTSTRAP_PEARSON,
    bootstrap::BOOTSTRAP_SPEARMAN,
    bootstrap::BOOTSTRAP_KENDALL,
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
    regression::LINE,
    meta::RANDOM_EFFECTS,
    learning::LEARNING,
    logit::LOGISTIC,
    mixed::MIXED,
    mixed::MIXED_COMPARISONS,
    mixed::LOGISTIC_MIXED,
    mixed::LOGISTIC_MIXED_COMPARISONS,
    reliability::SPLIT_HALF,
    reliability::ODD_EVEN,
    reliability::ALPHA,
    reliability::ALPHA_COLUMNS,
    reliability::ICC,
    reliability::ICC_COLUMNS,
    reliability::ICC_ONE_WAY,
    rasch::RASCH,
    rasch::RASCH_CONDITIONAL,
    kaplan_meier::KAPLAN_MEIER,
    log_rank::LOG_RANK,
    cox::COX,
    adjusted_columns::ADJUST,
];

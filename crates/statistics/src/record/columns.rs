//! The columns that many methods share.

#![expect(missing_docs, reason = "what a column means is said once, as its meaning")]

use super::column::{Column, count, flag, number, text};
use crate::inference::PMethod;

pub const X: Column = text("x", "first measure");
pub const Y: Column = text("y", "second measure");
pub const OUTCOME: Column = text("y", "what is explained or compared");
pub const MEASURE: Column = text("measure", "what is described");
pub const TERM: Column = text("term", "what the estimate belongs to");
pub const FIRST: Column = text("first", "first label");
pub const SECOND: Column = text("second", "second label");
pub const N: Column = count("n", "number of rows that are used");
pub const N_ROWS: Column = count("n_rows", "number of rows that are used");
pub const N_FIRST: Column = count("n_first", "number of values of the first label");
pub const N_SECOND: Column = count("n_second", "number of values of the second label");
pub const N_GROUPS: Column = count("n_groups", "number of groups with values");
pub const N_PARTICIPANTS: Column = count("n_participants", "number of participants");
pub const N_EVENTS: Column = count("n_events", "number of rows in which the event happened");
pub const N_CLUSTERS: Column = count("n_clusters", "number of participants, where standard errors are cluster-robust");
pub const N_MISSING: Column = count("n_missing", "number of rows without a value that is needed; they are left out");
pub const N_EXCLUDED: Column =
    count("n_excluded", "number of participants who are left out because they lack a value that is needed");
pub const N_SHARED: Column = count(
    "n_shared",
    "number of participants with values in several of these groups, empty where participants are not named; the \
     values are then not independent: compare each with themselves (wilcoxon, friedman)",
);
pub const N_FILTERED: Column =
    count("n_filtered", "number of rows that the conditions left out; of each group by itself where there are groups");
pub const ESTIMATE: Column = number("estimate", "the estimate");
pub const STANDARD_ERROR: Column = number("standard_error", "standard error of the estimate");
pub const LOWER: Column = number("lower", "lower end of the interval of the estimate");
pub const UPPER: Column = number("upper", "upper end of the interval of the estimate");
pub const CONFIDENCE: Column = number("confidence", "level of the intervals");
pub const EFFECT_SIZE: Column = number("effect_size", "size of the effect, without a unit");
pub const EFFECT_LOWER: Column = number("effect_lower", "lower end of the interval of the effect size");
pub const EFFECT_UPPER: Column = number("effect_upper", "upper end of the interval of the effect size");
pub const STATISTIC: Column = number("statistic", "the test statistic; empty where it is infinite");
pub const DF: Column = number("df", "degrees of freedom");
pub const DF2: Column = number("df2", "denominator degrees of freedom");
pub const P_VALUE: Column = number("p_value", "p value, not adjusted");
pub const P_METHOD: Column = text(
    "p_method",
    "how the p value was computed: from the distribution of the statistic, which is exact if the assumptions of the test hold; \
     over all permutations of the data, exact without a model; or by a distribution that approximates that of the permutations",
)
.levels(&PMethod::NAMES);
pub const R_SQUARED: Column = number("r_squared", "share of the variance that is explained");
pub const RESIDUAL_SD: Column = number("residual_sd", "standard deviation of the residuals, in the unit of y");
pub const LOG_LIKELIHOOD: Column = number("log_likelihood", "log-likelihood of the model");
pub const AIC: Column = number("aic", "Akaike information criterion (AIC); the smaller the better");
pub const BIC: Column = number("bic", "Bayesian information criterion (BIC); the smaller the better");
pub const CONVERGED: Column = flag("converged", "whether the optimiser converged");
pub const SENTENCE: Column = text("sentence", "APA-formatted result, p not adjusted");
pub const REASON: Column = text("reason", "why the first of the missing values is missing");
pub const MEAN_FIRST: Column = number("mean_first", "mean of the first label");
pub const MEAN_SECOND: Column = number("mean_second", "mean of the second label");

pub const INTERVAL_COLUMNS: &[Column] = &[STANDARD_ERROR, LOWER, UPPER, CONFIDENCE];
pub const CONVERGENCE_COLUMNS: &[Column] = &[CONVERGED, SENTENCE, REASON];
pub const BOUNDS: &[Column] = &[LOWER, UPPER, CONFIDENCE];
pub const P_METHOD_COLUMNS: &[Column] = &[P_METHOD, SENTENCE, REASON];

//! Columns that several tables of a study share.

use plymap_statistics::record::{self, Column, text, whole};

pub const METHOD: Column = text("method", "coefficient");
pub const N_NOT_SOLVED: Column =
    record::N_EXCLUDED.means("number of trials that were not solved or are not known to have been");
pub const COEFFICIENT: Column = record::ESTIMATE.means("the coefficient");
pub const LOWER: Column = record::LOWER.means("lower end of the interval");
pub const UPPER: Column = record::UPPER.means("upper end of the interval");
pub const CONFIDENCE: Column = record::CONFIDENCE.means("level of the interval");
pub const T_OR_Z: Column =
    record::STATISTIC.means("t; for Kendall z; empty where it is infinite because the correlation is perfect");
pub const CORRELATION_DF: Column = whole("df", "degrees of freedom, n − 2; empty for Kendall");
pub const P_OF_CORRELATION: Column = record::P_VALUE.means("two-sided p of the hypothesis of no correlation");
pub const SENTENCE: Column = record::SENTENCE.means("APA-formatted result");
pub const NO_RESULT: Column = record::REASON.means("why the result, or its interval, is missing");

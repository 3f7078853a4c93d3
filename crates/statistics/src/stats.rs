//! Estimators: one per file, each citing the source of its formula.
//!
//! All take plain slices from which missing values are already removed, and return small structs
//! that can become the row of a table. What is estimated together is a `Result`, whose error says why
//! it is not; what can be absent alone is an `Option`, and the field `reason` of the result says why.
//! No estimator returns a silent NaN, and none panics. Every number is checked against scipy,
//! statsmodels or a second implementation; the scripts that made the reference values are in
//! `tests/oracles/`.
//!
//! To add an estimator: a file here with its source, a script `tests/oracles/NAME.py` that writes
//! `NAME.json` beside it, a test in `tests/it/stats.rs`, and a sentence in [`apa`] if a paper
//! would print it.

pub mod adjusted_columns;
pub mod association;
mod bias_reduced;
pub mod chi_squared;
mod clusters;
pub mod correlation;
pub mod counted;
pub mod covariate;
pub mod density;
pub mod describe;
pub mod friedman;
pub mod interval;
mod kendall;
pub mod kruskal;
pub mod learning;
pub mod logit;
pub mod matrix;
pub mod meta;
pub mod mixed;
pub mod outliers;
pub mod partial;
pub mod posthoc;
mod predictors;
pub mod rasch;
pub mod regression;
pub mod regression_fit;
pub mod reliability;
pub mod repeated;
pub mod resample;
pub mod survival;
pub mod two_samples;

pub use crate::inference::{Confidence, PMethod};
pub use crate::not_estimable::NotEstimable;
pub use crate::numeric::{distribution, moments, quantile, rank};
pub use crate::{adjust, apa};

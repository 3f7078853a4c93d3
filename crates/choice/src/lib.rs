#![doc = include_str!("../README.md")]

mod bounded;
mod climb;
pub mod compare;
mod cone;
pub mod cross_validation;
pub mod decisions;
mod design;
mod estimate;
pub mod fit;
pub mod generate;
mod log_sum;
pub mod model;
mod profile;
mod rollouts;
pub mod selection;
pub mod stopping;

pub use compare::{Comparison, Criterion, compare};
pub use cross_validation::{CrossValidation, Folds, cross_validate};
pub use decisions::{Alternative, Decision, Decisions};
pub use estimate::{Estimate, FitOptions, IntervalMethod, Limit};
pub use fit::{ModelFit, Prepared, fit, fit_all, log_likelihood};
pub use generate::{generate, probabilities, probabilities_of_error};
pub use model::{Model, N_FEATURES, Parameter, ParameterValues, Rule};
pub use rollouts::{RolloutCurve, rollout_lengths};

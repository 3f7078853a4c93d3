//! Models of choice: with what probability a participant makes each legal move.
//!
//! A model gives every legal move of a position a weight; the probability of a move is its weight
//! divided by the sum of all. The parameters are maximum likelihood estimates, for one participant at
//! a time ([`fit()`]). Models are compared by AIC, BIC and the likelihood of moves on levels that were
//! left out of the fit ([`cross_validate`], [`compare()`]), and over participants by random-effects
//! model selection ([`selection`]).
//!
//! The models, for n legal moves of which m are optimal:
//!
//! | [`Rule`] | weight of a move | parameters |
//! |---|---|---|
//! | chance | 1 / n | none |
//! | lapse-optimal | λ / n + (1 − λ) \[optimal\] / m | λ |
//! | eureka | as lapse-optimal up to distance k, 1 / n beyond | λ, k |
//! | soft-optimal | exp(−β · regret) | β |
//! | look-ahead | exp(β · value at depth d) | β, d |
//!
//! Each can be given two habits ([`Model::undo`], [`Model::same_piece`]): the weight of the move that
//! leads back to the position before is multiplied by exp(u), that of every move of the piece that
//! moved last by exp(s). Without them, chance, lapse-optimal and eureka are the `random_model`,
//! `opt_rand_model` and `eureka_model` that Olieslagers et al. published with their Rush Hour data
//! (repository JeroenOlieslagers/rush_hour, `src/models.jl`); the soft rules are conditional logit
//! models (McFadden, 1974. Conditional logit analysis of qualitative choice behavior. In
//! P. Zarembka (Ed.), *Frontiers in econometrics*, 105–142).
//!
//! Where no move is optimal because no goal can be reached any more, lapse-optimal and eureka choose
//! like chance.

pub mod choice;
pub mod compare;
pub mod cross_validation;
pub mod decisions;
mod design;
mod estimate;
pub mod fit;
pub mod generate;
mod profile;
pub mod selection;

pub use choice::{Model, Parameter, ParameterValues, Rule};
pub use compare::{Comparison, Criterion, compare};
pub use cross_validation::{CrossValidation, Folds, cross_validate};
pub use decisions::{Alternative, Decision, Decisions};
pub use estimate::{Estimate, FitOptions, IntervalMethod};
pub use fit::{ModelFit, fit, fit_all, log_likelihood};
pub use generate::{generate, probabilities, probabilities_of_error};

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
//! | hill-climbing | exp(β₁ · first feature + β₂ · second feature) after the move | β₁, β₂ |
//! | forward-search | v (1 − f^K) / (n (1 − f)) + f^K / n | L, K |
//! | and-or | Σ a_d (1 − γ)^d + (1 − Σ s_d (1 − γ)^d) / n, without the piece that moved last | γ |
//! | and-or-lapse | λ / n + (1 − λ) Σ a_d, without the piece that moved last | λ |
//! | and-or-no-same | as and-or, with that piece | γ |
//!
//! In forward-search v is the probability that random moves from after this one, L on average, come to a goal, and f that a
//! rollout from before it comes to none. In and-or a_d is the probability that a chain of thought backwards from the goal ends
//! in this move after d steps, and s_d that it ends at all then, in a circle included; whoever ends in a circle, or with
//! the piece that moved last, thinks again.
//!
//! Each can be given two habits ([`Model::undo`], [`Model::same_piece`]): the weight of the move that
//! leads back to the position before is multiplied by exp(u), that of every move of the piece that
//! moved last by exp(s). Without them, chance, lapse-optimal, eureka, hill-climbing, forward-search and the three of
//! and-or are the `random_model`, `opt_rand_model`, `eureka_model`, `hill_climbing_model`, `forward_search`,
//! `gamma_only_model`, `gamma_0_model` and `gamma_no_same_model` that Olieslagers et al. published with their Rush Hour
//! data (repository JeroenOlieslagers/rush_hour, `src/models.jl`); soft-optimal, look-ahead and hill-climbing are conditional
//! logit models (McFadden, 1974. Conditional logit analysis of qualitative choice behavior. In
//! P. Zarembka (Ed.), *Frontiers in econometrics*, 105–142).
//!
//! Where no move is optimal because no goal can be reached any more, lapse-optimal, eureka and forward-search choose
//! like chance, and so does and-or where all thought goes in circles.

pub mod choice;
mod climb;
pub mod compare;
pub mod cross_validation;
pub mod decisions;
mod design;
mod estimate;
pub mod fit;
pub mod generate;
mod profile;
pub mod selection;
pub mod stopping;

pub use choice::{Model, N_FEATURES, Parameter, ParameterValues, Rule};
pub use compare::{Comparison, Criterion, compare};
pub use cross_validation::{CrossValidation, Folds, cross_validate};
pub use decisions::{Alternative, Decision, Decisions};
pub use design::rollouts::{RolloutCurve, rollout_lengths};
pub use estimate::{Estimate, FitOptions, IntervalMethod, Limit};
pub use fit::{ModelFit, Prepared, fit, fit_all, log_likelihood};
pub use generate::{generate, probabilities, probabilities_of_error};

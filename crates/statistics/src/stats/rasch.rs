//! The Rasch model of solved or not: participants of different ability at levels of different
//! difficulty.
//!
//! The probability that a participant solves a level is 1 / (1 + exp(difficulty − ability)), both in
//! logits (Rasch, 1960, *Probabilistic models for some intelligence and attainment tests*). Cells
//! may be missing, if not because of what the response would have been. A participant has one
//! response to a level.

mod conditional;
mod estimators;
mod levels;
mod marginal;
mod model;
mod quadrature;
mod sentence;
mod table;

pub use conditional::{ConditionalRasch, MOST_CONDITIONAL_WORK, rasch_conditional};
pub use estimators::*;
pub use levels::{Ability, LevelDifficulty};
pub use model::{MOST_LEVELS, MOST_WORK, Rasch, rasch};

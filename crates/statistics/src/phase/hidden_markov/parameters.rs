//! Parameters of a hidden Markov model.

use serde::{Deserialize, Serialize};

/// Parameters of a hidden Markov model; states in ascending order of their means.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameters {
    /// Probability that an attempt starts in each state.
    pub start: Vec<f64>,
    /// Probability of each state (column) after each state (row).
    pub transitions: Vec<Vec<f64>>,
    /// Mean of the natural logarithm of seconds in each state; its exponential is the median time.
    pub means: Vec<f64>,
    /// Standard deviation of the natural logarithm of seconds in each state.
    pub sds: Vec<f64>,
}

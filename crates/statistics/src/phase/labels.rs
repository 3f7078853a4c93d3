//! Labels of moves: thinking or acting.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::em::Optimum;
use crate::not_estimable::NotEstimable;

/// Behaviour of a player before a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Went on without a pause.
    Acting,
    /// Paused.
    Thinking,
}

impl fmt::Display for Mode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Acting => "acting",
            Self::Thinking => "thinking",
        })
    }
}

/// Labels of all moves in one row, as the methods give them.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels {
    pub modes: Vec<Mode>,
    pub p_thinking: Option<Vec<f64>>,
    pub converged: Option<bool>,
    pub iterations: Option<usize>,
    pub reason: Option<NotEstimable>,
}

impl Labels {
    /// Labels by a model that EM fitted.
    pub fn of_fit<P>(modes: Vec<Mode>, p_thinking: Vec<f64>, optimum: &Optimum<P>) -> Self {
        Self {
            modes,
            p_thinking: Some(p_thinking),
            converged: Some(optimum.converged),
            iterations: Some(optimum.iterations),
            reason: optimum.reason.clone(),
        }
    }
}

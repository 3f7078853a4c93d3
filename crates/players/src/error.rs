//! Errors of players.

use super::parameter::ParameterError;
use crate::policy::PolicyError;

/// Error of a player at play.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlayError {
    /// A name that a log could not carry.
    #[error("a participant cannot be named {name:?}; use a name that is not empty, without blanks around it")]
    Name {
        /// The name.
        name: String,
    },
    /// Two players would have the same name, and so the same chance.
    #[error("two participants are named {name:?}; give each its own name")]
    RepeatedName {
        /// The name.
        name: String,
    },
    /// A parameter is out of its range.
    #[error("participant {participant:?}: {source}")]
    Parameter {
        /// The participant.
        participant: String,
        /// The parameter.
        source: ParameterError,
    },
    /// The policy could not choose a move.
    #[error("participant {participant:?} at level {level:?}: {source}")]
    Policy {
        /// The participant.
        participant: String,
        /// The level.
        level: String,
        /// Error of the policy.
        source: PolicyError,
    },
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
}

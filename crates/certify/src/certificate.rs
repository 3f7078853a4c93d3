//! What is proved of a table, and why there is no proof.

use crate::violation::Violation;

/// Numbers of a table whose distances are proved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// Number of states that can be reached from the start.
    pub n_states: u64,
    /// Number of moves between them, each of which was looked at.
    pub n_moves: u64,
    /// Number of goals among them.
    pub n_goals: u64,
    /// Number of states from which no goal can be reached.
    pub n_without_distance: u64,
}

/// Reason why there is no certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertifyError {
    /// A law is broken: a distance, or the list of states, is wrong.
    #[error("{0}")]
    Violation(Box<Violation>),
    /// Two checks disagree, of the rules and of what the level is made of: one of them, or the rules, is at fault.
    #[error("level {level:?}: its rules and what it is made of do not agree on its distances")]
    Disagreement {
        /// Name of the level.
        level: String,
    },
    /// The rules of the level failed: a script with an error in it.
    #[error("level {level:?}: {message}")]
    Rules {
        /// Name of the level.
        level: String,
        /// Failure in words.
        message: String,
    },
    /// The caller asked to stop.
    #[error("the check of distances was interrupted")]
    Interrupted,
}

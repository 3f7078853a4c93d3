//! Errors of policies at play.

use std::fmt::Debug;

use super::disqualification::Disqualification;
use plymap_puzzles::diagnostic::Diagnostic;
use plymap_puzzles::distance::OracleError;

/// Error of a policy in choosing a move.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PolicyError {
    /// The oracle does not know the position.
    #[error(transparent)]
    Oracle(#[from] OracleError),
    /// The policy needs values, and there are none.
    #[error("this policy needs to know what positions are worth, and the level was not valued")]
    NoOracle,
    /// The oracle and the rules do not list the same moves.
    #[error("the position {state} has {n_legal} legal moves, and {n_known} of them are valued: is play over there?")]
    Moves {
        /// The position in the notation of the level.
        state: String,
        /// Number of legal moves.
        n_legal: usize,
        /// Number of moves that the oracle lists.
        n_known: usize,
    },
    /// The level has no heuristic or strategy of this name.
    #[error("this level has no {what} {name:?}; {}", listed(.known))]
    UnknownName {
        /// `heuristic` or `strategy`.
        what: &'static str,
        /// The name that was given; empty if none was.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// The policy cannot play games of this kind.
    #[error("the policy {policy} cannot play here: {reason}")]
    Unsuited {
        /// Its kind.
        policy: &'static str,
        /// Reason why it cannot.
        reason: String,
    },
    /// Looking ahead passed its limit.
    #[error(
        "looking {depth} moves ahead from {state} takes more than {limit} positions: lower `depth`, or raise \
         `max-positions`"
    )]
    TooFar {
        /// The position in the notation of the level.
        state: String,
        /// Number of moves that it looks ahead.
        depth: u32,
        /// The limit.
        limit: u64,
    },
    /// A script of a policy failed.
    #[error(transparent)]
    Script(#[from] Box<Diagnostic>),
    /// A program broke the rules of the protocol, and plays no more.
    #[error("the program `{program}` is disqualified: {reason}")]
    Disqualified {
        /// Its command.
        program: String,
        /// Reason for the disqualification.
        reason: Disqualification,
    },
}

/// The names that there are, as a sentence lists them.
pub(crate) fn listed(known: &[String]) -> String {
    if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", known.join(", ")) }
}

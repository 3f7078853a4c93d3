//! Proposed ways to read a log, and their certainty.

use std::fmt;
use std::path::PathBuf;

use plymap_log::replay::Replay;
use plymap_log::{DiagnosticSummary, Log, LogError, LogSpec, summarise};

/// Certainty of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// The files leave no doubt.
    Sure,
    /// It is the usual meaning, and fits.
    Likely,
    /// Somebody who knows the experiment has to say.
    Ask,
}

impl fmt::Display for Certainty {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Sure => "sure",
            Self::Likely => "likely",
            Self::Ask => "QUESTION",
        })
    }
}

/// Note on an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposalNote {
    /// The entry: a key of `[columns]` or `[log]`, a step, or `events.VALUE`.
    pub entry: String,
    /// Certainty.
    pub certainty: Certainty,
    /// Reason for the proposal.
    pub reason: String,
}

/// Proposed way to read a log.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// `[log]` and `[columns]`.
    pub spec: LogSpec,
    /// Notes on them.
    pub notes: Vec<ProposalNote>,
    /// Formats of the files, as the log names them; the title of the preset behind them, if there is one.
    pub source: String,
    /// Its trial.
    pub trial: Trial,
    /// Score, from 0: moves that the rules allow, times their share of the rows, where attempts reach goals and
    /// columns are called so. Proposals for the same files can be compared by it.
    pub score: f64,
}

impl Proposal {
    /// Least share of moves among the rows that should be moves, for a proposal that asks nothing of them.
    pub const USABLE: f64 = 0.9;

    /// `true` if so few rows can be replayed that the proposal is likely wrong.
    pub fn is_doubtful(&self) -> bool {
        self.trial.share() < Self::USABLE
    }
}

/// A log that was read and replayed.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The log.
    pub log: Log,
    /// Its replay.
    pub replay: Replay,
    /// Rows that are moves which the rules allow.
    pub n_moves: usize,
    /// Rows that cannot be used.
    pub n_unused: u64,
    /// Attempts with a move.
    pub n_attempts: usize,
    /// Those of them that reach a goal.
    pub n_solved: usize,
    /// The share of people at levels who reach a goal there, in any attempt.
    pub solved: f64,
}

/// Reason why nothing can be proposed.
#[derive(Debug, thiserror::Error)]
pub enum ProposalError {
    /// A file cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// Nothing in the files looks like play at the levels.
    #[error(
        "{}: nothing in the files can be replayed at the levels {levels}: {reason}. The columns are {columns}. Check that the \
         files belong to these levels and to this game (--game); docs/logs.md says how to write a study.toml by hand",
        path.display()
    )]
    NothingFound {
        /// The first file.
        path: PathBuf,
        /// Names of the first levels.
        levels: String,
        /// Description of what is missing.
        reason: String,
        /// The columns of the files.
        columns: String,
    },
    /// The levels can be those of several games, and the files are play of none.
    #[error("the levels can be those of {n_games} games (--game):\n  {reasons}")]
    NoGame {
        /// Number of games.
        n_games: usize,
        /// The reason for each, one a line.
        reasons: String,
    },
    /// The caller asked to stop.
    #[error("the import was stopped before it was done")]
    Cancelled,
}

impl Trial {
    /// Diagnostics by kind, the most frequent first.
    pub fn diagnostics(&self) -> Vec<DiagnosticSummary> {
        summarise(&[&self.log.diagnostics[..], &self.replay.diagnostics].concat())
    }

    /// The share of moves among them and the rows that cannot be used.
    pub fn share(&self) -> f64 {
        self.n_moves as f64 / (self.n_moves as f64 + self.n_unused as f64).max(1.0)
    }
}

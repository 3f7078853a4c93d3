//! Errors of a journal.

use std::io::{self};
use std::path::PathBuf;

use super::event::{MOST_BYTES, MOST_EVENTS};

/// Error in opening or repairing a log.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It cannot be opened, read or written.
    #[error("{path}: {source}")]
    Io {
        /// The log.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// Another process appends to it.
    #[error("{path} is being recorded to by another process: stop it, or name another file")]
    Locked {
        /// The log.
        path: PathBuf,
    },
    /// It was removed while it was recorded to.
    #[error(
        "{path} is not there, but {copy} is, a copy of it that was written when it was removed: move it back to that name, or \
         away to begin a new log"
    )]
    Removed {
        /// The log.
        path: PathBuf,
        /// The copy.
        copy: PathBuf,
    },
    /// It holds something else.
    #[error("{path}:{line} is no recorded event: {why}; name another file, or move this one away")]
    Foreign {
        /// The log.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// Description of the problem.
        why: String,
    },
    /// Recorded events are followed by something else, or some are missing.
    #[error(
        "{path}:{line} was not recorded there: {why}; start plymap serve with --repair, which keeps all events that follow one \
         another and sets the rest aside"
    )]
    Damaged {
        /// The log.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// Description of the problem.
        why: String,
    },
}

/// Error of a request to a journal that was refused.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// The first of them comes after one that is not there.
    #[error("the first event that was sent is number {first}, but number {n_events} is not here yet")]
    Gap {
        /// The first that was sent.
        first: u64,
        /// Number of events of the session that are recorded.
        n_events: u64,
    },
    /// One of them is there with other content.
    #[error(
        "event {seq} of this session is recorded already, and is another one: is the session open in a second window?"
    )]
    Conflict {
        /// Its number.
        seq: u64,
        /// Number of events of the session that are recorded.
        n_events: u64,
    },
    /// Their numbers do not follow one another.
    #[error("events must be numbered one after the other; {next} follows {seq}")]
    OutOfOrder {
        /// One number.
        seq: u64,
        /// The next.
        next: u64,
    },
    /// The session is as long as one can be.
    #[error("a session has at most {MOST_EVENTS} events and {} MiB, and this one has them all", MOST_BYTES >> 20)]
    Full,
    /// The sender does not hold the lease of the session.
    #[error(
        "another page has opened this session since, or the server was started again: take the lease of the session \
         (POST /api/sessions/<participant>/<session>/lease), and send what is not recorded with it"
    )]
    Overtaken {
        /// Number of events of the session that are recorded.
        n_events: u64,
    },
    /// Somebody else began the session.
    #[error("this session was begun by another link, or in another browser: only that one can go on with it")]
    NotYours,
    /// Somebody else does something to the log.
    #[error(transparent)]
    LogFile(#[from] LogFileError),
    /// The disk did not take them, or does not give them back.
    #[error("the log could not be written or read: {0}")]
    Io(#[from] io::Error),
}

impl From<AppendError> for Refused {
    fn from(failed: AppendError) -> Self {
        match failed {
            AppendError::Io(error) => Self::Io(error),
            AppendError::LogFile(error) => Self::LogFile(error),
        }
    }
}

/// Error of the file of a log that is being recorded to: nothing is confirmed until it is undone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LogFileError {
    /// No name leads to it any more.
    #[error(
        "{path} was removed, or another file was put in its place, while it was recorded to; {}",
        rescued.as_ref().map_or_else(
            || "what was confirmed could not be written beside it: make room for it, and keep plymap serve running".to_owned(),
            |copy| format!("what was confirmed is in {}: move it back to that name, and recording goes on", copy.display()),
        )
    )]
    Removed {
        /// Its name.
        path: PathBuf,
        /// The copy that was written beside it.
        rescued: Option<PathBuf>,
    },
    /// It has another name.
    #[error(
        "{path} was moved or renamed while it was recorded to, or its folder was; move it back, and recording goes on"
    )]
    Moved {
        /// The name that it had.
        path: PathBuf,
    },
    /// Confirmed bytes are gone from it.
    #[error(
        "{path} was cut by another program: {missing} bytes that were confirmed are gone; put it back as it was, or stop \
         plymap serve and start it with --repair, and pages that are open send again what they hold"
    )]
    Shorter {
        /// Its name.
        path: PathBuf,
        /// Number of bytes that are missing.
        missing: u64,
    },
    /// Something was appended to it.
    #[error(
        "another program added {added} bytes to {path}; take them out again, or stop plymap serve and start it with \
         --repair, which sets them aside"
    )]
    Longer {
        /// Its name.
        path: PathBuf,
        /// Number of bytes that were added.
        added: u64,
    },
    /// Its bytes are others.
    #[error(
        "another program changed {path} in its place; put it back as it was, or stop plymap serve and start it with --repair, \
         which sets aside what is damaged"
    )]
    Changed {
        /// Its name.
        path: PathBuf,
    },
    /// The system does not let it be looked at.
    #[error("{path} cannot be reached ({reason}); make it reachable again, and recording goes on")]
    Unreachable {
        /// Its name.
        path: PathBuf,
        /// Message of the system.
        reason: String,
    },
    /// The disk does not take more of it.
    #[error("{path} could not be written to ({reason}); make room for it, and recording goes on")]
    Unwritable {
        /// Its name.
        path: PathBuf,
        /// Message of the system.
        reason: String,
    },
}

/// Error in appending lines.
#[derive(Debug)]
pub(crate) enum AppendError {
    /// The disk did not take them; nothing of them is left.
    Io(io::Error),
    /// They were not written.
    LogFile(LogFileError),
}

//! What somebody else did to a log that is being recorded to.

use std::io;
use std::path::PathBuf;

/// What somebody else did to a log that is being recorded to: nothing is confirmed until it is undone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
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
        /// How many bytes are missing.
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
        /// How many bytes are too many.
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
        /// What the system says.
        reason: String,
    },
    /// The disk does not take more of it.
    #[error("{path} could not be written to ({reason}); make room for it, and recording goes on")]
    Unwritable {
        /// Its name.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
}

/// Why lines were not appended.
#[derive(Debug)]
pub(crate) enum Failed {
    /// The disk did not take them; nothing of them is left.
    Io(io::Error),
    /// They were not written.
    Trouble(Trouble),
}

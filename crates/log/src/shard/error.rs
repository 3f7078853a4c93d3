//! Errors of shards, and their names.

use std::io;
use std::path::Path;

use crate::error::LogError;

/// The most shards: each is a file that is open while the log is divided.
pub(crate) const MOST_SHARDS: usize = 500;

/// The name of the file of a shard; there they are numbered from 1.
pub fn shard_name(shard: usize) -> String {
    format!("shard-{:04}.rows", shard + 1)
}

pub(crate) fn failed(path: &Path, reason: &dyn std::fmt::Display) -> LogError {
    LogError::Shards { path: path.to_owned(), reason: reason.to_string() }
}

pub(crate) fn unwritten(path: &Path, reason: &dyn std::fmt::Display) -> LogError {
    LogError::Unwritten { path: path.to_owned(), reason: reason.to_string() }
}

/// Error of a shard that cannot be begun; each is a file that is open until all are done.
pub(crate) fn not_begun(path: &Path, error: &io::Error) -> LogError {
    // EMFILE of all systems of Unix, which has no kind of its own.
    let is_too_many = cfg!(unix) && error.raw_os_error() == Some(24);
    let fix = if is_too_many { "; raise that limit (ulimit -n), or make fewer shards" } else { "" };
    LogError::Unwritten { path: path.to_owned(), reason: format!("{error}{fix}") }
}

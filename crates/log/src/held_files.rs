//! Files of a log whose first rows are held.

use std::path::PathBuf;
use std::sync::Arc;

use super::source::Source;

/// The files of a log whose first rows are held.
#[derive(Clone, Debug)]
pub struct Held {
    pub(super) sources: Arc<[Source]>,
    /// All files of the log.
    pub(super) paths: Arc<[PathBuf]>,
}

/// They are the same where they were read at once.
impl PartialEq for Held {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.sources, &other.sources)
    }
}

impl Held {
    /// The files, of each of which so many rows are read at most.
    pub(crate) fn sources(&self, max_rows: Option<u64>) -> Vec<Source> {
        self.sources.iter().map(|source| Source { max_rows, ..source.clone() }).collect()
    }

    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        self.paths.to_vec()
    }
}

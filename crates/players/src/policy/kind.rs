//! A policy as the list of kinds takes it.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::rule::Policy;
use crate::parameter::ParameterError;
use plymap_puzzles::diagnostic::Diagnostic;

/// A policy as the list of kinds takes it.
pub(crate) trait Kind: Policy + DeserializeOwned + Serialize + 'static {
    /// Its name in studies; also what [`Policy::kind`] says.
    const NAME: &'static str;
    /// Description of the choice, in a few words.
    const MEANING: &'static str;
    /// The entries of its own.
    const ENTRIES: &'static [&'static str];

    /// Checks what types and ranges cannot say.
    ///
    /// # Errors
    ///
    /// A description of the error, with the entry in backticks.
    fn complete(&self) -> Result<(), String> {
        Ok(())
    }

    /// Opens what the policy needs from `folder`.
    ///
    /// # Errors
    ///
    /// [`SpecError`] if a file cannot be read.
    fn open(&mut self, _folder: &Path) -> Result<(), SpecError> {
        Ok(())
    }

    /// The files that results depend on.
    fn files(&self, _folder: &Path) -> Vec<PathBuf> {
        Vec::new()
    }
}

/// Error in the table of a policy.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SpecError {
    /// It does not say which kind.
    #[error("`kind` is missing; the kinds of policies are {}", .known.join(", "))]
    NoKind {
        /// The names of all kinds.
        known: Vec<&'static str>,
    },
    /// There is no such kind.
    #[error("`kind` is {name:?}; the kinds of policies are {}", .known.join(", "))]
    UnknownKind {
        /// Name that was given.
        name: String,
        /// The names of all kinds.
        known: Vec<&'static str>,
    },
    /// The kind does not have this entry.
    #[error("a policy of the kind {kind} has no entry `{entry}`; its entries are {}", .known.join(", "))]
    UnknownEntry {
        /// The kind.
        kind: &'static str,
        /// Entry that was given.
        entry: String,
        /// The entries that it has.
        known: Vec<&'static str>,
    },
    /// A value is not one that the entry takes, or an entry is missing.
    #[error("policy {kind}: {reason}")]
    Entry {
        /// The kind.
        kind: &'static str,
        /// Description of the error, with the entry in backticks.
        reason: String,
    },
    /// A parameter is out of its range.
    #[error("policy {kind}: {source}")]
    Parameter {
        /// The kind.
        kind: &'static str,
        /// The parameter.
        source: ParameterError,
    },
    /// A script is wrong.
    #[error(transparent)]
    Script(#[from] Box<Diagnostic>),
}

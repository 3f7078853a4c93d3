//! Settings as far as they are found, with the reasons.

use crate::proposal::{Certainty, ProposalNote};
use plymap_log::{ColumnSpec, LogSpec};

/// Settings as far as they are found, with the reasons.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    pub spec: LogSpec,
    pub notes: Vec<ProposalNote>,
    /// `true` if a column tells events.
    pub(super) has_events: bool,
}

impl Found {
    /// Returns the settings of a preset, with nothing found yet.
    pub fn new(spec: &LogSpec) -> Self {
        Self { spec: spec.clone(), ..Self::default() }
    }

    pub(super) fn say(&mut self, entry: &str, certainty: Certainty, reason: impl Into<String>) {
        self.notes.push(ProposalNote { entry: entry.to_owned(), certainty, reason: reason.into() });
    }

    pub(super) fn name(&mut self, key: &str, column: &str, certainty: Certainty, reason: impl Into<String>) {
        // A column that has the canonical name needs no entry.
        if key != column {
            self.spec.columns.insert(key.to_owned(), ColumnSpec::column(column));
        }
        self.say(key, certainty, reason);
    }
}

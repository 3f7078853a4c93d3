//! The section `[search]`: which searches `plymap search-study` compares.

use std::path::PathBuf;

use plymap_puzzles::diagnostic::EntryDiagnostic;
use serde::{Deserialize, Serialize};

/// `[search]`: which searches `plymap search-study` compares.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Searches {
    /// Names of the algorithms; all where it is empty.
    pub algorithms: Vec<String>,
    /// Names of the heuristics, sums with `+`; all of the game, and `perfect`, where it is empty.
    pub heuristics: Vec<String>,
    /// Names of the levels; all where it is empty.
    pub levels: Vec<String>,
    /// Number of times that each search is made, for its time.
    pub repeats: u32,
    /// Maximum number of states that a search expands.
    pub max_expanded: u64,
    /// Maximum time of a search, in seconds; all repeats together take about as long at most.
    pub max_seconds: f64,
    /// File with sentences about searches that are checked against the tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claims: Option<PathBuf>,
}

impl Searches {
    /// Returns true if nothing is set: runs of other commands do not record searches that nobody described.
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Default for Searches {
    fn default() -> Self {
        Self {
            algorithms: Vec::new(),
            heuristics: Vec::new(),
            levels: Vec::new(),
            repeats: 5,
            max_expanded: 1_000_000,
            max_seconds: 10.0,
            claims: None,
        }
    }
}

impl Searches {
    /// The diagnostics of the section.
    pub(super) fn check(&self) -> Vec<EntryDiagnostic> {
        let mut diagnostics = Vec::new();
        let mut report = |key: &str, message: String, help: &str| {
            diagnostics.push(EntryDiagnostic::new("bad-search", &["search", key], message, help));
        };
        if !(1..=1000).contains(&self.repeats) {
            report("repeats", format!("repeats = {} is not from 1 to 1000", self.repeats), "5 is enough for a median");
        }
        if !(self.max_seconds > 0.0 && self.max_seconds <= 1e6) {
            let message = format!("max_seconds = {} is not above 0, and at most 1000000", self.max_seconds);
            report("max_seconds", message, "10 is usual");
        }
        if self.max_expanded == 0 {
            report("max_expanded", "max_expanded = 0 lets no search begin".to_owned(), "1000000 is usual");
        }
        diagnostics
    }
}

//! The sections `[simulation]`, `[[cohort]]` and `[[baseline]]` of a study.

use std::path::Path;

use plymap_puzzles::diagnostic::EntryDiagnostic;
use serde::{Deserialize, Serialize};

use crate::cohort::{Cohort, CohortError, members};

/// `[simulation]`: how simulated players are drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Simulation {
    /// Seed of the random number generator; the same seed gives the same play.
    pub seed: u64,
}

impl Default for Simulation {
    fn default() -> Self {
        Self { seed: 1 }
    }
}

impl Simulation {
    /// `true` if a study need not say it.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// The diagnostics of the cohorts under a key of a study, `cohort` or `baseline`. Paths of policies start from `folder`.
pub fn check_cohorts(key: &str, cohorts: &[Cohort], seed: u64, folder: &Path) -> Vec<EntryDiagnostic> {
    let help = "docs/simulation.md says what a cohort is made of";
    let diagnostic = |error: CohortError| EntryDiagnostic::new("bad-cohort", &[key], error.to_string(), help);
    members(cohorts, seed, folder).err().map(diagnostic).into_iter().collect()
}

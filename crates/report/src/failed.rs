//! Parts of a run that could not be made.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A kind of part of a run. Each part is made on its own, so that one that fails takes no other with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PartKind {
    /// The comparison of participants with simulated players.
    Baseline,
    /// An analysis.
    Analysis,
    /// A figure.
    Figure,
    /// The answer to a question of the report.
    Answer,
    /// The interactive maps of the report.
    Maps,
    /// A page.
    Page,
}

impl PartKind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Analysis => "analysis",
            Self::Figure => "figure",
            Self::Answer => "answer",
            Self::Maps => "maps",
            Self::Page => "page",
        }
    }
}

/// A part of a run that could not be made, and is absent from its results; all other parts are there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FailedPart {
    /// Its kind.
    pub kind: PartKind,
    /// Its name, such as that of the figure or analysis.
    pub name: String,
    /// Reason for the failure.
    pub reason: String,
    /// Suggested remedy.
    pub remedy: String,
}

impl fmt::Display for FailedPart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, name, reason, remedy } = self;
        write!(formatter, "{} {name} could not be made: {reason}; {remedy}", kind.name())
    }
}

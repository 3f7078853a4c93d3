//! The section `[statistics]` of a study.

use super::registry::{ANALYSES, Analysis};
use crate::confirmatory::Hypothesis;
use crate::models::ModelSpec;
use plymap_puzzles::diagnostic::EntryDiagnostic;
use plymap_statistics::inference::Confidence;
use serde::{Deserialize, Serialize};

/// `[statistics]`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Statistics {
    /// Level of all intervals.
    pub confidence: Confidence,
    /// Names of the analyses that a run makes beside its tables; all where it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analyses: Option<Vec<String>>,
    /// The most rows of a log that analyses, comparisons and figures are made of; of longer logs they are made of a sample
    /// of participants.
    pub max_moves: u64,
    /// The hypotheses that were written down before the data were seen, tested and corrected as one family.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub confirmatory: Vec<Hypothesis>,
    /// Models of the study's own, fitted beside the usual ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub model: Vec<ModelSpec>,
}

impl Default for Statistics {
    fn default() -> Self {
        Self {
            confidence: Confidence::default(),
            analyses: None,
            max_moves: MAX_MOVES,
            confirmatory: Vec::new(),
            model: Vec::new(),
        }
    }
}

/// Default limit on the rows that are analysed: about 2 GB of memory.
const MAX_MOVES: u64 = 1_000_000;

impl Statistics {
    /// The analyses that a run makes, in the order of the report.
    pub fn analyses(&self) -> impl Iterator<Item = &'static Analysis> {
        let is_wanted = |analysis: &&Analysis| match &self.analyses {
            Some(names) => names.iter().any(|name| name == analysis.name),
            None => true,
        };
        ANALYSES.iter().filter(is_wanted)
    }

    /// The diagnostics of the section.
    pub fn check(&self) -> Vec<EntryDiagnostic> {
        let mut diagnostics = Vec::new();
        for name in self.analyses.iter().flatten().filter(|name| Analysis::named(name).is_none()) {
            let known: Vec<&str> = ANALYSES.iter().map(|analysis| analysis.name).collect();
            let (message, help) =
                (format!("there is no analysis {name:?}"), format!("the analyses are {}", known.join(", ")));
            diagnostics.push(EntryDiagnostic::new("unknown-analysis", &["statistics", "analyses"], message, help));
        }
        if let Err(message) = ModelSpec::check(&self.model) {
            let help = "docs/study.md shows models of a study's own";
            diagnostics.push(EntryDiagnostic::new("bad-model", &["statistics", "model"], message, help));
        }
        let analyses: Vec<&Analysis> = self.analyses().collect();
        for hypothesis in &self.confirmatory {
            if let Err(message) = hypothesis.check(&analyses, &self.model) {
                let help = "write \"model: term\", or { table = \"…\", row = { column = \"text\" } }; docs/study.md shows both";
                let entry = ["statistics", "confirmatory"];
                diagnostics.push(EntryDiagnostic::new("bad-hypothesis", &entry, message, help));
            }
        }
        diagnostics
    }
}

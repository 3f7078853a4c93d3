//! Summary of a run, as it is printed and kept beside its results.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::levels::n_states;
use super::play::Play;
use crate::cache::Use;
use plymap_log::{DiagnosticSummary, KeyFile};
use plymap_measures::doctor::Anomaly;
use plymap_measures::level_remarks;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_report::{FailedPart, RowCounts};

/// Summary of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunSummary {
    /// Folder of the results.
    pub folder: PathBuf,
    /// Number of levels.
    pub n_levels: u64,
    /// Number of states of all levels that were mapped; absent if none was.
    pub n_states: Option<u64>,
    /// Remarks on what was taken for granted when levels were read that allow several readings.
    #[serde(default)]
    pub level_remarks: Vec<String>,
    /// Number of participants.
    pub n_participants: u64,
    /// Numbers of rows of the logs by what became of them; absent for a study without logs.
    pub rows: Option<RowCounts>,
    /// Diagnostics of the logs, by kind.
    pub diagnostics: Vec<DiagnosticSummary>,
    /// Anomalies of the logs as a whole.
    pub anomalies: Vec<Anomaly>,
    /// Sample that analyses and figures are of, in words; absent if they are of everybody.
    pub sample: Option<String>,
    /// File with the key of the codes of participants, if they have codes.
    pub key: Option<KeyFile>,
    /// The parts that could not be made; all others are there.
    #[serde(default)]
    pub failed: Vec<FailedPart>,
    /// Number of files written, the manifest included.
    pub n_files: u64,
    /// True if nothing had changed since an earlier run, whose files are in their places.
    #[serde(skip)]
    pub is_unchanged: bool,
    /// Use of the cache, by kind of result.
    #[serde(skip)]
    pub uses: BTreeMap<&'static str, Use>,
}

impl RunSummary {
    /// Creates the summary of levels and play, before anything is written.
    pub(super) fn new(folder: &Path, levels: &[ValuedLevel], play: Option<Play>) -> Self {
        let account = play.as_ref().map(|play| &play.account);
        Self {
            folder: folder.to_owned(),
            n_levels: levels.len() as u64,
            n_states: n_states(levels),
            level_remarks: level_remarks::of_valued(levels),
            n_participants: account.map_or(0, |account| account.totals.n_participants),
            rows: account.map(|account| account.counts),
            diagnostics: account.map(|account| account.diagnostic_summaries()).unwrap_or_default(),
            key: account.and_then(|account| account.key.clone()),
            sample: play.as_ref().and_then(|play| play.sample.as_ref()).map(ToString::to_string),
            anomalies: play.map(|play| play.anomalies).unwrap_or_default(),
            failed: Vec::new(),
            n_files: 0,
            is_unchanged: false,
            uses: BTreeMap::new(),
        }
    }
}

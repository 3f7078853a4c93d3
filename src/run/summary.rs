//! What a run did, as it is told and kept.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::cache::Use;
use plymap_log::{DiagnosticSummary, KeyFile};
use plymap_measures::doctor::Anomaly;
use plymap_report::{FailedPart, RowCounts};

/// What a run did.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunSummary {
    /// Where it wrote.
    pub folder: PathBuf,
    /// Number of levels.
    pub n_levels: u64,
    /// Number of states of all levels that were mapped; absent if none was.
    pub n_states: Option<u64>,
    /// What was taken for granted when levels were read that allow several readings.
    #[serde(default)]
    pub level_remarks: Vec<String>,
    /// Number of participants.
    pub n_participants: u64,
    /// What became of the rows of the logs; absent for a study without logs.
    pub rows: Option<RowCounts>,
    /// What was noticed in the logs, by kind.
    pub issues: Vec<DiagnosticSummary>,
    /// What is odd about the logs as a whole.
    pub anomalies: Vec<Anomaly>,
    /// Of whom analyses and figures are, if not of everybody.
    pub sample: Option<String>,
    /// Where the key of the codes of participants lies, if they have codes.
    pub key: Option<KeyFile>,
    /// The parts that could not be made; all others are there.
    #[serde(default)]
    pub failed: Vec<FailedPart>,
    /// Number of files written, the manifest included.
    pub n_files: u64,
    /// Whether nothing had changed since an earlier run, whose files are in their places.
    #[serde(skip)]
    pub is_unchanged: bool,
    /// What was taken from the results that are kept between runs.
    #[serde(skip)]
    pub uses: BTreeMap<&'static str, Use>,
}

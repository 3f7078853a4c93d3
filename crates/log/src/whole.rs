//! Facts about a whole log whose rows are in shards.

use super::columns::Mapping;
use super::log_file::LogFile;
use super::pipeline_step::StepCount;
use super::pseudonym::KeyFile;
use super::stray::FarBreaks;
use super::survey::Facts;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A log in shards.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Whole {
    /// Settings by which the log is read, so that shards of one that is read in another way are refused.
    pub identity: String,
    pub mapping: Mapping,
    /// The columns that rows have, each list once.
    pub given: Vec<Vec<String>>,
    /// The list of columns that the rows of each file have, by its number.
    pub given_of: Vec<usize>,
    pub files: Vec<LogFile>,
    pub joined: Vec<LogFile>,
    pub steps: Vec<StepCount>,
    pub key: Option<KeyFile>,
    /// Fingerprint of that key.
    pub key_sum: Option<String>,
    pub n_read: u64,
    pub facts: Facts,
    /// Codes of participants by their ids.
    pub codes: Option<BTreeMap<String, String>>,
    pub levels: BTreeSet<String>,
    pub first_index: Option<i64>,
    pub strays: FarBreaks,
    /// The shards, in their order.
    pub shards: Vec<Shard>,
}

/// One shard.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Shard {
    /// The first of its participants, as the canonical log names them.
    pub first: String,
    /// Number of its participants.
    pub n_participants: u64,
    /// Rows of theirs.
    pub n_rows: u64,
    /// The seal of its file.
    pub seal: String,
}

impl Whole {
    /// Name of a participant in the canonical log.
    pub(super) fn name<'n>(&'n self, id: &'n str) -> &'n str {
        self.codes.as_ref().and_then(|codes| codes.get(id)).map_or(id, String::as_str)
    }

    pub(super) fn shard_of(&self, participant: &str) -> usize {
        self.shards.partition_point(|shard| shard.first.as_str() <= participant).saturating_sub(1)
    }
}

//! What a run found of people.

use super::play::Play;
use super::statistics::Statistics;
use crate::baseline::Comparison;

/// What a run found of people; nothing of a study without logs.
#[derive(Clone, Copy)]
pub struct Results<'a> {
    /// What people did.
    pub play: Option<&'a Play>,
    /// Participants compared with simulated baselines.
    pub comparison: Option<&'a Comparison>,
    /// The statistics.
    pub statistics: Option<&'a Statistics>,
}

//! Results of a run on people.

use super::play::Play;
use super::statistics::Statistics;
use crate::baseline::Comparison;

/// Results of a run on people; none of a study without logs.
#[derive(Clone, Copy)]
pub struct Results<'a> {
    /// Play of people.
    pub play: Option<&'a Play>,
    /// Participants compared with simulated baselines.
    pub comparison: Option<&'a Comparison>,
    /// The statistics.
    pub statistics: Option<&'a Statistics>,
}

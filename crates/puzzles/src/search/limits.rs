//! Limits and guides of a search, known to all algorithms.

use std::time::Duration;

use serde::Serialize;

use crate::graph::MapOptions;

/// Limits at which a search gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most expansions.
    pub max_expanded: u64,
    /// The longest time, looked at every 64 expansions; none by default, since results would depend on the machine.
    pub max_time: Option<Duration>,
    /// The most states that are held, open and closed together, looked at after each expansion. Without effect on
    /// IDA*. More than 2^31 are never held.
    pub max_states: usize,
    /// The most moves of a path that depth-first search looks at. Without effect on the other algorithms.
    pub max_depth: Option<u32>,
}

impl Default for Limits {
    /// No limit but the number of states, which is that of a map.
    fn default() -> Self {
        Self { max_expanded: u64::MAX, max_time: None, max_states: MapOptions::DEFAULT_MAX_STATES, max_depth: None }
    }
}

/// Limit that ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cut {
    /// [`Limits::max_expanded`].
    Expanded,
    /// [`Limits::max_time`].
    Time,
    /// [`Limits::max_states`].
    States,
    /// [`Limits::max_depth`]: nothing is left to search above it.
    Depth,
    /// The caller asked to stop.
    Cancelled,
}

/// Estimate of a state by a heuristic: the cost of the path to a goal that it expects, infinite where there is no path.
pub type Estimate<'a, S> = &'a dyn Fn(S) -> f64;

//! Limits of the mapping of a level, and the reasons why it fails.

use std::fmt;

use crate::progress::{Progress, Silent};

/// Options of mapping a level.
#[derive(Clone, Copy)]
pub struct MapOptions<'a> {
    /// The most states that a map may have; beyond it, mapping ends with [`MapError::TooManyStates`].
    pub max_states: usize,
    /// `true` if positions beyond a goal belong to the map. With `false` a goal has no moves, as in the
    /// article that plymap started from; unexpanded goals can hide positions that are no goals.
    pub expand_goals: bool,
    /// `true` if a map uses the index of its game, where there is one. The map is the same without it, at a higher
    /// price.
    pub by_index: bool,
    /// Told about progress, and asked whether to stop.
    pub progress: &'a dyn Progress,
}

impl MapOptions<'static> {
    /// Twenty million states: about 2 GB of memory for a level with 15 moves a state.
    pub const DEFAULT_MAX_STATES: usize = 20_000_000;
}

impl Default for MapOptions<'static> {
    fn default() -> Self {
        Self { max_states: Self::DEFAULT_MAX_STATES, expand_goals: true, by_index: true, progress: &Silent }
    }
}

impl fmt::Debug for MapOptions<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("MapOptions");
        shown.field("max_states", &self.max_states).field("expand_goals", &self.expand_goals);
        shown.field("by_index", &self.by_index).finish_non_exhaustive()
    }
}

/// Reason why a level could not be mapped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MapError {
    /// The level has more states than the limit allows.
    #[error(
        "the level has more than {limit} states ({n_arcs} moves and {megabytes} MB so far): \
         allow more with --max-states, or with max_states in [map] of a study, if the memory suffices"
    )]
    TooManyStates {
        /// The limit that was passed.
        limit: usize,
        /// Moves found so far.
        n_arcs: usize,
        /// Memory in use for the map so far.
        megabytes: usize,
    },
    /// More moves than a 32-bit offset can number.
    #[error("the level has more than {} moves between its states, more than a map can number", u32::MAX)]
    TooManyArcs,
    /// The rules of the level failed: a script with an error in it.
    #[error("{0}")]
    Rules(String),
    /// The caller asked to stop.
    #[error("mapping was interrupted")]
    Interrupted,
}

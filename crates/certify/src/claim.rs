//! Distances of the states of a level, as somebody claims them.

use plymap_puzzles::game::{Distance, StateCode};

/// What is claimed of a level: its states, each with its distance.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Name of the level.
    pub level: String,
    /// `true` if positions beyond a goal belong to the table; with `false` a goal has no moves.
    pub expand_goals: bool,
    pub(crate) states: Vec<StateCode>,
    /// [`NONE`] stands for an absent distance.
    pub(crate) distances: Vec<u32>,
}

/// Entry of a state from which no goal can be reached.
pub(crate) const NONE: u32 = u32::MAX;

impl Claim {
    /// A claim of these distances; absent where no goal can be reached.
    pub fn new(
        level: &str,
        expand_goals: bool,
        entries: impl IntoIterator<Item = (StateCode, Option<Distance>)>,
    ) -> Self {
        let entries = entries.into_iter().map(|(state, distance)| (state, distance.map_or(NONE, |value| value.0)));
        let (states, distances) = entries.unzip();
        Self { level: level.to_owned(), expand_goals, states, distances }
    }

    /// Number of states.
    pub fn n_states(&self) -> usize {
        self.states.len()
    }

    /// The claimed distance of a state, by its number.
    pub(crate) fn distance(&self, number: usize) -> Option<u32> {
        Some(self.distances[number]).filter(|&value| value != NONE)
    }
}

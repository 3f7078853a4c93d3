//! What a table says of its level.

use serde::{Deserialize, Serialize};

/// What a table says of its level, so that it is read for no other one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "numbering")]
pub enum Numbering {
    /// Pebbles on a graph, wherever they start.
    Pebbles {
        /// For each vertex those beside it.
        neighbours: Vec<Vec<usize>>,
        /// The kinds of pebbles whose places number the blocks, in order.
        outer_kinds: Vec<u8>,
        /// What lies on each vertex in the first of the goals, 0 where it is free.
        goals: Vec<Vec<u8>>,
    },
    /// Ranks of the index of the game.
    Ranks {
        /// Number of ranks.
        n_ranks: u64,
        /// CRC-32 of what the rules and goals of the level are, and of the moves of some positions, wherever it starts.
        fingerprint: u32,
    },
}

impl Numbering {
    /// What of the level of another table differs.
    pub fn difference(&self, other: &Self) -> Option<String> {
        if self == other {
            return None;
        }
        let differing = match (self, other) {
            (
                Self::Pebbles { neighbours, goals, .. },
                Self::Pebbles { neighbours: of_other, goals: goals_of_other, .. },
            ) => {
                if neighbours != of_other {
                    "what can move where differs"
                } else if goals != goals_of_other {
                    "its goals differ"
                } else {
                    "its pebbles differ"
                }
            }
            _ => "its rules or goals differ",
        };
        Some(differing.to_owned())
    }
}

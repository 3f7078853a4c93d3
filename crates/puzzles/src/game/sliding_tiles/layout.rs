//! A level of sliding tiles as it is written, and the options of the rules.

use serde::{Deserialize, Serialize};

/// A level as it is written: the tiles at the start and at the goal, row by row, each number from 1 once and 0 for the
/// blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// The tile on each cell at the start.
    pub start: Vec<u8>,
    /// The tile on each cell at the goal.
    pub goal: Vec<u8>,
}

/// The goal of levels that do not give one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// Tiles in order, the blank behind them in the last cell.
    #[default]
    BlankLast,
    /// The blank in the first cell, tiles in order behind it.
    BlankFirst,
}

impl Goal {
    /// The goal of this name.
    pub fn named(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().replace([' ', '_'], "-").as_str() {
            "blank-last" => Some(Self::BlankLast),
            "blank-first" => Some(Self::BlankFirst),
            _ => None,
        }
    }

    /// The tile on each cell.
    pub fn tiles(self, n_cells: usize) -> Vec<u8> {
        let first = match self {
            Self::BlankLast => 1,
            Self::BlankFirst => 0,
        };
        (0..n_cells).map(|cell| ((cell + first) % n_cells) as u8).collect()
    }
}

/// What goes in the direction that a log has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Directions {
    /// The tile.
    #[default]
    Tile,
    /// The blank.
    Blank,
}

/// The options of the rules, as `[rules]` of a study gives them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Options {
    /// The goal of levels that do not give one.
    pub goal: Goal,
    /// What goes in the direction that a log has.
    pub directions: Directions,
    /// Number of positions that the search for one value may look at, from 1; beyond it the value is left open.
    pub search_limit: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { goal: Goal::BlankLast, directions: Directions::Tile, search_limit: 100_000_000 }
    }
}

impl Options {
    /// Checks what the types cannot say.
    ///
    /// # Errors
    ///
    /// What is wrong, with the entry in backticks.
    pub fn check(&self) -> Result<(), String> {
        if self.search_limit == 0 { Err("`search-limit` is 0; it has to be 1 or more".to_owned()) } else { Ok(()) }
    }
}

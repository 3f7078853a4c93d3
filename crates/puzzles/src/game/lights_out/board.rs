//! A level of Lights Out as it is written, and its moves.

use super::neighbourhood::Neighbourhood;

/// The most lamps that a board may have.
pub const MAX_LAMPS: usize = 1024;

/// A level as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// The cells that are lit at the start, row by row from 0, in ascending order.
    pub lit: Vec<usize>,
    /// Lamps that a press inverts.
    pub neighbourhood: Neighbourhood,
}

impl Board {
    /// Number of lamps.
    pub fn n_lamps(&self) -> usize {
        self.width * self.height
    }
}

/// The press of one lamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Press {
    /// The number of its cell, row by row from 0.
    pub cell: u16,
}

/// A board has more lamps than the rules can hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the board has {lamps} lamps; at most {capacity} are possible")]
pub struct TooManyLamps {
    /// Number of lamps.
    pub lamps: usize,
    /// The most that are possible.
    pub capacity: usize,
}

//! Moves of 2048: the slide that the player chooses, and the tile that chance adds.

use crate::game::direction::Direction;

/// A tile that chance puts on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NewTile {
    /// Its cell, row by row from 0.
    pub cell: u8,
    /// Its exponent: 1 for a 2, 2 for a 4.
    pub exponent: u8,
}

/// A choice of the player, and what chance made of it where that is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Direction in which the tiles slide.
    pub direction: Direction,
    /// The tile that then appeared.
    pub tile: Option<NewTile>,
}

//! Pieces on the lines on which they slide, and positions as codes of their places.

use super::layout::Orientation;

/// One position: for each piece, its place on its line, packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position(pub(super) u64);

/// A piece and the line it slides on.
#[derive(Clone, Debug)]
pub(super) struct Track {
    pub(super) name: String,
    pub(super) length: usize,
    /// The cells of its line, in order.
    pub(super) line: Vec<u16>,
    /// Lowest bit of its place in the code.
    pub(super) shift: u32,
    pub(super) mask: u64,
    pub(super) first_place: usize,
    pub(super) orientation: Orientation,
}

impl Track {
    pub(super) fn n_places(&self) -> usize {
        self.line.len() - self.length + 1
    }

    /// The cells that it covers when the level starts.
    pub(super) fn cells_at_start(&self) -> &[u16] {
        &self.line[self.first_place..self.first_place + self.length]
    }

    pub(super) fn place(&self, position: Position) -> usize {
        ((position.0 >> self.shift) & self.mask) as usize
    }
}

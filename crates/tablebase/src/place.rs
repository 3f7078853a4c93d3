//! Places of positions in a table.

/// The most positions of a block.
pub const MAX_BLOCK: usize = 1 << 13;

/// The place of a position: blocks hold equally many, and a move leads from all positions of a block to few blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The block, from 0.
    pub block: u64,
    /// The position within it, from 0.
    pub inner: u16,
}

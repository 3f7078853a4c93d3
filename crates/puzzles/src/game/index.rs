//! Numberings of all positions of a level.

/// A numbering of the positions of a level without gaps: each position has a rank of its own below
/// [`PositionIndex::n_ranks`].
///
/// A map of a level that has one needs no hash table: what is known of a position stands at its rank in a flat array.
/// A numbering may count positions that the start does not reach. The law suite holds each to: `rank(unrank(r)) == r`
/// wherever `unrank(r)` is a position, `unrank(rank(c)) == c` for every code `c` of a reachable position.
pub trait PositionIndex: Send + Sync {
    /// Number of ranks.
    fn n_ranks(&self) -> u64;

    /// Rank of the position with this code; absent where the code is of no position of the level.
    fn rank(&self, code: u64) -> Option<u64>;

    /// Code of the position with this rank, below [`PositionIndex::n_ranks`]; absent where the rank is no position.
    fn unrank(&self, rank: u64) -> Option<u64>;
}

/// The index of games that number no positions: it has no value.
#[derive(Clone, Copy, Debug)]
pub enum Unindexed {}

impl PositionIndex for Unindexed {
    fn n_ranks(&self) -> u64 {
        match *self {}
    }

    fn rank(&self, _code: u64) -> Option<u64> {
        match *self {}
    }

    fn unrank(&self, _rank: u64) -> Option<u64> {
        match *self {}
    }
}

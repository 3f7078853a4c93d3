//! Sets of cells of a board: one machine word for small boards, several for large ones.

/// The most cells that a board may have.
pub const MAX_CELLS: usize = 1024;

/// A set of cells.
pub(super) trait CellSet: Copy {
    const EMPTY: Self;
    fn single(cell: usize) -> Self;
    fn union(self, other: Self) -> Self;
    fn meets(self, other: Self) -> bool;
}

// The usual board has 36 cells: a union or a test is one instruction then.
impl CellSet for u64 {
    const EMPTY: Self = 0;

    fn single(cell: usize) -> Self {
        1 << cell
    }

    #[inline]
    fn union(self, other: Self) -> Self {
        self | other
    }

    #[inline]
    fn meets(self, other: Self) -> bool {
        self & other != 0
    }
}

/// A set of cells of a board with more than 64 cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct WideCells([u64; MAX_CELLS / 64]);

impl CellSet for WideCells {
    const EMPTY: Self = Self([0; MAX_CELLS / 64]);

    fn single(cell: usize) -> Self {
        let mut set = Self::EMPTY;
        set.0[cell / 64] = 1 << (cell % 64);
        set
    }

    fn union(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    fn meets(self, other: Self) -> bool {
        self.0.iter().zip(other.0).any(|(mine, theirs)| mine & theirs != 0)
    }
}

//! Sets of lamps, or of presses: one bit for each cell of a board, cell 0 in the lowest bit.

use std::fmt::Debug;
use std::hash::Hash;

/// A set of cells in as many machine words as the board needs.
pub trait Bits: Copy + Ord + Hash + Debug + Send + Sync + 'static {
    /// Number of cells that a set can distinguish.
    const CAPACITY: usize;
    /// The set without cells.
    const EMPTY: Self;

    /// The set of one cell, which must be below [`Bits::CAPACITY`].
    fn single(cell: usize) -> Self;

    /// The cells that are in exactly one of the two sets.
    fn xor(self, other: Self) -> Self;

    /// The cells that are in both sets.
    fn and(self, other: Self) -> Self;
    /// The cells that are in either.
    fn or(self, other: Self) -> Self;

    /// `true` if a cell, which must be below [`Bits::CAPACITY`], is in the set.
    fn contains(self, cell: usize) -> bool;

    /// Number of cells.
    fn count(self) -> u32;

    /// The lowest cell.
    fn first(self) -> Option<usize>;

    /// The set as a number; absent if it takes more than 128 bits.
    fn to_code(self) -> Option<u128>;

    /// The set with this number.
    fn from_code(code: u128) -> Self;

    /// `true` if there is no cell.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// `true` if the number of common cells is odd: the product of two vectors over GF(2).
    #[inline]
    fn is_odd_with(self, other: Self) -> bool {
        self.and(other).count() % 2 == 1
    }

    /// The cells in ascending order.
    fn cells(self) -> impl Iterator<Item = usize> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let cell = rest.first()?;
            rest = rest.xor(Self::single(cell));
            Some(cell)
        })
    }

    /// The set of these cells; a cell that is given twice counts once.
    fn of_cells(cells: impl IntoIterator<Item = usize>) -> Self {
        let insert = |set: Self, cell| if set.contains(cell) { set } else { set.xor(Self::single(cell)) };
        cells.into_iter().fold(Self::EMPTY, insert)
    }

    /// `true` if this set comes before another one of the same size, row by row: the first cell in which they
    /// differ is in this one.
    fn precedes(self, other: Self) -> bool {
        // Cell 0 is the lowest bit, so the lowest bit that differs is the first cell in which they do.
        self.xor(other).first().is_some_and(|cell| self.contains(cell))
    }
}

/// A set of cells in one machine word.
macro_rules! bits_of_word {
    ($word:ty) => {
        impl Bits for $word {
            const CAPACITY: usize = <$word>::BITS as usize;
            const EMPTY: Self = 0;

            #[inline]
            fn single(cell: usize) -> Self {
                1 << cell
            }

            #[inline]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }

            #[inline]
            fn and(self, other: Self) -> Self {
                self & other
            }

            #[inline]
            fn or(self, other: Self) -> Self {
                self | other
            }

            #[inline]
            fn contains(self, cell: usize) -> bool {
                self >> cell & 1 == 1
            }

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn first(self) -> Option<usize> {
                (self != 0).then(|| self.trailing_zeros() as usize)
            }

            #[inline]
            fn to_code(self) -> Option<u128> {
                Some(self.into())
            }

            #[inline]
            fn from_code(code: u128) -> Self {
                code as Self
            }
        }
    };
}

bits_of_word!(u64);
bits_of_word!(u128);

/// A set in `N` words of 64 bits, for boards that no single word holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BitWords<const N: usize>([u64; N]);

// A fixed number of words: sets stay on the stack and can be copied, and the loops over them unroll.
impl<const N: usize> Bits for BitWords<N> {
    const CAPACITY: usize = 64 * N;
    const EMPTY: Self = Self([0; N]);

    fn single(cell: usize) -> Self {
        let mut words = [0; N];
        words[cell / 64] = 1 << (cell % 64);
        Self(words)
    }

    #[inline]
    fn xor(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] ^ other.0[word]))
    }

    #[inline]
    fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    #[inline]
    fn or(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    #[inline]
    fn contains(self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 == 1
    }

    #[inline]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn first(self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(64 * word + self.0[word].trailing_zeros() as usize)
    }

    fn to_code(self) -> Option<u128> {
        None
    }

    /// Sets this wide have no number of their own.
    fn from_code(_code: u128) -> Self {
        Self::EMPTY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets_behave<B: Bits>(last: usize) {
        let set = B::of_cells([0, 5, last, 5]);
        assert_eq!(set.cells().collect::<Vec<_>>(), [0, 5, last]);
        assert_eq!((set.count(), set.first(), set.contains(last), set.contains(1)), (3, Some(0), true, false));
        assert!(set.xor(set).is_empty() && B::EMPTY.first().is_none());
        assert!(set.is_odd_with(B::single(5)) && !set.is_odd_with(B::of_cells([0, 5])));
        assert!(B::of_cells([1, last]).precedes(B::of_cells([2, 3])) && !set.precedes(set));
    }

    #[test]
    fn sets_of_every_width_agree() {
        sets_behave::<u64>(63);
        sets_behave::<u128>(127);
        sets_behave::<BitWords<4>>(255);
        sets_behave::<BitWords<16>>(1023);
    }
}

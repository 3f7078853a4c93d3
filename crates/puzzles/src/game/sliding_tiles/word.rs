//! Positions packed into one machine word: the tile on each cell, 0 for the blank, cell 0 in the lowest bits.

use std::fmt::Debug;
use std::hash::Hash;

/// A machine word that holds a position.
pub trait Word: Copy + Ord + Hash + Debug + Send + Sync + 'static {
    /// Number of cells for which it has room.
    const CAPACITY: usize;
    /// Number of bits of a cell.
    const CELL_BITS: u32;
    /// The position with the blank on every cell.
    const EMPTY: Self;

    /// The tile on a cell, 0 for the blank.
    fn tile(self, cell: usize) -> u8;

    /// The position with a tile put on a cell that had the blank, or taken away from it.
    #[must_use]
    fn toggled(self, cell: usize, tile: u8) -> Self;

    /// The first cell with the blank.
    fn blank(self) -> usize;

    /// The word as a code.
    fn code(self) -> u128;

    /// The word with this code.
    fn of_code(code: u128) -> Self;

    /// The position with these tiles, cell by cell.
    fn of_tiles(tiles: impl IntoIterator<Item = u8>) -> Self {
        tiles.into_iter().enumerate().fold(Self::EMPTY, |word, (cell, tile)| word.toggled(cell, tile))
    }
}

macro_rules! word {
    ($word:ty, $bits:literal, $capacity:literal) => {
        impl Word for $word {
            const CAPACITY: usize = $capacity;
            const CELL_BITS: u32 = $bits;
            const EMPTY: Self = 0;

            #[inline]
            fn tile(self, cell: usize) -> u8 {
                (self >> (cell as u32 * $bits)) as u8 & ((1 << $bits) - 1)
            }

            #[inline]
            fn toggled(self, cell: usize, tile: u8) -> Self {
                self ^ (<$word>::from(tile) << (cell as u32 * $bits))
            }

            /// A borrow starts at the lowest cell that is 0 and sets its highest bit (Mycroft 1987).
            #[inline]
            fn blank(self) -> usize {
                let lowest: $word = {
                    let mut bits: $word = 0;
                    let mut cell = 0;
                    while cell < $capacity {
                        bits |= 1 << (cell * $bits);
                        cell += 1;
                    }
                    bits
                };
                let zeros = self.wrapping_sub(lowest) & !self & (lowest << ($bits - 1));
                (zeros.trailing_zeros() / $bits) as usize
            }

            fn code(self) -> u128 {
                u128::from(self)
            }

            fn of_code(code: u128) -> Self {
                code as $word
            }
        }
    };
}

word!(u64, 4, 16);
word!(u128, 5, 25);

#[cfg(test)]
mod tests {
    use super::*;

    fn the_blank_is_found_on_every_cell<W: Word>() {
        for n_cells in 4..=W::CAPACITY {
            for blank in 0..n_cells {
                let tiles = (0..n_cells).map(|cell| ((cell + n_cells - blank) % n_cells) as u8);
                let word = W::of_tiles(tiles.clone());
                assert_eq!(word.blank(), blank, "{n_cells} cells");
                assert!(tiles.enumerate().all(|(cell, tile)| word.tile(cell) == tile));
                assert_eq!(W::of_code(word.code()), word);
            }
        }
    }

    #[test]
    fn both_widths_find_the_blank() {
        the_blank_is_found_on_every_cell::<u64>();
        the_blank_is_found_on_every_cell::<u128>();
    }
}

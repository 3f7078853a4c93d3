//! Numbers of positions without gaps, for tables of all positions of a frame.

use super::frame::{Frame, MAX_CELLS};
use super::word::Word;

/// The most cells of which the positions can be numbered with 64 bits: 20!/2.
pub const MAX_RANKED: usize = 20;

/// The numbers of all positions that can be reached from each other, from 0.
///
/// The positions are in the order of the cell of the blank, those with the same one in the lexicographic order of their
/// tiles row by row. Of two that differ in the last two tiles only, one can be reached: the halved order has no gaps.
/// A tile that moves along its row changes the cell of the blank alone, and so the number by as many as have the blank
/// on one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranking {
    width: usize,
    n_tiles: usize,
    /// Class of the positions; see [`Frame::class`].
    class: u32,
    /// Numbers that a tile on each place has before it for each smaller tile that is left: half of the orders of the
    /// later tiles.
    weights: [u64; MAX_CELLS],
    n_with_blank: u64,
}

impl Ranking {
    /// The numbers of the positions of a class; absent if the frame has more than [`MAX_RANKED`] cells.
    pub fn new(frame: &Frame, class: u32) -> Option<Self> {
        if frame.n_cells() > MAX_RANKED {
            return None;
        }
        let n_tiles = frame.n_cells() - 1;
        let half_of_orders = |n: usize| (3..=n as u64).product::<u64>();
        let mut weights = [0; MAX_CELLS];
        for (place, weight) in weights[..n_tiles - 2].iter_mut().enumerate() {
            *weight = half_of_orders(n_tiles - 1 - place);
        }
        Some(Self { width: frame.width, n_tiles, class, weights, n_with_blank: half_of_orders(n_tiles) })
    }

    /// Number of positions.
    pub fn n_positions(&self) -> u64 {
        self.n_with_blank * (self.n_tiles as u64 + 1)
    }

    /// Number of positions with the blank on one cell.
    pub fn n_with_blank(&self) -> u64 {
        self.n_with_blank
    }

    /// The number of a position, which has to be one of the class.
    pub fn rank<W: Word>(&self, state: W) -> u64 {
        let blank = state.blank();
        let mut rank = blank as u64 * self.n_with_blank;
        let mut seen = 0u32;
        for (place, weight) in self.weights[..self.n_tiles - 2].iter().enumerate() {
            let tile = u32::from(state.tile(place + usize::from(place >= blank)));
            let n_smaller = tile - 1 - (seen & ((1 << tile) - 1)).count_ones();
            rank += u64::from(n_smaller) * weight;
            seen |= 1 << tile;
        }
        rank
    }

    /// The position of a number, which has to be less than [`Ranking::n_positions`].
    pub fn unrank<W: Word>(&self, rank: u64) -> W {
        let (blank, mut rest) = ((rank / self.n_with_blank) as usize, rank % self.n_with_blank);
        let mut left = [0u8; MAX_CELLS];
        (1..=self.n_tiles).zip(&mut left).for_each(|(tile, place)| *place = tile as u8);
        let mut n_inversions = blank / self.width * (self.width - 1);
        let mut state = W::EMPTY;
        for place in 0..self.n_tiles {
            let n_left = self.n_tiles - place;
            let n_smaller = match self.weights[place] {
                0 if n_left == 2 => (n_inversions + self.class as usize) % 2,
                0 => 0,
                weight => {
                    let n_smaller = rest / weight;
                    rest %= weight;
                    n_smaller as usize
                }
            };
            n_inversions += n_smaller;
            state = state.toggled(place + usize::from(place >= blank), left[n_smaller]);
            left.copy_within(n_smaller + 1..n_left, n_smaller);
        }
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked(width: usize, height: usize) -> u64 {
        let frame = Frame::new(width, height);
        let n_cells = frame.n_cells();
        for class in 0..2 {
            let ranking = Ranking::new(&frame, class).unwrap();
            for rank in 0..ranking.n_positions() {
                let state: u64 = ranking.unrank(rank);
                assert_eq!(ranking.rank(state), rank);
                assert_eq!(frame.class(state), class);
                let tiles = (0..n_cells).fold(0u32, |tiles, cell| tiles | 1 << state.tile(cell));
                assert_eq!(tiles, (1 << n_cells) - 1, "each tile once");
            }
        }
        Ranking::new(&frame, 0).unwrap().n_positions()
    }

    #[test]
    fn every_number_is_that_of_one_position() {
        // Half of the orders of the tiles and the blank can be reached (Johnson and Story 1879).
        assert_eq!(ranked(2, 2), 12);
        assert_eq!(ranked(3, 2), 360);
        assert_eq!(ranked(2, 3), 360);
        assert_eq!(ranked(4, 2), 20_160);
        assert_eq!(ranked(3, 3), 181_440);
    }

    #[test]
    fn numbers_of_large_frames_go_both_ways() {
        for (width, height, n_positions) in
            [(3, 4, 239_500_800), (6, 2, 239_500_800), (4, 4, 10_461_394_944_000), (5, 4, 1_216_451_004_088_320_000)]
        {
            let ranking = Ranking::new(&Frame::new(width, height), 0).unwrap();
            assert_eq!(ranking.n_positions(), n_positions);
            assert_eq!(ranking.n_with_blank() * (width * height) as u64, n_positions);
            for part in 0..1000 {
                let rank = n_positions / 1000 * part + part;
                assert_eq!(ranking.rank(ranking.unrank::<u128>(rank)), rank);
            }
        }
        assert_eq!(Ranking::new(&Frame::new(3, 7), 0), None);
    }

    #[test]
    fn a_tile_along_its_row_changes_the_cell_of_the_blank_alone() {
        let ranking = Ranking::new(&Frame::new(3, 3), 0).unwrap();
        let (left, right) = (u64::of_tiles([1, 2, 3, 4, 0, 5, 6, 7, 8]), u64::of_tiles([1, 2, 3, 4, 5, 0, 6, 7, 8]));
        assert_eq!(ranking.rank(left) + ranking.n_with_blank(), ranking.rank(right));
    }
}

//! Draws that are the same on every machine.

use super::board::{Board, Grid};

/// The generator SplitMix64 (Steele, Lea and Flood 2014). It is small and quick, and its numbers depend on the
/// seed alone.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    /// A whole number from 0 to below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }

    /// `true` if something of this probability happens.
    fn happens(&mut self, probability: f64) -> bool {
        // The upper 53 bits, as a share of their range.
        ((self.next() >> 11) as f64) < probability * (1_u64 << 53) as f64
    }

    /// The board with a new tile in one of its empty cells, a 4 with probability `four` and else a 2; the board
    /// itself if no cell is empty.
    pub fn with_new_tile(&mut self, grid: &Grid, board: Board, four: f64) -> Board {
        let n_empty = grid.empty_cells(board).count();
        let Some(cell) = grid.empty_cells(board).nth(self.below(n_empty)) else { return board };
        grid.with_tile(board, cell, if self.happens(four) { 2 } else { 1 })
    }

    /// A board with the two tiles that a game begins with.
    pub fn start(&mut self, grid: &Grid, four: f64) -> Board {
        let board = self.with_new_tile(grid, Board::EMPTY, four);
        self.with_new_tile(grid, board, four)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_published_generator() {
        // The first three numbers of the seed 1234567, as the reference implementation prints them.
        let mut random = Random::new(1_234_567);
        let first = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([random.next(), random.next(), random.next()], first);
    }

    #[test]
    fn new_tiles_are_as_frequent_as_the_rules_say() {
        let grid = Grid::new(2, 2, 5).unwrap();
        let mut random = Random::new(1);
        let mut counts = [[0; 3]; 4];
        for _ in 0..40_000 {
            let board = random.with_new_tile(&grid, Board::EMPTY, 0.1);
            let cell = (0..4).find(|&cell| grid.tile(board, cell) > 0).unwrap();
            counts[cell][grid.tile(board, cell) as usize] += 1;
        }
        // Each cell 10,000 times on average, a tenth of it with a 4; five standard errors either way.
        for [none, twos, fours] in counts {
            assert_eq!(none, 0);
            assert!((8_760..9_240).contains(&twos) && (850..1_150).contains(&fours), "{counts:?}");
        }
    }
}

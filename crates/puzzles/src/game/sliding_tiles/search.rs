//! The fewest moves to the goal by iterative deepening (IDA*: Korf 1985), guided by the pattern database.
//!
//! Memory is one path: nothing is kept between searches. Taking a move back is left out.

use super::frame::{Frame, MAX_CELLS};
use super::patterns::{Database, Estimate};

/// A search from one position.
#[derive(Debug)]
pub(super) struct Search<'a> {
    frame: &'a Frame,
    database: &'a Database,
    /// The home of the tile on each cell.
    homes: [u8; MAX_CELLS],
    blank: usize,
    estimate: Estimate,
    /// Number of positions that a search may look at, and those that it may still.
    limit: u64,
    left: u64,
}

/// End of the search below one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Solved,
    /// Not solved.
    Short,
    OutOfLimit,
}

impl<'a> Search<'a> {
    /// A search from a position: the home of the tile on each cell, that of the blank on its own.
    pub fn new(
        frame: &'a Frame,
        database: &'a Database,
        tiles: impl Iterator<Item = u8>,
        blank: usize,
        limit: u64,
    ) -> Self {
        let mut homes = [0; MAX_CELLS];
        tiles.zip(&mut homes).for_each(|(home, cell)| *cell = home);
        let estimate = database.estimate(&homes[..frame.n_cells()], blank);
        Self { frame, database, homes, blank, estimate, limit, left: limit }
    }

    /// No fewer moves can solve the position.
    pub fn bound(&self) -> u32 {
        self.estimate.bound()
    }

    /// The fewest moves to the goal, which can be reached.
    ///
    /// # Errors
    ///
    /// Fewer moves than this do not suffice, if the limit is passed.
    pub fn fewest_moves(&mut self) -> Result<u32, u32> {
        self.left = self.limit;
        let mut most = self.bound();
        loop {
            match self.deepen(self.blank, usize::MAX, self.estimate, most) {
                Ended::Solved => return Ok(most),
                // A move changes the bound by one, and its parity is that of the fewest moves.
                Ended::Short => most += 2,
                Ended::OutOfLimit => return Err(most),
            }
        }
    }

    /// Tells whether so many moves suffice.
    pub fn within(&mut self, moves: u32) -> Ended {
        self.left = self.limit;
        if self.bound() > moves { Ended::Short } else { self.deepen(self.blank, usize::MAX, self.estimate, moves) }
    }

    /// Searches on from a position with the blank on a cell, where the tile that came from there may not go back to
    /// `before`, and so many moves may be made, at least as many as the bound.
    fn deepen(&mut self, blank: usize, before: usize, estimate: Estimate, moves: u32) -> Ended {
        if estimate.bound() == 0 {
            return Ended::Solved;
        }
        let frame = self.frame;
        for from in frame.beside(blank).iter().map(|&from| usize::from(from)).filter(|&from| from != before) {
            let Some(left) = self.left.checked_sub(1) else { return Ended::OutOfLimit };
            self.left = left;
            let home = self.homes[from];
            let after = self.database.moved(estimate, home.into(), from, blank);
            // The bound never exceeds the moves that are needed, so that no solution is cut off (Korf 1985).
            if after.bound() >= moves {
                continue;
            }
            self.homes[blank] = home;
            let ended = self.deepen(from, blank, after, moves - 1);
            self.homes[from] = home;
            if ended != Ended::Short {
                return ended;
            }
        }
        Ended::Short
    }
}

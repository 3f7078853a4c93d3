//! The exact value of every position of a small board, by dynamic programming over after-states.
//!
//! A move keeps the sum of all tiles, and the new tile adds 2 or 4 to it. So positions fall into layers by
//! their sum, and values follow from those of the next two layers: the layers are collected in ascending
//! order, and valued in descending order, without recursion. Of positions that are mirror images of each
//! other only the smallest is kept, and kept are the values of after-states only (positions before the new
//! tile appears), which are fewer; the value of a position is the best of its moves.

use super::board::{Board, Grid, value};
use crate::game::direction::Direction;
use crate::game::{Preparation, ValueError};

/// The most after-states that a table may hold: 1.2 GB.
pub(super) const MAX_AFTER_STATES: usize = 100_000_000;

/// Number of positions without the target tile that a board of more than nine cells may have, mirror images
/// counted once, reachable or not, to be valued exactly.
const MAX_LARGE_BOARD: f64 = 3e8;

/// Rules that decide the values of positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course<'a> {
    /// The board.
    pub grid: &'a Grid,
    /// The exponent of the tile that ends the game.
    pub target: Option<u32>,
    /// The probability that a new tile is a 4.
    pub four: f64,
}

impl Course<'_> {
    /// New tiles as exponent and probability, without those that never come.
    pub fn new_tiles(&self) -> impl Iterator<Item = (u32, f64)> + use<> {
        [(1, 1.0 - self.four), (2, self.four)].into_iter().filter(|&(_, chance)| chance > 0.0)
    }

    /// `true` if the board holds the target tile.
    #[inline]
    pub fn is_goal(&self, board: Board) -> bool {
        self.target.is_some_and(|target| self.grid.largest(board) >= target)
    }

    /// The moves that change a board which is not at its goal: where they lead, and the points they gain.
    #[inline]
    pub fn moves(&self, board: Board) -> impl Iterator<Item = (Board, u32)> {
        let slides = Direction::ALL.into_iter().map(move |direction| self.grid.slid(board, direction));
        slides.filter(move |&(after, _)| after != board)
    }
}

/// The after-states of one sum of tiles.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Layer {
    /// The numbers of the boards, ascending.
    pub keys: Vec<u32>,
    /// For each, the expected further points.
    pub values: Vec<f64>,
}

impl Layer {
    fn value(&self, key: u32) -> Option<f64> {
        self.keys.binary_search(&key).ok().map(|at| self.values[at])
    }
}

/// The values of all after-states that can be reached.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    /// Numbering of boards of one sum.
    pub numbering: Numbering,
    /// The after-states with a sum of 0, 2, 4, …
    pub layers: Vec<Layer>,
    /// Number of positions with the player to move that can be reached, mirror images counted once,
    /// positions with the target tile left out.
    pub n_states: u64,
    /// Number of those without a move, so that the game is over.
    pub n_stuck: u64,
}

/// Numbers the boards of one sum: their cells are digits of a number, and as the sum is known the last cell
/// is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbering {
    /// One more than the largest exponent of a tile.
    pub base: u32,
    /// Number of cells of a board.
    pub n_cells: usize,
}

impl Numbering {
    /// The numbering of boards with exponents below `base`, if it fits into 32 bits and the board is
    /// small enough to be valued exactly.
    pub fn new(grid: &Grid, base: u32) -> Option<Self> {
        let n_cells = grid.n_cells();
        let digits = i32::try_from(n_cells).ok()?;
        let fits = f64::from(base).powi(digits - 1) <= f64::from(u32::MAX) + 1.0 && grid.code_bits() <= u64::BITS;
        let is_small = n_cells <= 9 || f64::from(base).powi(digits) / grid.n_images() as f64 <= MAX_LARGE_BOARD;
        (fits && is_small).then_some(Self { base, n_cells })
    }

    #[inline]
    fn key(self, grid: &Grid, board: Board) -> u32 {
        // Wrapping: the key of a board whose tiles are no digits is not used, since [`Table::holds`] is asked first.
        (0..self.n_cells - 1)
            .rev()
            .fold(0_u32, |key, cell| key.wrapping_mul(self.base).wrapping_add(grid.tile(board, cell)))
    }

    fn board(self, grid: &Grid, mut key: u32, mut sum: u64) -> Board {
        let mut board = Board::EMPTY;
        for cell in 0..self.n_cells - 1 {
            let exponent = key % self.base;
            key /= self.base;
            sum -= value(exponent);
            board = grid.with_tile(board, cell, exponent);
        }
        let last = if sum == 0 { 0 } else { sum.trailing_zeros() };
        grid.with_tile(board, self.n_cells - 1, last)
    }
}

impl Table {
    /// The values of everything that can be reached from `starts`.
    ///
    /// # Errors
    ///
    /// [`ValueError`] if the caller asks to stop, or there are more than [`MAX_AFTER_STATES`].
    pub fn new(
        course: &Course,
        numbering: Numbering,
        starts: &[Board],
        preparation: &Preparation,
    ) -> Result<Self, ValueError> {
        let mut builder =
            Builder { course, table: Self { numbering, layers: Vec::new(), n_states: 0, n_stuck: 0 }, starts };
        let progress = preparation.progress;
        progress.begin("collecting positions of 2048", None);
        let collected = builder.collect(preparation);
        progress.end();
        collected?;
        progress.begin("valuing positions of 2048", Some(builder.table.n_states));
        let valued = builder.value(preparation);
        progress.end();
        valued.map(|()| builder.table)
    }

    /// Number of after-states that it holds.
    pub fn n_after_states(&self) -> usize {
        self.layers.iter().map(|layer| layer.keys.len()).sum()
    }

    /// The expected points from an after-state; nothing if it cannot be reached.
    pub fn value_after(&self, course: &Course, after: Board) -> Option<f64> {
        if course.is_goal(after) {
            return Some(0.0);
        }
        if !self.holds(course.grid, after) {
            return None;
        }
        let layer = self.layers.get(layer_of(course.grid, after))?;
        layer.value(self.numbering.key(course.grid, course.grid.canonical(after)))
    }

    /// The expected points from a position under optimal play; nothing if it cannot be reached.
    pub fn value(&self, course: &Course, board: Board) -> Option<f64> {
        if course.is_goal(board) {
            return Some(0.0);
        }
        let mut best = 0.0;
        for (after, points) in course.moves(board) {
            best = f64::max(best, f64::from(points) + self.value_after(course, after)?);
        }
        Some(best)
    }

    /// `true` if the tiles of a board are digits of the numbering.
    fn holds(&self, grid: &Grid, board: Board) -> bool {
        grid.largest(board) < self.numbering.base
    }
}

fn layer_of(grid: &Grid, board: Board) -> usize {
    grid.sum(board) as usize / 2
}

struct Builder<'a> {
    course: &'a Course<'a>,
    table: Table,
    starts: &'a [Board],
}

impl Builder<'_> {
    /// Fills the layers with the numbers of all after-states.
    fn collect(&mut self, preparation: &Preparation) -> Result<(), ValueError> {
        let grid = self.course.grid;
        let last_start = self.starts.iter().map(|&start| layer_of(grid, start)).max().unwrap_or(0);
        let mut n_after_states = 0;
        let mut n_empty = 0;
        // A new tile reaches at most two layers on, so that behind two empty ones there is nothing.
        while self.table.layers.len() <= last_start || n_empty < 2 {
            if preparation.progress.is_cancelled() {
                return Err(ValueError::Interrupted);
            }
            let layer = self.table.layers.len();
            let states = self.states(layer);
            let (keys, n_stuck) = self.after_states(&states, layer);
            self.table.n_stuck += n_stuck;
            n_empty = if keys.is_empty() { n_empty + 1 } else { 0 };
            n_after_states += keys.len();
            if n_after_states > MAX_AFTER_STATES {
                return Err(too_many(grid));
            }
            self.table.n_states += states.len() as u64;
            preparation.progress.advance(states.len() as u64);
            self.table.layers.push(Layer { keys, values: Vec::new() });
        }
        Ok(())
    }

    /// Fills the layers with the values of all after-states, from the last one to the first.
    fn value(&mut self, preparation: &Preparation) -> Result<(), ValueError> {
        // The values of the positions one and two layers on.
        let (mut next, mut second) = (Layer::default(), Layer::default());
        for layer in (0..self.table.layers.len()).rev() {
            if preparation.progress.is_cancelled() {
                return Err(ValueError::Interrupted);
            }
            let boards = |table: &Table, at: usize| table.board(self.course.grid, table.layers[layer].keys[at], layer);
            let n_keys = self.table.layers[layer].keys.len();
            let values = (0..n_keys).map(|at| self.expected(boards(&self.table, at), &next, &second)).collect();
            self.table.layers[layer].values = values;
            // Positions are found again from the layers before, and not kept: two layers of their values are enough.
            let keys = self.states(layer);
            let values =
                keys.iter().map(|&key| self.best(self.table.board(self.course.grid, key, layer), layer)).collect();
            preparation.progress.advance(keys.len() as u64);
            second = std::mem::replace(&mut next, Layer { keys, values });
        }
        Ok(())
    }

    /// The numbers of the positions of one layer in which it is the player's turn, the target not yet reached.
    fn states(&self, layer: usize) -> Vec<u32> {
        let (course, grid, numbering) = (self.course, self.course.grid, self.table.numbering);
        let key = |board| numbering.key(grid, grid.canonical(board));
        let starts = self.starts.iter().filter(|&&start| layer_of(grid, start) == layer && !course.is_goal(start));
        let mut keys: Vec<u32> = starts.map(|&start| key(start)).collect();
        for (exponent, _) in course.new_tiles() {
            let Some(before) = layer.checked_sub(exponent as usize) else { continue };
            for &after in self.table.layers.get(before).map_or(&[][..], |layer| &layer.keys) {
                let after = self.table.board(grid, after, before);
                keys.extend(grid.empty_cells(after).map(|cell| key(grid.with_tile(after, cell, exponent))));
            }
        }
        // Sorted lists and not hash sets: four bytes for each position, found by bisection, and kept as they stand.
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// The numbers of the after-states that these positions of one layer lead to, the target not yet reached,
    /// and how many of the positions have no move.
    fn after_states(&self, states: &[u32], layer: usize) -> (Vec<u32>, u64) {
        let (course, grid, numbering) = (self.course, self.course.grid, self.table.numbering);
        let mut keys = Vec::new();
        let mut n_stuck = 0;
        for &state in states {
            let mut afters = course.moves(self.table.board(grid, state, layer)).map(|(after, _)| after).peekable();
            n_stuck += u64::from(afters.peek().is_none());
            let open = afters.filter(|&after| !course.is_goal(after));
            keys.extend(open.map(|after| numbering.key(grid, grid.canonical(after))));
        }
        keys.sort_unstable();
        keys.dedup();
        keys.shrink_to_fit();
        (keys, n_stuck)
    }

    /// The mean value of what the new tile makes of an after-state.
    fn expected(&self, after: Board, next: &Layer, second: &Layer) -> f64 {
        let (grid, numbering) = (self.course.grid, self.table.numbering);
        let mut total = 0.0;
        let mut n_cells = 0;
        for cell in grid.empty_cells(after) {
            n_cells += 1;
            for (exponent, chance) in self.course.new_tiles() {
                let layer = if exponent == 1 { next } else { second };
                let board = grid.canonical(grid.with_tile(after, cell, exponent));
                let value = layer.value(numbering.key(grid, board));
                debug_assert!(value.is_some(), "every outcome has been collected");
                total += chance * value.unwrap_or(0.0);
            }
        }
        total / f64::from(n_cells)
    }

    /// The value of a position of one layer, whose after-states are valued.
    fn best(&self, board: Board, layer: usize) -> f64 {
        let (course, grid, numbering) = (self.course, self.course.grid, self.table.numbering);
        let worth = |(after, points): (Board, u32)| {
            let rest = if course.is_goal(after) {
                Some(0.0)
            } else {
                self.table.layers[layer].value(numbering.key(grid, grid.canonical(after)))
            };
            debug_assert!(rest.is_some(), "every after-state has been collected");
            f64::from(points) + rest.unwrap_or(0.0)
        };
        course.moves(board).map(worth).fold(0.0, f64::max)
    }
}

impl Table {
    /// The board with this number in a layer.
    fn board(&self, grid: &Grid, key: u32, layer: usize) -> Board {
        self.numbering.board(grid, key, 2 * layer as u64)
    }
}

fn too_many(grid: &Grid) -> ValueError {
    let (width, height) = (grid.width(), grid.height());
    ValueError::Beyond(format!(
        "a board of {width}x{height} has more than {MAX_AFTER_STATES} positions before this target: take a \
         smaller target"
    ))
}

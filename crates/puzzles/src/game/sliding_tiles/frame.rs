//! The frame in which tiles slide: its cells, their neighbours and its turns and mirrorings.

use super::word::Word;

/// The shortest and the longest side of a frame.
pub const SIDES: std::ops::RangeInclusive<usize> = 2..=12;

/// The most cells of a frame.
pub const MAX_CELLS: usize = 25;

/// A rectangle of cells, numbered row by row from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    beside: [Beside; MAX_CELLS],
}

/// The cells beside one cell, in ascending order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Beside {
    cells: [u8; 4],
    n: u8,
}

impl Frame {
    /// A frame of at most [`MAX_CELLS`] cells.
    pub fn new(width: usize, height: usize) -> Self {
        let bare = Self { width, height, beside: [Beside::default(); MAX_CELLS] };
        let mut frame = bare;
        for (cell, Beside { cells, n }) in frame.beside[..width * height].iter_mut().enumerate() {
            for other in (0..width * height).filter(|&other| bare.steps(cell, other) == 1) {
                cells[usize::from(*n)] = other as u8;
                *n += 1;
            }
        }
        frame
    }

    /// Number of cells.
    pub fn n_cells(&self) -> usize {
        self.width * self.height
    }

    /// The cells beside a cell, in ascending order.
    #[inline]
    pub fn beside(&self, cell: usize) -> &[u8] {
        let Beside { cells, n } = &self.beside[cell];
        &cells[..usize::from(*n)]
    }

    /// Number of steps from one cell to another, along rows and columns.
    #[inline]
    pub fn steps(&self, from: usize, to: usize) -> u32 {
        let rows = (from / self.width).abs_diff(to / self.width);
        (rows + (from % self.width).abs_diff(to % self.width)) as u32
    }

    /// The class of a position, which no move changes: two positions can be reached from each other exactly if theirs
    /// is the same (Johnson and Story 1879). A tile that moves along its row passes none in reading order, one that
    /// changes its row passes one less than a row has.
    pub fn class<W: Word>(&self, state: W) -> u32 {
        let tiles: Vec<u8> = (0..self.n_cells()).map(|cell| state.tile(cell)).filter(|&tile| tile > 0).collect();
        let later = |(at, tile): (usize, &u8)| tiles[at + 1..].iter().filter(|&other| other < tile).count();
        let n_inversions: usize = tiles.iter().enumerate().map(later).sum();
        ((n_inversions + state.blank() / self.width * (self.width - 1)) % 2) as u32
    }

    /// The turns and mirrorings of the frame, but for the identity, that leave a cell where it is: where each cell
    /// goes.
    pub fn symmetries(&self, fixed: usize) -> Vec<Vec<u8>> {
        let Self { width, height, .. } = *self;
        let flips = [(false, false), (false, true), (true, false), (true, true)];
        let all = [false, true].into_iter().flat_map(|turned| flips.map(|(down, across)| (turned, down, across)));
        let image = |(turned, down, across): (bool, bool, bool)| {
            let place = move |cell: usize| {
                let (row, column) = (cell / width, cell % width);
                let (row, column) = if turned { (column, row) } else { (row, column) };
                let row = if down { height - 1 - row } else { row };
                (row * width + if across { width - 1 - column } else { column }) as u8
            };
            (0..width * height).map(place).collect::<Vec<u8>>()
        };
        let possible = all.skip(1).filter(|&(turned, ..)| !turned || width == height).map(image);
        possible.filter(|image| usize::from(image[fixed]) == fixed).collect()
    }
}

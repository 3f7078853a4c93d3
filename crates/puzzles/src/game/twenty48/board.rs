//! The board of 2048: tiles packed into one word, slides line by line, mirror images.

use crate::game::direction::Direction;

/// One position: the exponent of the tile in each cell (0 where it is empty), row by row, packed with
/// the first cell in the lowest bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board(pub(super) u128);

impl Board {
    /// The board without tiles.
    pub const EMPTY: Self = Self(0);
}

/// The most cells that a board can have: four fit into a byte, as two bits are the fewest for a tile.
pub(super) const MAX_CELLS: usize = 64;

/// Lines of at most so many bits have their slides in a table.
const MAX_TABLE_BITS: u32 = 16;

/// The size of a board, how tiles are packed, and what a slide makes of each line.
#[derive(Clone, Debug)]
pub struct Grid {
    width: usize,
    height: usize,
    /// Bits of one tile.
    bits: u32,
    mask: u128,
    rows: Slides,
    columns: Slides,
    /// For each mirror image, the cell that each of its cells comes from; the first one is the board itself.
    images: Vec<Vec<usize>>,
}

impl Grid {
    /// A board of this size whose tiles have exponents up to `max_exponent`; absent if its tiles do not
    /// fit into 128 bits.
    pub fn new(width: usize, height: usize, max_exponent: u32) -> Option<Self> {
        let bits = u32::BITS - max_exponent.leading_zeros();
        let n_cells = width.checked_mul(height)?;
        if n_cells > MAX_CELLS || n_cells as u32 * bits > u128::BITS {
            return None;
        }
        let mask = (1 << bits) - 1;
        let (rows, columns) = (Slides::new(width, bits), Slides::new(height, bits));
        Some(Self { width, height, bits, mask, rows, columns, images: images(width, height) })
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Number of cells.
    pub fn n_cells(&self) -> usize {
        self.width * self.height
    }

    /// Bits that the tiles of a board take.
    pub fn code_bits(&self) -> u32 {
        self.n_cells() as u32 * self.bits
    }

    /// The exponent of the tile in a cell, 0 if it is empty.
    #[inline]
    pub fn tile(&self, board: Board, cell: usize) -> u32 {
        ((board.0 >> (cell as u32 * self.bits)) & self.mask) as u32
    }

    /// The board with one more tile in an empty cell.
    #[inline]
    pub fn with_tile(&self, board: Board, cell: usize, exponent: u32) -> Board {
        Board(board.0 | (u128::from(exponent) << (cell as u32 * self.bits)))
    }

    /// The exponents of all cells, row by row.
    #[inline]
    pub fn tiles(&self, board: Board) -> impl Iterator<Item = u32> + '_ {
        let mut rest = board.0;
        (0..self.n_cells()).map(move |_| {
            let tile = (rest & self.mask) as u32;
            rest >>= self.bits;
            tile
        })
    }

    /// The board with these exponents, row by row.
    pub fn board(&self, exponents: impl IntoIterator<Item = u32>) -> Board {
        let cells = exponents.into_iter().enumerate();
        cells.fold(Board::EMPTY, |board, (cell, exponent)| self.with_tile(board, cell, exponent))
    }

    /// The empty cells, in ascending order.
    pub fn empty_cells(&self, board: Board) -> impl Iterator<Item = usize> + '_ {
        self.tiles(board).enumerate().filter(|&(_, tile)| tile == 0).map(|(cell, _)| cell)
    }

    /// The largest exponent on the board.
    pub fn largest(&self, board: Board) -> u32 {
        self.tiles(board).max().unwrap_or(0)
    }

    /// The sum of the values of all tiles.
    pub fn sum(&self, board: Board) -> u64 {
        self.tiles(board).map(value).sum()
    }

    /// The board after all tiles slid, and the points gained: the sum of the tiles that merging made.
    #[inline]
    pub fn slid(&self, board: Board, direction: Direction) -> (Board, u32) {
        let backwards = matches!(direction, Direction::Right | Direction::Down);
        match direction {
            Direction::Left | Direction::Right => self.slid_rows(board, backwards),
            Direction::Up | Direction::Down => self.slid_columns(board, backwards),
        }
    }

    #[inline]
    fn slid_rows(&self, board: Board, backwards: bool) -> (Board, u32) {
        let row_bits = self.width as u32 * self.bits;
        let row_mask = (1 << row_bits) - 1;
        let (mut result, mut points) = (0, 0_u32);
        for row in 0..self.height {
            let shift = row as u32 * row_bits;
            let slid = self.rows.slid(((board.0 >> shift) & row_mask) as u64, backwards);
            result |= u128::from(slid.line) << shift;
            points = u32::saturating_add(points, slid.points);
        }
        (Board(result), points)
    }

    #[inline]
    fn slid_columns(&self, board: Board, backwards: bool) -> (Board, u32) {
        // The usual board is turned by masks and shifts, so that its columns are rows, which have a table.
        if (self.width, self.height, self.bits) == (4, 4, 4) {
            let (slid, points) = self.slid_rows(Board(transposed(board.0 as u64).into()), backwards);
            return (Board(transposed(slid.0 as u64).into()), points);
        }
        let row_bits = self.width as u32 * self.bits;
        let (mut result, mut points) = (0, 0_u32);
        for column in 0..self.width {
            let first = column as u32 * self.bits;
            let rows = 0..self.height as u32;
            let tile = |row: u32| ((board.0 >> (first + row * row_bits)) & self.mask) as u64;
            let line = rows.clone().fold(0, |line, row| line | (tile(row) << (row * self.bits)));
            let slid = self.columns.slid(line, backwards);
            for row in rows {
                let tile = u128::from(slid.line >> (row * self.bits)) & self.mask;
                result |= tile << (first + row * row_bits);
            }
            points = u32::saturating_add(points, slid.points);
        }
        (Board(result), points)
    }

    /// The mirror images and rotations of a board, itself first: eight of a square, four of an oblong.
    pub fn images(&self, board: Board) -> impl Iterator<Item = Board> + '_ {
        let image = move |cells: &Vec<usize>| self.board(cells.iter().map(|&cell| self.tile(board, cell)));
        self.images.iter().map(image)
    }

    /// Number of images of a board, itself among them.
    pub fn n_images(&self) -> usize {
        self.images.len()
    }

    /// The smallest image of a board: the same for all of its images.
    #[inline]
    pub fn canonical(&self, board: Board) -> Board {
        if self.code_bits() > u64::BITS {
            return self.images(board).min().unwrap_or(board);
        }
        // Tiles are taken apart once for all images, in words of 64 bits.
        let mut tiles = [0; MAX_CELLS];
        for (cell, tile) in tiles.iter_mut().enumerate().take(self.n_cells()) {
            *tile = self.tile(board, cell) as u64;
        }
        let image = |cells: &Vec<usize>| cells.iter().rev().fold(0, |word, &cell| (word << self.bits) | tiles[cell]);
        Board(self.images.iter().map(image).min().unwrap_or(0).into())
    }
}

/// The value of a tile with this exponent: 2, 4, 8 …, and 0 for an empty cell.
pub fn value(exponent: u32) -> u64 {
    if exponent == 0 { 0 } else { 1 << exponent }
}

/// A board of 4x4 with four bits for each tile, its rows and columns exchanged: first within each of its four
/// quarters, then the quarters themselves.
#[inline]
fn transposed(board: u64) -> u64 {
    let kept = board & 0xF0F0_0F0F_F0F0_0F0F;
    let up = (board & 0x0000_F0F0_0000_F0F0) << 12;
    let down = (board & 0x0F0F_0000_0F0F_0000) >> 12;
    let board = kept | up | down;
    let kept = board & 0xFF00_FF00_00FF_00FF;
    let up = (board & 0x0000_0000_FF00_FF00) << 24;
    let down = (board & 0x00FF_00FF_0000_0000) >> 24;
    kept | up | down
}

/// For each image of a board, the cell that each of its cells comes from; the first one is the board itself.
pub(super) fn images(width: usize, height: usize) -> Vec<Vec<usize>> {
    let mut images = Vec::new();
    for flip in 0..4 {
        let source = |row: usize, column: usize| {
            let row = if flip & 1 == 0 { row } else { height - 1 - row };
            let column = if flip & 2 == 0 { column } else { width - 1 - column };
            row * width + column
        };
        images.push((0..width * height).map(|cell| source(cell / width, cell % width)).collect());
        if width == height {
            images.push((0..width * height).map(|cell| source(cell % width, cell / width)).collect());
        }
    }
    images
}

/// A line after a slide, and the points that it gained.
#[derive(Clone, Copy, Debug, Default)]
struct Slid {
    line: u64,
    points: u32,
}

/// Results of a slide of lines of one length.
#[derive(Clone, Debug)]
struct Slides {
    length: usize,
    bits: u32,
    /// Forwards and backwards, for each line; empty where there are too many lines.
    table: Vec<[(u32, u32); 2]>,
}

impl Slides {
    fn new(length: usize, bits: u32) -> Self {
        let mut slides = Self { length, bits, table: Vec::new() };
        let line_bits = length as u32 * bits;
        // Lookahead slides the same lines over and over: 65,536 of them at most are slid once and looked up.
        if line_bits <= MAX_TABLE_BITS {
            let entry = |slid: Slid| (slid.line as u32, slid.points);
            let both = |line| [entry(slides.computed(line, false)), entry(slides.computed(line, true))];
            slides.table = (0..1 << line_bits).map(both).collect();
        }
        slides
    }

    /// The line after a slide towards its first cell, or backwards, towards its last one.
    #[inline]
    fn slid(&self, line: u64, backwards: bool) -> Slid {
        match self.table.get(line as usize) {
            Some(both) => {
                let (line, points) = both[usize::from(backwards)];
                Slid { line: line.into(), points }
            }
            None => self.computed(line, backwards),
        }
    }

    fn computed(&self, line: u64, backwards: bool) -> Slid {
        if !backwards {
            return self.towards_first(line);
        }
        let slid = self.towards_first(self.reversed(line));
        Slid { line: self.reversed(slid.line), ..slid }
    }

    fn tiles(&self, line: u64) -> impl DoubleEndedIterator<Item = u64> {
        let (bits, mask) = (self.bits, (1 << self.bits) - 1);
        (0..self.length as u32).map(move |place| (line >> (place * bits)) & mask)
    }

    fn reversed(&self, line: u64) -> u64 {
        self.tiles(line).fold(0, |reversed, tile| (reversed << self.bits) | tile)
    }

    /// Tiles close up, and each meets at most one equal tile: what merging made does not merge again.
    fn towards_first(&self, line: u64) -> Slid {
        let largest = (1 << self.bits) - 1;
        let mut slid = Slid::default();
        let mut n_placed = 0;
        let mut waiting = 0;
        let place = |slid: &mut Slid, n_placed: &mut u32, tile: u64| {
            slid.line |= tile << (*n_placed * self.bits);
            *n_placed += 1;
        };
        for tile in self.tiles(line).filter(|&tile| tile != 0) {
            // Two tiles of the largest exponent cannot arise in play; a position that is made up may have them.
            if tile == waiting && tile < largest {
                place(&mut slid, &mut n_placed, tile + 1);
                slid.points = slid.points.saturating_add(1 << (tile + 1));
                waiting = 0;
            } else {
                if waiting != 0 {
                    place(&mut slid, &mut n_placed, waiting);
                }
                waiting = tile;
            }
        }
        if waiting != 0 {
            place(&mut slid, &mut n_placed, waiting);
        }
        slid
    }
}

/// The exponent of the largest new tile.
pub(super) fn largest_new_tile(four: f64) -> u32 {
    if four > 0.0 { 2 } else { 1 }
}

/// An exponent that no tile can exceed on a board that begins empty.
pub(super) fn longest_chain(n_cells: usize, four: f64) -> u32 {
    (n_cells.min(MAX_CELLS) as u32).saturating_sub(1) + largest_new_tile(four)
}

/// Marks of an empty cell.
const EMPTY_MARKS: [&str; 4] = [".", "0", "_", "-"];

/// The exponent of a tile as it is written, 0 for an empty cell.
pub(super) fn tile(text: &str) -> Option<u32> {
    if EMPTY_MARKS.contains(&text) {
        return Some(0);
    }
    let is_number = text.bytes().all(|digit| digit.is_ascii_digit());
    let number: u64 = text.parse().ok().filter(|_| is_number)?;
    (number >= 2 && number.is_power_of_two()).then(|| number.trailing_zeros())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(exponents: [u32; 4]) -> u64 {
        exponents.iter().rev().fold(0, |line, &tile| (line << 4) | u64::from(tile))
    }

    #[test]
    fn tiles_merge_once_per_move() {
        let slides = Slides::new(4, 4);
        for (before, after, points) in [
            ([1, 1, 1, 1], [2, 2, 0, 0], 8),
            ([1, 1, 2, 0], [2, 2, 0, 0], 4),
            ([2, 1, 1, 0], [2, 2, 0, 0], 4),
            ([1, 1, 1, 0], [2, 1, 0, 0], 4),
            ([0, 3, 0, 3], [4, 0, 0, 0], 16),
            ([1, 2, 1, 2], [1, 2, 1, 2], 0),
            ([0, 0, 0, 5], [5, 0, 0, 0], 0),
        ] {
            let slid = slides.slid(line(before), false);
            assert_eq!((slid.line, slid.points), (line(after), points), "{before:?}");
        }
        // Towards the last cell, the pair nearest to it merges first.
        assert_eq!(slides.slid(line([1, 1, 1, 0]), true).line, line([0, 0, 1, 2]));
    }

    #[test]
    fn lines_without_a_table_slide_the_same() {
        let (narrow, wide) = (Grid::new(4, 4, 15).unwrap(), Grid::new(4, 4, 17).unwrap());
        assert!(!narrow.rows.table.is_empty() && wide.rows.table.is_empty());
        let mut seed = 1_u64;
        for _ in 0..2000 {
            let exponents: Vec<u32> = (0..16)
                .map(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    (seed >> 33) as u32 % 5
                })
                .collect();
            for direction in Direction::ALL {
                let (slid, points) = narrow.slid(narrow.board(exponents.iter().copied()), direction);
                let (wide_slid, other_points) = wide.slid(wide.board(exponents.iter().copied()), direction);
                assert!(narrow.tiles(slid).eq(wide.tiles(wide_slid)));
                assert_eq!(points, other_points);
            }
        }
    }

    #[test]
    fn images_are_those_of_the_symmetry_group() {
        let grid = Grid::new(3, 3, 10).unwrap();
        let board = grid.board([1, 2, 3, 4, 5, 6, 7, 8, 9]);
        let mut images: Vec<Board> = grid.images(board).collect();
        assert_eq!(images[0], board);
        assert!(images.iter().all(|&image| grid.canonical(image) == grid.canonical(board)));
        images.sort();
        images.dedup();
        assert_eq!(images.len(), 8);
        // Of the images of a wide board, too, one stands for all.
        let grid = Grid::new(5, 5, 26).unwrap();
        let board = grid.board(1..=25);
        assert!(grid.images(board).all(|image| grid.canonical(image) == grid.canonical(board)));
        let grid = Grid::new(3, 2, 7).unwrap();
        let mut images: Vec<Board> = grid.images(grid.board([1, 2, 3, 4, 5, 6])).collect();
        images.sort();
        images.dedup();
        assert_eq!(images.len(), 4);
    }

    #[test]
    fn a_board_takes_at_most_128_bits() {
        assert_eq!(Grid::new(5, 5, 26).unwrap().code_bits(), 125);
        assert!(Grid::new(6, 6, 37).is_none());
        assert!(Grid::new(usize::MAX, 2, 3).is_none());
    }
}

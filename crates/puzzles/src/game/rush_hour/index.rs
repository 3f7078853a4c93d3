//! The perfect index of Rush Hour: a number for each position in which no two pieces share a cell.
//!
//! Pieces of different rows never meet, nor do those of different columns. So the places of all pieces that lie one way
//! are any product of the configurations of their lines; and behind each, a *block*, the lines of the other way are free
//! to take any product of those configurations that avoid it. Products behind which a line has no room are no blocks:
//!
//!   rank = first(block) + Σ over columns of rank(configuration of the column, cells that the block takes of it) · stride
//!
//! The board is turned so that what is called a row here has the fewer configurations, and there are fewer blocks.

use super::layout::{Layout, Orientation};
use super::track::Track;
use crate::game::PositionIndex;

mod lines;

use lines::{Column, Line, NO_BLOCK, NO_RANK, Row};

/// Boards up to this size have an index: their cells are the bits of one word, and those of a line an index of tables.
const MAX_CELLS: usize = 64;
const MAX_LINE: usize = 12;
const MAX_LINE_BITS: u32 = 12;

/// Products of configurations of rows and ranks beyond which there is no index, since it would take more memory than it spares.
const MAX_PRODUCTS: u64 = 1 << 22;
const MAX_RANKS: u64 = 1 << 28;

/// All positions of one level, numbered.
#[derive(Debug)]
pub struct RushHourIndex {
    pub(super) pieces: Vec<Piece>,
    pub(super) rows: Vec<Row>,
    pub(super) columns: Vec<Column>,
    pub(super) width: usize,
    pub(super) height: usize,
    /// Cells of walls: bit `row * width + column`, and bit `column * height + row`.
    pub(super) walls: [u64; 2],
    /// The block of each product of configurations of rows, or [`NO_BLOCK`]; and the product of each block.
    blocks: Vec<u32>,
    products: Vec<u32>,
    /// The rank of the first position of each block; behind them the number of all ranks.
    pub(super) first: Vec<u32>,
    /// For each block what its columns add to the rank.
    terms: Vec<Term>,
    /// Ranks of the configurations of columns, by table and code; [`NO_RANK`] where cells are taken.
    pub(super) ranks: Vec<u16>,
}

/// A piece as the index sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) is_in_row: bool,
    /// Number of its row among those with pieces, or of its column.
    pub(super) line: usize,
    /// Its place in the code of a position, in the codes of all lines, and in that of its line.
    shift: u32,
    pub(super) mask: u64,
    lines_shift: u32,
    pub(super) line_shift: u32,
    pub(super) length: u32,
    /// First bit of its line in the layout in which its cells are neighbours.
    pub(super) first_bit: u32,
    /// The cells that it takes at its first place, and how far they move from place to place, in both layouts.
    taken: [u64; 2],
    steps: [u32; 2],
}

impl Piece {
    #[inline]
    fn place(&self, code: u64) -> u32 {
        ((code >> self.shift) & self.mask) as u32
    }
}

/// What a column adds to the rank behind one block: the rank of its configuration in a table, times a stride.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    pub(super) table: u32,
    pub(super) stride: u32,
}

/// A position as the index reads its code.
struct Reading {
    /// The codes of all lines in one word, line after line.
    lines: u64,
    /// Cells that are taken, row by row and column by column.
    taken: [u64; 2],
}

impl RushHourIndex {
    /// The index of a level; absent where the board or the number of its positions is too large.
    pub(super) fn new(layout: &Layout, tracks: &[Track]) -> Option<Self> {
        if layout.width * layout.height > MAX_CELLS || layout.width.max(layout.height) > MAX_LINE {
            return None;
        }
        let index = Self::with_lines(layout, tracks, false)?;
        let [n_of_rows, n_of_columns] = index.n_configurations();
        let mut index = if n_of_rows <= n_of_columns { index } else { Self::with_lines(layout, tracks, true)? };
        let n_products = n_of_rows.min(n_of_columns);
        if n_products > MAX_PRODUCTS {
            return None;
        }
        index.blocks = vec![NO_BLOCK; n_products as usize];
        index.add_blocks(index.rows.len(), 0, 0)?;
        Some(index)
    }

    /// The lines of a level: the board as it is, or with rows and columns exchanged. Absent where a line has too many
    /// pieces.
    fn with_lines(layout: &Layout, tracks: &[Track], is_turned: bool) -> Option<Self> {
        let size = if is_turned { [layout.height, layout.width] } else { [layout.width, layout.height] };
        let mut walls = [0; 2];
        for &(row, column) in &layout.walls {
            let cell = if is_turned { [column, row] } else { [row, column] };
            bits_of(cell, size).into_iter().zip(&mut walls).for_each(|(bit, walls)| *walls |= bit);
        }
        let mut lines: [Vec<Line>; 2] = [Vec::new(), Vec::new()];
        let mut pieces = Vec::with_capacity(tracks.len());
        for (piece, track) in layout.pieces.iter().zip(tracks) {
            let is_in_row = (piece.orientation == Orientation::Horizontal) != is_turned;
            let (way, number) = (usize::from(!is_in_row), piece.line());
            let line = lines[way].iter().position(|line| line.number == number).unwrap_or_else(|| {
                lines[way].push(Line::new(number, size[way]));
                lines[way].len() - 1
            });
            let line_shift = lines[way][line].add(track);
            let cells = (0..piece.length).map(|cell| if is_in_row { [number, cell] } else { [cell, number] });
            let joined = |taken: [u64; 2], cell| {
                let bits = bits_of(cell, size);
                [taken[0] | bits[0], taken[1] | bits[1]]
            };
            pieces.push(Piece {
                is_in_row,
                line,
                shift: track.shift,
                mask: track.mask,
                lines_shift: 0,
                line_shift,
                length: piece.length as u32,
                first_bit: (number * size[way]) as u32,
                taken: cells.fold([0; 2], joined),
                steps: if is_in_row { [1, size[1] as u32] } else { [size[0] as u32, 1] },
            });
        }
        let mut shift = 0;
        for line in lines.iter_mut().flatten() {
            line.shift = shift;
            shift += line.n_bits;
        }
        for piece in &mut pieces {
            piece.lines_shift = lines[usize::from(!piece.is_in_row)][piece.line].shift + piece.line_shift;
        }
        if lines.iter().flatten().any(|line| line.n_bits > MAX_LINE_BITS) {
            return None;
        }
        let mut stride = 1;
        let rows = lines[0].iter().map(|line| Row::new(line, walls[0], size[1], &mut stride)).collect();
        let columns = lines[1].iter().map(|line| Column::new(line, walls[1])).collect();
        let (blocks, products, first, terms, ranks) = (Vec::new(), Vec::new(), vec![0], Vec::new(), Vec::new());
        Some(Self {
            pieces,
            rows,
            columns,
            width: size[0],
            height: size[1],
            walls,
            blocks,
            products,
            first,
            terms,
            ranks,
        })
    }

    /// Numbers of the configurations of all rows, and of all columns, as if the others were not there.
    fn n_configurations(&self) -> [u64; 2] {
        let product = |n: u64, configurations: usize| n.saturating_mul(configurations as u64);
        [
            self.rows.iter().map(Row::n_configurations).fold(1, product),
            self.columns.iter().map(Column::n_configurations).fold(1, product),
        ]
    }

    /// Adds the blocks of the products in which only the first rows are still free to move, ascending; absent if there are
    /// too many positions. `product` and `taken` are those of the rows behind them.
    fn add_blocks(&mut self, n_rows: usize, product: u32, taken: u64) -> Option<()> {
        if n_rows == 0 {
            return self.add_block(product, taken);
        }
        for number in 0..self.rows[n_rows - 1].n_configurations() {
            let (place, cells) = self.rows[n_rows - 1].place_and_cells(number);
            // Where a column has no room behind the rows so far, it has none behind more of them.
            if self.columns.iter().all(|column| column.free(taken | cells).next().is_some()) {
                self.add_blocks(n_rows - 1, product + place, taken | cells)?;
            }
        }
        Some(())
    }

    fn add_block(&mut self, product: u32, taken: u64) -> Option<()> {
        let first = self.first[self.first.len() - 1];
        let mut stride = 1u64;
        for column in &mut self.columns {
            let (table, n) = column.table(taken, &mut self.ranks);
            self.terms.push(Term { table, stride: stride as u32 });
            stride *= u64::from(n);
            if u64::from(first) + stride > MAX_RANKS {
                return None;
            }
        }
        self.blocks[product as usize] = self.n_blocks();
        self.products.push(product);
        self.first.push(first + stride as u32);
        Some(())
    }

    /// The cells that the rows of a block take, column by column.
    pub(super) fn cells_of_block(&self, block: u32) -> u64 {
        self.rows.iter().fold(0, |taken, row| taken | self.configuration(block, row).1)
    }

    /// The code of a row in a block, and the cells that it takes, column by column.
    pub(super) fn configuration(&self, block: u32, row: &Row) -> (u32, u64) {
        row.configuration(self.products[block as usize])
    }

    pub(super) fn n_blocks(&self) -> u32 {
        self.products.len() as u32
    }

    /// Number of positions of a block.
    pub(super) fn size(&self, block: u32) -> u32 {
        self.first[block as usize + 1] - self.first[block as usize]
    }

    /// Stride of a column behind a block, and the number of its configurations.
    pub(super) fn stride_and_n(&self, block: u32, column: usize) -> (u32, u32) {
        let terms = self.terms(block);
        let stride = terms[column].stride;
        (stride, terms.get(column + 1).map_or(self.size(block), |term| term.stride) / stride)
    }

    /// The block to which a position belongs, by its rank.
    pub(super) fn block_of_rank(&self, rank: u32) -> u32 {
        self.first.partition_point(|&first| first <= rank) as u32 - 1
    }

    /// The block behind a change of the code of a row, if there is one.
    pub(super) fn block_behind(&self, block: u32, row: &Row, [from, to]: [u32; 2]) -> Option<u32> {
        let [from, to] = [from, to].map(|code| row.places[code as usize]);
        let product = (to != NO_BLOCK).then(|| self.products[block as usize] - from + to)?;
        Some(self.blocks[product as usize]).filter(|&block| block != NO_BLOCK)
    }

    /// The rank of a configuration of a column, if a table has it.
    pub(super) fn rank_of_configuration(&self, table: u32, code: u32) -> Option<u32> {
        let rank = self.ranks[(table + code) as usize];
        (rank != NO_RANK).then(|| u32::from(rank))
    }

    /// Reads the code of a position.
    #[inline]
    fn read(&self, code: u64) -> Reading {
        let mut reading = Reading { lines: 0, taken: self.walls };
        for piece in &self.pieces {
            let place = piece.place(code);
            reading.lines |= u64::from(place) << piece.lines_shift;
            reading.taken[0] |= piece.taken[0] << (place * piece.steps[0]);
            reading.taken[1] |= piece.taken[1] << (place * piece.steps[1]);
        }
        reading
    }

    #[inline]
    fn product(&self, lines: u64) -> u32 {
        self.rows.iter().map(|row| row.places[row.code(lines)]).sum()
    }

    #[inline]
    pub(super) fn terms(&self, block: u32) -> &[Term] {
        let n = self.columns.len();
        &self.terms[block as usize * n..][..n]
    }

    /// Rank of a position without collisions. `columns` are the codes of the columns.
    #[inline]
    fn rank_in(&self, block: u32, columns: &[u32]) -> u32 {
        let of_column =
            |(term, &code): (&Term, &u32)| u32::from(self.ranks[(term.table + code) as usize]) * term.stride;
        self.first[block as usize] + self.terms(block).iter().zip(columns).map(of_column).sum::<u32>()
    }

    /// Calls `visit` with rank and code of each position that one slide over at most `most` cells leads to, in the order
    /// of the legal moves.
    #[inline]
    pub(super) fn for_each_successor(&self, code: u64, most: u32, visit: &mut impl FnMut(u64, u64)) {
        let Reading { lines, taken } = self.read(code);
        let product = self.product(lines);
        let block = self.blocks[product as usize];
        let mut codes = [0; MAX_LINE];
        for (code, column) in codes.iter_mut().zip(&self.columns) {
            *code = column.code(lines) as u32;
        }
        let columns = &codes[..self.columns.len()];
        let rank = self.rank_in(block, columns);
        for piece in &self.pieces {
            let place = piece.place(code);
            let (cells, length) = if piece.is_in_row { (taken[0], self.width) } else { (taken[1], self.height) };
            let (back, forward) = room(cells >> piece.first_bit, length as u32, place, piece.length);
            let (back, forward) = (back.min(most), forward.min(most));
            if back + forward == 0 {
                continue;
            }
            let others = code & !(piece.mask << piece.shift);
            // What the line adds to the rank, or to the number of the block, from its code without the piece on.
            let (line, adds) = if piece.is_in_row {
                (self.rows[piece.line].code(lines), 0)
            } else {
                (codes[piece.line] as usize, self.terms(block)[piece.line].table as usize)
            };
            let line_of_others = line & !((piece.mask as usize) << piece.line_shift);
            // One loop with one call: of two, the compiler would make calls of a function for each move.
            for to in place - back..=place + forward {
                if to == place {
                    continue;
                }
                let line_of_move = line_of_others | (to as usize) << piece.line_shift;
                let rank = if piece.is_in_row {
                    let row = &self.rows[piece.line].places;
                    self.rank_in(self.blocks[(product - row[line] + row[line_of_move]) as usize], columns)
                } else {
                    let [before, after] = [line, line_of_move].map(|line| i32::from(self.ranks[adds + line]));
                    let stride = self.terms(block)[piece.line].stride;
                    rank.wrapping_add_signed((after - before) * stride as i32)
                };
                visit(u64::from(rank), others | u64::from(to) << piece.shift);
            }
        }
    }
}

/// The bit of a cell row by row, and column by column.
fn bits_of([row, column]: [usize; 2], [width, height]: [usize; 2]) -> [u64; 2] {
    [1 << (row * width + column), 1 << (column * height + row)]
}

/// Room of a piece on its line: free cells before it and behind it. `cells` are the taken cells, from the first of the
/// line on.
#[inline]
fn room(cells: u64, length_of_line: u32, place: u32, length: u32) -> (u32, u32) {
    // The end of the line stops a piece as a taken cell does.
    let forward = ((cells | 1 << length_of_line) >> (place + length)).trailing_zeros();
    // The cells before the piece as the highest bits of a word.
    let back = ((cells << 1) << (63 - place)).leading_zeros().min(place);
    (back, forward)
}

impl PositionIndex for RushHourIndex {
    fn n_ranks(&self) -> u64 {
        u64::from(self.first[self.first.len() - 1])
    }

    fn rank(&self, code: u64) -> Option<u64> {
        let in_code = self.pieces.iter().fold(0, |bits, piece| bits | piece.mask << piece.shift);
        let lines =
            self.pieces.iter().fold(0, |lines, piece| lines | u64::from(piece.place(code)) << piece.lines_shift);
        if code & !in_code != 0 || self.rows.iter().any(|row| row.places[row.code(lines)] == NO_BLOCK) {
            return None;
        }
        let block = self.blocks[self.product(lines) as usize];
        if block == NO_BLOCK {
            return None;
        }
        let columns: Vec<u32> = self.columns.iter().map(|column| column.code(lines) as u32).collect();
        let mut terms = self.terms(block).iter().zip(&columns);
        let is_free = terms.all(|(term, code)| self.ranks[(term.table + code) as usize] != NO_RANK);
        is_free.then(|| u64::from(self.rank_in(block, &columns)))
    }

    fn unrank(&self, rank: u64) -> Option<u64> {
        let rank = u32::try_from(rank).ok().filter(|&rank| u64::from(rank) < self.n_ranks())?;
        let block = self.block_of_rank(rank);
        let rows = self.rows.iter().map(|row| row.shifted(self.configuration(block, row).0));
        let taken = self.cells_of_block(block);
        let mut lines = rows.fold(0, |lines, row| lines | row);
        let mut rest = rank - self.first[block as usize];
        for (column, term) in self.columns.iter().zip(self.terms(block)).rev() {
            lines |= column.shifted(column.free(taken).nth((rest / term.stride) as usize)?.0);
            rest %= term.stride;
        }
        let place = |piece: &Piece| (lines >> piece.lines_shift) & piece.mask;
        Some(self.pieces.iter().fold(0, |code, piece| code | place(piece) << piece.shift))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::diagnostic::SourceText;
    use crate::game::Puzzle;
    use crate::game::rush_hour::{Options, RushHour, notation};

    fn level(board: &str) -> RushHour {
        let source = Arc::new(SourceText { path: "board".into(), text: board.to_owned() });
        RushHour::new(notation::parse(board, &source, 0).unwrap(), Options::default()).unwrap()
    }

    #[test]
    fn each_position_without_collisions_has_a_rank() {
        // The largest level of the database: each position that the index numbers can be reached (Fogleman).
        for (board, n_ranks) in [("BB.C...D.CEE.DAAFGH.IIFGH.JKK.LLJ...", 541_934)] {
            let level = level(board);
            let index = level.index().unwrap();
            assert_eq!(index.n_ranks(), n_ranks);
            for rank in 0..n_ranks {
                assert_eq!(index.rank(index.unrank(rank).unwrap()), Some(rank));
            }
        }
    }
}

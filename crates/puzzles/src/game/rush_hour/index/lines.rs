//! Rows and columns of the index of Rush Hour, with the configurations of their pieces.

use super::Track;

/// Mark of a configuration of a row in which pieces meet, and of rows behind which a column has no room.
pub(in crate::game::rush_hour) const NO_BLOCK: u32 = u32::MAX;

/// Mark of a configuration of a column that is not free.
pub(in crate::game::rush_hour) const NO_RANK: u16 = u16::MAX;

/// A line with its pieces, before its configurations are listed.
#[derive(Clone, Debug)]
pub(in crate::game::rush_hour) struct Line {
    pub(in crate::game::rush_hour) number: usize,
    n_cells: usize,
    /// Its code in the word of all lines.
    pub(in crate::game::rush_hour) shift: u32,
    pub(in crate::game::rush_hour) n_bits: u32,
    /// Of each piece the shift in the code of the line, its number of places and its length.
    pieces: Vec<(u32, u32, u32)>,
}

impl Line {
    pub(in crate::game::rush_hour) fn new(number: usize, n_cells: usize) -> Self {
        Self { number, n_cells, shift: 0, n_bits: 0, pieces: Vec::new() }
    }

    /// Adds a piece; its shift in the code of the line.
    pub(in crate::game::rush_hour) fn add(&mut self, track: &Track) -> u32 {
        let shift = self.n_bits;
        self.pieces.push((shift, track.n_places() as u32, track.length as u32));
        self.n_bits += track.mask.count_ones();
        shift
    }

    /// The code of the line among those of all.
    fn field(&self) -> Field {
        Field { shift: self.shift, mask: (1 << self.n_bits) - 1 }
    }

    /// Codes of all configurations in which pieces meet neither each other nor `walls`, ascending, and the cells of the
    /// line that its pieces take.
    fn configurations(&self, walls: u64) -> Vec<(u32, u64)> {
        let mut configurations = vec![(0, 0)];
        for &(shift, n_places, length) in &self.pieces {
            let with_piece = |&(code, taken): &(u32, u64)| {
                (0..n_places).filter_map(move |place| {
                    let covered = ((1u64 << length) - 1) << place;
                    ((taken | walls) & covered == 0).then_some((code | place << shift, taken | covered))
                })
            };
            configurations = configurations.iter().flat_map(with_piece).collect();
        }
        configurations.sort_unstable();
        configurations
    }
}

/// Place of the code of a line in the word of all lines.
#[derive(Clone, Copy, Debug)]
struct Field {
    shift: u32,
    mask: u64,
}

/// A row with pieces.
#[derive(Debug)]
pub(in crate::game::rush_hour) struct Row {
    number: u32,
    field: Field,
    /// For each code of the row: the number of its configuration times the stride of the row, which it adds to the product,
    /// or [`NO_BLOCK`].
    pub(in crate::game::rush_hour) places: Vec<u32>,
    /// Codes of the configurations, and the cells that each takes, column by column.
    configurations: Vec<(u32, u64)>,
    stride: u32,
}

impl Row {
    /// A row whose configurations have this stride, which is multiplied by their number.
    pub(in crate::game::rush_hour) fn new(line: &Line, walls: u64, height: usize, stride: &mut u32) -> Self {
        let walls = (walls >> (line.number * line.n_cells)) & ((1 << line.n_cells) - 1);
        let configurations = line.configurations(walls);
        let stride_of_row = *stride;
        let mut places = vec![NO_BLOCK; 1 << line.n_bits];
        for (number, &(code, _)) in (0u32..).zip(&configurations) {
            places[code as usize] = number.wrapping_mul(stride_of_row);
        }
        // It runs over only where there are too many blocks for an index.
        *stride = stride_of_row.wrapping_mul(configurations.len() as u32);
        let on_board = |(code, cells): (u32, u64)| {
            let columns = (0..line.n_cells).filter(|column| cells >> column & 1 == 1);
            (code, columns.fold(0, |taken, column| taken | 1 << (column * height + line.number)))
        };
        Self {
            number: line.number as u32,
            field: line.field(),
            places,
            configurations: configurations.into_iter().map(on_board).collect(),
            stride: stride_of_row,
        }
    }

    pub(in crate::game::rush_hour) fn n_configurations(&self) -> usize {
        self.configurations.len()
    }

    /// Number of the row on the board.
    pub(in crate::game::rush_hour) fn number(&self) -> u32 {
        self.number
    }

    #[inline]
    pub(in crate::game::rush_hour) fn code(&self, lines: u64) -> usize {
        ((lines >> self.field.shift) & self.field.mask) as usize
    }

    pub(in crate::game::rush_hour) fn shifted(&self, code: u32) -> u64 {
        u64::from(code) << self.field.shift
    }

    /// Code of the row in a product, and the cells that it takes, column by column.
    pub(in crate::game::rush_hour) fn configuration(&self, product: u32) -> (u32, u64) {
        self.configurations[(product / self.stride) as usize % self.configurations.len()]
    }

    /// What a configuration adds to the product, and the cells that it takes, column by column.
    pub(in crate::game::rush_hour) fn place_and_cells(&self, number: usize) -> (u32, u64) {
        (number as u32 * self.stride, self.configurations[number].1)
    }
}

/// A column with pieces.
#[derive(Debug)]
pub(in crate::game::rush_hour) struct Column {
    number: u32,
    field: Field,
    /// Bit of its first cell among the cells, column by column, and its cells from there on.
    first_bit: u32,
    cells: u64,
    /// Codes of the configurations, and the cells of the column that each takes.
    configurations: Vec<(u32, u64)>,
    /// For each set of taken cells of the column: its table and the number of ranks, once they were asked for.
    tables: Vec<Option<(u32, u16)>>,
}

impl Column {
    pub(in crate::game::rush_hour) fn new(line: &Line, walls: u64) -> Self {
        let first_bit = (line.number * line.n_cells) as u32;
        let cells = (1u64 << line.n_cells) - 1;
        let configurations = line.configurations((walls >> first_bit) & cells);
        let number = line.number as u32;
        Self { number, field: line.field(), first_bit, cells, configurations, tables: vec![None; 1 << line.n_cells] }
    }

    pub(in crate::game::rush_hour) fn n_configurations(&self) -> usize {
        self.configurations.len()
    }

    #[inline]
    pub(in crate::game::rush_hour) fn code(&self, lines: u64) -> usize {
        ((lines >> self.field.shift) & self.field.mask) as usize
    }

    pub(in crate::game::rush_hour) fn shifted(&self, code: u32) -> u64 {
        u64::from(code) << self.field.shift
    }

    /// The configurations that avoid cells of the board, in the order of their ranks, and the cells of the column that each
    /// takes.
    pub(in crate::game::rush_hour) fn free(&self, taken: u64) -> impl Iterator<Item = (u32, u64)> + '_ {
        let taken = (taken >> self.first_bit) & self.cells;
        self.configurations.iter().copied().filter(move |(_, covered)| covered & taken == 0)
    }

    /// Codes of all configurations, ascending, and the cells of the column that each takes.
    pub(in crate::game::rush_hour) fn configurations(&self) -> &[(u32, u64)] {
        &self.configurations
    }

    /// Number of the column on the board.
    pub(in crate::game::rush_hour) fn number(&self) -> u32 {
        self.number
    }

    /// The table of ranks where these cells of the board are taken, made when it is first asked for, and the number of
    /// ranks.
    pub(in crate::game::rush_hour) fn table(&mut self, taken: u64, ranks: &mut Vec<u16>) -> (u32, u16) {
        let cells = ((taken >> self.first_bit) & self.cells) as usize;
        if let Some(known) = self.tables[cells] {
            return known;
        }
        let table = ranks.len();
        ranks.resize(table + self.field.mask as usize + 1, NO_RANK);
        let mut n = 0;
        for (code, _) in self.free(taken) {
            ranks[table + code as usize] = n;
            n += 1;
        }
        *self.tables[cells].insert((table as u32, n))
    }
}

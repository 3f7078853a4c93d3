//! Blocks as sets of bits, and the steps between them.

use std::collections::HashMap;
use std::ops::Range;

use crate::game::rush_hour::index::{Piece, RushHourIndex, Term};

/// Most configurations of one column behind a block: they are the bits of a word.
const MAX_CONFIGURATIONS: u32 = 64;

/// Mark of a block that is not there.
const NO_BLOCK: u32 = u32::MAX;

/// Two configurations of a column between which a piece moves by one cell, by their ranks.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColumnLink {
    pub(super) from: u32,
    pub(super) to: u32,
}

/// The step of a piece of a row by one cell from a block on, and the block from which one leads to it.
#[derive(Clone, Copy, Debug)]
struct RowLink {
    forward: u32,
    back: u32,
    /// Where the sets begin of the positions here in which the cell that it enters is free, and of those there in which
    /// the cell that it leaves is free.
    entered: u32,
    left: u32,
}

/// A step of a piece of a row: the block that it leads to, and where the sets begin of the positions here that can make
/// it, and of those there that it leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowStep {
    pub(super) there: u32,
    pub(super) from: u32,
    pub(super) to: u32,
}

/// A column of a block with several configurations.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShapeColumn {
    pub(super) column: usize,
    pub(super) stride: u32,
    /// Where the masks of its configurations begin: the sets of positions that have each.
    pub(super) masks: u32,
}

/// The sets of bits of an index.
#[derive(Debug)]
pub(super) struct Blocks {
    /// The first word of each block; behind them the number of all words.
    first_word: Vec<u32>,
    /// For each block the part of [`Blocks::columns`] with its columns. Blocks of the same shape share them.
    shape_of: Vec<(u32, u32)>,
    columns: Vec<ShapeColumn>,
    masks: Vec<u64>,
    /// For each table of ranks, for each piece of its column, the links in ascending order.
    links: Vec<Vec<Vec<ColumnLink>>>,
    /// The number of each table.
    tables: Vec<u32>,
    /// For each block, for each piece of a row.
    row_links: Vec<RowLink>,
    pub(super) n_pieces_of_rows: usize,
    sets: Vec<u64>,
}

impl Blocks {
    /// The sets of an index; absent where a column has too many configurations.
    pub(super) fn new(index: &RushHourIndex) -> Option<Self> {
        let n_blocks = index.first.len() - 1;
        let mut blocks = Self {
            first_word: Vec::with_capacity(n_blocks + 1),
            shape_of: Vec::with_capacity(n_blocks),
            columns: Vec::new(),
            masks: Vec::new(),
            links: Vec::new(),
            tables: vec![u32::MAX; index.ranks.len()],
            row_links: Vec::new(),
            n_pieces_of_rows: index.pieces.iter().filter(|piece| piece.is_in_row).count(),
            sets: Vec::new(),
        };
        blocks.first_word.push(0);
        let mut shapes: HashMap<u128, (u32, u32)> = HashMap::new();
        for block in 0..n_blocks as u32 {
            let size = index.size(block);
            blocks.first_word.push(blocks.first_word[block as usize] + size.div_ceil(u64::BITS));
            if size == 0 {
                blocks.shape_of.push((0, 0));
                continue;
            }
            let mut key = 0;
            for (column, (Term { table, .. }, n)) in columns(index, block).enumerate() {
                if n > MAX_CONFIGURATIONS {
                    return None;
                }
                key = key << 8 | u128::from(n);
                if blocks.tables[table as usize] == u32::MAX {
                    blocks.tables[table as usize] = blocks.links.len() as u32;
                    blocks.links.push(links(index, column, table));
                }
            }
            let shape = *shapes.entry(key).or_insert_with(|| blocks.add_shape(index, block));
            blocks.shape_of.push(shape);
        }
        blocks.link_rows(index);
        Some(blocks)
    }

    fn add_shape(&mut self, index: &RushHourIndex, block: u32) -> (u32, u32) {
        let first = self.columns.len() as u32;
        for (column, (Term { stride, .. }, n)) in columns(index, block).enumerate().filter(|(_, (_, n))| *n > 1) {
            self.columns.push(ShapeColumn { column, stride, masks: self.masks.len() as u32 });
            (0..n).for_each(|rank| push_mask(&mut self.masks, index.size(block), stride, n, rank));
        }
        (first, self.columns.len() as u32)
    }

    pub(super) fn n_words(&self) -> usize {
        self.first_word[self.first_word.len() - 1] as usize
    }

    #[inline]
    pub(super) fn words(&self, block: u32) -> Range<usize> {
        self.first_word[block as usize] as usize..self.first_word[block as usize + 1] as usize
    }

    /// The columns of a block that have several configurations.
    #[inline]
    pub(super) fn columns(&self, block: u32) -> &[ShapeColumn] {
        let (first, end) = self.shape_of[block as usize];
        &self.columns[first as usize..end as usize]
    }

    /// The masks of the configurations of a column, in a block of so many words, and of those behind it.
    #[inline]
    pub(super) fn masks(&self, column: ShapeColumn) -> &[u64] {
        &self.masks[column.masks as usize..]
    }

    /// The links of each piece of a column, by its table.
    #[inline]
    pub(super) fn links(&self, table: u32) -> &[Vec<ColumnLink>] {
        &self.links[self.tables[table as usize] as usize]
    }

    #[inline]
    fn row_link(&self, block: u32, piece: usize) -> RowLink {
        self.row_links[block as usize * self.n_pieces_of_rows + piece]
    }

    /// The step of a piece of a row by one cell from a block; absent where other pieces of the row, or its end, are in the
    /// way.
    #[inline]
    pub(super) fn row_step(&self, here: u32, piece: usize, is_forward: bool) -> Option<RowStep> {
        let link = self.row_link(here, piece);
        if is_forward {
            return (link.forward != NO_BLOCK).then_some(RowStep {
                there: link.forward,
                from: link.entered,
                to: link.left,
            });
        }
        let there = (link.back != NO_BLOCK).then_some(link.back)?;
        let link = self.row_link(there, piece);
        Some(RowStep { there, from: link.left, to: link.entered })
    }

    /// A set that a link names, of a block of so many words.
    #[inline]
    pub(super) fn set(&self, first: u32, n_words: usize) -> &[u64] {
        &self.sets[first as usize..][..n_words]
    }

    /// Appends to `set` the positions of a block in which a column has one of these configurations, by their ranks.
    pub(super) fn push_positions(
        &self,
        index: &RushHourIndex,
        block: u32,
        column: usize,
        ranks: u64,
        set: &mut Vec<u64>,
    ) {
        let Some(column) = self.columns(block).iter().find(|other| other.column == column) else {
            // Of a column with one configuration all positions have it, or none.
            return if ranks == 0 {
                set.resize(set.len() + self.words(block).len(), 0)
            } else {
                Self::push_all(index, block, set)
            };
        };
        let n_words = self.words(block).len();
        let masks = self.masks(*column);
        let first = set.len();
        set.resize(first + n_words, 0);
        let mut rest = ranks;
        while rest != 0 {
            let mask = &masks[rest.trailing_zeros() as usize * n_words..][..n_words];
            set[first..].iter_mut().zip(mask).for_each(|(word, mask)| *word |= mask);
            rest &= rest - 1;
        }
    }

    /// Appends all positions of a block to `set`.
    pub(super) fn push_all(index: &RushHourIndex, block: u32, set: &mut Vec<u64>) {
        let size = index.size(block);
        set.extend((0..size / u64::BITS).map(|_| u64::MAX));
        if !size.is_multiple_of(u64::BITS) {
            set.push((1 << (size % u64::BITS)) - 1);
        }
    }

    fn link_rows(&mut self, index: &RushHourIndex) {
        let n_blocks = self.first_word.len() - 1;
        let none = RowLink { forward: NO_BLOCK, back: NO_BLOCK, entered: 0, left: 0 };
        self.row_links = vec![none; n_blocks * self.n_pieces_of_rows];
        let of_rows = || index.pieces.iter().filter(|piece| piece.is_in_row).enumerate();
        for block in (0..n_blocks as u32).filter(|&block| index.size(block) > 0) {
            for (number, piece) in of_rows() {
                let Some(there) = index.block_behind_step(block, piece) else { continue };
                if index.size(there) == 0 {
                    continue;
                }
                let place = (index.rows[piece.line].configuration(block).0 >> piece.line_shift) & piece.mask as u32;
                let [entered, left] = [(block, place + piece.length), (there, place)].map(|(block, column)| {
                    let first = self.sets.len() as u32;
                    let mut sets = std::mem::take(&mut self.sets);
                    self.push_free(index, block, piece, column, &mut sets);
                    self.sets = sets;
                    first
                });
                let link = &mut self.row_links[block as usize * self.n_pieces_of_rows + number];
                (link.forward, link.entered, link.left) = (there, entered, left);
                self.row_links[there as usize * self.n_pieces_of_rows + number].back = block;
            }
        }
    }

    /// Appends to `set` the positions of a block in which no piece of a column takes the cell of a row.
    pub(super) fn push_free(&self, index: &RushHourIndex, block: u32, row: &Piece, column: u32, set: &mut Vec<u64>) {
        let Some(column) = index.columns.iter().position(|other| other.number() == column) else {
            return Self::push_all(index, block, set);
        };
        let cell = 1 << (row.first_bit / index.width as u32);
        let free = index.columns[column].free(index.cells_of_block(block));
        let ranks = free.enumerate().filter(|(_, (_, covered))| covered & cell == 0);
        self.push_positions(index, block, column, ranks.fold(0, |ranks, (rank, _)| ranks | 1 << rank), set);
    }
}

/// The columns of a block, with their numbers of configurations.
pub(super) fn columns(index: &RushHourIndex, block: u32) -> impl Iterator<Item = (Term, u32)> + '_ {
    let terms = index.terms(block);
    let size = index.size(block);
    terms.iter().enumerate().map(move |(column, &term)| {
        let above = terms.get(column + 1).map_or(size, |term| term.stride);
        (term, above.checked_div(term.stride).unwrap_or(0))
    })
}

/// Appends the set of positions of a block in which a column has the configuration with this rank.
fn push_mask(masks: &mut Vec<u64>, size: u32, stride: u32, n: u32, rank: u32) {
    let first = masks.len();
    masks.resize(first + size.div_ceil(u64::BITS) as usize, 0);
    for run in (rank * stride..size).step_by((stride * n) as usize) {
        for bit in run..run + stride {
            masks[first + (bit / u64::BITS) as usize] |= 1 << (bit % u64::BITS);
        }
    }
}

/// The steps of each piece of a column by one cell, where a table has both configurations.
fn links(index: &RushHourIndex, column: usize, table: u32) -> Vec<Vec<ColumnLink>> {
    let rank = |code: u32| index.rank_of_configuration(table, code);
    let of_piece = |piece: &Piece| {
        let links = index.columns[column].codes().filter_map(|code| {
            let place = (code >> piece.line_shift) & piece.mask as u32;
            // The place behind the last one has no rank, if there is such a code at all.
            let to = (place < piece.mask as u32).then(|| code + (1 << piece.line_shift))?;
            Some(ColumnLink { from: rank(code)?, to: rank(to)? })
        });
        links.collect()
    };
    index.pieces.iter().filter(|piece| !piece.is_in_row && piece.line == column).map(of_piece).collect()
}

//! Blocks as sets of bits, and the steps between them.

use std::ops::Range;

use super::masks::Masks;
use crate::game::rush_hour::index::{Piece, RushHourIndex};

/// Mark of a block that is not there, and of a number that was not asked for yet.
pub(super) const NONE: u32 = u32::MAX;

/// A piece of a row in a block: the blocks that its steps by one cell lead to, or [`NONE`], and where the masks begin of
/// the positions in which the cell before it and the one behind it are free.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) there: [u32; 2],
    pub(super) free: [u32; 2],
}

/// The blocks of an index, prepared when a search first comes to them.
#[derive(Debug)]
pub(super) struct Blocks<'a> {
    pub(super) index: &'a RushHourIndex,
    pub(super) masks: Masks<'a>,
    /// The first word of each block; behind them the number of all words.
    first_word: Vec<u32>,
    /// For each block, for each column the number of its steps, or [`NONE`].
    columns: Vec<u32>,
    /// For each block, for each piece of a row.
    links: Vec<Link>,
    pieces_of_rows: Vec<Piece>,
    /// The blocks that were prepared.
    pub(super) prepared: Vec<u32>,
    is_prepared: Vec<bool>,
    /// The column with pieces at each number of a column.
    column_at: Vec<Option<usize>>,
    most_words: usize,
    /// `true` if no column has several pieces: after a move of each, none leads on.
    pub(super) has_single_pieces: bool,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(index: &'a RushHourIndex, is_by_cells: bool) -> Self {
        let n_blocks = index.n_blocks() as usize;
        let mut first_word = Vec::with_capacity(n_blocks + 1);
        first_word.push(0);
        let mut largest = 0;
        for block in 0..n_blocks as u32 {
            let n_words = match index.size(block).div_ceil(u64::BITS) {
                // Three words are handled as four.
                3 => 4,
                n_words => n_words,
            };
            largest = largest.max(n_words);
            first_word.push(first_word[block as usize] + n_words);
        }
        let pieces_of_rows: Vec<Piece> = index.pieces.iter().copied().filter(|piece| piece.is_in_row).collect();
        let at = |number: usize| index.columns.iter().position(|column| column.number() as usize == number);
        let none = Link { there: [NONE; 2], free: [NONE; 2] };
        Self {
            index,
            masks: Masks::new(index, is_by_cells, largest as usize),
            first_word,
            columns: vec![NONE; n_blocks * index.columns.len()],
            links: vec![none; n_blocks * pieces_of_rows.len()],
            prepared: Vec::new(),
            is_prepared: vec![false; n_blocks],
            column_at: (0..index.width).map(at).collect(),
            most_words: largest as usize,
            has_single_pieces: index.pieces.len() == pieces_of_rows.len() + index.columns.len(),
            pieces_of_rows,
        }
    }

    pub(super) fn n_words(&self) -> usize {
        self.first_word[self.first_word.len() - 1] as usize
    }

    /// Most words of a block.
    pub(super) fn most_words(&self) -> usize {
        self.most_words
    }

    #[inline]
    pub(super) fn words(&self, block: u32) -> Range<usize> {
        self.first_word[block as usize] as usize..self.first_word[block as usize + 1] as usize
    }

    /// The numbers of the columns of a block.
    #[inline]
    pub(super) fn columns(&self, block: u32) -> &[u32] {
        let n = self.index.columns.len();
        &self.columns[block as usize * n..][..n]
    }

    pub(super) fn n_pieces_of_rows(&self) -> usize {
        self.pieces_of_rows.len()
    }

    #[inline]
    pub(super) fn links(&self, block: u32) -> &[Link] {
        let n = self.pieces_of_rows.len();
        &self.links[block as usize * n..][..n]
    }

    /// Makes columns and links of a block, if that was not done yet.
    pub(super) fn prepare(&mut self, block: u32) {
        if std::mem::replace(&mut self.is_prepared[block as usize], true) {
            return;
        }
        self.prepared.push(block);
        let (index, n_words) = (self.index, self.words(block).len());
        // Columns with one configuration have no steps.
        for column in (0..index.columns.len()).filter(|&column| index.stride_and_n(block, column).1 > 1) {
            self.columns[block as usize * index.columns.len() + column] = self.masks.number(block, column, n_words);
        }
        for number in 0..self.pieces_of_rows.len() {
            let piece = self.pieces_of_rows[number];
            let row = &index.rows[piece.line];
            let (code, _) = index.configuration(block, row);
            let (place, step) = ((code >> piece.line_shift) & piece.mask as u32, 1 << piece.line_shift);
            let behind = |is_there: bool, to: u32| is_there.then(|| index.block_behind(block, row, [code, to]))?;
            let there = [behind(place < piece.mask as u32, code + step), behind(place > 0, code.wrapping_sub(step))];
            // Where no block is there, none comes from there.
            let free = [(there[0], place + piece.length), (there[1], place.wrapping_sub(1))]
                .map(|(there, column)| there.map_or(Masks::ALL, |_| self.free(block, row.number(), column)));
            self.links[block as usize * self.pieces_of_rows.len() + number] =
                Link { there: there.map(|there| there.unwrap_or(NONE)), free };
        }
    }

    /// Where the mask begins of the positions of a block in which no piece of a column takes the cell of a row.
    pub(super) fn free(&mut self, block: u32, row: u32, column: u32) -> u32 {
        let column = self.column_at.get(column as usize).copied().flatten();
        let n_words = self.words(block).len();
        column.map_or(Masks::ALL, |column| self.masks.free(block, column, row, n_words))
    }
}

//! Sets of positions of a block by the configurations of one of its columns.
//!
//! Positions of a block that differ in nothing but the configuration of one column are a stride apart. So the positions
//! that have some of its configurations repeat themselves with a period, and depend on the table of the column and its
//! stride alone: blocks share them. They go on behind the last position of a block, where no set has any.

use std::ops::Range;

use super::bits::fill;
use crate::game::rush_hour::index::{Piece, RushHourIndex};
use crate::numbering::Numbering;

/// Most configurations of a column: they are the bits of a word.
pub(super) const MAX_CONFIGURATIONS: usize = u64::BITS as usize;

/// One step up of a piece of a column in each of its configurations that stand alike, and one step down in those of
/// another step of the piece: along all steps of a piece, both are in the order of its places.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// All bits if the piece went on by the step before; none at its first step, and where a move is one step long.
    pub(super) keep: u64,
    pub(super) up: Shift,
    pub(super) down: Shift,
}

/// Positions that differ by one step of a piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shift {
    /// Where the mask of the lower ones begins.
    pub(super) mask: u32,
    pub(super) by: u32,
}

/// The sets of all columns, made when they are first asked for.
#[derive(Debug)]
pub(super) struct Masks<'a> {
    index: &'a RushHourIndex,
    /// `true` if a move is one cell long.
    pub(super) is_by_cells: bool,
    /// For each table of ranks, by the place where it begins, its number + 1; 0 before it is asked for.
    numbers_of_tables: Vec<u32>,
    tables: Vec<Table>,
    /// The steps of columns that share table, stride and number of words.
    columns: Numbering<u64>,
    steps: Vec<Range<usize>>,
    all_steps: Vec<Step>,
    /// Patterns of masks; where each begins.
    patterns: Numbering<u128>,
    first: Vec<u32>,
    words: Vec<u64>,
}

/// What a column can do by one of its tables of ranks.
#[derive(Debug)]
struct Table {
    /// The ranks of the configurations that leave each of its cells free.
    free: Vec<u64>,
    /// The steps of each of its pieces.
    links: Vec<Vec<Link>>,
}

impl<'a> Masks<'a> {
    /// The sets of blocks that have at most so many words.
    pub(super) fn new(index: &'a RushHourIndex, is_by_cells: bool, n_words: usize) -> Self {
        Self {
            index,
            is_by_cells,
            numbers_of_tables: vec![0; index.ranks.len()],
            tables: Vec::new(),
            columns: Numbering::new(),
            steps: Vec::new(),
            all_steps: Vec::new(),
            patterns: Numbering::new(),
            first: Vec::new(),
            words: vec![u64::MAX; n_words],
        }
    }

    /// Where the mask of all positions begins.
    pub(super) const ALL: u32 = 0;

    /// The steps of a column, by its number.
    #[inline]
    pub(super) fn steps(&self, number: u32) -> &[Step] {
        &self.all_steps[self.steps[number as usize].clone()]
    }

    /// The mask that begins here, in a block of so many words.
    #[inline]
    pub(super) fn mask(&self, first: u32, n_words: usize) -> &[u64] {
        &self.words[first as usize..][..n_words]
    }

    /// The number of the steps of a column of a block of so many words.
    pub(super) fn number(&mut self, block: u32, column: usize, n_words: usize) -> u32 {
        let pattern = Pattern::new(self.index, block, column, n_words);
        let table = self.index.terms(block)[column].table;
        let n_words = pattern.n_words.ilog2();
        let number = self.columns.number(u64::from(table) << 34 | u64::from(pattern.stride) << 5 | u64::from(n_words));
        if number as usize == self.steps.len() {
            let first = self.all_steps.len();
            let table = self.table(column, table);
            // Taken out while masks are added.
            let links = std::mem::take(&mut self.tables[table].links);
            links.iter().for_each(|links| self.add_steps(links, pattern));
            self.tables[table].links = links;
            self.steps.push(first..self.all_steps.len());
        }
        number
    }

    fn table(&mut self, column: usize, first: u32) -> usize {
        let index = self.index;
        let number = &mut self.numbers_of_tables[first as usize];
        if *number == 0 {
            let free =
                (0..index.height).map(|cell| ranks(index, column, first, |(_, covered)| covered >> cell & 1 == 0));
            let pieces = index.pieces.iter().filter(|piece| !piece.is_in_row && piece.line == column);
            let links = pieces.map(|piece| links(index, piece, first)).collect();
            self.tables.push(Table { free: free.collect(), links });
            *number = self.tables.len() as u32;
        }
        *number as usize - 1
    }

    /// Where the mask begins of the positions of a block of so many words in which a cell of a column is free.
    pub(super) fn free(&mut self, block: u32, column: usize, cell: u32, n_words: usize) -> u32 {
        let table = self.table(column, self.index.terms(block)[column].table);
        let ranks = self.tables[table].free[cell as usize];
        self.with(ranks, Pattern::new(self.index, block, column, n_words))
    }

    /// Where the mask begins of the positions in which a column has one of these configurations.
    pub(super) fn with(&mut self, ranks: u64, pattern: Pattern) -> u32 {
        let Pattern { stride, n, n_words } = pattern;
        if ranks.count_ones() == n {
            return Self::ALL;
        }
        let key = u128::from(ranks) << 64 | u128::from(stride) << 12 | u128::from(n) << 5 | u128::from(n_words.ilog2());
        let number = self.patterns.number(key) as usize;
        if number == self.first.len() {
            self.first.push(self.words.len() as u32);
            pattern.push(ranks, &mut self.words);
        }
        self.first[number]
    }

    /// Adds the steps of a piece.
    fn add_steps(&mut self, links: &[Link], pattern: Pattern) {
        let mut shifts: Vec<Shift> = Vec::with_capacity(links.len());
        for links in links.chunk_by(|link, next| link.depth == next.depth && link.by == next.by) {
            let ranks = links.iter().fold(0, |ranks, link| ranks | 1 << link.from);
            shifts.push(Shift { mask: self.with(ranks, pattern), by: links[0].by * pattern.stride });
        }
        for (number, (&up, &down)) in shifts.iter().zip(shifts.iter().rev()).enumerate() {
            let keep = if number == 0 || self.is_by_cells { 0 } else { u64::MAX };
            self.all_steps.push(Step { keep, up, down });
        }
    }
}

/// What sets of configurations of a column become as sets of positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pattern {
    stride: u32,
    n: u32,
    /// A power of two.
    n_words: usize,
}

impl Pattern {
    pub(super) fn new(index: &RushHourIndex, block: u32, column: usize, n_words: usize) -> Self {
        let (stride, n) = index.stride_and_n(block, column);
        Self { stride, n, n_words: n_words.next_power_of_two() }
    }

    /// Appends the mask of the positions in which the column has one of these configurations.
    fn push(self, ranks: u64, words: &mut Vec<u64>) {
        let first = words.len();
        words.resize(first + self.n_words, 0);
        let words = &mut words[first..];
        let (period, end) = (self.stride * self.n, self.n_words as u32 * u64::BITS);
        let mut rest = ranks;
        while rest != 0 {
            // Successive ranks are one run of positions.
            let (rank, n) = (rest.trailing_zeros(), (rest >> rest.trailing_zeros()).trailing_ones());
            for first in (rank * self.stride..end).step_by(period as usize) {
                fill(words, first..(first + n * self.stride).min(end));
            }
            rest &= !(u64::MAX >> (u64::BITS - n) << rank);
        }
    }
}

/// Two configurations of a column between which a piece moves by one cell.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// Number of steps that lead to it, one after the other.
    depth: u32,
    /// Rank of the one, and how much higher the other is.
    from: u32,
    by: u32,
}

/// The steps of a piece of a column by one cell, where a table has both configurations: those that others lead to behind
/// them.
fn links(index: &RushHourIndex, piece: &Piece, table: u32) -> Vec<Link> {
    let rank = |code: u32| index.rank_of_configuration(table, code);
    let mut depths = [0; MAX_CONFIGURATIONS];
    let step = 1 << piece.line_shift;
    let link = |&(code, _): &(u32, u64)| {
        let place = (code >> piece.line_shift) & piece.mask as u32;
        // The place behind the last one has no rank, if there is such a code at all.
        let (from, to) = (rank(code)?, (place < piece.mask as u32).then(|| rank(code + step))??);
        let depth = depths[from as usize];
        depths[to as usize] = depth + 1;
        Some(Link { depth, from, by: to - from })
    };
    let mut links: Vec<Link> = index.columns[piece.line].configurations().iter().filter_map(link).collect();
    links.sort_by_key(|link| (link.depth, link.by));
    links
}

/// The ranks of such configurations of a table of a column, given by their codes and the cells that they cover.
pub(super) fn ranks(index: &RushHourIndex, column: usize, table: u32, is_meant: impl Fn((u32, u64)) -> bool) -> u64 {
    let meant = index.columns[column].configurations().iter().filter(|&&configuration| is_meant(configuration));
    meant.filter_map(|&(code, _)| index.rank_of_configuration(table, code)).fold(0, |ranks, rank| ranks | 1 << rank)
}

//! The distances of all positions of an index, by sets of bits: 64 positions at a time.
//!
//! Each block is a set of its positions. A piece of a column moves by shifts within the block: positions that differ in
//! the configuration of one column are a stride apart. A piece of a row moves from block to block: by one cell, it enters
//! the cell of one column and leaves that of another; positions of both blocks in which these are free stand in the same
//! order, so that the bits of the one are gathered and scattered over the other. A slide is as many such steps as the
//! metric allows, and the positions that one move leads to are the next layer of a breadth-first search from all goals.

use std::collections::VecDeque;

use super::index::RushHourIndex;
use super::{GoalRule, Metric, RushHour};
use crate::game::{PositionIndex as _, RankedDistances};

mod bits;
mod goals;
mod instructions;
mod layout;

use bits::GatherScatter;
use instructions::Work;
use layout::{Blocks, ColumnLink, RowStep};

/// The distances of all positions that the start of a level reaches; absent where the sets of bits do not fit the level,
/// or a distance needs more than 16 bits.
pub(super) fn distances(level: &RushHour, index: &RushHourIndex) -> Option<RankedDistances> {
    instructions::run(Sweeps {
        index,
        start: u32::try_from(index.rank(level.start.0)?).ok()?,
        red: level.layout.red,
        exit_place: level.exit_place as u32,
        goal: level.options.goal,
        is_by_cells: level.options.metric == Metric::Cell,
    })
}

/// A level whose distances are asked for.
struct Sweeps<'a> {
    index: &'a RushHourIndex,
    /// Rank of the start.
    start: u32,
    /// Number of the red piece, and its place at the exit.
    red: usize,
    exit_place: u32,
    goal: GoalRule,
    /// `true` if a move is one cell long.
    is_by_cells: bool,
}

impl Work for Sweeps<'_> {
    /// Absent where columns have too many configurations, or a distance needs more than 16 bits.
    type Result = Option<RankedDistances>;

    #[inline(always)]
    fn run(self, bits: impl GatherScatter) -> Option<RankedDistances> {
        let index = self.index;
        let blocks = Blocks::new(index)?;
        let mut search = Search::new(bits, index, &blocks, self.is_by_cells);
        search.reach_from(self.start);
        // What the start does not reach counts as seen, so that no layer has it.
        let level = search.seen.clone();
        search.seen.iter_mut().for_each(|word| *word = !*word);
        for block in 0..index.n_blocks() {
            let goals = self.goals(&blocks, block);
            let words = blocks.words(block);
            search.next[words.clone()].iter_mut().zip(&goals).zip(&level[words]).for_each(|((next, goal), level)| {
                *next = goal & level;
            });
            search.touch(block);
        }
        let mut distances = RankedDistances::new(index.first[index.first.len() - 1]);
        loop {
            let layer = search.take_layer();
            if layer.is_empty() {
                break;
            }
            let mut layer_of_distances = distances.next_layer()?;
            for &block in &layer {
                let first = index.first[block as usize];
                for_each_bit(&search.frontier[blocks.words(block)], |bit| layer_of_distances.add(first + bit));
            }
            for block in layer {
                search.move_from(block);
            }
        }
        for block in 0..index.n_blocks() {
            let words = blocks.words(block);
            let unsolvable: Vec<u64> = words.map(|word| level[word] & !search.seen[word]).collect();
            for_each_bit(&unsolvable, |bit| distances.add_unsolvable(index.first[block as usize] + bit));
        }
        Some(distances)
    }
}

/// A breadth-first search over sets of positions.
struct Search<'a, B> {
    bits: B,
    index: &'a RushHourIndex,
    blocks: &'a Blocks,
    is_by_cells: bool,
    /// Positions that were seen, that moves lead on from, and that moves led to since the last layer.
    seen: Vec<u64>,
    frontier: Vec<u64>,
    next: Vec<u64>,
    /// Blocks with positions in `next`, perhaps such that were seen before.
    touched: Vec<u32>,
    is_touched: Vec<bool>,
    /// Sets of one block: where moves begin, and where they have come to.
    source: Vec<u64>,
    moved: Vec<u64>,
    carried: Vec<u64>,
}

impl<'a, B: GatherScatter> Search<'a, B> {
    fn new(bits: B, index: &'a RushHourIndex, blocks: &'a Blocks, is_by_cells: bool) -> Self {
        let set = || vec![0; blocks.n_words()];
        Self {
            bits,
            index,
            blocks,
            is_by_cells,
            seen: set(),
            frontier: set(),
            next: set(),
            touched: Vec::new(),
            is_touched: vec![false; index.n_blocks() as usize],
            source: Vec::new(),
            moved: Vec::new(),
            carried: Vec::new(),
        }
    }

    /// Sees all positions that the start reaches. In no order of layers: a block waits until its turn comes, and what is
    /// found meanwhile moves with it.
    #[inline(always)]
    fn reach_from(&mut self, start: u32) {
        let block = self.index.first.partition_point(|&first| first <= start) as u32 - 1;
        let bit = start - self.index.first[block as usize];
        self.next[self.blocks.words(block).start + (bit / u64::BITS) as usize] |= 1 << (bit % u64::BITS);
        self.touch(block);
        let mut waiting: VecDeque<u32> = self.take_layer().into();
        while let Some(block) = waiting.pop_front() {
            self.move_from(block);
            for touched in std::mem::take(&mut self.touched) {
                self.is_touched[touched as usize] = false;
                let waits = self.frontier[self.blocks.words(touched)].iter().any(|&word| word != 0);
                if self.see(touched) && !waits {
                    waiting.push_back(touched);
                }
            }
        }
    }

    /// Makes what moves led to, and was not seen before, the frontier; the blocks that have some of it.
    fn take_layer(&mut self) -> Vec<u32> {
        let mut layer = std::mem::take(&mut self.touched);
        layer.retain(|&block| {
            self.is_touched[block as usize] = false;
            self.see(block)
        });
        layer
    }

    /// Adds what moves led to in a block to its frontier, unless it was seen before; `true` if there is something.
    fn see(&mut self, block: u32) -> bool {
        let mut is_any = false;
        for word in self.blocks.words(block) {
            let new = std::mem::take(&mut self.next[word]) & !self.seen[word];
            self.seen[word] |= new;
            self.frontier[word] |= new;
            is_any |= new != 0;
        }
        is_any
    }

    fn touch(&mut self, block: u32) {
        if !std::mem::replace(&mut self.is_touched[block as usize], true) {
            self.touched.push(block);
        }
    }

    /// Adds to `next` what one move leads to from the frontier of a block, which is empty then.
    #[inline(always)]
    fn move_from(&mut self, block: u32) {
        if let (word, [_]) = (self.blocks.words(block).start, &self.frontier[self.blocks.words(block)]) {
            let source = std::mem::take(&mut self.frontier[word]);
            self.move_in_columns_of_word(block, word, source);
            self.touch(block);
            for piece in 0..self.blocks.n_pieces_of_rows {
                self.move_word_in_row(block, source, piece, true);
                self.move_word_in_row(block, source, piece, false);
            }
            return;
        }
        let words = self.blocks.words(block);
        self.source.clear();
        self.source.extend_from_slice(&self.frontier[words.clone()]);
        self.frontier[words.clone()].fill(0);
        let terms = self.index.terms(block);
        let blocks = self.blocks;
        for &column in blocks.columns(block) {
            for links in blocks.links(terms[column.column].table) {
                self.move_in_column(block, links, blocks.masks(column), column.stride);
            }
        }
        self.touch(block);
        for piece in 0..self.blocks.n_pieces_of_rows {
            self.move_in_row(block, piece, true);
            self.move_in_row(block, piece, false);
        }
    }

    /// As [`Search::move_in_column`] of all pieces of columns, in a block of one word.
    fn move_in_columns_of_word(&mut self, block: u32, word: usize, source: u64) {
        let terms = self.index.terms(block);
        for &column in self.blocks.columns(block) {
            let masks = self.blocks.masks(column);
            for links in self.blocks.links(terms[column.column].table) {
                for run in runs(links, self.is_by_cells) {
                    let mut moved = source;
                    for link in run {
                        moved |= (moved & masks[link.from as usize]) << ((link.to - link.from) * column.stride);
                    }
                    let forward = moved;
                    moved = if self.is_by_cells { source } else { moved };
                    for link in run.iter().rev() {
                        moved |= (moved & masks[link.to as usize]) >> ((link.to - link.from) * column.stride);
                    }
                    self.next[word] |= forward | moved;
                }
            }
        }
    }

    /// As [`Search::move_in_row`], as long as blocks have one word.
    #[inline(always)]
    fn move_word_in_row(&mut self, block: u32, source: u64, piece: usize, is_forward: bool) {
        let (mut here, mut moved) = (block, source);
        while let Some(RowStep { there, from, to }) = self.blocks.row_step(here, piece, is_forward) {
            let words = self.blocks.words(there);
            if words.len() > 1 {
                self.source.clear();
                self.source.push(moved);
                return self.move_in_row(here, piece, is_forward);
            }
            let (from, to) = (self.blocks.set(from, 1)[0], self.blocks.set(to, 1)[0]);
            moved = self.bits.scatter(self.bits.gather(moved, from), to);
            if moved == 0 {
                return;
            }
            self.next[words.start] |= moved;
            self.touch(there);
            if self.is_by_cells {
                return;
            }
            here = there;
        }
    }

    /// Moves one piece of a column, whose masks these are.
    fn move_in_column(&mut self, block: u32, links: &[ColumnLink], masks: &[u64], stride: u32) {
        let words = self.blocks.words(block);
        let mask = |rank: u32| &masks[rank as usize * words.len()..][..words.len()];
        let by = |link: &ColumnLink| (link.to - link.from) * stride;
        for run in runs(links, self.is_by_cells) {
            self.moved.clone_from(&self.source);
            // Along the links in their order, and back: what a link leads to is there when the next one begins.
            run.iter().for_each(|link| shift_up(&mut self.moved, mask(link.from), by(link)));
            if self.is_by_cells {
                self.next[words.clone()].iter_mut().zip(&self.moved).for_each(|(next, moved)| *next |= moved);
                self.moved.clone_from(&self.source);
            }
            run.iter().rev().for_each(|link| shift_down(&mut self.moved, mask(link.to), by(link)));
            self.next[words.clone()].iter_mut().zip(&self.moved).for_each(|(next, moved)| *next |= moved);
        }
    }

    /// Moves one piece of a row one way.
    #[inline(always)]
    fn move_in_row(&mut self, block: u32, piece: usize, is_forward: bool) {
        let mut here = block;
        self.moved.clone_from(&self.source);
        while let Some(RowStep { there, from, to }) = self.blocks.row_step(here, piece, is_forward) {
            let words = self.blocks.words(there);
            let from = self.blocks.set(from, self.moved.len());
            let to = self.blocks.set(to, words.len());
            self.carried.clear();
            transfer(self.bits, &self.moved, from, to, &mut self.carried);
            if self.carried.iter().all(|&word| word == 0) {
                return;
            }
            self.next[words].iter_mut().zip(&self.carried).for_each(|(next, carried)| *next |= carried);
            self.touch(there);
            if self.is_by_cells {
                return;
            }
            std::mem::swap(&mut self.moved, &mut self.carried);
            here = there;
        }
    }
}

/// Links that are followed one after the other in one move.
fn runs(links: &[ColumnLink], is_by_cells: bool) -> std::slice::Chunks<'_, ColumnLink> {
    links.chunks(if is_by_cells { 1 } else { links.len().max(1) })
}

/// Takes the bits of one set where `from` has some to those of another where `to` has some, in order.
#[inline(always)]
fn transfer(bits: impl GatherScatter, set: &[u64], from: &[u64], to: &[u64], carried: &mut Vec<u64>) {
    // Bits that were gathered and not yet scattered.
    let (mut waiting, mut n_waiting) = (0u128, 0);
    let mut gathered = set.iter().zip(from);
    for &to in to {
        while n_waiting < to.count_ones() {
            let Some((&word, &from)) = gathered.next() else { break };
            waiting |= u128::from(bits.gather(word, from)) << n_waiting;
            n_waiting += from.count_ones();
        }
        carried.push(bits.scatter(waiting as u64, to));
        waiting >>= to.count_ones();
        n_waiting -= to.count_ones();
    }
}

/// Adds to a set its positions in `mask`, `by` ranks higher.
#[inline]
fn shift_up(set: &mut [u64], mask: &[u64], by: u32) {
    let (words, bits) = ((by / u64::BITS) as usize, by % u64::BITS);
    for word in (words..set.len()).rev() {
        let mut shifted = (set[word - words] & mask[word - words]) << bits;
        if bits > 0 && word > words {
            shifted |= (set[word - words - 1] & mask[word - words - 1]) >> (u64::BITS - bits);
        }
        set[word] |= shifted;
    }
}

/// Adds to a set its positions in `mask`, `by` ranks lower.
#[inline]
fn shift_down(set: &mut [u64], mask: &[u64], by: u32) {
    let (words, bits) = ((by / u64::BITS) as usize, by % u64::BITS);
    for word in 0..set.len().saturating_sub(words) {
        let mut shifted = (set[word + words] & mask[word + words]) >> bits;
        if bits > 0 && word + words + 1 < set.len() {
            shifted |= (set[word + words + 1] & mask[word + words + 1]) << (u64::BITS - bits);
        }
        set[word] |= shifted;
    }
}

#[inline]
fn for_each_bit(set: &[u64], mut visit: impl FnMut(u32)) {
    for (word, first) in set.iter().zip((0..).step_by(u64::BITS as usize)) {
        let mut rest = *word;
        while rest != 0 {
            visit(first + rest.trailing_zeros());
            rest &= rest - 1;
        }
    }
}

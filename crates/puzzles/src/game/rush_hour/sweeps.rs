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
mod masks;

use bits::{GatherScatter, shift_down, shift_up, transfer};
use instructions::Work;
use layout::{Blocks, Link, NONE};
use masks::MAX_CONFIGURATIONS;

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
        if index.columns.iter().any(|column| column.n_configurations() > MAX_CONFIGURATIONS) {
            return None;
        }
        let mut search = Search::new(bits, Blocks::new(index, self.is_by_cells));
        search.reach_from(self.start);
        // From now on only what the start reaches is still to be seen.
        search.unseen.iter_mut().for_each(|word| *word = !*word);
        let reached = search.blocks.prepared.clone();
        for &block in &reached {
            let words = search.blocks.words(block);
            search.next[words.clone()].copy_from_slice(&search.unseen[words.clone()]);
            self.keep_goals(&mut search.blocks, block, &mut search.next[words]);
        }
        let mut layer = Vec::new();
        let mut distances = RankedDistances::new(index.first[index.first.len() - 1]);
        loop {
            // No closures where bits are gathered or scanned: they would not be compiled for the processor of their caller.
            layer.clear();
            for &block in &reached {
                if search.see(block) {
                    layer.push(block);
                }
            }
            if layer.is_empty() {
                break;
            }
            let mut layer_of_distances = distances.next_layer()?;
            for &block in &layer {
                for (first, word) in search.ranks_and_words(block) {
                    layer_of_distances.add(first, search.new[word]);
                }
            }
            for &block in &layer {
                search.move_from(block);
            }
        }
        for block in reached {
            for (first, word) in search.ranks_and_words(block) {
                distances.add_unsolvable(first, search.unseen[word]);
            }
        }
        Some(distances)
    }
}

/// A breadth-first search over sets of positions.
struct Search<'a, B> {
    bits: B,
    blocks: Blocks<'a>,
    /// Positions that were not seen yet, such that moves led to since the last layer, and those of the last layer.
    unseen: Vec<u64>,
    next: Vec<u64>,
    new: Vec<u64>,
    /// Sets of one block: where slides along rows have come to.
    moved: Vec<u64>,
    carried: Vec<u64>,
    /// Blocks that steps of a flood led to.
    came_to: Vec<u32>,
}

impl<'a, B: GatherScatter> Search<'a, B> {
    fn new(bits: B, blocks: Blocks<'a>) -> Self {
        let set = |word: u64| vec![word; blocks.n_words()];
        let (unseen, next, new) = (set(u64::MAX), set(0), set(0));
        let [moved, carried] = [0; 2].map(|word| vec![word; blocks.most_words()]);
        Self { bits, blocks, unseen, next, new, moved, carried, came_to: Vec::new() }
    }

    /// Sees all positions that the start reaches. In no order of layers: a block waits until its turn comes, and what is
    /// found meanwhile moves with it.
    #[inline(always)]
    fn reach_from(&mut self, start: u32) {
        let block = self.blocks.index.block_of_rank(start);
        let bit = start - self.blocks.index.first[block as usize];
        self.next[self.blocks.words(block).start + (bit / u64::BITS) as usize] |= 1 << (bit % u64::BITS);
        self.blocks.prepare(block);
        let mut waiting = VecDeque::from([block]);
        let mut waits = vec![false; self.blocks.index.n_blocks() as usize];
        while let Some(block) = waiting.pop_front() {
            waits[block as usize] = false;
            if !self.see(block) {
                continue;
            }
            match self.new[self.blocks.words(block)] {
                [a] => self.flood(block, [a]),
                [a, b] => self.flood(block, [a, b]),
                [a, b, c, d] => self.flood(block, [a, b, c, d]),
                ref set => self.flood(block, set.to_vec()),
            }
            for there in self.came_to.drain(..) {
                if !std::mem::replace(&mut waits[there as usize], true) {
                    waiting.push_back(there);
                }
            }
        }
    }

    /// Sees what moves of columns lead to from a set, over and over, and adds to `next` what one step of a row leads to from
    /// there.
    #[inline(always)]
    fn flood<S: Set>(&mut self, block: u32, mut set: S) {
        loop {
            let more = self.moved_in_columns::<S, true>(block, &set);
            let is_all = self.blocks.has_single_pieces || more.as_ref() == set.as_ref();
            set = more;
            if is_all {
                break;
            }
        }
        for (unseen, set) in self.unseen[self.blocks.words(block)].iter_mut().zip(set.as_ref()) {
            *unseen &= !set;
        }
        for piece in 0..self.blocks.n_pieces_of_rows() {
            self.slide::<true>(block, set.as_ref(), piece, 0);
            self.slide::<true>(block, set.as_ref(), piece, 1);
        }
    }

    /// Takes what moves led to in a block, and was not seen before; `true` if there is something.
    #[inline]
    fn see(&mut self, block: u32) -> bool {
        let mut any = 0;
        for word in self.blocks.words(block) {
            let new = std::mem::take(&mut self.next[word]) & self.unseen[word];
            self.unseen[word] ^= new;
            self.new[word] = new;
            any |= new;
        }
        any != 0
    }

    /// The words of a block, and the rank of the first bit of each.
    #[inline(always)]
    fn ranks_and_words(&self, block: u32) -> impl Iterator<Item = (u32, usize)> + use<B> {
        let first = self.blocks.index.first[block as usize];
        (first..).step_by(u64::BITS as usize).zip(self.blocks.words(block))
    }

    /// Adds to `next` what one move leads to from the new positions of a block.
    #[inline(always)]
    fn move_from(&mut self, block: u32) {
        match self.new[self.blocks.words(block)] {
            [a] => self.move_set(block, &[a]),
            [a, b] => self.move_set(block, &[a, b]),
            [a, b, c, d] => self.move_set(block, &[a, b, c, d]),
            ref set => self.move_set(block, &set.to_vec()),
        }
    }

    #[inline(always)]
    fn move_set<S: Set>(&mut self, block: u32, set: &S) {
        let moved = self.moved_in_columns::<S, false>(block, set);
        self.next[self.blocks.words(block)].iter_mut().zip(moved.as_ref()).for_each(|(next, moved)| *next |= moved);
        for piece in 0..self.blocks.n_pieces_of_rows() {
            self.slide::<false>(block, set.as_ref(), piece, 0);
            self.slide::<false>(block, set.as_ref(), piece, 1);
        }
    }

    /// A set, and what one move of a piece of a column leads to from it; from what others led to, too, in a flood.
    #[inline(always)]
    fn moved_in_columns<S: Set, const IS_FLOOD: bool>(&self, block: u32, set: &S) -> S {
        let masks = &self.blocks.masks;
        let n_words = set.as_ref().len();
        let (mut all, mut up, mut down) = (set.clone(), set.clone(), set.clone());
        for &column in self.blocks.columns(block).iter().filter(|&&column| column != NONE) {
            for step in masks.steps(column) {
                let from = if IS_FLOOD { &all } else { set };
                go_on(up.as_mut(), from.as_ref(), step.keep);
                go_on(down.as_mut(), from.as_ref(), step.keep);
                shift_up(up.as_mut(), masks.mask(step.up.mask, n_words), step.up.by);
                shift_down(down.as_mut(), masks.mask(step.down.mask, n_words), step.down.by);
                let moved = up.as_ref().iter().zip(down.as_ref());
                all.as_mut().iter_mut().zip(moved).for_each(|(all, (up, down))| *all |= up | down);
            }
        }
        all
    }

    /// Adds to `next` what a slide of a piece of a row one way leads to; one step of it in a flood.
    #[inline(always)]
    fn slide<const IS_FLOOD: bool>(&mut self, block: u32, set: &[u64], piece: usize, way: usize) {
        let (mut here, mut n_steps) = (block, 0);
        loop {
            let Link { there, free } = self.blocks.links(here)[piece];
            if there[way] == NONE {
                return;
            }
            let set = if n_steps == 0 { set } else { &self.moved[..self.blocks.words(here).len()] };
            let from = self.blocks.masks.mask(free[way], set.len());
            if set.iter().zip(from).all(|(set, from)| set & from == 0) {
                return;
            }
            here = there[way];
            if IS_FLOOD {
                self.blocks.prepare(here);
                self.came_to.push(here);
            }
            let from = self.blocks.masks.mask(free[way], set.len());
            let next = &mut self.next[self.blocks.words(here)];
            let to = self.blocks.masks.mask(self.blocks.links(here)[piece].free[1 - way], next.len());
            let carried = &mut self.carried[..next.len()];
            transfer(self.bits, set, from, to, carried);
            next.iter_mut().zip(carried).for_each(|(next, carried)| *next |= *carried);
            if IS_FLOOD || self.blocks.masks.is_by_cells {
                return;
            }
            std::mem::swap(&mut self.moved, &mut self.carried);
            n_steps += 1;
        }
    }
}

/// The words of a set of positions of one block: an array for few of them, which stays in registers.
trait Set: Clone + AsRef<[u64]> + AsMut<[u64]> {}

impl<S: Clone + AsRef<[u64]> + AsMut<[u64]>> Set for S {}

/// Goes on with what a set has come to, if `keep` has all bits, and from where it began.
#[inline(always)]
fn go_on(moved: &mut [u64], begin: &[u64], keep: u64) {
    moved.iter_mut().zip(begin).for_each(|(moved, begin)| *moved = *moved & keep | begin);
}

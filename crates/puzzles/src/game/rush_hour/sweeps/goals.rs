//! Positions of an index in which the level is solved.

use super::Sweeps;
use super::layout::Blocks;
use super::masks::{Pattern, ranks};
use crate::game::rush_hour::GoalRule;
use crate::game::rush_hour::index::Piece;

impl Sweeps<'_> {
    /// Keeps the goals of a set of positions of a block.
    pub(super) fn keep_goals(&self, blocks: &mut Blocks, block: u32, set: &mut [u64]) {
        let index = self.index;
        let red = index.pieces[self.red];
        if red.is_in_row {
            let row = &index.rows[red.line];
            let (code, cells) = index.configuration(block, row);
            let place = (code >> red.line_shift) & red.mask as u32;
            let column = |column: u32| (cells | index.walls[1]) >> (column * index.height as u32 + row.number()) & 1;
            if !self.is_out(&red, place, |cell| column(cell) == 0) {
                return set.fill(0);
            }
            for column in self.way(&red, place).filter(|_| self.goal == GoalRule::PathClear) {
                let free = blocks.free(block, row.number(), column);
                keep(set, blocks.masks.mask(free, set.len()));
            }
            return;
        }
        let column = &index.columns[red.line];
        let taken = (index.cells_of_block(block) | index.walls[1]) >> (column.number() as usize * index.height);
        let term = index.terms(block)[red.line];
        let is_goal = |(code, covered): (u32, u64)| {
            let place = (code >> red.line_shift) & red.mask as u32;
            self.is_out(&red, place, |cell| (taken | covered) >> cell & 1 == 0)
        };
        let goals = ranks(index, red.line, term.table, is_goal);
        let with = blocks.masks.with(goals, Pattern::new(index, block, red.line, set.len()));
        keep(set, blocks.masks.mask(with, set.len()));
    }

    /// `true` if the red piece is out, as far as the cells of its own line tell.
    fn is_out(&self, red: &Piece, place: u32, is_free: impl Fn(u32) -> bool) -> bool {
        match self.goal {
            GoalRule::Exit => place == self.exit_place,
            GoalRule::PathClear => self.way(red, place).all(is_free),
        }
    }

    /// The cells of its line between the red piece and its exit.
    fn way(&self, red: &Piece, place: u32) -> std::ops::Range<u32> {
        if self.exit_place == 0 { 0..place } else { place + red.length..self.exit_place + red.length }
    }
}

fn keep(set: &mut [u64], mask: &[u64]) {
    set.iter_mut().zip(mask).for_each(|(word, mask)| *word &= mask);
}

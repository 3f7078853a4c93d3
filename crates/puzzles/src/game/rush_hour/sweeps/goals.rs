//! Positions of an index in which the level is solved.

use super::Sweeps;
use super::layout::Blocks;
use crate::game::rush_hour::GoalRule;
use crate::game::rush_hour::index::{Piece, RushHourIndex};

impl Sweeps<'_> {
    /// The goals of a block, as a set.
    pub(super) fn goals(&self, blocks: &Blocks, block: u32) -> Vec<u64> {
        let index = self.index;
        let red = &index.pieces[self.red];
        let mut goals = Vec::new();
        if index.size(block) == 0 {
            return goals;
        }
        if !red.is_in_row {
            let taken = index.column_cells(red.line, index.cells_of_block(block) | index.walls[1]);
            let free = index.columns[red.line].free(index.cells_of_block(block)).enumerate();
            let is_goal = |&(_, (code, covered)): &(usize, (u32, u64))| self.is_out(red, code, taken | covered);
            let ranks = free.filter(is_goal).fold(0, |ranks, (rank, _)| ranks | 1 << rank);
            blocks.push_positions(index, block, red.line, ranks, &mut goals);
            return goals;
        }
        let (code, _) = index.rows[red.line].configuration(block);
        let place = (code >> red.line_shift) & red.mask as u32;
        if !self.is_out(red, code, index.row_cells(red.line, block)) {
            return goals;
        }
        Blocks::push_all(index, block, &mut goals);
        if self.goal == GoalRule::PathClear {
            for column in self.way(red, place) {
                let mut free = Vec::with_capacity(goals.len());
                blocks.push_free(index, block, red, column, &mut free);
                goals.iter_mut().zip(free).for_each(|(goal, free)| *goal &= free);
            }
        }
        goals
    }

    /// `true` if the red piece is out, as far as the cells of its own line that are taken tell.
    fn is_out(&self, red: &Piece, code: u32, taken: u64) -> bool {
        let place = (code >> red.line_shift) & red.mask as u32;
        match self.goal {
            GoalRule::Exit => place == self.exit_place,
            GoalRule::PathClear => self.way(red, place).all(|cell| taken >> cell & 1 == 0),
        }
    }

    /// The cells of its line between the red piece and its exit.
    fn way(&self, red: &Piece, place: u32) -> std::ops::Range<u32> {
        if self.exit_place == 0 { 0..place } else { place + red.length..self.exit_place + red.length }
    }
}

impl RushHourIndex {
    /// The cells of one column among cells that are taken, column by column.
    fn column_cells(&self, column: usize, taken: u64) -> u64 {
        (taken >> (self.columns[column].number() as usize * self.height)) & ((1 << self.height) - 1)
    }

    /// The cells of a row that its own pieces and walls take in a block.
    fn row_cells(&self, row: usize, block: u32) -> u64 {
        let (_, taken) = self.rows[row].configuration(block);
        let taken = taken | self.walls[1];
        let line = self.rows[row].number() as usize;
        (0..self.width)
            .filter(|column| taken >> (column * self.height + line) & 1 == 1)
            .fold(0, |row, cell| row | 1 << cell)
    }
}

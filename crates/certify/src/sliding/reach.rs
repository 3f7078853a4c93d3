//! The positions that can be reached, counted without looking at each.
//!
//! Within a box each column moves on its own, so that the positions of a box fall into cells: products of parts of its
//! columns, in which all positions can be reached from each other. A slide in a row leads from cell to cell.

use super::space::{Gap, Space};

/// The cells of all boxes.
pub(super) struct Cells<'a> {
    space: &'a Space,
    /// The first cell of each box.
    first: Vec<usize>,
    is_reached: Vec<bool>,
    /// Cells that were reached, with their boxes, and whose neighbours were not.
    waiting: Vec<(usize, usize)>,
}

impl<'a> Cells<'a> {
    /// The number of positions that can be reached from a position.
    pub(super) fn reached_from(space: &'a Space, code: u64) -> Option<u64> {
        let mut first = vec![0];
        for number in 0..space.n_boxes() {
            let n_cells: usize = space.gaps_of(number).map(|gap| gap.n_parts).product();
            first.push(first[number] + n_cells);
        }
        let is_reached = vec![false; first[space.n_boxes()]];
        let mut cells = Self { space, first, is_reached, waiting: Vec::new() };
        let mut number = 0;
        for row in &space.rows {
            number += row.line.way_of(code)? * row.stride;
        }
        let (mut cell, mut stride) = (0, 1);
        for (column, gap) in space.columns.iter().zip(space.gaps_of(number)) {
            cell += gap.parts[gap.rank(column.line.way_of(code)?)?] as usize * stride;
            stride *= gap.n_parts;
        }
        cells.reach(number, cell);
        let steps: Vec<Vec<Vec<usize>>> =
            space.rows.iter().map(|row| neighbours(row.line.ways.len(), &row.runs)).collect();
        let mut n_reached = 0;
        while let Some((number, cell)) = cells.waiting.pop() {
            n_reached += cells.size(number, cell);
            for (row, steps) in space.rows.iter().zip(&steps) {
                let way = row.way(number);
                for &next in &steps[way] {
                    cells.step(number, cell, number - way * row.stride + next * row.stride);
                }
            }
        }
        Some(n_reached)
    }

    fn reach(&mut self, number: usize, cell: usize) {
        if !std::mem::replace(&mut self.is_reached[self.first[number] + cell], true) {
            self.waiting.push((number, cell));
        }
    }

    /// Number of positions of a cell.
    fn size(&self, number: usize, mut cell: usize) -> u64 {
        let of_column = |gap: &Gap| {
            let part = (cell % gap.n_parts) as u16;
            cell /= gap.n_parts;
            gap.parts.iter().filter(|&&other| other == part).count() as u64
        };
        self.space.gaps_of(number).map(of_column).product()
    }

    /// Reaches the cells of the box `next` that share ways of all columns with a cell.
    fn step(&mut self, number: usize, mut cell: usize, next: usize) {
        // The cells so far, each as its part in the number.
        let (mut reached, mut stride) = (vec![0], 1);
        for (gap, after, is_same) in self.space.gaps_of_both(number, next) {
            let part = (cell % gap.n_parts) as u16;
            cell /= gap.n_parts;
            let mut parts: Vec<u16> = vec![part];
            if !is_same {
                let ranks = gap.parts.iter().enumerate().filter(|(_, other)| **other == part).map(|(rank, _)| rank);
                let shared = ranks.filter_map(|rank| after.rank(gap.ways[rank] as usize));
                parts = shared.map(|rank| after.parts[rank]).collect();
                parts.sort_unstable();
                parts.dedup();
            }
            reached =
                parts.iter().flat_map(|&part| reached.iter().map(move |cell| cell + part as usize * stride)).collect();
            stride *= after.n_parts;
        }
        reached.into_iter().for_each(|cell| self.reach(next, cell));
    }
}

/// The ways next to each way along runs.
fn neighbours(n_ways: usize, runs: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); n_ways];
    for pair in runs.iter().flat_map(|run| run.windows(2)) {
        neighbours[pair[0]].push(pair[1]);
        neighbours[pair[1]].push(pair[0]);
    }
    neighbours
}

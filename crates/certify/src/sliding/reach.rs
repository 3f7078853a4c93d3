//! The positions that can be reached, counted without looking at each.
//!
//! Within a box each column moves on its own, so that the positions of a box fall into cells: products of parts of its
//! columns, in which all positions can be reached from each other. A slide in a row leads from cell to cell.

use super::codes::Codes;
use super::space::Space;

/// What can be reached.
pub(super) struct Reached {
    /// Number of positions.
    pub n_positions: u64,
    /// True for each box with one of them.
    pub boxes: Vec<bool>,
}

/// The cells of all boxes.
pub(super) struct Cells<'a> {
    space: &'a Space,
    /// The first cell of each box.
    first: Vec<usize>,
    is_reached: Vec<bool>,
    /// Number of cells of each box that were not reached.
    n_left: Vec<usize>,
    /// Cells that were reached, with their boxes, and whose neighbours were not.
    waiting: Vec<(usize, usize)>,
    /// Cells of one step.
    cells: Vec<usize>,
}

impl<'a> Cells<'a> {
    /// What can be reached from a position; nothing if blocks meet in it.
    pub(super) fn reached_from(space: &'a Space, codes: &Codes, start: u64) -> Option<Reached> {
        let (mut first, mut n_left) = (vec![0], Vec::new());
        for number in 0..space.n_boxes() {
            let n_cells = space.gaps_of(number).map(|gap| gap.n_parts()).product();
            n_left.push(n_cells);
            first.push(first[number] + n_cells);
        }
        let is_reached = vec![false; first[space.n_boxes()]];
        let mut cells = Self { space, first, is_reached, n_left, waiting: Vec::new(), cells: Vec::new() };
        let (number, ranks) = codes.ranks(start)?;
        let (mut cell, mut stride) = (0, 1);
        for (rank, gap) in ranks.into_iter().zip(space.gaps_of(number)) {
            cell += gap.parts[rank] as usize * stride;
            stride *= gap.n_parts();
        }
        cells.reach(number, cell);
        let steps: Vec<Vec<Vec<usize>>> =
            space.rows.iter().map(|row| neighbours(row.line.ways.len(), &row.runs)).collect();
        let mut n_positions = 0;
        let mut parts = Vec::new();
        while let Some((number, cell)) = cells.waiting.pop() {
            cells.take_apart(number, cell, &mut parts);
            n_positions += parts.iter().zip(space.gaps_of(number)).map(|(&part, gap)| gap.sizes[part]).product::<u64>();
            for (row, steps) in space.rows.iter().zip(&steps) {
                let way = row.way(number);
                for &next in &steps[way] {
                    let next = number - way * row.stride + next * row.stride;
                    if cells.n_left[next] > 0 {
                        cells.step(number, &parts, next);
                    }
                }
            }
        }
        let cells_of = |number: usize| cells.first[number + 1] - cells.first[number];
        let boxes = (0..space.n_boxes()).map(|number| cells.n_left[number] < cells_of(number)).collect();
        Some(Reached { n_positions, boxes })
    }

    fn reach(&mut self, number: usize, cell: usize) {
        if !std::mem::replace(&mut self.is_reached[self.first[number] + cell], true) {
            self.n_left[number] -= 1;
            self.waiting.push((number, cell));
        }
    }

    /// The part of each column that makes a cell.
    fn take_apart(&self, number: usize, mut cell: usize, parts: &mut Vec<usize>) {
        parts.clear();
        for gap in self.space.gaps_of(number) {
            parts.push(cell % gap.n_parts());
            cell /= gap.n_parts();
        }
    }

    /// Reaches the cells of the box `next` that share ways of all columns with the cell of these parts.
    fn step(&mut self, number: usize, parts: &[usize], next: usize) {
        // The cells so far, each as its part in the number, and what all have in common.
        let (mut cells, mut common, mut stride) = (std::mem::take(&mut self.cells), 0, 1);
        cells.clear();
        cells.push(0);
        for ((gap, after, is_same), &part) in self.space.gaps_of_both(number, next).zip(parts) {
            if is_same {
                common += part * stride;
            } else {
                let n = cells.len();
                for &other in &gap.joint(after).parts[part] {
                    cells.extend_from_within(..n);
                    let last = cells.len() - n;
                    cells[last..].iter_mut().for_each(|cell| *cell += other as usize * stride);
                }
                cells.drain(..n);
            }
            stride *= after.n_parts();
        }
        cells.iter().for_each(|cell| self.reach(next, common + cell));
        self.cells = cells;
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

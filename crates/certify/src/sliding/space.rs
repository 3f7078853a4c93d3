//! All positions of a board in which no two blocks meet, numbered without gaps.
//!
//! Blocks in rows never meet each other, and blocks in columns neither. So for each way in which all rows can stand, the
//! columns stand independently of each other, each in one of the ways that the rows leave it: these positions are a
//! product, a box of numbers, the first column running fastest.

use std::collections::HashMap;

use super::lines::{Board, Line};

/// The most boxes, and the most positions for each state of a table.
const MOST_BOXES: usize = 1 << 21;
const MOST_POSITIONS: usize = 1 << 30;

/// The positions of a board.
pub(super) struct Space {
    pub rows: Vec<Row>,
    pub columns: Vec<Column>,
    /// The first number of each box, and the number of all positions.
    pub first: Vec<usize>,
    /// For each box and column, what the rows leave of the column.
    gaps: Vec<u16>,
}

/// A row and its part in the number of a box.
pub(super) struct Row {
    pub line: Line,
    pub stride: usize,
    /// The ways that a block runs through as it slides on.
    pub runs: Vec<Vec<usize>>,
}

/// A column, and what rows can leave of it.
pub(super) struct Column {
    pub line: Line,
    pub gaps: Vec<Gap>,
}

/// What the rows leave of a column.
pub(super) struct Gap {
    /// The ways of the column that are possible.
    pub ways: Vec<u16>,
    /// The rank of each way among those; [`NO_RANK`] of one that is not possible.
    ranks: Vec<u16>,
    /// Ranks that a block runs through as it slides on, in lists of neighbours.
    pub runs: Vec<Vec<u16>>,
    /// The part of each rank: moves within the column lead to all ranks of its part and to no other.
    pub parts: Vec<u16>,
    pub n_parts: usize,
}

const NO_RANK: u16 = u16::MAX;

impl Space {
    /// The positions of a board; nothing if they are more than `most`.
    pub(super) fn new(board: Board, most: usize) -> Option<Self> {
        let mut rows: Vec<Row> = Vec::with_capacity(board.rows.len());
        let mut n_boxes = 1usize;
        for line in board.rows {
            let (runs, stride) = (line.runs(), n_boxes);
            n_boxes = n_boxes.checked_mul(line.ways.len()).filter(|&n| n <= MOST_BOXES)?;
            rows.push(Row { line, stride, runs });
        }
        let n_columns = board.columns.len();
        let mut columns: Vec<Column> =
            board.columns.into_iter().map(|line| Column { line, gaps: Vec::new() }).collect();
        let runs: Vec<_> = columns.iter().map(|column| column.line.runs()).collect();
        let mut known: Vec<HashMap<u32, u16>> = vec![HashMap::new(); n_columns];
        let mut gaps = Vec::with_capacity(n_boxes * n_columns);
        let mut first = Vec::with_capacity(n_boxes + 1);
        let mut n_positions = 0usize;
        for number in 0..n_boxes {
            first.push(n_positions);
            let mut size = 1usize;
            for (place, column) in columns.iter_mut().enumerate() {
                let covered = rows.iter().fold(0u32, |set, row| {
                    let way = &row.line.ways[row.way(number)];
                    set | (way.cells >> column.line.at & 1) << row.line.at
                });
                let gap = *known[place].entry(covered).or_insert_with(|| {
                    column.gaps.push(Gap::new(&column.line, &runs[place], covered));
                    column.gaps.len() as u16 - 1
                });
                gaps.push(gap);
                size = size.checked_mul(column.gaps[gap as usize].ways.len())?;
            }
            n_positions = n_positions.checked_add(size).filter(|&n| n <= most.min(MOST_POSITIONS))?;
        }
        first.push(n_positions);
        Some(Self { rows, columns, first, gaps })
    }

    /// Number of boxes.
    pub(super) fn n_boxes(&self) -> usize {
        self.first.len() - 1
    }

    /// Number of positions.
    pub(super) fn n_positions(&self) -> usize {
        self.first[self.n_boxes()]
    }

    /// What the rows of a box leave of each column.
    pub(super) fn gaps_of(&self, number: usize) -> impl Iterator<Item = &Gap> + Clone {
        let n = self.columns.len();
        let gaps = &self.gaps[number * n..(number + 1) * n];
        self.columns.iter().zip(gaps).map(|(column, &gap)| &column.gaps[gap as usize])
    }

    /// What the rows of two boxes leave of each column, and whether it is the same.
    pub(super) fn gaps_of_both(&self, one: usize, other: usize) -> impl Iterator<Item = (&Gap, &Gap, bool)> {
        let pairs = self.gaps_of(one).zip(self.gaps_of(other));
        pairs.map(|(one, other)| (one, other, std::ptr::eq(one, other)))
    }

    /// The number of a position; nothing where blocks meet.
    pub(super) fn number_of(&self, code: u64) -> Option<usize> {
        let mut number = 0;
        for row in &self.rows {
            number += row.line.way_of(code)? * row.stride;
        }
        let (mut position, mut stride) = (self.first[number], 1);
        for (column, gap) in self.columns.iter().zip(self.gaps_of(number)) {
            position += gap.rank(column.line.way_of(code)?)? * stride;
            stride *= gap.ways.len();
        }
        Some(position)
    }
}

impl Row {
    /// The way in which it stands in a box.
    pub(super) fn way(&self, number: usize) -> usize {
        number / self.stride % self.line.ways.len()
    }
}

impl Gap {
    fn new(line: &Line, runs: &[Vec<usize>], covered: u32) -> Self {
        let mut ranks = vec![NO_RANK; line.ways.len()];
        let mut ways = Vec::new();
        for (number, way) in line.ways.iter().enumerate().filter(|(_, way)| way.cells & covered == 0) {
            debug_assert!(way.places.len() == line.blocks.len());
            ranks[number] = ways.len() as u16;
            ways.push(number as u16);
        }
        let mut gap = Self { parts: Vec::new(), n_parts: 0, runs: Vec::new(), ways, ranks };
        for run in runs {
            let possible = |&way: &usize| gap.ranks[way] != NO_RANK;
            for run in run.chunk_by(|one, other| possible(one) && possible(other)).filter(|run| run.len() > 1) {
                gap.runs.push(run.iter().map(|&way| gap.ranks[way]).collect());
            }
        }
        gap.part();
        gap
    }

    /// Finds the parts: the least rank of each, passed on along the runs until nothing changes, then numbered.
    fn part(&mut self) {
        let mut least: Vec<u16> = (0..self.ways.len() as u16).collect();
        loop {
            let before = least.clone();
            for run in &self.runs {
                let lowest = run.iter().map(|&rank| least[rank as usize]).min().unwrap_or_default();
                run.iter().for_each(|&rank| least[rank as usize] = lowest);
            }
            if before == least {
                break;
            }
        }
        let mut numbers = HashMap::new();
        for &lowest in &least {
            let next = numbers.len() as u16;
            self.parts.push(*numbers.entry(lowest).or_insert(next));
        }
        self.n_parts = numbers.len();
    }

    /// The rank of a way of the column; nothing where it is not possible.
    pub(super) fn rank(&self, way: usize) -> Option<usize> {
        Some(self.ranks[way] as usize).filter(|&rank| rank != NO_RANK as usize)
    }
}

//! All positions of a board in which no two blocks meet, numbered without gaps.
//!
//! Blocks in rows never meet each other, and blocks in columns neither. So for each way in which all rows can stand, the
//! columns stand independently of each other, each in one of the ways that the rows leave it: these positions are a
//! product, a box of numbers, the first column running fastest.

use super::gap::Gap;
use super::lines::{Board, Line};

/// The most boxes, and the most positions.
const MOST_BOXES: usize = 1 << 21;
const MOST_POSITIONS: usize = 1 << 30;

/// The most rows with blocks: a set of them is the place in a list.
const MOST_ROWS: usize = 14;

/// Number of no gap.
pub(super) const NO_GAP: u16 = u16::MAX;

/// The positions of a board.
pub(super) struct Space {
    pub rows: Vec<Row>,
    pub columns: Vec<Column>,
    /// The first number of each box, and the number of all positions.
    pub first: Vec<usize>,
    /// For each box and column, the number of the gap that the rows leave.
    pub gaps: Vec<u16>,
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
        if rows.len() > MOST_ROWS {
            return None;
        }
        let n_columns = board.columns.len();
        let mut columns: Vec<Column> =
            board.columns.into_iter().map(|line| Column { line, gaps: Vec::new() }).collect();
        let runs: Vec<_> = columns.iter().map(|column| column.line.runs()).collect();
        // The number of the gap in a column that is covered by each set of rows.
        let mut known = vec![vec![NO_GAP; 1 << rows.len()]; n_columns];
        let mut gaps = Vec::with_capacity(n_boxes * n_columns);
        let mut first = Vec::with_capacity(n_boxes + 1);
        let mut n_positions = 0usize;
        for number in 0..n_boxes {
            first.push(n_positions);
            let cells: Vec<u32> = rows.iter().map(|row| row.line.ways[row.way(number)].cells).collect();
            let mut size = 1usize;
            for ((column, runs), known) in columns.iter_mut().zip(&runs).zip(&mut known) {
                let bits = cells.iter().enumerate().map(|(row, cells)| (cells >> column.line.at & 1) << row);
                let covered: u32 = bits.sum();
                if known[covered as usize] == NO_GAP {
                    known[covered as usize] = column.gaps.len() as u16;
                    column.gaps.push(Gap::new(&column.line, runs, covered, &rows));
                }
                let gap = known[covered as usize];
                gaps.push(gap);
                size = size.checked_mul(column.gaps[gap as usize].ways.len())?;
            }
            n_positions = n_positions.checked_add(size).filter(|&n| n <= most.min(MOST_POSITIONS))?;
        }
        first.push(n_positions);
        for (column, known) in columns.iter_mut().zip(&known) {
            Gap::join(&mut column.gaps, known, rows.len());
        }
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
}

impl Row {
    /// The way in which it stands in a box.
    pub(super) fn way(&self, number: usize) -> usize {
        number / self.stride % self.line.ways.len()
    }
}

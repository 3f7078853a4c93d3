//! All positions of a board in which no two blocks meet, numbered without gaps.
//!
//! Blocks in rows never meet each other, and blocks in columns neither. So for each way in which all rows can stand, the
//! columns stand independently of each other, each in one of the ways that the rows leave it: these positions are a
//! product, a box of numbers, the first column running fastest.

use std::ops::Range;

use super::gap::{Gap, NO_GAP};
use super::lines::{Board, Line};

/// The most boxes, and the most positions.
const MOST_BOXES: usize = 1 << 21;
const MOST_POSITIONS: usize = 1 << 30;

/// The most rows with blocks: a set of them is the place in a list.
const MOST_ROWS: usize = 14;

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
        let mut covered = Covered::new(&rows, &columns);
        for number in 0..n_boxes {
            first.push(n_positions);
            let mut size = 1usize;
            let sets = covered.of_box(number, &rows);
            for (((column, runs), known), &set) in columns.iter_mut().zip(&runs).zip(&mut known).zip(sets) {
                let gap = &mut known[set as usize];
                if *gap == NO_GAP {
                    *gap = column.gaps.len() as u16;
                    let bits = rows.iter().enumerate().map(|(row, of)| u32::from(set >> row & 1) << of.line.at);
                    column.gaps.push(Gap::new(&column.line, runs, set, bits.sum()));
                }
                gaps.push(*gap);
                size = size.checked_mul(column.gaps[*gap as usize].ways.len())?;
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

    /// The numbers of the positions of a box.
    pub(super) fn of_box(&self, number: usize) -> Range<usize> {
        self.first[number]..self.first[number + 1]
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

/// The rows that cover each column in the boxes, one bit each.
struct Covered {
    /// For each row, of each of its ways and each column its bit where it covers it.
    of_ways: Vec<Vec<u16>>,
    /// For each row the sum of its own and all behind it, column by column; none behind the last.
    sums: Vec<Vec<u16>>,
}

impl Covered {
    fn new(rows: &[Row], columns: &[Column]) -> Self {
        let of_row = |(number, row): (usize, &Row)| {
            let bit = |cells: u32, column: &Column| ((cells >> column.line.at & 1) as u16) << number;
            row.line.ways.iter().flat_map(|way| columns.iter().map(move |column| bit(way.cells, column))).collect()
        };
        let of_ways = rows.iter().enumerate().map(of_row).collect();
        Self { of_ways, sums: vec![vec![0; columns.len()]; rows.len() + 1] }
    }

    /// The rows that cover each column in a box. Boxes are asked for one after the other, from the first.
    fn of_box(&mut self, number: usize, rows: &[Row]) -> &[u16] {
        // The rows that have moved since the last box are the first ones.
        let n_moved = rows.iter().take_while(|row| number.is_multiple_of(row.stride)).count();
        for row in (0..n_moved).rev() {
            let (sums, behind) = self.sums.split_at_mut(row + 1);
            let (sum, n) = (&mut sums[row], behind[0].len());
            let own = &self.of_ways[row][rows[row].way(number) * n..][..n];
            sum.iter_mut().zip(behind[0].iter().zip(own)).for_each(|(sum, (behind, own))| *sum = behind + own);
        }
        &self.sums[0]
    }
}

impl Row {
    /// The way in which it stands in a box.
    pub(super) fn way(&self, number: usize) -> usize {
        number / self.stride % self.line.ways.len()
    }
}

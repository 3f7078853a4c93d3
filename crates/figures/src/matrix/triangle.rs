//! The pairs of measures below the diagonal.

use std::ops::Range;

/// One pair of measures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pair {
    /// Indices into [`super::CorrelationMatrix::measures`]: two different ones, in any order.
    pub measures: (usize, usize),
    /// The coefficient, from -1 to 1; absent where it does not exist.
    pub estimate: Option<f64>,
    /// Number of observations with both measures.
    pub n: u64,
    /// The p value, adjusted for the number of tests; absent where there is none.
    pub p_adjusted: Option<f64>,
    /// `true` if it counts as significant: its coefficient is then printed in bold.
    pub significant: bool,
}

/// The pairs by their place below the diagonal.
pub(super) struct Triangle<'a> {
    pairs: Vec<Option<&'a Pair>>,
}

impl<'a> Triangle<'a> {
    pub(super) fn new(measures: usize, measured: &'a [Pair]) -> Self {
        let mut pairs = vec![None; measures * measures.saturating_sub(1) / 2];
        for pair in measured {
            pairs[place(pair.measures)] = Some(pair);
        }
        Self { pairs }
    }

    /// Number of pairs without a coefficient.
    pub(super) fn missing(&self) -> usize {
        self.pairs.iter().filter(|pair| pair.is_none_or(|pair| pair.estimate.is_none())).count()
    }

    /// The pair of two measures, where it was given.
    pub(super) fn get(&self, row: usize, column: usize) -> Option<&'a Pair> {
        self.pairs.get(place((row, column))).copied().flatten()
    }

    /// Rows and columns of the cells of a block, row by row.
    pub(super) fn cells(&self, block: &Block) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (rows, columns) = (block.rows.clone(), block.columns.clone());
        let pairs = rows.flat_map(move |row| columns.clone().map(move |column| (row, column)));
        pairs.filter(|(row, column)| row > column)
    }
}

/// Index of a pair below the diagonal, counted row by row.
pub(super) fn place((a, b): (usize, usize)) -> usize {
    let (row, column) = (a.max(b), a.min(b));
    row * row.saturating_sub(1) / 2 + column
}

/// A part of the matrix, as ranges of measures.
#[derive(Clone)]
pub(super) struct Block {
    pub rows: Range<usize>,
    pub columns: Range<usize>,
}

//! Passes over the observations, those with the same labels side by side.
//!
//! Such observations, a cell, share their random effects, and what they add to the equations of these comes to the same
//! places: both are fetched once for a cell, and in between all steps run along columns that lie in one piece.

use std::ops::Range;

use nalgebra::DMatrix;

use super::equations::Covariance;
use super::layout::{Effects, Layout, Sums};
use crate::numeric::vector::{add, dot};

/// Larger cells are divided, so that what is computed of one stays in the cache, and a product of as many numbers from 1
/// to 2 is a number.
const MOST_ROWS: usize = 256;

/// The observations in the order of their labels, with the columns of their random effects.
pub(super) struct Cells {
    /// The observation at each place.
    order: Vec<usize>,
    /// The columns of all factors, those of the first one first.
    columns: DMatrix<f64>,
    /// Number of columns of the first factor.
    n_first: usize,
    cells: Vec<Cell>,
}

/// Neighbours with the same labels.
pub(super) struct Cell {
    pub rows: Range<usize>,
    /// Place at which the effects of its label begin among those of the first factor.
    first: usize,
    /// Places of the effects of its labels among those of the other factors, one place for each of their columns.
    rest: Vec<usize>,
}

impl Cells {
    pub fn new(layout: &Layout, n: usize) -> Self {
        let widths: Vec<usize> = layout.row_buffer().iter().map(Vec::len).collect();
        let places = |row: usize| (0..widths.len()).map(move |factor| layout.place(factor, row));
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&left, &right| places(left).cmp(places(right)));
        let mut columns = DMatrix::zeros(n, widths.iter().sum());
        let mut z = layout.row_buffer();
        for (place, &row) in order.iter().enumerate() {
            layout.fill_row(row, &mut z);
            z.iter().flatten().enumerate().for_each(|(column, value)| columns[(place, column)] = *value);
        }
        let mut cells = Vec::new();
        let mut from = 0;
        for group in order.chunk_by(|&left, &right| places(left).eq(places(right))) {
            for part in group.chunks(MOST_ROWS) {
                let of_factor = |(width, place): (&usize, usize)| place..place + width;
                let rest = widths.iter().zip(places(part[0])).skip(1).flat_map(of_factor).collect();
                cells.push(Cell { rows: from..from + part.len(), first: layout.place(0, part[0]), rest });
                from += part.len();
            }
        }
        Self { order, columns, n_first: widths[0], cells }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Cell> {
        self.cells.iter()
    }

    /// Number of random effects of an observation.
    pub fn width(&self) -> usize {
        self.columns.ncols()
    }

    /// Values of the observations in the order of the cells.
    pub fn sorted(&self, values: &[f64]) -> Vec<f64> {
        self.order.iter().map(|&row| values[row]).collect()
    }

    /// A column of the random effects in a cell.
    #[inline(always)]
    pub fn column(&self, cell: &Cell, column: usize) -> &[f64] {
        let n = self.columns.nrows();
        &self.columns.as_slice()[column * n..][cell.rows.clone()]
    }

    /// The effects of a cell.
    #[inline(always)]
    pub fn copy_effects(&self, cell: &Cell, effects: &Effects, of_cell: &mut [f64]) {
        let (first, rest) = of_cell.split_at_mut(self.n_first);
        first.copy_from_slice(&effects.first.as_slice()[cell.first..][..self.n_first]);
        rest.iter_mut().zip(&cell.rest).for_each(|(effect, &place)| *effect = effects.rest[place]);
    }

    /// Adds to each observation of a cell what its effects make of its columns.
    #[inline(always)]
    pub fn add_random_part(&self, cell: &Cell, effects: &[f64], values: &mut [f64]) {
        effects.iter().enumerate().for_each(|(column, &effect)| add(effect, self.column(cell, column), values));
    }

    /// Adds to the effects of a cell the products of its columns with `values`.
    #[inline(always)]
    pub fn add_products(&self, cell: &Cell, values: &[f64], effects: &mut Effects) {
        for column in 0..self.width() {
            let product = dot(self.column(cell, column), values);
            match column.checked_sub(self.n_first) {
                None => effects.first[cell.first + column] += product,
                Some(rest) => effects.rest[cell.rest[rest]] += product,
            }
        }
    }

    /// Adds to the sums the weighted products of a cell's columns; of the products of other factors than the first only
    /// the lower triangle.
    #[inline(always)]
    pub fn add_squares(&self, cell: &Cell, weights: &[f64], sums: &mut Sums) {
        let mut room = [0.0; MOST_ROWS];
        let weighted = &mut room[..weights.len()];
        for left in 0..self.width() {
            let column = self.column(cell, left);
            weighted.iter_mut().zip(column).zip(weights).for_each(|((entry, value), weight)| *entry = value * weight);
            for right in 0..=left {
                let product = dot(self.column(cell, right), weighted);
                match (left.checked_sub(self.n_first), right.checked_sub(self.n_first)) {
                    (None, _) => {
                        sums.first[(cell.first + left, right)] += product;
                        if left != right {
                            sums.first[(cell.first + right, left)] += product;
                        }
                    }
                    (Some(rest), None) => sums.first_by_rest[(cell.first + right, cell.rest[rest])] += product,
                    (Some(rest), Some(other)) => sums.rest[(cell.rest[rest], cell.rest[other])] += product,
                }
            }
        }
    }

    /// For each observation of a cell the quadratic form of its columns in the covariance of their effects.
    pub fn variances(&self, cell: &Cell, covariance: &Covariance, variances: &mut [f64]) {
        let mut room = [0.0; MOST_ROWS];
        let half = &mut room[..variances.len()];
        variances.fill(0.0);
        for left in 0..self.width() {
            half.fill(0.0);
            for right in 0..left {
                add(2.0 * self.covariance(cell, covariance, left, right), self.column(cell, right), half);
            }
            let column = self.column(cell, left);
            add(self.covariance(cell, covariance, left, left), column, half);
            variances.iter_mut().zip(&*half).zip(column).for_each(|((sum, half), value)| *sum += half * value);
        }
    }

    /// The sum of two columns of a cell, the second not behind the first.
    fn covariance(&self, cell: &Cell, covariance: &Covariance, left: usize, right: usize) -> f64 {
        match (left.checked_sub(self.n_first), right.checked_sub(self.n_first)) {
            (None, _) => covariance.first[(cell.first + left, right)],
            (Some(rest), None) => covariance.rest_by_first[(cell.rest[rest], cell.first + right)],
            (Some(rest), Some(other)) => covariance.rest[(cell.rest[rest], cell.rest[other])],
        }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::DVector;

    use super::super::design::{Design, Grouping, RandomTerm};
    use super::*;

    const N: usize = 60;

    /// Slopes of six people, of whom some make many moves of a level, and intercepts of three levels.
    fn layout() -> Layout {
        let labels = |label: fn(usize) -> usize| (0..N).map(|row| label(row).to_string()).collect::<Vec<String>>();
        let x: Vec<f64> = (0..N).map(|row| (row * 17 % 23) as f64 / 5.0 - 2.0).collect();
        let effects = Design::with_intercept(N).numeric("x", &x).unwrap();
        let people = Grouping::new("person", &labels(|row| row * row % 11));
        let levels = Grouping::new("level", &labels(|row| row % 3));
        let slopes = RandomTerm { grouping: people, effects, correlated: true };
        Layout::new(&[slopes, RandomTerm::intercepts(levels)], 0).unwrap()
    }

    #[test]
    fn sums_over_cells_are_those_over_observations() {
        let (layout, weights) = (layout(), DVector::from_fn(N, |row, _| 0.1 + (row % 7) as f64));
        let cells = Cells::new(&layout, N);
        assert_eq!(cells.iter().map(|cell| cell.rows.len()).sum::<usize>(), N);
        let (sorted, mut sums) = (cells.sorted(weights.as_slice()), layout.no_sums());
        cells.iter().for_each(|cell| cells.add_squares(cell, &sorted[cell.rows.clone()], &mut sums));
        sums.rest.fill_upper_triangle_with_lower_triangle();
        let expected = layout.sums(&DMatrix::zeros(N, 0), &DVector::zeros(N), Some(&weights));
        let n_rest = layout.n_rest();
        assert!((&sums.first - &expected.first).amax() < 1e-12);
        assert!((&sums.first_by_rest - expected.first_by_rest.columns(0, n_rest)).amax() < 1e-12);
        assert!((&sums.rest - expected.rest.view((0, 0), (n_rest, n_rest))).amax() < 1e-12);
    }

    #[test]
    fn variances_are_what_solving_the_equations_for_each_observation_gives() {
        let layout = layout();
        let cells = Cells::new(&layout, N);
        let mut sums = layout.no_sums();
        cells.iter().for_each(|cell| cells.add_squares(cell, &vec![0.7; cell.rows.len()], &mut sums));
        sums.rest.fill_upper_triangle_with_lower_triangle();
        let equations = layout.equations(&sums, &[0.9, -0.4, 0.3, 1.2]).unwrap();
        let covariance = layout.covariance(&equations).unwrap();
        for cell in cells.iter() {
            let mut variances = vec![0.0; cell.rows.len()];
            cells.variances(cell, &covariance, &mut variances);
            for (place, variance) in variances.into_iter().enumerate() {
                let mut unit = vec![0.0; cell.rows.len()];
                unit[place] = 1.0;
                let mut z = layout.no_effects();
                cells.add_products(cell, &unit, &mut z);
                let right = layout.transposed(&equations.lambda, &z);
                let solved = layout.solve(&equations, &right).unwrap();
                let expected = right.first.dot(&solved.first) + right.rest.dot(&solved.rest);
                assert!((variance - expected).abs() < 1e-12, "{variance} for {expected}");
            }
        }
    }
}

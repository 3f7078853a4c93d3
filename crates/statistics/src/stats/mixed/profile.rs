//! The profiled deviance of a model with crossed random intercepts.
//!
//! With θ given, the random effects, the fixed effects and the residual variance that maximise the
//! likelihood follow from one Cholesky factor (Bates, Mächler, Bolker & Walker, 2015, *Journal of
//! Statistical Software*, 67(1), section 3). Here all sums over observations are formed once. The
//! block of the factor with the most labels is diagonal and is eliminated by its Schur complement,
//! so that the Cholesky factor is as wide as the other factors and the fixed effects together.
//!
//! The fixed effects are replaced by an orthogonal basis of the same space and the response by its
//! residuals from it, in units of their standard deviation: numbers far from zero lose no digits.

use nalgebra::{Cholesky, DMatrix, DVector};

use super::basis::Basis;
use super::design::{Design, Grouping};
use super::{Criterion, MOST_WORK, undefined};
use crate::stats::NotEstimable;

/// All sums over observations that the deviance needs.
pub(super) struct Problem {
    pub criterion: Criterion,
    pub n: usize,
    /// Number of fixed effects.
    pub p: usize,
    /// The factors by falling number of labels, as places in the caller's list.
    order: Vec<usize>,
    /// See [`Problem::width`].
    widths: Vec<f64>,
    /// Number of observations of each label of the first of them.
    first_sizes: Vec<f64>,
    /// For each label of the other factors, its factor's place in `order`.
    factor_of_row: Vec<usize>,
    /// Labels of the first factor × (labels of the others, fixed effects, response).
    first_by_rest: DMatrix<f64>,
    /// Products of (labels of the others, fixed effects, response) among themselves.
    rest: DMatrix<f64>,
    /// The fixed effects in the basis that stands for them in the sums.
    basis: Basis,
    /// Coefficients, in the basis, of the least-squares fit that was taken off the response.
    least_squares: DVector<f64>,
    /// What the rest of the response was divided by.
    scale: f64,
}

/// What follows from one θ.
pub(super) struct Solution {
    /// −2 log likelihood, restricted or not, at the best residual variance.
    pub deviance: f64,
    /// The part of the deviance that depends on neither residual variance nor residuals.
    pub log_determinant: f64,
    /// Penalised sum of squares of the residuals, in units of [`Problem::scale`] squared.
    pub sum_of_squares: f64,
    factor: DMatrix<f64>,
}

impl Problem {
    pub fn new(y: &[f64], design: &Design, groupings: &[Grouping], criterion: Criterion) -> Result<Self, NotEstimable> {
        let (n, p) = (y.len(), design.columns().len());
        let mut order: Vec<usize> = (0..groupings.len()).collect();
        order.sort_by_key(|&place| std::cmp::Reverse(groupings[place].labels.len()));
        let n_labels: usize = order[1..].iter().map(|&place| groupings[place].labels.len()).sum();
        check_work(groupings[order[0]].labels.len(), n_labels + p + 1)?;
        let basis = Basis::new(design).map_err(undefined)?;
        let (residuals, least_squares) = basis.residuals(y);
        let scale = residuals.norm() / (n as f64).sqrt();
        let largest = y.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        if scale <= 1e-13 * largest {
            return Err(undefined("the fixed effects alone leave no variance".to_owned()));
        }
        let ordered: Vec<&Grouping> = order.iter().map(|&place| &groupings[place]).collect();
        let (first_by_rest, rest) = sums(&ordered, &basis, &(residuals / scale));
        let factor_of_row = (1..ordered.len()).flat_map(|k| vec![k; ordered[k].labels.len()]).collect();
        let first_sizes = ordered[0].sizes().into_iter().map(|size| size as f64).collect();
        let largest = |grouping: &Grouping| grouping.sizes().into_iter().max().unwrap_or(1) as f64;
        let widths = groupings.iter().map(|grouping| 1.0 / largest(grouping).sqrt()).collect();
        Ok(Self {
            criterion,
            n,
            p,
            order,
            widths,
            first_sizes,
            factor_of_row,
            first_by_rest,
            rest,
            basis,
            least_squares,
            scale,
        })
    }

    /// Number of observations less the fixed effects that the criterion accounts for.
    pub fn df(&self) -> f64 {
        match self.criterion {
            Criterion::Reml => (self.n - self.p) as f64,
            Criterion::Ml => self.n as f64,
        }
    }

    /// Standard deviation of the response around the least-squares fit, the unit of the solutions.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// How near to 0 the θ of a caller's factor must be for its square to act linearly: 1 / √n of
    /// its largest group of n observations. The deviance is analytic in a circle of this radius
    /// around 0.
    pub fn width(&self, factor: usize) -> f64 {
        self.widths[factor]
    }

    /// A step for numerical derivatives: a tenth of the distance to the nearest pole of the deviance.
    pub fn step(&self, factor: usize, theta: f64) -> f64 {
        0.1 * theta.hypot(self.width(factor))
    }

    /// The solution for standard deviations `theta` of the random intercepts relative to the
    /// residual's, in the order of the caller's factors; absent where the numbers break down.
    /// Only the sizes of `theta` count, so that derivatives may step across 0.
    pub fn solve(&self, theta: &[f64]) -> Option<Solution> {
        let theta: Vec<f64> = self.order.iter().map(|&place| theta[place].abs()).collect();
        let shrunk = self.shrinkage(theta[0]);
        let mut scaled = self.first_by_rest.clone();
        for mut column in scaled.column_iter_mut() {
            column.iter_mut().zip(&shrunk).for_each(|(value, weight)| *value *= weight.sqrt());
        }
        let explained = scaled.transpose() * &scaled;
        let width = self.rest.ncols();
        let n_labels = self.factor_of_row.len();
        let scale = |place: usize| self.factor_of_row.get(place).map_or(1.0, |&k| theta[k]);
        let mut matrix = DMatrix::zeros(width, width);
        for left in 0..width {
            for right in left..width {
                let own = self.rest[(right, left)] - explained[(right, left)];
                matrix[(right, left)] = own * scale(left) * scale(right);
            }
            if left < n_labels {
                matrix[(left, left)] += 1.0;
            }
        }
        let factor = Cholesky::new(matrix)?.unpack();
        self.finish(theta[0], factor)
    }

    fn finish(&self, theta: f64, factor: DMatrix<f64>) -> Option<Solution> {
        let n_labels = self.factor_of_row.len();
        let log_squares = |rows: std::ops::Range<usize>| rows.map(|row| 2.0 * factor[(row, row)].ln()).sum::<f64>();
        let mut log_determinant: f64 = self.first_sizes.iter().map(|size| (theta * theta * size).ln_1p()).sum();
        log_determinant += log_squares(0..n_labels);
        if self.criterion == Criterion::Reml {
            log_determinant += log_squares(n_labels..n_labels + self.p);
            log_determinant += (0..self.p).map(|row| 2.0 * self.basis.r[(row, row)].abs().ln()).sum::<f64>();
        }
        let last = factor.nrows() - 1;
        let sum_of_squares = factor[(last, last)].powi(2);
        let df = self.df();
        let variance = sum_of_squares / df * self.scale.powi(2);
        let deviance = log_determinant + df * (1.0 + (std::f64::consts::TAU * variance).ln());
        deviance.is_finite().then_some(Solution { deviance, log_determinant, sum_of_squares, factor })
    }

    /// θ² / (1 + θ² n) for each label of the first factor.
    fn shrinkage(&self, theta: f64) -> Vec<f64> {
        let square = theta * theta;
        self.first_sizes.iter().map(|size| square / (1.0 + square * size)).collect()
    }

    /// Covariance of the fixed effects as given, divided by the residual variance.
    pub fn fixed_covariance(&self, solution: &Solution) -> Option<DMatrix<f64>> {
        let n_labels = self.factor_of_row.len();
        let own = solution.factor.view((n_labels, n_labels), (self.p, self.p));
        // Both triangles: x = (own' r)⁻¹ has x x' as the covariance.
        let inverse = own.transpose().solve_upper_triangular(&DMatrix::identity(self.p, self.p))?;
        let inverse = self.basis.of_design(&inverse);
        Some(&inverse * inverse.transpose())
    }

    /// The fixed effects as given, and for each of the caller's factors the conditional modes of
    /// its labels, in the unit of the response.
    pub fn effects(&self, solution: &Solution, theta: &[f64]) -> Option<(DVector<f64>, Vec<Vec<f64>>)> {
        let last = solution.factor.nrows() - 1;
        let n_labels = self.factor_of_row.len();
        let upper = solution.factor.view((0, 0), (last, last)).transpose();
        let right = solution.factor.view((last, 0), (1, last)).transpose();
        let mut found: DVector<f64> = upper.solve_upper_triangular(&right)?.column(0).into_owned();
        let in_basis = &self.least_squares + found.rows(n_labels, self.p) * self.scale();
        let fixed = self.basis.of_design(&DMatrix::from_column_slice(self.p, 1, in_basis.as_slice()));
        let fixed = DVector::from_column_slice(fixed.as_slice());
        for (place, &factor) in self.factor_of_row.iter().enumerate() {
            found[place] *= theta[self.order[factor]];
        }
        let mut modes = vec![Vec::new(); self.order.len()];
        let explained = self.first_by_rest.columns(0, last) * &found;
        let unexplained = self.first_by_rest.column(last) - explained;
        let shrunk = self.shrinkage(theta[self.order[0]]);
        modes[self.order[0]] =
            unexplained.iter().zip(shrunk).map(|(sum, weight)| weight * sum * self.scale()).collect();
        for (&factor, mode) in self.factor_of_row.iter().zip(found.iter()) {
            modes[self.order[factor]].push(mode * self.scale());
        }
        Some((fixed, modes))
    }
}

/// The two matrices of sums of [`Problem`], the lower triangle of the second.
fn sums(groupings: &[&Grouping], basis: &Basis, response: &DVector<f64>) -> (DMatrix<f64>, DMatrix<f64>) {
    let (first, others) = (groupings[0], &groupings[1..]);
    let p = basis.columns.ncols();
    let n_labels: usize = others.iter().map(|grouping| grouping.labels.len()).sum();
    let width = n_labels + p + 1;
    let mut first_by_rest = DMatrix::zeros(first.labels.len(), width);
    let mut rest = DMatrix::zeros(width, width);
    // The columns in which an observation is not 0, ascending, and its value there.
    let mut own: Vec<(usize, f64)> = Vec::with_capacity(width);
    for row in 0..response.len() {
        own.clear();
        let mut offset = 0;
        for grouping in others {
            own.push((offset + grouping.codes[row], 1.0));
            offset += grouping.labels.len();
        }
        own.extend((0..p).map(|column| (offset + column, basis.columns[(row, column)])));
        own.push((offset + p, response[row]));
        for (number, &(right, value)) in own.iter().enumerate() {
            first_by_rest[(first.codes[row], right)] += value;
            for &(left, other) in &own[..=number] {
                rest[(right, left)] += value * other;
            }
        }
    }
    (first_by_rest, rest)
}

/// Refuses problems whose single evaluation would take seconds.
fn check_work(first: usize, width: usize) -> Result<(), NotEstimable> {
    let work = (first as f64 + width as f64) * (width as f64).powi(2);
    if work <= MOST_WORK {
        return Ok(());
    }
    let value = format!("{first} labels of the largest factor and {width} other labels and columns");
    let allowed = "such that (a + b) b² is at most 2,000,000,000 for a labels of the largest factor and b others";
    Err(NotEstimable::OutOfRange { quantity: "the size of the mixed model", value, allowed })
}

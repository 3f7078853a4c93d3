//! The equations of the random effects, factorised.
//!
//! They are block-diagonal in the effects of the first factor, which are eliminated label by label; what remains is as
//! large as the effects of the other factors, and what else is in the equations, together.

use nalgebra::{Cholesky, DMatrix, DMatrixView, DVector};

use super::layout::{Effects, Layout, Sums};

/// The factorised equations of the random effects, fixed effects, and response.
pub(in crate::stats) struct Equations {
    /// The relative covariance factor of each factor.
    pub lambda: Vec<DMatrix<f64>>,
    /// Cholesky factors of the blocks of the first factor's labels, one below the other.
    pub first: DMatrix<f64>,
    /// Its product with the columns of the others.
    pub first_by_rest: DMatrix<f64>,
    /// Products of the others without what the first factor explains, not yet multiplied by λ.
    pub remainder: DMatrix<f64>,
    /// Its Cholesky factor, multiplied by λ and with the penalty.
    pub rest: DMatrix<f64>,
}

/// Covariance of the random effects: of those of each label of the first factor among themselves, one block below the
/// other, of the others with these, and of the others.
pub(in crate::stats) struct Covariance {
    pub first: DMatrix<f64>,
    pub rest_by_first: DMatrix<f64>,
    pub rest: DMatrix<f64>,
}

impl Equations {
    /// Logarithm of the squared determinant of the random effects' equations.
    pub fn log_determinant(&self, n_rest: usize) -> f64 {
        let q = self.first.ncols();
        let first: f64 = (0..self.first.nrows()).map(|row| 2.0 * self.first[(row, row % q)].ln()).sum();
        first + self.log_squares(0..n_rest)
    }

    /// Sum of the logarithms of squares on the diagonal of the factor of the rest.
    pub fn log_squares(&self, rows: std::ops::Range<usize>) -> f64 {
        rows.map(|row| 2.0 * self.rest[(row, row)].ln()).sum()
    }
}

impl Layout {
    /// The factorised equations of the effects and of the fixed effects for relative covariance factors `theta`; absent
    /// where the numbers break down.
    pub fn equations(&self, sums: &Sums, theta: &[f64]) -> Option<Equations> {
        let lambda = self.lambda(theta);
        let first_lambda = &lambda[0];
        let q = first_lambda.nrows();
        let transposed = first_lambda.transpose();
        let mut first = DMatrix::zeros(sums.first.nrows(), q);
        let mut first_by_rest = DMatrix::zeros(sums.first_by_rest.nrows(), sums.first_by_rest.ncols());
        for row in (0..first.nrows()).step_by(q) {
            // Plus the identity: with spherical effects the equations are positive definite for every θ, 0 included.
            // In terms of the effects themselves, a variance of 0 would have no inverse.
            let block = &transposed * sums.first.rows(row, q) * first_lambda + DMatrix::identity(q, q);
            let factor = Cholesky::new(block)?.unpack();
            let columns = &transposed * sums.first_by_rest.rows(row, q);
            // Label by label: there is no product of two labels of one factor, so the first factor is eliminated in
            // linear time, and only the others are dense.
            first_by_rest.rows_mut(row, q).copy_from(&factor.solve_lower_triangular(&columns)?);
            first.rows_mut(row, q).copy_from(&factor);
        }
        let remainder = &sums.rest - first_by_rest.transpose() * &first_by_rest;
        let mut matrix = self.scaled_rows(&lambda, &remainder).transpose();
        matrix = self.scaled_rows(&lambda, &matrix);
        (0..self.n_rest()).for_each(|place| matrix[(place, place)] += 1.0);
        let rest = Cholesky::new(matrix)?.unpack();
        Some(Equations { lambda, first, first_by_rest, remainder, rest })
    }

    /// The spherical effects and, beside them, the fixed effects that solve the equations.
    pub fn solution(&self, equations: &Equations) -> Option<(Effects, DVector<f64>)> {
        let last = equations.rest.nrows() - 1;
        let n_rest = self.n_rest();
        let upper = equations.rest.view((0, 0), (last, last)).transpose();
        let right = equations.rest.view((last, 0), (1, last)).transpose();
        let solved: DVector<f64> = upper.solve_upper_triangular(&right)?.column(0).into_owned();
        let (rest, fixed) = (solved.rows(0, n_rest).into_owned(), solved.rows(n_rest, last - n_rest).into_owned());
        let mut effects = Effects { first: DVector::zeros(equations.first.nrows()), rest };
        let scaled = self.scaled(&equations.lambda, &effects).rest;
        let columns = &equations.first_by_rest;
        let left = columns.column(last)
            - columns.columns(0, n_rest) * scaled
            - columns.columns(n_rest, last - n_rest) * &fixed;
        let q = equations.first.ncols();
        for row in (0..left.len()).step_by(q) {
            let upper = equations.first.rows(row, q).transpose();
            effects.first.rows_mut(row, q).copy_from(&upper.solve_upper_triangular(&left.rows(row, q))?);
        }
        Some((effects, fixed))
    }

    /// The inverse of the random effects' equations times a vector, both of spherical effects.
    pub fn solve(&self, equations: &Equations, right: &Effects) -> Option<Effects> {
        let (q, n_rest) = (equations.first.ncols(), self.n_rest());
        let columns = equations.first_by_rest.columns(0, n_rest);
        let factor = equations.rest.view((0, 0), (n_rest, n_rest));
        let Effects { mut first, mut rest } = right.clone();
        for row in (0..first.len()).step_by(q) {
            let block = equations.first.rows(row, q);
            block.solve_lower_triangular_mut(&mut first.rows_mut(row, q)).then_some(())?;
        }
        let mut explained = columns.tr_mul(&first);
        self.scale_rest(&equations.lambda, explained.as_mut_slice());
        rest -= explained;
        let is_solved = factor.solve_lower_triangular_mut(&mut rest) && factor.tr_solve_lower_triangular_mut(&mut rest);
        let mut solved = is_solved.then_some(Effects { first, rest })?;
        let scaled = self.scaled(&equations.lambda, &solved).rest;
        solved.first.gemv(-1.0, &columns, &scaled, 1.0);
        for row in (0..solved.first.len()).step_by(q) {
            let block = equations.first.rows(row, q);
            block.tr_solve_lower_triangular_mut(&mut solved.first.rows_mut(row, q)).then_some(())?;
        }
        Some(solved)
    }

    /// Covariance of the effects whose equations these are, in units of the residual variance.
    pub fn covariance(&self, equations: &Equations) -> Option<Covariance> {
        let (q, n_rest) = (equations.first.ncols(), self.n_rest());
        let lambda = &equations.lambda;
        let factor = equations.rest.view((0, 0), (n_rest, n_rest));
        let by_rest_alone =
            factor.solve_lower_triangular(&self.scaled_rows(lambda, &DMatrix::identity(n_rest, n_rest)))?;
        let columns = equations.first_by_rest.columns(0, n_rest).transpose();
        let mut shared = factor.solve_lower_triangular(&self.scaled_rows(lambda, &columns))?;
        let mut first = DMatrix::zeros(equations.first.nrows(), q);
        let transposed = lambda[0].transpose();
        for row in (0..first.nrows()).step_by(q) {
            let by_first = equations.first.rows(row, q).solve_lower_triangular(&transposed)?;
            let by_rest = shared.columns(row, q) * &by_first;
            first.rows_mut(row, q).copy_from(&(by_first.tr_mul(&by_first) + by_rest.tr_mul(&by_rest)));
            shared.columns_mut(row, q).copy_from(&by_rest);
        }
        Some(Covariance {
            first,
            rest_by_first: -by_rest_alone.tr_mul(&shared),
            rest: by_rest_alone.tr_mul(&by_rest_alone),
        })
    }

    /// For each factor the sum over its labels of the blocks of Z′PZ, by which the deviance depends on ΛΛ′: the products of
    /// their columns without what the equations explain of them. `counts` tells how much each row of the rest of the
    /// equations counts.
    pub fn unexplained(&self, sums: &Sums, equations: &Equations, counts: &DVector<f64>) -> Option<Vec<DMatrix<f64>>> {
        let explained = |solved: DMatrixView<'_, f64>| {
            let mut counted = solved.into_owned();
            counted.column_iter_mut().for_each(|mut column| column.component_mul_assign(counts));
            solved.tr_mul(&counted)
        };
        let (q, transposed) = (equations.first.ncols(), equations.lambda[0].transpose());
        let mut totals = self.lambda(&[]);
        let mut columns = DMatrix::zeros(counts.len(), equations.first.nrows());
        for row in (0..equations.first.nrows()).step_by(q) {
            let products = sums.first.rows(row, q);
            let by_first = equations.first.rows(row, q).solve_lower_triangular(&(&transposed * products))?;
            let others = sums.first_by_rest.rows(row, q).transpose();
            let others = others - equations.first_by_rest.rows(row, q).tr_mul(&by_first);
            columns.columns_mut(row, q).copy_from(&others);
            totals[0] += products - by_first.tr_mul(&by_first);
        }
        let solved = equations.rest.solve_lower_triangular(&self.scaled_rows(&equations.lambda, &columns))?;
        (0..solved.ncols()).step_by(q).for_each(|from| totals[0] -= explained(solved.columns(from, q)));
        let scaled = self.scaled_rows(&equations.lambda, &equations.remainder);
        let solved = equations.rest.solve_lower_triangular(&scaled)?;
        for (factor, row, q) in self.rest_blocks() {
            totals[factor] += equations.remainder.view((row, row), (q, q)) - explained(solved.columns(row, q));
        }
        Some(totals)
    }
}

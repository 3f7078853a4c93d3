//! The deviance of a linear mixed model as a function of θ, after Bates et al. (2015), section 3.
//!
//! y depends on the data only through sums over observations, which are taken once. The matrix
//! of the mixed-model equations is block-diagonal in the effects of the factor with the most of them, which are
//! therefore eliminated label by label; what remains is as large as the effects of the other factors and the
//! fixed effects together. The fixed effects are replaced by an orthogonal basis of the same space, so are those of
//! each random term, and the response by its residuals from it, in units of their standard deviation: numbers far
//! from zero lose no digits, and all θ have the same unit.

use nalgebra::{DMatrix, DVector};

use super::basis::Basis;
use super::design::{Design, RandomTerm};
use super::equations::Equations;
use super::layout::{Layout, Sums};
use crate::not_estimable::NotEstimable;
use crate::stats::mixed::effects::{Criterion, undefined};

/// All that the deviance needs.
pub(super) struct Problem {
    pub criterion: Criterion,
    pub n: usize,
    /// Number of fixed effects.
    pub p: usize,
    /// The random effects.
    pub layout: Layout,
    sums: Sums,
    /// The fixed effects in the basis that stands for them in the sums.
    pub basis: Basis,
    /// Coefficients, in the basis, of the least-squares fit that was taken off the response.
    least_squares: DVector<f64>,
    /// Divisor of the rest of the response.
    scale: f64,
}

/// Solution for one θ.
pub(super) struct Solution {
    /// −2 log likelihood, restricted or not, at the best residual variance.
    pub deviance: f64,
    /// Penalised sum of squares of the residuals, in units of [`Problem::scale`] squared.
    pub sum_of_squares: f64,
    equations: Equations,
}

impl Problem {
    pub fn new(y: &[f64], design: &Design, terms: &[RandomTerm], criterion: Criterion) -> Result<Self, NotEstimable> {
        let (n, p) = (y.len(), design.names().len());
        let layout = Layout::new(terms, p)?;
        let basis = Basis::new(design).map_err(undefined)?;
        let (residuals, least_squares) = basis.residuals(y);
        let scale = residuals.norm() / (n as f64).sqrt();
        let largest = y.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        if scale <= 1e-13 * largest {
            return Err(undefined("the fixed effects alone leave no variance".to_owned()));
        }
        let sums = layout.sums(&basis.columns, &(residuals / scale), None);
        Ok(Self { criterion, n, p, layout, sums, basis, least_squares, scale })
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

    /// The solution for relative covariance factors `theta`; absent where the numbers break down. A column of a factor
    /// can have either sign, so that derivatives may step across 0.
    pub fn solve(&self, theta: &[f64]) -> Option<Solution> {
        let equations = self.layout.equations(&self.sums, theta)?;
        let n_effects = self.layout.n_rest();
        let mut log_determinant = equations.log_determinant(n_effects);
        if self.criterion == Criterion::Reml {
            log_determinant += equations.log_squares(n_effects..n_effects + self.p);
            log_determinant += (0..self.p).map(|row| 2.0 * self.basis.r[(row, row)].abs().ln()).sum::<f64>();
        }
        let last = equations.rest.nrows() - 1;
        let sum_of_squares = equations.rest[(last, last)].powi(2);
        let df = self.df();
        let variance = sum_of_squares / df * self.scale.powi(2);
        let deviance = log_determinant + df * (1.0 + (std::f64::consts::TAU * variance).ln());
        deviance.is_finite().then_some(Solution { deviance, sum_of_squares, equations })
    }

    /// Derivatives in θ of the deviance where the residual variance is `sum_of_squares / df`: with the problem's own
    /// degrees of freedom those of the profiled deviance.
    ///
    /// With P for the projection of the mixed-model equations, that of log |V| in V (of the restricted one) is the trace
    /// of P dV, and that of the sum of squares −y′P dV P y (Harville, 1977, *Journal of the American Statistical
    /// Association*, 72, 320–338). As dV is Z dΛΛ′ Z′ and alike for all labels, the diagonal blocks of Z′PZ are enough.
    pub fn slopes(&self, theta: &[f64], solution: &Solution, df: f64) -> Option<Vec<f64>> {
        let equations = &solution.equations;
        let last = equations.rest.nrows() - 1;
        let n_projected = if self.criterion == Criterion::Reml { last } else { self.layout.n_rest() };
        let mut counts = DVector::zeros(last + 1);
        counts.rows_mut(0, n_projected).fill(1.0);
        counts[last] = df;
        let totals = self.layout.unexplained(&self.sums, equations, &counts)?;
        let products: Vec<DMatrix<f64>> =
            totals.iter().zip(&equations.lambda).map(|(total, lambda)| total * lambda * 2.0).collect();
        let slopes: Vec<f64> =
            self.layout.entries().map(|entry| products[entry.factor][(entry.row, entry.column)]).collect();
        (slopes.len() == theta.len() && slopes.iter().all(|slope| slope.is_finite())).then_some(slopes)
    }

    /// Covariance of the fixed effects as given, divided by the residual variance.
    pub fn fixed_covariance(&self, solution: &Solution) -> Option<DMatrix<f64>> {
        let n_effects = self.layout.n_rest();
        let of_fixed = solution.equations.rest.view((n_effects, n_effects), (self.p, self.p));
        // Both triangles: x = (own' r)⁻¹ has x x' as the covariance.
        let inverse = of_fixed.transpose().solve_upper_triangular(&DMatrix::identity(self.p, self.p))?;
        let inverse = self.basis.of_design(&inverse);
        Some(&inverse * inverse.transpose())
    }

    /// The fixed effects as given, and for each random term the conditional modes of its labels, one row for each, in
    /// the unit of the response.
    pub fn effects(&self, solution: &Solution) -> Option<(DVector<f64>, Vec<DMatrix<f64>>)> {
        let (effects, fixed_shift) = self.layout.solution(&solution.equations)?;
        let in_basis = &self.least_squares + fixed_shift * self.scale();
        let fixed = self.basis.of_design(&DMatrix::from_column_slice(self.p, 1, in_basis.as_slice()));
        let scaled = self.layout.scaled(&solution.equations.lambda, &effects);
        let modes = self.layout.of_terms(&scaled).into_iter().map(|modes| modes * self.scale()).collect();
        Some((DVector::from_column_slice(fixed.as_slice()), modes))
    }
}

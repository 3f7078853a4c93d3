//! An orthogonal basis of the columns of a design.

use nalgebra::{DMatrix, DVector, DVectorView};

use super::design::Design;

/// Columns whose part outside of the columns before is smaller than this, relative to their own
/// length, count as combinations of them; the limit of R's `lm`.
const RANK_TOLERANCE: f64 = 1e-7;

/// The columns of the design are `columns · r`. Numbers far from zero lose no digits in it.
pub(in crate::stats) struct Basis {
    /// Orthogonal, each of length √n, as a column of ones.
    pub columns: DMatrix<f64>,
    /// Upper triangular, without zeros on its diagonal.
    pub r: DMatrix<f64>,
}

impl Basis {
    /// The basis.
    ///
    /// # Errors
    ///
    /// Which column is a combination of the columns before it.
    pub fn new(design: &Design) -> Result<Self, String> {
        let (n, p) = (design.n(), design.names().len());
        let mut basis = Self { columns: DMatrix::zeros(n, p), r: DMatrix::zeros(p, p) };
        let length = (n as f64).sqrt();
        for (place, values) in design.columns().enumerate() {
            let column = DVectorView::from_slice(&values, n);
            let (outside, coefficients) = basis.outside(column, place);
            let norm = outside.norm();
            if norm <= RANK_TOLERANCE * column.norm() || norm == 0.0 {
                return Err(format!("the column {} is a combination of the columns before it", design.names()[place]));
            }
            basis.r.view_mut((0, place), (place, 1)).copy_from(&coefficients);
            basis.r[(place, place)] = norm / length;
            basis.columns.set_column(place, &(outside * (length / norm)));
        }
        Ok(basis)
    }

    /// Remainder of `values` when their least-squares fit is taken off, and the coefficients of
    /// the fit in the basis.
    pub fn residuals(&self, values: &[f64]) -> (DVector<f64>, DVector<f64>) {
        self.outside(DVectorView::from_slice(values, values.len()), self.columns.ncols())
    }

    /// Coefficients of the design's columns from those of the basis, one set in each column.
    pub fn of_design(&self, coefficients: &DMatrix<f64>) -> DMatrix<f64> {
        self.r.solve_upper_triangular(coefficients).expect("no element of the diagonal is 0")
    }

    /// The part of `values` outside of the first columns of the basis, and the coefficients of the part
    /// inside. The second pass takes back the rounding of the first.
    fn outside(&self, values: DVectorView<'_, f64>, n_columns: usize) -> (DVector<f64>, DVector<f64>) {
        let mut outside = values.into_owned();
        let mut coefficients = DVector::zeros(n_columns);
        let n = outside.len() as f64;
        for _ in 0..2 {
            for (column, total) in self.columns.column_iter().zip(coefficients.iter_mut()) {
                let coefficient = column.dot(&outside) / n;
                outside.axpy(-coefficient, &column, 1.0);
                *total += coefficient;
            }
        }
        (outside, coefficients)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_basis_is_orthogonal_also_far_from_zero() {
        let far = [1e8 + 1.0, 1e8 + 2.0, 1e8 + 5.0, 1e8 + 3.0];
        let design = Design::with_intercept(4).numeric("far", &far).unwrap();
        // The second column differs from the first by less than the limit: they are collinear.
        assert_eq!(Basis::new(&design).err().unwrap(), "the column far is a combination of the columns before it");
        let near = far.map(|x| x - 1e8 + 1e5);
        let design = Design::with_intercept(4).numeric("near", &near).unwrap();
        let basis = Basis::new(&design).unwrap();
        let products = basis.columns.transpose() * &basis.columns;
        assert!((products - DMatrix::identity(2, 2) * 4.0).amax() < 1e-12);
        let (residuals, coefficients) = basis.residuals(&near.map(|x| 3.0 - 2.0 * x));
        assert!(residuals.amax() < 1e-9);
        let slopes = basis.of_design(&DMatrix::from_column_slice(2, 1, coefficients.as_slice()));
        assert!((slopes[0] - 3.0).abs() < 1e-5 && (slopes[1] + 2.0).abs() < 1e-10);
    }
}

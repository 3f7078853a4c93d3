//! Cluster-robust standard errors for few clusters: the bias-reduced linearisation CR2, with Satterthwaite's degrees of
//! freedom.
//!
//! The sandwich of Liang & Zeger (1986) takes residuals for errors. They are smaller, the more so the more a cluster
//! determines the fit. Bell & McCaffrey (2002) multiply the residuals of each cluster by a matrix A, so that the variance
//! is unbiased where the model's own variances V hold. Several matrices do that. This is the symmetric one of Pustejovsky
//! & Tipton (2018), A = V^½ S^−½ V^½ with S = V^½ (V − V X M X′ V) V^½ and the inverse M of the information of all data,
//! as in clubSandwich for a generalised linear model with canonical link. Another one, V^½ (I − V^½ X M X′ V^½)^−½ V^−½,
//! would be symmetric for residuals divided by their standard deviations; where V varies within clusters its standard
//! errors differ by some percent.
//!
//! S has as many rows as the cluster, but is a diagonal less a matrix of rank k, for k coefficients. So each shifted
//! inverse (S + t²)⁻¹ needs a k × k matrix only (Woodbury), and S^−½ is a sum of these
//! ([`inverse_root`](crate::numeric::inverse_root)).
//!
//! Bell & McCaffrey (2002). Bias reduction in standard errors for linear regression with multi-stage samples. *Survey
//! Methodology*, 28, 169–181. Pustejovsky & Tipton (2018). Small-sample methods for cluster-robust variance estimation
//! and hypothesis testing in fixed effects models. *Journal of Business & Economic Statistics*, 36, 672–683.

use nalgebra::{DMatrix, DVector};

use super::clusters::rows_by_group;
use crate::numeric::inverse_root::{Node, inverse_root};

/// Share of the information on a direction, left to all other clusters, below which a cluster alone determines it.
const SMALLEST_REST: f64 = 1e-10;

/// Observations whose variance is less than this share of the largest of their cluster have no weight in S.
const SMALLEST_VARIANCE: f64 = 1e-10;

/// A generalised linear model with canonical link at its maximum.
pub(super) struct LinearisedFit {
    /// A column for each observation, its first value 1 where there is an intercept.
    pub design: DMatrix<f64>,
    /// Variance of each observation by the model.
    pub variances: Vec<f64>,
    /// Outcome less its expectation.
    pub residuals: Vec<f64>,
    /// L of L L′ = M, the inverse of the information.
    pub root: DMatrix<f64>,
}

/// The covariance of the coefficients, and how well the variances of contrasts of them are known.
pub(super) struct BiasReduced {
    pub covariance: DMatrix<f64>,
    /// For each contrast the degrees of freedom of its variance, from 1 to the number of clusters.
    pub df: Vec<f64>,
}

impl LinearisedFit {
    /// The covariance that allows for `clusters`, and the degrees of freedom of the contrasts that are the rows of
    /// `contrasts`. Absent where rounding has made a matrix of a cluster indefinite.
    ///
    /// A direction that one cluster alone determines has no residual variance: the generalised inverse leaves it out, as
    /// in clubSandwich, and the variance is too small by what it should have added. For n observations, G clusters and k
    /// coefficients, time grows with r (n k² + G k³) for the r terms of [`inverse_root`], mostly some 20 and at most 120,
    /// and memory with n k + k³.
    pub fn bias_reduced(&self, clusters: &[usize], contrasts: &DMatrix<f64>) -> Option<BiasReduced> {
        let whitened = contrasts * &self.root;
        let mut spreads: Vec<Spread> = whitened.row_iter().map(|weights| Spread::new(weights.transpose())).collect();
        let k = self.root.nrows();
        let mut meat = DMatrix::zeros(k, k);
        for rows in rows_by_group(clusters) {
            let adjusted = Cluster::new(self, &rows).adjusted()?;
            meat.ger(1.0, &adjusted.score, &adjusted.score, 1.0);
            spreads.iter_mut().for_each(|spread| spread.add(&adjusted));
        }
        let covariance = &self.root * meat * self.root.transpose();
        Some(BiasReduced { covariance, df: spreads.iter().map(Spread::df).collect() })
    }
}

/// A cluster in coordinates in which all data have the information 1, and its own is diagonal.
struct Cluster {
    /// Z: a column for each observation.
    design: DMatrix<f64>,
    /// Variances, the largest of which is 1.
    variances: Vec<f64>,
    /// The largest variance.
    scale: f64,
    residuals: Vec<f64>,
    /// The cluster's share of the information in each direction.
    shares: DVector<f64>,
    /// The share of the others; 0 where the cluster alone determines the direction.
    rests: DVector<f64>,
    /// The directions as columns.
    directions: DMatrix<f64>,
}

/// Contribution of a cluster, in coordinates in which all data have the information 1.
struct Adjusted {
    /// X′ A e of the residuals e.
    score: DVector<f64>,
    /// X′ A V X, the transpose of which maps a contrast to how it depends on the estimates; without the directions that
    /// the cluster alone determines, on which that of no other cluster depends.
    transfer: DMatrix<f64>,
    /// Covariance of the score where the model holds.
    expected: DMatrix<f64>,
}

impl Cluster {
    fn new(fitted: &LinearisedFit, rows: &[usize]) -> Self {
        let of_cluster = |values: &[f64]| rows.iter().map(|&row| values[row]).collect::<Vec<f64>>();
        let (mut variances, residuals) = (of_cluster(&fitted.variances), of_cluster(&fitted.residuals));
        let design = fitted.root.transpose() * fitted.design.select_columns(rows);
        let eigen = weighted(&design, &variances).symmetric_eigen();
        // A share of 1 is one up to rounding: the cluster alone determines this direction, its residuals are 0 there,
        // and their correction would divide 0 by 0.
        let rests = eigen.eigenvalues.map(|share| if 1.0 - share < SMALLEST_REST { 0.0 } else { 1.0 - share });
        // In units of the largest variance the inverse root is sought on an interval up to 1, for which its nodes are
        // made.
        let scale = variances.iter().copied().fold(0.0, f64::max);
        if scale > 0.0 {
            variances.iter_mut().for_each(|variance| *variance /= scale);
        }
        let design = eigen.eigenvectors.transpose() * design;
        let (shares, directions) = (eigen.eigenvalues, eigen.eigenvectors);
        Self { design, variances, scale, residuals, shares, rests, directions }
    }

    fn adjusted(&self) -> Option<Adjusted> {
        let k = self.shares.len();
        // The part of the sum for 1 / √ that does not depend on the design is known: V^−½.
        let mut score = &self.design * DVector::from_column_slice(&self.residuals);
        let mut transfer = DMatrix::zeros(k, k);
        for node in self.nodes() {
            let term = self.term(node)?;
            score += term.score;
            transfer += term.transfer;
        }
        for direction in self.alone() {
            transfer.column_mut(direction).fill(0.0);
        }
        let back = |matrix: &DMatrix<f64>| &self.directions * matrix * self.directions.transpose();
        Some(Adjusted { score: &self.directions * score, transfer: back(&transfer), expected: back(&self.expected()?) })
    }

    /// Terms of S^−½, on the eigenvalues of S that are not 0. These are at least the square of the smallest variance
    /// times the smallest share of the others.
    fn nodes(&self) -> Vec<Node> {
        if self.scale == 0.0 {
            return Vec::new();
        }
        let least = self.variances.iter().copied().fold(1.0, f64::min).max(SMALLEST_VARIANCE);
        let rest = self.rests.iter().copied().filter(|&rest| rest > 0.0).fold(1.0, f64::min);
        inverse_root(least * least * rest)
    }

    /// Part of one term of S^−½ in the score and the transfer. With b = v² / (v² + t²) and D = 1 − Z′ V b Z it is
    /// Z′ b Z D⁻¹ Z′ b e, and Z′ b Z D⁻¹.
    ///
    /// D is computed as what the others leave and Z′ V (1 − b) Z, both positive. In a direction that the cluster alone
    /// determines only the second is left, of the order of t²; so is Z′ b e, since there Z′ e = 0, and it is computed
    /// as −Z′ (1 − b) e. So their quotient keeps its digits for small t.
    fn term(&self, node: Node) -> Option<Term> {
        let inside: Vec<f64> = self.variances.iter().map(|v| v * v / (v * v + node.shift)).collect();
        let outside: Vec<f64> = self.variances.iter().map(|v| node.shift / (v * v + node.shift)).collect();
        let pairs = || outside.iter().zip(&self.variances);
        let of_variance: Vec<f64> = pairs().map(|(outside, variance)| outside * variance * self.scale).collect();
        let left = DMatrix::from_diagonal(&self.rests) + weighted(&self.design, &of_variance);
        let solved = left.cholesky()?.solve(&weighted(&self.design, &inside));
        let of_residuals = |shares: &[f64]| {
            let products = shares.iter().zip(&self.residuals).map(|(share, residual)| share * residual);
            &self.design * DVector::from_iterator(shares.len(), products)
        };
        let mut gradient = of_residuals(&inside);
        let complement = of_residuals(&outside);
        for direction in self.alone() {
            gradient[direction] = -complement[direction];
        }
        // The terms are for variances in units of the largest, in which V² has its square and S^−½ its inverse.
        let transfer = solved.transpose() * (node.weight * self.scale);
        Some(Term { score: &transfer * gradient, transfer })
    }

    /// Directions that the cluster alone determines.
    fn alone(&self) -> Vec<usize> {
        (0..self.rests.len()).filter(|&direction| self.rests[direction] == 0.0).collect()
    }

    /// Covariance of the score where the model holds: the information of the cluster, less what the generalised inverse
    /// leaves out, which lies along the columns of V^−½ Z of directions that it alone determines.
    fn expected(&self) -> Option<DMatrix<f64>> {
        let spread_of_all = DMatrix::from_diagonal(&self.shares);
        let alone = self.design.select_rows(&self.alone());
        if alone.nrows() == 0 {
            return Some(spread_of_all);
        }
        let inverses: Vec<f64> = self.variances.iter().map(|v| 1.0 / (v.max(SMALLEST_VARIANCE) * self.scale)).collect();
        let across = &self.design * alone.transpose();
        Some(spread_of_all - &across * weighted(&alone, &inverses).cholesky()?.solve(&across.transpose()))
    }
}

/// Contribution of one term of S^−½; see [`Adjusted`].
struct Term {
    score: DVector<f64>,
    transfer: DMatrix<f64>,
}

/// The distribution of the variance of one contrast where the model holds: a quadratic form of the residuals whose
/// G × G matrix P has a row for each cluster. Satterthwaite's degrees of freedom are (tr P)² / tr P² (Pustejovsky &
/// Tipton, 2018).
struct Spread {
    /// The contrast.
    weights: DVector<f64>,
    /// tr P.
    trace: f64,
    /// tr P² of the clusters so far.
    squares: f64,
    /// Σ h h′ of the clusters so far: elements of P beside the diagonal are −h′ h of two clusters. Kept as a sum, their
    /// squares need no G × G matrix.
    outer_products: DMatrix<f64>,
}

impl Spread {
    fn new(weights: DVector<f64>) -> Self {
        let k = weights.len();
        Self { weights, trace: 0.0, squares: 0.0, outer_products: DMatrix::zeros(k, k) }
    }

    fn add(&mut self, cluster: &Adjusted) {
        // Pairs of clusters are summed as they come, by what was seen before: a matrix of all pairs would grow with
        // their square.
        let expected = self.weights.dot(&(&cluster.expected * &self.weights));
        let slope = cluster.transfer.tr_mul(&self.weights);
        self.trace += expected;
        self.squares += expected * expected + 2.0 * slope.dot(&(&self.outer_products * &slope));
        self.outer_products.ger(1.0, &slope, &slope, 1.0);
    }

    fn df(&self) -> f64 {
        self.trace * self.trace / self.squares
    }
}

/// Σ weight · x x′ over the columns x.
fn weighted(columns: &DMatrix<f64>, weights: &[f64]) -> DMatrix<f64> {
    let mut scaled = columns.clone();
    for (mut column, weight) in scaled.column_iter_mut().zip(weights) {
        column *= *weight;
    }
    scaled * columns.transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Observations in clusters of the given sizes, with variances from 0.001 to 0.25, or of one value each.
    fn fitted(sizes: &[usize], is_even: bool) -> (LinearisedFit, Vec<usize>) {
        let clusters: Vec<usize> = sizes.iter().enumerate().flat_map(|(cluster, &size)| vec![cluster; size]).collect();
        let wave = |row: usize, speed: f64| (speed * row as f64).sin();
        let design = DMatrix::from_fn(3, clusters.len(), |place, row| match place {
            0 => 1.0,
            1 => wave(row, 0.7) + 0.5 * wave(clusters[row], 2.0),
            _ => f64::from(u8::from(clusters[row].is_multiple_of(2))),
        });
        let log_odds: Vec<f64> = (0..clusters.len())
            .map(|row| if is_even { wave(clusters[row], 1.3) } else { 7.0 * wave(row, 1.1) })
            .collect();
        let variances: Vec<f64> =
            log_odds.iter().map(|odds| 1.0 / ((odds.exp() + 1.0) * ((-odds).exp() + 1.0))).collect();
        let residuals = (0..clusters.len()).map(|row| wave(row + 1, 3.7) * variances[row].sqrt()).collect();
        let root = weighted(&design, &variances).cholesky().unwrap().inverse().cholesky().unwrap().unpack();
        (LinearisedFit { design, variances, residuals, root }, clusters)
    }

    /// X′ A e and X′ A V X by the definition, with S as it stands.
    fn by_definition(fitted: &LinearisedFit, rows: &[usize]) -> (DVector<f64>, DMatrix<f64>) {
        let x = fitted.design.select_columns(rows).transpose();
        let diagonal = |power: f64| {
            DMatrix::from_diagonal(&DVector::from_iterator(
                rows.len(),
                rows.iter().map(|&row| fitted.variances[row].powf(power)),
            ))
        };
        let (v, half) = (diagonal(1.0), diagonal(0.5));
        let covariance = &v * &x * &fitted.root;
        let s = &half * (&v - &covariance * covariance.transpose()) * &half;
        let eigen = s.symmetric_eigen();
        let inverse_root = eigen.eigenvalues.map(|value| if value > 1e-12 { value.powf(-0.5) } else { 0.0 });
        let root = &eigen.eigenvectors * DMatrix::from_diagonal(&inverse_root) * eigen.eigenvectors.transpose();
        let e = DVector::from_iterator(rows.len(), rows.iter().map(|&row| fitted.residuals[row]));
        let a = &half * root * &half;
        (x.transpose() * &a * e, x.transpose() * &a * v * x)
    }

    #[test]
    fn small_matrices_give_what_the_large_one_gives() {
        for is_even in [false, true] {
            let (fitted, clusters) = fitted(&[1, 2, 3, 7, 1, 40, 12], is_even);
            for rows in rows_by_group(&clusters) {
                let cluster = Cluster::new(&fitted, &rows);
                let adjusted = cluster.adjusted().unwrap();
                let (score, transfer) = by_definition(&fitted, &rows);
                let of_root = fitted.root.transpose();
                let (score, transfer) = (&of_root * score, &of_root * transfer * &fitted.root);
                assert!((&adjusted.score - &score).amax() < 1e-11 * score.amax(), "{rows:?}");
                assert!((&adjusted.transfer - &transfer).amax() < 1e-11 * transfer.amax(), "{rows:?}");
            }
        }
    }

    #[test]
    fn the_variance_is_unbiased_where_the_model_holds() {
        let (fitted, clusters) = fitted(&[1, 2, 3, 7, 1, 40, 12], false);
        let mut sum = DMatrix::zeros(3, 3);
        for rows in rows_by_group(&clusters) {
            sum += Cluster::new(&fitted, &rows).adjusted().unwrap().expected;
        }
        assert!((sum - DMatrix::identity(3, 3)).amax() < 1e-12);
    }

    #[test]
    fn observations_that_are_certain_have_no_weight() {
        let (mut fitted, clusters) = fitted(&[4, 5, 9, 6], false);
        let contrasts = DMatrix::identity(3, 3);
        fitted.variances[0] = 0.0;
        fitted.residuals[0] = 0.0;
        fitted.root =
            weighted(&fitted.design, &fitted.variances).cholesky().unwrap().inverse().cholesky().unwrap().unpack();
        let estimate = fitted.bias_reduced(&clusters, &contrasts).unwrap();
        let rest: Vec<usize> = (1..clusters.len()).collect();
        let kept = |values: &[f64]| rest.iter().map(|&row| values[row]).collect::<Vec<f64>>();
        let (variances, residuals) = (kept(&fitted.variances), kept(&fitted.residuals));
        let without =
            LinearisedFit { design: fitted.design.select_columns(&rest), variances, residuals, root: fitted.root };
        let expected = without.bias_reduced(&clusters[1..], &contrasts).unwrap();
        assert!((&estimate.covariance - &expected.covariance).amax() < 1e-9 * expected.covariance.amax());
        for (df, expected_df) in estimate.df.iter().zip(&expected.df) {
            assert!((1.0..=4.0).contains(df) && (df / expected_df - 1.0).abs() < 1e-9);
        }
    }
}

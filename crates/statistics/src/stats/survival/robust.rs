//! Standard errors of a Cox model that allow for clusters of one kind or of two, also where these are few.

use std::collections::{BTreeMap, BTreeSet};

use nalgebra::{DMatrix, DVector};

use super::partial_likelihood::PartialLikelihood;
use crate::not_estimable::{NotEstimable, check_count};
use crate::stats::covariate::{Design, check_robust, sum_by_cluster};

/// The cluster-robust covariance matrix of standardised effects, with degrees of freedom of each of them.
pub(super) struct Robust {
    pub covariance: DMatrix<f64>,
    pub df: Vec<f64>,
}

impl Robust {
    /// The sandwich of Lin & Wei (1989), with clusters of one kind, such as participants, or of two, such as participants
    /// and levels; `plain` is the inverse of the information.
    ///
    /// Of two kinds, variances are those of the first and of the second, less that of clusters that share both (Cameron,
    /// Gelbach & Miller, 2011. Robust inference with multiway clustering. *Journal of Business & Economic Statistics*, 29,
    /// 238–249). The difference can be too small, even negative, in small samples: it is then the larger of the first two.
    ///
    /// A sandwich of few clusters is too small, and itself a guess. Each effect has the degrees of freedom of the units that
    /// its covariate varies over, as in a regression over them. A covariate with one value in each cluster of a kind varies
    /// over these clusters: G clusters less 1, less the number of such covariates. Within the clusters of all kinds, each
    /// cluster of the first has an effect of its own: G − 1. The variance is multiplied by G divided by the degrees of
    /// freedom (Cameron & Miller, 2015, *Journal of Human Resources*, 50, 317–372, section VI; with no covariate that varies
    /// over clusters, their G / (G − 1)). Of a covariate with two values, one of which two or
    /// three clusters have, nearly all of the variance is that of these: the degrees of freedom are then Welch's for groups of
    /// equal variance, (1/a + 1/b)² / (1/(a²(a − 1)) + 1/(b²(b − 1))), where they are fewer, and the factor is what makes the
    /// variance of a difference of two means unbiased, where it is larger.
    ///
    /// The covariates are `n_blocks` times the same ones, first as they are, then their products with something else: these
    /// vary over the same units, each of which has a product of its own.
    ///
    /// # Errors
    ///
    /// [`NotEstimable`] if an effect has no degrees of freedom, as where a cluster alone has a value, or if the clusters balance
    /// each other.
    pub fn new(
        likelihood: &PartialLikelihood,
        point: &DVector<f64>,
        plain: &DMatrix<f64>,
        kinds: &[&[usize]],
        n_blocks: usize,
    ) -> Result<Self, NotEstimable> {
        let design = &likelihood.design;
        let scores = likelihood.scores(point);
        let sandwich = |clusters: &[usize]| {
            let covariance = sandwich(&scores, plain, clusters);
            check_robust(&covariance, plain).map(|()| covariance)
        };
        let mut covariance = match kinds {
            [first, second] => {
                let (first, second, both) = (sandwich(first)?, sandwich(second)?, sandwich(&shared(first, second))?);
                let mut sum = &first + &second - both;
                for place in (0..design.len()).map(|column| (column, column)) {
                    sum[place] = sum[place].max(first[place]).max(second[place]);
                }
                sum
            }
            kinds => sandwich(kinds[0])?,
        };
        let units = units(design, kinds, n_blocks)?;
        let factors: Vec<f64> = units.iter().map(|unit| unit.factor.sqrt()).collect();
        for (row, column) in (0..design.len()).flat_map(|row| (0..design.len()).map(move |column| (row, column))) {
            covariance[(row, column)] *= factors[row] * factors[column];
        }
        Ok(Self { covariance, df: units.iter().map(|unit| unit.df).collect() })
    }
}

/// Number of clusters of one value below which the degrees of freedom are those of two groups.
const FEW: usize = 4;

/// Factor of a standard error by the units that a covariate varies over.
struct Units {
    /// Factor by which the variance is multiplied.
    factor: f64,
    df: f64,
}

/// Returns the units of each covariate; where it has one value in each cluster of both kinds, those with the fewest
/// degrees of freedom.
fn units(design: &Design, kinds: &[&[usize]], n_blocks: usize) -> Result<Vec<Units>, NotEstimable> {
    let n_covariates = design.len() / n_blocks;
    let constant: Vec<Vec<Option<Vec<f64>>>> = kinds
        .iter()
        .map(|clusters| (0..n_covariates).map(|column| values_of_clusters(design, column, clusters)).collect())
        .collect();
    let n_clusters = |kind: usize| kinds[kind].iter().collect::<BTreeSet<_>>().len();
    let of_kind = |kind: usize, n_covariates: usize| {
        let n = n_clusters(kind);
        check_count("a cluster-robust standard error", "clusters", n, n_covariates + 2)?;
        let df = (n - 1 - n_covariates) as f64;
        Ok(Units { factor: n as f64 / df, df })
    };
    let of_column = |column: usize| {
        let mut fewest: Option<Units> = None;
        for (kind, constant) in constant.iter().enumerate() {
            let Some(values) = &constant[column] else { continue };
            let units = of_kind(kind, constant.iter().flatten().count())?.of_groups(values)?;
            if fewest.as_ref().is_none_or(|fewest| units.df < fewest.df) {
                fewest = Some(units);
            }
        }
        fewest.map_or_else(|| of_kind(0, 0), Ok)
    };
    (0..design.len()).map(|column| of_column(column % n_covariates)).collect()
}

impl Units {
    /// Adjusts the units to a covariate of two values if few clusters have one of them.
    fn of_groups(self, values: &[f64]) -> Result<Self, NotEstimable> {
        let mut values = values.to_vec();
        values.sort_by(f64::total_cmp);
        let groups: Vec<usize> = values.chunk_by(|left, right| left == right).map(<[f64]>::len).collect();
        let [low, high] = groups[..] else { return Ok(self) };
        // The effect fits a cluster that has a value alone: no residual is left to tell how far such clusters lie apart.
        check_count("a cluster-robust standard error", "clusters with each value of a covariate", low.min(high), 2)?;
        if low.min(high) >= FEW {
            return Ok(self);
        }
        let sum = |term: fn(f64) -> f64| term(low as f64) + term(high as f64);
        let (full, parts) = (sum(|n| 1.0 / n), sum(|n| 1.0 / (n * n * (n - 1.0))));
        Ok(Self { factor: self.factor.max(full / sum(|n| (n - 1.0) / (n * n))), df: self.df.min(full.powi(2) / parts) })
    }
}

/// The value of a covariate in each cluster, if it has one in each.
fn values_of_clusters(design: &Design, column: usize, clusters: &[usize]) -> Option<Vec<f64>> {
    let mut values = BTreeMap::new();
    let is_constant = clusters.iter().enumerate().all(|(row, cluster)| {
        let value = design.row(row)[column];
        *values.entry(cluster).or_insert(value) == value
    });
    is_constant.then(|| values.into_values().collect())
}

/// The clusters of observations that share those of both kinds.
fn shared(first: &[usize], second: &[usize]) -> Vec<usize> {
    let pairs: BTreeSet<(usize, usize)> = first.iter().copied().zip(second.iter().copied()).collect();
    let numbers: BTreeMap<(usize, usize), usize> =
        pairs.into_iter().enumerate().map(|(number, pair)| (pair, number)).collect();
    first.iter().zip(second).map(|(&first, &second)| numbers[&(first, second)]).collect()
}

/// The covariance matrix of the sums of score residuals of clusters.
fn sandwich(scores: &[f64], inverse: &DMatrix<f64>, clusters: &[usize]) -> DMatrix<f64> {
    let p = inverse.nrows();
    let mut meat = DMatrix::zeros(p, p);
    for sum in sum_by_cluster(scores, p, clusters) {
        let sum = DVector::from_vec(sum);
        meat.ger(1.0, &sum, &sum, 1.0);
    }
    inverse * meat * inverse
}

//! Partial correlation: of two variables, with others held constant.

use nalgebra::{DMatrix, DVector};
use serde::Serialize;

use super::correlation::{Coefficient, CorrelationKind, product_moment};
use crate::apa;
use crate::estimator::Input;
use crate::estimator::sample::Sample;
use crate::estimator::{self, Estimate, Estimator, Kind, Need, Role, each_pair};
use crate::inference::{Confidence, PMethod};
use crate::not_estimable::{NotEstimable, check_count, check_pairs, check_values};
use crate::numeric::moments::Centred;
use crate::numeric::rank::mid_ranks;
use crate::record::*;

/// Share of a variable's deviations (as their root sum of squares) outside of what other variables explain, below which
/// it is rounding and no variance.
const SMALLEST_REST: f64 = 1e-10;

/// A partial correlation with its test and interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Partial {
    /// The coefficient: Pearson's or Spearman's.
    pub method: CorrelationKind,
    /// Number of observations.
    pub n: usize,
    /// Number of covariates k, the variables held constant.
    pub n_covariates: usize,
    /// The coefficient with its test by t, as one of k fewer pairs, or why there is none: n < k + 3, or the covariates
    /// explain x or y wholly.
    pub coefficient: Result<Coefficient, NotEstimable>,
    /// Confidence level of the interval.
    pub confidence: Confidence,
    /// Degrees of freedom of the t statistic, n − 2 − k; absent if that is below 1.
    pub df: Option<usize>,
    /// Method of the p value.
    pub p_method: PMethod,
}

const GIVEN: Column = text("given", "what is held constant");

/// The partial Pearson's r of columns of any table.
pub const PARTIAL_PEARSON: Estimator = Estimator {
    name: "partial-pearson",
    summary: "Pearson's r of each x with each y, the columns of --given held constant.",
    assumptions: estimator::INDEPENDENT,
    source: "Yule (1907); Fisher (1924).",
    roles: &[
        Need::several(Role::X, Kind::Number, 1),
        Need::several(Role::Y, Kind::Number, 1),
        Need::several(Role::Given, Kind::Number, 1),
    ],
    columns: joined!(
        &[X, Y, GIVEN, N, N_MISSING, ESTIMATE.means("the partial correlation, from −1 to 1")],
        BOUNDS,
        &[STATISTIC.means("t; empty where it is infinite because the correlation is perfect"), DF, P_VALUE],
        P_METHOD_COLUMNS
    ),
    estimate: Estimate::Table(|sample| estimate_partial(sample, CorrelationKind::Pearson)),
};

/// The partial Spearman's ρ of columns of any table.
pub const PARTIAL_SPEARMAN: Estimator = Estimator {
    name: "partial-spearman",
    summary: "Spearman's ρ of each x with each y, the columns of --given held constant.",
    source: "Yule (1907); Bonett and Wright (2000).",
    estimate: Estimate::Table(|sample| estimate_partial(sample, CorrelationKind::Spearman)),
    ..PARTIAL_PEARSON
};

fn estimate_partial(sample: &Sample, method: CorrelationKind) -> Vec<Record> {
    let held: Vec<&Input> = sample.all(Role::Given).iter().collect();
    let names: Vec<&str> = held.iter().map(|input| input.name.as_str()).collect();
    each_pair(sample, &held, |x, y, indices| {
        let covariates: Vec<Vec<f64>> = held.iter().map(|input| input.numbers(indices)).collect();
        let partial = partial_correlation(method, x, y, &covariates, sample.request.confidence);
        vec![partial.record().set(GIVEN, names.join(", "))]
    })
}

/// The correlation of what is left of `x` and `y` when each is regressed on the covariates; for
/// [`CorrelationKind::Spearman`] of the mid-ranks of all variables. Test and interval are those of a
/// correlation of k fewer pairs.
///
/// Yule (1907). On the theory of correlation for any number of variables. *Proceedings of the Royal
/// Society A*, 79, 182–193. Fisher (1924). The distribution of the partial correlation coefficient.
/// *Metron*, 3, 329–332. Estimate, p and Pearson's interval are those of pingouin's `partial_corr`.
/// Spearman's interval differs: ours widens with ρ as in [`super::correlation::spearman`] (Bonett &
/// Wright, 2000), theirs is that of Pearson's r. Kendall's τb is refused: its partial coefficient
/// has no such test (Kendall, 1970, *Rank correlation methods*, chapter 8).
///
/// Time grows with n k².
///
/// ```
/// use plymap_statistics::stats::{Confidence, correlation::CorrelationKind, partial::partial_correlation};
///
/// let (length, states) = ([8.0, 12.0, 16.0, 11.0, 25.0, 30.0], [1.0, 2.0, 4.0, 3.0, 6.0, 5.0]);
/// let moves = [10.0, 18.0, 25.0, 20.0, 41.0, 45.0];
/// let found = partial_correlation(CorrelationKind::Pearson, &length, &moves, &[states], Confidence::default());
/// assert_eq!((found.n_covariates, found.df), (1, Some(3)));
/// ```
pub fn partial_correlation<C: AsRef<[f64]>>(
    method: CorrelationKind,
    x: &[f64],
    y: &[f64],
    covariates: &[C],
    confidence: Confidence,
) -> Partial {
    let covariates: Vec<&[f64]> = covariates.iter().map(AsRef::as_ref).collect();
    let (n, n_covariates) = (x.len().min(y.len()), covariates.len());
    let coefficient = partial_coefficient(method, x, y, &covariates)
        .map(|estimate| Coefficient::by_t(method, estimate, n - n_covariates, confidence));
    let df = n.checked_sub(2 + n_covariates).filter(|&df| df > 0);
    let p_method = if method == CorrelationKind::Pearson { PMethod::StudentT } else { PMethod::StudentTApproximation };
    Partial { method, n, n_covariates, coefficient, confidence, df, p_method }
}

impl Partial {
    /// `r(46) = .35, 95 % CI [.07, .58], p = .014, 2 covariates held constant`.
    pub fn sentence(&self) -> String {
        let symbol = self.method.symbol();
        apa::outcome(symbol, self.n, &self.coefficient, |coefficient| {
            let (df, k) = (self.n - 2 - self.n_covariates, self.n_covariates);
            let held = if k == 1 { "covariate" } else { "covariates" };
            let (estimate, p) = (coefficient.printed(self.confidence), apa::p_value(coefficient.p_value));
            format!("{symbol}({df}) = {estimate}, {p}, {k} {held} held constant")
        })
    }

    /// The result as a row.
    pub fn record(&self) -> Record {
        Record::new()
            .set(N, self.n)
            .set(CONFIDENCE, self.confidence.level())
            .set(DF, self.df)
            .set(P_METHOD, self.p_method)
            .set(SENTENCE, self.sentence())
            .outcome(&self.coefficient, Coefficient::set)
    }
}

/// The coefficient alone, for resampling; see [`partial_correlation`].
///
/// # Errors
///
/// [`NotEstimable`] for too few observations, unequal lengths, values that are not finite, variables
/// without variance beside the covariates, covariates that depend on each other, or Kendall's τb.
pub fn partial_coefficient(
    method: CorrelationKind,
    x: &[f64],
    y: &[f64],
    covariates: &[&[f64]],
) -> Result<f64, NotEstimable> {
    check_pairs(x, y)?;
    for covariate in covariates {
        if covariate.len() != x.len() {
            let (left, right) = (x.len(), covariate.len());
            return Err(NotEstimable::UnequalLengths { left_name: "x", left, right_name: "a covariate", right });
        }
        check_values("a covariate", covariate)?;
    }
    if method == CorrelationKind::Kendall {
        return Err(undefined("Kendall's τb with covariates has no test or interval"));
    }
    check_count("a partial correlation", "observations", x.len(), covariates.len() + 3)?;
    let column = |variable: &'static str, values: &[f64]| unit_column(method, variable, values);
    let (x, y) = (column("x", x)?, column("y", y)?);
    if covariates.is_empty() {
        return product_moment(x.as_slice(), y.as_slice());
    }
    let columns: Vec<DVector<f64>> =
        covariates.iter().map(|values| column("a covariate", values)).collect::<Result<_, _>>()?;
    let decomposed = DMatrix::from_columns(&columns).qr();
    if decomposed.r().diagonal().iter().any(|rest| rest.abs() < SMALLEST_REST) {
        return Err(undefined("one covariate is a linear function of the others"));
    }
    let explained = decomposed.q();
    let rest = |variable: &str, values: &DVector<f64>| {
        // Twice, because the first projection leaves rounding of the size of what it took away.
        let once = values - &explained * explained.tr_mul(values);
        let rest = &once - &explained * explained.tr_mul(&once);
        if rest.norm() < SMALLEST_REST {
            return Err(undefined(&format!("{variable} is a linear function of the covariates")));
        }
        Ok(rest)
    };
    let (x, y) = (rest("x", &x)?, rest("y", &y)?);
    product_moment(x.as_slice(), y.as_slice())
}

/// A variable, or its ranks, around its mean and of length 1.
fn unit_column(method: CorrelationKind, variable: &'static str, values: &[f64]) -> Result<DVector<f64>, NotEstimable> {
    let centred = match method {
        CorrelationKind::Spearman => Centred::new(&mid_ranks(values)?.ranks),
        _ => Centred::new(values),
    };
    if centred.is_constant() {
        return Err(NotEstimable::NoVariance { variable });
    }
    Ok(DVector::from_vec(centred.deviations).normalize())
}

fn undefined(why: &str) -> NotEstimable {
    NotEstimable::Undefined { quantity: "the partial correlation", why: why.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::correlation::correlate;

    const X: [f64; 6] = [8.0, 12.0, 16.0, 11.0, 25.0, 30.0];
    const Y: [f64; 6] = [10.0, 18.0, 25.0, 20.0, 41.0, 45.0];
    const Z: [f64; 6] = [1.0, 2.0, 4.0, 3.0, 6.0, 5.0];

    fn reason(x: &[f64], y: &[f64], covariates: &[Vec<f64>]) -> String {
        let partial = partial_correlation(CorrelationKind::Pearson, x, y, covariates, Confidence::default());
        partial.coefficient.unwrap_err().to_string()
    }

    #[test]
    fn without_covariates_it_is_the_correlation() {
        for method in [CorrelationKind::Pearson, CorrelationKind::Spearman] {
            let none: [&[f64]; 0] = [];
            let partial = partial_correlation(method, &X, &Y, &none, Confidence::default());
            let plain = correlate(method, &X, &Y, Confidence::default());
            assert_eq!(partial.df, plain.df);
            let (partial, plain) = (partial.coefficient.unwrap(), plain.coefficient.unwrap());
            assert!((partial.estimate - plain.estimate).abs() < 1e-15);
            assert!((partial.interval.unwrap().0 - plain.interval.unwrap().0).abs() < 1e-12);
        }
    }

    #[test]
    fn with_one_covariate_it_is_yules_formula() {
        let r = |x: &[f64], y: &[f64]| product_moment(x, y).unwrap();
        let (xy, xz, yz) = (r(&X, &Y), r(&X, &Z), r(&Y, &Z));
        let expected = (xy - xz * yz) / ((1.0 - xz * xz) * (1.0 - yz * yz)).sqrt();
        let partial = partial_correlation(CorrelationKind::Pearson, &X, &Y, &[Z], Confidence::default());
        assert!((partial.coefficient.as_ref().unwrap().estimate - expected).abs() < 1e-13);
        assert_eq!(partial.sentence(), "r(3) = .98, 95 % CI [.68, .999], p = .004, 1 covariate held constant");
    }

    #[test]
    fn what_the_covariates_explain_has_no_partial_correlation() {
        let twice = Z.map(|z| 2.0 * z - 7.0).to_vec();
        assert!(
            reason(&X, &Y, &[Z.to_vec(), twice.clone()]).ends_with("one covariate is a linear function of the others")
        );
        assert!(reason(&twice, &Y, &[Z.to_vec()]).ends_with("x is a linear function of the covariates"));
        assert_eq!(reason(&X, &Y, &[vec![0.1; 6]]), "all values of a covariate are equal");
        assert_eq!(
            reason(&X[..3], &Y[..3], &[Z[..3].to_vec()]),
            "a partial correlation needs at least 4 observations, found 3"
        );
        assert!(reason(&X, &Y, &[Z[..5].to_vec()]).starts_with("x has 6 values but a covariate has 5"));
        assert!(reason(&X, &Y, &[vec![f64::NAN; 6]]).starts_with("a covariate holds NaN"));
        let kendall = partial_correlation(CorrelationKind::Kendall, &X, &Y, &[Z], Confidence::default());
        assert!(kendall.coefficient.is_err());
        assert!(reason(&[], &[], &[]).contains("needs at least 3 observations"));
    }
}

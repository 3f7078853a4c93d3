//! Covariates of a model on a log scale (log hazard, log odds), and the effects that it finds.

use nalgebra::{DMatrix, DVector};
use serde::Serialize;

use super::chi_squared::ChiSquaredTest;
use crate::apa;
use crate::inference::Confidence;
use crate::not_estimable::{NotEstimable, check_values};
use crate::numeric::distribution::{
    f_upper, normal_two_sided, normal_upper_quantile, student_two_sided, student_upper_quantile,
};
use crate::numeric::moments::Centred;
use crate::record::*;

/// More covariates than this are refused: memory and time grow with the square of their number.
pub const MOST_COVARIATES: usize = 100;

/// Below this share of its own length, what the covariates before it leave of a covariate is rounding.
const SMALLEST_REMAINDER: f64 = 1e-7;

/// A covariate: one value for each observation. A category is a set of columns of 0 and 1, one for
/// each category but the one that the others are compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Covariate<'a> {
    /// Its name in tables.
    pub name: &'a str,
    /// Its values, in the order of the observations.
    pub values: &'a [f64],
}

/// The effect of one covariate, on the log scale and as a ratio.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effect {
    /// Name of the covariate.
    pub name: String,
    /// Change of the log hazard or of the log odds per unit of the covariate.
    pub estimate: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// Lower end of its interval (Wald), by the normal distribution or Student's.
    pub lower: f64,
    /// Upper end of its interval.
    pub upper: f64,
    /// `estimate / standard_error`, approximately standard normal where there is no effect, or of Student's distribution.
    pub statistic: f64,
    /// Degrees of freedom of Student's distribution; absent where it is the normal one.
    pub df: Option<f64>,
    /// Two-sided p value of the hypothesis of no effect.
    pub p_value: f64,
    /// Hazard ratio or odds ratio per unit of the covariate, the exponential of `estimate`; infinite
    /// beyond the range of `f64`.
    pub ratio: f64,
    /// Lower end of the interval of the ratio.
    pub ratio_lower: f64,
    /// Upper end of the interval of the ratio.
    pub ratio_upper: f64,
}

impl Effect {
    /// The effect compared with the standard normal distribution.
    pub(super) fn new(name: &str, estimate: f64, standard_error: f64, confidence: Confidence) -> Self {
        let half = normal_upper_quantile(confidence.tail()) * standard_error;
        let statistic = estimate / standard_error;
        let (lower, upper) = (estimate - half, estimate + half);
        Self {
            name: name.to_owned(),
            estimate,
            standard_error,
            lower,
            upper,
            statistic,
            df: None,
            p_value: normal_two_sided(statistic),
            ratio: estimate.exp(),
            ratio_lower: lower.exp(),
            ratio_upper: upper.exp(),
        }
    }

    /// The effect with a standard error that has `df` degrees of freedom, compared with Student's t.
    pub(super) fn with_student(&self, standard_error: f64, df: f64, confidence: Confidence) -> Self {
        let half = student_upper_quantile(confidence.tail(), df) * standard_error;
        let (lower, upper) = (self.estimate - half, self.estimate + half);
        let statistic = self.estimate / standard_error;
        Self {
            standard_error,
            lower,
            upper,
            statistic,
            df: Some(df),
            p_value: student_two_sided(statistic, df),
            ratio_lower: lower.exp(),
            ratio_upper: upper.exp(),
            ..self.clone()
        }
    }

    /// `HR = 1.52, 95 % CI [1.10, 2.10], z = 2.54, p = .011`, or with t(23), or with t(6.7) where degrees of freedom are
    /// no whole number; `symbol` names the ratio.
    pub fn sentence(&self, symbol: &str, confidence: Confidence) -> String {
        let interval = apa::interval(confidence, Some((self.ratio_lower, self.ratio_upper)), apa::ratio);
        let (ratio, statistic, p) =
            (apa::ratio(self.ratio), apa::number(self.statistic, 2), apa::p_value(self.p_value));
        let letter = self.df.map_or_else(
            || "z".to_owned(),
            |df| {
                let decimals = if df.fract() == 0.0 { 0 } else { 1 };
                format!("t({})", apa::number(df, decimals))
            },
        );
        format!("{symbol} = {ratio}{interval}, {letter} = {statistic}, {p}")
    }
}

/// Covariates as columns of mean 0 and standard deviation 1, in which the fit is done: whatever the
/// units of the data, steps and tolerances then mean the same.
pub(super) struct Design {
    pub names: Vec<String>,
    pub means: Vec<f64>,
    pub scales: Vec<f64>,
    /// Row by row, `names.len()` values each.
    pub rows: Vec<f64>,
}

impl Design {
    /// Checks and standardises covariates of `n` observations each.
    pub fn new(covariates: &[Covariate], n: usize) -> Result<Self, NotEstimable> {
        if covariates.is_empty() || covariates.len() > MOST_COVARIATES {
            let (quantity, allowed) = ("the number of covariates", "from 1 to 100");
            return Err(NotEstimable::OutOfRange { quantity, value: covariates.len().to_string(), allowed });
        }
        let p = covariates.len();
        let mut design = Self { names: Vec::new(), means: Vec::new(), scales: Vec::new(), rows: vec![0.0; n * p] };
        for (column, covariate) in covariates.iter().enumerate() {
            if covariate.values.len() != n {
                let (left, right) = (covariate.values.len(), n);
                let (left_name, right_name) = ("a covariate", "the outcome");
                return Err(NotEstimable::UnequalLengths { left_name, left, right_name, right });
            }
            check_values("a covariate", covariate.values)?;
            let centred = Centred::new(covariate.values);
            if centred.is_constant() {
                return Err(undefined(format!("all values of {} are equal", covariate.name)));
            }
            let sd = (centred.sum_of_powers(2) / n as f64).sqrt();
            design.names.push(covariate.name.to_owned());
            design.means.push(centred.mean);
            design.scales.push(centred.scale * sd);
            for (row, deviation) in centred.deviations.iter().enumerate() {
                design.rows[row * p + column] = deviation / sd;
            }
        }
        design.check_independence(n)?;
        Ok(design)
    }

    /// Number of covariates.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// The values of one observation.
    pub fn row(&self, number: usize) -> &[f64] {
        let p = self.len();
        &self.rows[number * p..(number + 1) * p]
    }

    /// Names the covariates that a direction moves by more than a thousandth of its largest part.
    pub fn names_in(&self, direction: &[f64]) -> String {
        let largest = direction.iter().fold(0.0, |largest: f64, part| largest.max(part.abs()));
        let moved = |&(_, part): &(&String, &f64)| part.abs() > 1e-3 * largest;
        let names: Vec<&str> = self.names.iter().zip(direction).filter(moved).map(|(name, _)| name.as_str()).collect();
        names.join(", ")
    }

    /// Refuses a column that is a combination of those before it. The diagonal of R in a QR
    /// decomposition is the length of what the columns before leave of each.
    fn check_independence(&self, n: usize) -> Result<(), NotEstimable> {
        let triangle = DMatrix::from_row_slice(n, self.len(), &self.rows).qr().unpack_r();
        let length = (n as f64).sqrt();
        for (column, name) in self.names.iter().enumerate() {
            let remainder = if column < triangle.nrows() { triangle[(column, column)].abs() } else { 0.0 };
            if remainder < SMALLEST_REMAINDER * length {
                return Err(undefined(format!("{name} is a linear combination of the covariates before it")));
            }
        }
        Ok(())
    }
}

/// The inverse of a symmetric positive definite matrix; absent where it is not one.
pub(super) fn inverse(matrix: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let inverse = matrix.clone().cholesky()?.inverse();
    inverse.iter().all(|value| value.is_finite()).then_some(inverse)
}

/// The test that values are all 0, by their covariance matrix (Wald, or a score test). Absent where
/// some combination of them does not vary but for rounding: then the matrix has no inverse.
pub(super) fn joint_test(values: &DVector<f64>, covariance: &DMatrix<f64>) -> Option<ChiSquaredTest> {
    let scales = covariance.diagonal().map(f64::sqrt);
    // As correlations, so that the limit on eigenvalues means the same in any units of the values.
    let correlation = covariance.component_div(&(&scales * scales.transpose()));
    if !correlation.iter().all(|value| value.is_finite()) {
        return None;
    }
    if correlation.symmetric_eigenvalues().min() < 1e-10 {
        return None;
    }
    let standardised = values.component_div(&scales);
    let statistic = standardised.dot(&correlation.cholesky()?.solve(&standardised));
    statistic.is_finite().then(|| ChiSquaredTest::new(statistic, values.len()))
}

/// Refuses cluster-robust variances that are 0 but for rounding, beside the plain ones: the clusters then
/// balance each other, as those do that are all alike.
pub(super) fn check_robust(robust: &DMatrix<f64>, plain: &DMatrix<f64>) -> Result<(), NotEstimable> {
    let (robust, plain) = (robust.diagonal(), plain.diagonal());
    if robust.iter().zip(&plain).all(|(robust, plain)| *robust > 1e-12 * plain) {
        return Ok(());
    }
    Err(balanced())
}

/// Reason why there are no cluster-robust standard errors where all clusters leave 0.
pub(super) fn balanced() -> NotEstimable {
    let (quantity, why) = ("a cluster-robust standard error", "the clusters balance each other");
    NotEstimable::Undefined { quantity, why: why.to_owned() }
}

/// Sums the rows of each cluster; rows as in [`Design::rows`]. The order of the clusters does not
/// matter to what is made of the sums.
pub(super) fn sum_by_cluster(rows: &[f64], width: usize, clusters: &[usize]) -> Vec<Vec<f64>> {
    let mut sums = std::collections::BTreeMap::new();
    for (row, cluster) in rows.chunks_exact(width).zip(clusters) {
        let sum = sums.entry(*cluster).or_insert_with(|| vec![0.0; width]);
        sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
    }
    sums.into_values().collect()
}

/// Checks that there is a cluster for each of `n` observations, and counts the clusters.
pub(super) fn count_clusters(clusters: &[usize], n: usize) -> Result<usize, NotEstimable> {
    count_groups("the list of clusters", clusters, n)
}

/// Checks that there is a group for each of `n` observations, and counts the groups; `left_name` names their list.
pub(super) fn count_groups(left_name: &'static str, groups: &[usize], n: usize) -> Result<usize, NotEstimable> {
    if groups.len() != n {
        let right_name = "the outcome";
        return Err(NotEstimable::UnequalLengths { left_name, left: groups.len(), right_name, right: n });
    }
    Ok(groups.iter().collect::<std::collections::BTreeSet<_>>().len())
}

fn undefined(why: String) -> NotEstimable {
    NotEstimable::Undefined { quantity: "the effect of each covariate", why }
}

/// Term of a row of a model.
pub const MODEL_TERM: Column = text("term", "the predictor, or predictor = label against its reference (--reference)");
/// Hazard ratio or odds ratio.
pub const RATIO: Column = number("ratio", "exp(estimate): odds ratio, or hazard ratio, per unit of the predictor");
/// Lower end of its interval.
pub const RATIO_LOWER: Column = number("ratio_lower", "lower end of the interval of the ratio");
/// Upper end of its interval.
pub const RATIO_UPPER: Column = number("ratio_upper", "upper end of the interval of the ratio");
/// Lower end of the interval of an effect.
pub const WALD_LOWER: Column = LOWER.means("lower end of the interval of the estimate (Wald)");
/// Standard error, Wald interval and ratio of an effect.
pub const RATIO_COLUMNS: &[Column] = &[STANDARD_ERROR, WALD_LOWER, UPPER, CONFIDENCE, RATIO, RATIO_LOWER, RATIO_UPPER];
/// Name of the joint test.
pub const TEST: Column = text("test", "which test of all predictors at once");

impl Effect {
    /// The effect and its ratio, which `symbol` names in the sentence.
    pub fn record(&self, symbol: &str, confidence: Confidence) -> Record {
        Record::new()
            .set(MODEL_TERM, self.name.as_str())
            .set(ESTIMATE, self.estimate)
            .set(STANDARD_ERROR, self.standard_error)
            .set(LOWER, self.lower)
            .set(UPPER, self.upper)
            .set(CONFIDENCE, confidence.level())
            .set(RATIO, self.ratio)
            .set(RATIO_LOWER, self.ratio_lower)
            .set(RATIO_UPPER, self.ratio_upper)
            .set(STATISTIC, self.statistic)
            .set(P_VALUE, self.p_value)
            .set(SENTENCE, self.sentence(symbol, confidence))
    }
}

/// A test that all effects are 0: χ², or F where their covariance matrix is that of few clusters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct JointTest {
    /// χ² or F.
    pub statistic: f64,
    /// Degrees of freedom of χ², or of the numerator of F: the number of effects.
    pub df: usize,
    /// Denominator degrees of freedom of F; absent where the statistic is χ².
    pub df2: Option<f64>,
    /// Probability of so large a statistic where all effects are 0.
    pub p_value: f64,
}

impl From<ChiSquaredTest> for JointTest {
    fn from(test: ChiSquaredTest) -> Self {
        Self { statistic: test.statistic, df: test.df, df2: None, p_value: test.p_value }
    }
}

impl JointTest {
    /// The test by a covariance matrix that is itself estimated, with `df` degrees of freedom ν: for q effects, χ² times
    /// (ν − q + 1) / (ν q) is F with q and ν − q + 1 degrees of freedom (Hotelling, 1931, *Annals of Mathematical
    /// Statistics*, 2, 360–378), of one effect t². Absent where ν is less than q.
    pub(super) fn estimated(test: ChiSquaredTest, df: f64) -> Option<Self> {
        let n_effects = test.df as f64;
        let df2 = df - n_effects + 1.0;
        if df2 < 1.0 {
            return None;
        }
        let statistic = test.statistic * df2 / (df * n_effects);
        Some(Self { statistic, df: test.df, df2: Some(df2), p_value: f_upper(statistic, n_effects, df2) })
    }

    /// `χ²(2) = 7.31, p = .026`, or `F(2, 13) = 3.11, p = .079`.
    pub fn sentence(&self) -> String {
        let (statistic, p) = (apa::number(self.statistic, 2), apa::p_value(self.p_value));
        match self.df2 {
            Some(df2) => {
                let decimals = if df2.fract() == 0.0 { 0 } else { 1 };
                format!("F({}, {}) = {statistic}, {p}", self.df, apa::number(df2, decimals))
            }
            None => format!("χ²({}) = {statistic}, {p}", self.df),
        }
    }
}

/// A test of all covariates at once, adjusted with others of its kind.
pub(super) fn joint_record(name: &str, test: Option<JointTest>, reason: Option<&NotEstimable>) -> Record {
    let absent = || {
        let why = "its statistic has no variance here".to_owned();
        reason.cloned().unwrap_or(NotEstimable::Undefined { quantity: "the test", why })
    };
    Record::new()
        .family(name)
        .set(TEST, name)
        .set(STATISTIC, test.map(|test| test.statistic))
        .set(DF, test.map(|test| test.df))
        .set(DF2, test.and_then(|test| test.df2))
        .set(P_VALUE, test.map(|test| test.p_value))
        .set(SENTENCE, test.map(|test| test.sentence()))
        .set(REASON, if test.is_none() { Some(absent()) } else { reason.cloned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(covariates: &[(&str, &[f64])], n: usize) -> String {
        let covariates: Vec<Covariate> = covariates.iter().map(|&(name, values)| Covariate { name, values }).collect();
        Design::new(&covariates, n).err().unwrap().to_string()
    }

    #[test]
    fn columns_are_standardised_whatever_their_unit() {
        let values = [1e6 + 1.0, 1e6 + 2.0, 1e6 + 3.0, 1e6 + 6.0];
        let design = Design::new(&[Covariate { name: "distance", values: &values }], 4).unwrap();
        assert_eq!(design.means, [1e6 + 3.0]);
        assert!((design.rows.iter().map(|z| z * z).sum::<f64>() - 4.0).abs() < 1e-12);
    }

    #[test]
    fn degrees_of_freedom_widen_the_interval() {
        let plain = Effect::new("x", 0.5, 0.2, Confidence::default());
        let few = plain.with_student(0.25, 4.0, Confidence::default());
        // The quantile 2.776 of t with 4 degrees of freedom.
        assert!((few.upper - 0.5 - 2.776_445_105 * 0.25).abs() < 1e-8);
        assert!(few.sentence("HR", Confidence::default()).contains(", t(4) = 2.00, p = .116"));
    }

    #[test]
    fn the_joint_test_of_one_effect_by_few_clusters_is_that_of_its_t() {
        let (t, df): (f64, f64) = (2.3, 9.0);
        let test = JointTest::estimated(ChiSquaredTest::new(t * t, 1), df).unwrap();
        assert!((test.statistic - t * t).abs() < 1e-14 && test.df2 == Some(9.0));
        assert!((test.p_value - student_two_sided(t, df)).abs() < 1e-14);
        // The upper 5 % of F with 2 and 8 degrees of freedom is 4.459, printed in tables: T² = 2 · 9 / 8 of it.
        let two = JointTest::estimated(ChiSquaredTest::new(4.458_970_1 * 2.0 * 9.0 / 8.0, 2), df).unwrap();
        assert!((two.p_value - 0.05).abs() < 1e-7);
        assert_eq!(two.sentence(), "F(2, 8) = 4.46, p = .050");
        assert_eq!(JointTest::estimated(ChiSquaredTest::new(9.0, 10), df), None);
    }

    #[test]
    fn a_small_effect_is_not_a_ratio_of_one() {
        let effect = Effect::new("x", 0.998_f64.ln(), 0.0005, Confidence::default());
        assert_eq!(
            effect.sentence("OR", Confidence::default()),
            "OR = 0.998, 95 % CI [0.997, 0.999], z = −4.00, p < .001"
        );
        let none = Effect::new("x", 0.0, 0.1, Confidence::default());
        assert!(none.sentence("HR", Confidence::default()).starts_with("HR = 1.00, 95 % CI [0.82, 1.22], z = 0.00"));
    }

    #[test]
    fn values_that_vary_together_only_are_not_tested_jointly() {
        let values = DVector::from_vec(vec![1.0, 2.0]);
        let test = |covariance: [f64; 4]| joint_test(&values, &DMatrix::from_row_slice(2, 2, &covariance));
        // 1² / 4 + 2² / 1.
        assert!((test([4.0, 0.0, 0.0, 1.0]).unwrap().statistic - 4.25).abs() < 1e-14);
        assert_eq!((test([1.0, 1.0, 1.0, 1.0]), test([0.0, 0.0, 0.0, 1.0])), (None, None));
        assert_eq!(test([1.0, 3.0, 3.0, 9.0 + 1e-14]), None);
    }

    #[test]
    fn covariates_that_carry_nothing_of_their_own_are_named() {
        let x = [1.0, 2.0, 4.0, 3.0, 7.0];
        let twice = x.map(|x| 2.0 * x - 5.0);
        let what = "the effect of each covariate is not defined here";
        let expected = format!("{what}: b is a linear combination of the covariates before it");
        assert_eq!(reason(&[("a", &x), ("b", &twice)], 5), expected);
        assert_eq!(reason(&[("a", &[0.1; 5])], 5), format!("{what}: all values of a are equal"));
        assert_eq!(reason(&[("a", &x)], 4), "a covariate has 5 values but the outcome has 4; they must be paired");
        assert_eq!(reason(&[], 4), "the number of covariates is 0, but must be from 1 to 100");
        assert!(reason(&[("a", &[1.0, f64::NAN])], 2).starts_with("a covariate holds NaN at position 1"));
        // Two observations cannot tell two covariates apart.
        assert!(reason(&[("a", &[1.0, 2.0]), ("b", &[5.0, 3.0])], 2).contains("combination"));
    }
}

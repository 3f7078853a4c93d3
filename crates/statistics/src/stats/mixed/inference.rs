//! Tests of the fixed effects, of linear models with Satterthwaite's degrees of freedom.
//!
//! The variance of a contrast of the fixed effects is itself estimated. If that estimate behaves as
//! a multiple of a chi-squared variable, its degrees of freedom are 2 v² / Var(v) (Satterthwaite,
//! 1946, *Biometrics Bulletin*, 2, 110–114), where Var(v) comes from the gradient of v in the variance
//! parameters (θ, σ) and from their covariance, twice the inverse Hessian of the deviance
//! (Kuznetsova, Brockhoff & Christensen, 2017, *Journal of Statistical Software*, 82(13); Fai &
//! Cornelius, 1996, *Journal of Statistical Computation and Simulation*, 54, 363–378).

use nalgebra::{DMatrix, DVector};

use super::derivative::{Precision, derivatives};
use super::optimise::{free, step, symmetric};
use super::profile::{Problem, Solution};
use crate::inference::Confidence;
use crate::not_estimable::NotEstimable;
use crate::numeric::distribution::{
    chi_squared_upper, f_upper, normal_two_sided, normal_upper_quantile, student_two_sided, student_upper_quantile,
};
use crate::stats::mixed::effects::{Effect, FTest, undefined};

/// Directions of a joint test whose variance is smaller than this, relative to the largest, count as
/// none.
const RANK_TOLERANCE: f64 = 1.5e-8;

/// Fewest degrees of freedom with which an effect has an interval and a p value: with fewer, nothing is known of its
/// variance. At a half, an interval of 95 % reaches 165 standard errors to each side, at a tenth 2e12.
const LEAST_DF: f64 = 0.5;

fn too_few(df: f64) -> NotEstimable {
    if df == 0.0 {
        let why = "there are as many effects as labels between which it varies, and these may differ anyway";
        return undefined(why.to_owned());
    }
    undefined(format!("its variance is known with {df:.2} degrees of freedom, fewer than {LEAST_DF}"))
}

/// The fixed effects and all that their tests need.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Uncertainty {
    fixed: DVector<f64>,
    covariance: DMatrix<f64>,
    /// Degrees of freedom between labels of each fixed effect; infinite where it varies within all of them.
    between: Vec<f64>,
    /// Change of the covariance with the variance parameters, where it is not the degrees of freedom between labels that
    /// say how well it is known.
    slopes: Option<Result<Slopes, NotEstimable>>,
}

/// Change of the covariance of the fixed effects with the variance parameters, and these from
/// sample to sample.
#[derive(Clone, Debug, PartialEq)]
struct Slopes {
    /// Derivatives of the covariance of the fixed effects by each θ in a column that is not 0, then by σ.
    slopes: Vec<DMatrix<f64>>,
    /// Covariance of these parameters.
    covariance: DMatrix<f64>,
}

impl Uncertainty {
    /// Computes the uncertainty with Satterthwaite's degrees of freedom.
    pub fn new(
        problem: &Problem,
        theta: &[f64],
        solution: &Solution,
        fixed: DVector<f64>,
        between: Vec<f64>,
    ) -> Option<Self> {
        let variance = solution.sum_of_squares / problem.df() * problem.scale().powi(2);
        let covariance = problem.fixed_covariance(solution)? * variance;
        let slopes = Slopes::new(problem, theta, variance, &covariance);
        Some(Self { fixed, covariance, between, slopes: Some(slopes) })
    }

    /// The uncertainty with the degrees of freedom between labels.
    pub fn known(fixed: DVector<f64>, covariance: DMatrix<f64>, between: Vec<f64>) -> Self {
        Self { fixed, covariance, between, slopes: None }
    }

    /// Standard errors of the fixed effects.
    pub fn errors(&self) -> Vec<f64> {
        self.covariance.diagonal().iter().map(|variance| variance.sqrt()).collect()
    }

    /// The contrast Σ weight · fixed effect with its test; `weights` must have the length of the
    /// fixed effects.
    pub fn contrast(&self, name: &str, weights: &DVector<f64>, confidence: Confidence) -> Effect {
        let estimate = weights.dot(&self.fixed);
        let variance = self.variance(weights);
        let mut effect = Effect { name: name.to_owned(), estimate: Some(estimate), confidence, ..Effect::default() };
        if variance <= 0.0 {
            effect.reason = Some(undefined("all weights of the contrast are 0".to_owned()));
            return effect;
        }
        let standard_error = variance.sqrt();
        let statistic = estimate / standard_error;
        (effect.standard_error, effect.statistic) = (Some(standard_error), Some(statistic));
        match self.df(weights) {
            Ok(df) if df.is_infinite() => {
                let half = normal_upper_quantile(confidence.tail()) * standard_error;
                effect.p_value = Some(normal_two_sided(statistic));
                (effect.lower, effect.upper) = (Some(estimate - half), Some(estimate + half));
            }
            Ok(df) if df < LEAST_DF => (effect.df, effect.reason) = (Some(df), Some(too_few(df))),
            Ok(df) => {
                let half = student_upper_quantile(confidence.tail(), df) * standard_error;
                effect.df = Some(df);
                effect.p_value = Some(student_two_sided(statistic, df));
                (effect.lower, effect.upper) = (Some(estimate - half), Some(estimate + half));
            }
            Err(reason) => effect.reason = Some(reason),
        }
        effect
    }

    /// Tests that all contrasts (the rows of `rows`) are 0: the mean of the squared t of as many
    /// uncorrelated contrasts, against F.
    pub fn joint(&self, name: &str, rows: &DMatrix<f64>) -> FTest {
        // Along eigenvectors the contrasts are uncorrelated, so that each has degrees of freedom of its own, and
        // dependent rows drop out by themselves.
        let eigen = (rows * &self.covariance * rows.transpose()).symmetric_eigen();
        let largest = eigen.eigenvalues.max();
        let kept: Vec<usize> =
            (0..eigen.eigenvalues.len()).filter(|&place| eigen.eigenvalues[place] > RANK_TOLERANCE * largest).collect();
        let mut test = FTest { name: name.to_owned(), ..FTest::default() };
        if kept.is_empty() {
            test.reason = Some(undefined("all weights of the contrasts are 0".to_owned()));
            return test;
        }
        let directions: Vec<DVector<f64>> =
            kept.iter().map(|&place| rows.transpose() * eigen.eigenvectors.column(place)).collect();
        let square = |weights: &DVector<f64>| weights.dot(&self.fixed).powi(2) / self.variance(weights);
        let statistic = directions.iter().map(square).sum::<f64>() / kept.len() as f64;
        (test.statistic, test.df1) = (Some(statistic), Some(kept.len()));
        match directions.iter().map(|weights| self.df(weights)).collect::<Result<Vec<f64>, _>>() {
            Ok(each) if each.iter().all(|df| df.is_infinite()) => {
                let n = kept.len();
                test.p_value = Some(chi_squared_upper(statistic * n as f64, n as f64));
            }
            Ok(each) => {
                // Degrees of freedom that are not estimated are those of all directions alike.
                let least = each.iter().copied().fold(f64::INFINITY, f64::min);
                let df = if self.slopes.is_none() || least == 0.0 { least } else { joint_df(&each) };
                test.df2 = Some(df);
                match df < LEAST_DF {
                    true => test.reason = Some(too_few(df)),
                    false => test.p_value = Some(f_upper(statistic, kept.len() as f64, df)),
                }
            }
            Err(reason) => test.reason = Some(reason),
        }
        test
    }

    fn variance(&self, weights: &DVector<f64>) -> f64 {
        weights.dot(&(&self.covariance * weights))
    }

    fn df(&self, weights: &DVector<f64>) -> Result<f64, NotEstimable> {
        let weighted = self.between.iter().zip(weights.iter()).filter(|(_, weight)| **weight != 0.0);
        let between = weighted.fold(f64::INFINITY, |least, (df, _)| least.min(*df));
        let spread = match &self.slopes {
            // Where there are as many effects as labels, a variance between labels can be anything.
            Some(slopes) if between > 0.0 => slopes.as_ref().map_err(Clone::clone)?,
            _ => return Ok(between),
        };
        let slopes = spread.slopes.iter().map(|slope| weights.dot(&(slope * weights)));
        let slope = DVector::from_iterator(spread.slopes.len(), slopes);
        let df = 2.0 * self.variance(weights).powi(2) / slope.dot(&(&spread.covariance * &slope));
        let why = || undefined("the degrees of freedom of a contrast are not finite".to_owned());
        Some(df).filter(|df| df.is_finite() && *df > 0.0).ok_or_else(why)
    }
}

impl Slopes {
    fn new(problem: &Problem, theta: &[f64], variance: f64, covariance: &DMatrix<f64>) -> Result<Self, NotEstimable> {
        let why = || undefined("the deviance does not curve upwards in all variances at its minimum".to_owned());
        let (p, sd) = (problem.p, variance.sqrt());
        let unit = problem.scale().powi(2);
        // The deviance of (θ, σ) is log_determinant + df ln σ² + sum_of_squares / σ²; its derivatives in σ, and the first
        // ones in θ, are known. A column of θ that is 0 is left out: by symmetry neither the covariance of the fixed
        // effects nor any other parameter changes with it there.
        let free = free(&problem.layout, theta);
        let functions = |theta: &[f64]| {
            let solution = problem.solve(theta)?;
            let df = solution.sum_of_squares * unit / variance;
            let mut functions = problem.slopes(theta, &solution, df)?;
            functions.push(solution.sum_of_squares * unit);
            functions.extend(problem.fixed_covariance(&solution)?.iter());
            Some(DVector::from_vec(functions))
        };
        let value = functions(theta).ok_or_else(why)?[theta.len()];
        let partials =
            derivatives(theta, &free, Precision::Fine, |k| step(problem, theta, k), functions).ok_or_else(why)?;
        let last = free.len();
        let mut hessian = DMatrix::zeros(last + 1, last + 1);
        hessian.view_mut((0, 0), (last, last)).copy_from(&symmetric(&free, |left, k| partials[left][k]));
        for left in 0..last {
            // In σ by the known form: only the derivative in θ is by differences.
            let across = -2.0 * partials[left][theta.len()] / (variance * sd);
            (hessian[(left, last)], hessian[(last, left)]) = (across, across);
        }
        hessian[(last, last)] = (6.0 * value / variance - 2.0 * problem.df()) / variance;
        let inverse = hessian.cholesky().ok_or_else(why)?.inverse();
        let slope_in = |derivatives: &DVector<f64>| {
            DMatrix::from_column_slice(p, p, &derivatives.as_slice()[theta.len() + 1..]) * variance
        };
        let mut slopes: Vec<DMatrix<f64>> = partials.iter().map(slope_in).collect();
        slopes.push(covariance * (2.0 / sd));
        Ok(Self { slopes, covariance: inverse * 2.0 })
    }
}

/// Denominator of the joint F test from the degrees of freedom of its uncorrelated contrasts: that
/// whose F has the mean of the sum of the squared t (Fai & Cornelius, 1996). The squared t of 2
/// degrees of freedom or fewer has no mean; then it is 2, as in lmerTest.
fn joint_df(each: &[f64]) -> f64 {
    if let [only] = each {
        return *only;
    }
    if each.iter().any(|&df| df <= 2.0) {
        return 2.0;
    }
    // Σ df / (df − 2) is q + Σ 2 / (df − 2), in which large df lose no digits.
    let excess: f64 = each.iter().map(|df| 2.0 / (df - 2.0)).sum();
    2.0 * (each.len() as f64 + excess) / excess
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_joint_degrees_of_freedom_are_those_of_lmertest() {
        // lmerTest 3.1.3: get_Fstat_ddf of these.
        for (each, expected) in [
            (vec![5.0, 10.0], 6.363_636_363_636_363),
            (vec![1.5, 10.0], 2.0),
            (vec![7.0, 7.0], 7.0),
            (vec![2.5, 2.6], 2.545_454_545_454_545),
            (vec![1.5], 1.5),
        ] {
            assert!((joint_df(&each) - expected).abs() < 1e-12, "{each:?} gave {}", joint_df(&each));
        }
    }
}

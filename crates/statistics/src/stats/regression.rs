//! The least-squares line.

use serde::Serialize;

use crate::apa;
use crate::estimator::{Estimate, Estimator, INDEPENDENT, Kind, Need, Role, each_pair};
use crate::inference::{Confidence, PMethod};
use crate::not_estimable::{NotEstimable, check_count, check_pairs};
use crate::numeric::distribution::{student_two_sided, student_upper_quantile};
use crate::numeric::moments::Centred;
use crate::record::*;

/// One coefficient of a line with its test and interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct LineCoefficient {
    /// The coefficient.
    pub estimate: f64,
    /// Its standard error; absent if n < 3.
    pub standard_error: Option<f64>,
    /// Lower end of its interval by Student's t.
    pub lower: Option<f64>,
    /// Upper end of its interval by Student's t.
    pub upper: Option<f64>,
    /// `estimate / standard_error`; infinite if the points lie on the line, absent if both are 0.
    pub statistic: Option<f64>,
    /// Two-sided p value of the hypothesis that the coefficient is 0.
    pub p_value: Option<f64>,
}

/// The line y = intercept + slope · x fitted by least squares.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Line {
    /// Number of points.
    pub n: usize,
    /// Degrees of freedom of the residuals, n − 2; absent if n < 3.
    pub df: Option<usize>,
    /// Mean of y at x = 0, in the unit of y; absent if n < 2 or all x are equal.
    pub intercept: Option<LineCoefficient>,
    /// Change of the mean of y per unit of x; absent with the intercept.
    pub slope: Option<LineCoefficient>,
    /// Share of the variance of y that the line explains, 1 − Σ(y − ŷ)² / Σ(y − ȳ)², from 0 to 1;
    /// absent if all y are equal.
    pub r_squared: Option<f64>,
    /// Standard deviation of the residuals, √(Σ(y − ŷ)² / (n − 2)), in the unit of y.
    pub residual_sd: Option<f64>,
    /// Confidence level of the intervals and the band.
    pub confidence: Confidence,
    /// Reason why the first of the absent values is absent.
    pub reason: Option<NotEstimable>,
    #[serde(skip)]
    band: Option<BandParts>,
}

/// The mean of y on a line at one x, with its confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BandPoint {
    /// Place of the prediction.
    pub x: f64,
    /// The fitted mean of y there.
    pub mean: f64,
    /// Standard error of the fitted mean.
    pub standard_error: f64,
    /// Lower end of the interval of the mean.
    pub lower: f64,
    /// Upper end of the interval of the mean.
    pub upper: f64,
}

/// Numbers that the band needs besides the coefficients. The line is kept by its mean point, because the
/// intercept of data far from x = 0 has lost digits.
#[derive(Clone, Copy, Debug, PartialEq)]
struct BandParts {
    n: f64,
    mean_x: f64,
    mean_y: f64,
    slope: f64,
    /// √Σ(x − x̄)².
    spread_x: f64,
    residual_sd: f64,
    quantile: f64,
}

/// Fits the line y = a + b x by ordinary least squares, with the standard errors of normal,
/// independent residuals of equal variance.
///
/// Draper & Smith (1998). *Applied regression analysis* (3rd ed.), chapter 1. The same as R's `lm`.
pub fn line(x: &[f64], y: &[f64], confidence: Confidence) -> Line {
    let n = x.len().min(y.len());
    let absent = Line { n, df: n.checked_sub(2).filter(|&df| df > 0), confidence, ..Line::default() };
    match check_pairs(x, y).and_then(|()| check_count("a line", "points", n, 2)) {
        Ok(()) => fit(&Centred::new(x), &Centred::new(y), absent),
        Err(reason) => Line { reason: Some(reason), ..absent },
    }
}

impl Line {
    /// `b = 1.52, 95 % CI [0.71, 2.33], t(48) = 3.77, p < .001, R² = .23`, for the slope.
    pub fn sentence(&self) -> String {
        let Some(slope) = self.slope else {
            return apa::not_estimable("b", self.n, self.reason.as_ref());
        };
        let number = |value| apa::number(value, 2);
        let mut text = format!("b = {}", number(slope.estimate));
        text += &apa::interval(self.confidence, slope.lower.zip(slope.upper), number);
        if let (Some(df), Some(statistic), Some(p)) = (self.df, slope.statistic, slope.p_value) {
            text += &format!(", t({df}) = {}, {}", number(statistic), apa::p_value(p));
        }
        if let Some(r_squared) = self.r_squared {
            text += &format!(", R² = {}", apa::bounded(r_squared, 2));
        }
        text
    }

    /// The mean of y at `x` and its pointwise interval, at the line's confidence level; absent
    /// where the line has no standard errors or `x` is not finite.
    ///
    /// Pointwise: each single interval has that confidence, not the band as a whole. It is the
    /// interval of the mean, not of a new observation.
    pub fn at(&self, x: f64) -> Option<BandPoint> {
        let parts = self.band.filter(|_| x.is_finite())?;
        let mean = parts.mean_y + parts.slope * (x - parts.mean_x);
        let distance = (x - parts.mean_x) / parts.spread_x;
        let standard_error = parts.residual_sd * (1.0 / parts.n + distance * distance).sqrt();
        let half = parts.quantile * standard_error;
        Some(BandPoint { x, mean, standard_error, lower: mean - half, upper: mean + half })
    }

    /// The confidence band of the mean at each of `x`; empty where the line has none.
    pub fn band(&self, x: &[f64]) -> Vec<BandPoint> {
        x.iter().filter_map(|&x| self.at(x)).collect()
    }
}

fn fit(x: &Centred, y: &Centred, absent: Line) -> Line {
    if x.is_constant() {
        return Line { reason: Some(NotEstimable::NoVariance { variable: "x" }), ..absent };
    }
    let (sum_xx, sum_yy) = (x.sum_of_powers(2), y.sum_of_powers(2));
    // In units of both scales, as all sums here.
    let scaled_slope = x.sum_of_products(y) / sum_xx;
    let slope = scaled_slope * y.scale / x.scale;
    let intercept = y.mean - slope * x.mean;
    let residual = residual_sum_of_squares(x, y, scaled_slope, sum_yy);
    let r_squared = (!y.is_constant()).then(|| 1.0 - residual / sum_yy);
    let line = Line {
        intercept: Some(LineCoefficient::bare(intercept)),
        slope: Some(LineCoefficient::bare(slope)),
        r_squared,
        ..absent
    };
    let Some(df) = line.df else {
        let reason = check_count("the standard error of a line", "points", line.n, 3).err();
        return Line { reason, ..line };
    };
    let residual_sd = y.scale * (residual / df as f64).sqrt();
    let (n, spread_x) = (line.n as f64, x.scale * sum_xx.sqrt());
    let quantile = student_upper_quantile(line.confidence.tail(), df as f64);
    let intercept_error = residual_sd * (1.0 / n + (x.mean / spread_x).powi(2)).sqrt();
    Line {
        intercept: Some(LineCoefficient::tested(intercept, intercept_error, df, quantile)),
        slope: Some(LineCoefficient::tested(slope, residual_sd / spread_x, df, quantile)),
        residual_sd: Some(residual_sd),
        reason: y.is_constant().then_some(NotEstimable::NoVariance { variable: "y" }),
        band: Some(BandParts { n, mean_x: x.mean, mean_y: y.mean, slope, spread_x, residual_sd, quantile }),
        ..line
    }
}

/// Sum of squares of the residuals themselves: the shortcut Σyy − b Σxy loses all digits when the fit is good.
fn residual_sum_of_squares(x: &Centred, y: &Centred, slope: f64, total: f64) -> f64 {
    let residuals = x.deviations.iter().zip(&y.deviations).map(|(x, y)| y - slope * x);
    let sum: f64 = residuals.map(|residual| residual * residual).sum();
    // Points on a line leave residuals of a few units of the last place: noise, not variance.
    let noise = total * (8.0 * f64::EPSILON).powi(2);
    if sum <= noise { 0.0 } else { sum }
}

impl LineCoefficient {
    fn bare(estimate: f64) -> Self {
        Self { estimate, ..Self::default() }
    }

    fn tested(estimate: f64, standard_error: f64, df: usize, quantile: f64) -> Self {
        let statistic = Some(estimate / standard_error).filter(|statistic| !statistic.is_nan());
        Self {
            estimate,
            standard_error: Some(standard_error),
            lower: Some(estimate - quantile * standard_error),
            upper: Some(estimate + quantile * standard_error),
            statistic,
            p_value: statistic.map(|statistic| student_two_sided(statistic, df as f64)),
        }
    }
}

/// The lines of any table.
pub const LINE: Estimator = Estimator {
    name: "line",
    summary: "Least-squares line of each y on each x: intercept and slope.",
    assumptions: INDEPENDENT,
    source: "Draper and Smith (1998), chapter 1.",
    roles: &[Need::several(Role::X, Kind::Number, 1), Need::several(Role::Y, Kind::Number, 1)],
    columns: joined!(
        &[
            X.means("what it is explained by"),
            Y.means("what is explained"),
            TERM.means("intercept, or slope: change of y per unit of x"),
            N,
            N_MISSING,
            ESTIMATE
        ],
        INTERVAL_COLUMNS,
        &[STATISTIC.means("t"), DF, P_VALUE, P_METHOD, R_SQUARED, RESIDUAL_SD, SENTENCE, REASON]
    ),
    estimate: Estimate::Table(|sample| {
        each_pair(sample, &[], |xs, ys, _| line(xs, ys, sample.request.confidence).records())
    }),
};

impl Line {
    /// The intercept and the slope.
    pub fn records(&self) -> Vec<Record> {
        let row = |term: &str, coefficient: Option<LineCoefficient>| {
            Record::new()
                .set(TERM, term)
                .set(N, self.n)
                .set(ESTIMATE, coefficient.map(|coefficient| coefficient.estimate))
                .set(STANDARD_ERROR, coefficient.and_then(|coefficient| coefficient.standard_error))
                .set(LOWER, coefficient.and_then(|coefficient| coefficient.lower))
                .set(UPPER, coefficient.and_then(|coefficient| coefficient.upper))
                .set(CONFIDENCE, self.confidence.level())
                .set(STATISTIC, coefficient.and_then(|coefficient| coefficient.statistic))
                .set(DF, self.df)
                .set(P_VALUE, coefficient.and_then(|coefficient| coefficient.p_value))
                .set(P_METHOD, PMethod::StudentT)
                .set(R_SQUARED, self.r_squared)
                .set(RESIDUAL_SD, self.residual_sd)
                .set(REASON, self.reason.clone())
        };
        vec![
            row("intercept", self.intercept).skipping_adjustment(),
            row("slope", self.slope).set(SENTENCE, self.sentence()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_a_line_leave_nothing_unexplained() {
        let x = [0.1, 0.2, 0.3, 0.7];
        let y = x.map(|x| 3.0 - 2.0 * x);
        let fitted = line(&x, &y, Confidence::default());
        assert!((fitted.slope.unwrap().estimate + 2.0).abs() < 1e-14);
        assert_eq!((fitted.r_squared, fitted.residual_sd), (Some(1.0), Some(0.0)));
    }

    #[test]
    fn a_line_that_explains_nothing_has_an_r_squared_of_zero() {
        let fitted = line(&[-1.0, 0.0, 1.0], &[1.0, -2.0, 1.0], Confidence::default());
        assert_eq!((fitted.slope.unwrap().estimate, fitted.r_squared), (0.0, Some(0.0)));
    }

    #[test]
    fn two_points_make_a_line_without_errors_and_equal_x_make_none() {
        let two = line(&[1.0, 2.0], &[3.0, 5.0], Confidence::default());
        assert_eq!((two.slope.unwrap().estimate, two.slope.unwrap().standard_error), (2.0, None));
        assert_eq!(two.at(1.5), None);
        let upright = line(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0], Confidence::default());
        assert_eq!(upright.slope, None);
        let flat = line(&[1.0, 2.0, 3.0], &[4.0; 3], Confidence::default());
        assert_eq!((flat.slope.unwrap().estimate, flat.slope.unwrap().p_value, flat.r_squared), (0.0, None, None));
    }
}

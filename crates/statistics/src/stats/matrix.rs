//! All correlations among several measures, with p values adjusted for their number.

use serde::Serialize;

use super::correlation::{Correlation, CorrelationKind, KENDALL, PEARSON, SPEARMAN, correlate};
use crate::adjust::Adjustment;
use crate::estimator::Input;
use crate::estimator::sample::Sample;
use crate::estimator::{Estimate, Estimator, Kind, Need, Role, Values};
use crate::inference::Confidence;
use crate::not_estimable::NotEstimable;
use crate::record::*;

/// More measures than this are refused: their pairs would be no table that anyone can read.
pub const MOST_MEASURES: usize = 500;

/// A measure of the things (levels, participants) that are the rows of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatrixColumn<'a> {
    /// Its name.
    pub name: &'a str,
    /// One value per row, in the same order for all measures; `None` where it is missing.
    pub values: &'a [Option<f64>],
}

/// One pair of measures: a row of the table in long form.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeasurePair {
    /// Name of the first measure.
    pub x: String,
    /// Name of the second measure.
    pub y: String,
    /// Their correlation over the rows that have both; its n counts those.
    #[serde(flatten)]
    pub correlation: Correlation,
    /// Its p value adjusted over all pairs of the matrix that have one.
    pub p_adjusted: Option<f64>,
}

/// The correlations of all pairs of measures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CorrelationMatrix {
    /// The coefficient.
    pub method: CorrelationKind,
    /// Adjustment of the p values.
    pub adjustment: Adjustment,
    /// Names of the measures, in the order of the input.
    pub names: Vec<String>,
    /// Number of pairs that have a p value: the size of the family of tests.
    pub n_tests: usize,
    /// All pairs, the first with the second, third, …, then the second with the third, ….
    pub pairs: Vec<MeasurePair>,
    /// Reason why there are no pairs.
    pub reason: Option<NotEstimable>,
}

/// Pearson's r of all pairs of columns of any table.
pub const MATRIX_PEARSON: Estimator = Estimator {
    name: "matrix-pearson",
    summary: "Pearson's r of all pairs of columns, each over the rows that have both values.",
    roles: &[Need::several(Role::X, Kind::Number, 2)],
    estimate: Estimate::Table(|sample| estimate_matrix(sample, CorrelationKind::Pearson)),
    ..PEARSON
};

/// Spearman's ρ of all pairs of columns of any table.
pub const MATRIX_SPEARMAN: Estimator = Estimator {
    name: "matrix-spearman",
    summary: "Spearman's ρ of all pairs of columns, each over the rows that have both values.",
    source: SPEARMAN.source,
    estimate: Estimate::Table(|sample| estimate_matrix(sample, CorrelationKind::Spearman)),
    ..MATRIX_PEARSON
};

/// Kendall's τb of all pairs of columns of any table.
pub const MATRIX_KENDALL: Estimator = Estimator {
    name: "matrix-kendall",
    summary: "Kendall's τb of all pairs of columns, each over the rows that have both values.",
    source: KENDALL.source,
    estimate: Estimate::Table(|sample| estimate_matrix(sample, CorrelationKind::Kendall)),
    ..MATRIX_PEARSON
};

fn estimate_matrix(sample: &Sample, method: CorrelationKind) -> Vec<Record> {
    let measures: Vec<MatrixColumn> = sample.all(Role::X).iter().map(measure).collect();
    // Adjusted with all other rows of the table, if at all.
    let matrix = correlation_matrix(&measures, method, Adjustment::None, sample.request.confidence);
    if matrix.pairs.is_empty() {
        return vec![Record::new().set(N_MISSING, 0_usize).set(N, 0_usize).set(REASON, matrix.reason)];
    }
    matrix.pairs.iter().map(|pair| pair.record().set(N_MISSING, sample.rows.len() - pair.correlation.n)).collect()
}

fn measure(input: &Input) -> MatrixColumn<'_> {
    let values: &[Option<f64>] = if let Values::Numbers(values) = &input.values { values } else { &[] };
    MatrixColumn { name: &input.name, values }
}

/// Correlates each measure with each other one, over the rows that have both values (pairwise
/// deletion, so that n can differ from pair to pair), and adjusts the p values over all pairs.
///
/// See [`super::correlation`] for the coefficients and [`crate::adjust`] for the adjustments.
/// Pairwise deletion assumes that values are missing completely at random (Little & Rubin, 2020,
/// *Statistical analysis with missing data*, section 3.4). At most [`MOST_MEASURES`] measures.
///
/// ```
/// use plymap_statistics::stats::{Confidence, adjust::Adjustment, correlation::CorrelationKind};
/// use plymap_statistics::stats::matrix::{MatrixColumn, correlation_matrix};
///
/// let length = [Some(8.0), Some(12.0), Some(16.0), None, Some(30.0)];
/// let time = [Some(20.0), Some(25.0), Some(50.0), Some(40.0), Some(45.0)];
/// let measures = [MatrixColumn { name: "length", values: &length }, MatrixColumn { name: "time", values: &time }];
/// let matrix = correlation_matrix(&measures, CorrelationKind::Spearman, Adjustment::Holm, Confidence::default());
/// assert_eq!((matrix.pairs.len(), matrix.pairs[0].correlation.n), (1, 4));
/// ```
pub fn correlation_matrix(
    measures: &[MatrixColumn],
    method: CorrelationKind,
    adjustment: Adjustment,
    confidence: Confidence,
) -> CorrelationMatrix {
    let names = measures.iter().map(|measure| measure.name.to_owned()).collect();
    let mut matrix = CorrelationMatrix { method, adjustment, names, n_tests: 0, pairs: Vec::new(), reason: None };
    match check_measures(measures) {
        Ok(()) => matrix.complete(measures, confidence),
        Err(reason) => matrix.reason = Some(reason),
    }
    matrix
}

impl MeasurePair {
    /// The correlation as a row, with the names of the measures.
    pub fn record(&self) -> Record {
        self.correlation.record().set(X, self.x.as_str()).set(Y, self.y.as_str())
    }
}

impl CorrelationMatrix {
    /// The pair of the measures with these numbers (from 0), in either order; absent on the diagonal.
    pub fn pair(&self, first: usize, second: usize) -> Option<&MeasurePair> {
        let (low, high) = (first.min(second), first.max(second));
        if low == high || high >= self.names.len() {
            return None;
        }
        // Rows before `low` hold n − 1, n − 2, … pairs.
        self.pairs.get(low * (2 * self.names.len() - low - 1) / 2 + high - low - 1)
    }

    fn complete(&mut self, measures: &[MatrixColumn], confidence: Confidence) {
        for (number, x) in measures.iter().enumerate() {
            for y in &measures[number + 1..] {
                let both = x.values.iter().zip(y.values).filter_map(|(&x, &y)| x.zip(y));
                let (x_values, y_values): (Vec<f64>, Vec<f64>) = both.unzip();
                let correlation = correlate(self.method, &x_values, &y_values, confidence);
                let (x, y) = (x.name.to_owned(), y.name.to_owned());
                self.pairs.push(MeasurePair { x, y, correlation, p_adjusted: None });
            }
        }
        let p_values: Vec<Option<f64>> = self.pairs.iter().map(|pair| pair.correlation.p_value()).collect();
        self.n_tests = p_values.iter().flatten().count();
        for (pair, p) in self.pairs.iter_mut().zip(self.adjustment.apply(&p_values)) {
            pair.p_adjusted = p;
        }
    }
}

fn check_measures(measures: &[MatrixColumn]) -> Result<(), NotEstimable> {
    crate::not_estimable::check_count("a correlation matrix", "measures", measures.len(), 2)?;
    if measures.len() > MOST_MEASURES {
        let (quantity, allowed) = ("the number of measures", "at most 500");
        return Err(NotEstimable::OutOfRange { quantity, value: measures.len().to_string(), allowed });
    }
    let left = measures[0].values.len();
    match measures.iter().find(|measure| measure.values.len() != left) {
        None => Ok(()),
        Some(other) => {
            let (left_name, right_name, right) = ("the first measure", "another one", other.values.len());
            Err(NotEstimable::UnequalLengths { left_name, left, right_name, right })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(columns: &[Vec<Option<f64>>]) -> CorrelationMatrix {
        let names = ["a", "b", "c", "d"];
        let measures: Vec<MatrixColumn> =
            columns.iter().zip(names).map(|(values, name)| MatrixColumn { name, values }).collect();
        correlation_matrix(&measures, CorrelationKind::Pearson, Adjustment::Holm, Confidence::default())
    }

    #[test]
    fn a_pair_is_found_in_either_order() {
        let column = |shift: u32| (0..6_u32).map(|i| Some(f64::from((i * i + shift * i) % 7))).collect::<Vec<_>>();
        let matrix = matrix(&[column(1), column(2), column(3), column(4)]);
        for first in 0..4 {
            for second in 0..4 {
                let Some(pair) = matrix.pair(first, second) else {
                    assert_eq!(first, second);
                    continue;
                };
                assert_eq!((&pair.x, &pair.y), (&matrix.names[first.min(second)], &matrix.names[first.max(second)]));
            }
        }
        assert_eq!((matrix.pairs.len(), matrix.pair(0, 4)), (6, None));
    }

    #[test]
    fn a_pair_that_cannot_be_tested_does_not_count_as_a_test() {
        let (rising, constant) = (vec![Some(1.0), Some(2.0), Some(4.0), Some(4.5)], vec![Some(3.0); 4]);
        let matrix = matrix(&[rising, constant, vec![Some(2.0), Some(1.0), Some(3.0), Some(5.0)]]);
        assert_eq!(matrix.n_tests, 1);
        assert_eq!(matrix.pair(0, 2).unwrap().p_adjusted, matrix.pair(0, 2).unwrap().correlation.p_value());
        let constant = NotEstimable::NoVariance { variable: "y" };
        assert_eq!(matrix.pair(0, 1).unwrap().correlation.coefficient, Err(constant));
        let row = serde_json::to_value(matrix.pair(0, 1).unwrap()).unwrap();
        assert_eq!((row["x"].as_str(), row["n"].as_u64(), row["p_adjusted"].as_f64()), (Some("a"), Some(4), None));
    }

    #[test]
    fn measures_of_other_rows_and_single_measures_are_refused() {
        let reason = |columns: &[Vec<Option<f64>>]| matrix(columns).reason.unwrap().to_string();
        assert_eq!(reason(&[]), "a correlation matrix needs at least 2 measures, found 0");
        assert!(reason(&[vec![None; 3], vec![None; 2]]).starts_with("the first measure has 3 values"));
        let missing = matrix(&[vec![None; 3], vec![Some(1.0); 3]]);
        assert_eq!(missing.pairs[0].correlation.n, 0);
        assert!(missing.pairs[0].correlation.coefficient.is_err());
        let nan = matrix(&[vec![Some(f64::NAN); 3], vec![Some(1.0); 3]]);
        assert!(matches!(nan.pairs[0].correlation.coefficient, Err(NotEstimable::NotFinite { .. })));
    }
}

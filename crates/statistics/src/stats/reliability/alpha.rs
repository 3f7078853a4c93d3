//! Cronbach's α.

use serde::Serialize;

use super::tables::{LONG, MEASURED, N_ITEMS, WIDE, WIDE_ASSUMPTIONS, each_long_table, wide_table};
use crate::apa;
use crate::estimator::{Estimate, Estimator};
use crate::inference::Confidence;
use crate::not_estimable::{NotEstimable, check_count};
use crate::numeric::distribution::f_upper_quantile;
use crate::numeric::moments::Centred;
use crate::record::*;
use crate::stats::friedman::check_rows;

/// Cronbach's α with its interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Alpha {
    /// Number of participants.
    pub n: usize,
    /// Number of items k.
    pub n_items: usize,
    /// α, at most 1; negative if the items go against each other.
    pub estimate: Option<f64>,
    /// Lower end of the interval; absent if α is 1.
    pub lower: Option<f64>,
    /// Upper end of the interval; absent with the lower one.
    pub upper: Option<f64>,
    /// Confidence level of the interval.
    pub confidence: Confidence,
    /// Reason why the first of the absent values is absent.
    pub reason: Option<NotEstimable>,
}

/// Cronbach's α of a column of any table, by participant and item.
pub const ALPHA: Estimator = Estimator {
    name: "alpha",
    summary: "Cronbach's α of the sum of items, participants by items.",
    assumptions: "Several rows of a participant and item count as their mean (or --measure median).",
    source: "Cronbach (1951); Feldt (1965).",
    roles: LONG,
    columns: joined!(
        &[
            MEASURED,
            N.means("number of participants with all items"),
            N_ITEMS,
            N_ROWS.means("number of rows with all values"),
            N_MISSING,
            N_EXCLUDED,
            ESTIMATE.means("α, at most 1")
        ],
        BOUNDS,
        &[SENTENCE, REASON]
    ),
    estimate: Estimate::Table(|sample| each_long_table(sample, estimate_table)),
};

/// Cronbach's α of the columns of any table as items.
pub const ALPHA_COLUMNS: Estimator = Estimator {
    name: "alpha-columns",
    summary: "Cronbach's α of the sum of columns.",
    assumptions: WIDE_ASSUMPTIONS,
    roles: WIDE,
    estimate: Estimate::Table(|sample| wide_table(sample, estimate_table)),
    ..ALPHA
};

fn estimate_table(rows: &[Vec<f64>], confidence: Confidence) -> Vec<Record> {
    vec![cronbach_alpha(rows, confidence).record()]
}

/// Cronbach's α of the sum of k items (levels): k / (k − 1) · (1 − sum of the items' variances /
/// variance of the sum). Each row is a participant, complete.
///
/// Cronbach (1951). Coefficient alpha and the internal structure of tests. *Psychometrika*, 16,
/// 297–334. Interval: Feldt (1965). The approximate sampling distribution of Kuder-Richardson
/// reliability coefficient twenty. *Psychometrika*, 30, 357–370. The same as pingouin's
/// `cronbach_alpha`.
///
/// ```
/// use plymap_statistics::stats::{Confidence, reliability::cronbach_alpha};
///
/// let solved = [[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
/// assert_eq!(cronbach_alpha(&solved, Confidence::default()).estimate, Some(0.75));
/// ```
pub fn cronbach_alpha<R: AsRef<[f64]>>(participants: &[R], confidence: Confidence) -> Alpha {
    let rows: Vec<&[f64]> = participants.iter().map(AsRef::as_ref).collect();
    let (n, n_items) = (rows.len(), rows.first().map_or(0, |row| row.len()));
    let mut result = Alpha { n, n_items, estimate: None, lower: None, upper: None, confidence, reason: None };
    result.reason = result.complete(&rows).err();
    result
}

impl Alpha {
    /// `α = .80, 95 % CI [.51, .97], 3 items, n = 12`.
    pub fn sentence(&self) -> String {
        let Some(estimate) = self.estimate else {
            return apa::not_estimable("α", self.n, self.reason.as_ref());
        };
        let interval = apa::interval(self.confidence, self.lower.zip(self.upper), |value| apa::bounded(value, 2));
        let (items, n) = (apa::counted(self.n_items, "item"), apa::count(self.n));
        format!("α = {}{interval}, {items}, n = {n}", apa::bounded(estimate, 2))
    }

    /// The result as a row.
    pub fn record(&self) -> Record {
        Record::new()
            .set(ESTIMATE, self.estimate)
            .set(LOWER, self.lower)
            .set(UPPER, self.upper)
            .set(CONFIDENCE, self.confidence.level())
            .set(SENTENCE, self.sentence())
            .set(REASON, self.reason.clone())
    }

    fn complete(&mut self, rows: &[&[f64]]) -> Result<(), NotEstimable> {
        check_rows(rows)?;
        check_count("Cronbach's α", "participants", rows.len(), 2)?;
        check_count("Cronbach's α", "items", self.n_items, 2)?;
        let of_items: f64 = (0..self.n_items).map(|item| sum_of_deviations(rows.iter().map(|row| row[item]))).sum();
        let of_sums = sum_of_deviations(rows.iter().map(|row| row.iter().sum()));
        // Sums that are equal but for rounding have no variance.
        if of_sums <= of_items * (8.0 * f64::EPSILON).powi(2) {
            return Err(NotEstimable::NoVariance { variable: "the participants' sums" });
        }
        let (n, k) = (self.n as f64, self.n_items as f64);
        let unreliable = 1.0 - k / (k - 1.0) * (1.0 - of_items / of_sums);
        // Equal items leave a few units of the last place.
        let unreliable = if unreliable.abs() < 8.0 * f64::EPSILON { 0.0 } else { unreliable };
        self.estimate = Some(1.0 - unreliable);
        if unreliable == 0.0 {
            let why = "α is 1, so that its interval has no width".to_owned();
            return Err(NotEstimable::Undefined { quantity: "the interval of α", why });
        }
        let (df1, df2, tail) = (n - 1.0, (n - 1.0) * (k - 1.0), self.confidence.tail());
        self.lower = Some(1.0 - unreliable * f_upper_quantile(tail, df1, df2));
        self.upper = Some(1.0 - unreliable / f_upper_quantile(tail, df2, df1));
        Ok(())
    }
}

/// Sum of the squared deviations from the mean.
fn sum_of_deviations(values: impl Iterator<Item = f64>) -> f64 {
    Centred::new(&values.collect::<Vec<f64>>()).sum_of_squares()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_estimated_says_why() {
        let reason = |rows: &[Vec<f64>]| cronbach_alpha(rows, Confidence::default()).reason.unwrap().to_string();
        assert_eq!(reason(&[]), "Cronbach's α needs at least 2 participants, found 0");
        assert_eq!(reason(&[vec![1.0], vec![2.0]]), "Cronbach's α needs at least 2 items, found 1");
        assert_eq!(reason(&[vec![1.0, 2.0], vec![2.0, 1.0]]), "all values of the participants' sums are equal");
        assert!(reason(&[vec![f64::NAN, 2.0], vec![2.0, 1.0]]).starts_with("a row holds NaN"));
        let equal = cronbach_alpha(&[[0.1, 0.1], [0.3, 0.3], [0.7, 0.7]], Confidence::default());
        assert_eq!((equal.estimate, equal.lower), (Some(1.0), None));
        assert_eq!(equal.sentence(), "α = 1.00, 2 items, n = 3");
    }
}

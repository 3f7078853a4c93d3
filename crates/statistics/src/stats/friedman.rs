//! Comparison of several conditions by the same participants, by ranks.

use serde::Serialize;

use super::distribution::chi_squared_upper;
use super::rank::mid_ranks;
use super::{NotEstimable, PMethod, apa, check_count, check_values};
use crate::estimator::repeated_measures::{ASSUMPTIONS, ASSUMPTIONS_WIDE, LONG, MEASURED, WIDE, each_outcome};
use crate::estimator::sample::Crossed;
use crate::estimator::{Estimator, Role};
use crate::record::*;

const N_CONDITIONS: Column = count("n_conditions", "number of labels or columns that are compared");

/// The test on the columns of any table.
pub const FRIEDMAN: Estimator = Estimator {
    name: "friedman",
    summary: "Friedman's test of all groups at once, as repeated measures of participants, with Kendall's W.",
    assumptions: ASSUMPTIONS,
    source: "Friedman (1937); Kendall and Babington Smith (1939).",
    roles: LONG,
    columns: &[
        MEASURED,
        N.means("number of participants with all values"),
        N_CONDITIONS,
        N_ROWS.means("number of rows with all values, from which participants' values were made"),
        N_MISSING,
        N_EXCLUDED,
        ESTIMATE.means("Kendall's W, from 0 to 1"),
        STATISTIC.means("χ², corrected for ties"),
        DF,
        P_VALUE,
        P_METHOD,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| each_outcome(sample, compare_labels),
};

/// The test on columns that stand side by side.
pub const FRIEDMAN_COLUMNS: Estimator = Estimator {
    name: "friedman-columns",
    summary: "Friedman's test of all columns at once, as repeated measures of rows, with Kendall's W.",
    assumptions: ASSUMPTIONS_WIDE,
    roles: WIDE,
    estimate: |sample| compare_labels(&sample.side_by_side(sample.all(Role::X))),
    ..FRIEDMAN
};

/// A Friedman test with its effect size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Friedman {
    /// Number of participants (blocks).
    pub n: usize,
    /// Number of conditions k.
    pub n_conditions: usize,
    /// Mean rank of each condition among the k of each participant, in the order of the input.
    pub mean_ranks: Vec<f64>,
    /// The statistic Q, corrected for ties.
    pub statistic: Option<f64>,
    /// Degrees of freedom, k − 1; absent for fewer than two conditions.
    pub df: Option<usize>,
    /// Probability of so large a Q where no condition tends to larger values.
    pub p_value: Option<f64>,
    /// How the p value was computed. The approximation is rough for fewer than ten participants.
    pub p_method: PMethod,
    /// Kendall's W = Q / (n (k − 1)): agreement of the participants' orders, from 0 to 1.
    pub kendalls_w: Option<f64>,
    /// Why the absent values are absent.
    pub reason: Option<NotEstimable>,
}

/// Tests whether conditions differ, from one value per participant and condition (such as the
/// participant's median time for each quality of move). Each row is a participant, complete.
///
/// Friedman (1937). The use of ranks to avoid the assumption of normality implicit in the analysis of
/// variance. *Journal of the American Statistical Association*, 32, 675–701. Kendall & Babington
/// Smith (1939). The problem of m rankings. *Annals of Mathematical Statistics*, 10, 275–287. Ties:
/// Conover (1999). *Practical nonparametric statistics* (3rd ed.), section 5.8. The same as scipy's
/// `friedmanchisquare`, which wants three conditions; with two the test is the sign test's normal
/// approximation.
///
/// ```
/// let medians = [[1.0, 2.0, 3.0], [2.0, 3.0, 9.0], [4.0, 3.0, 5.0]];
/// let test = plymap_statistics::stats::friedman::friedman(&medians);
/// assert_eq!((test.n, test.n_conditions, test.df), (3, 3, Some(2)));
/// assert_eq!(test.mean_ranks, [4.0 / 3.0, 5.0 / 3.0, 3.0]);
/// ```
pub fn friedman<R: AsRef<[f64]>>(participants: &[R]) -> Friedman {
    let rows: Vec<&[f64]> = participants.iter().map(AsRef::as_ref).collect();
    let n_conditions = rows.first().map_or(0, |row| row.len());
    let mut result = Friedman {
        n: rows.len(),
        n_conditions,
        mean_ranks: Vec::new(),
        statistic: None,
        df: n_conditions.checked_sub(1).filter(|&df| df > 0),
        p_value: None,
        p_method: PMethod::ChiSquaredApproximation,
        kendalls_w: None,
        reason: None,
    };
    result.reason = result.complete(&rows).err();
    result
}

impl Friedman {
    /// `χ²(2) = 4.67, p = .097, W = .78, n = 3`.
    pub fn sentence(&self) -> String {
        let (Some(statistic), Some(df), Some(p), Some(w)) = (self.statistic, self.df, self.p_value, self.kendalls_w)
        else {
            return apa::not_estimable("χ²", self.n, self.reason.as_ref());
        };
        let (statistic, p, w) = (apa::number(statistic, 2), apa::p_value(p), apa::bounded(w, 2));
        format!("χ²({df}) = {statistic}, {p}, W = {w}, n = {}", apa::count(self.n))
    }

    /// The row of a table.
    pub fn record(&self) -> Record {
        Record::new()
            .set(N, self.n)
            .set(N_CONDITIONS, self.n_conditions)
            .set(ESTIMATE, self.kendalls_w)
            .set(STATISTIC, self.statistic)
            .set(DF, self.df)
            .set(P_VALUE, self.p_value)
            .set(P_METHOD, self.p_value.map(|_| self.p_method))
            .set(SENTENCE, self.sentence())
            .set(REASON, self.reason.clone())
    }

    fn complete(&mut self, rows: &[&[f64]]) -> Result<(), NotEstimable> {
        check_rows(rows)?;
        check_count("the Friedman test", "participants", rows.len(), 2)?;
        check_count("the Friedman test", "conditions", self.n_conditions, 2)?;
        let (n, k) = (rows.len() as f64, self.n_conditions as f64);
        let mut sums = vec![0.0; self.n_conditions];
        let mut tied = 0.0;
        for row in rows {
            let ranked = mid_ranks(row)?;
            sums.iter_mut().zip(&ranked.ranks).for_each(|(sum, rank)| *sum += rank);
            tied += ranked.ties.iter().map(|&size| (size as f64).powi(3) - size as f64).sum::<f64>();
        }
        self.mean_ranks = sums.iter().map(|sum| sum / n).collect();
        let untied = n * k * (k * k - 1.0);
        if tied == untied {
            return Err(NotEstimable::NoVariance { variable: "each participant" });
        }
        let between: f64 = sums.iter().map(|sum| (sum - n * (k + 1.0) / 2.0).powi(2)).sum();
        let statistic = 12.0 * between / (n * k * (k + 1.0)) / (1.0 - tied / untied);
        self.statistic = Some(statistic);
        self.p_value = Some(chi_squared_upper(statistic, k - 1.0));
        self.kendalls_w = Some(statistic / (n * (k - 1.0)));
        Ok(())
    }
}

fn compare_labels(table: &Crossed) -> Vec<Record> {
    let (rows, n_excluded) = table.complete();
    // Without a complete row the test does not know how many labels there are.
    let record = friedman(&rows).record().set(N_CONDITIONS, table.labels.len());
    vec![record.set(N_ROWS, table.n_rows).set(N_MISSING, table.n_missing).set(N_EXCLUDED, n_excluded)]
}

/// Refuses rows of unequal length, or with values that no estimator can work with.
pub(super) fn check_rows(rows: &[&[f64]]) -> Result<(), NotEstimable> {
    let left = rows.first().map_or(0, |row| row.len());
    for row in rows {
        if row.len() != left {
            let (left_name, right_name, right) = ("the first row", "another one", row.len());
            return Err(NotEstimable::UnequalLengths { left_name, left, right_name, right });
        }
        check_values("a row", row)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn participants_who_all_agree_have_a_w_of_one() {
        let test = friedman(&[[1.0, 5.0, 2.0], [0.0, 9.0, 3.0], [2.0, 7.0, 3.0], [1.0, 8.0, 4.0]]);
        assert!((test.kendalls_w.unwrap() - 1.0).abs() < 1e-15);
        assert_eq!(test.sentence(), "χ²(2) = 8.00, p = .018, W = 1.00, n = 4");
    }

    #[test]
    fn what_cannot_be_compared_says_why() {
        let reason = |rows: &[Vec<f64>]| friedman(rows).reason.unwrap().to_string();
        assert_eq!(reason(&[]), "the Friedman test needs at least 2 participants, found 0");
        assert_eq!(reason(&[vec![1.0], vec![2.0]]), "the Friedman test needs at least 2 conditions, found 1");
        assert_eq!(reason(&[vec![1.0; 3], vec![2.0; 3]]), "all values of each participant are equal");
        assert!(reason(&[vec![1.0, 2.0], vec![1.0]]).starts_with("the first row has 2 values"));
        assert!(reason(&[vec![1.0, 2.0], vec![1.0, f64::NAN]]).starts_with("a row holds NaN at position 1"));
    }
}

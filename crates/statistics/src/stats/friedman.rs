//! Comparison of several conditions by the same participants, by ranks.

use serde::Serialize;

use crate::apa;
use crate::estimator::repeated_measures::{ASSUMPTIONS, ASSUMPTIONS_WIDE, LONG, MEASURED, WIDE, each_outcome};
use crate::estimator::sample::Crossed;
use crate::estimator::{Estimate, Estimator, Role};
use crate::inference::PMethod;
use crate::not_estimable::{NotEstimable, check_count, check_values};
use crate::numeric::distribution::chi_squared_upper;
use crate::numeric::rank::mid_ranks;
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
    estimate: Estimate::Table(|sample| each_outcome(sample, compare_labels)),
};

/// The test on columns that stand side by side.
pub const FRIEDMAN_COLUMNS: Estimator = Estimator {
    name: "friedman-columns",
    summary: "Friedman's test of all columns at once, as repeated measures of rows, with Kendall's W.",
    assumptions: ASSUMPTIONS_WIDE,
    roles: WIDE,
    estimate: Estimate::Table(|sample| compare_labels(&sample.side_by_side(sample.all(Role::X)))),
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
    /// The test, or why there is none.
    pub test: Result<FriedmanTest, NotEstimable>,
}

/// The test that no condition tends to larger values. Its p value is an approximation, rough for fewer than ten
/// participants.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FriedmanTest {
    /// The statistic Q, corrected for ties.
    pub statistic: f64,
    /// Probability of so large a Q where no condition tends to larger values.
    pub p_value: f64,
    /// Kendall's W = Q / (n (k − 1)): agreement of the participants' orders, from 0 to 1.
    pub kendalls_w: f64,
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
/// assert_eq!((test.n, test.n_conditions, test.df()), (3, 3, Some(2)));
/// assert_eq!(test.mean_ranks, [4.0 / 3.0, 5.0 / 3.0, 3.0]);
/// ```
pub fn friedman<R: AsRef<[f64]>>(participants: &[R]) -> Friedman {
    let rows: Vec<&[f64]> = participants.iter().map(AsRef::as_ref).collect();
    let n_conditions = rows.first().map_or(0, |row| row.len());
    let ranked = rank_sums(&rows, n_conditions);
    let n = rows.len() as f64;
    let mean_ranks = ranked.as_ref().map_or(Vec::new(), |(sums, _)| sums.iter().map(|sum| sum / n).collect());
    let test = ranked.and_then(|(sums, tied)| FriedmanTest::new(n, &sums, tied));
    Friedman { n: rows.len(), n_conditions, mean_ranks, test }
}

impl Friedman {
    /// Degrees of freedom, k − 1; absent for fewer than two conditions.
    pub fn df(&self) -> Option<usize> {
        self.n_conditions.checked_sub(1).filter(|&df| df > 0)
    }

    /// `χ²(2) = 4.67, p = .097, W = .78, n = 3`.
    pub fn sentence(&self) -> String {
        apa::outcome("χ²", self.n, &self.test, |test| {
            let (df, statistic, p) =
                (self.n_conditions - 1, apa::number(test.statistic, 2), apa::p_value(test.p_value));
            format!("χ²({df}) = {statistic}, {p}, W = {}, n = {}", apa::bounded(test.kendalls_w, 2), apa::count(self.n))
        })
    }

    /// The row of a table.
    pub fn record(&self) -> Record {
        Record::new()
            .set(N, self.n)
            .set(N_CONDITIONS, self.n_conditions)
            .set(DF, self.df())
            .set(SENTENCE, self.sentence())
            .outcome(&self.test, |record, test| {
                record
                    .set(ESTIMATE, test.kendalls_w)
                    .set(STATISTIC, test.statistic)
                    .set(P_VALUE, test.p_value)
                    .set(P_METHOD, PMethod::ChiSquaredApproximation)
            })
    }
}

/// Returns the sum of the ranks of each condition, and the tie term Σ(t³ − t) over the ties of all rows.
fn rank_sums(rows: &[&[f64]], n_conditions: usize) -> Result<(Vec<f64>, f64), NotEstimable> {
    check_rows(rows)?;
    check_count("the Friedman test", "participants", rows.len(), 2)?;
    check_count("the Friedman test", "conditions", n_conditions, 2)?;
    let (mut sums, mut tied) = (vec![0.0; n_conditions], 0.0);
    for row in rows {
        let ranked = mid_ranks(row)?;
        sums.iter_mut().zip(&ranked.ranks).for_each(|(sum, rank)| *sum += rank);
        tied += ranked.ties.iter().map(|&size| (size as f64).powi(3) - size as f64).sum::<f64>();
    }
    Ok((sums, tied))
}

impl FriedmanTest {
    fn new(n: f64, sums: &[f64], tied: f64) -> Result<Self, NotEstimable> {
        let k = sums.len() as f64;
        let untied = n * k * (k * k - 1.0);
        if tied == untied {
            return Err(NotEstimable::NoVariance { variable: "each participant" });
        }
        let between: f64 = sums.iter().map(|sum| (sum - n * (k + 1.0) / 2.0).powi(2)).sum();
        let statistic = 12.0 * between / (n * k * (k + 1.0)) / (1.0 - tied / untied);
        let p_value = chi_squared_upper(statistic, k - 1.0);
        Ok(Self { statistic, p_value, kendalls_w: statistic / (n * (k - 1.0)) })
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
        assert!((test.test.as_ref().unwrap().kendalls_w - 1.0).abs() < 1e-15);
        assert_eq!(test.sentence(), "χ²(2) = 8.00, p = .018, W = 1.00, n = 4");
    }

    #[test]
    fn what_cannot_be_compared_says_why() {
        let reason = |rows: &[Vec<f64>]| friedman(rows).test.unwrap_err().to_string();
        assert_eq!(reason(&[]), "the Friedman test needs at least 2 participants, found 0");
        assert_eq!(reason(&[vec![1.0], vec![2.0]]), "the Friedman test needs at least 2 conditions, found 1");
        assert_eq!(reason(&[vec![1.0; 3], vec![2.0; 3]]), "all values of each participant are equal");
        assert!(reason(&[vec![1.0, 2.0], vec![1.0]]).starts_with("the first row has 2 values"));
        assert!(reason(&[vec![1.0, 2.0], vec![1.0, f64::NAN]]).starts_with("a row holds NaN at position 1"));
    }
}

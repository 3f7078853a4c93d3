//! The one-way intraclass correlation of participants with unequal numbers of values.

use serde::Serialize;

use super::tables::{MEASURED, OF_PARTICIPANTS, each_outcome};
use crate::apa;
use crate::estimator::{Estimate, Estimator};
use crate::inference::{Confidence, PMethod};
use crate::not_estimable::{NotEstimable, check_count, check_values};
use crate::numeric::distribution::{f_upper, f_upper_quantile};
use crate::numeric::moments::Centred;
use crate::record::*;

/// A one-way intraclass correlation from groups of any size.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct OneWay {
    /// Number of values in all groups.
    pub n: usize,
    /// Number of groups (participants) that are not empty.
    pub n_groups: usize,
    /// The size n₀ = (N − Σ nᵢ² / N) / (groups − 1) that stands for all sizes; their own if all are equal.
    pub n0: Option<f64>,
    /// ICC(1): share of the variance of a single value that lies between the groups. Can be negative.
    pub estimate: Option<f64>,
    /// Lower end of the interval; absent if there is no variance within the groups.
    pub lower: Option<f64>,
    /// Upper end of the interval; absent with the lower one.
    pub upper: Option<f64>,
    /// Reliability of the mean of n₀ values, (MSB − MSW) / MSB.
    pub mean_reliability: Option<f64>,
    /// Lower end of its interval.
    pub mean_lower: Option<f64>,
    /// Upper end of its interval.
    pub mean_upper: Option<f64>,
    /// Confidence level of the intervals.
    pub confidence: Confidence,
    /// The F statistic MSB / MSW of the hypothesis that groups do not differ; infinite if MSW is 0.
    pub statistic: Option<f64>,
    /// Numerator degrees of freedom.
    pub df1: Option<usize>,
    /// Denominator degrees of freedom.
    pub df2: Option<usize>,
    /// Probability of so large an F.
    pub p_value: Option<f64>,
    /// Reason why the first of the absent values is absent.
    pub reason: Option<NotEstimable>,
}

const N0: Column = number("n0", "number of rows that stands for those of all participants");
const MEAN_RELIABILITY: Column = number("mean_reliability", "reliability of the mean of so many rows");
const MEAN_LOWER: Column = number("mean_lower", "lower end of its interval");
const MEAN_UPPER: Column = number("mean_upper", "upper end of its interval");

/// The one-way intraclass correlation of columns of any table.
pub const ICC_ONE_WAY: Estimator = Estimator {
    name: "icc-one-way",
    summary: "One-way intraclass correlation of participants with any numbers of rows.",
    assumptions: "",
    source: "Donner (1986).",
    roles: OF_PARTICIPANTS,
    columns: &[
        MEASURED,
        N,
        N_PARTICIPANTS,
        N_MISSING,
        ESTIMATE.means("ICC(1): share of the variance of a single row that lies between participants"),
        LOWER,
        UPPER,
        CONFIDENCE,
        STATISTIC.means("F"),
        DF.means("numerator degrees of freedom"),
        DF2,
        P_VALUE,
        P_METHOD,
        N0,
        MEAN_RELIABILITY,
        MEAN_LOWER,
        MEAN_UPPER,
        SENTENCE,
        REASON,
    ],
    estimate: Estimate::Table(|sample| {
        each_outcome(sample, |trials| one_way(trials, sample.request.confidence).record())
    }),
};

/// The one-way intraclass correlation by the analysis of variance, for groups (participants) whose
/// numbers of values may differ; empty groups are left out. For equal numbers it is ICC(1,1) and
/// ICC(1,k) of [`super::intraclass`]. For unequal ones the interval, which puts n₀ for the sizes, is
/// an approximation, rough if sizes differ much.
///
/// Donner (1986). A review of inference procedures for the intraclass correlation coefficient in the
/// one-way random effects model. *International Statistical Review*, 54, 67–82.
///
/// ```
/// use plymap_statistics::stats::{Confidence, reliability::one_way};
///
/// let times = [vec![2.0, 2.5, 2.2], vec![4.0, 4.4], vec![3.0, 3.3, 2.9, 3.1]];
/// let found = one_way(&times, Confidence::default());
/// assert_eq!((found.n_groups, found.df1, found.df2), (3, Some(2), Some(6)));
/// assert!(found.estimate > Some(0.9));
/// ```
pub fn one_way<G: AsRef<[f64]>>(groups: &[G], confidence: Confidence) -> OneWay {
    let groups: Vec<&[f64]> = groups.iter().map(AsRef::as_ref).filter(|group| !group.is_empty()).collect();
    let n = groups.iter().map(|group| group.len()).sum();
    let mut result = OneWay { n, n_groups: groups.len(), confidence, ..OneWay::default() };
    result.reason = result.complete(&groups).err();
    result
}

impl OneWay {
    /// `ICC(1) = .35, 95 % CI [.12, .64], F(11, 108) = 6.20, p < .001`.
    pub fn sentence(&self) -> String {
        let (Some(estimate), Some(f), Some(df1), Some(df2), Some(p)) =
            (self.estimate, self.statistic, self.df1, self.df2, self.p_value)
        else {
            return apa::not_estimable("ICC(1)", self.n, self.reason.as_ref());
        };
        let interval = apa::interval(self.confidence, self.lower.zip(self.upper), |value| apa::bounded(value, 2));
        let (estimate, f, p) = (apa::bounded(estimate, 2), apa::number(f, 2), apa::p_value(p));
        format!("ICC(1) = {estimate}{interval}, F({df1}, {df2}) = {f}, {p}")
    }

    /// `ICC(1,n0) = .84, 95 % CI [.58, .95], n0 = 9.80`, of the mean of n₀ values; or why there is no ICC(1).
    pub fn mean_sentence(&self) -> String {
        let (Some(estimate), Some(n0)) = (self.mean_reliability, self.n0) else {
            return self.sentence().replacen("ICC(1)", "ICC(1,n0)", 1);
        };
        let interval =
            apa::interval(self.confidence, self.mean_lower.zip(self.mean_upper), |value| apa::bounded(value, 2));
        format!("ICC(1,n0) = {}{interval}, n0 = {}", apa::bounded(estimate, 2), apa::number(n0, 2))
    }

    /// The result as a row.
    pub fn record(&self) -> Record {
        Record::new()
            .set(N_PARTICIPANTS, self.n_groups)
            .set(ESTIMATE, self.estimate)
            .set(LOWER, self.lower)
            .set(UPPER, self.upper)
            .set(CONFIDENCE, self.confidence.level())
            .set(STATISTIC, self.statistic)
            .set(DF, self.df1)
            .set(DF2, self.df2)
            .set(P_VALUE, self.p_value)
            .set(P_METHOD, PMethod::FDistribution)
            .set(N0, self.n0)
            .set(MEAN_RELIABILITY, self.mean_reliability)
            .set(MEAN_LOWER, self.mean_lower)
            .set(MEAN_UPPER, self.mean_upper)
            .set(SENTENCE, self.sentence())
            .set(REASON, self.reason.clone())
    }

    /// The reliability of the mean of n₀ values as a row of its own.
    pub fn mean_record(&self) -> Record {
        let record = self.record().set(ESTIMATE, self.mean_reliability).set(SENTENCE, self.mean_sentence());
        record.set(LOWER, self.mean_lower).set(UPPER, self.mean_upper)
    }

    fn complete(&mut self, groups: &[&[f64]]) -> Result<(), NotEstimable> {
        groups.iter().try_for_each(|group| check_values("a group", group))?;
        check_count("an intraclass correlation", "groups with values", self.n_groups, 2)?;
        check_count("an intraclass correlation", "values", self.n, self.n_groups + 1)?;
        let pooled: Vec<f64> = groups.iter().flat_map(|group| group.iter()).copied().collect();
        let all = Centred::new(&pooled);
        if all.is_constant() {
            return Err(NotEstimable::NoVariance { variable: "the groups" });
        }
        let (n, n_groups) = (self.n as f64, self.n_groups as f64);
        // Sums of squares in units of the largest deviation, whose squares neither overflow nor vanish; F and the
        // coefficients have no unit.
        let (mut between, mut within, mut squares) = (0.0, 0.0, 0.0);
        for group in groups {
            let (centred, size) = (Centred::new(group), group.len() as f64);
            between += size * ((centred.mean - all.mean) / all.scale).powi(2);
            within += centred.sum_of_powers(2) * (centred.scale / all.scale).powi(2);
            squares += size * size;
        }
        let n0 = (n - squares / n) / (n_groups - 1.0);
        let (df1, df2) = (n_groups - 1.0, n - n_groups);
        let (between, within) = (between / df1, within / df2);
        let statistic = between / within;
        self.n0 = Some(n0);
        self.estimate = Some((between - within) / (between + (n0 - 1.0) * within));
        (self.df1, self.df2) = (Some(self.n_groups - 1), Some(self.n - self.n_groups));
        self.statistic = Some(statistic);
        self.p_value = Some(f_upper(statistic, df1, df2));
        if between == 0.0 {
            let why = "the groups' means do not differ".to_owned();
            return Err(NotEstimable::Undefined { quantity: "the reliability of a mean", why });
        }
        self.mean_reliability = Some(1.0 - within / between);
        if within == 0.0 {
            return Err(NotEstimable::NoVariance { variable: "each group" });
        }
        let tail = self.confidence.tail();
        let low = statistic / f_upper_quantile(tail, df1, df2);
        let high = statistic * f_upper_quantile(tail, df2, df1);
        let single = |ratio: f64| Some((ratio - 1.0) / (ratio + n0 - 1.0));
        (self.lower, self.upper) = (single(low), single(high));
        (self.mean_lower, self.mean_upper) = (Some(1.0 - 1.0 / low), Some(1.0 - 1.0 / high));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::reliability::intraclass;

    #[test]
    fn for_equal_numbers_it_is_the_one_way_form_of_the_table() {
        let table = [[9.0, 2.0, 5.0], [6.0, 1.0, 3.0], [8.0, 4.0, 6.0], [10.0, 5.0, 6.0]];
        let icc = one_way(&table, Confidence::default());
        let forms = intraclass(&table, Confidence::default()).forms;
        let close = |left: Option<f64>, right: Option<f64>| (left.unwrap() - right.unwrap()).abs() < 1e-13;
        assert!(close(icc.n0, Some(3.0)) && close(icc.estimate, Some(forms[0].estimate)));
        assert!(close(icc.lower, forms[0].lower) && close(icc.upper, forms[0].upper));
        assert!(close(icc.mean_reliability, Some(forms[3].estimate)) && close(icc.mean_upper, forms[3].upper));
    }

    #[test]
    fn what_cannot_be_estimated_says_why() {
        let reason = |groups: &[Vec<f64>]| one_way(groups, Confidence::default()).reason.unwrap().to_string();
        assert_eq!(reason(&[]), "an intraclass correlation needs at least 2 groups with values, found 0");
        assert_eq!(
            reason(&[vec![1.0], vec![2.0], vec![]]),
            "an intraclass correlation needs at least 3 values, found 2"
        );
        assert_eq!(reason(&[vec![0.1; 2], vec![0.1; 2]]), "all values of the groups are equal");
        assert_eq!(reason(&[vec![0.1; 2], vec![0.3; 2]]), "all values of each group are equal");
        assert!(reason(&[vec![1.0, 2.0], vec![2.0, 1.0]]).contains("means do not differ"));
        assert!(reason(&[vec![1.0, f64::NAN], vec![2.0]]).starts_with("a group holds NaN"));
        let sure = one_way(&[vec![0.1; 2], vec![0.3; 2]], Confidence::default());
        assert_eq!((sure.estimate, sure.p_value), (Some(1.0), Some(0.0)));
        assert_eq!(sure.sentence(), "ICC(1) = 1.00, F(1, 2) = ∞, p < .001");
    }
}

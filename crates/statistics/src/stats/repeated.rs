//! Correlation within and between participants, or other groups, that give several pairs each.

use std::hash::Hash;

use serde::Serialize;

use super::clusters::rows_by_group;
use super::correlation::{Coefficient, Correlation, CorrelationKind, correlate, product_moment};
use crate::apa;
use crate::estimator::sample::Sample;
use crate::estimator::{Estimate, Estimator, Kind, Need, Role, each_pair};
use crate::inference::{Confidence, PMethod};
use crate::not_estimable::{NotEstimable, check_count, check_pairs};
use crate::numeric::moments::{Centred, mean};
use crate::record::*;

/// A repeated-measures correlation with its test and interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RepeatedCorrelation {
    /// Number of pairs in groups of two or more.
    pub n: usize,
    /// Number of groups of two or more pairs.
    pub n_groups: usize,
    /// Number of groups of a single pair, which tell nothing about what goes on within a group.
    pub n_singletons: usize,
    /// The coefficient with its slope and test, or why there is none.
    pub lines: Result<ParallelLines, NotEstimable>,
    /// Confidence level of the interval.
    pub confidence: Confidence,
}

/// Parallel lines, one for each group.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ParallelLines {
    /// The correlation within groups, and its test by the root of the analysis of covariance's F, with the sign of the
    /// slope.
    pub coefficient: Coefficient,
    /// Slope of the lines, y per unit of x.
    pub slope: f64,
    /// Degrees of freedom of the residuals, n − `n_groups` − 1.
    pub df: usize,
}

const OF_PARTICIPANTS: &[Need] = &[
    Need::several(Role::X, Kind::Number, 1),
    Need::several(Role::Y, Kind::Number, 1),
    Need::one(Role::Participant, Kind::Label),
];

const PART: Column = text(
    "part",
    "pooled: all rows; between: the participants' means, each once; between-weighted: each as often as it has rows; \
     within: deviations from the participants' means",
);
/// Number of groups of a single pair.
pub const N_SINGLETONS: Column =
    count("n_singletons", "number of participants with a single row, which tells nothing here");
/// Slope of the parallel lines.
pub const SLOPE: Column = number("slope", "slope of the parallel lines, y per unit of x");
const ETA_X: Column = number("eta_squared_x", "share of the variance of x between participants");
const ETA_Y: Column = number("eta_squared_y", "share of the variance of y between participants");

/// The repeated-measures correlation of columns of any table.
pub const REPEATED: Estimator = Estimator {
    name: "repeated",
    summary: "Repeated-measures correlation of each x with each y: within participants, as parallel lines.",
    assumptions: "",
    source: "Bakdash and Marusich (2017).",
    roles: OF_PARTICIPANTS,
    columns: joined!(
        &[
            X,
            Y,
            N.means("number of rows that are used, those of participants with two or more"),
            N_PARTICIPANTS.means("number of participants with two or more rows"),
            N_MISSING,
            N_SINGLETONS,
            ESTIMATE.means("the coefficient, from −1 to 1")
        ],
        BOUNDS,
        &[SLOPE, STATISTIC, DF, P_VALUE],
        P_METHOD_COLUMNS
    ),
    estimate: Estimate::Table(estimate_repeated),
};

/// The parts of a correlation of columns of any table.
pub const DECOMPOSITION: Estimator = Estimator {
    name: "decomposition",
    summary: "Pearson's r of each x with each y, split into its parts between and within participants.",
    assumptions: "The pooled and the weighted coefficient are descriptions and have no test.",
    source: "Robinson (1950); Snijders and Bosker (2012), section 3.6.",
    roles: OF_PARTICIPANTS,
    columns: joined!(
        &[
            X,
            Y,
            PART,
            N.means("number of rows that are used; between participants, number of participants"),
            N_PARTICIPANTS,
            N_MISSING,
            ESTIMATE.means("the coefficient, from −1 to 1")
        ],
        BOUNDS,
        &[STATISTIC, DF, P_VALUE, P_METHOD, ETA_X, ETA_Y, SENTENCE, REASON]
    ),
    estimate: Estimate::Table(estimate_decomposition),
};

fn estimate_repeated(sample: &Sample) -> Vec<Record> {
    let participant = sample.one(Role::Participant);
    each_pair(sample, &[participant], |x, y, indices| {
        vec![repeated_correlation(&participant.labels(indices), x, y, sample.request.confidence).record()]
    })
}

fn estimate_decomposition(sample: &Sample) -> Vec<Record> {
    let participant = sample.one(Role::Participant);
    each_pair(sample, &[participant], |x, y, indices| {
        decompose(&participant.labels(indices), x, y, sample.request.confidence).records(x.len())
    })
}

/// Correlation within groups: how closely the pairs of each group follow parallel lines, one per
/// group, with a common slope. It is the pooled within-group correlation, r of the deviations from
/// the groups' means, with the degrees of freedom of the analysis of covariance.
///
/// `groups` names the group (participant) of each pair. The interval is Fisher's z with the standard
/// error 1 / √(df − 1).
///
/// Bland & Altman (1995). Calculating correlation coefficients with repeated observations: Part 1.
/// *BMJ*, 310, 446. Bakdash & Marusich (2017). Repeated measures correlation. *Frontiers in
/// Psychology*, 8, 456. The same as pingouin's `rm_corr`.
///
/// ```
/// use plymap_statistics::stats::{Confidence, repeated::repeated_correlation};
///
/// // Ann is slow and gets faster, Bob is fast and gets faster still.
/// let (trial, time) = ([1.0, 2.0, 3.0, 1.0, 2.0, 3.0], [9.0, 8.0, 6.0, 4.0, 2.0, 1.0]);
/// let found = repeated_correlation(&["Ann", "Ann", "Ann", "Bob", "Bob", "Bob"], &trial, &time, Confidence::default());
/// let lines = found.lines?;
/// assert_eq!((found.n_groups, lines.df, lines.slope), (2, 3, -1.5));
/// # Ok::<(), plymap_statistics::stats::NotEstimable>(())
/// ```
pub fn repeated_correlation<G: Eq + Hash>(
    groups: &[G],
    x: &[f64],
    y: &[f64],
    confidence: Confidence,
) -> RepeatedCorrelation {
    match check_groups(groups.len(), x, y) {
        Ok(()) => within(&rows_by_group(groups), x, y, confidence),
        Err(reason) => RepeatedCorrelation { n: 0, n_groups: 0, n_singletons: 0, lines: Err(reason), confidence },
    }
}

/// Parts of a correlation over all pairs.
///
/// `pooled` r = η(x) η(y) `between_weighted` + √(1 − η(x)²) √(1 − η(y)²) `within` r.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Decomposition {
    /// Pearson's r over all pairs as if they were independent; a description, not a test.
    pub pooled: Option<f64>,
    /// Correlation of the groups' means, each group counting once; n is the number of groups.
    pub between: Correlation,
    /// Pearson's r of the groups' means, each weighted by its number of pairs.
    pub between_weighted: Option<f64>,
    /// Correlation within the groups.
    pub within: RepeatedCorrelation,
    /// η(x)²: share of the variance of x that lies between the groups, from 0 to 1.
    pub eta_squared_x: Option<f64>,
    /// η(y)²: share of the variance of y that lies between the groups, from 0 to 1.
    pub eta_squared_y: Option<f64>,
    /// Reason why the first of `pooled`, `between_weighted`, `eta_squared_x` and `eta_squared_y` is absent;
    /// the two correlations have their own reasons.
    pub reason: Option<NotEstimable>,
}

/// Splits a correlation into its parts between and within groups, such as participants. They can
/// differ in sign: who plays longer may make fewer errors, though each errs more as play goes on.
///
/// Robinson (1950). Ecological correlations and the behavior of individuals. *American Sociological
/// Review*, 15, 351–357. Snijders & Bosker (2012). *Multilevel analysis* (2nd ed.), section 3.6.
pub fn decompose<G: Eq + Hash>(groups: &[G], x: &[f64], y: &[f64], confidence: Confidence) -> Decomposition {
    let checked = check_groups(groups.len(), x, y);
    let rows = if checked.is_ok() { rows_by_group(groups) } else { Vec::new() };
    let (means_x, means_y) = (group_means(&rows, x), group_means(&rows, y));
    let mut result = Decomposition {
        pooled: None,
        between: correlate(CorrelationKind::Pearson, &means_x, &means_y, confidence),
        between_weighted: None,
        within: repeated_correlation(groups, x, y, confidence),
        eta_squared_x: None,
        eta_squared_y: None,
        reason: None,
    };
    if let Err(reason) = checked.clone() {
        result.between.coefficient = Err(reason);
    }
    result.reason = checked.and_then(|()| result.complete(&rows, x, y, &means_x, &means_y)).err();
    result
}

impl RepeatedCorrelation {
    /// `rrm(46) = .35, 95 % CI [.07, .58], p = .014, 12 groups`.
    pub fn sentence(&self) -> String {
        apa::outcome("rrm", self.n, &self.lines, |lines| {
            let coefficient = &lines.coefficient;
            let (df, estimate, p) = (lines.df, coefficient.printed(self.confidence), apa::p_value(coefficient.p_value));
            format!("rrm({df}) = {estimate}, {p}, {}", apa::counted(self.n_groups, "group"))
        })
    }

    /// The result as a row.
    pub fn record(&self) -> Record {
        Record::new()
            .set(N, self.n)
            .set(N_PARTICIPANTS, self.n_groups)
            .set(N_SINGLETONS, self.n_singletons)
            .set(CONFIDENCE, self.confidence.level())
            .set(P_METHOD, PMethod::StudentT)
            .set(SENTENCE, self.sentence())
            .outcome(&self.lines, |record, lines| {
                Coefficient::set(record.set(SLOPE, lines.slope).set(DF, lines.df), &lines.coefficient)
            })
    }
}

impl ParallelLines {
    /// Fits the lines to the deviations of `x` and `y` from the means of their groups.
    fn new(x: &[f64], y: &[f64], n_groups: usize, confidence: Confidence) -> Result<Self, NotEstimable> {
        // One degree of freedom needs one pair more than there are slopes and group means.
        check_count("a correlation within groups", "pairs in groups of two or more", x.len(), n_groups + 2)?;
        let estimate = product_moment(x, y).map_err(|reason| match reason {
            NotEstimable::NoVariance { variable: "x" } => NotEstimable::NoVariance { variable: "x within each group" },
            NotEstimable::NoVariance { .. } => NotEstimable::NoVariance { variable: "y within each group" },
            other => other,
        })?;
        let df = x.len() - n_groups - 1;
        let coefficient = Coefficient::by_t(CorrelationKind::Pearson, estimate, df + 2, confidence);
        let (x, y) = (Centred::new(x), Centred::new(y));
        Ok(Self { coefficient, slope: x.sum_of_products(&y) / x.sum_of_powers(2) * y.scale / x.scale, df })
    }
}

impl Decomposition {
    /// A row for each part, of a correlation over `n` pairs.
    fn records(&self, n: usize) -> Vec<Record> {
        let n_groups = self.between.n;
        let description = |part: &str, n: usize, estimate: Option<f64>| {
            let reason = self.reason.clone().filter(|_| estimate.is_none());
            Record::new().set(PART, part).set(N, n).set(ESTIMATE, estimate).set(REASON, reason)
        };
        let parts = [
            description("pooled", n, self.pooled),
            self.between.record().set(PART, "between"),
            description("between-weighted", n_groups, self.between_weighted),
            self.within.record().set(PART, "within").unset(N_SINGLETONS).unset(SLOPE),
        ];
        let shares = |record: Record| record.set(ETA_X, self.eta_squared_x).set(ETA_Y, self.eta_squared_y);
        parts.into_iter().map(|record| shares(record).set(N_PARTICIPANTS, n_groups)).collect()
    }

    fn complete(
        &mut self,
        rows: &[Vec<usize>],
        x: &[f64],
        y: &[f64],
        means_x: &[f64],
        means_y: &[f64],
    ) -> Result<(), NotEstimable> {
        check_count("a correlation", "pairs", x.len(), 3)?;
        self.pooled = Some(product_moment(x, y)?);
        check_count("the correlation of the groups' means", "groups", rows.len(), 2)?;
        let spread = |means: &[f64]| -> Vec<f64> {
            let mut values = vec![0.0; x.len()];
            for (rows, &mean) in rows.iter().zip(means) {
                rows.iter().for_each(|&row| values[row] = mean);
            }
            values
        };
        let (between_x, between_y) = (spread(means_x), spread(means_y));
        self.eta_squared_x = Some(share_between(&between_x, x));
        self.eta_squared_y = Some(share_between(&between_y, y));
        self.between_weighted = Some(product_moment(&between_x, &between_y)?);
        Ok(())
    }
}

/// Share of the variance that lies between participants.
fn share_between(between: &[f64], all: &[f64]) -> f64 {
    let (between, all) = (Centred::new(between), Centred::new(all));
    (between.sum_of_powers(2) / all.sum_of_powers(2) * (between.scale / all.scale).powi(2)).min(1.0)
}

fn within(rows: &[Vec<usize>], x: &[f64], y: &[f64], confidence: Confidence) -> RepeatedCorrelation {
    let kept: Vec<&Vec<usize>> = rows.iter().filter(|rows| rows.len() > 1).collect();
    // Around their means, so that a group without variance is exactly 0 whatever the rounding.
    let deviations = |values: &[f64]| -> Vec<f64> {
        kept.iter()
            .flat_map(|rows| {
                let centred = Centred::new(&rows.iter().map(|&row| values[row]).collect::<Vec<_>>());
                centred.deviations.iter().map(|deviation| deviation * centred.scale).collect::<Vec<_>>()
            })
            .collect()
    };
    let (n, n_groups, n_singletons) = (kept.iter().map(|rows| rows.len()).sum(), kept.len(), rows.len() - kept.len());
    let lines = ParallelLines::new(&deviations(x), &deviations(y), n_groups, confidence);
    RepeatedCorrelation { n, n_groups, n_singletons, lines, confidence }
}

fn group_means(rows: &[Vec<usize>], values: &[f64]) -> Vec<f64> {
    rows.iter().map(|rows| mean(&rows.iter().map(|&row| values[row]).collect::<Vec<_>>())).collect()
}

fn check_groups(n_names: usize, x: &[f64], y: &[f64]) -> Result<(), NotEstimable> {
    if n_names != x.len() {
        let (left, right) = (n_names, x.len());
        return Err(NotEstimable::UnequalLengths { left_name: "the list of groups", left, right_name: "x", right });
    }
    check_pairs(x, y)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUPS: [u32; 7] = [1, 1, 1, 2, 2, 2, 3];
    const X: [f64; 7] = [1.0, 2.0, 3.0, 11.0, 12.0, 13.0, 5.0];
    const Y: [f64; 7] = [3.0, 2.0, 1.0, 13.0, 12.0, 11.0, 6.0];

    #[test]
    fn what_rises_between_groups_can_fall_within_them() {
        let parts = decompose(&GROUPS, &X, &Y, Confidence::default());
        let lines = parts.within.lines.unwrap();
        assert_eq!((lines.coefficient.estimate, lines.slope), (-1.0, -1.0));
        assert_eq!((parts.within.n, parts.within.n_groups, parts.within.n_singletons), (6, 2, 1));
        assert!(parts.between.estimate().unwrap() > 0.99 && parts.pooled.unwrap() > 0.9);
        assert!(lines.coefficient.interval.unwrap_err().to_string().contains("Fisher z is infinite"));
    }

    #[test]
    fn the_parts_make_up_the_whole() {
        let y = [3.0, 2.5, 1.0, 10.0, 12.0, 11.0, 6.0];
        let parts = decompose(&GROUPS, &X, &y, Confidence::default());
        let (x, y) = (parts.eta_squared_x.unwrap(), parts.eta_squared_y.unwrap());
        let within = ((1.0 - x) * (1.0 - y)).sqrt() * parts.within.lines.unwrap().coefficient.estimate;
        let sum = (x * y).sqrt() * parts.between_weighted.unwrap() + within;
        assert!((sum - parts.pooled.unwrap()).abs() < 1e-14);
    }

    #[test]
    fn groups_without_variance_or_of_one_pair_tell_nothing() {
        let reason = |groups: &[u32], x: &[f64], y: &[f64]| {
            repeated_correlation(groups, x, y, Confidence::default()).lines.unwrap_err().to_string()
        };
        let steady = [0.1, 0.1, 0.1, 0.7, 0.7, 0.7, 5.0];
        assert_eq!(reason(&GROUPS, &X, &steady), "all values of y within each group are equal");
        let few = "a correlation within groups needs at least 2 pairs in groups of two or more, found 0";
        assert_eq!(reason(&[1, 2, 3, 4, 5, 6, 7], &X, &Y), few);
        assert!(reason(&[1, 1], &X, &Y).starts_with("the list of groups has 2 values but x has 7"));
        assert!(reason(&[], &[], &[]).starts_with("a correlation within groups needs"));
        assert!(reason(&GROUPS, &[f64::NAN; 7], &Y).starts_with("x holds NaN"));
        let nothing = decompose::<u32>(&[], &[], &[], Confidence::default());
        assert!(nothing.pooled.is_none() && nothing.reason.is_some() && nothing.between.coefficient.is_err());
    }

    #[test]
    fn a_sentence_says_how_many_groups() {
        let y = [3.0, 2.5, 1.0, 10.0, 12.0, 11.0, 6.0];
        let correlation = repeated_correlation(&GROUPS, &X, &y, Confidence::default());
        assert_eq!(correlation.sentence(), "rrm(3) = −.24, 95 % CI [−.93, .81], p = .691, 2 groups");
    }
}

//! Comparison of the survival curves of several groups.

use nalgebra::{DMatrix, DVector};
use serde::Serialize;

use super::sorted::SortedTimes;
use super::ticks::check_times;
use crate::apa;
use crate::estimator::fit::{Fitted, Model, Part, Rows};
use crate::estimator::labels::{in_order, index_of_labels};
use crate::estimator::sample::Sample;
use crate::estimator::{Estimate, Estimator, Kind, Need, Role};
use crate::not_estimable::{NotEstimable, check_count};
use crate::record::*;
use crate::stats::chi_squared::ChiSquaredTest;
use crate::stats::covariate::joint_test;

/// One group of a log-rank test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct GroupEvents {
    /// Number of times in the group.
    pub n: usize,
    /// Number of events.
    pub observed: usize,
    /// Expected number of events if the groups had one survival curve, given who was at risk when.
    pub expected: f64,
}

/// A log-rank test.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LogRank {
    /// Number of times in all groups.
    pub n: usize,
    /// Number of events in all groups.
    pub n_events: usize,
    /// The groups in the order of the input.
    pub groups: Vec<GroupEvents>,
    /// The test; its degrees of freedom are the number of groups at risk at an event, less 1.
    pub test: Result<ChiSquaredTest, NotEstimable>,
}

/// Tests whether the curves of several groups are one, each group a list of times and, for each,
/// whether it ended with the event.
///
/// Groups without anybody at risk at any event are left out. Times of one participant in several
/// attempts are not independent: compare groups of participants by one time each, or use
/// [`cox`](super::cox::cox) with clusters.
///
/// Mantel (1966). *Cancer Chemotherapy Reports*, 50, 163–170. Peto & Peto (1972). Asymptotically
/// efficient rank invariant test procedures. *Journal of the Royal Statistical Society A*, 135,
/// 185–207. With the hypergeometric variance, as R's `survdiff`.
pub fn log_rank(groups: &[(&[f64], &[bool])]) -> LogRank {
    let times: Vec<f64> = groups.iter().flat_map(|(times, _)| times.iter().copied()).collect();
    let events: Vec<bool> = groups.iter().flat_map(|(_, events)| events.iter().copied()).collect();
    let group_of: Vec<usize> =
        groups.iter().enumerate().flat_map(|(group, (times, _))| std::iter::repeat_n(group, times.len())).collect();
    let checked = groups.iter().try_for_each(|(times, events)| check_times(times, events));
    match checked.and_then(|()| SortedTimes::new(&times, &events)) {
        Ok(sorted) => sorted.log_rank(&group_of, groups.len()),
        Err(reason) => LogRank::of_groups(groups.iter().map(group_events).collect(), Err(reason)),
    }
}

fn group_events((times, events): &(&[f64], &[bool])) -> GroupEvents {
    let observed = events.iter().filter(|&&event| event).count();
    GroupEvents { n: times.len(), observed, expected: 0.0 }
}

impl SortedTimes {
    /// The log-rank test of groups, of which `group_of` names one for each observation, from 0; see
    /// [`log_rank`](log_rank()).
    ///
    /// # Panics
    ///
    /// If an observation has no group, or one beyond `n_groups`.
    pub fn log_rank(&self, group_of: &[usize], n_groups: usize) -> LogRank {
        let mut groups = vec![GroupEvents::default(); n_groups];
        for (&group, &event) in group_of.iter().zip(&self.events) {
            groups[group].n += 1;
            groups[group].observed += usize::from(event);
        }
        let covariance = self.expect(&mut groups, group_of);
        LogRank::new(groups, &covariance)
    }

    /// Sets the expected events; returns the covariance matrix of the observed ones.
    fn expect(&self, groups: &mut [GroupEvents], group_of: &[usize]) -> DMatrix<f64> {
        let n_groups = groups.len();
        let mut covariance = DMatrix::zeros(n_groups, n_groups);
        let (mut at_risk, mut shares) = (vec![0.0; n_groups], vec![0.0; n_groups]);
        let mut n = 0.0;
        for tied in self.order.chunk_by(|&left, &right| self.places[left] == self.places[right]).rev() {
            tied.iter().for_each(|&row| at_risk[group_of[row]] += 1.0);
            n += tied.len() as f64;
            let n_events = tied.iter().filter(|&&row| self.events[row]).count() as f64;
            if n_events == 0.0 {
                continue;
            }
            shares.iter_mut().zip(&at_risk).for_each(|(share, at_risk)| *share = at_risk / n);
            groups.iter_mut().zip(&shares).for_each(|(group, share)| group.expected += n_events * share);
            if n > 1.0 {
                // A multiple hypergeometric distribution: n_events drawn from those at risk.
                let spread = n_events * (n - n_events) / (n - 1.0);
                for (row, row_share) in shares.iter().enumerate() {
                    for (column, column_share) in shares.iter().enumerate() {
                        let diagonal = if row == column { *row_share } else { 0.0 };
                        covariance[(row, column)] += (diagonal - row_share * column_share) * spread;
                    }
                }
            }
        }
        covariance
    }
}

impl LogRank {
    /// The test of groups of which expected events are known, and the covariance of the observed ones.
    fn new(groups: Vec<GroupEvents>, covariance: &DMatrix<f64>) -> Self {
        let test = compare(&groups, covariance);
        Self::of_groups(groups, test)
    }

    fn of_groups(groups: Vec<GroupEvents>, test: Result<ChiSquaredTest, NotEstimable>) -> Self {
        let (n, n_events) = groups.iter().fold((0, 0), |sums, group| (sums.0 + group.n, sums.1 + group.observed));
        Self { n, n_events, groups, test }
    }

    /// `log-rank χ²(1) = 4.20, p = .040, n = 52, 41 events`.
    pub fn sentence(&self) -> String {
        apa::outcome("log-rank χ²", self.n, &self.test, |test| {
            format!(
                "log-rank {}, n = {}, {}",
                test.sentence(),
                apa::count(self.n),
                apa::counted(self.n_events, "event")
            )
        })
    }
}

fn compare(groups: &[GroupEvents], covariance: &DMatrix<f64>) -> Result<ChiSquaredTest, NotEstimable> {
    check_count("the log-rank test", "events", groups.iter().map(|group| group.observed).sum(), 1)?;
    let compared: Vec<usize> = (0..groups.len()).filter(|&group| groups[group].expected > 0.0).collect();
    check_count("the log-rank test", "groups at risk", compared.len(), 2)?;
    // The excesses of all groups sum to 0, so that one group is redundant.
    let kept = &compared[1..];
    let excess = |&group: &usize| groups[group].observed as f64 - groups[group].expected;
    let excess = DVector::from_iterator(kept.len(), kept.iter().map(excess));
    let covariance = covariance.select_rows(kept).select_columns(kept);
    joint_test(&excess, &covariance).ok_or_else(|| NotEstimable::Undefined {
        quantity: "the log-rank test",
        why: "some groups are never at risk together at an event, or all at risk had it".to_owned(),
    })
}

const GROUP: Column = text("group", "the label of the group");
const EXPECTED: Column = number("expected", "expected number of events if the groups have one survival curve");

impl LogRank {
    /// The test of all groups.
    pub fn record(&self) -> Record {
        Record::new()
            .set(N, self.n)
            .set(N_EVENTS, self.n_events)
            .set(SENTENCE, self.sentence())
            .outcome(&self.test, |record, test| {
                record.set(STATISTIC, test.statistic).set(DF, test.df).set(P_VALUE, test.p_value)
            })
    }
}

/// The log-rank test of the groups of any table.
pub const LOG_RANK: Estimator = Estimator {
    name: "log-rank",
    summary: "Log-rank test that all groups have one survival curve.",
    assumptions: "Assumes independent rows, which those of one participant are not: cox accounts for that.",
    source: "Mantel (1966); Peto and Peto (1972).",
    roles: &[
        Need::one(Role::Time, Kind::Number),
        Need::one(Role::Event, Kind::Flag),
        Need::one(Role::Group, Kind::Label),
    ],
    columns: &[N, N_EVENTS, N_GROUPS, N_MISSING, STATISTIC.means("χ²"), DF, P_VALUE, SENTENCE, REASON],
    estimate: Estimate::Tables(&Model {
        fit: test_of_sample,
        rows: |(test, labels)| vec![test.record().set(N_GROUPS, labels.len())],
        parts: &[LOG_RANK_GROUPS],
    }),
};

/// A test with the labels of its groups.
type NamedLogRank = (LogRank, Vec<String>);

/// Observed and expected events of the groups.
const LOG_RANK_GROUPS: Part<Rows<NamedLogRank>> = Part {
    name: "log-rank-groups",
    summary: "Events of each group, and how many there would be if all groups had one survival curve.",
    assumptions: "",
    source: "Mantel (1966); Peto and Peto (1972).",
    columns: &[
        GROUP,
        N.means("number of rows of the group"),
        N_EVENTS.means("number of events of the group"),
        N_MISSING,
        EXPECTED,
        REASON,
    ],
    rows: |(test, labels)| {
        let whole = Record::new().set(N, 0_usize).set(REASON, test.test.clone().err());
        whole.shared_by(test.groups.iter().zip(labels).map(group_record).collect())
    },
};

/// The test of a sample, and the labels of its groups.
fn test_of_sample(sample: &Sample) -> Fitted<NamedLogRank> {
    let [time, event, group] = [Role::Time, Role::Event, Role::Group].map(|role| sample.one(role));
    let complete = sample.complete([time, event, group]);
    let (times, events) = (time.numbers(&complete.indices), event.flags(&complete.indices));
    let group_labels = group.labels(&complete.indices);
    let labels = in_order(group_labels.iter().copied());
    let mut groups = vec![(Vec::new(), Vec::new()); labels.len()];
    let indices = index_of_labels(&labels);
    for ((label, time), event) in group_labels.into_iter().zip(times).zip(events) {
        let group = &mut groups[indices[label]];
        group.0.push(time);
        group.1.push(event);
    }
    let slices: Vec<(&[f64], &[bool])> =
        groups.iter().map(|(times, events)| (times.as_slice(), events.as_slice())).collect();
    let whole = Record::new().set(N_MISSING, complete.n_missing);
    Fitted { whole, model: Some((log_rank(&slices), labels)) }
}

fn group_record((group, label): (&GroupEvents, &String)) -> Record {
    let row = Record::new().set(GROUP, label.as_str()).set(N, group.n);
    row.set(N_EVENTS, group.observed).set(EXPECTED, group.expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_groups_of_two_by_hand() {
        // At 1: 1 of 4, half of it expected in each group, variance 1/4. At 2: 1 of 3, with shares
        // 1/3 and 2/3, variance 2/9. At 3 the second group is alone at risk.
        let all = [true; 2];
        let test = log_rank(&[(&[1.0, 2.0], &all), (&[3.0, 3.0], &all)]);
        assert!((test.groups[0].expected - (0.5 + 1.0 / 3.0)).abs() < 1e-15);
        let expected = (2.0 - 5.0 / 6.0_f64).powi(2) / (0.25 + 2.0 / 9.0);
        assert!((test.test.as_ref().unwrap().statistic - expected).abs() < 1e-14);
        assert_eq!(test.sentence(), "log-rank χ²(1) = 2.88, p = .090, n = 4, 4 events");
    }

    #[test]
    fn groups_that_never_meet_or_have_no_event_cannot_be_compared() {
        let reason = |groups: &[(&[f64], &[bool])]| log_rank(groups).test.unwrap_err().to_string();
        assert_eq!(reason(&[(&[1.0], &[false]), (&[2.0], &[false])]), "the log-rank test needs events, found none");
        let alone = reason(&[(&[1.0], &[false]), (&[2.0, 3.0], &[true, true])]);
        assert_eq!(alone, "the log-rank test needs at least 2 groups at risk, found 1");
        assert!(reason(&[]).contains("events"));
        assert!(reason(&[(&[f64::NAN], &[true])]).contains("NaN"));
        // All have the event at one time: nothing is left to chance.
        assert!(reason(&[(&[1.0], &[true]), (&[1.0], &[true])]).contains("never at risk together"));
    }
}

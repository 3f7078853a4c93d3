//! Hazards of moves: how likely an event (an error, a restart, a give-up) is at each move, given that
//! it has come to that move.
//!
//! A row is a move at which the event could happen. Restarts and give-ups end the attempt, so that
//! the rows of an attempt are its moves up to that; errors can come again.
//!
//! Allison (1982). Discrete-time methods for the analysis of event histories. *Sociological
//! Methodology*, 13, 61–98. Singer & Willett (1993). It's about time: using discrete-time survival
//! analysis to study duration and the timing of events. *Journal of Educational Statistics*, 18,
//! 155–195.

use serde::Serialize;

use crate::apa;
use crate::inference::Confidence;
use crate::not_estimable::{NotEstimable, check_count, check_values};
use crate::numeric::distribution::normal_upper_quantile;
use crate::numeric::quantile::sorted_quantile;
use crate::stats::covariate::Covariate;
use crate::stats::interval::{Proportion, proportion, proportion_of};
use crate::stats::logit::{Logit, logit};

/// More bins than this are refused.
pub const MOST_BINS: usize = 10_000;

/// The hazard in one bin of a covariate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HazardBin {
    /// Lower end of the bin, which belongs to it.
    pub from: f64,
    /// Upper end of the bin; it belongs to the next bin, and in the last bin to that.
    pub to: f64,
    /// Events (`successes`) of moves at risk (`n`), with its interval.
    #[serde(flatten)]
    pub hazard: Proportion,
}

/// The hazard by a covariate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hazard {
    /// Number of moves at risk.
    pub n: usize,
    /// Number of events.
    pub n_events: usize,
    /// Number of moves whose covariate is in no bin.
    pub n_outside: usize,
    /// The bins, in ascending order, empty ones included.
    pub bins: Vec<HazardBin>,
    /// Reason why there are none.
    pub reason: Option<NotEstimable>,
}

/// The hazard by a binned covariate, such as the distance to the goal or the number of legal moves;
/// `edges` are the ends of the bins, one more than bins, in ascending order.
///
/// A covariate that is yes or no (was the move before an error?) is 0 or 1, with the edges 0, 1, 2; a
/// whole number has edges at each.
///
/// Intervals: [`proportion_of`] with the participant of each move; without, as if moves were independent.
///
/// ```
/// use plymap_statistics::{sequence::hazard::hazard, stats::Confidence};
///
/// let errors = [true, false, false, true];
/// let found = hazard(&errors, &[3.0, 4.0, 9.0, 12.0], None, &[0.0, 5.0, 10.0], Confidence::default());
/// assert_eq!((found.bins[0].hazard.successes, found.bins[0].hazard.n, found.n_outside), (1, 2, 1));
/// ```
pub fn hazard(
    events: &[bool],
    covariate: &[f64],
    participants: Option<&[usize]>,
    edges: &[f64],
    confidence: Confidence,
) -> Hazard {
    let n_events = events.iter().filter(|&&event| event).count();
    let mut result = Hazard { n: events.len(), n_events, n_outside: 0, bins: Vec::new(), reason: None };
    if let Err(reason) = check_paired(events, covariate, participants).and_then(|()| check_edges(edges)) {
        result.reason = Some(reason);
        return result;
    }
    let mut rows = vec![Vec::new(); edges.len() - 1];
    for (row, value) in covariate.iter().enumerate() {
        match bin_of(*value, edges) {
            Some(bin) => rows[bin].push(row),
            None => result.n_outside += 1,
        }
    }
    let bin = |(rows, ends): (&Vec<usize>, &[f64])| {
        let counts: Vec<(u64, u64)> = rows.iter().map(|&row| (u64::from(events[row]), 1)).collect();
        let participants_of_rows: Option<Vec<usize>> =
            participants.map(|all| rows.iter().map(|&row| all[row]).collect());
        HazardBin {
            from: ends[0],
            to: ends[1],
            hazard: proportion_of(&counts, participants_of_rows.as_deref(), confidence),
        }
    };
    result.bins = rows.iter().zip(edges.windows(2)).map(bin).collect();
    result
}

/// Edges of bins that hold about as many values each: quantiles (type 7), equal ones once, so that
/// there may be fewer bins than asked for.
///
/// # Errors
///
/// [`NotEstimable`] for an empty sample, a value that is not finite, equal values only, or a number of
/// bins that is not from 1 to [`MOST_BINS`].
pub fn quantile_edges(values: &[f64], n_bins: usize) -> Result<Vec<f64>, NotEstimable> {
    if n_bins == 0 || n_bins > MOST_BINS {
        let (quantity, allowed) = ("the number of bins", "from 1 to 10,000");
        return Err(NotEstimable::OutOfRange { quantity, value: n_bins.to_string(), allowed });
    }
    check_count("a bin", "values", values.len(), 1)?;
    check_values("the covariate", values)?;
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let shares = (0..=n_bins).map(|number| number as f64 / n_bins as f64);
    let mut edges: Vec<f64> = shares.map(|share| sorted_quantile(&sorted, share)).collect();
    // Ties make quantiles equal, and a bin between equal edges would be empty.
    edges.dedup();
    if edges.len() < 2 {
        return Err(NotEstimable::NoVariance { variable: "the covariate" });
    }
    Ok(edges)
}

/// The hazard after an event and after none.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HazardAfter {
    /// Events at moves right after an event.
    pub after_event: Proportion,
    /// Events at moves right after a move without.
    pub after_none: Proportion,
    /// The first hazard divided by the second; absent if one of the two has no event.
    pub ratio: Option<f64>,
    /// Lower end of the interval of the ratio (Katz et al., 1978).
    pub lower: Option<f64>,
    /// Upper end of the interval of the ratio.
    pub upper: Option<f64>,
    /// Confidence level of the intervals.
    pub confidence: Confidence,
    /// Reason why the ratio is absent.
    pub reason: Option<NotEstimable>,
}

/// Ratio of hazards after an event and after none, at the next move of the same attempt; first moves
/// have none before them and are left out.
///
/// People and attempts differ in how often events come, which alone makes events more frequent after
/// events; [`Shuffles::pairs`](super::shuffle::Shuffles::pairs) tells the two apart. All intervals take moves as
/// independent: those of the hazards are Wilson's (1927), as [`proportion`]. Katz, Baptista,
/// Azen & Pike (1978). Obtaining confidence intervals for the risk ratio in cohort studies.
/// *Biometrics*, 34, 469–474.
pub fn hazard_after<A: AsRef<[bool]>>(attempts: &[A], confidence: Confidence) -> HazardAfter {
    // By the move before: events, and moves at risk.
    let mut counts = [(0_u64, 0_u64); 2];
    for pair in attempts.iter().flat_map(|attempt| attempt.as_ref().windows(2)) {
        let count = &mut counts[usize::from(pair[0])];
        count.0 += u64::from(pair[1]);
        count.1 += 1;
    }
    let [(events_after_none, n_after_none), (events_after, n_after)] = counts;
    let mut result = HazardAfter {
        after_event: proportion(events_after, n_after, confidence),
        after_none: proportion(events_after_none, n_after_none, confidence),
        ratio: None,
        lower: None,
        upper: None,
        confidence,
        reason: None,
    };
    if events_after == 0 || events_after_none == 0 {
        let why = "no event comes after an event, or none after another move".to_owned();
        result.reason = Some(NotEstimable::Undefined { quantity: "the ratio of hazards", why });
        return result;
    }
    let [a, m, b, n] = [events_after, n_after, events_after_none, n_after_none].map(|count| count as f64);
    let ratio = (a / m) / (b / n);
    let error = (1.0 / a - 1.0 / m + 1.0 / b - 1.0 / n).max(0.0).sqrt();
    let factor = (normal_upper_quantile(confidence.tail()) * error).exp();
    (result.ratio, result.lower, result.upper) = (Some(ratio), Some(ratio / factor), Some(ratio * factor));
    result
}

impl HazardAfter {
    /// `.28 (40 of 143) after an event, .11 (52 of 480) otherwise, ratio = 2.58, 95 % CI [1.79, 3.73]`.
    pub fn sentence(&self) -> String {
        let number = |value| apa::number(value, 2);
        let interval = apa::interval(self.confidence, self.lower.zip(self.upper), number);
        let ratio = self.ratio.map_or(String::new(), |ratio| format!(", ratio = {}{interval}", number(ratio)));
        format!("{} after an event, {} otherwise{ratio}", share(&self.after_event), share(&self.after_none))
    }
}

/// `.28 (40 of 143)`.
fn share(share: &Proportion) -> String {
    let estimate = share.estimate.map_or("none".to_owned(), |estimate| apa::bounded(estimate, 2));
    format!("{estimate} ({} of {})", apa::count(share.successes), apa::count(share.n))
}

/// The log odds of an event at a move as a sum of effects of several covariates, with cluster-robust
/// standard errors: [`logit`] with participants as clusters.
///
/// `participants` numbers the participant of each move. Singer & Willett (1993).
pub fn hazard_model(
    events: &[bool],
    covariates: &[Covariate],
    participants: &[usize],
    confidence: Confidence,
) -> Logit {
    logit(events, covariates, Some(participants), confidence)
}

/// The bin of a value: each bin holds its lower end, the last one also its upper end.
fn bin_of(value: f64, edges: &[f64]) -> Option<usize> {
    if value == edges[edges.len() - 1] {
        return Some(edges.len() - 2);
    }
    edges.partition_point(|&edge| edge <= value).checked_sub(1).filter(|&bin| bin + 1 < edges.len())
}

fn check_paired(events: &[bool], covariate: &[f64], participants: Option<&[usize]>) -> Result<(), NotEstimable> {
    let (left_name, left) = ("the list of events", events.len());
    let others =
        [("the covariate", covariate.len()), ("the list of participants", participants.map_or(left, <[_]>::len))];
    if let Some((right_name, right)) = others.into_iter().find(|(_, right)| *right != left) {
        return Err(NotEstimable::UnequalLengths { left_name, left, right_name, right });
    }
    check_values("the covariate", covariate)
}

fn check_edges(edges: &[f64]) -> Result<(), NotEstimable> {
    check_count("a bin", "edges", edges.len(), 2)?;
    let is_ascending = edges.windows(2).all(|ends| ends[0] < ends[1]);
    if !is_ascending || edges.len() > MOST_BINS + 1 {
        let (quantity, allowed) = ("the list of edges", "ascending, at most 10,001");
        return Err(NotEstimable::OutOfRange { quantity, value: format!("{} numbers", edges.len()), allowed });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_at_an_edge_belongs_to_the_bin_above_it_but_the_last() {
        let edges = [0.0, 1.0, 2.0];
        let bins = [-0.1, 0.0, 0.9, 1.0, 2.0, 2.1].map(|value| bin_of(value, &edges));
        assert_eq!(bins, [None, Some(0), Some(0), Some(1), Some(1), None]);
    }

    #[test]
    fn every_move_is_in_a_bin_or_counted_outside() {
        let covariate: Vec<f64> = (0..50).map(f64::from).collect();
        let events: Vec<bool> = (0..50).map(|i| i % 7 == 0).collect();
        let binned = hazard(&events, &covariate, None, &[0.0, 10.0, 30.0], Confidence::default());
        let n: u64 = binned.bins.iter().map(|bin| bin.hazard.n).sum();
        assert_eq!((n as usize + binned.n_outside, binned.n_outside), (binned.n, 19));
        assert_eq!((binned.bins[1].hazard.n, binned.bins[1].hazard.successes), (21, 3));
    }

    #[test]
    fn quantiles_make_bins_of_equal_size_unless_values_are_tied() {
        let values: Vec<f64> = (0..=100).map(f64::from).collect();
        assert_eq!(quantile_edges(&values, 4), Ok(vec![0.0, 25.0, 50.0, 75.0, 100.0]));
        assert_eq!(quantile_edges(&[1.0, 1.0, 1.0, 5.0], 4), Ok(vec![1.0, 2.0, 5.0]));
        assert!(quantile_edges(&[1.0, 1.0], 2).is_err() && quantile_edges(&[], 2).is_err());
        assert!(quantile_edges(&values, 0).is_err());
    }

    #[test]
    fn the_hazard_after_an_event_stays_within_the_attempt() {
        let after = hazard_after(&[vec![true, true, false, true], vec![false, true, false]], Confidence::default());
        // After an event: yes, no, no. After none: yes, yes.
        assert_eq!((after.after_event.successes, after.after_event.n), (1, 3));
        assert_eq!((after.after_none.successes, after.after_none.n), (2, 2));
        assert!((after.ratio.unwrap() - 1.0 / 3.0).abs() < 1e-15);
        let expected = ".33 (1 of 3) after an event, 1.00 (2 of 2) otherwise, ratio = 0.33, 95 % CI [0.07, 1.65]";
        assert_eq!(after.sentence(), expected);
        let never = hazard_after(&[[false, false]], Confidence::default());
        assert!(never.ratio.is_none() && never.reason.is_some());
        assert_eq!(never.sentence(), "none (0 of 0) after an event, .00 (0 of 1) otherwise");
    }

    #[test]
    fn bins_out_of_order_are_refused() {
        for edges in [&[1.0][..], &[2.0, 1.0], &[1.0, 1.0], &[1.0, f64::NAN]] {
            assert!(hazard(&[true], &[1.0], None, edges, Confidence::default()).reason.is_some());
        }
        assert!(hazard(&[true], &[f64::NAN], None, &[0.0, 1.0], Confidence::default()).reason.is_some());
        assert!(hazard(&[true], &[], None, &[0.0, 1.0], Confidence::default()).reason.is_some());
        assert!(hazard(&[true], &[0.5], Some(&[]), &[0.0, 1.0], Confidence::default()).reason.is_some());
    }
}

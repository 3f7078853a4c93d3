//! Survival analysis: times until an event that has not happened to all, such as attempts until they are
//! solved, with those that were given up censored.
//!
//! A time is the time of the event, or of the end of observation. Censored times count as if just
//! after events at the same time, as everywhere in this field: who gave up at 30 s was still at risk
//! of an event at 30 s. All methods assume non-informative censoring: if those give up
//! who would have needed longest, the curves are too optimistic.

use super::{NotEstimable, check_count, check_values};
use sorted::SortedTimes;

mod between_clusters;
mod concordance;
pub mod cox;
pub mod kaplan_meier;
pub mod log_rank;
mod partial_likelihood;
pub mod proportional_hazards;
mod robust;
pub mod sorted;
pub mod split_hazards;

/// What happens at one time: how many are at risk just before, how many have the event, and how many
/// are censored.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tick {
    time: f64,
    n_at_risk: usize,
    n_events: usize,
    n_censored: usize,
}

/// The places of the times in ascending order.
fn ascending(times: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by(|&left, &right| times[left].total_cmp(&times[right]));
    order
}

impl Tick {
    /// The share of those at risk that does not have the event.
    fn share_without(self) -> f64 {
        let (at_risk, events) = (self.n_at_risk as f64, self.n_events as f64);
        (at_risk - events) / at_risk
    }
}

/// The different times in ascending order.
fn ticks(times: &[f64], events: &[bool]) -> Vec<Tick> {
    SortedTimes::sorted(times, events).ticks(0..times.len()).collect()
}

/// Greenwood's sum after each tick, the variance of ln S of independent times; where all that are at risk have the event,
/// it stays as it was before.
fn greenwood(ticks: &[Tick]) -> Vec<f64> {
    let add = |sum: &mut f64, tick: &Tick| {
        let (at_risk, events) = (tick.n_at_risk as f64, tick.n_events as f64);
        if tick.n_events < tick.n_at_risk {
            *sum += events / (at_risk * (at_risk - events));
        }
        Some(*sum)
    };
    ticks.iter().scan(0.0, add).collect()
}

/// Refuses times that are unpaired, negative or not finite.
fn check_times(times: &[f64], events: &[bool]) -> Result<(), NotEstimable> {
    if times.len() != events.len() {
        let (left_name, right_name) = ("the list of times", "the list of events");
        return Err(NotEstimable::UnequalLengths { left_name, left: times.len(), right_name, right: events.len() });
    }
    check_values("the times", times)?;
    match times.iter().find(|&&time| time < 0.0) {
        Some(time) => {
            Err(NotEstimable::OutOfRange { quantity: "a time", value: time.to_string(), allowed: "0 or more" })
        }
        None => Ok(()),
    }
}

/// Refuses an empty list.
fn check_some(quantity: &'static str, times: &[f64]) -> Result<(), NotEstimable> {
    check_count(quantity, "times", times.len(), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_and_censored_times_are_counted_once_at_each_time() {
        let ticks = ticks(&[5.0, 2.0, 5.0, 2.0, 9.0, -0.0], &[true, true, false, true, false, false]);
        let expected = [(0.0, 6, 0, 1), (2.0, 5, 2, 0), (5.0, 3, 1, 1), (9.0, 1, 0, 1)];
        let found: Vec<_> =
            ticks.iter().map(|tick| (tick.time, tick.n_at_risk, tick.n_events, tick.n_censored)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn times_before_the_start_are_refused() {
        assert!(check_times(&[1.0, 2.0], &[true]).is_err());
        assert_eq!(check_times(&[-1.0], &[true]).unwrap_err().to_string(), "a time is -1, but must be 0 or more");
        assert!(check_times(&[f64::NAN], &[true]).is_err());
        assert!(check_times(&[], &[]).is_ok());
    }
}

//! Counts of those at risk, with the event and censored, at each time.

use crate::not_estimable::{NotEstimable, check_count, check_values};

/// Counts at one time: how many are at risk just before, how many have the event, and how many
/// are censored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tick {
    pub time: f64,
    pub n_at_risk: usize,
    pub n_events: usize,
    pub n_censored: usize,
}

/// The places of the times in ascending order.
pub(super) fn ascending(times: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by(|&left, &right| times[left].total_cmp(&times[right]));
    order
}

impl Tick {
    /// The share of those at risk that does not have the event.
    pub fn share_without(self) -> f64 {
        let (at_risk, events) = (self.n_at_risk as f64, self.n_events as f64);
        (at_risk - events) / at_risk
    }
}

/// Greenwood's sum after each tick, the variance of ln S of independent times; where all that are at risk have the event,
/// it stays as it was before.
pub(super) fn greenwood(ticks: &[Tick]) -> Vec<f64> {
    ticks.iter().scan(0.0, add_greenwood).collect()
}

/// Greenwood's sum up to a time. Where all that are left have the event it would divide by 0, and the curve is 0.
fn add_greenwood(sum: &mut f64, tick: &Tick) -> Option<f64> {
    let (at_risk, events) = (tick.n_at_risk as f64, tick.n_events as f64);
    if tick.n_events < tick.n_at_risk {
        *sum += events / (at_risk * (at_risk - events));
    }
    Some(*sum)
}

/// Refuses times that are unpaired, negative or not finite.
pub(super) fn check_times(times: &[f64], events: &[bool]) -> Result<(), NotEstimable> {
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
pub(super) fn check_some(quantity: &'static str, times: &[f64]) -> Result<(), NotEstimable> {
    check_count(quantity, "times", times.len(), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_before_the_start_are_refused() {
        assert!(check_times(&[1.0, 2.0], &[true]).is_err());
        assert_eq!(check_times(&[-1.0], &[true]).unwrap_err().to_string(), "a time is -1, but must be 0 or more");
        assert!(check_times(&[f64::NAN], &[true]).is_err());
        assert!(check_times(&[], &[]).is_ok());
    }
}

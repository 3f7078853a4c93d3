//! Times that are sorted once, for statistics of many resamples or permutations of them.

use super::ticks::{Tick, ascending, check_times};
use crate::not_estimable::NotEstimable;

/// Times with their events, sorted.
///
/// ```
/// use plymap_statistics::stats::survival::sorted::SortedTimes;
///
/// // The time of 4 is censored.
/// let times = SortedTimes::new(&[2.0, 4.0], &[true, false])?;
/// // Until 2 all are left, then one half.
/// assert_eq!(times.restricted_mean([0, 1], 5.0), Some(2.0 + 3.0 * 0.5));
/// assert_eq!(times.restricted_mean([0, 0], 5.0), Some(2.0));
/// # Ok::<(), plymap_statistics::stats::NotEstimable>(())
/// ```
#[derive(Clone, Debug)]
pub struct SortedTimes {
    /// The different times.
    pub(super) times: Vec<f64>,
    /// Place among these of the time of each observation.
    pub(super) places: Vec<u32>,
    /// True if it ended with the event, for each.
    pub(super) events: Vec<bool>,
    /// The observations, in ascending order of their times.
    pub(super) order: Vec<usize>,
}

impl SortedTimes {
    /// Sorts times, each of which ended with the event or is censored.
    ///
    /// # Errors
    ///
    /// [`NotEstimable`] where the lists differ in length, or a time is negative or not finite.
    pub fn new(times: &[f64], events: &[bool]) -> Result<Self, NotEstimable> {
        check_times(times, events)?;
        Ok(Self::sorted(times, events))
    }

    /// Sorts times that were checked.
    pub(super) fn sorted(times: &[f64], events: &[bool]) -> Self {
        let order = ascending(times);
        let (mut different, mut places): (Vec<f64>, _) = (Vec::new(), vec![0; times.len()]);
        for &row in &order {
            if different.last() != Some(&times[row]) {
                different.push(times[row]);
            }
            places[row] = different.len() as u32 - 1;
        }
        Self { times: different, places, events: events.to_vec(), order }
    }

    /// The mean time without the event until a time, of observations of these numbers, each as often as it is named: the area
    /// under their curve, as of [`KaplanMeier::restricted_mean`](super::kaplan_meier::KaplanMeier::restricted_mean). Behind
    /// the last of them the curve goes on as it is. Nothing without observations.
    ///
    /// # Panics
    ///
    /// If there is no observation of a number.
    pub fn restricted_mean(&self, rows: impl IntoIterator<Item = usize>, until: f64) -> Option<f64> {
        let mut ticks = self.ticks(rows).peekable();
        ticks.peek()?;
        let (mut area, mut before, mut share) = (0.0, 0.0, 1.0);
        for tick in ticks.take_while(|tick| tick.time < until) {
            area += share * (tick.time - before);
            (before, share) = (tick.time, share * tick.share_without());
        }
        Some(area + share * (until - before))
    }

    /// Counts at each time of observations of these numbers, in ascending order.
    pub(super) fn ticks(&self, rows: impl IntoIterator<Item = usize>) -> impl Iterator<Item = Tick> {
        // How many observations end at each time, and how many of them with the event.
        let mut counts = vec![[0_u32; 2]; self.times.len()];
        let mut n_at_risk = 0_usize;
        for row in rows {
            let [n, n_events] = &mut counts[self.places[row] as usize];
            (*n, *n_events) = (*n + 1, *n_events + u32::from(self.events[row]));
            n_at_risk += 1;
        }
        self.times.iter().zip(counts).filter(|(_, [n, _])| *n > 0).map(move |(&time, [n, n_events])| {
            let tick = Tick { time, n_at_risk, n_events: n_events as usize, n_censored: (n - n_events) as usize };
            n_at_risk -= n as usize;
            tick
        })
    }
}

/// The different times in ascending order.
pub(super) fn ticks(times: &[f64], events: &[bool]) -> Vec<Tick> {
    SortedTimes::sorted(times, events).ticks(0..times.len()).collect()
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::inference::Confidence;
    use crate::stats::survival::kaplan_meier::kaplan_meier;

    #[test]
    fn means_of_resamples_are_the_areas_under_their_curves() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for n in [1, 2, 9, 60] {
            let times: Vec<f64> = (0..n).map(|_| f64::from(random.random_range(0_u32..30)) / 4.0).collect();
            let events: Vec<bool> = (0..n).map(|_| random.random_bool(0.7)).collect();
            let sorted = SortedTimes::new(&times, &events).unwrap();
            for _ in 0..50 {
                let rows: Vec<usize> = (0..n).map(|_| random.random_range(0..n)).collect();
                let (drawn, ends): (Vec<f64>, Vec<bool>) = rows.iter().map(|&row| (times[row], events[row])).unzip();
                let curve = kaplan_meier(&drawn, &ends, Confidence::default());
                let until = f64::from(random.random_range(0_u32..40)) / 4.0;
                let last = curve.points.last().unwrap();
                let rest = (until - last.time).max(0.0) * last.survival;
                let expected = curve.restricted_mean(until.min(last.time)).unwrap() + rest;
                let mean = sorted.restricted_mean(rows, until).unwrap();
                assert!((mean - expected).abs() < 1e-13 * expected.max(1.0), "{mean}: {expected}");
            }
            assert_eq!(sorted.restricted_mean([], 3.0), None);
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        assert!(SortedTimes::new(&[1.0, -2.0], &[true, true]).is_err());
        assert!(SortedTimes::new(&[1.0], &[]).is_err());
    }

    #[test]
    fn events_and_censored_times_are_counted_once_at_each_time() {
        let ticks = ticks(&[5.0, 2.0, 5.0, 2.0, 9.0, -0.0], &[true, true, false, true, false, false]);
        let expected = [(0.0, 6, 0, 1), (2.0, 5, 2, 0), (5.0, 3, 1, 1), (9.0, 1, 0, 1)];
        let actual: Vec<_> =
            ticks.iter().map(|tick| (tick.time, tick.n_at_risk, tick.n_events, tick.n_censored)).collect();
        assert_eq!(actual, expected);
    }
}

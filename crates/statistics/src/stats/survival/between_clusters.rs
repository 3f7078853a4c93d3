//! The variance of a survival curve whose times depend on each other within clusters.

use std::collections::HashMap;

use crate::stats::survival::ticks::{Tick, ascending};

/// Variances below this share of Greenwood's are rounding: the clusters balance each other.
const BALANCED: f64 = 1e-12;

/// The variance of ln S after each tick between clusters, as [`super::kaplan_meier::kaplan_meier_clustered`] defines it;
/// absent where the clusters balance each other, or S is 0. `greenwood` holds the sums of [`crate::stats::survival::ticks::greenwood`].
///
/// With a(t) Greenwood's sum, the influence of an observation on −ln S(t) is −a(t) while it is at risk, and stays
/// δ / (Y(x) − d(x)) − a(x) from its own time x on, where δ is 1 for an event. A cluster's sum of them is thus
/// V − m · (a(t) − a₀), with m of its observations at risk and V the sum at a₀ but for those that have left: it changes
/// of itself only where one leaves. So do Σ V², Σ V m and Σ m², of which the sum of squares is made. Time grows with
/// n · ln n, whatever the number of clusters.
pub(super) fn variances(
    ticks: &[Tick],
    greenwood: &[f64],
    times: &[f64],
    events: &[bool],
    clusters: &[usize],
) -> Vec<Option<f64>> {
    let order = ascending(times);
    let mut staying = order.as_slice();
    let (mut sweep, cluster_of) = Sweep::new(clusters);
    let after = |(tick, &sum): (&Tick, &f64)| {
        let (leaving, later) = staying.split_at(tick.n_events + tick.n_censored);
        staying = later;
        if tick.n_events == tick.n_at_risk {
            return None;
        }
        let of_event = 1.0 / (tick.n_at_risk - tick.n_events) as f64;
        leaving.iter().for_each(|&i| sweep.leave(cluster_of[i], if events[i] { of_event } else { 0.0 }, sum));
        let variance = sweep.sum_of_squares(sum);
        (variance >= BALANCED * sum).then_some(variance)
    };
    ticks.iter().zip(greenwood).map(after).collect()
}

#[derive(Clone, Copy, Default)]
struct Cluster {
    n_at_risk: f64,
    influence: f64,
}

impl Cluster {
    fn products(self) -> [f64; 3] {
        [self.influence * self.influence, self.influence * self.n_at_risk, self.n_at_risk * self.n_at_risk]
    }
}

struct Sweep {
    clusters: Vec<Cluster>,
    /// The sum a₀ at which the influences are those of all.
    base: f64,
    /// Number of observations that have left since.
    n_left: usize,
    /// Sums of the products of all clusters.
    totals: [f64; 3],
}

impl Sweep {
    /// The state before the first time, and the number of each observation's cluster.
    fn new(clusters: &[usize]) -> (Self, Vec<usize>) {
        let mut numbers = HashMap::new();
        let mut number = |cluster| {
            let next = numbers.len();
            *numbers.entry(cluster).or_insert(next)
        };
        let cluster_of: Vec<usize> = clusters.iter().map(&mut number).collect();
        let mut sweep =
            Self { clusters: vec![Cluster::default(); numbers.len()], base: 0.0, n_left: 0, totals: [0.0; 3] };
        cluster_of.iter().for_each(|&cluster| sweep.clusters[cluster].n_at_risk += 1.0);
        sweep.renew(0.0);
        (sweep, cluster_of)
    }

    fn leave(&mut self, cluster: usize, of_event: f64, sum: f64) {
        let counts = &mut self.clusters[cluster];
        let before = counts.products();
        counts.influence += of_event - (sum - self.base);
        counts.n_at_risk -= 1.0;
        let after = counts.products();
        (0..3).for_each(|part| self.totals[part] += after[part] - before[part]);
        self.n_left += 1;
    }

    fn sum_of_squares(&mut self, sum: f64) -> f64 {
        // As often as this it costs no more than the sweep.
        if self.n_left >= self.clusters.len() {
            self.renew(sum);
        }
        let rise = sum - self.base;
        let [squares, products, counts] = self.totals;
        squares + rise * (rise * counts - 2.0 * products)
    }

    /// Takes the influences as they are now: of a large cluster, V and m · a would else be nearly equal, and their
    /// difference rounding.
    fn renew(&mut self, sum: f64) {
        let rise = sum - self.base;
        (self.base, self.n_left, self.totals) = (sum, 0, [0.0; 3]);
        for cluster in &mut self.clusters {
            cluster.influence -= rise * cluster.n_at_risk;
            let products = cluster.products();
            (0..3).for_each(|part| self.totals[part] += products[part]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sorted::ticks;
    use super::*;
    use crate::stats::survival::ticks::greenwood;

    /// The sum of squares by its definition, an observation and a time at a time.
    fn defined(times: &[f64], events: &[bool], clusters: &[usize], until: f64) -> f64 {
        let mut sums: HashMap<usize, f64> = HashMap::new();
        for tick in ticks(times, events).iter().filter(|tick| tick.time <= until) {
            let (at_risk, n_events) = (tick.n_at_risk as f64, tick.n_events as f64);
            for i in (0..times.len()).filter(|&i| times[i] >= tick.time) {
                let event = f64::from(u8::from(events[i] && times[i] == tick.time));
                *sums.entry(clusters[i]).or_default() += (event - n_events / at_risk) / (at_risk - n_events);
            }
        }
        sums.values().map(|sum| sum * sum).sum()
    }

    fn check(n: usize, cluster: fn(usize) -> usize, tolerance: f64) {
        let times: Vec<f64> = (0..n).map(|i| ((i * 7919) % 401 + cluster(i) % 5 * 20) as f64).collect();
        let events: Vec<bool> = (0..n).map(|i| (i * i) % 7 != 2).collect();
        let clusters: Vec<usize> = (0..n).map(cluster).collect();
        let ticks = ticks(&times, &events);
        let greenwood = greenwood(&ticks);
        let robust = variances(&ticks, &greenwood, &times, &events, &clusters);
        for ((tick, actual), greenwood) in ticks.iter().zip(robust).zip(&greenwood) {
            let expected = defined(&times, &events, &clusters, tick.time);
            let is_end = tick.n_events == tick.n_at_risk;
            let is_close = (actual.unwrap_or(0.0) - expected).abs() < tolerance * expected + 2.0 * BALANCED * greenwood;
            assert!(is_end || is_close, "{n} at {}: {actual:?}, {expected}", tick.time);
        }
    }

    #[test]
    fn the_sweep_gives_what_the_definition_does() {
        check(600, |i| i % 23, 1e-10);
        check(600, |i| i, 1e-10);
        check(600, |i| (i as f64).sqrt() as usize, 1e-10);
        // All but a few belong to one of two clusters, so that its sum is small beside its parts.
        check(2_000, |i| usize::from(i % 400 == 3), 1e-8);
    }
}

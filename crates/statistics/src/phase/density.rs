//! Normal densities of many logarithms of times.

use crate::numeric::vector::{exponentials, sum};
use crate::numeric::wide::{self, Work};

/// ln(2π) / 2.
const HALF_LOG_TWO_PI: f64 = 0.918_938_533_204_672_7;

/// Limit, in logarithms, on the excess of a density over that of the widest component.
const FAR: f64 = 20.0;

/// A normal density, ready to be computed many times.
#[derive(Clone, Copy, Debug)]
pub(super) struct Normal {
    mean: f64,
    inverse_sd: f64,
    log_height: f64,
}

impl Normal {
    pub fn new(mean: f64, sd: f64) -> Self {
        Self { mean, inverse_sd: 1.0 / sd, log_height: -sd.ln() - HALF_LOG_TWO_PI }
    }

    /// The density times a weight.
    pub fn weighted(self, weight: f64) -> Self {
        Self { log_height: self.log_height + weight.ln(), ..self }
    }

    /// Logarithm of the density.
    #[inline(always)]
    pub fn log_density(&self, log: f64) -> f64 {
        let z = (log - self.mean) * self.inverse_sd;
        self.log_height - 0.5 * z * z
    }
}

/// The densities of `K` components at several times.
///
/// They are multiples of the density of one component, that with the largest standard deviation: it needs no exponential
/// function, which is most of the work, and hardly anywhere are the others far above it. Where one is, they are multiples
/// of the largest at each time.
pub(super) struct Densities<const K: usize> {
    normals: [Normal; K],
    widest: usize,
    /// Logarithm of the density that is the unit at each time.
    units: Vec<f64>,
    /// For each component its multiple of the unit at each time, at most exp(20).
    pub multiples: [Vec<f64>; K],
}

impl<const K: usize> Densities<K> {
    pub fn new(normals: [Normal; K]) -> Self {
        // The widest normal is nowhere much smaller than another one, so multiples of it seldom overflow and one
        // exponential for each time is saved.
        let is_wider = |left: usize, right: usize| normals[left].inverse_sd < normals[right].inverse_sd;
        let widest = (1..K).fold(0, |widest, j| if is_wider(j, widest) { j } else { widest });
        Self { normals, widest, units: Vec::new(), multiples: std::array::from_fn(|_| Vec::new()) }
    }

    /// Computes them; returns the sum of the logarithms of the units.
    pub fn compute(&mut self, logs: &[f64]) -> f64 {
        wide::run(Computation { densities: self, logs })
    }

    /// The same, compiled for the processor of the caller.
    #[inline(always)]
    fn compute_here(&mut self, logs: &[f64]) -> f64 {
        let widest = self.normals[self.widest];
        self.units.clear();
        self.units.extend(logs.iter().map(|&log| widest.log_density(log)));
        self.set_logs(logs);
        let is_far = |&multiple: &f64| multiple > FAR;
        // Without a branch for each number: the compiler makes vector instructions of a fold, but not of an early
        // end.
        if self.multiples.iter().any(|multiple| multiple.iter().fold(false, |any, multiple| any | is_far(multiple))) {
            self.set_units_to_largest(logs);
            self.set_logs(logs);
            self.multiples.iter_mut().for_each(|multiple| exponentials(multiple));
        } else {
            let others = self.multiples.iter_mut().enumerate().filter(|(j, _)| *j != self.widest);
            others.for_each(|(_, multiple)| exponentials(multiple));
            self.multiples[self.widest].fill(1.0);
        }
        sum(&self.units)
    }

    /// The logarithm of the unit at a time that was computed.
    pub fn unit(&self, t: usize) -> f64 {
        self.units[t]
    }

    /// The logarithms of the densities of a time.
    pub fn logs(&self, log: f64) -> [f64; K] {
        self.normals.map(|normal| normal.log_density(log))
    }

    /// The logarithms of the multiples.
    #[inline(always)]
    fn set_logs(&mut self, logs: &[f64]) {
        for (multiple, normal) in self.multiples.iter_mut().zip(&self.normals) {
            multiple.clear();
            multiple.extend(logs.iter().zip(&self.units).map(|(&log, unit)| normal.log_density(log) - unit));
        }
    }

    #[cold]
    fn set_units_to_largest(&mut self, logs: &[f64]) {
        for (unit, &log) in self.units.iter_mut().zip(logs) {
            *unit = self.normals.iter().map(|normal| normal.log_density(log)).fold(f64::NEG_INFINITY, f64::max);
        }
    }
}

/// The densities that are to be computed, at these logarithms of times.
struct Computation<'a, const K: usize> {
    densities: &'a mut Densities<K>,
    logs: &'a [f64],
}

impl<const K: usize> Work for Computation<'_, K> {
    type Result = f64;

    #[inline(always)]
    fn run(self) -> f64 {
        self.densities.compute_here(self.logs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiples_of_the_unit_are_the_densities() {
        let mut densities = Densities::new([Normal::new(0.0, 0.1), Normal::new(1.0, 2.0), Normal::new(9.0, 0.5)]);
        let logs = [0.1, 2.0, 9.0, 40.0, -30.0];
        let sum = densities.compute(&logs);
        assert_eq!(densities.multiples[1], [1.0; 5], "the second is the widest");
        for (t, log) in logs.into_iter().enumerate() {
            for (multiples, expected) in densities.multiples.iter().zip(densities.logs(log)) {
                let log_density = densities.unit(t) + multiples[t].ln();
                // Far out, a narrow component has no share.
                let is_known = (log_density - expected).abs() < 1e-12 || multiples[t] == 0.0 && expected < -700.0;
                assert!(is_known, "{log_density} for {expected}");
            }
        }
        assert!((sum - (0..5).map(|t| densities.unit(t)).sum::<f64>()).abs() < 1e-12);
    }

    #[test]
    fn no_bit_depends_on_the_processor() {
        // With and without components far above the widest.
        for far in [0.0, 900.0] {
            let new = || Densities::new([Normal::new(0.0, 0.4), Normal::new(1.0, 2.0), Normal::new(far, 0.7)]);
            let logs: Vec<f64> = (0..103).map(|place| f64::from(place * 37 % 101) / 9.0 - 4.0 + far).collect();
            let (mut portable, mut chosen) = (new(), new());
            let sums = [portable.compute_here(&logs), chosen.compute(&logs)].map(f64::to_bits);
            assert_eq!(sums[0], sums[1]);
            let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<u64>>();
            assert_eq!(bits(&portable.units), bits(&chosen.units));
            assert_eq!(
                portable.multiples.map(|multiple| bits(&multiple)),
                chosen.multiples.map(|multiple| bits(&multiple))
            );
        }
    }

    #[test]
    fn the_unit_is_the_largest_where_the_widest_is_far_below() {
        let mut densities = Densities::new([Normal::new(0.0, 1.0), Normal::new(9.0, 0.999)]);
        densities.compute(&[0.0, 9.0]);
        let [near, far] = [0.0, 9.0].map(|log| densities.logs(log));
        assert_eq!([densities.unit(0), densities.unit(1)], [near[0], far[1]]);
        assert_eq!((densities.multiples[0][0], densities.multiples[1][1]), (1.0, 1.0));
        assert!((densities.multiples[0][1].ln() - far[0] + far[1]).abs() < 1e-12);
    }
}

//! Ends of chains of thought, for a probability of stopping that may differ from decision to decision.

/// Ends of the thoughts before a decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Ends {
    /// Shares by the number of steps, ascending; of those numbers at which some thoughts end.
    steps: Vec<Step>,
    /// Share of all thoughts that ends nowhere, whatever the number of steps.
    rest: f64,
    n_legal: f64,
}

/// The shares of all thoughts that end after some number of steps.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Step {
    /// Number of steps, less 1.
    place: u32,
    /// Share that ends in the chosen move, and in any legal move.
    shares: [f64; 2],
    /// Share that ends anywhere, circles too.
    all: f64,
    /// Both shares less what those who stop before make of the same moves.
    net: [f64; 2],
}

/// Weight of a step by the probability to stop thinking, with derivatives by it: with q = 1 − p and d steps.
#[derive(Clone, Copy)]
struct Power {
    /// q^d, the probability to think so far.
    value: f64,
    /// 1 − q^d, without loss of digits where p is small.
    stopped: f64,
    /// d q^(d − 1).
    slope: f64,
    /// d (d − 1) q^(d − 2).
    bend: f64,
}

/// The powers of a probability to go on thinking.
#[derive(Default)]
pub struct Powers(Vec<Power>);

impl Ends {
    /// Creates the ends from the shares of thoughts by their steps, and the number of legal moves.
    pub fn new(chosen: &[f64], any: &[f64], all: &[f64], n_legal: f64) -> Self {
        let step_at = |place: usize| {
            let [chosen, any, all] = [chosen, any, all].map(|shares| share_at(shares, place));
            Step { place: place as u32, shares: [chosen, any], all, net: [chosen - all / n_legal, any - all] }
        };
        let n_steps = chosen.len().max(any.len()).max(all.len());
        let steps = (0..n_steps).map(step_at).filter(|step| step.all != 0.0 || step.shares != [0.0; 2]).collect();
        Self { steps, rest: rest(all), n_legal }
    }

    /// The number of steps that matter.
    pub fn n_steps(&self) -> usize {
        self.steps.last().map_or(0, |step| step.place as usize + 1)
    }

    /// Key that tells it from others.
    pub fn key(&self) -> Vec<u64> {
        let of_step = |step: &Step| {
            let [chosen, any] = step.shares.map(f64::to_bits);
            [u64::from(step.place), chosen, any, step.all.to_bits()]
        };
        let all = [self.rest.to_bits(), self.n_legal.to_bits()];
        all.into_iter().chain(self.steps.iter().flat_map(of_step)).collect()
    }

    /// The probability of the chosen move, with the derivatives of its logarithm by the probability to stop thinking.
    pub fn probability(&self, powers: &Powers) -> [f64; 3] {
        // Of the chosen move, and of all legal ones.
        let (mut values, mut slopes, mut bends, mut stopped) = ([0.0; 2], [0.0; 2], [0.0; 2], self.rest);
        for step in &self.steps {
            let power = &powers.0[step.place as usize];
            stopped += step.all * power.stopped;
            for place in 0..2 {
                values[place] += step.shares[place] * power.value;
                slopes[place] -= step.net[place] * power.slope;
                bends[place] += step.net[place] * power.bend;
            }
        }
        let inverses = [1.0 / (values[0] + stopped / self.n_legal), 1.0 / (values[1] + stopped)];
        let [own_slope, slope] = [0, 1].map(|place| slopes[place] * inverses[place]);
        let [own_bend, bend] = [0, 1].map(|place| bends[place] * inverses[place]);
        let bend = (own_bend - own_slope * own_slope) - (bend - slope * slope);
        [(values[0] + stopped / self.n_legal) * inverses[1], own_slope - slope, bend]
    }
}

fn share_at(shares: &[f64], place: usize) -> f64 {
    shares.get(place).copied().unwrap_or(0.0)
}

/// The share of thoughts that end nowhere: the shares of a tree sum to 1, but for rounding.
fn rest(all: &[f64]) -> f64 {
    let rest = 1.0 - all.iter().sum::<f64>();
    if rest > 1e-9 { rest } else { 0.0 }
}

impl Powers {
    /// Replaces them by those of another probability to stop.
    pub fn set(&mut self, p: f64, n_steps: usize) {
        self.0.clear();
        let q = 1.0 - p;
        let (mut once_less, mut twice_less, mut stopped) = (1.0, 0.0, 0.0);
        for place in 0..n_steps {
            let d = place as f64 + 1.0;
            stopped += once_less * p;
            let value = once_less * q;
            self.0.push(Power { value, stopped, slope: d * once_less, bend: d * (d - 1.0) * twice_less });
            (once_less, twice_less) = (value, once_less);
        }
    }

    /// Σ a_d q^d with its derivatives by p.
    pub fn thought(&self, shares: &[f64]) -> [f64; 3] {
        let mut sums = [0.0; 3];
        for (share, power) in shares.iter().zip(&self.0) {
            sums[0] += share * power.value;
            sums[1] -= share * power.slope;
            sums[2] += share * power.bend;
        }
        sums
    }

    /// 1 − Σ s_d q^d with its derivatives by p, without loss of digits where p is small.
    pub fn stop(&self, shares: &[f64]) -> [f64; 3] {
        let mut sums = [rest(shares), 0.0, 0.0];
        for (share, power) in shares.iter().zip(&self.0) {
            sums[0] += share * power.stopped;
            sums[1] += share * power.slope;
            sums[2] -= share * power.bend;
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two steps to the chosen move, one to another, and one in a circle.
    #[test]
    fn the_probability_is_that_of_the_formula_with_its_derivatives() {
        let ends = Ends::new(&[0.0, 0.4], &[0.3, 0.4, 0.0], &[0.3, 0.6], 5.0);
        let expected = |p: f64| {
            let q = 1.0 - p;
            let stop = 1.0 - 0.3 * q - 0.6 * q * q;
            (0.4 * q * q + stop / 5.0) / (0.3 * q + 0.4 * q * q + stop)
        };
        let mut powers = Powers::default();
        for p in [0.01, 0.3, 0.95] {
            powers.set(p, ends.n_steps());
            let [value, slope, bend] = ends.probability(&powers);
            let h = 1e-4;
            let log = |p: f64| expected(p).ln();
            let numeric = [(log(p + h) - log(p - h)) / (2.0 * h), (log(p + h) + log(p - h) - 2.0 * log(p)) / (h * h)];
            assert!((value / expected(p) - 1.0).abs() < 1e-14, "{p}");
            assert!((slope - numeric[0]).abs() < 1e-5 && (bend - numeric[1]).abs() < 1e-4, "{p}");
        }
    }

    #[test]
    fn who_hardly_ever_stops_makes_a_move_that_no_thought_ends_in_hardly_ever() {
        let ends = Ends::new(&[], &[0.0, 1.0], &[0.0, 1.0], 4.0);
        let mut powers = Powers::default();
        powers.set(1e-20, ends.n_steps());
        assert!((ends.probability(&powers)[0] / 0.5e-20 - 1.0).abs() < 1e-15);
    }
}

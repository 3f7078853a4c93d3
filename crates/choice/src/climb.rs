//! The maximum of the likelihood of a model of choice.

use plymap_statistics::numeric::newton::{Local, Maximum};
use plymap_statistics::numeric::quantile::sorted_quantile;

use crate::bounded::{Ascent, Bounded};
use crate::cone::Tendency;
use crate::design::grouping::FoldWeights;
use crate::design::{Design, Determined};
use crate::model::{MOST_ROLLOUTS, Parameter, ParameterValues};
use crate::profile::Drop;
use crate::rollouts::{N_STARTS, start_length};

/// Factor by which parameters that are infinite by themselves are held farther out beside others that are infinite too.
const FARTHER: f64 = 16.0;

/// A number of rollouts beyond which the next whole number changes so little that the other parameters need not follow: ln L
/// drops by the square of a part in two thousand.
const LEAST_SMOOTH: f64 = 1e3;

/// The best of the optimiser runs with given whole numbers.
pub(crate) struct Climb {
    pub maximum: Maximum,
    pub n_starts: usize,
    /// True if the information is that at the maximum itself.
    has_errors: bool,
    pub determined: Vec<Determined>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

/// Generous bounds on the maximum of a likelihood.
pub(crate) struct Promise {
    pub least: f64,
    pub most: f64,
}

impl Promise {
    /// The bounds where nothing is known.
    pub const ANY: Self = Self { least: f64::NEG_INFINITY, most: f64::INFINITY };
}

impl Climb {
    pub fn new(design: &Design) -> Self {
        let determined = design.determined();
        let starts = starts(design, &determined);
        let climb = Self::from(design, determined, &starts);
        // Infinite estimates are held at a finite value that is far enough for the others; whether it was is seen at
        // the maximum only.
        match climb.held_farther(design) {
            None => climb,
            Some(determined) => {
                let starts: Vec<Vec<f64>> =
                    starts.into_iter().chain([climb.maximum.point.as_slice().to_vec()]).collect();
                Self::from(design, determined, &starts)
            }
        }
    }

    /// Values to hold those parameters at that have no maximum, if others have none either: these can only grow as far as the ones
    /// that are held let them, and the likelihood has not reached its limit where they meet.
    fn held_farther(&self, design: &Design) -> Option<Vec<Determined>> {
        let is_held = |determined: &Determined| matches!(determined, Determined::Endless(_));
        if !self.determined.iter().any(is_held) {
            return None;
        }
        let (n_base, n) = (design.n_base(), self.determined.len());
        let directions = design.directions(self.maximum.point.as_slice());
        let is_other = |index: usize| {
            matches!(self.determined[index], Determined::Yes { .. })
                && directions.of(index - n_base, n - n_base) == Tendency::Endless
        };
        (n_base..n).any(is_other).then(|| self.determined.iter().map(farther).collect())
    }

    /// Climbs from the maximum of a design of which this one is a part, which lies close to its own; from the usual
    /// starts where some parameter has no maximum there, or the search does not converge.
    pub fn near(design: &Design, whole: &Self, local: Option<&Local>) -> Self {
        if let Some(local) = local {
            let determined = design.determined();
            let (lower, upper) = ranges(design, &determined);
            let search = Bounded::new(|point: &[f64]| design.evaluate(point), &lower, &upper).without_last_evaluation();
            let maximum = search.climb_from(whole.maximum.point.as_slice(), local);
            let mut near = Self { maximum, n_starts: 1, has_errors: false, determined, lower, upper };
            near.round(design);
            if near.maximum.converged {
                return near;
            }
        }
        Self::new(design)
    }

    /// The likelihood without each of several parts of a design, at the maximum of all of it; none where some parameter has no
    /// maximum, or it was not found.
    pub fn without_parts(&self, design: &Design, folds: &FoldWeights) -> Option<Vec<Local>> {
        let has_maximum = |determined: &Determined| !matches!(determined, Determined::Endless(_));
        if !self.maximum.converged || !self.determined.iter().all(has_maximum) {
            return None;
        }
        let parts = design.evaluate_folds(folds, self.maximum.point.as_slice());
        Some(parts.iter().map(|part| self.maximum.local.without(part)).collect())
    }

    /// Bounds of the maximum of a design of which this one is a part, before it is climbed: at least the likelihood
    /// at the maximum of all, from which one step of Newton's method promises some gain.
    pub fn promise(&self, local: Option<&Local>) -> Promise {
        let Some(local) = local else { return Promise::ANY };
        let free: Vec<usize> = (0..self.lower.len()).filter(|&index| self.lower[index] < self.upper[index]).collect();
        let gain = Ascent::new(local, &free).decrement;
        if !(local.value.is_finite() && gain.is_finite()) {
            return Promise::ANY;
        }
        // Generous, since the decrement is the gain on a parabola only: a bound that is too wide costs a climb, not a
        // result.
        Promise { least: local.value, most: local.value + 1.0 + 4.0 * gain }
    }

    fn from(design: &Design, determined: Vec<Determined>, starts: &[Vec<f64>]) -> Self {
        let (lower, upper) = ranges(design, &determined);
        let search = Bounded::new(|point: &[f64]| design.evaluate(point), &lower, &upper);
        let mut maxima: Vec<Maximum> = Vec::new();
        for start in starts {
            let other = search.climb_elsewhere(start, &maxima);
            maxima.extend(other);
        }
        let best = maxima.into_iter().reduce(|best, other| {
            // One that converged comes first: a higher value on the way is no maximum.
            let is_better = (other.converged, other.local.value) > (best.converged, best.local.value);
            if is_better { other } else { best }
        });
        let best = best.expect("there is a start");
        let mut climb = Self { maximum: best, n_starts: starts.len(), has_errors: true, determined, lower, upper };
        climb.round(design);
        climb
    }

    /// Nobody makes half a rollout: the better of the whole numbers around the maximum, the other parameters fitted again.
    fn round(&mut self, design: &Design) {
        let Some(index) = design.parameters().iter().position(|&parameter| parameter == Parameter::Rollouts) else {
            return;
        };
        let n_rollouts = Parameter::Rollouts.unscaled(self.maximum.point[index]);
        // The next whole number has the same likelihood to all digits, or the maximum is at an end of the range.
        if n_rollouts > 1e6 || self.maximum.is_bound[index] || !self.maximum.converged {
            return;
        }
        if n_rollouts > LEAST_SMOOTH {
            let maximum = &mut self.maximum;
            maximum.point[index] = Parameter::Rollouts.scaled(n_rollouts.round());
            maximum.local = design.evaluate(maximum.point.as_slice());
            maximum.n_iterations += 1;
            return;
        }
        let at = |number: f64| {
            let held = Parameter::Rollouts.scaled(number);
            let (mut lower, mut upper) = (self.lower.clone(), self.upper.clone());
            (lower[index], upper[index]) = (held, held);
            let search = Bounded::new(|point: &[f64]| design.evaluate(point), &lower, &upper);
            let search = if self.has_errors { search } else { search.without_last_evaluation() };
            search.climb(self.maximum.followed(index, held).as_slice())
        };
        // The smooth maximum lies between the two, and beside it the likelihood falls.
        let [below, above] = [n_rollouts.floor(), n_rollouts.ceil()].map(at);
        let mut best = if above.local.value > below.local.value { above } else { below };
        best.n_iterations += self.maximum.n_iterations;
        // Free all the same: its error is that of the smooth likelihood.
        best.is_bound[index] = false;
        self.maximum = best;
    }

    /// The values at the maximum, beside whole numbers.
    pub fn values(&self, design: &Design, whole: ParameterValues) -> ParameterValues {
        let mut values = whole;
        for (&parameter, &value) in design.parameters().iter().zip(&self.maximum.point) {
            // An end of the range, taken to the scale and back, is rounded.
            let (least, most) = parameter.range();
            values.set(parameter, parameter.unscaled(value).clamp(least, most));
        }
        values
    }

    /// The maximum with a parameter held at `value`: from the maximum, or from one with about that value.
    pub(crate) fn held_at(&self, design: &Design, index: usize, value: f64, near: &Maximum) -> Maximum {
        let (mut lower, mut upper) = (self.lower.clone(), self.upper.clone());
        (lower[index], upper[index]) = (value, value);
        let search = Bounded::new(|point: &[f64]| design.evaluate(point), &lower, &upper).without_last_evaluation();
        // From farther away the way may lead to a lower peak; rollouts have several of them along their lengths.
        let is_near =
            design.n_base() < 2 && (value - near.point[index]).abs() <= 0.1 * (value - self.maximum.point[index]).abs();
        if is_near {
            let maximum = search.climb(near.followed(index, value).as_slice());
            if maximum.converged {
                return maximum;
            }
        }
        search.climb(self.maximum.point.as_slice())
    }

    /// Drop of ln L at the maximum with a parameter held; absent if that was not found.
    pub(crate) fn drop_to(&self, index: usize, held: &Maximum) -> Option<Drop> {
        if held.local.value == f64::NEG_INFINITY {
            return Some(Drop::ENDLESS);
        }
        let value = self.maximum.local.value - held.local.value;
        held.converged.then_some(Drop { value, slope: -held.local.gradient[index] })
    }
}

fn farther(&found: &Determined) -> Determined {
    match found {
        Determined::Endless(limit) => Determined::Endless(FARTHER * limit),
        other => other,
    }
}

/// The ranges of the parameters on their scales, those held that have no maximum.
fn ranges(design: &Design, determined: &[Determined]) -> (Vec<f64>, Vec<f64>) {
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    for (&parameter, &state) in design.parameters().iter().zip(determined) {
        let (low, high) = match state {
            Determined::Yes { .. } => scaled_range(parameter),
            Determined::Endless(limit) => (limit, limit),
            Determined::Never if parameter.is_probability() => (1.0, 1.0),
            Determined::Never => (0.0, 0.0),
        };
        lower.push(low);
        upper.push(high);
    }
    (lower, upper)
}

pub(crate) fn scaled_range(parameter: Parameter) -> (f64, f64) {
    let (least, most) = parameter.range();
    (parameter.scaled(least), parameter.scaled(most))
}

/// Places to start from: with a base that depends on parameters the likelihood may have several maxima.
fn starts(design: &Design, determined: &[Determined]) -> Vec<Vec<f64>> {
    let n = design.parameters().len();
    let with = |base: &[f64]| {
        let mut start = vec![0.0; n];
        start[..base.len()].copy_from_slice(base);
        start
    };
    match design.n_base() {
        0 => vec![with(&[])],
        1 => {
            let has_others = determined[1..].iter().any(is_determined);
            let several = is_determined(&determined[0]) && (design.is_crooked() || has_others);
            let starts: &[f64] = if several { &[0.1, 0.5, 0.9] } else { &[0.5] };
            starts.iter().map(|&start| with(&[start])).collect()
        }
        _ if !is_determined(&determined[0]) => vec![with(&[])],
        _ => {
            // Of rollouts of each length as many as come to a goal once from the hardest positions, from harder ones, and so on:
            // on both sides of such a ridge the likelihood is flat. It has several peaks along the lengths.
            const N_PEAKS: usize = 6;
            let of_length = |start: usize| {
                let rollouts = design.rollouts_of(start);
                let mut successes: Vec<f64> =
                    rollouts.iter().map(|rollout| rollout.before).filter(|&before| before > 0.0).collect();
                successes.sort_by(f64::total_cmp);
                let most = Parameter::Rollouts.scaled(MOST_ROLLOUTS);
                [0.02, 0.1, 0.25, 0.5, 0.75, 0.95]
                    .into_iter()
                    .filter(|_| !successes.is_empty())
                    .map(|share| sorted_quantile(&successes, share))
                    .map(|success| (-success.ln()).clamp(0.0, most))
                    .map(|number| {
                        (design.log_likelihood_of_rollouts(&rollouts, number), with(&[start_length(start), number]))
                    })
                    .max_by(|left, right| left.0.total_cmp(&right.0))
            };
            let ridge: Vec<(f64, Vec<f64>)> = (0..N_STARTS).filter_map(of_length).collect();
            let is_peak = |place: usize| {
                let beside = [place.checked_sub(1), Some(place + 1)].into_iter().flatten();
                beside.filter_map(|other| ridge.get(other)).all(|other| ridge[place].0 >= other.0)
            };
            let mut order: Vec<usize> = (0..ridge.len()).collect();
            order.sort_by(|&left, &right| {
                is_peak(right).cmp(&is_peak(left)).then(ridge[right].0.total_cmp(&ridge[left].0))
            });
            let best: Vec<Vec<f64>> = order.into_iter().take(N_PEAKS).map(|place| ridge[place].1.clone()).collect();
            if best.is_empty() { vec![with(&[])] } else { best }
        }
    }
}

fn is_determined(determined: &Determined) -> bool {
    matches!(determined, Determined::Yes { .. })
}

/// A whole number that was tried; just once where the model has none.
pub(crate) struct Tried {
    pub whole: ParameterValues,
    pub design: Design,
    pub climb: Climb,
}

impl Tried {
    /// The values of all parameters.
    pub fn values(&self) -> ParameterValues {
        self.climb.values(&self.design, self.whole)
    }

    /// ln L at the maximum.
    pub fn log_likelihood(&self) -> f64 {
        self.climb.maximum.local.value
    }

    /// The best; of equal likelihoods the smallest whole number, whatever the rounding.
    pub fn best(all: &[Self]) -> Option<&Self> {
        all.iter().reduce(|best, next| {
            let (known, value) = (best.log_likelihood(), next.log_likelihood());
            // Of values alike up to rounding the first stays, so that the result does not depend on the processor.
            if value > known + 1e-10 * (1.0 + value.abs()) { next } else { best }
        })
    }
}

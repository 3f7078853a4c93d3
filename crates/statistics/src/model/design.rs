//! The likelihood of a model of choice with its derivatives.
//!
//! The weight of a move is b exp(θ · f): f are its covariates (minus regret, value, habits), and b is
//! λ / n + (1 − λ) t where the model has a lapse rate, otherwise 1; t is the probability of the move
//! without lapse. Without a lapse rate this is the conditional logit model (McFadden, 1974), whose
//! log-likelihood is concave in θ. Covariates are kept as differences from those of the chosen move,
//! so that no digits are lost where they are large.
//!
//! To a model, many legal moves of a position are alike, and so are many decisions: [`Design::grouped`] keeps
//! each kind once, with how often it occurs, which makes fits several times faster.

use nalgebra::{DMatrix, DVector};

use super::choice::{Model, Parameter, ParameterValues, Rule};
use super::decisions::Decisions;
use crate::stats::newton::Local;

mod grouping;

/// The most parameters that a model has beside whole numbers.
const MOST_PARAMETERS: usize = 3;

/// Log odds so large that the likelihood has reached its limit: exp(−30) is 1e-13.
pub(super) const LARGEST_LOGIT: f64 = 30.0;

/// The decisions as a model sees them; whole-number parameters are fixed.
#[derive(Clone)]
pub(super) struct Design {
    offsets: Vec<usize>,
    /// Index of the chosen move of each decision among all moves.
    chosen: Vec<usize>,
    /// The parameters, the lapse rate first.
    pub parameters: Vec<Parameter>,
    /// The covariates of each move, less those of the chosen one.
    covariates: Vec<f64>,
    n_covariates: usize,
    /// Probability of each move without lapse, in a model with a lapse rate.
    target: Option<Vec<f64>>,
    /// Number of moves that each of these stands for.
    counts: Vec<f64>,
    /// Number of legal moves of each decision.
    n_legal: Vec<f64>,
    /// Number of decisions that each of these stands for.
    weights: Vec<f64>,
    /// The same in each fold, fold after fold for each of these; empty where there are no folds.
    fold_weights: Vec<f64>,
    n_folds: usize,
    /// Distance of each decision, until the one is fixed within which optimal moves are seen; otherwise empty.
    distances: Vec<Option<u32>>,
}

/// What the data can tell of a parameter, seen by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Determined {
    /// It has an estimate. Its covariate differs by at least `least` where it differs; 0 for the lapse
    /// rate, which has none.
    Yes {
        /// The smallest difference.
        least: f64,
    },
    /// No decision depends on it.
    Never,
    /// The likelihood is monotone towards larger or smaller values; at this value it has
    /// reached its limit.
    Endless(f64),
}

impl Design {
    pub fn new(decisions: &Decisions, model: &Model, whole: &ParameterValues) -> Self {
        let (mut parameters, mut columns): (Vec<_>, Vec<_>) = (Vec::new(), Vec::new());
        let n = decisions.n_alternatives();
        let target = match model.rule {
            Rule::LapseOptimal => Some(optimal_within(decisions, |_| true)),
            Rule::Eureka => {
                let limit = whole.eureka_distance;
                Some(optimal_within(decisions, |distance| distance.is_some() && distance <= limit))
            }
            _ => None,
        };
        if target.is_some() {
            parameters.push(Parameter::Lapse);
        }
        let place = whole.depth.and_then(|depth| decisions.depths().iter().position(|&other| other == depth));
        let soft: Option<Vec<f64>> = match (model.rule, place) {
            (Rule::SoftOptimal, _) => Some(losses(decisions, model.dead_end_regret)),
            (Rule::LookAhead, Some(place)) => Some((0..n).map(|index| decisions.look_ahead(index, place)).collect()),
            _ => None,
        };
        if let Some(column) = soft {
            parameters.push(Parameter::InverseTemperature);
            columns.push(column);
        }
        for habit in model.habits() {
            parameters.push(habit);
            let is_habit = |index| match habit {
                Parameter::Undo => decisions.is_undo(index),
                _ => decisions.is_same_piece(index),
            };
            columns.push((0..n).map(|index| f64::from(u8::from(is_habit(index)))).collect());
        }
        let chosen: Vec<usize> =
            (0..decisions.n()).map(|decision| decisions.range(decision).start + decisions.chosen(decision)).collect();
        let mut covariates = Vec::with_capacity(n * columns.len());
        for (decision, &own) in chosen.iter().enumerate() {
            for index in decisions.range(decision) {
                covariates.extend(columns.iter().map(|column| column[index] - column[own]));
            }
        }
        let n_covariates = columns.len();
        let n_legal = (0..decisions.n()).map(|decision| decisions.n_legal(decision) as f64).collect();
        Self {
            offsets: decisions.offsets().to_vec(),
            chosen,
            parameters,
            covariates,
            n_covariates,
            target,
            counts: vec![1.0; n],
            n_legal,
            weights: vec![1.0; decisions.n()],
            fold_weights: Vec::new(),
            n_folds: 0,
            distances: Vec::new(),
        }
    }

    /// The values of its parameters, in their order; a habit without value is 0.
    pub fn point(&self, values: &ParameterValues) -> Vec<f64> {
        self.parameters.iter().map(|&parameter| values.get(parameter).unwrap_or(0.0)).collect()
    }

    /// The log-likelihood at a point, with its gradient and information.
    pub fn evaluate(&self, point: &[f64]) -> Local {
        // The compiler unrolls loops over covariates whose number it knows; fits spend their time in them.
        let sums = match (self.n_covariates, self.target.is_some()) {
            (0, _) => self.sums(point, |decision| self.moments_without_covariates(decision, point)),
            (1, false) => self.sums_of::<1, false>(point),
            (2, false) => self.sums_of::<2, false>(point),
            (3, false) => self.sums_of::<3, false>(point),
            (1, true) => self.sums_of::<1, true>(point),
            (2, true) => self.sums_of::<2, true>(point),
            (n, _) => unreachable!("{n} covariates, and a model has at most {MOST_PARAMETERS} parameters"),
        };
        let n_parameters = self.parameters.len();
        Local {
            value: sums.value,
            gradient: DVector::from_fn(n_parameters, |row, _| sums.gradient[row]),
            information: DMatrix::from_fn(n_parameters, n_parameters, |row, column| {
                -sums.hessian[row.max(column)][row.min(column)]
            }),
        }
    }

    fn sums_of<const N: usize, const LAPSE: bool>(&self, point: &[f64]) -> Sums {
        let mut logits = Vec::new();
        self.sums(point, |decision| self.moments_of::<N, LAPSE>(decision, point, &mut logits))
    }

    /// The sums over all decisions, of which each has these moments.
    fn sums(&self, point: &[f64], mut moments: impl FnMut(usize) -> Moments) -> Sums {
        let n_parameters = self.parameters.len();
        let mut sums = Sums::default();
        for (decision, &chosen) in self.chosen.iter().enumerate() {
            let mixture = self.target.as_ref().map(|target| {
                let n_legal = self.n_legal[decision];
                (point[0] / n_legal + (1.0 - point[0]) * target[chosen], 1.0 / n_legal - target[chosen])
            });
            sums.add(&moments(decision), mixture, n_parameters, self.weights[decision]);
        }
        sums
    }

    /// The log probability of each legal move, all decisions one after another.
    pub fn log_probabilities(&self, point: &[f64]) -> Vec<f64> {
        let mut all = Vec::with_capacity(self.offsets.last().copied().unwrap_or(0));
        for decision in 0..self.chosen.len() {
            let range = self.offsets[decision]..self.offsets[decision + 1];
            let logs = range.map(|index| self.base(decision, index, point).0.ln() + self.logit(index, point));
            let logs: Vec<f64> = logs.collect();
            let shift = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let counts = &self.counts[self.offsets[decision]..];
            let sum: f64 = logs.iter().zip(counts).map(|(log, count)| count * (log - shift).exp()).sum();
            all.extend(logs.iter().map(|log| log - shift - sum.ln()));
        }
        all
    }

    /// Log odds of a move against the chosen one, without the lapse.
    fn logit(&self, index: usize, point: &[f64]) -> f64 {
        let first = usize::from(self.target.is_some());
        let own = &self.covariates[index * self.n_covariates..(index + 1) * self.n_covariates];
        own.iter().zip(&point[first..]).map(|(covariate, weight)| covariate * weight).sum()
    }

    /// b of a move, and its derivative by λ.
    fn base(&self, decision: usize, index: usize, point: &[f64]) -> (f64, f64) {
        match &self.target {
            None => (1.0, 0.0),
            Some(target) => {
                let uniform = 1.0 / self.n_legal[decision];
                (point[0] * uniform + (1.0 - point[0]) * target[index], uniform - target[index])
            }
        }
    }

    /// The moments of a decision with N covariates, and with a lapse rate or without. `logits` is room for those of its
    /// moves.
    fn moments_of<const N: usize, const LAPSE: bool>(
        &self,
        decision: usize,
        point: &[f64],
        logits: &mut Vec<f64>,
    ) -> Moments {
        let range = self.offsets[decision]..self.offsets[decision + 1];
        let first = usize::from(LAPSE);
        let weights: [f64; N] = std::array::from_fn(|j| point[first + j]);
        let covariates = &self.covariates.as_chunks::<N>().0[range.clone()];
        let counts = &self.counts[range.clone()];
        let target = self.target.as_ref().filter(|_| LAPSE).map_or(&[][..], |target| &target[range]);
        let uniform = 1.0 / self.n_legal[decision];
        let base = |index: usize| match LAPSE {
            true => (point[0] * uniform + (1.0 - point[0]) * target[index], uniform - target[index]),
            false => (1.0, 0.0),
        };
        logits.clear();
        logits.extend(
            covariates.iter().map(|own| own.iter().zip(&weights).map(|(one, weight)| one * weight).sum::<f64>()),
        );
        // The largest weight becomes exp(0), so that none overflows and their sum does not vanish.
        let possible = logits.iter().enumerate().filter(|&(index, _)| base(index).0 > 0.0);
        let shift = possible.fold(f64::NEG_INFINITY, |largest, (_, &logit)| largest.max(logit));
        let mut moments = Moments { shift, ..Moments::default() };
        for (index, ((own, count), logit)) in covariates.iter().zip(counts).zip(&*logits).enumerate() {
            let (base, slope) = base(index);
            let factor = count * (logit - shift).exp();
            let weight = base * factor;
            moments.weight += weight;
            if LAPSE {
                moments.first[0] += slope * factor;
            }
            for j in 0..N {
                moments.first[first + j] += weight * own[j];
                if LAPSE {
                    moments.second[first + j][0] += slope * factor * own[j];
                }
                for k in 0..=j {
                    moments.second[first + j][first + k] += weight * own[j] * own[k];
                }
            }
        }
        moments
    }

    /// All log odds are 0, and need no exponential.
    fn moments_without_covariates(&self, decision: usize, point: &[f64]) -> Moments {
        let mut moments = Moments::default();
        for index in self.offsets[decision]..self.offsets[decision + 1] {
            let (base, slope) = self.base(decision, index, point);
            moments.weight += self.counts[index] * base;
            moments.first[0] += self.counts[index] * slope;
        }
        moments
    }

    /// What the data can tell of each parameter.
    pub fn determined(&self) -> Vec<Determined> {
        let n_lapse = usize::from(self.target.is_some());
        let lapse = self.target.iter().map(|target| {
            let is_uniform = self.offsets.windows(2).all(|ends| {
                let own = &target[ends[0]..ends[1]];
                own.iter().all(|&share| share == own[0])
            });
            if is_uniform { Determined::Never } else { Determined::Yes { least: 0.0 } }
        });
        let covariates = (0..self.n_covariates).map(|column| {
            let is_signed = self.parameters[n_lapse + column].range().0 < 0.0;
            let (mut least, mut has_gain, mut has_loss) = (f64::INFINITY, false, false);
            for difference in self.covariates.iter().skip(column).step_by(self.n_covariates) {
                has_gain |= *difference > 0.0;
                has_loss |= *difference < 0.0;
                if *difference != 0.0 {
                    least = least.min(difference.abs());
                }
            }
            match (has_gain, has_loss) {
                (false, false) => Determined::Never,
                (false, true) => Determined::Endless(LARGEST_LOGIT / least),
                (true, false) if is_signed => Determined::Endless(-LARGEST_LOGIT / least),
                _ => Determined::Yes { least },
            }
        });
        lapse.chain(covariates).collect()
    }
}

/// Sums over the legal moves of a decision, in units of exp(shift).
#[derive(Default)]
struct Moments {
    shift: f64,
    weight: f64,
    /// Derivatives of `weight`.
    first: [f64; MOST_PARAMETERS],
    /// Second derivatives of `weight`, the lower triangle. That by λ twice is 0.
    second: [[f64; MOST_PARAMETERS]; MOST_PARAMETERS],
}

/// Sums over decisions.
#[derive(Default)]
struct Sums {
    value: f64,
    gradient: [f64; MOST_PARAMETERS],
    hessian: [[f64; MOST_PARAMETERS]; MOST_PARAMETERS],
}

impl Sums {
    /// Adds as many decisions as `times` says; `mixture` is b of the chosen move and its derivative by λ. The
    /// covariates of the chosen move are 0, so that otherwise only the sum of weights counts.
    fn add(&mut self, moments: &Moments, mixture: Option<(f64, f64)>, n_parameters: usize, times: f64) {
        self.value -= times * (moments.shift + moments.weight.ln());
        for j in 0..n_parameters {
            let slope = moments.first[j] / moments.weight;
            self.gradient[j] -= times * slope;
            for k in 0..=j {
                let curvature = moments.second[j][k] / moments.weight - slope * moments.first[k] / moments.weight;
                self.hessian[j][k] -= times * curvature;
            }
        }
        if let Some((base, slope)) = mixture {
            self.value += times * base.ln();
            self.gradient[0] += times * slope / base;
            self.hessian[0][0] -= times * (slope / base) * (slope / base);
        }
    }
}

/// Minus the regret of each legal move; see [`Model::dead_end_regret`]. Where no legal move has a
/// regret, all lose the same.
fn losses(decisions: &Decisions, dead_end_regret: f64) -> Vec<f64> {
    let mut losses = Vec::with_capacity(decisions.n_alternatives());
    for decision in 0..decisions.n() {
        let regrets = &decisions.regrets()[decisions.range(decision)];
        let dead_end = regrets.iter().flatten().fold(dead_end_regret, |largest, &regret| largest.max(regret));
        losses.extend(regrets.iter().map(|regret| -regret.unwrap_or(dead_end)));
    }
    losses
}

/// The probability of each legal move if optimal moves are seen where `is_seen` says so.
fn optimal_within(decisions: &Decisions, is_seen: impl Fn(Option<u32>) -> bool) -> Vec<f64> {
    let mut target = Vec::with_capacity(decisions.n_alternatives());
    for decision in 0..decisions.n() {
        let range = decisions.range(decision);
        let n_optimal = range.clone().filter(|&index| decisions.is_optimal(index)).count();
        if n_optimal > 0 && is_seen(decisions.distance(decision)) {
            let share = 1.0 / n_optimal as f64;
            target.extend(range.map(|index| if decisions.is_optimal(index) { share } else { 0.0 }));
        } else {
            target.extend(range.clone().map(|_| 1.0 / range.len() as f64));
        }
    }
    target
}

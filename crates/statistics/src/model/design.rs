//! The likelihood of a model of choice with its derivatives.
//!
//! The weight of a move is b exp(θ · f): f are its covariates (minus regret, value, features, habits), and b is
//! what [`Base`] says: 1, or what comes of lapses, of chains of thought or of rollouts. Where it is 1 this is the
//! conditional logit model (McFadden, 1974), whose log-likelihood is concave in θ. Covariates are kept as differences
//! from those of the chosen move, so that no digits are lost where they are large.
//!
//! To a model, many legal moves of a position are alike, and so are many decisions: [`Design::grouped`] keeps
//! each kind once, with how often it occurs, which makes fits several times faster.

use nalgebra::{DMatrix, DVector};

use super::choice::{Model, Parameter, ParameterValues, Rule};
use super::decisions::Decisions;
use crate::stats::newton::Local;

mod base;
mod grouping;
pub mod rollouts;

use base::{Base, Jet, Kind};

pub(super) use base::{Ends, Rollouts};

/// The most parameters that a model has beside whole numbers.
const MOST_PARAMETERS: usize = 4;

/// Log odds so large that the likelihood has reached its limit: exp(−30) is 1e-13.
pub(super) const LARGEST_LOGIT: f64 = 30.0;

/// The decisions as a model sees them; whole-number parameters are fixed.
#[derive(Clone)]
pub(super) struct Design {
    offsets: Vec<usize>,
    /// Index of the chosen move of each decision among all moves.
    chosen: Vec<usize>,
    /// The parameters, those of the base first.
    pub parameters: Vec<Parameter>,
    /// The covariates of each move, less those of the chosen one.
    covariates: Vec<f64>,
    n_covariates: usize,
    base: Base,
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
    /// It has an estimate. Its covariate differs by at least `least` where it differs; 0 for those of the base, which
    /// have none.
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
        let mut columns: Vec<Vec<f64>> = Vec::new();
        let n = decisions.n_alternatives();
        let base = match model.rule {
            Rule::LapseOptimal => Base::optimal(decisions, |_| true),
            Rule::Eureka => {
                let limit = whole.eureka_distance;
                Base::optimal(decisions, |distance| distance.is_some() && distance <= limit)
            }
            Rule::AndOr => Base::backwards(decisions, false, true),
            Rule::AndOrLapse => Base::backwards(decisions, true, true),
            Rule::AndOrNoSame => Base::backwards(decisions, false, false),
            Rule::ForwardSearch => Base::rollouts(decisions),
            Rule::Chance | Rule::SoftOptimal | Rule::LookAhead | Rule::HillClimbing => Base::one(decisions),
        };
        let mut parameters = base.parameters().to_vec();
        let place = whole.depth.and_then(|depth| decisions.depths().iter().position(|&other| other == depth));
        let of_all = |value: &dyn Fn(usize) -> f64| (0..n).map(value).collect();
        let soft: Vec<(Parameter, Vec<f64>)> = match (model.rule, place) {
            (Rule::SoftOptimal, _) => vec![(Parameter::InverseTemperature, losses(decisions, model.dead_end_regret))],
            (Rule::LookAhead, Some(place)) => {
                vec![(Parameter::InverseTemperature, of_all(&|index| decisions.look_ahead(index, place)))]
            }
            (Rule::HillClimbing, _) => vec![
                (Parameter::FirstFeature, of_all(&|index| decisions.feature(index, 0))),
                (Parameter::SecondFeature, of_all(&|index| decisions.feature(index, 1))),
            ],
            _ => Vec::new(),
        };
        for (parameter, column) in soft {
            parameters.push(parameter);
            columns.push(column);
        }
        for habit in model.habits() {
            parameters.push(habit);
            let is_habit = |index| match habit {
                Parameter::Undo => decisions.is_undo(index),
                _ => decisions.is_same_piece(index),
            };
            columns.push(of_all(&|index| f64::from(u8::from(is_habit(index)))));
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
            base,
            counts: vec![1.0; n],
            n_legal,
            weights: vec![1.0; decisions.n()],
            fold_weights: Vec::new(),
            n_folds: 0,
            distances: Vec::new(),
        }
    }

    /// The values of its parameters, in their order and on their scales; a weight without value is 0.
    pub fn point(&self, values: &ParameterValues) -> Vec<f64> {
        let own = |&parameter: &Parameter| values.get(parameter).map_or(0.0, |value| parameter.scaled(value));
        self.parameters.iter().map(own).collect()
    }

    /// The number of parameters that are not weights of covariates.
    pub fn n_base(&self) -> usize {
        self.parameters.len() - self.n_covariates
    }

    /// Whether the likelihood may have several maxima even without covariates.
    pub fn is_crooked(&self) -> bool {
        self.base.is_crooked()
    }

    /// The log-likelihood at a point, with its gradient and information.
    pub fn evaluate(&self, point: &[f64]) -> Local {
        // The compiler unrolls loops over covariates whose number it knows; fits spend their time in them.
        let sums = match (self.n_base(), self.n_covariates) {
            (0, 0) => self.sums_of::<0, 0>(point),
            (0, 1) => self.sums_of::<0, 1>(point),
            (0, 2) => self.sums_of::<0, 2>(point),
            (0, 3) => self.sums_of::<0, 3>(point),
            (0, 4) => self.sums_of::<0, 4>(point),
            (1, 0) => self.sums_of::<1, 0>(point),
            (1, 1) => self.sums_of::<1, 1>(point),
            (1, 2) => self.sums_of::<1, 2>(point),
            (2, 0) => self.sums_of::<2, 0>(point),
            (2, 1) => self.sums_of::<2, 1>(point),
            (2, 2) => self.sums_of::<2, 2>(point),
            (_, n) => unreachable!("{n} covariates, and a model has at most {MOST_PARAMETERS} parameters"),
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

    /// The sums over all decisions of a model with M parameters of its base and N covariates.
    fn sums_of<const M: usize, const N: usize>(&self, point: &[f64]) -> Sums {
        let bases: Vec<Jet<M>> = if M > 0 { self.bases(point) } else { Vec::new() };
        let mut logits = Vec::new();
        let mut sums = Sums::default();
        for (decision, &chosen) in self.chosen.iter().enumerate() {
            let moments = self.moments_of::<M, N>(decision, point, &bases, &mut logits);
            sums.add::<M>(&moments, bases.get(chosen), M + N, self.weights[decision]);
        }
        sums
    }

    fn bases<const M: usize>(&self, point: &[f64]) -> Vec<Jet<M>> {
        self.base.jets(point, &self.offsets, &self.counts, &self.n_legal)
    }

    /// Rollouts of a length, on its scale, around each decision.
    pub fn rollouts_of(&self, length: f64) -> Vec<Rollouts> {
        self.base.rollouts_of(length, &self.offsets, &self.counts, &self.n_legal, &self.chosen)
    }

    /// The log-likelihood with so many rollouts, on their scale, and without habits.
    pub fn log_likelihood_of_rollouts(&self, rollouts: &[Rollouts], number: f64) -> f64 {
        let of = |(own, weight): (&Rollouts, &f64)| weight * own.log_probability(number);
        rollouts.iter().zip(&self.weights).map(of).sum()
    }

    /// Where thoughts before each decision end.
    pub fn ends(&self) -> Vec<Ends> {
        let of = |decision: usize| {
            let range = self.offsets[decision]..self.offsets[decision + 1];
            self.base.ends(decision, range, self.chosen[decision], self.n_legal[decision])
        };
        (0..self.chosen.len()).map(of).collect()
    }

    /// The log probability of each legal move, all decisions one after another.
    pub fn log_probabilities(&self, point: &[f64]) -> Vec<f64> {
        let bases: Vec<f64> = match self.base.kind {
            Kind::One => vec![1.0; self.counts.len()],
            Kind::Thoughts(_) => self.bases::<1>(point).into_iter().map(|jet| jet.value).collect(),
            Kind::Rollouts => self.bases::<2>(point).into_iter().map(|jet| jet.value).collect(),
        };
        let mut all = Vec::with_capacity(bases.len());
        for decision in 0..self.chosen.len() {
            let range = self.offsets[decision]..self.offsets[decision + 1];
            let logs: Vec<f64> = range.map(|index| bases[index].ln() + self.logit(index, point)).collect();
            let shift = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let counts = &self.counts[self.offsets[decision]..];
            let sum: f64 = logs.iter().zip(counts).map(|(log, count)| count * (log - shift).exp()).sum();
            all.extend(logs.iter().map(|log| log - shift - sum.ln()));
        }
        all
    }

    /// Log odds of a move against the chosen one, without the base.
    fn logit(&self, index: usize, point: &[f64]) -> f64 {
        let own = &self.covariates[index * self.n_covariates..(index + 1) * self.n_covariates];
        own.iter().zip(&point[self.n_base()..]).map(|(covariate, weight)| covariate * weight).sum()
    }

    /// The moments of a decision, whose moves have these bases. `logits` is room for those of its moves.
    fn moments_of<const M: usize, const N: usize>(
        &self,
        decision: usize,
        point: &[f64],
        bases: &[Jet<M>],
        logits: &mut Vec<f64>,
    ) -> Moments {
        let range = self.offsets[decision]..self.offsets[decision + 1];
        let weights: [f64; N] = std::array::from_fn(|j| point[M + j]);
        let covariates = |index: usize| -> &[f64; N] {
            let own = &self.covariates[index * N..(index + 1) * N];
            own.try_into().unwrap_or(&[0.0; N])
        };
        // The largest weight becomes exp(0), so that none overflows and their sum does not vanish. Without covariates
        // all log odds are 0, and need no exponential.
        let mut shift = 0.0;
        if N > 0 {
            logits.clear();
            let logit = |index| covariates(index).iter().zip(&weights).map(|(one, weight)| one * weight).sum::<f64>();
            logits.extend(range.clone().map(logit));
            let possible = logits.iter().zip(range.clone()).filter(|(_, index)| M == 0 || bases[*index].value > 0.0);
            shift = possible.fold(f64::NEG_INFINITY, |largest, (&logit, _)| largest.max(logit));
        }
        let mut moments = Moments { shift, ..Moments::default() };
        for (place, index) in range.enumerate() {
            let count = self.counts[index];
            let factor = if N > 0 { count * (logits[place] - shift).exp() } else { count };
            let own = covariates(index);
            let mut weight = factor;
            if M > 0 {
                let base = &bases[index];
                weight *= base.value;
                for j in 0..M {
                    moments.first[j] += base.first[j] * factor;
                    for k in 0..=j {
                        moments.second[j][k] += base.second[j][k] * factor;
                    }
                    for (k, covariate) in own.iter().enumerate() {
                        moments.second[M + k][j] += base.first[j] * factor * covariate;
                    }
                }
            }
            moments.weight += weight;
            for j in 0..N {
                moments.first[M + j] += weight * own[j];
                for k in 0..=j {
                    moments.second[M + j][M + k] += weight * own[j] * own[k];
                }
            }
        }
        moments
    }

    /// What the data can tell of each parameter.
    pub fn determined(&self) -> Vec<Determined> {
        let n_base = self.n_base();
        let is_determined = self.base.is_determined(&self.offsets);
        let found = if is_determined { Determined::Yes { least: 0.0 } } else { Determined::Never };
        let base = std::iter::repeat_n(found, n_base);
        let covariates = (0..self.n_covariates).map(|column| {
            let is_signed = self.parameters[n_base + column].range().0 < 0.0;
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
        base.chain(covariates).collect()
    }
}

/// Sums over the legal moves of a decision, in units of exp(shift).
#[derive(Default)]
struct Moments {
    shift: f64,
    weight: f64,
    /// Derivatives of `weight`.
    first: [f64; MOST_PARAMETERS],
    /// Second derivatives of `weight`, the lower triangle.
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
    /// Adds as many decisions as `times` says, whose chosen move has this base. The covariates of the chosen move are 0,
    /// so that otherwise only the sum of weights counts.
    fn add<const M: usize>(&mut self, moments: &Moments, base: Option<&Jet<M>>, n_parameters: usize, times: f64) {
        self.value -= times * (moments.shift + moments.weight.ln());
        for j in 0..n_parameters {
            let slope = moments.first[j] / moments.weight;
            self.gradient[j] -= times * slope;
            for k in 0..=j {
                let curvature = moments.second[j][k] / moments.weight - slope * moments.first[k] / moments.weight;
                self.hessian[j][k] -= times * curvature;
            }
        }
        let Some(base) = base else { return };
        self.value += times * base.value.ln();
        for j in 0..M {
            let slope = base.first[j] / base.value;
            self.gradient[j] += times * slope;
            for k in 0..=j {
                self.hessian[j][k] += times * (base.second[j][k] / base.value - slope * base.first[k] / base.value);
            }
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

//! The likelihood of a model of choice with its derivatives.
//!
//! The weight of a move is b exp(θ · f): f are its covariates (minus regret, value, features, habits), and b is
//! what [`Base`] says: 1, or what comes of lapses, of chains of thought or of rollouts. Where it is 1 this is the
//! conditional logit model (McFadden, 1974), whose log-likelihood is concave in θ. Covariates are kept as differences
//! from those of the chosen move, so that no digits are lost where they are large.
//!
//! To a model, many legal moves of a position are alike, and so are many decisions: [`Design::grouped`] keeps
//! each kind once, with how often it occurs, which makes fits several times faster.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::FixedState;
use nalgebra::DVector;

use crate::cone::Directions;
use crate::decisions::Decisions;
use crate::log_sum::LogSum;
use crate::model::{Model, Parameter, ParameterValues, Rule};

mod base;
mod ends;
mod failures;
pub(crate) mod grouping;
mod jet;
mod likelihood;
mod products;

use base::{Base, Kind, Terms};
use products::{Products, products};

pub(crate) use base::Rollouts;
pub(crate) use ends::{Ends, Powers};
/// The most parameters that a model has beside whole numbers.
const MOST_PARAMETERS: usize = 4;

/// Log odds so large that the likelihood has reached its limit: exp(−30) is 1e-13.
pub(crate) const LARGEST_LOGIT: f64 = 30.0;

/// The decisions as a model sees them; whole-number parameters are fixed.
#[derive(Clone)]
pub(crate) struct Design {
    kinds: Arc<Kinds>,
    /// Number of decisions of each kind.
    weights: Vec<f64>,
}

/// Decisions of which none are alike to a model, or all as they are given.
#[derive(Clone)]
struct Kinds {
    offsets: Vec<usize>,
    /// Index of the chosen move of each decision among all moves.
    chosen: Vec<usize>,
    /// The parameters, those of the base first.
    parameters: Vec<Parameter>,
    /// Covariates of moves, less those of the chosen one, each combination once.
    covariates: Arc<[f64]>,
    n_covariates: usize,
    /// The products of the covariates of each combination, beside a base.
    products: Arc<[Products]>,
    /// The combination of each move.
    combinations: Vec<u32>,
    base: Base,
    /// Number of moves that each of these stands for.
    counts: Vec<f64>,
    /// Number of legal moves of each decision.
    n_legal: Vec<f64>,
    /// The kind of each decision that was given.
    of_given: Vec<u32>,
}

/// Information of the data on a parameter, seen by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Determined {
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
        let n_covariates = columns.len();
        let (mut covariates, mut combinations) = (Vec::new(), Vec::with_capacity(n));
        let mut places: HashMap<[u64; MOST_PARAMETERS], u32, FixedState> = HashMap::default();
        let mut last = None;
        for (decision, &choice) in chosen.iter().enumerate() {
            for index in decisions.range(decision) {
                let mut differences = [0.0; MOST_PARAMETERS];
                differences.iter_mut().zip(&columns).for_each(|(gap, column)| *gap = column[index] - column[choice]);
                let bits = differences.map(|difference| (difference + 0.0).to_bits());
                // Many moves are alike to the one before.
                let place = match last {
                    Some((known, place)) if known == bits => place,
                    _ => {
                        let n_known = places.len() as u32;
                        let place = *places.entry(bits).or_insert(n_known);
                        if place == n_known {
                            covariates.extend(&differences[..n_covariates]);
                        }
                        place
                    }
                };
                last = Some((bits, place));
                combinations.push(place);
            }
        }
        let n_legal = (0..decisions.n()).map(|decision| decisions.n_legal(decision) as f64).collect();
        let n_decisions = decisions.n();
        let kinds = Kinds {
            offsets: decisions.offsets().to_vec(),
            chosen,
            parameters,
            products: if base.parameters().is_empty() || n_covariates == 0 {
                Arc::default()
            } else {
                covariates.chunks_exact(n_covariates).map(products).collect()
            },
            covariates: covariates.into(),
            n_covariates,
            combinations,
            base,
            counts: vec![1.0; n],
            n_legal,
            of_given: (0..n_decisions as u32).collect(),
        };
        Self { kinds: Arc::new(kinds), weights: vec![1.0; n_decisions] }
    }

    /// The parameters, those of the base first.
    pub fn parameters(&self) -> &[Parameter] {
        &self.kinds.parameters
    }

    /// The values of its parameters, in their order and on their scales; a weight without value is 0.
    pub fn point(&self, values: &ParameterValues) -> Vec<f64> {
        let scaled = |&parameter: &Parameter| values.get(parameter).map_or(0.0, |value| parameter.scaled(value));
        self.kinds.parameters.iter().map(scaled).collect()
    }

    /// The number of parameters that are not weights of covariates.
    pub fn n_base(&self) -> usize {
        self.kinds.parameters.len() - self.kinds.n_covariates
    }

    /// Returns true if the likelihood may have several maxima even without covariates.
    pub fn is_crooked(&self) -> bool {
        self.kinds.base.is_crooked()
    }

    fn terms<const M: usize>(&self, point: &[f64], is_present: impl Fn(usize) -> bool) -> Terms<M> {
        self.kinds.base.terms(point, &self.kinds.offsets, &self.kinds.counts, &self.kinds.n_legal, is_present)
    }

    /// Rollouts of a length to start from around each decision.
    pub fn rollouts_of(&self, start: usize) -> Vec<Rollouts> {
        self.kinds.base.rollouts_of(
            start,
            &self.kinds.offsets,
            &self.kinds.counts,
            &self.kinds.n_legal,
            &self.kinds.chosen,
        )
    }

    /// The log-likelihood with so many rollouts, on their scale, and without habits.
    pub fn log_likelihood_of_rollouts(&self, rollouts: &[Rollouts], number: f64) -> f64 {
        let (k, mut logs) = (number.exp(), LogSum::default());
        let present = rollouts.iter().zip(&self.weights).filter(|(_, weight)| **weight > 0.0);
        present.for_each(|(rollouts, weight)| logs.add(rollouts.probability(k), *weight));
        logs.total()
    }

    /// Ends of the thoughts before each decision.
    pub fn ends(&self) -> Vec<Ends> {
        let ends_before = |decision: usize| {
            let range = self.kinds.offsets[decision]..self.kinds.offsets[decision + 1];
            self.kinds.base.ends(decision, range, self.kinds.chosen[decision], self.kinds.n_legal[decision])
        };
        (0..self.kinds.chosen.len()).map(ends_before).collect()
    }

    /// The log probability of each legal move, all decisions one after another.
    pub fn log_probabilities(&self, point: &[f64]) -> Vec<f64> {
        match self.kinds.base.kind {
            Kind::One => self.log_probabilities_by(point, &self.terms::<0>(point, |_| true)),
            Kind::Thoughts(_) => self.log_probabilities_by(point, &self.terms::<1>(point, |_| true)),
            Kind::Rollouts => self.log_probabilities_by(point, &self.terms::<2>(point, |_| true)),
        }
    }

    fn log_probabilities_by<const M: usize>(&self, point: &[f64], terms: &Terms<M>) -> Vec<f64> {
        let logits = self.logits(point);
        let mut all = Vec::with_capacity(self.kinds.counts.len());
        for decision in 0..self.kinds.chosen.len() {
            let range = self.kinds.offsets[decision]..self.kinds.offsets[decision + 1];
            let base = |index: usize| terms.of(self.kinds.base.moves[index], decision).value;
            let log = |index: usize| base(index).ln() + logits[self.kinds.combinations[index] as usize];
            let logs: Vec<f64> = range.map(log).collect();
            let shift = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let counts = &self.kinds.counts[self.kinds.offsets[decision]..];
            let sum: f64 = logs.iter().zip(counts).map(|(log, count)| count * (log - shift).exp()).sum();
            all.extend(logs.iter().map(|log| log - shift - sum.ln()));
        }
        all
    }

    /// Returns the directions of the weights of covariates in which the likelihood never falls, the parameters of the
    /// base held as they are at this point: moves that are impossible there say nothing.
    pub fn directions(&self, point: &[f64]) -> Directions {
        let mut is_used = match self.kinds.base.kind {
            Kind::One => self.possible(&self.terms::<0>(point, |_| true)),
            Kind::Thoughts(_) => self.possible(&self.terms::<1>(point, |_| true)),
            Kind::Rollouts => self.possible(&self.terms::<2>(point, |_| true)),
        };
        let n = self.kinds.n_covariates;
        let combinations = self.kinds.covariates.chunks_exact(n.max(1)).filter(|_| is_used.next().unwrap_or(false));
        let vectors: Vec<DVector<f64>> = combinations.map(DVector::from_row_slice).collect();
        let with_end = |place: &usize| self.kinds.parameters[self.n_base() + place].range().0 == 0.0;
        let end = |place| DVector::from_fn(n, |other, _| if other == place { -1.0 } else { 0.0 });
        let ends: Vec<DVector<f64>> = (0..n).filter(with_end).map(end).collect();
        Directions::new(&vectors, &ends, n)
    }

    /// Combinations of covariates of a move that is possible with these terms.
    fn possible<const M: usize>(&self, terms: &Terms<M>) -> std::vec::IntoIter<bool> {
        let mut is_used = vec![false; self.kinds.covariates.len().checked_div(self.kinds.n_covariates).unwrap_or(1)];
        for decision in (0..self.weights.len()).filter(|&decision| self.weights[decision] > 0.0) {
            for index in self.kinds.offsets[decision]..self.kinds.offsets[decision + 1] {
                if M == 0 || terms.of(self.kinds.base.moves[index], decision).value > 0.0 {
                    is_used[self.kinds.combinations[index] as usize] = true;
                }
            }
        }
        is_used.into_iter()
    }

    /// Information of the data on each parameter.
    pub fn determined(&self) -> Vec<Determined> {
        let n_base = self.n_base();
        let present = || (0..self.weights.len()).filter(|&decision| self.weights[decision] > 0.0);
        let ranges = || present().map(|decision| self.kinds.offsets[decision]..self.kinds.offsets[decision + 1]);
        let is_determined = ranges().any(|range| self.kinds.base.tells_apart(range));
        let tendency = if is_determined { Determined::Yes { least: 0.0 } } else { Determined::Never };
        let base = std::iter::repeat_n(tendency, n_base);
        let mut is_used = vec![false; self.kinds.covariates.len().checked_div(self.kinds.n_covariates).unwrap_or(1)];
        let used = ranges().flat_map(|range| &self.kinds.combinations[range]);
        used.for_each(|combination| is_used[*combination as usize] = true);
        let covariates = (0..self.kinds.n_covariates).map(|column| {
            let is_signed = self.kinds.parameters[n_base + column].range().0 < 0.0;
            let (mut least, mut has_gain, mut has_loss) = (f64::INFINITY, false, false);
            let all = self.kinds.covariates.iter().skip(column).step_by(self.kinds.n_covariates);
            for (difference, _) in all.zip(&is_used).filter(|(_, is_used)| **is_used) {
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

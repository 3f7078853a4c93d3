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
use nalgebra::{DMatrix, DVector};
use plymap_statistics::numeric::newton::Local;
use plymap_statistics::numeric::vector;

use crate::cone::Directions;
use crate::decisions::Decisions;
use crate::log_sum::LogSum;
use crate::model::{Model, Parameter, ParameterValues, Rule};

mod base;
mod ends;
pub(crate) mod grouping;

use base::{Base, Jet, Kind, Terms};

pub(crate) use base::Rollouts;
pub(crate) use ends::{Ends, Powers};
/// The most parameters that a model has beside whole numbers.
const MOST_PARAMETERS: usize = 4;

/// Log odds so large that the likelihood has reached its limit: exp(−30) is 1e-13.
pub(crate) const LARGEST_LOGIT: f64 = 30.0;

/// Log odds up to this need no care: their exponentials are multiplied with a base, which can be as small as 1e-290.
const LARGEST_PLAIN: f64 = 38.0;

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
    /// The combination of each move.
    combinations: Vec<u32>,
    base: Base,
    /// Number of moves that each of these stands for.
    counts: Vec<f64>,
    /// Number of legal moves of each decision.
    n_legal: Vec<f64>,
    /// Distance of each decision, until the one is fixed within which optimal moves are seen; otherwise empty.
    distances: Vec<Option<u32>>,
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
        for (decision, &choice) in chosen.iter().enumerate() {
            for index in decisions.range(decision) {
                let mut differences = [0.0; MOST_PARAMETERS];
                differences.iter_mut().zip(&columns).for_each(|(gap, column)| *gap = column[index] - column[choice]);
                let n_known = places.len() as u32;
                let place =
                    *places.entry(differences.map(|difference| (difference + 0.0).to_bits())).or_insert(n_known);
                if place == n_known {
                    covariates.extend(&differences[..n_covariates]);
                }
                combinations.push(place);
            }
        }
        let n_legal = (0..decisions.n()).map(|decision| decisions.n_legal(decision) as f64).collect();
        let n_decisions = decisions.n();
        let kinds = Kinds {
            offsets: decisions.offsets().to_vec(),
            chosen,
            parameters,
            covariates: covariates.into(),
            n_covariates,
            combinations,
            base,
            counts: vec![1.0; n],
            n_legal,
            distances: Vec::new(),
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

    /// The log-likelihood at a point, with its gradient and information.
    pub fn evaluate(&self, point: &[f64]) -> Local {
        let mut local = self.evaluate_parts(point, &self.weights);
        local.pop().expect("one part")
    }

    /// The log-likelihoods of several parts of the decisions, of which the weights follow each other for each kind.
    fn evaluate_parts(&self, point: &[f64], weights: &[f64]) -> Vec<Local> {
        // The compiler unrolls loops over covariates whose number it knows; fits spend their time in them.
        match (self.n_base(), self.kinds.n_covariates) {
            (0, 0) => self.locals_of::<0, 0, 0>(point, weights),
            (0, 1) => self.locals_of::<0, 1, 1>(point, weights),
            (0, 2) => self.locals_of::<0, 2, 2>(point, weights),
            (0, 3) => self.locals_of::<0, 3, 3>(point, weights),
            (0, 4) => self.locals_of::<0, 4, 4>(point, weights),
            (1, 0) => self.locals_of::<1, 0, 1>(point, weights),
            (1, 1) => self.locals_of::<1, 1, 2>(point, weights),
            (1, 2) => self.locals_of::<1, 2, 3>(point, weights),
            (2, 0) => self.locals_of::<2, 0, 2>(point, weights),
            (2, 1) => self.locals_of::<2, 1, 3>(point, weights),
            (2, 2) => self.locals_of::<2, 2, 4>(point, weights),
            (_, n) => unreachable!("{n} covariates, and a model has at most {MOST_PARAMETERS} parameters"),
        }
    }

    /// The log-likelihoods of parts for a model with M parameters of its base and N covariates, which makes P.
    fn locals_of<const M: usize, const N: usize, const P: usize>(&self, point: &[f64], weights: &[f64]) -> Vec<Local> {
        const { assert!(M + N == P) };
        let n_parts = (weights.len() / self.weights.len().max(1)).max(1);
        let is_present = |decision: usize| weights[decision * n_parts..][..n_parts].iter().any(|weight| *weight > 0.0);
        let terms: Option<Terms<M>> = (M > 0).then(|| self.terms(point, is_present));
        let log_odds = LogOdds::new(self.logits(point));
        let mut sums: Vec<Sums<P>> = (0..n_parts).map(|_| Sums::default()).collect();
        let decisions = self.kinds.chosen.iter().zip(weights.chunks_exact(n_parts)).enumerate();
        for (decision, (&chosen, weights)) in decisions.filter(|(decision, _)| is_present(*decision)) {
            let moments = self.moments_of::<M, N, P>(decision, terms.as_ref(), &log_odds);
            let base = terms.as_ref().map(|terms| terms.of(self.kinds.base.moves[chosen], decision));
            for (sums, &weight) in sums.iter_mut().zip(weights).filter(|(_, weight)| **weight > 0.0) {
                sums.add(&moments, base.as_ref(), weight);
            }
        }
        sums.iter().map(Sums::local).collect()
    }

    /// The log-likelihood at a point alone, in the order of sums of [`Self::evaluate`].
    pub fn log_likelihood(&self, point: &[f64]) -> f64 {
        match self.kinds.n_covariates {
            0 => self.value_of::<0>(point),
            1 => self.value_of::<1>(point),
            2 => self.value_of::<2>(point),
            3 => self.value_of::<3>(point),
            _ => self.value_of::<4>(point),
        }
    }

    fn value_of<const N: usize>(&self, point: &[f64]) -> f64 {
        let is_present = |decision: &usize| self.weights[*decision] > 0.0;
        let terms: Option<Terms<0>> = (self.n_base() > 0).then(|| self.terms(point, |decision| is_present(&decision)));
        let log_odds = LogOdds::new(self.logits(point));
        let mut sums = Sums::<0>::default();
        for decision in (0..self.weights.len()).filter(is_present) {
            let moments = self.moments_of::<0, N, N>(decision, terms.as_ref(), &log_odds);
            let list = self.kinds.base.moves[self.kinds.chosen[decision]];
            let chosen = terms.as_ref().map_or(1.0, |terms| terms.of(list, decision).value);
            sums.add_value(moments.shift, moments.weight, chosen, self.weights[decision]);
        }
        sums.value + sums.logs.total()
    }

    fn terms<const M: usize>(&self, point: &[f64], is_present: impl Fn(usize) -> bool) -> Terms<M> {
        self.kinds.base.terms(point, &self.kinds.offsets, &self.kinds.counts, &self.kinds.n_legal, is_present)
    }

    /// Rollouts of a length, on its scale, around each decision.
    pub fn rollouts_of(&self, length: f64) -> Vec<Rollouts> {
        self.kinds.base.rollouts_of(
            length,
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

    /// Log odds of each combination of covariates against the chosen move, without the base.
    fn logits(&self, point: &[f64]) -> Vec<f64> {
        if self.kinds.n_covariates == 0 {
            return vec![0.0; usize::from(!self.kinds.combinations.is_empty())];
        }
        let weights = &point[self.n_base()..];
        let logit = |combination: &[f64]| combination.iter().zip(weights).map(|(value, weight)| value * weight).sum();
        self.kinds.covariates.chunks_exact(self.kinds.n_covariates).map(logit).collect()
    }

    /// The moments of a decision.
    fn moments_of<const M: usize, const N: usize, const P: usize>(
        &self,
        decision: usize,
        terms: Option<&Terms<M>>,
        log_odds: &LogOdds,
    ) -> Moments<P> {
        let range = self.kinds.offsets[decision]..self.kinds.offsets[decision + 1];
        let combinations = &self.kinds.combinations[range.clone()];
        let lists = &self.kinds.base.moves[range.clone()];
        let counts = &self.kinds.counts[range];
        let common = terms.map(|terms| &terms.common[decision]);
        // The largest weight becomes exp(0) where one may overflow, or their sum vanish.
        let mut shift = 0.0;
        if N > 0 && log_odds.exponentials.is_none() {
            let is_possible = |list: u32| terms.is_none_or(|terms| terms.of(list, decision).value > 0.0);
            let possible = combinations.iter().zip(lists).filter(|(_, list)| is_possible(**list));
            let logits = possible.map(|(combination, _)| log_odds.logits[*combination as usize]);
            shift = logits.fold(f64::NEG_INFINITY, f64::max);
        }
        // Sums of the factors that come of covariates, and of their products with what of the base is each move's own.
        let (mut plain, mut specific) = (Covariates::<N>::default(), Covariates::<N>::default());
        let (mut slope, mut slope_by, mut bend) = (0.0, [0.0; N], 0.0);
        for ((&combination, &list), &count) in combinations.iter().zip(lists).zip(counts) {
            let combination = combination as usize;
            let factor = match &log_odds.exponentials {
                _ if N == 0 => count,
                Some(exponentials) => count * exponentials[combination],
                None => count * (log_odds.logits[combination] - shift).exp(),
            };
            let covariates: &[f64; N] =
                self.kinds.covariates[combination * N..(combination + 1) * N].try_into().unwrap_or(&[0.0; N]);
            plain.add(factor, covariates);
            // The first list is empty: its moves have the common part alone, as most moves do.
            let Some(terms) = terms.filter(|_| list > 0) else { continue };
            let [value, by, by_by] = terms.specific[list as usize];
            specific.add(factor * value, covariates);
            slope += factor * by;
            (0..N).for_each(|j| slope_by[j] += factor * by * covariates[j]);
            bend += factor * by_by;
        }
        let mut moments = Moments { shift, weight: 0.0, first: [0.0; P], second: [[0.0; P]; P] };
        // b is its own part and the common one.
        let scale = common.map_or(1.0, |common| common.value);
        moments.weight = specific.sum + scale * plain.sum;
        for j in 0..N {
            moments.first[M + j] = specific.first[j] + scale * plain.first[j];
            for k in 0..=j {
                moments.second[M + j][M + k] = specific.second[j][k] + scale * plain.second[j][k];
            }
        }
        let Some(common) = common else { return moments };
        for j in 0..M {
            moments.first[j] = common.first[j] * plain.sum;
            for k in 0..=j {
                moments.second[j][k] = common.second[j][k] * plain.sum;
            }
            for k in 0..N {
                moments.second[M + k][j] = common.first[j] * plain.first[k];
            }
        }
        if M > 0 {
            moments.first[0] += slope;
            moments.second[0][0] += bend;
            (0..N).for_each(|k| moments.second[M + k][0] += slope_by[k]);
        }
        moments
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

/// Log odds by combinations of covariates.
struct LogOdds {
    /// Their exponentials instead, where all are of a size that needs no care.
    exponentials: Option<Vec<f64>>,
    logits: Vec<f64>,
}

impl LogOdds {
    fn new(mut logits: Vec<f64>) -> Self {
        let is_plain = logits.iter().all(|logit| logit.abs() <= LARGEST_PLAIN);
        if is_plain {
            vector::exponentials(&mut logits);
            return Self { exponentials: Some(logits), logits: Vec::new() };
        }
        Self { logits, exponentials: None }
    }
}

/// A sum over moves, and those of its products with N covariates and with their products, of which the lower triangle.
struct Covariates<const N: usize> {
    sum: f64,
    first: [f64; N],
    second: [[f64; N]; N],
}

impl<const N: usize> Default for Covariates<N> {
    fn default() -> Self {
        Self { sum: 0.0, first: [0.0; N], second: [[0.0; N]; N] }
    }
}

impl<const N: usize> Covariates<N> {
    fn add(&mut self, factor: f64, covariates: &[f64; N]) {
        self.sum += factor;
        for j in 0..N {
            let product = factor * covariates[j];
            self.first[j] += product;
            (0..=j).for_each(|k| self.second[j][k] += product * covariates[k]);
        }
    }
}

/// Sums over the legal moves of a decision, in units of exp(shift).
struct Moments<const P: usize> {
    shift: f64,
    weight: f64,
    /// Derivatives of `weight`.
    first: [f64; P],
    /// Second derivatives of `weight`, the lower triangle.
    second: [[f64; P]; P],
}

/// Sums over decisions.
struct Sums<const P: usize> {
    logs: LogSum,
    value: f64,
    gradient: [f64; P],
    hessian: [[f64; P]; P],
}

impl<const P: usize> Default for Sums<P> {
    fn default() -> Self {
        Self { logs: LogSum::default(), value: 0.0, gradient: [0.0; P], hessian: [[0.0; P]; P] }
    }
}

impl<const P: usize> Sums<P> {
    /// Adds as many decisions as `times` says, whose chosen move has this base. The covariates of the chosen move are 0,
    /// so that otherwise only the sum of weights counts.
    fn add<const M: usize>(&mut self, moments: &Moments<P>, base: Option<&Jet<M>>, times: f64) {
        self.add_value(moments.shift, moments.weight, base.map_or(1.0, |base| base.value), times);
        self.add_derivatives(-times, 1.0 / moments.weight, &moments.first, &moments.second);
        if let Some(base) = base {
            self.add_derivatives(times, 1.0 / base.value, &base.first, &base.second);
        }
    }

    /// Adds the log-likelihood of decisions, from the sum of the weights of their moves in units of exp(shift) and the base of
    /// the chosen one.
    fn add_value(&mut self, shift: f64, weight: f64, chosen: f64, times: f64) {
        let probability = chosen / weight;
        // One logarithm instead of two, unless digits of the quotient are lost.
        if probability > 1e-290 {
            self.logs.add(probability, times);
        } else {
            self.logs.add(chosen, times);
            self.logs.add(weight, -times);
        }
        self.value -= times * shift;
    }

    /// Adds `times` the derivatives of a logarithm by the first parameters, from those of the number and its inverse.
    fn add_derivatives<const N: usize>(&mut self, times: f64, inverse: f64, first: &[f64; N], second: &[[f64; N]; N]) {
        let slopes = first.map(|first| first * inverse);
        for j in 0..N {
            self.gradient[j] += times * slopes[j];
            for k in 0..=j {
                self.hessian[j][k] += times * (second[j][k] * inverse - slopes[j] * slopes[k]);
            }
        }
    }

    fn local(&self) -> Local {
        Local {
            value: self.value + self.logs.total(),
            gradient: DVector::from_fn(P, |row, _| self.gradient[row]),
            information: DMatrix::from_fn(P, P, |row, column| -self.hessian[row.max(column)][row.min(column)]),
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

//! The weight of a move before covariates: b, with its derivatives by the parameters that it depends on.
//!
//! - Chains of thought that end in a move after d steps have the probability q^d, q = 1 − p, where thinking stops with the
//!   probability p at each step; who stops makes any of n legal moves. b = Σ a_d q^d + (1 − Σ s_d q^d) / n, where a_d is the
//!   share of chains that end in this move after d steps and s_d the share of all that end after d. A lapse is the same with
//!   one step: with a_1 = 1 / m for each of m optimal moves, b = λ / n + (1 − λ) / m.
//! - Rollouts come to a goal with the probability v from after a move, and s = Σ v / n from before it. The first of K that does
//!   gives the move, and if none does it is any: with f = 1 − s, v (1 − f^K) / (n s) + f^K / n. This is in
//!   proportion to b = v + s / ((1 − s)^−K − 1).

use std::sync::Arc;

use plymap_statistics::numeric::wide;

use super::ends::{Ends, Powers};
use super::failures::Failures;
use super::jet::{Jet, constant};
use crate::decisions::{Decisions, Lists};
use crate::model::Parameter;
use crate::rollouts::{Basis, Curves};

/// b of each move at a point: what belongs to its list or curve, which depends on the first parameter alone, and what all moves
/// of its decision have in common.
pub struct Terms<const M: usize> {
    /// Term of each list or curve, with its first and second derivative by the first parameter.
    pub specific: Vec<[f64; 3]>,
    /// Term common to all moves of each decision.
    pub common: Vec<Jet<M>>,
}

impl<const M: usize> Terms<M> {
    /// b of a move of this list or curve.
    #[inline(always)]
    pub fn of(&self, list: u32, decision: usize) -> Jet<M> {
        let mut jet = self.common[decision];
        let [value, slope, bend] = self.specific[list as usize];
        jet.value += value;
        if M > 0 {
            jet.first[0] += slope;
            jet.second[0][0] += bend;
        }
        jet
    }
}

/// The quantities that b depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing: it is 1.
    One,
    /// Chains of thought.
    Thoughts(Parameter),
    /// Rollouts.
    Rollouts,
}

/// The bases of all moves.
#[derive(Clone)]
pub struct Base {
    pub kind: Kind,
    /// Shares of chains by steps. The first is empty.
    lists: Arc<[Vec<f64>]>,
    /// Numbers of those of moves, and of those of all chains of a decision.
    used: Arc<[Vec<u32>; 2]>,
    /// Rollouts. The first is that of none.
    curves: Arc<Curves>,
    /// The list or curve of each move; none where there is one kind of move only.
    pub moves: Vec<u32>,
    /// The list of the shares of all chains by their steps, of each decision; for chains of thought only.
    pub decisions: Vec<u32>,
}

impl Base {
    /// The base 1.
    pub fn one(decisions: &Decisions) -> Self {
        Self::with(Kind::One, Lists::default(), vec![0; decisions.n_alternatives()], vec![0; decisions.n()])
    }

    fn with(kind: Kind, lists: Lists, moves: Vec<u32>, decisions: Vec<u32>) -> Self {
        let used = Arc::new([&moves, &decisions].map(|numbers| distinct(numbers, lists.all().len())));
        Self { kind, lists: lists.all().into(), used, curves: Arc::default(), moves, decisions }
    }

    /// The same kind, without moves.
    pub fn empty(&self) -> Self {
        Self { moves: Vec::new(), decisions: Vec::new(), ..self.clone() }
    }

    /// The parameters that it depends on.
    pub fn parameters(&self) -> &[Parameter] {
        match &self.kind {
            Kind::One => &[],
            Kind::Thoughts(parameter) => std::slice::from_ref(parameter),
            Kind::Rollouts => &[Parameter::RolloutLength, Parameter::Rollouts],
        }
    }

    /// The base of one step to any of the optimal moves, or chance where `is_seen` says that they are not seen.
    pub fn optimal(decisions: &Decisions, is_seen: impl Fn(Option<u32>) -> bool) -> Self {
        let mut lists = Lists::default();
        let one_step = lists.number(&[1.0]);
        let (mut moves, mut of_decision) = (Vec::with_capacity(decisions.n_alternatives()), Vec::new());
        for decision in 0..decisions.n() {
            let range = decisions.range(decision);
            let n_optimal = range.clone().filter(|&index| decisions.is_optimal(index)).count();
            let is_known = n_optimal > 0 && is_seen(decisions.distance(decision));
            let share = if is_known { lists.number(&[1.0 / n_optimal as f64]) } else { 0 };
            moves.extend(range.map(|index| if decisions.is_optimal(index) { share } else { 0 }));
            of_decision.push(if is_known { one_step } else { 0 });
        }
        Self::with(Kind::Thoughts(Parameter::Lapse), lists, moves, of_decision)
    }

    /// Chains of thought backwards from the goal. With lapses, they have one step, however long they are. Those to a piece that
    /// is left alone end nowhere.
    pub fn backwards(decisions: &Decisions, has_lapses: bool, is_same_piece_left: bool) -> Self {
        let mut lists = Lists::default();
        let one_step = lists.number(&[1.0]);
        let (mut moves, mut of_decision) = (Vec::with_capacity(decisions.n_alternatives()), Vec::new());
        let lists_of_steps = decisions.lists().all();
        let mut numbers: Vec<Option<u32>> = vec![None; lists_of_steps.len()];
        for decision in 0..decisions.n() {
            let range = decisions.range(decision);
            let shares = |index: usize| &lists_of_steps[decisions.thoughts(index) as usize];
            let is_thought_of =
                |index: usize| !(shares(index).is_empty() || is_same_piece_left && decisions.is_same_piece(index));
            let sum = |list: &[f64]| list.iter().sum::<f64>();
            let total: f64 = range.clone().filter(|&index| is_thought_of(index)).map(|index| sum(shares(index))).sum();
            if total <= 0.0 {
                // All go in circles: whoever thinks, and whoever stops, makes any move.
                moves.extend(range.map(|_| 0));
                of_decision.push(0);
                continue;
            }
            for index in range.clone() {
                moves.push(match is_thought_of(index) {
                    false => 0,
                    true if has_lapses => lists.number(&[sum(shares(index)) / total]),
                    true => {
                        *numbers[decisions.thoughts(index) as usize].get_or_insert_with(|| lists.number(shares(index)))
                    }
                });
            }
            of_decision.push(match has_lapses {
                true => one_step,
                false => {
                    let mut all = lists_of_steps[decisions.circles(decision) as usize].clone();
                    for index in range {
                        all.resize(all.len().max(shares(index).len()), 0.0);
                        all.iter_mut().zip(shares(index)).for_each(|(sum, share)| *sum += share);
                    }
                    lists.number(&all)
                }
            });
        }
        let parameter = if has_lapses { Parameter::Lapse } else { Parameter::Stopping };
        Self::with(Kind::Thoughts(parameter), lists, moves, of_decision)
    }

    /// Rollouts of random moves.
    pub fn rollouts(decisions: &Decisions) -> Self {
        let moves = (0..decisions.n_alternatives()).map(|index| decisions.rollouts(index)).collect();
        let curves = decisions.curves();
        let (lists, used) = (Arc::default(), Arc::default());
        Self { kind: Kind::Rollouts, lists, used, curves, moves, decisions: vec![0; decisions.n()] }
    }

    /// The same, and behind it chance for as many moves and decisions.
    pub fn with_chance(&self) -> Self {
        let twice = |numbers: &[u32]| [numbers, &vec![0; numbers.len()]].concat();
        Self { moves: twice(&self.moves), decisions: twice(&self.decisions), ..self.clone() }
    }

    /// Returns true if its parameters matter to a choice among these moves.
    pub fn tells_apart(&self, moves: std::ops::Range<usize>) -> bool {
        let jets = &self.moves[moves];
        jets.iter().any(|list| *list != jets[0])
    }

    /// Returns true if its likelihood can have several maxima even without covariates.
    pub fn is_crooked(&self) -> bool {
        self.kind == Kind::Rollouts || self.lists.iter().any(|list| list.len() > 1)
    }

    /// Rollouts of a length to start from, for decisions with these moves.
    pub fn rollouts_of(
        &self,
        start: usize,
        offsets: &[usize],
        counts: &[f64],
        n_legal: &[f64],
        chosen: &[usize],
    ) -> Vec<Rollouts> {
        let values = self.curves.at_start(start);
        let value = |index: usize| values[self.moves[index] as usize];
        let rollouts = |(decision, ends): (usize, &[usize])| {
            let sum: f64 = (ends[0]..ends[1]).map(|index| counts[index] * value(index)).sum();
            let n_legal = n_legal[decision];
            let before = sum / n_legal;
            Rollouts { before, rate: -(-before).ln_1p(), after: value(chosen[decision]), n_legal }
        };
        offsets.windows(2).enumerate().map(rollouts).collect()
    }

    /// Ends of the thoughts before a decision, whose moves these are.
    pub fn ends(&self, decision: usize, range: std::ops::Range<usize>, chosen: usize, n_legal: f64) -> Ends {
        let list = |index: usize| &self.lists[self.moves[index] as usize];
        let mut any: Vec<f64> = Vec::new();
        for shares in range.map(list) {
            any.resize(any.len().max(shares.len()), 0.0);
            any.iter_mut().zip(shares).for_each(|(sum, share)| *sum += share);
        }
        Ends::new(list(chosen), &any, &self.lists[self.decisions[decision] as usize], n_legal)
    }

    /// b of the moves of all decisions that are present, which have these counts and numbers of legal moves.
    pub fn terms<const M: usize>(
        &self,
        point: &[f64],
        offsets: &[usize],
        counts: &[f64],
        n_legal: &[f64],
        is_present: impl Fn(usize) -> bool,
    ) -> Terms<M> {
        match self.kind {
            Kind::One => Terms { specific: vec![[0.0; 3]], common: vec![constant(1.0); self.decisions.len()] },
            Kind::Thoughts(_) => {
                let [mut specific, mut stops] = [vec![[0.0; 3]; self.lists.len()], vec![[0.0; 3]; self.lists.len()]];
                let mut powers = Powers::default();
                powers.set(point[0], self.lists.iter().map(Vec::len).max().unwrap_or_default());
                let [of_moves, of_decisions] = &*self.used;
                of_moves.iter().for_each(|&list| specific[list as usize] = powers.thought(&self.lists[list as usize]));
                of_decisions.iter().for_each(|&list| stops[list as usize] = powers.stop(&self.lists[list as usize]));
                let common = |(list, n_legal): (&u32, &f64)| {
                    let share = 1.0 / n_legal;
                    let [value, slope, bend] = stops[*list as usize].map(|term| term * share);
                    Jet { value, first: [slope; M], second: [[bend; M]; M] }
                };
                Terms { specific, common: self.decisions.iter().zip(n_legal).map(common).collect() }
            }
            Kind::Rollouts => {
                let basis = Basis::new(point[0]);
                let specific = match M {
                    0 => basis.values(&self.curves).into_iter().map(|value| [value, 0.0, 0.0]).collect(),
                    _ => basis.probabilities(&self.curves),
                };
                let k = point[1].exp();
                let mean = |(decision, (ends, n_legal)): (usize, (&[usize], &f64))| {
                    let mut sum = [0.0; 3];
                    if is_present(decision) {
                        for (curve, count) in self.moves[ends[0]..ends[1]].iter().zip(&counts[ends[0]..]) {
                            let term = &specific[*curve as usize];
                            (0..3).for_each(|order| sum[order] += count * term[order]);
                        }
                    }
                    sum.map(|sum| sum / n_legal)
                };
                let means: Vec<[f64; 3]> = offsets.windows(2).zip(n_legal).enumerate().map(mean).collect();
                let common = wide::run(Failures::<M> { means: &means, k });
                Terms { specific, common }
            }
        }
    }
}

/// Rollouts of a length around a decision.
pub struct Rollouts {
    /// The probability that one from before it comes to a goal.
    pub before: f64,
    /// −ln of the probability that it does not.
    rate: f64,
    /// Probability that one from after the chosen move comes to a goal.
    after: f64,
    n_legal: f64,
}

impl Rollouts {
    /// The probability of the chosen move with `k` of them.
    pub fn probability(&self, k: f64) -> f64 {
        let share = 1.0 / self.n_legal;
        if self.before <= 0.0 {
            return share;
        }
        // Without those of whom all fail where hardly any does; see [`Failures`].
        let y = k * self.rate;
        let failure = if y > 690.0 { 0.0 } else { self.before / y.exp_m1() };
        (self.after + failure) * share / (self.before + failure)
    }
}

/// The numbers below `n` that occur, 0 included.
fn distinct(numbers: &[u32], n: usize) -> Vec<u32> {
    let mut is_there = vec![false; n.max(1)];
    is_there[0] = true;
    numbers.iter().for_each(|&number| is_there[number as usize] = true);
    (0..n as u32).filter(|&number| is_there[number as usize]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The derivatives are those by differences of the function itself.
    #[test]
    fn derivatives_are_those_of_the_function() {
        let close = |left: f64, right: f64, scale: f64| (left - right).abs() <= 1e-5 * (scale.abs() + left.abs());
        let shares = [0.1, 0.0, 0.3, 0.25];
        for p in [0.02, 0.4, 0.9] {
            let h = 1e-4;
            for function in [Powers::thought, Powers::stop] {
                let jet = |p: f64| {
                    let mut powers = Powers::default();
                    powers.set(p, shares.len());
                    function(&powers, &shares)
                };
                let at = |p: f64| jet(p)[0];
                let [value, slope, bend] = jet(p);
                assert!(close(slope, (at(p + h) - at(p - h)) / (2.0 * h), value), "{p}");
                assert!(close(bend, (at(p + h) + at(p - h) - 2.0 * at(p)) / (h * h), value), "{p}");
            }
        }
        let mut powers = Powers::default();
        powers.set(1e-20, 1);
        assert_eq!(powers.stop(&[1.0])[0], 1e-20);
    }
}

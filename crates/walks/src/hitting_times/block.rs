//! The equations of states among which play can come and go.

use rayon::prelude::*;

use super::chain::Chain;
use super::iterative::{self, Course, Equations, Gave};
use crate::elimination::{Elimination, Factors};
use plymap_puzzles::graph::{Adjacency, StateGraph};

/// Blocks up to this size are solved by elimination, however much they fill up.
const SMALL: usize = 600;

/// Larger ones are, where elimination visits no more neighbours than this for each move: on a block that fills up the
/// search for an order ends soon.
const MOST_VISITS_OF_MOVE: usize = 16;

/// Depths of a large symmetric block for which elimination is tried: fewer passes are needed where walks mix soon, and the
/// search for an order would take as long as all of them.
const DEEP: usize = 50;

/// The equations of a block, and how they are solved.
pub(super) struct Block {
    pub equations: Equations,
    pub method: Method,
}

pub(super) enum Method {
    Elimination(Box<(Elimination, Factors)>),
    ConjugateGradients,
    BiconjugateGradients,
}

impl Block {
    /// The equations of these states, in ascending order. `numbers` is 0 for every state, and is again afterwards.
    pub fn new(chain: &Chain, states: &[u32], numbers: &mut [u32]) -> Self {
        (1..).zip(states).for_each(|(number, &state)| numbers[state as usize] = number);
        let (mut offsets, mut targets) = (Vec::with_capacity(states.len() + 1), Vec::new());
        let mut away = Vec::with_capacity(states.len());
        offsets.push(0);
        for &state in states {
            let others = chain.choices(state).iter().filter(|&&after| after != state);
            away.push(others.clone().count() as f64);
            targets.extend(others.filter_map(|&after| numbers[after as usize].checked_sub(1)));
            offsets.push(targets.len() as u32);
        }
        states.iter().for_each(|&state| numbers[state as usize] = 0);
        let graph = StateGraph::undone(Adjacency { offsets, targets });
        let is_deep = n_depths(chain, states) > DEEP;
        let equations = Equations { graph, away };
        Self { method: Self::method(&equations, is_deep), equations }
    }

    fn method(equations: &Equations, is_deep: bool) -> Method {
        let graph = &equations.graph;
        let n = graph.n_states();
        let is_symmetric = is_symmetric(graph);
        let most_visits = match n {
            ..=SMALL => usize::MAX,
            _ if is_symmetric && !is_deep => 0,
            _ => MOST_VISITS_OF_MOVE * graph.n_arcs(),
        };
        let elimination = (most_visits > 0).then(|| Self::by_elimination(equations, most_visits)).flatten();
        let by_gradients = if is_symmetric { Method::ConjugateGradients } else { Method::BiconjugateGradients };
        elimination.unwrap_or(by_gradients)
    }

    /// Elimination, if it takes no more than so many visits of neighbours.
    pub fn by_elimination(Equations { graph, away }: &Equations, most_visits: usize) -> Option<Method> {
        let all: Vec<u32> = (0..graph.n_states() as u32).collect();
        let elimination = Elimination::new(graph, &all, most_visits)?;
        let leaving = |&state: &u32| away[state as usize] - graph.successors(state).len() as f64;
        let leaving: Vec<f64> = all.iter().map(leaving).collect();
        let factors = elimination.factors(graph, &leaving);
        Some(Method::Elimination(Box::new((elimination, factors))))
    }

    /// True if each solution is as good as its numbers allow.
    pub fn is_direct(&self) -> bool {
        matches!(self.method, Method::Elimination(_))
    }

    /// Solves the equations for what is `added` in each state, until what is left of none is a larger part of its moves
    /// than `wanted` of the largest at the beginning.
    pub fn solve(&self, added: Vec<f64>, wanted: f64, course: &mut Course) -> Result<Vec<f64>, Gave> {
        match &self.method {
            Method::Elimination(parts) => Ok(parts.0.substitute(&parts.1, &added)),
            Method::ConjugateGradients => iterative::conjugate_gradients(&self.equations, added, wanted, course),
            Method::BiconjugateGradients => iterative::biconjugate_gradients(&self.equations, added, wanted, course),
        }
    }
}

/// Number of depths from the start between which these states lie, in ascending order.
fn n_depths(chain: &Chain, states: &[u32]) -> usize {
    let depth = |state: u32| chain.map.depths()[state as usize] as usize;
    depth(states[states.len() - 1]) - depth(states[0]) + 1
}

/// True if as many moves lead from each state to another as back.
fn is_symmetric(graph: &StateGraph) -> bool {
    let moves = |from: u32, to: u32| graph.successors(from).iter().filter(|&&after| after == to).count();
    (0..graph.n_states() as u32)
        .into_par_iter()
        .all(|state| graph.successors(state).iter().all(|&after| moves(state, after) == moves(after, state)))
}

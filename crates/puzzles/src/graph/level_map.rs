//! All states of a level and the moves between them.

use std::ops::Range;
use std::sync::OnceLock;

use super::ranked::RankedCodes;
use super::state_graph::StateGraph;
use crate::game::StateCode;
use crate::numbering::Numbering;

/// Every position of a level that can be reached from its start, and the moves between them.
#[derive(Clone, Debug)]
pub struct LevelMap {
    /// The moves between the states.
    pub graph: StateGraph,
    pub(super) codes: Codes,
    pub(super) is_goal: Vec<bool>,
    /// The first state of each depth.
    pub(super) layers: Vec<u32>,
    /// The depth of each state, once it was asked for.
    pub(super) depths: OnceLock<Vec<u32>>,
    pub(super) goals_expanded: bool,
}

/// The codes of all states with their numbers: in the order of an index, or hashed in the narrower of two words.
#[derive(Clone, Debug)]
pub(super) enum Codes {
    Ranked(RankedCodes),
    Narrow(Numbering<u64>),
    Wide(Numbering<u128>),
}

impl LevelMap {
    /// Number of states.
    pub fn n_states(&self) -> usize {
        self.graph.n_states()
    }

    /// The code of a state.
    pub fn code(&self, node: u32) -> StateCode {
        StateCode(match &self.codes {
            Codes::Ranked(codes) => u128::from(codes.ranked.codes()[node as usize]),
            Codes::Narrow(codes) => u128::from(codes.words()[node as usize]),
            Codes::Wide(codes) => codes.words()[node as usize],
        })
    }

    /// The number of the state with this code, if it is on the map.
    pub fn node(&self, code: StateCode) -> Option<u32> {
        match &self.codes {
            Codes::Ranked(codes) => u64::try_from(code.0).ok().and_then(|code| codes.find(code)),
            Codes::Narrow(codes) => u64::try_from(code.0).ok().and_then(|word| codes.find(word)),
            Codes::Wide(codes) => codes.find(code.0),
        }
    }

    /// `true` if the level is solved in this state.
    pub fn is_goal(&self, node: u32) -> bool {
        self.is_goal[node as usize]
    }

    /// The goals, in ascending order.
    pub fn goals(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.n_states() as u32).filter(|&node| self.is_goal(node))
    }

    /// Fewest moves from the start to each state.
    pub fn depths(&self) -> &[u32] {
        self.depths.get_or_init(|| {
            let mut depths = Vec::with_capacity(self.n_states());
            for (depth, layer) in (0..).zip(self.layers()) {
                depths.resize(layer.end as usize, depth);
            }
            depths
        })
    }

    /// The states at each depth, from 0: breadth first, they have successive numbers.
    pub fn layers(&self) -> impl Iterator<Item = Range<u32>> + '_ {
        let ends = self.layers[1..].iter().copied().chain([self.n_states() as u32]);
        (0..self.layers.len()).zip(ends).map(|(depth, end)| self.layers[depth]..end)
    }

    /// `true` if positions beyond a goal belong to the map.
    pub fn goals_expanded(&self) -> bool {
        self.goals_expanded
    }

    /// The same map as a graph of petgraph, with the states' codes and the number of each move among
    /// the legal moves of its state as weights.
    pub fn to_petgraph(&self) -> petgraph::Graph<StateCode, u32> {
        let mut graph = petgraph::Graph::with_capacity(self.n_states(), self.graph.n_arcs());
        for node in 0..self.n_states() as u32 {
            graph.add_node(self.code(node));
        }
        for node in 0..self.n_states() as u32 {
            for (number, &target) in self.graph.successors(node).iter().enumerate() {
                graph.add_edge(node.into(), target.into(), number as u32);
            }
        }
        graph
    }
}

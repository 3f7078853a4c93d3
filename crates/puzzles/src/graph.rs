//! The whole state graph of a level.
//!
//! A [`LevelMap`] holds every position that can be reached from the start, numbered in the order of
//! a breadth-first search (the start is node 0), and the [`StateGraph`] of the moves between them.
//! The graph implements petgraph's visit traits, so petgraph's algorithms run on it as it stands.

use std::fmt;

mod distances;
mod enumerate;
pub mod metrics;
pub(crate) mod numbering;
pub mod optimal_ways;
pub mod random_walk;
mod visit;

pub use distances::{DistanceTable, UNREACHABLE};
pub use enumerate::enumerate;

use crate::game::StateCode;
use crate::progress::Progress;

/// How to map a level.
#[derive(Clone, Copy)]
pub struct MapOptions<'a> {
    /// The most states that a map may have; beyond it, mapping ends with [`MapError::TooManyStates`].
    pub max_states: usize,
    /// Whether positions beyond a goal belong to the map. With `false` a goal has no moves, as in the
    /// article that plymap started from; unexpanded goals can hide positions that are no goals.
    pub expand_goals: bool,
    /// Told about progress, and asked whether to stop.
    pub progress: &'a dyn Progress,
}

impl MapOptions<'static> {
    /// Twenty million states: about 2 GB of memory for a level with 15 moves a state.
    pub const DEFAULT_MAX_STATES: usize = 20_000_000;
}

impl Default for MapOptions<'static> {
    fn default() -> Self {
        Self { max_states: Self::DEFAULT_MAX_STATES, expand_goals: true, progress: &crate::progress::Silent }
    }
}

impl fmt::Debug for MapOptions<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("MapOptions");
        shown.field("max_states", &self.max_states).field("expand_goals", &self.expand_goals).finish_non_exhaustive()
    }
}

/// Why a level could not be mapped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MapError {
    /// The level has more states than the limit allows.
    #[error(
        "the level has more than {limit} states ({n_arcs} moves and {megabytes} MB so far): \
         allow more with --max-states, or with max_states in [map] of a study, if the memory suffices"
    )]
    TooManyStates {
        /// The limit that was passed.
        limit: usize,
        /// Moves found so far.
        n_arcs: usize,
        /// Memory in use for the map so far.
        megabytes: usize,
    },
    /// More moves than a 32-bit offset can number.
    #[error("the level has more than {} moves between its states, more than a map can number", u32::MAX)]
    TooManyArcs,
    /// The rules of the level failed: a script with an error in it.
    #[error("{0}")]
    Rules(String),
    /// The caller asked to stop.
    #[error("mapping was interrupted")]
    Interrupted,
}

/// The moves between the states of a level, as arcs between numbered nodes.
///
/// Node 0 is the start. The arcs of a node stand in the order of its legal moves. Where every move
/// can be undone by one move, the arcs are their own backward arcs and are stored once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateGraph {
    forward: Adjacency,
    backward: Option<Adjacency>,
}

/// Flat adjacency: the neighbours of node `n` are `targets[offsets[n] .. offsets[n + 1]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Adjacency {
    offsets: Vec<u32>,
    targets: Vec<u32>,
}

impl Adjacency {
    fn of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.targets[self.offsets[node] as usize..self.offsets[node + 1] as usize]
    }

    fn reversed(&self) -> Self {
        let n_nodes = self.offsets.len() - 1;
        let mut offsets = vec![0u32; n_nodes + 1];
        for &target in &self.targets {
            offsets[target as usize + 1] += 1;
        }
        for node in 0..n_nodes {
            offsets[node + 1] += offsets[node];
        }
        let mut next = offsets.clone();
        let mut targets = vec![0u32; self.targets.len()];
        for source in 0..n_nodes as u32 {
            for &target in self.of(source) {
                let slot = &mut next[target as usize];
                targets[*slot as usize] = source;
                *slot += 1;
            }
        }
        Self { offsets, targets }
    }
}

impl StateGraph {
    /// Number of states.
    pub fn n_states(&self) -> usize {
        self.forward.offsets.len() - 1
    }

    /// Number of arcs: legal moves, summed over all states.
    pub fn n_arcs(&self) -> usize {
        self.forward.targets.len()
    }

    /// Number of edges: unordered pairs of different states that a move joins in one direction at least.
    pub fn n_edges(&self) -> usize {
        let mut neighbours: Vec<u32> = Vec::new();
        let mut n_edges = 0;
        for node in 0..self.n_states() as u32 {
            neighbours.clear();
            neighbours
                .extend(self.successors(node).iter().chain(self.predecessors(node)).filter(|&&other| other > node));
            neighbours.sort_unstable();
            neighbours.dedup();
            n_edges += neighbours.len();
        }
        n_edges
    }

    /// Where the arcs of each state begin among [`StateGraph::targets`], and where those of the last one end.
    pub fn offsets(&self) -> &[u32] {
        &self.forward.offsets
    }

    /// The states that the arcs lead to, state by state.
    pub fn targets(&self) -> &[u32] {
        &self.forward.targets
    }

    /// The states that one move leads to, in the order of the legal moves.
    pub fn successors(&self, node: u32) -> &[u32] {
        self.forward.of(node)
    }

    /// The states from which one move leads here.
    pub fn predecessors(&self, node: u32) -> &[u32] {
        self.backward.as_ref().unwrap_or(&self.forward).of(node)
    }

    /// The same graph with every arc in both directions, each once: what algorithms for undirected
    /// graphs expect.
    pub fn undirected(&self) -> Self {
        let mut offsets = vec![0];
        let mut targets = Vec::with_capacity(self.n_arcs() * 2);
        for node in 0..self.n_states() as u32 {
            let first = targets.len();
            targets.extend(self.successors(node).iter().chain(self.predecessors(node)).filter(|&&other| other != node));
            targets[first..].sort_unstable();
            let mut kept = first;
            for next in first..targets.len() {
                if next == first || targets[next] != targets[kept - 1] {
                    targets[kept] = targets[next];
                    kept += 1;
                }
            }
            targets.truncate(kept);
            offsets.push(targets.len() as u32);
        }
        Self { forward: Adjacency { offsets, targets }, backward: None }
    }

    /// Whether for every arc there is one in the other direction.
    pub fn is_symmetric(&self) -> bool {
        self.backward.is_none()
    }
}

/// Every position of a level that can be reached from its start, and the moves between them.
#[derive(Clone, Debug)]
pub struct LevelMap {
    /// The moves between the states.
    pub graph: StateGraph,
    codes: Codes,
    is_goal: Vec<bool>,
    depths: Vec<u32>,
    goals_expanded: bool,
}

/// The codes of all states with their numbers, in the narrower of two words.
#[derive(Clone, Debug)]
enum Codes {
    Narrow(numbering::Numbering<u64>),
    Wide(numbering::Numbering<u128>),
}

impl LevelMap {
    /// Number of states.
    pub fn n_states(&self) -> usize {
        self.graph.n_states()
    }

    /// The code of a state.
    pub fn code(&self, node: u32) -> StateCode {
        StateCode(match &self.codes {
            Codes::Narrow(codes) => u128::from(codes.words()[node as usize]),
            Codes::Wide(codes) => codes.words()[node as usize],
        })
    }

    /// The number of the state with this code, if it is on the map.
    pub fn node(&self, code: StateCode) -> Option<u32> {
        match &self.codes {
            Codes::Narrow(codes) => u64::try_from(code.0).ok().and_then(|word| codes.find(word)),
            Codes::Wide(codes) => codes.find(code.0),
        }
    }

    /// Whether the level is solved in this state.
    pub fn is_goal(&self, node: u32) -> bool {
        self.is_goal[node as usize]
    }

    /// The goals, in ascending order.
    pub fn goals(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.n_states() as u32).filter(|&node| self.is_goal(node))
    }

    /// Fewest moves from the start to each state.
    pub fn depths(&self) -> &[u32] {
        &self.depths
    }

    /// Whether positions beyond a goal belong to the map.
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

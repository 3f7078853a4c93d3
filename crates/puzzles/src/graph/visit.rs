//! petgraph's visit traits on [`StateGraph`].

use petgraph::Direction;
use petgraph::visit::{
    Data, EdgeCount, EdgeRef, GraphBase, GraphProp, IntoEdgeReferences, IntoEdges, IntoNeighbors,
    IntoNeighborsDirected, IntoNodeIdentifiers, IntoNodeReferences, NodeCompactIndexable, NodeCount, NodeIndexable,
    VisitMap, Visitable,
};

use super::state_graph::StateGraph;

/// An arc of a [`StateGraph`] as petgraph sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc {
    source: u32,
    target: u32,
    number: u32,
}

impl EdgeRef for Arc {
    type NodeId = u32;
    type EdgeId = u32;
    type Weight = ();

    fn source(&self) -> u32 {
        self.source
    }

    fn target(&self) -> u32 {
        self.target
    }

    fn weight(&self) -> &() {
        &()
    }

    fn id(&self) -> u32 {
        self.number
    }
}

/// Nodes that a petgraph algorithm has seen.
#[derive(Clone, Debug, Default)]
pub struct Seen(Vec<bool>);

impl VisitMap<u32> for Seen {
    fn visit(&mut self, node: u32) -> bool {
        !std::mem::replace(&mut self.0[node as usize], true)
    }

    fn is_visited(&self, node: &u32) -> bool {
        self.0[*node as usize]
    }

    fn unvisit(&mut self, node: u32) -> bool {
        std::mem::replace(&mut self.0[node as usize], false)
    }
}

impl GraphBase for StateGraph {
    type NodeId = u32;
    type EdgeId = u32;
}

impl Data for StateGraph {
    type NodeWeight = ();
    type EdgeWeight = ();
}

impl GraphProp for StateGraph {
    type EdgeType = petgraph::Directed;
}

impl NodeCount for StateGraph {
    fn node_count(&self) -> usize {
        self.n_states()
    }
}

impl EdgeCount for StateGraph {
    fn edge_count(&self) -> usize {
        self.n_arcs()
    }
}

impl NodeIndexable for StateGraph {
    fn node_bound(&self) -> usize {
        self.n_states()
    }

    fn to_index(&self, node: u32) -> usize {
        node as usize
    }

    fn from_index(&self, index: usize) -> u32 {
        index as u32
    }
}

impl NodeCompactIndexable for StateGraph {}

impl Visitable for StateGraph {
    type Map = Seen;

    fn visit_map(&self) -> Seen {
        Seen(vec![false; self.n_states()])
    }

    fn reset_map(&self, map: &mut Seen) {
        map.0.clear();
        map.0.resize(self.n_states(), false);
    }
}

impl IntoNodeIdentifiers for &StateGraph {
    type NodeIdentifiers = std::ops::Range<u32>;

    fn node_identifiers(self) -> Self::NodeIdentifiers {
        0..self.n_states() as u32
    }
}

impl IntoNodeReferences for &StateGraph {
    type NodeRef = (u32, &'static ());
    type NodeReferences = std::iter::Map<std::ops::Range<u32>, fn(u32) -> (u32, &'static ())>;

    fn node_references(self) -> Self::NodeReferences {
        (0..self.n_states() as u32).map(|node| (node, &()))
    }
}

impl<'a> IntoNeighbors for &'a StateGraph {
    type Neighbors = std::iter::Copied<std::slice::Iter<'a, u32>>;

    fn neighbors(self, node: u32) -> Self::Neighbors {
        self.successors(node).iter().copied()
    }
}

impl<'a> IntoNeighborsDirected for &'a StateGraph {
    type NeighborsDirected = std::iter::Copied<std::slice::Iter<'a, u32>>;

    fn neighbors_directed(self, node: u32, direction: Direction) -> Self::NeighborsDirected {
        match direction {
            Direction::Outgoing => self.successors(node).iter().copied(),
            Direction::Incoming => self.predecessors(node).iter().copied(),
        }
    }
}

/// The arcs of one node or of the whole graph, in order.
#[derive(Clone, Debug)]
pub struct Arcs<'a> {
    graph: &'a StateGraph,
    node: u32,
    last_node: u32,
    next: u32,
}

impl Iterator for Arcs<'_> {
    type Item = Arc;

    fn next(&mut self) -> Option<Arc> {
        let adjacency = &self.graph.forward;
        while self.next >= adjacency.offsets[self.node as usize + 1] {
            if self.node >= self.last_node {
                return None;
            }
            self.node += 1;
        }
        let number = self.next;
        self.next += 1;
        Some(Arc { source: self.node, target: adjacency.targets[number as usize], number })
    }
}

impl<'a> IntoEdgeReferences for &'a StateGraph {
    type EdgeRef = Arc;
    type EdgeReferences = Arcs<'a>;

    fn edge_references(self) -> Arcs<'a> {
        Arcs { graph: self, node: 0, last_node: self.n_states() as u32 - 1, next: 0 }
    }
}

impl<'a> IntoEdges for &'a StateGraph {
    type Edges = Arcs<'a>;

    fn edges(self, node: u32) -> Arcs<'a> {
        Arcs { graph: self, node, last_node: node, next: self.forward.offsets[node as usize] }
    }
}

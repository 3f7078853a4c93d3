//! The moves between the states of a level, as flat lists of neighbours.

/// The moves between the states of a level, as arcs between numbered nodes.
///
/// Node 0 is the start. The arcs of a node stand in the order of its legal moves. Where every move
/// can be undone by one move, the arcs are their own backward arcs and are stored once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateGraph {
    pub(super) forward: Adjacency,
    pub(super) backward: Option<Adjacency>,
}

/// Flat adjacency: the neighbours of node `n` are `targets[offsets[n] .. offsets[n + 1]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adjacency {
    /// Places where the neighbours of each node begin, and where those of the last one end.
    pub offsets: Vec<u32>,
    /// The neighbours, node by node.
    pub targets: Vec<u32>,
}

impl Adjacency {
    /// The neighbours of a node.
    pub fn of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.targets[self.offsets[node] as usize..self.offsets[node + 1] as usize]
    }

    /// Every arc the other way.
    pub fn reversed(&self) -> Self {
        let n_nodes = self.offsets.len() - 1;
        let mut offsets = vec![0u32; n_nodes + 1];
        for &target in &self.targets {
            offsets[target as usize + 1] += 1;
        }
        for node in 0..n_nodes {
            offsets[node + 1] += offsets[node];
        }
        // A counting sort by target: two passes over the arcs, no comparisons, and the sources of each state ascend.
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
        // The last state that counted a pair with each state. Pairs count at the smaller of the two, in the order of
        // their arcs: no sorting, no set of pairs.
        let mut counted_by = vec![u32::MAX; self.n_states()];
        let mut n_edges = 0;
        for node in 0..self.n_states() as u32 {
            let before: &[u32] = if self.is_symmetric() { &[] } else { self.predecessors(node) };
            for &other in self.successors(node).iter().chain(before).filter(|&&other| other > node) {
                n_edges += usize::from(counted_by[other as usize] != node);
                counted_by[other as usize] = node;
            }
        }
        n_edges
    }

    /// A graph in which every arc is undone by another one.
    pub fn undone(forward: Adjacency) -> Self {
        Self { forward, backward: None }
    }

    /// The arcs.
    pub fn arcs(&self) -> &Adjacency {
        &self.forward
    }

    /// The arcs the other way, where not every one is undone by another.
    pub fn backward_arcs(&self) -> Option<&Adjacency> {
        self.backward.as_ref()
    }

    /// Places where the arcs of each state begin among [`StateGraph::targets`], and where those of the last one end.
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

    /// `true` if for every arc there is one in the other direction.
    pub fn is_symmetric(&self) -> bool {
        self.backward.is_none()
    }
}

//! States and edges that hold a map together.

use super::state_graph::StateGraph;

/// Numbers of articulation points and bridges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Connectivity {
    pub(super) n_articulation_points: u64,
    pub(super) n_bridges: u64,
}

impl Connectivity {
    /// Both numbers by one depth-first search (Tarjan, 1972. *SIAM Journal on Computing*, 1, 146–160; Hopcroft & Tarjan,
    /// 1973. *Communications of the ACM*, 16, 372–378), on a graph in which for every arc there is one in the other
    /// direction. Several arcs between two states are one edge.
    pub(super) fn new(graph: &StateGraph) -> Self {
        let mut search = Search {
            graph,
            place: vec![0; graph.n_states()],
            n_seen: 0,
            is_articulation_point: vec![false; graph.n_states()],
            n_bridges: 0,
        };
        for root in 0..graph.n_states() as u32 {
            if search.place[root as usize] == 0 {
                search.run(root);
            }
        }
        let is_articulation_point = search.is_articulation_point.into_iter();
        let n_articulation_points = is_articulation_point.filter(|&is_one| is_one).count() as u64;
        Self { n_articulation_points, n_bridges: search.n_bridges }
    }
}

struct Search<'a> {
    graph: &'a StateGraph,
    /// Place of each state in the order of the search, from 1; 0 where it was not seen yet.
    place: Vec<u32>,
    n_seen: u32,
    is_articulation_point: Vec<bool>,
    n_bridges: u64,
}

/// A state on the path from the root to the one that is looked at.
struct Step {
    node: u32,
    parent: u32,
    /// The next arc.
    next: u32,
    /// First place that is reached from the state and those behind it by one edge that is not of the tree.
    lowest: u32,
}

impl Search<'_> {
    fn run(&mut self, root: u32) {
        let mut n_children_of_root = 0;
        // The path is a list of its own: deep maps would overflow the stack.
        let mut path = vec![self.enter(root, root)];
        while let Some(step) = path.last_mut() {
            match self.next_child(step) {
                Some(child) => {
                    let parent = step.node;
                    path.push(self.enter(child, parent));
                }
                None => {
                    let &mut Step { node, parent, lowest, .. } = step;
                    path.pop();
                    let Some(above) = path.last_mut() else { break };
                    above.lowest = above.lowest.min(lowest);
                    let place = self.place[parent as usize];
                    self.n_bridges += u64::from(lowest > place);
                    if parent == root {
                        n_children_of_root += 1;
                    } else if lowest >= place {
                        self.is_articulation_point[parent as usize] = true;
                    }
                    debug_assert_ne!(node, parent);
                }
            }
        }
        self.is_articulation_point[root as usize] = n_children_of_root > 1;
    }

    fn enter(&mut self, node: u32, parent: u32) -> Step {
        self.n_seen += 1;
        self.place[node as usize] = self.n_seen;
        Step { node, parent, next: self.graph.offsets()[node as usize], lowest: self.n_seen }
    }

    /// Looks at arcs up to the next one that leads to a state which was not seen yet.
    #[inline]
    fn next_child(&self, step: &mut Step) -> Option<u32> {
        let end = self.graph.offsets()[step.node as usize + 1];
        for (number, &after) in (step.next..end).zip(&self.graph.targets()[step.next as usize..end as usize]) {
            let place = self.place[after as usize];
            if place == 0 {
                step.next = number + 1;
                return Some(after);
            }
            if after != step.parent {
                step.lowest = step.lowest.min(place);
            }
        }
        None
    }
}

//! The distance of every state of a map to its nearest goal.

use super::level_map::LevelMap;
use super::state_graph::StateGraph;
use crate::game::Distance;

/// The distance of every state of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistanceTable {
    /// `UNREACHABLE` stands for an absent distance.
    values: Vec<u32>,
}

/// Entry of [`DistanceTable::values`] for a state from which no goal can be reached.
pub const UNREACHABLE: u32 = u32::MAX;

impl DistanceTable {
    /// The distances of all states by breadth-first search backwards from all goals at once.
    pub fn new(map: &LevelMap) -> Self {
        Self::from_goals(&map.graph, map.goals())
    }

    /// The distances of all nodes to the nearest of `goals`.
    pub fn from_goals(graph: &StateGraph, goals: impl Iterator<Item = u32>) -> Self {
        // Backwards from all goals at once, so that each arc is visited once, however many goals there are.
        let mut values = vec![UNREACHABLE; graph.n_states()];
        let mut queue: Vec<u32> = goals.inspect(|&goal| values[goal as usize] = 0).collect();
        let mut next = 0;
        while next < queue.len() {
            let node = queue[next];
            next += 1;
            let distance = values[node as usize] + 1;
            for &before in graph.predecessors(node) {
                let value = &mut values[before as usize];
                if *value == UNREACHABLE {
                    *value = distance;
                    queue.push(before);
                }
            }
        }
        Self { values }
    }

    /// The distance of a state; absent if no goal can be reached from it.
    #[inline]
    pub fn get(&self, node: u32) -> Option<Distance> {
        let value = self.values[node as usize];
        (value != UNREACHABLE).then_some(Distance(value))
    }

    /// The distances of all states in the order of their numbers, [`UNREACHABLE`] where no goal can be reached.
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// The distances of all states in the order of their numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<Distance>> + '_ {
        (0..self.values.len() as u32).map(|node| self.get(node))
    }

    /// The largest distance; absent if the map has no goal.
    pub fn max(&self) -> Option<Distance> {
        self.iter().flatten().max()
    }

    /// Number of states at each distance, from 0 to the largest.
    pub fn histogram(&self) -> Vec<u64> {
        let mut counts = vec![0; self.max().map_or(0, |max| max.0 as usize + 1)];
        for Distance(distance) in self.iter().flatten() {
            counts[distance as usize] += 1;
        }
        counts
    }

    /// `true` if the move from one state to a neighbour is optimal: it is one move nearer to a goal.
    #[inline]
    pub fn is_optimal(&self, before: u32, after: u32) -> bool {
        let (before, after) = (self.values[before as usize], self.values[after as usize]);
        before != UNREACHABLE && after < before
    }

    /// Number of a state's optimal moves.
    pub fn n_optimal(&self, graph: &StateGraph, node: u32) -> usize {
        graph.successors(node).iter().filter(|&&after| self.is_optimal(node, after)).count()
    }

    /// The states in ascending order of distance, those without one left out.
    pub fn by_distance(&self) -> Vec<u32> {
        // A counting sort: distances are small whole numbers, and states of one distance keep their order.
        let histogram = self.histogram();
        let mut next = Vec::with_capacity(histogram.len());
        let mut first = 0usize;
        for count in &histogram {
            next.push(first);
            first += *count as usize;
        }
        let mut order = vec![0; first];
        for node in 0..self.values.len() as u32 {
            if let Some(Distance(distance)) = self.get(node) {
                order[next[distance as usize]] = node;
                next[distance as usize] += 1;
            }
        }
        order
    }

    /// The number of shortest paths from each state to its nearest goals; a goal has one, the empty path.
    /// Absent where no goal can be reached, and where there are 2^64 or more.
    pub fn n_shortest(&self, graph: &StateGraph) -> Vec<Option<u64>> {
        let mut counts: Vec<Option<u64>> = vec![None; self.values.len()];
        // Nearest first, so that the counts of all optimal successors are known.
        for node in self.by_distance() {
            let paths = |&after: &u32| if self.is_optimal(node, after) { counts[after as usize] } else { Some(0) };
            counts[node as usize] = if self.values[node as usize] == 0 {
                Some(1)
            } else {
                graph.successors(node).iter().map(paths).try_fold(0u64, |sum, paths| sum.checked_add(paths?))
            };
        }
        counts
    }
}

//! Numbers of the map of a level, each made when it is asked for.

use super::connectivity::Connectivity;
use super::distances::DistanceTable;
use super::level_map::LevelMap;
use crate::game::{Distance, RankedDistances};

/// Numbers of the states of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateNumbers {
    /// Number of states.
    pub n_states: u64,
    /// Number of goals.
    pub n_goals: u64,
    /// Distance of the start; absent if the level cannot be solved.
    pub start_distance: Option<Distance>,
    /// Number of states at each distance, from 0 to the largest.
    pub histogram: Vec<u64>,
    /// Number of states from which no goal can be reached.
    pub n_dead_ends: u64,
}

impl StateNumbers {
    /// The numbers of the states of a map.
    pub fn new(map: &LevelMap, distances: &DistanceTable) -> Self {
        let histogram = distances.histogram();
        Self {
            n_states: map.n_states() as u64,
            n_goals: map.goals().count() as u64,
            start_distance: distances.get(0),
            n_dead_ends: map.n_states() as u64 - histogram.iter().sum::<u64>(),
            histogram,
        }
    }

    /// The numbers of states whose distances are known by their ranks.
    pub fn of_ranks(distances: &RankedDistances, start: u64) -> Self {
        let histogram = distances.histogram().to_vec();
        Self {
            n_states: distances.n_states(),
            n_goals: histogram.first().copied().unwrap_or(0),
            start_distance: distances.get(start).flatten(),
            histogram,
            n_dead_ends: distances.n_unsolvable(),
        }
    }

    /// Largest distance of any state; absent if there is no goal.
    pub fn max_distance(&self) -> Option<Distance> {
        Some(Distance(self.histogram.len().checked_sub(1)? as u32))
    }
}

/// Numbers of the moves between the states of a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveNumbers {
    /// Number of legal moves, summed over all states.
    pub n_arcs: u64,
    /// Number of unordered pairs of states that a move joins.
    pub n_edges: u64,
    /// Mean number of legal moves over all states that were expanded.
    pub mean_branching: f64,
    /// Largest number of legal moves of a state.
    pub max_branching: u64,
}

impl MoveNumbers {
    /// The numbers of the moves of a map.
    pub fn new(map: &LevelMap) -> Self {
        let graph = &map.graph;
        let n_expanded = if map.goals_expanded() { map.n_states() } else { map.n_states() - map.goals().count() };
        Self {
            n_arcs: graph.n_arcs() as u64,
            n_edges: graph.n_edges() as u64,
            mean_branching: graph.n_arcs() as f64 / n_expanded.max(1) as f64,
            max_branching: graph.offsets().windows(2).map(|pair| u64::from(pair[1] - pair[0])).max().unwrap_or(0),
        }
    }
}

/// The shortest solution that takes the first optimal move of each state: its states, start and goal
/// included. Absent if no goal can be reached.
pub fn first_solution(map: &LevelMap, distances: &DistanceTable) -> Option<Vec<u32>> {
    solution_from(map, distances, 0)
}

/// As [`first_solution`], from any state.
pub fn solution_from(map: &LevelMap, distances: &DistanceTable, start: u32) -> Option<Vec<u32>> {
    distances.get(start)?;
    let mut path = vec![start];
    let mut node = start;
    while let Some(&next) = map.graph.successors(node).iter().find(|&&after| distances.is_optimal(node, after)) {
        path.push(next);
        node = next;
    }
    Some(path)
}

/// The connectivity of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    /// Strongly connected component of each state, numbered in the order of their first states.
    pub component: Vec<u32>,
    /// Number of strongly connected components.
    pub n_components: u64,
    /// Number of states whose removal disconnects the map, moves taken as undirected.
    pub n_articulation_points: u64,
    /// Number of edges whose removal disconnects the map, moves taken as undirected.
    pub n_bridges: u64,
}

impl Structure {
    /// The structure of a map.
    pub fn new(map: &LevelMap) -> Self {
        let component = components(map);
        let symmetric;
        let undirected = if map.graph.is_symmetric() {
            &map.graph
        } else {
            symmetric = map.graph.undirected();
            &symmetric
        };
        let Connectivity { n_articulation_points, n_bridges } = Connectivity::new(undirected);
        Self {
            n_components: component.iter().max().map_or(0, |&last| u64::from(last) + 1),
            component,
            n_articulation_points,
            n_bridges,
        }
    }
}

/// The strongly connected component of each state.
fn components(map: &LevelMap) -> Vec<u32> {
    // All states are reached from the start; where every move can be undone they are one component.
    if map.graph.is_symmetric() {
        return vec![0; map.n_states()];
    }
    let mut components = petgraph::algo::kosaraju_scc(&map.graph);
    for states in &mut components {
        states.sort_unstable();
    }
    components.sort_unstable();
    let mut component = vec![0; map.n_states()];
    for (number, states) in (0u32..).zip(&components) {
        for &state in states {
            component[state as usize] = number;
        }
    }
    component
}

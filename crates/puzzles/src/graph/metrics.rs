//! Measures of the map of a level.

use super::distances::DistanceTable;
use super::level_map::LevelMap;
use crate::game::Distance;

/// Numbers that describe the map of one level.
#[derive(Clone, Debug, PartialEq)]
pub struct MapMetrics {
    /// Number of states.
    pub n_states: u64,
    /// Number of legal moves, summed over all states.
    pub n_arcs: u64,
    /// Number of unordered pairs of states that a move joins.
    pub n_edges: u64,
    /// Number of goals.
    pub n_goals: u64,
    /// Distance of the start; absent if the level cannot be solved.
    pub start_distance: Option<Distance>,
    /// Largest distance of any state.
    pub max_distance: Option<Distance>,
    /// Number of states at each distance, from 0 to the largest.
    pub histogram: Vec<u64>,
    /// Number of shortest solutions; absent if there is none, or 2^64 or more.
    pub n_shortest: Option<u64>,
    /// Number of states from which no goal can be reached.
    pub n_dead_ends: u64,
    /// Mean number of legal moves over all states that were expanded.
    pub mean_branching: f64,
    /// Largest number of legal moves of a state.
    pub max_branching: u64,
    /// n_optimal / n_legal, averaged over the plies of a shortest solution on which each optimal move
    /// is chosen with equal probability; absent if the level is unsolvable or solved at the start.
    pub share_optimal_on_solution: Option<f64>,
}

impl MapMetrics {
    /// The numbers of a map and its distances.
    pub fn new(map: &LevelMap, distances: &DistanceTable) -> Self {
        let graph = &map.graph;
        let n_expanded = (0..map.n_states() as u32).filter(|&node| map.goals_expanded() || !map.is_goal(node)).count();
        let start_distance = distances.get(0);
        Self {
            n_states: map.n_states() as u64,
            n_arcs: graph.n_arcs() as u64,
            n_edges: graph.n_edges() as u64,
            n_goals: map.goals().count() as u64,
            start_distance,
            max_distance: distances.max(),
            histogram: distances.histogram(),
            n_shortest: n_shortest_from_start(map, distances),
            n_dead_ends: distances.iter().filter(Option::is_none).count() as u64,
            mean_branching: graph.n_arcs() as f64 / n_expanded.max(1) as f64,
            max_branching: (0..map.n_states() as u32).map(|node| graph.successors(node).len()).max().unwrap_or(0)
                as u64,
            share_optimal_on_solution: share_optimal_on_solution(map, distances),
        }
    }
}

/// The states on shortest paths from the start, layer by layer: the start, then all that are one optimal
/// move on, …, then the nearest goals. Empty if no goal can be reached. Each layer ascends.
pub fn optimal_layers(map: &LevelMap, distances: &DistanceTable) -> Vec<Vec<u32>> {
    let Some(Distance(distance)) = distances.get(0) else { return Vec::new() };
    let mut layers = vec![vec![0]];
    for _ in 0..distance {
        let last: &Vec<u32> = &layers[layers.len() - 1];
        let mut next: Vec<u32> = last.iter().flat_map(|&node| optimal_successors(map, distances, node)).collect();
        next.sort_unstable();
        next.dedup();
        layers.push(next);
    }
    layers
}

pub(super) fn optimal_successors<'a>(
    map: &'a LevelMap,
    distances: &'a DistanceTable,
    node: u32,
) -> impl Iterator<Item = u32> + 'a {
    map.graph.successors(node).iter().copied().filter(move |&after| distances.is_optimal(node, after))
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
    while let Some(next) = optimal_successors(map, distances, node).next() {
        path.push(next);
        node = next;
    }
    Some(path)
}

/// Ways counted forwards over the layers between the start and the nearest goals.
fn n_shortest_from_start(map: &LevelMap, distances: &DistanceTable) -> Option<u64> {
    let layers = optimal_layers(map, distances);
    let mut paths = vec![1u64];
    for pair in layers.windows(2) {
        let mut next = vec![0u64; pair[1].len()];
        // Only two layers of counts are held at a time: a path never comes back to a layer.
        for (&node, &count) in pair[0].iter().zip(&paths) {
            for after in optimal_successors(map, distances, node) {
                let slot = pair[1].partition_point(|&other| other < after);
                next[slot] = next[slot].checked_add(count)?;
            }
        }
        paths = next;
    }
    if layers.is_empty() { None } else { paths.iter().try_fold(0u64, |sum, &count| sum.checked_add(count)) }
}

fn share_optimal_on_solution(map: &LevelMap, distances: &DistanceTable) -> Option<f64> {
    let layers = optimal_layers(map, distances);
    if layers.len() < 2 {
        return None;
    }
    let mut probabilities = vec![1.0];
    let mut sum = 0.0;
    for pair in layers.windows(2) {
        let mut next = vec![0.0; pair[1].len()];
        // Probabilities are pushed from layer to layer: exact, where drawing solutions would give an estimate.
        for (&node, &probability) in pair[0].iter().zip(&probabilities) {
            let n_optimal = distances.n_optimal(&map.graph, node) as f64;
            sum += probability * n_optimal / map.graph.successors(node).len() as f64;
            for after in optimal_successors(map, distances, node) {
                next[pair[1].partition_point(|&other| other < after)] += probability / n_optimal;
            }
        }
        probabilities = next;
    }
    Some(sum / (layers.len() - 1) as f64)
}

/// The connectivity of a map, by petgraph's algorithms on the graph itself.
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
        Self {
            n_components: component.iter().max().map_or(0, |&last| u64::from(last) + 1),
            component,
            n_articulation_points: petgraph::algo::articulation_points::articulation_points(undirected).len() as u64,
            // An undirected edge is stored as two arcs, and petgraph reports both.
            n_bridges: petgraph::algo::bridges::bridges(undirected).count() as u64 / 2,
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

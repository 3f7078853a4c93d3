//! Measures of all shortest solutions of a level together.

use super::distances::DistanceTable;
use super::level_map::LevelMap;
use super::metrics::{optimal_layers, optimal_successors};

/// Numbers that describe all shortest solutions of a level.
#[derive(Clone, Debug, PartialEq)]
pub struct OptimalPaths {
    /// Number of states that lie on a shortest solution, start and goals included.
    pub n_states: u64,
    /// Number of moves after which every shortest solution is in the same state; the start does not count, nor do the
    /// goals.
    pub n_bottlenecks: u64,
    /// Entropy, in bits, of the shortest solution that is drawn by choosing uniformly at random among the optimal moves
    /// of each state: Σ p(s) log₂ k(s) over the states s on the path with k optimal moves (Cover and Thomas, 2006,
    /// chain rule of entropy). 0 if there is only one.
    pub entropy_bits: f64,
}

impl OptimalPaths {
    /// The shortest solutions from the start of a map; absent if there is none.
    pub fn new(map: &LevelMap, distances: &DistanceTable) -> Option<Self> {
        let layers = optimal_layers(map, distances);
        let n_layers = layers.len();
        if n_layers == 0 {
            return None;
        }
        let between = layers.iter().skip(1).take(n_layers.saturating_sub(2));
        let mut entropy_bits = 0.0;
        let mut probabilities = vec![1.0];
        for pair in layers.windows(2) {
            let mut next = vec![0.0; pair[1].len()];
            for (&node, &probability) in pair[0].iter().zip(&probabilities) {
                let n_optimal = optimal_successors(map, distances, node).count() as f64;
                entropy_bits += probability * n_optimal.log2();
                for after in optimal_successors(map, distances, node) {
                    next[pair[1].partition_point(|&other| other < after)] += probability / n_optimal;
                }
            }
            probabilities = next;
        }
        Some(Self {
            n_states: layers.iter().map(|layer| layer.len() as u64).sum(),
            n_bottlenecks: between.filter(|layer| layer.len() == 1).count() as u64,
            entropy_bits,
        })
    }
}

/// The fewest moves of a shortest solution after which an estimate of the distance is higher than before: moves that
/// every shortest solution has to make, though they seem to lead away from the goal. Absent if there is no solution.
pub fn n_moves_away(map: &LevelMap, distances: &DistanceTable, estimate: impl Fn(u32) -> f64) -> Option<u64> {
    let layers = optimal_layers(map, distances);
    let mut fewest = vec![0u64];
    for pair in layers.windows(2) {
        let mut next = vec![u64::MAX; pair[1].len()];
        for (&node, &count) in pair[0].iter().zip(&fewest) {
            let here = estimate(node);
            for after in optimal_successors(map, distances, node) {
                let slot = &mut next[pair[1].partition_point(|&other| other < after)];
                *slot = (*slot).min(count + u64::from(estimate(after) > here));
            }
        }
        fewest = next;
    }
    if layers.is_empty() { None } else { fewest.into_iter().min() }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::diagnostic::SourceText;
    use crate::game::LevelText;
    use crate::graph::MapOptions;
    use crate::registry::{Game, RuleOptions};
    use crate::rules::Rules;

    fn mapped(game: &str, text: &str) -> (Box<dyn Rules>, LevelMap, DistanceTable) {
        let source = Arc::new(SourceText { path: "level.txt".into(), text: text.to_owned() });
        let level = LevelText { text, source: &source, span: 0..text.len() };
        let rules = (Game::named(game).unwrap().load)(&level, &RuleOptions::default()).unwrap();
        let map = rules.map(&MapOptions::default()).unwrap();
        let distances = DistanceTable::new(&map);
        (rules, map, distances)
    }

    /// Three lamps in a row, the outer ones on: press both, in either order. The states between differ.
    #[test]
    fn two_solutions_have_one_bit_and_no_bottleneck() {
        let (_, map, distances) = mapped("lights-out", "# board: 3x1\n*.*\n");
        let solution = distances.get(0).map(|distance| distance.0);
        let paths = OptimalPaths::new(&map, &distances).unwrap();
        assert_eq!(solution, Some(2));
        assert_eq!(paths, OptimalPaths { n_states: 4, n_bottlenecks: 0, entropy_bits: 1.0 });
    }

    /// The tower of Hanoi has a single shortest solution: every state on it is a bottleneck.
    #[test]
    fn a_single_solution_is_all_bottlenecks() {
        let (_, map, distances) = mapped("tower-of-hanoi", "3 disks 3 pegs\n");
        let paths = OptimalPaths::new(&map, &distances).unwrap();
        assert_eq!(paths, OptimalPaths { n_states: 8, n_bottlenecks: 6, entropy_bits: 0.0 });
        let exact = |node: u32| f64::from(distances.get(node).unwrap().0);
        assert_eq!(n_moves_away(&map, &distances, exact), Some(0), "the distance itself never rises");
        assert_eq!(n_moves_away(&map, &distances, |node| -exact(node)), Some(7), "and its opposite always does");
    }
}

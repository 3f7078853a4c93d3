//! All shortest solutions of a level together.

use super::distances::DistanceTable;
use super::level_map::LevelMap;
use crate::game::Distance;

/// Numbers that describe all shortest solutions of a level.
#[derive(Clone, Debug, PartialEq)]
pub struct ShortestSolutions {
    /// Number of them; absent if they are 2^64 or more.
    pub n_solutions: Option<u64>,
    /// Number of states that lie on a shortest solution, start and goals included.
    pub n_states: u64,
    /// Number of moves after which every shortest solution is in the same state; the start does not count, nor do the
    /// goals.
    pub n_bottlenecks: u64,
    /// n_optimal / n_legal, averaged over the plies of a shortest solution on which each optimal move is chosen with
    /// equal probability; absent if the level is solved at the start.
    pub share_optimal: Option<f64>,
    /// Entropy, in bits, of the shortest solution that is drawn by choosing uniformly at random among the optimal moves
    /// of each state: Σ p(s) log₂ k(s) over the states s on the path with k optimal moves (Cover and Thomas, 2006,
    /// chain rule of entropy). 0 if there is only one.
    pub entropy_bits: f64,
}

impl ShortestSolutions {
    /// The shortest solutions from the start of a map; absent if there is none.
    ///
    /// A state after n moves of a shortest solution is n moves from the start, and states are numbered by their depth:
    /// so one pass over the states in their order meets each before those that its optimal moves lead to.
    pub fn new(map: &LevelMap, distances: &DistanceTable) -> Option<Self> {
        let Distance(distance) = distances.get(0)?;
        let mut ways = vec![Way::default(); map.layers().nth(distance as usize)?.end as usize];
        ways[0] = Way { n: Some(1), probability: 1.0 };
        let mut numbers =
            Self { n_solutions: Some(0), n_states: 0, n_bottlenecks: 0, share_optimal: None, entropy_bits: 0.0 };
        let mut sum = 0.0;
        for (depth, layer) in (0..=distance).zip(map.layers()) {
            let before = numbers.n_states;
            for node in layer {
                let Way { n, probability } = ways[node as usize];
                if n == Some(0) {
                    continue;
                }
                numbers.n_states += 1;
                if depth == distance {
                    numbers.n_solutions = numbers.n_solutions.zip(n).and_then(|(sum, n)| sum.checked_add(n));
                    continue;
                }
                let after = map.graph.successors(node);
                let optimal = || after.iter().filter(|&&after| distances.is_optimal(node, after));
                let n_optimal = optimal().count() as f64;
                sum += probability * n_optimal / after.len() as f64;
                numbers.entropy_bits += probability * n_optimal.log2();
                for &after in optimal() {
                    let way = &mut ways[after as usize];
                    way.n = way.n.zip(n).and_then(|(sum, n)| sum.checked_add(n));
                    way.probability += probability / n_optimal;
                }
            }
            let is_between = depth > 0 && depth < distance;
            numbers.n_bottlenecks += u64::from(is_between && numbers.n_states - before == 1);
        }
        numbers.share_optimal = (distance > 0).then(|| sum / f64::from(distance));
        Some(numbers)
    }
}

/// The ways from the start to a state by optimal moves.
#[derive(Clone, Copy)]
struct Way {
    /// Their number; absent where it is 2^64 or more.
    n: Option<u64>,
    probability: f64,
}

impl Default for Way {
    fn default() -> Self {
        Self { n: Some(0), probability: 0.0 }
    }
}

/// The fewest moves of a shortest solution after which an estimate of the distance is higher than before: moves that
/// every shortest solution has to make, though they seem to lead away from the goal. Absent if there is no solution.
pub fn n_moves_away(map: &LevelMap, distances: &DistanceTable, estimate: impl Fn(u32) -> f64) -> Option<u64> {
    let Distance(distance) = distances.get(0)?;
    let mut fewest = vec![u64::MAX; map.layers().nth(distance as usize)?.end as usize];
    fewest[0] = 0;
    let mut layers = map.layers();
    for node in layers.by_ref().take(distance as usize).flatten() {
        let n = fewest[node as usize];
        if n == u64::MAX {
            continue;
        }
        let here = estimate(node);
        for &after in map.graph.successors(node).iter().filter(|&&after| distances.is_optimal(node, after)) {
            let n_after = &mut fewest[after as usize];
            *n_after = (*n_after).min(n + u64::from(estimate(after) > here));
        }
    }
    layers.next()?.map(|goal| fewest[goal as usize]).min()
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
        let paths = ShortestSolutions::new(&map, &distances).unwrap();
        assert_eq!(solution, Some(2));
        let share_optimal = paths.share_optimal.unwrap();
        assert!((share_optimal - 0.5).abs() < 1e-15, "two of three moves, then one of three: {share_optimal}");
        assert_eq!(
            paths,
            ShortestSolutions {
                n_solutions: Some(2),
                n_states: 4,
                n_bottlenecks: 0,
                share_optimal: Some(share_optimal),
                entropy_bits: 1.0
            }
        );
    }

    /// The tower of Hanoi has a single shortest solution: every state on it is a bottleneck.
    #[test]
    fn a_single_solution_is_all_bottlenecks() {
        let (_, map, distances) = mapped("tower-of-hanoi", "3 disks 3 pegs\n");
        let paths = ShortestSolutions::new(&map, &distances).unwrap();
        assert_eq!(
            paths,
            ShortestSolutions {
                n_solutions: Some(1),
                n_states: 8,
                n_bottlenecks: 6,
                share_optimal: paths.share_optimal,
                entropy_bits: 0.0
            }
        );
        let exact = |node: u32| f64::from(distances.get(node).unwrap().0);
        assert_eq!(n_moves_away(&map, &distances, exact), Some(0), "the distance itself never rises");
        assert_eq!(n_moves_away(&map, &distances, |node| -exact(node)), Some(7), "and its opposite always does");
    }
}

//! Players as Markov chains: the moves among which each chooses.

use std::borrow::Cow;

use plymap_puzzles::graph::{Adjacency, DistanceTable, LevelMap, UNREACHABLE};

/// A player on a map who remembers nothing, and chooses uniformly at random among some of the legal moves of each
/// position. At a goal play is over.
#[derive(Clone, Debug)]
pub struct Chain<'a> {
    pub(super) map: &'a LevelMap,
    /// States that the moves lead to, each as often as there are moves.
    pub(super) moves: Cow<'a, Adjacency>,
}

/// Losses that differ by less than this part are equal, as they are for players.
const TOLERANCE: f64 = 1e-9;

impl<'a> Chain<'a> {
    /// A random walk: any legal move.
    pub fn random_walk(map: &'a LevelMap) -> Self {
        Self { map, moves: Cow::Borrowed(map.graph.arcs()) }
    }

    /// A greedy player: to a position with the least estimate, and to a goal before all others. `estimates` are those
    /// of all states, 0 or more.
    pub fn greedy(map: &'a LevelMap, estimates: &[f64]) -> Self {
        Self::of_least(map, |state| if map.is_goal(state) { -1.0 } else { estimates[state as usize] })
    }

    /// A player who looks `depth` moves ahead, from 1: along a path of that many moves with the least sum of their
    /// number and the estimate at its end, which is at least 1 where that is no goal. A path that comes to a goal ends
    /// there with nothing to add, and is preferred to none that comes to a state without moves.
    pub fn look_ahead(map: &'a LevelMap, depth: u32, estimates: &[f64]) -> Self {
        let states = || 0..map.n_states() as u32;
        let at_end = |state: u32| if map.is_goal(state) { 0.0 } else { estimates[state as usize].max(1.0) };
        let mut rest: Vec<f64> = states().map(at_end).collect();
        for _ in 1..depth {
            let least = |state: u32| {
                let after = map.graph.successors(state).iter();
                1.0 + after.map(|&after| rest[after as usize]).fold(f64::INFINITY, f64::min)
            };
            let next = states().map(|state| if map.is_goal(state) { 0.0 } else { least(state) }).collect();
            if std::mem::replace(&mut rest, next) == rest {
                break;
            }
        }
        Self::of_least(map, |state| 1.0 + rest[state as usize])
    }

    /// The moves to where the loss is least; all of them where each is infinite.
    fn of_least(map: &'a LevelMap, loss: impl Fn(u32) -> f64) -> Self {
        let mut moves = Adjacency { offsets: vec![0], targets: Vec::new() };
        for state in 0..map.n_states() as u32 {
            let after = map.graph.successors(state).iter().copied();
            let least = after.clone().map(&loss).fold(f64::INFINITY, f64::min);
            let tolerance = TOLERANCE * least.abs().max(1.0);
            let is_chosen = |&after: &u32| least.is_infinite() || loss(after) - least <= tolerance;
            if !map.is_goal(state) {
                moves.targets.extend(after.filter(is_chosen));
            }
            // No more than the map has, and those it could number.
            moves.offsets.push(moves.targets.len() as u32);
        }
        moves.targets.shrink_to_fit();
        Self { map, moves: Cow::Owned(moves) }
    }

    /// The states that the moves lead to among which the player chooses, each as often as there are moves.
    pub fn choices(&self, state: u32) -> &[u32] {
        if self.map.is_goal(state) { &[] } else { self.moves.of(state) }
    }
}

/// The distance of each state as an estimate of a player; infinite where no goal can be reached.
pub fn true_distances(distances: &DistanceTable) -> Vec<f64> {
    let number = |&value: &u32| if value == UNREACHABLE { f64::INFINITY } else { f64::from(value) };
    distances.values().iter().map(number).collect()
}

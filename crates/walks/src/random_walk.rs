//! Random moves on a map: the probability that they come to a goal.
//!
//! Somebody makes any legal move with the same probability, and goes on after it with the probability q. From a state
//! that is no goal, V = q · mean of V over what its moves lead to; at a goal V = 1 (absorption of a Markov chain;
//! Kemeny & Snell, 1960. *Finite Markov chains*, chapter 3). Moves that lead to the same position count as one.
//!
//! On maps that are deep and thin, as those of towers are, the equations are solved directly, by elimination. On
//! others where walks are short, by sweeps over the states by their distance, of which all terms are positive, so
//! that small probabilities keep their digits. Where they are long and moves can be undone, by conjugate gradients
//! (Hestenes & Stiefel, 1952. *Journal of Research of the National Bureau of Standards*, 49, 409–436), with sweeps
//! behind them. Each pass visits each move once; most walks of fewer than 10 moves take fewer than 100 passes.

use std::ops::Range;

use plymap_puzzles::graph::{DistanceTable, LevelMap};

use crate::elimination::Elimination;

/// Walks that go on with a probability up to this one are solved by sweeps alone.
const MOST_BY_SWEEPS: f64 = 0.9;

/// A sweep that changes no probability by a larger part than this is the last.
const LAST_CHANGE: f64 = 1e-13;

/// Passes after which the solution is given up on any map.
const MOST_PASSES: usize = 4_000;

/// Visits of moves after which it is given up: a second or less.
const MOST_VISITS: usize = 1_000_000_000;

/// Sweeps that go by steps: those before are quicker where maps are not deep, and those behind always come nearer the
/// solution.
const BY_STEPS: Range<usize> = 100..400;

/// A map is deep if a state is farther than this from all goals. A Tower of Hanoi of 1,023 moves was given up after
/// 10 s of passes; on maps of the demo, of 33 moves at most, passes are quick.
const DEEP: u32 = 100;

/// A map is thin if elimination visits no more neighbours than this for each move: half as many as passes do on maps
/// that are not deep, some 4,000 for 56 lengths of walks.
const MOST_OF_MOVE: usize = 30;

/// The residual, as a part of that at the beginning, at which conjugate gradients end.
const SMALLEST_RESIDUAL: f64 = 1e-13;

/// Probabilities below this do not make a sweep go on.
const SMALLEST: f64 = 1e-200;

/// Random walks on a map.
pub struct RandomWalks<'a> {
    map: &'a LevelMap,
    /// States from which a goal can be reached, without goals, by distance.
    order: Vec<u32>,
    /// For each of them a state that a move leads to and that is nearer the goal.
    nearer: Vec<u32>,
    /// For each state its place in the order, from 1; 0 for others.
    places: Vec<u32>,
    /// Elimination of the states of the order, if the map is deep and thin.
    elimination: Option<Elimination>,
    /// `true` if each move between them is undone by one move.
    is_symmetric: bool,
    /// Passes after which the solution is given up.
    most_passes: usize,
}

impl<'a> RandomWalks<'a> {
    /// Walks on this map.
    pub fn new(map: &'a LevelMap, distances: &DistanceTable) -> Self {
        let order: Vec<u32> = distances.by_distance().into_iter().filter(|&node| !map.is_goal(node)).collect();
        let is_back = |node: u32, after: u32| map.is_goal(after) || map.graph.successors(after).contains(&node);
        let is_symmetric =
            order.iter().all(|&node| map.graph.successors(node).iter().all(|&after| is_back(node, after)));
        let nearest = |node: u32| {
            let after = map.graph.successors(node).iter().copied().filter(|&after| distances.get(after).is_some());
            after.min_by_key(|&after| distances.get(after)).unwrap_or(node)
        };
        let nearer = order.iter().map(|&node| nearest(node)).collect();
        let mut places = vec![0; map.n_states()];
        order.iter().zip(1..).for_each(|(&node, place)| places[node as usize] = place);
        let is_deep = distances.max().is_some_and(|farthest| farthest.0 > DEEP);
        let n_visits: usize = order.iter().map(|&node| map.graph.successors(node).len()).sum();
        Self {
            map,
            elimination: is_deep.then(|| Elimination::new(&map.graph, &order, MOST_OF_MOVE * n_visits)).flatten(),
            order,
            nearer,
            places,
            is_symmetric,
            most_passes: (MOST_VISITS / n_visits.max(1)).clamp(1, MOST_PASSES),
        }
    }

    /// For each state the probability that a walk from it comes to a goal, if it goes on after each move with the
    /// probability `continuing`, below 1; nothing if the map is not deep and thin, and that was not found in 4,000
    /// passes, or 1,000,000,000 visits of moves. `start` are probabilities near the solution.
    pub fn absorption(&self, continuing: f64, start: Option<Vec<f64>>) -> Option<Vec<f64>> {
        let mut values = start.unwrap_or_else(|| vec![0.0; self.map.n_states()]);
        for node in 0..self.map.n_states() as u32 {
            if self.map.is_goal(node) {
                values[node as usize] = 1.0;
            }
        }
        if let Some(elimination) = &self.elimination {
            elimination.solve(self.map, continuing, &mut values);
            return Some(values);
        }
        let are_long = continuing > MOST_BY_SWEEPS;
        if are_long && self.is_symmetric {
            self.conjugate_gradients(continuing, &mut values)?;
        }
        let mut before = Vec::new();
        let mut is_last = |pass: usize| {
            // In long walks, what is behind a state changes too much with it.
            if are_long || !BY_STEPS.contains(&pass) {
                return self.sweep(continuing, &mut values) < LAST_CHANGE;
            }
            before.clone_from(&values);
            self.sweep_by_steps(continuing, &before, &mut values) < LAST_CHANGE
        };
        (0..self.most_passes).any(&mut is_last).then_some(values)
    }

    /// Solves one equation after the other; the largest relative change.
    fn sweep(&self, continuing: f64, values: &mut [f64]) -> f64 {
        let mut largest: f64 = 0.0;
        for &node in &self.order {
            let after = self.map.graph.successors(node);
            // Gauss-Seidel: a new value is used at once, and in the order of distance one sweep carries it from the
            // goals to the farthest state.
            let sum: f64 = after.iter().map(|&after| values[after as usize]).sum();
            let value = continuing * sum / after.len() as f64;
            if value > SMALLEST {
                largest = largest.max((value - values[node as usize]).abs() / value);
            }
            values[node as usize] = value;
        }
        largest
    }

    /// The same, where what is not yet solved is taken to change by the factor by which the nearer state changed.
    ///
    /// Far from the goals a probability is nearly a product, of what each step towards them costs. Otherwise a better
    /// value of one step would wander through all steps behind it, and back: on a map that is 1,000 moves deep, walks
    /// of 6 moves need 570 sweeps instead of 70.
    fn sweep_by_steps(&self, continuing: f64, before: &[f64], values: &mut [f64]) -> f64 {
        let mut largest: f64 = 0.0;
        for ((&node, &nearer), place) in self.order.iter().zip(&self.nearer).zip(1..) {
            let (old, new) = (before[nearer as usize], values[nearer as usize]);
            let factor = if old > SMALLEST { new / old } else { 1.0 };
            let after = self.map.graph.successors(node);
            let chance = |&after: &u32| {
                let value = values[after as usize];
                if self.places[after as usize] < place { value } else { (value * factor).min(1.0) }
            };
            let value = continuing * after.iter().map(chance).sum::<f64>() / after.len() as f64;
            if value > SMALLEST {
                largest = largest.max((value - values[node as usize]).abs() / value);
            }
            values[node as usize] = value;
        }
        largest
    }

    /// Solves n V − q Σ V = 0 for all states at once, whose matrix is symmetric; n is the number of moves of a state,
    /// which also scales the search.
    fn conjugate_gradients(&self, continuing: f64, values: &mut [f64]) -> Option<()> {
        let n_moves = |node: u32| self.map.graph.successors(node).len() as f64;
        let image = |vector: &[f64], node: u32| {
            let after = self.map.graph.successors(node);
            let sum: f64 = after.iter().map(|&after| vector[after as usize]).sum();
            after.len() as f64 * vector[node as usize] - continuing * sum
        };
        let n = values.len();
        let (mut residual, mut direction) = (vec![0.0; n], vec![0.0; n]);
        let mut square = 0.0;
        for &node in &self.order {
            let image_of_node = -image(values, node);
            residual[node as usize] = image_of_node;
            direction[node as usize] = image_of_node / n_moves(node);
            square += image_of_node * image_of_node / n_moves(node);
        }
        let target = square * SMALLEST_RESIDUAL * SMALLEST_RESIDUAL;
        let mut images = vec![0.0; n];
        for _ in 0..self.most_passes {
            if square <= target {
                // What rounding left below 0 is nearly 0, and the sweeps will tell.
                values.iter_mut().for_each(|value| *value = value.max(0.0));
                return Some(());
            }
            let mut curvature = 0.0;
            for &node in &self.order {
                images[node as usize] = image(&direction, node);
                curvature += images[node as usize] * direction[node as usize];
            }
            // Never 0: the matrix is symmetric and, for q below 1, diagonally dominant, so positive definite.
            let step = square / curvature;
            let mut next = 0.0;
            for &node in &self.order {
                let place = node as usize;
                values[place] += step * direction[place];
                residual[place] -= step * images[place];
                next += residual[place] * residual[place] / n_moves(node);
            }
            let share = next / square;
            for &node in &self.order {
                let place = node as usize;
                direction[place] = residual[place] / n_moves(node) + share * direction[place];
            }
            square = next;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plymap_puzzles::graph::MapOptions;
    use plymap_puzzles::registry::{Game, RuleOptions};
    use plymap_puzzles::valuation::LoadedLevel;

    /// Maps whose moves can be undone, and whose moves cannot and most states are lost: on maps that are not deep, so
    /// that passes come to the solution, too.
    #[test]
    fn elimination_and_passes_come_to_the_same() {
        let levels = [
            ("rush-hour", "..BCC.\n..B...\nAAB...>\n....DD\n.E....\n.E....\n"),
            ("match-the-tiles", "....x\n.A.xB\n.....\n...xb\n.xa..\n"),
        ];
        for (game, text) in levels {
            let game = Game::named(game).unwrap();
            let level = LoadedLevel::from_text("level", text, game, &RuleOptions::default());
            let map = level.unwrap().rules.map(&MapOptions::default()).unwrap();
            let distances = DistanceTable::new(&map);
            let mut walks = RandomWalks::new(&map, &distances);
            assert!(walks.elimination.is_none() && walks.order.len() > 10, "{}", walks.order.len());
            for continuing in [0.02, 0.5, 0.95, 0.9997] {
                walks.elimination = None;
                let by_passes = walks.absorption(continuing, None).unwrap();
                walks.elimination = Elimination::new(&map.graph, &walks.order, usize::MAX);
                let directly = walks.absorption(continuing, None).unwrap();
                for (node, (one, other)) in by_passes.into_iter().zip(directly).enumerate() {
                    let is_dead_end = distances.get(node as u32).is_none();
                    // Passes end when they change a value by 1e-13 of it, and those of long walks add up.
                    assert!((one - other).abs() <= 1e-10 * one && (one == 0.0) == is_dead_end, "{one}, {other}");
                }
            }
        }
    }
}

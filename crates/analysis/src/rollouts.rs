//! Probabilities that random rollouts from a position reach a goal, for each of the lengths of [`rollout_lengths`].

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::dataset::Dataset;
use super::mapped::{MappedLevel, mapped_levels};
use plymap_choice::{RolloutCurve, rollout_lengths};
use plymap_puzzles::distance::Evaluation;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_walks::random_walk::RandomWalks;

/// States of all maps together beyond which no rollouts are considered: each takes some 4,000 visits of each of its moves,
/// 0.2 ms in all.
const MOST_STATES: usize = 1_000_000;

/// States that moves lead to, each with a curve of 1.2 kB, so some 600 MB.
const MOST_AFTER: usize = 500_000;

/// Rollout curves of the states after the legal moves of each position that was met.
pub(super) struct Rollouts {
    /// Index in `curves` of each legal move of each position, if it has one.
    places: Vec<Vec<Option<u32>>>,
    curves: Vec<Arc<RolloutCurve>>,
}

/// The states that moves lead to, ascending, and the rollouts from each.
type Solved = (Vec<u32>, Vec<Arc<RolloutCurve>>);

/// The legal moves of a position, as nodes of the map of its level.
type Moves = Vec<Option<u32>>;

impl Rollouts {
    /// Solves the equations of random walks on the map of each level.
    ///
    /// # Errors
    ///
    /// In words, why there are none: a level without a whole map, more states than [`MOST_STATES`] or [`MOST_AFTER`], or
    /// equations that were not solved.
    pub fn new(
        data: &Dataset,
        levels: &HashMap<&str, &ValuedLevel>,
        evaluations: &[Option<Evaluation>],
    ) -> Result<Self, String> {
        let played = mapped_levels(data, levels, MOST_STATES)?;
        let moves_of = |level: &MappedLevel, position: usize| -> Option<Moves> {
            let moves = &evaluations[position].as_ref()?.moves;
            Some(moves.iter().map(|valued| level.whole.map.node(valued.legal.after)).collect())
        };
        let of_level = |level: &MappedLevel| {
            let moves = |&position: &usize| Some((position, moves_of(level, position)?));
            let moves: Vec<(usize, Moves)> = level.positions.iter().filter_map(moves).collect();
            Ok((solved(level, &moves)?, moves))
        };
        let solutions: Vec<(Solved, Vec<(usize, Moves)>)> =
            played.par_iter().map(of_level).collect::<Result<_, String>>()?;
        let n_after: usize = solutions.iter().map(|((nodes, _), _)| nodes.len()).sum();
        if n_after > MOST_AFTER {
            return Err(format!(
                "moves lead to {n_after} positions; random moves are followed from at most {MOST_AFTER}"
            ));
        }
        let mut places = vec![Vec::new(); data.positions.len()];
        let mut curves = Vec::new();
        let mut first = 0;
        for ((nodes, level_curves), moves) in solutions {
            for (position, after) in &moves {
                let place = |node: &Option<u32>| {
                    let place = nodes.binary_search(&(*node)?).ok()?;
                    Some(first + place as u32)
                };
                places[*position] = after.iter().map(place).collect();
            }
            first += nodes.len() as u32;
            curves.extend(level_curves);
        }
        Ok(Self { places, curves })
    }

    /// The rollouts from after a legal move of a position, by its number, where they are known.
    pub fn of(&self, position: usize, number: usize) -> Option<&Arc<RolloutCurve>> {
        let place = self.places[position].get(number).copied().flatten()?;
        self.curves.get(place as usize)
    }
}

/// Returns the states after the moves of these positions of a level, ascending, with the rollout curve of each.
fn solved(level: &MappedLevel, moves: &[(usize, Moves)]) -> Result<Solved, String> {
    let mut nodes: Vec<u32> = moves.iter().flat_map(|(_, after)| after.iter().flatten().copied()).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let walks = RandomWalks::new(&level.whole.map, &level.whole.distances);
    let lengths = rollout_lengths();
    let mut table = vec![0.0; nodes.len() * lengths.len()];
    let mut last: Option<Vec<f64>> = None;
    // From the shortest on, so that each solution is a start for the next.
    for (place, length) in lengths.iter().enumerate().rev() {
        let continuing = 1.0 - 1.0 / length;
        let why = || {
            format!("random moves, {length:.0} on average, could not be followed to their end on {}", level.level.id)
        };
        let values = walks.absorption(continuing, last.take()).ok_or_else(why)?;
        for (number, &node) in nodes.iter().enumerate() {
            table[number * lengths.len() + place] = values[node as usize];
        }
        last = Some(values);
    }
    let curve = |values: &[f64]| RolloutCurve::new(values).map(Arc::new).map_err(|reason| reason.to_string());
    Ok((nodes, table.par_chunks_exact(lengths.len()).map(curve).collect::<Result<_, String>>()?))
}

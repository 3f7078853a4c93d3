//! Where random moves from a position lead: the probability that a rollout comes to a goal, for each of the lengths of
//! [`rollout_lengths`].

use std::collections::HashMap;

use rayon::prelude::*;

use super::dataset::Dataset;
use plymap_puzzles::distance::Evaluation;
use plymap_puzzles::graph::random_walk::RandomWalks;
use plymap_puzzles::valuation::{ValuedLevel, WholeMap};
use plymap_statistics::model::rollout_lengths;

/// States of all maps together beyond which no rollouts are considered: each takes some 4,000 visits of each of its moves,
/// 0.2 ms in all.
const MOST_STATES: usize = 1_000_000;

/// States that moves lead to, each with a probability for each length: 448 bytes each, so some 450 MB.
const MOST_AFTER: usize = 1_000_000;

/// Of each position that was met the rollouts from after its legal moves.
pub(super) struct Rollouts {
    /// For each position the place in `probabilities` of each legal move, if it has one.
    places: Vec<Vec<Option<u32>>>,
    /// For each length a probability, state by state.
    probabilities: Vec<f64>,
}

/// The states that moves lead to, ascending, and for each its probability for each length.
type Solved = (Vec<u32>, Vec<f64>);

/// A level that was played: the positions that were met, and where their legal moves lead.
struct Played<'a> {
    level: &'a ValuedLevel,
    whole: &'a WholeMap,
    /// By position, its legal moves as nodes of the map.
    positions: Vec<(usize, Vec<Option<u32>>)>,
}

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
        if !data.unit.is_distance() {
            return Err("values are points, and there is no goal to come to".to_owned());
        }
        let mut of_level: Vec<Vec<usize>> = vec![Vec::new(); data.levels.len()];
        for (position, (level, _)) in data.positions.iter().enumerate() {
            of_level[*level].push(position);
        }
        let mut played = Vec::new();
        for (name, positions) in data.levels.iter().zip(&of_level).filter(|(_, positions)| !positions.is_empty()) {
            let Some(&level) = levels.get(name.as_str()) else { continue };
            let Some(whole) = &level.whole else { return Err(format!("{name} was not mapped whole")) };
            let nodes = |&position: &usize| {
                let moves = &evaluations[position].as_ref()?.moves;
                Some((position, moves.iter().map(|valued| whole.map.node(valued.legal.after)).collect()))
            };
            played.push(Played { level, whole, positions: positions.iter().filter_map(nodes).collect() });
        }
        let n_states: usize = played.iter().map(|own| own.whole.map.n_states()).sum();
        if n_states > MOST_STATES {
            return Err(format!("the maps have {n_states} states; random moves are followed on at most {MOST_STATES}"));
        }
        let found: Vec<Solved> = played.par_iter().map(Played::solved).collect::<Result<_, String>>()?;
        let n_after: usize = found.iter().map(|(nodes, _)| nodes.len()).sum();
        if n_after > MOST_AFTER {
            return Err(format!(
                "moves lead to {n_after} positions; random moves are followed from at most {MOST_AFTER}"
            ));
        }
        let mut places = vec![Vec::new(); data.positions.len()];
        let mut probabilities = Vec::new();
        let mut first = 0;
        for (own, (nodes, values)) in played.iter().zip(found) {
            for (position, after) in &own.positions {
                let place = |node: &Option<u32>| {
                    let place = nodes.binary_search(&(*node)?).ok()?;
                    Some(first + place as u32)
                };
                places[*position] = after.iter().map(place).collect();
            }
            first += nodes.len() as u32;
            probabilities.extend(values);
        }
        Ok(Self { places, probabilities })
    }

    /// The probabilities from after a legal move of a position, by its number; empty where they are not known.
    pub fn of(&self, position: usize, number: usize) -> &[f64] {
        let n = rollout_lengths().len();
        let place = self.places[position].get(number).copied().flatten();
        place.map_or(&[], |place| &self.probabilities[place as usize * n..(place as usize + 1) * n])
    }
}

impl Played<'_> {
    /// Where the moves of these positions lead.
    fn solved(&self) -> Result<Solved, String> {
        let mut nodes: Vec<u32> =
            self.positions.iter().flat_map(|(_, after)| after.iter().flatten().copied()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let walks = RandomWalks::new(&self.whole.map, &self.whole.distances);
        let lengths = rollout_lengths();
        let mut found = vec![0.0; nodes.len() * lengths.len()];
        let mut last: Option<Vec<f64>> = None;
        // From the shortest on, so that each solution is a start for the next.
        for (place, length) in lengths.iter().enumerate().rev() {
            let continuing = 1.0 - 1.0 / length;
            let why = || {
                format!("random moves of {length:.0} on average were not followed to their end on {}", self.level.id)
            };
            let values = walks.absorption(continuing, last.take()).ok_or_else(why)?;
            for (own, &node) in nodes.iter().enumerate() {
                found[own * lengths.len() + place] = values[node as usize];
            }
            last = Some(values);
        }
        Ok((nodes, found))
    }
}

//! Values of moves for a player who looks a few moves ahead and estimates the distance from there.
//!
//! The value of a move at depth d is minus the smallest sum of the moves made after it and the estimate at their end,
//! over all paths of d − 1 further moves; a path that reaches a goal ends there, with an estimate of 0 (minimin search;
//! Korf, 1990. Real-time heuristic search. *Artificial Intelligence*, 42, 189–211). At depth 1 it is minus the
//! estimate after the move. The estimate is the first heuristic of the rules, and at least 1 where the level is not
//! solved, so that a goal in sight comes before a path that merely ends. All of these are in the unit of the level: an
//! arc of a map is one legal move, which costs 1, under the metric `cell` of Rush Hour a cell.

use std::collections::HashMap;

use rayon::prelude::*;

use super::dataset::Dataset;
use super::mapped::mapped_levels;
use plymap_choice::model::DEAD_END_REGRET;
use plymap_puzzles::distance::Evaluation;
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::{ValuedLevel, WholeMap};

/// The depths that are tried, the move itself included.
pub(super) const DEPTHS: [u32; 5] = [1, 2, 3, 4, 5];

/// States of all maps together beyond which nobody looks ahead: each costs one estimate, and for every depth one pass
/// over its moves, some microseconds in all.
const MOST_STATES: usize = 5_000_000;

/// Moves from positions that were met, each with a value for each depth: 40 bytes each, so some 200 MB.
const MOST_MOVES: usize = 5_000_000;

/// The values of the legal moves of each position that was met.
pub(super) struct LookAhead {
    /// Values of each position: one for each depth of each legal move, move by move.
    values: Vec<Vec<f64>>,
}

impl LookAhead {
    /// Looks ahead on the map of each level.
    ///
    /// # Errors
    ///
    /// In words, why nobody looks ahead: a level without a whole map or a game without an estimate, or maps with more
    /// states than [`MOST_STATES`] in all.
    pub fn new(
        data: &Dataset,
        levels: &HashMap<&str, &ValuedLevel>,
        evaluations: &[Option<Evaluation>],
    ) -> Result<Self, String> {
        let played = mapped_levels(data, levels, MOST_STATES)?;
        if let Some(mapped) = played.iter().find(|mapped| mapped.level.rules.heuristics().is_empty()) {
            return Err(format!("the rules of {} offer no estimate of the distance", mapped.level.id));
        }
        let n_moves: usize = evaluations.iter().flatten().map(|evaluation| evaluation.moves.len()).sum();
        if n_moves > MOST_MOVES {
            return Err(format!("the positions have {n_moves} legal moves; at most {MOST_MOVES} are looked at"));
        }
        let values_of_maps: Vec<Vec<(usize, Vec<f64>)>> = played
            .into_par_iter()
            .map(|mapped| of_map(&*mapped.level.rules, mapped.whole, &mapped.positions, evaluations))
            .collect();
        let mut values = vec![Vec::new(); data.positions.len()];
        for (position, position_values) in values_of_maps.into_iter().flatten() {
            values[position] = position_values;
        }
        Ok(Self { values })
    }

    /// The values of a legal move of a position, by its number; empty where the position could not be evaluated.
    pub fn of(&self, position: usize, number: usize) -> &[f64] {
        let n = DEPTHS.len();
        self.values[position].get(number * n..(number + 1) * n).unwrap_or(&[])
    }
}

/// The values of the moves of these positions of one level.
fn of_map(
    rules: &dyn Rules,
    whole: &WholeMap,
    positions: &[usize],
    evaluations: &[Option<Evaluation>],
) -> Vec<(usize, Vec<f64>)> {
    let map = &whole.map;
    let n_states = map.n_states() as u32;
    let evaluated: Vec<(usize, Vec<Option<u32>>)> = positions
        .iter()
        .filter_map(|&position| {
            let moves = &evaluations[position].as_ref()?.moves;
            Some((position, moves.iter().map(|valued| map.node(valued.legal.after)).collect()))
        })
        .collect();
    let mut result: Vec<(usize, Vec<f64>)> =
        evaluated.iter().map(|(position, nodes)| (*position, vec![0.0; nodes.len() * DEPTHS.len()])).collect();
    let mut estimates: Vec<f64> = (0..n_states)
        .map(|node| if map.is_goal(node) { 0.0 } else { rules.estimate(0, map.code(node)).max(1.0) })
        .collect();
    // Each depth from the one before: a single pass over the moves instead of a search from every position.
    for index in 0..DEPTHS.len() {
        if index > 0 {
            let farther = |node: u32| {
                if map.is_goal(node) {
                    return 0.0;
                }
                let nearest = |least: f64, &after: &u32| least.min(estimates[after as usize]);
                1.0 + map.graph.successors(node).iter().fold(f64::INFINITY, nearest)
            };
            estimates = (0..n_states).map(farther).collect();
        }
        // What is known to lead nowhere is worth less than all else by as much as a dead end loses elsewhere.
        let largest = estimates.iter().copied().filter(|value| value.is_finite()).fold(0.0, f64::max);
        for ((_, values), (_, nodes)) in result.iter_mut().zip(&evaluated) {
            for (number, node) in nodes.iter().enumerate() {
                let value = node.map_or(f64::INFINITY, |node| estimates[node as usize]);
                let value = if value.is_finite() { value } else { largest + DEAD_END_REGRET };
                values[number * DEPTHS.len() + index] = -value;
            }
        }
    }
    result
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::testing::{dataset, trial};
    use plymap_puzzles::diagnostic::SourceText;
    use plymap_puzzles::distance::Oracle as _;
    use plymap_puzzles::game::{LevelText, Value};
    use plymap_puzzles::graph::MapOptions;
    use plymap_puzzles::registry::{Game, RuleOptions};

    pub fn level(game: &'static str, text: &str, options: &str) -> ValuedLevel {
        let source = Arc::new(SourceText { path: "level.txt".into(), text: text.to_owned() });
        let level = LevelText { text, source: &source, span: 0..text.len() };
        let rules = (Game::named(game).unwrap().load)(
            &level,
            &RuleOptions { table: options.parse().unwrap(), ..RuleOptions::default() },
        )
        .unwrap();
        let map = rules.map(&MapOptions::default()).unwrap();
        let whole = WholeMap::new(map);
        let start_value = whole.distances.get(0).map(Value::Distance);
        ValuedLevel {
            id: "l0".to_owned(),
            game,
            extra: Vec::new(),
            remarks: Vec::new(),
            rules: rules.into(),
            whole: Some(whole.into()),
            start_value,
        }
    }

    /// A study in which every position of the level was met.
    fn study(level: &ValuedLevel) -> (Dataset, Vec<Option<Evaluation>>) {
        let whole = level.whole.as_ref().unwrap();
        let codes = (0..whole.map.n_states() as u32).map(|node| whole.map.code(node));
        let mut data = dataset(vec![trial(0, 0, 9.0, 9.0)]);
        let evaluations = codes.clone().map(|code| level.oracle().evaluate(code).ok()).collect();
        data.positions = codes.map(|code| (0, level.rules.format_state(code))).collect();
        (data, evaluations)
    }

    /// The same by walking all paths, each move at its cost.
    fn walked(rules: &dyn Rules, whole: &WholeMap, node: u32, n_more: u32) -> f64 {
        if whole.map.is_goal(node) {
            return 0.0;
        }
        if n_more == 0 {
            return rules.estimate(0, whole.map.code(node));
        }
        let paths = rules.legal_moves(whole.map.code(node)).into_iter().map(|legal| {
            let after = whole.map.node(legal.after).unwrap();
            f64::from(legal.cost) + walked(rules, whole, after, n_more - 1)
        });
        paths.fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn looking_ahead_on_the_map_is_walking_all_ways() {
        for (game, text, options) in [
            ("tower-of-hanoi", "3 disks 3 pegs\n", ""),
            ("lights-out", "# board: 3x2\n*.*\n.*.\n", ""),
            ("rush-hour", "..B.\nAAB.\n..CC\n....\n", "metric = 'slide'"),
            ("rush-hour", "..B.\nAAB.\n..CC\n....\n", "metric = 'cell'"),
        ] {
            let level = level(game, text, options);
            let (data, evaluations) = study(&level);
            let by_name = HashMap::from([("l0", &level)]);
            let look_ahead = LookAhead::new(&data, &by_name, &evaluations).unwrap();
            let whole = level.whole.as_ref().unwrap();
            let mut n_different = 0;
            for (position, evaluation) in evaluations.iter().enumerate() {
                for (number, valued) in evaluation.as_ref().unwrap().moves.iter().enumerate() {
                    let node = whole.map.node(valued.legal.after).unwrap();
                    let values = look_ahead.of(position, number);
                    for (&value, depth) in values.iter().zip(DEPTHS) {
                        assert_eq!(-value, walked(&*level.rules, whole, node, depth - 1), "{game}, depth {depth}");
                    }
                    n_different += usize::from(values[0] != values[4]);
                }
            }
            assert!(n_different > 0, "{game}: who looks farther sees something else");
        }
    }

    #[test]
    fn why_nobody_looks_ahead_is_said() {
        let mut level = level("tower-of-hanoi", "3 disks 3 pegs\n", "");
        let (mut data, evaluations) = study(&level);
        level.whole = None;
        let reason = |data: &Dataset, level: &ValuedLevel| {
            LookAhead::new(data, &HashMap::from([("l0", level)]), &evaluations).err().unwrap()
        };
        assert_eq!(reason(&data, &level), "l0 was not mapped whole");
        data.unit = plymap_puzzles::game::Unit::Points;
        assert_eq!(reason(&data, &level), "values are points, not distances");
    }
}

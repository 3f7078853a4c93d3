//! Maps of Rush Hour against published answers.

use std::collections::HashMap;
use std::sync::Arc;

use plymap_puzzles::distance::{Distance, DistanceTable};
use plymap_puzzles::graph::metrics::StateNumbers;
use plymap_puzzles::graph::{LevelMap, MapOptions};
use plymap_puzzles::registry::RuleOptions;
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::{LoadedLevel, ValuedLevel, WholeMap};
use rayon::prelude::*;

use crate::recorded_data::recorded_text;

/// A level from its board, under rules such as `goal = "path-clear"`.
fn level(board: &str, rules: &str) -> LoadedLevel {
    let options = RuleOptions { table: rules.parse().expect("TOML"), ..RuleOptions::default() };
    LoadedLevel::from_text("level", board, Default::default(), &options)
        .unwrap_or_else(|faults| panic!("{}", faults[0]))
}

/// Returns the map of a board.
fn mapped(board: &str, rules: &str) -> Arc<WholeMap> {
    let level = ValuedLevel::new(level(board, rules), "rush-hour", &Default::default()).expect("within the limits");
    level.whole.expect("a level that is mapped")
}

/// The published key of a position: sum of position_i * 5^i, red first, then the other pieces in the
/// order of their letters; the position is the first cell's place along the piece's own line.
fn published_key(board: &str) -> u64 {
    let cells: Vec<char> = board.chars().collect();
    let mut names: Vec<char> = cells.iter().copied().filter(|name| name.is_ascii_uppercase()).collect();
    names.sort_unstable();
    names.dedup();
    let place = |name: char| {
        let first = cells.iter().position(|&cell| cell == name).expect("a piece");
        let is_horizontal = cells.get(first + 1) == Some(&name) && first % 6 != 5;
        if is_horizontal { first % 6 } else { first / 6 }
    };
    names.iter().enumerate().map(|(index, &name)| place(name) as u64 * 5u64.pow(index as u32)).sum()
}

/// Every state of the 35 published puzzles: goal rule `path-clear`, states beyond a goal not expanded.
#[test]
fn published_distances_of_every_state_are_equal() {
    let (Some(boards), Some(states)) =
        (recorded_text("rush_hour/puzzles70.csv"), recorded_text("rush_hour/distance_to_goal_35_puzzles.csv.gz"))
    else {
        return;
    };
    let boards: HashMap<&str, &str> =
        boards.lines().skip(1).filter_map(|line| line.split_once(',')).map(|(id, rest)| (id, &rest[..36])).collect();
    let mut published: HashMap<&str, HashMap<u64, u32>> = HashMap::new();
    for line in states.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let (key, distance) = (fields[1].parse().expect("a key"), fields[2].parse().expect("a distance"));
        published.entry(fields[0]).or_default().insert(key, distance);
    }
    assert_eq!((published.len(), published.values().map(HashMap::len).sum::<usize>()), (35, 158_397));
    for (puzzle, expected) in &published {
        // Names such as prb10166_16 carry the length of the optimal solution under the other goal rule.
        let id = puzzle.split('_').next().expect("a name");
        let level = level(boards[id], "goal = \"path-clear\"");
        let map =
            level.rules.map(&MapOptions { expand_goals: false, ..MapOptions::default() }).expect("within the limits");
        let distances = DistanceTable::new(&map);
        let computed: HashMap<u64, u32> = (0..map.n_states() as u32)
            .filter_map(|node| Some((published_key(&level.rules.format_state(map.code(node))), distances.get(node)?.0)))
            .collect();
        assert_eq!(computed.len(), expected.len(), "{puzzle}: number of states");
        assert!(computed == *expected, "{puzzle}: distances differ");
    }
}

/// The published component sizes, edges, distances and goal counts of the 70 puzzles of the laboratory.
#[test]
fn the_seventy_puzzles_have_their_published_numbers() {
    let Some(text) = recorded_text("rush_hour/puzzles70.csv") else { return };
    let mut n_puzzles = 0;
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let (puzzle, board) = (fields[0], fields[1]);
        let number = |field: usize| fields[field].parse::<u64>().expect("a number");
        let (clear, exit) = (mapped(board, "goal = \"path-clear\""), mapped(board, "goal = \"exit\""));
        assert_eq!((exit.states.n_states, exit.moves().n_edges), (number(2), number(3)), "{puzzle}");
        assert_eq!(distances_and_goals(&clear.states), (number(5), number(7), number(9)), "{puzzle} under path-clear");
        assert_eq!(distances_and_goals(&exit.states), (number(6), number(8), number(10)), "{puzzle} under exit");
        let unexpanded = level(board, "goal = \"path-clear\"")
            .rules
            .map(&MapOptions { expand_goals: false, ..MapOptions::default() })
            .expect("within the limits");
        assert_eq!(unexpanded.n_states() as u64, number(4), "{puzzle}");
        n_puzzles += 1;
    }
    assert_eq!(n_puzzles, 70);
}

fn distances_and_goals(states: &StateNumbers) -> (u64, u64, u64) {
    let distance = |value: Option<Distance>| u64::from(value.expect("solvable").0);
    (distance(states.start_distance), distance(states.max_distance()), states.n_goals)
}

/// Every row of the database sample: `moves board cluster_size`, where moves is the largest distance of
/// any reachable state.
#[test]
fn every_row_of_the_database_agrees() {
    let Some(text) = recorded_text("rush_hour/fogleman_6k.txt.gz") else { return };
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows.len(), 6_023);
    rows.par_iter().for_each(|row| {
        let rules = level(row[1], "").rules;
        let map = rules.map(&MapOptions::default()).expect("a level within the limits");
        let distances = DistanceTable::new(&map);
        let max = distances.max().map(|distance| distance.0);
        assert_eq!((map.n_states().to_string(), max), (row[2].to_owned(), row[0].parse().ok()), "{}", row[1]);
        assert_distances_alone(&*rules, &map, &distances);
    });
}

/// Distances without a map are those of the map, under each rule and metric, and so is the map by a hash table.
#[test]
fn ways_to_distances_agree_on_published_levels() {
    let Some(text) = recorded_text("rush_hour/puzzles70.csv") else { return };
    for line in text.lines().skip(1) {
        for rules in [
            "goal = \"exit\"",
            "goal = \"path-clear\"",
            "metric = \"cell\"",
            "goal = \"path-clear\"\nmetric = \"cell\"",
        ] {
            let rules = level(line.split(',').nth(1).expect("a board"), rules).rules;
            let map = rules.map(&MapOptions::default()).expect("a level within the limits");
            let by_hash = rules.map(&MapOptions { by_index: false, ..MapOptions::default() }).expect("the same");
            assert_eq!(map.graph, by_hash.graph);
            assert_distances_alone(&*rules, &map, &DistanceTable::new(&by_hash));
        }
    }
}

fn assert_distances_alone(rules: &dyn Rules, map: &LevelMap, distances: &DistanceTable) {
    let (index, ranked) = rules.ranked_distances(u64::MAX).expect("a small board");
    assert_eq!(ranked.histogram(), distances.histogram());
    assert_eq!(ranked.n_states(), map.n_states() as u64);
    for node in 0..map.n_states() as u32 {
        let rank = index.rank(map.code(node).0 as u64).expect("a state has a rank");
        assert_eq!(ranked.get(rank), Some(distances.get(node)));
    }
}

//! plymap against published answers about recorded play.

use std::collections::HashMap;

use plymap_puzzles::distance::{Distance, DistanceTable};
use plymap_puzzles::graph::MapOptions;

use crate::fixtures::{Whole as _, level, options};
use crate::recorded_data::recorded_text;

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
        let level = level(boards[id], &options("goal = \"path-clear\""));
        let map =
            level.rules.map(&MapOptions { expand_goals: false, ..MapOptions::default() }).expect("within the limits");
        let distances = DistanceTable::new(&map);
        let found: HashMap<u64, u32> = (0..map.n_states() as u32)
            .filter_map(|node| Some((published_key(&level.rules.format_state(map.code(node))), distances.get(node)?.0)))
            .collect();
        assert_eq!(found.len(), expected.len(), "{puzzle}: number of states");
        assert!(found == *expected, "{puzzle}: distances differ");
    }
}

/// The published component sizes, edges, distances and goal counts of the 70 puzzles of the laboratory.
#[test]
fn the_seventy_puzzles_have_their_published_numbers() {
    let Some(text) = recorded_text("rush_hour/puzzles70.csv") else { return };
    let mut n_puzzles = 0;
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |field: usize| fields[field].parse::<u64>().expect("a number");
        let mapped = |goal: &str| {
            let level = level(fields[1], &options(goal));
            plymap_puzzles::valuation::ValuedLevel::new(level, "rush-hour", &Default::default())
                .expect("within the limits")
        };
        let (clear, exit) = (mapped("goal = \"path-clear\""), mapped("goal = \"exit\""));
        assert_eq!(
            (exit.whole().metrics.n_states, exit.whole().metrics.n_edges),
            (number(2), number(3)),
            "{}",
            fields[0]
        );
        let values = |level: &plymap_puzzles::valuation::ValuedLevel| {
            let distance = |value: Option<Distance>| u64::from(value.expect("solvable").0);
            (
                distance(level.whole().metrics.start_distance),
                distance(level.whole().metrics.max_distance),
                level.whole().metrics.n_goals,
            )
        };
        assert_eq!(values(&clear), (number(5), number(7), number(9)), "{} under path-clear", fields[0]);
        assert_eq!(values(&exit), (number(6), number(8), number(10)), "{} under exit", fields[0]);
        let unexpanded = level(fields[1], &options("goal = \"path-clear\""));
        let unexpanded = unexpanded
            .rules
            .map(&MapOptions { expand_goals: false, ..MapOptions::default() })
            .expect("within the limits");
        assert_eq!(unexpanded.n_states() as u64, number(4), "{}", fields[0]);
        n_puzzles += 1;
    }
    assert_eq!(n_puzzles, 70);
}

//! Sliding tiles: moves, values against published numbers, and levels with faults.

use std::sync::Arc;

use super::*;
use crate::diagnostic::SourceText;
use crate::distance::DistanceTable;
use crate::graph::{LevelMap, MapOptions, enumerate};

fn layout(text: &str, goal: Goal) -> Result<Layout, Vec<String>> {
    let source = Arc::new(SourceText { path: "level.txt".into(), text: text.to_owned() });
    notation::parse(text, &source, 0, goal).map_err(|faults| faults.iter().map(ToString::to_string).collect())
}

/// A level of up to 16 cells from its text.
fn rules(text: &str, options: &Options) -> SlidingTiles<u64> {
    SlidingTiles::new(&layout(text, options.goal).unwrap_or_else(|faults| panic!("{faults:?}")), options)
}

fn level(text: &str) -> SlidingTiles<u64> {
    rules(text, &Options::default())
}

fn blank_first() -> Options {
    Options { goal: Goal::BlankFirst, ..Options::default() }
}

fn mapped(rules: &SlidingTiles<u64>) -> (LevelMap, DistanceTable) {
    let map = enumerate(rules, &MapOptions::default()).unwrap();
    let distances = DistanceTable::new(&map);
    (map, distances)
}

fn histogram(rules: &SlidingTiles<u64>) -> Vec<usize> {
    let (map, distances) = mapped(rules);
    let mut histogram = Vec::new();
    for node in 0..map.n_states() as u32 {
        let distance = distances.get(node).expect("a way").0 as usize;
        histogram.resize(histogram.len().max(distance + 1), 0);
        histogram[distance] += 1;
    }
    histogram
}

/// Positions of the 8-puzzle at each distance, with the goal in which the blank is in a corner (OEIS A089473).
const OF_EIGHT_TILES: [usize; 32] = [
    1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878, 16993, 17110,
    23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
];

#[test]
fn the_eight_puzzle_has_the_published_distances() {
    assert_eq!(histogram(&level("1 2 3/4 5 6/7 8 .")), OF_EIGHT_TILES);
    assert_eq!(histogram(&rules(". 1 2/3 4 5/6 7 8", &blank_first())), OF_EIGHT_TILES);
    assert_eq!(OF_EIGHT_TILES.iter().sum::<usize>(), 181_440);
    let of_two_by_three = histogram(&level("1 2 3/4 5 ."));
    assert_eq!((of_two_by_three.iter().sum::<usize>(), of_two_by_three.len() - 1), (360, 21));
    assert_eq!(histogram(&level("1 2/3 .")), [1, 2, 2, 2, 2, 2, 1]);
}

#[test]
fn the_search_finds_what_maps_have() {
    for (text, step) in [
        ("1 2/3 .", 1),
        ("1 2/3 4/5 .", 1),
        ("1 2 3 4/5 6 7 .", 97),
        ("1 2 3/4 5 6/7 8 .", 997),
        ("goal: 1 2 3/8 . 4/7 6 5\n1 2 3/8 . 4/7 6 5", 997),
        ("goal: 2 1 3/4 . 5/7 6 8\n2 1 3/4 5 ./7 6 8", 997),
    ] {
        let rules = level(text);
        let (map, distances) = mapped(&rules);
        for node in (0..map.n_states() as u32).step_by(step) {
            let state = rules.decode(map.code(node).0);
            let distance = distances.get(node).map(|distance| distance.0);
            assert_eq!(rules.fewest_moves(state), Ok(distance), "{}", rules.format_state(state));
            let mut slides = Vec::new();
            rules.legal_moves(state, &mut slides);
            let afters = map.graph.successors(node).iter().map(|&after| distances.get(after).map(Value::Distance));
            assert_eq!(rules.values_after(state, &slides), Ok(afters.collect()), "{}", rules.format_state(state));
        }
    }
}

#[test]
fn heuristics_are_bounds_each_above_the_one_before() {
    for text in ["1 2 3/4 5 6/7 8 .", "goal: 1 2 3/8 . 4/7 6 5\n1 2 3/8 . 4/7 6 5", "1 2 3 4/5 6 7 ."] {
        let rules = level(text);
        let (map, distances) = mapped(&rules);
        let mut sums = [0.0; 5];
        for node in (0..map.n_states() as u32).step_by(7) {
            let state = rules.decode(map.code(node).0);
            let distance = f64::from(distances.get(node).expect("a way").0);
            let [misplaced, manhattan, conflict, patterns] = [0, 1, 2, 3].map(|number| rules.estimate(number, state));
            let shown = || format!("{} {misplaced} {manhattan} {conflict} {patterns}", rules.format_state(state));
            assert!(misplaced <= manhattan && manhattan <= conflict && conflict <= distance, "{}", shown());
            assert!(manhattan <= patterns && patterns <= distance, "{}", shown());
            assert_eq!((distance - manhattan) % 2.0 + (distance - patterns) % 2.0, 0.0, "{}", shown());
            let all = [misplaced, manhattan, conflict, patterns, distance];
            sums.iter_mut().zip(all).for_each(|(sum, value)| *sum += value);
        }
        assert!(sums.is_sorted_by(|this, next| this < next), "{sums:?}");
    }
}

#[test]
fn heuristics_are_counted_by_hand() {
    let estimates = |text: &str| {
        let rules = level(text);
        [0, 1, 2].map(|number| rules.estimate(number, rules.start))
    };
    assert_eq!(estimates("1 2 3/4 5 6/7 8 ."), [0.0; 3]);
    assert_eq!(estimates("1 2 3/4 5 6/7 . 8"), [1.0; 3]);
    // 2 and 1 lie in their row in the wrong order: one of them leaves it and comes back. So do 4 and 7 in their column.
    assert_eq!(estimates("2 1 3/7 5 6/4 8 ."), [4.0, 4.0, 8.0]);
    // Of 3, 2, 1 two have to leave the row.
    assert_eq!(estimates("3 2 1/4 5 6/8 7 ."), [4.0, 6.0, 12.0]);
}

/// Lengths of solutions of the first of the 100 instances of Korf (1985), whose goal has the blank in the first cell.
#[test]
fn the_fifteen_puzzle_has_the_published_distances() {
    let rules = rules("14 13 15 7/11 12 9 5/6 . 2 1/4 8 10 3", &blank_first());
    for (text, moves) in [
        ("14 13 15 7/11 12 9 5/6 . 2 1/4 8 10 3", 57),
        ("13 5 4 10/9 12 8 14/2 3 7 1/. 15 11 6", 55),
        ("14 7 8 2/13 11 10 4/9 12 5 ./3 6 1 15", 59),
    ] {
        assert_eq!(rules.fewest_moves(rules.state_of(text).unwrap()), Ok(Some(moves)), "{text}");
    }
}

/// One of the 17 positions that are farthest from a goal with the blank in the last cell (Brüngger, Marzetta, Fukuda and
/// Nievergelt 1999).
#[test]
#[ignore = "slow: a search of minutes"]
fn no_position_of_the_fifteen_puzzle_is_farther_than_this() {
    let options = Options { search_limit: u64::MAX, ..Options::default() };
    let rules = rules("15 14 8 12/10 11 9 13/2 6 5 1/3 7 4 .", &options);
    assert_eq!(rules.fewest_moves(rules.start), Ok(Some(80)));
}

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

/// One of the positions that are farthest from a goal with the blank in a corner (Brüngger, Marzetta, Fukuda and
/// Nievergelt 1999).
#[test]
#[ignore = "slow: a search of half a minute"]
fn no_position_of_the_fifteen_puzzle_is_farther_than_this() {
    let options = Options { search_limit: u64::MAX, ..blank_first() };
    let rules = rules("15 14 8 12/10 11 9 13/2 6 5 1/3 7 4 .", &options);
    assert_eq!(rules.fewest_moves(rules.start), Ok(Some(80)));
}

#[test]
fn small_frames_are_one_pattern_that_is_exact() {
    for text in ["1 2/3 .", "1 2 3/4 5 .", "goal: . 1/2 3/4 5\n. 1/2 3/4 5"] {
        let rules = level(text);
        let (map, distances) = mapped(&rules);
        for node in 0..map.n_states() as u32 {
            let state = rules.decode(map.code(node).0);
            assert_eq!(Some(rules.pattern_bound(state)), distances.get(node).map(|distance| distance.0));
        }
    }
}

#[test]
fn a_search_ends_at_its_limit() {
    let options = Options { search_limit: 10, ..blank_first() };
    let rules = rules("7 9 11 6/1 8 . 3/10 2 5 4", &options);
    let message = rules.fewest_moves(rules.start).unwrap_err().to_string();
    assert!(message.contains("4x3 cells looked at 10 positions") && message.contains("`search-limit`"), "{message}");
    assert!(Options { search_limit: 0, ..options }.check().is_err());
}

/// Frames of more than 16 cells take the wider word.
#[test]
fn a_frame_of_25_cells_is_played() {
    let text = "1 2 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 18 19 20/21 22 23 . 24";
    let rules: SlidingTiles<u128> = SlidingTiles::new(&layout(text, Goal::BlankLast).unwrap(), &Options::default());
    assert_eq!(rules.code_bits(), 125);
    assert_eq!(rules.format_state(rules.start), text);
    let mut slides = Vec::new();
    rules.legal_moves(rules.start, &mut slides);
    assert_eq!(slides.iter().map(|slide| slide.tile).collect::<Vec<_>>(), [19, 23, 24]);
    assert!(rules.is_goal(rules.play(rules.start, slides[2]).unwrap()));
    assert_eq!((rules.estimate(0, rules.start), rules.estimate(2, rules.start)), (1.0, 1.0));
}

#[test]
fn a_level_of_the_other_class_is_said_to_have_no_solution() {
    // The 14-15 puzzle of Loyd: two tiles are exchanged.
    let rules = level("1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 .");
    assert_eq!(rules.fewest_moves(rules.start), Ok(None));
    assert!(rules.remarks()[0].contains("no moves lead from the start to the goal"), "{:?}", rules.remarks());
    assert_eq!(rules.estimate(1, rules.start), f64::INFINITY);
    assert_eq!(rules.prepare(&Preparation { progress: &crate::progress::Silent, store: None }), Ok(()));
    let error = rules.parse_state("1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 .").unwrap_err();
    assert!(error.reason.contains("no moves lead here"), "{}", error.reason);
    assert!(level("1 2 3/4 5 6/7 8 .").remarks().is_empty());
}

#[test]
fn levels_are_read_in_many_ways() {
    let tiles = |text: &str| {
        let Layout { width, height, start, goal } =
            layout(text, Goal::BlankLast).unwrap_or_else(|faults| panic!("{text}: {faults:?}"));
        assert_eq!(goal.len(), start.len());
        (width, height, start)
    };
    let expected = (3, 2, vec![1, 2, 3, 4, 0, 5]);
    for text in [
        "1 2 3\n4 . 5",
        "1 2 3/4 0 5",
        "1,2,3;4,_,5",
        "# size: 3x2\n1 2 3 4 - 5",
        "width: 3\n1 2 3 4 0 5",
        "height: 2\nsize: 3x2\n123405",
        "123/4.5",
        "123\n4_5",
        "| 1 2 3 |\n| 4 . 5 |",
        "[[1, 2, 3], [4, 0, 5]]",
        "01 02 03/04 00 05 # a remark",
    ] {
        assert_eq!(tiles(text), expected, "{text}");
    }
    assert_eq!(tiles("1 2 3 4 5 6 7 8 0").1, 3, "cells on one line are a square");
    assert_eq!(tiles("1234/5678/9abc/def.").2[12..], [13, 14, 15, 0]);
    let goal = |text: &str| layout(text, Goal::BlankFirst).unwrap().goal;
    assert_eq!(goal("1 2/3 ."), [0, 1, 2, 3]);
    assert_eq!(goal("goal: blank-last\n1 2/3 ."), [1, 2, 3, 0]);
    assert_eq!(goal("# target: 3 1/2 .\n1 2/3 ."), [3, 1, 2, 0]);
}

#[test]
fn faults_name_place_and_remedy() {
    let faults = |text: &str| layout(text, Goal::BlankLast).expect_err(text).join("\n");
    for (text, place, code, words) in [
        ("", "1:1", "empty-level", "there is no level here"),
        (
            "1 2 3/4 5 6/7 8 8",
            "1:17",
            "tile-twice",
            "tile 8 is there 2 times [tile-twice] (write each tile and the blank once; missing: the blank)",
        ),
        ("1 . 3/4 5 ./7 8 6", "1:11", "tile-twice", "missing: tile 2"),
        ("1 2 3/4 5 6/7 8 9", "1:17", "bad-tile", "there is no tile 9 in a frame of 3x3"),
        ("1 2 3/4 x5 6/7 8 .", "1:9", "bad-tile", "\"x5\" is no tile"),
        ("1 2 3\n4 5\n7 8 .", "2:3", "ragged-rows", "row 2 has 2 cells, the other rows have 3"),
        ("1 2 3\n4 5 6 9\n7 8 .", "2:7", "ragged-rows", "row 2 has 4 cells"),
        ("1 2 3 4 5 .", "1:1", "bad-board-length", "6 cells on one line do not make a frame of 2x2"),
        ("size: 4x2\n1 2 3/4 5 .", "2:1", "size-differs", "3x2"),
        ("size: 4 by 2\n1 2 3/4 5 .", "1:7", "bad-size", "\"4 by 2\" is not the size of a frame"),
        ("width: 1\n1 2 3/4 5 .", "1:8", "bad-size", "\"1\""),
        ("size: 18446744073709551615x3\n1 2 3 4 5 .", "1:7", "bad-size", "is not the size of a frame"),
        (
            "1 2 3 4 5 6/7 8 9 10 11 12/13 14 15 16 17 18/19 20 21 22 23 24/25 26 27 28 29 .",
            "1:1",
            "bad-size",
            "25 cells at most",
        ),
        ("goal: 1 2 3/4 . 4\n1 2 3/4 5 .", "1:17", "tile-twice", "missing: tile 5"),
        ("goal: 1 2/3 .\n1 2 3/4 5 .", "1:7", "size-differs", "2x2"),
        ("goal: blank-last\ngoal: blank-first\n1 2/3 .", "2:7", "repeated-setting", "a second time"),
        ("exit: left\n1 2/3 .", "1:1", "unknown-setting", "\"exit\" is not a setting"),
    ] {
        let said = faults(text);
        assert!(
            said.starts_with(&format!("level.txt:{place}: ")) && said.contains(code) && said.contains(words),
            "{text}: {said}"
        );
    }
}

#[test]
fn moves_are_tiles_directions_or_cells() {
    let moved = |directions: Directions, text: &str| {
        let rules = rules("1 2 3/4 . 5/7 8 6", &Options { directions, ..Options::default() });
        let slide = rules.parse_move(rules.start, text).map_err(|error| error.to_string())?;
        rules.play(rules.start, slide).map(|_| slide.tile)
    };
    let tile = |text: &str| moved(Directions::Tile, text);
    for (text, expected) in [
        ("8", 8),
        ("tile 8", 8),
        ("T8", 8),
        ("r3c2", 8),
        ("(3, 2)", 8),
        ("up", 8),
        ("U", 8),
        ("ArrowUp", 8),
        ("\u{2191}", 8),
        ("down", 2),
        ("left", 5),
        ("R", 4),
    ] {
        assert_eq!(tile(text), Ok(expected), "{text}");
    }
    for (text, expected) in [("up", 2), ("down", 8), ("left", 4), ("right", 5)] {
        assert_eq!(moved(Directions::Blank, text), Ok(expected), "{text}");
    }
    for (text, words) in [
        ("3", "tile 3 lies in row 1, column 3, not beside the blank in row 2, column 2"),
        ("9", "there is no tile 9: tiles go from 1 to 8"),
        ("0", "there is no tile 0"),
        ("r4c1", "there is no row 4"),
        ("r2c2", "no tile slides: the blank is in row 2, column 2"),
        ("jump", "write the number of the tile"),
    ] {
        let said = tile(text).expect_err(text);
        assert!(said.contains(words), "{text}: {said}");
    }
}

#[test]
fn what_moves_no_tile_is_no_move() {
    let rules = level("1 2 3/4 5 6/7 8 .");
    let is_null = |text: &str| rules.is_null(rules.start, rules.parse_move(rules.start, text).unwrap());
    // No tile lies below the blank or to its right; a tile that cannot move is an error of the log.
    assert_eq!(
        ["up", "left", "r3c3", "down", "right", "8", "1"].map(is_null),
        [true, true, true, false, false, false, false]
    );
}

use std::sync::Arc;

use super::super::{GoalRule, Metric, Options, Position, RushHour, notation};
use super::Board;
use crate::diagnostic::SourceText;
use crate::distance::DistanceTable;
use crate::game::Puzzle;
use crate::graph::{LevelMap, MapOptions, enumerate};
use crate::testing::golden;

const RULES: [GoalRule; 2] = [GoalRule::Exit, GoalRule::PathClear];

fn rules(text: &str, goal: GoalRule, metric: Metric) -> RushHour {
    let source = Arc::new(SourceText { path: "levels.txt".into(), text: text.to_owned() });
    let layout = notation::parse(text, &source, 0).unwrap_or_else(|faults| panic!("{text}\n{faults:#?}"));
    RushHour::new(layout, Options { goal, metric, ..Options::default() }).unwrap()
}

/// Both heuristics at the start of a drawn level.
fn at_start(text: &str, goal: GoalRule) -> (f64, f64) {
    let rules = rules(text, goal, Metric::Slide);
    (rules.estimate(0, rules.start()), rules.estimate(1, rules.start()))
}

fn map(rules: &RushHour) -> (LevelMap, DistanceTable) {
    let map = enumerate(rules, &MapOptions::default()).unwrap();
    let distances = DistanceTable::new(&map);
    (map, distances)
}

fn places(rules: &RushHour, position: Position) -> Vec<usize> {
    rules.tracks.iter().map(|track| track.place(position)).collect()
}

/// Levels with walls, exits on all sides, pieces of their own line before the exit, and a board in several words.
const LEVELS: [&str; 11] = [
    "..B.\nAAB.\n..CC\n....",
    "B..x.\nB.C..\nAAC.D\n..C.D\nEE...",
    "...E\nAA.E\nBBCD\n..CD",
    "..BB.\n..C..\nAAC.D\n.EE.D\nx....",
    // The exit on the left, at the top and at the bottom.
    " .B..C.\n .B..C.\n<.D.AA.\n .D.EE.\n ......",
    "  ^\n.BBC.\n...C.\n..A..\n..A..\n.DD..",
    "..A..\n..A.B\nCCD.B\n..D..\nEE...\n  v",
    // A piece before the red one in its own row: no goal can be reached.
    "......\nAA.BB.\n..C...\n..C...",
    // A truck that fills its column.
    "..B.\nAAB.\n..B.\nCCB.",
    "..B..\nAAB..\n..C..\n..C.D\nEE..D\nFF...",
    "# board: 9x8\n.........\nBB..C....\n....C..D.\nAA..C..D.\n.....EE..\n.........\n.........\n.........",
];

#[test]
fn blocking_cars_are_counted_by_hand() {
    // B stands before A.
    let board = "..B.\nAAB.\n..CC\n....";
    assert_eq!(at_start(board, GoalRule::Exit).0, 2.0, "B and A");
    assert_eq!(at_start(board, GoalRule::PathClear).0, 1.0, "B");
    // At the exit nothing is left to do.
    let board = "..B.\n..B.\n.CAA\n.C..";
    assert_eq!(at_start(board, GoalRule::Exit), (0.0, 0.0));
    assert_eq!(at_start(board, GoalRule::PathClear), (0.0, 0.0));
    // The way is free, and A has still to go.
    let board = "....\nAA..\n..CC\n....";
    assert_eq!((at_start(board, GoalRule::Exit).0, at_start(board, GoalRule::PathClear).0), (1.0, 0.0));
    // Pieces behind A do not count, two before it do.
    let board = "B....\nBAAC.\n...CD\n....D\n.....";
    assert_eq!(at_start(board, GoalRule::Exit).0, 2.0);
    // An exit on the left.
    let board = " .B..\n<.BAA\n ....\n ....";
    assert_eq!((at_start(board, GoalRule::Exit).0, at_start(board, GoalRule::PathClear).0), (2.0, 1.0));
}

#[test]
fn nothing_before_the_exit_that_can_never_go_away() {
    for board in ["......\nAA.BB.\n..C...\n..C...", "....\nAA.x\n....\nBB.."] {
        for goal in RULES {
            assert_eq!(at_start(board, goal), (f64::INFINITY, f64::INFINITY), "{board}");
        }
    }
    // Only the chain sees that B has no room above and below the row of A.
    let board = "..B.\nAAB.\n..B.\nC...\nC...".replace("C...\nC...", "CCx.");
    assert_eq!(at_start(&board, GoalRule::Exit), (2.0, f64::INFINITY));
}

#[test]
fn the_chain_counts_what_has_to_make_way_whichever_way_is_taken() {
    // B can only go down, by two cells, since above there is one cell: C and D have to leave, and A goes out.
    //   ..B.
    //   AAB.
    //   ..B.   B covers rows 0 to 2
    //   .CC.
    //   ..DD   rows 3, 4
    //   ....
    let board = "..B.\nAAB.\n..B.\n.CC.\n..DD\n....";
    // To clear row 1 it has to get to rows 2 to 4: C and D stand there.
    assert_eq!(at_start(board, GoalRule::Exit), (2.0, 4.0));
    assert_eq!(at_start(board, GoalRule::PathClear), (1.0, 3.0));
    // B can go up or down, over C in one case and over D in the other: neither is certain.
    let board = ".CC..\n..B..\nAAB..\n.DD..\n.....";
    assert_eq!(at_start(board, GoalRule::Exit), (2.0, 2.0));
    // Above is a wall, so D is certain; and D can only go right, where E stands. E can go up or down.
    let board = "..x..\n..B..\nAAB..\nxDDE.\n...E.\n.....";
    assert_eq!(at_start(board, GoalRule::Exit), (2.0, 4.0));
    // C is below B in its column: B has to go down by two, so C has to go down as well.
    let board = "..x..\n..B..\nAAB..\n..C..\n..C..\n.....\n.....";
    assert_eq!(at_start(board, GoalRule::Exit), (2.0, 3.0));
}

/// The pieces without which, by a search over the map, no goal can be reached.
fn needed(rules: &RushHour, map: &LevelMap) -> Vec<Vec<bool>> {
    let places: Vec<Vec<usize>> =
        (0..map.n_states() as u32).map(|node| places(rules, rules.decode(map.code(node).0))).collect();
    let stays_possible = |piece: usize| {
        // Moves can be undone, so the states from which a goal can be reached are those that goals lead to.
        let mut is_possible = vec![false; map.n_states()];
        let mut open: Vec<u32> = map.goals().collect();
        open.iter().for_each(|&goal| is_possible[goal as usize] = true);
        while let Some(node) = open.pop() {
            for &next in map.graph.successors(node) {
                if !is_possible[next as usize] && places[next as usize][piece] == places[node as usize][piece] {
                    is_possible[next as usize] = true;
                    open.push(next);
                }
            }
        }
        is_possible
    };
    let possible: Vec<Vec<bool>> = (0..rules.tracks.len()).map(stays_possible).collect();
    let of_state = |node: usize| possible.iter().map(|is_possible| !is_possible[node]).collect();
    (0..map.n_states()).map(of_state).collect()
}

#[test]
fn every_piece_that_is_counted_has_to_move() {
    let (mut n_cars, mut n_chain, mut n_needed, mut n_solvable) = (0, 0, 0, 0);
    for text in LEVELS {
        for goal in RULES {
            let rules = rules(text, goal, Metric::Slide);
            let (map, distances) = map(&rules);
            let needed = needed(&rules, &map);
            for node in 0..map.n_states() as u32 {
                let position = rules.decode(map.code(node).0);
                let is_solvable = distances.get(node).is_some();
                let places = places(&rules, position);
                let board = Board::new(&rules, &places);
                let Some(chain) = board.pieces_to_move(super::DEPTH) else {
                    assert!(!is_solvable, "{text}\n{}", rules.format_state(position));
                    continue;
                };
                let counted = |piece: usize| chain.0[piece / 64] >> (piece % 64) & 1 == 1;
                for piece in (0..rules.tracks.len()).filter(|&piece| counted(piece)) {
                    let name = &rules.tracks[piece].name;
                    assert!(needed[node as usize][piece], "{name} {goal:?}\n{text}\n{}", rules.format_state(position));
                }
                let cars = board.pieces_to_move(0).unwrap();
                assert_eq!(cars.union(chain), chain);
                if is_solvable {
                    n_cars += cars.count();
                    n_chain += chain.count();
                    n_needed += needed[node as usize].iter().map(|&is| u32::from(is)).sum::<u32>();
                    n_solvable += 1;
                }
            }
        }
    }
    assert!(n_solvable > 1_000 && n_cars < n_chain && n_chain <= n_needed, "{n_cars} {n_chain} {n_needed}");
}

#[test]
fn both_heuristics_are_bounds_under_every_rule() {
    let mut n_exact = 0;
    for text in
        LEVELS.into_iter().chain(["IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM", "BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM."])
    {
        for goal in RULES {
            for metric in [Metric::Slide, Metric::Cell] {
                let rules = rules(text, goal, metric);
                let (map, distances) = map(&rules);
                for node in 0..map.n_states() as u32 {
                    let position = rules.decode(map.code(node).0);
                    let distance = distances.get(node).map(|distance| f64::from(distance.0));
                    for number in 0..2 {
                        let value = rules.estimate(number, position);
                        let board = rules.format_state(position);
                        assert!(value <= distance.unwrap_or(f64::INFINITY), "{value} {distance:?} {board}");
                        assert_eq!(value == 0.0, rules.is_goal(position), "{goal:?} {board}");
                        n_exact += usize::from(Some(value) == distance && value > 1.0);
                    }
                }
            }
        }
    }
    assert!(n_exact > 1_000, "{n_exact}");
}

#[test]
fn values_equal_those_of_the_second_implementation() {
    let golden = golden("heuristics.json");
    let levels = golden["rush_hour"].as_array().unwrap();
    assert_eq!(levels.len(), 2);
    for level in levels {
        for (name, goal) in [("exit", GoalRule::Exit), ("path-clear", GoalRule::PathClear)] {
            let rules = rules(&level["board"].as_str().unwrap().replace('/', "\n"), goal, Metric::Slide);
            let (map, _) = map(&rules);
            let values = level["blocking-cars"][name].as_object().unwrap();
            assert_eq!(values.len(), map.n_states(), "{}", level["level"]);
            for (text, expected) in values {
                let expected = expected.as_f64().unwrap_or(f64::INFINITY);
                assert_eq!(rules.estimate(0, rules.parse_state(text).unwrap()), expected, "{text}");
            }
        }
    }
}

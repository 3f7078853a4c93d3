use std::sync::Arc;

use super::super::{MatchTheTiles, Position, notation};
use crate::diagnostic::SourceText;
use crate::distance::DistanceTable;
use crate::game::Puzzle;
use crate::graph::{MapOptions, enumerate};
use crate::level::{LevelColumns, read_levels};
use crate::testing::{golden, project};

fn rules(text: &str) -> MatchTheTiles {
    let source = Arc::new(SourceText { path: "levels.txt".into(), text: text.to_owned() });
    let layout = notation::parse(text, &source, 0).unwrap_or_else(|faults| panic!("{text}\n{faults:#?}"));
    MatchTheTiles::new(layout).unwrap()
}

fn value(rules: &MatchTheTiles, name: &str, position: Position) -> f64 {
    let number = rules.heuristics().iter().position(|heuristic| heuristic.name == name).expect(name);
    rules.estimate(number, position)
}

/// Estimate of the start of a drawn level by a heuristic.
fn at_start(name: &str, text: &str) -> f64 {
    let rules = rules(text);
    value(&rules, name, rules.start())
}

/// The levels that plymap brings along, and boards drawn by a linear congruential generator (Knuth 1997, section
/// 3.3.4) with walls, twins and parts that cannot be reached.
fn many_levels() -> Vec<MatchTheTiles> {
    let file = project().join("data/match_the_tiles/levels.txt");
    let levels = read_levels(&file, &LevelColumns::default()).unwrap();
    let mut all: Vec<MatchTheTiles> = levels.iter().map(|level| rules(&level.text)).collect();
    let mut state = 7_u64;
    let mut next = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    for _ in 0..200 {
        let (width, height) = (2 + next(5), 3 + next(4));
        let mut cells = vec![".".to_owned(); width * height];
        let mut free: Vec<usize> = (0..cells.len()).collect();
        let mut take = |free: &mut Vec<usize>| free.remove(next(free.len()));
        for mark in ["A", "a", "A", "a", "B", "b"] {
            cells[take(&mut free)] = mark.to_owned();
        }
        for _ in 0..free.len() / 3 {
            cells[take(&mut free)] = "x".to_owned();
        }
        let rows: Vec<String> = cells.chunks(width).map(<[String]>::concat).collect();
        all.push(rules(&rows.join("\n")));
    }
    all
}

#[test]
fn there_are_23_heuristics_with_the_names_of_their_layers() {
    let rules = rules("A.\n.a");
    let names: Vec<String> = rules.heuristics().into_iter().map(|heuristic| heuristic.name).collect();
    assert_eq!(names.len(), 5 + 2 * 3 * 3);
    assert_eq!(names[..5], ["swipes", "collinear", "collinear-sum", "collision", "collision-sum"]);
    assert_eq!(names[5..9], ["euclidean-min-min", "euclidean-min-mean", "euclidean-min-max", "euclidean-mean-min"]);
    assert_eq!(names[22], "manhattan-max-max");
    let mut sorted = names.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!(sorted.len(), names.len());
    assert_eq!(rules.estimate(23, rules.start()), 0.0, "no heuristic has this number");
}

#[test]
fn distances_are_joined_from_the_inside_out() {
    // Blocks A at (0,0) and (2,1), goals a at (0,4) and (3,0); block B at (3,4), goal b at (0,1).
    //             to (0,4)            to (3,0)
    // (0,0)       4 or 4              3 or 3
    // (2,1)       2+3=5 or root 13    1+1=2 or root 2
    // B           to (0,1): 3+3=6 or root 18
    let board = "Ab..a\n.....\n.A...\na...B";
    for (name, expected) in [
        ("manhattan-min-min", 2.0),
        ("manhattan-mean-min", (3.0 + 2.0 + 6.0) / 3.0),
        ("manhattan-max-min", 6.0),
        ("manhattan-min-mean", 3.5),
        ("manhattan-min-max", 4.0),
        ("manhattan-mean-max", (4.0 + 5.0 + 6.0) / 3.0),
        ("manhattan-max-mean", 6.0),
        ("euclidean-min-min", 2.0_f64.sqrt()),
        ("euclidean-max-max", 18.0_f64.sqrt()),
        ("euclidean-min-max", 13.0_f64.sqrt()),
        ("euclidean-mean-min", (3.0 + 2.0_f64.sqrt() + 18.0_f64.sqrt()) / 3.0),
    ] {
        let estimate = at_start(name, board);
        assert!((estimate - expected).abs() < 1e-12, "{name}: {estimate}, expected {expected}");
    }
}

#[test]
fn collinear_distinguishes_four_cases() {
    for (expected, text) in [
        (0.0, "Aa .\n. ."),
        (1.0, "A..a\n...."),
        (2.0, "A...\n...a"),
        (3.0, "A.xa\n...."),
        // The nearer of two goals counts: one is on the row, the other behind a wall.
        (1.0, "A.a.\nx...\na.A."),
    ] {
        assert_eq!(at_start("collinear", text), expected, "{text}");
    }
    // A is blocked (3), B is collinear (1): another block between does not count as a wall.
    let text = "Axa.\n....\nB.Cb\n...c";
    assert_eq!(at_start("collinear", text), 3.0);
    assert_eq!(at_start("collinear-sum", text), 3.0 + 1.0 + 2.0);
}

#[test]
fn walls_have_the_value_of_the_turns_from_the_goal() {
    // The goal is at the right end of the middle row: its row leads to the left edge and the right edge without a
    // turn, its column to the top and the bottom edge above and below it.
    //   ....
    //   ...a
    //   ....
    for (expected, text) in [
        (0.0, "....\nA..a\n...."),
        // In the corner: the top edge above it and the left edge beside it both take one turn.
        (1.0, "A...\n...a\n...."),
        // The corner above the goal: the edge above is met straight from the goal.
        (0.0, "...A\n...a\n...."),
        // It touches nothing, and faces the left edge of the goal's row.
        (0.0, "....\n.A.a\n...."),
        // It touches the top edge only, which takes one turn.
        (1.0, ".A..\n...a\n...."),
        // On its goal.
        (0.0, ". . . .\n. . . Aa\n. . . ."),
        // Left of the wall, the row of the goal is reached by two turns and then the wall from the left by a third,
        // but from the right the same wall is met without any.
        (0.0, "A x . a\n. . . ."),
        // The path winds: goal, up the column, along the top, down, and along the bottom.
        //   ...    up 0 turns, left 1, down 2, right 3: A faces or touches the bottom edge (2) and the wall (2)
        //   .xa
        //   Axx
        (2.0, "...\n.xa\nAxx"),
    ] {
        assert_eq!(at_start("collision", text), expected, "{text}");
    }
}

#[test]
fn a_block_that_is_cut_off_from_all_goals_has_an_infinite_value() {
    let wall = ".Ax.a\n..x..";
    assert_eq!(at_start("collision", wall), 0.0, "the wall between has two sides, and the goal is on the other");
    let walls = "A.xx.a\n..xx..";
    assert_eq!(at_start("collision", walls), f64::INFINITY);
    assert_eq!(at_start("collision-sum", walls), f64::INFINITY);
    let rules = rules(walls);
    let map = enumerate(&rules, &MapOptions::default()).unwrap();
    assert_eq!(map.goals().count(), 0);
}

#[test]
fn what_claims_to_be_a_bound_is_one_on_every_position() {
    let (mut n_positions, mut n_exact) = (0, [0_usize; 23]);
    let mut n_above = [0_usize; 23];
    for rules in many_levels() {
        let map = enumerate(&rules, &MapOptions::default()).unwrap();
        let distances = DistanceTable::new(&map);
        let heuristics = rules.heuristics();
        for node in 0..map.n_states() as u32 {
            let position = rules.decode(map.code(node).0);
            let distance = distances.get(node).map(|distance| f64::from(distance.0));
            let swipes = value(&rules, "swipes", position);
            for (number, heuristic) in heuristics.iter().enumerate() {
                let value = rules.estimate(number, position);
                assert!(value >= 0.0, "{}", heuristic.name);
                assert!(value.is_finite() || distance.is_none(), "{}", heuristic.name);
                let Some(distance) = distance else { continue };
                if heuristic.is_admissible {
                    assert!(value <= distance, "{}: {value} > {distance}", heuristic.name);
                    // The relaxed swipes are the largest of the bounds: the others see less of the board.
                    assert!(value <= swipes, "{}: {value} > {swipes}", heuristic.name);
                }
                n_exact[number] += usize::from(value == distance);
                n_above[number] += usize::from(value > distance);
            }
            n_positions += 1;
        }
    }
    assert!(n_positions > 5_000, "{n_positions}");
    assert!(n_exact[..5].iter().all(|&count| count > 50), "{n_exact:?}");
    // What makes no claim exceeds the distance somewhere, so that no claim is missing: all but the bounds and those
    // that are small because the nearest block counts, which long boards show.
    let admissible: Vec<usize> = (0..23).filter(|&number| n_above[number] == 0).collect();
    assert_eq!(admissible, [0, 1, 3], "{n_above:?}");
}

#[test]
fn values_equal_those_of_the_second_implementation() {
    let golden = golden("heuristics.json");
    let levels = golden["match_the_tiles"].as_array().unwrap();
    assert_eq!(levels.len(), 3);
    for level in levels {
        let rules = rules(&level["board"].as_str().unwrap().replace('/', "\n"));
        let map = enumerate(&rules, &MapOptions::default()).unwrap();
        let states = level["states"].as_object().unwrap();
        assert_eq!(states.len(), map.n_states(), "{}", level["level"]);
        for (text, values) in states {
            let position = rules.parse_state(text).unwrap();
            assert_eq!(values.as_object().unwrap().len(), 22);
            for (name, expected) in values.as_object().unwrap() {
                let (value, expected) = (value(&rules, name, position), expected.as_f64().unwrap());
                assert!((value - expected).abs() < 1e-12, "{} {text} {name}: {value}, not {expected}", level["level"]);
            }
        }
    }
}

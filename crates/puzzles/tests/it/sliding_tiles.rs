//! Sliding tiles beside the script that comes with plymap for the same puzzle.

use std::collections::HashSet;

use plymap_puzzles::distance::DistanceTable;
use plymap_puzzles::game::picture::{GoalArea, Picture, Shape};
use plymap_puzzles::graph::MapOptions;
use plymap_puzzles::registry::{Game, RuleOptions};

use crate::fixtures::{level_of, options};
use crate::testing::project;

/// Positions, moves, distances, heuristics and pictures are the same.
#[test]
fn the_scripted_puzzle_agrees_with_the_built_in_one() {
    let (game, lua) = (Game::named("sliding-tiles").expect("a game"), Game::named("lua").expect("a game"));
    let script =
        RuleOptions { table: "script = \"data/lua/eight_puzzle.lua\"".parse().expect("TOML"), folder: project() };
    for (text, n_states) in [("31\n2.", 12), (".25\n134", 360), ("12.\n453\n786", 181_440)] {
        let (rules, twin) = (level_of(game, text, &options("")).rules, level_of(lua, text, &script).rules);
        let [map, other] = [&rules, &twin].map(|rules| rules.map(&MapOptions::default()).expect("within the limits"));
        assert_eq!((map.n_states(), other.n_states()), (n_states, n_states));
        let (distances, twins) = (DistanceTable::new(&map), DistanceTable::new(&other));
        let mut met = HashSet::new();
        for node in 0..other.n_states() as u32 {
            let state = rules.parse_state(&twin.format_state(other.code(node))).expect("a position");
            let same = map.node(state).expect("a position of the map");
            assert!(met.insert(same) && distances.get(same) == twins.get(node), "{}", rules.format_state(state));
            if node % 401 > 0 {
                continue;
            }
            let moves = |rules: &dyn plymap_puzzles::rules::Rules, state| -> HashSet<String> {
                rules.legal_moves(state).into_iter().map(|legal| legal.notation).collect()
            };
            assert_eq!(moves(&*rules, state), moves(&*twin, other.code(node)));
            // The script lists `manhattan` and `misplaced` in the order of their names.
            for (ours, theirs) in [(1, 0), (0, 1)] {
                assert_eq!(rules.estimate(ours, state), twin.estimate(theirs, other.code(node)));
            }
            let (ours, theirs) = (rules.picture(state), twin.picture(other.code(node)));
            assert_eq!(drawn(&ours), drawn(&theirs));
        }
    }
}

/// What a picture shows, its lengths in hundredths of a cell.
fn drawn(picture: &Picture) -> String {
    let hundredths = |length: f64| (100.0 * length).round() as i64;
    let shape = |shape: &Shape| {
        let Shape { row, column, rows, columns, form, role, label } = shape;
        format!("{:?} {form:?} {role:?} {label}", [*row, *column, *rows, *columns].map(hundredths))
    };
    let shapes: Vec<String> = picture.shapes.iter().map(shape).collect();
    let goal = picture
        .goal
        .map(|GoalArea { row, column, rows, columns, caption }| [row, column, rows, columns, caption].map(hundredths));
    format!("{:?} {:?} {goal:?} {shapes:?}", [picture.width, picture.height].map(hundredths), picture.ground)
}

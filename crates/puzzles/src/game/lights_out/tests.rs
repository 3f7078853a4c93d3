//! Tests of Lights Out.

use super::bits::BitWords;
use super::*;
use crate::distance::DistanceTable;
use crate::game::StateCode;
use crate::graph::{LevelMap, MapOptions, enumerate};
use crate::level::read_levels;
use crate::testing::{golden, project};

/// The rules of a board whose rows are separated by `/`.
fn rules<B: Bits>(drawn: &str, neighbourhood: &str) -> LightsOut<B> {
    let rows: Vec<&str> = drawn.split('/').collect();
    let (width, height) = (rows[0].len(), rows.len());
    let lit = read_state(drawn, width, height).unwrap();
    LightsOut::new(&Board { width, height, lit, neighbourhood: neighbourhood.parse().unwrap() }).unwrap()
}

fn map_of<B: Bits>(rules: &LightsOut<B>) -> (LevelMap, DistanceTable) {
    let map = enumerate(rules, &MapOptions::default()).unwrap();
    let distances = DistanceTable::new(&map);
    (map, distances)
}

fn value<B: Bits>(rules: &LightsOut<B>, state: B) -> Option<u32> {
    rules.value(state).unwrap().map(|value| value.as_distance().unwrap().0)
}

#[test]
fn a_press_inverts_a_lamp_and_its_neighbours() {
    let rules = rules::<u64>("*../.../..*", "plus");
    let pressed = |state: u64, text: &str| rules.play(state, rules.parse_move(state, text).unwrap()).unwrap();
    let after = pressed(rules.start(), "r1c1");
    assert_eq!(rules.format_state(after), ".*./*../..*");
    assert_eq!(rules.format_state(pressed(after, "r2c3")), ".**/***/...");
    assert_eq!(pressed(after, "r1c1"), rules.start());
}

#[test]
fn maps_of_boards_have_the_published_size_and_radius() {
    // Distances of n x n boards: 2^(n²) boards in 2^nullity classes; largest distances 1, 4, 9, 7.
    for (drawn, n_states, largest) in
        [("*", 2, 1), ("**/**", 16, 4), ("***/***/***", 512, 9), ("****/****/****/****", 4096, 7)]
    {
        let (map, distances) = map_of(&rules::<u64>(drawn, "plus"));
        assert_eq!((map.n_states(), map.goals().count()), (n_states, 1), "{drawn}");
        assert_eq!(distances.max().map(|max| max.0), Some(largest), "{drawn}");
    }
}

/// Law 6 and the other laws, on every position of a mapped level.
fn laws_hold<B: Bits>(drawn: &str, neighbourhood: &str) {
    let rules = rules::<B>(drawn, neighbourhood);
    let (map, distances) = map_of(&rules);
    for node in 0..map.n_states() as u32 {
        let state = rules.decode(map.code(node).0);
        let distance = distances.get(node).map(|distance| distance.0);
        assert_eq!(value(&rules, state), distance, "{drawn} {neighbourhood} {state:?}");
        assert!(distance.is_none_or(|distance| rules.estimate(0, state) <= f64::from(distance)));
        assert_eq!(rules.parse_state(&rules.format_state(state)), Ok(state));
        assert_eq!(rules.decode(rules.encode(state)), state);
        let mut images = Vec::new();
        rules.symmetric(state, &mut images);
        for image in images {
            let image = map.node(StateCode(rules.encode(image))).unwrap();
            assert_eq!(distances.get(image), distances.get(node));
        }
        let mut moves = Vec::new();
        rules.legal_moves(state, &mut moves);
        assert!(moves.is_sorted() && moves.len() == map.graph.successors(node).len());
        for (&press, &after) in moves.iter().zip(map.graph.successors(node)) {
            let next = rules.play(state, press).unwrap();
            assert_eq!(rules.encode(next), map.code(after).0);
            assert_eq!(rules.play(next, press), Ok(state));
            assert_eq!(rules.parse_move(state, &rules.format_move(state, press)), Ok(press));
            let between = rules.move_between(state, next).unwrap();
            assert_eq!(rules.play(state, between), Ok(next));
        }
    }
}

#[test]
fn algebra_gives_the_distances_of_the_map() {
    for neighbourhood in ["plus", "torus", "diagonal", "moore", "0,0 0,1 1,0", "0,0 2,1", "1,1"] {
        for drawn in ["*", ".*.", "*.*/**.", "*../.*./..*", "..*./..../.*..", "*..*/.**./..../*..*", "**/../.*/*./.."] {
            laws_hold::<u64>(drawn, neighbourhood);
        }
    }
}

#[test]
fn wide_sets_play_the_same_game() {
    for drawn in ["*../.*./..*", "..*./..../.*.."] {
        laws_hold::<u128>(drawn, "plus");
        laws_hold::<BitWords<4>>(drawn, "moore");
    }
}

#[test]
fn levels_keep_their_symmetries_only() {
    let n_images = |drawn: &str, neighbourhood: &str| {
        let rules = rules::<u64>(drawn, neighbourhood);
        let mut images = Vec::new();
        rules.symmetric(rules.start(), &mut images);
        images.len()
    };
    assert_eq!(n_images("***/*../...", "plus"), 7);
    assert_eq!(n_images("***/*..", "torus"), 3);
    assert_eq!(n_images("***/*../...", "0,0 0,1 1,0"), 1);
    assert_eq!(n_images("***/*../...", "0,0 0,1 2,0"), 0);
    // A lone lamp beside the corner of 5x5 cannot be turned off, nor can it be moved to the other side of the
    // diagonal: the two boards lie in different classes.
    assert_eq!(n_images("*..../...../...../...../.....", "plus"), 7);
    assert_eq!(n_images(".*.../...../...../...../.....", "plus"), 3);
}

#[test]
fn the_own_search_finds_moves_that_solve_every_position_with_a_solution() {
    let silent = crate::progress::Silent;
    for drawn in ["**/..", "*../.*./..*", "..*./..../.*..", "*../.../..*/.*."] {
        let rules = rules::<u64>(drawn, "plus");
        assert_eq!(rules.own_search().map(|search| search.name), Some("column-search"));
        let (width, height) = (rules.width, rules.height);
        // Every set of lamps, with a solution or without.
        for state in 0..1u64 << (width * height) {
            let result = rules.search_own(state, u64::MAX, &silent);
            let steps = (1 << height) - 1 + (1 << height) * height * (width - 1);
            assert_eq!((result.n_steps, result.is_cut), (steps as u64, false));
            assert_eq!(result.moves.is_some(), rules.algebra().is_solvable(state), "{drawn} {state:b}");
            let Some(moves) = result.moves else { continue };
            let end = moves.iter().fold(state, |state, &press| rules.play(state, press).unwrap());
            assert!(rules.is_goal(end), "{drawn} {state:b}");
            let columns: Vec<usize> = moves.iter().map(|press| usize::from(press.cell) % width).collect();
            assert!(columns.is_sorted(), "{columns:?}");
        }
        let cut = rules.search_own(rules.start(), 3, &silent);
        assert_eq!(cut, OwnFound { n_steps: 3, moves: None, is_cut: true });
    }
}

#[test]
fn the_own_search_is_for_the_neighbourhood_plus() {
    let has_search = |drawn: &str, neighbourhood: &str| rules::<u64>(drawn, neighbourhood).own_search().is_some();
    assert!(has_search("*../.../...", "0,0 0,1 1,0 0,-1 -1,0"), "the same, written as a pattern");
    for (drawn, neighbourhood) in [("*../.../...", "torus"), ("*../.../...", "moore"), ("*/./.", "plus")] {
        assert!(!has_search(drawn, neighbourhood), "{drawn} {neighbourhood}");
    }
    let torus = rules::<u64>("*../.../...", "torus");
    let result = torus.search_own(torus.start(), 100, &crate::progress::Silent);
    assert_eq!(result, OwnFound { n_steps: 0, moves: None, is_cut: false });
}

#[test]
fn the_classic_board_all_on() {
    let rules = rules::<u64>("*****/*****/*****/*****/*****", "plus");
    assert_eq!(rules.valuation(), Valuation::Exact);
    assert_eq!(value(&rules, rules.start()), Some(15));
    let attributes: Vec<_> =
        rules.attributes(rules.start()).into_iter().map(|attribute| (attribute.name, attribute.value)).collect();
    assert_eq!(attributes[..2], [("nullity", "2"), ("n_solutions", "4")].map(|(n, v)| (n, v.to_owned())));
    assert_eq!((attributes[2].1.as_str(), attributes[3].1.as_str()), ("15", "4"));
    assert_eq!(attributes[4].1.split(' ').count(), 15);
    // Each press of a lightest solution comes one nearer.
    let first = rules.parse_move(rules.start(), attributes[4].1.split(' ').next().unwrap()).unwrap();
    assert_eq!(value(&rules, rules.play_unchecked(rules.start(), first)), Some(14));
}

#[test]
fn boards_without_a_solution_have_no_value() {
    let rules = rules::<u64>("*..../...../...../...../.....", "plus");
    let start = rules.start();
    assert_eq!(value(&rules, start), None);
    let attributes = rules.attributes(start);
    let names: Vec<_> = attributes.iter().map(|attribute| (attribute.name, attribute.value.as_str())).collect();
    assert_eq!(names, [("nullity", "2"), ("n_solutions", "0")]);
}

#[test]
fn the_board_of_enlight_has_one_solution() {
    let row = "*.*.*.*.*.";
    let rules = rules::<u128>(&[row; 10].join("/"), "plus");
    let start = rules.start();
    let mut state = start;
    let lightest = rules.lightest(start).unwrap().unwrap();
    assert_eq!(value(&rules, start), Some(lightest.weight));
    for (pressed, cell) in (1..).zip(lightest.presses.cells()) {
        state = rules.play(state, Press { cell: cell as u16 }).unwrap();
        assert_eq!(value(&rules, state), Some(lightest.weight - pressed));
    }
    assert!(rules.is_goal(state));
}

#[test]
fn the_largest_board_has_codes_and_values() {
    let row = "*".repeat(32);
    let rules = rules::<BitWords<16>>(&vec![row; 32].join("/"), "plus");
    let boxed: &dyn crate::rules::Rules = &rules;
    let start = boxed.start();
    let before = boxed.value(start).unwrap().unwrap();
    let moves = boxed.legal_moves(start);
    assert_eq!((moves.len(), moves[33].notation.as_str(), moves[33].piece), (1024, "r2c2", Some(33)));
    let after = boxed.value(moves[33].next).unwrap().unwrap();
    assert!((before.number() - after.number()).abs() <= 1.0);
    assert_eq!(boxed.move_between(start, moves[33].next).unwrap().notation, "r2c2");
    assert_eq!(boxed.parse_state(&boxed.format_state(moves[33].next)), Ok(moves[33].next));
    // A code that was never given stands for no lamp rather than for a panic.
    assert!(rules.decode(u128::MAX).is_empty());
}

#[test]
fn more_solutions_than_can_be_weighed_are_refused() {
    // The king's board of 14x14 has nullity 27.
    let on = rules::<BitWords<4>>(&vec!["*".repeat(14); 14].join("/"), "moore");
    let error = on.value(on.start()).unwrap_err();
    assert!(error.to_string().contains("2^27 solutions"), "{error}");
    let preparation = Preparation { progress: &crate::progress::Silent, store: None };
    assert_eq!(on.prepare(&preparation), Err(error));
    assert_eq!(on.attributes(on.start()).len(), 2);
}

#[test]
fn boards_that_the_sets_cannot_hold_are_refused() {
    let board = Board { width: 9, height: 9, lit: vec![], neighbourhood: Neighbourhood::Plus };
    assert_eq!(LightsOut::<u64>::new(&board).unwrap_err(), TooManyLamps { lamps: 81, capacity: 64 });
}

#[test]
fn the_drawing_shows_lamps() {
    let rules = rules::<u64>("**./*../...", "plus");
    let picture = rules.picture(rules.start());
    assert_eq!(picture.to_text(), "+-----+\n|* * .|\n|* . .|\n|. . .|\n+-----+\n");
    assert_eq!(picture.shapes.len(), 9);
}

#[test]
fn options_name_the_neighbourhood() {
    let read = |text: &str| toml::from_str::<Options>(text);
    assert_eq!(read("").unwrap().neighbourhood, Neighbourhood::Plus);
    assert_eq!(read("neighbourhood = \"king\"").unwrap().neighbourhood, Neighbourhood::Moore);
    let pattern = read("pattern = \"*.*/.*./*.*\"").unwrap();
    assert_eq!(toml::to_string(&pattern).unwrap(), "neighbourhood = \"-1,-1 -1,1 0,0 1,-1 1,1\"\n");
    let error = read("neighbourhood = \"star\"").unwrap_err();
    assert!(error.message().contains("\"star\" is not a neighbourhood: write plus, torus"), "{}", error.message());
    assert!(read("wrap = true").is_err());
}

/// Path counts, sizes and distances of the shipped levels against tests/oracles/lights_out.py.
#[test]
fn shipped_levels_give_the_golden_numbers() {
    let golden = golden("games/lights_out.json");
    let levels = read_levels(&project().join("data/lights_out/levels.txt"), &Default::default()).unwrap();
    assert_eq!(levels.len(), golden["levels"].as_array().unwrap().len());
    for (level, golden) in levels.iter().zip(golden["levels"].as_array().unwrap()) {
        assert_eq!(level.id, golden["level"].as_str().unwrap());
        let board = notation::parse(&level.text, &level.source, level.span.start, &Neighbourhood::Plus).unwrap();
        let rules = LightsOut::<u128>::new(&board).unwrap();
        let start = rules.start();
        let number = |key: &str| golden[key].as_u64();
        assert_eq!(value(&rules, start).map(u64::from), number("start_distance"), "{}", level.id);
        let perft: Vec<u64> = (0..4).map(|depth| n_paths(&rules, start, depth)).collect();
        assert_eq!(serde_json::json!(perft), serde_json::json!(golden["perft"].as_array().unwrap()[..4]));
        if let Some(n_states) = number("n_states") {
            let (map, distances) = map_of(&rules);
            assert_eq!((map.n_states() as u64, Some(map.graph.n_arcs() as u64)), (n_states, number("n_arcs")));
            assert_eq!(Some(map.goals().count() as u64), number("n_goals"));
            assert_eq!(serde_json::json!(distances.histogram()), golden["histogram"]);
            assert_eq!(distances.max().map(|max| u64::from(max.0)), number("max_distance"));
            assert_eq!(distances.get(0).map(|start| u64::from(start.0)), number("start_distance"));
        } else {
            let lightest = rules.lightest(start).unwrap().unwrap();
            assert_eq!(Some(lightest.n_solutions), number("n_lightest"));
            assert_eq!(Some(1 << rules.algebra().nullity()), number("n_solutions"));
        }
    }
}

/// Number of move sequences of this length.
fn n_paths(rules: &LightsOut<u128>, state: u128, length: usize) -> u64 {
    if length == 0 {
        return 1;
    }
    let mut moves = Vec::new();
    rules.legal_moves(state, &mut moves);
    moves.iter().map(|&press| n_paths(rules, rules.play_unchecked(state, press), length - 1)).sum()
}

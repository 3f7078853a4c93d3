use std::sync::Arc;

use super::*;
use crate::diagnostic::{Diagnostic, SourceText};
use crate::distance::DistanceTable;
use crate::graph::{LevelMap, MapOptions, enumerate};
use crate::level::{LevelColumns, read_levels};
use crate::testing::{golden, project};

fn source(text: &str) -> Arc<SourceText> {
    Arc::new(SourceText { path: "levels.txt".into(), text: text.to_owned() })
}

fn rules(text: &str) -> MatchTheTiles {
    let layout = notation::parse(text, &source(text), 0).unwrap_or_else(|faults| panic!("{text}\n{faults:#?}"));
    MatchTheTiles::new(layout).unwrap()
}

fn faults(text: &str) -> Vec<Diagnostic> {
    notation::parse(text, &source(text), 0).unwrap_err()
}

fn map(rules: &MatchTheTiles) -> (LevelMap, DistanceTable) {
    let map = enumerate(rules, &MapOptions::default()).unwrap();
    let distances = DistanceTable::new(&map);
    (map, distances)
}

#[test]
fn walls_may_surround_a_board() {
    let layout = |text: &str| notation::parse(text, &source(text), 0).unwrap().cells;
    assert_eq!(layout("# a remark\n#####\n#A.a#\n#####\n"), layout("xxxxx\nxA.ax\nxxxxx\n"));
    assert_eq!(layout("#####/#A.a#/#####"), layout("xxxxx/xA.ax/xxxxx"));
}

/// The rules of all levels that plymap brings along, with their names.
fn own_levels() -> Vec<(String, MatchTheTiles)> {
    let file = project().join("data/match_the_tiles/levels.txt");
    let levels = read_levels(&file, &LevelColumns::default()).unwrap();
    levels.into_iter().map(|level| (level.id, rules(&level.text))).collect()
}

/// Plays swipes one after the other and gives the positions.
fn played(rules: &MatchTheTiles, swipes: &[Direction]) -> Vec<String> {
    let mut position = rules.start();
    let mut shown = Vec::new();
    for &swipe in swipes {
        position = rules.play(position, swipe).unwrap();
        shown.push(rules.format_state(position));
    }
    shown
}

#[test]
fn all_blocks_go_as_far_as_they_can() {
    // On the way to the right, the edge stops C, C stops A, and the wall stops B.
    let rules = rules("A.C.\n.B.x\nabc.");
    use Direction::{Down, Left, Right};
    assert_eq!(played(&rules, &[Right]), ["..AC/..Bx/...."]);
    assert_eq!(played(&rules, &[Left]), ["AC../B..x/...."]);
    assert_eq!(played(&rules, &[Right, Down]), ["..AC/..Bx/....", "...C/..Ax/..B."]);
}

#[test]
fn a_level_is_solved_when_every_block_is_on_its_goal_at_once() {
    let rules = rules("A.B\n...\na.b");
    assert!(!rules.is_goal(rules.start()));
    assert!(rules.is_goal(rules.play(rules.start(), Direction::Down).unwrap()));
    let swapped = rules.parse_state(".../.../B.A").unwrap();
    assert!(!rules.is_goal(swapped), "each block has to find a goal of its own colour");
    let one_missing = rules.parse_state(".../..B/A..").unwrap();
    assert!(!rules.is_goal(one_missing));
}

#[test]
fn blocks_of_one_colour_are_interchangeable() {
    // Either block may stand on either goal, and it makes no difference which one does.
    let rules = rules("A...\n....\n...A\na..a");
    let (a, b) = (rules.parse_state("..../..../..../A..A").unwrap(), rules.parse_state("....\n....\n....\nA..A"));
    assert_eq!(a, b.unwrap());
    let (map, _) = map(&rules);
    let mut boards: Vec<String> =
        (0..map.n_states() as u32).map(|node| rules.format_state(Position(map.code(node).0))).collect();
    let n_states = boards.len();
    boards.sort();
    boards.dedup();
    assert_eq!(boards.len(), n_states, "two codes show the same board");
}

#[test]
fn a_swipe_that_moves_nothing_is_not_legal() {
    let rules = rules("A.\n.a");
    let mut moves = Vec::new();
    rules.legal_moves(rules.start(), &mut moves);
    assert_eq!(moves, [Direction::Right, Direction::Down]);
    let reason = rules.play(rules.start(), Direction::Up).unwrap_err();
    assert!(reason.contains("no block can go up"), "{reason}");
}

#[test]
fn dead_ends_have_no_distance() {
    // Down and up again brings A back to its goal. In a corner it is lost: it slides from corner to corner.
    let rules = rules(". Aa .\n. . .");
    let (map, distances) = map(&rules);
    let distance_of = |text: &str| {
        let node = map.node(crate::game::StateCode(rules.parse_state(text).unwrap().0)).unwrap();
        distances.get(node).map(|distance| distance.0)
    };
    assert_eq!(map.n_states(), 6);
    assert_eq!(distance_of(".A./..."), Some(0));
    assert_eq!(distance_of(".../.A."), Some(1));
    for corner in ["A../...", "..A/...", ".../A..", ".../..A"] {
        assert_eq!(distance_of(corner), None, "{corner}");
    }
}

#[test]
fn counts_equal_those_of_the_second_implementation() {
    let golden = golden("games/match_the_tiles.json");
    let golden = golden["levels"].as_array().unwrap();
    let levels = own_levels();
    assert_eq!(levels.len(), golden.len());
    for ((name, rules), golden) in levels.iter().zip(golden) {
        let (map, distances) = map(rules);
        let start = distances.get(0).map(|distance| distance.0);
        let n_goals = map.goals().count();
        assert_eq!(golden["level"], name.as_str());
        assert_eq!(golden["n_states"], map.n_states(), "{name}");
        assert_eq!(golden["n_arcs"], map.graph.n_arcs(), "{name}");
        assert_eq!(golden["n_goals"], n_goals, "{name}");
        assert_eq!(golden["start_distance"], serde_json::json!(start), "{name}");
        assert_eq!(golden["histogram"], serde_json::json!(distances.histogram()), "{name}");
        let n_dead_ends = distances.iter().filter(Option::is_none).count();
        assert_eq!(golden["n_dead_ends"], n_dead_ends, "{name}");
        assert_eq!(golden["perft"], serde_json::json!(perft(&map, 8)), "{name}");
    }
}

/// Number of move sequences of each length from the start.
fn perft(map: &LevelMap, depth: usize) -> Vec<u64> {
    let mut paths = vec![0_u64; map.n_states()];
    paths[0] = 1;
    let mut counts = vec![1];
    for _ in 0..depth {
        let mut following = vec![0; paths.len()];
        for (node, &n_paths) in paths.iter().enumerate() {
            map.graph.successors(node as u32).iter().for_each(|&after| following[after as usize] += n_paths);
        }
        paths = following;
        counts.push(paths.iter().sum());
    }
    counts
}

#[test]
fn the_laws_hold_on_every_state_of_every_level() {
    for (name, rules) in own_levels() {
        let (map, distances) = map(&rules);
        for node in 0..map.n_states() as u32 {
            let position = Position(map.code(node).0);
            assert!(map.code(node).0.checked_shr(rules.code_bits()).unwrap_or(0) == 0);
            assert_eq!(rules.parse_state(&rules.format_state(position)), Ok(position), "{name}");
            let drawn = rules.picture(position).text.unwrap();
            assert_eq!(rules.parse_state(&drawn), Ok(position), "{name}\n{drawn}");
            let mut moves = Vec::new();
            rules.legal_moves(position, &mut moves);
            assert!(moves.is_sorted());
            let mut successors = Vec::new();
            rules.for_each_successor(position, &mut Vec::new(), &mut |after| successors.push(after));
            let afters: Vec<Position> = moves.iter().map(|&swipe| rules.play(position, swipe).unwrap()).collect();
            assert_eq!(successors, afters);
            for (&swipe, &after) in moves.iter().zip(&afters) {
                assert_eq!(rules.parse_move(position, &rules.format_move(position, swipe)), Ok(swipe));
                assert_eq!(rules.move_between(position, after), Some(swipe));
            }
            let bound = rules.estimate(0, position);
            assert_eq!(bound == 0.0, rules.is_goal(position));
            if let Some(distance) = distances.get(node) {
                assert!(bound <= f64::from(distance.0), "{name}: {bound} > {distance} in\n{drawn}");
            }
        }
    }
}

#[test]
fn the_bound_counts_turns_round_walls() {
    // The goal is in the row of A, behind a wall: down, right and up is the least.
    let rules = rules("Axa\n...");
    assert_eq!(rules.estimate(0, rules.start()), 3.0);
    let rules = self::rules("A..\n..a");
    assert_eq!(rules.estimate(0, rules.start()), 2.0);
    let rules = self::rules("A.a\n...");
    assert_eq!(rules.estimate(0, rules.start()), 1.0);
}

#[test]
fn moves_are_read_in_many_ways() {
    let rules = rules("A.\n.a");
    let read = |text: &str| rules.parse_move(rules.start(), text);
    for text in ["up", "UP", " u ", "↑", "⬆\u{fe0f}", "swipe_up", "swipe-up", "Swipe Up", "ArrowUp", "K_UP", "move up"]
    {
        assert_eq!(read(text), Ok(Direction::Up), "{text}");
    }
    for (text, swipe) in [
        ("R", Direction::Right),
        ("→", Direction::Right),
        ("d", Direction::Down),
        ("L", Direction::Left),
        ("⬅", Direction::Left),
    ] {
        assert_eq!(read(text), Ok(swipe), "{text}");
    }
    for text in ["", "x", "upp", "A+1", "swipe", "north"] {
        assert!(matches!(read(text), Err(MoveError::Unreadable { .. })), "{text}");
    }
}

#[test]
fn positions_are_read_in_many_ways() {
    let rules = rules("A.x\nb.B\n..a");
    let start = rules.start();
    assert_eq!(rules.format_state(start), "A.x/..B/...");
    for text in ["A.x/..B/...", "A.x..B...", "A.x\nb.B\n..a", "A . x / b . B / . . a", " A.x\n..B\n...\n"] {
        assert_eq!(rules.parse_state(text), Ok(start), "{text}");
    }
    let moved = rules.parse_state("..x / Bb . . / . . Aa");
    assert_eq!(rules.format_state(moved.unwrap()), "..x/B../..A");
    let reason = |text: &str| rules.parse_state(text).unwrap_err().reason;
    for (text, expected) in [
        ("A.x/..B", "its rows have 3, 3 cells, and the board has 3 rows of 3 cells"),
        ("A.x/..B/....", "its rows have 3, 3, 4 cells"),
        ("A.x..B..", "its row has 8 cells"),
        ("A../..B/...", "it has no wall at row 1, column 3, where the level has a wall"),
        ("A.x/x.B/...", "it has a wall at row 2, column 1, where the level has none"),
        ("A.x/a.B/...", "it has a goal 'a' at row 2, column 1"),
        ("A.x/..B/..C", "the level has no block 'C'"),
        ("A.x/A.B/...", "it has 2 blocks 'A', and the level has 1"),
        ("A.x/.../...", "it has 0 blocks 'B', and the level has 1"),
        ("A.x/.?B/...", "\"?\" is not a cell"),
        ("", "its rows have  cells"),
    ] {
        assert!(reason(text).contains(expected), "{text}: {}", reason(text));
    }
}

#[test]
fn rows_may_be_joined_by_slashes_and_cells_separated_by_blanks() {
    let plain = rules("A.x\nb.B\n..a");
    for text in
        ["A.x/b.B/..a", "A . x\nb . B\n. . a", "# a remark\nid: one\n A.x # the top\n b.B\n ..a\n", "A.x / b . B / ..a"]
    {
        let other = rules(text);
        assert_eq!(other.layout, plain.layout, "{text}");
    }
    let on_goal = rules("Ab .\nBa .");
    assert_eq!(on_goal.picture(on_goal.start()).text.unwrap(), "Ab .\nBa .\n");
    assert_eq!(on_goal.attributes(on_goal.start())[0].value, "0");
}

#[test]
fn every_fault_names_its_place() {
    let cases = [
        ("# only a remark", "empty-level", "# only a remark", "draw a board"),
        ("A.?\n..a", "unknown-cell", "?", "a cell is"),
        ("A.X\n..a", "unknown-cell", "X", "lower-case `x`"),
        ("bA . .\nB . a", "unknown-cell", "bA", "`Ab`"),
        ("A. .x\n..\na.", "unknown-cell", "A.", "put blanks between"),
        ("A..\n..\n..a", "ragged-rows", "", "draw every cell"),
        ("A..\n...a\n...", "ragged-rows", "a", "draw every cell"),
        ("A...a", "bad-board-size", "A...a", "join rows by `/`"),
        ("...\n...", "no-blocks", "...\n...", "at least one block"),
        ("A.A\n..a", "uneven-goals", "A", "add or remove a goal `a`"),
        ("A.b\n..a", "uneven-goals", "b", "a block `B`"),
        ("size: 3x2\nA..\n..a", "unknown-setting", "size: 3x2", "the only setting is id"),
    ];
    for (text, code, marked, help) in cases {
        let faults = faults(text);
        let fault = faults.iter().find(|fault| fault.code == code).unwrap_or_else(|| panic!("{text}: {faults:#?}"));
        assert_eq!(&text[fault.place.span.clone()], marked, "{text}");
        assert!(fault.help.as_ref().is_some_and(|text| text.contains(help)), "{fault}");
    }
    let several: Vec<&str> = faults("size: 3\nA.?..\n....").iter().map(|fault| fault.code).collect();
    assert_eq!(several, ["unknown-setting", "unknown-cell", "ragged-rows"]);
}

#[test]
fn too_many_blocks_are_refused_with_the_bits_they_need() {
    // A number up to 43 takes 6 bits, and 22 blocks need 132.
    let text = format!("{}\n{}\n{}", "A".repeat(11), "A".repeat(11), "a".repeat(11));
    let cells = format!("{text}\n{}", "a".repeat(11));
    let layout = notation::parse(&cells, &source(&cells), 0).unwrap();
    assert_eq!(
        MatchTheTiles::new(layout).unwrap_err(),
        LayoutError::TooManyBlocks { blocks: 22, cells: 44, bits: 132 }
    );
    // Every cell of a full board of 24 holds a block; nothing can move.
    let full = (0..4).map(|_| "Aa Aa Aa Aa Aa Aa\n").collect::<String>();
    let rules = rules(&full);
    assert!(rules.is_goal(rules.start()) && rules.code_bits() == 120);
    assert_eq!(map(&rules).0.n_states(), 1);
}

#[test]
fn no_text_breaks_the_readers() {
    // Deterministic noise (a linear congruential generator; Knuth 1997, section 3.3.4).
    let mut state = 1_u64;
    let mut next = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let marks: Vec<char> = "AaBbxX./ \n#:é↑{".chars().collect();
    let level = rules("A.x\nb.B\n..a");
    for _ in 0..20_000 {
        let text: String = (0..next(24)).map(|_| marks[next(marks.len())]).collect();
        if let Err(faults) = notation::parse(&text, &source(&text), 0) {
            assert!(!faults.is_empty());
            assert!(faults.iter().all(|fault| text.get(fault.place.span.clone()).is_some()), "{text:?}");
        }
        let _ = level.parse_state(&text);
        let _ = level.parse_move(level.start(), &text);
    }
}

#[test]
fn blocks_lie_on_the_goals_they_cover() {
    let rules = rules("Ab . .\n. x .\nB . a");
    let picture = rules.picture(rules.start());
    let shown: Vec<(Role, &str)> = picture.shapes.iter().map(|shape| (shape.role, shape.label.as_str())).collect();
    let expected =
        [(Role::Target(1), ""), (Role::Wall, ""), (Role::Target(0), "a"), (Role::Piece(0), "A"), (Role::Piece(1), "B")];
    assert_eq!(shown, expected);
    assert!(picture.shapes.iter().all(|shape| shape.row + shape.rows <= 3.0 && shape.column + shape.columns <= 3.0));
}

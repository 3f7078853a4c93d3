//! Rush Hour against golden counts.

use std::collections::{BTreeMap, HashSet};

use plymap_puzzles::distance::{Distance, Oracle as _};
use plymap_puzzles::game::{Subgoal, WishedMove};
use plymap_puzzles::graph::MapOptions;
use plymap_puzzles::registry::RuleOptions;
use plymap_puzzles::rules::LegalMove;
use plymap_puzzles::thought::Tree;
use plymap_puzzles::valuation::{ValuationOptions, ValuedLevel};

use crate::fixtures::{ARTICLE, Whole as _, level, options};

fn mapped(text: &str, rules: &RuleOptions, expand_goals: bool) -> ValuedLevel {
    let options = MapOptions { expand_goals, ..MapOptions::default() };
    ValuedLevel::new(level(text, rules), "rush-hour", &ValuationOptions { map: options, store: None })
        .expect("a level within the limits")
}

fn distance(value: Option<Distance>) -> Option<u32> {
    value.map(|Distance(value)| value)
}

/// The article draws its level 1 so (pieces numbered, 1 is red):
///
/// ```text
/// 2 2 0 0 0 7
/// 5 0 0 8 0 7
/// 5 1 1 8 0 7
/// 5 0 0 8 0 0
/// 6 0 0 0 3 3
/// 6 0 4 4 4 0
/// ```
///
/// and counts 1,079 states and 11 neighbours of the start; finals are not expanded there.
#[test]
fn the_articles_level_has_its_published_counts() {
    let article = mapped(ARTICLE, &RuleOptions::default(), false);
    assert_eq!(article.rules.format_state(article.rules.start()), "BB...GE..H.GEAAH.GE..H..F...CCF.DDD.");
    let states = &article.whole().states;
    assert_eq!((states.n_states, article.whole().moves().n_edges, states.n_goals), (1_079, 5_863, 4));
    assert_eq!((distance(states.start_distance), distance(states.max_distance())), (Some(8), Some(9)));
    assert_eq!(article.whole().map.graph.successors(0).len(), 11);
}

#[test]
fn the_articles_level_with_expanded_goals() {
    let article = mapped(ARTICLE, &RuleOptions::default(), true);
    assert_eq!(
        (article.whole().states.n_states, article.whole().moves().n_edges, article.whole().states.n_goals),
        (1_247, 6_522, 172)
    );
    assert_eq!(article.whole().states.histogram, [172, 12, 43, 59, 167, 265, 272, 182, 69, 6]);
    assert_eq!((article.whole().states.n_dead_ends, article.whole().structure().n_components), (0, 1));
}

#[test]
fn the_articles_level_counted_by_cells() {
    let rules = options("metric = \"cell\"");
    let expanded = mapped(ARTICLE, &rules, true);
    assert_eq!(
        (expanded.whole().moves().n_edges, mapped(ARTICLE, &rules, false).whole().moves().n_edges),
        (4_147, 3_689)
    );
    assert_eq!(
        (distance(expanded.whole().states.start_distance), distance(expanded.whole().states.max_distance())),
        (Some(16), Some(18))
    );
}

#[test]
fn large_boards_have_their_golden_counts() {
    let mut golden = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_path("tests/golden/rush_hour_boards.csv")
        .expect("golden file");
    let mut n_boards = 0;
    for row in golden.deserialize() {
        let (board, n_states, n_edges, n_goals, max_distance): (String, u64, u64, u64, u32) = row.expect("five fields");
        let level = mapped(&board, &RuleOptions::default(), true);
        assert_eq!(
            (level.whole().states.n_states, level.whole().moves().n_edges, level.whole().states.n_goals),
            (n_states, n_edges, n_goals),
            "{board}"
        );
        assert_eq!(distance(level.whole().states.max_distance()), Some(max_distance), "{board}");
        n_boards += 1;
    }
    assert_eq!(n_boards, 4);
}

#[test]
fn a_board_of_any_size_is_mapped() {
    // 3 x 9: the red piece has seven places to go, the other two rows are empty.
    let wide = mapped(".........\nAA.......\n.........\n", &RuleOptions::default(), true);
    assert_eq!((wide.whole().states.n_states, distance(wide.whole().states.start_distance)), (8, Some(1)));
    // 12 x 12 has more cells than a machine word has bits: 11 places of A times 11 of B.
    let mut large = vec![vec!['.'; 12]; 12];
    large[5][0] = 'A';
    large[5][1] = 'A';
    large[7][0] = 'B';
    large[8][0] = 'B';
    let text: String = large.iter().map(|row| row.iter().collect::<String>() + "\n").collect();
    let large = mapped(&text, &RuleOptions::default(), true);
    // B's column crosses A's row: of 121 pairs of places, those where both cover row 5, column 0 collide.
    assert_eq!(large.whole().states.n_states, 11 * 11 - 2);
}

#[test]
fn moves_are_read_in_every_notation() {
    let article = mapped(ARTICLE, &options("pieces = { r = \"A\", 7 = \"H\" }"), true);
    let rules = &*article.rules;
    let start = rules.start();
    let by_cells = rules.play(start, "C-1").expect("a legal move");
    assert_eq!(rules.play(start, "C@27").expect("the same move"), by_cells);
    assert_eq!(rules.move_between(start, by_cells.after).expect("one move"), by_cells);
    assert_eq!(rules.play(start, "7@3").expect("an alias"), rules.play(start, "H-1").expect("its name"));
    for (text, part) in [
        ("", "write piece@cell"),
        ("C", "write piece@cell"),
        ("C+", "write piece@cell"),
        ("Z+1", "no piece \"Z\""),
        ("C+1", "can slide 0 cells right, not 1"),
        ("C@5", "not on its line"),
        ("C@99", "cells go from 0 to 35"),
        ("C@28", "stays where it is"),
        ("C+99999999999999999999", "write piece@cell"),
        ("C+40000", "no board is 40000 cells long"),
    ] {
        let message = rules.play(start, text).expect_err(text).to_string();
        assert!(message.contains(part), "{text:?}: {message}");
    }
}

#[test]
fn positions_that_the_level_cannot_have_are_refused() {
    let article = mapped(ARTICLE, &RuleOptions::default(), true);
    for (text, part) in [
        ("BB", "it has 2 cells"),
        ("BB...GE..H.GEAAH.GE..H..F...CCF.DDDx", "cell 35"),
        ("BB...G...H.GEAAH.GE..H..E...CCF.DDD.", "is not on its line with its length"),
        ("A@13 B@0", "piece C is missing"),
        ("A@13 B@0 C@28 D@32 E@6 F@24 G@5 H@8", "not on its line"),
        ("A@13 B@0 C@28 D@32 E@12 F@24 G@5 H@9", "share a cell"),
    ] {
        let message = article.rules.parse_state(text).expect_err(text).to_string();
        assert!(message.contains(part), "{text:?}: {message}");
    }
}

#[test]
fn a_slide_costs_its_cells_under_the_cell_metric() {
    let article = mapped(ARTICLE, &options("metric = \"cell\""), true);
    let start = article.rules.start();
    let two = article.rules.play(start, "C-2").expect("a slide of two cells, as people make it");
    let twice = article.rules.play(article.rules.play(start, "C-1").expect("one cell").after, "C-1").expect("another");
    assert_eq!((two.cost, two.after), (2, twice.after));
    let evaluation = article.oracle().evaluate(start).expect("the start is on the map");
    assert!(evaluation.moves.iter().all(|valued| valued.legal.cost == 1));
}

#[test]
fn a_limit_ends_in_an_error_that_says_what_to_do() {
    let options = MapOptions { max_states: 100, ..MapOptions::default() };
    let error = level(ARTICLE, &RuleOptions::default()).rules.map(&options).expect_err("more than 100 states");
    assert!(
        error.to_string().contains("more than 100 states") && error.to_string().contains("--max-states"),
        "{error}"
    );
}

/// The probabilities of the moves at the start by the AND-OR tree, with the line of the level that each piece stands
/// in.
fn thoughts(lines: &[&str]) -> (usize, usize, BTreeMap<(String, String), String>) {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let rules = level(&text, &RuleOptions::default()).rules;
    let legal = rules.legal_moves(rules.start());
    let tree = Tree::new(&*rules, rules.start()).expect("a tree");
    let probabilities = tree.ends().expect("ends").probabilities(0.05, |_| false);
    let named = |(legal_move, probability): (&LegalMove, f64)| {
        let line = lines[legal_move.piece.expect("a piece") as usize].to_owned();
        ((line, legal_move.notation[1..].to_owned()), format!("{probability:.12}"))
    };
    (tree.and_nodes().len(), tree.or_nodes().len(), legal.iter().zip(probabilities).map(named).collect())
}

#[test]
fn the_tree_is_the_same_whatever_the_order_of_the_pieces() {
    let lines: Vec<&str> = ARTICLE.lines().collect();
    let mut reversed = lines.clone();
    reversed[1..].reverse();
    let in_order = thoughts(&lines);
    assert_eq!(thoughts(&reversed), in_order);
    assert!(
        in_order.0 > 10 && in_order.2.values().any(|p| p != in_order.2.values().next().expect("a move")),
        "{in_order:?}"
    );
}

/// Obstacles of a slide, read off the board: the pieces on the cells that it passes, each with all slides after
/// which it is on none of them and the pieces of its line have room, in their order.
#[test]
fn obstacles_are_those_of_a_definition_by_the_board() {
    let article = level(ARTICLE, &RuleOptions::default()).rules;
    let mapped = mapped(ARTICLE, &RuleOptions::default(), false);
    let map = &mapped.whole().map;
    let mut n_compared = 0;
    for state in (0..map.n_states() as u32).step_by(5).map(|node| map.code(node)) {
        let board: Vec<char> = article.format_state(state).chars().filter(|letter| *letter != ' ').collect();
        let slide = |wished: WishedMove| -> (char, i32) {
            let notation = article.as_legal_move(state, wished).expect("a slide").notation;
            (notation.chars().next().expect("a letter"), notation[1..].parse().expect("cells"))
        };
        let mut wished_moves: Vec<WishedMove> =
            article.goal_moves(state).map(|last| last.alternatives).unwrap_or_default();
        let mut known: HashSet<WishedMove> = wished_moves.iter().copied().collect();
        while let Some(wished) = wished_moves.pop() {
            let (piece, cells) = slide(wished);
            let obstacles = article.obstacles(state, wished);
            let slides: Option<Vec<Vec<(char, i32)>>> = obstacles.as_ref().map(|all| {
                let ways = |subgoal: &Subgoal| subgoal.alternatives.iter().map(|&way| slide(way)).collect();
                all.iter().map(ways).collect()
            });
            assert_eq!(slides, by_the_board(&board, piece, cells), "{board:?}: {piece}{cells:+}");
            n_compared += 1;
            wished_moves.extend(
                obstacles.into_iter().flatten().flat_map(|node| node.alternatives).filter(|&way| known.insert(way)),
            );
        }
    }
    assert!(n_compared > 1_000, "{n_compared}");
}

/// Cells of the line of a piece, in order, and the places on it that the piece takes.
fn line_of(board: &[char], piece: char) -> (Vec<usize>, Vec<usize>) {
    let cells: Vec<usize> = (0..36).filter(|&cell| board[cell] == piece).collect();
    let is_horizontal = cells[1] == cells[0] + 1;
    let line: Vec<usize> =
        (0..6).map(|place| if is_horizontal { cells[0] / 6 * 6 + place } else { place * 6 + cells[0] % 6 }).collect();
    let places = (0..6).filter(|&place| cells.contains(&line[place])).collect();
    (line, places)
}

fn by_the_board(board: &[char], piece: char, cells: i32) -> Option<Vec<Vec<(char, i32)>>> {
    let (line, places) = line_of(board, piece);
    let steps = 1..=cells.abs();
    let front = if cells > 0 { places[places.len() - 1] } else { places[0] } as i32;
    let passed: Vec<usize> = steps.map(|step| line[(front + step * cells.signum()) as usize]).collect();
    let mut obstacles: Vec<char> = passed.iter().map(|&cell| board[cell]).filter(|&letter| letter != '.').collect();
    obstacles.dedup();
    obstacles.into_iter().map(|other| ways_off(board, other, &line, cells, &passed)).collect()
}

fn ways_off(board: &[char], piece: char, blocked: &[usize], cells: i32, passed: &[usize]) -> Option<Vec<(char, i32)>> {
    let (line, places) = line_of(board, piece);
    // The other pieces that slide on this line, in their order.
    let mut letters: Vec<char> = line.iter().map(|&cell| board[cell]).filter(|&letter| letter != '.').collect();
    letters.dedup();
    letters.retain(|&letter| letter == piece || line_of(board, letter).0 == line);
    let before = letters.iter().position(|&letter| letter == piece).expect("itself");
    let length = |sought: &char| board.iter().filter(|&letter| letter == sought).count();
    let fits = |shift: i32| {
        let (first, last) = (places[0] as i32 + shift, places[places.len() - 1] as i32 + shift);
        let room: (usize, usize) =
            (letters[..before].iter().map(length).sum(), letters[before + 1..].iter().map(length).sum());
        first >= room.0 as i32 && last + room.1 as i32 <= 5
    };
    let is_off = |shift: i32| places.iter().all(|&place| !passed.contains(&line[(place as i32 + shift) as usize]));
    let is_ahead = |shift: i32| line != blocked || shift.signum() == cells.signum();
    let ways: Vec<(char, i32)> = (1..=5)
        .map(|size: i32| -size)
        .chain(1..=5)
        .filter(|&shift| fits(shift) && is_off(shift) && is_ahead(shift))
        .map(|shift| (piece, shift))
        .collect();
    (!ways.is_empty()).then_some(ways)
}

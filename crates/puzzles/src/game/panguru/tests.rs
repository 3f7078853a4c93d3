use std::collections::{BTreeSet, HashMap, VecDeque};

use super::*;
use crate::distance::DistanceTable;
use crate::graph::MapOptions;
use crate::rules::Rules;

const PLATES: &str = "WCBRBOGYGPCORPY";
const PEBBLES: &str = "-PCBRYOGYGBCORP";

fn level(plates: &str, pebbles: &str, lines: &[&[usize]]) -> Panguru {
    let lines = (!lines.is_empty()).then(|| lines.iter().map(|line| line.to_vec()).collect());
    let pebbles = pebbles.chars().map(|pebble| (pebble != '-').then_some(pebble)).collect();
    Panguru::new(Layout { plates: plates.chars().collect(), pebbles, lines }, &Options::default()).unwrap()
}

fn example() -> Panguru {
    level(PLATES, PEBBLES, &[])
}

fn board(rules: &Panguru, text: &str) -> Board {
    Puzzle::parse_state(rules, text).unwrap()
}

fn value(rules: &Panguru, board: Board) -> Option<u32> {
    Puzzle::value(rules, board).unwrap().map(|value| value.number() as u32)
}

/// The value by a search, also of a small level.
fn searched(rules: &Panguru, board: Board) -> Option<u32> {
    rules.fewest_moves(board).unwrap()
}

fn successors(rules: &Panguru, board: Board) -> Vec<Board> {
    let mut boards = Vec::new();
    rules.for_each_successor(board, &mut Vec::new(), &mut |next| boards.push(next));
    boards
}

/// Boards by distance from `first`, up to `most`.
fn layers(rules: &Panguru, first: &[Board], most: u32) -> HashMap<Board, u32> {
    let mut distances: HashMap<Board, u32> = first.iter().map(|&board| (board, 0)).collect();
    let mut open: VecDeque<Board> = first.iter().copied().collect();
    while let Some(board) = open.pop_front() {
        let distance = distances[&board] + 1;
        for next in successors(rules, board) {
            if distance <= most && !distances.contains_key(&next) {
                distances.insert(next, distance);
                open.push_back(next);
            }
        }
    }
    distances
}

/// Numbers that look random and are the same on every machine (SplitMix64: Steele, Lea and Flood, 2014).
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }

    fn shuffled(&mut self, text: &str) -> String {
        let mut marks: Vec<char> = text.chars().collect();
        for last in (1..marks.len()).rev() {
            marks.swap(last, self.below(last + 1));
        }
        marks.into_iter().collect()
    }
}

/// Searches of sparse layouts take long: boards farther from the goal are not searched in these tests.
const MOST_SEARCHED: u32 = 24;

/// Every value and bound of every board, reachable from the start or not, against a plain breadth-first search
/// backwards from the goals. Returns how many boards can be solved and how many cannot.
fn check_all_boards(rules: &Panguru) -> (usize, usize) {
    let mut all = vec![String::new()];
    let mut left: Vec<char> = Puzzle::format_state(rules, rules.start).chars().collect();
    left.sort_unstable();
    for _ in 0..rules.n_plates() {
        let grown = all.iter().flat_map(|text| {
            let fits = |mark: &char| text.matches(*mark).count() < left.iter().filter(|&other| other == mark).count();
            let marks: BTreeSet<char> = left.iter().copied().filter(fits).collect();
            marks.into_iter().map(move |mark| format!("{text}{mark}"))
        });
        all = grown.collect();
    }
    let all: Vec<Board> = all.iter().map(|text| board(rules, text)).collect();
    assert_eq!(all.len() as u128, rules.n_arrangements);
    let goals: Vec<Board> = all.iter().copied().filter(|&board| Puzzle::is_goal(rules, board)).collect();
    let distances = layers(rules, &goals, u32::MAX);
    for &board in &all {
        let (text, expected) = (Puzzle::format_state(rules, board), distances.get(&board).copied());
        assert_eq!(value(rules, board), expected, "{text}");
        if expected.is_none_or(|distance| distance <= MOST_SEARCHED) {
            assert_eq!(searched(rules, board), expected, "{text}");
        }
        let bound = Puzzle::estimate(rules, 0, board);
        assert!(expected.is_none_or(|distance| bound <= f64::from(distance)), "{text}: {bound}");
    }
    (distances.len(), all.len() - distances.len())
}

/// The states at distance 0 to 7 from the goal, as two independent programs found them. Only the plate W has a
/// colour that no pebble has, so the hole ends up there, and there is one goal.
#[test]
fn the_first_layers_from_the_goal_have_known_sizes() {
    let rules = example();
    let goal = board(&rules, "-CBRBOGYGPCORPY");
    assert!(Puzzle::is_goal(&rules, goal));
    let distances = layers(&rules, &[goal], 7);
    let mut sizes = [0; 8];
    distances.values().for_each(|&distance| sizes[distance as usize] += 1);
    assert_eq!(sizes, [1, 10, 68, 450, 2_982, 18_796, 107_622, 559_883]);
    // One board in 97 is searched, and bounded, on its own.
    let mut boards: Vec<(Board, u32)> = distances.into_iter().collect();
    boards.sort_unstable();
    for &(board, distance) in boards.iter().step_by(97) {
        assert_eq!(value(&rules, board), Some(distance), "{}", Puzzle::format_state(&rules, board));
        assert!(Puzzle::estimate(&rules, 0, board) <= f64::from(distance));
    }
}

/// ```text
///     W            -
///    C B          P C
///   R B O        B R Y
///  G Y G P      O G Y G
/// C O R P Y    B C O R P
/// ```
#[test]
fn the_example_of_the_source_takes_16_moves() {
    let rules = example();
    assert_eq!(rules.n_arrangements, 10_216_206_000);
    assert_eq!(rules.code_bits(), 45);
    assert_eq!(Puzzle::valuation(&rules), Valuation::Exact);
    assert_eq!(value(&rules, rules.start), Some(16));
    let optimal: Vec<String> = Rules::legal_moves(&rules, Rules::start(&rules))
        .iter()
        .filter(|action| value(&rules, rules.decode(action.next.0)) == Some(15))
        .map(|action| action.notation.clone())
        .collect();
    assert_eq!(optimal, OPTIMAL_FIRST_MOVES);
}

/// Found by a breadth-first search from both ends (tests/oracles/panguru.py).
const OPTIMAL_FIRST_MOVES: [&str; 3] = ["3", "4", "10"];

/// Neighbours differ by at most 1, and some neighbour of every unsolved board is nearer.
#[test]
fn values_of_random_boards_fit_together() {
    let rules = example();
    let mut chance = Chance(2);
    for _ in 0..100 {
        let board = board(&rules, &chance.shuffled(PEBBLES));
        let here = value(&rules, board).unwrap();
        let next: Vec<u32> = successors(&rules, board).iter().map(|&next| value(&rules, next).unwrap()).collect();
        assert!(next.iter().all(|&there| there.abs_diff(here) <= 1));
        assert!(next.contains(&(here - 1)));
    }
}

#[test]
fn every_value_of_small_levels_is_that_of_a_plain_search() {
    // Triangles.
    assert_eq!(check_all_boards(&level("WAB", "-BA", &[])), (6, 0));
    assert_eq!(check_all_boards(&level("WABBCA", "-BABAC", &[])), (180, 0));
    assert_eq!(check_all_boards(&level("ABCDEF", "BCDE-A", &[])), (720, 0));
    // The hole may end on three plates.
    assert_eq!(check_all_boards(&level("AAABBC", "BBA-AC", &[])), (180, 0));
    assert_eq!(check_all_boards(&level("AAAA", "A-AA", &[&[0, 1], &[1, 2], &[2, 3]])), (4, 0));
    // A ring turns only.
    let ring: [&[usize]; 6] = [&[0, 1], &[1, 2], &[2, 3], &[3, 4], &[4, 5], &[5, 0]];
    assert_eq!(check_all_boards(&level("WABCDE", "-ABCDE", &ring)), (30, 690));
    assert_eq!(check_all_boards(&level("WABABC", "-ABABC", &ring)), (30, 150));
    // A path lets nothing pass.
    assert_eq!(check_all_boards(&level("WABC", "-ABC", &[&[0, 1], &[1, 2], &[2, 3]])), (4, 20));
    // Two shades: half of the boards, unless two pebbles look alike.
    let frame: [&[usize]; 7] = [&[0, 1], &[1, 2], &[3, 4], &[4, 5], &[0, 3], &[1, 4], &[2, 5]];
    assert_eq!(check_all_boards(&level("WABCDE", "-ABCDE", &frame)), (360, 360));
    assert_eq!(check_all_boards(&level("WABCDA", "-ABCDA", &frame)), (360, 0));
    // Two triangles that share a plate, and one that hangs on a line.
    let bow: [&[usize]; 4] = [&[0, 1, 2], &[2, 3, 4], &[4, 5], &[0, 2]];
    let (solvable, unsolvable) = check_all_boards(&level("WABCDE", "-ABCDE", &bow));
    assert_eq!((solvable, unsolvable), (6 * 2 * 2, 720 - 24));
    check_all_boards(&level("AABBAC", "-ABBAC", &bow));
}

/// Wilson's exception: a ring of six with a seventh plate between two opposite ones; 120 of 720 orders.
#[test]
fn the_exception_among_layouts_is_known() {
    let lines: [&[usize]; 2] = [&[0, 1], &[0, 6]];
    let ring: [&[usize]; 6] = [&[1, 2], &[2, 3], &[3, 4], &[4, 5], &[5, 6], &[6, 1]];
    // Plates 1 and 4 are opposite; the seventh, 0, lies between them.
    let exception: Vec<&[usize]> = [&[0, 1][..], &[0, 4][..]].into_iter().chain(ring).collect();
    assert_eq!(check_all_boards(&level("WABCDEF", "-ABCDEF", &exception)), (840, 4_200));
    check_all_boards(&level("WAABBCC", "-AABBCC", &exception));
    // Beside another plate of the ring it is none.
    let other: Vec<&[usize]> = lines.into_iter().chain(ring).collect();
    assert_eq!(check_all_boards(&level("WABCDEF", "-ABCDEF", &other)), (5_040, 0));
}

/// Connected layouts of six plates with random lines, and random colours.
#[test]
fn values_and_solvability_hold_on_random_layouts() {
    let mut chance = Chance(3);
    let (mut n_solvable, mut n_unsolvable) = (0, 0);
    for _ in 0..60 {
        let mut lines: Vec<Vec<usize>> = (1..6).map(|plate| vec![chance.below(plate), plate]).collect();
        for _ in 0..chance.below(4) {
            let (from, step) = (chance.below(6), 1 + chance.below(5));
            lines.push(vec![from, (from + step) % 6]);
        }
        let colours = ["WABCDE", "AABBCC", "WAABBC", "AAABBC"][chance.below(4)];
        let plates = chance.shuffled(colours);
        let mut pebbles: Vec<char> = plates.chars().collect();
        let gone = pebbles.iter().position(|&plate| plate == 'W').unwrap_or(0);
        pebbles[gone] = '-';
        let pebbles = chance.shuffled(&pebbles.into_iter().collect::<String>());
        let lines: Vec<&[usize]> = lines.iter().map(Vec::as_slice).collect();
        let (solvable, unsolvable) = check_all_boards(&level(&plates, &pebbles, &lines));
        n_solvable += solvable;
        n_unsolvable += unsolvable;
    }
    assert!(n_solvable > 1_000 && n_unsolvable > 1_000, "{n_solvable} {n_unsolvable}");
}

/// A 3 x 3 frame with lines between neighbours is the 8-puzzle: 181,440 states, at most 31 moves.
#[test]
fn the_eight_puzzle_is_a_layout_like_any_other() {
    let lines: [&[usize]; 12] =
        [&[0, 1], &[1, 2], &[3, 4], &[4, 5], &[6, 7], &[7, 8], &[0, 3], &[3, 6], &[1, 4], &[4, 7], &[2, 5], &[5, 8]];
    let rules = level("WABCDEFGH", "-ABCDEFGH", &lines);
    assert_eq!(Puzzle::valuation(&rules), Valuation::Map);
    let map = Rules::map(&rules, &MapOptions::default()).unwrap();
    let distances = DistanceTable::new(&map);
    assert_eq!((map.n_states(), distances.max().unwrap().0), (181_440, 31));
    for node in (0..map.n_states() as u32).step_by(2_003) {
        let expected = distances.get(node).map(|distance| distance.0);
        let board = rules.decode(map.code(node).0);
        assert_eq!((value(&rules, board), searched(&rules, board)), (expected, expected));
    }
    // Two pebbles exchanged: no even permutation.
    let exchanged = board(&rules, "-BACDEFGH");
    assert_eq!((value(&rules, exchanged), searched(&rules, exchanged)), (None, None));
}

#[test]
fn a_search_beyond_the_limit_says_so() {
    let layout = Layout {
        plates: PLATES.chars().collect(),
        pebbles: PEBBLES.chars().map(|pebble| (pebble != '-').then_some(pebble)).collect(),
        lines: None,
    };
    let rules = Panguru::new(layout, &Options { search_limit: 10, ..Options::default() }).unwrap();
    let error = Puzzle::value(&rules, rules.start).unwrap_err().to_string();
    assert!(error.contains("looked at 10 positions") && error.contains("search-limit"), "{error}");
    assert_eq!(value(&rules, board(&rules, "-CBRBOGYGPCORPY")), Some(0));
    assert!(Options { search_limit: 0, ..Options::default() }.check().is_err());
}

/// Sixteen of 32 pebbles share a colour: too many arrangements for a table.
#[test]
fn the_largest_levels_are_bounded_and_searched() {
    let plates = "WAAAAAAAAAAAAAAAABBBCCDDEEFFGHIJ";
    let lines: Vec<Vec<usize>> =
        (0..31).map(|plate| vec![plate, plate + 1]).chain([vec![0, 10, 20, 31], vec![3, 21]]).collect();
    let lines: Vec<&[usize]> = lines.iter().map(Vec::as_slice).collect();
    let rules = level(plates, &format!("-{}", &plates[1..]), &lines);
    assert_eq!(rules.code_bits(), 128);
    let near = layers(&rules, &[rules.start], 6);
    for (&board, &distance) in &near {
        assert_eq!(value(&rules, board), Some(distance));
        assert!(Puzzle::estimate(&rules, 0, board) <= f64::from(distance));
        assert_eq!(Puzzle::parse_state(&rules, &Puzzle::format_state(&rules, board)), Ok(board));
    }
    assert!(near.len() > 20);
}

#[test]
fn too_many_colours_do_not_fit_into_a_code() {
    let plates: Vec<char> = ('A'..='Z').chain('1'..='6').collect();
    let pebbles = plates.iter().enumerate().map(|(plate, &colour)| (plate > 0).then_some(colour)).collect();
    let lines = Some(vec![(0..32).collect()]);
    let error = Panguru::new(Layout { plates, pebbles, lines }, &Options::default()).unwrap_err();
    assert_eq!(error, LayoutError::TooManyColours { plates: 32, colours: 31, bits: 160 });
}

#[test]
fn layouts_that_do_not_fit_together_are_refused() {
    let refused = |plates: &str, pebbles: &str, lines: Option<Vec<Vec<usize>>>| {
        let pebbles = pebbles.chars().map(|pebble| (pebble != '-').then_some(pebble)).collect();
        Panguru::new(Layout { plates: plates.chars().collect(), pebbles, lines }, &Options::default()).unwrap_err()
    };
    assert_eq!(refused("W", "-", None).to_string(), "there are 1 plates; the rules take 2 to 32");
    assert!(refused("WAB", "AAB", None).to_string().contains("every plate but one"));
    assert!(refused("WAB", "-AA", None).to_string().contains("more pebbles than plates"));
    assert!(refused("WABC", "-ABC", None).to_string().contains("no triangle"));
    assert!(refused("WAB", "-AB", Some(vec![vec![0, 3]])).to_string().contains("beyond the last, 2"));
    assert!(refused("WAB", "-AB", Some(vec![vec![0, 1]])).to_string().contains("to plate 2"));
}

#[test]
fn the_centreline_can_be_left_out() {
    let layout = |pebbles: &str| Layout {
        plates: PLATES.chars().collect(),
        pebbles: pebbles.chars().map(|pebble| (pebble != '-').then_some(pebble)).collect(),
        lines: None,
    };
    let plain = Panguru::new(layout(PEBBLES), &Options { centreline: false, ..Options::default() }).unwrap();
    assert_eq!(Rules::legal_moves(&plain, Rules::start(&plain)).len(), 8);
    assert_eq!(Rules::legal_moves(&example(), Rules::start(&example())).len(), 10);
    // With the line 0-4-12 one move is enough here.
    let pebbles = "BCBR-OGYGPCORPY";
    let with = Panguru::new(layout(pebbles), &Options::default()).unwrap();
    let without = Panguru::new(layout(pebbles), &Options { centreline: false, ..Options::default() }).unwrap();
    assert_eq!(value(&with, with.start), Some(1));
    assert!(value(&without, without.start).unwrap() > 1);
}

#[test]
fn moves_are_the_plates_joined_with_the_hole() {
    let rules = example();
    let moves: Vec<String> =
        Rules::legal_moves(&rules, Rules::start(&rules)).iter().map(|action| action.notation.clone()).collect();
    assert_eq!(moves, ["1", "2", "3", "4", "5", "6", "9", "10", "12", "14"]);
    let step = Puzzle::parse_move(&rules, rules.start, "12").unwrap();
    let after = Puzzle::play(&rules, rules.start, step).unwrap();
    assert_eq!(Puzzle::format_state(&rules, after), "OPCBRYOGYGBC-RP");
    assert_eq!(Puzzle::move_between(&rules, rules.start, after), Some(step));
    assert_eq!(Puzzle::move_between(&rules, rules.start, rules.start), None);
    // There are two pebbles of each colour: nobody can tell which of them moves.
    assert_eq!(Puzzle::piece(&rules, step), None);
}

#[test]
fn moves_are_read_in_every_spelling() {
    let rules = example();
    let read = |text: &str| Puzzle::parse_move(&rules, rules.start, text);
    let expected = read("3").unwrap();
    assert_eq!(expected.from, 3);
    for text in [" 3 ", "03", "3>0", "3->0", "3 \u{2192} 0", "3 > 0"] {
        assert_eq!(read(text), Ok(expected), "{text}");
    }
    for text in ["", "B", "3-0", "-3", "3>", ">0", "3>0>1", "3.5"] {
        assert!(matches!(read(text), Err(MoveError::Unreadable { .. })), "{text}");
    }
    let reason = |text: &str| match read(text) {
        Err(MoveError::Illegal { reason, .. }) => reason,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(reason("15"), "there is no plate 15; plates go from 0 to 14");
    assert_eq!(reason("3>5"), "plate 5 is not the hole: that is on plate 0");
    assert_eq!(reason("99999999999999999999"), "there is no plate 99999999999999999999; plates go from 0 to 14");
}

#[test]
fn moves_against_the_rules_are_refused_with_a_reason() {
    let rules = example();
    let reason = |text: &str| match Rules::play(&rules, Rules::start(&rules), text) {
        Err(MoveError::Illegal { reason, .. }) => reason,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(reason("0"), "plate 0 is the hole: there is no pebble on it");
    assert_eq!(
        reason("7"),
        "no straight line joins plate 7 with the hole on plate 0; pebbles can move from 1 2 3 4 5 6 9 10 12 14"
    );
    let elsewhere = Step { from: 40, colour: 0 };
    assert!(Puzzle::play(&rules, rules.start, elsewhere).unwrap_err().contains("there is no plate 40"));
    let other = Step { from: 1, colour: 0 };
    assert!(Puzzle::play(&rules, rules.start, other).unwrap_err().contains("another colour"));
}

#[test]
fn positions_are_read_in_every_spelling() {
    let rules = example();
    for text in ["-PCBRYOGYGBCORP", "\u{2212}pcbryogygbcorp", ". PC BRY OGYG BCORP", "_/PC/BRY/OGYG/BCORP"] {
        assert_eq!(Puzzle::parse_state(&rules, text), Ok(rules.start), "{text}");
    }
    let reason = |text: &str| Puzzle::parse_state(&rules, text).unwrap_err().reason;
    assert_eq!(reason("-PC"), "it has 3 characters, and there are 15 plates");
    assert_eq!(reason("-PCBRYOGYGBCORX"), "no pebble has the colour 'X'; the colours are C B R O G Y P");
    assert_eq!(reason("-PCBRYOGYGBCORW"), "no pebble has the colour 'W'; the colours are C B R O G Y P");
    assert_eq!(reason("-PCBRYOGYGBCOR-"), "it has 2 plates without a pebble (-), and the level has 1");
    assert_eq!(reason("PPCBRYOGYGBCORP"), "it has 0 plates without a pebble (-), and the level has 1");
    assert_eq!(reason("-PCBRYOGYGBCORR"), "it has 3 pebbles of the colour R, and the level has 2");
}

#[test]
fn codes_and_texts_give_the_same_board_back() {
    let mut chance = Chance(5);
    for rules in [example(), level("AB", "-A", &[&[0, 1]]), level("AAAA", "AA-A", &[&[0, 1, 2, 3]])] {
        let pebbles = Puzzle::format_state(&rules, rules.start);
        for _ in 0..50 {
            let text = chance.shuffled(&pebbles);
            let board = board(&rules, &text);
            assert_eq!(Puzzle::format_state(&rules, board), text);
            assert_eq!(rules.hole(board), text.find('-').unwrap());
            assert_eq!(rules.decode(rules.encode(board)), board);
            assert!(u128::BITS - rules.encode(board).leading_zeros() <= rules.code_bits());
        }
    }
}

#[test]
fn facts_are_the_misplaced_pebbles_and_the_bound() {
    let rules = example();
    let attributes: Vec<(&str, String)> = Puzzle::attributes(&rules, rules.start)
        .into_iter()
        .map(|attribute| (attribute.name, attribute.value))
        .collect();
    let n_misplaced = PLATES.chars().zip(PEBBLES.chars()).filter(|(plate, pebble)| *pebble != '-' && plate != pebble);
    assert_eq!(attributes[0], ("n_misplaced", n_misplaced.count().to_string()));
    assert_eq!(attributes[1].0, "lower_bound");
    assert_eq!(Puzzle::estimate(&rules, 0, rules.start).to_string(), attributes[1].1);
}

#[test]
fn positions_are_drawn_as_triangles() {
    let rules = example();
    let picture = Puzzle::picture(&rules, rules.start);
    assert_eq!(
        picture.to_text(),
        " pebbles     plates
    -           W
   P C         C B
  B R Y       R B O
 O G Y G     G Y G P
B C O R P   C O R P Y
"
    );
    assert_eq!(picture.shapes.len(), 15 + 14);
    let fits = |shape: &crate::game::picture::Shape| {
        shape.row >= 0.0
            && shape.column >= 0.0
            && shape.row + shape.rows <= picture.height
            && shape.column + shape.columns <= picture.width
    };
    assert!(picture.shapes.iter().all(fits));
}

#[test]
fn other_layouts_are_drawn_in_a_circle() {
    let rules = level("WABC", "CAB-", &[&[0, 1], &[1, 2], &[2, 3]]);
    let picture = Puzzle::picture(&rules, rules.start);
    assert_eq!(picture.to_text(), "plate    0  1  2  3\npebbles  C  A  B  -\nplates   W  A  B  C\n");
    let (top, right) = (&picture.shapes[0], &picture.shapes[2]);
    assert!(top.row < right.row && top.column < right.column);
}

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::level::store_key;
use super::*;
use crate::diagnostic::{Diagnostic, SourceText};
use crate::game::testing::{Impatient, Shelf};
use crate::level::{LevelColumns, LevelSource, levels_of_text, read_levels};
use crate::progress::Silent;
use crate::registry::{Game, RuleOptions};
use crate::testing::{golden, project};

fn drawn(width: usize, height: usize, target: u32) -> Twenty48 {
    let target = if target == 0 { Target::None } else { Target::Exponent(target.ilog2()) };
    Twenty48::new(width, height, &[], Options { target, ..Options::default() }).unwrap()
}

fn load(text: &str) -> Result<Twenty48, Vec<Diagnostic>> {
    let source = Arc::new(SourceText { path: "level.txt".into(), text: text.to_owned() });
    notation::load(text, &source, 0, &Options::default())
}

fn level(text: &str) -> Twenty48 {
    load(text).unwrap_or_else(|faults| panic!("{faults:?}"))
}

fn state(rules: &Twenty48, text: &str) -> Board {
    rules.parse_state(text).unwrap()
}

fn points(value: Result<Option<Value>, ValueError>) -> f64 {
    value.unwrap().unwrap().number()
}

fn play(rules: &Twenty48, board: Board, text: &str) -> Result<String, String> {
    let action = rules.parse_move(board, text).map_err(|error| error.to_string())?;
    rules.play(board, action).map(|board| rules.format_state(board))
}

/// All positions in which it is the player's turn, those with the target included.
fn all_states(rules: &Twenty48) -> BTreeSet<Board> {
    let mut starts = Vec::new();
    rules.starts(&mut starts);
    assert!((starts.iter().map(|&(_, chance)| chance).sum::<f64>() - 1.0).abs() < 1e-12);
    let starts: Vec<Board> = starts.into_iter().map(|(board, _)| board).collect();
    let mut visited: BTreeSet<Board> = starts.iter().copied().collect();
    let mut open = starts;
    let mut moves = Vec::new();
    while let Some(board) = open.pop() {
        rules.for_each_successor(board, &mut moves, &mut |after| {
            if visited.insert(after) {
                open.push(after);
            }
        });
    }
    visited
}

fn perft(rules: &Twenty48, board: Board, depth: usize) -> Vec<u64> {
    let mut layer = HashMap::from([(board, 1_u64)]);
    let mut counts = vec![1];
    let mut moves = Vec::new();
    for _ in 0..depth {
        let mut next: HashMap<Board, u64> = HashMap::new();
        for (board, ways) in layer {
            rules.for_each_successor(board, &mut moves, &mut |after| *next.entry(after).or_default() += ways);
        }
        layer = next;
        counts.push(layer.values().sum());
    }
    counts
}

// Values.

/// Positions up to symmetry that hold no target and have a move; counted by other programs.
#[test]
fn positions_of_two_by_two_up_to_symmetry() {
    for (target, n_open) in [(8, 15), (16, 35), (32, 57)] {
        let rules = drawn(2, 2, target);
        rules.prepare(&ALONE).unwrap();
        let (n_states, n_stuck) = rules.n_canonical_states().unwrap();
        assert_eq!(n_states - n_stuck, n_open, "to {target}");
    }
}

/// 662 positions, those without a move among them; 66.964149 points.
#[test]
fn two_by_two_without_target() {
    let rules = drawn(2, 2, 0);
    assert_eq!(rules.valuation(), Valuation::Exact);
    assert_eq!(all_states(&rules).len(), 662);
    assert!((points(rules.value(Board::EMPTY)) - 66.964_149).abs() < 1e-6);
}

/// Here 48,713,519 counts the 7,388,502 positions without a move, unlike the numbers of 2x2 above.
#[test]
#[ignore = "takes minutes and half a gigabyte"]
fn three_by_three_without_target() {
    let rules = drawn(3, 3, 0);
    assert!((points(rules.value(Board::EMPTY)) - 5_468.486_797).abs() < 1e-6);
    assert_eq!(rules.n_canonical_states(), Some((48_713_519, 7_388_502)));
}

#[test]
fn golden_numbers_of_the_second_implementation() {
    let golden = golden("games/2048.json");
    let levels = read_levels(&project().join("data/2048/levels.txt"), &LevelColumns::default()).unwrap();
    let entries = golden["levels"].as_array().unwrap();
    assert_eq!(entries.len(), levels.len());
    for (entry, source) in entries.iter().zip(&levels) {
        assert_eq!(entry["level"], source.id.as_str());
        let rules = notation::load(&source.text, &source.source, source.span.start, &Options::default()).unwrap();
        let first = state(&rules, entry["perft_from"].as_str().unwrap());
        let expected: Vec<u64> = entry["perft"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
        // Counts of a few million sequences are enough to tell.
        let depth = expected.iter().filter(|&&count| count < 5_000_000).count() - 1;
        assert_eq!(perft(&rules, first, depth), expected[..=depth], "{}", source.id);
        if entry.get("n_states").is_some() {
            compare_states(&rules, entry);
            compare_values(&rules, entry);
        }
    }
}

fn compare_states(rules: &Twenty48, entry: &serde_json::Value) {
    let states = all_states(rules);
    let (mut n_choices, mut n_arcs, mut n_stuck) = (0, 0, 0);
    for &board in &states {
        let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
        rules.legal_moves(board, &mut moves);
        moves.iter().for_each(|&choice| rules.outcomes(board, choice, &mut outcomes));
        n_choices += moves.len();
        n_arcs += outcomes.len();
        n_stuck += usize::from(moves.is_empty() && !rules.is_goal(board));
    }
    let n_goals = states.iter().filter(|&&board| rules.is_goal(board)).count();
    let counts = [states.len(), n_choices, n_arcs, n_goals, n_stuck];
    let expected = ["n_states", "n_choices", "n_arcs", "n_goals", "n_stuck"].map(|key| entry[key].as_u64().unwrap());
    assert_eq!(counts.map(|count| count as u64), expected, "{}", entry["level"]);
}

fn compare_values(rules: &Twenty48, entry: &serde_json::Value) {
    let close = |value: f64, expected: &serde_json::Value| (value - expected.as_f64().unwrap()).abs() < 1e-9;
    assert!(close(points(rules.value(rules.start())), &entry["value_start"]), "{}", entry["level"]);
    let positions = entry["values"].as_array().unwrap();
    assert_eq!(positions.len(), 12);
    for position in positions {
        let board = state(rules, position["state"].as_str().unwrap());
        assert!(close(points(rules.value(board)), &position["value"]), "{position}");
        let mut moves = Vec::new();
        rules.legal_moves(board, &mut moves);
        assert_eq!(moves.len(), position["moves"].as_object().unwrap().len());
        for choice in moves {
            let after = rules.play_unchecked(board, choice);
            let worth = f64::from(rules.cost(board, choice)) + points(rules.value_after(after));
            assert!(close(worth, &position["moves"][choice.direction.name()]), "{position}");
        }
    }
}

/// The value of a position is that of its best choice, and that of a choice the mean over its outcomes.
#[test]
fn values_agree_with_each_other() {
    let rules = drawn(2, 3, 0);
    let mut moves = Vec::new();
    for board in all_states(&rules).into_iter().step_by(97) {
        moves.clear();
        rules.legal_moves(board, &mut moves);
        let mut best: f64 = 0.0;
        for &choice in &moves {
            let after = rules.play_unchecked(board, choice);
            let mut outcomes = Vec::new();
            rules.outcomes(board, choice, &mut outcomes);
            assert!((outcomes.iter().map(|&(_, chance)| chance).sum::<f64>() - 1.0).abs() < 1e-12);
            let worth =
                |&(action, chance): &(Move, f64)| chance * points(rules.value(rules.play(board, action).unwrap()));
            let mean: f64 = outcomes.iter().map(worth).sum();
            assert!((mean - points(rules.value_after(after))).abs() < 1e-9);
            best = best.max(f64::from(rules.cost(board, choice)) + points(rules.value_after(after)));
        }
        assert_eq!(points(rules.value(board)), best);
    }
}

#[test]
fn mirror_images_have_exactly_the_same_value() {
    for (rules, n_images) in [(drawn(2, 3, 0), 3), (drawn(2, 2, 0), 7)] {
        let mut most = 0;
        for board in all_states(&rules).into_iter().step_by(53) {
            let mut images = Vec::new();
            rules.symmetric(board, &mut images);
            most = most.max(images.len());
            for image in images {
                assert_eq!(rules.value(image), rules.value(board));
            }
        }
        assert_eq!(most, n_images);
    }
    for text in [
        "target: 2048\n1024 512 64 8 / 16 32 16 4 / 4 8 2 . / 2 . . .",
        "1024 512 64 8 / 16 32 16 4 / 4 8 2 . / 2 . . .",
    ] {
        let rules = level(text);
        assert_eq!(rules.valuation(), Valuation::Estimate);
        let mut images = Vec::new();
        rules.symmetric(rules.start, &mut images);
        assert_eq!(images.len(), 7);
        assert!(images.iter().all(|&image| rules.value(image) == rules.value(rules.start)));
    }
}

#[test]
fn a_begun_board_and_other_probabilities_are_valued() {
    // 16 16 / 2 4: merging gives 32 points at once; with the target 32 the game ends there.
    let ended = level("target: 32\n16 16 / 2 4");
    assert_eq!(points(ended.value(ended.start)), 32.0);
    assert!(!ended.is_start_drawn());
    let only_twos = Twenty48::new(2, 2, &[], Options { four: 0.0, ..Options::default() }).unwrap();
    // Without fours the largest tile on four cells is 16.
    let largest = all_states(&only_twos).into_iter().map(|board| only_twos.grid.largest(board)).max();
    assert_eq!((largest, only_twos.max_exponent), (Some(4), 4));
    assert!(points(only_twos.value(Board::EMPTY)) > 0.0);
    let only_fours = Twenty48::new(2, 2, &[], Options { four: 1.0, ..Options::default() }).unwrap();
    // The same game with tiles twice as large.
    let (twos, fours) = (points(only_twos.value(Board::EMPTY)), points(only_fours.value(Board::EMPTY)));
    assert!((2.0 * twos - fours).abs() < 1e-9);
}

#[test]
fn unreachable_positions_have_no_exact_value() {
    let rules = level("2x2");
    let board = state(&rules, "32 16 / 16 .");
    let error = rules.value(board).unwrap_err();
    assert!(matches!(&error, ValueError::Beyond(text) if text.contains("32 16 / 16 .")), "{error}");
}

#[test]
fn large_boards_are_estimated() {
    let rules = level("4x4");
    assert_eq!(rules.valuation(), Valuation::Estimate);
    rules.prepare(&ALONE).unwrap();
    let board = state(&rules, "2 . . . / . . . . / . 2 . . / . . . .");
    let mut moves = Vec::new();
    rules.legal_moves(board, &mut moves);
    let worth = |&choice: &Move| {
        f64::from(rules.cost(board, choice)) + points(rules.value_after(rules.play_unchecked(board, choice)))
    };
    // The value of a position is that of its best choice here too, so that regret is never negative.
    assert_eq!(points(rules.value(board)), moves.iter().map(worth).fold(0.0, f64::max));
    assert!(points(rules.value(board)) > 0.0);
    let over = state(&rules, "2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 4 2");
    assert_eq!(points(rules.value(over)), 0.0);
}

// What is kept.

#[test]
fn kept_values_are_read_back_and_damaged_ones_refused() {
    let shelf = Shelf::default();
    let kept = Preparation { progress: &Silent, store: Some(&shelf) };
    let prepared = || {
        let rules = drawn(3, 4, 16);
        rules.prepare(&kept).unwrap();
        rules
    };
    let first = prepared();
    assert_eq!(shelf.n_kept.load(Ordering::Relaxed), 1);
    let second = prepared();
    assert_eq!(shelf.n_kept.load(Ordering::Relaxed), 1);
    assert_eq!(first.table.get(), second.table.get());
    // One wrong byte, a missing one and one too many: computed anew, and kept again.
    let damages: [fn(&mut Vec<u8>); 3] = [
        |bytes| {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
        },
        |bytes| bytes.truncate(bytes.len() - 1),
        |bytes| bytes.push(0),
    ];
    let numbering = first.numbering.unwrap();
    let words = first.rules_in_words();
    let whole = shelf.files.lock().unwrap()[&store_key(&words)].clone();
    assert!(kept::read_table(&whole[..], &words, numbering).is_some());
    assert!(kept::read_table(&whole[..], "3x4-other", numbering).is_none());
    for damage in damages {
        let mut bytes = whole.clone();
        damage(&mut bytes);
        assert!(kept::read_table(&bytes[..], &words, numbering).is_none());
    }
    shelf.files.lock().unwrap().insert(store_key(&words), b"nonsense".to_vec());
    assert_eq!(prepared().table.get(), first.table.get());
    assert_eq!(shelf.n_kept.load(Ordering::Relaxed), 2);
    assert_eq!(*shelf.damaged.lock().unwrap(), [store_key(&words)]);
}

#[test]
fn each_flip_in_a_kept_file_is_noticed() {
    let rules = drawn(2, 2, 8);
    rules.prepare(&Preparation { progress: &Silent, store: None }).unwrap();
    let (table, numbering, words) = (rules.table.get().unwrap(), rules.numbering.unwrap(), rules.rules_in_words());
    let tuples = network::Tuples::new(2, 2, 2);
    let network = network::Network::new(tuples.clone(), (0..tuples.n_weights() as i32).collect()).unwrap();
    let (mut values, mut weights) = (Vec::new(), Vec::new());
    kept::write_table(table, &words, &mut values).unwrap();
    kept::write_network(&network, "lesson", &mut weights).unwrap();
    let reads_table = |bytes: &[u8]| kept::read_table(bytes, &words, numbering).is_some();
    let reads_network = |bytes: &[u8]| kept::read_network(bytes, "lesson", tuples.clone()).is_some();
    for (file, reads) in [(values, &reads_table as &dyn Fn(&[u8]) -> bool), (weights, &reads_network)] {
        assert!(reads(&file));
        let mut flipped = file.clone();
        let n_refused = (0..8 * file.len()).filter(|bit| {
            flipped.copy_from_slice(&file);
            flipped[bit / 8] ^= 1 << (bit % 8);
            !reads(&flipped)
        });
        assert_eq!(n_refused.count(), 8 * file.len());
    }
}

#[test]
fn preparation_stops_when_asked() {
    let rules = drawn(2, 3, 0);
    assert_eq!(rules.prepare(&Preparation { progress: &Impatient, store: None }), Err(ValueError::Interrupted));
    assert_eq!(rules.prepare(&ALONE), Ok(()));
    // What is prepared is not computed again.
    assert_eq!(rules.prepare(&Preparation { progress: &Impatient, store: None }), Ok(()));
}

#[test]
fn threads_share_one_table() {
    let rules = drawn(2, 2, 0);
    let values: Vec<f64> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| points(rules.value(Board::EMPTY)))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(values.iter().all(|&value| value == values[0]));
}

// Rules.

#[test]
fn codes_are_as_small_as_the_largest_tile_allows() {
    for (text, bits) in [
        ("2x2", 12),
        ("3x3", 36),
        ("4x4", 80),
        ("target: 2048\n4x4", 64),
        ("target: 8\n4x4", 32),
        ("5x5", 125),
        ("target: 128\n6x6", 108),
    ] {
        assert_eq!(level(text).code_bits(), bits, "{text}");
    }
    for rules in [drawn(2, 2, 0), drawn(2, 3, 0), drawn(3, 3, 16), level("8 8 / 8 .")] {
        let largest = all_states(&rules).into_iter().map(|board| rules.grid.largest(board)).max().unwrap();
        assert!(largest <= rules.max_exponent);
    }
}

#[test]
fn choices_come_in_order_and_only_if_they_change_the_board() {
    let rules = level("2 4 / . .");
    let mut moves = Vec::new();
    rules.legal_moves(rules.start, &mut moves);
    assert_eq!(moves.iter().map(|choice| choice.direction).collect::<Vec<_>>(), [Direction::Down]);
    let rules = level("4x4");
    moves.clear();
    rules.legal_moves(Board::EMPTY, &mut moves);
    assert!(moves.is_empty());
    rules.legal_moves(state(&rules, "2 . . . / . . . . / . 2 . . / . . . ."), &mut moves);
    assert_eq!(moves.iter().map(|choice| choice.direction).collect::<Vec<_>>(), Direction::ALL);
    assert!(moves.is_sorted());
}

#[test]
fn the_game_is_over_at_the_target() {
    let rules = level("target: 16\n8 8 / 2 4");
    let won = state(&rules, "16 2 / 2 4");
    assert!(rules.is_goal(won) && !rules.is_goal(rules.start));
    let mut moves = Vec::new();
    rules.legal_moves(won, &mut moves);
    assert!(moves.is_empty());
    assert!(play(&rules, won, "right+2@a1").unwrap_err().contains("a tile of 16 or more"));
    assert_eq!(play(&rules, rules.start, "left+2@b1"), Ok("16 2 / 2 4".to_owned()));
}

#[test]
fn the_move_between_two_positions_is_found_where_only_one_is() {
    let rules = level("2x2");
    let between = |before: &str, after: &str| {
        let (before, after) = (state(&rules, before), state(&rules, after));
        rules.move_between(before, after).map(|action| rules.format_move(before, action))
    };
    assert_eq!(between("2 2 / . .", "4 . / . 2").as_deref(), Some("left+2@b2"));
    assert_eq!(between("4 . / 2 .", "4 4 / . 2").as_deref(), Some("right+4@a1"));
    assert_eq!(between("4 . / 2 .", "4 4 / 2 .").as_deref(), None);
    assert_eq!(between("4 . / 2 .", ". 4 / 4 2").as_deref(), Some("right+4@a2"));
    // The after-state itself is no position of the player.
    assert_eq!(between("2 2 / . .", "4 . / . .").as_deref(), None);
    // No slide leaves a lone tile where it is.
    let rules = level("3x3");
    let (before, after) = (state(&rules, "2 . . / . . . / . . ."), state(&rules, "2 . . / . . . / . 2 ."));
    assert_eq!(rules.move_between(before, after), None);
    // From the middle, left and up end in different cells, so that there is one move.
    let before = state(&rules, ". . . / . 4 . / . . .");
    let after = state(&rules, ". . . / 4 . 2 / . . .");
    assert_eq!(rules.move_between(before, after).map(|action| action.direction), Some(Direction::Left));
}

#[test]
fn several_directions_to_one_position_are_not_guessed() {
    let rules = level("2x2");
    // 2 2      4 4      left+4@b1 and right+4@a1 both lead there
    // 2 4  ->  2 4
    let (before, after) = (state(&rules, "2 2 / 2 4"), state(&rules, "4 4 / 2 4"));
    assert_eq!(rules.move_between(before, after), None);
}

#[test]
fn facts_and_pictures_show_the_tiles() {
    let rules = level("2 4 / 16 .");
    let attributes: Vec<(&str, String)> =
        rules.attributes(rules.start).into_iter().map(|attribute| (attribute.name, attribute.value)).collect();
    let expected = [("largest_tile", "16"), ("n_empty", "1"), ("tile_sum", "22")];
    assert_eq!(attributes, expected.map(|(name, value)| (name, value.to_owned())));
    let picture = rules.picture(rules.start);
    assert_eq!(picture.to_text(), " 2  4\n16  .\n");
    assert_eq!(picture.shapes.len(), 3);
    assert_eq!((picture.shapes[2].role, picture.shapes[2].label.as_str()), (Role::Ranked(4), "16"));
}

// Notation.

#[test]
fn moves_are_read_in_every_way_that_logs_write_them() {
    let rules = level("3x3");
    let board = state(&rules, "2 . . / . . . / . 4 .");
    for text in ["left+2@b3", "L+2@B3", " Left + 2 @ b3 ", "←+2@b3", "ArrowLeft+2@b3", "⬅\u{fe0f}+2@b3"] {
        let action = rules.parse_move(board, text).unwrap();
        assert_eq!(rules.format_move(board, action), "left+2@b3", "{text}");
    }
    assert_eq!(rules.parse_move(board, "d").unwrap(), Move { direction: Direction::Down, tile: None });
    for text in
        ["", "north", "left 2", "left+2", "left+@b3", "left+2@3", "left+2@b", "left+-2@b3", "left+2@é1", "left+2@b3x"]
    {
        assert!(matches!(rules.parse_move(board, text), Err(MoveError::Unreadable { .. })), "{text}");
    }
    for (text, reason) in [
        ("left+3@b3", "no tile of 3"),
        ("left+2@d1", "a1 to c3"),
        ("left+2@a4", "a1 to c3"),
        ("left+2@a99999999999999999999", "a1 to c3"),
        ("left+8@c1", "a new tile is 2 or 4, not 8"),
        ("left+2@a1", "after the slide a 2 lies there"),
        ("left", "which tile appeared"),
    ] {
        let error = play(&rules, board, text).unwrap_err();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let top = state(&rules, "2 4 2 / . . . / . . .");
    assert!(play(&rules, top, "up+2@a2").unwrap_err().contains("a slide up moves no tile"));
    let over = state(&rules, "2 4 2 / 4 2 4 / 2 4 2");
    assert!(play(&rules, over, "up+2@a2").unwrap_err().contains("the game is over"));
    assert!(play(&rules, Board::EMPTY, "up+2@a2").unwrap_err().contains("the position that the attempt began with"));
}

#[test]
fn positions_read_back() {
    let rules = level("2x3");
    for board in all_states(&rules).into_iter().step_by(31) {
        assert_eq!(rules.parse_state(&rules.format_state(board)), Ok(board));
        assert_eq!(rules.decode(rules.encode(board)), board);
        assert!(rules.encode(board) >> rules.code_bits() == 0);
    }
    let board = state(&rules, "2 . / 4 8 / . .");
    assert_eq!(rules.format_state(board), "2 . / 4 8 / . .");
    for text in ["2 0/4 8/0 0", "[[2, 0], [4, 8], [0, 0]]", "2,_,4,8,.,.", "2 .\n4 8\n. .", "2 -|4 8|- -"] {
        assert_eq!(rules.parse_state(text), Ok(board), "{text}");
    }
    for (text, reason) in [
        ("2 . / 4 8", "it has 2 rows"),
        ("2 . / 4 8 / . . .", "row 3 has 3 cells"),
        ("2 . / 4 6 / . .", "\"6\" is no tile"),
        ("2 . / 4 256 / . .", "a tile of 256 cannot arise"),
        ("", "it has 0 rows"),
    ] {
        let error = rules.parse_state(text).unwrap_err();
        assert!(error.reason.contains(reason), "{text}: {error}");
    }
}

#[test]
fn levels_are_read_in_every_notation() {
    let begun = level("# a remark\ntarget: 16\n2 4\n. 8 # the rest\n");
    assert_eq!((begun.format_state(begun.start), begun.target), ("2 4 / . 8".to_owned(), Some(4)));
    for text in [
        "# target: 16\n2 4 / . 8",
        "2,4;0,8\ntarget: 16",
        "target: 16\n2 4 . 8",
        "{\"board\": [[2, 4], [0, 8]], \"target\": 16}",
        "{\"board\": \"2 4\\n. 8\", \"target\": \"16\", \"width\": 2, \"height\": 2}",
        "# size: 2x2\n# target: 16\n2 4 . 8",
    ] {
        let rules = level(text);
        assert_eq!((rules.start, rules.target), (begun.start, begun.target), "{text}");
    }
    for text in ["2x3", "size: 2x3", "2 × 3".replace(' ', "").as_str(), ". . / . . / . ."] {
        let rules = level(text);
        assert_eq!((rules.grid.width(), rules.grid.height()), (2, 3), "{text}");
        assert!(rules.is_start_drawn());
    }
    // The level's own target comes before that of the study.
    let source = Arc::new(SourceText { path: "level.txt".into(), text: "target: none\n2x2".to_owned() });
    let study = Options { target: Target::Exponent(4), ..Options::default() };
    assert_eq!(notation::load(&source.text, &source, 0, &study).unwrap().target, None);
    assert_eq!(notation::load("2x2", &source, 13, &study).unwrap().target, Some(4));
}

#[test]
fn faults_point_at_what_is_wrong() {
    for (text, expected) in [
        ("2 4\n7 .", &[("bad-tile", "7")][..]),
        ("2 4\n1 262144", &[("bad-tile", "1"), ("bad-tile", "262144")]),
        ("2 4 8\n. .\n. . .", &[("ragged-rows", "")]),
        ("2 4\n. . 8\n. .", &[("ragged-rows", "8")]),
        ("colour: red\n2 4\n. 5", &[("unknown-setting", "colour"), ("bad-tile", "5")]),
        ("target: 7\n2x2", &[("bad-target", "7")]),
        ("target: 4\n2x2", &[("bad-target", "4")]),
        ("target: 64\n2x2", &[("unreachable-target", "64")]),
        ("size: 3x3\n2 4\n. .", &[("bad-size", "3x3")]),
        ("size: big\n2 4\n. .", &[("bad-size", "big")]),
        ("1x4", &[("bad-size", "1x4")]),
        ("2xy", &[("bad-size", "2xy")]),
        ("2x99999999999999999999", &[("bad-size", "2x99999999999999999999")]),
        ("26x26", &[("level-too-large", "26x26")]),
        ("6x6", &[("level-too-large", "6x6")]),
        ("2 4 8", &[("bad-board-length", "2 4 8")]),
        ("size: 2x3\n2 4 8 .", &[("bad-board-length", "size: 2x3\n2 4 8 .")]),
        ("2 4\n4 2", &[("no-move", "2 4\n4 2")]),
        ("# nothing", &[("empty-level", "# nothing")]),
        ("{\"board\": [[2, 3], [4, \"x\"]]}", &[("bad-tile", "3"), ("bad-tile", "\"x\"")]),
        ("{\"board\": [[2, 3}", &[("bad-json", "}")]),
        ("{\"target\": 5, \"board\": \"2 4 / 4 .\"}", &[("bad-target", "5")]),
    ] {
        let faults = load(text).err().unwrap_or_else(|| panic!("{text} is read"));
        let marked: Vec<(&str, &str)> =
            faults.iter().map(|fault| (fault.code, &text[fault.place.span.clone()])).collect();
        assert_eq!(marked, expected, "{text}");
        assert!(faults.iter().all(|fault| fault.help.is_some() && !fault.message.is_empty()), "{text}");
    }
}

#[test]
fn options_are_checked_where_the_study_gives_them() {
    let game = Game::named("2048").unwrap();
    let check = |text: &str| {
        let options = RuleOptions { table: text.parse().unwrap(), ..RuleOptions::default() };
        (game.check_options)(&options).map_err(|error| error.to_string())
    };
    assert_eq!(check("target = 2048\nfour = 0.2\ndepth = 3"), Ok(()));
    assert_eq!(check("target = \"none\""), Ok(()));
    assert_eq!(check("leaf = \"network\"\ntraining_games = 1"), Ok(()));
    assert_eq!(check("target = \"64\""), Ok(()));
    for (text, reason) in [
        ("target = 100", "`target`"),
        ("target = -8", "`target`"),
        ("target = \"many\"", "`target`"),
        ("four = 1.5", "`four`"),
        ("four = nan", "`four`"),
        ("depth = 0", "`depth`"),
        ("leaf = \"guess\"", "guess"),
        ("training_games = 0", "`training_games`"),
        ("training_games = 10_000_001", "`training_games`"),
        ("spawn = 1", "spawn"),
    ] {
        let error = check(text).unwrap_err();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let mut settings =
        (game.settings)(&RuleOptions { table: "target = 64".parse().unwrap(), ..RuleOptions::default() });
    settings.sort();
    let n_games = DEFAULT_TRAINING_GAMES.to_string();
    let expected =
        [("depth", "2"), ("four", "0.1"), ("leaf", "score"), ("target", "64"), ("training_games", n_games.as_str())];
    assert_eq!(settings, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}

#[test]
fn levels_are_found_in_every_container() {
    let boards = |path: &str, text: &str| -> Vec<(String, String)> {
        let source = Arc::new(SourceText { path: path.into(), text: text.to_owned() });
        let levels = levels_of_text(&source, &LevelColumns::default()).unwrap_or_else(|faults| panic!("{faults:?}"));
        let read = |level: &LevelSource| {
            let rules = notation::load(&level.text, &level.source, level.span.start, &Options::default());
            let rules = rules.unwrap_or_else(|faults| panic!("{faults:?}"));
            (level.id.clone(), rules.format_state(rules.start))
        };
        levels.iter().map(read).collect()
    };
    let expected = [("one", "2 4 / . 8"), ("two", ". . / . .")].map(|(id, board)| (id.to_owned(), board.to_owned()));
    assert_eq!(boards("a.txt", "# id: one\n2 4\n. 8\n\n# id: two\n2x2\n"), expected);
    assert_eq!(boards("a.csv", "level,board\none,2 4/. 8\ntwo,2x2\n"), expected);
    assert_eq!(boards("a.csv", "level,board\none,\"2 4\n. 8\"\ntwo,\". .\n. .\"\n"), expected);
    let json = r#"[{"id": "one", "board": [[2, 4], [0, 8]]}, {"id": "two", "board": "2x2"}]"#;
    assert_eq!(boards("a.json", json), expected);
    assert_eq!(boards("one.txt", "2 4\n. 8\n"), expected[..1]);
}

#[test]
fn a_fault_in_a_table_points_into_the_file() {
    let text = "level,board\none,\"2 4\n. 9\"\n";
    let source = Arc::new(SourceText { path: "a.csv".into(), text: text.to_owned() });
    let levels = levels_of_text(&source, &LevelColumns::default()).unwrap();
    let faults = notation::load(&levels[0].text, &source, levels[0].span.start, &Options::default()).unwrap_err();
    assert_eq!(faults[0].place.line_and_column(), (3, 3));
    assert_eq!(&text[faults[0].place.span.clone()], "9");
}

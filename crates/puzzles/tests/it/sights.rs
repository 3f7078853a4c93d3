//! What people see who play: an aim in their language, pieces that can be told apart, and letters that can be read.

use plymap_puzzles::game::picture::{N_COLOURS, NAMED, Picture, Role, Shape};
use plymap_puzzles::level::LevelColumns;
use plymap_puzzles::registry::{GAMES, RuleOptions};
use plymap_puzzles::valuation::load_levels;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::fixtures::{level, options};
use crate::laws::{CASES, for_every_state, random_walk};
use crate::testing::project;

/// Of each level of each game, scripts too: none is without an aim, and none says it twice in one language.
#[test]
fn every_level_has_an_aim_in_three_languages() {
    for case in CASES.iter() {
        let aim = case.rules().aim();
        let told = [&aim.en, &aim.de, &aim.fr];
        assert!(told.iter().all(|text| text.len() > 20 && text.ends_with('.')), "{}: {aim:?}", case.name);
        assert!(aim.en != aim.de && aim.de != aim.fr && aim.en != aim.fr, "{}: {aim:?}", case.name);
    }
    let games: Vec<&str> = GAMES.iter().map(|game| game.name).collect();
    assert!(games.iter().all(|game| CASES.iter().any(|case| case.game == *game)), "{games:?}");
}

/// Of each level of each game, in each of its positions.
#[test]
fn pieces_that_touch_and_have_different_names_have_different_colours() {
    for_every_state(|name, rules, state| assert_apart(name, &rules.picture(state)));
    let folder = project().join("data/demo/levels");
    let files: Vec<_> = std::fs::read_dir(&folder).expect("levels").map(|file| file.expect("a file").path()).collect();
    let demo = load_levels(&files, &LevelColumns::default(), Default::default(), &RuleOptions::default());
    for level in demo.expect("levels without faults") {
        for state in random_walk(&*level.rules) {
            assert_apart(&level.origin.id, &level.rules.picture(state));
        }
    }
}

/// Boards of Rush Hour with more pieces than there are colours, filled by chance.
#[test]
fn pieces_of_crowded_boards_have_other_colours_than_their_neighbours() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut n_crowded = 0;
    for number in 0..40 {
        let board = crowded(&mut random);
        let level = level(&board, &options(""));
        let picture = level.rules.picture(level.rules.start());
        n_crowded += usize::from(pieces(&picture).count() > N_COLOURS + 1);
        assert_apart(&format!("board {number}\n{board}"), &picture);
    }
    assert!(n_crowded >= 30, "{n_crowded} boards of 40 need colours twice");
}

/// A board of 8 x 8 cells with as many pieces as are found a place for; the red one is A.
fn crowded(random: &mut ChaCha8Rng) -> String {
    const SIDE: usize = 8;
    let mut cells = vec![vec!['.'; SIDE]; SIDE];
    cells[3][0] = 'A';
    cells[3][1] = 'A';
    // More pieces than these would need more bits than a state code has.
    let mut letters = 'B'..='Q';
    for _ in 0..60 {
        let (length, is_across) = (*[2, 2, 3].choose(random).expect("a length"), random.random_bool(0.5));
        let (row, column) = (random.random_range(0..SIDE), random.random_range(0..SIDE));
        let place: Vec<_> =
            (0..length).map(|at| if is_across { (row, column + at) } else { (row + at, column) }).collect();
        let is_free = |&(row, column): &(usize, usize)| row < SIDE && column < SIDE && cells[row][column] == '.';
        // What lies in the row of the red piece could not leave it.
        if !place.iter().all(is_free) || (is_across && row == 3) {
            continue;
        }
        let Some(letter) = letters.next() else { break };
        place.into_iter().for_each(|(row, column)| cells[row][column] = letter);
    }
    cells.into_iter().map(|row| row.into_iter().chain(['\n']).collect::<String>()).collect()
}

/// Fails where two pieces with different labels lie side by side in one colour.
fn assert_apart(name: &str, picture: &Picture) {
    let all: Vec<&Shape> = pieces(picture).collect();
    for (index, one) in all.iter().enumerate() {
        for other in &all[..index] {
            let is_told = one.label == other.label || colour(one.role) != colour(other.role);
            assert!(is_told || !touch(one, other), "{name}: {} and {} in one colour", one.label, other.label);
        }
    }
}

fn pieces(picture: &Picture) -> impl Iterator<Item = &Shape> {
    picture.shapes.iter().filter(|shape| matches!(shape.role, Role::Hero | Role::Piece(_)) && !shape.label.is_empty())
}

/// The number of the colour of a piece, of which the red one has none.
fn colour(role: Role) -> Option<usize> {
    match role {
        Role::Piece(number) if NAMED.iter().any(|&(_, named)| named == number) => Some(number),
        Role::Piece(number) => Some(number % N_COLOURS),
        _ => None,
    }
}

/// Whether two rectangles have a part of a side in common.
fn touch(one: &Shape, other: &Shape) -> bool {
    let overlap = |from: f64, length: f64, other_from: f64, other_length: f64| {
        (from + length).min(other_from + other_length) - from.max(other_from)
    };
    let down = overlap(one.row, one.rows, other.row, other.rows);
    let across = overlap(one.column, one.columns, other.column, other.columns);
    down.max(across) > 0.0 && down.min(across) > -1e-9
}

/// The numbers of disks can be read on a telephone: 12 of the 376 pixels that a board of 400 has, of every level
/// that ships.
#[test]
fn disks_are_thick_enough_for_their_numbers() {
    // A letter fills 0.7 of the thickness of a disk, and a board has a border of 0.08 cells on each side.
    let pixels = |picture: &Picture, disk: &Shape| 376.0 * 0.7 * disk.rows / (picture.width + 0.16);
    let towers = CASES.iter().filter(|case| case.game == "tower-of-hanoi");
    let mut n_disks = 0;
    for case in towers {
        let picture = case.rules().picture(case.rules().start());
        for disk in pieces(&picture) {
            assert!(pixels(&picture, disk) >= 12.0, "{}: disk {}: {}", case.name, disk.label, pixels(&picture, disk));
            n_disks += 1;
        }
    }
    assert!(n_disks >= 3 + 4 + 4 + 5 + 6 + 10, "{n_disks} disks");
}

//! A network is compared with exact values on boards that have them: that is the test that it learns.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use super::super::board::{Board, Grid};
use super::super::exact::{Course, Numbering, Table};
use super::super::random::Random;
use super::super::{ALONE, Leaf, Move, Options, Twenty48, kept};
use super::*;
use crate::game::testing::{Impatient, Shelf};
use crate::game::{Preparation, Puzzle, Value, ValueError};
use crate::progress::{Progress, Silent};

fn lesson(width: usize, height: usize, target: Option<u32>, n_games: u64) -> Lesson {
    Lesson { width, height, target, four: 0.1, n_games, seed: 1 }
}

/// The exact expected score of a player who always takes the move that the network calls best, by going through
/// all positions that this player can come to.
struct Play<'a> {
    course: Course<'a>,
    network: &'a Network,
    /// For each after-state, the points that come after it.
    known: BTreeMap<Board, f64>,
}

impl Play<'_> {
    fn after(&mut self, after: Board) -> f64 {
        if self.course.is_goal(after) {
            return 0.0;
        }
        let after = self.course.grid.canonical(after);
        if let Some(&points) = self.known.get(&after) {
            return points;
        }
        let cells: Vec<usize> = self.course.grid.empty_cells(after).collect();
        let mut points = 0.0;
        for &cell in &cells {
            for (exponent, chance) in self.course.new_tiles() {
                points += chance * self.from(self.course.grid.with_tile(after, cell, exponent)) / cells.len() as f64;
            }
        }
        self.known.insert(after, points);
        points
    }

    fn from(&mut self, board: Board) -> f64 {
        let mut best: Option<(Board, u32, f64)> = None;
        for (after, gain) in self.course.moves(board) {
            let rest = if self.course.is_goal(after) { 0.0 } else { self.network.value(self.course.grid, after) };
            let worth = f64::from(gain) + rest;
            if best.is_none_or(|(_, _, most)| worth > most) {
                best = Some((after, gain, worth));
            }
        }
        best.map_or(0.0, |(after, gain, _)| f64::from(gain) + self.after(after))
    }
}

/// All starts with two new tiles, each with its probability.
fn starts(course: &Course) -> Vec<(Board, f64)> {
    let n_cells = course.grid.n_cells();
    let mut starts = Vec::new();
    for first in 0..n_cells {
        for second in (0..n_cells).filter(|&cell| cell != first) {
            for (exponent, chance) in course.new_tiles() {
                for (other, also) in course.new_tiles() {
                    let board = course.grid.with_tile(Board::EMPTY, first, exponent);
                    let board = course.grid.with_tile(board, second, other);
                    starts.push((board, chance * also / (n_cells * (n_cells - 1)) as f64));
                }
            }
        }
    }
    starts
}

/// Mean optimal score, mean score of the network's play, and what the network expects of its play, all from the
/// start; then the mean error of its values over the after-states that its play can come to, and their mean size.
fn compared(lesson: &Lesson, max_exponent: u32) -> [f64; 5] {
    let grid = Grid::new(lesson.width, lesson.height, max_exponent).unwrap();
    let course = Course { grid: &grid, target: lesson.target, four: lesson.four };
    let numbering = Numbering::new(&grid, lesson.target.unwrap_or(max_exponent + 1)).unwrap();
    let starts = starts(&course);
    let boards: Vec<Board> = starts.iter().map(|&(board, _)| board).collect();
    let table = Table::new(&course, numbering, &boards, &ALONE).unwrap();
    let network = Network::learned(lesson, &Silent).unwrap();
    let mut play = Play { course, network: &network, known: BTreeMap::new() };
    let mean = |value: &mut dyn FnMut(Board) -> f64| -> f64 {
        starts.iter().map(|&(board, chance)| chance * value(board)).sum()
    };
    let optimal = mean(&mut |board| table.value(&course, board).unwrap());
    let played = mean(&mut |board| play.from(board));
    let expects = |after: Board| if course.is_goal(after) { 0.0 } else { network.value(&grid, after) };
    let expected = mean(&mut |board| {
        course.moves(board).map(|(after, gain)| f64::from(gain) + expects(after)).fold(0.0, f64::max)
    });
    let (mut error, mut size) = (0.0, 0.0);
    for &after in play.known.keys() {
        let exact = table.value_after(&course, after).unwrap();
        error += (network.value(&grid, after) - exact).abs();
        size += exact;
    }
    let n_known = play.known.len() as f64;
    [optimal, played, expected, error / n_known, size / n_known]
}

/// Check of what is learned in a few thousand games, by the exact numbers: `played` is no sample but the expected
/// score.
fn assert_learned(lesson: &Lesson, max_exponent: u32, exact: f64, least_share: f64) {
    let [optimal, played, expected, error, size] = compared(lesson, max_exponent);
    assert!((optimal - exact).abs() < 1e-6, "{optimal}");
    assert!(played <= optimal + 1e-9 && played > least_share * optimal, "{played} of {optimal}");
    assert!((expected - played).abs() < 0.05 * played, "{expected}, and {played} are played");
    assert!(error < 0.3 * size, "{error} of {size}");
    // Nearly without learning, play is worse by far, and so is what is expected.
    let [_, played, expected, more_error, _] = compared(&Lesson { n_games: 1, ..*lesson }, max_exponent);
    assert!(played < 0.75 * optimal, "{played} of {optimal}");
    assert!((expected - played).abs() > 0.3 * played, "{expected}, and {played} are played");
    assert!(more_error > 1.5 * error, "{more_error} and {error}");
}

/// On 2x3 one tuple is the whole board, so that the network could hold the exact values.
#[test]
fn two_by_three_is_learned() {
    assert_learned(&lesson(2, 3, None, 20_000), 7, 480.258_272, 0.93);
}

/// On 3x3 a tuple sees six cells of nine. The target ends the game, and optimal play puts it off for long: a
/// player who tries nothing new finds this in part only.
#[test]
fn three_by_three_to_32_is_learned() {
    assert_learned(&lesson(3, 3, Some(5), 20_000), 5, 246.398_504, 0.85);
}

#[test]
fn equal_lessons_make_equal_networks() {
    let learned = |lesson: Lesson| Network::learned(&lesson, &Silent).unwrap();
    let first = lesson(3, 3, Some(6), 50);
    assert_eq!(learned(first), learned(first));
    for other in [Lesson { seed: 2, ..first }, Lesson { n_games: 51, ..first }, Lesson { four: 0.2, ..first }] {
        assert_ne!(learned(first), learned(other));
        assert_ne!(first.in_words(), other.in_words());
    }
}

#[test]
fn mirror_images_have_the_same_value_to_the_last_digit() {
    for (width, height) in [(4, 4), (3, 4), (2, 5)] {
        let network = Network::learned(&lesson(width, height, None, 30), &Silent).unwrap();
        let grid = Grid::new(width, height, 17).unwrap();
        let mut random = Random::new(3);
        let mut n_above_zero = 0;
        for _ in 0..200 {
            let board = grid.board((0..width * height).map(|_| random.below(9) as u32));
            let value = network.value(&grid, board);
            n_above_zero += u32::from(value > 0.0);
            assert!(grid.images(board).all(|image| network.value(&grid, image).to_bits() == value.to_bits()));
        }
        assert!(n_above_zero > 100, "{n_above_zero}");
    }
}

#[test]
fn tiles_beyond_those_learned_are_valued_too() {
    let network = Network::learned(&lesson(4, 4, None, 3), &Silent).unwrap();
    let grid = Grid::new(4, 4, 25).unwrap();
    let value = network.value(&grid, grid.board([25, 24, 1, 0, 17]));
    assert!(value.is_finite() && value >= 0.0);
    assert_eq!(value, network.value(&grid, grid.board([13, 13, 1, 0, 13])));
}

#[test]
fn boards_of_every_size_can_be_learned() {
    for (width, height, target) in [(2, 2, None), (5, 5, None), (6, 6, Some(7)), (2, 12, None), (8, 8, Some(3))] {
        let lesson = lesson(width, height, target, 2);
        assert!(Network::learned(&lesson, &Silent).is_ok(), "{width}x{height}");
    }
    // Even without fours, or with nothing else.
    for four in [0.0, 1.0] {
        assert!(Network::learned(&Lesson { four, ..lesson(3, 3, None, 2) }, &Silent).is_ok());
    }
}

/// Counts what it is told, and asks to stop after so many questions.
#[derive(Default)]
struct Patience {
    n_steps: AtomicU64,
    n_questions: AtomicU64,
    most: u64,
}

impl Progress for Patience {
    fn begin(&self, _stage: &str, total: Option<u64>) {
        assert_eq!(total, Some(40));
    }
    fn advance(&self, steps: u64) {
        self.n_steps.fetch_add(steps, Ordering::Relaxed);
    }
    fn end(&self) {}
    fn is_cancelled(&self) -> bool {
        self.n_questions.fetch_add(1, Ordering::Relaxed) >= self.most
    }
}

#[test]
fn learning_tells_how_far_it_is_and_stops_when_asked() {
    let lesson = lesson(3, 3, None, 40);
    let patient = Patience { most: u64::MAX, ..Patience::default() };
    assert!(Network::learned(&lesson, &patient).is_ok());
    assert_eq!(patient.n_steps.into_inner(), 40);
    let hurried = Patience { most: 7, ..Patience::default() };
    assert_eq!(Network::learned(&lesson, &hurried), Err(ValueError::Interrupted));
    assert_eq!(hurried.n_steps.into_inner(), 7);
}

/// A level of this size whose network learns from so many games.
fn rules(width: usize, height: usize, training_games: u64) -> Twenty48 {
    let options = Options { leaf: Leaf::Network, training_games, ..Options::default() };
    Twenty48::new(width, height, &[], options).unwrap()
}

#[test]
fn levels_of_one_size_share_a_network() {
    let (drawn, other) = (rules(4, 4, 2), rules(4, 4, 3));
    let begun = Twenty48::new(4, 4, &[1, 2, 3, 4], drawn.options.clone()).unwrap();
    // As many threads as ask find the same network, whichever of them has it learn.
    let networks: Vec<&Network> = std::thread::scope(|scope| {
        let levels = [&drawn, &begun, &drawn, &begun];
        let threads = levels.map(|level| scope.spawn(|| level.network(&ALONE).unwrap()));
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(networks.iter().all(|&network| std::ptr::eq(network, networks[0])));
    assert_eq!(*networks[0], Network::learned(&drawn.lesson(), &Silent).unwrap());
    assert_ne!(networks[0], other.network(&ALONE).unwrap());
}

#[test]
fn kept_networks_are_read_back_and_damaged_ones_refused() {
    let shelf = Shelf::default();
    let prepared = || {
        // Four in a column, five in a row: no other test has such a level, so that none shares its network.
        let rules = rules(5, 4, 3);
        rules.prepare(&Preparation { progress: &Silent, store: Some(&shelf) }).unwrap();
        let value = rules.value(rules.parse_state("2 4 8 . 2 / . . . . 4 / . 2 . . . / . . . . .").unwrap()).unwrap();
        (rules.lesson(), value, shelf.n_kept.load(Ordering::Relaxed))
    };
    let (lesson, value, n_kept) = prepared();
    assert_eq!(n_kept, 1);
    assert_eq!(prepared(), (lesson, value, 1));
    let (key, words) = (store_key(&lesson), lesson.in_words());
    let whole = shelf.files.lock().unwrap()[&key].clone();
    let read = |bytes: &[u8], words: &str| kept::read_network(bytes, words, Tuples::of_lesson(&lesson));
    assert_eq!(read(&whole, &words), Some(Network::learned(&lesson, &Silent).unwrap()));
    assert_eq!(read(&whole, "5x4-other"), None);
    // One wrong byte, a missing one and one too many: it learns anew, and is kept again.
    let mut wrong = whole.clone();
    let middle = wrong.len() / 2;
    wrong[middle] ^= 1;
    let long = [&whole[..], &[0]].concat();
    for (damaged, n_kept) in [(&wrong[..], 2), (&whole[..whole.len() - 1], 3), (&long, 4)] {
        assert_eq!(read(damaged, &words), None);
        shelf.files.lock().unwrap().insert(key.clone(), damaged.to_vec());
        assert_eq!(prepared(), (lesson, value, n_kept));
    }
    assert_eq!(shelf.files.lock().unwrap()[&key], whole);
}

#[test]
fn preparation_stops_when_asked() {
    let rules = rules(4, 4, 5);
    assert_eq!(rules.prepare(&Preparation { progress: &Impatient, store: None }), Err(ValueError::Interrupted));
    assert_eq!(rules.prepare(&ALONE), Ok(()));
    // What has learned does not learn again.
    assert_eq!(rules.prepare(&Preparation { progress: &Impatient, store: None }), Ok(()));
}

/// Values by the network look `depth` moves ahead; here they are found a second way, with what the rules list.
#[test]
fn estimates_take_the_network_at_their_ends() {
    let rules = rules(4, 4, 20);
    let network = rules.network(&ALONE).unwrap();
    let points = |value: Option<Value>| value.unwrap().number();
    let best = |board: Board| {
        let mut moves = Vec::new();
        rules.legal_moves(board, &mut moves);
        let worth = |&choice: &Move| {
            f64::from(rules.cost(board, choice)) + network.value(rules.grid(), rules.play_unchecked(board, choice))
        };
        moves.iter().map(worth).fold(0.0, f64::max)
    };
    for text in ["2 2 4 8 / . . 2 4 / . . . . / . . . 2", "2 4 8 16 / 2 4 8 32 / 4 2 4 2 / 2 . 2 ."] {
        let board = rules.parse_state(text).unwrap();
        let mut moves = Vec::new();
        rules.legal_moves(board, &mut moves);
        for choice in moves {
            let mut outcomes = Vec::new();
            rules.outcomes(board, choice, &mut outcomes);
            let mean: f64 =
                outcomes.iter().map(|&(action, chance)| chance * best(rules.play_unchecked(board, action))).sum();
            let value = points(rules.value_after(rules.play_unchecked(board, choice)).unwrap());
            assert!((value - mean).abs() < 1e-9 * mean && mean > 0.0, "{text}: {value} and {mean}");
        }
    }
}

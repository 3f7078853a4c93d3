//! Tests of the players, of their choices and their strength: some ignored tests measure that, by games drawn from a
//! seed.

use super::super::random::Random;
use super::super::{ALONE, Leaf, Move, Options, Target, Twenty48};
use super::*;
use crate::game::Puzzle;

/// A level without tiles.
fn rules(width: usize, height: usize, options: Options) -> Twenty48 {
    Twenty48::new(width, height, &[], options).unwrap()
}

fn with_network(training_games: u64) -> Options {
    Options { leaf: Leaf::Network, training_games, ..Options::default() }
}

fn names(rules: &Twenty48) -> Vec<String> {
    rules.strategies().into_iter().map(|strategy| strategy.name).collect()
}

/// The direction that a strategy chooses.
fn chosen(rules: &Twenty48, name: &str, board: Board) -> Option<Direction> {
    let strategy = names(rules).iter().position(|other| other == name).unwrap();
    let choice = rules.choose(strategy, board)?;
    assert_eq!(choice.tile, None);
    Some(choice.direction)
}

fn legal_moves(rules: &Twenty48, board: Board) -> Vec<Move> {
    let mut moves = Vec::new();
    rules.legal_moves(board, &mut moves);
    moves
}

/// The first of the moves that are worth most.
fn first_best(rules: &Twenty48, board: Board, worth: impl Fn(Move) -> f64) -> Option<Direction> {
    let mut best: Option<(Direction, f64)> = None;
    for choice in legal_moves(rules, board) {
        let worth = worth(choice);
        if best.is_none_or(|(_, most)| worth > most) {
            best = Some((choice.direction, worth));
        }
    }
    best.map(|(direction, _)| direction)
}

#[test]
fn the_network_plays_where_the_options_ask_for_it() {
    let built_in = ["source-fast", "source-efficient", "expectimax"];
    assert_eq!(names(&rules(4, 4, Options::default())), built_in);
    assert_eq!(names(&rules(4, 4, with_network(1))), [&built_in[..], &["network"]].concat());
}

#[test]
fn players_choose_nothing_where_the_game_is_over_or_has_not_begun() {
    let rules = rules(3, 3, Options { target: Target::Exponent(5), ..with_network(10) });
    for text in ["2 4 2 / 4 2 4 / 2 4 2", "2 2 . / . 32 . / . . .", ". . . / . . . / . . ."] {
        let board = rules.parse_state(text).unwrap();
        for name in names(&rules) {
            assert_eq!(chosen(&rules, &name, board), None, "{name}: {text}");
        }
    }
    // No player has an index beyond the last one.
    assert_eq!(rules.choose(names(&rules).len(), rules.parse_state("2 2 . / . . . / . . .").unwrap()), None);
}

/// On 2x2 values are exact, so that the best move can be found from them, and the network's from the network.
#[test]
fn expectimax_takes_the_best_value_and_the_network_its_own() {
    let rules = rules(2, 2, with_network(50));
    let network = rules.network(&ALONE).unwrap();
    let mut random = Random::new(5);
    let mut n_choices = 0;
    for _ in 0..40 {
        let mut board = random.start(rules.grid(), 0.1);
        while let Some(direction) = chosen(&rules, "expectimax", board) {
            let after = |choice| rules.play_unchecked(board, choice);
            let gain = |choice| f64::from(rules.cost(board, choice));
            let value = |choice| gain(choice) + rules.value_after(after(choice)).unwrap().unwrap().number();
            assert_eq!(first_best(&rules, board, value), Some(direction));
            let value = |choice| gain(choice) + network.value(rules.grid(), after(choice));
            assert_eq!(first_best(&rules, board, value), chosen(&rules, "network", board));
            n_choices += usize::from(legal_moves(&rules, board).len() > 1);
            board = random.with_new_tile(rules.grid(), after(Move { direction, tile: None }), 0.1);
        }
    }
    assert!(n_choices > 300, "{n_choices}");
}

/// The score of what a move leads to, found from the rules alone: the means of all new tiles of 2, and the best
/// moves after each.
fn score_of(rules: &Twenty48, board: Board, choice: Move, depth: u32) -> f64 {
    let after = rules.play_unchecked(board, choice);
    if depth == 1 {
        return source_score(rules.grid(), after).into();
    }
    let mut outcomes = Vec::new();
    rules.outcomes(board, choice, &mut outcomes);
    outcomes.retain(|(action, _)| action.tile.is_some_and(|tile| tile.exponent == 1));
    let best = |action: Move| {
        let next = rules.play_unchecked(board, action);
        let scores = legal_moves(rules, next).into_iter().map(|choice| score_of(rules, next, choice, depth - 1));
        scores.reduce(f64::max).unwrap_or_else(|| lost(rules.grid(), next))
    };
    outcomes.iter().map(|&(action, _)| best(action)).sum::<f64>() / outcomes.len() as f64
}

#[test]
fn players_of_the_source_look_further_ahead_as_cells_fill() {
    let rules = rules(4, 4, Options::default());
    let fast = Schedule::FAST;
    assert_eq!([16, 7, 6, 3, 2, 0].map(|n_empty| fast.depth(n_empty)), [2, 2, 3, 3, 4, 4]);
    for (text, depth) in [
        ("2 4 8 64 / . 2 . 8 / . . . 2 / . . . .", 2),
        ("2 4 8 64 / 2 2 4 8 / 4 16 2 2 / . . . .", 3),
        ("2 4 8 64 / 2 16 4 8 / 4 16 2 4 / 2 4 . .", 4),
        ("2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 . 2", 4),
    ] {
        let board = rules.parse_state(text).unwrap();
        assert_eq!(fast.depth(rules.grid().empty_cells(board).count()), depth);
        let best = |depth| first_best(&rules, board, |choice| score_of(&rules, board, choice, depth));
        assert_eq!(chosen(&rules, "source-fast", board), best(depth), "{text}");
        assert_eq!(chosen(&rules, "source-efficient", board), best(depth + 1), "{text}");
    }
}

/// Results of some games.
#[derive(Debug, Default)]
struct Tally {
    /// The score of each game.
    scores: Vec<u64>,
    /// The exponent of the largest tile of each game.
    largest: Vec<u32>,
}

impl Tally {
    fn total(&self) -> u64 {
        self.scores.iter().sum()
    }

    fn mean(&self) -> f64 {
        self.total() as f64 / self.scores.len() as f64
    }

    /// Number of games that reached this tile.
    fn n_reached(&self, tile: u64) -> usize {
        self.largest.iter().filter(|&&largest| 1 << largest >= tile).count()
    }

    /// Mean score with its standard error, and how many games ended with which largest tile.
    fn in_words(&self) -> String {
        let (n_games, mean) = (self.scores.len() as f64, self.mean());
        let squares: f64 = self.scores.iter().map(|&score| (score as f64 - mean).powi(2)).sum();
        let error = (squares / (n_games - 1.0) / n_games).sqrt();
        let ended = |exponent| self.largest.iter().filter(|&&largest| largest == exponent).count();
        let tiles = (1..32).map(|exponent| (1_u64 << exponent, ended(exponent))).filter(|&(_, n_games)| n_games > 0);
        let tiles: Vec<String> = tiles.map(|(tile, n_games)| format!("{n_games} x {tile}")).collect();
        format!("mean {mean:.0} ± {error:.0}, total {}, {}", self.total(), tiles.join(", "))
    }
}

/// So many games of a strategy, all drawn from one seed.
fn played(rules: &Twenty48, name: &str, n_games: usize, seed: u64) -> Tally {
    let (grid, four) = (rules.grid(), rules.options.four);
    let (mut random, mut tally) = (Random::new(seed), Tally::default());
    for _ in 0..n_games {
        let (mut board, mut score) = (random.start(grid, four), 0);
        while let Some(direction) = chosen(rules, name, board) {
            let (after, points) = grid.slid(board, direction);
            score += u64::from(points);
            board = random.with_new_tile(grid, after, four);
        }
        tally.scores.push(score);
        tally.largest.push(grid.largest(board));
    }
    tally
}

/// A few hundred games are enough to play better than the rule that was chosen by hand.
#[test]
fn a_network_plays_better_than_the_score_and_than_without_learning() {
    let options = Options { depth: 1, ..Options::default() };
    let score = played(&rules(4, 4, options), "expectimax", 40, 1);
    let without = played(&rules(4, 4, with_network(1)), "network", 40, 1);
    let network = played(&rules(4, 4, with_network(400)), "network", 40, 1);
    let means = [&without, &score, &network].map(Tally::mean);
    assert!(means[2] > 1.3 * means[1] && means[2] > 3.0 * means[0], "{means:?}");
}

/// Prints how well some strategies play and asserts the total score of each, and how many games reached 2048.
fn assert_measured(players: &[(&Twenty48, &str, usize, (u64, usize))]) {
    let measure = |&(rules, name, n_games, expected): &(&Twenty48, &str, usize, (u64, usize))| {
        let tally = played(rules, name, n_games, 1);
        let start = rules.value(rules.start()).unwrap().unwrap().number();
        println!("{name}, depth {}: {}; the start is valued at {start:.0}", rules.options.depth, tally.in_words());
        ((tally.total(), tally.n_reached(2048)), expected)
    };
    let (measured, expected): (Vec<_>, Vec<_>) = players.iter().map(measure).unzip();
    assert_eq!(measured, expected);
}

#[test]
#[ignore = "measures the players of the source: minutes"]
fn players_of_the_source_are_measured() {
    let rules = rules(4, 4, Options::default());
    assert_measured(&[(&rules, "source-fast", 100, (2_035_080, 28)), (&rules, "source-efficient", 4, (90_196, 2))]);
}

#[test]
#[ignore = "measures estimates by the score: a minute"]
fn estimates_by_the_score_are_measured() {
    let of_depth = |depth| rules(4, 4, Options { depth, ..Options::default() });
    assert_measured(&[
        (&of_depth(1), "expectimax", 100, (538_008, 0)),
        (&of_depth(2), "expectimax", 100, (1_248_492, 6)),
    ]);
}

#[test]
#[ignore = "lets a network learn as long as it does by default, and measures it: minutes"]
fn the_network_is_measured() {
    let of_depth = |depth| rules(4, 4, Options { depth, leaf: Leaf::Network, ..Options::default() });
    let (plain, ahead) = (of_depth(1), of_depth(2));
    // Both levels hold the network, so that it learns once.
    plain.network(&ALONE).unwrap();
    assert_measured(&[(&plain, "network", 200, (13_125_616, 188)), (&ahead, "expectimax", 50, (4_727_700, 48))]);
}

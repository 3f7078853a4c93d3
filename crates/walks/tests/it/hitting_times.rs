//! Expected numbers of moves to a goal: beside closed formulas, and beside a second implementation.

use plymap_puzzles::graph::{DistanceTable, LevelMap, MapOptions};
use plymap_puzzles::progress::{Progress, Silent};
use plymap_puzzles::registry::Game;
use plymap_puzzles::rules::Rules;
use plymap_walks::hitting_times::{Chain, HittingError, HittingTimes, LARGEST_ERROR, true_distances};
use serde_json::Value as Json;

use crate::fixtures::{ARTICLE, level, level_of, options};
use crate::testing::golden;

/// The estimate of a state by one of the heuristics of a level.
type Estimate = Box<dyn Fn(usize, u32) -> f64>;

fn map_of(game: &str, text: &str) -> (Estimate, Vec<String>, LevelMap) {
    let rules = level_of(Game::named(game).expect("a game"), text, &options("")).rules;
    let map = rules.map(&MapOptions::default()).expect("within the limits");
    let codes: Vec<_> = (0..map.n_states() as u32).map(|state| map.code(state)).collect();
    let names = rules.heuristics().into_iter().map(|heuristic| heuristic.name).collect();
    (Box::new(move |heuristic, state| rules.estimate(heuristic, codes[state as usize])), names, map)
}

fn walk(map: &LevelMap) -> HittingTimes {
    HittingTimes::new(&Chain::random_walk(map), &Silent).expect("a solution")
}

#[track_caller]
fn assert_near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance * expected.abs().max(1.0), "{found}, and not {expected}");
}

/// Random moves from the first peg to the last take (3^n − 1)(5^n − 3^n) / (2 · 3^(n − 1)) of them on average (Alekseyev &
/// Berger, 2016. Solving the Tower of Hanoi with random moves. In *The mathematics of various entertaining subjects*).
#[test]
fn random_moves_of_towers_follow_their_formula() {
    for n in 1..=9 {
        let (_, _, map) = map_of("tower-of-hanoi", &format!("{n} disks 3 pegs\n"));
        let times = walk(&map);
        let power = |base: f64| base.powi(n);
        let expected = (power(3.0) - 1.0) * (power(5.0) - power(3.0)) / (2.0 * 3f64.powi(n - 1));
        assert_near(times.moves[0], expected, 1e-14);
        // Thin, and so solved directly.
        assert!(times.moves_error < 1e-15 && times.arrival.iter().all(|&p| p == 1.0), "{:e}", times.moves_error);
    }
}

/// Nine lamps in a square have no two ways to a position: the map is a cube of nine dimensions, and the distance of random
/// moves is a birth-and-death chain, of which a step from k to k − 1 takes Σ C(9, j) / C(8, k − 1) moves, j from k to 9
/// (Levin & Peres, 2017. *Markov chains and mixing times*, section 2.5).
#[test]
fn random_moves_of_lamps_follow_their_formula() {
    let (_, _, map) = map_of("lights-out", "***\n.*.\n*..\n");
    let times = walk(&map);
    let choose = |n: u64, k: u64| (1..=k).fold(1, |product, i| product * (n + 1 - i) / i) as f64;
    let step = |k: u64| (k..=9).map(|j| choose(9, j)).sum::<f64>() / choose(8, k - 1);
    for (state, distance) in (0..).zip(DistanceTable::new(&map).iter()) {
        let distance = distance.expect("every position can be solved").0;
        let expected: f64 = (1..=u64::from(distance)).map(step).sum();
        assert_near(times.moves[state as usize], expected, LARGEST_ERROR);
    }
}

/// `tests/oracles/hitting_times.py` knows the rules, and solves the equations of all states at once.
#[test]
fn players_agree_with_a_second_implementation() {
    let levels = golden("hitting_times.json");
    for level in levels.as_array().expect("levels") {
        let text = level["text"].as_str().expect("a board");
        let (estimate, names, map) = map_of(level["game"].as_str().expect("a game"), text);
        assert_eq!(map.n_states() as u64, level["n_states"].as_u64().expect("a number"));
        let estimates = |name: &str| match name {
            "" => vec![0.0; map.n_states()],
            "distance" => true_distances(&DistanceTable::new(&map)),
            name => {
                let heuristic = names.iter().position(|known| known == name).expect("a heuristic");
                (0..map.n_states() as u32).map(|state| estimate(heuristic, state)).collect()
            }
        };
        for player in level["players"].as_array().expect("players") {
            let name = player["player"].as_str().expect("a name");
            let chain = match name.split(':').collect::<Vec<_>>()[..] {
                ["random-walk"] => Chain::random_walk(&map),
                ["greedy", heuristic] => Chain::greedy(&map, &estimates(heuristic)),
                ["look-ahead", depth, heuristic] => {
                    Chain::look_ahead(&map, depth.parse().expect("a depth"), &estimates(heuristic))
                }
                _ => panic!("{name}"),
            };
            assert_like(&HittingTimes::new(&chain, &Silent).expect("a solution"), player);
        }
    }
}

#[track_caller]
fn assert_like(times: &HittingTimes, expected: &Json) {
    let number = |key: &str| expected[key].as_f64().expect("a number");
    let finite: Vec<f64> = times.moves.iter().copied().filter(|moves| moves.is_finite()).collect();
    assert_eq!(
        (times.moves.len() - finite.len()) as u64,
        expected["n_infinite"].as_u64().expect("a number"),
        "{expected}"
    );
    match expected["start"].as_f64() {
        Some(start) => assert_near(times.moves[0], start, 2.0 * LARGEST_ERROR),
        None => assert_eq!(times.moves[0], f64::INFINITY, "{expected}"),
    }
    assert_near(finite.iter().sum::<f64>() / finite.len() as f64, number("mean"), 2.0 * LARGEST_ERROR);
    assert_near(finite.iter().copied().fold(0.0, f64::max), number("largest"), 2.0 * LARGEST_ERROR);
    assert_near(times.arrival[0], number("start_arrival"), 2.0 * LARGEST_ERROR);
    assert_near(times.arrival.iter().sum::<f64>() / times.arrival.len() as f64, number("mean_arrival"), 2e-9);
    for (&moves, &arrival) in times.moves.iter().zip(&times.arrival) {
        assert!(moves.is_finite() == (arrival == 1.0), "{moves} moves, of which {arrival} arrive");
    }
    assert!(times.moves_error <= LARGEST_ERROR && times.arrival_error <= LARGEST_ERROR);
}

/// What lies behind a goal changes nothing: play is over there.
#[test]
fn goals_end_play_whether_they_are_expanded_or_not() {
    let rules = level(ARTICLE, &options("")).rules;
    let [all, short] = [true, false].map(|expand_goals| {
        rules.map(&MapOptions { expand_goals, ..MapOptions::default() }).expect("within the limits")
    });
    let (of_all, of_short) = (walk(&all), walk(&short));
    assert!(short.n_states() < all.n_states(), "{} states", all.n_states());
    for state in 0..short.n_states() as u32 {
        let same = all.node(short.code(state)).expect("a state of the whole map");
        assert_near(of_short.moves[state as usize], of_all.moves[same as usize], 2.0 * LARGEST_ERROR);
    }
}

/// Sums are joined in the order of the states, on a map of more states than one thread takes at a time.
#[test]
fn the_number_of_threads_changes_nothing() {
    let (_, _, map) = map_of("sliding-tiles", "8 6 7\n2 5 4\n3 . 1\n");
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| walk(&map))
    };
    let (one, three) = (with(1), with(3));
    assert!(one.moves.iter().zip(&three.moves).all(|(one, three)| one.to_bits() == three.to_bits()));
    assert_eq!((map.n_states(), one.moves_error), (181_440, three.moves_error));
}

/// Wants to stop as soon as it is asked.
struct Impatient;

impl Progress for Impatient {
    fn begin(&self, _stage: &str, _total: Option<u64>) {}
    fn advance(&self, _steps: u64) {}
    fn end(&self) {}
    fn is_cancelled(&self) -> bool {
        true
    }
}

#[test]
fn who_asks_to_stop_gets_nothing() {
    let rules = level(ARTICLE, &options("")).rules;
    let map = Rules::map(&*rules, &MapOptions::default()).expect("within the limits");
    let refused = HittingTimes::new(&Chain::random_walk(&map), &Impatient).expect_err("an interruption");
    assert_eq!(refused, HittingError::Interrupted);
}

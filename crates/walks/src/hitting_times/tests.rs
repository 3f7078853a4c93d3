//! Solutions by each method, and the proof of their digits.

use super::arrival::Arrival;
use super::block::{Block, Method};
use super::blocks::Blocks;
use super::chain::Chain;
use super::iterative::Course;
use super::values::Values;
use super::{HittingTimes, LARGEST_ERROR};
use plymap_puzzles::graph::{LevelMap, MapOptions};
use plymap_puzzles::progress::Silent;
use plymap_puzzles::registry::{Game, RuleOptions};
use plymap_puzzles::valuation::LoadedLevel;

fn map_of(game: &str, text: &str) -> LevelMap {
    let level = LoadedLevel::from_text("level", text, Game::named(game).unwrap(), &RuleOptions::default());
    level.unwrap_or_else(|faults| panic!("{}", faults[0])).rules.map(&MapOptions::default()).unwrap()
}

/// A walk that is symmetric, so that each of the three methods takes it.
#[test]
fn every_method_comes_to_the_same() {
    let map = map_of("rush-hour", "BB...G\nE..H.G\nEAAH.G>\nE..H..\nF...CC\nF.DDD.\n");
    let chain = Chain::random_walk(&map);
    let blocks = Blocks::new(&chain, |state| !map.is_goal(state));
    let largest = blocks.ranges().max_by_key(ExactSizeIterator::len).unwrap();
    let states = &blocks.states[largest];
    assert!(states.len() > 600, "{}", states.len());
    let mut numbers = vec![0; map.n_states()];
    let mut block = Block::new(&chain, states, &mut numbers);
    assert!(matches!(block.method, Method::ConjugateGradients) && numbers.iter().all(|&number| number == 0));
    let added: Vec<f64> = states.iter().map(|&state| chain.choices(state).len() as f64).collect();
    let solve = |block: &Block| {
        let solved = block.solve(added.clone(), 1e-13, &mut Course::new(&Silent, states.len()));
        solved.unwrap_or_else(|_| panic!("a solution"))
    };
    let by_gradients = solve(&block);
    block.method = Method::BiconjugateGradients;
    let by_two = solve(&block);
    block.method = Block::by_elimination(&block.equations, usize::MAX).unwrap();
    let directly = solve(&block);
    for ((one, two), three) in by_gradients.iter().zip(by_two).zip(directly) {
        assert!((one - three).abs() < 1e-9 * three && (two - three).abs() < 1e-9 * three, "{one}, {two}, {three}");
    }
}

/// Whatever the values are, no error is larger than the bound says: true ones, damaged by a known part of each.
#[test]
fn no_error_is_larger_than_its_bound() {
    let map = map_of("tower-of-hanoi", "6 disks 3 pegs\n");
    let chain = Chain::random_walk(&map);
    let times = HittingTimes::new(&chain, &Silent).unwrap();
    assert!(times.moves_error < 1e-15, "{:e}", times.moves_error);
    let open: Vec<u32> = (0..map.n_states() as u32).filter(|&state| !map.is_goal(state)).collect();
    let bound_of = |values: &[f64]| Values::new(values.to_vec()).largest_residual(&chain, 1.0, &open);
    // A damage of this part of one value, or of all alike, is seen as one at least as large.
    for damage in [1e-3, 1e-7, 1e-10] {
        for &state in open.iter().step_by(97) {
            let mut values = times.moves.clone();
            values[state as usize] *= 1.0 + damage;
            assert!(bound_of(&values) >= damage, "{damage}: {:e}", bound_of(&values));
        }
        let values: Vec<f64> = times.moves.iter().map(|moves| moves * (1.0 - damage)).collect();
        let bound = bound_of(&values);
        assert!(bound >= damage && bound < 1.01 * damage + 1e-9, "{damage}: {bound:e}");
    }
    let mut unknown = times.moves;
    unknown[1] = f64::NAN;
    let compared = bound_of(&unknown).partial_cmp(&LARGEST_ERROR);
    assert!(compared.is_none_or(std::cmp::Ordering::is_gt), "not a number is no proof");
}

/// A block slides off its lane into a corner where no goal can be reached, and from the start may come to either end.
#[test]
fn arrivals_follow_from_the_moves() {
    let map = map_of("match-the-tiles", ".x..\nA...\n...x\n..a.\n");
    let arrivals = Chain::random_walk(&map).arrivals();
    let distances = plymap_puzzles::graph::DistanceTable::new(&map);
    for (state, &arrival) in (0..).zip(&arrivals) {
        let is_lost = distances.get(state).is_none();
        assert_eq!(arrival == Arrival::Impossible, is_lost, "{state}");
        assert_eq!(arrival == Arrival::Goal, map.is_goal(state), "{state}");
    }
    assert!(arrivals.contains(&Arrival::Possible) && arrivals.contains(&Arrival::Impossible), "{arrivals:?}");
    // A walk on a board of which each move can be undone arrives.
    let map = map_of("tower-of-hanoi", "3 disks 3 pegs\n");
    let is_certain = |arrival: &Arrival| matches!(arrival, Arrival::Goal | Arrival::Certain);
    assert!(Chain::random_walk(&map).arrivals().iter().all(is_certain));
}

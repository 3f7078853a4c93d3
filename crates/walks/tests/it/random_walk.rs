//! Random moves that come to a goal.

use plymap_puzzles::graph::{DistanceTable, MapOptions};
use plymap_puzzles::registry::Game;
use plymap_puzzles::rules::Rules;
use plymap_walks::random_walk::RandomWalks;

use crate::fixtures::{ARTICLE, level, level_of, options};

/// Each probability is the mean over moves, times that of going on: for short walks, which sweeps find, and for long
/// ones, which conjugate gradients find; from nothing, and from a solution of another length.
#[test]
fn probabilities_solve_their_equations() {
    let article = level(ARTICLE, &options(""));
    solves(&*article.rules, &[0.02, 0.5, 0.89, 0.95, 0.9997], 1000);
}

/// Two hundred and fifty-five moves deep, and thin: taken apart state by state, it is solved for walks of any length,
/// which passes over all states are not.
#[test]
fn probabilities_on_a_deep_map_solve_their_equations() {
    let hanoi = Game::named("tower-of-hanoi").expect("a game");
    let deep = level_of(hanoi, "8.7.6.5.4.3.2.1/-/- > -/8.7.6.5.4.3.2.1/-\n", &options(""));
    solves(&*deep.rules, &[0.3, 0.5, 0.89, 0.95, 0.9997, 0.999_999_9], 6000);
}

/// Blocks that slide cannot slide back, and from most states no goal can be reached.
#[test]
fn probabilities_solve_their_equations_where_moves_cannot_be_undone() {
    let tiles = Game::named("match-the-tiles").expect("a game");
    let level = level_of(tiles, "....x\n.A.xB\n.....\n...xb\n.xa..\n", &options(""));
    solves(&*level.rules, &[0.02, 0.5, 0.89, 0.95, 0.9997], 10);
}

fn solves(rules: &dyn Rules, all: &[f64], least_open: usize) {
    let map = rules.map(&MapOptions::default()).expect("within the limits");
    let distances = DistanceTable::new(&map);
    let walks = RandomWalks::new(&map, &distances);
    let mut last = None;
    for &continuing in all {
        let values = walks.absorption(continuing, None).expect("a solution");
        let warm = walks.absorption(continuing, last).expect("a solution");
        let mut n_open = 0;
        for node in 0..map.n_states() as u32 {
            let p = values[node as usize];
            assert!((p - warm[node as usize]).abs() <= 1e-10 * p, "{continuing}: {p}, {}", warm[node as usize]);
            if map.is_goal(node) || distances.get(node).is_none() {
                assert_eq!(p, if map.is_goal(node) { 1.0 } else { 0.0 });
                continue;
            }
            let after = map.graph.successors(node);
            let mean = after.iter().map(|&after| values[after as usize]).sum::<f64>() / after.len() as f64;
            assert!((p - continuing * mean).abs() <= 1e-11 * p && p > 0.0, "{continuing}: {p}");
            n_open += 1;
        }
        assert!(n_open > least_open, "{n_open}");
        last = Some(values);
    }
}

/// A board whose red piece has one cell to go, behind a piece that one of its three slides leaves there: by
/// fractions, of `tests/oracles/forward_search.json`.
#[test]
fn probabilities_on_a_small_board_are_exact() {
    let small = level("...B..\n...B..\nAA.B..>\n......\n......\n......\n", &options("goal = \"path-clear\""));
    let map = small.rules.map(&MapOptions::default()).expect("within the limits");
    let walks = RandomWalks::new(&map, &DistanceTable::new(&map));
    for (stopping, expected) in
        [(0.01, 0.961_165_048_543_689_3), (0.1, 0.692_307_692_307_692_3), (0.5, 0.2), (0.9, 0.027_027_027_027_027_03)]
    {
        let values = walks.absorption(1.0 - stopping, None).expect("a solution");
        let open: Vec<f64> =
            (0..map.n_states() as u32).filter(|&node| !map.is_goal(node)).map(|node| values[node as usize]).collect();
        assert_eq!(open.len(), 6);
        assert!(open.iter().all(|p| (p - expected).abs() < 1e-12), "{open:?}");
    }
}

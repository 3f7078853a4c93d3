//! Random moves that come to a goal.

use std::sync::Arc;

use plymap_puzzles::fault::SourceText;
use plymap_puzzles::game::LevelText;
use plymap_puzzles::graph::random_walk::RandomWalks;
use plymap_puzzles::graph::{DistanceTable, MapOptions};
use plymap_puzzles::rules::{Game, RuleOptions, Rules};

use crate::fixtures::{ARTICLE, level, options};

/// Each probability is the mean over moves, times that of going on: for short walks, which sweeps find, and for long ones,
/// which conjugate gradients find; from nothing, and from a solution of another length.
#[test]
fn probabilities_solve_their_equations() {
    let article = level(ARTICLE, &options(""));
    solves(&*article.rules, &[0.02, 0.5, 0.89, 0.95, 0.9997], 1000);
}

/// Two hundred and fifty-five moves deep, and thin: taken apart state by state, it is solved for walks of any length, which
/// passes over all states are not.
#[test]
fn probabilities_on_a_deep_map_solve_their_equations() {
    let text = "8.7.6.5.4.3.2.1/-/- > -/8.7.6.5.4.3.2.1/-\n";
    let source = Arc::new(SourceText { path: "level.txt".into(), text: text.to_owned() });
    let level = LevelText { text, source: &source, span: 0..text.len() };
    let hanoi = Game::named("tower-of-hanoi").expect("a game");
    let rules = (hanoi.load)(&level, &RuleOptions::default()).expect("a level");
    solves(&*rules, &[0.3, 0.5, 0.89, 0.95, 0.9997, 0.9999999], 6000);
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
            let own = values[node as usize];
            assert!((own - warm[node as usize]).abs() <= 1e-10 * own, "{continuing}: {own}, {}", warm[node as usize]);
            if map.is_goal(node) {
                assert_eq!(own, 1.0);
                continue;
            }
            let after = map.graph.successors(node);
            let mean = after.iter().map(|&after| values[after as usize]).sum::<f64>() / after.len() as f64;
            assert!((own - continuing * mean).abs() <= 1e-11 * own && own > 0.0, "{continuing}: {own}");
            n_open += 1;
        }
        assert!(n_open > least_open);
        last = Some(values);
    }
}

/// A board whose red piece has one cell to go, behind a piece that one of its three slides leaves there: by fractions, of
/// `tests/oracles/forward_search.json`.
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
        assert!(open.iter().all(|own| (own - expected).abs() < 1e-12), "{open:?}");
    }
}

//! The tables of a level against its map.

use plymap_measures::level_tables::{distance_table, edge_table};
use plymap_puzzles::registry::RuleOptions;
use plymap_puzzles::valuation::{LoadedLevel, ValuedLevel};

/// Level 1 of "a Game About Rectangles"; A is the red piece.
const ARTICLE: &str = "BB...G\nE..H.G\nEAAH.G>\nE..H..\nF...CC\nF.DDD.\n";

#[test]
fn the_table_of_edges_is_the_graph() {
    for rules in ["", "metric = \"cell\""] {
        let options = RuleOptions { table: rules.parse().unwrap(), ..RuleOptions::default() };
        let level = LoadedLevel::from_text("article-1", ARTICLE, Default::default(), &options).unwrap();
        check_edges(&ValuedLevel::new(level, "rush-hour", &Default::default()).unwrap());
    }
}

fn check_edges(level: &ValuedLevel) {
    let table = edge_table(level).unwrap();
    assert_eq!(table.data.height(), level.whole.as_ref().unwrap().map.graph.n_arcs());
    let is_optimal: Vec<bool> = table.data.column("is_optimal").unwrap().bool().unwrap().iter().flatten().collect();
    let distances = distance_table(level, &[]).unwrap();
    let expected: u32 = distances.data.column("n_optimal").unwrap().u32().unwrap().iter().flatten().sum();
    assert_eq!(is_optimal.iter().filter(|is_optimal| **is_optimal).count() as u32, expected);
    // Every position before and after a move is a state of the table of distances.
    let states: std::collections::HashSet<&str> =
        distances.data.column("state").unwrap().str().unwrap().iter().flatten().collect();
    for side in ["from", "to"] {
        assert!(table.data.column(side).unwrap().str().unwrap().iter().flatten().all(|state| states.contains(state)));
    }
}

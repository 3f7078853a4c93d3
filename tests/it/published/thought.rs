//! AND-OR trees against a second program.

use std::collections::BTreeMap;

use plymap_puzzles::registry::{Game, RuleOptions};
use plymap_puzzles::thought::Tree;
use plymap_puzzles::valuation::LoadedLevel;
use serde_json::Value;

/// Trees of single positions, and where thoughts in them end, as `tests/oracles/and_or_tower_of_london.py` has them from a
/// program of its own.
#[test]
fn trees_of_the_tower_of_london_are_those_of_another_program() {
    let oracle: Value = serde_json::from_str(include_str!("../../oracles/and_or_tower_of_london.json")).expect("JSON");
    let positions = oracle["positions"].as_array().expect("positions");
    assert!(positions.len() > 30);
    for position in positions {
        let text = |name: &str| position[name].as_str().expect("a text");
        let count = |name: &str| position[name].as_u64().expect("a count") as usize;
        let what = format!("{} > {}", text("state"), text("target"));
        let game = Game::named("tower-of-london").expect("a game");
        let level = LoadedLevel::from_text("level", &what, game, &RuleOptions::default()).expect("a level");
        let rules = &*level.rules;
        let legal = rules.legal_moves(rules.start());
        let tree = Tree::new(rules, rules.start()).expect("a tree");
        assert_eq!((tree.and_nodes().len(), tree.or_nodes().len()), (count("n_and"), count("n_or")), "{what}");
        assert_eq!(tree.leaves().len(), count("n_leaf_moves"), "{what}");
        let least = tree.leaves().iter().map(|(_, depth)| *depth).min();
        assert_eq!(least.map(u64::from), position["least_leaf_depth"].as_u64(), "{what}");
        assert_eq!(tree.depth().map(u64::from), position["greatest_leaf_depth"].as_u64(), "{what}");
        let ends = tree.ends().expect("ends");
        let circles = position["circles"].as_f64().expect("a number");
        assert!((ends.circles.iter().sum::<f64>() - circles).abs() < 1e-12, "{what}");
        let gamma = position["gamma"].as_f64().expect("a number");
        let probabilities =
            legal.iter().map(|played| played.notation.clone()).zip(ends.probabilities(gamma, |_| false));
        let probabilities: BTreeMap<String, f64> = probabilities.collect();
        let moves: Vec<(u8, u8, f64)> = serde_json::from_value(position["moves"].clone()).expect("moves");
        assert_eq!(moves.len(), probabilities.len(), "{what}");
        for (from, to, expected) in moves {
            let probability = probabilities[&format!("{from}>{to}")];
            assert!((probability - expected).abs() < 1e-12, "{what}: {from}>{to}: {probability}, not {expected}");
        }
    }
}

/// The same of Rush Hour, as `tests/oracles/and_or_rush_hour.py` has them, also where a piece was moved before.
#[test]
fn trees_of_rush_hour_are_those_of_another_program() {
    let oracle: Value = serde_json::from_str(include_str!("../../oracles/and_or_rush_hour.json")).expect("JSON");
    let gamma = oracle["gamma"].as_f64().expect("a number");
    let positions = oracle["positions"].as_array().expect("positions");
    assert_eq!(positions.len(), 30);
    for position in positions {
        let board = position["board"].as_str().expect("a board");
        let count = |name: &str| position[name].as_u64().expect("a count") as usize;
        let game = Game::named("rush-hour").expect("a game");
        let level = LoadedLevel::from_text("level", board, game, &RuleOptions::default()).expect("a level");
        let rules = &*level.rules;
        let legal = rules.legal_moves(rules.start());
        let tree = Tree::new(rules, rules.start()).expect("a tree");
        // The other program counts the thought of the way out, too, and apart those that nothing takes away.
        let n_subgoals = count("or") + count("or_unexpanded") - 1;
        assert_eq!((tree.and_nodes().len(), tree.or_nodes().len()), (count("and"), n_subgoals), "{board}");
        assert_eq!(
            (tree.leaves().len(), tree.depth()),
            (count("leaf_moves"), Some(count("deepest") as u32)),
            "{board}"
        );
        let ends = tree.ends().expect("ends");
        let compare = |probabilities: Vec<f64>, moves: &Value| {
            let moves: Vec<(String, i32, f64)> = serde_json::from_value(moves.clone()).expect("moves");
            assert_eq!(moves.len(), probabilities.len(), "{board}");
            for (piece, cells, expected) in moves {
                let name = format!("{piece}{cells:+}");
                let place = legal.iter().position(|played| played.notation == name).expect("a legal move");
                assert!(
                    (probabilities[place] - expected).abs() < 1e-12,
                    "{board}: {name}: {}, not {expected}",
                    probabilities[place]
                );
            }
        };
        compare(ends.probabilities(gamma, |_| false), &position["moves"]);
        let after = &position["after"];
        let piece = after["piece"].as_str().expect("a piece");
        let is_same = |place: usize| legal[place].notation.starts_with(piece);
        compare(ends.probabilities(gamma, is_same), &after["moves"]);
        compare(ends.probabilities(0.0, is_same), &after["moves_gamma_0"]);
    }
}

//! Trees by the function `blockers` of a script, beside those of the game that comes with plymap.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use plymap_puzzles::game::StateCode;
use plymap_puzzles::graph::MapOptions;
use plymap_puzzles::registry::{Game, RuleOptions};
use plymap_puzzles::rules::Rules;
use plymap_puzzles::thought::{NoTree, OutlineLine, Tree};

use crate::fixtures::{ARTICLE, level, level_of, options};

/// Thoughts on a position, by the notation of its moves.
#[derive(Debug, PartialEq)]
struct Thoughts {
    n_and_nodes: usize,
    n_subgoals: usize,
    depth: Option<u32>,
    leaves: BTreeMap<String, u32>,
    /// For several probabilities of stopping that of each move, in units of 1e-9.
    probabilities: Vec<BTreeMap<String, i64>>,
}

fn thoughts(rules: &dyn Rules, state: StateCode) -> Result<Thoughts, NoTree> {
    let tree = Tree::new(rules, state)?;
    let ends = tree.ends()?;
    let notations: Vec<String> = rules.legal_moves(state).into_iter().map(|legal| legal.notation).collect();
    let probabilities = |stopping: f64| {
        let rounded = ends.probabilities(stopping, |_| false).into_iter().map(|p| (p * 1e9).round() as i64);
        notations.iter().cloned().zip(rounded).collect()
    };
    Ok(Thoughts {
        n_and_nodes: tree.and_nodes().len(),
        n_subgoals: tree.or_nodes().len(),
        depth: tree.depth(),
        leaves: tree.leaves().into_iter().map(|(place, depth)| (notations[place].clone(), depth)).collect(),
        probabilities: [0.0, 0.05, 0.3, 1.0].into_iter().map(probabilities).collect(),
    })
}

/// The rules of a level by a script of `tests/it/scripts`.
fn scripted(script: &str, text: &str) -> Arc<dyn Rules> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/scripts");
    let table = format!("script = {script:?}").parse().expect("TOML");
    level_of(Game::named("lua").expect("a game"), text, &RuleOptions { table, folder }).rules
}

/// Compares every so many of the positions; gives how many have a tree, and the greatest depth.
fn assert_same(built_in: &dyn Rules, script: &dyn Rules, every: usize) -> (usize, u32) {
    let map = built_in.map(&MapOptions::default()).expect("within the limits");
    let (mut n_trees, mut deepest) = (0, 0);
    for state in (0..map.n_states() as u32).step_by(every).map(|node| map.code(node)) {
        let text = built_in.format_state(state);
        let twin = script.parse_state(&text).unwrap_or_else(|error| panic!("{error}"));
        let (expected, actual) = (thoughts(built_in, state), thoughts(script, twin));
        assert_eq!(actual, expected, "{text}: {:?}", script.script_error());
        if let Ok(expected) = expected {
            n_trees += 1;
            deepest = deepest.max(expected.depth.unwrap_or(0));
        }
    }
    (n_trees, deepest)
}

#[test]
fn a_scripted_rush_hour_thinks_as_the_built_in_one() {
    let plain = RuleOptions::default();
    let walls = "IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM";
    // For C to make room for V, B must go ahead of it, and not back to where C is.
    let one_line = "..CCBB...\n..V......\nAAV......\n.........\n.........\n.........\n";
    let walled_in = "......\n......\nAA.xBB\n......\n......\n......\n";
    for (text, width, every, least_depth) in
        [(ARTICLE, 6, 23, 6), (walls, 6, 97, 6), (one_line, 9, 5, 3), (walled_in, 6, 1, 0)]
    {
        let built_in = level(text, &plain).rules;
        let board: Vec<char> = built_in.format_state(built_in.start()).chars().collect();
        let rows: Vec<String> = board.chunks(width).map(String::from_iter).collect();
        let script = scripted("rush_hour.lua", &rows.join("\n"));
        let (n_trees, deepest) = assert_same(&*built_in, &*script, every);
        assert!(n_trees > 1 && deepest >= least_depth, "{text}: {n_trees} trees, {deepest} deep");
    }
}

/// A disk goes home or out of the way by the same move, and only the first has to wait for larger ones.
#[test]
fn a_scripted_tower_of_hanoi_thinks_as_the_built_in_one() {
    let game = Game::named("tower-of-hanoi").expect("a game");
    for (start, target, n_states) in
        [("4321/-/-", "-/-/4321", 81), ("31/2/-", "-/2/31", 27), ("321/-/-/-", "-/1/-/32", 64)]
    {
        let built_in = level_of(game, &format!("{start} > {target}"), &options("")).rules;
        let script = scripted("tower_of_hanoi.lua", &format!("target: {target}\n{start}"));
        let (n_trees, deepest) = assert_same(&*built_in, &*script, 1);
        assert_eq!(n_trees, n_states - 1, "{start}");
        assert!(deepest > 3, "{start}: {deepest} deep");
    }
}

/// The outline of each position ends in the moves of its tree, at their depths, and what is legal is written as in
/// the logs.
#[test]
fn an_outline_ends_in_the_moves_of_the_tree() {
    let article = level(ARTICLE, &options(""));
    let rules = &*article.rules;
    let map = rules.map(&MapOptions::default()).expect("within the limits");
    let mut n_compared = 0;
    for state in (0..map.n_states() as u32).step_by(50).map(|node| map.code(node)) {
        let Ok(tree) = Tree::new(rules, state) else { continue };
        let legal = rules.legal_moves(state);
        let (lines, is_cut) = tree.outline(100_000);
        assert!(!is_cut);
        let mut least: BTreeMap<usize, u32> = BTreeMap::new();
        for (_, line) in &lines {
            if let OutlineLine::WishedMove { wished, legal: Some(place), depth } = *line {
                assert_eq!(rules.format_wished_move(state, wished), legal[place].notation);
                least.entry(place).and_modify(|known| *known = depth.min(*known)).or_insert(depth);
            }
        }
        assert_eq!(least.into_iter().collect::<Vec<_>>(), tree.leaves());
        let (few, is_cut) = tree.outline(2);
        assert_eq!((few.as_slice(), is_cut), (&lines[..lines.len().min(2)], lines.len() > 2));
        n_compared += 1;
    }
    assert!(n_compared > 20);
}

//! Every game against a second implementation, and a game of each as a page to read.
//!
//! `tests/golden/games/GAME.json` was written by `tests/oracles/GAME.py`, which knows the rules and nothing of
//! plymap. `tests/golden/playthroughs/GAME.txt` shows one level of a game from its start to its end.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::path::Path;

use plymap_puzzles::distance::{DistanceTable, Evaluation, Oracle as _};
use plymap_puzzles::game::{Distance, Preparation, StateCode, Value};
use plymap_puzzles::graph::MapOptions;
use plymap_puzzles::graph::metrics::StateNumbers;
use plymap_puzzles::level::LevelColumns;
use plymap_puzzles::progress::Silent;
use plymap_puzzles::registry::{GAMES, Game, RuleOptions};
use plymap_puzzles::rules::{LegalMove, Rules};
use plymap_puzzles::valuation::{LoadedLevel, ValuedLevel, load_levels};
use rayon::prelude::*;
use serde_json::Value as Json;

use crate::testing::{self, project};

fn golden(game: &str) -> Json {
    testing::golden(&format!("games/{}.json", game.replace('-', "_")))
}

/// One level of a golden file, as plymap reads it.
fn load(game: &'static Game, golden: &Json) -> LoadedLevel {
    let rules = golden.get("rules").cloned().unwrap_or_else(|| Json::Object(Default::default()));
    let options = RuleOptions { table: toml::Table::try_from(rules).expect("rules"), folder: project() };
    (game.check_options)(&options).expect("rules that the game knows");
    let file = project().join(golden["file"].as_str().expect("a file"));
    let id = golden["level"].as_str().expect("a name");
    let levels = load_levels(&[file], &LevelColumns::default(), game, &options).expect("levels without faults");
    levels.into_iter().find(|level| level.origin.id == id).unwrap_or_else(|| panic!("there is no level {id}"))
}

/// The number of sequences of legal moves of each length, every outcome of chance counted.
fn path_counts(rules: &dyn Rules, from: StateCode, depth: usize) -> Vec<u128> {
    let mut layer = HashMap::from([(from, 1u128)]);
    let mut counts = vec![1];
    for _ in 0..depth {
        let mut next: HashMap<StateCode, u128> = HashMap::new();
        for (state, ways) in layer {
            for (outcome, _) in rules.outcomes(state).into_iter().flatten() {
                *next.entry(outcome.next).or_default() += ways;
            }
        }
        counts.push(next.values().sum());
        layer = next;
    }
    counts
}

#[test]
fn every_game_has_the_counts_of_a_second_implementation() {
    for game in GAMES.iter().filter(|game| game.name != "rush-hour") {
        let golden = golden(game.name);
        let levels = golden["levels"].as_array().expect("levels");
        assert!(levels.len() >= 4, "{}: {} levels", game.name, levels.len());
        levels.par_iter().for_each(|golden| {
            let level = load(game, golden);
            let name = format!("{}, level {}", game.name, level.origin.id);
            let rules = &*level.rules;
            let mut perft: Vec<u128> = golden["perft"].as_array().expect("path counts").iter().map(whole).collect();
            assert!(perft.len() > 4, "{name}: path counts to depth {}", perft.len() - 1);
            perft.retain(|&count| count <= MANY);
            let from = golden.get("perft_from").map(|text| text.as_str().expect("a position"));
            let from = from.map_or(rules.start(), |text| rules.parse_state(text).expect("a position"));
            assert_eq!(path_counts(rules, from, perft.len() - 1), perft, "{name}");
            match golden.get("n_states").and_then(Json::as_u64) {
                Some(n) if rules.has_chance() && n < 100_000 => assert_reached(&name, rules, golden),
                Some(_) if !rules.has_chance() => assert_map(&name, rules, golden),
                _ => {}
            }
            assert_values(&name, &*level.rules, golden);
        });
    }
}

/// Path counts beyond this are not counted again.
const MANY: u128 = 5_000_000;

/// All positions of a game of chance that can be reached from any of its starts.
fn assert_reached(name: &str, rules: &dyn Rules, golden: &Json) {
    let mut states: Vec<StateCode> = rules.starts().into_iter().map(|(state, _)| state).collect();
    let mut visited: HashSet<StateCode> = states.iter().copied().collect();
    let (mut n_choices, mut n_arcs) = (0u64, 0u64);
    let mut next = 0;
    while let Some(&state) = states.get(next) {
        next += 1;
        for outcomes in rules.outcomes(state) {
            n_choices += 1;
            n_arcs += outcomes.len() as u64;
            states.extend(outcomes.into_iter().map(|(outcome, _)| outcome.next).filter(|&after| visited.insert(after)));
        }
    }
    let n_goals = states.iter().filter(|&&state| rules.is_goal(state)).count() as u64;
    let counts =
        [("n_states", states.len() as u64), ("n_choices", n_choices), ("n_arcs", n_arcs), ("n_goals", n_goals)];
    for (key, count) in counts {
        assert_eq!(golden[key].as_u64(), Some(count), "{name}: {key}");
    }
}

fn whole(number: &Json) -> u128 {
    number.to_string().parse().expect("a whole number")
}

fn assert_map(name: &str, rules: &dyn Rules, golden: &Json) {
    let map = rules.map(&MapOptions::default()).expect("within the limits");
    let states = StateNumbers::new(&map, &DistanceTable::new(&map));
    let distance = |value: Option<Distance>| value.map_or(Json::Null, |Distance(value)| value.into());
    let actual = [
        ("n_states", states.n_states.into()),
        ("n_arcs", map.graph.n_arcs().into()),
        ("n_goals", states.n_goals.into()),
        ("start_distance", distance(states.start_distance)),
        ("max_distance", distance(states.max_distance())),
        ("histogram", states.histogram.into()),
    ];
    for (key, actual) in actual {
        if let Some(expected) = golden.get(key) {
            assert_eq!(&actual, expected, "{name}: {key}");
        }
    }
}

/// Values that the second implementation computed in its own way, without a map.
fn assert_values(name: &str, rules: &dyn Rules, golden: &Json) {
    if golden.get("value_start").is_some() || golden.get("values").is_some() {
        rules.prepare(&Preparation { progress: &Silent, store: None }).expect("a small level");
    }
    let number = |state: StateCode| rules.value(state).expect("a value").expect("a value").number();
    let near = |value: f64, expected: &Json| {
        let expected = expected.as_f64().expect("a number");
        assert!((value - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{name}: {value} and not {expected}");
    };
    if let Some(expected) = golden.get("value_start") {
        near(number(rules.start()), expected);
    }
    if golden.get("n_states").is_none()
        && let Some(expected) = golden.get("start_distance")
    {
        let actual = rules.value(rules.start()).expect("a value").map_or(Json::Null, |value| value.number().into());
        assert_eq!(actual.as_f64(), expected.as_f64(), "{name}");
    }
    for position in golden.get("values").and_then(Json::as_array).into_iter().flatten() {
        let state = rules.parse_state(position["state"].as_str().expect("a state")).expect("a state");
        near(number(state), &position["value"]);
        let moves = position["moves"].as_object().expect("moves");
        let legal = rules.legal_moves(state);
        assert_eq!(legal.len(), moves.len(), "{name}: {}", position["state"]);
        for LegalMove { notation, after, cost, .. } in legal {
            let after = rules.value_after(after).expect("a value").expect("a value").number();
            near(f64::from(cost) + after, &moves[&notation]);
        }
    }
}

/// The level of a game whose playthrough is kept: the first of its golden file.
fn played(game: &'static Game) -> LoadedLevel {
    let golden = match game.name {
        "rush-hour" => serde_json::json!({ "file": "data/demo/levels/article-1.txt", "level": "article-1" }),
        name => golden(name)["levels"][0].clone(),
    };
    load(game, &golden)
}

/// A game from its start to its end: the board, what every move is worth, and the move that is made. The
/// player takes the last of the best moves, every third time a worse one.
fn playthrough(level: &ValuedLevel) -> String {
    const LONGEST: usize = 12;
    let rules = &*level.rules;
    let mut text = format!("{}, level {}\n", level.game, level.id);
    let starts = rules.starts();
    let mut state = starts[starts.len() / 2].0;
    for ply in 0.. {
        let evaluation = level.oracle().evaluate(state).expect("a state of the level");
        let value = evaluation.value.map_or("none".to_owned(), |value| value.to_string());
        let unit = rules.unit().name();
        write!(text, "\n{}\n{}value {value} {unit}\n", rules.format_state(state), rules.picture(state).to_text())
            .unwrap();
        for attribute in rules.attributes(state) {
            writeln!(text, "{} = {}", attribute.name, attribute.value).unwrap();
        }
        if evaluation.is_goal || evaluation.moves.is_empty() || ply == LONGEST {
            let end = if evaluation.is_goal {
                "solved"
            } else if evaluation.moves.is_empty() {
                "no move is left"
            } else {
                "and so on"
            };
            writeln!(text, "\n{end}").unwrap();
            return text;
        }
        writeln!(text, "moves {}", listed(&evaluation)).unwrap();
        let chosen = choice(&evaluation, ply);
        let outcomes = rules.outcomes(state).swap_remove(chosen);
        let (played, chance) = &outcomes[outcomes.len() / 2];
        let luck = if outcomes.len() > 1 { format!(" (probability {chance:.4})") } else { String::new() };
        writeln!(text, "\n{}. {}{luck}", ply + 1, played.notation).unwrap();
        state = played.next;
    }
    text
}

fn listed(evaluation: &Evaluation) -> String {
    let shown = evaluation.moves.iter().map(|valued| {
        let after = valued.after.map_or("none".to_owned(), |after| after.to_string());
        let mark = if valued.is_optimal() { "*" } else { "" };
        match valued.after {
            Some(Value::Points(_)) => format!("{}{mark} {}+{after}", valued.legal.notation, valued.legal.cost),
            _ => format!("{}{mark} {after}", valued.legal.notation),
        }
    });
    shown.collect::<Vec<_>>().join(", ")
}

fn choice(evaluation: &Evaluation, ply: usize) -> usize {
    let is_wanted = |valued: &plymap_puzzles::distance::ValuedMove| valued.is_optimal() != (ply % 3 == 2);
    let last = evaluation.moves.iter().rposition(is_wanted);
    last.unwrap_or(evaluation.moves.len() - 1)
}

/// Kept to be read: whoever changes the rules sees in the difference what changed for a player.
#[test]
fn playthroughs_are_as_they_were() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/playthroughs");
    for game in GAMES {
        let level = ValuedLevel::new(played(game), game.name, &Default::default()).expect("a level within the limits");
        let text = playthrough(&level);
        let file = folder.join(format!("{}.txt", game.name.replace('-', "_")));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::create_dir_all(&folder).expect("a folder");
            std::fs::write(&file, &text).expect("a file");
        }
        let kept = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(kept == text, "{} differs; UPDATE_GOLDEN=1 cargo test playthroughs writes it anew", file.display());
    }
}

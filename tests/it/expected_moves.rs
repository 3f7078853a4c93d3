//! Expected numbers of moves of players: beside the players themselves, and as `plymap map` writes them.

use std::collections::HashMap;
use std::fs;

use plymap_players::policy::{History, LevelContext, PolicySpec, Situation};
use plymap_players::{Persistence, Player, Policy, Tempo, play_all};
use plymap_puzzles::progress::Silent;
use plymap_puzzles::registry::{Game, RuleOptions};
use plymap_puzzles::valuation::{LoadedLevel, ValuedLevel};
use plymap_walks::hitting_times::HittingTimes;

use crate::common::program;

const ARTICLE: &str = "BB...G\nE..H.G\nEAAH.G>\nE..H..\nF...CC\nF.DDD.\n";
const TWO_COLOURS: &str = "....x\n.A.xB\n.....\n...xb\n.xa..\n";

fn level(game: &str, text: &str, rules: &str) -> ValuedLevel {
    let game = Game::named(game).expect("a game");
    let options = RuleOptions { table: rules.parse().expect("TOML"), ..RuleOptions::default() };
    let loaded = LoadedLevel::from_text("level", text, game, &options).unwrap_or_else(|faults| panic!("{}", faults[0]));
    ValuedLevel::new(loaded, game.name, &Default::default()).expect("a map")
}

fn policy(toml: &str) -> Box<dyn Policy> {
    let spec = PolicySpec::new(toml.parse().expect("TOML")).expect("a policy");
    spec.build("".as_ref()).expect("a policy")
}

/// In every position the chain has the moves that the policy makes, with the same probabilities.
#[test]
fn chains_of_policies_choose_as_they_do() {
    let policies = [
        "kind = 'chance'",
        "kind = 'greedy'\nheuristic = 'distance'",
        "kind = 'greedy'\nheuristic = 'first'",
        "kind = 'look-ahead'\ndepth = 1",
        "kind = 'look-ahead'\ndepth = 3",
        "kind = 'look-ahead'\ndepth = 2\nheuristic = 'first'",
        "kind = 'look-ahead'\ndepth = 2\nheuristic = 'distance'",
    ];
    for (game, text, rules) in [
        ("rush-hour", ARTICLE, ""),
        ("rush-hour", ARTICLE, "metric = 'cell'"),
        ("match-the-tiles", TWO_COLOURS, ""),
        ("sliding-tiles", ".25\n134\n", ""),
    ] {
        let level = level(game, text, rules);
        let whole = level.whole.as_deref().expect("a map");
        let oracle = level.oracle();
        let context = LevelContext { rules: &*level.rules, oracle: Some(&oracle), game, level: "level", seed: 1 };
        for policy in policies.map(policy) {
            let chain = policy.chain(&*level.rules, whole).expect("a chain");
            let mut state_of_policy = policy.start_level(&context).expect("a level that starts");
            for node in (0..whole.map.n_states() as u32).filter(|&node| !whole.map.is_goal(node)).step_by(5) {
                let moves = level.rules.legal_moves(whole.map.code(node));
                let history = History::default();
                let situation = Situation::new(&context, whole.map.code(node), &moves, &history);
                let probabilities = state_of_policy.probabilities(&situation).expect("probabilities");
                let mut difference: HashMap<u32, f64> = HashMap::new();
                for (legal, probability) in moves.iter().zip(probabilities) {
                    *difference.entry(whole.map.node(legal.after).expect("a state")).or_default() += probability;
                }
                let choices = chain.choices(node);
                for &after in choices {
                    *difference.entry(after).or_default() -= 1.0 / choices.len() as f64;
                }
                let is_same = difference.values().all(|difference| difference.abs() < 1e-12);
                assert!(is_same, "{game} {rules} {}: {node}: {difference:?}", policy.describe());
            }
        }
    }
}

/// Means over 2,000 simulated games are within four standard errors of what is computed.
#[test]
fn players_need_as_many_moves_as_expected() {
    const N: usize = 2_000;
    for (game, text, kind) in [
        ("tower-of-london", "RGB/-/- > GBR/-/-\n", "kind = 'chance'"),
        ("tower-of-london", "RGB/-/- > GBR/-/-\n", "kind = 'look-ahead'\ndepth = 2"),
        ("match-the-tiles", TWO_COLOURS, "kind = 'greedy'\nheuristic = 'collinear'"),
    ] {
        let level = level(game, text, "");
        let policy = policy(kind);
        let chain = policy.chain(&*level.rules, level.whole.as_deref().expect("a map")).expect("a chain");
        let times = HittingTimes::new(&chain, &Silent).expect("a solution");
        assert_eq!(times.arrival[0], 1.0);
        let player = |number: usize| Player {
            participant: format!("p{number}"),
            condition: None,
            policy: &policy,
            tempo: Tempo::default(),
            persistence: Persistence::up_to(1_000_000),
        };
        let players: Vec<_> = (0..N).map(player).collect();
        let trials = play_all(&players, &[&level], 7, &Silent).expect("play");
        assert!(trials.iter().all(|trial| trial.is_solved));
        let moves: Vec<f64> = trials.iter().map(|trial| trial.n_moves() as f64).collect();
        let mean = moves.iter().sum::<f64>() / N as f64;
        let variance = moves.iter().map(|moves| (moves - mean).powi(2)).sum::<f64>() / (N - 1) as f64;
        let error = (variance / N as f64).sqrt();
        assert!((mean - times.moves[0]).abs() < 4.0 * error, "{kind}: {mean} ± {error}, and not {}", times.moves[0]);
    }
}

/// From the article on the Tower of Hanoi with random moves: (3³ − 1)(5³ − 3³) / (2 · 3²) of them for three disks. In
/// Match-the-Tiles random moves come to a dead end: by `crates/walks/tests/oracles/hitting_times.py` with a probability of 1 − 3/98.
#[test]
fn map_writes_expected_moves_of_each_level_and_state() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("hanoi.txt"), "3 disks 3 pegs\n").expect("a file");
    fs::write(folder.path().join("tiles.txt"), TWO_COLOURS).expect("a file");
    fs::write(folder.path().join("eleven.txt"), "1 2 3\n4 5 6\n7 8 9\n10 0 11\n").expect("a file");
    let map = |file: &str, game: &str, players: &str| {
        let mut command = program();
        command.current_dir(folder.path());
        command
            .args(["map", file, "--game", game, "--format", "csv", "--out", "maps", "--expected-moves", players])
            .assert()
    };
    map("hanoi.txt", "tower-of-hanoi", "chance,greedy:distance").success();
    let rows = records(&folder.path().join("maps/tables/expected_moves.csv"));
    let moves = |row: &HashMap<String, String>| row["expected_moves"].parse::<f64>().expect("a number");
    assert!((moves(&rows[0]) - 26.0 * 98.0 / 18.0).abs() < 1e-9, "{rows:?}");
    assert_eq!(
        (moves(&rows[1]), rows[1]["player"].as_str(), rows[1]["arrival"].as_str()),
        (7.0, "greedy:distance", "1.0")
    );
    let states = records(&folder.path().join("maps/distances/hanoi.csv"));
    assert_eq!(states.len(), 27);
    for state in &states {
        assert_eq!(state["moves_greedy_distance"].parse::<f64>(), state["distance"].parse::<f64>(), "{state:?}");
        assert_eq!(state["moves_chance"] == "0.0", state["is_goal"] == "true", "{state:?}");
    }
    map("tiles.txt", "match-the-tiles", "chance,look-ahead:3,look-ahead:2:collinear").success();
    let rows = records(&folder.path().join("maps/tables/expected_moves.csv"));
    assert_eq!((rows[0]["expected_moves"].as_str(), rows[0]["n_uncertain"].as_str()), ("", "48"));
    assert!((rows[0]["arrival"].parse::<f64>().expect("a probability") - 3.0 / 98.0).abs() < 1e-9, "{:?}", rows[0]);
    assert_eq!(rows[0]["reason"], "infinite: the player may never come to a goal");
    assert_eq!((rows[2]["n_uncertain"].as_str(), rows[2]["reason"].as_str()), ("30", ""));
    let refused = |game: &str, file: &str, players: &str| {
        let output = map(file, game, players).failure();
        String::from_utf8_lossy(&output.get_output().stderr).into_owned()
    };
    let unknown = refused("match-the-tiles", "tiles.txt", "greedy:colour");
    assert!(
        unknown.contains("this level has no heuristic \"colour\"; it has ") && unknown.contains("collinear"),
        "{unknown}"
    );
    let twice = refused("match-the-tiles", "tiles.txt", "chance, chance");
    assert_eq!(twice, "plymap: --expected-moves names chance twice\n");
    map("eleven.txt", "sliding-tiles", "chance").success();
    let rows = records(&folder.path().join("maps/tables/expected_moves.csv"));
    assert_eq!((rows[0]["level"].as_str(), rows[0]["reason"].as_str()), ("eleven", "the level has no map"));
    let nobody = refused("match-the-tiles", "tiles.txt", "lapse-optimal");
    assert!(nobody.contains("\"lapse-optimal\" is no player: write chance, greedy, greedy:HEURISTIC"), "{nobody}");
}

/// The rows of a table, by the names of columns.
fn records(path: &std::path::Path) -> Vec<HashMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).expect("a table");
    reader.deserialize().collect::<Result<_, _>>().expect("rows")
}

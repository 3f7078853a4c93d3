//! Recorded play of the Tower of London in its raw files, against counts of an independent program.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use plymap_log::jspsych::{Imported, LogRow, PlayedMove, RowOutcome, import_tower};
use plymap_puzzles::diagnostic::SourceText;
use plymap_puzzles::distance::DistanceTable;
use plymap_puzzles::game::LevelText;
use plymap_puzzles::graph::{LevelMap, MapOptions};
use plymap_puzzles::level::{LevelColumns, levels_of_text};
use plymap_puzzles::progress::Silent;
use plymap_puzzles::registry::{Game, RuleOptions};
use plymap_puzzles::rules::Rules;

use crate::common::repository;
use crate::recorded_data::recorded;

/// A level of the import with its map.
struct Mapped {
    rules: Box<dyn Rules>,
    map: LevelMap,
    table: DistanceTable,
}

fn mapped(imported: &Imported) -> BTreeMap<String, Mapped> {
    let source = Arc::new(SourceText { path: "levels.csv".into(), text: imported.levels_csv() });
    let levels = levels_of_text(&source, &LevelColumns::default()).unwrap();
    let game = Game::named("tower-of-london").unwrap();
    let levels = levels.into_iter().map(|level| {
        let text = LevelText { text: &level.text, source: &level.source, span: level.span.clone() };
        let rules = (game.load)(&text, &RuleOptions::default()).unwrap();
        let map = rules.map(&MapOptions::default()).unwrap();
        let table = DistanceTable::new(&map);
        (level.id, Mapped { rules, map, table })
    });
    levels.collect()
}

/// Returns the measures of the imported log when it is played on the maps, in the form of
/// tests/oracles/tower_of_london_human.py.
fn measured(imported: &Imported) -> serde_json::Value {
    let levels = mapped(imported);
    let zero = ["games", "optimal_games", "moves", "put_backs", "better", "same", "worse", "time_ms"];
    let zero: BTreeMap<&str, u64> = zero.into_iter().map(|name| (name, 0)).collect();
    let mut conditions = BTreeMap::from([("practice", zero.clone()), ("test", zero)]);
    let mut problems: BTreeMap<&str, BTreeMap<&str, u64>> = BTreeMap::new();
    let mut persons: BTreeMap<&str, BTreeMap<&str, u64>> = BTreeMap::new();
    let (mut first_times, mut later_times, mut with_put_backs, mut min_moves_agree) = (Vec::new(), Vec::new(), 0, 0);
    let mut games: BTreeMap<usize, Vec<(&LogRow, &PlayedMove)>> = BTreeMap::new();
    imported.moves().for_each(|(row, played)| games.entry(row.game).or_default().push((row, played)));
    for game in games.values() {
        let (row, _) = game[0];
        let level = &levels[&row.level];
        let distance = |text: &str| {
            let state = level.rules.parse_state(text).unwrap();
            level.table.get(level.map.node(state).unwrap()).unwrap().0
        };
        let counts = conditions.get_mut(row.condition).unwrap();
        let mut add = |name: &'static str, number: u64| *counts.entry(name).or_insert(0) += number;
        let mut state = level.rules.start();
        for (_, played) in game {
            // The rules accept every move, and lead to the recorded position.
            let legal = level.rules.play(state, &played.action).unwrap();
            assert_eq!(level.rules.format_state(state), played.before);
            assert_eq!(level.rules.format_state(legal.next), played.after);
            state = legal.next;
            let (before, after) = (distance(&played.before), distance(&played.after));
            add(
                if after < before {
                    "better"
                } else if after == before {
                    "same"
                } else {
                    "worse"
                },
                1,
            );
            add("put_backs", u64::from(played.n_put_backs));
            add("time_ms", played.rt.unwrap().0 as u64 / 1000);
        }
        assert!(level.rules.is_goal(state));
        let start = u64::from(distance(&game[0].1.before));
        let (n_moves, n_put_backs) =
            (game.len() as u64, game.iter().map(|(_, played)| u64::from(played.n_put_backs)).sum::<u64>());
        let is_optimal = n_moves == start;
        add("games", 1);
        add("optimal_games", u64::from(is_optimal));
        add("moves", n_moves);
        if row.condition == "practice" {
            continue;
        }
        with_put_backs += u64::from(n_moves + n_put_backs == start);
        min_moves_agree += u64::from(game.iter().all(|(_, played)| played.recorded_min_moves == Some(start)));
        assert_eq!(game.last().unwrap().1.recorded_number, Some(n_moves + n_put_backs));
        let times: Vec<i64> = game.iter().map(|(_, played)| played.rt.unwrap().0).collect();
        first_times.push(times[0]);
        later_times.extend(&times[1..]);
        for counts in [problems.entry(&row.problem).or_default(), persons.entry(&row.participant).or_default()] {
            for (name, number) in [("games", 1), ("optimal_games", u64::from(is_optimal)), ("moves", n_moves)] {
                *counts.entry(name).or_insert(0) += number;
            }
        }
        problems.entry(&row.problem).or_default().insert("min_moves", start);
    }
    let tasks =
        imported.counts().into_iter().fold(BTreeMap::new(), |mut tasks: BTreeMap<String, usize>, (task, _, count)| {
            *tasks.entry(task).or_default() += count;
            tasks
        });
    serde_json::json!({
        "files": imported.files.len(),
        "rows": imported.n_rows(),
        "tasks": tasks,
        "conditions": conditions,
        "optimal_games_if_put_backs_count_as_moves": with_put_backs,
        "median_first_move_ms": median(first_times),
        "median_later_move_ms": median(later_times),
        "recorded": {"tol_min_moves equals the distance of the start": min_moves_agree},
        "problems": problems,
        "persons": persons,
    })
}

/// Returns the median in milliseconds of times in microseconds.
fn median(mut times: Vec<i64>) -> f64 {
    times.sort_unstable();
    let middle = times.len() / 2;
    let twice = if times.len() % 2 == 1 { 2 * times[middle] } else { times[middle - 1] + times[middle] };
    twice as f64 / 2000.0
}

/// The 80 recorded people against an independent program, tests/oracles/tower_of_london_human.py.
#[test]
fn recorded_people_come_out_as_counted_elsewhere() {
    let Some(folder) = recorded("tower_of_london/jspsych") else { return };
    let files: Vec<PathBuf> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    let imported = import_tower(&files, &Silent).unwrap();
    let codes: Vec<_> = imported.diagnostics.iter().map(|diagnostic| &*diagnostic.code).collect();
    assert_eq!(codes, ["id-of-several-problems"], "{:#?}", imported.diagnostics);
    let fates: Vec<_> =
        RowOutcome::ALL.into_iter().map(|outcome| imported.n_of(outcome)).filter(|&count| count > 0).collect();
    // Picks, drops, put-backs, solved, rows of other tasks: nothing else.
    assert_eq!(fates, [14_627, 14_627, 600, 600, 2_240, 2_495]);
    let measures = measured(&imported);
    let golden = std::fs::read_to_string(repository().join("tests/golden/tower_of_london_human.json")).unwrap();
    let golden: serde_json::Value = serde_json::from_str(&golden).unwrap();
    for (name, value) in measures.as_object().unwrap() {
        match value.as_object().filter(|_| name == "recorded") {
            Some(some) => some.iter().for_each(|(name, value)| assert_eq!(value, &golden["recorded"][name], "{name}")),
            None => assert_eq!(as_numbers(value), as_numbers(&golden[name]), "{name}"),
        }
    }
    let test = &measures["conditions"]["test"];
    let share = |part: &str, whole: &str| test[part].as_f64().unwrap() / test[whole].as_f64().unwrap();
    eprintln!(
        "80 people: optimal {:.3}, better/same/worse {:.3}/{:.3}/{:.3}; published for 475: 0.562, 0.818/0.074/0.109",
        share("optimal_games", "games"),
        share("better", "moves"),
        share("same", "moves"),
        share("worse", "moves"),
    );
}

/// Whole numbers and others alike.
fn as_numbers(value: &serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Number(number) => number.as_f64().into(),
        serde_json::Value::Object(map) => map.iter().map(|(key, value)| (key.clone(), as_numbers(value))).collect(),
        other => other.clone(),
    }
}

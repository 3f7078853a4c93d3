//! Levels of other laboratories: settings in columns, red pieces without a name, published numbers of moves.

use std::path::{Path, PathBuf};

use plymap_puzzles::game::StateCode;
use plymap_puzzles::level::LevelColumns;
use plymap_puzzles::registry::{GAMES, Game, RuleOptions};
use plymap_puzzles::valuation::{LoadedLevel, ValuedLevel, load_levels};

use crate::common::program;
use crate::recorded_data::recorded;

fn load(file: &Path, game: &str) -> Vec<LoadedLevel> {
    let game = Game::named(game).expect("a game");
    load_levels(&[file.to_owned()], &LevelColumns::default(), game, &RuleOptions::default())
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The number of states and the fewest moves to the goal of a level.
fn size(levels: &[LoadedLevel], id: &str) -> (Option<u64>, Option<u32>) {
    let level = levels.iter().find(|level| level.origin.id == id).expect(id);
    let valued = ValuedLevel::new(level.clone(), "a game", &Default::default()).expect("a small level");
    (valued.n_states(), valued.start_distance().map(|distance| distance.0))
}

#[test]
fn settings_in_columns_and_keys_are_used() {
    let Some(folder) = recorded("intake3/settings_of_levels") else { return };
    for file in ["toh.txt", "toh.csv", "toh.json"] {
        assert_eq!(size(&load(&folder.join(file), "tower-of-hanoi"), "b"), (Some(27), Some(6)), "{file}");
    }
    for file in ["lo.txt", "lo.csv"] {
        assert_eq!(size(&load(&folder.join(file), "lights-out"), "a").0, Some(65_536), "{file}");
    }
    let merged = &load(&folder.join("m2048.csv"), "2048")[0];
    let text = "target: 8\n2 4\n2 .\n";
    let expected = LoadedLevel::from_text("a", text, Game::named("2048").unwrap(), &RuleOptions::default()).unwrap();
    let outcomes = |level: &LoadedLevel| level.rules.outcomes(level.rules.start());
    assert_eq!(outcomes(merged), outcomes(&expected));
    let is_end = |level: &LoadedLevel| level.rules.parse_state("8 . / . 2").map(|state| level.rules.is_end(state));
    assert_eq!((is_end(merged), is_end(&expected)), (Ok(true), Ok(true)), "8 is the target");
    assert_eq!(size(&load(&folder.join("rh.csv"), "rush-hour"), "a").1, Some(8));
    let london = load(&folder.join("tol.csv"), "tower-of-london");
    let expected =
        LoadedLevel::from_text("1", "GR/B/- > B/G/R", Game::named("tower-of-london").unwrap(), &RuleOptions::default());
    assert_eq!(size(&london, "1"), size(&[expected.unwrap()], "1"));
}

#[test]
fn the_red_car_is_found_and_said() {
    let Some(folder) = recorded("intake3/red_car") else { return };
    for file in ["thinkfun_letters.txt", "uva_like.csv"] {
        let output = program().arg("solve").arg(folder.join(file)).output().expect("a solution");
        let (said, answer) = (String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
        assert!(said.contains("\"X\" is taken for the red piece, not \"A\" or \"R\""), "{said}");
        assert!(answer.contains("distance to the goal 8 (moves)"), "{answer}");
        let level = &load(&folder.join(file), "rush-hour")[0];
        let start = level.rules.start();
        assert_eq!(level.rules.format_state(start), "AA...OP..Q.OPXXQ.OP..Q..B...CCB.RRR.");
    }
}

#[test]
fn published_moves_that_differ_are_told_once() {
    let Some(folder) = recorded("intake3/other_lab") else { return };
    let lines = load(&folder.join("puzzles.txt"), "rush-hour");
    let table = load(&folder.join("levels.csv"), "rush-hour");
    let starts = |levels: &[LoadedLevel]| levels.iter().map(|level| level.rules.start()).collect::<Vec<StateCode>>();
    assert_eq!((lines.len(), starts(&lines)), (5, starts(&table)));
    assert_eq!(lines[0].properties, [("moves".to_owned(), "3".to_owned())]);
    let study = tempfile::tempdir().expect("a folder");
    let file = study.path().join("study.toml");
    for levels in ["puzzles.txt", "levels.csv"] {
        let levels = folder.join(levels);
        let text =
            format!("[study]\nname = \"s\"\n[levels]\nfiles = ['{}']\n[rules]\nmetric = \"cell\"\n", levels.display());
        std::fs::write(&file, text).expect("a study");
        let output = program().arg("check").arg(&file).output().expect("a check");
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(
            said.contains("columns of the levels that are kept as properties and change nothing: moves\n"),
            "{said}"
        );
        assert!(said.contains("p01 (3 in the column, 15 on the map)\n"), "{said}");
        assert_eq!(said.matches("published-moves").count(), 1, "{said}");
    }
}

/// The rows of a log of the Tower of Hanoi: level and the cells behind it.
fn rows(file: &Path) -> Vec<(String, Vec<String>)> {
    let mut reader = csv::Reader::from_path(file).expect("a log");
    let records = reader.records().map(|record| record.expect("a row"));
    records.map(|row| (row[1].to_owned(), row.iter().skip(2).map(str::to_owned).collect())).collect()
}

/// The positions after each move of a log, from the start of the level at which it goes on.
fn positions(levels: &[LoadedLevel], moves: &[(String, String)]) -> Vec<StateCode> {
    let mut state: Option<(String, StateCode)> = None;
    let mut positions = Vec::new();
    for (id, text) in moves {
        let level = levels.iter().find(|level| level.origin.id == *id).expect("a level");
        let before = state.take().filter(|(last, state)| last == id && !level.rules.is_goal(*state));
        let before = before.map_or(level.rules.start(), |(_, state)| state);
        let played = level.rules.play(before, text).unwrap_or_else(|error| panic!("{error}"));
        positions.push(played.next);
        state = Some((id.clone(), played.next));
    }
    positions
}

#[test]
fn moves_and_positions_of_towers_are_read_in_words_and_lists() {
    let Some(folder) = recorded("intake3/hanoi_ways") else { return };
    let levels = load(&folder.join("levels.txt"), "tower-of-hanoi");
    let texts = |file: &str, text: fn(&[String]) -> String| -> Vec<(String, String)> {
        rows(&folder.join(file)).into_iter().map(|(level, cells)| (level, text(&cells))).collect()
    };
    let expected = positions(&levels, &texts("one_ft.csv", |cells| format!("{}>{}", cells[0], cells[1])));
    assert_eq!(expected.len(), 70);
    for file in ["words.csv", "lmr.csv"] {
        assert_eq!(positions(&levels, &texts(file, |cells| cells[0].clone())), expected, "{file}");
    }
    // Six attempts begin with a row of the start; two there and back are left out.
    for file in ["st_top.csv", "st_bottom.csv"] {
        let mut n_moves = 0;
        let mut before = None;
        for (id, text) in texts(file, |cells| cells[0].clone()) {
            let level = levels.iter().find(|level| level.origin.id == id).expect("a level");
            let state = level.rules.parse_state(&text).unwrap_or_else(|error| panic!("{error}"));
            let is_start = state == level.rules.start();
            n_moves += usize::from(!is_start && expected.contains(&state));
            let is_joined = |before: StateCode| level.rules.move_between(before, state).is_some();
            assert!(is_start || before.is_some_and(is_joined), "{file}: {text}");
            before = Some(state);
        }
        assert_eq!(n_moves, 66, "{file}");
    }
}

/// Whatever is taken for levels of whatever game is read or refused.
#[test]
fn no_file_breaks_the_reader_of_levels() {
    let Some(folder) = recorded("intake3") else { return };
    let mut folders = vec![folder];
    let mut n_files = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path: PathBuf = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            n_files += 1;
            for game in GAMES.iter().filter(|game| game.name != "lua") {
                let loaded =
                    load_levels(std::slice::from_ref(&path), &LevelColumns::default(), game, &RuleOptions::default());
                for fault in loaded.err().map(|error| error.0).unwrap_or_default() {
                    assert!(fault.place.source.text.get(fault.place.span.clone()).is_some(), "{fault}");
                }
            }
        }
    }
    assert!(n_files > 50, "{n_files} files");
}

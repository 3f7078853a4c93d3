//! Distances that are proved from the rules: `plymap verify --distances`, `plymap map --certify`, and the methods of a run.

use std::fs;
use std::path::Path;

use plymap_certify::{Claim, certify};
use plymap_puzzles::graph::{DistanceTable, MapOptions};
use plymap_puzzles::level::LevelColumns;
use plymap_puzzles::progress::Silent;
use plymap_puzzles::registry::{Game, RuleOptions};
use plymap_puzzles::valuation::{LoadedLevel, load_levels};

use crate::common::{demo_run, on_all_cores, program, repository};
use crate::recorded_data::recorded;

/// What `verify --distances` prints of a folder as CSV, called in the repository, with its exit code and messages.
fn verified(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = program();
    command
        .current_dir(repository())
        .arg("verify")
        .arg(folder)
        .args(["--distances", "--format", "csv"])
        .args(arguments);
    let output = command.output().expect("runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn every_distance_of_the_demo_is_proved_and_its_methods_say_so() {
    let (code, table, said) = verified(demo_run(), &[]);
    assert_eq!(code, Some(0), "{said}");
    let levels = fs::read_to_string(demo_run().join("tables/levels.csv")).expect("levels");
    let mut levels = csv::Reader::from_reader(levels.as_bytes());
    let names: Vec<String> = levels.headers().expect("names").iter().map(str::to_owned).collect();
    let column = |name: &str| names.iter().position(|other| other == name).expect("a column");
    let (level, n_states, n_goals) = (column("level"), column("n_states"), column("n_goals"));
    let rows: Vec<csv::StringRecord> = levels.records().map(|row| row.expect("a row")).collect();
    assert_eq!(table.lines().count(), 1 + rows.len(), "{table}");
    for (row, line) in rows.iter().zip(table.lines().skip(1)) {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!([cells[0], cells[2], cells[3], cells[5]], [&row[level], "certified", &row[n_states], &row[n_goals]]);
    }
    assert!(said.contains("tables certified 13 (37699 states), wrong 0, not certified 0"), "{said}");
    let report = fs::read_to_string(demo_run().join("report.md")).expect("a report");
    let sentence = "The distances of all 37,699 positions of 13 levels were certified from the rules alone";
    assert_eq!(report.matches(sentence).count(), 1);
}

/// A level of 1,247 states as CSV, made in the repository, and its table.
fn mapped(folder: &Path) -> std::path::PathBuf {
    let mut command = program();
    command.current_dir(repository()).args(["map", "data/demo/levels/article-1.txt", "--format", "csv", "--certify"]);
    let output = command.arg("--out").arg(folder).output().expect("runs");
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(said.contains("certified: the distances of 1247 states of 1 level\n"), "{said}");
    folder.join("distances/article-1.csv")
}

#[test]
fn a_wrong_distance_is_told_with_its_place_and_its_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("maps");
    let file = mapped(&run);
    assert_eq!(verified(&run, &[]).0, Some(0));
    let whole = fs::read_to_string(&file).expect("a table");
    let start = whole.lines().nth(1).expect("the start");
    let changed = |from: &str, to: &str| fs::write(&file, whole.replacen(from, to, 1)).expect("a table");
    let cells: Vec<&str> = start.split(',').collect();
    assert_eq!((cells[0], cells[2]), ("0", "8"), "{start}");
    changed(&format!("{},8,", cells[1]), &format!("{},7,", cells[1]));
    let (code, table, said) = verified(&run, &[]);
    let state = format!("{} (state 0) has the distance 7, and its move ", cells[1]);
    assert!(code == Some(3) && table.contains("article-1,distances/article-1.csv,wrong,,,,,"), "{table}{said}");
    assert!(table.contains(&state) && table.contains("a state with a distance above 0 has a move"), "{table}");
    changed(&format!("{},8,", cells[1]), &format!("{},1.5,", cells[1]));
    let (code, table, _) = verified(&run, &[]);
    assert!(code == Some(3) && table.contains("row 1, column"), "{table}");
    changed(&format!("{},8,", cells[1]), "nowhere,8,");
    let (code, table, _) = verified(&run, &[]);
    assert!(code == Some(3) && table.contains("row 1, column") && table.contains("nowhere"), "{table}");
    fs::write(&file, whole.lines().take(1_000).map(|line| format!("{line}\n")).collect::<String>()).expect("a table");
    let (code, table, _) = verified(&run, &[]);
    assert!(code == Some(3) && table.contains("which is not in the table"), "{table}");
    fs::write(&file, &whole).expect("a table");
    fs::copy(&file, file.with_file_name("other.csv")).expect("a copy");
    let (code, table, _) = verified(&run, &[]);
    assert!(code == Some(0) && table.contains("other.csv,distances/other.csv,not certified,"), "{table}");
}

#[test]
fn a_run_is_proved_by_the_levels_that_it_read_and_by_no_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let begun = |arguments: &[&str]| {
        let mut command = program();
        command.current_dir(folder.path()).args(arguments);
        command.output().expect("runs")
    };
    let run = |arguments: &[&str]| assert!(begun(arguments).status.success(), "{arguments:?}");
    run(&["init", "first"]);
    run(&["run", "first", "--only", "levels", "--out", "ran"]);
    run(&["verify", "ran", "--distances"]);
    run(&["verify", "ran", "--distances", "--inputs", "first"]);
    let elsewhere = begun(&["verify", "ran", "--distances", "--inputs", "ran"]);
    let said = String::from_utf8_lossy(&elsewhere.stderr).into_owned();
    assert!(elsewhere.status.code() == Some(1) && said.contains("ran has not the study as the run read it"), "{said}");
    let level =
        fs::read_dir(folder.path().join("first/levels")).expect("levels").next().expect("one").expect("one").path();
    let text = fs::read_to_string(&level).expect("a level");
    fs::write(&level, text + "\n").expect("a level");
    let changed = begun(&["verify", "ran", "--distances"]);
    let said = String::from_utf8_lossy(&changed.stderr).into_owned();
    assert!(changed.status.code() == Some(1) && said.contains("is not the file that the run read"), "{said}");
}

#[test]
fn levels_without_a_map_are_listed_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("maps");
    let mut command = program();
    command.current_dir(repository()).args(["map", "data/2048/levels.txt", "--game", "2048", "--certify", "--out"]);
    command.arg(&run).assert().success();
    let (code, table, said) = verified(&run, &[]);
    let lines: Vec<&str> = table.lines().skip(1).collect();
    assert!(code == Some(0) && !lines.is_empty(), "{said}");
    let reason = "\"its positions are valued by an algorithm of the game, and not by a map\"";
    assert!(lines.iter().all(|line| line.contains(",,not certified,,,,,") && line.ends_with(reason)), "{table}");
}

/// Levels of Rush Hour of the recorded data, by both rules of the goal and both metrics.
fn recorded_levels() -> Vec<LoadedLevel> {
    let files = ["rush_hour/puzzles70.csv", "rush_hour/fogleman_6k.txt.gz"].into_iter().filter_map(recorded);
    let files: Vec<_> = files.collect();
    let game = Game::find("rush-hour").expect("a game");
    let of = |rules: &str| {
        let options = RuleOptions::of_game(Some(game.name), rules.parse().expect("rules"), Default::default());
        // Each file alone: both have levels of the same names.
        let read = |file: &std::path::PathBuf| {
            load_levels(std::slice::from_ref(file), &LevelColumns::default(), game, &options).expect("levels")
        };
        files.iter().flat_map(read).collect::<Vec<_>>()
    };
    let mut levels = of("goal = \"path-clear\"");
    levels.extend(of("metric = \"cell\"").into_iter().step_by(11));
    levels
}

#[test]
fn the_maps_of_recorded_levels_are_certified() {
    let levels = recorded_levels();
    // Small ones: each state has all of its moves looked at, twice.
    on_all_cores(levels.len() as u64, |number| {
        let LoadedLevel { origin, rules, .. } = &levels[number as usize];
        let Ok(map) = rules.map(&MapOptions { max_states: 3_000, ..MapOptions::default() }) else { return };
        let distances = DistanceTable::new(&map);
        let entries = (0..map.n_states() as u32).map(|node| (map.code(node), distances.get(node)));
        let certificate = certify(&**rules, &Claim::new(&origin.id, true, entries), &Silent).expect("a certificate");
        let counted = (map.n_states(), map.graph.n_arcs(), map.goals().count());
        let proved = (certificate.n_states as usize, certificate.n_moves as usize, certificate.n_goals as usize);
        assert_eq!(proved, counted, "{}", origin.id);
    });
}

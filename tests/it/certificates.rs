//! Distances that are proved from the rules: `plymap verify --distances`, `plymap map --certify`, and the methods of a run.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use plymap_certify::{Claim, certify};
use plymap_puzzles::graph::{DistanceTable, MapOptions};
use plymap_puzzles::level::LevelColumns;
use plymap_puzzles::progress::Silent;
use plymap_puzzles::registry::{Game, RuleOptions};
use plymap_puzzles::valuation::{LoadedLevel, ValuationOptions, ValuedLevel, WholeMap, load_levels};
use plymap_run::certify_level;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::common::{demo_run, on_all_cores, program, python, repository};
use crate::recorded_data::{recorded, skipped};

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
fn mapped(folder: &Path) -> PathBuf {
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
    fs::remove_file(&file).expect("removed");
    let (code, table, _) = verified(&run, &[]);
    assert!(code == Some(3) && table.contains("and it is not there any more"), "{table}");
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
        let read = |file: &PathBuf| {
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

/// Levels that published sets do not have: exits on all sides, walls, boards that are no squares, one without a solution.
const DRAWN: &str = "# id: left\n# exit: left\n.B..C\n.BRRC\n.....\n\n# id: top\n# exit: top\n..R.\n..R.\nBB..\n.CC.\n\n\
    # id: bottom\nR...x\nR.BB.\nCC...\n.....\n\n# id: wall\n..B..\nRRB..\n..x..\n\n# id: truck\n...T\nRR.T\n...T\n....\n....\n";

/// A map of at least 50 small levels as CSV under some rules, recorded ones where they are there; the number of levels.
fn many_maps(folder: &Path, goal: &str, metric: &str) -> usize {
    let rules = format!("goal = \"{goal}\"\nmetric = \"{metric}\"");
    let game = Game::find("rush-hour").expect("a game");
    let options = RuleOptions::of_game(Some(game.name), rules.parse().expect("rules"), Default::default());
    let files = ["rush_hour/puzzles70.csv", "rush_hour/fogleman_6k.txt.gz"].into_iter().filter_map(recorded);
    let mut boards = String::from("id,board\n");
    let mut n_levels = 0;
    for file in files {
        let levels = load_levels(&[file], &LevelColumns::default(), game, &options).expect("levels");
        let small = levels
            .iter()
            .filter(|level| level.rules.map(&MapOptions { max_states: 450, ..MapOptions::default() }).is_ok());
        for level in small.take(50 - n_levels) {
            n_levels += 1;
            boards += &format!("recorded-{n_levels},{}\n", level.rules.format_state(level.rules.start()));
        }
    }
    fs::write(folder.join("boards.csv"), boards).expect("levels");
    fs::write(folder.join("drawn.txt"), DRAWN).expect("levels");
    let mut command = program();
    command.current_dir(folder).args(["map", "drawn.txt", "--format", "csv", "--out", "maps"]);
    if n_levels > 0 {
        command.arg("boards.csv");
    }
    command.args(["--rule", &format!("goal={goal}"), "--rule", &format!("metric={metric}")]).assert().success();
    n_levels + 5
}

/// The programs that run the pages, with the names of these.
fn interpreters() -> Vec<(PathBuf, &'static str)> {
    let r = Path::new("Rscript").to_owned();
    let all = [(python(), "check_distances.py"), (r, "check_distances.R")].into_iter();
    let is_there = |(program, page): &(PathBuf, &str)| {
        let found = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
        if !found {
            skipped(&format!("{page} is not tried, for there is no {}", program.display()));
        }
        found
    };
    all.filter(is_there).collect()
}

/// What a page says of the levels of a map, of all if none are named, in the order of their names, and whether it found
/// all of them right.
fn checked(map: &Path, (program, page): &(PathBuf, &str), levels: &[String]) -> (bool, Vec<String>) {
    let output = Command::new(program).arg(map.join("checks").join(page)).args(levels).output().expect("runs");
    let said = String::from_utf8(output.stdout).expect("text");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut said: Vec<String> = said.lines().map(str::to_owned).collect();
    said.sort();
    (output.status.success(), said)
}

/// The levels of a map as the program has proved them, in the words of the pages and in the order of their names: those
/// with at most so many states, and their names.
fn proved(map: &Path, inputs: &Path, most: usize) -> (Vec<String>, Vec<String>) {
    let proofs = verified(map, &["--inputs", &inputs.display().to_string()]).1;
    let mut lines = Vec::new();
    for line in proofs.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells[2], "certified", "{line}");
        if cells[3].parse::<usize>().expect("a number") <= most {
            let text = format!("{}: right ({} states, {} moves, {} goals)", cells[0], cells[3], cells[4], cells[5]);
            lines.push((text, cells[0].to_owned()));
        }
    }
    lines.sort();
    lines.into_iter().unzip()
}

/// Small boards of Lights Out with neighbourhoods of every kind.
const LAMPS: &str = "# id: plus\n***\n***\n..*\n\n# id: ring\n# neighbourhood: torus\n*..\n...\n.*.\n\n\
    # id: hook\n# pattern: 0,0 0,1 1,0\n***.\n*.**\n\n# id: moore\n# neighbourhood: moore\n*.*\n.*.\n";

#[test]
fn pages_of_every_kind_of_puzzle_agree_with_the_program() {
    let interpreters = interpreters();
    let games = ["lights-out", "match-the-tiles", "tower-of-london", "tower-of-hanoi"];
    on_all_cores(games.len() as u64, |number| {
        let game = games[number as usize];
        let folder = tempfile::tempdir().expect("a folder");
        let map = folder.path().join("maps");
        let mut command = program();
        let mut file = PathBuf::from(format!("data/{}/levels.txt", game.replace('-', "_")));
        if game == "lights-out" {
            file = folder.path().join("lamps.txt");
            fs::write(&file, LAMPS).expect("levels");
        }
        command.current_dir(repository()).arg("map").arg(&file).args(["--game", game, "--format", "csv", "--out"]);
        command.arg(&map).assert().success();
        let inputs = if game == "lights-out" { folder.path().to_owned() } else { repository() };
        let (expected, levels) = proved(&map, &inputs, 1_000);
        assert!(expected.len() >= 4, "{game}: {expected:?}");
        interpreters
            .iter()
            .for_each(|page| assert_eq!(checked(&map, page, &levels), (true, expected.clone()), "{game}"));
        let damaged = damage_of_tables(&map.join("distances"), number);
        for page in &interpreters {
            for line in checked(&map, page, &levels).1 {
                let level = line.split(": ").next().expect("a level");
                assert_eq!(line.starts_with(&format!("{level}: WRONG: ")), damaged.contains(level), "{game}: {line}");
            }
        }
    });
}

#[test]
fn pages_of_python_and_r_find_tables_right_and_each_damage_wrong() {
    let interpreters = interpreters();
    let rules = [("exit", "slide"), ("path-clear", "slide"), ("exit", "cell"), ("path-clear", "cell")];
    on_all_cores(rules.len() as u64, |number| {
        let (goal, metric) = rules[number as usize];
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let n_levels = many_maps(folder, goal, metric);
        let map = folder.join("maps");
        let (expected, _) = proved(&map, folder, usize::MAX);
        assert_eq!(expected.len(), n_levels);
        interpreters.iter().for_each(|page| assert_eq!(checked(&map, page, &[]), (true, expected.clone())));
        let damaged = damage_of_tables(&map.join("distances"), number);
        for interpreter in &interpreters {
            let (is_right, said) = checked(&map, interpreter, &[]);
            assert!(!is_right);
            for line in said {
                let level = line.split(": ").next().expect("a level");
                let is_wrong = line.starts_with(&format!("{level}: WRONG: "));
                assert_eq!(is_wrong, damaged.contains(level), "{line}");
            }
        }
    });
}

/// Damages every other table of a folder in one place, drawn with this seed: a distance, a state, or a pair of distances.
/// The levels of these.
fn damage_of_tables(folder: &Path, seed: u64) -> BTreeSet<String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let damage = |file: PathBuf| {
        let text = fs::read_to_string(&file).expect("a table");
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let row = rng.random_range(1..lines.len());
        let set = |line: &mut String, distance: &str| {
            let mut cells: Vec<&str> = line.split(',').collect();
            cells[2] = distance;
            *line = cells.join(",");
        };
        let distance = |line: &str| line.split(',').nth(2).expect("a distance").to_owned();
        let own = distance(&lines[row]);
        let other = lines[1..].iter().position(|line| distance(line) != own);
        match (rng.random_range(0..3), other) {
            (0, _) => drop(lines.remove(row)),
            (1, Some(other)) => {
                let theirs = distance(&lines[other + 1]);
                set(&mut lines[other + 1], &own);
                set(&mut lines[row], &theirs);
            }
            _ => {
                let changed = own.parse().map_or(1, |own: u32| own + rng.random_range(1..3));
                set(&mut lines[row], &changed.to_string());
            }
        }
        fs::write(&file, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).expect("a table");
        file.file_stem().expect("a name").to_string_lossy().into_owned()
    };
    files.into_iter().step_by(2).map(damage).collect()
}

#[test]
fn a_map_whose_distances_are_wrong_is_refused() {
    let options = RuleOptions::of_game(Some("rush-hour"), Default::default(), Default::default());
    let game = Game::find("rush-hour").expect("a game");
    let level = LoadedLevel::from_text("wrong", "..B.\nRRB.\n....\n....", game, &options).expect("a level");
    let mut level = ValuedLevel::new(level, game.name, &ValuationOptions::default()).expect("a map");
    assert_eq!(certify_level(&level, &Silent).expect("a proof").map(|proof| proof.n_states), Some(5));
    // As if the start were the goal.
    let mut whole = WholeMap::new(level.rules.map(&MapOptions::default()).expect("a map"));
    whole.distances = DistanceTable::from_goals(&whole.map.graph, [0].into_iter());
    level.whole = Some(Arc::new(whole));
    let said = certify_level(&level, &Silent).expect_err("a wrong distance").to_string();
    assert!(said.contains("level \"wrong\": ..B.RRB......... (state 0) has the distance 0, and is no goal"), "{said}");
    assert!(said.contains("please report this as a defect of plymap"), "{said}");
}

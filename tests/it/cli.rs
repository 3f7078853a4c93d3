//! The program as users meet it.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{program, repository};

fn plymap(folder: &Path) -> Command {
    let mut command = program();
    command.current_dir(folder);
    command
}

/// What a command prints as JSON.
fn json_of(folder: &Path, arguments: &[&str]) -> Value {
    let output = plymap(folder).args(arguments).args(["--format", "json"]).assert().success();
    serde_json::from_slice(&output.get_output().stdout).expect("JSON")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// A first study as `plymap init` writes it.
fn first_study() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    plymap(folder.path()).args(["init", "first"]).assert().success();
    let study = folder.path().join("first/study.toml");
    (folder, study)
}

fn replace(file: &Path, old: &str, new: &str) {
    let text = fs::read_to_string(file).expect("a text file");
    assert!(text.contains(old), "{} has no {old:?}", file.display());
    fs::write(file, text.replace(old, new)).expect("a writable file");
}

/// All files below a folder with their bytes, by relative path.
fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let bytes = fs::read(&path).expect("a file");
                files.push((path.strip_prefix(folder).expect("below the folder").to_owned(), bytes));
            }
        }
    }
    files.sort();
    files
}

#[test]
fn a_first_study_runs_as_it_is() {
    let (folder, _) = first_study();
    let run = plymap(folder.path()).args(["run", "first"]).assert().success();
    let summary = text(&run.get_output().stdout);
    for line in [
        "levels                1",
        "states             1247",
        "participants          3",
        "rows read            32 = 32 accepted + 0 rejected",
    ] {
        assert!(summary.contains(line), "{summary}");
    }
    let out = folder.path().join("reports/first");
    for file in [
        "report.html",
        "report.md",
        "manifest.json",
        "tables/moves.csv",
        "codebook.json",
        "codebook.html",
        "codebook.xlsx",
        "report.docx",
        "tables/rejects.csv",
        "distances/level-1.csv",
        "figures/solution-level-1.svg",
        "figures/solution-level-1.csv",
    ] {
        assert!(out.join(file).is_file(), "{file} is missing");
    }
    // What the study does not name is in force all the same, and stands in the manifest.
    let manifest = plymap_report::Manifest::read(&out).expect("a manifest");
    for what in ["analyses", "baseline", "figures"] {
        assert_eq!(manifest.seeds.get(what), Some(&1), "{what}");
    }
    let study = &manifest.study;
    assert_eq!(study["levels"]["game"], "rush-hour");
    assert_eq!(study["simulation"]["seed"], 1);
    assert_eq!(study["baseline"][0]["name"], "chance");
    assert_eq!(study["statistics"]["analyses"][0], "description");
    plymap(folder.path()).args(["verify", "reports/first"]).assert().success();
    fs::write(out.join("tables/moves.csv"), "tampered").expect("a writable file");
    let verify = plymap(folder.path()).args(["verify", "reports/first"]).assert().code(3);
    assert!(text(&verify.get_output().stdout).contains("tables/moves.csv: differs"));
    // A second init must not overwrite what somebody may have edited.
    let again = plymap(folder.path()).args(["init", "first"]).assert().code(1);
    assert!(text(&again.get_output().stderr).contains("exists already"));
}

#[test]
fn the_same_study_gives_the_same_bytes_with_any_number_of_threads() {
    let (folder, _) = first_study();
    let run = |threads: &str, out: &str| {
        let mut command = plymap(folder.path());
        command
            .env("POLARS_MAX_THREADS", threads)
            .args(["--threads", threads, "run", "first", "--out", out])
            .assert()
            .success();
        contents(&folder.path().join(out))
    };
    let (one_thread, two_threads, again) = (run("1", "one"), run("2", "two"), run("2", "again"));
    let names = |files: &[(PathBuf, Vec<u8>)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&one_thread), names(&two_threads));
    for ((name, bytes), (_, others)) in one_thread.iter().zip(&two_threads) {
        assert!(bytes == others, "{} depends on the number of threads", name.display());
    }
    assert!(two_threads == again);
    assert!(one_thread.len() > 30, "{} files", one_thread.len());
}

#[test]
fn the_labels_of_a_small_log_can_be_checked_by_hand() {
    let (folder, _) = first_study();
    let label = plymap(folder.path()).args(["label", "first/study.toml", "--format", "csv"]).assert().success();
    let table = text(&label.get_output().stdout);
    insta::assert_snapshot!("labels_of_the_first_study", table);
}

#[test]
fn hint_and_solve_answer_in_json() {
    let (folder, _) = first_study();
    let hint = json_of(folder.path(), &["hint", "first/levels/level-1.txt"]);
    assert_eq!(
        (hint["distance"].as_u64(), hint["n_legal"].as_u64(), hint["n_optimal"].as_u64()),
        (Some(8), Some(11), Some(4))
    );
    assert_eq!(hint["optimal_moves"], serde_json::json!(["B+1", "B+2", "B+3", "C-3"]));
    let solution = json_of(folder.path(), &["solve", "first/levels/level-1.txt"]);
    assert_eq!(solution["moves"].as_array().map(Vec::len), Some(8));
    assert_eq!(solution["n_shortest"].as_u64(), Some(61));
    // Its last but one state is one move from the goal; a study can stand for its levels.
    let before_last = solution["states"][7].as_str().expect("a state");
    let hint = json_of(folder.path(), &["hint", "first/study.toml", "--level", "level-1", "--state", before_last]);
    assert_eq!((hint["distance"].as_u64(), hint["optimal_moves"][0].as_str()), (Some(1), Some("A+3")));
}

#[test]
fn explain_draws_the_board() {
    let (folder, _) = first_study();
    // G is three cells long and cannot be split.
    let split = "BB...GE..H.GEAAH..E..H.GF...CCF.DDD.";
    let output = plymap(folder.path()).args(["explain", "first/levels/level-1.txt", split]).assert().code(1);
    let message = text(&output.get_output().stderr);
    assert!(
        message.contains("is not a position of this level: piece G is not on its line with its length of 3"),
        "{message}"
    );
    let output = plymap(folder.path()).args(["explain", "first/levels/level-1.txt"]).assert().success();
    insta::assert_snapshot!("explain_the_start", text(&output.get_output().stdout));
    let output = plymap(folder.path()).args(["explain", "--thought", "first/levels/level-1.txt"]).assert().success();
    insta::assert_snapshot!("explain_thought", text(&output.get_output().stdout));
    let draw = ["explain", "--thought", "first/levels/level-1.txt", "--out", "drawn", "--format", "svg,pdf"];
    plymap(folder.path()).args(draw).assert().success();
    let drawn =
        |extension: &str| fs::read(folder.path().join(format!("drawn/thought-tree.{extension}"))).expect("a file");
    let numbers = String::from_utf8(drawn("csv")).expect("text");
    let n_of = |kind: &str| numbers.lines().filter(|line| line.starts_with(&format!("{kind},"))).count();
    let explanation = text(&output.get_output().stdout);
    let sizes = format!(
        "{} wished moves and {} obstacles; thoughts come to {} of",
        n_of("wished move"),
        n_of("obstacle"),
        n_of("legal move")
    );
    assert!(explanation.contains(&sizes), "{sizes}\n{explanation}");
    assert!(text(&drawn("svg")).contains("</svg>") && drawn("pdf").starts_with(b"%PDF"));
    plymap(folder.path()).args(["explain", "first/levels/level-1.txt", "--out", "drawn"]).assert().code(2);
    let output =
        plymap(folder.path()).args(["explain", "first/levels/level-1.txt", "--width", "single"]).assert().code(1);
    assert!(text(&output.get_output().stderr).contains("--out DIR"));
}

#[test]
fn map_writes_the_level_table_and_distances() {
    let (folder, _) = first_study();
    plymap(folder.path()).args(["map", "first/levels", "--out", "maps", "--format", "csv"]).assert().success();
    let levels = fs::read_to_string(folder.path().join("maps/tables/levels.csv")).expect("the level table");
    insta::assert_snapshot!("level_table", levels);
    let distances = fs::read_to_string(folder.path().join("maps/distances/level-1.csv")).expect("the distance table");
    assert_eq!(distances.lines().count(), 1 + 1_247);
    assert_eq!(
        distances.lines().next(),
        Some("state_id,state,distance,n_legal,n_optimal,n_shortest,depth,component,is_goal,is_start")
    );
    assert_eq!(distances.lines().nth(1), Some("0,BB...GE..H.GEAAH.GE..H..F...CCF.DDD.,8,11,4,61,0,0,false,true"));
}

/// Numbers that are not asked for have no columns; all others are those of the whole table, distances without a map too.
#[test]
fn map_makes_the_numbers_that_are_asked_for() {
    let (folder, _) = first_study();
    fs::write(folder.path().join("first/levels/blocked.txt"), "......\n......\nAA.xBB\n......\n......\n......\n")
        .expect("a writable file");
    let columns = |numbers: &str| -> Vec<(String, Vec<String>)> {
        let arguments = ["map", "first/levels", "--out", "maps", "--format", "csv", "--no-distances", "--numbers"];
        let map = plymap(folder.path()).args(arguments).arg(numbers).assert().success();
        let said = text(&map.get_output().stderr);
        assert!(said.contains(" a second, mapped into maps") && said.contains("unsolvable"), "{said}");
        let mut reader = csv::Reader::from_path(folder.path().join("maps/tables/levels.csv")).expect("the level table");
        let names: Vec<String> = reader.headers().expect("a head").iter().map(str::to_owned).collect();
        let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
        let values = |column: usize| rows.iter().map(|row| row[column].to_owned()).collect();
        names.into_iter().enumerate().map(|(column, name)| (name, values(column))).collect()
    };
    let moves = ["n_arcs", "n_edges", "mean_branching", "max_branching"];
    let solutions = ["n_shortest", "share_optimal_on_solution"];
    let structure = ["n_components", "n_articulation_points", "n_bridges"];
    let all = columns("all");
    for (numbers, left_out) in [
        ("distances", [&moves[..], &solutions, &structure].concat()),
        ("moves", [&solutions[..], &structure].concat()),
        ("structure,solutions", moves.to_vec()),
        ("moves,solutions,structure", Vec::new()),
    ] {
        let expected: Vec<_> = all.iter().filter(|(name, _)| !left_out.contains(&name.as_str())).cloned().collect();
        assert_eq!(expected.len() + left_out.len(), all.len());
        assert_eq!(columns(numbers), expected, "{numbers}");
    }
}

#[test]
fn an_unsolvable_level_is_mapped_with_a_warning_and_has_no_solution() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let blocked = "......\n......\nAA.xBB\n......\n......\n......\n";
    fs::write(folder.path().join("blocked.txt"), blocked).expect("a writable file");
    let map = plymap(folder.path()).args(["map", "blocked.txt", "--out", "maps", "--format", "csv"]).assert().success();
    assert!(text(&map.get_output().stderr).contains("unsolvable"));
    let levels = fs::read_to_string(folder.path().join("maps/tables/levels.csv")).expect("the level table");
    assert!(levels.lines().nth(1).is_some_and(|row| row.contains(",false,")), "{levels}");
    plymap(folder.path()).args(["solve", "blocked.txt"]).assert().code(4);
}

#[test]
fn check_finds_everything_that_is_wrong_at_once() {
    let (folder, study) = first_study();
    plymap(folder.path()).args(["check", "first"]).assert().success();
    let levels = folder.path().join("first/levels");
    fs::write(levels.join("bent.txt"), "......\n.BB...\nAAB...\n......\n......\n......\n").expect("a writable file");
    fs::write(levels.join("blocked.txt"), "......\n......\nAA.xBB\n......\n......\n......\n").expect("a writable file");
    let check = plymap(folder.path()).args(["check", "first"]).assert().code(3);
    let faults = text(&check.get_output().stderr);
    assert!(faults.contains("bent.txt:3:3") && faults.contains("bent-piece"), "{faults}");
    fs::remove_file(levels.join("bent.txt")).expect("the file is there");
    let check = plymap(folder.path()).args(["check", "first"]).assert().code(3);
    assert!(text(&check.get_output().stderr).contains("unsolvable"));
    // A run refuses as well, and leaves nothing behind.
    plymap(folder.path()).args(["run", "first"]).assert().code(1);
    assert!(!folder.path().join("reports/first").exists());
    replace(&study, "goal = \"exit\"", "gaol = \"exit\"");
    let check = plymap(folder.path()).args(["check", "first"]).assert().code(3);
    let fault = text(&check.get_output().stderr);
    assert!(fault.contains("study.toml:13:8") && fault.contains("there is no entry `gaol`"), "{fault}");
}

#[test]
fn faulty_rows_are_rejected_and_the_rest_of_their_attempt_is_excluded() {
    let (folder, _) = first_study();
    // ben's second move is impossible, carla's second one unreadable: 10 and 2 rows follow them.
    replace(&folder.path().join("first/logs/moves.csv"), "ben,level-1,1,H-1,930", "ben,level-1,1,H+5,930");
    replace(&folder.path().join("first/logs/moves.csv"), "carla,level-1,1,C-1,1760", "carla,level-1,1,hop,1760");
    let run = plymap(folder.path()).args(["run", "first"]).assert().success();
    let summary = text(&run.get_output().stdout);
    assert!(summary.contains("rows read            32 = 30 accepted + 2 rejected"), "{summary}");
    assert!(summary.contains("accepted             30 = 18 replayed + 12 excluded"), "{summary}");
    let rejects =
        fs::read_to_string(folder.path().join("reports/first/tables/rejects.csv")).expect("the table of rejects");
    assert!(rejects.contains("illegal-move,rejected,logs/moves.csv,11,"), "{rejects}");
    assert!(rejects.contains("unreadable-move,rejected,logs/moves.csv,23,"), "{rejects}");
    assert_eq!(rejects.matches("after-rejected-row,excluded").count(), 12);
    plymap(folder.path()).args(["check", "first"]).assert().code(3);
}

/// Kept on request, an illegal move is a move that changed nothing.
#[test]
fn illegal_moves_are_kept_on_request() {
    let (folder, study) = first_study();
    replace(&folder.path().join("first/logs/moves.csv"), "carla,level-1,1,D+1,3120", "carla,level-1,1,D+9,3120");
    replace(&study, "[log]", "[log]\nillegal_moves = \"keep\"");
    let label = plymap(folder.path()).args(["label", "first"]).assert().success();
    let moves = text(&label.get_output().stdout);
    let kept: Vec<&str> = moves.lines().filter(|line| line.contains(",illegal,")).collect();
    assert_eq!(kept.len(), 1, "{moves}");
    // The distance is the same before and after, and there is no regret.
    assert!(kept[0].contains(",8,8,0,0,,,illegal,false,"), "{}", kept[0]);
}

#[test]
fn a_folder_of_somebody_else_is_left_alone() {
    let (folder, _) = first_study();
    fs::create_dir(folder.path().join("thesis")).expect("a new folder");
    fs::write(folder.path().join("thesis/chapter.txt"), "mine").expect("a writable file");
    plymap(folder.path()).args(["run", "first", "--out", "thesis"]).assert().code(1);
    assert_eq!(contents(&folder.path().join("thesis")).len(), 1);
}

#[test]
fn a_study_with_one_silent_level_has_a_report_too() {
    let (folder, study) = first_study();
    let text = fs::read_to_string(&study).expect("the study");
    let start = text.find("[log]").expect("a section");
    let end = text.find("[statistics]").expect("a section");
    fs::write(&study, format!("{}{}", &text[..start], &text[end..])).expect("a writable file");
    plymap(folder.path()).args(["run", "first"]).assert().success();
    assert!(folder.path().join("reports/first/report.html").is_file());
    let label = plymap(folder.path()).args(["label", "first"]).assert().code(1);
    assert!(String::from_utf8_lossy(&label.get_output().stderr).contains("the study has no log"));
}

#[test]
fn stats_prints_what_a_paper_needs() {
    let (folder, _) = first_study();
    let stats =
        plymap(folder.path()).args(["stats", "first", "--table", "trials", "--format", "csv"]).assert().success();
    insta::assert_snapshot!("trials_of_the_first_study", text(&stats.get_output().stdout));
    let unknown = plymap(folder.path()).args(["stats", "first", "--table", "trails"]).assert().code(1);
    assert!(text(&unknown.get_output().stderr).contains("the tables are correlations"));
}

#[test]
fn completions_and_man_pages_are_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = plymap(folder.path()).args(["completions", shell]).assert().success();
        assert!(text(&script.get_output().stdout).contains("plymap"), "{shell}");
    }
    plymap(folder.path()).args(["man", "pages"]).assert().success();
    let pages = contents(&folder.path().join("pages"));
    for page in ["plymap.1", "plymap-run.1", "plymap-hint.1"] {
        assert!(pages.iter().any(|(name, _)| name.ends_with(page)), "{page} is missing");
    }
    plymap(folder.path()).args(["rnu"]).assert().code(2);
}

/// Written as Parquet inside the work on many levels, where each writer waits for polars' own threads.
#[test]
fn many_levels_are_mapped_in_one_go() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let boards: Vec<String> = (0..1_200).map(|number| board_of_two(3 + number % 3, (number / 3) % 5)).collect();
    fs::write(folder.path().join("many.txt"), boards.join("\n") + "\n").expect("a writable file");
    plymap(folder.path()).args(["map", "many.txt", "--out", "maps"]).assert().success();
    assert_eq!(fs::read_dir(folder.path().join("maps/distances")).expect("a folder").count(), 1_200);
}

/// Two pieces on a 6 x 6 board: red in row 3, another one upright in this column and row.
fn board_of_two(column: usize, row: usize) -> String {
    let mut cells = vec!['.'; 36];
    (cells[12], cells[13]) = ('A', 'A');
    (cells[row * 6 + column], cells[(row + 1) * 6 + column]) = ('B', 'B');
    cells.into_iter().collect::<String>()
}

/// Excess is counted in the metric's unit: anna solves the level in 16 cells, the fewest possible.
#[test]
fn excess_moves_are_counted_in_the_metric_of_the_level() {
    let (folder, study) = first_study();
    replace(&study, "metric = \"slide\"", "metric = \"cell\"");
    let trials = json_of(folder.path(), &["stats", "first", "--table", "trials"]);
    let excess = |trial: usize| trials[trial]["excess_moves"].as_i64();
    assert_eq!(trials[0]["start_distance"].as_i64(), Some(16));
    // B+1 C-3 E-1 F-1 D-2 G+3 H+2 A+3 are 16 cells; ben needs 1+1+2+2+1+1+1+1+1+3+2+3 = 19.
    assert_eq!((excess(0), excess(1)), (Some(0), Some(3)));
}

/// A trial of which rows were left out is not called unsolved: nobody knows.
#[test]
fn a_trial_that_was_cut_is_neither_solved_nor_unsolved() {
    let (folder, _) = first_study();
    replace(&folder.path().join("first/logs/moves.csv"), "anna,level-1,1,B+1,5210", "anna,level-1,1,B+9,5210");
    let trials = json_of(folder.path(), &["stats", "first", "--table", "trials"]);
    assert_eq!(
        (trials[0]["solved"].as_bool(), trials[0]["n_left_out"].as_u64(), trials[0]["n_moves"].as_u64()),
        (None, Some(8), Some(0))
    );
    assert_eq!((trials[1]["solved"].as_bool(), trials[1]["n_left_out"].as_u64()), (Some(true), Some(0)));
    let level = &json_of(folder.path(), &["stats", "first", "--table", "level_play"])[0];
    assert_eq!(
        (level["n_trials"].as_u64(), level["n_incomplete_trials"].as_u64(), level["share_solved"].as_f64()),
        (Some(3), Some(1), Some(1.0))
    );
}

/// A row that cannot be read belongs to the attempt that its cells tell, also at its edges.
#[test]
fn a_row_that_cannot_be_read_costs_its_own_attempt_alone() {
    for (row, left_out) in [("anna,level-1,1,A+3,690", [1, 0, 0]), ("ben,level-1,1,H+1,1870", [0, 12, 0])] {
        let (folder, _) = first_study();
        replace(&folder.path().join("first/logs/moves.csv"), row, &format!("{row},9"));
        let trials = json_of(folder.path(), &["stats", "first", "--table", "trials"]);
        for (number, left_out) in left_out.into_iter().enumerate() {
            let trial = &trials[number];
            let solved = (left_out == 0).then_some(true);
            assert_eq!((trial["n_left_out"].as_u64(), trial["solved"].as_bool()), (Some(left_out), solved), "{row}");
        }
    }
}

#[test]
fn check_says_how_many_rows_have_faults() {
    let (folder, study) = first_study();
    let log = folder.path().join("first/logs/moves.csv");
    let rows = fs::read_to_string(&log).expect("a text file");
    let check = |code: i32| {
        let check = plymap(folder.path()).args(["check", "first"]).assert().code(code);
        (text(&check.get_output().stdout), text(&check.get_output().stderr))
    };
    replace(&log, "anna,level-1,1,B+1,5210\n", "anna,level-1,1,B+1,5210\nanna,level-1,1,B+1,5210\n");
    let (diagnostics, end) = check(0);
    assert!(diagnostics.contains("1 × repeated-row (kept)"), "{diagnostics}");
    assert!(end.contains("1 notice on rows that are used as they are"), "{end}");
    let (header, body) = rows.split_once('\n').expect("a header");
    let body: String = body.lines().map(|row| row.replace(',', ";") + ",5\n").collect();
    fs::write(&log, format!("{}\n{body}", header.replace(',', ";"))).expect("a writable file");
    let (diagnostics, end) = check(3);
    assert!(diagnostics.contains("32 × bad-time") && diagnostics.contains("decimal_comma = true"), "{diagnostics}");
    assert!(end.contains("32 times are unusable"), "{end}");
    fs::write(&log, rows).expect("a writable file");
    replace(&study, "[levels]", "claims = \"none.toml\"\n\n[levels]");
    let (_, end) = check(3);
    assert!(end.contains("none.toml"), "{end}");
    replace(&study, "claims = \"none.toml\"", "");
    let described = fs::read_to_string(&study).expect("a text file");
    fs::write(&study, described + "\n[search]\nalgorithms = [\"bestfirst\"]\n").expect("a writable file");
    let (_, end) = check(3);
    assert!(end.contains("\"bestfirst\""), "{end}");
}

/// A rejected row breaks what is played after it, wherever it stands in the file.
#[test]
fn rows_behind_a_rejected_one_are_excluded_in_the_order_of_play() {
    let (folder, _) = first_study();
    let log = "subject,level,attempt,move_index,move,rt_ms\n\
        anna,level-1,1,0,B+1,1000\nanna,level-1,1,2,E-1,1000\nanna,level-1,1,3,F-1,1000\nanna,level-1,1,1,,1000\n";
    fs::write(folder.path().join("first/logs/moves.csv"), log).expect("a writable file");
    let run = plymap(folder.path()).args(["run", "first"]).assert().success();
    let summary = text(&run.get_output().stdout);
    assert!(
        summary.contains("= 3 accepted + 1 rejected") && summary.contains("= 1 replayed + 2 excluded"),
        "{summary}"
    );
    assert!(summary.contains("row 5 of logs/moves.csv of the same attempt was rejected"), "{summary}");
}

/// Play behind a solution is replayed, but not measured, even if the player first takes a move back.
#[test]
fn play_behind_the_solution_is_not_measured() {
    let (folder, _) = first_study();
    let moves = "B+1 C-3 E-1 F-1 D-2 G+3 H+2 A+3";
    let mut log = "subject,level,attempt,event,move,rt_ms\n".to_owned();
    moves.split(' ').for_each(|action| log += &format!("anna,level-1,1,move,{action},1000\n"));
    log += "anna,level-1,1,solved,,500\nanna,level-1,1,undo,,1000\nanna,level-1,1,move,H-1,1000\n";
    fs::write(folder.path().join("first/logs/moves.csv"), log).expect("a writable file");
    let rows = json_of(folder.path(), &["label", "first"]);
    assert_eq!((rows[7]["is_after_goal"].as_bool(), rows[10]["is_after_goal"].as_bool()), (Some(false), Some(true)));
    let trial = &json_of(folder.path(), &["stats", "first", "--table", "trials"])[0];
    assert_eq!(
        (trial["n_moves"].as_u64(), trial["n_after_goal"].as_u64(), trial["time_s"].as_f64()),
        (Some(8), Some(1), Some(8.0))
    );
    assert_eq!((trial["solved"].as_bool(), trial["n_undo_events"].as_u64()), (Some(true), Some(0)));
}

/// A solution behind an attempt that was cut has no known number of moves.
#[test]
fn a_solved_trial_with_rows_left_out_is_not_correlated() {
    let (folder, _) = first_study();
    replace(&folder.path().join("first/logs/moves.csv"), "carla,level-1,1,C-1,2890", "carla,level-1,1,hop,2890");
    let carla = &json_of(folder.path(), &["stats", "first", "--table", "trials"])[2];
    assert_eq!((carla["solved"].as_bool(), carla["n_left_out"].as_u64()), (Some(true), Some(4)));
    assert!(carla["excess_moves"].is_null() && carla["first_move_latency_s"].is_null(), "{carla}");
    let pooled = &json_of(folder.path(), &["stats", "first", "--table", "correlations"])[0];
    assert_eq!((pooled["n"].as_u64(), pooled["n_missing"].as_u64()), (Some(2), Some(1)));
}

/// The legends of figures tell the level that the study asks for.
#[test]
fn figures_name_the_confidence_of_the_study() {
    let (folder, study) = first_study();
    replace(&study, "confidence = 0.95", "confidence = 0.9");
    plymap(folder.path()).args(["run", "first"]).assert().success();
    let figure = |name: &str| {
        let file = folder.path().join(format!("reports/first/figures/{name}.svg"));
        fs::read_to_string(file).expect("a figure").replace('\u{a0}', " ")
    };
    let svg = figure("time-by-quality");
    assert!(svg.contains("90 %") && !svg.contains("95 %"));
}

#[test]
fn a_log_comes_from_standard_input() {
    let (folder, study) = first_study();
    let log = fs::read_to_string(folder.path().join("first/logs/moves.csv")).expect("a log");
    let text_of = fs::read_to_string(&study).expect("a study");
    let entry = text_of.lines().find(|line| line.starts_with("files") && line.contains("logs")).expect("files");
    replace(&study, entry, "files = [\"-\"]");
    let piped = plymap(folder.path()).args(["label", "first", "--format", "csv"]).write_stdin(log).assert().success();
    replace(&study, "files = [\"-\"]", entry);
    let named = plymap(folder.path()).args(["label", "first", "--format", "csv"]).assert().success();
    let (piped, named) = (text(&piped.get_output().stdout), text(&named.get_output().stdout));
    assert_eq!(piped.lines().count(), named.lines().count());
    assert_eq!(piped.replace(",-,", ",logs/moves.csv,"), named);
}

#[test]
fn levels_that_differ_in_capitals_alone_have_files_of_their_own_on_every_system() {
    let (folder, _) = first_study();
    let first = folder.path().join("first");
    fs::rename(first.join("levels/level-1.txt"), first.join("levels/A1.txt")).expect("a level");
    // Where the system does not tell capitals, one of two such files would be the other.
    let easy = "id,board\na1,AA....>\nb,AA...>\n";
    fs::write(first.join("levels/more.csv"), easy).expect("levels");
    let log = first.join("logs/moves.csv");
    let text = fs::read_to_string(&log).expect("a log").replace("level-1", "A1");
    fs::write(&log, format!("{text}dora,a1,1,A+4,900\nDora,a1,1,A+4,800\ndora,b,1,A+3,700\n")).expect("a log");
    plymap(folder.path()).args(["run", "first", "--out", "run"]).assert().success();
    plymap(folder.path())
        .args(["map", "first/levels", "--edges", "--format", "csv", "--out", "map"])
        .assert()
        .success();
    for format in ["graphml", "bids"] {
        plymap(folder.path()).args(["export", format, "first", "--out", format]).assert().success();
    }
    plymap(folder.path()).args(["figures", "first", "--only", "state-graph", "--out", "drawn"]).assert().success();
    let mut all = Vec::new();
    for out in ["run", "map", "graphml", "bids", "drawn"] {
        let files = contents(&folder.path().join(out));
        let names = files.iter().map(|(file, _)| format!("{out}/{}", file.display()));
        all.extend(names);
    }
    let folded: std::collections::HashSet<String> = all.iter().map(|file| file.to_lowercase()).collect();
    assert_eq!(folded.len(), all.len(), "{all:?}");
    for file in [
        "run/distances/~411.csv",
        "run/distances/a1.csv",
        "run/distances/b.csv",
        "run/figures/traffic-~411.svg",
        "run/figures/traffic-a1.svg",
        "run/figures/solution-b.svg",
        "map/distances/~411.csv",
        "map/edges/a1.csv",
        "graphml/~411.graphml",
        "graphml/a1.graphml",
        "drawn/state-graph-~411.svg",
        "drawn/state-graph-a1.svg",
    ] {
        assert!(all.iter().any(|name| name == file), "{file} is not among {all:?}");
    }
    let n_lines = |file: &str| fs::read_to_string(folder.path().join(file)).expect("a table").lines().count() - 1;
    assert_eq!((n_lines("run/distances/~411.csv"), n_lines("run/distances/a1.csv")), (1247, 5));
    let report = fs::read_to_string(folder.path().join("run/report.html")).expect("a report");
    assert!(report.contains("figures/traffic-~411.csv"), "the page names the file");
}

#[test]
fn a_tournament_says_what_it_plays_before_it_begins() {
    let (folder, study) = first_study();
    let strategies = ["chance", "lapse-optimal"]
        .map(|kind| format!("\n[[strategy]]\nname = \"{kind}\"\npolicy.kind = \"{kind}\"\n"));
    let text_of = fs::read_to_string(&study).expect("a study");
    fs::write(&study, text_of + &strategies.concat()).expect("a study");
    let games = ["tournament", "first", "--games", "3"];
    let played = plymap(folder.path()).args(games).assert().success();
    let said = text(&played.get_output().stderr);
    assert!(said.starts_with("3 games of each of 2 strategies at each level; "), "{said}");
    assert!(said.contains("--games 5 gives a quick look"), "{said}");
    // It is said before anything else is done.
    fs::remove_dir_all(folder.path().join("first/levels")).expect("levels");
    let failed = plymap(folder.path()).args(games).assert().failure();
    assert!(text(&failed.get_output().stderr).starts_with("3 games of each"), "before levels are read");
}

/// A level of each game, and of scripts, by the study that it belongs to.
const LEVELS_OF_GAMES: [(&str, &str); 13] = [
    ("data/demo", "article-1"),
    ("data/lights_out", "first"),
    ("data/panguru", "first-six"),
    ("data/match_the_tiles", "crowd"),
    ("data/tower_of_london", "two-moves"),
    ("data/tower_of_hanoi", "three-disks"),
    ("data/sliding_tiles", "five"),
    ("data/2048", "two"),
    ("data/lua/eight_puzzle.toml", "three"),
    ("data/lua/peg_solitaire.toml", "row"),
    ("data/lua/river.toml", "two"),
    ("data/lua/sokoban.toml", "corridor"),
    ("data/lua/water_jugs.toml", "two-jugs"),
];

/// Returns the answer of the program in the folder of the project, as JSON; none where it refuses.
fn answer(arguments: &[&str]) -> Option<Value> {
    let output = plymap(&repository()).args(arguments).args(["--format", "json"]).output().expect("an output");
    output.status.success().then(|| serde_json::from_slice(&output.stdout).expect("JSON"))
}

/// The position at the start of a level, one after each of its moves, those of a solution, and one of 2048 with tiles.
fn printed_positions(study: &str, level: &str) -> Vec<String> {
    let mut states = Vec::new();
    let mut add = |state: &Value| states.extend(state.as_str().map(str::to_owned));
    let hint = answer(&["hint", study, "--level", level]).expect("a hint");
    add(&hint["state"]);
    hint["moves"].as_array().into_iter().flatten().for_each(|next| add(&next["state_after"]));
    let solution = answer(&["solve", study, "--level", level]).unwrap_or_default();
    solution["states"].as_array().into_iter().flatten().for_each(add);
    if study == "data/2048" {
        states.push("2 . / . 4".to_owned());
    }
    states
}

#[test]
fn positions_that_are_printed_can_be_pasted_behind_every_option_that_takes_one() {
    let n_with_minus = std::sync::atomic::AtomicUsize::new(0);
    crate::common::on_all_cores(LEVELS_OF_GAMES.len() as u64, |number| {
        let (study, level) = LEVELS_OF_GAMES[number as usize];
        let states = printed_positions(study, level);
        // The first and the last, and one that looks like an option.
        let with_minus = states.iter().find(|state| state.starts_with('-'));
        n_with_minus.fetch_add(with_minus.iter().count(), std::sync::atomic::Ordering::Relaxed);
        for state in states.first().into_iter().chain(with_minus).chain(states.last()) {
            let of_level = [study, "--level", level];
            let hint = answer(&["hint", study, "--level", level, "--state", state]);
            assert_eq!(hint.map(|hint| hint["state"].clone()), Some(state.as_str().into()), "{study}: {state}");
            if study != "data/2048" {
                let solution = answer(&["solve", study, "--level", level, "--state", state]).expect("a solution");
                assert_eq!(solution["states"][0], state.as_str(), "{study}");
            }
            for explain in [
                [&["explain"], &of_level[..], &[state]].concat(),
                [&["explain", study, state], &of_level[1..]].concat(),
                [&["explain", "--state", state], &of_level[..]].concat(),
            ] {
                let explained = plymap(&repository()).args(&explain).assert().success();
                let said = text(&explained.get_output().stdout);
                assert!(said.starts_with(&format!("level {level}, position {state}\n")), "{explain:?}: {said}");
            }
        }
    });
    assert!(n_with_minus.into_inner() >= 3, "panguru and both towers have positions that begin with a minus");
}

#[test]
fn a_file_of_levels_that_is_named_twice_is_one_fault() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(folder.path().join("levels")).expect("a folder");
    fs::write(folder.path().join("levels/two.txt"), "# id: a\nAA...>\n\n# id: b\nAA..>\n").expect("levels");
    let study = "[study]\nname = \"twice\"\n[levels]\nfiles = [\"levels\", \"levels/two.txt\"]\n";
    fs::write(folder.path().join("study.toml"), study).expect("a study");
    let checked = plymap(folder.path()).args(["check", "study.toml"]).assert().code(3);
    let said = text(&checked.get_output().stderr);
    assert!(said.contains("this file is read twice") && said.contains("plymap: 1 error"), "{said}");
}

/// Behind a move of 2048 and before the new tile nobody chooses: the position is worth what the move said.
#[test]
fn a_position_before_the_turn_of_chance_can_be_pasted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("begun.txt"), "# target: 32\n2 4\n4 .\n").expect("a level");
    let hint = |state: &[&str]| -> Value {
        let begun = ["hint", "begun.txt", "--game", "2048", "--format", "json"];
        let output = plymap(folder.path()).args(begun).args(state).assert().success();
        serde_json::from_slice(&output.get_output().stdout).expect("JSON")
    };
    let moves = hint(&[])["moves"].as_array().cloned().expect("moves");
    assert_eq!(moves.len(), 2);
    for legal_move in moves {
        let after = legal_move["state_after"].as_str().expect("a position");
        let pasted = hint(&["--state", after]);
        assert_eq!((&pasted["state"], &pasted["points"]), (&legal_move["state_after"], &legal_move["points_after"]));
        let explain = ["explain", "begun.txt", "--game", "2048", "--state", after];
        let said = plymap(folder.path()).args(explain).assert().success();
        assert!(text(&said.get_output().stdout).contains("chance has its turn in this position"));
    }
}

/// Positions stand between single quotes, as a shell hands them over.
#[cfg(unix)]
#[test]
fn positions_can_be_pasted_into_a_shell() {
    let program = assert_cmd::cargo::cargo_bin("plymap");
    for (study, level, state) in [
        ("data/tower_of_hanoi", "three-disks", "-/-/321"),
        ("data/lights_out", "first", "***/***/..*"),
        ("data/2048", "two", "2 . / . 4"),
        ("data/lua/river.toml", "two", "{boat=right hobbits=0 orcs=2}"),
    ] {
        for before in ["hint", "explain"] {
            let line = format!("{} {before} {study} --level {level} --state '{state}'", program.display());
            let output = std::process::Command::new("sh").args(["-c", &line]).current_dir(repository()).output();
            let output = output.expect("a shell");
            assert!(output.status.success(), "{line}: {}", text(&output.stderr));
        }
    }
}

#[test]
fn names_and_numbers_may_begin_with_a_minus() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let levels = "id,board\n-1,AA....>\n--easy,AA...>\n";
    fs::write(folder.path().join("levels.csv"), levels).expect("levels");
    for level in ["-1", "--easy"] {
        let solve = plymap(folder.path()).args(["solve", "levels.csv", "--level", level]).assert().success();
        let said = text(&solve.get_output().stdout);
        assert!(said.starts_with(&format!("level {level}: distance")), "{said}");
    }
    let refused =
        |arguments: &[&str]| text(&plymap(folder.path()).args(arguments).assert().failure().get_output().stderr);
    let misspelt = refused(&["explain", "levels.csv", "--level", "-1", "--thougth"]);
    assert!(misspelt.contains("no option of this command has that name either"), "{misspelt}");
    // An option is not taken for the position.
    plymap(folder.path()).args(["explain", "levels.csv", "--level", "-1", "--thought"]).assert().success();
    let out = folder.path().join("out");
    let out = out.to_str().expect("a path");
    let negative = refused(&["stats", "levels.csv", "--estimator", "median", "--x", "n", "--confidence", "-1"]);
    assert!(negative.contains("the confidence level is -1"), "{negative}");
    let negative = refused(&["diff", out, out, "--relative", "-0.5"]);
    assert!(negative.contains("invalid value '-0.5' for '--relative <X>'"), "{negative}");
    fs::write(folder.path().join("n.csv"), "n\n-3\n2\n").expect("a table");
    let where_ = ["stats", "n.csv", "--estimator", "describe", "--x", "n", "--where", "-n > 2", "--format", "json"];
    let kept = plymap(folder.path()).args(where_).assert().success();
    let kept: Value = serde_json::from_slice(&kept.get_output().stdout).expect("JSON");
    assert_eq!(kept[0]["n"], 1);
}

#[test]
fn rows_that_repeat_participants_are_told_with_what_to_do() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let row = |row: usize| format!("p{},c{},{}\n", row / 3, row / 9, row * 7 % 11);
    let rows: String = (0..18).map(row).collect();
    fs::write(folder.path().join("own.csv"), format!("subject,condition,time_s\n{rows}")).expect("a table");
    let said = |estimator: &str, more: &[&str]| {
        let arguments = ["stats", "own.csv", "--estimator", estimator, "--y", "time_s", "--group", "condition"];
        let output = plymap(folder.path()).args(arguments).args(more).assert();
        text(&output.get_output().stderr)
    };
    let repeated = said("welch", &[]);
    assert!(repeated.contains("18 rows of 6 participants: name --participant subject"), "{repeated}");
    assert!(!said("welch", &["--participant", "subject"]).contains("rows of"));
    assert!(!said("welch", &["--quiet"]).contains("rows of"));
    let other = said("t-test", &[]);
    assert!(other.contains("t-test is the estimator welch") && other.contains("18 rows of 6"), "{other}");
    let ambiguous = said("t-test", &["--participant", "subject"]);
    assert!(ambiguous.contains("\"t-test\" may be welch (") && ambiguous.contains("or wilcoxon ("), "{ambiguous}");
    let none = said("anova", &[]);
    assert!(none.contains("plymap has no \"anova\"; for the same question there are kruskal-wallis ("), "{none}");
}

/// Wherever a path may be written, a backslash in it is explained when there is nothing of that name.
#[cfg(unix)]
#[test]
fn a_path_with_backslashes_is_explained() {
    let (folder, study) = first_study();
    let said = |arguments: &[&str]| {
        let output = plymap(folder.path()).args(arguments).assert().failure();
        let output = output.get_output();
        // Diagnostics are wrapped.
        format!("{}{}", text(&output.stdout), text(&output.stderr)).replace("\n  | ", " ")
    };
    for arguments in [
        &["run", r"first\study.toml"][..],
        &["check", r"first\study.toml"],
        &["stats", r"first\study.toml"],
        &["solve", r"first\levels\level-1.txt"],
        &["map", r"first\levels"],
        &["lights-out", "column-search", r"first\levels"],
        &["stats", r"out\trials.csv", "--estimator", "median", "--x", "time_s"],
        &["diff", r"out\one", "out"],
        &["verify", r"out\one"],
        &["import", r"first\logs\moves.csv", "--levels", "first/levels", "--preview"],
        &["import", r"raw\*.csv", "--levels", "first/levels", "--preview"],
        &["import", "first/logs/moves.csv", "--levels", r"first\levels", "--preview"],
        &["solve", "first/levels/level-1.txt", "--game", r"games\own.lua"],
        &["merge", "first", "--shards", r"out\shards"],
    ] {
        let said = said(arguments);
        assert!(said.contains("a backslash is part of a name here: write / between folders"), "{arguments:?}: {said}");
    }
    let written = fs::read_to_string(&study).expect("a study");
    for (files, explained) in [
        (r#""logs\\moves.csv""#, "a backslash is part of a name here"),
        (r"'logs\moves.csv'", "a backslash is part of a name here"),
        (r#""logs\moves.csv""#, "a backslash in double quotes begins an escape"),
        (r#""C:\Users\moves.csv""#, "a backslash in double quotes begins an escape"),
        (r#""logs\new.csv""#, "a backslash in double quotes begins an escape"),
    ] {
        fs::write(&study, written.replace("\"logs/moves.csv\"", files)).expect("a study");
        let said = said(&["check", "first"]);
        assert!(said.contains(explained) && said.contains("/ between"), "{files}: {said}");
    }
}

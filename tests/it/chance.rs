//! Logs of a game of chance: what must be told, and what becomes of a log that does not tell it.

use std::fs;

use tempfile::TempDir;

use crate::common::program;

/// A study of 2048 with one level, and a log of these rows: attempt, event, action, state_before, state_after.
fn study(level: &str, rules: &str, rows: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).expect("a file");
    write("levels.txt", format!("# id: one\n{level}\n"));
    let rows: String = rows.lines().map(|row| format!("anna,one,{row},1.5\n")).collect();
    write("log.csv", format!("participant,level,attempt,event,action,state_before,state_after,rt_s\n{rows}"));
    write(
        "study.toml",
        format!(
            "[study]\nname = \"chance\"\n[levels]\ngame = \"2048\"\nfiles = [\"levels.txt\"]\n\
             [log]\nfiles = [\"log.csv\"]\n{rules}"
        ),
    );
    folder
}

fn plymap(folder: &TempDir, arguments: &[&str]) -> (String, bool) {
    let output = program().current_dir(folder.path()).args(arguments).output().expect("it runs");
    (String::from_utf8(output.stdout).expect("UTF-8"), output.status.success())
}

/// One column of the labelled moves, by its name.
fn column(folder: &TempDir, name: &str) -> Vec<String> {
    let (text, _) = plymap(folder, &["label", ".", "--format", "tsv"]);
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    let index = header.iter().position(|column| *column == name).unwrap_or_else(|| panic!("{name} in {header:?}"));
    lines.map(|fields| fields[index].to_owned()).collect()
}

fn noticed(folder: &TempDir) -> String {
    let (said, _) = plymap(folder, &["check", "."]);
    // These logs do not number their moves, which is remarked.
    said.lines().filter(|line| !line.contains("move-index-derived")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_new_tile_may_be_told_or_found_in_the_position_after_it() {
    let in_action = study("2 .\n. 2", "", "1,move,left+2@b1,,\n1,move,up+4@a2,,");
    let recorded = study("2 .\n. 2", "", "1,move,left,,2 2 / 2 .\n1,move,up,,4 2 / 4 .");
    assert_eq!(column(&in_action, "state_after"), ["2 2 / 2 .", "4 2 / 4 ."]);
    assert_eq!(column(&recorded, "state_after"), column(&in_action, "state_after"));
    assert_eq!(column(&in_action, "gain"), ["0", "4"]);
    assert_eq!(noticed(&in_action), "");
}

#[test]
fn a_log_without_tiles_is_refused_even_where_illegal_moves_are_kept() {
    for rules in ["", "illegal_moves = \"keep\"\n"] {
        let folder = study("2 .\n. 2", rules, "1,move,left,,\n1,move,right,,\n1,move,up,,");
        assert_eq!(column(&folder, "quality"), Vec::<String>::new(), "{rules}");
        let said = noticed(&folder);
        assert!(said.contains("unreadable-move") && said.contains("tile"), "{rules}{said}");
    }
}

#[test]
fn a_log_that_contradicts_itself_is_refused() {
    let folder = study("2 .\n. 2", "", "1,move,left+2@b1,,2 . / 2 2");
    assert!(noticed(&folder).contains("position-mismatch"), "{}", noticed(&folder));
    let folder = study("2 .\n. 2", "", "1,move,left,,4 4 / 4 4");
    assert!(noticed(&folder).contains("no outcome of it is 4 4 / 4 4"), "{}", noticed(&folder));
}

/// On the board 2 4 / . . a swipe up moves nothing; kept, it has the value of where it was made.
#[test]
fn kept_illegal_moves_change_nothing() {
    let rows = "1,move,down,,\n1,move,right+2@a1,,";
    let folder = study("2 4\n. .", "illegal_moves = \"keep\"\n", rows);
    let folder_up = study("2 4\n. .", "illegal_moves = \"keep\"\n", "1,move,up,,\n1,move,down+2@a1,,");
    assert_eq!(column(&folder_up, "quality")[0], "illegal");
    assert_eq!(column(&folder_up, "value_before")[0], column(&folder_up, "value_after")[0]);
    assert_eq!(column(&folder, "quality"), Vec::<String>::new(), "down is legal, and its tile is missing");
}

#[test]
fn a_drawn_start_must_be_told() {
    let untold = study("2x2", "", "1,move,left+2@b1,,");
    assert!(noticed(&untold).contains("missing-start"), "{}", noticed(&untold));
    let with_start = study("2x2", "", "1,start,,,2 . / . 2\n1,move,left+2@b1,,");
    assert_eq!((column(&with_start, "state_before")[1].as_str(), noticed(&with_start).as_str()), ("2 . / . 2", ""));
    let impossible = study("2x2", "", "1,move,left+2@b2,8 4 / . 2,");
    assert!(noticed(&impossible).contains("chance cannot draw"), "{}", noticed(&impossible));
}

/// Each attempt is a game: all of them are measured, and a lost one reaches no target.
#[test]
fn a_lost_game_reaches_no_target() {
    let rows = "1,move,left+2@b1,. 4 / 2 4,\n2,move,left+2@b1,. 4 / 2 4,";
    let folder = study("# target: 8\n. 4\n2 4", "", rows);
    let (trials, _) = plymap(&folder, &["stats", ".", "--table", "trials", "--format", "json"]);
    let trials: serde_json::Value = serde_json::from_str(&trials).expect("JSON");
    let trial = &trials[0];
    let shown = ["finished", "n_attempts", "n_moves", "n_reached_target"].map(|name| trial[name].to_string());
    assert_eq!(shown, ["true", "2", "2", "0"], "{trial}");
}

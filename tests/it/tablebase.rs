//! `plymap tablebase`, and `plymap hint --tablebase`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::common::{program, python, repository};

const EIGHT: &str = "1 2 3\n4 5 6\n7 0 8\n";

/// What the program says in a folder.
fn plymap(folder: &Path, arguments: &[&str]) -> Output {
    program().current_dir(folder).args(arguments).output().expect("runs")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn folder_with(levels: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in levels {
        fs::write(folder.path().join(name), text).expect("a level");
    }
    folder
}

#[test]
fn a_hint_from_a_tablebase_is_that_of_the_map() {
    let folder = folder_with(&[("eight.txt", EIGHT)]);
    let made = plymap(
        folder.path(),
        &["tablebase", "eight.txt", "--game", "sliding-tiles", "--out", "tables/eight", "--format", "json"],
    );
    assert_eq!(made.status.code(), Some(0), "{}", said(&made));
    let numbers: Value = serde_json::from_slice(&made.stdout).expect("JSON");
    assert_eq!(numbers["farthest"], json!(["6 4 7/8 5 ./3 2 1", "8 6 7/2 5 4/3 . 1"]));
    assert_eq!(numbers["n_positions"][31], 2);
    assert!(
        said(&made)
            .starts_with("level \"eight\": 181,440 positions reach a goal, the start in 1 moves, in tables/eight"),
        "{}",
        said(&made)
    );
    for state in ["8 6 7/2 5 4/3 . 1", "1 2 3/4 5 6/7 8 .", "1 2 3/4 5 6/. 7 8"] {
        let hint = |more: &[&str]| -> Value {
            let arguments = ["hint", "eight.txt", "--game", "sliding-tiles", "--state", state, "--format", "json"];
            let hint = plymap(folder.path(), &[&arguments, more].concat());
            assert_eq!(hint.status.code(), Some(0), "{}", said(&hint));
            serde_json::from_slice(&hint.stdout).expect("JSON")
        };
        let (mut looked_up, found) = (hint(&["--tablebase", "tables/eight"]), hint(&[]));
        assert_eq!(looked_up["method"], "tablebase");
        looked_up["method"] = found["method"].clone();
        assert_eq!(looked_up, found);
    }
    // Of the table of numbers the rows are distances, and the farthest positions follow.
    let table = plymap(folder.path(), &["tablebase", "eight.txt", "--game", "sliding-tiles", "--farthest", "1"]);
    let table = String::from_utf8(table.stdout).expect("text");
    assert!(
        table.contains("distance") && table.ends_with("\nfarthest positions, 1 of 2:\n6 4 7/8 5 ./3 2 1\n"),
        "{table}"
    );
}

#[test]
fn what_a_tablebase_cannot_do_is_said() {
    let folder = folder_with(&[("eight.txt", EIGHT), ("other.txt", "1 2 3 4\n5 6 0 7\n"), ("x.lua", "")]);
    let refused = |arguments: &[&str]| {
        let output = plymap(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", said(&output));
        said(&output)
    };
    let tiles = ["--game", "sliding-tiles"];
    let make = [&["tablebase", "eight.txt", "--out", "eight"], &tiles[..]].concat();
    assert_eq!(plymap(folder.path(), &make).status.code(), Some(0));
    let whole = fs::read(folder.path().join("eight")).expect("a file");
    assert!(refused(&make).contains("eight is there already: go on with it by --resume, or name another file"));
    assert_eq!(plymap(folder.path(), &[&make[..], &["--resume"]].concat()).status.code(), Some(0));
    assert!(fs::read(folder.path().join("eight")).expect("a file") == whole);
    let text = refused(&[&["hint", "other.txt", "--tablebase", "eight"], &tiles[..]].concat());
    assert!(text.contains("eight is the tablebase of another level: what can move where differs"), "{text}");
    let text = refused(&[&["hint", "eight.txt", "--tablebase", "none"], &tiles[..]].concat());
    assert!(text.contains("cannot read none: No such file"), "{text}");
    let text = refused(&[&["tablebase", "eight.txt", "--memory", "0.00001"], &tiles[..]].concat());
    assert!(
        text.contains("level \"eight\": a table of 362880 positions takes ")
            && text.contains("allows 11 KiB: give it 0.01"),
        "{text}"
    );
    assert!(!folder.path().join("new").exists());
}

/// Reads tables in Python by what the page of the crate says of files, and finds every distance by a search of its own.
#[test]
fn a_second_reading_in_python_finds_the_same_distances() {
    let folder = folder_with(&[
        ("eight.txt", EIGHT),
        ("panguru.txt", "   W\n  A A\n B B C\nC D D E\n   -\n  E D\n D C C\nB B A A\n"),
    ]);
    for (level, game) in [("eight.txt", "sliding-tiles"), ("panguru.txt", "panguru")] {
        for bits in ["2", "8"] {
            let file = format!("{game}-{bits}");
            let made = plymap(folder.path(), &["tablebase", level, "--game", game, "--out", &file, "--bits", bits]);
            assert_eq!(made.status.code(), Some(0), "{}", said(&made));
            let checked = Command::new(python())
                .arg(repository().join("tests/oracles/tablebase.py"))
                .arg(folder.path().join(&file))
                .output()
                .expect("runs");
            let said = String::from_utf8_lossy(&checked.stdout).into_owned() + &said(&checked);
            let n_positions = if game == "panguru" { 226_800 } else { 181_440 };
            assert!(said.starts_with(&format!("{n_positions} distances agree\n")), "{said}");
        }
    }
}

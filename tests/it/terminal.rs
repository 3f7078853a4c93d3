//! Texts of files are shown on a terminal and not obeyed, and come out of a pipe as they are.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

/// Sets the title of the window, begins a colour in one byte, and turns the direction of text around.
const EVIL: &str = "e\u{1b}]0;owned\u{7}v\u{9b}31mi\u{202e}l";

/// The same as it is shown.
const SHOWN: &str = "e\\u001b]0;owned\\u0007v\\u009b31mi\\u202el";

const BOARD: &str = "BB...G\nE..H.G\nEAAH.G>\nE..H..\nF...CC\nF.DDD.\n";

/// A first study in which the level, a participant and the condition have evil names.
fn evil_study() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    plymap(folder.path(), &["init", "first"]);
    let first = folder.path().join("first");
    fs::remove_file(first.join("levels/level-1.txt")).expect("a level");
    let levels = format!("id,board\n\"{EVIL}\",\"{BOARD}\"\n");
    fs::write(first.join("levels/levels.csv"), levels).expect("levels");
    let log = first.join("logs/moves.csv");
    let text = fs::read_to_string(&log).expect("a log").replace("level-1", EVIL).replace("ben", EVIL);
    fs::write(&log, format!("{text}{EVIL},unknown{EVIL},1,A+1,5\n")).expect("a log");
    folder
}

/// Runs a command; returns its standard output and standard error, as they come out of pipes.
fn plymap(folder: &Path, arguments: &[&str]) -> (String, String) {
    let mut program = Command::cargo_bin("plymap").expect("the program");
    let output = program.current_dir(folder).args(arguments).output().expect("an output");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (text(output.stdout), text(output.stderr))
}

/// Returns the characters that a terminal would obey.
fn obeyed(text: &str) -> Vec<char> {
    let is_obeyed = |letter: &char| letter.is_control() || ('\u{202a}'..='\u{202e}').contains(letter);
    text.chars().filter(is_obeyed).filter(|letter| !['\n', '\t'].contains(letter)).collect()
}

/// Returns true if some of it is shown, as plymap writes it or as Rust does in quotes and tables; clap drops the first
/// half.
fn is_shown(text: &str) -> bool {
    ["\\u001b]0;owned", "\\u{1b}]0;owned", "\\u009b31mi"].iter().any(|shown| text.contains(shown))
}

#[test]
fn messages_and_words_show_what_a_terminal_would_obey() {
    let study = evil_study();
    let folder = study.path();
    let odd = folder.join(format!("{EVIL}.txt"));
    fs::write(&odd, format!("{BOARD}{EVIL}\n")).expect("a level");
    let odd = odd.file_name().and_then(|name| name.to_str()).expect("a name");
    for arguments in [
        vec!["check", "first"],
        vec!["run", "first", "--out", "out"],
        vec!["solve", "first/levels/levels.csv"],
        vec!["explain", "first/levels/levels.csv"],
        vec!["solve", "first", "--level", EVIL],
        vec!["hint", "first", "--level", "none"],
        // The name of the file, the text of its level and the argument itself.
        vec!["solve", odd],
        vec!["map", odd],
        vec!["run", odd],
        vec!["verify", EVIL],
        vec![EVIL],
        vec!["figures", "first", "--only", EVIL],
        vec!["import", "first/logs/moves.csv", "--levels", "first/levels", "--preview"],
        vec!["stats", "first", "--table", EVIL],
    ] {
        let (stdout, stderr) = plymap(folder, &arguments);
        let both = format!("{stdout}{stderr}");
        assert_eq!(obeyed(&both), [] as [char; 0], "{arguments:?}: {both:?}");
        assert!(is_shown(&both), "{arguments:?}: {both}");
    }
}

#[test]
fn data_in_a_pipe_are_as_the_files_have_them() {
    let study = evil_study();
    let (csv, _) = plymap(study.path(), &["label", "first"]);
    assert!(csv.contains(EVIL) && !csv.contains(SHOWN), "{csv:?}");
    let (json, _) = plymap(study.path(), &["label", "first", "--format", "json"]);
    let rows: Vec<serde_json::Value> = serde_json::from_str(&json).expect("JSON");
    assert_eq!(rows[0]["level"], EVIL);
}

/// Runs commands in a terminal; nothing where the system has no `script` as util-linux has it.
fn in_terminal(folder: &Path, command: &str) -> Option<String> {
    let output = std::process::Command::new("script")
        .args(["--quiet", "--return", "--command", command, "/dev/null"])
        .current_dir(folder)
        .env("TERM", "xterm")
        .env("SHELL", "/bin/sh")
        .stdin(std::process::Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let is_other = !output.status.success() && text.is_empty();
    // A terminal ends lines with two characters.
    (!is_other).then(|| text.replace("\r\n", "\n"))
}

#[test]
fn data_on_a_terminal_show_what_it_would_obey() {
    let study = evil_study();
    let program = assert_cmd::cargo::cargo_bin("plymap");
    let run = |arguments: &str| in_terminal(study.path(), &format!("{} --quiet {arguments}", program.display()));
    if in_terminal(study.path(), "test -t 1 && echo it is one").is_none_or(|said| said != "it is one\n") {
        eprintln!("SKIPPED: there is no `script` to make a terminal");
        return;
    }
    for arguments in
        ["label first", "label first --format json", "stats first --table trials", "solve first --format json"]
    {
        let said = run(arguments).expect("a terminal");
        assert!(is_shown(&said), "{arguments}: {said:?}");
        assert_eq!(obeyed(&said), [] as [char; 0], "{arguments}: {said:?}");
    }
    // Diagnostics have colours of their own there.
    fs::write(study.path().join("bad.txt"), format!("{BOARD}{EVIL}\n")).expect("a level");
    let said = run("solve bad.txt").expect("a terminal");
    assert!(said.contains(SHOWN) && said.contains("\u{1b}["), "{said:?}");
    assert!(!said.contains("\u{1b}]") && !said.contains(['\u{7}', '\u{9b}', '\u{202e}']), "{said:?}");
}

/// Runs a command on a terminal that is so many columns wide; returns what it prints.
fn on_terminal(folder: &Path, columns: usize, arguments: &str) -> Option<String> {
    let program = assert_cmd::cargo::cargo_bin("plymap");
    in_terminal(folder, &format!("stty cols {columns} rows 40; {} --quiet {arguments}", program.display()))
}

/// The lines that are wider than a terminal, but for those that are one word, such as a position that is to be copied.
fn overflowing(text: &str, columns: usize) -> Vec<&str> {
    let is_wider = |line: &&str| textwrap::core::display_width(line) > columns;
    text.lines().filter(is_wider).filter(|line| line.trim().contains(' ')).collect()
}

#[test]
fn tables_fit_the_terminal_and_nothing_of_them_is_cut() {
    let folder = tempfile::tempdir().expect("a folder");
    plymap(folder.path(), &["init", "first"]);
    fs::write(folder.path().join("wide.txt"), "**********\n".repeat(10)).expect("a level");
    if in_terminal(folder.path(), "stty cols 80; stty size").is_none_or(|said| !said.contains(" 80")) {
        eprintln!("SKIPPED: there is no `script` or `stty` to make a terminal");
        return;
    }
    for arguments in [
        "hint first/levels/level-1.txt",
        "explain first/levels/level-1.txt",
        "explain first/levels/level-1.txt --thought",
        "solve first/levels/level-1.txt",
        "solve wide.txt --game lights-out",
        "check first",
        "stats first --table trials",
        "stats first --table level_play",
        "stats first --table correlations",
        "stats first",
        "stats --list-estimators",
        "label first --format table",
        "lights-out survey --max 4",
        "lights-out survey --max 4 --table patterns",
        "run first --out run --only description",
        "diff run run",
    ] {
        let whole =
            words(&plymap(folder.path(), &[&["--quiet"], &arguments.split(' ').collect::<Vec<_>>()[..]].concat()).0);
        for columns in [60, 80, 120] {
            let said = on_terminal(folder.path(), columns, arguments).expect("a terminal");
            assert_eq!(overflowing(&said, columns), [""; 0], "{arguments} at {columns} columns");
            // Names of columns may be broken, and numbers of blocks are added; what stands in the cells is there as it is.
            let shown = words(&said);
            let missing: Vec<_> = whole.iter().filter(|word| !shown.contains(*word) && !word.contains('_')).collect();
            assert_eq!(missing, [] as [&String; 0], "{arguments} at {columns} columns");
        }
    }
}

/// All words of a text but rules.
fn words(text: &str) -> std::collections::HashSet<String> {
    text.split_whitespace().filter(|word| !word.starts_with('─')).map(str::to_owned).collect()
}

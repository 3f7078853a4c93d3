//! The doctor: what is odd about a log as a whole is said, and what is not odd is not.

use std::path::Path;

use plymap::doctor::Anomaly;
use plymap::run::{play, study_levels};
use plymap::study::Study;
use plymap_puzzles::progress::Silent;

const BOARD: &str = "......\n..B...\nAAB...\n......\n......\n......\n";

/// A study of one level that two moves solve, with a log and entries of `[log]`, in a folder.
fn write(folder: &Path, log: &str, entries: &str) -> Study {
    let toml =
        format!("[study]\nname = \"odd\"\n[levels]\nfiles = [\"easy.txt\"]\n[log]\nfiles = [\"log.csv\"]\n{entries}\n");
    for (name, text) in [("easy.txt", BOARD), ("log.csv", log), ("study.toml", &toml)] {
        std::fs::write(folder.join(name), text).expect("a file");
    }
    Study::read(folder).unwrap_or_else(|error| panic!("{error}"))
}

fn odd(log: &str, entries: &str) -> Vec<Anomaly> {
    let folder = tempfile::tempdir().expect("a folder");
    let study = write(folder.path(), log, entries);
    let (levels, _) = study_levels(&study, &Silent).expect("a level");
    play(&study, &levels, &Silent).expect("a readable log").expect("a log").anomalies
}

fn codes(found: &[Anomaly]) -> Vec<(&str, u64, u64)> {
    found.iter().map(|anomaly| (anomaly.code.as_str(), anomaly.n, anomaly.of)).collect()
}

/// Twenty people who solve the level in two moves, with these times and, where `events` says so, a start.
fn solved(first: &str, second: &str) -> String {
    let rows: String = (1..=20).map(|n| format!("P{n},easy,move,B+2,{first}\nP{n},easy,move,A+4,{second}\n")).collect();
    format!("participant,level,event,action,rt_s\n{rows}")
}

#[test]
fn a_log_in_order_has_nothing_odd() {
    assert_eq!(odd(&solved("5.2", "1.3"), ""), []);
}

/// Milliseconds read as seconds: an hour between two moves, and nobody says a word.
#[test]
fn a_wrong_unit_is_seen_and_the_right_one_named() {
    let found = odd(&solved("5200", "1300"), "");
    assert_eq!(codes(&found), [("implausible-times", 20, 20), ("idle-gaps", 40, 40)]);
    assert_eq!((found[0].n_trials, found[0].n_participants), (20, 20));
    assert_eq!(found[0].first, ["log.csv:3", "log.csv:5", "log.csv:7"]);
    assert!(
        found[0].advice.contains("with unit = \"ms\" instead of seconds the median would be 1.30 s"),
        "{}",
        found[0]
    );
    let found = odd(&solved("5.2", "1.3"), "[columns]\nrt = { column = \"rt_s\", unit = \"ms\" }");
    assert!(found[0].advice.contains("with unit = \"s\" instead of \"ms\" the median would be 1.30 s"), "{}", found[0]);
}

/// Times are lost behind a gap, and a running clock has no first-move latency.
#[test]
fn times_that_are_missing_are_counted() {
    let log = "participant,level,move_index,action,onset_s\nP1,easy,0,B+1,10\nP1,easy,2,B+1,12\nP1,easy,3,A+4,13\n";
    let found = odd(log, "");
    assert_eq!(codes(&found), [("missing-times", 1, 2), ("missing-first-move-latencies", 1, 1)]);
    assert_eq!(
        (found[0].first.clone(), found[1].first.clone()),
        (vec!["log.csv:3".to_owned()], vec!["log.csv:2".to_owned()])
    );
    assert!(found[1].advice.contains("clock = \"trial\""));
    assert_eq!(odd(log, "clock = \"trial\"").len(), 1);
    let without = log.replace("onset_s", "clock_time");
    assert_eq!(codes(&odd(&without, "")), [("no-times", 3, 3)]);
}

/// Ten give-ups that cannot be read do not turn 80 % solved into 100 %.
#[test]
fn lost_outcomes_leave_bounds() {
    let lost: String = (21..=25).map(|n| format!("P{n},easy,move,B+2,2\nP{n},easy,quit,,1\n")).collect();
    let found = odd(&(solved("5.2", "1.3") + &lost), "");
    assert_eq!(codes(&found), [("unknown-outcomes", 5, 25)]);
    assert_eq!(
        found[0].message,
        "the outcome of 5 of 25 trials is not known, for rows of them were left out: between 80.0 % and 100.0 % were solved"
    );
    let known = odd(&(solved("5.2", "1.3") + &lost), "[log.events]\nquit = \"give_up\"");
    assert_eq!(known, []);
}

#[test]
fn haste_and_breaks_are_counted() {
    let log = solved("5.2", "1.3").replacen("1.3", "0.01", 1).replacen("5.2", "900", 2);
    assert_eq!(codes(&odd(&log, "")), [("impossible-speed", 1, 20), ("idle-gaps", 2, 40)]);
}

/// A run above the stated share of unused rows writes nothing and has its own exit code; `check` says what is odd.
#[test]
fn the_commands_tell_by_their_exit_codes() {
    let folder = tempfile::tempdir().expect("a folder");
    let plymap = || assert_cmd::Command::new(env!("CARGO_BIN_EXE_plymap"));
    write(folder.path(), &(solved("5.2", "1.3") + "P21,easy,quit,,1\n"), "max_unused = 0.02");
    let out = folder.path().join("out");
    let run = plymap().args(["run", &folder.path().display().to_string(), "--out"]).arg(&out).assert().code(5);
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(said.contains("1 of 41 rows of the logs were rejected or excluded, more than max_unused = 0.02"), "{said}");
    assert!(!out.exists());
    write(folder.path(), &solved("5200", "1300"), "");
    let check = plymap().arg("check").arg(folder.path()).assert().code(3);
    assert!(String::from_utf8_lossy(&check.get_output().stdout).starts_with("implausible-times: "));
    write(folder.path(), &solved("5.2", "900"), "");
    let check = plymap().arg("check").arg(folder.path()).assert().code(3);
    assert!(String::from_utf8_lossy(&check.get_output().stdout).contains("idle-gaps"));
    write(folder.path(), &solved("900", "1.3"), "");
    let check = plymap().arg("check").arg(folder.path()).assert().success();
    assert!(
        String::from_utf8_lossy(&check.get_output().stderr)
            .contains("can be run; 1 oddity of its log should be looked at")
    );
}

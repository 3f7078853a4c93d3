//! The doctor: what is odd about a log as a whole is said, and what is not odd is not.

use std::path::Path;

use plymap_measures::doctor::Anomaly;
use plymap_puzzles::progress::Silent;
use plymap_run::study::Study;
use plymap_run::{play, study_levels};

use crate::common::program;

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

fn codes(anomalies: &[Anomaly]) -> Vec<(&str, u64, u64)> {
    anomalies.iter().map(|anomaly| (anomaly.code.as_str(), anomaly.n, anomaly.of)).collect()
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
    let anomalies = odd(&solved("5200", "1300"), "");
    assert_eq!(codes(&anomalies), [("implausible-times", 20, 20), ("idle-gaps", 40, 40)]);
    assert_eq!((anomalies[0].n_trials, anomalies[0].n_participants), (20, 20));
    assert_eq!(anomalies[0].first, ["log.csv:3", "log.csv:5", "log.csv:7"]);
    assert!(
        anomalies[0].advice.contains("with unit = \"ms\" instead of seconds the median would be 1.30 s"),
        "{}",
        anomalies[0]
    );
    let anomalies = odd(&solved("5.2", "1.3"), "[columns]\nrt = { column = \"rt_s\", unit = \"ms\" }");
    assert!(
        anomalies[0].advice.contains("with unit = \"s\" instead of \"ms\" the median would be 1.30 s"),
        "{}",
        anomalies[0]
    );
}

/// Times are lost behind a gap, and a running clock has no first-move latency.
#[test]
fn times_that_are_missing_are_counted() {
    let log = "participant,level,move_index,action,onset_s\nP1,easy,0,B+1,10\nP1,easy,2,B+1,12\nP1,easy,3,A+4,13\n";
    let anomalies = odd(log, "");
    assert_eq!(codes(&anomalies), [("missing-times", 1, 2), ("missing-first-move-latencies", 1, 1)]);
    assert_eq!(
        (anomalies[0].first.clone(), anomalies[1].first.clone()),
        (vec!["log.csv:3".to_owned()], vec!["log.csv:2".to_owned()])
    );
    assert!(anomalies[1].advice.contains("clock = \"trial\""));
    assert_eq!(odd(log, "clock = \"trial\"").len(), 1);
    let without = log.replace("onset_s", "clock_time");
    let anomalies = odd(&without, "");
    assert_eq!(codes(&anomalies), [("no-times", 3, 3)]);
    assert!(anomalies[0].advice.ends_with("name the column of times as rt or onset in [columns]"), "{}", anomalies[0]);
}

/// One of each: no plural; and a study of which only the times are wrong has a verdict.
#[test]
fn check_counts_one_and_ends_with_a_verdict() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "participant,level,action,rt_s\nP1,easy,B+1,0\nP1,easy,B+1,0\n", "");
    let checked = program().arg("check").arg(folder.path()).assert().code(3);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("a text");
    let said = text(&checked.get_output().stdout);
    assert!(said.contains("(1 of 1 move, in 1 trial of 1 participant; first at log.csv:3)"), "{said}");
    let rows = "participant,level,move_index,action,rt_s\nP1,easy,0,B+2,0\nP1,easy,1,A+4,0\n";
    for (log, verdict) in [
        (rows.to_owned(), "plymap: study \"odd\": what is said above has to be mended\n"),
        (
            rows.replace("0,B", "1,B").replace("1,A", "2,A"),
            "has to be mended; 1 notice on rows that are used as they are\n",
        ),
    ] {
        write(folder.path(), &log, "");
        let checked = program().arg("check").arg(folder.path()).assert().code(3);
        let said = text(&checked.get_output().stderr);
        assert!(said.ends_with(verdict), "{said}");
    }
}

/// A column of times that is there is not asked for: its first cell that is no time is named.
#[test]
fn times_that_no_cell_tells_are_not_looked_for_in_another_column() {
    let anomalies = odd(&solved("", ""), "");
    assert_eq!(codes(&anomalies), [("no-times", 40, 40)]);
    assert!(anomalies[0].advice.contains("the column \"rt_s\" is empty in every row"), "{}", anomalies[0]);
    let anomalies = odd(&solved("-5.2", "-1.3"), "");
    assert_eq!(codes(&anomalies), [("no-times", 40, 40)]);
    let said = "the column \"rt_s\" has no time that can be used; the first is \"-5.2\" in row 2 of log.csv: a time cannot be negative";
    assert!(anomalies[0].advice.contains(said), "{}", anomalies[0]);
    let log = "participant,level,action,onset_s\nP1,easy,B+1,10\nP2,easy,B+1,12\n";
    let anomalies = odd(log, "");
    assert!(anomalies[0].advice.contains("needs two rows of an attempt"), "{}", anomalies[0]);
}

/// Ten give-ups that cannot be read do not turn 80 % solved into 100 %.
#[test]
fn lost_outcomes_leave_bounds() {
    let lost: String = (21..=25).map(|n| format!("P{n},easy,move,B+2,2\nP{n},easy,quit,,1\n")).collect();
    let anomalies = odd(&(solved("5.2", "1.3") + &lost), "");
    assert_eq!(codes(&anomalies), [("unknown-outcomes", 5, 25)]);
    assert_eq!(
        anomalies[0].message,
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
    write(folder.path(), &(solved("5.2", "1.3") + "P21,easy,quit,,1\n"), "max_unused = 0.02");
    let out = folder.path().join("out");
    let run = program().args(["run", &folder.path().display().to_string(), "--out"]).arg(&out).assert().code(5);
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(said.contains("1 of 41 rows of the logs were rejected or excluded, more than max_unused = 0.02"), "{said}");
    assert!(!out.exists());
    write(folder.path(), &solved("5200", "1300"), "");
    let check = program().arg("check").arg(folder.path()).assert().code(3);
    assert!(String::from_utf8_lossy(&check.get_output().stdout).starts_with("implausible-times: "));
    write(folder.path(), &solved("5.2", "900"), "");
    let check = program().arg("check").arg(folder.path()).assert().code(3);
    assert!(String::from_utf8_lossy(&check.get_output().stdout).contains("idle-gaps"));
    write(folder.path(), &solved("900", "1.3"), "");
    let check = program().arg("check").arg(folder.path()).assert().success();
    assert!(
        String::from_utf8_lossy(&check.get_output().stderr)
            .contains("can be run; 1 oddity of its log should be looked at")
    );
}

/// The same level with another piece, so that no move of the one can be made at the other.
const OTHER: &str = "......\n..C...\nAAC...\n......\n......\n......\n";

/// Returns the anomalies of a log of two levels, `easy` and `other`.
fn odd_of_two(log: &str, entries: &str) -> Vec<Anomaly> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("other.txt"), OTHER).expect("a file");
    let study = write(folder.path(), log, entries);
    let text = std::fs::read_to_string(folder.path().join("study.toml")).expect("a study");
    let text = text.replace("\"easy.txt\"]", "\"easy.txt\", \"other.txt\"]");
    std::fs::write(folder.path().join("study.toml"), text).expect("a file");
    let study = Study::read(&study.folder).unwrap_or_else(|error| panic!("{error}"));
    let (levels, _) = study_levels(&study, &Silent).expect("two levels");
    play(&study, &levels, &Silent).expect("a readable log").expect("a log").anomalies
}

/// One repeated row is a diagnostic of the row; a log that was pasted twice is odd as a whole.
#[test]
fn a_log_that_was_pasted_twice_is_told_once() {
    let rows = "P1,easy,1,0,B+1,1.5\nP1,easy,1,1,B+1,1.2\nP1,easy,1,2,A+4,1.3\n";
    let header = "participant,level,attempt,move_index,action,rt_s\n";
    let anomalies = odd(&format!("{header}{rows}{rows}"), "");
    assert_eq!(codes(&anomalies), [("duplicate-rows", 3, 6)]);
    assert_eq!((anomalies[0].n_trials, anomalies[0].first[0].as_str()), (1, "log.csv:5"));
    assert!(anomalies[0].advice.contains("left out"), "{}", anomalies[0]);
    assert_eq!(odd(&format!("{header}{rows}P1,easy,1,2,A+4,1.3\n"), ""), []);
}

/// Pasted under another attempt, a log counts twice.
#[test]
fn the_same_solve_twice_is_seen() {
    let header = "participant,level,attempt,event,action,rt_s\n";
    let solve =
        |attempt: u32, last: &str| format!("P1,easy,{attempt},move,B+2,5.21\nP1,easy,{attempt},move,A+4,{last}\n");
    let anomalies = odd(&format!("{header}{}{}", solve(1, "1.33"), solve(2, "1.33")), "");
    assert_eq!(codes(&anomalies), [("duplicate-solves", 1, 2)]);
    assert_eq!(anomalies[0].first, ["log.csv:4"]);
    assert_eq!(odd(&format!("{header}{}{}", solve(1, "1.33"), solve(2, "1.34")), ""), []);
    let twice = format!("{header}{}P1,easy,1,solved,,\nP1,easy,1,solved,,\n", solve(1, "1.33"));
    let anomalies = odd(&twice, "");
    assert_eq!(codes(&anomalies), [("duplicate-solves", 1, 1)]);
    assert!(anomalies[0].message.contains("1 solved attempt says solved twice"), "{}", anomalies[0]);
}

#[test]
fn clocks_that_jump_between_trials_are_seen() {
    let header = "participant,level,event,action,onset_s\n";
    let trial = |level: &str, piece: &str, at: f64| {
        format!("P1,{level},start,,{at}\nP1,{level},move,{piece}+2,{}\nP1,{level},move,A+4,{}\n", at + 2.0, at + 3.0)
    };
    let log = |second: f64| format!("{header}{}{}", trial("easy", "B", 100.0), trial("other", "C", second));
    assert_eq!(odd_of_two(&log(110.0), ""), []);
    let anomalies = odd_of_two(&log(0.0), "");
    assert_eq!(codes(&anomalies), [("clock-jumps", 1, 1)]);
    assert!(
        anomalies[0].message.contains("backwards") && anomalies[0].advice.contains("clock = \"trial\""),
        "{}",
        anomalies[0]
    );
    assert_eq!(anomalies[0].first, ["log.csv:5"]);
    assert!(odd_of_two(&log(9000.0), "")[0].message.contains("more than 60 minutes"));
    assert_eq!(odd_of_two(&log(0.0), "clock = \"trial\""), []);
}

/// Participants in two groups, where all others are in one, are a mistake; where all are, it is the experiment.
#[test]
fn participants_in_several_conditions_and_sessions_are_seen() {
    let header = "participant,session,level,action,rt_s,condition\n";
    let trial = |who: u32, session: u32, condition: &str| {
        format!("P{who},{session},easy,B+2,{who}.{session}1\nP{who},{session},easy,A+4,2.5\n")
            .lines()
            .map(|line| format!("{line},{condition}\n"))
            .collect::<String>()
    };
    let others: String = (2..=5).map(|who| trial(who, 1, "calm")).collect();
    let log = format!("{header}{others}{}{}", trial(1, 1, "calm"), trial(1, 2, "hurry"));
    let anomalies = odd(&log, "");
    assert_eq!(codes(&anomalies), [("several-conditions", 1, 5), ("several-sessions", 1, 5)]);
    assert_eq!((anomalies[0].n_trials, anomalies[0].first.clone()), (1, vec!["log.csv:12".to_owned()]));
    let within: String = (1..=5).map(|who| trial(who, 1, "calm") + &trial(who, 2, "hurry")).collect();
    assert_eq!(odd(&format!("{header}{within}"), ""), []);
}

#[test]
fn outcomes_that_the_replay_contradicts_are_counted() {
    let header = "participant,level,event,action,rt_s\n";
    let log = format!(
        "{header}P1,easy,move,B+2,2\nP1,easy,solved,,\nP2,easy,move,B+2,2\nP2,easy,move,A+4,2\nP2,easy,give_up,,\n\
         P3,easy,move,B+2,2\nP3,easy,move,A+4,2\nP3,easy,solved,,\n"
    );
    let anomalies = odd(&log, "");
    assert_eq!(codes(&anomalies), [("outcome-contradicts-replay", 2, 3)]);
    assert_eq!(anomalies[0].first, ["log.csv:3", "log.csv:6"]);
    let column = "participant,level,action,rt_s,solved\nP1,easy,B+2,2,true\nP2,easy,B+2,2,false\nP2,easy,A+4,2,false\n\
                  P3,easy,B+2,2,false\nP3,easy,A+4,2,true\n";
    assert_eq!(codes(&odd(column, "")), [("outcome-contradicts-replay", 2, 3)]);
    // That somebody solved a level may stand in rows that are left out alone; where it stands in others, too, it counts.
    let rows = "participant,level,event,action,rt_s,solved\nP1,easy,move,B+2,2,false\nP1,easy,move,A+4,2,false\n\
                P1,easy,end,,,true\n";
    assert_eq!(odd(rows, "events = { end = \"ignore\" }"), []);
    assert_eq!(odd(rows, "events = { end = \"solved\" }"), []);
    let others = format!("{rows}P2,easy,move,B+2,2,false\nP2,easy,move,A+4,2,true\n");
    assert_eq!(codes(&odd(&others, "events = { end = \"ignore\" }")), [("outcome-contradicts-replay", 1, 2)]);
}

#[test]
fn null_moves_among_kept_illegal_moves_are_counted() {
    let log = "participant,level,action,rt_s\nP1,easy,B+0,1\nP1,easy,A+3,1\nP1,easy,B+2,2\nP1,easy,A+4,2\n";
    let anomalies = odd(log, "illegal_moves = \"keep\"");
    assert_eq!(codes(&anomalies), [("null-drags-kept", 1, 2)]);
    assert!(anomalies[0].advice.contains("null_moves = \"drop\""));
    assert_eq!(odd(log, "illegal_moves = \"keep\"\nnull_moves = \"drop\""), []);
}

/// Wherever the table is cut: the time of an action that changed nothing belongs to the move behind it, in its own piece or
/// not.
#[test]
fn pieces_of_moves_are_those_of_the_whole_table() {
    let log = "participant,level,action,rt_s\nP1,easy,B+0,2\nP1,easy,B+2,1\nP1,easy,A+4,2\n";
    let folder = tempfile::tempdir().expect("a folder");
    let study = write(folder.path(), log, "null_moves = \"drop\"");
    let (levels, _) = study_levels(&study, &Silent).expect("a level");
    let play = play(&study, &levels, &Silent).expect("a readable log").expect("a log");
    let all = play.all_moves(&levels).expect("a table").data;
    let times: Vec<Option<f64>> = all.column("rt_s").unwrap().f64().unwrap().iter().collect();
    assert_eq!(times, [None, Some(3.0), Some(2.0)]);
    for cut in 0..=3 {
        let mut joined = play.moves(0..cut, &levels).expect("a table").data;
        joined.vstack_mut(&play.moves(cut..3, &levels).expect("a table").data).expect("the same columns");
        assert!(joined.equals_missing(&all), "cut at {cut}: {joined} is not {all}");
    }
}

/// The log changes the level one move too late, or one too early.
#[test]
fn moves_under_the_wrong_trial_are_seen() {
    let header = "participant,level,action,rt_s\n";
    let late = format!("{header}P1,easy,B+1,2\nP1,easy,C+2,2\nP1,other,A+4,2\n");
    let anomalies = odd_of_two(&late, "");
    let wrong = anomalies.iter().find(|anomaly| anomaly.code == "wrong-trial").expect("it is seen");
    assert_eq!((wrong.n, wrong.of, wrong.first.clone()), (1, 2, vec!["log.csv:3".to_owned()]));
    assert!(wrong.message.contains("just before (0) or behind it (1)"), "{wrong}");
    let early = format!("{header}P1,easy,B+1,2\nP1,other,B+1,2\nP1,other,C+2,2\n");
    let anomalies = odd_of_two(&early, "");
    let wrong = anomalies.iter().find(|anomaly| anomaly.code == "wrong-trial").expect("it is seen");
    assert!(wrong.message.contains("just before (1) or behind it (0)"), "{wrong}");
    let neither = format!("{header}P1,easy,B+1,2\nP1,easy,D+2,2\nP1,other,C+2,2\n");
    assert!(odd_of_two(&neither, "").iter().all(|anomaly| anomaly.code != "wrong-trial"));
}

/// All that a run wrote, as text where it is text.
fn written(folder: &Path) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => text += &written(&path),
            false => text += &String::from_utf8_lossy(&std::fs::read(&path).expect("a file")),
        }
    }
    text
}

/// A run of a study into the folder `out` beside it: what it said, and what it wrote.
fn run_of(folder: &Path) -> (String, String) {
    let run = program().arg("run").arg(folder).arg("--out").arg(folder.join("out")).assert().success();
    (String::from_utf8_lossy(&run.get_output().stdout).into_owned(), written(&folder.join("out")))
}

const FEW_FIGURES: &str = "[figures]\nformats = [\"svg\"]\nonly = [\"quality\"]\n[statistics]\nanalyses = []\n[output]\ntables = \
                           [\"csv\"]\ninteractive = false\nresults = []\n";

/// Columns that tell who somebody is are told, and are not written unless the study says so.
#[test]
fn personal_data_are_told_and_not_written() {
    let header = "participant,level,action,rt_s,Vorname,contact,host,subject,strategy\n";
    let row = |who: u32, action: &str, time: &str| {
        format!(
            "P{who},easy,{action},{time},Anna{who},\"write to a{who}@example.org\",192.0.2.{who},A2RLKQ5KV1HTT{who},edges\n"
        )
    };
    let log: String = (1..=4).map(|who| row(who, "B+2", "5.2") + &row(who, "A+4", "1.3")).collect();
    let log = format!("{header}{log}P5,easy,B+2,1,Anna5,a5@example.org,192.0.2.5\n");
    let anomalies = odd(&log, "");
    let personal = anomalies.iter().find(|anomaly| anomaly.code == "personal-data").expect("it is told");
    assert_eq!((personal.n, personal.of, personal.n_participants), (8, 8, 4));
    for column in
        ["Vorname (names)", "contact (mail addresses)", "host (IP addresses)", "subject (ids of crowd workers)"]
    {
        assert!(personal.message.contains(column), "{personal}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), &log, FEW_FIGURES);
    let (_, text) = run_of(folder.path());
    for value in ["Anna1", "example.org", "192.0.2", "A2RLKQ5"] {
        assert!(!text.contains(value), "{value} is written");
    }
    assert!(text.contains("edges") && text.contains("What is odd about the log"));
    assert!(text.contains("\"code\": \"personal-data\""), "the manifest has it");
    write(folder.path(), &log, &format!("{FEW_FIGURES}keep_personal = true\n"));
    assert!(run_of(folder.path()).1.contains("a3@example.org"));
    let by_mail = odd(&solved("5.2", "1.3").replace(",easy", "@example.org,easy"), "");
    assert_eq!(codes(&by_mail), [("personal-data", 40, 40)]);
    assert!(by_mail[0].advice.contains("pseudonymise = true"), "{}", by_mail[0]);
}

/// With codes, no output knows an id: no table, no diagnostic, no name of a file. The key stays beside the study, and
/// codes stay.
#[test]
fn pseudonyms_leave_no_id() {
    let folder = tempfile::tempdir().expect("a folder");
    let people = ["zoe@example.org", "yann@example.org", "anna@example.org"];
    let (header, entries) = ("participant,level,action,rt_s,copy\n", format!("pseudonymise = true\n{FEW_FIGURES}"));
    let row = |who: &str, action: &str, time: &str| {
        format!("{who},easy,{action},{time},{}\n", who.trim_end_matches("@example.org"))
    };
    let log: String = people.iter().map(|who| row(who, "B+2", "5.2") + &row(who, "A+4", "1.3")).collect();
    let log = format!("{header}{log}{}anna@example.org,easy\nanna@example.org,,A+1,1,\n", row(people[0], "Q+1", "x"));
    write(folder.path(), "", &entries);
    std::fs::remove_file(folder.path().join("log.csv")).expect("a file");
    let study = std::fs::read_to_string(folder.path().join("study.toml")).expect("a study");
    std::fs::write(folder.path().join("study.toml"), study.replace("\"log.csv\"", "\"anna@example.org.csv\""))
        .expect("a file");
    std::fs::write(folder.path().join("anna@example.org.csv"), &log).expect("a file");
    let key = folder.path().join("study.key");
    program().arg("check").arg(folder.path()).assert().code(3);
    assert!(!key.exists(), "check writes nothing");
    let (said, text) = run_of(folder.path());
    assert!(said.contains("study.key: keep it apart from the data"), "{said}");
    for name in ["zoe@", "yann@", "anna@", "@example.org"] {
        assert!(!text.contains(name) && !said.contains(name), "{name}");
    }
    let moves = std::fs::read_to_string(folder.path().join("out/tables/moves.csv")).expect("a table");
    assert!(!moves.contains("copy") && !moves.contains("zoe"), "a column that tells a part of the id");
    let secret = std::fs::read_to_string(&key).expect("a key");
    assert!(text.contains("\"participants\": \"codes") && !text.contains(secret.trim()));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&key).expect("a key").permissions().mode() & 0o777, 0o600);
    }
    let trials = || std::fs::read_to_string(folder.path().join("out/tables/trials.csv")).expect("a table");
    let codes = |table: &str| -> Vec<String> {
        table.lines().skip(1).map(|line| line.split(',').next().unwrap_or_default().to_owned()).collect()
    };
    let first = trials();
    assert!(codes(&first).is_sorted() && codes(&first).iter().all(|code| code.starts_with("P-")), "{first}");
    assert_eq!(codes(&first).len(), 3);
    run_of(folder.path());
    assert_eq!(trials(), first, "the same key, the same codes");
    assert_eq!(std::fs::read_to_string(&key).expect("a key"), secret);
    std::fs::write(&key, "lost").expect("a file");
    let refused =
        program().arg("run").arg(folder.path()).arg("--out").arg(folder.path().join("out")).assert().failure();
    assert!(String::from_utf8_lossy(&refused.get_output().stderr).contains("the key of the codes of participants"));
}

/// Remarks on whole files are no rows that were left out.
#[test]
fn what_is_noticed_is_not_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), &solved("5.2", "1.3"), FEW_FIGURES);
    run_of(folder.path());
    let report = std::fs::read_to_string(folder.path().join("out/report.md")).expect("a report");
    let (_, behind) = report.split_once("## What was left out").expect("the section");
    assert!(behind.trim_start().starts_with("Nothing was left out."), "{report}");
    assert!(behind.contains("What was noticed of rows that are used, and of whole files."), "{report}");
    assert!(!report.contains("What is odd about the log"));
}

/// A file of levels in a notation that nobody knows breaks a few rules a thousand times; each is told once.
#[test]
fn faults_of_one_rule_are_one_message() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), &solved("5.2", "1.3"), "");
    let levels: String = (0..1009).map(|n| format!("{n} zxq-{}~~{n}\n", n * 37 % 91)).collect();
    std::fs::write(folder.path().join("easy.txt"), levels).expect("a file");
    let check = program().arg("check").arg(folder.path()).assert().code(3);
    let said = String::from_utf8_lossy(&check.get_output().stderr).into_owned();
    assert_eq!(said.matches("means nothing on a board").count(), 1, "{said}");
    assert!(said.contains(" more of unknown-character, at "), "{said}");
}

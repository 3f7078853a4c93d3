//! One simulated experiment as five laboratories would log it, each read by a study.toml alone: all moves of the truth,
//! and no other.

use plymap::log::Event;
use plymap::run::{Play, play, study_levels};
use plymap::study::Study;
use plymap_puzzles::progress::Silent;

use crate::recorded_data::recorded;

/// What happened: participant, level, attempt, event, position after it, seconds since what happened before.
type Happened = (String, String, i64, String, String, Option<String>);

/// Times to the millisecond, in which the logs have them.
fn rounded(seconds: Option<f64>) -> Option<String> {
    seconds.map(|seconds| format!("{seconds:.3}"))
}

/// What the truth has at some levels.
fn truth(levels: &[&str]) -> Option<Vec<Happened>> {
    let mut rows = Vec::new();
    let mut reader = csv::Reader::from_path(recorded("labs/truth.csv")?).expect("a file");
    for row in reader.records() {
        let row = row.expect("a row");
        let cell = |number: usize| row[number].to_owned();
        let attempt = row[3].parse().expect("a number");
        if levels.contains(&&row[2]) {
            rows.push((cell(0), cell(2), attempt, cell(5), cell(15), rounded(row[8].parse().ok())));
        }
    }
    rows.sort();
    Some(rows)
}

fn played(toml: &str) -> Option<Play> {
    let labs = recorded("labs/truth.csv")?.parent()?.to_owned();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("study.toml");
    let toml = format!("[study]\nname = \"lab\"\n[levels]\nfiles = ['LABS/levels']\n{toml}")
        .replace("LABS", &labs.display().to_string());
    std::fs::write(&file, toml).expect("a file");
    let study = Study::read(&file).unwrap_or_else(|error| panic!("{error}"));
    let (levels, _) = study_levels(&study, &Silent).expect("levels");
    Some(play(&study, &levels, &Silent).unwrap_or_else(|error| panic!("{error}")).expect("a log"))
}

/// What a study made of its log; rows that are neither moves nor ends are left out.
fn happened(play: &Play, names: &[(&str, &str)]) -> Vec<Happened> {
    let moves = &play.labelled.moves.data;
    let text = |name: &str| moves.column(name).expect(name).str().expect("text").clone();
    let (participant, level, event) = (text("participant"), text("level"), text("event"));
    let attempt = moves.column("attempt").expect("attempts").i64().expect("numbers").clone();
    let rt = moves.column("rt_s").expect("times").f64().expect("numbers").clone();
    let mut rows = Vec::new();
    for number in 0..moves.height() {
        let event = event.get(number).unwrap_or_default();
        if !matches!(event, "move" | "give_up") {
            continue;
        }
        let participant = participant.get(number).unwrap_or_default();
        let name = names.iter().find(|(own, _)| *own == participant).map_or(participant, |(_, name)| name);
        let level = level.get(number).unwrap_or_default();
        let after = text("state_after").get(number).unwrap_or_default().to_owned();
        let attempt = attempt.get(number).unwrap_or_default();
        rows.push((name.to_owned(), level.to_owned(), attempt, event.to_owned(), after, rounded(rt.get(number))));
    }
    rows.sort();
    rows
}

const ALL: [&str; 5] = ["R", "easy", "mid", "hard", "matrix"];

/// Levels that were also logged by the mouse.
const MOUSE: [&str; 3] = ["R", "easy", "mid"];

fn assert_is_truth(toml: &str, levels: &[&str], names: &[(&str, &str)]) {
    let (Some(play), Some(truth)) = (played(toml), truth(levels)) else { return };
    let unused: Vec<String> = play
        .issue_summaries()
        .iter()
        .filter(|issue| issue.consequence != plymap::log::Consequence::Kept)
        .map(ToString::to_string)
        .collect();
    assert_eq!(unused, [""; 0]);
    let happened = happened(&play, names);
    assert_eq!(happened.iter().zip(&truth).find(|(own, truth)| own != truth), None);
    assert_eq!(happened.len(), truth.len());
}

#[test]
fn tidy_with_give_ups_among_the_moves() {
    let toml = r#"
        [log]
        files = ["LABS/i/log.csv"]
        [columns]
        participant = "vp"
        level = "puzzle"
        condition = "group"
        action = "move"
        rt = { column = "RT", unit = "ms" }
        [log.events]
        RESET = "give_up"
    "#;
    assert_is_truth(toml, &ALL, &[]);
}

/// First names of the German export, and who they are.
const NAMES: [(&str, &str); 10] = [
    ("Jürgen", "A-1"),
    ("Käthe", "A-2"),
    ("Günther", "A-3"),
    ("Zoë", "A-4"),
    ("Anaïs", "A-5"),
    ("Björn", "B-1"),
    ("Søren", "B-2"),
    ("Müller", "B-3"),
    ("Weiß", "B-4"),
    ("Ägid", "B-5"),
];

const GERMAN: &str = r#"
    [columns]
    participant = "Versuchsperson"
    level = "Rätsel"
    condition = "Bedingung"
    attempt = "Durchgang"
    action = "Zug"
    rt = "Zeit (s)"
    [log.events]
    RESET = "give_up"
"#;

#[test]
fn german_export_in_two_encodings() {
    for file in ["long_bom.csv", "long_latin1.csv"] {
        let toml = format!("[log]\nfiles = ['LABS/ii/{file}']\ndecimal_comma = true\n{GERMAN}");
        assert_is_truth(&toml, &ALL, &NAMES);
    }
    let Some(play) = played(&format!("[log]\nfiles = ['LABS/ii/long_latin1.csv']\ndecimal_comma = true\n{GERMAN}"))
    else {
        return;
    };
    assert!(play.log.issues.iter().any(|issue| issue.code == "encoding" && issue.value == "windows-1252"));
}

#[test]
fn german_export_with_a_row_for_each_attempt() {
    for file in ["wide_bom.csv", "wide_latin1.csv"] {
        let steps = r#"steps = [{ wide = { columns = { Zug = "Zug{n}", "Zeit (s)" = "Zeit{n}" } } }]"#;
        let toml = format!("[log]\nfiles = ['LABS/ii/{file}']\ndecimal_comma = true\n{steps}\n{GERMAN}");
        assert_is_truth(&toml, &ALL, &NAMES);
    }
}

#[test]
fn moves_nested_in_trials_of_jspsych() {
    let toml = r#"
        [log]
        files = ["LABS/iii/raw/*.json"]
        clock = "attempt"
        steps = [
            { where = "trial_type == 'rush-hour'" },
            { split = { column = "moves" } },
        ]
        [columns]
        participant = "subject"
        action = "move"
        onset = { column = "t", unit = "ms" }
        [log.events]
        RESET = "give_up"
    "#;
    assert_is_truth(toml, &ALL, &[]);
    let Some(play) = played(toml) else { return };
    let counts: Vec<_> = play.log.steps.iter().map(|count| (count.step.as_str(), count.n_in, count.n_out)).collect();
    assert_eq!(counts, [("where", 60, 50), ("split", 50, 714)]);
    assert_eq!(play.log.files.len(), 10);
}

#[test]
fn clicks_with_the_board_before_and_after() {
    let toml = r#"
        [log]
        files = ["LABS/iv/all.csv"]
        clock = "trial"
        null_moves = "drop"
        steps = [{ where = "level is not missing" }]
        [columns]
        condition = "group"
        state_before = "board_before"
        state_after = "board_after"
        onset = "mouse.time"
    "#;
    let (Some(play), Some(truth)) = (played(toml), truth(&MOUSE)) else { return };
    // The clicks do not tell who gave up.
    let moves: Vec<_> = truth.into_iter().filter(|row| row.3 == "move").collect();
    let own = happened(&play, &[]);
    assert_eq!(own.iter().zip(&moves).find(|(own, truth)| own != truth), None);
    assert_eq!((own.len(), moves.len()), (576, 576));
    // Clicks that move nothing are counted by themselves, and their time is that of the moves behind them.
    let n_null = play
        .measures
        .attempts
        .iter()
        .map(|attempt| attempt.tally.n_events.get(&Event::NullMove).copied().unwrap_or(0))
        .sum::<u64>();
    assert_eq!(n_null, 80);
    let seconds =
        |rows: &[Happened]| rows.iter().map(|row| row.5.as_ref().unwrap().parse::<f64>().unwrap()).sum::<f64>();
    let trials: Option<f64> = play.measures.trials.iter().map(|trial| trial.time_s).sum();
    assert!((trials.expect("the time of each trial") - seconds(&moves)).abs() < 1e-6);
}

#[test]
fn mouse_events_with_drags_that_move_nothing() {
    let toml = r#"
        [log]
        files = ["LABS/v/events.csv"]
        null_moves = "drop"
        [columns]
        participant = "user"
        condition = "group"
        event = "type"
        action = "{piece}@{cell}"
        onset = { column = "timestamp", unit = "iso8601" }
        [log.events]
        level_start = "start"
        drag_start = "ignore"
        drag_end = "move"
        level_complete = "solved"
        reset = "ignore"
    "#;
    let (Some(play), Some(truth)) = (played(toml), truth(&MOUSE)) else { return };
    let own = happened(&play, &[]);
    assert_eq!(own.iter().zip(&truth).find(|(own, truth)| own != truth), None);
    assert_eq!((own.len(), truth.len()), (586, 586));
}

//! One simulated experiment as five laboratories would log it, each read by a study.toml alone: all moves of the truth,
//! and no other.

use plymap_log::Event;

use crate::imports::{Happened, Played, assert_all_is_truth, happened, imported, played_study, rounded};
use crate::recorded_data::recorded;

/// Returns the events of the truth at some levels.
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

fn played(toml: &str) -> Option<Played> {
    let labs = recorded("labs/truth.csv")?.parent()?.to_owned();
    let folder = tempfile::tempdir().expect("a folder");
    let toml = format!("[study]\nname = \"lab\"\n[levels]\nfiles = ['LABS/levels']\n{toml}");
    Some(played_study(folder.path(), &toml.replace("LABS", &labs.display().to_string())))
}

const ALL: [&str; 5] = ["R", "easy", "mid", "hard", "matrix"];

/// Levels that were also logged by the mouse.
const MOUSE: [&str; 3] = ["R", "easy", "mid"];

fn assert_is_truth(toml: &str, levels: &[&str], names: &[(&str, &str)]) {
    let (Some(play), Some(truth)) = (played(toml), truth(levels)) else { return };
    assert_all_is_truth(&play, truth, names);
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
    assert!(
        play.account
            .diagnostics
            .iter()
            .any(|diagnostic| diagnostic.code == "encoding" && diagnostic.value == "windows-1252")
    );
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
    let counts: Vec<_> =
        play.account.steps.iter().map(|count| (count.step.as_str(), count.n_in, count.n_out)).collect();
    assert_eq!(counts, [("where", 60, 50), ("split", 50, 714)]);
    assert_eq!(play.account.files.len(), 10);
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
    let imported = happened(&play, &[]);
    assert_eq!(imported.iter().zip(&moves).find(|(row, truth)| row != truth), None);
    assert_eq!((imported.len(), moves.len()), (576, 576));
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
    // Cells are told, and by pixels too, of a grid of 80.
    let by_pixels =
        toml.replace("[columns]", "steps = [{ set = { cell = \"floor(y / 80) * 6 + floor(x / 80)\" } }]\n[columns]");
    for toml in [toml, &by_pixels] {
        let (Some(play), Some(truth)) = (played(toml), truth(&MOUSE)) else { return };
        let imported = happened(&play, &[]);
        assert_eq!(imported.iter().zip(&truth).find(|(row, truth)| row != truth), None);
        assert_eq!((imported.len(), truth.len()), (586, 586));
    }
}

#[test]
fn import_finds_out_what_each_laboratory_wrote() {
    for (files, names) in [
        ("i/log.csv", &[][..]),
        ("ii/long_bom.csv", &NAMES),
        ("ii/long_latin1.csv", &NAMES),
        ("ii/wide_bom.csv", &NAMES),
        ("ii/wide_latin1.csv", &NAMES),
        ("iii/raw", &[]),
    ] {
        let (Some(file), Some(truth)) = (recorded(&format!("labs/{files}")), truth(&ALL)) else { return };
        let play = imported(&[file], &recorded("labs/levels").expect("levels"), None);
        assert_all_is_truth(&play, truth, names);
    }
    // Mouse and clicks; the clicks do not tell who gave up.
    for (files, events) in [("iv/all.csv", &["move"][..]), ("v/events.csv", &["move", "give_up"])] {
        let (Some(file), Some(truth)) = (recorded(&format!("labs/{files}")), truth(&MOUSE)) else { return };
        let play = imported(&[file], &recorded("labs/levels").expect("levels"), None);
        let truth = truth.into_iter().filter(|row| events.contains(&row.3.as_str())).collect();
        assert_all_is_truth(&play, truth, &[]);
    }
}

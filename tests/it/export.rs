//! Exports, each read back by a program of its format: `tests/oracles/read_export.py` says which. Where the program is
//! absent, the test looks at the files alone and is seen to skip the rest.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use plymap::export::{ExportError, ExportFormat, ExportSummary, export};
use plymap_puzzles::progress::{Progress, Silent};
use plymap_run::study::Study;
use plymap_run::{play, study_levels};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::{demo_run, python, repository};
use crate::recorded_data::skipped;

/// Returns what a program of the format reads; none where the program is absent.
fn read_back(format: &str, path: &Path) -> Option<Value> {
    let script = repository().join("tests/oracles/read_export.py");
    let Ok(output) = Command::new(python()).arg(script).arg(format).arg(path).output() else {
        skipped(&format!("{format} is not read back: there is no Python"));
        return None;
    };
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(77) {
        skipped(&format!("{format} is not read back: {}", said.trim()));
        return None;
    }
    assert!(output.status.success(), "{said}");
    let answer = String::from_utf8_lossy(&output.stdout);
    Some(serde_json::from_str(answer.lines().last().unwrap_or_default()).expect("JSON"))
}

fn hanoi() -> PathBuf {
    repository().join("data/tower_of_hanoi/study.toml")
}

fn exported(file: &Path, format: &str, only: &[&str], target: &Path) -> Result<ExportSummary, ExportError> {
    let study = Study::read(file).expect("a study");
    let only: Vec<String> = only.iter().map(|name| (*name).to_owned()).collect();
    export(&study, file, format.parse::<ExportFormat>().expect("a format"), &only, target, &Silent)
}

/// A study of two participants whose names are alike in letters and digits, one of whom came twice, with the time of
/// the calendar.
fn two_sessions() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let study = "[study]\nname = 'two-sessions'\n[levels]\ngame = 'tower-of-hanoi'\nfiles = ['levels.txt']\n\
                 [log]\nfiles = ['log.csv']\n[columns]\nonset = { column = 'at', unit = 'iso8601' }\n";
    let log = "participant,session,level,attempt,move_index,event,action,at,note\n\
               p-1,1,two-disks,1,0,move,1>2,2026-03-01T10:00:00Z,\"a <tab>\t& \"\"quotes\"\"\"\n\
               p-1,1,two-disks,1,1,hint,,2026-03-01T10:00:01.5Z,\n\
               p-1,2,two-disks,1,0,move,1>3,2026-03-02T10:00:00Z,\n\
               p_1,1,two-disks,1,0,move,1>2,,\n";
    for (name, text) in [("study.toml", study), ("levels.txt", "# id: two-disks\n2 disks 3 pegs\n"), ("log.csv", log)] {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    let file = folder.path().join("study.toml");
    (folder, file)
}

fn json_of(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("a file")).expect("JSON")
}

#[test]
fn graphs_are_what_the_map_is() {
    let out = tempfile::tempdir().expect("a folder");
    let study = Study::read(&hanoi()).expect("a study");
    let (levels, _) = study_levels(&study, &Silent).expect("levels");
    let level = levels.iter().find(|level| level.id == "three-disks").expect("the level");
    let n_arcs = level.whole.as_ref().expect("a map").moves().n_arcs;
    let played = play(&study, &levels, &Silent).expect("a log").expect("a log");
    let attempts = played.labelled.attempts.iter().filter(|attempt| attempt.level == level.id);
    let n_visits: usize = attempts.map(|attempt| attempt.rows.len() + 1).sum();
    let distances = level.whole.as_ref().expect("a map").distances.iter();
    let sum: u32 = distances.map(|distance| distance.expect("a goal can be reached").0).sum();
    for format in ["graphml", "gexf"] {
        let target = out.path().join(format);
        let export = exported(&hanoi(), format, &["three-disks"], &target).expect("an export");
        assert_eq!(export, ExportSummary { n_files: 2, n_rows: 0, n_levels: 1 });
        assert!(plymap_report::verify(&target).expect("a manifest").is_empty());
        let Some(read) = read_back(format, &target.join(format!("three-disks.{format}"))) else { continue };
        // Three disks on three pegs: 27 states, and 7 moves from one end to the other.
        let expected = json!({
            "directed": true,
            "n_nodes": 27,
            "n_edges": n_arcs,
            "n_pairs": n_arcs,
            "start": level.rules.format_state(level.rules.start()),
            "n_goals": 1,
            "start_distance": 7,
            "sum_of_distances": sum,
            "n_visits": n_visits,
            "moves": ["1>2", "1>3", "2>1", "2>3", "3>1", "3>2"],
            "costs": [1],
        });
        assert_eq!(read, expected, "{format}");
    }
}

#[test]
fn an_event_log_has_a_trace_for_each_attempt() {
    let out = tempfile::tempdir().expect("a folder");
    let target = out.path().join("new/log.xes");
    let study = Study::read(&hanoi()).expect("a study");
    let (levels, _) = study_levels(&study, &Silent).expect("levels");
    let played = play(&study, &levels, &Silent).expect("a log").expect("a log");
    let moves = played.all_moves(&levels).expect("a table").data;
    let export = exported(&hanoi(), "xes", &[], &target).expect("an export");
    assert_eq!(export, ExportSummary { n_files: 1, n_rows: moves.height() as u64, n_levels: 6 });
    let text = fs::read_to_string(&target).expect("a file");
    assert!(text.contains("1970-01-01T00:00:00Z stands for"), "the zero of times is told");
    assert_eq!(fs::read_dir(out.path().join("new")).expect("a folder").count(), 1, "nothing else is left");
    if let Some(read) = read_back("xes", &target) {
        assert_eq!(read["n_traces"], played.labelled.attempts.len());
        assert_eq!(read["n_events"], moves.height());
        let first = &played.labelled.attempts[0];
        let name = format!("{} / {} / {} / {}", first.participant, first.session, first.level, first.attempt);
        assert_eq!(read["first_trace"], name);
        let text = |name: &str| moves.column(name).unwrap().str().unwrap().get(0).map(str::to_owned);
        assert_eq!(read["first_event"].as_str(), text("action").as_deref());
        assert_eq!(read["first_quality"].as_str(), text("quality").as_deref());
        assert_eq!(read["resources"].as_array().map(Vec::len), Some(12));
        let optimal = moves.column("is_optimal").unwrap().bool().unwrap().iter().flatten().filter(|cell| *cell).count();
        assert_eq!(read["n_optimal"], optimal);
        let sum: f64 = moves.column("rt_s").unwrap().f64().unwrap().iter().flatten().sum();
        assert!((read["sum_of_times"].as_f64().unwrap() - sum).abs() < 1e-6);
    }
}

#[test]
fn instants_stay_instants_and_what_has_no_time_has_none() {
    let (folder, study) = two_sessions();
    let target = folder.path().join("log.xes");
    assert_eq!(exported(&study, "xes", &[], &target).expect("an export").n_rows, 4);
    let text = fs::read_to_string(&target).expect("a file");
    assert_eq!(text.matches("key=\"time:timestamp\"").count(), 3, "{text}");
    assert!(text.contains("a time of the calendar") && text.contains("2026-03-01T10:00:01.5Z"), "{text}");
    // The hint has no action, and is named by its event.
    assert!(text.contains("<string key=\"concept:name\" value=\"hint\"/>"), "{text}");
    assert!(text.contains("a &lt;tab&gt;&#9;&amp; &quot;quotes&quot;"), "{text}");
    if let Some(read) = read_back("xes", &target) {
        assert_eq!((&read["n_traces"], &read["n_events"]), (&json!(3), &json!(4)));
        assert_eq!(read["first_time"], "2026-03-01T10:00:00");
    }
}

#[test]
fn bids_has_a_file_for_each_participant_and_one_sidecar() {
    let out = tempfile::tempdir().expect("a folder");
    let target = out.path().join("bids");
    let export = exported(&hanoi(), "bids", &[], &target).expect("an export");
    // Written again in place of the first: the manifest tells whose it is.
    assert_eq!(exported(&hanoi(), "bids", &[], &target).expect("an export"), export);
    let sidecar = json_of(&target.join("task-towerofhanoi_beh.json"));
    let entry = json!({ "Description": "what the move did to the distance", "Levels": {
        "better": "better", "same": "same", "worse": "worse", "dead-end": "dead-end", "illegal": "illegal" } });
    assert_eq!((&sidecar["quality"], &sidecar["rt_s"]["Units"]), (&entry, &json!("s")));
    if let Some(read) = read_back("bids", &target) {
        assert_eq!(read["errors"], json!([]), "{read}");
        assert_eq!(read["files"][0], "sub-p01/beh/sub-p01_task-towerofhanoi_beh.tsv");
        assert_eq!((read["files"].as_array().map(Vec::len), read["n_rows"].as_u64()), (Some(12), Some(export.n_rows)));
        assert_eq!(read["n_missing_conditions"].as_u64(), Some(export.n_rows));
    }
}

#[test]
fn bids_has_sessions_and_keeps_the_names_of_the_log() {
    let (folder, study) = two_sessions();
    let target = folder.path().join("bids");
    exported(&study, "bids", &[], &target).expect("an export");
    let tables = ["sub-p1/ses-1/beh/sub-p1_ses-1", "sub-p1/ses-2/beh/sub-p1_ses-2", "sub-p12/ses-1/beh/sub-p12_ses-1"];
    let tables = tables.map(|stem| format!("{stem}_task-twosessions_beh.tsv"));
    let first = fs::read_to_string(target.join(&tables[0])).expect("a table");
    assert_eq!(first.lines().count(), 3);
    assert!(first.contains("\"a <tab>\t& \"\"quotes\"\"\"") && first.contains("\tn/a\t"), "{first}");
    if let Some(read) = read_back("bids", &target) {
        assert_eq!(read["files"], json!(tables));
        let participants = json!([
            { "participant_id": "sub-p1", "participant": "p-1" },
            { "participant_id": "sub-p12", "participant": "p_1" },
        ]);
        assert_eq!((&read["participants"], &read["participants_of_rows"]), (&participants, &json!(["p-1", "p_1"])));
    }
}

#[test]
fn psych_ds_says_what_each_column_means() {
    let out = tempfile::tempdir().expect("a folder");
    let target = out.path().join("psych-ds");
    let export = exported(&hanoi(), "psych-ds", &["four-pegs"], &target).expect("an export");
    let table = fs::read_to_string(target.join("data/study-towerofhanoi_data.csv")).expect("a table");
    assert_eq!(table.lines().count() as u64, export.n_rows + 1);
    assert!(table.lines().skip(1).all(|row| row.contains(",four-pegs,")));
    let about = json_of(&target.join("dataset_description.json"));
    let variables = about["variableMeasured"].as_array().expect("a list");
    let names: Vec<_> = variables.iter().filter_map(|variable| variable["name"].as_str()).collect();
    assert_eq!(table.lines().next(), Some(names.join(",").as_str()));
    if let Some(read) = read_back("psych-ds", &target) {
        assert_eq!(read["name"], about["name"]);
        assert_eq!(
            (&read["variables"], read["variables"].as_array().map(Vec::len)),
            (&read["columns"], Some(names.len()))
        );
        assert_eq!(read["n_rows"], export.n_rows);
        if !read["validator"].is_null() {
            assert_eq!(read["validator"], json!({ "valid": true, "errors": [] }));
        }
    }
}

#[test]
fn what_cannot_be_exported_is_said_and_leaves_nothing() {
    struct Cancelled;
    impl Progress for Cancelled {
        fn begin(&self, _stage: &str, _total: Option<u64>) {}
        fn advance(&self, _steps: u64) {}
        fn end(&self) {}
        fn is_cancelled(&self) -> bool {
            true
        }
    }
    let out = tempfile::tempdir().expect("a folder");
    let target = out.path().join("out");
    let said = |result: Result<ExportSummary, ExportError>| result.unwrap_err().to_string();
    let unknown = said(exported(&hanoi(), "gexf", &["tree-disks"], &target));
    assert!(unknown.contains("\"tree-disks\"") && unknown.contains("did you mean \"three-disks\"?"), "{unknown}");
    let study = Study::read(&hanoi()).expect("a study");
    for format in [ExportFormat::Xes, ExportFormat::Bids] {
        assert!(
            export(&study, &hanoi(), format, &[], &target, &Cancelled).unwrap_err().to_string().contains("interrupted")
        );
    }
    let points = repository().join("data/2048/study.toml");
    assert!(said(exported(&points, "graphml", &[], &target)).contains("is not mapped"));
    assert_eq!(fs::read_dir(out.path()).expect("a folder").count(), 0);
    fs::create_dir(&target).expect("a folder");
    fs::write(target.join("notes.txt"), "mine").expect("a file");
    assert!(said(exported(&hanoi(), "bids", &[], &target)).contains("notes.txt"));
    assert!("dot".parse::<ExportFormat>().unwrap_err().to_string().contains("psych-ds, bids, xes, graphml, gexf"));
}

#[test]
fn truth_values_of_parquet_are_boolean_to_pandas() {
    let tables = demo_run().join("tables");
    let Some(read) = read_back("parquet", &tables.join("moves.parquet")) else { return };
    assert_eq!(read["dtypes"]["is_goal"], "boolean");
    assert_eq!(read["dtypes"]["attempt"], "int64");
    let Some(read) = read_back("parquet", &tables.join("trials.parquet")) else { return };
    assert_eq!((&read["n_rows"], &read["dtypes"]["solved"]), (&json!(468), &json!("boolean")));
}

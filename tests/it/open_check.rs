//! Check of `plymap open`: what it says of rows and attempts is what Read says, each remedy helps, codes of participants stay,
//! and files that the study does not read are named.

use std::path::Path;

use serde_json::{Value, json};

use crate::open::{Page, data};
use crate::open_reading::proposed;

/// Solution of the level demo-01.
const SOLUTION: [&str; 3] = ["E-2", "C-1", "A+2"];

/// Opens the page of a study of two levels of the demo with this log, and these lines at the end of its section `[log]`.
fn page_of(folder: &Path, log: &str, more: &str) -> Page {
    for name in ["demo-01.txt", "demo-02.txt"] {
        std::fs::write(folder.join(name), data(&format!("demo/levels/{name}"))).expect("a level");
    }
    let study = format!(
        "[study]\nname = \"s\"\n[levels]\ngame = \"rush-hour\"\nfiles = [\"demo-01.txt\", \"demo-02.txt\"]\n[log]\nfiles = \
         [\"log.csv\"]\n{more}"
    );
    std::fs::write(folder.join("log.csv"), log).expect("a log");
    std::fs::write(folder.join("study.toml"), study).expect("a study");
    Page::new(folder, &["study.toml"])
}

/// Rows of somebody who solves demo-01, with these times.
fn solved(who: &str, times: [&str; 3]) -> String {
    SOLUTION.iter().zip(times).map(|(action, time)| format!("{who},demo-01,{action},{time}\n")).collect()
}

/// Returns the codes of the anomalies with the keys of their remedies.
fn remedies(check: &Value) -> Vec<(String, Vec<String>)> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let keys = |anomaly: &Value| list(&anomaly["remedies"]).iter().map(|remedy| text(&remedy["key"])).collect();
    list(&check["anomalies"]).iter().map(|anomaly| (text(&anomaly["code"]), keys(anomaly))).collect()
}

/// Returns the edits of a remedy of the check.
fn edits(check: &Value, key: &str) -> Value {
    let anomalies = check["anomalies"].as_array().expect("anomalies").iter();
    let mut all = anomalies.flat_map(|anomaly| anomaly["remedies"].as_array().expect("remedies").clone());
    all.find(|remedy| remedy["key"] == key).unwrap_or_else(|| panic!("no {key} in {check}"))["edits"].clone()
}

#[test]
fn codes_of_participants_are_the_same_in_each_view_and_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = |who: &str| format!("participant,level,action,rt_s\n{}", solved(who, ["1", "2", "3"]));
    let page = proposed(folder.path(), &[("anna.csv", &log("anna")), ("bert.csv", &log("bert"))]);
    page.done("api/edit", &json!({ "edits": [{ "path": ["log", "pseudonymise"], "value": true }] }));
    let people = |value: &Value, list: &str| {
        let rows = value[list].as_array().expect("rows").iter();
        let mut people: Vec<String> = rows.map(|row| row["participant"].as_str().expect("a name").to_owned()).collect();
        people.sort();
        people
    };
    let reading = page.value("api/reading");
    let codes = people(&reading, "attempts");
    assert!(codes.len() == 2 && codes.iter().all(|code| code.starts_with("P-")), "{codes:?}");
    // Rows are found again, though the log calls their files by the codes.
    let rows: Vec<(&str, &str)> = (reading["rows"].as_array().expect("rows").iter())
        .map(|row| (row["file"].as_str().expect("a file"), row["outcome"].as_str().expect("an outcome")))
        .collect();
    assert_eq!(rows, [[("logs/anna.csv", "move"); 3], [("logs/bert.csv", "move"); 3]].concat());
    assert_eq!(people(&page.value("api/explore"), "participants"), codes);
    let trial = page.value(&format!("api/explore/trial?participant={0}&of={0}&session=1&at=demo-01", codes[0]));
    assert_eq!(trial["trial"]["participant"], codes[0].as_str());
    drop(page);
    let page = Page::new(folder.path(), &["--out", "study"]);
    assert_eq!(people(&page.value("api/reading"), "attempts"), codes);
    assert_eq!(people(&page.value("api/explore"), "participants"), codes);
}

#[test]
fn a_log_of_which_no_row_can_be_used_is_odd() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = "participant,level,action\nx1,DEMO 1,E-2\nx1,DEMO 1,C-1\nx2,DEMO 1,E-2\n";
    let page = page_of(folder.path(), log, "");
    let check = page.value("api/check");
    let odd = &check["anomalies"][0];
    assert_eq!((&odd["code"], &odd["n"], &odd["of"]), (&json!("nothing-played"), &json!(3), &json!(3)));
    let reading = page.value("api/reading");
    assert_eq!((&reading["n_participants"], &check["totals"]["n_participants"]), (&json!(0), &json!(0)));
    assert_eq!(reading["account"]["parts"], json!([{ "key": "unknown_level", "n": 3 }]));
}

/// An attempt whose first move is illegal is one of which nothing is left, and one without a move is one too.
#[test]
fn read_and_check_count_the_same_attempts() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows = |who: &str, condition: &str| -> String {
        SOLUTION.iter().map(|action| format!("{who},demo-01,move,{action},{condition}\n")).collect()
    };
    let log = format!(
        "participant,level,event,action,condition\n{}{}x3,demo-01,move,A+9,b\nx3,demo-01,move,E-2,b\nx4,demo-02,start,,b\n\
         x4,demo-02,limit,,b\n",
        rows("x1", "a"),
        rows("x2", "b")
    );
    let page = page_of(folder.path(), &log, "");
    let (reading, totals) = (page.value("api/reading"), page.value("api/check")["totals"].clone());
    let of_reading = ["n_attempts", "n_participants", "n_levels"].map(|key| reading[key].as_u64());
    let of_check = ["n_attempts", "n_participants", "n_trials"].map(|key| totals[key].as_u64());
    assert_eq!((of_reading, of_check), ([4, 4, 2].map(Some), [4, 4, 4].map(Some)));
    // The groups of the flow are parts of the trials that are analysed.
    let flow = page.get("api/figure?kind=participant-flow&format=csv").text();
    let trials = |stage: &str| -> u64 {
        let lines = flow.lines().filter(|line| line.starts_with(stage) && line.contains(",trials,"));
        lines.map(|line| line.rsplit(',').next().and_then(|n| n.parse::<u64>().ok()).expect("a number")).sum()
    };
    assert_eq!((trials("2,left,"), trials("3,group,")), (3, 3), "{flow}");
}

#[test]
fn files_that_the_study_does_not_read_are_named_and_added() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = |who: &str| format!("participant,level,action,rt_s\n{}", solved(who, ["1", "2", "3"]));
    let page = proposed(folder.path(), &[("a.csv", &log("anna")), ("b.csv", &log("bert"))]);
    let left_out = |project: &Value| {
        let files = ["levels", "logs"].map(|kind| project["files"][kind].as_array().expect("files").clone()).concat();
        let names = files.iter().filter(|file| file["is_left_out"] == true).map(|file| file["name"].clone());
        Value::from(names.collect::<Vec<_>>())
    };
    assert_eq!(left_out(&page.value("api/project")), json!([]));
    page.drop_file("c.csv", log("carl").as_bytes());
    let project = page.drop_file("article-1.txt", &data("demo/levels/article-1.txt"));
    assert_eq!(left_out(&project), json!(["levels/article-1.txt", "logs/c.csv"]));
    assert_eq!(page.value("api/reading")["n_participants"], 2);
    let add = |section: &str, file: &str| json!({ "path": [section, "files", "+"], "value": file });
    let added = json!({ "edits": [add("levels", "levels/article-1.txt"), add("log", "logs/c.csv")] });
    assert_eq!(left_out(&page.done("api/edit", &added)), json!([]));
    assert_eq!(page.value("api/reading")["n_participants"], 3);
}

#[test]
fn remedies_that_change_nothing_or_leave_nothing_are_not_offered() {
    let header = "participant,level,action,rt_s\n";
    let found = |rows: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        remedies(&page_of(folder.path(), &format!("{header}{rows}"), "").value("api/check"))
    };
    let anomaly =
        |code: &str, keys: &[&str]| (code.to_owned(), keys.iter().map(|&key| key.to_owned()).collect::<Vec<_>>());
    let slow = |who: &str| solved(who, ["2", "2", "2"]);
    // Times between moves alone have no clock, and one missing time is not more than three.
    let negative = slow("x1") + &slow("x2") + &solved("x3", ["-1", "2", ""]);
    let untimed = [anomaly("missing-times", &[]), anomaly("missing-first-move-latencies", &[])];
    assert_eq!(found(&negative), untimed);
    let fast = |who: &str| solved(who, ["2", "0.01", "0.01"]);
    let speed = |found: Vec<(String, Vec<String>)>| found.into_iter().find(|(code, _)| code == "impossible-speed");
    assert_eq!(speed(found(&(fast("x1") + &fast("x2")))), Some(anomaly("impossible-speed", &[])));

    let folder = tempfile::tempdir().expect("a folder");
    let log = [header, &fast("x1"), &slow("x2"), &slow("x3")].concat();
    let page = page_of(folder.path(), &log, "[columns]\n# condition: likely: no column tells it\n");
    let check = page.value("api/check");
    assert_eq!(speed(remedies(&check)), Some(anomaly("impossible-speed", &["exclude-speed"])));
    page.done("api/edit", &json!({ "edits": edits(&check, "exclude-speed") }));
    let check = page.value("api/check");
    assert_eq!((&check["selections"][0]["n_trials"], speed(remedies(&check))), (&json!(1), None));
    // The comments of a section stay in it.
    let notes = json!([{ "entry": "columns.condition", "certainty": "likely", "reason": "no column tells it" }]);
    assert_eq!(page.value("api/reading")["notes"], notes);
}

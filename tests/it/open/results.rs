//! The results of a study in the page: previews, runs that were cut off, and what is taken away.

use serde_json::{Value, json};

use super::{Page, write_small_study};
use crate::common::{files_of, program};

#[test]
fn a_preview_says_so_and_leaves_a_whole_run_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    write_small_study(folder.path());
    let page = Page::new(folder.path(), &["study.toml"]);
    let run = |is_fast: bool| assert_eq!(page.task("api/run", &json!({ "fast": is_fast }))["state"], "done");
    let result = |report: &str, is_preview: bool, whole: Value| {
        let result = page.value("api/result");
        let found = ["report", "is_preview", "whole", "has"].map(|key| result[key].clone());
        assert_eq!(found, [json!(report), json!(is_preview), whole, json!(true)]);
        assert!(page.get(report).text().contains("<html"));
    };
    let of_take = || {
        let take = page.value("api/take");
        let names: Vec<String> = take["items"].as_array().expect("items").iter().map(ToString::to_string).collect();
        (take["is_preview"].clone(), take["has_results"].clone(), names.concat())
    };
    assert_eq!(of_take().1, false);
    run(true);
    result("preview/report.html", true, Value::Null);
    let (is_preview, has_results, items) = of_take();
    assert!(is_preview == true && has_results == true && items.contains("preview/report.html"), "{items}");
    run(false);
    result("run/report.html", false, Value::Null);
    let manifest = || std::fs::read(folder.path().join("reports/s/manifest.json")).expect("a manifest");
    let before = manifest();
    run(true);
    result("preview/report.html", true, json!("run/report.html"));
    assert_eq!(manifest(), before);
    let (is_preview, _, items) = of_take();
    assert!(is_preview == false && items.contains("run/report.html") && !items.contains("preview/"), "{items}");
    // A whole run that finds nothing changed is the last all the same.
    run(false);
    result("run/report.html", false, Value::Null);
    // Results of an earlier study are told as such, in the archive, too.
    let is_told = || {
        let archive = page.get("take.zip").body;
        let archive = zip::ZipArchive::new(std::io::Cursor::new(archive)).expect("an archive");
        (page.value("api/take")["is_current"].clone(), archive.index_for_name("s/OUTDATED.md").is_some())
    };
    assert_eq!(is_told(), (json!(true), false));
    let study = folder.path().join("study.toml");
    let text = std::fs::read_to_string(&study).expect("a study");
    std::fs::write(study, text + "# edited\n").expect("a study");
    assert_eq!(is_told(), (json!(false), true));
}

#[test]
fn a_run_that_the_end_of_the_program_cut_off_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = Page::new(folder.path(), &["--out", "study"]);
    page.done("api/start", &json!({ "example": "demo" }));
    page.done("api/run", &json!({ "fast": false }));
    let mark = folder.path().join("study/reports/.demo.running");
    while !mark.exists() {
        assert_eq!(page.value("api/task")["state"], "running");
    }
    assert_eq!(page.value("api/project")["interrupted"], Value::Null, "while it runs");
    page.kill();
    let page = Page::new(folder.path(), &["--out", "study"]);
    assert_eq!(page.value("api/project")["interrupted"], "run");
    assert_eq!(page.value("api/result")["interrupted"], "run");
    // One that ends, stopped or not, leaves nothing to tell.
    page.done("api/run", &json!({ "fast": false }));
    page.done("api/stop", &json!({}));
    while page.value("api/task")["state"] == "running" {}
    assert_eq!(page.value("api/task")["state"], "stopped");
    assert_eq!(page.value("api/project")["interrupted"], Value::Null);
    assert!(!mark.exists());
}

#[test]
fn a_run_that_is_stopped_leaves_the_results_before_it() {
    let folder = tempfile::tempdir().expect("a folder");
    write_small_study(folder.path());
    let page = Page::new(folder.path(), &["study.toml"]);
    assert_eq!(page.task("api/run", &json!({ "fast": false }))["state"], "done");
    let results = || files_of(&folder.path().join("reports/s"));
    let before = results();
    // Another study, lest the run has nothing to do.
    page.done("api/edit", &json!({ "edits": [{ "path": ["statistics", "confidence"], "value": 0.9 }] }));
    let n = page.done("api/run", &json!({ "fast": false }))["n"].clone();
    page.done("api/stop", &json!({}));
    while page.value("api/task")["state"] == "running" {}
    let task = page.value("api/task");
    assert!(task["kind"] == "run" && task["state"] == "stopped" && task["n"].as_u64() > n.as_u64(), "{task}");
    assert_eq!(results(), before);
    let result = page.value("api/result");
    assert_eq!(
        ["has", "is_current", "report"].map(|key| result[key].clone()),
        [json!(true), json!(false), json!("run/report.html")]
    );
}

#[test]
fn the_archive_has_all_that_the_study_and_its_experiment_need() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = Page::new(folder.path(), &["--out", "study"]);
    page.done("api/start", &json!({ "example": "demo" }));
    // An image that a text names from its own folder upwards.
    std::fs::write(folder.path().join("study/logo.svg"), "<svg/>").expect("an image");
    let thanks = folder.path().join("study/experiment/thanks.md");
    std::fs::write(thanks, "Thanks! ![the logo](../logo.svg)\n").expect("a text");
    assert_eq!(page.value("api/take")["with_ids"], json!([]));
    let archive = page.get("take.zip").body;
    let elsewhere = tempfile::tempdir().expect("a folder");
    zip::ZipArchive::new(std::io::Cursor::new(archive)).expect("an archive").extract(elsewhere.path()).expect("files");
    for command in [
        &["check", "demo"][..],
        &["experiment", "demo", "--out", "site"],
        &["run", "demo", "--only", "levels", "--fast", "--out", "results"],
    ] {
        // The demo has faulty rows, which a check tells.
        let code = if command[0] == "check" { 3 } else { 0 };
        program().current_dir(elsewhere.path()).args(command).assert().code(code);
    }
    assert!(elsewhere.path().join("site/media/2.svg").exists(), "the images of its texts");
    // What has the ids that the results do without stays at home.
    page.done("api/edit", &json!({ "edits": [{ "path": ["log", "pseudonymise"], "value": true }] }));
    let log = "logs/moves.csv";
    assert_eq!(page.value("api/take")["with_ids"], json!([log]));
    let archive = zip::ZipArchive::new(std::io::Cursor::new(page.get("take.zip").body)).expect("an archive");
    let has = |name: &str| archive.index_for_name(&format!("demo/{name}")).is_some();
    assert!(has("study.toml") && has("levels/demo-01.txt") && has("experiment/thanks.md") && !has(log));
}

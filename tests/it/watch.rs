//! `plymap watch` runs a study again when it changes, and tells the page of it.

use std::fs;

use crate::common::repository;
use crate::http::Serving;

/// Waits for another run than the page has seen, and returns what is said of it.
#[track_caller]
fn news(watching: &Serving, n_seen: u64) -> serde_json::Value {
    let all = (0..10).map(|_| watching.get(&format!("/news?seen={n_seen}")).json());
    all.into_iter().find(|news| news["n_runs"] != n_seen).expect("news")
}

#[test]
fn a_change_of_a_file_runs_the_study_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let study = folder.path().join("study");
    fs::create_dir(&study).expect("a folder");
    for file in ["study.toml", "levels.txt", "log.csv"] {
        fs::copy(repository().join("data/tower_of_london").join(file), study.join(file)).expect("a copy");
    }
    let watching = Serving::new(&["watch", "study", "--only", "learning"], |command| {
        command.current_dir(folder.path()).env("PLYMAP_NO_CACHE", "1");
    });
    let get = |path: &str, host: &str| watching.ask("GET", path, &[&format!("Host: {host}")], &[]).expect("an answer");
    let said = |n_runs: u64, has_failed: bool| serde_json::json!({ "n_runs": n_runs, "has_failed": has_failed });
    assert_eq!(news(&watching, 0), said(1, false));
    let page = get("/run/report.html", "localhost");
    assert!(page.status == 200 && page.text().contains("Change over trials"), "{}", page.head);
    for (path, host) in [
        ("/run/../study/log.csv", "localhost"),
        ("/run/%2e%2e/%2e%2e/study/log.csv", "localhost"),
        ("/run//etc/passwd", "localhost"),
    ] {
        assert_eq!(get(path, host).status, 404, "{path}");
    }
    assert_eq!(get("/", "elsewhere.example").status, 403);

    let file = study.join("study.toml");
    let text = fs::read_to_string(&file).expect("a study");
    fs::write(&file, text.replace("twelve synthetic", "a dozen synthetic")).expect("written");
    assert_eq!(news(&watching, 1), said(2, false));
    assert!(get("/run/report.html", "localhost").text().contains("a dozen synthetic"));

    fs::write(study.join("log.csv"), "nothing").expect("written");
    assert_eq!(news(&watching, 2), said(3, true), "a fault is told, and watching goes on");
    assert!(get("/run/report.html", "localhost").text().contains("a dozen synthetic"), "the last report stays");
}

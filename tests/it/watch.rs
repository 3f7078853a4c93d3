//! `plymap watch` runs a study again when it changes, and tells the page of it.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::common::repository;

/// The program while it watches; it is ended with the test.
struct Watching {
    program: Child,
    address: String,
}

impl Watching {
    fn new(folder: &Path) -> Self {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("plymap"));
        command.current_dir(folder).env("PLYMAP_NO_CACHE", "1").args(["watch", "study", "--only", "learning"]);
        let mut program = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("a program");
        let mut lines = BufReader::new(program.stderr.take().expect("messages"));
        let mut line = String::new();
        lines.read_line(&mut line).expect("a line");
        // What it says later must go somewhere.
        std::thread::spawn(move || std::io::copy(&mut lines, &mut std::io::sink()));
        let address =
            line.split("http://").nth(1).and_then(|rest| rest.split(';').next()).expect("an address").to_owned();
        Self { program, address }
    }

    /// What is answered to a request: the line of its state, and all that follows.
    fn get(&self, path: &str, host: &str) -> (String, String) {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (state, rest) = answer.split_once("\r\n").expect("an answer");
        (state.to_owned(), rest.to_owned())
    }

    /// Waits for another run than the page has seen, and returns what is said of it.
    #[track_caller]
    fn news(&self, seen: u64) -> serde_json::Value {
        for _ in 0..10 {
            let (_, answer) = self.get(&format!("/news?seen={seen}"), "127.0.0.1");
            let news = answer.split("\r\n\r\n").nth(1).expect("content");
            let news: serde_json::Value = serde_json::from_str(news).expect("JSON");
            if news["n_runs"] != seen {
                return news;
            }
        }
        panic!("no news");
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

#[test]
fn a_change_of_a_file_runs_the_study_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let study = folder.path().join("study");
    fs::create_dir(&study).expect("a folder");
    for file in ["study.toml", "levels.txt", "log.csv"] {
        fs::copy(repository().join("data/tower_of_london").join(file), study.join(file)).expect("a copy");
    }
    let watching = Watching::new(folder.path());
    let said = |n_runs: u64, has_failed: bool| serde_json::json!({ "n_runs": n_runs, "has_failed": has_failed });
    assert_eq!(watching.news(0), said(1, false));
    let (state, page) = watching.get("/run/report.html", "localhost");
    assert!(state.contains("200") && page.contains("Change over trials"), "{state}");
    for (path, host) in [
        ("/run/../study/log.csv", "localhost"),
        ("/run/%2e%2e/%2e%2e/study/log.csv", "localhost"),
        ("/run//etc/passwd", "localhost"),
    ] {
        assert!(watching.get(path, host).0.contains("404"), "{path}");
    }
    assert!(watching.get("/", "elsewhere.example").0.contains("403"));

    let file = study.join("study.toml");
    let text = fs::read_to_string(&file).expect("a study");
    fs::write(&file, text.replace("twelve synthetic", "a dozen synthetic")).expect("written");
    assert_eq!(watching.news(1), said(2, false));
    assert!(watching.get("/run/report.html", "localhost").1.contains("a dozen synthetic"));

    fs::write(study.join("log.csv"), "nothing").expect("written");
    assert_eq!(watching.news(2), said(3, true), "a fault is told, and watching goes on");
    assert!(watching.get("/run/report.html", "localhost").1.contains("a dozen synthetic"), "the last report stays");
}

//! Programs that are asked to stop, wherever they stand: they end soon, and leave nothing behind.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::repository;
use crate::http::Serving;

/// Maximum time that a test waits; what is measured by hand is in docs/reliability.md.
const PATIENCE: Duration = Duration::from_secs(60);

fn begun(arguments: &[&str], out: &Path) -> Child {
    let program = assert_cmd::cargo::cargo_bin("plymap");
    let mut command = Command::new(program);
    command.env("PLYMAP_NO_CACHE", "1");
    command.args(arguments).arg("--out").arg(out).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().expect("a program")
}

/// Returns the names of what stands in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(value) = look() {
            return value;
        }
        assert!(begun.elapsed() < PATIENCE, "no {what} in {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Asks a program to stop once it has begun to write beside `out` and has gone on for a while.
fn stopped(mut program: Child, out: &Path, after: Duration) -> (Option<i32>, String) {
    let parent = out.parent().expect("a folder").to_owned();
    wait_for("hidden folder", || names(&parent).iter().any(|name| name.contains(".partial-")).then_some(()));
    std::thread::sleep(after);
    assert!(program.try_wait().expect("a program").is_none(), "it had ended before it was asked to");
    let sent = Command::new("kill").args(["-TERM", &program.id().to_string()]).status().expect("a signal");
    assert!(sent.success());
    let status = wait_for("end", || program.try_wait().expect("a program"));
    let mut said = String::new();
    program.stderr.take().expect("messages").read_to_string(&mut said).expect("text");
    (status.code(), said)
}

fn assert_nothing_is_left(ended: (Option<i32>, String), parent: &Path) {
    assert_eq!(ended.0, Some(130), "{}", ended.1);
    assert!(ended.1.contains("interrupted; nothing was written"), "{}", ended.1);
    assert_eq!(names(parent), [""; 0]);
}

#[test]
fn a_fit_under_way_is_left_where_it_is() {
    let parent = tempfile::tempdir().expect("a folder");
    let out = parent.path().join("demo");
    let study = repository().join("data/demo/study.toml");
    let program = begun(&["run", study.to_str().expect("a path")], &out);
    assert_nothing_is_left(stopped(program, &out, Duration::from_secs(4)), parent.path());
}

#[test]
fn a_read_that_waits_is_left_where_it_is() {
    let (parent, folder) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let levels: PathBuf = repository().join("data/demo/levels");
    let study = folder.path().join("study.toml");
    let text = format!("[study]\nname = \"pipe\"\n[levels]\nfiles = [{levels:?}]\n[log]\nfiles = [\"-\"]\n");
    fs::write(&study, text).expect("a study");
    let out = parent.path().join("pipe");
    // Its standard input stays open, and says nothing.
    let program = begun(&["run", study.to_str().expect("a path")], &out);
    assert_nothing_is_left(stopped(program, &out, Duration::from_secs(2)), parent.path());
}

/// To be ended is how a server ends, and no failure.
#[test]
fn a_server_that_is_asked_to_stop_has_done_what_it_was_started_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let (study, log) = (repository().join("data/demo/study.toml"), folder.path().join("recorded.ndjson"));
    let arguments =
        ["serve", study.to_str().expect("a path"), "--port", "0", "--record", log.to_str().expect("a path")];
    let serving = Serving::new(&arguments, |_| ());
    assert_eq!(serving.stop(), Some(0));
}

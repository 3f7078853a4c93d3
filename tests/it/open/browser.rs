//! What is shown in a browser by itself: a program that stands in for it is told the address.

use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{PATIENCE, write_small_study};

/// A folder of programs with one that writes down what it is asked to show.
fn stand_in(folder: &Path) -> PathBuf {
    let (programs, shown) = (folder.join("bin"), folder.join("shown"));
    std::fs::create_dir(&programs).expect("a folder");
    let program = programs.join("xdg-open");
    // In one step, so that nobody reads a half of it.
    let text = format!("#!/bin/sh\necho \"$1\" > {0}.new && /bin/mv {0}.new {0}\n", shown.display());
    std::fs::write(&program, text).expect("a program");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("a program that may run");
    programs
}

/// What was shown within a time; nothing if nothing was.
fn shown(folder: &Path, patience: Duration) -> Option<String> {
    let begin = Instant::now();
    loop {
        match std::fs::read_to_string(folder.join("shown")) {
            Ok(text) => return Some(text.trim_end().to_owned()),
            Err(_) if begin.elapsed() > patience => return None,
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

/// The program with that stand-in alone, in a folder.
fn program(folder: &Path, programs: &Path, arguments: &[&str]) -> Command {
    let mut program = Command::new(assert_cmd::cargo::cargo_bin("plymap"));
    program.args(arguments).current_dir(folder).env("PATH", programs).env("PLYMAP_NO_CACHE", "1");
    program.stdout(Stdio::piped()).stderr(Stdio::null());
    program
}

#[test]
fn open_shows_its_page_unless_it_shall_not() {
    for (arguments, is_shown) in [(&["open", "--out", "study"][..], true), (&["open", "--no-browser"], false)] {
        let folder = tempfile::tempdir().expect("a folder");
        let programs = stand_in(folder.path());
        let mut open = program(folder.path(), &programs, arguments).spawn().expect("a program");
        let mut address = String::new();
        BufReader::new(open.stdout.take().expect("an output")).read_line(&mut address).expect("an address");
        let patience = if is_shown { PATIENCE } else { Duration::from_secs(1) };
        let shown = shown(folder.path(), patience);
        open.kill().and_then(|()| open.wait()).expect("an end");
        assert!(address.starts_with("http://127.0.0.1:"), "{address}");
        assert_eq!(shown.as_deref(), is_shown.then_some(address.trim_end()));
    }
}

#[test]
fn run_shows_its_report_where_that_is_asked_for() {
    for (more, is_shown) in [(&["--open"][..], true), (&[], false)] {
        let folder = tempfile::tempdir().expect("a folder");
        write_small_study(folder.path());
        let programs = stand_in(folder.path());
        let arguments = [&["run", ".", "--only", "levels", "--fast", "--out", "out"], more].concat();
        let ended = program(folder.path(), &programs, &arguments).status().expect("a program");
        assert!(ended.success(), "{ended}");
        let patience = if is_shown { PATIENCE } else { Duration::from_secs(1) };
        let shown = shown(folder.path(), patience).map(|path| folder.path().join(path));
        let report = folder.path().join("out/report.html");
        assert!(report.is_file());
        assert_eq!(shown, is_shown.then_some(report));
    }
}

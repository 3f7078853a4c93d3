//! Refusals of the system: an output that is closed or full, a file that may not grow, threads, open files. The results
//! that can be there are there, whole, and the exit code says what became of the rest.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::common::{files_of, on_all_cores};

/// The program in a folder, whose results are not kept.
fn plymap(folder: &Path) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("plymap"));
    command.current_dir(folder).env("PLYMAP_NO_CACHE", "1").stdin(Stdio::null());
    command
}

/// The program behind what a shell does first, such as `ulimit -f 1`, or with what it does to its streams, such as `>&-`.
fn plymap_in_shell(folder: &Path, first: &str, streams: &str, arguments: &[impl AsRef<OsStr>]) -> Command {
    let program = assert_cmd::cargo::cargo_bin("plymap");
    let mut command = Command::new("sh");
    command.current_dir(folder).env("PLYMAP_NO_CACHE", "1").stdin(Stdio::null());
    command.arg("-c").arg(format!("{first}\nexec \"$@\" {streams}")).arg("sh").arg(program).args(arguments);
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A first study in which everything can be asked, a log that differs from it, shards of it, and a run.
fn study() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |arguments: &[&str]| {
        let output = plymap(folder.path()).args(arguments).output().expect("runs");
        assert!(output.status.success(), "{arguments:?}: {}", said(&output));
    };
    run(&["init", "first"]);
    let file = folder.path().join("first/study.toml");
    let text = fs::read_to_string(&file).expect("a study");
    let sections = "
[[cohort]]
name = 'one'
n = 4
policy = { kind = 'lapse-optimal', lapse = 0.3 }

[[cohort]]
name = 'other'
n = 4
policy = { kind = 'chance' }
persistence = { max_moves = 20 }

[power]
cohorts = ['one', 'other']
measure = 'n_moves'
n = [4]
repeats = 10

[[strategy]]
name = 'random'
policy = { kind = 'chance' }
";
    fs::write(file, text + sections).expect("a study");
    run(&["shard", "first", "--n", "1", "--out", "shards"]);
    run(&["run", "first", "--shards", "shards", "--shard", "1"]);
    run(&["run", "first", "--only", "levels", "--out", "ran"]);
    folder
}

/// Calls of the commands that show something on standard output, one of each, with what it writes: a folder or a file
/// in `made`. Those that serve pages go on without end.
const SHOW: [(&[&str], Option<&str>); 26] = [
    (&["hint", "first/levels"], None),
    (&["solve", "first/levels", "--format", "json"], None),
    (&["explain", "first/levels", "--thought", "--out", "made"], Some("made")),
    (&["explain", "first/levels"], None),
    (&["label", "first"], None),
    (&["stats", "first", "--table", "participants"], None),
    (&["stats", "first"], None),
    (&["figures", "first", "--labels"], None),
    (&["figures", "first", "--only", "solution", "--out", "made"], Some("made")),
    (&["check", "first"], None),
    (&["run", "first", "--only", "levels", "--out", "made"], Some("made")),
    (&["merge", "first", "--shards", "shards", "--only", "levels", "--out", "made"], Some("made")),
    (&["shard", "first", "--n", "2", "--out", "made"], Some("made")),
    (&["experiment", "first", "--out", "made"], Some("made")),
    (&["export", "xes", "first", "--out", "made/log.xes"], Some("made")),
    (&["import", "first/logs/moves.csv", "--levels", "first/levels", "--preview", "--out", "made"], Some("made")),
    (&["simulate", "first", "--out", "made"], Some("made")),
    (&["power", "first", "--out", "made"], Some("made")),
    (&["tournament", "first", "--games", "2", "--out", "made"], Some("made")),
    (&["search-study", "first", "--out", "made"], Some("made")),
    (&["lights-out", "survey", "--max", "3"], None),
    (&["calibrate", "first", "--studies", "2", "--participants", "3"], None),
    (&["verify", "ran", "--distances"], None),
    (&["tablebase", "first/levels", "--out", "made/first.tablebase"], Some("made")),
    (&["completions", "bash"], None),
    (&["licenses"], None),
];

/// Commands that show nothing on standard output where nothing is wrong, that serve pages, or that have a test of their own.
const SILENT: [&str; 9] = ["init", "man", "map", "open", "preregister", "diff", "watch", "serve", "help"];

#[test]
fn every_command_that_shows_something_is_among_those_that_are_tried() {
    let help = Command::new(assert_cmd::cargo::cargo_bin("plymap")).arg("--help").output().expect("runs");
    let help = String::from_utf8(help.stdout).expect("text");
    let (_, commands) = help.split_once("Commands:\n").expect("commands");
    let (commands, _) = commands.split_once("\n\n").expect("an end");
    let names = commands.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: BTreeSet<&str> = names.filter_map(|line| line.split_whitespace().next()).collect();
    let tried: BTreeSet<&str> = SHOW.iter().map(|(arguments, _)| arguments[0]).chain(SILENT).collect();
    assert_eq!(names, tried);
}

/// Takes away what a command has made, and returns it without what tells how long its games or searches took.
fn take(folder: Option<&Path>) -> Vec<(PathBuf, Vec<u8>)> {
    let Some(folder) = folder else { return Vec::new() };
    let mut files = files_of(folder);
    fs::remove_dir_all(folder).expect("a folder");
    assert!(!files.is_empty());
    let has = |name: &Path, part: &str| name.to_string_lossy().contains(part);
    if files.iter().any(|(name, _)| has(name, "_times.csv")) {
        files.retain(|(name, _)| !["time", "report.", "manifest."].iter().any(|part| has(name, part)));
    }
    files
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_shown_is_told_by_the_exit_code_and_files_are_whole() {
    let study = study();
    let folder = study.path();
    on_all_cores(SHOW.len() as u64, |number| {
        // Each makes its own, for they go on side by side.
        let numbered = |name: &str| name.replace("made", &format!("made-{number}"));
        let (arguments, target) = SHOW[number as usize];
        let arguments: Vec<String> = arguments.iter().map(|argument| numbered(argument)).collect();
        let target = target.map(|target| folder.join(numbered(target)));
        let begun = || {
            let mut program = plymap(folder);
            program.args(&arguments);
            program
        };
        let whole = begun().output().expect("runs");
        assert_eq!(whole.status.code(), Some(0), "{arguments:?}: {}", said(&whole));
        assert!(!whole.stdout.is_empty(), "{arguments:?}");
        let files = take(target.as_deref());
        let full = OpenOptions::new().write(true).open("/dev/full").expect("a full device");
        let full = begun().stdout(full).output().expect("runs");
        assert_eq!(full.status.code(), Some(8), "{arguments:?}: {}", said(&full));
        let message = "standard output cannot be written (No space left on device (os error 28))";
        assert_eq!(said(&full).matches(message).count(), 1, "{arguments:?}: {}", said(&full));
        assert!(take(target.as_deref()) == files, "{arguments:?} with a full output");
        let closed = plymap_in_shell(folder, "", ">&-", &arguments).output().expect("runs");
        assert_eq!(closed.status.code(), Some(8), "{arguments:?}: {}", said(&closed));
        assert!(said(&closed).contains("standard output cannot be written (it is closed)"), "{}", said(&closed));
        assert!(take(target.as_deref()) == files, "{arguments:?} with a closed output");
        // Whoever reads no further has what they want.
        let mut gone = begun().stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("runs");
        drop(gone.stdout.take());
        let gone = gone.wait_with_output().expect("ends");
        assert_eq!(gone.status.code(), Some(0), "{arguments:?}: {}", said(&gone));
        assert!(!said(&gone).contains("panicked"), "{}", said(&gone));
        assert!(take(target.as_deref()) == files, "{arguments:?} with a reader that went");
    });
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_nobody_needs_or_wants_is_no_fault_and_other_codes_stay() {
    let study = study();
    let folder = study.path();
    let code = |streams: &str, arguments: &[&str]| {
        let output = plymap_in_shell(folder, "", streams, arguments).output().expect("runs");
        (output.status.code(), said(&output).contains("standard output"))
    };
    // As Python opens it for who wants to see nothing; no other than a closed one looks the same.
    assert_eq!(code("<>/dev/null >&0", &["hint", "first/levels"]), (Some(0), false));
    assert_eq!(code(">/dev/null", &["hint", "first/levels"]), (Some(0), false));
    assert_eq!(code(">&-", &["--quiet", "run", "first", "--only", "levels", "--out", "quiet"]), (Some(0), false));
    assert!(folder.join("quiet/manifest.json").exists());
    assert_eq!(code(">&- 2>&- <&-", &["hint", "first/levels"]), (Some(8), false));
    assert_eq!(code(">&-", &["--help"]), (Some(8), true));
    assert_eq!(code(">/dev/full", &["--version"]), (Some(8), true));
    // What was found, or what failed, is more than that it was not shown.
    let table = folder.join("ran/tables/levels.csv");
    let text = fs::read_to_string(&table).expect("a table");
    fs::write(table, text.replace("1247", "1248")).expect("a table");
    assert_eq!(code(">/dev/full", &["verify", "ran"]), (Some(3), true));
    assert_eq!(code(">&-", &["diff", "ran", "quiet"]), (Some(3), true));
    assert_eq!(code(">/dev/full", &["solve", "nowhere"]), (Some(1), false));
}

/// Commands that write beside those that show something, with what they write.
const WRITE: [(&[&str], &str); 10] = [
    (&["init", "made/study"], "made/study"),
    (&["man", "made/man"], "made/man"),
    (&["map", "first/levels", "--edges", "--format", "csv,parquet", "--out", "made/maps"], "made/maps"),
    (&["label", "first", "--out", "made/moves.csv"], "made/moves.csv"),
    (&["label", "first", "--out", "made/moves.parquet"], "made/moves.parquet"),
    (&["stats", "first", "--table", "participants", "--out", "made/people.csv"], "made/people.csv"),
    (&["export", "bids", "first", "--out", "made/bids"], "made/bids"),
    (&["export", "psych-ds", "first", "--out", "made/psych"], "made/psych"),
    (&["export", "graphml", "first", "--out", "made/graphs"], "made/graphs"),
    (&["lights-out", "survey", "--max", "3", "--out", "made/boards"], "made/boards"),
];

#[test]
fn a_file_that_may_not_grow_is_named_and_nothing_is_left_of_it() {
    let study = study();
    let folder = study.path();
    let showing = SHOW.iter().filter_map(|(arguments, target)| Some((*arguments, (*target)?)));
    let all: Vec<(&[&str], &str)> = WRITE.into_iter().chain(showing).collect();
    on_all_cores(all.len() as u64, |number| {
        let (arguments, _) = all[number as usize];
        let target = format!("made-{number}");
        let arguments: Vec<String> = arguments.iter().map(|argument| argument.replace("made", &target)).collect();
        // Blocks of 512 or 1,024 bytes, as the shell has it: the first or a later write fails, or none.
        let mut was_refused = false;
        for blocks in [0, 1, 4, 16] {
            fs::create_dir(folder.join(&target)).expect("a folder");
            let limited = plymap_in_shell(folder, &format!("ulimit -f {blocks}"), "", &arguments);
            let output = { limited }.output().expect("runs");
            let said = said(&output);
            let left: Vec<_> = fs::read_dir(folder.join(&target)).expect("a folder").collect();
            if output.status.code() != Some(0) {
                was_refused = true;
                assert_eq!(output.status.code(), Some(1), "{arguments:?}, {blocks} blocks: {said}");
                let line = said.lines().find(|line| line.starts_with("plymap: cannot write ")).unwrap_or_default();
                let file = line.trim_start_matches("plymap: cannot write ").split(": ").next().unwrap_or_default();
                assert!(file.contains(&target) && file.contains('.'), "{arguments:?}, {blocks} blocks: {said}");
                assert!(line.contains("File too large"), "{arguments:?}, {blocks} blocks: {said}");
                assert!(left.is_empty(), "{arguments:?}, {blocks} blocks: {left:?}");
            }
            fs::remove_dir_all(folder.join(&target)).expect("a folder");
        }
        assert!(was_refused, "{arguments:?}");
    });
}

/// The log goes through shards, of which first the rows and then the parts are too large.
#[test]
fn a_part_that_may_not_grow_says_why() {
    let study = study();
    let folder = study.path();
    let file = folder.join("first/study.toml");
    let text = fs::read_to_string(&file).expect("a study");
    fs::write(&file, text.replacen("[statistics]\n", "[statistics]\nmax_moves = 1\n", 1)).expect("a study");
    let mut named = BTreeSet::new();
    for blocks in 1..=8 {
        let limited = plymap_in_shell(folder, &format!("ulimit -f {blocks}"), "", &["run", "first", "--out", "made"]);
        let message = said(&{ limited }.output().expect("runs"));
        let Some((path, why)) =
            message.strip_prefix("plymap: cannot write ").and_then(|message| message.split_once(": "))
        else {
            continue;
        };
        assert!(why.starts_with("File too large"), "{message}");
        named.extend(Path::new(path).extension().map(OsStr::to_owned));
        assert!(!folder.join("made").exists());
    }
    assert!(named.contains(OsStr::new("moves")), "{named:?}");
}

#[test]
fn a_temporary_file_that_may_not_grow_is_named_and_gone() {
    let study = study();
    let folder = study.path();
    let temporary = folder.join("temporary");
    fs::create_dir(&temporary).expect("a folder");
    let mut archive = tar::Builder::new(fs::File::create(folder.join("first/logs/moves.tar")).expect("a file"));
    archive.append_path_with_name(folder.join("first/logs/moves.csv"), "moves.csv").expect("an archive");
    archive.finish().expect("an archive");
    let text = fs::read_to_string(folder.join("first/study.toml")).expect("a study");
    for log in ["moves.tar", "-"] {
        let name = if log == "-" { log.to_owned() } else { format!("logs/{log}") };
        fs::write(folder.join("first/study.toml"), text.replace("logs/moves.csv", &name)).expect("a study");
        let first = "ulimit -f 0; export TMPDIR=temporary";
        let output =
            plymap_in_shell(folder, first, "<first/logs/moves.csv", &["check", "first"]).output().expect("runs");
        let message = said(&output);
        assert_eq!(output.status.code(), Some(3), "{log}: {message}");
        let begin = format!("plymap: {name}: the log file cannot be read: the temporary file ");
        let parts = [begin.as_str(), "/temporary/.tmp", "File too large", "name another folder in TMPDIR"];
        assert!(parts.iter().all(|part| message.contains(part)), "{log}: {message}");
        assert_eq!(files_of(&temporary), []);
    }
}

/// The user to whom nothing belongs, who has no other process.
const NOBODY: u32 = 65534;

/// The program as a user who has no other process and may have so many, threads among them; none where nobody can be such a user
/// here: the limit is not for the owner of the system, and counts the processes of a whole user.
fn plymap_of_few(folder: &Path, n_processes: u32, arguments: &[&str]) -> Option<Output> {
    let program = assert_cmd::cargo::cargo_bin("plymap");
    let as_nobody = format!("setpriv --reuid={NOBODY} --clear-groups");
    [as_nobody.as_str(), "unshare --user"].into_iter().find_map(|user| {
        let run = |n_processes: u32, program: &OsStr, arguments: &[&str]| {
            let limit = format!("{user} prlimit --nproc={n_processes}");
            let mut words = limit.split(' ');
            let mut command = Command::new(words.next()?);
            command.args(words).arg(program).args(arguments);
            command.current_dir(folder).env("PLYMAP_NO_CACHE", "1").stdin(Stdio::null());
            command.output().ok()
        };
        // A shell may begin another process, and says so where it may not: the limit holds.
        let begins = |n| run(n, OsStr::new("sh"), &["-c", "(true; true) && echo begun"]);
        let (unlimited, limited) = (begins(1_000)?, begins(1)?);
        (unlimited.stdout == b"begun\n" && limited.stdout.is_empty() && !limited.stderr.is_empty()).then_some(())?;
        run(n_processes, program.as_os_str(), arguments)
    })
}

#[test]
fn threads_that_the_system_refuses_are_fewer_or_told() {
    let study = study();
    let folder = study.path();
    let run = |n_processes: u32, arguments: &[&str]| {
        let arguments = [&["--threads", "500"], arguments].concat();
        let output = plymap_of_few(folder, n_processes, &arguments);
        output.map(|output| (output.status.code(), said(&output), output.stdout))
    };
    let Some((code, message, labels)) = run(100, &["label", "first"]) else {
        return eprintln!("skipped: no user here has a limit of processes that holds");
    };
    assert_eq!(code, Some(0), "{message}");
    assert!(message.contains("threads work in place of 500: the system gives no more than "), "{message}");
    let whole = plymap(folder).args(["label", "first"]).output().expect("runs");
    assert!(labels == whole.stdout, "they depend on the number of threads");
    let tables: &[&[&str]] = &[
        &["stats", "first"],
        &["import", "first/logs/moves.csv", "--levels", "first/levels", "--preview"],
        &["figures", "first", "--labels"],
    ];
    for arguments in tables {
        let (code, message, _) = run(60, arguments).expect("as before");
        assert_eq!(code, Some(0), "{arguments:?}: {message}");
    }
    let (code, message, _) = run(5, &["label", "first"]).expect("as before");
    assert_eq!(code, Some(1), "{message}");
    assert!(message.starts_with("plymap: the system gives "), "{message}");
    assert!(message.contains("raise the limit of the user (ulimit -u)") && !message.contains("panicked"), "{message}");
}

/// More files than a process may have open.
#[test]
fn many_files_are_read_with_few_open_at_once() {
    const N: usize = 300;
    let study = study();
    let folder = study.path();
    let logs = folder.join("first/logs");
    let text = fs::read_to_string(logs.join("moves.csv")).expect("a log");
    let (head, rows) = text.split_once('\n').expect("a header");
    let row = rows.lines().next().expect("a row");
    let mut archive = tar::Builder::new(fs::File::create(folder.join("many.tar")).expect("a file"));
    for person in 0..N {
        let name = format!("P{person:03}");
        let (file, content) = (format!("{name}.csv"), format!("{head}\n{}\n", row.replace("anna", &name)));
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, &file, content.as_bytes()).expect("a member");
        fs::write(logs.join(file), content).expect("a file");
    }
    archive.finish().expect("an archive");
    fs::remove_file(logs.join("moves.csv")).expect("a log");
    let study = folder.join("first/study.toml");
    let text = fs::read_to_string(&study).expect("a study");
    let steps = "[log]\nsteps = [{ fill = { columns = ['level'] } }]";
    for files in ["logs", "logs/*.csv", "../many.tar"] {
        fs::write(&study, text.replace("logs/moves.csv", files).replace("[log]", steps)).expect("a study");
        for arguments in [
            &["check", "first"][..],
            &["label", "first"],
            &["shard", "first", "--n", "8", "--out", "parts"],
            &["run", "first", "--only", "levels", "--out", "ran-again"],
        ] {
            let output = plymap_in_shell(folder, "ulimit -n 64", "", arguments).output().expect("runs");
            assert_eq!(output.status.code(), Some(0), "{files} {arguments:?}: {}", said(&output));
            let n = String::from_utf8_lossy(&output.stdout).lines().filter(|line| line.contains("P299")).count();
            assert_eq!(n, usize::from(arguments[0] == "label"), "{files} {arguments:?}");
        }
    }
    let import = ["import", "first/logs", "--levels", "first/levels", "--preview"];
    let output = plymap_in_shell(folder, "ulimit -n 64", "", &import).output().expect("runs");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    // As many as are open at once are too many here.
    let arguments = ["shard", "first", "--n", "100", "--out", "parts"];
    let output = plymap_in_shell(folder, "ulimit -n 64", "", &arguments).output().expect("runs");
    let message = said(&output);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(
        message.contains("cannot write ") && message.contains("raise that limit (ulimit -n), or make fewer shards"),
        "{message}"
    );
}

/// A folder that is removed has to be opened.
#[cfg(target_os = "linux")]
#[test]
fn so_few_open_files_that_nothing_can_be_done_leave_nothing() {
    let study = study();
    let folder = study.path();
    fs::create_dir(folder.join("made")).expect("a folder");
    for arguments in
        [&["run", "first", "--out", "made/run"][..], &["merge", "first", "--shards", "shards", "--out", "made/run"]]
    {
        let mut n_refused = 0;
        for n in 4..=10 {
            let output = plymap_in_shell(folder, &format!("ulimit -n {n}"), "", arguments).output().expect("runs");
            let left: Vec<_> =
                fs::read_dir(folder.join("made")).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
            let message = said(&output);
            if output.status.code() == Some(0) {
                assert_eq!(left, ["run"], "{arguments:?} with {n}");
                fs::remove_dir_all(folder.join("made/run")).expect("a folder");
            } else {
                n_refused += 1;
                assert!(left.is_empty(), "{arguments:?} with {n}: {left:?} {message}");
                assert!(
                    message.contains("Too many open files") && !message.contains("panicked"),
                    "{arguments:?} with {n}: {message}"
                );
            }
        }
        assert!(n_refused > 0, "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_file_is_not_waited_for() {
    let study = study();
    let folder = study.path();
    // Looked at last, so that what comes before is as it was.
    for (file, arguments, why) in [
        ("ran/report.html", &["verify", "ran"][..], "report.html: is a link, pipe or device"),
        ("ran/tables/levels.csv", &["diff", "ran", "ran"], "levels.csv: it is no regular file, but a pipe"),
        ("ran/manifest.json", &["verify", "ran"], "manifest.json: it is no regular file, but a pipe"),
        (
            "shards/part-0001.attempts",
            &["merge", "first", "--shards", "shards"],
            "part-0001.attempts: it is no regular",
        ),
        ("shards/shard-0001.rows", &["run", "first", "--shards", "shards", "--shard", "1"], "shard-0001.rows"),
        ("shards/shards.json", &["merge", "first", "--shards", "shards"], "shards.json"),
        ("first/logs/moves.csv", &["label", "first"], "it is no regular file, but a pipe"),
    ] {
        let file = folder.join(file);
        fs::remove_file(&file).expect("a file");
        assert!(Command::new("mkfifo").arg(&file).status().expect("runs").success());
        let output = plymap(folder).args(arguments).output().expect("runs");
        let message = String::from_utf8_lossy(&output.stdout).into_owned() + &said(&output);
        assert!(!output.status.success() && message.contains(why), "{arguments:?}: {message}");
    }
}

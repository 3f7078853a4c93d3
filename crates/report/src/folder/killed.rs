//! Runs that are killed after each of their steps, and the next start after them.
//!
//! The process of a test cannot be killed. It starts itself again, for the one test that is not among the others; that
//! process ends after the step that it is told, without unwinding: what it would have put right at its end is not.

use std::collections::BTreeSet;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::SystemTime;
use std::{env, io};

use super::super::manifest::verify;
use super::*;

/// Number of steps that this process may still take; practically unlimited unless it was started to be killed.
static STEPS_LEFT: AtomicU32 = AtomicU32::new(u32::MAX);

/// True if this process acts as if the system could not exchange two folders.
static IS_IN_TWO_STEPS: AtomicBool = AtomicBool::new(false);

const KILLED: i32 = 137;

pub(super) fn step_taken() {
    if STEPS_LEFT.fetch_sub(1, Ordering::Relaxed) == 1 {
        // No destructor runs, as if it were killed.
        std::process::exit(KILLED);
    }
}

pub(super) fn is_in_two_steps() -> bool {
    IS_IN_TWO_STEPS.load(Ordering::Relaxed)
}

/// Removes what is in a folder as the system does, in one call each.
pub(super) fn empty_piece_by_piece(folder: &Path) -> io::Result<()> {
    let mut entries: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    // The manifest, by which a run is known, goes neither first nor last.
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        if entry.file_type()?.is_dir() {
            empty_piece_by_piece(&entry.path())?;
            fs::remove_dir(entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
        step_taken();
    }
    Ok(())
}

/// Variable with the orders of a process that is to be killed: its number of steps, whether folders are exchanged in
/// `one` step or in `two`, and what it writes.
const TOLD: &str = "PLYMAP_TEST_KILLED";

/// Variable with the path that it writes to.
const PLACE: &str = "PLYMAP_TEST_PLACE";

#[test]
#[ignore = "it is started by the other tests, to be killed"]
fn is_killed() {
    let (order, place) = (env::var(TOLD).unwrap(), PathBuf::from(env::var_os(PLACE).unwrap()));
    let [steps, in_two_steps, what] = order.split(' ').collect::<Vec<_>>()[..] else { panic!("{order}") };
    IS_IN_TWO_STEPS.store(in_two_steps == "two", Ordering::Relaxed);
    STEPS_LEFT.store(steps.parse().unwrap(), Ordering::Relaxed);
    if what == "run" {
        let folder = OutputFolder::create(&place).unwrap();
        write_run(folder.path(), "new");
        folder.commit().unwrap();
    } else {
        let files = OutputFiles::create(&place).unwrap();
        write_files(files.path(), "new");
        files.commit().unwrap();
    }
}

fn write(file: &Path, text: &str) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
    step_taken();
}

fn write_run(folder: &Path, text: &str) {
    for file in ["tables/moves.csv", "analysis.py", "report.md"] {
        write(&folder.join(file), text);
    }
    Manifest::new(serde_json::json!({})).write(folder).unwrap();
    step_taken();
}

/// The text of a run that is whole; none where there is no folder.
fn whole_run(folder: &Path) -> Option<String> {
    if !folder.exists() {
        return None;
    }
    assert_eq!(verify(folder).unwrap(), [], "{}", folder.display());
    Some(fs::read_to_string(folder.join("report.md")).unwrap())
}

fn write_files(folder: &Path, text: &str) {
    for file in ["a.svg", "tables/c.csv"] {
        write(&folder.join(file), text);
    }
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Makes everything hidden as old as what nobody writes to any more.
fn age(folder: &Path) {
    for name in names(folder).iter().filter(|name| name.starts_with('.')) {
        let hidden = File::open(folder.join(name)).unwrap();
        hidden.set_modified(SystemTime::now() - 2 * BEGINNING).unwrap();
    }
}

/// Kills processes that do `what` in `demo`, below a folder that `set` has prepared, after the first, second … of their
/// steps, until one of them comes to its end; `check` looks at what each has left. Gives the number of those killed.
fn kill_at_each_step(what: &str, set: impl Fn(&Path), mut check: impl FnMut(&Path)) -> u32 {
    let (_, module) = module_path!().split_once("::").unwrap();
    for steps in 1.. {
        let parent = tempfile::tempdir().unwrap();
        set(parent.path());
        let mut process = Command::new(env::current_exe().unwrap());
        process.args(["--exact", "--ignored", &format!("{module}::is_killed")]);
        process.env(TOLD, format!("{steps} {what}")).env(PLACE, parent.path().join("demo"));
        let ended = process.output().unwrap();
        let said = String::from_utf8_lossy(&ended.stdout);
        let is_killed = ended.status.code() == Some(KILLED);
        assert!(is_killed || said.contains("1 passed"), "after {steps} steps: {said}");
        check(parent.path());
        if !is_killed {
            return steps - 1;
        }
    }
    unreachable!()
}

/// State of the target before the run that is killed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Before {
    Nothing,
    EarlierRun,
    /// A run was killed before while it replaced the earlier one in two steps.
    EarlierRunAside,
}

#[test]
fn a_run_killed_after_any_step_leaves_the_earlier_or_the_new_one_and_the_next_start_heals() {
    use Before::{EarlierRun, EarlierRunAside, Nothing};
    let (none, old, new) = (None, Some("old".to_owned()), Some("new".to_owned()));
    // What the target is seen to hold.
    for (how, before, expected) in [
        ("one", Nothing, vec![&none, &new]),
        ("one", EarlierRun, vec![&new, &old]),
        ("one", EarlierRunAside, vec![&new, &old]),
        ("two", Nothing, vec![&none, &new]),
        ("two", EarlierRun, vec![&none, &new, &old]),
        ("two", EarlierRunAside, vec![&none, &new, &old]),
    ] {
        let set = |parent: &Path| {
            match before {
                Nothing => {}
                EarlierRun => write_run(&parent.join("demo"), "old"),
                EarlierRunAside => write_run(&parent.join(".demo.earlier-Ab12Cd").join(EARLIER_RUN), "old"),
            }
            write(&parent.join(".demo.partial-Ab12Cd/half/report.md"), "half");
            age(parent);
        };
        let mut outcomes = BTreeSet::new();
        let n_killed = kill_at_each_step(&format!("{how} run"), set, |parent| {
            let target = parent.join("demo");
            let left = whole_run(&target);
            // A run that would be put back is whole too, whatever becomes of the target.
            for aside in leftovers(parent, "demo", EARLIER) {
                assert!([&none, &old].contains(&&whole_run(&aside.join(EARLIER_RUN))));
            }
            age(parent);
            drop(OutputFolder::create(&target).unwrap());
            let healed = whole_run(&target);
            let expected = if left.is_none() && before != Nothing { &old } else { &left };
            assert_eq!(&healed, expected, "{how} {before:?}");
            assert_eq!(names(parent), healed.iter().map(|_| "demo").collect::<Vec<_>>(), "{how} {before:?}");
            outcomes.insert(left);
        });
        assert_eq!(outcomes.iter().collect::<Vec<_>>(), expected, "{how} {before:?}");
        assert!(n_killed >= 10, "{how} {before:?}: {n_killed}");
    }
}

#[test]
fn files_whose_move_is_killed_after_any_step_are_old_or_new_each() {
    let set = |parent: &Path| {
        write_files(&parent.join("demo"), "old");
        write(&parent.join("demo/notes.txt"), "mine");
        write(&parent.join("demo/.plymap.partial-Ab12Cd/a.svg"), "half");
        age(&parent.join("demo"));
    };
    let mut contents = BTreeSet::new();
    let n_killed = kill_at_each_step("one files", set, |parent| {
        let folder = parent.join("demo");
        age(&folder);
        drop(OutputFiles::create(&folder).unwrap());
        assert_eq!(names(&folder), ["a.svg", "notes.txt", "tables"]);
        let text = |file: &str| fs::read_to_string(folder.join(file)).unwrap();
        assert_eq!(text("notes.txt"), "mine");
        contents.insert([text("a.svg"), text("tables/c.csv")]);
    });
    let pair = |first: &str, second: &str| [first.to_owned(), second.to_owned()];
    assert_eq!(contents, [pair("old", "old"), pair("new", "old"), pair("new", "new")].into());
    assert!(n_killed >= 8, "{n_killed}");
}

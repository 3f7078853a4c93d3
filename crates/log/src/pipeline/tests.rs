//! Steps of many files: what they share, and what they do not.

use std::collections::BTreeSet;
use std::fs;
use std::sync::{Arc, Mutex};

use plymap_puzzles::progress::{Progress, Silent};
use tempfile::TempDir;

use crate::open::Opened;
use crate::{Log, LogSpec, read_log};

/// So many people, each with a file of their own.
const N: usize = 60;

/// Their files, of which the last has a column more.
fn files(head: &str, rows: impl Fn(usize) -> String) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for person in 0..N {
        let more = if person == N - 1 { ["more,", "m,"] } else { ["", ""] };
        let rows: String = rows(person).lines().map(|row| format!("{}{row}\n", more[1])).collect();
        fs::write(folder.path().join(format!("P{person:03}.csv")), format!("{}{head}\n{rows}", more[0])).unwrap();
    }
    folder
}

fn spec(folder: &TempDir, entries: &str) -> LogSpec {
    let spec: LogSpec = toml::from_str(&format!("files = ['*.csv']\n{entries}")).unwrap();
    LogSpec { folder: folder.path().to_owned(), ..spec }
}

fn actions(log: &Log) -> Vec<String> {
    let row = |number| {
        let row = log.rows.at(number);
        format!("{} {} {}", row.participant(), row.level(), row.action().unwrap_or("-"))
    };
    (0..log.rows.len()).map(row).collect()
}

#[test]
fn files_with_the_same_columns_share_lists_and_steps_and_no_cells() {
    // The first row of each file has no level; nothing stands above it that could fill it.
    let folder = files("level,action", |person| format!(",A+1\n{person},A+2\n,A+3\n"));
    let steps = "path = '{participant}.csv'\nsteps = [{ fill = { columns = ['level'] } }, { where = 'level != 7' }]";
    let spec = spec(&folder, steps);
    let opened = Opened::new(&spec, &Silent).unwrap();
    let lists: BTreeSet<*const String> = opened.sources.iter().map(|source| source.columns.as_ptr()).collect();
    let outputs: BTreeSet<*const String> = opened.sources.iter().map(|source| source.output_columns.as_ptr()).collect();
    assert_eq!((lists.len(), outputs.len(), opened.pipelines.len()), (2, 2, 2));
    let log = read_log(&spec, &Silent).unwrap();
    let of_person = |person: usize| [format!("P{person:03} {person} A+2"), format!("P{person:03} {person} A+3")];
    let expected: Vec<String> = (0..N).filter(|&person| person != 7).flat_map(of_person).collect();
    assert_eq!(actions(&log), expected);
    let count = log.steps.iter().find(|step| step.step == "where").unwrap();
    let n = N as u64;
    assert_eq!((count.n_in, count.n_out, count.n_left_out, count.n_undecided), (3 * n, 2 * n - 2, n + 2, n));
}

#[test]
fn columns_that_rows_make_are_shared_where_they_are_the_same() {
    // Of every tenth person there is a key that others have not.
    let row = |person: usize| {
        let key = if person.is_multiple_of(10) { "late" } else { "rt" };
        format!("\"[{{\"\"action\"\": \"\"A+1\"\", \"\"{key}\"\": 1}}]\"\n")
    };
    let folder = files("level,moves", |person| format!(",{}1,{}", row(person), row(person)));
    let steps = [
        "path = '{participant}.csv'",
        "steps = [{ fill = { columns = ['level'] } }, { where = 'level == 1' }, { split = { column = 'moves' } }]",
    ];
    let spec = spec(&folder, &steps.join("\n"));
    // Those with the one key, with the other, and with a column more.
    assert_eq!(Opened::new(&spec, &Silent).unwrap().pipelines.len(), 3);
    // Nothing is kept of the first pass, in which columns are found: neither what stood above the end nor what was counted.
    let log = read_log(&spec, &Silent).unwrap();
    assert_eq!(actions(&log), (0..N).map(|person| format!("P{person:03} 1 A+1")).collect::<Vec<_>>());
    let count = log.steps.iter().find(|step| step.step == "where").unwrap();
    assert_eq!((count.n_in, count.n_out, count.n_undecided), (2 * N as u64, N as u64, N as u64));
}

/// Progress messages.
#[derive(Default)]
struct Shown(Mutex<Vec<(String, Option<u64>, u64)>>);

impl Progress for Shown {
    fn begin(&self, stage: &str, total: Option<u64>) {
        self.0.lock().unwrap().push((stage.to_owned(), total, 0));
    }

    fn advance(&self, steps: u64) {
        if let Some(stage) = self.0.lock().unwrap().last_mut() {
            stage.2 += steps;
        }
    }

    fn end(&self) {}

    fn is_cancelled(&self) -> bool {
        self.0.lock().unwrap().last().is_some_and(|stage| stage.2 > 10 && stage.1 == Some(11))
    }
}

#[test]
fn files_are_looked_at_with_progress_one_by_one() {
    let folder = files("level,action", |_| "1,A+1\n".to_owned());
    let shown = Shown::default();
    read_log(&spec(&folder, "path = '{participant}.csv'"), &shown).unwrap();
    let stages = shown.0.into_inner().unwrap();
    assert_eq!(stages[0], ("looking at logs".to_owned(), Some(N as u64), N as u64));
    assert_eq!(stages[1].0, "reading logs");
}

#[test]
fn lists_of_columns_are_compared_by_what_they_hold() {
    let mut lists = Default::default();
    let [one, other, third]: [Arc<[String]>; 3] =
        [["a", "b"], ["a", "b"], ["a", "c"]].map(|names| names.map(str::to_owned).into());
    let shared = super::super::read::shared(&mut lists, &one);
    assert!(Arc::ptr_eq(&shared, &super::super::read::shared(&mut lists, &other)));
    assert!(!Arc::ptr_eq(&shared, &super::super::read::shared(&mut lists, &third)));
}

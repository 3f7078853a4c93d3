//! Runs compared.

use std::fs;
use std::path::{Path, PathBuf};

use plymap_puzzles::progress::Silent;
use plymap_report::diff::{Comparison, DiffError, Tolerance, What, diff};
use plymap_run::RunOptions;
use plymap_run::study::Study;
use plymap_tables::TableFormat;
use tempfile::TempDir;

use crate::common::{program, repository};

/// A run of the Tower of Hanoi with few analyses and no figures, and another after a change of the study.
fn two_runs(change: impl Fn(&mut Study)) -> (TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = repository().join("data/tower_of_hanoi/study.toml");
    let run = |name: &str, change: &dyn Fn(&mut Study)| {
        let mut study = Study::read(&file).expect("a study");
        study.statistics.analyses = Some(Vec::new());
        study.baseline = Some(Vec::new());
        study.figures.formats.clear();
        study.output.tables = TableFormat::ALL.to_vec();
        change(&mut study);
        let target = folder.path().join(name);
        plymap_run::run(&study, &file, &target, &RunOptions::default(), &Silent).expect("a run");
        target
    };
    let (first, second) = (run("one", &|_| ()), run("other", &change));
    (folder, first, second)
}

fn compared(first: &Path, second: &Path, only: Option<&str>) -> Comparison {
    diff(first, second, Tolerance::default(), only, &Silent).expect("two runs")
}

/// The named cells of the comparison, each as table, column and number of cells that differ.
fn cells(comparison: &Comparison) -> Vec<(&str, &str, u64)> {
    let cells = comparison.differences.iter().filter_map(|difference| {
        Some((difference.table.as_deref()?, difference.name.as_deref()?, difference.cells.as_ref()?.n_differ))
    });
    cells.collect()
}

#[test]
fn a_run_equals_itself_in_every_format_and_a_changed_cell_is_found() {
    let (_folder, first, second) = two_runs(|study| study.output.tables.reverse());
    let same = compared(&first, &second, None);
    assert!(same.is_equal() && same.n_tables > 10 && same.n_cells > 50_000, "{}", same.summary());
    // Parquet, which is compared first, is gone: of the one run CSV is read, of the other Parquet.
    fs::remove_file(first.join("tables/moves.parquet")).expect("a file");
    fs::remove_file(second.join("tables/moves.csv")).expect("a file");
    assert!(compared(&first, &second, None).is_equal());
    let csv = first.join("tables/moves.csv");
    let text = fs::read_to_string(&csv).expect("a table");
    assert_eq!(text.matches("1>3,2.366,2.366,").count(), 1);
    fs::write(&csv, text.replace("1>3,2.366,2.366,", "1>2,2.366,2.866,")).expect("a file");
    let changed = compared(&first, &second, Some("moves"));
    assert_eq!(cells(&changed), [("moves", "action", 1), ("moves", "rt_s", 1)]);
    let files: Vec<_> = changed.differences.iter().filter(|difference| difference.what == What::File).collect();
    assert!(matches!(files[..], [file] if file.name.as_deref() == Some("tables/moves.csv")));
    assert!(files[0].one.is_some() && files[0].other.is_none(), "that of the first run was changed");
    let time = changed.differences.last().and_then(|difference| difference.cells.as_ref()).expect("cells");
    assert!((time.largest_absolute.unwrap() - 0.5).abs() < 1e-12);
    assert!(time.key.starts_with("participant = p01, session = 1, level = "), "{}", time.key);
    let wide = Tolerance { relative: 0.5, absolute: 0.0 };
    assert_eq!(cells(&diff(&first, &second, wide, Some("moves"), &Silent).expect("runs")), [("moves", "action", 1)]);
}

#[test]
fn the_exit_code_says_whether_runs_differ() {
    let (_folder, first, second) = two_runs(|_| ());
    fs::remove_file(second.join("tables/moves.parquet")).expect("a file");
    let csv = second.join("tables/moves.csv");
    let text = fs::read_to_string(&csv).expect("a table");
    fs::write(&csv, text.replace("1>3,2.366,2.366,", "1>3,2.366,2.866,")).expect("a file");
    let program = |arguments: &[&str]| program().arg("diff").args([&first, &second]).args(arguments).assert();
    program(&["--table", "trials"]).success();
    let said = program(&["--format", "csv"]).code(3);
    let said = String::from_utf8_lossy(&said.get_output().stdout).into_owned();
    let is_told = said.contains("\ncells,moves,rt_s,2.366,2.866,")
        && said.contains("\nfile,,tables/moves.csv,,is not as its run wrote it,");
    assert!(said.starts_with("what,table,name,one,other,") && is_told, "{said}");
    program(&["--relative", "-1"]).code(2);
}

/// A trial that one run lacks is a row of `trials`, and what it did rows of `moves`; nothing else differs.
#[test]
fn a_dropped_trial_is_named_and_all_others_are_equal() {
    let (_folder, first, second) = two_runs(|_| ());
    for table in ["trials", "moves"] {
        fs::remove_file(second.join(format!("tables/{table}.parquet"))).expect("a file");
        let csv = second.join(format!("tables/{table}.csv"));
        let text = fs::read_to_string(&csv).expect("a table");
        let trial = text.lines().nth(3).expect("a trial").split(',').take(3).collect::<Vec<_>>().join(",") + ",";
        let kept: Vec<&str> = text.lines().filter(|line| !line.starts_with(&trial)).collect();
        let n_dropped = text.lines().count() - kept.len();
        assert!(n_dropped >= 1 && kept.len() > 10, "{table}: {n_dropped} of {trial}");
        fs::write(&csv, kept.join("\n") + "\n").expect("a file");
        let comparison = compared(&first, &second, Some(table));
        let results: Vec<_> =
            comparison.differences.iter().filter(|difference| difference.what != What::File).collect();
        let [dropped] = results[..] else { panic!("{table}: {results:?}") };
        let rows = dropped.cells.as_ref().expect("rows");
        assert_eq!((dropped.what, rows.n_differ), (What::Dropped, n_dropped as u64), "{table}");
        let [participant, session, level] = [0, 1, 2].map(|place| trial.split(',').nth(place).unwrap_or_default());
        let key = format!("participant = {participant}, session = {session}, level = {level}");
        assert!(rows.key.starts_with(&key), "{table}: {} is not {key}", rows.key);
    }
}

#[test]
fn options_explain_what_differs() {
    let confidence = plymap_statistics::stats::Confidence::new(0.9).expect("a level");
    let (_folder, first, second) = two_runs(|study| study.statistics.confidence = confidence);
    let comparison = compared(&first, &second, None);
    let explanation = &comparison.differences[0];
    assert_eq!((explanation.what, explanation.name.as_deref()), (What::Option, Some("statistics.confidence")));
    assert_eq!((explanation.one.as_deref(), explanation.other.as_deref()), (Some("0.95"), Some("0.9")));
    assert!(!comparison.is_equal());
    assert!(
        cells(&comparison).iter().all(|(table, ..)| *table != "moves" && *table != "trials"),
        "{:?}",
        cells(&comparison)
    );
    fs::remove_file(second.join("tables/trials.parquet")).expect("a file");
    fs::remove_file(second.join("tables/trials.csv")).expect("a file");
    let gone = compared(&first, &second, Some("trials"));
    let table = gone.differences.last().expect("a difference");
    assert_eq!((table.what, table.one.as_deref(), table.other.as_deref()), (What::Table, Some("there"), None));
    let unknown = diff(&first, &second, Tolerance::default(), Some("move"), &Silent).unwrap_err();
    assert!(matches!(&unknown, DiffError::NoTable { hint, .. } if hint.contains("moves")), "{unknown}");
    let no_run = diff(&first, &repository(), Tolerance::default(), None, &Silent).unwrap_err().to_string();
    assert!(no_run.contains("manifest.json"), "{no_run}");
}

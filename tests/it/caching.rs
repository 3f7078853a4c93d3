//! Results kept from one run to the next change no other result, and save what has not changed.

use std::fs;
use std::path::{Path, PathBuf};

use plymap_puzzles::progress::Silent;
use plymap_run::cache::Cache;
use plymap_run::study::Study;
use plymap_run::{RunOptions, RunSummary, run};
use plymap_tables::store::{FolderStore, take_damaged};
use tempfile::TempDir;

use crate::common::{files_of, program, repository};

/// A small study in a folder of its own, and a folder in which results are kept.
struct Place {
    folder: TempDir,
}

/// Enough analyses for these tests: some have intervals, some draw chance, and one says something of each move.
const ANALYSES: [&str; 4] = ["description", "learning", "sequences", "phases"];

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let from = repository().join("data/tower_of_london");
        fs::create_dir(folder.path().join("study")).expect("a folder");
        for file in ["study.toml", "levels.txt", "log.csv"] {
            fs::copy(from.join(file), folder.path().join("study").join(file)).expect("a copy");
        }
        let place = Self { folder };
        place.edit("study.toml", "[figures]", &format!("[statistics]\nanalyses = {ANALYSES:?}\n\n[figures]"));
        place
    }

    fn study(&self) -> PathBuf {
        self.folder.path().join("study/study.toml")
    }

    fn kept(&self) -> PathBuf {
        self.folder.path().join("kept")
    }

    fn edit(&self, file: &str, from: &str, to: &str) {
        let file = self.folder.path().join("study").join(file);
        let text = fs::read_to_string(&file).expect("text");
        assert!(text.contains(from), "{} has no {from:?}", file.display());
        fs::write(file, text.replacen(from, to, 1)).expect("written");
    }

    fn run(&self, target: &str, options: RunOptions) -> RunSummary {
        let study = Study::read(&self.study()).expect("a study");
        run(&study, &self.study(), &self.folder.path().join(target), &options, &Silent).expect("a run")
    }

    /// A run that keeps its results, and uses those that are kept.
    fn cached(&self, target: &str) -> RunSummary {
        let cache = Some(Cache::new(FolderStore::new(self.kept())));
        self.run(target, RunOptions { cache, ..RunOptions::default() })
    }

    /// The files of a run by their names, with their bytes.
    fn files(&self, target: &str) -> Vec<(PathBuf, Vec<u8>)> {
        files_of(&self.folder.path().join(target))
    }

    /// Asserts that a run writes the bytes of one that keeps nothing.
    #[track_caller]
    fn check(&self, target: &str) {
        self.run("anew", RunOptions::default());
        let (cached, anew) = (self.files(target), self.files("anew"));
        let names = |files: &[(PathBuf, Vec<u8>)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&cached), names(&anew));
        let different: Vec<_> =
            cached.iter().zip(&anew).filter(|(left, right)| left != right).map(|(left, _)| &left.0).collect();
        assert!(different.is_empty(), "{different:?}");
    }
}

/// Returns the numbers of results of a kind that were found, and that were looked for.
fn found(summary: &RunSummary, what: &str) -> (u64, u64) {
    summary.uses.get(what).map_or((0, 0), |uses| (uses.n_found, uses.n_asked))
}

const N_ANALYSES: u64 = ANALYSES.len() as u64;

#[test]
fn after_an_edit_only_what_depends_on_it_is_computed() {
    let place = Place::new();
    let first = place.cached("run");
    assert_eq!((found(&first, "analyses"), found(&first, "baselines")), ((0, N_ANALYSES), (0, 1)));

    let again = place.cached("run");
    assert!(again.is_unchanged && again.uses.is_empty());
    assert_eq!((again.rows, again.n_files, again.n_states), (first.rows, first.n_files, first.n_states));

    place.edit("study.toml", "dpi = 150", "width = \"single\"");
    let other_figures = place.cached("run");
    assert!(!other_figures.is_unchanged);
    assert_eq!(found(&other_figures, "analyses"), (N_ANALYSES, N_ANALYSES));
    assert_eq!(found(&other_figures, "baselines"), (1, 1));
    place.check("run");

    place.edit("study.toml", "[statistics]", "[statistics]\nconfidence = 0.9");
    let (n_kept, _) = found(&place.cached("run"), "analyses");
    assert!(0 < n_kept && n_kept < N_ANALYSES, "{n_kept} analyses have no interval");
    place.check("run");

    place.edit("log.csv", "\n", "\n\n");
    let (n_kept, _) = found(&place.cached("run"), "analyses");
    assert_eq!(n_kept, N_ANALYSES, "a blank line is no move");

    let log = place.folder.path().join("study/log.csv");
    let text = fs::read_to_string(&log).expect("a log");
    let (rows, _) = text.trim_end().rsplit_once('\n').expect("rows");
    fs::write(&log, format!("{rows}\n")).expect("written");
    assert_eq!(found(&place.cached("run"), "analyses"), (0, N_ANALYSES), "a move is missing");
    place.check("run");
}

#[test]
fn a_run_is_made_again_where_its_files_are_not_as_it_left_them() {
    let place = Place::new();
    place.cached("run");
    let page = place.folder.path().join("run/report.html");
    for damage in [
        |page: &Path| fs::write(page, "edited").expect("written"),
        |page: &Path| {
            fs::remove_file(page).expect("removed");
        },
    ] {
        damage(&page);
        assert!(!place.cached("run").is_unchanged);
        assert!(place.cached("run").is_unchanged);
    }
    let manifest = place.folder.path().join("run/manifest.json");
    let text = fs::read_to_string(&manifest).expect("a manifest");
    fs::write(&manifest, text.replacen("\"seeds\"", "\"seeds\" ", 1)).expect("written");
    assert!(!place.cached("run").is_unchanged, "the manifest was edited");
    assert!(!place.cached("elsewhere").is_unchanged, "another folder");
    place.check("elsewhere");
}

#[test]
fn damaged_results_are_computed_again() {
    let place = Place::new();
    place.cached("run");
    let entries = fs::read_dir(place.kept()).expect("a folder").map(|entry| entry.expect("an entry").path());
    let damaged: Vec<PathBuf> = entries.collect();
    for (number, file) in damaged.iter().enumerate() {
        let mut bytes = fs::read(file).expect("an entry");
        match number % 3 {
            0 => bytes.truncate(bytes.len() / 2),
            1 => {
                let at = bytes.len() / 2;
                bytes[at] ^= 1;
            }
            _ => bytes = b"not one of plymap".to_vec(),
        }
        fs::write(file, bytes).expect("written");
    }
    let after = place.cached("run");
    assert!(!after.is_unchanged);
    // Behind a list of results that is damaged none of them is looked for.
    let named = || take_damaged().into_iter().filter(|file| file.starts_with(place.kept())).collect::<Vec<_>>();
    let first = named();
    assert!(first.len() > 2 && first.iter().all(|file| damaged.contains(file)), "{first:?}");
    assert_eq!((found(&after, "analyses"), found(&after, "baselines")), ((0, N_ANALYSES), (0, 1)));
    place.check("run");
    let elsewhere = place.cached("elsewhere");
    assert_eq!((found(&elsewhere, "analyses"), named()), ((N_ANALYSES, N_ANALYSES), vec![]));
}

#[test]
fn a_quick_look_says_that_it_is_one() {
    let place = Place::new();
    let text = |file: &str| fs::read_to_string(place.folder.path().join("fast").join(file)).expect("a file");
    place.run("whole", RunOptions::default());
    place.run("fast", RunOptions { is_fast: true, ..RunOptions::default() });
    assert!(text("report.md").contains("a quick look (--fast)"));
    assert!(text("report.md").contains("plymap run study.toml --fast"));
    let manifest: serde_json::Value = serde_json::from_str(&text("manifest.json")).expect("JSON");
    assert_eq!(manifest["study"]["run"], serde_json::json!({ "only": [], "fast": true }));
    let n_figures =
        |target: &str| fs::read_dir(place.folder.path().join(target).join("figures")).expect("figures").count();
    assert!(0 < n_figures("fast") && n_figures("fast") < n_figures("whole") / 3);
    let shuffles = |target: &str| {
        let table =
            fs::read_to_string(place.folder.path().join(target).join("tables/phase_null.csv")).expect("a table");
        let mut lines = table.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
        let column = lines.next().expect("a header").iter().position(|name| name == "n_shuffles").expect("a column");
        lines.next().expect("a row")[column].clone()
    };
    assert_eq!((shuffles("whole").as_str(), shuffles("fast").as_str()), ("999", "99"));
}

#[test]
fn single_sections_are_made_alone() {
    let place = Place::new();
    place.run("part", RunOptions { only: vec!["learning".to_owned(), "time".to_owned()], ..RunOptions::default() });
    let page = fs::read_to_string(place.folder.path().join("part/report.md")).expect("a page");
    let headings: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    assert!(headings.contains(&"Change over trials") && headings.contains(&"Time and quality"), "{headings:?}");
    assert!(!headings.contains(&"Quality of moves") && !headings.contains(&"Models of choice"), "{headings:?}");
    assert!(page.contains("not the whole report (--only)"));
    let tables = place.folder.path().join("part/tables");
    assert!(tables.join("learning.csv").exists() && !tables.join("choice_models.csv").exists());
    let figures = fs::read_dir(place.folder.path().join("part/figures")).expect("figures");
    let names: Vec<_> =
        figures.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    assert!(
        names
            .iter()
            .all(|name| ["learning", "time-by-quality", "inter-move-times"].iter().any(|kind| name.starts_with(kind))),
        "{names:?}"
    );
    assert!(!names.is_empty());
}

#[test]
fn a_section_whose_analysis_the_study_leaves_out_is_told() {
    let place = Place::new();
    let study = Study::read(&place.study()).expect("a study");
    let options = RunOptions { only: vec!["survival".to_owned()], ..RunOptions::default() };
    let said = run(&study, &place.study(), &place.folder.path().join("run"), &options, &Silent).expect_err("a refusal");
    assert!(said.to_string().contains("\"survival\" needs the analysis of this name"), "{said}");
}

/// Every section can be named, and only those: a section that [`plymap_run::sections`] does not list could not be asked
/// for, and the report would be without it.
#[test]
fn every_section_of_a_report_can_be_asked_for() {
    let manifest = fs::read_to_string(crate::common::demo_run().join("report.html")).expect("the report of the demo");
    let ids = || manifest.split("<section id=\"section-").skip(1).filter_map(|rest| rest.split('"').next());
    let known: Vec<String> = plymap_run::sections().map(|section| section.replace('_', "-")).collect();
    let n_sections = ids().count();
    let unknown: Vec<&str> = ids().filter(|id| !known.contains(&id.replace('_', "-"))).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    assert_eq!(n_sections, known.len() - 1, "the demo has all sections but claims");
}

#[test]
fn a_kept_network_that_is_damaged_is_said_and_learns_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("levels.txt"), "# id: any\n4x4\n").expect("written");
    let map = |out: &str| {
        let arguments = ["map", "levels.txt", "--game", "2048", "--rule", "leaf=network", "--rule", "training_games=2"];
        let mut command = program();
        command.current_dir(folder.path()).args(arguments).args(["--cache", "kept", "--out", out]);
        let ended = command.output().expect("an end");
        assert!(ended.status.success(), "{ended:?}");
        String::from_utf8(ended.stderr).expect("text")
    };
    assert!(!map("first").contains("damaged"));
    let file = fs::read_dir(folder.path().join("kept")).expect("a folder").next().expect("one").expect("a file").path();
    let mut bytes = fs::read(&file).expect("weights");
    bytes[5_000] ^= 1;
    fs::write(&file, bytes).expect("written");
    let said = map("second");
    assert!(said.contains("2048-network") && said.contains("was damaged"), "{said}");
    assert!(!map("third").contains("damaged"), "it is kept again");
}

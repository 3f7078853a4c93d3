//! Helpers of several tests.

use std::error::Error;
use std::fs::File;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use plymap_puzzles::progress::Silent;
use plymap_report::settings::FigureFormat;
use plymap_run::RunOptions;
use plymap_run::study::Study;

use crate::recorded_data::{recorded, recorded_data};

/// The folder of the project.
pub fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The program as users call it, but that nothing is kept from one call to the next: tests see what is computed.
pub fn program() -> assert_cmd::Command {
    let mut program = assert_cmd::Command::cargo_bin("plymap").expect("the program is built");
    program.env("PLYMAP_NO_CACHE", "1");
    program
}

/// Does work number 0 to `n`, without `n`, on all cores. Threads of rayon would, while they wait within the library, begin
/// the next work on the same stack.
pub fn on_all_cores(n: u64, work: impl Fn(u64) + Sync) {
    let next = AtomicU64::new(0);
    let some = || {
        while let Some(number) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&number| number < n) {
            work(number);
        }
    };
    let n_cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    std::thread::scope(|scope| (0..n_cores).for_each(|_| drop(scope.spawn(some))));
}

/// Returns true if tests write what they compare with anew: after a wanted change, `UPDATE_GOLDEN=1 cargo test`.
pub fn updates_golden() -> bool {
    std::env::var_os("UPDATE_GOLDEN").is_some()
}

/// The folder of a run of the demo study, made once for all tests and left in `target/tmp/demo` to be looked at.
///
/// It has no PDF and no PNG: these are made of the SVG, and would take most of the time.
pub fn demo_run() -> &'static Path {
    static RUN: LazyLock<SharedRun> = LazyLock::new(|| SharedRun::new().expect("a run of the demo"));
    &RUN.folder
}

/// A folder that no other process replaces as long as this one lives.
struct SharedRun {
    folder: PathBuf,
    _lock: File,
}

impl SharedRun {
    /// `cargo nextest` gives each test a process of its own: the first one makes the run, the others take it.
    fn new() -> Result<Self, Box<dyn Error>> {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR"));
        std::fs::create_dir_all(place)?;
        let (folder, made_by) = (place.join("demo"), place.join("demo.made-by"));
        let lock = File::create(place.join("demo.lock"))?;
        let alone = |_| format!("process {} at {:?}", std::process::id(), SystemTime::now());
        let tests = std::env::var("NEXTEST_RUN_ID").unwrap_or_else(alone);
        let is_made = || std::fs::read_to_string(&made_by).is_ok_and(|made_by| made_by == tests);
        loop {
            lock.lock_shared()?;
            if is_made() {
                return Ok(Self { folder, _lock: lock });
            }
            lock.unlock()?;
            lock.lock()?;
            if !is_made() {
                let _ = std::fs::remove_file(&made_by);
                let file = repository().join("data/demo/study.toml");
                let mut study = Study::read(&file)?;
                study.figures.formats = vec![FigureFormat::Svg];
                plymap_run::run(&study, &file, &folder, &RunOptions::default(), &Silent)?;
                std::fs::write(&made_by, &tests)?;
            }
            lock.unlock()?;
        }
    }
}

/// The Python that `PLYMAP_PYTHON` names, or that of `.ci/run`, or that of the system.
pub fn python() -> PathBuf {
    let of_checks = repository().join("target/python/bin/python");
    let named = std::env::var_os("PLYMAP_PYTHON").filter(|name| !name.is_empty()).map(PathBuf::from);
    named.unwrap_or(if of_checks.exists() { of_checks } else { "python3".into() })
}

/// The files of a run by their names, with their bytes.
pub fn files_of(target: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![target.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let name = path.strip_prefix(target).expect("a file of the run").to_owned();
                    files.push((name, std::fs::read(&path).expect("a file")));
                }
            }
        }
    }
    files.sort();
    files
}

/// `data/studies/rush_hour_34.toml`, with its files where the recorded data are.
pub fn rush_hour_34() -> Option<Study> {
    recorded("rush_hour/puzzles70.csv")?;
    recorded("rush_hour/moves_34subj.csv.gz")?;
    let mut study = Study::read(&repository().join("data/studies/rush_hour_34.toml")).expect("the study");
    for file in study.levels.files.iter_mut().chain(&mut study.log.files) {
        *file = recorded_data().join(file.strip_prefix("../../../shared/data").expect("a path to recorded data"));
    }
    Some(study)
}

//! The run of a study in the page: its results, and what changed since the last one.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use plymap_puzzles::progress::{Progress, Silent};
use plymap_report::diff::{Tolerance, diff};
use plymap_report::{FailedPart, MANIFEST_NAME, Manifest, REPORT_PAGE, sha256_file};
use plymap_run::cache::Cache;
use plymap_run::study::Study;
use plymap_run::{RunOptions, RunSummary, run, study_files};
use serde::Serialize;

use crate::problem::Problem;
use crate::project::Project;

/// Number of differences that the page lists; `plymap diff` has all.
const CHANGES_SHOWN: usize = 200;

/// Files of an earlier run that are kept to compare with: tables and manifest.
const KEPT: [&str; 5] = [MANIFEST_NAME, "codebook.json", "tables", "distances", "edges"];

/// Results of a study.
#[derive(Debug, Serialize)]
pub struct Outcome {
    has: bool,
    /// Address of the report.
    report: String,
    /// True if they are those of a quick preview.
    is_preview: bool,
    /// Address of the report of the whole run, which a preview leaves as it was.
    whole: Option<String>,
    /// Kind of the run that the end of the program cut off: `run` or `preview`.
    interrupted: Option<&'static str>,
    /// Folder of the results, as the project names it.
    folder: String,
    summary: Option<RunSummary>,
    failed: Vec<FailedPart>,
    /// True if the study and its files are as the run read them.
    is_current: bool,
    changes: Option<Changes>,
    /// Reason why the changes cannot be told.
    changes_error: Option<String>,
}

/// What changed since the run before.
#[derive(Debug, Serialize)]
struct Changes {
    text: String,
    n: usize,
    rows: Vec<Change>,
}

#[derive(Debug, Serialize)]
struct Change {
    what: String,
    table: Option<String>,
    name: Option<String>,
    before: Option<String>,
    after: Option<String>,
    n_differ: Option<u64>,
    key: Option<String>,
}

/// The summary of the last run and when it ended, while the server lives.
#[derive(Debug, Default)]
pub struct Runs(Mutex<Option<(SystemTime, RunSummary)>>);

/// Addresses of a whole run and of a preview.
const ADDRESSES: [(bool, &str); 2] = [(false, "run"), (true, "preview")];

/// A mark beside the results that a run is under way, which the end of the program leaves there.
struct Running(PathBuf);

impl Running {
    fn begin(target: &Path) -> io::Result<Self> {
        target.parent().map_or(Ok(()), fs::create_dir_all)?;
        let mark = hidden(target, "running");
        File::create(&mark).map(|_| Self(mark))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Returns the kind of the run that the end of the program cut off, `run` or `preview`; none while a run `is_running`, or
/// where there was one since.
pub fn interrupted(project: &Project, study: &Study, is_running: bool) -> Option<&'static str> {
    let is_cut_off = |&(is_fast, _): &(bool, &str)| {
        let target = project.results(study, is_fast);
        let began = modified(&hidden(&target, "running"));
        began.is_some() && ADDRESSES.iter().all(|&(is_fast, _)| written(&project.results(study, is_fast)) < began)
    };
    ADDRESSES.iter().filter(|_| !is_running).find(|one| is_cut_off(one)).map(|(_, name)| *name)
}

/// Returns the folder of the results to take away and the first part of their addresses: those of a preview where there
/// are no others.
pub fn results_to_take(project: &Project, study: &Study) -> (PathBuf, &'static str) {
    let [whole, preview] = ADDRESSES.map(|(is_fast, address)| (project.results(study, is_fast), address));
    if written(&whole.0).is_none() && written(&preview.0).is_some() { preview } else { whole }
}

/// Returns when the results in a folder were written; none if there are none.
fn written(folder: &Path) -> Option<SystemTime> {
    modified(&folder.join(MANIFEST_NAME))
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|metadata| metadata.modified()).ok()
}

impl Runs {
    /// Runs the study of a project into its folder of results.
    ///
    /// # Errors
    ///
    /// As of [`run`]; an earlier run is as it was, and what is compared with it.
    pub fn run(&self, project: &Project, is_fast: bool, progress: &dyn Progress) -> Result<(), Problem> {
        // It checks what may be read, and is read again: what it checks writes nothing, and a run may write a key.
        project.study()?;
        let study = Study::read(project.study_file())?;
        let target = project.results(&study, is_fast);
        let failed =
            |error: io::Error| Problem::conflict(format!("{} cannot be written to: {error}", target.display()));
        let running = Running::begin(&target).map_err(failed)?;
        let options = RunOptions { is_fast, cache: Cache::of_study(&study), ..RunOptions::default() };
        let summary = keeping(&target, || Ok(run(&study, project.study_file(), &target, &options, progress)?))?;
        drop(running);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((SystemTime::now(), summary));
        Ok(())
    }

    /// Returns the results of the study of a project that were made last, whole or in a preview.
    ///
    /// # Errors
    ///
    /// There is no study.
    pub fn outcome(&self, project: &Project, is_running: bool) -> Result<Outcome, Problem> {
        let study = project.study()?;
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        // A run that changed nothing wrote nothing, and was the last all the same.
        let made = |folder: &Path| {
            let ran = last.as_ref().filter(|(_, summary)| summary.folder == folder).map(|(when, _)| *when);
            written(folder).max(ran)
        };
        let [whole, preview] = ADDRESSES.map(|(is_fast, _)| project.results(&study, is_fast));
        let is_beside = made(&preview) > made(&whole);
        let report = |place: usize| format!("{}/{REPORT_PAGE}", ADDRESSES[place].1);
        let has_whole = whole.join(REPORT_PAGE).is_file();
        let target = if is_beside { preview } else { whole };
        let manifest = Manifest::read(&target).ok();
        let summary = last.map(|(_, summary)| summary);
        let is_current = manifest.as_ref().is_some_and(|manifest| is_current(project, &study, manifest));
        let changes = manifest.as_ref().and_then(|_| changes(&before(&target), &target).transpose());
        let (changes, changes_error) = match changes.transpose() {
            Ok(changes) => (changes, None),
            Err(why) => (None, Some(why)),
        };
        Ok(Outcome {
            has: manifest.is_some() && target.join(REPORT_PAGE).is_file(),
            report: report(usize::from(is_beside)),
            is_preview: manifest.as_ref().is_some_and(Manifest::is_preview),
            whole: (is_beside && has_whole).then(|| report(0)),
            interrupted: interrupted(project, &study, is_running),
            folder: project.name(&target),
            summary: summary.filter(|summary| summary.folder == target),
            failed: manifest.map(|manifest| manifest.failed).unwrap_or_default(),
            is_current,
            changes,
            changes_error,
        })
    }
}

/// Returns the hidden place beside results for what is kept of them.
fn hidden(target: &Path, what: &str) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    target.with_file_name(format!(".{name}.{what}"))
}

/// Returns the folder in which tables of the run before are kept.
fn before(target: &Path) -> PathBuf {
    hidden(target, "before")
}

/// Runs a study; what is compared of the results that were there is kept if it succeeds, by links where the disk has
/// them.
fn keeping<T>(target: &Path, run: impl FnOnce() -> Result<T, Problem>) -> Result<T, Problem> {
    let kept = before(target);
    let new = hidden(target, "new");
    let failed = |error: io::Error| {
        Problem::conflict(format!("the earlier results in {} cannot be kept: {error}", target.display()))
    };
    let _ = fs::remove_dir_all(&new);
    let has_results = written(target).is_some();
    for part in KEPT.iter().filter(|_| has_results) {
        copy(&target.join(part), &new.join(part)).map_err(failed)?;
    }
    let ran = run();
    if ran.is_err() {
        let _ = fs::remove_dir_all(&new);
    } else if has_results {
        let _ = fs::remove_dir_all(&kept);
        fs::rename(&new, &kept).map_err(failed)?;
    }
    ran
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_dir() {
        for entry in fs::read_dir(from)? {
            let name = entry?.file_name();
            copy(&from.join(&name), &to.join(&name))?;
        }
    } else if from.is_file() {
        to.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(drop))?;
    }
    Ok(())
}

/// Returns true if the study and its files are as the run of a manifest read them.
pub fn is_current(project: &Project, study: &Study, manifest: &Manifest) -> bool {
    let Ok(files) = study_files(study, project.study_file()) else { return false };
    let hash = |path: &Path| sha256_file(path).ok().map(|(_, sha256)| sha256);
    let mut now: Vec<Option<String>> = files.iter().map(|path| hash(path)).collect();
    let mut then: Vec<Option<String>> = manifest.inputs.iter().map(|input| Some(input.sha256.clone())).collect();
    now.sort();
    then.sort();
    now == then
}

/// Returns what changed since the run before; none if there was none, and the reason where it cannot be told.
fn changes(before: &Path, target: &Path) -> Result<Option<Changes>, String> {
    if !before.is_dir() {
        return Ok(None);
    }
    let failed = |error| {
        let kept = before.display();
        format!("the results cannot be compared with those before them: {error}; run the study again, or remove {kept}")
    };
    let comparison = diff(before, target, Tolerance::default(), None, &Silent).map_err(failed)?;
    let change = |difference: &plymap_report::diff::Difference| Change {
        what: difference.what.name().to_owned(),
        table: difference.table.clone(),
        name: difference.name.clone(),
        before: difference.one.clone(),
        after: difference.other.clone(),
        n_differ: difference.cells.as_ref().map(|cells| cells.n_differ),
        key: difference.cells.as_ref().map(|cells| cells.key.clone()),
    };
    Ok(Some(Changes {
        text: comparison.summary(),
        n: comparison.differences.len(),
        rows: comparison.differences.iter().take(CHANGES_SHOWN).map(change).collect(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_that_cannot_be_compared_say_why() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("study");
        assert!(changes(&before(&target), &target).unwrap().is_none());
        fs::create_dir(before(&target)).unwrap();
        let why = changes(&before(&target), &target).unwrap_err();
        assert!(why.contains("manifest") && why.contains(".study.before"), "{why}");
    }

    #[test]
    fn a_run_that_fails_leaves_what_is_compared_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("reports");
        fs::create_dir(&target).unwrap();
        let manifest = |folder: &Path| fs::read_to_string(folder.join("manifest.json")).ok();
        // As a run does: another file of the name, not another text in it.
        let write = |text: &str| {
            fs::remove_file(target.join("manifest.json")).ok();
            fs::write(target.join("manifest.json"), text).map_err(|error| Problem::conflict(error.to_string()))
        };
        keeping(&target, || write("1")).unwrap();
        assert_eq!(manifest(&before(&target)), None);
        keeping(&target, || write("2")).unwrap();
        let stopped = keeping(&target, || Err::<(), _>(Problem::stopped()));
        assert!(stopped.is_err());
        assert_eq!(
            [&before(&target), &target].map(|folder| manifest(folder)),
            ["1", "2"].map(|text| Some(text.to_owned()))
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}

//! Files that a study reads, before it reads them.

use std::path::{Path, PathBuf};

use super::RunError;
use crate::cache::Key;
use crate::study::Study;
use plymap_log::{LogSpec, input_files};
use plymap_puzzles::level::level_files;
use plymap_report::{FileEntry, ReportError, input_name, sha256_file};
use rayon::prelude::*;

/// All files that a run of a study reads, itself the first of them; each once.
///
/// # Errors
///
/// A folder or pattern of the study without files, or a preset that there is not.
pub fn study_files(study: &Study, study_file: &Path) -> Result<Vec<PathBuf>, RunError> {
    let mut files = vec![study_file.to_owned()];
    files.extend(files_but_logs(study)?);
    if let Some(spec) = study.log_spec() {
        files.extend(input_files(&spec)?);
    }
    let mut seen = std::collections::HashSet::new();
    files.retain(|file| seen.insert(file.clone()));
    Ok(files)
}

/// The same with their hashes; nothing if one of them can be read only once, as standard input.
pub(super) fn study_entries(study: &Study, study_file: &Path) -> Result<Option<Vec<FileEntry>>, RunError> {
    let files = study_files(study, study_file)?;
    if files.iter().any(|file| file.exists() && !file.is_file()) {
        return Ok(None);
    }
    Ok(Some(entries(&files, &study.folder)?))
}

/// Files that a study names for any command, whether they are there or not, and whatever cannot be found of its logs.
pub fn named_files(study: &Study) -> Vec<PathBuf> {
    let mut files = study.level_files();
    files.extend(files_but_logs(study).unwrap_or_default());
    files.extend(study.cohort.iter().flat_map(|cohort| cohort.files(&study.folder)));
    let policies = study.strategy.iter().filter_map(|strategy| strategy.spec(&study.folder).ok());
    files.extend(policies.flat_map(|policy| policy.files(&study.folder)));
    files.extend(study.search.claims.iter().map(|file| study.folder.join(file)));
    files.extend(study.experiment.iter().flat_map(|experiment| experiment.files(&study.folder)));
    let Some(spec) = study.log_spec() else { return files };
    files.extend(spec.files.iter().map(|file| study.folder.join(file)));
    files.extend(spec.preset.iter().filter(|name| name.ends_with(".toml")).map(|file| study.folder.join(file)));
    // Where a log cannot be found, the others, tables that are joined and presets are named nevertheless.
    let alone = |files| input_files(&LogSpec { files, ..spec.clone() }).unwrap_or_default();
    let one_by_one = || {
        let of_logs = spec.files.iter().flat_map(|file| alone(vec![file.clone()]));
        of_logs.chain(alone(Vec::new())).collect()
    };
    files.extend(input_files(&spec).unwrap_or_else(|_| one_by_one()));
    files
}

/// Files of a study that may hold ids for which its results have codes: its logs, and what is joined to them; none where ids
/// are not replaced.
pub fn files_with_ids(study: &Study) -> Vec<PathBuf> {
    let replaced = study.log_spec().filter(|spec| spec.pseudonymise);
    replaced.map(|spec| input_files(&spec).unwrap_or_default()).unwrap_or_default()
}

fn files_but_logs(study: &Study) -> Result<Vec<PathBuf>, RunError> {
    let mut files = level_and_rule_files(study)?;
    files.extend(study.baseline.iter().flatten().flat_map(|cohort| cohort.files(&study.folder)));
    files.extend(study.files_beside());
    Ok(files)
}

/// Returns the key that tells the levels of a study and their rules apart from all others.
pub(super) fn levels_key(study: &Study) -> Result<Option<Key>, RunError> {
    let files = entries(&level_and_rule_files(study)?, &study.folder)?;
    let rules = serde_json::to_string(&study.rules).map_err(ReportError::from)?;
    let levels = serde_json::to_string(&study.levels).map_err(ReportError::from)?;
    Ok(Key::new("levels", &(rules, levels, study.map.max_states as u64, study.map.expand_goals, files)))
}

fn level_and_rule_files(study: &Study) -> Result<Vec<PathBuf>, RunError> {
    let mut files = Vec::new();
    for path in study.level_files() {
        // Whoever reads the levels says what is wrong with them.
        files.extend(level_files(&path).unwrap_or_else(|_| vec![path]));
    }
    files.extend((study.game().files)(&study.rule_options()));
    Ok(files)
}

/// Files by their names from `folder`, with their hashes.
pub(super) fn entries(files: &[PathBuf], folder: &Path) -> Result<Vec<FileEntry>, RunError> {
    let entry = |file: &PathBuf| {
        // A file that is not there is an error of whoever reads it; one that appears is a change.
        let (bytes, sha256) = if file.exists() { sha256_file(file)? } else { (0, String::new()) };
        Ok(FileEntry { path: input_name(file, folder), bytes, sha256 })
    };
    files.par_iter().map(entry).collect()
}

//! All files that reading a log reads.

use super::error::LogError;
use super::pipeline_step::PipelineStep;
use super::spec::LogSpec;
use crate::{files, sidecar};
use std::collections::HashSet;
use std::path::PathBuf;

/// The files that reading a log as `spec` says reads, as far as that is known before: the logs in their order, files that
/// are joined, a preset of one's own, sidecars. The key of codes of participants is not among them.
///
/// # Errors
///
/// A folder or pattern without files, or a preset that there is not.
pub fn input_files(spec: &LogSpec) -> Result<Vec<PathBuf>, LogError> {
    let preset = spec.preset.iter().filter(|name| name.ends_with(".toml")).map(|name| spec.folder.join(name));
    let mut files: Vec<PathBuf> = preset.collect();
    let spec = &spec.with_preset()?;
    let logs: Vec<PathBuf> = files::expand(spec)?.into_iter().map(|file| spec.folder.join(file.path)).collect();
    if spec.sidecars {
        let mut sidecars = sidecar::Sidecars::default();
        let mut seen_files = HashSet::new();
        files.extend(logs.iter().flat_map(|log| sidecars.files(log)).filter(|file| seen_files.insert(file.clone())));
    }
    files.extend(spec.steps.iter().filter_map(|step| match step {
        PipelineStep::Join(join) => Some(spec.folder.join(&join.file)),
        _ => None,
    }));
    files.extend(logs);
    Ok(files)
}

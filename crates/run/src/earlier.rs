//! Results of a study that are there already: an earlier run of the same program read the same files, and what it wrote
//! is as it left it.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::inputs::study_entries;
use super::{RunError, RunOptions, RunSummary};
use crate::cache::{Cache, Key};
use crate::study::Study;
use plymap_log::KEY_NAME;
use plymap_report::{FileEntry, MANIFEST_NAME, ReportError, sha256_file, verify};

/// Record of a run in the cache.
#[derive(Serialize, Deserialize)]
struct Record {
    inputs: Vec<FileEntry>,
    /// Hash of the key of the codes of participants, which the run may have made.
    key: Option<String>,
    /// Hash of its manifest.
    manifest: String,
    summary: RunSummary,
}

/// Place of a run among those that are kept.
pub(super) struct Earlier<'a> {
    cache: &'a Cache,
    key: Option<Key>,
    /// Files that the run reads, with their hashes from before anything was read.
    inputs: Vec<FileEntry>,
    /// Path of the key of the codes of participants, if they have codes.
    key_file: Option<PathBuf>,
    target: &'a Path,
}

impl<'a> Earlier<'a> {
    /// The run of a study into a folder; nothing if nothing is to be kept of it.
    pub fn new(
        study: &Study,
        study_file: &Path,
        target: &'a Path,
        options: &'a RunOptions,
    ) -> Result<Option<Self>, RunError> {
        let Some(cache) = &options.cache else { return Ok(None) };
        let Some(inputs) = study_entries(study, study_file)? else { return Ok(None) };
        let absolute = |path: &Path| std::path::absolute(path).ok();
        // A caller may have changed the study since it was read.
        let said = serde_json::to_string(study).map_err(ReportError::from)?;
        let key = Key::new("run", &(absolute(study_file), absolute(target), said, &options.only, options.is_fast));
        let key_file = study.log.pseudonymise.then(|| study.folder.join(KEY_NAME));
        Ok(Some(Self { cache, key, inputs, key_file, target }))
    }

    /// Returns the summary of the earlier run, if another one would do the same.
    pub fn summary(&self) -> Option<RunSummary> {
        let Record { inputs, key, manifest, mut summary } = self.cache.get(self.key)?;
        let is_same = inputs == self.inputs && key == self.hash_of_key();
        let is_whole = || {
            self.hash_of_manifest().as_ref() == Some(&manifest)
                && verify(self.target).is_ok_and(|mismatches| mismatches.is_empty())
        };
        if !is_same || !is_whole() {
            return None;
        }
        summary.is_unchanged = true;
        summary.folder = self.target.to_owned();
        if let Some(key) = &mut summary.key {
            key.is_new = false;
        }
        Some(summary)
    }

    /// Keeps the summary of a run.
    pub fn keep(self, summary: &RunSummary) {
        let (key, manifest) = (self.hash_of_key(), self.hash_of_manifest());
        let Some(manifest) = manifest else { return };
        self.cache.put(self.key, &Record { inputs: self.inputs, key, manifest, summary: summary.clone() });
    }

    fn hash_of_key(&self) -> Option<String> {
        Some(sha256_file(self.key_file.as_ref()?).ok()?.1)
    }

    fn hash_of_manifest(&self) -> Option<String> {
        Some(sha256_file(&self.target.join(MANIFEST_NAME)).ok()?.1)
    }
}

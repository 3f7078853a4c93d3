//! The manifest of a run: what it was made from, and how much it holds.

use plymap_tables::FileError;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Play, RunError, n_states};
use crate::baseline;
use crate::study::Study;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_report::{
    FileEntry, Manifest, Preregistration, PreregistrationFile, ReportError, RowCounts, Section, input_name,
};

/// The manifest of a study: its configuration with all defaults, seeds, inputs and counts.
pub fn manifest(
    study: &Study,
    study_file: &Path,
    level_files: &[PathBuf],
    play: Option<&Play>,
    levels: &[ValuedLevel],
) -> Result<Manifest, RunError> {
    let mut configuration = serde_json::to_value(study).map_err(|error| FileError {
        action: "record the configuration of",
        path: study_file.to_owned(),
        source: error.into(),
    })?;
    // Defaults are in force too: a manifest that leaves them out would change its meaning with them.
    let failed = |error: serde_json::Error| ReportError::from(error);
    let settings = (study.game().settings)(&study.rule_options());
    configuration["rules"] = settings
        .into_iter()
        .collect::<BTreeMap<_, _>>()
        .into_iter()
        .map(|(name, value)| (name, value.into()))
        .collect::<serde_json::Map<_, _>>()
        .into();
    configuration["levels"]["game"] = study.game().name.into();
    configuration["simulation"] = serde_json::to_value(&study.simulation).map_err(failed)?;
    let mut seeds = BTreeMap::new();
    if play.is_some() {
        let analyses: Vec<&str> = study.statistics.analyses().map(|analysis| analysis.name).collect();
        configuration["statistics"]["analyses"] = analyses.into();
        let cohorts = baseline::cohorts(study, levels);
        configuration["baseline"] = serde_json::to_value(&cohorts).map_err(failed)?;
        // Each begins anew at the same seed, so that what one draws does not depend on the others.
        let drawn = ["analyses", "figures"].into_iter().chain((!cohorts.is_empty()).then_some("baseline"));
        seeds.extend(drawn.map(|what| (what.to_owned(), study.simulation.seed)));
    }
    let mut manifest = Manifest::new(configuration);
    manifest.seeds = seeds;
    manifest.add_inputs([study_file], &study.folder)?;
    manifest
        .add_inputs(level_files.iter().cloned().chain((study.game().files)(&study.rule_options())), &study.folder)?;
    let of_baseline = study.baseline.iter().flatten().flat_map(|cohort| cohort.files(&study.folder));
    manifest.add_inputs(of_baseline.chain(study.files_beside()), &study.folder)?;
    manifest.counts = BTreeMap::from([("levels".to_owned(), levels.len() as u64)]);
    manifest.counts.extend(n_states(levels).map(|n| ("states".to_owned(), n)));
    if let Some(play) = play {
        add_play(&mut manifest, study, play);
    }
    Ok(manifest)
}

/// What a preregistration of the study fixes: its settings with all defaults, and its files of levels and rules.
pub fn registration(
    study: &Study,
    study_file: &Path,
    level_files: &[PathBuf],
    levels: &[ValuedLevel],
) -> Result<(Manifest, Preregistration), RunError> {
    let manifest = manifest(study, study_file, level_files, None, levels)?;
    let free = std::iter::once(study_file.to_owned()).chain(study.files_beside());
    let free: Vec<String> = free.map(|file| input_name(&file, &study.folder)).collect();
    let registration = Preregistration::new(&manifest, &free);
    Ok((manifest, registration))
}

/// How many settings depart from what was registered, in a sentence, and the section of a report that lists them; none of a
/// study without a preregistration.
pub(super) fn departures(
    study: &Study,
    study_file: &Path,
    level_files: &[PathBuf],
    levels: &[ValuedLevel],
) -> Result<Option<(String, Section)>, RunError> {
    let Some(PreregistrationFile { file }) = &study.preregistration else { return Ok(None) };
    let registered = Preregistration::read(&study.folder.join(file)).map_err(ReportError::from)?;
    let (_, now) = registration(study, study_file, level_files, levels)?;
    let file = file.display().to_string();
    Ok(Some((registered.summary(&file, &now), registered.section(&file, &now))))
}

/// Adds what people did: the files of the log, counts, and what was done with its rows.
fn add_play(manifest: &mut Manifest, study: &Study, play: &Play) {
    // Hashed when they were read: standard input is not there any more.
    for file in play.account.files.iter().chain(&play.account.joined) {
        let path = input_name(&study.folder.join(&file.path), &study.folder);
        manifest.add_entry(FileEntry { path, bytes: file.bytes, sha256: file.sha256.clone() });
    }
    if study.log.pseudonymise {
        // Names of files can be ids.
        let names = play.account.files.iter().map(|file| file.path.display().to_string());
        manifest.study["log"]["files"] = names.collect::<Vec<_>>().into();
        manifest.participants = Some("codes (HMAC-SHA-256) whose key is no part of the run".to_owned());
    }
    manifest.steps.clone_from(&play.account.steps);
    let RowCounts { read, accepted, rejected, replayed, excluded, left_out } = play.account.counts;
    let counts = [
        ("rows_read", read),
        ("rows_accepted", accepted),
        ("rows_rejected", rejected),
        ("rows_replayed", replayed),
        ("rows_excluded", excluded),
    ];
    manifest.counts.extend(counts.map(|(name, n)| (name.to_owned(), n)));
    if !play.account.selection.is_empty() {
        manifest.counts.insert("rows_left_out".to_owned(), left_out);
    }
    manifest.selection.clone_from(&play.account.selection);
    manifest.anomalies.clone_from(&play.anomalies);
    manifest.counts.insert("participants".to_owned(), play.account.totals.n_participants);
    if let Some(sample) = &play.sample {
        let drawn = [("participants_drawn", sample.count.n_participants), ("rows_drawn", sample.count.n_rows)];
        manifest.counts.extend(drawn.map(|(name, n)| (name.to_owned(), n)));
        manifest.seeds.insert("sample".to_owned(), sample.seed);
    }
}

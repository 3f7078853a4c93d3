//! Participants compared with simulated baselines.

use std::path::PathBuf;

use super::inputs::{entries, levels_key};
use super::parts::attempt;
use super::{Play, RunError, RunOptions};
use crate::baseline::{self, Comparison};
use crate::cache::Key;
use crate::study::Study;
use plymap_players::cohort::Cohort;
use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_report::{FailedPart, PartKind, ReportError};

/// Participants compared with simulated baselines; nothing without people, if the study wants no such players, or if they
/// could not play, which is then told.
pub(super) fn compare(
    study: &Study,
    levels: &[ValuedLevel],
    play: Option<&Play>,
    options: &RunOptions,
    failed: &mut Vec<FailedPart>,
    progress: &dyn Progress,
) -> Result<Option<Comparison>, RunError> {
    let Some(play) = play else { return Ok(None) };
    let compared = attempt(PartKind::Baseline, "players", || compared(study, levels, play, options, progress))?;
    Ok(compared.unwrap_or_else(|part| {
        failed.push(part);
        None
    }))
}

/// Participants compared with simulated baselines, now or as they were kept.
pub(super) fn compared(
    study: &Study,
    levels: &[ValuedLevel],
    play: &Play,
    options: &RunOptions,
    progress: &dyn Progress,
) -> Result<Option<Comparison>, RunError> {
    let make = || Ok(baseline::compare(study, levels, &play.measures, progress)?);
    let cohorts = baseline::cohorts(study, levels);
    // Nobody knows what another program answers next time.
    let Some(cache) = options.cache.as_ref().filter(|_| !cohorts.iter().any(Cohort::asks_a_program)) else {
        return make();
    };
    let said = serde_json::to_string(&cohorts).map_err(ReportError::from)?;
    let files: Vec<PathBuf> = cohorts.iter().flat_map(|cohort| cohort.files(&study.folder)).collect();
    let inputs = (levels_key(study)?, said, entries(&files, &study.folder)?, study.simulation.seed, &play.measures);
    cache.get_or("baselines", inputs.0.and_then(|_| Key::new("baselines", &inputs)), make)
}

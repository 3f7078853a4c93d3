//! The levels of a study, mapped or valued by their game.

use std::path::PathBuf;

use super::{RunError, continues};
use crate::study::Study;
use plymap_measures::level_remarks as remarks;
use plymap_puzzles::diagnostic::{Diagnostic, Severity};
use plymap_puzzles::game::{Preparation, Store, Valuation, Value, ValueError};
use plymap_puzzles::graph::{MapError, MapOptions};
use plymap_puzzles::progress::{CancelOnly, Progress};
use plymap_puzzles::valuation::{
    LevelSummary, LoadError, LoadedLevel, MapNumbers, ValuationOptions, ValuedLevel, load_levels,
};
use plymap_tables::SafeStems;
use plymap_tables::parallel::map_in_order;

/// Remarks on levels that can be played: on how they were read, on their columns, and on published numbers of moves that are
/// not those of the map.
pub fn level_remarks(study: &Study, levels: &[ValuedLevel], progress: &dyn Progress) -> Vec<String> {
    // Published numbers may count a slide of any length as one move.
    let by_moves = remarks::needs_moves(levels).then(|| {
        let mut study = study.clone();
        study.rules.remove("metric");
        study_levels(&study, progress).ok().map(|(levels, _)| levels)
    });
    let published = remarks::published(levels, by_moves.flatten().as_deref());
    remarks::of_valued(levels).into_iter().chain(remarks::properties(levels)).chain(published).collect()
}

/// Maps levels side by side, or prepares their game to value them; the result is in their order, with the
/// faults that this reveals.
///
/// # Errors
///
/// [`RunError::Valuation`] for the first level that cannot be valued, [`RunError::Interrupted`].
pub fn value_levels<T: Send>(
    levels: Vec<LoadedLevel>,
    game: &'static str,
    options: &ValuationOptions,
    progress: &dyn Progress,
    use_level: impl Fn(ValuedLevel) -> Result<T, RunError> + Sync,
) -> Result<Vec<(T, Option<Diagnostic>)>, RunError> {
    each_level(levels, options, progress, |level, options| {
        let valued = valued(level, game, options)?;
        let (start, n_states) = (valued.start_value, valued.n_states());
        Ok((use_level(valued)?, start, n_states))
    })
}

/// The rows of levels with the numbers of their states alone, for which games may find distances faster than by a map.
///
/// # Errors
///
/// As for [`value_levels`].
pub fn level_distances(
    levels: Vec<LoadedLevel>,
    game: &'static str,
    options: &ValuationOptions,
    progress: &dyn Progress,
) -> Result<Vec<(LevelSummary, Option<Diagnostic>)>, RunError> {
    each_level(levels, options, progress, |level, options| {
        let summary = match LevelSummary::by_distances(&level, game, &options.map) {
            Some(summary) => summary,
            None => valued(level, game, options)?.summary_with(MapNumbers::DISTANCES),
        };
        let (start, n_states) = (summary.start_value, summary.map.as_ref().map(|map| map.states.n_states));
        Ok((summary, start, n_states))
    })
}

fn valued(level: LoadedLevel, game: &'static str, options: &ValuationOptions) -> Result<ValuedLevel, RunError> {
    let id = level.origin.id.clone();
    ValuedLevel::new(level, game, options).map_err(|source| match source {
        source if source.is_interruption() => RunError::Interrupted,
        source => RunError::Valuation { level: id, source },
    })
}

/// Works on levels side by side. `work` tells the value of the start and the number of states too.
fn each_level<T: Send>(
    levels: Vec<LoadedLevel>,
    options: &ValuationOptions,
    progress: &dyn Progress,
    work: impl Fn(LoadedLevel, &ValuationOptions) -> Result<(T, Option<Value>, Option<u64>), RunError> + Sync,
) -> Result<Vec<(T, Option<Diagnostic>)>, RunError> {
    prepare(&levels, options, progress)?;
    progress.begin("mapping levels", Some(levels.len() as u64));
    let cancel = CancelOnly(progress);
    let options = ValuationOptions { map: MapOptions { progress: &cancel, ..options.map }, ..*options };
    let mapped = map_in_order(levels, |level| {
        continues(progress)?;
        let origin = level.origin.clone();
        let (result, start, n_states) = work(level, &options)?;
        progress.advance(1);
        Ok::<_, RunError>((result, origin.start_diagnostic(start, n_states)))
    })?;
    progress.end();
    Ok(mapped)
}

/// The names of the files of levels. Of all levels of a study they are the same wherever some are written.
pub fn level_stems(levels: &[ValuedLevel]) -> SafeStems {
    SafeStems::of(levels.iter().map(|level| level.id.as_str()))
}

/// Lets games that value positions themselves do what takes long, one level after the other, so that each can
/// tell where it stands.
fn prepare(levels: &[LoadedLevel], options: &ValuationOptions, progress: &dyn Progress) -> Result<(), RunError> {
    for level in levels.iter().filter(|level| level.rules.valuation() != Valuation::Map) {
        let preparation = Preparation { progress, store: options.store };
        level.rules.prepare(&preparation).map_err(|source| match source {
            ValueError::Interrupted => RunError::Interrupted,
            source => RunError::Valuation { level: level.origin.id.clone(), source: source.into() },
        })?;
    }
    Ok(())
}

/// The levels of a study, mapped.
///
/// # Errors
///
/// Every fault of every level, the unsolvable and the already solved among them.
pub fn study_levels(study: &Study, progress: &dyn Progress) -> Result<(Vec<ValuedLevel>, Vec<PathBuf>), RunError> {
    let (game, rules) = (study.game(), study.rule_options());
    let levels = load_levels(&study.level_files(), &study.level_columns(), game, &rules)?;
    let mut files: Vec<PathBuf> = levels.iter().map(|level| level.origin.source.path.clone()).collect();
    files.dedup();
    let store = study.store();
    let options = ValuationOptions {
        map: MapOptions {
            max_states: study.map.max_states,
            expand_goals: study.map.expand_goals,
            ..MapOptions::default()
        },
        store: store.as_ref().map(|store| store as &dyn Store),
    };
    let mapped = value_levels(levels, game.name, &options, progress, Ok)?;
    let (mapped, faults): (Vec<_>, Vec<_>) = mapped.into_iter().unzip();
    let is_wanted = |fault: &Diagnostic| study.levels.allow_unsolvable && fault.code == "unsolvable";
    let faults: Vec<Diagnostic> = faults.into_iter().flatten().filter(|fault| !is_wanted(fault)).collect();
    if faults.iter().any(|fault| fault.severity == Severity::Error) {
        return Err(LoadError(faults).into());
    }
    Ok((mapped, files))
}

/// Scripts that failed after their level was mapped, such as in drawing a position.
pub fn no_script_error(levels: &[ValuedLevel]) -> Result<(), RunError> {
    levels.iter().try_for_each(|level| match level.rules.script_error() {
        Some(script_error) => {
            Err(RunError::Valuation { level: level.id.clone(), source: MapError::Rules(script_error).into() })
        }
        None => Ok(()),
    })
}

/// Number of states of all levels that were mapped; absent if none was.
pub(super) fn n_states(levels: &[ValuedLevel]) -> Option<u64> {
    levels.iter().filter_map(ValuedLevel::n_states).reduce(|sum, n| sum + n)
}

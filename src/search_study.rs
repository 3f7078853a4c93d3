//! Search algorithms compared: every algorithm with every heuristic on every level of a study, and how good each
//! heuristic is over all states of a level.
//!
//! Counts are the same on every run; times are measured, and stand in a table of their own. Searches run one after
//! the other, so that none slows another down.

use std::path::Path;

use plymap_puzzles::progress::Progress;
use plymap_puzzles::search::Algorithm;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_report::FailedPart;
use plymap_report::claims::{claims_table, read_claims};
use plymap_run::publish::Publication;
use plymap_run::study::{Searches, Study};
use plymap_run::{RunError, USUAL, continues, study_levels};
use plymap_tables::Table;

mod content;
mod error;
mod figures;
mod heuristics;
mod named_heuristic;
mod search;
mod tables;

pub use error::{PlanError, SearchStudyError};
pub use heuristics::{HeuristicQuality, heuristic_quality};
pub use named_heuristic::{NamedHeuristic, PERFECT};
use search::search_one;
pub use search::{Search, SearchMethod};
pub use tables::{algorithms_table, heuristics_table, searches_table, times_table};

/// The levels that are searched: those that `[search]` names, or all.
fn chosen_levels<'a>(plan: &Searches, levels: &'a [ValuedLevel]) -> Result<Vec<&'a ValuedLevel>, PlanError> {
    if plan.levels.is_empty() {
        return Ok(levels.iter().collect());
    }
    let find = |name: &String| {
        levels.iter().find(|level| level.id == *name).ok_or_else(|| {
            let known = levels.iter().map(|level| level.id.as_str()).collect::<Vec<_>>().join(", ");
            PlanError::UnknownLevel { level: name.clone(), known }
        })
    };
    plan.levels.iter().map(find).collect()
}

fn methods(plan: &Searches, level: &ValuedLevel) -> Result<Vec<SearchMethod>, PlanError> {
    let of_game = level.rules.own_search().map(|search| SearchMethod::Own(search.name));
    let all: Vec<SearchMethod> = Algorithm::ALL.map(SearchMethod::General).into_iter().chain(of_game).collect();
    if plan.algorithms.is_empty() {
        return Ok(all);
    }
    let find = |name: &String| {
        all.iter().copied().find(|method| method.name() == *name).ok_or_else(|| {
            let known = all.iter().map(|method| method.name()).collect::<Vec<_>>().join(", ");
            PlanError::UnknownAlgorithm { name: name.clone(), known }
        })
    };
    plan.algorithms.iter().map(find).collect()
}

/// The heuristics of `[search]`, or all of the level.
///
/// # Errors
///
/// [`PlanError::UnknownHeuristic`].
pub fn heuristics_of(plan: &Searches, level: &ValuedLevel) -> Result<Vec<NamedHeuristic>, PlanError> {
    if plan.heuristics.is_empty() {
        return Ok(NamedHeuristic::all(level));
    }
    plan.heuristics.iter().map(|name| NamedHeuristic::find(level, name)).collect()
}

/// Checks that there is all that a plan names.
///
/// # Errors
///
/// [`PlanError`].
pub fn check_plan(plan: &Searches, levels: &[ValuedLevel]) -> Result<(), PlanError> {
    for level in chosen_levels(plan, levels)? {
        methods(plan, level)?;
        if !plan.heuristics.is_empty() {
            heuristics_of(plan, level)?;
        }
    }
    Ok(())
}

/// Makes all searches of a plan, one after the other.
///
/// # Errors
///
/// [`PlanError`] for a name in the plan that is unknown, [`RunError::Interrupted`].
pub fn searches(
    plan: &Searches,
    levels: &[ValuedLevel],
    progress: &dyn Progress,
) -> Result<Vec<Search>, SearchStudyError> {
    let mut planned: Vec<(&ValuedLevel, SearchMethod, Option<NamedHeuristic>)> = Vec::new();
    for level in chosen_levels(plan, levels)? {
        let heuristics = heuristics_of(plan, level)?;
        for method in methods(plan, level)? {
            if method.needs_heuristic() && !heuristics.is_empty() {
                planned.extend(heuristics.iter().map(|heuristic| (level, method, Some(heuristic.clone()))));
            } else {
                planned.push((level, method, None));
            }
        }
    }
    progress.begin("searching", Some(planned.len() as u64));
    let mut searches = Vec::with_capacity(planned.len());
    for (level, method, heuristic) in planned {
        searches.push(search_one(plan, level, method, heuristic.as_ref(), progress)?);
        progress.advance(1);
    }
    progress.end();
    Ok(searches)
}

/// Summary of a study of searches.
#[derive(Clone, Debug)]
pub struct SearchSummary {
    /// Number of levels that were searched.
    pub n_levels: usize,
    /// Number of searches that were made.
    pub n_made: usize,
    /// Number of searches that a limit ended.
    pub n_limit_reached: usize,
    /// Number of searches that do not apply to their level.
    pub n_not_applicable: usize,
    /// The parts that could not be made; all others are there.
    pub failed: Vec<FailedPart>,
    /// Number of files written.
    pub n_files: u64,
}

/// Runs a study of searches and writes tables and a report into `target`, which appears, or replaces an earlier
/// one, only when everything is done.
///
/// # Errors
///
/// [`SearchStudyError`]; nothing was written, and an earlier run is as it was.
pub fn run(
    study: &Study,
    study_file: &Path,
    target: &Path,
    progress: &dyn Progress,
) -> Result<SearchSummary, SearchStudyError> {
    let publication = Publication::new(study, study_file, target, &USUAL, progress)?;
    let (levels, level_files) = study_levels(study, progress)?;
    let searches = searches(&study.search, &levels, progress)?;
    let chosen = chosen_levels(&study.search, &levels)?;
    let mut qualities = Vec::new();
    progress.begin("checking heuristics", Some(chosen.len() as u64));
    for level in &chosen {
        for heuristic in heuristics_of(&study.search, level)? {
            qualities.extend(heuristic_quality(level, &heuristic, study.statistics.confidence));
            continues(progress)?;
        }
        progress.advance(1);
    }
    progress.end();
    let mut tables: Vec<Table> = vec![
        algorithms_table(&searches),
        searches_table(&searches),
        times_table(&searches),
        heuristics_table(&qualities),
    ];
    let claims = match &study.search.claims {
        Some(file) => {
            let claims = read_claims(&study.folder.join(file)).map_err(RunError::from)?;
            claims.iter().map(|claim| claim.check(&tables)).collect()
        }
        None => Vec::new(),
    };
    if !claims.is_empty() {
        tables.push(claims_table(&claims));
    }
    publication.write_tables(&tables)?;
    let unit = plymap_measures::label::unit_of(&levels);
    let drawings = publication.draw_figures(figures::figures(&searches, unit))?;
    let page = publication.page("search-study", &tables, &drawings);
    let failed = publication
        .write_page(content::report(page, study, chosen.len(), (&searches, &qualities, &claims))?, &drawings)?;
    let mut manifest = publication.manifest(&level_files, None, &levels, failed.clone())?;
    manifest.add_inputs(study.search.claims.iter().map(|file| study.folder.join(file)), &study.folder)?;
    let n_files = publication.commit(manifest, &levels)?;
    Ok(SearchSummary {
        n_levels: chosen.len(),
        n_made: searches.iter().filter(|search| search.is_made()).count(),
        n_limit_reached: searches.iter().filter(|search| search.is_cut()).count(),
        n_not_applicable: searches.iter().filter(|search| !search.is_made()).count(),
        failed,
        n_files,
    })
}

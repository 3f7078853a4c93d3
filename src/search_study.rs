//! Search algorithms compared: every algorithm with every heuristic on every level of a study, and how good each
//! heuristic is over all states of a level.
//!
//! Counts are the same on every run; times are measured, and stand in a table of their own. Searches run one after
//! the other, so that none slows another down.

use crate::run::publish::Publication;
use crate::run::{RunError, USUAL, errors_of_a_run, study_levels};
use crate::study::{Searches, Study};
use plymap_puzzles::game::{Distance, StateCode};
use plymap_puzzles::progress::{CancelOnly, Progress};
use plymap_puzzles::rules::{Guide, LegalMove, SearchRequest};
use plymap_puzzles::search::{Algorithm, Cut, Found, Limits, Outcome};
use plymap_puzzles::valuation::ValuedLevel;
use plymap_report::claims::{claims_table, read_claims};
use plymap_report::{FailedPart, ReportError, input_name};
use plymap_statistics::stats::describe::quantile;
use plymap_tables::{FileError, Table, TableError};
use std::path::Path;
use std::time::Duration;

mod content;
mod figures;
mod heuristics;
mod tables;

pub use heuristics::{HeuristicQuality, heuristic_quality};
pub use tables::{algorithms_table, heuristics_table, searches_table, times_table};

/// The name of the heuristic that knows every distance.
pub const PERFECT: &str = "perfect";

/// Why a study of searches cannot be planned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// `[search]` names an algorithm that there is not.
    #[error("[search] algorithms names {name:?}, and there is no such algorithm; there are {known}")]
    UnknownAlgorithm {
        /// The name.
        name: String,
        /// Those that there are.
        known: String,
    },
    /// `[search]` names a heuristic that a level does not have.
    #[error("[search] heuristics names {name:?}, and level {level:?} has no such heuristic; it has {known}")]
    UnknownHeuristic {
        /// The name, or the part of a sum that is unknown.
        name: String,
        /// The level.
        level: String,
        /// Those that it has.
        known: String,
    },
    /// `[search]` names a level that the study does not have.
    #[error("[search] levels names {level:?}, and the study has no such level; it has {known}")]
    UnknownLevel {
        /// The name.
        level: String,
        /// Those that there are.
        known: String,
    },
}

/// Why a study of searches ended without a result. Nothing was written, and an earlier run is as it was.
#[derive(Debug, thiserror::Error)]
pub enum SearchStudyError {
    /// `[search]` names what there is not.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// As for any run.
    #[error(transparent)]
    Run(#[from] RunError),
}

errors_of_a_run!(SearchStudyError: ReportError, FileError, TableError);

/// A heuristic of a level by its name in the study.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedHeuristic {
    /// Its name, such as `collinear+euclidean-min-min`.
    pub name: String,
    /// What it means, in a few words.
    pub meaning: String,
    /// Whether its game claims that it is admissible; absent for sums, of which nothing is claimed.
    pub claims_admissible: Option<bool>,
    /// The heuristics of the game that it adds, by their index; empty for [`PERFECT`].
    parts: Vec<usize>,
}

impl NamedHeuristic {
    /// Finds a heuristic by its name: one of the level, several joined by `+`, or [`PERFECT`] where the level is
    /// mapped.
    ///
    /// # Errors
    ///
    /// [`PlanError::UnknownHeuristic`].
    pub fn find(level: &ValuedLevel, name: &str) -> Result<Self, PlanError> {
        let known = level.rules.heuristics();
        if name == PERFECT && level.whole.is_some() {
            let meaning = "the distance to the goal itself, from the map of the level".to_owned();
            return Ok(Self { name: name.to_owned(), meaning, claims_admissible: Some(true), parts: Vec::new() });
        }
        let mut parts = Vec::new();
        for part in name.split('+').map(str::trim) {
            let index = known.iter().position(|heuristic| heuristic.name == part);
            parts.push(index.ok_or_else(|| {
                let perfect = level.whole.as_ref().map(|_| PERFECT.to_owned());
                let known: Vec<String> = known.iter().map(|known| known.name.clone()).chain(perfect).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                PlanError::UnknownHeuristic { name: part.to_owned(), level: level.id.clone(), known }
            })?);
        }
        let meaning = parts.iter().map(|&part| known[part].meaning.as_str()).collect::<Vec<_>>().join(" + ");
        let claims_admissible = (parts.len() == 1).then(|| known[parts[0]].is_admissible);
        Ok(Self { name: name.to_owned(), meaning, claims_admissible, parts })
    }

    /// All heuristics that a level has of itself, [`PERFECT`] at the end.
    pub fn all(level: &ValuedLevel) -> Vec<Self> {
        let names = level.rules.heuristics().into_iter().map(|known| known.name).chain([PERFECT.to_owned()]);
        names.filter_map(|name| Self::find(level, &name).ok()).collect()
    }

    /// What it says of a position of its level.
    pub fn estimate(&self, level: &ValuedLevel, state: StateCode) -> f64 {
        match &level.whole {
            Some(whole) if self.parts.is_empty() => {
                let distance = whole.map.node(state).and_then(|node| whole.distances.get(node));
                distance.map_or(f64::INFINITY, |Distance(distance)| f64::from(distance))
            }
            _ => self.parts.iter().map(|&part| level.rules.estimate(part, state)).sum(),
        }
    }
}

/// A search algorithm, as a study names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchMethod {
    /// One of the algorithms for all games.
    General(Algorithm),
    /// The game's own.
    Own(&'static str),
}

impl SearchMethod {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::General(algorithm) => algorithm.name(),
            Self::Own(name) => name,
        }
    }

    fn needs_heuristic(self) -> bool {
        matches!(self, Self::General(algorithm) if algorithm.needs_heuristic())
    }
}

/// One search that was made.
#[derive(Clone, Debug)]
pub struct Search {
    /// The level.
    pub level: String,
    /// How it was searched.
    pub method: SearchMethod,
    /// What guided it, where it needs that.
    pub heuristic: Option<String>,
    /// The fewest that a solution costs; absent if there is none, or it is not known.
    pub optimum: Option<u32>,
    /// What was found, and at what cost. Of a game's own search, `n_expanded` counts its steps.
    pub found: Found<LegalMove>,
    /// The time of each repeat.
    pub times: Vec<Duration>,
}

impl Search {
    /// How it ended, in a word.
    pub fn outcome(&self) -> &'static str {
        match &self.found.outcome {
            Outcome::Solved(_) => "solved",
            Outcome::NoSolution => "no-solution",
            Outcome::Cut(Cut::Expanded) => "cut-expanded",
            Outcome::Cut(Cut::Time) => "cut-time",
            Outcome::Cut(Cut::States) => "cut-states",
            Outcome::Cut(Cut::Depth) => "cut-depth",
            Outcome::Cut(Cut::Cancelled) => "cancelled",
            Outcome::NotApplicable(_) => "not-applicable",
            Outcome::Failed(_) => "failed",
        }
    }

    /// Why it was not made, or failed.
    pub fn reason(&self) -> Option<&str> {
        match &self.found.outcome {
            Outcome::NotApplicable(reason) | Outcome::Failed(reason) => Some(reason),
            _ => None,
        }
    }

    /// Whether it was made at all.
    pub fn is_made(&self) -> bool {
        self.reason().is_none()
    }

    /// Whether a limit ended it.
    pub fn is_cut(&self) -> bool {
        matches!(self.found.outcome, Outcome::Cut(_))
    }

    /// What its solution costs beyond the fewest possible.
    pub fn excess(&self) -> Option<i64> {
        Some(i64::from(self.found.cost?) - i64::from(self.optimum?))
    }

    /// Median of its times, in seconds.
    pub fn median_s(&self) -> Option<f64> {
        let seconds: Vec<f64> = self.times.iter().map(Duration::as_secs_f64).collect();
        quantile(&seconds, 0.5).ok()
    }
}

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
    let own = level.rules.own_search().map(|own| SearchMethod::Own(own.name));
    let all: Vec<SearchMethod> = Algorithm::ALL.map(SearchMethod::General).into_iter().chain(own).collect();
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
    let mut made = Vec::with_capacity(planned.len());
    for (level, method, heuristic) in planned {
        made.push(search_one(plan, level, method, heuristic.as_ref(), progress)?);
        progress.advance(1);
    }
    progress.end();
    Ok(made)
}

fn search_one(
    plan: &Searches,
    level: &ValuedLevel,
    method: SearchMethod,
    heuristic: Option<&NamedHeuristic>,
    progress: &dyn Progress,
) -> Result<Search, RunError> {
    let limits = Limits {
        max_expanded: plan.max_expanded,
        max_time: Some(Duration::from_secs_f64(plan.max_seconds)),
        ..Limits::default()
    };
    let silent = CancelOnly(progress);
    let goals: Vec<StateCode> = match (&level.whole, method) {
        (Some(whole), SearchMethod::General(algorithm)) if algorithm.needs_goals() => {
            whole.map.goals().map(|goal| whole.map.code(goal)).collect()
        }
        _ => Vec::new(),
    };
    let perfect = |state: StateCode| heuristic.map_or(0.0, |heuristic| heuristic.estimate(level, state));
    let guide = match heuristic {
        None => Guide::None,
        Some(heuristic) if heuristic.parts.is_empty() => Guide::Given(&perfect),
        Some(heuristic) => Guide::Game(&heuristic.parts),
    };
    let once = || match method {
        SearchMethod::General(algorithm) => level.rules.search(&SearchRequest {
            start: level.rules.start(),
            algorithm,
            heuristic: guide,
            goals: &goals,
            limits: &limits,
            progress: &silent,
        }),
        SearchMethod::Own(_) => own_search(level, plan.max_expanded, &silent),
    };
    let found = once();
    let mut times = vec![found.elapsed];
    let is_repeated = matches!(found.outcome, Outcome::Solved(_) | Outcome::NoSolution);
    let budget = Duration::from_secs_f64(plan.max_seconds);
    while is_repeated && times.len() < plan.repeats as usize && times.iter().sum::<Duration>() < budget {
        times.push(once().elapsed);
    }
    if progress.is_cancelled() {
        return Err(RunError::Interrupted);
    }
    if !matches!(found.outcome, Outcome::Solved(_) | Outcome::NoSolution | Outcome::Cut(_)) {
        times.clear();
    }
    let optimum = level.start_distance().map(|Distance(distance)| distance);
    let heuristic = heuristic.map(|heuristic| heuristic.name.clone());
    Ok(Search { level: level.id.clone(), method, heuristic, optimum, found, times })
}

fn own_search(level: &ValuedLevel, max_steps: u64, progress: &dyn Progress) -> Found<LegalMove> {
    let begun = std::time::Instant::now();
    let own = level.rules.search_own(level.rules.start(), max_steps, progress);
    let elapsed = begun.elapsed();
    let cost = own.moves.as_ref().map(|moves| moves.iter().map(|played| played.cost).sum());
    let outcome = match own.moves {
        Some(moves) => Outcome::Solved(moves),
        None if own.is_cut => Outcome::Cut(Cut::Expanded),
        None => Outcome::NoSolution,
    };
    Found {
        outcome,
        cost,
        n_expanded: own.n_steps,
        n_generated: 0,
        n_reopened: 0,
        peak_open: 0,
        peak_closed: 0,
        elapsed,
    }
}

/// What a study of searches did.
#[derive(Clone, Debug)]
pub struct SearchSummary {
    /// Number of levels that were searched.
    pub n_levels: usize,
    /// Number of searches that were made.
    pub n_made: usize,
    /// Number of searches that a limit ended.
    pub n_cut: usize,
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
            if progress.is_cancelled() {
                return Err(RunError::Interrupted.into());
            }
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
    let failed =
        publication.write_page(content::report(page, study, chosen.len(), (&searches, &qualities, &claims))?)?;
    let mut manifest = publication.manifest(&level_files, None, &levels, failed.clone())?;
    if let Some(file) = &study.search.claims {
        manifest.add_input(&input_name(file, &study.folder), &study.folder.join(file))?;
    }
    let n_files = publication.commit(manifest, &levels)?;
    Ok(SearchSummary {
        n_levels: chosen.len(),
        n_made: searches.iter().filter(|search| search.is_made()).count(),
        n_cut: searches.iter().filter(|search| search.is_cut()).count(),
        n_not_applicable: searches.iter().filter(|search| !search.is_made()).count(),
        failed,
        n_files,
    })
}

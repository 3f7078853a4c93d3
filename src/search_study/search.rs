//! Search of a level, and how it is made.

use std::time::{Duration, Instant};

use super::named_heuristic::NamedHeuristic;
use plymap_puzzles::game::{Distance, StateCode};
use plymap_puzzles::progress::{CancelOnly, Progress};
use plymap_puzzles::rules::{Guide, LegalMove, SearchRequest};
use plymap_puzzles::search::{Algorithm, Cut, Found, Limits, Outcome};
use plymap_puzzles::valuation::ValuedLevel;
use plymap_run::study::Searches;
use plymap_run::{RunError, continues};
use plymap_statistics::stats::describe::quantile;

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

    pub(super) fn needs_heuristic(self) -> bool {
        matches!(self, Self::General(algorithm) if algorithm.needs_heuristic())
    }
}

/// Search that was made, or could not be.
#[derive(Clone, Debug)]
pub struct Search {
    /// The level.
    pub level: String,
    /// Algorithm of the search.
    pub method: SearchMethod,
    /// Heuristic of the search, where the algorithm needs one.
    pub heuristic: Option<String>,
    /// Cost of an optimal solution; absent if there is none, or it is not known.
    pub optimum: Option<u32>,
    /// Result of the search, with its costs. Of a game's own search, `n_expanded` counts its steps.
    pub result: Found<LegalMove>,
    /// The time of each repeat.
    pub times: Vec<Duration>,
}

impl Search {
    /// Returns the outcome, in a word.
    pub fn outcome(&self) -> &'static str {
        match &self.result.outcome {
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

    /// Returns the reason of a search that does not apply, or failed.
    pub fn reason(&self) -> Option<&str> {
        match &self.result.outcome {
            Outcome::NotApplicable(reason) | Outcome::Failed(reason) => Some(reason),
            _ => None,
        }
    }

    /// Returns true if the search was made, to its end or to a limit.
    pub fn is_made(&self) -> bool {
        self.reason().is_none()
    }

    /// Returns true if a limit ended the search.
    pub fn is_cut(&self) -> bool {
        matches!(self.result.outcome, Outcome::Cut(_))
    }

    /// Returns the excess of the solution's cost over that of an optimal one.
    pub fn excess(&self) -> Option<i64> {
        Some(i64::from(self.result.cost?) - i64::from(self.optimum?))
    }

    /// Median of its times, in seconds.
    pub fn median_s(&self) -> Option<f64> {
        let seconds: Vec<f64> = self.times.iter().map(Duration::as_secs_f64).collect();
        quantile(&seconds, 0.5).ok()
    }
}

pub(super) fn search_one(
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
    let result = once();
    let mut times = vec![result.elapsed];
    // Only finished searches are repeated: one that was cut would take up to the limit again.
    let is_repeated = matches!(result.outcome, Outcome::Solved(_) | Outcome::NoSolution);
    let budget = Duration::from_secs_f64(plan.max_seconds);
    while is_repeated && times.len() < plan.repeats as usize && times.iter().sum::<Duration>() < budget {
        times.push(once().elapsed);
    }
    continues(progress)?;
    if !matches!(result.outcome, Outcome::Solved(_) | Outcome::NoSolution | Outcome::Cut(_)) {
        times.clear();
    }
    let optimum = level.start_distance().map(|Distance(distance)| distance);
    let heuristic = heuristic.map(|heuristic| heuristic.name.clone());
    Ok(Search { level: level.id.clone(), method, heuristic, optimum, result, times })
}

fn own_search(level: &ValuedLevel, max_steps: u64, progress: &dyn Progress) -> Found<LegalMove> {
    let begun = Instant::now();
    let result = level.rules.search_own(level.rules.start(), max_steps, progress);
    let elapsed = begun.elapsed();
    let cost = result.moves.as_ref().map(|moves| moves.iter().map(|played| played.cost).sum());
    let outcome = match result.moves {
        Some(moves) => Outcome::Solved(moves),
        None if result.is_cut => Outcome::Cut(Cut::Expanded),
        None => Outcome::NoSolution,
    };
    Found {
        outcome,
        cost,
        n_expanded: result.n_steps,
        n_generated: 0,
        n_reopened: 0,
        peak_open: 0,
        peak_closed: 0,
        elapsed,
    }
}

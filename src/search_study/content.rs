//! What the report of a study of searches says.

use std::path::Path;

use super::{HeuristicQuality, Search};
use crate::claims::{self, Checked};
use crate::figures::Illustration;
use crate::report::{Count, Definition, ReportContent, generated_by};
use crate::run::RunError;
use crate::run::publish::Parts;
use crate::study::Study;
use crate::table::Table;
use plymap_puzzles::valuation::ValuedLevel;

pub(super) fn report(
    study: &Study,
    study_file: &Path,
    levels: &[&ValuedLevel],
    (searches, qualities, claims): (&[Search], &[HeuristicQuality], &[Checked]),
    (tables, illustrations): (&[Table], &[Illustration]),
) -> Result<ReportContent, RunError> {
    let parts = Parts::new(study, tables, illustrations);
    let mut sections = Vec::new();
    if !claims.is_empty() {
        sections.push(parts.section("claims", "Claims", vec![claims::sentence(claims)], &[], &["claims"])?);
    }
    sections.extend([
        parts.section("algorithms", "Search algorithms", algorithm_sentences(searches), &["search-expanded-by-level", "search-moves-by-level", "search-time-by-level"], &["algorithms"])?,
        parts.section("heuristics", "Heuristics", heuristic_sentences(qualities), &["search-expanded-by-heuristic", "search-excess-by-heuristic", "search-optimal-by-heuristic", "search-time-by-heuristic"], &["heuristics"])?,
        parts.section("searches", "Each search", cut_sentences(searches), &[], &["searches"])?,
        parts.section(
            "times",
            "Times",
            vec!["Times are those of the machine on which this run was made, one search at a time; all other tables are the same on every machine, unless a search was ended by its limit of time.".to_owned()],
            &[],
            &["search_times"],
        )?,
    ]);
    let n = |holds: fn(&&Search) -> bool| searches.iter().filter(holds).count() as u64;
    Ok(ReportContent {
        study: study.study.name.clone(),
        title: format!("{}: search algorithms", study.title()),
        description: Vec::new(),
        generated_by: generated_by(),
        command: format!("plymap search-study {}", study_file.file_name().unwrap_or_default().to_string_lossy()),
        counts: vec![
            Count::new("levels", levels.len() as u64),
            Count::new("searches", n(|search| search.is_made())),
            Count::new("searches ended by a limit", n(|search| search.is_cut())),
            Count::new("searches that do not apply", n(|search| !search.is_made())),
        ],
        rows: None,
        issues: Vec::new(),
        issues_file: String::new(),
        definitions: definitions(study),
        sections,
        ..ReportContent::default()
    })
}

fn definitions(study: &Study) -> Vec<Definition> {
    let plan = &study.search;
    let define = |term: &str, meaning: String, formula: String| Definition { term: term.to_owned(), meaning, formula };
    vec![
        define(
            "expanded",
            "a state whose successors were generated; one that is expanded again counts again".to_owned(),
            String::new(),
        ),
        define(
            "optimal",
            "the solution costs as much as the distance of the start, in the level's metric".to_owned(),
            "excess = cost - optimum".to_owned(),
        ),
        define(
            "admissible",
            "the heuristic never exceeds the distance, checked on every state of the map".to_owned(),
            "h(s) <= d(s)".to_owned(),
        ),
        define(
            "consistent",
            "the heuristic never falls by more than a move costs, checked on every move of the map".to_owned(),
            "h(s) <= c(s, t) + h(t)".to_owned(),
        ),
        define(
            "limits",
            "a search that reaches one is cut, counted, and not optimal".to_owned(),
            format!("max_expanded = {}; max_seconds = {}", plan.max_expanded, plan.max_seconds),
        ),
    ]
}

fn algorithm_sentences(searches: &[Search]) -> Vec<String> {
    let mut names: Vec<&str> = Vec::new();
    for search in searches.iter().filter(|search| search.is_made()) {
        if !names.contains(&search.method.name()) {
            names.push(search.method.name());
        }
    }
    let always: Vec<&str> = names
        .into_iter()
        .filter(|name| {
            let mut judged =
                searches.iter().filter(|one| one.method.name() == *name && one.is_made() && one.optimum.is_some());
            judged.all(|search| search.excess() == Some(0))
        })
        .collect();
    vec![match always.len() {
        0 => "No search algorithm found a best solution every time.".to_owned(),
        _ => format!("A best solution was found every time by {}.", always.join(", ")),
    }]
}

fn heuristic_sentences(qualities: &[HeuristicQuality]) -> Vec<String> {
    if qualities.is_empty() {
        return vec!["No level was mapped, or no heuristic is known.".to_owned()];
    }
    let mut names: Vec<&str> = Vec::new();
    for quality in qualities {
        if !names.contains(&quality.heuristic.as_str()) {
            names.push(&quality.heuristic);
        }
    }
    let (admissible, others): (Vec<&str>, Vec<&str>) = names.into_iter().partition(|name| {
        qualities.iter().filter(|quality| quality.heuristic == *name).all(HeuristicQuality::is_admissible)
    });
    let listed = |names: &[&str]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let mut sentences = vec![
        format!("Admissible on every state of every level: {}.", listed(&admissible)),
        format!("More than the distance on some state: {}.", listed(&others)),
    ];
    let broken: Vec<String> = qualities
        .iter()
        .filter(|quality| quality.claims_admissible == Some(true) && !quality.is_admissible())
        .map(|quality| format!("{} at level {}", quality.heuristic, quality.level))
        .collect();
    if !broken.is_empty() {
        sentences.push(format!("Claimed to be admissible, and not so: {}.", broken.join(", ")));
    }
    sentences
}

fn cut_sentences(searches: &[Search]) -> Vec<String> {
    let cut: Vec<String> = searches
        .iter()
        .filter(|search| search.is_cut())
        .map(|search| {
            let heuristic = search.heuristic.as_ref().map_or(String::new(), |name| format!(" with {name}"));
            format!("{}{heuristic} at level {} ({})", search.method.name(), search.level, search.outcome())
        })
        .collect();
    match cut.len() {
        0 => vec!["No search was ended by a limit.".to_owned()],
        n if n <= 12 => vec![format!("Ended by a limit: {}.", cut.join("; "))],
        n => vec![format!("Ended by a limit: {n} searches; the table names them.")],
    }
}

//! Report of a study of searches.

use super::heuristics::HeuristicQuality;
use super::search::Search;
use plymap_report::ReportContent;
use plymap_report::claims::Checked;
use plymap_report::figures::Kind;
use plymap_run::RunError;
use plymap_run::publish::Page;
use plymap_run::study::Study;

pub(super) fn report(
    mut page: Page,
    study: &Study,
    n_levels: usize,
    (searches, qualities, claims): (&[Search], &[HeuristicQuality], &[Checked]),
) -> Result<ReportContent, RunError> {
    let plan = &study.search;
    let n = |holds: fn(&&Search) -> bool| searches.iter().filter(holds).count() as u64;
    let about_times = "Times are those of the machine on which this run was made, one search at a time; all other tables are the same on every machine, unless a search was ended by its limit of time.".to_owned();
    page.about("search algorithms")
        .count("levels", n_levels as u64)
        .count("searches", n(|search| search.is_made()))
        .count("searches ended by a limit", n(|search| search.is_cut()))
        .count("searches that do not apply", n(|search| !search.is_made()))
        .define("expanded", "a state whose successors were generated; one that is expanded again counts again", "")
        .define(
            "optimal",
            "the solution costs as much as the distance of the start, in the level's metric",
            "excess = cost - optimum",
        )
        .define(
            "admissible",
            "the heuristic never exceeds the distance, checked on every state of the map",
            "h(s) <= d(s)",
        )
        .define(
            "consistent",
            "the heuristic never falls by more than a move costs, checked on every move of the map",
            "h(s) <= c(s, t) + h(t)",
        )
        .define(
            "limits",
            "a search that reaches one is cut, counted, and not optimal",
            format!("max_expanded = {}; max_seconds = {}", plan.max_expanded, plan.max_seconds),
        );
    page.claims(claims)?
        .section(
            "algorithms",
            "Search algorithms",
            algorithm_sentences(searches),
            &[Kind::SearchesByLevel],
            &["algorithms"],
        )?
        .section(
            "heuristics",
            "Heuristics",
            heuristic_sentences(qualities),
            &[Kind::SearchesByHeuristic],
            &["heuristics"],
        )?
        .section("searches", "Each search", cut_sentences(searches), &[], &["searches"])?
        .section("times", "Times", vec![about_times], &[], &["search_times"])?;
    Ok(page.content)
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
            let mut judged = searches
                .iter()
                .filter(|search| search.method.name() == *name && search.is_made() && search.optimum.is_some());
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

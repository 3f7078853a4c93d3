//! The figures of a study of searches: algorithms by level, and heuristics under A*.

use super::search::{Search, SearchMethod};
use plymap_figures::levels_by_series::{LevelsBySeries, Series, Value};
use plymap_figures::ranking::{Category, Ranking};
use plymap_figures::{Heading, Label, Reference};
use plymap_puzzles::game::Unit;
use plymap_puzzles::search::Algorithm;
use plymap_report::figures::{Kind, Sketch};
use plymap_statistics::stats::describe::quantile;

/// All figures.
pub(super) fn figures(searches: &[Search], unit: Unit) -> Vec<Sketch> {
    let excess_axis = format!("cost beyond the best solution ({})", unit.name());
    let expanded = |search: &Search| Some(search.result.n_expanded as f64);
    let moves = |search: &Search| search.result.moves().map(|moves| moves.len() as f64);
    let milliseconds = |search: &Search| search.median_s().map(|seconds| 1e3 * seconds);
    let excess = |search: &Search| search.excess().map(|excess| excess as f64);
    let optimal = |search: &Search| search.optimum.map(|_| f64::from(u8::from(search.excess() == Some(0))));
    let mut all = Vec::new();
    for (name, title, axis, value) in [
        ("search-time-by-level", "Time by level and algorithm", "time (ms)", &milliseconds as &dyn Fn(&Search) -> _),
        ("search-expanded-by-level", "Expanded positions by level and algorithm", "expanded positions", &expanded),
        ("search-moves-by-level", "Moves of the solution by level and algorithm", "moves", &moves),
    ] {
        all.push(by_level(searches, (name, title, axis), value));
    }
    for (name, title, axis, log, value) in [
        ("search-time-by-heuristic", "Time by heuristic", "time (ms)", true, &milliseconds as &dyn Fn(&Search) -> _),
        ("search-expanded-by-heuristic", "Expanded positions by heuristic", "expanded positions", true, &expanded),
        ("search-excess-by-heuristic", "Cost beyond the best solution by heuristic", &excess_axis, false, &excess),
        ("search-optimal-by-heuristic", "Best solutions by heuristic", "share of levels", false, &optimal),
    ] {
        all.push(by_heuristic(searches, (name, title, axis), log, value));
    }
    all
}

fn heading(name: &str, title: &str, subtitle: String) -> Heading {
    Heading {
        name: name.to_owned(),
        title: Label::untranslated(title),
        subtitle,
        no_data_reason: Label::untranslated("no search was made"),
    }
}

/// Distinct values in the order of their first appearance.
fn distinct<'a, T: PartialEq>(values: impl Iterator<Item = T> + 'a) -> Vec<T> {
    values.fold(Vec::new(), |mut known, value| {
        if !known.contains(&value) {
            known.push(value);
        }
        known
    })
}

/// One value for each level and algorithm; an algorithm that needs a heuristic has the first one of the study.
fn by_level(
    searches: &[Search],
    (name, title, axis): (&str, &str, &str),
    value: &dyn Fn(&Search) -> Option<f64>,
) -> Sketch {
    let searched = || searches.iter().filter(|search| search.is_made());
    let levels = distinct(searches.iter().map(|search| search.level.clone()));
    let methods = distinct(searched().map(|search| search.method.name()));
    let value_at = |method: &str, level: &String| {
        let Some(search) = searched().find(|search| search.method.name() == method && search.level == *level) else {
            return Value::Missing;
        };
        match value(search) {
            Some(value) if search.is_cut() => Value::Cut(value),
            Some(value) => Value::Found(value),
            None => Value::Missing,
        }
    };
    let guide = searched().find_map(|search| search.heuristic.as_deref());
    let chart = LevelsBySeries {
        heading: heading(
            name,
            title,
            guide.map_or(String::new(), |guide| format!("greedy, A* and IDA* are guided by {guide}")),
        ),
        x_title: Label::untranslated("level"),
        y_title: Label::untranslated(axis),
        log: true,
        series: methods
            .iter()
            .map(|method| Series {
                label: (*method).to_owned(),
                values: levels.iter().map(|level| value_at(method, level)).collect(),
            })
            .collect(),
        levels,
    };
    let sentence = format!("{title}, one search of each algorithm on each level");
    Sketch::new(Kind::SearchesByLevel, chart, sentence)
}

/// One row for each heuristic under A*, with a value for each level.
fn by_heuristic(
    searches: &[Search],
    (name, title, axis): (&str, &str, &str),
    log: bool,
    value: &dyn Fn(&Search) -> Option<f64>,
) -> Sketch {
    let guided = || {
        searches.iter().filter(|search| search.is_made() && search.method == SearchMethod::General(Algorithm::AStar))
    };
    let categories = distinct(guided().filter_map(|search| search.heuristic.as_deref())).into_iter().map(|heuristic| {
        let points: Vec<f64> =
            guided().filter(|search| search.heuristic.as_deref() == Some(heuristic)).filter_map(value).collect();
        let mean = || (!points.is_empty()).then(|| points.iter().sum::<f64>() / points.len() as f64);
        let estimate = if log { quantile(&points, 0.5).ok() } else { mean() };
        // A share says all of yes and no; its single values would be points at 0 and 1.
        let points = if name == "search-optimal-by-heuristic" { Vec::new() } else { points };
        Category { label: heuristic.to_owned(), estimate, points, ..Category::default() }
    });
    let reference = match name {
        "search-optimal-by-heuristic" => Some(Reference { value: 1.0, label: Label::untranslated("all levels") }),
        _ => None,
    };
    let n_levels = distinct(guided().map(|search| search.level.as_str())).len();
    let chart = Ranking {
        heading: heading(name, title, format!("A* on {n_levels} level{}", if n_levels == 1 { "" } else { "s" })),
        x_title: Label::untranslated(axis),
        log,
        estimate: if log { "median" } else { "mean" }.to_owned(),
        point: "level".to_owned(),
        reference,
        categories: categories.collect(),
        ..Ranking::default()
    };
    let sentence = format!("{title} under A*; searches that a limit ended are among them");
    Sketch::new(Kind::SearchesByHeuristic, chart, sentence)
}

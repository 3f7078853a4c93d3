//! The figures of a tournament.

use super::game::Game;
use super::tables::{Results, of_last_positions};
use plymap_figures::ranking::{Category, Ranking};
use plymap_figures::share_bars::{Bar, ShareBars};
use plymap_figures::{Heading, Label, grouped};
use plymap_puzzles::game::Unit;
use plymap_report::figures::{Kind, Sketch};
use plymap_run::study::Study;
use plymap_statistics::stats::apa::counted;
use plymap_tables::SafeStems;

/// Maximum number of games of a strategy that are drawn one by one.
const MOST_POINTS: usize = 200;

pub(super) fn figures(games: &[Game], results: &[Results], unit: Unit, study: &Study) -> Vec<Sketch> {
    let mut levels: Vec<&str> = Vec::new();
    for result in results {
        if !levels.contains(&result.level.as_str()) {
            levels.push(&result.level);
        }
    }
    let stems = SafeStems::of(levels.iter().copied());
    let mut all = Vec::new();
    for level in levels {
        let stem = stems.stem(level);
        let of_level: Vec<&Results> = results.iter().filter(|result| result.level == level).collect();
        all.push(scores((level, &stem), &of_level, unit, study));
        if unit.is_distance() {
            all.push(solved((level, &stem), &of_level, study));
        }
        for last in of_last_positions(games).into_iter().filter(|_| !unit.is_distance()) {
            let place = |strategy: &str| of_level.iter().position(|result| result.strategy == strategy);
            let mut rows: Vec<_> = last.rows.iter().filter(|row| row.0 == level).collect();
            rows.sort_by_key(|row| place(&row.1));
            let bars = rows.into_iter().map(|row| Bar { label: row.1.clone(), counts: row.2.clone() });
            let title = format!("{} at the end of a game", capitalised(last.meaning));
            let chart = ShareBars {
                heading: heading(
                    &format!("tournament-{}-{stem}", last.name.replace('_', "-")),
                    &title,
                    games_each(&of_level, level),
                ),
                counted: "games".to_owned(),
                scale: last.meaning.to_owned(),
                categories: last.values.iter().map(ToString::to_string).collect(),
                bars: bars.collect(),
            };
            let sentence = format!("{title}, by strategy, the best on top");
            all.push(Sketch::new(Kind::Tournament, chart, sentence));
        }
    }
    all
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn heading(name: &str, title: &str, subtitle: String) -> Heading {
    Heading {
        name: name.to_owned(),
        title: Label::untranslated(title),
        subtitle,
        no_data_reason: Label::untranslated("no game counts"),
    }
}

fn games_each(results: &[&Results], level: &str) -> String {
    let n: Vec<u64> = results.iter().map(|result| result.n_games).collect();
    let (least, most) = (n.iter().min().copied().unwrap_or(0), n.iter().max().copied().unwrap_or(0));
    let games = counted(most, "game");
    let each = if least == most { games } else { format!("{} to {games}", grouped(least)) };
    format!("level {level}; {each} of each strategy")
}

fn scores((level, stem): (&str, &str), results: &[&Results], unit: Unit, study: &Study) -> Sketch {
    let (title, axis) = match unit.is_distance() {
        true => ("Cost of solutions by strategy", format!("cost of solved games ({})", unit.name())),
        false => ("Scores by strategy", "score (points)".to_owned()),
    };
    let categories: Vec<Category> = results
        .iter()
        .map(|result| Category {
            label: result.strategy.clone(),
            estimate: result.mean.estimate,
            interval: result.mean.lower.zip(result.mean.upper),
            points: if result.scores.len() <= MOST_POINTS { result.scores.clone() } else { Vec::new() },
            ..Category::default()
        })
        .collect();
    // Strategies that differ by a factor of twenty cannot be distinguished on a linear axis.
    let means = || categories.iter().filter_map(|category| category.estimate);
    let (least, most) = (means().fold(f64::INFINITY, f64::min), means().fold(0.0, f64::max));
    let all_positive = categories.iter().flat_map(|category| &category.points).all(|&score| score > 0.0);
    let chart = Ranking {
        heading: heading(&format!("tournament-score-{stem}"), title, games_each(results, level)),
        x_title: Label::untranslated(axis),
        log: least > 0.0 && most > 20.0 * least && all_positive,
        estimate: "mean".to_owned(),
        confidence: study.statistics.confidence.to_string(),
        point: "game".to_owned(),
        categories,
        ..Ranking::default()
    };
    let sentence = format!("{title}, the best on top");
    Sketch::new(Kind::Tournament, chart, sentence)
}

fn solved((level, stem): (&str, &str), results: &[&Results], study: &Study) -> Sketch {
    let title = "Share of solved games by strategy";
    let categories = results.iter().map(|result| Category {
        label: result.strategy.clone(),
        estimate: result.finished.estimate,
        interval: result.finished.lower.zip(result.finished.upper),
        ..Category::default()
    });
    let chart = Ranking {
        heading: heading(&format!("tournament-solved-{stem}"), title, games_each(results, level)),
        x_title: Label::untranslated("share of solved games"),
        estimate: "share".to_owned(),
        confidence: study.statistics.confidence.to_string(),
        categories: categories.collect(),
        ..Ranking::default()
    };
    let sentence = format!("{title}, the best on top");
    Sketch::new(Kind::Tournament, chart, sentence)
}

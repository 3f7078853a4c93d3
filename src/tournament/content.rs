//! Report of a tournament.

use super::game::{Game, GameEnding};
use super::tables::Results;
use plymap_puzzles::game::Unit;
use plymap_report::ReportContent;
use plymap_report::figures::Kind;
use plymap_run::RunError;
use plymap_run::publish::Page;
use plymap_run::study::Study;
use plymap_statistics::stats::apa;

pub(super) fn report(
    mut page: Page,
    study: &Study,
    n_levels: usize,
    games: &[Game],
    (results, unit): (&[Results], Unit),
) -> Result<ReportContent, RunError> {
    let last: Vec<String> =
        page.tables().map(|table| table.name.clone()).filter(|name| name.starts_with("last_")).collect();
    let result_tables: Vec<&str> =
        ["tournament"].into_iter().chain(last.iter().map(String::as_str)).chain(["disqualified"]).collect();
    let about_times = "Times are those of the machine on which this run was made, with as many games side by side as it has threads; all other tables are the same on every machine, unless a program was too slow there.".to_owned();
    let n = |holds: fn(&&Game) -> bool| games.iter().filter(holds).count() as u64;
    page.about("tournament")
        .count("levels", n_levels as u64)
        .count("strategies", study.strategy.len() as u64)
        .count("games", n(|game| game.is_scored()))
        .count("games ended by the limit of moves", n(|game| game.ending == GameEnding::MoveLimit))
        .count("disqualifications", n(|game| !game.is_scored()));
    define(&mut page, study, unit);
    page.section("results", "Results", sentences(results, unit), &[Kind::Tournament], &result_tables)?
        .section("games", "Games", Vec::new(), &[], &["games"])?
        .section("times", "Times", vec![about_times], &[], &["tournament_times"])?;
    Ok(page.content)
}

fn define(page: &mut Page, study: &Study, unit: Unit) {
    let score = match unit.is_distance() {
        true => "what the moves of a solved game cost",
        false => "points gained by all moves of a game",
    };
    let interval = format!(
        "of means by the bootstrap (BCa, 9,999 resamples), of shares by Wilson; at {}",
        study.statistics.confidence
    );
    page.define_game()
        .define(
            "tournament",
            "game number i begins alike for all strategies",
            format!(
                "games = {}; max_moves = {}; seed = {}",
                study.tournament.games, study.tournament.max_moves, study.simulation.seed
            ),
        )
        .define("score", score, "")
        .define("interval", interval, "");
    for strategy in &study.strategy {
        let spec = strategy.spec(&study.folder);
        let (meaning, settings) = spec.map(|spec| (spec.kind().meaning, spec.settings())).unwrap_or_default();
        let formula = settings.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join("; ");
        page.define(&strategy.name, meaning, formula);
    }
}

fn sentences(results: &[Results], unit: Unit) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut level = "";
    for result in results {
        if result.level == level {
            continue;
        }
        level = &result.level;
        let (Some(mean), None) = (result.mean.estimate, &result.disqualified) else { continue };
        let interval = match (result.mean.lower, result.mean.upper) {
            (Some(lower), Some(upper)) => format!(", {} CI [{lower:.1}, {upper:.1}]", result.mean.confidence),
            _ => String::new(),
        };
        let ties = |other: &&Results| {
            let key = |result: &Results| (result.mean.estimate, result.n_finished);
            other.level == *level && other.disqualified.is_none() && key(other) == key(result)
        };
        let tied: Vec<&str> = results.iter().filter(ties).map(|other| other.strategy.as_str()).collect();
        let best = tied.join(" and ");
        sentences.push(match unit.is_distance() {
            true => format!(
                "At level {level}, {best} did best: {} of {} solved, with a mean cost of {mean:.1}{interval}.",
                result.n_finished,
                apa::counted(result.n_games, "game")
            ),
            false => format!(
                "At level {level}, {best} did best: a mean of {mean:.1} points over {}{interval}.",
                apa::counted(result.n_games, "game")
            ),
        });
    }
    let out: Vec<String> = results
        .iter()
        .filter_map(|result| {
            Some(format!("{} at level {}: {}", result.strategy, result.level, result.disqualified.as_ref()?))
        })
        .collect();
    if !out.is_empty() {
        sentences.push(format!("Disqualified: {}.", out.join("; ")));
    }
    sentences
}

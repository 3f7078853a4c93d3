//! What the report of a tournament says.

use std::path::Path;

use super::tables::Results;
use super::{Game, GameEnding};
use crate::figures::Illustration;
use crate::report::{Count, Definition, ReportContent, generated_by};
use crate::run::RunError;
use crate::run::publish::Parts;
use crate::study::Study;
use crate::table::Table;
use plymap_puzzles::game::Unit;
use plymap_puzzles::valuation::ValuedLevel;

pub(super) fn report(
    study: &Study,
    study_file: &Path,
    levels: &[ValuedLevel],
    (games, results, unit): (&[Game], &[Results], Unit),
    (tables, illustrations): (&[Table], &[Illustration]),
) -> Result<ReportContent, RunError> {
    let parts = Parts::new(study, tables, illustrations);
    let last: Vec<&str> =
        tables.iter().map(|table| table.name.as_str()).filter(|name| name.starts_with("last_")).collect();
    let result_tables: Vec<&str> = ["tournament"].into_iter().chain(last).chain(["disqualified"]).collect();
    let about_times = "Times are those of the machine on which this run was made, with as many games side by side as it has threads; all other tables are the same on every machine, unless a program was too slow there.".to_owned();
    let sections = vec![
        parts.section("results", "Results", sentences(results, unit), &["tournament"], &result_tables)?,
        parts.section("games", "Games", Vec::new(), &[], &["games"])?,
        parts.section("times", "Times", vec![about_times], &[], &["tournament_times"])?,
    ];
    let n = |holds: fn(&&Game) -> bool| games.iter().filter(holds).count() as u64;
    Ok(ReportContent {
        study: study.study.name.clone(),
        title: format!("{}: tournament", study.title()),
        description: Vec::new(),
        generated_by: generated_by(),
        command: format!("plymap tournament {}", study_file.file_name().unwrap_or_default().to_string_lossy()),
        counts: vec![
            Count::new("levels", levels.len() as u64),
            Count::new("strategies", study.strategy.len() as u64),
            Count::new("games", n(|game| game.is_scored())),
            Count::new("games ended by the limit of moves", n(|game| game.ending == GameEnding::Cut)),
            Count::new("disqualifications", n(|game| !game.is_scored())),
        ],
        rows: None,
        issues: Vec::new(),
        issues_file: String::new(),
        definitions: definitions(study, unit),
        sections,
        ..ReportContent::default()
    })
}

fn definitions(study: &Study, unit: Unit) -> Vec<Definition> {
    let define = |term: &str, meaning: String, formula: String| Definition { term: term.to_owned(), meaning, formula };
    let settings = (study.game().settings)(&study.rule_options());
    let rules = settings.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join("; ");
    let mut definitions = vec![
        define("game", format!("the rules are those of {}", study.game().title), rules),
        define(
            "tournament",
            "game number i begins alike for all strategies".to_owned(),
            format!(
                "games = {}; max_moves = {}; seed = {}",
                study.tournament.games, study.tournament.max_moves, study.simulation.seed
            ),
        ),
        define(
            "score",
            if unit.is_distance() {
                "what the moves of a solved game cost"
            } else {
                "points gained by all moves of a game"
            }
            .to_owned(),
            String::new(),
        ),
        define(
            "interval",
            format!(
                "of means by the bootstrap (BCa, 9,999 resamples), of shares by Wilson; at {}",
                study.statistics.confidence
            ),
            String::new(),
        ),
    ];
    for strategy in &study.strategy {
        let spec = strategy.spec(&study.folder);
        let (meaning, settings) = spec.map(|spec| (spec.kind().meaning, spec.settings())).unwrap_or_default();
        let formula = settings.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join("; ");
        definitions.push(define(&strategy.name, meaning.to_owned(), formula));
    }
    definitions
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
        sentences.push(match unit.is_distance() {
            true => format!(
                "At level {level}, {} did best: it solved {} of {} games, with a mean cost of {mean:.1}{interval}.",
                result.strategy, result.n_finished, result.n_games
            ),
            false => format!(
                "At level {level}, {} did best: a mean of {mean:.1} points over {} games{interval}.",
                result.strategy, result.n_games
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

//! `plymap hint`

use std::process::ExitCode;

use clap::Args;
use plymap::distance::{Distance, Evaluation, Oracle as _, ValuedMove};
use plymap::mapping::MappedLevel;
use plymap::report::Format;
use plymap::table::{ColumnDoc, Table};
use polars::prelude::{Column, DataFrame, PolarsResult};

use super::error::Failure;
use super::levels::{PositionArguments, position};
use super::output::{format, print, print_json, print_table};
use super::progress::Bars;

/// All optimal moves of a position, and the value of every legal move.
///
/// Example: plymap hint data/demo/levels/article-1.txt --format json
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub struct Hint {
    #[command(flatten)]
    position: PositionArguments,
    /// Hint for this position instead of the start.
    #[arg(long, value_name = "STATE")]
    state: Option<String>,
    /// How to print it: table, json, csv, tsv, markdown or latex.
    #[arg(long, default_value = "table", value_parser = format)]
    format: Format,
}

#[derive(serde::Serialize)]
struct Answer {
    level: String,
    game: &'static str,
    state: String,
    is_goal: bool,
    distance: Option<u32>,
    unit: &'static str,
    n_legal: usize,
    n_optimal: usize,
    optimal_moves: Vec<String>,
    moves: Vec<MoveAnswer>,
}

#[derive(serde::Serialize)]
struct MoveAnswer {
    r#move: String,
    state_after: String,
    distance_after: Option<u32>,
    regret: Option<i64>,
    quality: &'static str,
    is_optimal: bool,
}

impl Hint {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let level = self.position.map(bars)?;
        let state = position(&level, self.state.as_deref())?;
        let evaluation = level.oracle().evaluate(state).map_err(Failure::message)?;
        match self.format {
            Format::Json => print_json(&answer(&level, &evaluation))?,
            Format::Table => {
                print(&headline(&level, &evaluation))?;
                print_table(&table(&level, &evaluation).map_err(Failure::message)?, Format::Table)?;
            }
            format => print_table(&table(&level, &evaluation).map_err(Failure::message)?, format)?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// What a move does to the distance, in the words of the labels.
fn quality(before: Option<Distance>, valued: &ValuedMove) -> &'static str {
    use plymap::label::Quality;
    Quality::of_distances(before, valued.after).name()
}

fn answer(level: &MappedLevel, evaluation: &Evaluation) -> Answer {
    let optimal = evaluation.moves.iter().filter(|valued| valued.is_optimal());
    let described = |valued: &ValuedMove| MoveAnswer {
        r#move: valued.legal.notation.clone(),
        state_after: level.rules.format_state(valued.legal.after),
        distance_after: valued.after.map(|Distance(value)| value),
        regret: valued.regret,
        quality: quality(evaluation.value, valued),
        is_optimal: valued.is_optimal(),
    };
    Answer {
        level: level.id.clone(),
        game: level.game,
        state: level.rules.format_state(evaluation.state),
        is_goal: evaluation.is_goal,
        distance: evaluation.value.map(|Distance(value)| value),
        unit: level.rules.unit().name(),
        n_legal: evaluation.moves.len(),
        n_optimal: evaluation.n_optimal(),
        optimal_moves: optimal.map(|valued| valued.legal.notation.clone()).collect(),
        moves: evaluation.moves.iter().map(described).collect(),
    }
}

/// One line on a position.
pub fn headline(level: &MappedLevel, evaluation: &Evaluation) -> String {
    let unit = level.rules.unit().name();
    match evaluation.value {
        _ if evaluation.is_goal => "the level is solved in this position\n".to_owned(),
        None => "no goal can be reached from this position\n".to_owned(),
        Some(distance) => {
            format!(
                "distance to the goal: {distance} {unit}; {} of {} legal moves are optimal\n",
                evaluation.n_optimal(),
                evaluation.moves.len()
            )
        }
    }
}

/// The legal moves of a position as a table, the best first.
pub fn table(level: &MappedLevel, evaluation: &Evaluation) -> PolarsResult<Table> {
    let mut moves: Vec<&ValuedMove> = evaluation.moves.iter().collect();
    moves.sort_by_key(|valued| valued.regret.unwrap_or(i64::MAX));
    let data = DataFrame::new_infer_height(vec![
        Column::new("move".into(), moves.iter().map(|valued| valued.legal.notation.clone()).collect::<Vec<_>>()),
        Column::new(
            "distance_after".into(),
            moves.iter().map(|valued| valued.after.map(|Distance(value)| value)).collect::<Vec<_>>(),
        ),
        Column::new("regret".into(), moves.iter().map(|valued| valued.regret).collect::<Vec<_>>()),
        Column::new("quality".into(), moves.iter().map(|valued| quality(evaluation.value, valued)).collect::<Vec<_>>()),
        Column::new("is_optimal".into(), moves.iter().map(|valued| valued.is_optimal()).collect::<Vec<_>>()),
        Column::new(
            "state_after".into(),
            moves.iter().map(|valued| level.rules.format_state(valued.legal.after)).collect::<Vec<_>>(),
        ),
    ])?;
    Ok(Table {
        name: "moves".to_owned(),
        caption: format!("Legal moves of a position of level {}.", level.id),
        data,
        columns: vec![
            ColumnDoc::new("move", "the move in the notation of logs"),
            ColumnDoc::new("distance_after", "distance to the goal after it").unit(level.rules.unit().name()),
            ColumnDoc::new("regret", "what it loses against the best move").unit(level.rules.unit().name()),
            ColumnDoc::new("quality", "what it does to the distance"),
            ColumnDoc::new("is_optimal", "whether no other move leads to a goal sooner"),
            ColumnDoc::new("state_after", "the position after it"),
        ],
    })
}

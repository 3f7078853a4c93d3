//! `plymap hint`

use std::path::{Path, PathBuf};

use clap::Args;
use plymap_measures::level_tables::{moves_table, quality};
use plymap_puzzles::distance::{Evaluation, ValuedMove};
use plymap_puzzles::game::Value;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_tablebase::Tablebase;
use plymap_tables::Format;

use super::levels::{PositionArguments, no_script_error, position};
use super::output::{format, print, print_json, print_table};
use super::position::{Head, distance, headline};
use super::{Bars, ExitCode, Failure};

/// Print all optimal moves of a position, and the value of every legal move.
///
/// With --tablebase, distances are looked up in a file of plymap tablebase, instead of being found by a map or a search.
///
/// Example: plymap hint data/demo/levels/article-1.txt --format json
#[derive(Debug, Args)]
pub struct Hint {
    #[command(flatten)]
    position: PositionArguments,
    /// Hint for this position instead of the start.
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    state: Option<String>,
    /// File of plymap tablebase in which the distances of the level are.
    #[arg(long, value_name = "FILE")]
    tablebase: Option<PathBuf>,
    /// How to print it: table, json, csv, tsv, markdown or latex.
    #[arg(long, default_value = "table", value_parser = format)]
    format: Format,
}

/// Answer on a position, as JSON.
#[derive(serde::Serialize)]
pub struct Answer {
    #[serde(flatten)]
    head: Head,
    n_legal: usize,
    n_optimal: usize,
    optimal_moves: Vec<String>,
    moves: Vec<MoveAnswer>,
}

#[derive(serde::Serialize)]
struct MoveAnswer {
    r#move: String,
    state_after: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance_after: Option<Option<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gain: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    points_after: Option<f64>,
    regret: Option<serde_json::Number>,
    quality: &'static str,
    is_optimal: bool,
}

impl Hint {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let (level, evaluation) = match &self.tablebase {
            Some(file) => self.looked_up(file)?,
            None => {
                let level = self.position.value(bars)?;
                let state = position(&level, self.state.as_deref())?;
                let evaluation = level.evaluated(state).map_err(Failure::message)?;
                (level, evaluation)
            }
        };
        match self.format {
            Format::Json => {
                let mut answer = answer(&level, &evaluation);
                if self.tablebase.is_some() {
                    answer.head.method = "tablebase";
                }
                print_json(&answer)?;
            }
            Format::Table => {
                print(&headline(&level, &evaluation))?;
                print_table(&moves_table(&level, &evaluation), Format::Table)?;
            }
            format => print_table(&moves_table(&level, &evaluation), format)?,
        }
        no_script_error(&level)?;
        Ok(ExitCode::SUCCESS)
    }

    /// The level, and what a table says of the position.
    fn looked_up(&self, file: &Path) -> Result<(ValuedLevel, Evaluation), Failure> {
        let (level, game) = self.position.read()?;
        let rules = level.rules.clone();
        let table = Tablebase::open(file, &*rules).map_err(Failure::message)?;
        let start_value = table.distance(rules.start()).map_err(Failure::message)?.map(Value::Distance);
        let level = ValuedLevel::unmapped(level, game.name, start_value);
        let state = position(&level, self.state.as_deref())?;
        let evaluation = table.evaluate(state).map_err(Failure::message)?;
        Ok((level, evaluation))
    }
}

/// Returns the answer on a position of a level.
pub fn answer(level: &ValuedLevel, evaluation: &Evaluation) -> Answer {
    let is_distance = level.rules.unit().is_distance();
    let optimal = evaluation.moves.iter().filter(|valued| valued.is_optimal());
    let number = |value: f64| {
        if is_distance { Some((value as i64).into()) } else { serde_json::Number::from_f64(value) }
    };
    let described = |valued: &ValuedMove| MoveAnswer {
        r#move: valued.legal.notation.clone(),
        state_after: level.rules.format_state(valued.legal.after),
        distance_after: is_distance.then(|| distance(valued.after)),
        gain: (!is_distance).then_some(valued.legal.cost),
        points_after: valued.after.filter(|_| !is_distance).map(Value::number),
        regret: valued.regret.and_then(number),
        quality: quality(evaluation.value, valued),
        is_optimal: valued.is_optimal(),
    };
    Answer {
        head: Head::new(level, evaluation),
        n_legal: evaluation.moves.len(),
        n_optimal: evaluation.n_optimal(),
        optimal_moves: optimal.map(|valued| valued.legal.notation.clone()).collect(),
        moves: evaluation.moves.iter().map(described).collect(),
    }
}

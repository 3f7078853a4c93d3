//! `plymap solve`

use clap::Args;
use plymap_puzzles::distance::{Evaluation, Oracle as _};
use plymap_puzzles::valuation::ValuedLevel;
use plymap_tables::Format;

use super::levels::{PositionArguments, no_script_error, position};
use super::output::{format, print, print_json};
use super::position::Head;
use super::{Bars, ExitCode, Failure};

/// Print a shortest solution of a level.
///
/// Where several moves are optimal, the first in the order of the pieces is taken.
///
/// Example: plymap solve data/demo/levels/article-1.txt --format json
#[derive(Debug, Args)]
pub struct Solve {
    #[command(flatten)]
    position: PositionArguments,
    /// Solve from this position instead of the start.
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    state: Option<String>,
    /// How to print it: table or json.
    #[arg(long, default_value = "table", value_parser = format)]
    format: Format,
}

#[derive(serde::Serialize)]
struct Answer {
    #[serde(flatten)]
    head: Head,
    /// Number of shortest solutions; absent where the level is not mapped.
    n_shortest: Option<u64>,
    moves: Vec<String>,
    states: Vec<String>,
}

impl Solve {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let level = self.position.value(bars)?;
        let state = position(&level, self.state.as_deref())?;
        if !level.rules.unit().is_distance() {
            return Err(Failure::message(format!(
                "level {:?} has no solution to list, because chance decides what follows a move: `plymap hint` tells the best move of a position",
                level.id
            )));
        }
        let evaluation = level.oracle().evaluate(state).map_err(Failure::message)?;
        let solution = level.solution_from(state).map_err(Failure::message)?;
        let answer = Answer {
            head: Head::new(&level, &evaluation),
            n_shortest: level.n_shortest(state),
            moves: solution.iter().flat_map(|path| &path.moves).map(|played| played.notation.clone()).collect(),
            states: solution
                .iter()
                .flat_map(|path| &path.states)
                .map(|&state| level.rules.format_state(state))
                .collect(),
        };
        no_script_error(&level)?;
        match self.format {
            Format::Json => print_json(&answer)?,
            Format::Table => print(&in_words(&level, &evaluation, &answer))?,
            format => {
                return Err(Failure::message(format!(
                    "a solution is printed as table or json, not as {}",
                    format.name()
                )));
            }
        }
        Ok(if evaluation.value.is_some() { ExitCode::SUCCESS } else { ExitCode(4) })
    }
}

fn in_words(level: &ValuedLevel, evaluation: &Evaluation, answer: &Answer) -> String {
    let (id, state) = (&level.id, level.rules.format_state(evaluation.state));
    let mut text = match evaluation.value {
        None => format!("level {id}: no goal can be reached from {state}\n"),
        _ if evaluation.is_goal => format!("level {id}: solved in the position {state}\n"),
        Some(distance) => {
            let solutions = match (answer.n_shortest, &level.whole) {
                (Some(1), _) => "the only shortest solution:".to_owned(),
                (Some(n), _) => format!("one of {n} shortest solutions:"),
                (None, Some(_)) => "one of 2^64 or more shortest solutions:".to_owned(),
                (None, None) => "a shortest solution:".to_owned(),
            };
            format!("level {id}: distance to the goal {distance} ({}); {solutions}\n", level.rules.unit().name())
        }
    };
    for (number, (action, state)) in answer.moves.iter().zip(answer.states.iter().skip(1)).enumerate() {
        text.push_str(&format!("{:>4}  {action:<8} {state}\n", number + 1));
    }
    for attribute in level.rules.attributes(evaluation.state) {
        text.push_str(&format!("{}: {} ({})\n", attribute.name, attribute.value, attribute.meaning));
    }
    text
}

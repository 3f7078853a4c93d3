//! `plymap solve`

use std::process::ExitCode;

use clap::Args;
use plymap::distance::{Distance, Oracle as _};
use plymap::graph::metrics::solution_from;
use plymap::report::Format;

use super::error::Failure;
use super::levels::{PositionArguments, position};
use super::output::{format, print, print_json};
use super::progress::Bars;

/// A shortest solution of a level.
///
/// Where several moves are optimal, the first in the order of the pieces is taken.
///
/// Example: plymap solve data/demo/levels/article-1.txt --format json
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub struct Solve {
    #[command(flatten)]
    position: PositionArguments,
    /// Solve from this position instead of the start.
    #[arg(long, value_name = "STATE")]
    state: Option<String>,
    /// How to print it: table or json.
    #[arg(long, default_value = "table", value_parser = format)]
    format: Format,
}

#[derive(serde::Serialize)]
struct Answer {
    level: String,
    game: &'static str,
    state: String,
    solvable: bool,
    distance: Option<u32>,
    unit: &'static str,
    n_shortest: Option<u64>,
    moves: Vec<String>,
    states: Vec<String>,
}

impl Solve {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let level = self.position.map(bars)?;
        let state = position(&level, self.state.as_deref())?;
        let evaluation = level.oracle().evaluate(state).map_err(Failure::message)?;
        let node = level.map.node(state).unwrap_or_default();
        let way = solution_from(&level.map, &level.distances, node).unwrap_or_default();
        let played = way
            .windows(2)
            .filter_map(|pair| level.rules.move_between(level.map.code(pair[0]), level.map.code(pair[1])));
        let answer = Answer {
            level: level.id.clone(),
            game: level.game,
            state: level.rules.format_state(state),
            solvable: evaluation.value.is_some(),
            distance: evaluation.value.map(|Distance(value)| value),
            unit: level.rules.unit().name(),
            n_shortest: level.distances.n_shortest(&level.map.graph)[node as usize],
            moves: played.map(|played| played.notation).collect(),
            states: way.iter().map(|&node| level.rules.format_state(level.map.code(node))).collect(),
        };
        match self.format {
            Format::Json => print_json(&answer)?,
            Format::Table => print(&answer.in_words())?,
            format => {
                return Err(Failure::message(format!(
                    "a solution is printed as table or json, not as {}",
                    format.name()
                )));
            }
        }
        Ok(if answer.solvable { ExitCode::SUCCESS } else { ExitCode::from(4) })
    }
}

impl Answer {
    fn in_words(&self) -> String {
        let Some(distance) = self.distance else {
            return format!("level {}: no goal can be reached from {}\n", self.level, self.state);
        };
        if distance == 0 {
            return format!("level {}: solved in the position {}\n", self.level, self.state);
        }
        let solutions = match self.n_shortest {
            Some(1) => "the only shortest solution:".to_owned(),
            Some(n) => format!("one of {n} shortest solutions:"),
            None => "one of 2^64 or more shortest solutions:".to_owned(),
        };
        let mut text = format!("level {}: distance to the goal {distance} ({}); {solutions}\n", self.level, self.unit);
        for (number, (action, state)) in self.moves.iter().zip(self.states.iter().skip(1)).enumerate() {
            text.push_str(&format!("{:>4}  {action:<8} {state}\n", number + 1));
        }
        text
    }
}

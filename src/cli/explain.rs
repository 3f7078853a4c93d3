//! `plymap explain`

use std::process::ExitCode;

use clap::Args;
use plymap::report::Format;
use plymap_puzzles::distance::Oracle as _;

use super::error::Failure;
use super::levels::{PositionArguments, no_script_error, position};
use super::output::{print, print_table};
use super::position::{headline, moves_table};
use super::progress::Bars;

/// A position explained: the board, its distance to the goal, and each move with its regret.
///
/// Example: plymap explain data/demo/levels/article-1.txt BB...GE..H.GEAAH.GE..H..F...CCF.DDD.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub struct Explain {
    #[command(flatten)]
    position: PositionArguments,
    /// The position, as tables write it; the start where it is not given.
    #[arg(value_name = "STATE")]
    state: Option<String>,
}

impl Explain {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let level = self.position.value(bars)?;
        let state = position(&level, self.state.as_deref())?;
        let evaluation = level.oracle().evaluate(state).map_err(Failure::message)?;
        print(&format!("level {}, position {}\n\n", level.id, level.rules.format_state(state)))?;
        print(&level.rules.picture(state).to_text())?;
        print("\n")?;
        print(&headline(&level, &evaluation))?;
        print_table(&moves_table(&level, &evaluation), Format::Table)?;
        no_script_error(&level)?;
        Ok(ExitCode::SUCCESS)
    }
}

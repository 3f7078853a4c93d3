//! `plymap explain`

use plymap_measures::level_tables::moves_table;
use plymap_puzzles::game::StateCode;
use plymap_puzzles::thought::{NoTree, OutlineLine, Tree};
use plymap_puzzles::valuation::ValuedLevel;
use plymap_report::OutputFiles;
use plymap_report::figures::thought_tree;
use plymap_report::settings::Figures as Settings;
use plymap_run::{RunError, write_figures};
use plymap_statistics::stats::apa::counted;
use plymap_tables::{Columns, Format, number, whole};
use std::path::PathBuf;

use clap::Args;

use super::error::tell_failed;
use super::figures::Look;
use super::levels::{PositionArguments, no_script_error, position};
use super::output::{print, print_table, say};
use super::position::headline;
use super::{Bars, ExitCode, Failure};

/// Explain a position: the board, its distance to the goal, and each move with its regret.
///
/// Example: plymap explain data/demo/levels/article-1.txt BB...GE..H.GEAAH.GE..H..F...CCF.DDD.
#[derive(Debug, Args)]
pub struct Explain {
    #[command(flatten)]
    position: PositionArguments,
    /// The position, as in tables; default: the start.
    #[arg(value_name = "STATE", allow_hyphen_values = true)]
    position_text: Option<String>,
    /// The position, as for hint and solve.
    #[arg(long, value_name = "STATE", allow_hyphen_values = true, conflicts_with = "position_text")]
    state: Option<String>,
    /// Also print the AND-OR tree: the obstacles of the last move, their obstacles, and so on, as an outline; and the
    /// depth of each legal move in it
    #[arg(long)]
    thought: bool,
    /// Probability of stopping at each step and making any legal move, from 0 to 1; with --thought
    #[arg(long, value_name = "P", default_value_t = 0.0, requires = "thought", value_parser = probability)]
    stopping: f64,
    /// Folder for a figure of the AND-OR tree beside its board; with --thought
    #[arg(long, value_name = "DIR", requires = "thought")]
    out: Option<PathBuf>,
    #[command(flatten)]
    look: Look,
}

fn probability(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "a probability is a number from 0 to 1, such as 0.1".to_owned())
}

/// Maximum number of lines of an outline that a person may want to read.
const MOST_LINES: usize = 200;

impl Explain {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        if self.out.is_none() && self.look.is_given() {
            return Err(Failure::message("--format and --width are of the drawing: give its folder too, --out DIR"));
        }
        let level = self.position.value(bars)?;
        let state = position(&level, self.state.or(self.position_text).as_deref())?;
        let evaluation = level.evaluated(state).map_err(Failure::message)?;
        print(&format!("level {}, position {}\n\n", level.id, level.rules.format_state(state)))?;
        print(&level.rules.picture(state).to_text())?;
        print("\n")?;
        print(&headline(&level, &evaluation))?;
        print_table(&moves_table(&level, &evaluation), Format::Table)?;
        if self.thought {
            let (tree, probabilities) = explain_thought(&level, state, self.stopping)?;
            if let Some(folder) = &self.out {
                let settings = self.look.over(Settings::default());
                let tree = thought_tree(&level, state, &tree, &probabilities);
                let figures = tree.draw(&settings.styles()).map_err(RunError::from)?;
                let files = OutputFiles::create(folder)?;
                let failed = write_figures(&settings, &figures, files.path(), None, bars)?;
                files.commit()?;
                say!("{} in {}", tree.name(), folder.display());
                return Ok(tell_failed(&failed));
            }
        }
        no_script_error(&level)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Tells the AND-OR tree of a position, and what the model `and-or` makes of it: the probability of each legal move.
fn explain_thought(level: &ValuedLevel, state: StateCode, stopping: f64) -> Result<(Tree, Vec<f64>), Failure> {
    let rules = &*level.rules;
    let none = |why: NoTree| Failure::message(format!("{} has no tree of thoughts here: {why}", level.id));
    let tree = Tree::new(rules, state).map_err(none)?;
    let ends = tree.ends().map_err(none)?;
    let legal = rules.legal_moves(state);
    let leaves = tree.leaves();
    let mut text = format!(
        "\nbackwards from the goal: {} and {}; thoughts come to {} of {}\n\n",
        counted(tree.and_nodes().len(), "wished move"),
        counted(tree.or_nodes().len(), "obstacle"),
        leaves.len(),
        counted(legal.len(), "legal move")
    );
    let (lines, is_cut) = tree.outline(MOST_LINES);
    for (indent, line) in lines {
        let line = match line {
            OutlineLine::WishedMove { wished, legal, depth } => {
                let legal = if legal.is_some() { format!("  <- legal, step {depth}") } else { String::new() };
                format!("{}{legal}", rules.format_wished_move(state, wished))
            }
            OutlineLine::Obstacle { number, n_obstacles, is_circle: true, .. } => {
                format!("in the way, {number} of {n_obstacles}: thought of above, a circle")
            }
            OutlineLine::Obstacle { number, n_obstacles, n_alternatives: 0, .. } => {
                format!("in the way, {number} of {n_obstacles}: nothing takes it away")
            }
            OutlineLine::Obstacle { number, n_obstacles, n_alternatives: 1, .. } => {
                format!("in the way, {number} of {n_obstacles}:")
            }
            OutlineLine::Obstacle { number, n_obstacles, n_alternatives, .. } => {
                format!("in the way, {number} of {n_obstacles}, one of {n_alternatives}:")
            }
        };
        text.push_str(&format!("{}{line}\n", "  ".repeat(indent)));
    }
    if is_cut {
        text.push_str("... and more\n");
    }
    print(&text)?;
    print("\n")?;
    let probabilities = ends.probabilities(stopping, |_| false);
    let rows: Vec<usize> = (0..legal.len()).collect();
    let rows = &rows[..];
    let depth = |row: &usize| leaves.iter().find(|(place, _)| place == row).map(|(_, depth)| i64::from(*depth));
    let table = Columns::new()
        .column(rows, plymap_tables::text("move", "a legal move"), |&row| legal[row].notation.clone())
        .column(rows, whole("step", "the first step at which a thought ends in it"), depth)
        .column(rows, number("p", "its probability for somebody who stops thinking as --stopping says"), |&row| {
            Some(probabilities[row])
        })
        .into_table("thought", "Legal moves and the thoughts that end in them.");
    print_table(&table, Format::Table)?;
    Ok((tree, probabilities))
}

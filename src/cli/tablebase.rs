//! `plymap tablebase`

use std::path::PathBuf;

use clap::Args;
use plymap_figures::grouped;
use plymap_tablebase::{Bits, BuildOptions, TablebaseError, build};
use plymap_tables::{Columns, Format, Table, count};
use serde_json::json;

use super::levels::PositionArguments;
use super::output::{format, print, print_json, print_table, say};
use super::{Bars, ExitCode, Failure};

/// Find the distance of every position of a level that is too large for a map, layer by layer from the goals.
///
/// For games that number their positions and whose moves can be undone: sliding-tiles, panguru, tower-of-hanoi,
/// lights-out, rush-hour. Prints the number of positions at each distance, and some of the farthest ones. All positions
/// of the level count, also those that its start does not reach.
///
/// With --out, the distances are kept in a file, in which `plymap hint --tablebase` looks them up. Each layer that is
/// complete is on the disk; what was interrupted goes on with --resume.
///
/// Example: plymap tablebase data/sliding_tiles/levels.txt --level five --game sliding-tiles --out five.tablebase
#[derive(Debug, Args)]
pub struct MakeTablebase {
    #[command(flatten)]
    position: PositionArguments,
    /// File of the table; without it, only numbers are printed.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Go on with a file that is there; one that is finished is only read.
    #[arg(long, requires = "out")]
    resume: bool,
    /// Bits of a position: 2 (the distance modulo 3) or 8 (the distance, up to 254); default: those of a file that is gone
    /// on with, or else 2.
    #[arg(long, value_name = "BITS", value_parser = bits)]
    bits: Option<Bits>,
    /// The most memory of the table in GiB, the pages of its file included.
    #[arg(long, value_name = "GIB", default_value_t = 12.0, value_parser = gibibytes)]
    memory: f64,
    /// Number of the farthest positions to print, at most 1000.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(0..=1000))]
    farthest: u16,
    /// How to print the numbers: table, json, csv, tsv, markdown or latex.
    #[arg(long, default_value = "table", value_parser = format)]
    format: Format,
}

fn bits(text: &str) -> Result<Bits, String> {
    text.parse::<u8>().map_err(|error| error.to_string())?.try_into()
}

fn gibibytes(text: &str) -> Result<f64, String> {
    let gib: f64 = text.parse().map_err(|_| "write a number, such as 5.5".to_owned())?;
    if gib > 0.0 && gib < 1e6 { Ok(gib) } else { Err("it has to be above 0 and below 1000000".to_owned()) }
}

impl MakeTablebase {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let (level, game) = self.position.read()?;
        let options = BuildOptions {
            bits: self.bits,
            file: self.out.as_deref(),
            resumes: self.resume,
            max_memory: (self.memory * f64::from(1 << 30)) as u64,
            progress: bars,
        };
        let id = &level.origin.id;
        let table = build(&*level.rules, &options).map_err(|error| self.failure(id, error))?;
        let start = table.distance(level.rules.start()).map_err(Failure::message)?;
        bars.clear();
        let farthest = table.farthest().take(self.farthest.into()).map(|state| level.rules.format_state(state));
        let (layers, farthest) = (table.layers(), farthest.collect::<Vec<_>>());
        match self.format {
            Format::Json => print_json(&json!({
                "level": id,
                "game": game.name,
                "unit": level.rules.unit().name(),
                "start_distance": start.map(|start| start.0),
                "n_positions": layers,
                "farthest": farthest,
            }))?,
            format => print_table(&layers_table(layers), format)?,
        }
        if self.format == Format::Table && !farthest.is_empty() {
            let n_farthest = layers[layers.len() - 1];
            print(&format!("\nfarthest positions, {} of {n_farthest}:\n{}\n", farthest.len(), farthest.join("\n")))?;
        }
        let kept = self.out.as_ref().map(|out| format!(", in {}", out.display())).unwrap_or_default();
        say!(
            "level {id:?}: {} positions reach a goal, the start {}{kept}",
            grouped(layers.iter().sum()),
            start.map_or("does not".to_owned(), |start| format!("in {} {}", start.0, level.rules.unit().name()))
        );
        Ok(ExitCode::SUCCESS)
    }

    fn failure(&self, level: &str, error: TablebaseError) -> Failure {
        match (error, &self.out) {
            (TablebaseError::Interrupted, Some(out)) => {
                Failure::InterruptedWith(format!("{} can be gone on with by --resume", out.display()))
            }
            (TablebaseError::Interrupted, None) => Failure::Interrupted,
            (error, _) if error.is_of_level() => Failure::message(format!("level {level:?}: {error}")),
            (error, _) => Failure::message(error),
        }
    }
}

/// Number of positions at each distance.
fn layers_table(layers: &[u64]) -> Table {
    Columns::new()
        .values(count("distance", "fewest moves to a goal"), (0..layers.len() as u64).map(Some).collect())
        .values(
            count("n_positions", "number of positions at this distance"),
            layers.iter().copied().map(Some).collect(),
        )
        .into_table("layers", "Number of positions of the level at each distance.")
}

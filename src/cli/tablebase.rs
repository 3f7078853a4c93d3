//! `plymap tablebase`

use std::path::PathBuf;

use clap::Args;
use plymap_figures::grouped;
use plymap_tablebase::{Bits, BuildOptions, Tablebase, TablebaseError, build};
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
/// Example: plymap tablebase data/sliding_tiles/levels.txt --level eight --game sliding-tiles --out eight.tablebase
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
    /// Bits of a position: 2 (the distance modulo 3) or 8 (the distance, up to 254).
    #[arg(long, value_name = "BITS", default_value = "2", value_parser = bits)]
    bits: Bits,
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
        let (level, _) = self.position.read()?;
        let options = BuildOptions {
            bits: self.bits,
            file: self.out.as_deref(),
            resumes: self.resume,
            max_memory: (self.memory * f64::from(1 << 30)) as u64,
            progress: bars,
        };
        let begun = std::time::Instant::now();
        let table = build(&*level.rules, &options).map_err(|error| self.failure(error))?;
        let seconds = begun.elapsed().as_secs_f64();
        bars.clear();
        let farthest = table.farthest().take(self.farthest.into()).map(|state| level.rules.format_state(state));
        let farthest: Vec<String> = farthest.collect();
        match self.format {
            Format::Json => print_json(&json!({ "n_positions": table.layers(), "farthest": farthest }))?,
            format => print_table(&layers(&table), format)?,
        }
        if self.format == Format::Table && !farthest.is_empty() {
            print(&format!("\nfarthest positions:\n{}\n", farthest.join("\n")))?;
        }
        let n_positions: u64 = table.layers().iter().sum();
        let speed = grouped((n_positions as f64 / seconds.max(1e-9)) as u64);
        let kept = self.out.as_ref().map(|out| format!(", in {}", out.display())).unwrap_or_default();
        say!("positions {}, {speed} a second{kept}", grouped(n_positions));
        Ok(ExitCode::SUCCESS)
    }

    fn failure(&self, error: TablebaseError) -> Failure {
        if let (TablebaseError::Interrupted, Some(out)) = (&error, &self.out) {
            say!("{} has what was found: go on with it by --resume", out.display());
        }
        match error {
            TablebaseError::Interrupted => Failure::Interrupted,
            error => Failure::message(error),
        }
    }
}

/// Number of positions at each distance.
fn layers(table: &Tablebase) -> Table {
    let layers = table.layers();
    Columns::new()
        .values(count("distance", "fewest moves to a goal"), (0..layers.len() as u64).map(Some).collect())
        .values(
            count("n_positions", "number of positions at this distance"),
            layers.iter().copied().map(Some).collect(),
        )
        .into_table("layers", "Number of positions of the level at each distance.")
}

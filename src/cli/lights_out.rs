//! `plymap lights-out`

use std::path::PathBuf;

use clap::{Args, Subcommand};
use plymap_figures::{Styles, Width};
use plymap_puzzles::game::LevelText;
use plymap_puzzles::game::lights_out::column_search::{LastCell, SearchError, column_search};
use plymap_puzzles::game::lights_out::neighbourhood::Neighbourhood;
use plymap_puzzles::game::lights_out::survey::{SurveyError, survey};
use plymap_puzzles::game::lights_out::{Board, notation};
use plymap_puzzles::level::{LevelColumns, read_levels};
use plymap_puzzles::registry::{Game, RuleOptions};
use plymap_puzzles::valuation::read_with_settings;
use plymap_report::survey::{distances_table, figures, patterns_table, sizes_table};
use plymap_report::{Manifest, OutputFolder, write_codebook};
use plymap_run::RunError;
use plymap_run::files::{make_folder, write as write_file};
use plymap_tables::{Format, TableFormat, write_table};

use super::output::{format, print, print_table, say};
use super::{Bars, ExitCode, Failure};

/// Analyse boards of Lights Out: a survey of all sizes, and the search of the first solver of Enlight.
#[derive(Debug, Args)]
pub struct LightsOut {
    #[command(subcommand)]
    question: Question,
}

#[derive(Debug, Subcommand)]
enum Question {
    Survey(Survey),
    ColumnSearch(ColumnSearch),
}

/// Survey square boards of all sizes: solvable boards, largest distances, and solutions of single lamps.
///
/// Prints the table `sizes`, `patterns` or `distances`; with --out it writes all three, and the figures of two.
///
/// Example: plymap lights-out survey --max 12 --format csv
#[derive(Debug, Args)]
struct Survey {
    /// The largest side.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=32))]
    max: u16,
    /// Which lamps a press inverts: plus, torus, diagonal, moore, or offsets such as "0,0 0,1 1,0".
    #[arg(long, default_value = "plus", allow_hyphen_values = true, value_parser = neighbourhood)]
    neighbourhood: Neighbourhood,
    /// Which table to print: sizes, patterns or distances.
    #[arg(long, default_value = "sizes", value_parser = ["sizes", "patterns", "distances"])]
    table: String,
    /// How to print it: table, json, csv, tsv, markdown or latex.
    #[arg(long, default_value = "table", value_parser = format)]
    format: Format,
    /// Folder for the tables and figures, instead of printing.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

fn neighbourhood(text: &str) -> Result<Neighbourhood, String> {
    text.parse()
}

impl LightsOut {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        match self.question {
            Question::Survey(survey) => survey.run(bars),
            Question::ColumnSearch(search) => search.run(bars),
        }
    }
}

impl Survey {
    fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let folder = self.out.as_deref().map(OutputFolder::create).transpose()?;
        let sizes = survey(self.max.into(), &self.neighbourhood, bars).map_err(|error| match error {
            SurveyError::Interrupted => Failure::Interrupted,
            error => Failure::message(error),
        })?;
        let of_sizes = sizes_table(&sizes, self.neighbourhood == Neighbourhood::Plus);
        let (of_patterns, of_distances) = (patterns_table(&sizes), distances_table(&sizes));
        let Some(folder) = folder else {
            let tables = [of_sizes, of_patterns, of_distances];
            let table = tables.into_iter().find(|table| table.name == self.table).expect("clap knows the tables");
            print_table(&table, self.format)?;
            return Ok(ExitCode::SUCCESS);
        };
        let (tables, drawings) = (folder.path().join("tables"), folder.path().join("figures"));
        make_folder(&tables)?;
        make_folder(&drawings)?;
        for table in [&of_sizes, &of_patterns, &of_distances] {
            write_table(table, &tables, &[TableFormat::Csv])?;
        }
        for figure in figures(&sizes, &Styles::new(Width::Double)).map_err(RunError::from)? {
            let file = |extension: &str| drawings.join(format!("{}.{extension}", figure.name));
            write_file(&file("svg"), figure.svg.as_bytes())?;
            write_file(&file("png"), &figure.to_png(300.0).map_err(RunError::from)?)?;
            write_file(&file("pdf"), &figure.to_pdf().map_err(RunError::from)?)?;
            write_file(&file("csv"), figure.to_csv().map_err(RunError::from)?.as_bytes())?;
        }
        let settings = serde_json::json!({ "max": self.max, "neighbourhood": self.neighbourhood.to_string() });
        write_codebook(folder.path(), "Lights Out")?;
        Manifest::new(settings).write(folder.path())?;
        let written = folder.commit()?;
        say!("sizes 1 to {}, written into {}", self.max, written.display());
        Ok(ExitCode::SUCCESS)
    }
}

/// Run the column-by-column search of the first published solver of Enlight, and count its steps.
///
/// As published it never presses the last lamp, and so solves half of the 10x10 boards; --last-lamp tries both values.
///
/// Example: plymap lights-out column-search data/lights_out/levels.txt --level enlight
#[derive(Debug, Args)]
struct ColumnSearch {
    /// File with the level.
    #[arg(value_name = "LEVEL")]
    file: PathBuf,
    /// Name of the level, if the file has several.
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    level: Option<String>,
    /// Try both values of the last lamp, like those of all others.
    #[arg(long)]
    last_lamp: bool,
}

impl ColumnSearch {
    fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let board = self.board()?;
        let last = if self.last_lamp { LastCell::BothWays } else { LastCell::AsPublished };
        let search = column_search(&board, last, bars).map_err(|error| match error {
            SearchError::Interrupted => Failure::Interrupted,
            error => Failure::message(error),
        })?;
        bars.clear();
        print(&format!("steps: {}\nsolutions met: {}\n", search.steps, search.n_solutions))?;
        let Some(presses) = search.solution else {
            print("the search found no solution\n")?;
            return Ok(ExitCode(4));
        };
        let names = presses.iter().map(|cell| format!("r{}c{}", cell / board.width + 1, cell % board.width + 1));
        print(&format!("{} presses: {}\n", presses.len(), names.collect::<Vec<_>>().join(" ")))?;
        Ok(ExitCode::SUCCESS)
    }

    fn board(&self) -> Result<Board, Failure> {
        let levels = read_levels(&self.file, &LevelColumns::default()).map_err(Failure::message)?;
        let known: Vec<&str> = levels.iter().map(|level| level.id.as_str()).collect();
        let chosen = match &self.level {
            Some(id) => levels.iter().find(|level| level.id == *id),
            None => levels.first().filter(|_| levels.len() == 1),
        };
        let level = chosen.ok_or_else(|| {
            let file = self.file.display();
            Failure::message(format!("choose a level of {file} with --level; it has {}", known.join(", ")))
        })?;
        let (game, options) = (Game::find("lights-out").map_err(Failure::message)?, RuleOptions::default());
        let parse = |text: &LevelText| notation::parse(text.text, text.source, text.span.start, &Neighbourhood::Plus);
        read_with_settings(level, game, &options, parse).map_err(Failure::Diagnostics)
    }
}

//! `plymap stats`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use plymap::measure::{attempts_table, conditions_table, level_play_table, participants_table, trials_table};
use plymap::report::{Format, render};
use plymap::run::{RunError, play, statistics, study_levels};
use plymap::study::Study;
use plymap::table::Table;

use super::error::Failure;
use super::output::{format, print, print_json, print_table};
use super::progress::Bars;

/// Print the statistics of a study.
///
/// Tables: correlations, time_by_quality, quality_by_level and those of every analysis, such as time_model, phases,
/// transitions, survival, traps and choice_models; trials, attempts, participants, conditions, level_play.
///
/// Example: plymap stats data/demo/study.toml --table correlations --format csv
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub struct Stats {
    /// The study.
    #[arg(value_name = "STUDY")]
    study: PathBuf,
    /// Table to print; all statistics where it is not given.
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
    /// How to print it: table, json, csv, tsv, markdown or latex.
    #[arg(long, default_value = "table", value_parser = format)]
    format: Format,
}

impl Stats {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let study = Study::read(&self.study)?;
        let (levels, _) = study_levels(&study, bars)?;
        let play = play(&study, &levels, bars)?;
        let play = play.ok_or_else(|| {
            Failure::message(format!("{}: the study has no log; name one in files of [log]", self.study.display()))
        })?;
        let statistics = statistics(&study, &play, &levels, bars)?;
        match self.table {
            None => print_all(&statistics.all_tables().cloned().collect::<Vec<_>>(), self.format)?,
            Some(name) => {
                let measured = [trials_table, attempts_table, participants_table, conditions_table, level_play_table]
                    .map(|table| table(&play.measures));
                let measured: Vec<Table> = measured.into_iter().collect::<Result<_, _>>().map_err(RunError::from)?;
                let tables: Vec<&Table> = statistics.all_tables().chain(&measured).collect();
                let table = tables.iter().find(|table| table.name == name).ok_or_else(|| {
                    let known: Vec<_> = tables.iter().map(|table| table.name.as_str()).collect();
                    Failure::message(format!("there is no table {name:?}; the tables are {}", known.join(", ")))
                })?;
                print_table(table, self.format)?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Prints all tables: one after the other for people, as one object for JSON.
fn print_all(tables: &[Table], format: Format) -> Result<(), Failure> {
    match format {
        Format::Csv | Format::Tsv => {
            let known: Vec<_> = tables.iter().map(|table| table.name.as_str()).collect();
            let message = "tables with different columns cannot share one file: choose one with --table; they are";
            Err(Failure::message(format!("{message} {}", known.join(", "))))
        }
        Format::Json => {
            let mut all = serde_json::Map::new();
            for table in tables {
                let rows = serde_json::from_str(&render(table, Format::Json)?).map_err(Failure::message)?;
                all.insert(table.name.clone(), rows);
            }
            print_json(&all)
        }
        _ => {
            for table in tables {
                print(&format!("{}\n\n{}\n", table.caption, render(table, format)?))?;
            }
            Ok(())
        }
    }
}

//! `plymap diff`

use std::path::PathBuf;

use clap::Args;
use plymap_report::diff::{DiffError, Tolerance, diff};
use plymap_tables::Format;

use super::output::{format, print_table, say};
use super::{Bars, ExitCode, Failure};

/// Compare two runs table by table, with tolerances for numbers.
///
/// Prints one row for each difference: options, versions and inputs that can explain the others, then tables, columns
/// and rows that one run alone has, and columns whose cells differ. Two numbers a and b are equal if |a - b| is at most
/// absolute + relative * max(|a|, |b|); a missing value equals a missing one alone.
///
/// The exit code is 0 if all tables are equal, and 3 if they differ.
///
/// Example: plymap diff reports/demo reports/demo-again --relative 1e-6
#[derive(Debug, Args)]
pub struct Diff {
    /// Folder of a run.
    #[arg(value_name = "RUN")]
    one: PathBuf,
    /// Folder of the run that it is compared with.
    #[arg(value_name = "RUN")]
    other: PathBuf,
    /// Relative tolerance.
    #[arg(long, value_name = "X", default_value_t = Tolerance::default().relative, value_parser = tolerance)]
    relative: f64,
    /// Absolute tolerance.
    #[arg(long, value_name = "X", default_value_t = Tolerance::default().absolute, value_parser = tolerance)]
    absolute: f64,
    /// Only this table, such as moves or distances/level-1.
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
    /// How to print it: table, json, csv, tsv, markdown or latex.
    #[arg(long, default_value = "table", value_parser = format)]
    format: Format,
}

fn tolerance(word: &str) -> Result<f64, String> {
    let value = word.parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0);
    value.ok_or_else(|| "a tolerance is a number from 0 on, such as 1e-9".to_owned())
}

impl Diff {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let tolerance = Tolerance { relative: self.relative, absolute: self.absolute };
        let comparison = diff(&self.one, &self.other, tolerance, self.table.as_deref(), bars)?;
        if !(comparison.differences.is_empty() && matches!(self.format, Format::Table)) {
            print_table(&comparison.table(), self.format)?;
        }
        say!("{}", comparison.summary());
        Ok(if comparison.is_equal() { ExitCode::SUCCESS } else { ExitCode(3) })
    }
}

impl From<DiffError> for Failure {
    fn from(error: DiffError) -> Self {
        match error {
            DiffError::Interrupted => Self::Interrupted,
            error => Self::message(error),
        }
    }
}

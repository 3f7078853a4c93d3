//! `plymap export`

use std::path::PathBuf;

use crate::export::{ExportFormat, ExportSummary, export};
use clap::Args;
use plymap_run::study::Study;

use super::output::print_account;
use super::{Bars, ExitCode, Failure};

/// Export the log or the state graphs of a study in a format of other programs.
///
/// Of the log, with the label of every move: psych-ds and bids, datasets of psychology, each a folder; xes, a file for
/// process mining. Of the levels: graphml and gexf, a folder with the state graph of each. docs/export.md says what is
/// in them.
///
/// Example: plymap export bids data/demo/study.toml --out demo-bids
///
/// Example: plymap export graphml data/tower_of_hanoi --level three-disks --out graphs
#[derive(Debug, Args)]
pub struct Export {
    /// Format: psych-ds, bids, xes, graphml or gexf.
    #[arg(value_name = "FORMAT", value_parser = export_format)]
    format: ExportFormat,
    /// The study.
    #[arg(value_name = "STUDY")]
    study: PathBuf,
    /// Folder to write to; for xes the file. It appears when everything is done.
    #[arg(long, value_name = "PATH")]
    out: PathBuf,
    /// Only this level; may be given several times.
    #[arg(long, value_name = "LEVEL", allow_hyphen_values = true)]
    level: Vec<String>,
}

/// Reads the name of a format of exports.
fn export_format(word: &str) -> Result<ExportFormat, String> {
    word.parse().map_err(|error: plymap_tables::TableError| error.to_string())
}

impl Export {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let file = Study::file(&self.study);
        let study = Study::read(&file)?;
        let ExportSummary { n_files, n_rows, n_levels } =
            export(&study, &file, self.format, &self.level, &self.out, bars)?;
        let rows = if n_rows > 0 { format!("rows          {n_rows:>9}\n") } else { String::new() };
        let out = self.out.display();
        print_account(&format!("levels        {n_levels:>9}\n{rows}files written {n_files:>9}, in {out}\n"))?;
        Ok(ExitCode::SUCCESS)
    }
}

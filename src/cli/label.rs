//! `plymap label`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use plymap::report::{Format, OutputFiles, TableFormat, write_table_as};
use plymap::run::{play, study_levels};
use plymap::study::Study;

use super::error::Failure;
use super::output::{format, print_table, say};
use super::progress::Bars;
use super::run::say_new_key;

/// Label every logged move of a study: its distance before and after, its regret, its quality.
///
/// Example: plymap label data/demo/study.toml --out moves.parquet
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub struct Label {
    /// The study.
    #[arg(value_name = "STUDY")]
    study: PathBuf,
    /// File to write to, .csv or .parquet, with a .json beside it that explains its columns; standard
    /// output where it is not given.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How to print it on standard output: csv, tsv, json, table, markdown or latex.
    #[arg(long, default_value = "csv", value_parser = format, conflicts_with = "out")]
    format: Format,
}

impl Label {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let study = Study::read(&self.study)?;
        let out = self.out.map(Target::new).transpose()?;
        let (levels, _) = study_levels(&study, bars)?;
        let play = play(&study, &levels, bars)?;
        let play = play.ok_or_else(|| {
            Failure::message(format!("{}: the study has no log; name one in files of [log]", self.study.display()))
        })?;
        say_new_key(&play);
        for issue in play.account.issue_summaries() {
            say!("{issue}");
        }
        match out {
            None => print_table(&play.labelled.moves, self.format)?,
            Some(target) => {
                let files = OutputFiles::create(&target.folder)?;
                write_table_as(&play.labelled.moves, files.path(), &target.stem, &[target.format])?;
                files.commit()?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

struct Target {
    folder: PathBuf,
    stem: String,
    format: TableFormat,
}

impl Target {
    fn new(path: PathBuf) -> Result<Self, Failure> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let format = extension
            .parse()
            .map_err(|_| Failure::message(format!("{}: the name must end in .csv or .parquet", path.display())))?;
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .map_or_else(|| PathBuf::from("."), PathBuf::from);
        Ok(Self { folder, stem, format })
    }
}

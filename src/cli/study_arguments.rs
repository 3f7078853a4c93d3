//! A study on the command line, and where its results go.

use std::path::PathBuf;

use clap::Args;
use plymap_run::study::Study;

use super::Failure;

/// A study, and the folder that its results go to.
#[derive(Debug, Args)]
pub struct StudyArguments {
    /// The study.
    #[arg(value_name = "STUDY")]
    study: PathBuf,
    /// Folder to write to.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl StudyArguments {
    /// The study, its file, and the folder: reports/NAME with this end where none is given.
    pub fn read(self, end: &str) -> Result<(Study, PathBuf, PathBuf), Failure> {
        let file = Study::file(&self.study);
        let study = Study::read(&file)?;
        let target = self.out.unwrap_or_else(|| study.target(end));
        Ok((study, file, target))
    }
}

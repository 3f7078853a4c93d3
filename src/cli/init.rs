//! `plymap init`

use std::path::{Path, PathBuf};

use clap::Args;
use plymap_report::OutputFiles;
use plymap_run::study::About;

use super::output::say;
use super::{ExitCode, Failure};

/// The files of a first study.
const FILES: [(&str, &str); 3] = [
    ("study.toml", include_str!("init/study.toml")),
    ("levels/level-1.txt", include_str!("init/level-1.txt")),
    ("logs/moves.csv", include_str!("init/moves.csv")),
];

/// Write a first study into a folder: a commented study.toml, one level and a small log, ready to run.
///
/// Example: plymap init my-study && plymap run my-study
#[derive(Debug, Args)]
pub struct Init {
    /// Folder to write to; created if it does not exist.
    folder: PathBuf,
}

impl Init {
    pub fn run(self) -> Result<ExitCode, Failure> {
        let path = |file: &str| self.folder.join(file);
        if let Some((file, _)) = FILES.iter().find(|(file, _)| path(file).exists()) {
            return Err(Failure::message(format!("{} exists already; nothing was written", path(file).display())));
        }
        let files = OutputFiles::create(&self.folder)?;
        for (file, text) in FILES {
            write(&files.path().join(file), &text.replace("my-study", &About::name_in(&self.folder)))?;
        }
        files.commit()?;
        say!("a study is in {0}; run it with: plymap run {0}", self.folder.display());
        Ok(ExitCode::SUCCESS)
    }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let result = path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(path, text));
    result.map_err(|error| Failure::message(format!("cannot write {}: {error}", path.display())))
}

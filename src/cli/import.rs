//! `plymap import`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use plymap::log::jspsych::{Fate, ImportError, ImportIssue, Imported, import_tower};
use plymap::report::{Manifest, OutputFolder, input_name};
use plymap_puzzles::progress::Progress as _;

use super::error::Failure;
use super::progress::Bars;

/// Turn raw files of an experiment into a study: log, levels and study.toml, and an account of every raw row.
#[derive(Debug, Args)]
pub struct Import {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Tower of London as the task in jsPsych records it: one CSV file for each participant.
    ///
    /// Example: plymap import tower-of-london-jspsych raw/*.csv.gz --out tower
    #[command(verbatim_doc_comment)]
    TowerOfLondonJspsych(RawFiles),
}

#[derive(Debug, Args)]
struct RawFiles {
    /// The raw files, CSV, also compressed with gzip.
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,
    /// Folder to write to; it must not exist yet, or be empty.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// The most issues that are printed; `import.json` has all.
const ISSUES_SHOWN: usize = 10;

impl Import {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let Task::TowerOfLondonJspsych(RawFiles { files, out }) = self.task;
        refuse_taken(&out)?;
        let folder = OutputFolder::create(&out)?;
        let imported = import_tower(&files, bars).map_err(|error| match error {
            ImportError::Cancelled => Failure::Interrupted,
            error => Failure::message(error),
        })?;
        let name = out.file_name().and_then(|name| name.to_str()).unwrap_or("tower-of-london").to_owned();
        imported.write(folder.path(), &name).map_err(Failure::message)?;
        let mut manifest = Manifest::new(serde_json::json!({ "import": "tower-of-london-jspsych" }));
        for file in &files {
            manifest.add_input(&input_name(file, Path::new("")), file)?;
        }
        manifest.counts = Fate::ALL.map(|fate| (fate.name().to_owned(), imported.n_of(fate) as u64)).into();
        manifest.write(folder.path())?;
        if bars.is_cancelled() {
            return Err(Failure::Interrupted);
        }
        folder.commit()?;
        bars.clear();
        print_account(&imported);
        eprintln!("a study is in {0}; run it with: plymap run {0}", out.display());
        Ok(ExitCode::SUCCESS)
    }
}

fn print_account(imported: &Imported) {
    eprintln!("{} rows of {} files:", imported.n_rows(), imported.files.len());
    for fate in Fate::ALL {
        let n = imported.n_of(fate);
        if n > 0 {
            eprintln!("  {n:>8} × {}: {}", fate.name(), fate.meaning());
        }
    }
    eprintln!("{} moves at {} levels", imported.moves().count(), imported.levels.len());
    for issue in imported.issues.iter().take(ISSUES_SHOWN) {
        let place = if issue.line > 0 { format!("{}:{}", issue.file, issue.line) } else { issue.file.clone() };
        let ImportIssue { code, column, value, rule, fix, .. } = issue;
        eprintln!("  {code}, {place}, column {column}, {value:?}: {rule}; {fix}");
    }
    if imported.issues.len() > ISSUES_SHOWN {
        eprintln!("  … {} issues in all; import.json lists them", imported.issues.len());
    }
}

/// A folder with anything in it is left alone: what was imported may have been edited since.
fn refuse_taken(target: &Path) -> Result<(), Failure> {
    let is_taken = std::fs::read_dir(target).map_or_else(|_| target.exists(), |mut files| files.next().is_some());
    let message = || format!("{} exists already; name a new folder with --out", target.display());
    if is_taken { Err(Failure::message(message())) } else { Ok(()) }
}

//! `plymap verify`

use std::path::PathBuf;

use clap::Args;
use plymap_report::verify;
use plymap_tables::Format;

use super::output::{format, print, print_table, say};
use super::{Bars, ExitCode, Failure};

mod distances;
mod recorded;

use distances::Verdict;

/// Check that the files of a run are as the run left them, or prove its distances.
///
/// With --distances, the table of distances of each level is proved from the rules of the level alone, by a check that
/// shares no code with maps and searches: goals have 0, no move lowers the distance by more than 1, every other state
/// with a distance has a move that lowers it by 1, and every move leads to a state of the table. FOLDER may be one of
/// plymap map too.
///
/// The exit code is 3 if a file differs or a distance is wrong.
///
/// Example: plymap verify reports/demo --distances
#[derive(Debug, Args)]
pub struct Verify {
    /// Folder of the run.
    folder: PathBuf,
    /// Prove the distances of all levels, instead of comparing files with what the run left.
    #[arg(long)]
    distances: bool,
    /// Folder of the study, or for plymap map the one in which it was called; default: looked for in the current folder
    /// and below, by the hashes of the manifest.
    #[arg(long, value_name = "DIR", requires = "distances")]
    inputs: Option<PathBuf>,
    /// How to print the proofs: table, json, csv, tsv, markdown or latex.
    #[arg(long, default_value = "table", value_parser = format, requires = "distances")]
    format: Format,
}

impl Verify {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        if self.distances { self.certify(bars) } else { self.compare() }
    }

    /// Compares the files with the manifest.
    fn compare(&self) -> Result<ExitCode, Failure> {
        let differences = verify(&self.folder)?;
        for difference in &differences {
            print(&format!("{difference}\n"))?;
        }
        if differences.is_empty() {
            say!("every file of {} is as the run left it", self.folder.display());
            Ok(ExitCode::SUCCESS)
        } else {
            Ok(ExitCode(3))
        }
    }

    /// Proves the distances.
    fn certify(&self, bars: &Bars) -> Result<ExitCode, Failure> {
        let proofs = distances::proofs(&self.folder, self.inputs.as_deref(), bars)?;
        bars.clear();
        print_table(&distances::table(&proofs), self.format)?;
        let of = |is_meant: fn(&Verdict) -> bool| proofs.iter().filter(|proof| is_meant(&proof.verdict)).count();
        let n_states: u64 =
            proofs.iter().filter_map(|proof| proof.verdict.certificate()).map(|proof| proof.n_states).sum();
        let certified = of(|verdict| matches!(verdict, Verdict::Certified(_)));
        let wrong = of(|verdict| matches!(verdict, Verdict::Wrong(_)));
        say!(
            "tables certified {certified} ({n_states} states), wrong {wrong}, not certified {}",
            proofs.len() - certified - wrong
        );
        Ok(if wrong > 0 { ExitCode(3) } else { ExitCode::SUCCESS })
    }
}

//! `plymap simulate`

use std::path::PathBuf;

use crate::simulation;
use crate::study::Study;
use clap::Args;

use super::output::print_account;
use super::{Bars, ExitCode, Failure};

/// Simulate participants at the levels of a study.
///
/// Every [[cohort]] of the study plays all of its levels. Writes their log in the canonical format, the true
/// parameters of every player, and a study of this log to reports/NAME-simulated, unless --out says otherwise. The
/// same study and seed give the same log, with any number of threads.
///
/// Example: plymap simulate data/simulation/study.toml
#[derive(Debug, Args)]
pub struct Simulate {
    /// The study.
    #[arg(value_name = "STUDY")]
    study: PathBuf,
    /// Folder to write to.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Seed, instead of that of the study.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl Simulate {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let file = Study::file(&self.study);
        let mut study = Study::read(&file)?;
        if study.cohort.is_empty() {
            let file = file.display();
            return Err(Failure::message(format!(
                "{file} has no [[cohort]]: nobody would play; docs/simulation.md shows how to describe one"
            )));
        }
        study.simulation.seed = self.seed.unwrap_or(study.simulation.seed);
        let target = self.out.unwrap_or_else(|| study.target("-simulated"));
        let summary = simulation::simulate(&study, &file, &target, bars)?;
        print_account(&format!(
            "participants  {:>9}\ntrials        {:>9}\nsolved        {:>9}\nrows          {:>9}, in {}\nanalyse it with: plymap run {}\n",
            summary.n_participants,
            summary.n_trials,
            summary.n_solved,
            summary.n_rows,
            target.join("log.csv").display(),
            target.display()
        ))?;
        Ok(ExitCode::SUCCESS)
    }
}

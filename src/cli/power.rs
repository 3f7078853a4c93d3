//! `plymap power`

use plymap_statistics::stats::apa::counted;
use std::path::PathBuf;

use crate::power;
use crate::study::Study;
use clap::Args;

use super::error::tell_failed;
use super::output::print_account;
use super::{Bars, ExitCode, Failure};

/// Power analysis by simulation: how many participants an experiment needs.
///
/// Simulates the cohorts of [power] of the study repeatedly on all levels, and counts how often the test is
/// significant. Writes a table, a curve and a report to reports/NAME-power, unless --out says otherwise.
///
/// Example: plymap power data/simulation/study.toml
#[derive(Debug, Args)]
pub struct Power {
    /// The study.
    #[arg(value_name = "STUDY")]
    study: PathBuf,
    /// Folder to write to.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of simulated experiments of each size, instead of that of the study.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(10..))]
    repeats: Option<u32>,
}

impl Power {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let file = Study::file(&self.study);
        let study = Study::read(&file)?;
        let Some(mut question) = study.power.clone() else {
            let file = file.display();
            return Err(Failure::message(format!(
                "{file} has no [power]: nothing is asked; docs/simulation.md shows how to ask"
            )));
        };
        question.repeats = self.repeats.unwrap_or(question.repeats);
        let target = self.out.unwrap_or_else(|| study.target("-power"));
        let (curve, failed) = power::run(&study, &question, &file, &target, bars)?;
        let mut lines =
            format!("{:>6} {:>8} {:>18}\n", "n", "power", format!("{} interval", study.statistics.confidence));
        for point in &curve.points {
            let number = |value: Option<f64>| value.unwrap_or_default();
            let interval = format!("[{:.2}, {:.2}]", number(point.power.lower), number(point.power.upper));
            lines += &format!("{:>6} {:>8.2} {interval:>18}\n", point.n, number(point.power.estimate));
        }
        let needed = match curve.needed {
            Some(n) => format!("a power of {} needs about {}", question.target, counted(n, "participant")),
            None => format!("a power of {} is not reached", question.target),
        };
        print_account(&format!(
            "{lines}\n{needed}{}; report in {}\n",
            if curve.test.compares() { " in each cohort" } else { "" },
            target.display()
        ))?;
        Ok(tell_failed(&failed))
    }
}

//! `plymap calibrate`

use std::path::PathBuf;

use crate::calibration::{Design, calibrate, coverage};
use clap::Args;
use plymap_run::study::Study;
use plymap_run::{play, study_levels};
use plymap_tables::Format;

use super::output::{format, print_table, say};
use super::run::say_new_key;
use super::{Bars, ExitCode, Failure};

/// Measure the type I error rates of the tests of a report, and the coverage of its intervals.
///
/// Simulates studies with the people, levels and moves of a study in which nothing is true: times do not depend on what
/// is done, conditions are alike, an error makes neither another nor a restart more likely. Prints for each test that the
/// report makes much of how often its p is below .05, which should be in one of twenty studies. With --effects, effects
/// are put into the studies, and it prints how often the interval of each effect holds it, which should be in 19 of 20.
/// Takes about as long for each simulated study as the analyses of the study itself.
///
/// Example: plymap calibrate data/demo/study.toml --studies 100 --participants 12 --levels 6
#[derive(Debug, Args)]
pub struct Calibrate {
    /// The study.
    #[arg(value_name = "STUDY")]
    study: PathBuf,
    /// Number of simulated studies.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    studies: u32,
    /// Number of participants of each, instead of that of the study.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    participants: Option<usize>,
    /// Number of levels, the first of the study, instead of all.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    levels: Option<usize>,
    /// Probability of a restart after a move, instead of that of each participant.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    restart: Option<f64>,
    /// Probability of a give-up after a move, instead of that of each participant.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    give_up: Option<f64>,
    /// Autocorrelation of the logarithms of times, instead of runs of thinking and acting.
    #[arg(long, value_name = "R", value_parser = share)]
    autocorrelation: Option<f64>,
    /// Simulate effects (docs/statistics/error-rates.md), and print the coverage of their intervals.
    #[arg(long)]
    effects: bool,
    /// How to print it: table, json, csv, tsv, markdown or latex.
    #[arg(long, default_value = "table", value_parser = format)]
    format: Format,
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&n| n > 0).ok_or_else(|| "it must be a whole number, 1 or more".to_owned())
}

fn share(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "it must be a number from 0 to 1".to_owned())
}

impl Calibrate {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let file = Study::file(&self.study);
        let study = Study::read(&file)?;
        let (levels, _) = study_levels(&study, bars)?;
        let play = play(&study, &levels, bars)?;
        let play = play.ok_or_else(|| {
            Failure::message(format!("{}: the study has no log, so that nobody's skill is known", file.display()))
        })?;
        say_new_key(play.account.key.as_ref());
        let design = Design {
            n_studies: self.studies,
            n_participants: self.participants,
            n_levels: self.levels,
            restart: self.restart,
            give_up: self.give_up,
            autocorrelation: self.autocorrelation,
        };
        let tabulate = if self.effects { coverage } else { calibrate };
        let table = tabulate(&study, &play, &levels, design, bars)?;
        print_table(&table, self.format)?;
        if matches!(self.format, Format::Table) {
            say!("{}", table.caption);
        }
        Ok(ExitCode::SUCCESS)
    }
}

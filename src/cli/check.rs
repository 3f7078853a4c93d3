//! `plymap check`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use plymap::log::{Consequence, read_log};
use plymap::run::{drawn_levels, play, study_levels};
use plymap::study::Study;

use super::error::Failure;
use super::output::print;
use super::progress::Bars;
use super::run::study_file;

/// Find everything that is wrong with a study, its levels and its logs; write nothing.
///
/// Example: plymap check data/demo/study.toml
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub struct Check {
    /// The study.
    #[arg(value_name = "STUDY")]
    study: PathBuf,
}

impl Check {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let mut found = false;
        let study = match Study::read(&study_file(&self.study)).map_err(Failure::from) {
            Ok(study) => study,
            Err(failure @ Failure::Faults(_)) => {
                failure.print();
                return Ok(ExitCode::from(3));
            }
            Err(failure) => return Err(failure),
        };
        let levels = match study_levels(&study, bars).map_err(Failure::from) {
            Ok((levels, _)) => {
                if let Err(error) = drawn_levels(&study, &levels) {
                    Failure::from(error).print();
                    found = true;
                }
                Some(levels)
            }
            Err(Failure::Interrupted) => return Err(Failure::Interrupted),
            Err(failure) => {
                bars.clear();
                failure.print();
                found = true;
                None
            }
        };
        let issues = match (&levels, study.log_spec()) {
            (_, None) => Vec::new(),
            (Some(levels), Some(_)) => match play(&study, levels, bars).map_err(Failure::from) {
                Ok(play) => play.map(|play| play.issue_summaries()).unwrap_or_default(),
                Err(Failure::Interrupted) => return Err(Failure::Interrupted),
                Err(failure) => {
                    failure.print();
                    found = true;
                    Vec::new()
                }
            },
            // Without levels nothing can be replayed; the log is read for its own faults.
            (None, Some(spec)) => match read_log(&spec, bars) {
                Ok(log) => plymap::log::summarise(&log.issues),
                Err(plymap::log::LogError::Cancelled) => return Err(Failure::Interrupted),
                Err(error) => {
                    Failure::message(error).print();
                    Vec::new()
                }
            },
        };
        bars.clear();
        for issue in &issues {
            found |= matches!(issue.consequence, Consequence::Rejected | Consequence::Excluded);
            print(&format!("{issue}\n"))?;
        }
        if found {
            return Ok(ExitCode::from(3));
        }
        eprintln!("nothing is wrong with study {:?}", study.study.name);
        Ok(ExitCode::SUCCESS)
    }
}

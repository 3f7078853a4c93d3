//! `plymap search-study`

use crate::search_study;
use clap::Args;

use super::error::tell_failed;
use super::output::print_account;
use super::study_arguments::StudyArguments;
use super::{Bars, ExitCode, Failure};

/// Compare search algorithms and heuristics on the levels of a study.
///
/// Runs every search of [search] of the study: each algorithm with each heuristic on each level. Counts what it
/// expanded, generated and held in memory, measures its time, and compares its solution with the best one. Checks every
/// heuristic against the distance of every state: is it admissible, is it consistent? Writes tables and a report to
/// reports/NAME-search, unless --out says otherwise.
///
/// Example: plymap search-study data/match_the_tiles/study.toml
#[derive(Debug, Args)]
pub struct SearchStudy {
    #[command(flatten)]
    study: StudyArguments,
}

impl SearchStudy {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let (study, file, target) = self.study.read("-search")?;
        let summary = search_study::run(&study, &file, &target, bars)?;
        print_account(&format!(
            "levels        {:>9}\nsearches      {:>9}\ncut           {:>9}\ndo not apply  {:>9}\nfiles written {:>9}, in {}\n",
            summary.n_levels,
            summary.n_made,
            summary.n_limit_reached,
            summary.n_not_applicable,
            summary.n_files,
            target.display()
        ))?;
        Ok(tell_failed(&summary.failed))
    }
}

//! Options of a run, beyond what its study says.

use std::path::PathBuf;

use super::RunError;
use crate::cache::Cache;
use crate::study::Study;
use plymap_analysis::confirmatory::CONFIRMATORY;
use plymap_analysis::{ANALYSES, Analysis};
use plymap_report::figures::section;
use plymap_report::figures::section::{DIAGNOSTICS, LEVELS, MOVES_AND_TIME, PLAYERS, QUALITY, SCORES, TIME};

/// The name of the section of the claims, which has no figures.
pub(super) const CLAIMS: &str = "claims";

/// Options of a run, beyond what its study says.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Sections of the report, which alone are made; all where it is empty. [`sections`] names them.
    pub only: Vec<String>,
    /// True for a quick look: a tenth of the resamples, and of the figures only those that answer the first questions.
    pub is_fast: bool,
    /// Cache of results of stages for the next run; nothing is kept where it is absent.
    pub cache: Option<Cache>,
    /// Bytes of memory that shards of a log may take, which has more rows than the study analyses; half of what is free
    /// where it is absent. Nothing that is written depends on it.
    pub memory: Option<u64>,
    /// Folder of the shards of the log, labelled already, if they are used.
    pub shards: Option<PathBuf>,
}

/// A whole run as the study says, of which nothing is kept.
pub static USUAL: RunOptions = RunOptions { only: Vec::new(), is_fast: false, cache: None, memory: None, shards: None };

impl RunOptions {
    /// Returns the usual folder of such a run. A quick look has its own, so that it takes the place of no whole run.
    pub fn target(&self, study: &Study) -> PathBuf {
        study.target(if self.is_fast { "-preview" } else { "" })
    }

    /// Refuses sections that a run of this study cannot have.
    pub(super) fn check(&self, study: &Study) -> Result<(), RunError> {
        if let Some(name) = self.only.iter().find(|name| !sections().any(|known| known == name.as_str())) {
            return Err(RunError::UnknownSection {
                name: name.clone(),
                known: sections().collect::<Vec<_>>().join(", "),
            });
        }
        let is_left_out = |name: &&String| {
            let analysis = Analysis::named(section::analysis(name));
            analysis.is_some_and(|analysis| study.statistics.analyses().all(|planned| planned.name != analysis.name))
        };
        match self.only.iter().find(is_left_out) {
            Some(name) => Err(RunError::SectionOfNoAnalysis { name: name.clone() }),
            None => Ok(()),
        }
    }

    /// Returns true if what a section shows is to be made. Claims and hypotheses can be about any table.
    pub(super) fn wants(&self, section: &str) -> bool {
        let is_needed =
            |name: &String| [CLAIMS, CONFIRMATORY].contains(&name.as_str()) || section::analysis(name) == section;
        self.shows(section) || self.only.iter().any(is_needed)
    }

    /// Returns true if the report has a section.
    pub(super) fn shows(&self, section: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == section)
    }

    /// Returns true if the run is as the study says.
    pub(super) fn are_usual(&self) -> bool {
        self.only.is_empty() && !self.is_fast
    }

    /// Returns the remark on the page of an unusual run.
    pub(super) fn remark(&self) -> Option<String> {
        let fast = "a quick look (--fast), with a tenth of the resamples, shuffles and splits, no interactive maps and \
                    few figures: its intervals and p values are coarse, and not for print";
        let only = || format!("not the whole report (--only): of its sections it has {}", self.only.join(", "));
        match (self.is_fast, self.only.is_empty()) {
            (false, true) => None,
            (false, false) => Some(format!("This is {}.", only())),
            (true, true) => Some(format!("This is {fast}.")),
            (true, false) => Some(format!("This is {fast}; and it is {}.", only())),
        }
    }

    /// Returns the options as they stand on the command line.
    pub(super) fn words(&self) -> String {
        let only = if self.only.is_empty() { String::new() } else { format!(" --only {}", self.only.join(",")) };
        format!("{only}{}", if self.is_fast { " --fast" } else { "" })
    }
}

/// The sections that a report can have, in their order.
pub fn sections() -> impl Iterator<Item = &'static str> {
    let analyses = ANALYSES.iter().map(|analysis| analysis.name);
    [CONFIRMATORY, MOVES_AND_TIME, QUALITY, TIME].into_iter().chain(analyses).chain([
        PLAYERS,
        CLAIMS,
        SCORES,
        LEVELS,
        DIAGNOSTICS,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use plymap_report::figures::KINDS;

    #[test]
    fn figures_stand_in_sections_that_there_are() {
        for kind in KINDS {
            assert!(
                sections().any(|section| section == kind.section),
                "{} stands in {:?}",
                kind.kind.name(),
                kind.section
            );
        }
    }
}

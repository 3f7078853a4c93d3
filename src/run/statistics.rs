//! The statistics of a study.

use std::collections::HashMap;

use super::{Play, RunError};
use crate::analysis::dataset::Dataset;
use crate::analysis::{self, Analysis, Context, Findings, TrialCorrelation};
use crate::study::Study;
use crate::table::Table;
use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_statistics::phase::Mode;

/// The statistics of a study.
#[derive(Clone, Debug)]
pub struct Statistics {
    /// Correlations, and time and quality.
    pub tables: Vec<Table>,
    /// Correlations over solved trials.
    pub correlations: Vec<TrialCorrelation>,
    /// The analyses that the study wants, in the order of the report.
    pub findings: Vec<Findings>,
    /// All measured moves, as the analyses took them.
    pub data: Dataset,
}

impl Statistics {
    /// For each move of the data whether it was made while thinking; absent where that is not known.
    pub(super) fn is_thinking(&self) -> Vec<Option<bool>> {
        let phases = self.findings.iter().find_map(|findings| findings.phases.as_ref());
        let by_row: HashMap<u32, Mode> = phases.into_iter().flat_map(|phases| phases.rows.iter().copied()).collect();
        self.data.moves.iter().map(|one| by_row.get(&one.row).map(|&mode| mode == Mode::Thinking)).collect()
    }

    /// All tables.
    pub fn all_tables(&self) -> impl Iterator<Item = &Table> {
        self.tables.iter().chain(self.findings.iter().flat_map(|findings| &findings.tables))
    }
}

/// The statistics of a study, with these analyses.
///
/// # Errors
///
/// [`RunError::Interrupted`] if the caller asks to stop.
pub fn statistics(
    study: &Study,
    play: &Play,
    levels: &[ValuedLevel],
    analyses: &[&'static Analysis],
    progress: &dyn Progress,
) -> Result<Statistics, RunError> {
    let confidence = study.statistics.confidence;
    let correlations = analysis::correlations(&play.measures, confidence);
    let times = analysis::times_by_quality(&play.measures.trials);
    let tables = vec![
        analysis::correlations_table(&correlations),
        analysis::time_by_quality_table(&times, play.measures.unit, confidence),
        analysis::quality_by_level_table(&play.measures, confidence),
    ];
    let data = Dataset::new(&play.labelled.log, &play.measures, levels);
    let context = Context { data: &data, confidence, seed: study.simulation.seed };
    progress.begin("analysing", Some(analyses.len() as u64));
    let mut findings = Vec::new();
    for analysis in analyses {
        findings.push(analysis.run(&context, levels));
        progress.advance(1);
        if progress.is_cancelled() {
            return Err(RunError::Interrupted);
        }
    }
    progress.end();
    Ok(Statistics { tables, correlations, findings, data })
}

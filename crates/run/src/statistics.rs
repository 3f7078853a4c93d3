//! The statistics of a study.

use std::collections::HashMap;

use super::inputs::levels_key;
use super::parts::attempt;
use super::{Play, RunError, RunOptions, continues};
use crate::cache::{Cache, Key};
use crate::study::Study;
use plymap_analysis::confirmatory::{Confirmatory, Spoken};
use plymap_analysis::dataset::Dataset;
use plymap_analysis::phases::PHASE;
use plymap_analysis::time_mixtures::time_mixtures_table;
use plymap_analysis::{
    Analysis, AnalysisResult, Context, Findings, SHARING, Settings, SettingsUsed, Shared, TrialCorrelation,
};
use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_report::{FailedPart, PartKind};
use plymap_tables::{Table, parallel};

/// The statistics of a study.
#[derive(Clone, Debug)]
pub struct Statistics {
    /// Correlations, and time and quality.
    pub tables: Vec<Table>,
    /// Correlations over solved trials.
    pub correlations: Vec<TrialCorrelation>,
    /// The analyses that the study wants, in the order of the report.
    pub findings: Vec<Findings>,
    /// The hypotheses of the study.
    pub confirmatory: Confirmatory,
    /// All measured moves, as the analyses took them.
    pub data: Dataset,
    /// The analyses that could not be made.
    pub failed: Vec<FailedPart>,
}

impl Statistics {
    /// For each move of the data whether it was made while thinking; absent where that is not known.
    pub(super) fn is_thinking(&self) -> Vec<Option<bool>> {
        let phases = |findings: &Findings| findings.columns.as_ref().map(|columns| columns.by_row(PHASE));
        let by_row = self.findings.iter().filter(|findings| findings.analysis.name == "phases").find_map(phases);
        let by_row: HashMap<u32, f64> = by_row.unwrap_or_default();
        self.data.moves.iter().map(|row| by_row.get(&row.row).map(|&place| place == 0.0)).collect()
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
    options: &RunOptions,
    progress: &dyn Progress,
) -> Result<Statistics, RunError> {
    let confidence = study.statistics.confidence;
    let correlations = plymap_analysis::correlations(&play.measures, confidence);
    let times = plymap_analysis::times_by_quality(play.measures.trials.iter());
    let data = Dataset::new(&play.labelled, &play.measures, levels);
    let shared = Shared::default();
    let settings = Settings::new(confidence, study.simulation.seed, options.is_fast).of_pilot(play.is_pilot());
    let mut tables = vec![
        plymap_analysis::correlations_table(&correlations),
        plymap_analysis::time_by_quality_table(&times, play.measures.unit, confidence),
        time_mixtures_table(&Context::new(&data, &settings).sharing(&shared)),
        plymap_analysis::quality_by_level_table(&play.measures, &data.qualities(), confidence),
    ];
    let kept = options.cache.as_ref().map(|cache| KeptAnalyses::new(cache, study, &data)).transpose()?;
    progress.begin("analysing", Some(analyses.len() as u64));
    let find = |analysis: &&'static Analysis| {
        let settings = Settings::new(confidence, study.simulation.seed, options.is_fast)
            .with_models(&study.statistics.model)
            .of_pilot(play.is_pilot());
        let make = || analysis.result(&Context::new(&data, &settings).sharing(&shared), levels);
        let result = attempt(PartKind::Analysis, analysis.name, || -> Result<AnalysisResult, RunError> {
            Ok(match &kept {
                Some(kept) => kept.get_or(analysis.name, &settings, make),
                None => make(),
            })
        })?;
        progress.advance(1);
        continues(progress)?;
        Ok(result.map(|result| analysis.findings(result)))
    };
    // Two at a time, for a part of most of them is work of one thread. Those that share what they find take longest.
    let n_apart = analyses.iter().take_while(|analysis| !SHARING.contains(&analysis.name)).count();
    let (apart, sharing) = analyses.split_at(n_apart);
    let in_turn = |analyses: &[&'static Analysis]| analyses.iter().map(&find).collect::<Result<Vec<_>, RunError>>();
    let lane = |(analyses, is_sharing): (&[&'static Analysis], bool)| match is_sharing {
        true => in_turn(analyses),
        false => parallel::apart(|| in_turn(analyses)),
    };
    let lanes = parallel::map_in_order(vec![(apart, false), (sharing, true)], lane)?;
    let mut findings: Vec<Findings> = Vec::new();
    let mut failed = Vec::new();
    for result in lanes.into_iter().flatten() {
        match result {
            Ok(analysed) => findings.push(analysed),
            Err(part) => failed.push(part),
        }
    }
    progress.end();
    // A family of hypotheses is tested as a whole, or not at all.
    let is_whole = findings.len() == study.statistics.analyses().count();
    let hypotheses = if is_whole { &study.statistics.confirmatory[..] } else { &[] };
    let all: Vec<&Table> = findings.iter().flat_map(|findings: &Findings| &findings.tables).collect();
    let reference = reference_condition(&data);
    let spoken = Spoken {
        reference: reference.as_deref(),
        confidence,
        solved: play.measures.terminology().solved,
        is_pilot: play.is_pilot(),
    };
    let confirmatory = Confirmatory::new(hypotheses, &all, &spoken);
    tables.extend(confirmatory.table());
    Ok(Statistics { tables, correlations, findings, data, confirmatory, failed })
}

/// The condition that others are compared with: the first by name.
fn reference_condition(data: &Dataset) -> Option<String> {
    data.trials.iter().filter_map(|trial| trial.condition.clone()).min()
}

/// The results of analyses of the same data, kept by the settings that they used for.
struct KeptAnalyses<'a> {
    cache: &'a Cache,
    /// The levels, their rules and the measured moves.
    data_key: Option<Key>,
}

impl<'a> KeptAnalyses<'a> {
    fn new(cache: &'a Cache, study: &Study, data: &Dataset) -> Result<Self, RunError> {
        let data_key = levels_key(study)?.and_then(|levels| Key::new("data", &(levels, data)));
        Ok(Self { cache, data_key })
    }

    /// The result of an analysis under these settings, kept or made now.
    ///
    /// Which settings it used for is kept by itself: one result serves all settings that differ elsewhere.
    fn get_or(&self, name: &str, settings: &Settings, make: impl FnOnce() -> AnalysisResult) -> AnalysisResult {
        let used_key = self.data_key.and_then(|data_key| Key::new("settings", &(name, data_key)));
        let key = |used: SettingsUsed| Key::new("analysis", &(used_key?, used, settings.values_of(used)));
        let mut known: Vec<SettingsUsed> = self.cache.get(used_key).unwrap_or_default();
        let kept = known.iter().find_map(|&used| self.cache.get(key(used)));
        self.cache.count("analyses", kept.is_some());
        kept.unwrap_or_else(|| {
            let result = make();
            let used = settings.used();
            self.cache.put(key(used), &result);
            if !known.contains(&used) {
                known.push(used);
                self.cache.put(used_key, &known);
            }
            result
        })
    }
}

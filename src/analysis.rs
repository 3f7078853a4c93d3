//! The statistics of a study: which measures meet which estimators, as tables.
//!
//! The estimators are in [`plymap_statistics::stats`]; here they are applied, and their results written beside the
//! number of observations and what was left out.

use crate::table::Table;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_statistics::stats::Confidence;

pub mod choice;
mod choice_decisions;
mod choice_selection;
mod columns;
mod condition_design;
pub mod conditions;
mod correlations;
pub mod dataset;
pub mod description;
pub mod difficulty;
mod error_model;
pub mod errors;
#[cfg(test)]
pub(crate) mod fixture;
pub mod learning;
mod level_play;
mod level_rasch;
mod look_ahead;
pub mod measures;
mod outlier_limits;
pub mod participant_correlations;
pub mod phase_column;
pub mod phases;
mod quality_by_level;
pub mod reliability;
mod repetition;
pub mod sequences;
pub mod survival;
mod survival_cox;
mod time_by_quality;
mod time_comparison;
mod time_factors;
pub mod time_model;
pub mod time_tests;
pub mod within;

pub use correlations::{TrialCorrelation, correlations, correlations_table};
pub use measures::{PAIRS, TrialMeasure};
pub use quality_by_level::quality_by_level_table;
pub use time_by_quality::{QualityTimes, test_of_times, time_by_quality_table, times_by_quality};

use dataset::Dataset;
use phase_column::MovePhases;

/// What every analysis gets.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The data.
    pub data: &'a Dataset,
    /// Level of all intervals.
    pub confidence: Confidence,
    /// Seed of the random number generator of resampling and starts.
    pub seed: u64,
}

/// An analysis of the moves of a study, by the name that studies give it.
#[derive(Clone, Copy, Debug)]
pub struct Analysis {
    /// Its name in `[statistics] analyses`.
    pub name: &'static str,
    /// The tables that it can give; some of them only of some studies.
    pub tables: &'static [&'static str],
    /// Heading of its section in the report.
    pub heading: &'static str,
    run: fn(&Context, &[ValuedLevel]) -> AnalysisResult,
}

/// What an analysis gives.
struct AnalysisResult {
    tables: Vec<Table>,
    sentences: Vec<String>,
    phases: Option<MovePhases>,
}

impl AnalysisResult {
    fn new(tables: Vec<Table>, sentences: Vec<String>) -> Self {
        Self { tables, sentences, phases: None }
    }
}

/// What an analysis found.
#[derive(Clone, Debug)]
pub struct Findings {
    /// The analysis.
    pub analysis: &'static Analysis,
    /// Its tables.
    pub tables: Vec<Table>,
    /// What a paper would say of them.
    pub sentences: Vec<String>,
    /// What it says of single moves: a column of the table `moves`; only of the analysis `phases`.
    pub phases: Option<MovePhases>,
}

/// All analyses, in the order of the report.
pub const ANALYSES: &[Analysis] = &[
    Analysis {
        name: "description",
        tables: &["description", "outliers"],
        heading: "Description",
        run: |context, _| {
            let found = description::DescriptionAnalysis::new(context);
            AnalysisResult::new(found.tables(), found.sentences())
        },
    },
    Analysis {
        name: "within",
        tables: &["within_correlations"],
        heading: "Within and between participants",
        run: |context, _| {
            let found = within::WithinCorrelations::new(context);
            AnalysisResult::new(found.tables(), found.sentences())
        },
    },
    Analysis {
        name: "participants",
        tables: &["participant_correlations"],
        heading: "Participants compared",
        run: |context, _| {
            let found = participant_correlations::ParticipantCorrelations::new(context);
            AnalysisResult::new(found.tables(), found.sentences())
        },
    },
    Analysis {
        name: "conditions",
        tables: &["condition_tests"],
        heading: "Conditions",
        run: |context, _| {
            let found = conditions::ConditionTests::new(context);
            AnalysisResult::new(found.tables(), found.sentences())
        },
    },
    Analysis {
        name: "time-tests",
        tables: &["time_medians", "time_tests"],
        heading: "Time and quality, participant by participant",
        run: |context, _| {
            let found = time_tests::TimeTests::new(context);
            AnalysisResult::new(found.tables(), found.sentences())
        },
    },
    Analysis {
        name: "learning",
        tables: &["learning"],
        heading: "Change over trials",
        run: |context, _| {
            let found = learning::Learning::new(context);
            AnalysisResult::new(found.tables(), found.sentences())
        },
    },
    Analysis {
        name: "reliability",
        tables: &["reliability"],
        heading: "Reliability of measures",
        run: |context, _| {
            let found = reliability::Reliability::new(context);
            AnalysisResult::new(found.tables(), found.sentences())
        },
    },
    Analysis {
        name: "difficulty",
        tables: &["difficulty", "level_correlations", "level_rasch"],
        heading: "Difficulty of levels",
        run: |context, _| {
            let found = difficulty::Difficulty::new(context);
            AnalysisResult::new(found.tables(), found.sentences())
        },
    },
    Analysis {
        name: "time-model",
        tables: &["time_model", "time_model_variances"],
        heading: "Time and quality in one model",
        run: |context, _| {
            let found = time_model::TimeModel::new(context);
            AnalysisResult::new(found.tables(), found.sentences())
        },
    },
    Analysis {
        name: "phases",
        tables: &["phases", "phase_states", "phase_quality", "phase_agreement", "phase_null"],
        heading: "Thinking and acting",
        run: |context, _| {
            let found = phases::Phases::new(context);
            let phases = Some(found.of_moves());
            AnalysisResult { phases, ..AnalysisResult::new(found.tables(), found.sentences()) }
        },
    },
    Analysis {
        name: "sequences",
        tables: &["transitions", "dependence", "streaks", "hazards", "repetition"],
        heading: "Sequences of moves",
        run: |context, levels| {
            let found = sequences::Sequences::new(context, levels);
            AnalysisResult::new(found.tables(), found.sentences())
        },
    },
    Analysis {
        name: "survival",
        tables: &["survival", "survival_curves", "survival_cox"],
        heading: "How long attempts last",
        run: |context, _| {
            let found = survival::Survival::new(context);
            AnalysisResult::new(found.tables(), found.sentences())
        },
    },
    Analysis {
        name: "errors",
        tables: &["traps", "error_costs", "error_model"],
        heading: "Traps and costs of errors",
        run: |context, _| {
            let found = errors::Errors::new(context);
            AnalysisResult::new(found.tables(), found.sentences())
        },
    },
    Analysis {
        name: "choice",
        tables: &["choice_models", "choice_parameters", "choice_comparison", "choice_selection"],
        heading: "Models of choice",
        run: |context, levels| {
            let found = choice::Choice::new(context, levels);
            AnalysisResult::new(found.tables(), found.sentences())
        },
    },
];

impl Analysis {
    /// The analysis of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        ANALYSES.iter().find(|analysis| analysis.name == name)
    }

    /// Makes the analysis.
    pub fn run(&'static self, context: &Context, levels: &[ValuedLevel]) -> Findings {
        let AnalysisResult { tables, sentences, phases } = (self.run)(context, levels);
        debug_assert!(tables.iter().all(|table| self.tables.contains(&table.name.as_str())), "{}", self.name);
        Findings { analysis: self, tables, sentences, phases }
    }
}

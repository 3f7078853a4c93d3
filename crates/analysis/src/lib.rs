#![doc = include_str!("../README.md")]

use serde::{Deserialize, Serialize};

use plymap_puzzles::valuation::ValuedLevel;
use plymap_tables::Table;

pub mod choice;
mod choice_decisions;
mod choice_selection;
mod choice_sequences;
mod columns;
mod condition_design;
pub mod conditions;
pub mod confirmatory;
mod context;
mod correlations;
pub mod dataset;
pub mod description;
pub mod difficulty;
pub mod errors;
pub mod estimator_tables;
pub mod learning;
mod level_play;
mod level_rasch;
mod look_ahead;
mod mapped;
pub mod measures;
pub mod models;
pub mod move_columns;
mod outlier_limits;
pub mod participant_correlations;
pub mod phases;
mod quality_by_level;
pub mod reliability;
mod repetition;
mod rollouts;
pub mod section;
pub mod sequences;
pub mod survival;
mod survival_cox;
mod survival_differences;
pub mod testing;
pub mod thought;
mod thought_stopping;
mod time_by_quality;
mod time_comparison;
pub mod time_comparisons;
mod time_factors;
mod trees;
pub mod within;

pub use context::{Context, Settings, SettingsUsed, Shared};

pub use correlations::{TrialCorrelation, correlations, correlations_table};
pub use measures::{PAIRS, TrialMeasure};
pub use quality_by_level::quality_by_level_table;
pub use time_by_quality::{QualityTimes, time_by_quality_table, times_by_quality};

pub use move_columns::MoveColumns;

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
#[derive(Serialize, Deserialize)]
pub struct AnalysisResult {
    tables: Vec<Table>,
    sentences: Vec<String>,
    columns: Option<MoveColumns>,
}

impl AnalysisResult {
    fn new(tables: Vec<Table>, sentences: Vec<String>) -> Self {
        Self { tables, sentences, columns: None }
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
    /// What it says of single moves: columns of the table `moves`.
    pub columns: Option<MoveColumns>,
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
            let found = time_comparisons::TimeTests::new(context);
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
        name: "models",
        tables: &[
            "models",
            "model_terms",
            "model_variances",
            "model_fits",
            "model_diagnostics",
            "model_residuals",
            "model_influence",
        ],
        heading: "Mixed models of trials and moves",
        run: |context, _| {
            let found = models::Models::new(context);
            AnalysisResult::new(found.tables(), found.sentences())
        },
    },
    Analysis {
        name: "phases",
        tables: &["phases", "phase_states", "phase_quality", "phase_agreement", "phase_null"],
        heading: "Thinking and acting",
        run: |context, _| {
            let found = phases::Phases::new(context);
            let columns = Some(found.of_moves());
            AnalysisResult { columns, ..AnalysisResult::new(found.tables(), found.sentences()) }
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
        tables: &["survival", "survival_curves", "survival_differences", "survival_cox"],
        heading: "How long attempts last",
        run: |context, _| {
            let found = survival::Survival::new(context);
            AnalysisResult::new(found.tables(), found.sentences())
        },
    },
    Analysis {
        name: "errors",
        tables: &["traps", "error_costs"],
        heading: "Traps and costs of errors",
        run: |context, _| {
            let found = errors::Errors::new(context);
            AnalysisResult::new(found.tables(), found.sentences())
        },
    },
    Analysis {
        name: "choice",
        tables: &["choice_models", "choice_parameters", "choice_comparison", "choice_selection", "choice_sequences"],
        heading: "Models of choice",
        run: |context, levels| {
            let found = choice::Choice::new(context, levels);
            AnalysisResult::new(found.tables(), found.sentences())
        },
    },
    Analysis {
        name: "thought",
        tables: &[
            "thought",
            "thought_models",
            "thought_by_distance",
            "thought_times",
            "thought_stopping",
            "thought_stopping_selection",
        ],
        heading: "Reasoning backwards from the goal",
        run: |context, levels| {
            let found = thought::Thought::new(context, levels);
            let columns = found.of_moves();
            AnalysisResult { columns, ..AnalysisResult::new(found.tables(), found.sentences()) }
        },
    },
];

/// The last analyses, which share what they find of decisions: to make them at once would be to find it twice.
pub const SHARING: [&str; 2] = ["choice", "thought"];

impl Analysis {
    /// The analysis of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        ANALYSES.iter().find(|analysis| analysis.name == name)
    }

    /// Makes the analysis.
    pub fn run(&'static self, context: &Context, levels: &[ValuedLevel]) -> Findings {
        self.findings(self.result(context, levels))
    }

    /// Its result, without what names it.
    pub fn result(&self, context: &Context, levels: &[ValuedLevel]) -> AnalysisResult {
        (self.run)(context, levels)
    }

    /// A result with the analysis that gave it.
    pub fn findings(&'static self, result: AnalysisResult) -> Findings {
        let AnalysisResult { tables, sentences, columns } = result;
        debug_assert!(tables.iter().all(|table| self.tables.contains(&table.name.as_str())), "{}", self.name);
        Findings { analysis: self, tables, sentences, columns }
    }
}

//! The analyses, each declared once.

use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::move_columns::MoveColumns;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_tables::Table;

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

/// Output of the computation of an analysis.
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

/// Results of an analysis, with the analysis itself.
#[derive(Clone, Debug)]
pub struct Findings {
    /// The analysis.
    pub analysis: &'static Analysis,
    /// Its tables.
    pub tables: Vec<Table>,
    /// Sentences about them for a paper.
    pub sentences: Vec<String>,
    /// Columns of single moves for the table `moves`.
    pub columns: Option<MoveColumns>,
}

/// All analyses, in the order of the report.
pub const ANALYSES: &[Analysis] = &[
    Analysis {
        name: "description",
        tables: &["description", "outliers"],
        heading: "Description",
        run: |context, _| {
            let analysis = crate::description::DescriptionAnalysis::new(context);
            AnalysisResult::new(analysis.tables(), analysis.sentences())
        },
    },
    Analysis {
        name: "within",
        tables: &["within_correlations"],
        heading: "Within and between participants",
        run: |context, _| {
            let analysis = crate::within::WithinCorrelations::new(context);
            AnalysisResult::new(analysis.tables(), analysis.sentences())
        },
    },
    Analysis {
        name: "participants",
        tables: &["participant_correlations"],
        heading: "Participants compared",
        run: |context, _| {
            let analysis = crate::participant_correlations::ParticipantCorrelations::new(context);
            AnalysisResult::new(analysis.tables(), analysis.sentences())
        },
    },
    Analysis {
        name: "conditions",
        tables: &["condition_tests", "group_tests"],
        heading: "Conditions",
        run: |context, _| {
            let analysis = crate::conditions::ConditionTests::new(context);
            let mut tables = analysis.tables();
            tables.push(crate::group_tests::group_tests_table(context));
            AnalysisResult::new(tables, analysis.sentences())
        },
    },
    Analysis {
        name: "time-tests",
        tables: &["time_medians", "time_tests"],
        heading: "Time and quality, participant by participant",
        run: |context, _| {
            let analysis = crate::time_comparisons::TimeTests::new(context);
            AnalysisResult::new(analysis.tables(), analysis.sentences())
        },
    },
    Analysis {
        name: "learning",
        tables: &["learning"],
        heading: "Change over trials",
        run: |context, _| {
            let analysis = crate::learning::Learning::new(context);
            AnalysisResult::new(analysis.tables(), analysis.sentences())
        },
    },
    Analysis {
        name: "reliability",
        tables: &["reliability"],
        heading: "Reliability of measures",
        run: |context, _| {
            let analysis = crate::reliability::Reliability::new(context);
            AnalysisResult::new(analysis.tables(), analysis.sentences())
        },
    },
    Analysis {
        name: "difficulty",
        tables: &["difficulty", "level_correlations", "level_rasch"],
        heading: "Difficulty of levels",
        run: |context, _| {
            let analysis = crate::difficulty::Difficulty::new(context);
            AnalysisResult::new(analysis.tables(), analysis.sentences())
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
            let analysis = crate::models::Models::new(context);
            AnalysisResult::new(analysis.tables(), analysis.sentences())
        },
    },
    Analysis {
        name: "phases",
        tables: &["phases", "phase_states", "phase_quality", "phase_agreement", "phase_null"],
        heading: "Thinking and acting",
        run: |context, _| {
            let analysis = crate::phases::Phases::new(context);
            let columns = Some(analysis.of_moves());
            AnalysisResult { columns, ..AnalysisResult::new(analysis.tables(), analysis.sentences()) }
        },
    },
    Analysis {
        name: "sequences",
        tables: &["transitions", "dependence", "streaks", "hazards", "repetition"],
        heading: "Sequences of moves",
        run: |context, levels| {
            let analysis = crate::sequences::Sequences::new(context, levels);
            AnalysisResult::new(analysis.tables(), analysis.sentences())
        },
    },
    Analysis {
        name: "survival",
        tables: &["survival", "survival_curves", "survival_differences", "survival_cox"],
        heading: "How long attempts last",
        run: |context, _| {
            let analysis = crate::survival::Survival::new(context);
            AnalysisResult::new(analysis.tables(), analysis.sentences())
        },
    },
    Analysis {
        name: "errors",
        tables: &["traps", "error_costs"],
        heading: "Traps and costs of errors",
        run: |context, _| {
            let analysis = crate::errors::Errors::new(context);
            AnalysisResult::new(analysis.tables(), analysis.sentences())
        },
    },
    Analysis {
        name: "choice",
        tables: &["choice_models", "choice_parameters", "choice_comparison", "choice_selection", "choice_sequences"],
        heading: "Models of choice",
        run: |context, levels| {
            let analysis = crate::choice::Choice::new(context, levels);
            AnalysisResult::new(analysis.tables(), analysis.sentences())
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
            let analysis = crate::thought::Thought::new(context, levels);
            let columns = analysis.of_moves();
            AnalysisResult { columns, ..AnalysisResult::new(analysis.tables(), analysis.sentences()) }
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

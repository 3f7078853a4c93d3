//! Tests that are counted.

use super::effects::{Effects, SECOND};
use plymap_analysis::columns::*;
use plymap_analysis::models::{self, QUESTION};
use plymap_statistics::record::{Column, MEASURE, P_VALUE, TERM};

/// Test that a report makes much of, and whose hypothesis is true in the simulated studies; or the tests of a question.
pub(super) struct Headline {
    /// Question of the test.
    pub question: &'static str,
    pub analysis: &'static str,
    pub table: &'static str,
    /// The texts of its row, or of those of a question, of which the smallest p counts.
    pub row: Row,
    /// The column of its p value.
    pub p: Column,
    /// Estimate whose coverage is measured; none of a test without an interval.
    pub effect: Option<Estimated>,
}

/// Texts by which a row is found, after their columns.
type Row = &'static [(Column, &'static str)];

/// An estimate with an interval, in the columns `estimate`, `lower` and `upper`.
pub(super) struct Estimated {
    pub table: &'static str,
    pub row: Row,
    pub truth: Truth,
}

/// Value that a study simulated with effects should estimate.
#[derive(Clone, Copy)]
pub(super) enum Truth {
    /// Effect that was put in.
    Stated(fn(&Effects) -> f64),
    /// Median of the estimates of the simulated studies, where no effect that was put in gives the value.
    Median,
}

/// A term of a mixed model; an effect is in the table `models` under its name or that of a label of a category.
const fn of_models(question: &'static str, row: Row, effect: Row, truth: Truth) -> Headline {
    let effect = Some(Estimated { table: "models", row: effect, truth });
    Headline { question, analysis: "models", table: "model_terms", row, p: P_VALUE, effect }
}

/// A term of a mixed model that is one effect.
const fn of_term(question: &'static str, row: Row, truth: Truth) -> Headline {
    of_models(question, row, row, truth)
}

/// All tests of mixed models that answer a question: how often one of them or more is significant when adjusted.
const fn of_question(question: &'static str, name: Row) -> Headline {
    Headline { question, analysis: "models", table: "model_terms", row: name, p: P_ADJUSTED, effect: None }
}

const QUALITY_OF_TIME: Row = &[(MODEL, models::QUALITY_OF_TIME.0), (TERM, models::QUALITY_OF_TIME.1)];
const WORSE: Row = &[(MODEL, models::QUALITY_OF_TIME.0), (TERM, "quality = worse")];
/// No effect: none is put in, and none follows from those that are.
const NONE: Truth = Truth::Stated(|_| 0.0);

pub(super) const HEADLINES: &[Headline] = &[
    of_models("time of moves by quality, mixed model", QUALITY_OF_TIME, WORSE, Truth::Stated(|effects| effects.worse)),
    of_term(
        "time of moves by distance, mixed model",
        &[(MODEL, "move-time"), (TERM, "within(value_before)")],
        Truth::Stated(|effects| effects.distance),
    ),
    of_term(
        "time of moves by number of legal moves, mixed model",
        &[(MODEL, "move-time"), (TERM, "log(n_legal)")],
        Truth::Stated(|effects| effects.n_legal),
    ),
    of_term(
        "time of moves by moves made before, mixed model",
        &[(MODEL, "move-time"), (TERM, "within(ply)")],
        Truth::Stated(|effects| effects.ply),
    ),
    of_models(
        "time of moves by condition, mixed model",
        &[(MODEL, "move-time"), (TERM, "condition")],
        &[(MODEL, "move-time"), (TERM, SECOND)],
        Truth::Stated(|effects| effects.condition),
    ),
    of_models(
        "time of trials by condition, mixed model",
        &[(MODEL, "trial-time"), (TERM, "condition")],
        &[(MODEL, "trial-time"), (TERM, SECOND)],
        Truth::Median,
    ),
    of_term(
        "time of trials by number of the trial, mixed model",
        &[(MODEL, "trial-time"), (TERM, "trial_number")],
        Truth::Stated(|effects| effects.trial),
    ),
    of_models(
        "moves of trials by condition, mixed model",
        &[(MODEL, "trial-moves"), (TERM, "condition")],
        &[(MODEL, "trial-moves"), (TERM, SECOND)],
        Truth::Median,
    ),
    of_term(
        "moves of trials by number of the trial, mixed model",
        &[(MODEL, "trial-moves"), (TERM, "trial_number")],
        NONE,
    ),
    of_models(
        "solved trials by condition, logistic mixed model",
        &[(MODEL, "solved"), (TERM, "condition")],
        &[(MODEL, "solved"), (TERM, SECOND)],
        Truth::Median,
    ),
    of_models(
        "optimal moves by condition, logistic mixed model",
        &[(MODEL, "optimal"), (TERM, "condition")],
        &[(MODEL, "optimal"), (TERM, SECOND)],
        Truth::Median,
    ),
    of_term(
        "optimal moves by the time before, logistic mixed model",
        &[(MODEL, models::OPTIMAL_OF_TIME.0), (TERM, models::OPTIMAL_OF_TIME.1)],
        Truth::Median,
    ),
    of_term("errors after an error, logistic mixed model", &[(MODEL, "error"), (TERM, "after_error")], Truth::Median),
    of_term(
        "restarts after an error, logistic mixed model",
        &[(MODEL, models::RESTART_OF_ERROR.0), (TERM, models::RESTART_OF_ERROR.1)],
        NONE,
    ),
    of_term(
        "restarts by distance, logistic mixed model",
        &[(MODEL, models::RESTART_OF_ERROR.0), (TERM, "value_before")],
        NONE,
    ),
    of_term(
        "give-ups after an error, logistic mixed model",
        &[(MODEL, models::GIVE_UP_OF_ERROR.0), (TERM, models::GIVE_UP_OF_ERROR.1)],
        NONE,
    ),
    of_question("any test whether the conditions differ, adjusted", &[(QUESTION, "conditions")]),
    of_question("any test whether practice changes trials, adjusted", &[(QUESTION, "practice")]),
    of_question("any test whether thinking makes moves better, adjusted", &[(QUESTION, "thinking")]),
    of_question("any test whether errors make people restart or give up, adjusted", &[(QUESTION, "giving up")]),
    Headline {
        question: "median times of participants by quality, Friedman",
        analysis: "time-tests",
        table: "time_tests",
        row: &[(FACTOR, "quality"), (TEST, "friedman")],
        p: P_VALUE,
        effect: None,
    },
    Headline {
        question: "times of participants by condition, Mann-Whitney",
        analysis: "conditions",
        table: "condition_tests",
        row: &[(MEASURE, "time_s"), (TEST, "mann-whitney")],
        p: P_VALUE,
        effect: None,
    },
    Headline {
        question: "times of participants by condition, Welch",
        analysis: "conditions",
        table: "condition_tests",
        row: &[(MEASURE, "time_s"), (TEST, "welch")],
        p: P_VALUE,
        effect: None,
    },
    Headline {
        question: "solved trials of participants by condition, Mann-Whitney",
        analysis: "conditions",
        table: "condition_tests",
        row: &[(MEASURE, "share_solved"), (TEST, "mann-whitney")],
        p: P_VALUE,
        effect: None,
    },
    Headline {
        question: "moves of participants by condition, Mann-Whitney",
        analysis: "conditions",
        table: "condition_tests",
        row: &[(MEASURE, "n_moves"), (TEST, "mann-whitney")],
        p: P_VALUE,
        effect: None,
    },
    Headline {
        question: "time to solve by condition, log-rank with participants permuted",
        analysis: "survival",
        table: "survival",
        row: &[(SCOPE, "condition")],
        p: P_VALUE,
        effect: None,
    },
    Headline {
        question: "mean times to solve by condition, participants permuted",
        analysis: "survival",
        table: "survival_differences",
        row: &[(ASSUMPTION, "independent")],
        p: P_VALUE,
        effect: Some(Estimated {
            table: "survival_differences",
            row: &[(ASSUMPTION, "independent")],
            truth: Truth::Median,
        }),
    },
    Headline {
        question: "proportional hazards of conditions within levels, split in two",
        analysis: "survival",
        table: "survival_cox",
        row: &[(STRATA, "level")],
        p: PROPORTIONAL_P,
        effect: None,
    },
    Headline {
        question: "time to solve by condition within levels, Cox",
        analysis: "survival",
        table: "survival_cox",
        row: &[(STRATA, "level")],
        p: P_VALUE,
        effect: Some(Estimated { table: "survival_cox", row: &[(STRATA, "level")], truth: Truth::Median }),
    },
    Headline {
        question: "time to solve by condition beside the start distance, Cox",
        analysis: "survival",
        table: "survival_cox",
        row: &[(STRATA, "none"), (COVARIATE, "other")],
        p: P_VALUE,
        effect: None,
    },
    Headline {
        question: "errors after errors, against the best model of choice of each participant",
        analysis: "choice",
        table: "choice_sequences",
        row: &[(SCOPE, "all")],
        p: P_VALUE,
        effect: None,
    },
    Headline {
        question: "the surest trap, adjusted",
        analysis: "errors",
        table: "traps",
        row: &[],
        p: P_ADJUSTED,
        effect: None,
    },
];

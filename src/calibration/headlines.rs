//! The tests that are counted.

use super::effects::{Effects, SECOND};
use plymap_analysis::models;

/// A test that a report makes much of, and whose hypothesis is true in the simulated studies; or the tests of a question.
pub(super) struct Headline {
    /// What it asks.
    pub question: &'static str,
    pub analysis: &'static str,
    pub table: &'static str,
    /// The texts of its row, or of those of a question, of which the smallest p counts.
    pub row: Row,
    /// The column of its p value.
    pub p: &'static str,
    /// What has an interval.
    pub effect: Option<Estimated>,
}

/// Texts by which a row is found, after the names of their columns.
type Row = &'static [(&'static str, &'static str)];

/// An estimate with an interval, in the columns `estimate`, `lower` and `upper`.
pub(super) struct Estimated {
    pub table: &'static str,
    pub row: Row,
    pub truth: Truth,
}

/// What a study that is simulated with effects should find.
#[derive(Clone, Copy)]
pub(super) enum Truth {
    /// What was put in.
    Stated(fn(&Effects) -> f64),
    /// Nothing was put in that says it: the median of what the simulated studies find.
    Median,
}

/// A term of a mixed model; an effect is in the table `models` under its name or that of a label of a category.
const fn of_models(question: &'static str, row: Row, effect: Row, truth: Truth) -> Headline {
    let effect = Some(Estimated { table: "models", row: effect, truth });
    Headline { question, analysis: "models", table: "model_terms", row, p: "p_value", effect }
}

/// A term of a mixed model that is one effect.
const fn of_term(question: &'static str, row: Row, truth: Truth) -> Headline {
    of_models(question, row, row, truth)
}

/// All tests of mixed models that answer a question: how often one of them or more is significant when adjusted.
const fn of_question(question: &'static str, name: Row) -> Headline {
    Headline { question, analysis: "models", table: "model_terms", row: name, p: "p_adjusted", effect: None }
}

const QUALITY_OF_TIME: Row = &[("model", models::QUALITY_OF_TIME.0), ("term", models::QUALITY_OF_TIME.1)];
const WORSE: Row = &[("model", models::QUALITY_OF_TIME.0), ("term", "quality = worse")];
/// Nothing is put in, and nothing follows from what is.
const NONE: Truth = Truth::Stated(|_| 0.0);

pub(super) const HEADLINES: &[Headline] = &[
    of_models("time of moves by quality, mixed model", QUALITY_OF_TIME, WORSE, Truth::Stated(|own| own.worse)),
    of_term(
        "time of moves by distance, mixed model",
        &[("model", "move-time"), ("term", "within(value_before)")],
        Truth::Stated(|own| own.distance),
    ),
    of_term(
        "time of moves by number of legal moves, mixed model",
        &[("model", "move-time"), ("term", "log(n_legal)")],
        Truth::Stated(|own| own.n_legal),
    ),
    of_term(
        "time of moves by moves made before, mixed model",
        &[("model", "move-time"), ("term", "within(ply)")],
        Truth::Stated(|own| own.ply),
    ),
    of_models(
        "time of moves by condition, mixed model",
        &[("model", "move-time"), ("term", "condition")],
        &[("model", "move-time"), ("term", SECOND)],
        Truth::Stated(|own| own.condition),
    ),
    of_models(
        "time of trials by condition, mixed model",
        &[("model", "trial-time"), ("term", "condition")],
        &[("model", "trial-time"), ("term", SECOND)],
        Truth::Median,
    ),
    of_term(
        "time of trials by number of the trial, mixed model",
        &[("model", "trial-time"), ("term", "trial_number")],
        Truth::Stated(|own| own.trial),
    ),
    of_models(
        "moves of trials by condition, mixed model",
        &[("model", "trial-moves"), ("term", "condition")],
        &[("model", "trial-moves"), ("term", SECOND)],
        Truth::Median,
    ),
    of_term(
        "moves of trials by number of the trial, mixed model",
        &[("model", "trial-moves"), ("term", "trial_number")],
        NONE,
    ),
    of_models(
        "solved trials by condition, logistic mixed model",
        &[("model", "solved"), ("term", "condition")],
        &[("model", "solved"), ("term", SECOND)],
        Truth::Median,
    ),
    of_models(
        "optimal moves by condition, logistic mixed model",
        &[("model", "optimal"), ("term", "condition")],
        &[("model", "optimal"), ("term", SECOND)],
        Truth::Median,
    ),
    of_term(
        "optimal moves by the time before, logistic mixed model",
        &[("model", models::OPTIMAL_OF_TIME.0), ("term", models::OPTIMAL_OF_TIME.1)],
        Truth::Median,
    ),
    of_term(
        "errors after an error, logistic mixed model",
        &[("model", "error"), ("term", "after_error")],
        Truth::Median,
    ),
    of_term(
        "restarts after an error, logistic mixed model",
        &[("model", models::RESTART_OF_ERROR.0), ("term", models::RESTART_OF_ERROR.1)],
        NONE,
    ),
    of_term(
        "restarts by distance, logistic mixed model",
        &[("model", models::RESTART_OF_ERROR.0), ("term", "value_before")],
        NONE,
    ),
    of_term(
        "give-ups after an error, logistic mixed model",
        &[("model", models::GIVE_UP_OF_ERROR.0), ("term", models::GIVE_UP_OF_ERROR.1)],
        NONE,
    ),
    of_question("any test whether the conditions differ, adjusted", &[("question", "conditions")]),
    of_question("any test whether practice changes trials, adjusted", &[("question", "practice")]),
    of_question("any test whether thinking makes moves better, adjusted", &[("question", "thinking")]),
    of_question("any test whether errors make people restart or give up, adjusted", &[("question", "giving up")]),
    Headline {
        question: "median times of participants by quality, Friedman",
        analysis: "time-tests",
        table: "time_tests",
        row: &[("factor", "quality"), ("test", "friedman")],
        p: "p_value",
        effect: None,
    },
    Headline {
        question: "times of participants by condition, Mann-Whitney",
        analysis: "conditions",
        table: "condition_tests",
        row: &[("measure", "time_s"), ("test", "mann-whitney")],
        p: "p_value",
        effect: None,
    },
    Headline {
        question: "times of participants by condition, Welch",
        analysis: "conditions",
        table: "condition_tests",
        row: &[("measure", "time_s"), ("test", "welch")],
        p: "p_value",
        effect: None,
    },
    Headline {
        question: "solved trials of participants by condition, Mann-Whitney",
        analysis: "conditions",
        table: "condition_tests",
        row: &[("measure", "share_solved"), ("test", "mann-whitney")],
        p: "p_value",
        effect: None,
    },
    Headline {
        question: "moves of participants by condition, Mann-Whitney",
        analysis: "conditions",
        table: "condition_tests",
        row: &[("measure", "n_moves"), ("test", "mann-whitney")],
        p: "p_value",
        effect: None,
    },
    Headline {
        question: "time to solve by condition, log-rank with participants permuted",
        analysis: "survival",
        table: "survival",
        row: &[("scope", "condition")],
        p: "p_value",
        effect: None,
    },
    Headline {
        question: "mean times to solve by condition, participants permuted",
        analysis: "survival",
        table: "survival_differences",
        row: &[("unsolved", "independent")],
        p: "p_value",
        effect: Some(Estimated {
            table: "survival_differences",
            row: &[("unsolved", "independent")],
            truth: Truth::Median,
        }),
    },
    Headline {
        question: "proportional hazards of conditions within levels, split in two",
        analysis: "survival",
        table: "survival_cox",
        row: &[("strata", "level")],
        p: "proportional_p",
        effect: None,
    },
    Headline {
        question: "time to solve by condition within levels, Cox",
        analysis: "survival",
        table: "survival_cox",
        row: &[("strata", "level")],
        p: "p_value",
        effect: Some(Estimated { table: "survival_cox", row: &[("strata", "level")], truth: Truth::Median }),
    },
    Headline {
        question: "time to solve by condition beside the start distance, Cox",
        analysis: "survival",
        table: "survival_cox",
        row: &[("strata", "none"), ("covariate", "other")],
        p: "p_value",
        effect: None,
    },
    Headline {
        question: "errors after errors, against the best model of choice of each participant",
        analysis: "choice",
        table: "choice_sequences",
        row: &[("scope", "all")],
        p: "p_value",
        effect: None,
    },
    Headline {
        question: "the surest trap, adjusted",
        analysis: "errors",
        table: "traps",
        row: &[],
        p: "p_adjusted",
        effect: None,
    },
];

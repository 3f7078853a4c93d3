//! Specifications of the models to fit: those that every study has, and those of its own.

use crate::model_variables::{Rows, is_column};
use plymap_statistics::formula::{Formula, FormulaError, Random};
use serde::{Deserialize, Serialize};

/// A model of the study's own, an entry `[[statistics.model]]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelSpec {
    /// Its name in tables.
    pub name: String,
    /// Unit of observation.
    pub rows: Rows,
    /// The model, as R's lme4 writes it.
    pub formula: String,
    /// The terms that are tested, and corrected together as one question; all where it is empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub about: Vec<String>,
}

/// A model that is to be fitted.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub name: String,
    /// Response in words.
    pub title: String,
    pub rows: Rows,
    pub formula: Formula,
    /// The terms that it is about.
    pub said: Vec<Said>,
    /// True if the study wrote it: it is then fitted as it is written.
    pub is_own: bool,
}

/// A term that a model is about.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Said {
    /// Name in the formula.
    pub term: String,
    /// Name in sentences.
    pub words: String,
    /// The question that its test answers: the tests of one question are corrected together.
    pub question: String,
}

/// All models of a study: the usual ones, then its own.
pub(super) fn models(specs: &[ModelSpec]) -> Vec<Model> {
    let own_models = specs.iter().filter_map(|spec| spec.model().ok());
    USUAL.iter().map(Usual::model).chain(own_models).collect()
}

/// The terms of a model of a study that a hypothesis can be about.
///
/// # Errors
///
/// What models there are, if none has this name.
pub fn terms_of(specs: &[ModelSpec], name: &str) -> Result<Vec<String>, String> {
    let models = models(specs);
    match models.iter().find(|model| model.name == name) {
        Some(model) => Ok(terms(&model.formula)),
        None => {
            let names: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
            Err(format!("there is no model {name:?}; the models are {}", names.join(", ")))
        }
    }
}

/// Names of the terms of a formula but the intercept, as the tables of models have them.
pub(super) fn terms(formula: &Formula) -> Vec<String> {
    formula.fixed.products.iter().map(|product| product.join(PRODUCT)).collect()
}

/// Separator between the columns of a product.
pub(super) const PRODUCT: &str = " : ";

/// The name of a term in tables, which formulas write without spaces.
pub fn term_named(written: &str) -> String {
    written.split(':').map(str::trim).collect::<Vec<_>>().join(PRODUCT)
}

/// What a model of every study is about, as a noun; absent of a study's own.
pub fn usual_outcome(model: &str) -> Option<&'static str> {
    Some(USUAL.iter().find(|usual| usual.name == model)?.noun)
}

/// Adds uncorrelated slopes of the condition for each participant, as a model of every study has them where some
/// participant has several conditions: without, what differs from person to person counts as if each trial were a new one.
pub(super) fn add_slopes_of_condition(formula: &mut Formula) {
    if !formula.fixed.columns().contains(&CONDITION) {
        return;
    }
    let is_of_people = |random: &&mut Random| random.factor == ["participant"] && random.terms.intercept;
    for random in formula.random.iter_mut().filter(is_of_people) {
        random.terms.products.push(vec![CONDITION.to_owned()]);
        random.correlated = false;
    }
}

impl ModelSpec {
    /// Checks the models of a study.
    ///
    /// # Errors
    ///
    /// The first fault, in words.
    pub fn check(all: &[Self]) -> Result<(), String> {
        for (place, spec) in all.iter().enumerate() {
            let named = |what: String| format!("model {:?}: {what}", spec.name);
            let is_taken = USUAL.iter().any(|usual| usual.name == spec.name)
                || all[..place].iter().any(|other| other.name == spec.name);
            if spec.name.trim().is_empty() || spec.name.contains(": ") || is_taken {
                return Err(named(
                    "the name is empty, has a colon and a space, or is that of another model".to_owned(),
                ));
            }
            let model = spec.model().map_err(|error| named(error.to_string()))?;
            let formula = &model.formula;
            let columns = std::iter::once(formula.response.as_str()).chain(formula.predictors());
            if let Some(name) = columns.into_iter().find(|name| !is_column(spec.rows, name)) {
                let known = spec.rows.columns().join(", ");
                return Err(named(format!(
                    "there is no column {name:?}; the columns are {known}, and log(…) and within(…) of numbers"
                )));
            }
            if let Some(name) = formula.factors().into_iter().find(|name| !["participant", "level"].contains(name)) {
                return Err(named(format!(
                    "random effects are of participant, level or participant:level, not of {name}"
                )));
            }
            if formula.random.is_empty() {
                return Err(named("it has no random effects: moves of one person are not independent; add (1 | participant) + (1 | level)".to_owned()));
            }
            let terms = terms(formula);
            if let Some(name) = spec.about.iter().find(|name| !terms.contains(&term_named(name))) {
                return Err(named(format!("there is no term {name:?}; the terms are {}", terms.join(", "))));
            }
            if terms.is_empty() {
                return Err(named("it has no predictor that could be tested".to_owned()));
            }
        }
        Ok(())
    }

    fn model(&self) -> Result<Model, FormulaError> {
        let formula: Formula = self.formula.parse()?;
        let about = match self.about.as_slice() {
            [] => terms(&formula),
            about => about.iter().map(|term| term_named(term)).collect(),
        };
        Ok(Model {
            name: self.name.clone(),
            title: format!("the model {} of {}", self.name, formula.response),
            rows: self.rows,
            said: about
                .into_iter()
                .map(|term| Said { term: term.clone(), words: term, question: self.name.clone() })
                .collect(),
            formula,
            is_own: true,
        })
    }
}

impl Usual {
    fn model(&self) -> Model {
        Model {
            name: self.name.to_owned(),
            title: self.title.to_owned(),
            rows: self.rows,
            formula: self.formula.parse().expect("the formulas are written as they must be"),
            said: self.said.iter().map(|&said| said.into()).collect(),
            is_own: false,
        }
    }
}

/// A term, what sentences call it, and the question that its test answers.
type Told = (&'static str, &'static str, &'static str);

impl From<Told> for Said {
    fn from((term, words, question): Told) -> Self {
        Self { term: term.to_owned(), words: words.to_owned(), question: question.to_owned() }
    }
}

/// A model that every study has, as far as its log goes.
struct Usual {
    name: &'static str,
    /// Response in words, with what the model compares it by where that is what it is about.
    title: &'static str,
    /// Response in words, as a noun: the time, or the odds of what happens or not.
    noun: &'static str,
    rows: Rows,
    /// Formula for data in which all of its columns vary.
    formula: &'static str,
    /// The terms that it is about.
    said: &'static [Told],
}

/// The model and the term that say whether a trial with more moves takes more time.
pub const TIME_OF_MOVES: (&str, &str) = ("time-of-moves", "within(log(n_moves))");
/// The model and the term that say whether moves of other quality take other time.
pub const QUALITY_OF_TIME: (&str, &str) = ("move-time", "quality");
/// The model and the term that say whether a move after a longer time is better.
pub const OPTIMAL_OF_TIME: (&str, &str) = ("thinking", "within(log(rt_s))");
/// The model and the effect that say whether levels are given up after errors.
pub const GIVE_UP_OF_ERROR: (&str, &str) = ("give-up", AFTER_ERROR);
/// The model and the effect that say whether attempts are restarted after errors.
pub const RESTART_OF_ERROR: (&str, &str) = ("restart", AFTER_ERROR);
const AFTER_ERROR: &str = "after_error";
/// Placeholder in sentences for the name of a position's value, which depends on the unit.
pub(super) const VALUE: &str = "value of the position";
const VALUE_WITHIN: &str = "value of the position, less the means of the person and of the level";
/// The term of the experimental condition.
pub const CONDITION: &str = "condition";
const BY_CONDITION: Told = (CONDITION, "condition", "conditions");
const BY_TRIAL_NUMBER: Told = ("trial_number", "number of the trial", "practice");
const BY_START_DISTANCE: Told = ("start_distance", "start distance", "start distance");
/// Term of the difficulty of a position, as seen in the time and the quality of the move from it.
const BY_VALUE: Told = ("value_before", VALUE, POSITIONS);
const BY_LEGAL_MOVES: Told = ("log(n_legal)", "ln number of legal moves", POSITIONS);
const POSITIONS: &str = "positions";
const THINKING: &str = "thinking";
const GIVING_UP: &str = "giving up";
const USUAL: &[Usual] = &[
    Usual {
        name: TIME_OF_MOVES.0,
        title: "time of solved trials by their number of moves",
        noun: "the time of solved trials",
        rows: Rows::SolvedTrials,
        // Neither people nor levels that take more moves, and more time for other reasons, can make this effect.
        formula: "log(time_s) ~ within(log(n_moves)) + (1 + within(log(n_moves)) || participant) + (1 + within(log(n_moves)) || level)",
        said: &[(
            TIME_OF_MOVES.1,
            "ln number of moves, less the means of the person and of the level",
            "moves and time",
        )],
    },
    Usual {
        name: "trial-time",
        title: "time of solved trials",
        noun: "the time of solved trials",
        rows: Rows::SolvedTrials,
        formula: "log(time_s) ~ condition + trial_number + start_distance + (1 + trial_number || participant) + (1 | level)",
        said: &[BY_CONDITION, BY_TRIAL_NUMBER, BY_START_DISTANCE],
    },
    Usual {
        name: "trial-moves",
        title: "number of moves of solved trials",
        noun: "the number of moves of solved trials",
        rows: Rows::SolvedTrials,
        formula: "log(n_moves) ~ condition + trial_number + start_distance + (1 + trial_number || participant) + (1 | level)",
        said: &[BY_CONDITION, BY_TRIAL_NUMBER, BY_START_DISTANCE],
    },
    Usual {
        name: "solved",
        title: "whether a trial is solved",
        noun: "the odds that a trial is solved",
        rows: Rows::Trials,
        formula: "solved ~ condition + trial_number + start_distance + (1 | participant) + (1 | level)",
        said: &[BY_CONDITION, BY_TRIAL_NUMBER, BY_START_DISTANCE],
    },
    Usual {
        name: QUALITY_OF_TIME.0,
        title: "time of a move after another",
        noun: "the time of a move after another",
        rows: Rows::LaterMoves,
        // On the way to a goal, the value falls as the number of moves made grows: where times in a row are alike, slopes
        // in the two go up and down together, and such that must not count each as evidence of its own.
        formula: "log(rt_s) ~ quality + within(value_before) + log(n_legal) + within(ply) + condition + (1 + quality + log(n_legal) || participant) + (0 + within(value_before) + within(ply) | participant) + (1 | level)",
        said: &[
            (QUALITY_OF_TIME.1, "quality of the move", THINKING),
            ("within(value_before)", VALUE_WITHIN, POSITIONS),
            BY_LEGAL_MOVES,
            BY_CONDITION,
        ],
    },
    Usual {
        name: "optimal",
        title: "whether a move is optimal",
        noun: "the odds that a move is optimal",
        rows: Rows::Choices,
        formula: "is_optimal ~ value_before + log(n_legal) + ply + condition + (1 + value_before + log(n_legal) + ply || participant) + (1 | level)",
        said: &[BY_VALUE, BY_LEGAL_MOVES, BY_CONDITION],
    },
    Usual {
        name: OPTIMAL_OF_TIME.0,
        title: "whether a move is optimal, by the time before it",
        noun: "the odds that a move is optimal",
        rows: Rows::Choices,
        formula: "is_optimal ~ within(log(rt_s)) + value_before + log(n_legal) + ply + condition + (1 + within(log(rt_s)) || participant) + (1 | level)",
        // Between people, quick ones may err more: that is no answer to whether a longer thought makes a move better.
        said: &[(
            OPTIMAL_OF_TIME.1,
            "ln time before the move, less the means of the person and of the level",
            THINKING,
        )],
    },
    Usual {
        name: "error",
        title: "whether a move after another is an error",
        noun: "the odds that a move after another is an error",
        rows: Rows::Choices,
        formula: "is_error ~ after_error + value_before + log(n_legal) + ply + condition + (1 + after_error || participant) + (1 | level)",
        said: &[(AFTER_ERROR, "after an error", "errors")],
    },
    Usual {
        name: RESTART_OF_ERROR.0,
        title: "whether an attempt is restarted after a move",
        noun: "the odds that an attempt is restarted after a move",
        rows: Rows::Moves,
        formula: "is_restart ~ after_error + value_before + log(n_legal) + ply + condition + (1 + after_error || participant) + (1 | level)",
        said: &[(AFTER_ERROR, "after an error", GIVING_UP)],
    },
    Usual {
        name: GIVE_UP_OF_ERROR.0,
        title: "whether a level is given up after a move",
        noun: "the odds that a level is given up after a move",
        rows: Rows::Moves,
        formula: "is_give_up ~ after_error + value_before + log(n_legal) + ply + condition + (1 + after_error || participant) + (1 | level)",
        said: &[(AFTER_ERROR, "after an error", GIVING_UP)],
    },
];

/// Returns true if an effect belongs to a term: it has its name, or names a label of each of its categories.
pub(crate) fn belongs_to(effect: &str, term: &str) -> bool {
    let (parts, columns) = (effect.split(" : "), term.split(" : "));
    let of_column = |(part, column): (&str, &str)| part == column || part.starts_with(&format!("{column} = "));
    parts.clone().count() == columns.clone().count() && parts.zip(columns).all(of_column)
}

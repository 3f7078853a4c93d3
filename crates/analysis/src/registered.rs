//! Hypotheses and their tests in words, before there are data: for the text of a preregistration.

use crate::confirmatory::{Hypothesis, model_and_term};
use crate::measures::capital;
use crate::model_specification::{
    CONDITION, Model, ModelSpec, PRODUCT, VALUE, add_slopes_of_condition, models, usual_outcome,
};
use plymap_statistics::formula::{Formula, Terms};

/// A hypothesis as a preregistration words it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisteredHypothesis {
    /// What is expected, without its direction.
    pub statement: String,
    /// The model and the test.
    pub test: String,
}

impl RegisteredHypothesis {
    /// A hypothesis of a study with these models of its own.
    pub fn new(hypothesis: &Hypothesis, specs: &[ModelSpec]) -> Self {
        match hypothesis {
            Hypothesis::Named { name, test } => {
                let Self { statement, test } = Self::new(test, specs);
                let mut letters = statement.chars();
                let begin = letters.next().map(char::to_lowercase).into_iter().flatten();
                Self { statement: format!("{name}: {}{}", begin.collect::<String>(), letters.as_str()), test }
            }
            Hypothesis::Row { table, row } => {
                let row: Vec<String> = row.iter().map(|(column, text)| format!("{column} {text}")).collect();
                let test = format!("the test in the table {table} with {}", listed(&row));
                Self { statement: format!("Tested by {test}."), test: format!("{}.", capital(&test)) }
            }
            Hypothesis::Term(text) => {
                let found = model_and_term(text).ok().and_then(|(name, term)| {
                    let model = models(specs).into_iter().find(|model| model.name == name)?;
                    Some(Self { statement: statement(&model, &term), test: test(&model, &term) })
                });
                // The study was checked: there is such a model.
                found.unwrap_or_else(|| Self { statement: text.clone(), test: text.clone() })
            }
        }
    }
}

/// What fits leave out of the models as they are registered.
pub const LEFT_OUT: &str = "Of each mixed model, terms that do not vary in the data and random effects of a single \
participant or level are left out; of the models that every study has, also terms that differ only between participants, or \
only between levels, where these are too few to tell such terms from what each of them has of its own.";

/// The models of a study's own in words.
pub fn own_models(specs: &[ModelSpec]) -> Vec<String> {
    models(specs)
        .iter()
        .filter(|model| model.is_own)
        .map(|model| format!("Model {}: {}.", model.name, fit(model)))
        .collect()
}

fn statement(model: &Model, term: &str) -> String {
    let outcome = usual_outcome(&model.name).unwrap_or(&model.formula.response);
    let said = model.said.iter().find(|said| said.term == term && !model.is_own);
    capital(&match term.rsplit_once(PRODUCT) {
        Some((first, by)) => {
            format!("the effect of {} on {outcome} depends on {by}.", listed(&first.split(PRODUCT).collect::<Vec<_>>()))
        }
        None if term == CONDITION && outcome.starts_with("the odds") => {
            format!("{outcome} differ between the conditions.")
        }
        None if term == CONDITION => format!("{outcome} differs between the conditions."),
        None => {
            let words = said.map_or(term, |said| said.words.as_str()).replace(VALUE, "value of the position");
            let depend = if outcome.starts_with("the odds") { "depend" } else { "depends" };
            format!("{outcome} {depend} on: {words}.")
        }
    })
}

/// The model, and the test of a term.
fn test(model: &Model, term: &str) -> String {
    let test = match is_logistic(&model.formula) {
        true => {
            "Wald test of all coefficients of the term, with Student's t or F and between-within degrees of freedom"
        }
        false => {
            "F test of all coefficients of the term (t test of a single one), with Satterthwaite's degrees of freedom"
        }
    };
    let term = term.replace(PRODUCT, " × ");
    format!("{}. The term tested is {term}: two-sided {test}.", capital(&fit(model)))
}

/// The family, the rows and the formula of a model.
fn fit(model: &Model) -> String {
    let family = match is_logistic(&model.formula) {
        true => "logistic mixed model (binomial family, logit link; Laplace approximation)",
        false => "linear mixed model (normal family; restricted maximum likelihood)",
    };
    let mut with_slopes = model.formula.clone();
    if !model.is_own {
        add_slopes_of_condition(&mut with_slopes);
    }
    let slopes = match with_slopes == model.formula {
        true => String::new(),
        false => format!(
            "; where a participant has several conditions, with uncorrelated slopes of {CONDITION} for each participant too ({with_slopes})"
        ),
    };
    format!("{family} of {}, with {}{slopes}", model.rows.word(), in_words(&model.formula))
}

/// Returns true if the response occurs or not.
fn is_logistic(formula: &Formula) -> bool {
    let response = formula.response.as_str();
    response == "solved" || response == "after_error" || response.starts_with("is_")
}

/// A formula in words.
fn in_words(formula: &Formula) -> String {
    let product = |columns: &Vec<String>| columns.join(" × ");
    let products = |terms: &Terms| listed(&terms.products.iter().map(product).collect::<Vec<_>>());
    let random = formula.random.iter().map(|random| {
        let slopes = match (random.terms.products.len(), random.correlated) {
            (0, _) => String::new(),
            (1, _) => format!("slopes of {}", products(&random.terms)),
            (_, true) => format!("correlated slopes of {}", products(&random.terms)),
            (_, false) => format!("uncorrelated slopes of {}", products(&random.terms)),
        };
        let effects = match (random.terms.intercept, slopes.is_empty()) {
            (true, true) => "intercepts".to_owned(),
            (true, false) => format!("intercepts and {slopes}"),
            (false, _) => slopes,
        };
        format!("random {effects} for each {}", random.factor.join(" × "))
    });
    let random: Vec<String> = random.collect();
    format!(
        "{} as the outcome, fixed effects of {}, and {} ({formula})",
        formula.response,
        products(&formula.fixed),
        random.join("; ")
    )
}

/// `a`, `a and b`, `a, b and c`.
fn listed<S: AsRef<str>>(names: &[S]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        names => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::Rows;

    #[test]
    fn a_hypothesis_is_a_statement_with_its_model_and_test() {
        let named = Hypothesis::Named {
            name: "Haste saves time".to_owned(),
            test: Box::new(Hypothesis::Term("trial-time: condition".to_owned())),
        };
        let said = RegisteredHypothesis::new(&named, &[]);
        assert_eq!(said.statement, "Haste saves time: the time of solved trials differs between the conditions.");
        assert!(
            said.test.starts_with(
                "Linear mixed model (normal family; restricted maximum likelihood) of solved trials, with log(time_s) as the outcome, fixed effects of condition, trial_number and start_distance, and random intercepts and slopes of trial_number for each participant; random intercepts for each level (log(time_s) ~ "
            ),
            "{}",
            said.test
        );
        assert!(said.test.contains("The term tested is condition: two-sided F test"), "{}", said.test);
        assert!(
            said.test.contains(
                "; where a participant has several conditions, with uncorrelated slopes of condition for each participant too (log(time_s) ~ 1 + condition + trial_number + start_distance + (1 + trial_number + condition || participant) + (1 | level)). The term"
            ),
            "{}",
            said.test
        );
        let odds = RegisteredHypothesis::new(&Hypothesis::Term("optimal: condition".to_owned()), &[]);
        assert_eq!(odds.statement, "The odds that a move is optimal differ between the conditions.");
        assert!(odds.test.starts_with("Logistic mixed model"), "{}", odds.test);
        let own = ModelSpec {
            name: "pauses".to_owned(),
            rows: Rows::LaterMoves,
            formula: "log(rt_s) ~ quality * condition + (1 | participant)".to_owned(),
            about: Vec::new(),
        };
        let product = RegisteredHypothesis::new(&Hypothesis::Term("pauses: quality:condition".to_owned()), &[own]);
        assert_eq!(product.statement, "The effect of quality on log(rt_s) depends on condition.");
        // A model of the study's own is fitted as it is written.
        assert!(!product.test.contains("several conditions"), "{}", product.test);
    }

    #[test]
    fn an_outcome_is_told_without_what_it_is_compared_by() {
        let said = |term: &str| RegisteredHypothesis::new(&Hypothesis::Term(term.to_owned()), &[]);
        let thinking = said("thinking: within(log(rt_s))");
        assert_eq!(
            thinking.statement,
            "The odds that a move is optimal depend on: ln time before the move, less the means of the person and of the level."
        );
        let of_moves = said("time-of-moves: within(log(n_moves))");
        assert_eq!(
            of_moves.statement,
            "The time of solved trials depends on: ln number of moves, less the means of the person and of the level."
        );
        // There is no condition in it.
        assert!(!of_moves.test.contains("several conditions"), "{}", of_moves.test);
    }
}

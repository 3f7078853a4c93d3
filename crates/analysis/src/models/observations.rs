//! Observations of a model: the columns of trials or of moves that its formula names.

use crate::at_risk::at_risk;
use crate::context::Context;
use crate::dataset::Dataset;
use crate::measures::{deviations, deviations_from_both};
use crate::model_specification::{Model, add_slopes_of_condition, terms};
use crate::model_variables::{Row, Value, argument, value};
use plymap_statistics::formula::{Formula, Random};
use plymap_statistics::stats::NotEstimable;
use plymap_statistics::stats::mixed::{Grouping, Outcome, Specification, Variable};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::collections::{HashMap, HashSet};

/// More moves than this are not modelled at once: participants are drawn until their moves are so many.
pub const MOST_MOVES: usize = 50_000;

/// Observations that a model is fitted to.
pub(super) struct Observations {
    /// The formula without what does not vary.
    pub formula: Formula,
    pub specification: Result<Specification, NotEstimable>,
    pub n: usize,
    pub n_events: Option<usize>,
    pub n_participants: usize,
    pub n_levels: usize,
    pub n_left_out: usize,
    pub n_not_drawn: usize,
    /// Pairs of rows that follow each other: of moves in an attempt, of trials of a participant.
    pub next: Vec<(usize, usize)>,
}

impl Observations {
    /// The complete rows of the kind that is modelled.
    ///
    /// # Errors
    ///
    /// Why there is nothing to model: there are no rows of the kind, the outcome is not known, or nothing of what the model
    /// is about varies.
    pub fn new(model: &Model, context: &Context) -> Result<Self, String> {
        let (data, kind, formula) = (context.data, model.rows, &model.formula);
        let drawn = if kind.are_moves() { drawn(data, context) } else { vec![true; data.participants.len()] };
        let names: Vec<&str> = std::iter::once(formula.response.as_str()).chain(formula.predictors()).collect();
        // A column that no row has, such as the condition, is none of the model's; the others must be complete.
        let rows = || rows(data).filter(|row| kind.has(row) && drawn[row.participant()]);
        let is_known = |name: &&str| rows().any(|row| value(data, &row, name).is_some());
        let known: Vec<&str> = names.into_iter().filter(is_known).collect();
        if !known.contains(&formula.response.as_str()) {
            return Err(format!("none of the {} has a value of {}", kind.name(), formula.response));
        }
        let has_all = |row: &Row| known.iter().all(|name| value(data, row, name).is_some());
        let complete: Vec<Row> = rows().filter(has_all).collect();
        let column = |name: &str| complete.iter().filter_map(|row| value(data, row, name)).collect::<Vec<Value>>();
        let mut formula = formula.clone();
        let variables = variables(data, &formula, &known, &complete);
        // What does not vary has no effect, and must not take those of the others with it.
        let is_there = |name: &String| variables.iter().any(|(column, _)| column == name);
        let varies = |product: &Vec<String>| product.iter().all(is_there);
        formula.fixed.products.retain(varies);
        formula.random.iter_mut().for_each(|random| random.terms.products.retain(varies));
        let (participants, levels) = places(&complete);
        if !model.is_own {
            for places in [&participants, &levels] {
                let constant = constant_within(&formula, places, column);
                formula.fixed.products.retain(|product| !constant.contains(product));
            }
        }
        let left = terms(&formula);
        if !model.said.iter().any(|said| left.contains(&said.term)) {
            let terms = model.said.iter().map(|said| said.term.as_str()).collect::<Vec<_>>().join(", ");
            return Err(format!("nothing of what it is about varies ({terms})"));
        }
        let labels =
            |names: &[String], places: &[usize]| places.iter().map(|&place| names[place].clone()).collect::<Vec<_>>();
        let factors = vec![
            Grouping::new("participant", &labels(&data.participants, &participants)),
            Grouping::new("level", &labels(&data.levels, &levels)),
        ];
        let has_several = |random: &Random| {
            factors.iter().any(|factor| random.factor.contains(&factor.name) && factor.labels.len() > 1)
        };
        formula.random.retain(|random| has_several(random) && !random.terms.is_empty());
        if !model.is_own && within_participants(&complete) {
            add_slopes_of_condition(&mut formula);
        }
        let values = column(&formula.response);
        let events: Vec<bool> = values.iter().filter_map(|value| value.flag()).collect();
        let n_events = (events.len() == values.len()).then(|| events.iter().filter(|&&event| event).count());
        let outcome = match n_events {
            Some(_) => Outcome::Event(events),
            None => Outcome::Number(values.into_iter().filter_map(Value::number).collect()),
        };
        let variables = variables.into_iter().map(|(_, variable)| variable).collect::<Result<Vec<_>, _>>();
        let n_labels: Vec<usize> = factors.iter().map(|factor| factor.labels.len()).collect();
        let specify = |variables| Specification::new(formula.clone(), outcome, variables, factors);
        Ok(Self {
            specification: variables.and_then(specify),
            n: complete.len(),
            n_events,
            n_participants: n_labels[0],
            n_levels: n_labels[1],
            n_left_out: rows().count() - complete.len(),
            next: successors(&complete),
            n_not_drawn: drawn.iter().filter(|drawn| !**drawn).count(),
            formula,
        })
    }
}

/// The predictors that vary, by the name that the formula gives them.
fn variables(
    data: &Dataset,
    formula: &Formula,
    known: &[&str],
    rows: &[Row],
) -> Vec<(String, Result<Variable, NotEstimable>)> {
    let of_name = |name: &str| {
        let values: Vec<Value> = rows.iter().filter_map(|row| value(data, row, name)).collect();
        let varies = known.contains(&name) && values.windows(2).any(|pair| pair[0] != pair[1]);
        varies.then(|| (name.to_owned(), variable(name, &values, rows)))
    };
    formula.predictors().into_iter().filter_map(of_name).collect()
}

/// A predictor; numbers are centred at their mean, `within(x)` at those of participants and of levels.
fn variable(name: &str, values: &[Value], rows: &[Row]) -> Result<Variable, NotEstimable> {
    let labels: Vec<&str> = values.iter().filter_map(|value| value.label()).collect();
    if labels.len() == values.len() {
        // The first quality that occurs is the best one; other labels are in alphabetical order.
        let order = plymap_measures::label::Quality::ALL.map(|quality| quality.name());
        let of_quality = order.into_iter().filter(|_| name == "quality").find(|quality| labels.contains(quality));
        let reference = of_quality.or_else(|| labels.iter().min().copied()).unwrap_or_default();
        return Variable::factor(name, &labels, reference);
    }
    let numbers: Vec<f64> = values.iter().filter_map(|value| value.number()).collect();
    if argument(name, "within").is_none() {
        return Variable::number(name, &deviations(&vec![0; numbers.len()], &numbers));
    }
    let (participants, levels) = places(rows);
    Variable::number(name, &deviations_from_both(&participants, &levels, numbers))
}

/// The terms that are constant within people, or levels, where with the intercept there are as many such effects as people,
/// or levels: nothing tells them from what these have of their own.
fn constant_within<'a>(
    formula: &Formula,
    places: &[usize],
    column: impl Fn(&str) -> Vec<Value<'a>>,
) -> Vec<Vec<String>> {
    let n_labels = places.iter().collect::<HashSet<_>>().len();
    let n_effects = |product: &Vec<String>| {
        let values: Vec<Vec<Value>> = product.iter().map(|name| column(name)).collect();
        let mut first: HashMap<usize, usize> = HashMap::new();
        let is_same = |(row, place): (usize, &usize)| {
            let first = *first.entry(*place).or_insert(row);
            values.iter().all(|column| column[row] == column[first])
        };
        let is_constant = places.iter().enumerate().all(is_same);
        let n_values =
            |column: &Vec<Value>| column.iter().filter_map(|value| value.label()).collect::<HashSet<_>>().len();
        let contrasts = |column| n_values(column).saturating_sub(1).max(1);
        is_constant.then(|| values.iter().map(contrasts).product::<usize>())
    };
    let constant: Vec<(&Vec<String>, usize)> =
        formula.fixed.products.iter().filter_map(|product| Some((product, n_effects(product)?))).collect();
    let n: usize = constant.iter().map(|(_, n)| n).sum();
    constant.into_iter().filter(|_| n + 1 >= n_labels).map(|(product, _)| product.clone()).collect()
}

/// The participant and the level of each.
fn places(rows: &[Row]) -> (Vec<usize>, Vec<usize>) {
    rows.iter().map(|row| (row.participant(), row.level())).unzip()
}

/// Pairs of rows that follow each other.
fn successors(rows: &[Row]) -> Vec<(usize, usize)> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    // Moves stand in their order already.
    order.sort_by_key(|&row| match rows[row] {
        Row::Trial(trial) => (trial.participant, trial.order),
        Row::Move { .. } => (0, Some(row)),
    });
    let follows = |pair: &[usize]| match (rows[pair[0]], rows[pair[1]]) {
        (Row::Trial(trial), Row::Trial(next)) => {
            trial.participant == next.participant && trial.order.is_some_and(|order| next.order == Some(order + 1))
        }
        (Row::Move { attempt, risk }, Row::Move { attempt: other, risk: next }) => {
            std::ptr::eq(attempt, other) && next.row.is_next && next.row.ply == risk.row.ply + 1
        }
        _ => false,
    };
    order.windows(2).filter(|pair| follows(pair)).map(|pair| (pair[0], pair[1])).collect()
}

/// Returns true if some participant has several conditions.
fn within_participants(rows: &[Row]) -> bool {
    let mut first: HashMap<usize, Option<&str>> = HashMap::new();
    rows.iter().any(|row| *first.entry(row.participant()).or_insert(row.condition()) != row.condition())
}

/// Returns, for each participant, true if modelled: all, or in a drawn order whoever has no more moves than the limit
/// leaves; the first of them in any case.
fn drawn(data: &Dataset, context: &Context) -> Vec<bool> {
    let mut n_moves = vec![0; data.participants.len()];
    if data.moves.len() <= MOST_MOVES {
        return vec![true; n_moves.len()];
    }
    data.attempts.iter().for_each(|attempt| n_moves[attempt.participant] += attempt.moves.len());
    let mut order: Vec<usize> = (0..n_moves.len()).filter(|&participant| n_moves[participant] > 0).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(context.seed()));
    let (mut total, mut drawn) = (0, vec![false; n_moves.len()]);
    for participant in order {
        if total == 0 || total + n_moves[participant] <= MOST_MOVES {
            total += n_moves[participant];
            drawn[participant] = true;
        }
    }
    drawn
}

fn rows(data: &Dataset) -> impl Iterator<Item = Row<'_>> {
    let of_attempt = |attempt| at_risk(attempt, data.moves_of(attempt)).map(move |risk| Row::Move { attempt, risk });
    data.trials.iter().map(Row::Trial).chain(data.attempts.iter().flat_map(of_attempt))
}

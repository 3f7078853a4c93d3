//! What a model is fitted to: the columns of trials or of moves that its formula names.

use std::collections::HashMap;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::super::Context;
use super::super::dataset::{AttemptEnd, AttemptRow, Dataset, MoveRow, Trial};
use super::super::measures::{deviations, deviations_from_both, is_solved};
use super::super::sequences::{AtRisk, at_risk};
use super::MOST_MOVES;
use plymap_statistics::formula::{Formula, Random};
use plymap_statistics::stats::NotEstimable;
use plymap_statistics::stats::mixed::{Grouping, Outcome, Specification, Variable};

/// What each observation of a model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rows {
    /// A trial.
    Trials,
    /// A solved trial.
    SolvedTrials,
    /// A move.
    Moves,
    /// A move behind the first of its attempt.
    LaterMoves,
    /// A move from a position in which some moves are optimal and some are not.
    Choices,
}

impl Rows {
    pub const NAMES: [&'static str; 5] = ["trial", "solved trial", "move", "move after the first", "choice"];

    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Several of them, in words.
    pub fn word(self) -> &'static str {
        match self {
            Self::Trials => "trials",
            Self::SolvedTrials => "solved trials",
            Self::Moves | Self::LaterMoves | Self::Choices => "moves",
        }
    }

    fn are_moves(self) -> bool {
        !matches!(self, Self::Trials | Self::SolvedTrials)
    }

    fn has(self, row: &Row) -> bool {
        match (self, row) {
            (Self::Trials, Row::Trial(_)) | (Self::Moves, Row::Move { .. }) => true,
            (Self::SolvedTrials, Row::Trial(trial)) => is_solved(trial),
            (Self::LaterMoves, Row::Move { risk, .. }) => risk.row.ply > 0,
            (Self::Choices, Row::Move { risk, .. }) => risk.row.is_choice(),
            _ => false,
        }
    }
}

/// An observation.
#[derive(Clone, Copy)]
enum Row<'a> {
    Trial(&'a Trial),
    Move { attempt: &'a AttemptRow, risk: AtRisk<'a> },
}

/// What a column says of an observation.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Value<'a> {
    Number(f64),
    Label(&'a str),
    Flag(bool),
}

/// What a model is fitted to.
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
}

impl Observations {
    /// The complete rows of a kind; absent where there are none of it, where the outcome is not known, or nothing of what the
    /// model is about (`said`) varies.
    pub fn new(kind: Rows, formula: &Formula, said: &[&str], context: &Context) -> Option<Self> {
        let data = context.data;
        let drawn = if kind.are_moves() { drawn(data, context) } else { vec![true; data.participants.len()] };
        let names: Vec<&str> = std::iter::once(formula.response.as_str()).chain(formula.predictors()).collect();
        // A column that no row has, such as the condition, is none of the model's; the others must be complete.
        let rows = || rows(data).filter(|row| kind.has(row) && drawn[row.participant()]);
        let is_known = |name: &&str| rows().any(|row| value(&row, name).is_some());
        let known: Vec<&str> = names.into_iter().filter(is_known).collect();
        if !known.contains(&formula.response.as_str()) {
            return None;
        }
        let has_all = |row: &Row| known.iter().all(|name| value(row, name).is_some());
        let complete: Vec<Row> = rows().filter(has_all).collect();
        let column = |name: &str| complete.iter().filter_map(|row| value(row, name)).collect::<Vec<Value>>();
        let mut formula = formula.clone();
        let variables = variables(&formula, &known, &complete);
        // What does not vary has no effect, and must not take those of the others with it.
        let is_there = |name: &String| variables.iter().any(|(own, _)| own == name);
        let varies = |product: &Vec<String>| product.iter().all(is_there);
        formula.fixed.products.retain(varies);
        formula.random.iter_mut().for_each(|random| random.terms.products.retain(varies));
        if !said.iter().any(|name| is_there(&(*name).to_owned())) {
            return None;
        }
        let (participants, levels) = places(&complete);
        let labels =
            |names: &[String], places: &[usize]| places.iter().map(|&own| names[own].clone()).collect::<Vec<_>>();
        let factors = vec![
            Grouping::new("participant", &labels(&data.participants, &participants)),
            Grouping::new("level", &labels(&data.levels, &levels)),
        ];
        let has_several = |random: &Random| {
            factors.iter().any(|factor| random.factor.contains(&factor.name) && factor.labels.len() > 1)
        };
        formula.random.retain(has_several);
        if within_participants(&complete) && formula.fixed.columns().contains(&"condition") {
            for random in formula.random.iter_mut().filter(|random| random.factor == ["participant"]) {
                random.terms.products.push(vec!["condition".to_owned()]);
                random.correlated = false;
            }
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
        Some(Self {
            specification: variables.and_then(specify),
            n: complete.len(),
            n_events,
            n_participants: n_labels[0],
            n_levels: n_labels[1],
            n_left_out: rows().count() - complete.len(),
            n_not_drawn: drawn.iter().filter(|drawn| !**drawn).count(),
            formula,
        })
    }
}

/// The predictors that vary, by the name that the formula gives them.
fn variables(formula: &Formula, known: &[&str], rows: &[Row]) -> Vec<(String, Result<Variable, NotEstimable>)> {
    let of_name = |name: &str| {
        let values: Vec<Value> = rows.iter().filter_map(|row| value(row, name)).collect();
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
        let order = crate::label::Quality::ALL.map(|quality| quality.name());
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

/// The participant and the level of each.
fn places(rows: &[Row]) -> (Vec<usize>, Vec<usize>) {
    rows.iter().map(|row| (row.participant(), row.level())).unzip()
}

/// Whether some participant has several conditions.
fn within_participants(rows: &[Row]) -> bool {
    let mut first: HashMap<usize, Option<&str>> = HashMap::new();
    rows.iter().any(|row| *first.entry(row.participant()).or_insert(row.condition()) != row.condition())
}

/// Which participants are modelled: all, or in a drawn order whoever has no more moves than the limit leaves; the first of
/// them in any case.
fn drawn(data: &Dataset, context: &Context) -> Vec<bool> {
    let mut n_moves = vec![0; data.participants.len()];
    if data.moves.len() <= MOST_MOVES {
        return vec![true; n_moves.len()];
    }
    data.attempts.iter().for_each(|attempt| n_moves[attempt.participant] += attempt.moves.len());
    let mut order: Vec<usize> = (0..n_moves.len()).filter(|&own| n_moves[own] > 0).collect();
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

impl<'a> Row<'a> {
    fn participant(&self) -> usize {
        match self {
            Self::Trial(trial) => trial.participant,
            Self::Move { attempt, .. } => attempt.participant,
        }
    }

    fn level(&self) -> usize {
        match self {
            Self::Trial(trial) => trial.level,
            Self::Move { attempt, .. } => attempt.level,
        }
    }

    fn condition(&self) -> Option<&'a str> {
        match self {
            Self::Trial(trial) => trial.condition.as_deref(),
            Self::Move { attempt, .. } => attempt.condition.as_deref(),
        }
    }
}

impl<'a> Value<'a> {
    fn number(self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(number),
            Self::Flag(flag) => Some(f64::from(u8::from(flag))),
            Self::Label(_) => None,
        }
    }

    fn flag(self) -> Option<bool> {
        if let Self::Flag(flag) = self { Some(flag) } else { None }
    }

    fn label(self) -> Option<&'a str> {
        if let Self::Label(label) = self { Some(label) } else { None }
    }
}

fn argument<'a>(name: &'a str, function: &str) -> Option<&'a str> {
    name.strip_prefix(function)?.strip_prefix('(')?.strip_suffix(')')
}

/// The value of a column, named as in the tables `trials` and `moves`, or its logarithm.
fn value<'a>(row: &Row<'a>, name: &str) -> Option<Value<'a>> {
    if let Some(inner) = argument(name, "within") {
        return value(row, inner);
    }
    if let Some(inner) = argument(name, "log") {
        let number = value(row, inner)?.number()?;
        return Some(Value::Number(number.ln())).filter(|_| number > 0.0);
    }
    if name == "condition" {
        return row.condition().map(Value::Label);
    }
    match *row {
        Row::Trial(trial) => of_trial(trial, name),
        Row::Move { risk, .. } => match name {
            "after_error" => risk.is_after_error.map(Value::Flag),
            "is_restart" => Some(Value::Flag(risk.end == Some(AttemptEnd::Reset))),
            "is_give_up" => Some(Value::Flag(risk.end == Some(AttemptEnd::GaveUp))),
            _ => of_move(risk.row, name),
        },
    }
}

fn of_trial<'a>(trial: &Trial, name: &str) -> Option<Value<'a>> {
    let number = match name {
        "solved" => return trial.is_solved.map(Value::Flag),
        "time_s" => trial.time_s,
        "n_moves" => trial.n_moves,
        "trial_number" => trial.order.map(|order| (order + 1) as f64),
        "start_distance" => trial.start_distance.map(f64::from),
        _ => None,
    };
    number.filter(|number| number.is_finite()).map(Value::Number)
}

fn of_move<'a>(own: &MoveRow, name: &str) -> Option<Value<'a>> {
    let number = match name {
        "quality" => return Some(Value::Label(own.quality.name())),
        "is_optimal" => return Some(Value::Flag(own.is_optimal)),
        "is_error" => return Some(Value::Flag(own.is_error())),
        "rt_s" => own.rt_s,
        "value_before" => own.value_before,
        "n_legal" => Some(f64::from(own.n_legal)),
        "ply" => Some(f64::from(own.ply)),
        _ => None,
    };
    number.filter(|number| number.is_finite()).map(Value::Number)
}

//! What a model is fitted to: the columns of trials or of moves that its formula names.

use std::collections::HashMap;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::super::Context;
use super::super::dataset::{AttemptEnd, AttemptRow, Dataset, MoveRow, Trial};
use super::super::measures::{deviations, is_solved};
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
    /// A move that follows another.
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
            (Self::LaterMoves, Row::Move { own, .. }) => own.ply > 0,
            (Self::Choices, Row::Move { own, .. }) => !own.is_lost() && own.n_optimal < own.n_legal,
            _ => false,
        }
    }
}

/// An observation.
#[derive(Clone, Copy)]
enum Row<'a> {
    Trial(&'a Trial),
    Move { attempt: &'a AttemptRow, own: &'a MoveRow, before: Option<&'a MoveRow>, is_last: bool },
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
    /// The complete rows of a kind; absent where there are none of it.
    pub fn new(kind: Rows, formula: &Formula, context: &Context) -> Option<Self> {
        let data = context.data;
        let drawn = if kind.are_moves() { drawn(data, context) } else { vec![true; data.participants.len()] };
        let names: Vec<&str> = std::iter::once(formula.response.as_str()).chain(formula.predictors()).collect();
        // A column that no row has, such as the condition, is none of the model's; the others must be complete.
        let rows = || rows(data).filter(|row| kind.has(row) && drawn[row.participant()]);
        let is_known = |name: &&str| rows().any(|row| value(&row, name).is_some());
        let known: Vec<&str> = names.iter().copied().filter(is_known).collect();
        let n_rows = rows().count();
        if n_rows == 0 {
            return None;
        }
        let has_all = |row: &Row| known.iter().all(|name| value(row, name).is_some());
        let complete: Vec<Row> = rows().filter(has_all).collect();
        let mut found = Self {
            formula: formula.clone(),
            specification: Err(NotEstimable::TooFew {
                quantity: "a mixed model",
                unit: "observations with all values",
                found: 0,
                needed: 1,
            }),
            n: complete.len(),
            n_events: None,
            n_participants: count(complete.iter().map(Row::participant)),
            n_levels: count(complete.iter().map(Row::level)),
            n_left_out: n_rows - complete.len(),
            n_not_drawn: drawn.iter().filter(|drawn| !**drawn).count(),
        };
        if !complete.is_empty() {
            found.specification = found.specify(data, &complete, &known);
        }
        Some(found)
    }

    fn specify(&mut self, data: &Dataset, rows: &[Row], known: &[&str]) -> Result<Specification, NotEstimable> {
        let column = |name: &str| rows.iter().filter_map(|row| value(row, name)).collect::<Vec<Value>>();
        let response = self.formula.response.clone();
        if !known.contains(&response.as_str()) {
            return Err(NotEstimable::NoVariance { variable: "y" });
        }
        let outcome = match column(&response) {
            values if matches!(values.first(), Some(Value::Flag(_))) => {
                let events: Vec<bool> = values.into_iter().map(|value| value == Value::Flag(true)).collect();
                self.n_events = Some(events.iter().filter(|&&event| event).count());
                Outcome::Event(events)
            }
            values => Outcome::Number(values.into_iter().filter_map(Value::number).collect()),
        };
        let mut variables = Vec::new();
        for name in self.formula.predictors() {
            let values = if known.contains(&name) { column(name) } else { Vec::new() };
            if values.windows(2).any(|pair| pair[0] != pair[1]) {
                let participants: Vec<usize> = rows.iter().map(Row::participant).collect();
                variables.push(variable(name, &values, &participants)?);
            }
        }
        // What does not vary has no effect, and must not take those of the others with it.
        let varies = |product: &Vec<String>| product.iter().all(|name| variables.iter().any(|own| own.name == *name));
        self.formula.fixed.products.retain(varies);
        for random in &mut self.formula.random {
            random.terms.products.retain(varies);
        }
        let participants: Vec<&str> = rows.iter().map(|row| data.participants[row.participant()].as_str()).collect();
        let levels: Vec<&str> = rows.iter().map(|row| data.levels[row.level()].as_str()).collect();
        let factors = [Grouping::new("participant", &participants), Grouping::new("level", &levels)];
        let has_several = |random: &Random| {
            factors.iter().any(|factor| random.factor.contains(&factor.name) && factor.labels.len() > 1)
        };
        self.formula.random.retain(has_several);
        if within_participants(rows) && self.formula.fixed.columns().contains(&"condition") {
            for random in self.formula.random.iter_mut().filter(|random| random.factor == ["participant"]) {
                random.terms.products.push(vec!["condition".to_owned()]);
            }
        }
        // What is constant at each level cannot vary from one level to the other within it.
        Specification::new(self.formula.clone(), outcome, variables, factors.to_vec())
    }
}

/// A predictor; numbers are centred at their mean, or at that of each participant.
fn variable(name: &str, values: &[Value], participants: &[usize]) -> Result<Variable, NotEstimable> {
    let labels: Vec<&str> = values.iter().filter_map(|value| value.label()).collect();
    if labels.len() == values.len() {
        // The first quality that occurs is the best one; other labels are in alphabetical order.
        let order = crate::label::Quality::ALL.map(|quality| quality.name());
        let of_quality = order.into_iter().filter(|_| name == "quality").find(|quality| labels.contains(quality));
        let reference = of_quality.or_else(|| labels.iter().min().copied()).unwrap_or_default();
        return Variable::factor(name, &labels, reference);
    }
    let numbers: Vec<f64> = values.iter().filter_map(|value| value.number()).collect();
    let one = vec![0; numbers.len()];
    let groups = if argument(name, "within").is_some() { participants } else { &one };
    Variable::number(name, &deviations(groups, &numbers))
}

/// Whether some participant has several conditions.
fn within_participants(rows: &[Row]) -> bool {
    let mut first: HashMap<usize, Option<&str>> = HashMap::new();
    rows.iter().any(|row| *first.entry(row.participant()).or_insert(row.condition()) != row.condition())
}

/// Which participants are modelled: all, or in a drawn order as many as have no more moves than the limit together.
fn drawn(data: &Dataset, context: &Context) -> Vec<bool> {
    if data.moves.len() <= MOST_MOVES {
        return vec![true; data.participants.len()];
    }
    let mut n_moves = vec![0; data.participants.len()];
    data.attempts.iter().for_each(|attempt| n_moves[attempt.participant] += attempt.moves.len());
    let mut order: Vec<usize> = (0..n_moves.len()).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(context.seed()));
    let (mut total, mut drawn) = (0, vec![false; n_moves.len()]);
    for participant in order {
        total += n_moves[participant];
        if total > MOST_MOVES {
            break;
        }
        drawn[participant] = true;
    }
    drawn
}

fn rows(data: &Dataset) -> impl Iterator<Item = Row<'_>> {
    let of_attempt = |attempt| {
        let moves = data.moves_of(attempt);
        moves.iter().enumerate().map(move |(index, own)| {
            let before = index.checked_sub(1).filter(|_| own.is_next).map(|before| &moves[before]);
            Row::Move { attempt, own, before, is_last: index + 1 == moves.len() }
        })
    };
    data.trials.iter().map(Row::Trial).chain(data.attempts.iter().flat_map(of_attempt))
}

fn count(numbers: impl Iterator<Item = usize>) -> usize {
    numbers.collect::<std::collections::BTreeSet<usize>>().len()
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
        Row::Move { attempt, own, before, is_last } => {
            let ends = |end: AttemptEnd| Some(Value::Flag(is_last && attempt.end == end));
            match name {
                "after_error" => before.filter(|own| !own.is_lost()).map(|own| Value::Flag(own.is_error())),
                "is_restart" => ends(AttemptEnd::Reset),
                "is_give_up" => ends(AttemptEnd::GaveUp),
                _ => of_move(own, name),
            }
        }
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

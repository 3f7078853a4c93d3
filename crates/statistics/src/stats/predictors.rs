//! Predictors of a model: numbers as they are, categories as contrasts with a reference.

use crate::estimator::fit::Fitted;
use crate::estimator::labels::in_order;
use crate::estimator::sample::Sample;
use crate::estimator::{Complete, Input};
use crate::estimator::{Role, Values};
use crate::not_estimable::{NotEstimable, check_count};
use crate::record::{N, N_EVENTS, N_MISSING, Record};
use crate::stats::covariate::Covariate;
use crate::stats::mixed::design::Variable;

/// More labels of a category than this are refused: each but one is a column of the model.
const MOST_LABELS: usize = 100;

/// A predictor, at the rows of a model.
pub(crate) enum Predictor<'a> {
    Number { name: &'a str, values: Vec<f64> },
    Category { name: &'a str, labels: Vec<&'a str>, reference: String, others: Vec<String> },
}

impl<'a> Predictor<'a> {
    /// Its column.
    pub fn name(&self) -> &'a str {
        match self {
            Self::Number { name, .. } | Self::Category { name, .. } => name,
        }
    }

    /// The same under a name, as a mixed model takes it.
    pub fn variable(&self, name: &str) -> Result<Variable, NotEstimable> {
        match self {
            Self::Number { values, .. } => Variable::number(name, values),
            Self::Category { labels, reference, .. } => Variable::factor(name, labels, reference),
        }
    }
}

/// The predictors of a sample at these rows.
pub(crate) fn predictors<'a>(sample: &'a Sample, complete: &Complete) -> Result<Vec<Predictor<'a>>, NotEstimable> {
    check_count("the model", "rows with all values", complete.indices.len(), 1)?;
    let predictor = |input: &'a Input| {
        let name = input.name.as_str();
        if let Values::Numbers(_) = input.values {
            return Ok(Predictor::Number { name, values: input.numbers(&complete.indices) });
        }
        let labels = input.labels(&complete.indices);
        let mut others = in_order(labels.iter().copied());
        if others.len() > MOST_LABELS {
            let (quantity, value) = ("the number of labels of a predictor", others.len().to_string());
            return Err(NotEstimable::OutOfRange { quantity, value, allowed: "at most 100" });
        }
        let requested = sample.request.references.get(name).cloned();
        let reference = requested.or_else(|| others.first().cloned()).unwrap_or_default();
        if !others.contains(&reference) {
            return Err(undefined(format!("no row has {name} = {reference}, the reference")));
        }
        others.retain(|label| *label != reference);
        if others.is_empty() {
            return Err(undefined(format!("all rows have {name} = {reference}")));
        }
        Ok(Predictor::Category { name, labels, reference, others })
    };
    sample.all(Role::Predictor).iter().map(predictor).collect()
}

/// A model of events at the complete rows of a sample, with what all of its rows rest on.
pub(crate) fn model_of_events<M>(
    sample: &Sample,
    complete: &Complete,
    events: &[bool],
    fit: impl FnOnce(&[Covariate]) -> M,
    record: fn(&M) -> Record,
) -> Fitted<M> {
    match predictors(sample, complete) {
        Ok(predictors) => {
            let columns = columns(&predictors);
            let covariates: Vec<Covariate> = columns.iter().map(|(name, values)| Covariate { name, values }).collect();
            let model = fit(&covariates);
            Fitted { whole: record(&model).set(N_MISSING, complete.n_missing), model: Some(model) }
        }
        Err(reason) => {
            let n_events = events.iter().filter(|&&event| event).count();
            let whole = Record::new().set(N, events.len()).set(N_EVENTS, n_events);
            Fitted::new(whole.set(N_MISSING, complete.n_missing), Err(reason))
        }
    }
}

/// The columns of a model on a log scale, each with its name.
fn columns(predictors: &[Predictor]) -> Vec<(String, Vec<f64>)> {
    let of_predictor = |predictor: &Predictor| match predictor {
        Predictor::Number { name, values } => vec![((*name).to_owned(), values.clone())],
        Predictor::Category { name, labels, others, .. } => {
            let indicator =
                |other: &String| labels.iter().map(|label| f64::from(u8::from(label == other))).collect::<Vec<_>>();
            others.iter().map(|other| (format!("{name} = {other}"), indicator(other))).collect()
        }
    };
    predictors.iter().flat_map(of_predictor).collect()
}

/// A number for each label, for the clusters of a model.
pub(crate) fn numbered(labels: &[&str]) -> Vec<usize> {
    let mut numbers = std::collections::HashMap::new();
    let mut number = |label| {
        let next = numbers.len();
        *numbers.entry(label).or_insert(next)
    };
    labels.iter().map(|&label| number(label)).collect()
}

fn undefined(why: String) -> NotEstimable {
    NotEstimable::Undefined { quantity: "the model", why }
}

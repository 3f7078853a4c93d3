//! Models that are fitted once, and the tables that each of them gives.

use super::sample::Sample;
use crate::not_estimable::NotEstimable;
use crate::record::{Column, REASON, Record};

/// The rows of a table of a model.
pub(crate) type Rows<M> = fn(&M) -> Vec<Record>;

/// A model with several tables: how it is fitted, and the rows of each table.
pub(crate) struct Model<M: 'static> {
    pub fit: fn(&Sample) -> Fitted<M>,
    /// The rows of the first table, which the estimator describes.
    pub rows: Rows<M>,
    pub parts: &'static [Part<Rows<M>>],
}

/// A further table of a model.
#[derive(Clone, Copy)]
pub(crate) struct Part<R> {
    pub name: &'static str,
    pub summary: &'static str,
    /// The assumptions behind it; empty if they are those of the estimator.
    pub assumptions: &'static str,
    pub source: &'static str,
    pub columns: &'static [Column],
    pub rows: R,
}

/// A model that was fitted to a sample.
pub(crate) struct Fitted<M> {
    /// The cells that all rows of all tables share; where there is no model, with the reason.
    pub whole: Record,
    pub model: Option<M>,
}

impl<M> Fitted<M> {
    /// The model, or the reason why there is none.
    pub fn new(whole: Record, model: Result<M, NotEstimable>) -> Self {
        match model {
            Ok(model) => Self { whole, model: Some(model) },
            Err(reason) => Self { whole: whole.set(REASON, reason), model: None },
        }
    }
}

/// A model of any kind, as an estimator holds it.
pub(crate) trait Fit: Sync {
    /// Its tables beside the first.
    fn parts(&self) -> Vec<Part<()>>;

    /// The rows of the tables at these places, from one fit.
    fn rows(&self, sample: &Sample, places: &[usize]) -> Vec<Vec<Record>>;
}

impl<M> Fit for Model<M> {
    fn parts(&self) -> Vec<Part<()>> {
        self.parts.iter().map(without_rows).collect()
    }

    fn rows(&self, sample: &Sample, places: &[usize]) -> Vec<Vec<Record>> {
        let Fitted { whole, model } = (self.fit)(sample);
        let rows_of = |&place: &usize| {
            let rows = if place == 0 { self.rows } else { self.parts[place - 1].rows };
            whole.clone().shared_by(model.as_ref().map(rows).unwrap_or_default())
        };
        places.iter().map(rows_of).collect()
    }
}

/// Description of a table without what makes its rows.
fn without_rows<T>(part: &Part<T>) -> Part<()> {
    let Part { name, summary, assumptions, source, columns, .. } = *part;
    Part { name, summary, assumptions, source, columns, rows: () }
}

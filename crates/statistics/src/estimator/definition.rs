//! The declaration of an estimator, and the tables that it gives.

use std::fmt;

use super::fit::{Fit, Part};
use super::role::{Need, Signature};
use super::sample::Sample;
use crate::record::{Column, Record};

/// A method that can be applied to the columns of a table.
#[derive(Clone, Copy, Debug)]
pub struct Estimator {
    /// Its name, which is that of its first table.
    pub name: &'static str,
    /// Its purpose: a sentence that says what a row of its first table is.
    pub summary: &'static str,
    /// Its assumptions, in a sentence; may be empty.
    pub assumptions: &'static str,
    /// Source of the method: authors and year.
    pub source: &'static str,
    /// The roles that it takes.
    pub roles: &'static [Need],
    pub(crate) columns: &'static [Column],
    pub(crate) estimate: Estimate,
}

/// The computation of an estimator.
#[derive(Clone, Copy)]
pub(crate) enum Estimate {
    /// The rows of its only table.
    Table(fn(&Sample) -> Vec<Record>),
    /// A model that is fitted once, and the rows of all its tables.
    Tables(&'static dyn Fit),
}

/// A table of the results of an estimator.
#[derive(Clone, Copy, Debug)]
pub struct ResultTable {
    /// The estimator whose result it is.
    pub estimator: &'static Estimator,
    /// Its name.
    pub name: &'static str,
    /// A sentence that says what a row of it is.
    pub summary: &'static str,
    /// The assumptions behind it, in a sentence; may be empty.
    pub assumptions: &'static str,
    /// Source of the method: authors and year.
    pub source: &'static str,
    pub(crate) columns: &'static [Column],
    /// Its place among the tables of the estimator.
    pub(super) place: usize,
}

/// The independence assumption, where participants can be named.
pub(crate) const NAME_PARTICIPANTS: &str =
    "Assumes independent rows, which those of one participant are not; --participant accounts for that.";

/// The independence assumption, where nothing accounts for clustering within participants.
pub(crate) const INDEPENDENT: &str = "Assumes independent rows, which those of one participant are not.";

impl Estimator {
    /// The tables of its results: the first has its name, the others are further tables of the same fit.
    pub fn tables(&'static self) -> Vec<ResultTable> {
        let parts = match self.estimate {
            Estimate::Table(_) => Vec::new(),
            Estimate::Tables(fit) => fit.parts(),
        };
        let Self { name, summary, assumptions, source, columns, .. } = *self;
        let first = Part { name, summary, assumptions, source, columns, rows: () };
        let table = |(place, part): (usize, Part<()>)| {
            let Part { name, summary, source, columns, .. } = part;
            let assumptions = if part.assumptions.is_empty() { assumptions } else { part.assumptions };
            ResultTable { estimator: self, name, summary, assumptions, source, columns, place }
        };
        std::iter::once(first).chain(parts).enumerate().map(table).collect()
    }

    /// Its roles as they are written in a list, those that it needs or the others.
    pub fn listed(&self, required: bool) -> String {
        let needs = self.roles.iter().filter(|need| need.is_required() == required);
        needs.map(|need| need.listed()).collect::<Vec<_>>().join(", ")
    }

    /// Its name and roles, which a request is checked against.
    pub(super) fn signature(&self) -> Signature {
        Signature { name: self.name, roles: self.roles }
    }
}

impl ResultTable {
    /// Its columns, without those of the groups and those that the request adds.
    pub fn columns(&self) -> &'static [Column] {
        self.columns
    }

    /// Returns true if it is the first table of its estimator, whose name it has.
    pub fn is_first(&self) -> bool {
        self.place == 0
    }
}

impl fmt::Debug for Estimate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Table(_) => "Table",
            Self::Tables(_) => "Tables",
        })
    }
}

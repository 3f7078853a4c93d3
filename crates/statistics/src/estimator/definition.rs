//! The declaration of an estimator.

use serde::Serialize;

use super::role::{Need, Signature};
use super::sample::Sample;
use crate::record::{Column, Record};

/// An estimator that can be applied to the columns of a table.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Estimator {
    /// Its name.
    pub name: &'static str,
    /// What it does: a sentence that says what a row of its table is.
    pub summary: &'static str,
    /// Its assumptions, in a sentence; may be empty.
    pub assumptions: &'static str,
    /// Who described the method, and when.
    pub source: &'static str,
    /// The roles that it takes.
    pub roles: &'static [Need],
    #[serde(skip)]
    pub(crate) columns: &'static [Column],
    #[serde(skip)]
    pub(crate) estimate: fn(&Sample) -> Vec<Record>,
}

/// That rows of one participant are not independent, where participants can be named.
pub(crate) const NAME_PARTICIPANTS: &str =
    "Assumes independent rows, which those of one participant are not; --participant accounts for that.";

/// The independence assumption, where nothing accounts for clustering within participants.
pub(crate) const INDEPENDENT: &str = "Assumes independent rows, which those of one participant are not.";

impl Estimator {
    /// The columns of its results, without those of the groups and those that the request adds.
    pub fn columns(&self) -> &'static [Column] {
        self.columns
    }

    /// Its roles as they are written in a list, those that it needs or the others.
    pub fn listed(&self, required: bool) -> String {
        let own = self.roles.iter().filter(|need| need.is_required() == required);
        own.map(|need| need.listed()).collect::<Vec<_>>().join(", ")
    }

    /// Its name and roles, which a request is checked against.
    pub(super) fn signature(&self) -> Signature {
        Signature { name: self.name, roles: self.roles }
    }
}

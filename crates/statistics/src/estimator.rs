//! Any estimator on any table: which columns it needs, and its result as a table.
//!
//! A [`Frame`] holds the columns of a table as plain data. A [`Request`] says which column has which [`Role`], which
//! rows count, and what is reported apart. An [`Estimator`] from [`ESTIMATORS`](crate::methods::ESTIMATORS) checks the request and runs a function
//! of [`crate::stats`] on the rows that have all values; what it left out is counted in its result, and what could not
//! be estimated has a `reason`.
//!
//! ```
//! use plymap_statistics::estimator::{EstimatorError, Frame, Request, Role, Values};
//! use plymap_statistics::methods;
//!
//! let numbers = |values: [f64; 5]| Values::Numbers(values.map(Some).to_vec());
//! let frame = Frame::new(vec![
//!     ("n_moves".to_owned(), numbers([8.0, 12.0, 9.0, 30.0, 21.0])),
//!     ("time_s".to_owned(), numbers([11.0, 25.0, 14.0, 41.0, 44.0])),
//! ])?;
//! let request = Request::new(&frame).role(Role::X, &["n_moves"]).role(Role::Y, &["time_s"]);
//! let found = methods::named("spearman")?.estimate(&request)?;
//! assert_eq!((found.number(0, "n"), found.number(0, "estimate")), (Some(5.0), Some(0.9)));
//! # Ok::<(), EstimatorError>(())
//! ```
//!
//! To add one: a constant in the file of its method, with its roles, its columns and a function that makes rows of a
//! sample; its name in [`crate::methods`]; a row in `docs/estimators.md`.

use rayon::prelude::*;
use serde::Serialize;

pub(crate) mod comparison;
mod condition;
pub(crate) mod description;
pub(crate) mod error;
mod estimates;
mod frame;
mod pairs;
pub(crate) mod predictors;
pub(crate) mod repeated_measures;
mod repeated_rows;
mod request;
mod role;
pub(crate) mod sample;

pub use condition::Filtered;
pub use error::EstimatorError;
pub use estimates::Estimates;
pub use frame::{Frame, Values, Written};
pub use repeated_rows::RepeatedRows;
pub use request::{Average, MOST_GROUPS, Request};
pub use role::{Kind, Need, Role};
pub use sample::MOST_COMPARED;

use crate::record::{Column, P_VALUE, Record};
use crate::stats::adjust::Adjustment;
pub(crate) use pairs::each_pair;
use request::GroupRows;
use sample::{Input, Sample};

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
    /// Estimates. Groups of `by` are estimated at the same time, and come in the natural order of their labels.
    ///
    /// # Errors
    ///
    /// [`EstimatorError`] if roles or columns are missing, or columns do not hold what they must. What the rows of a
    /// group do not allow to estimate is no error, but a reason in its row.
    pub fn estimate(&self, request: &Request) -> Result<Estimates, EstimatorError> {
        let prepared = request.prepare(self)?;
        let has_p_value = self.columns.iter().any(|column| column.name == P_VALUE.name);
        if request.adjust != Adjustment::None && !has_p_value {
            return Err(EstimatorError::NothingToAdjust { estimator: self.name });
        }
        let of_group = |(labels, places): &GroupRows| {
            let rows: Vec<usize> = places.iter().map(|&place| prepared.rows[place]).collect();
            let at = |own: &Vec<Input>| own.iter().map(|input| input.at(places)).collect();
            let inputs = prepared.inputs.iter().map(|(role, own)| (*role, at(own))).collect();
            (labels.clone(), (self.estimate)(&Sample { request, inputs: &inputs, rows: &rows }))
        };
        let found = prepared.groups.par_iter().map(of_group).collect();
        Ok(Estimates::new(self, request, &prepared, found))
    }

    /// The columns of its results, without those of the groups and those that the request adds.
    pub fn columns(&self) -> &'static [Column] {
        self.columns
    }

    /// Its roles as they are written in a list, those that it needs or the others.
    pub fn listed(&self, required: bool) -> String {
        let own = self.roles.iter().filter(|need| need.is_required() == required);
        own.map(|need| need.listed()).collect::<Vec<_>>().join(", ")
    }
}

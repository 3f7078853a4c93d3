//! Every method of this crate, as an estimator that can be applied to the columns of any table.

use crate::estimator::{Estimator, EstimatorError, Request, ResultTable};

mod alias;
mod list;

pub use alias::other_names;
pub use list::ESTIMATORS;

/// The tables of all estimators, by topic.
pub fn tables() -> impl Iterator<Item = ResultTable> {
    ESTIMATORS.iter().flat_map(Estimator::tables)
}

/// The table of this name; where others call several by it, such as `t-test`, that which takes the columns of the
/// request.
///
/// # Errors
///
/// As of [`named`].
pub fn meant(name: &str, request: &Request) -> Result<ResultTable, EstimatorError> {
    alias::chosen(name, &alias::candidates(name)?, Some(request))
}

/// The table of this name, which may be that of another program, such as `coxph`; the name of an estimator is that of
/// its first table.
///
/// # Errors
///
/// [`EstimatorError::UnknownEstimator`], with the names that are nearest; [`EstimatorError::NoSuchMethod`] for a method
/// that others have; [`EstimatorError::AmbiguousEstimator`] for a name that several may be meant by.
pub fn named(name: &str) -> Result<ResultTable, EstimatorError> {
    alias::chosen(name, &alias::candidates(name)?, None)
}

#[cfg(test)]
mod contract;

//! The application of an estimator to a request, group by group.

use rayon::prelude::*;

use super::definition::Estimator;
use super::error::EstimatorError;
use super::estimates::Estimates;
use super::input::Input;
use super::request::{GroupRows, Request};
use super::sample::Sample;
use crate::adjust::Adjustment;
use crate::record::P_VALUE;

impl Estimator {
    /// Estimates. Groups of `by` are estimated at the same time, and come in the natural order of their labels.
    ///
    /// # Errors
    ///
    /// [`EstimatorError`] if roles or columns are missing, or columns do not hold what they must. What the rows of a
    /// group do not allow to estimate is no error, but a reason in its row.
    pub fn estimate(&self, request: &Request) -> Result<Estimates, EstimatorError> {
        let prepared = request.prepare(self.signature())?;
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
}

//! The application of an estimator to a request, group by group.

use rayon::prelude::*;

use super::definition::{Estimate, Estimator, ResultTable};
use super::error::EstimatorError;
use super::estimates::Estimates;
use super::input::Input;
use super::request::{GroupRows, Labels, Request};
use super::role::Signature;
use super::sample::Sample;
use crate::adjust::Adjustment;
use crate::record::{P_VALUE, Record};

impl ResultTable {
    /// Estimates this table. Groups of `by` are estimated at the same time, and come in the natural order of their labels.
    ///
    /// # Errors
    ///
    /// [`EstimatorError`] if roles or columns are missing, or columns do not hold what they must. What the rows of a
    /// group do not allow to estimate is no error, but a reason in its row.
    pub fn estimate(&self, request: &Request) -> Result<Estimates, EstimatorError> {
        let signature = Signature { name: self.name, ..self.estimator.signature() };
        Ok(estimates(&[*self], signature, request)?.swap_remove(0))
    }
}

impl Estimator {
    /// Estimates all tables, from one fit for each group of `by`.
    ///
    /// # Errors
    ///
    /// As of [`ResultTable::estimate`]; p values are adjusted in the tables that have some.
    pub fn estimate_all(&'static self, request: &Request) -> Result<Vec<Estimates>, EstimatorError> {
        estimates(&self.tables(), self.signature(), request)
    }
}

/// Computes these tables of one estimator.
fn estimates(
    tables: &[ResultTable],
    signature: Signature,
    request: &Request,
) -> Result<Vec<Estimates>, EstimatorError> {
    let prepared = request.prepare(signature)?;
    if request.adjust != Adjustment::None && !tables.iter().any(has_p_value) {
        return Err(EstimatorError::NothingToAdjust { estimator: signature.name });
    }
    let places: Vec<usize> = tables.iter().map(|table| table.place).collect();
    let of_group = |(labels, indices): &GroupRows| {
        let rows: Vec<usize> = indices.iter().map(|&index| prepared.rows[index]).collect();
        let at = |inputs: &Vec<Input>| inputs.iter().map(|input| input.at(indices)).collect();
        let inputs = prepared.inputs.iter().map(|(role, inputs)| (*role, at(inputs))).collect();
        let sample = Sample { request, inputs: &inputs, rows: &rows };
        let records = match tables[0].estimator.estimate {
            Estimate::Table(rows) => vec![rows(&sample)],
            Estimate::Tables(fit) => fit.rows(&sample, &places),
        };
        (labels.clone(), records)
    };
    let mut groups: Vec<(Labels, Vec<Vec<Record>>)> = prepared.groups.par_iter().map(of_group).collect();
    let estimates = tables.iter().enumerate().map(|(number, table)| {
        let records = groups.iter_mut().map(|(labels, records)| (labels.clone(), std::mem::take(&mut records[number])));
        Estimates::new(table, request, &prepared, records.collect())
    });
    Ok(estimates.collect())
}

fn has_p_value(table: &ResultTable) -> bool {
    table.columns.iter().any(|column| column.name == P_VALUE.name)
}

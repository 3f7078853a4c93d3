//! Statistics of any table.

use std::collections::BTreeMap;

use plymap::plymap_analysis::estimator_tables::{frame_of_table, table_of_estimates, table_of_estimators};
use plymap::plymap_statistics::estimator::{Average, Request, Role};
use plymap::plymap_statistics::methods;
use plymap::plymap_statistics::stats::Confidence;
use plymap::plymap_statistics::stats::adjust::Adjustment;
use plymap_expression::Expression;
use pyo3::prelude::*;
use serde::Deserialize;

use crate::arrow::frame;
use crate::error::{Failed, word};
use crate::table::Table;
use crate::work::work;

/// Request to an estimator, as the package writes it in JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RequestOptions {
    /// Columns by role.
    roles: BTreeMap<String, Vec<String>>,
    formula: Option<String>,
    r#where: Vec<String>,
    by: Vec<String>,
    adjust: String,
    confidence: f64,
    seed: u64,
    measure: String,
    resamples: Option<usize>,
    threshold: Option<f64>,
    reference: BTreeMap<String, String>,
}

/// Returns the results of an estimator for a table, which any library of data frames may hold.
#[pyfunction]
#[pyo3(signature = (table, estimator, asked, show=None))]
pub fn estimate(
    py: Python<'_>,
    table: &Bound<'_, PyAny>,
    estimator: &str,
    asked: &str,
    show: Option<Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let data = frame(table)?;
    work(py, show.as_ref(), |_| {
        let frame = frame_of_table(&data).map_err(|error| Failed::of(&error))?;
        let options: RequestOptions = serde_json::from_str(asked).map_err(|error| Failed::new(error.to_string()))?;
        let role = |(name, columns): (String, Vec<String>)| Ok((name.parse::<Role>().map_err(Failed::new)?, columns));
        let request = Request {
            roles: options.roles.into_iter().map(role).collect::<Result<_, Failed>>()?,
            formula: options.formula.map(|text| text.parse().map_err(|error| Failed::of(&error))).transpose()?,
            conditions: {
                let conditions = options.r#where.iter().map(|text| Expression::parse(text));
                let conditions = conditions.map(|parsed| parsed.map_err(|error| Failed::of(&error)));
                conditions.collect::<Result<_, Failed>>()?
            },
            by: options.by,
            adjust: word::<Adjustment>("adjust", &options.adjust)?,
            confidence: Confidence::new(options.confidence).map_err(|error| Failed::of(&error))?,
            seed: options.seed,
            measure: word::<Average>("measure", &options.measure)?,
            n_resamples: options.resamples,
            threshold: options.threshold,
            references: options.reference,
            ..Request::new(&frame)
        };
        let estimator = methods::meant(estimator, &request).map_err(|error| Failed::of(&error))?;
        let estimates = estimator.estimate(&request).map_err(|error| Failed::of(&error))?;
        Ok(Table(table_of_estimates(&estimates)))
    })
}

/// All estimators as a table.
#[pyfunction]
pub fn estimators() -> Table {
    Table(table_of_estimators())
}

//! Tables with the meaning of their columns.

use std::path::PathBuf;

use crate::arrow::stream;
use crate::error::Failed;
use plymap_tables::{Format, Print, Table as Data, TableFormat, render, to_text};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// Table that `plymap.Table` holds.
#[pyclass(frozen, module = "plymap._native")]
pub struct Table(pub Data);

#[pymethods]
impl Table {
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    #[getter]
    fn caption(&self) -> &str {
        &self.0.caption
    }

    #[getter]
    fn n_rows(&self) -> usize {
        self.0.data.height()
    }

    /// Name, meaning, unit and possible values of each column.
    #[getter]
    fn columns(&self) -> Vec<(&str, &str, &str, &[String])> {
        let docs = self.0.columns.iter();
        docs.map(|doc| (doc.name.as_str(), doc.meaning.as_str(), doc.unit.as_str(), doc.levels.as_slice())).collect()
    }

    /// Returns the table with some of its columns.
    fn select(&self, py: Python<'_>, names: Vec<String>) -> PyResult<Self> {
        let Data { name, caption, data, columns } = &self.0;
        let data = data.select(&names).map_err(|error| Failed::of(&error).raised(py))?;
        let doc = |name: &String| columns.iter().find(|column| column.name == *name).cloned();
        let columns = names.iter().filter_map(doc).collect();
        Ok(Self(Data { name: name.clone(), caption: caption.clone(), data, columns }))
    }

    /// The first rows as text.
    fn text(&self, py: Python<'_>, n_rows: usize) -> PyResult<String> {
        to_text(&self.0, &Print::rows(n_rows)).map_err(|error| Failed::from(error).raised(py))
    }

    /// All rows in a format of `plymap stats`.
    fn render(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        let format: Format = format.parse().map_err(|error| Failed::of(&error).raised(py))?;
        render(&self.0, format).map_err(|error| Failed::from(error).raised(py))
    }

    /// Its rows, by the Arrow C data interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // By the interface another schema than asked for may be given.
        drop(requested_schema);
        stream(py, &self.0.data)
    }
}

/// A table that a run wrote into a folder.
#[pyfunction]
pub fn read_table(py: Python<'_>, folder: PathBuf, stem: &str, format: &str) -> PyResult<Table> {
    let format: TableFormat = format.parse().map_err(|_| PyValueError::new_err(format!("no format {format:?}")))?;
    let read = py.detach(|| plymap_tables::read_table(&folder, stem, format));
    read.map(Table).map_err(|error| Failed::from(error).raised(py))
}

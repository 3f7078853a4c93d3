//! Figures.

use plymap::plymap_figures::{Figure as Drawn, Styles, Width};
use plymap_report::figures::Sketch;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::{Failed, word};

/// Figure that `plymap.Figure` holds.
#[pyclass(frozen, module = "plymap._native")]
pub struct Figure(pub Drawn);

#[pymethods]
impl Figure {
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    #[getter]
    fn title(&self) -> &str {
        &self.0.title
    }

    #[getter]
    fn caption(&self) -> &str {
        &self.0.caption
    }

    #[getter]
    fn svg(&self) -> &str {
        &self.0.svg
    }

    /// The figure as PDF, or as PNG of a resolution.
    #[pyo3(signature = (dpi=None))]
    fn convert<'py>(&self, py: Python<'py>, dpi: Option<f64>) -> PyResult<Bound<'py, PyBytes>> {
        let converted = py.detach(|| match dpi {
            Some(dpi) => self.0.to_png(dpi),
            None => self.0.to_pdf(),
        });
        converted.map(|bytes| PyBytes::new(py, &bytes)).map_err(|error| Failed::of(&error).raised(py))
    }

    /// The numbers that are drawn, as CSV.
    fn csv(&self, py: Python<'_>) -> PyResult<String> {
        self.0.to_csv().map_err(|error| Failed::of(&error).raised(py))
    }
}

/// Figures of a width in print: `single`, `onehalf` or `double`.
pub fn styles(width: &str) -> Result<Styles, Failed> {
    Ok(Styles::new(word::<Width>("width", width)?))
}

/// The pages of a figure; none where there is nothing to draw.
pub fn pages(sketch: Option<Sketch>, styles: &Styles) -> Result<Vec<Figure>, Failed> {
    let drawn = sketch.map(|sketch| sketch.draw(styles)).transpose().map_err(|error| Failed::of(&error))?;
    Ok(drawn.into_iter().flatten().map(|page| Figure(page.figure)).collect())
}

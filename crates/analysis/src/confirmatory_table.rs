//! The table of confirmatory hypotheses.

use super::columns;
use plymap_statistics::record::{Column, text};
use plymap_tables::Table;

/// Name of the table of hypotheses.
pub const CONFIRMATORY: &str = "confirmatory";

pub(crate) const HYPOTHESIS: Column = text("hypothesis", "the hypothesis as the study names it");

pub(crate) const P_ADJUSTED: Column =
    columns::P_ADJUSTED.means("p after Holm (1979), over all confirmatory hypotheses that could be tested");

/// The corrected p of a term of a model, where that is a confirmatory hypothesis.
pub fn corrected(confirmatory: &Table, (model, term): (&str, &str)) -> Option<f64> {
    let row = confirmatory.row(&[(HYPOTHESIS, &format!("{model}: {term}"))])?;
    confirmatory.number_at(row, P_ADJUSTED)
}

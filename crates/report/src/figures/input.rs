//! Input of the figures of a study.

use super::row_flow::RowFlow;
use crate::settings::GroupFigure;
use plymap_analysis::dataset::Dataset;
use plymap_figures::Styles;
use plymap_measures::measure::Measures;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_statistics::stats::Confidence;
use plymap_tables::Table;

/// Data, tables and settings that the figures of people are drawn from.
pub struct FigureInput<'a> {
    /// Measures of attempts and trials.
    pub measures: &'a Measures,
    /// The levels of the study.
    pub levels: &'a [ValuedLevel],
    /// All measured moves, as analyses take them.
    pub data: &'a Dataset,
    /// For each of these moves true if its time was thinking, false if it was acting; absent if that is not known.
    pub is_thinking: &'a [Option<bool>],
    /// Flow of the rows of the log.
    pub flow: RowFlow<'a>,
    /// The tables of the statistics.
    pub tables: Vec<&'a Table>,
    /// Level of all intervals.
    pub confidence: Confidence,
    /// Seed of the random number generator of fits.
    pub seed: u64,
    /// Measures by factors whose groups are compared.
    pub groups: Vec<GroupFigure>,
    /// Styles of the figures.
    pub styles: &'a Styles,
}

impl<'a> FigureInput<'a> {
    /// A table of the statistics.
    pub(super) fn table(&self, name: &str) -> Option<&'a Table> {
        self.tables.iter().copied().find(|table| table.name == name)
    }
}

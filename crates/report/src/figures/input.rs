//! Input of the figures of a study.

use super::row_flow::RowFlow;
use crate::settings::GroupFigure;
use plymap_analysis::dataset::Dataset;
use plymap_analysis::models::{self, ReportedEffect};
use plymap_analysis::words::is_too_wide;
use plymap_figures::Styles;
use plymap_measures::measure::Measures;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_statistics::stats::{Confidence, apa};
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
    /// True if so few people took part that no test is told.
    pub is_pilot: bool,
    /// Measures by factors whose groups are compared.
    pub groups: Vec<GroupFigure>,
    /// Names of the groups that these show first, in this order.
    pub first_groups: &'a [String],
    /// Styles of the figures.
    pub styles: &'a Styles,
}

impl<'a> FigureInput<'a> {
    /// A result as a subtitle tells it: of a pilot without p.
    pub(super) fn told(&self, sentence: &str) -> String {
        if self.is_pilot { apa::without_p(sentence) } else { sentence.to_owned() }
    }

    /// An effect of a model as a subtitle tells it; none whose interval is so wide that it is no result.
    pub(super) fn effect(&self, name: (&str, &str)) -> Option<ReportedEffect> {
        let effect = models::reported_effect(|table| self.table(table), name)?;
        let sentence = self.told(&effect.sentence);
        Some(ReportedEffect { sentence, ..effect }).filter(|effect| !is_too_wide(effect.interval))
    }

    /// A table of the statistics.
    pub(super) fn table(&self, name: &str) -> Option<&'a Table> {
        self.tables.iter().copied().find(|table| table.name == name)
    }
}

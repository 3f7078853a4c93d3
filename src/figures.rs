//! The figures of a study: from its measures and statistics to the inputs of [`plymap_figures`].

use polars::prelude::PolarsError;

use crate::analysis::dataset::Dataset;
use crate::measure::Measures;
use crate::table::Table;
use plymap_figures::{Chart, ChartError, Figure, Heading, Styles, draw, grouped};
use plymap_puzzles::valuation::ValuedLevel;
use plymap_statistics::stats::Confidence;

mod cells;
mod diagnostics;
mod flow;
mod groups;
mod kinds;
mod levels;
mod played;
mod results;
mod steps;
mod thought;
mod times;
mod trajectories;
mod trials;

pub use flow::RowFlow;
pub(crate) use groups::drawn;
pub use kinds::{FigureKind, KINDS, Subject, people, section};
pub use levels::{position, solution, state_graph};
pub use played::on_the_map;
pub use results::{MapMeasure, map_measure};
pub use thought::thought_tree;

/// What the figures of people are drawn from.
pub struct Scene<'a> {
    /// What was measured of attempts and trials.
    pub measures: &'a Measures,
    /// The levels of the study.
    pub levels: &'a [ValuedLevel],
    /// All measured moves, as analyses take them.
    pub data: &'a Dataset,
    /// For each of these moves whether its time was thinking rather than acting; absent where that is not known.
    pub is_thinking: &'a [Option<bool>],
    /// Where the rows of the log went.
    pub flow: RowFlow<'a>,
    /// The tables of the statistics.
    pub tables: Vec<&'a Table>,
    /// Level of all intervals.
    pub confidence: Confidence,
    /// Seed of the random number generator of fits.
    pub seed: u64,
    /// How figures look.
    pub styles: &'a Styles,
}

impl<'a> Scene<'a> {
    /// A table of the statistics.
    fn table(&self, name: &str) -> Option<&'a Table> {
        self.tables.iter().copied().find(|table| table.name == name)
    }
}

/// A figure with what the report says of it.
#[derive(Clone, Debug)]
pub struct Illustration {
    /// The figure.
    pub figure: Figure,
    /// One sentence in plain words: what it shows.
    pub sentence: String,
}

impl Illustration {
    /// The pages of a chart in the style of figures of its name, all with the same sentence.
    ///
    /// # Errors
    ///
    /// [`ChartError`] if a drawing fails.
    pub fn all(chart: &dyn Chart, styles: &Styles, sentence: &str) -> Result<Vec<Self>, ChartError> {
        let figures = draw(chart, &styles.of(&chart.heading().name))?;
        Ok(figures.into_iter().map(|figure| Self { figure, sentence: sentence.to_owned() }).collect())
    }
}

/// Why a figure of people was not drawn.
#[derive(Debug, thiserror::Error)]
pub enum FigureError {
    /// It could not be drawn.
    #[error(transparent)]
    Chart(#[from] ChartError),
    /// A table does not have the columns that it is drawn from.
    #[error("a table does not have the columns of a figure")]
    Table(#[from] PolarsError),
}

/// Figures, or why there are none.
type Drawn = Result<Vec<Illustration>, FigureError>;

/// The pages of a chart; where there are several, each sentence tells its page.
fn on_pages(chart: &dyn Chart, styles: &Styles, sentence: &str) -> Result<Vec<Illustration>, ChartError> {
    let mut pages = Illustration::all(chart, styles, sentence)?;
    let n_pages = pages.len();
    for (index, page) in pages.iter_mut().enumerate().filter(|_| n_pages > 1) {
        page.sentence = format!("{sentence} (page {} of {n_pages})", index + 1);
    }
    Ok(pages)
}

fn heading(name: &str, title: &str, subtitle: String, no_data_reason: &str) -> Heading {
    Heading { name: name.to_owned(), title: title.to_owned(), subtitle, no_data_reason: no_data_reason.to_owned() }
}

/// A number of things, one or several.
fn counted(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", grouped(number), if number == 1 { "" } else { "s" })
}

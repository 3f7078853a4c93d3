//! The figures of a study: from its measures and statistics to the inputs of [`plymap_figures`].

use plymap_statistics::stats::apa::counted;
use polars::prelude::PolarsResult;

use plymap_analysis::dataset::Dataset;
use plymap_figures::{Chart, ChartError, Figure, Heading, Styles, draw};
use plymap_measures::measure::Measures;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_statistics::stats::Confidence;
use plymap_tables::Table;

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
pub use groups::drawn;
pub use kinds::{FigureKind, KINDS, Subject, section};
pub use levels::{position, solution, state_graph};
pub use played::on_the_map;
pub use results::{MapMeasure, map_measure};
pub use thought::thought_tree;

/// Data, tables and settings that the figures of people are drawn from.
pub struct FigureInput<'a> {
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

impl<'a> FigureInput<'a> {
    /// A table of the statistics.
    fn table(&self, name: &str) -> Option<&'a Table> {
        self.tables.iter().copied().find(|table| table.name == name)
    }
}

/// A figure that is to be drawn: a chart, and what the report says of it.
pub struct Sketch {
    chart: Box<dyn Chart>,
    sentence: String,
}

impl Sketch {
    /// This chart, of which one sentence says in plain words what it shows.
    pub fn new(chart: impl Chart + 'static, sentence: impl Into<String>) -> Self {
        Self { chart: Box::new(chart), sentence: sentence.into() }
    }

    /// The name of the figure.
    pub fn name(&self) -> &str {
        &self.chart.heading().name
    }

    /// The pages of the figure, in the style of figures of its name; where there are several, each sentence tells its page.
    ///
    /// # Errors
    ///
    /// [`ChartError`] if its values cannot be drawn, or there is too little room for them.
    pub fn draw(&self, styles: &Styles) -> Result<Vec<Illustration>, ChartError> {
        let figures = draw(&*self.chart, &styles.of(self.name()))?;
        let n_pages = figures.len();
        let illustration = |(index, figure)| {
            let page = format!(" (page {} of {n_pages})", index + 1);
            Illustration { figure, sentence: format!("{}{}", self.sentence, if n_pages > 1 { &page } else { "" }) }
        };
        Ok(figures.into_iter().enumerate().map(illustration).collect())
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

/// Figures of people; an error if a table does not have the columns that they are drawn from.
type Sketched = PolarsResult<Vec<Sketch>>;

fn heading(name: &str, title: &str, subtitle: String, no_data_reason: &str) -> Heading {
    Heading { name: name.to_owned(), title: title.to_owned(), subtitle, no_data_reason: no_data_reason.to_owned() }
}

//! A figure that is to be drawn, with its sentence.

use super::kind::Kind;
use plymap_puzzles::game::Unit;
use plymap_statistics::stats::Confidence;
use polars::prelude::PolarsResult;

use plymap_figures::{Chart, ChartError, Figure, Heading, Label, Message, Styles, draw};

/// A figure that is to be drawn: a chart, and what the report says of it.
pub struct Sketch {
    kind: Kind,
    chart: Box<dyn Chart>,
    sentence: String,
}

impl Sketch {
    /// This chart, of which one sentence says in plain words what it shows.
    pub fn new(kind: Kind, chart: impl Chart + 'static, sentence: impl Into<String>) -> Self {
        Self { kind, chart: Box::new(chart), sentence: sentence.into() }
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
            let sentence = format!("{}{}", self.sentence, if n_pages > 1 { &page } else { "" });
            Illustration { kind: self.kind, name: self.name().to_owned(), figure, sentence }
        };
        Ok(figures.into_iter().enumerate().map(illustration).collect())
    }
}

/// The number of a level of confidence in percent, for messages.
pub(crate) fn percent(confidence: Confidence) -> String {
    confidence.to_string().trim_end_matches(" %").to_owned()
}

/// Title of an axis of distances.
pub(crate) fn distance_title(unit: Unit) -> Label {
    match unit {
        Unit::Moves => Message::DistanceToGoalInMoves.into(),
        Unit::Cells => Message::DistanceToGoalInCells.into(),
        Unit::Points => Label::untranslated(format!("distance to goal ({})", unit.name())),
    }
}

/// A figure with what the report says of it.
#[derive(Clone, Debug)]
pub struct Illustration {
    /// Its kind.
    pub kind: Kind,
    /// The name of its sketch, which all of its pages share.
    pub name: String,
    /// The figure.
    pub figure: Figure,
    /// One sentence in plain words: what it shows.
    pub sentence: String,
}

/// Figures of people; an error if a table does not have the columns that they are drawn from.
pub(crate) type Sketched = PolarsResult<Vec<Sketch>>;

pub(crate) fn heading(
    name: &str,
    title: impl Into<Label>,
    subtitle: String,
    no_data_reason: impl Into<Label>,
) -> Heading {
    Heading { name: name.to_owned(), title: title.into(), subtitle, no_data_reason: no_data_reason.into() }
}

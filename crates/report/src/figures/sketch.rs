//! A figure that is to be drawn, with its sentence.

use super::kind::Kind;
use plymap_puzzles::game::Unit;
use plymap_statistics::stats::Confidence;
use polars::prelude::PolarsResult;

use std::sync::Arc;

use plymap_figures::{Chart, ChartError, Figure, Heading, Label, Message, Screen, Styles, Svg, draw};

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

    /// The pages of the figure, in the style of figures of its name. All have the drawings for a page on a screen, if the styles ask for them.
    ///
    /// # Errors
    ///
    /// [`ChartError`] if its values cannot be drawn, or there is too little room for them.
    pub fn draw(&self, styles: &Styles) -> Result<Vec<Illustration>, ChartError> {
        let style = styles.of(self.name());
        let figures = draw(&*self.chart, &style)?;
        let n_pages = figures.len();
        let on_screen = |screen: Screen| -> Result<Vec<Svg>, ChartError> {
            let pages = draw(&*self.chart, &style.clone().on_screen(screen))?;
            Ok(pages.into_iter().map(|page| page.svg).collect())
        };
        let screens = match styles.is_for_page {
            true => Screens { wide: on_screen(Screen::Wide)?, narrow: on_screen(Screen::Narrow)? },
            false => Screens::default(),
        };
        let screens = Arc::new(screens);
        let illustration = |(index, figure): (usize, Figure)| {
            let page = format!(" ({}/{n_pages})", index + 1);
            let title = figure.title.strip_suffix(&page).unwrap_or(&figure.title).to_owned();
            let (name, sentence, screens) = (self.name().to_owned(), self.sentence.clone(), screens.clone());
            Illustration { kind: self.kind, name, title, figure, sentence, screens }
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

/// The drawings of a figure for a page on a screen, one below the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Screens {
    /// Those for a wide window.
    pub wide: Vec<Svg>,
    /// Those for a narrow one.
    pub narrow: Vec<Svg>,
}

impl Screens {
    /// Returns the drawings for a screen.
    pub fn of(&self, screen: Screen) -> &[Svg] {
        match screen {
            Screen::Wide => &self.wide,
            Screen::Narrow => &self.narrow,
        }
    }
}

/// A figure with what the report says of it.
#[derive(Clone, Debug)]
pub struct Illustration {
    /// Its kind.
    pub kind: Kind,
    /// The name of its sketch, which all of its pages share.
    pub name: String,
    /// The title of its sketch, without the number of the page.
    pub title: String,
    /// The page.
    pub figure: Figure,
    /// One sentence in plain words: what it shows.
    pub sentence: String,
    /// The drawings of all pages for a screen; empty where they are not asked for.
    pub screens: Arc<Screens>,
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

//! The trait of all charts, and the one function that draws them.

use std::ops::Range;
use std::rc::Rc;

use super::error::ChartError;
use super::figure::{Figure, Heading, PlottedData};
use super::figure_layout::FigureLayout;
use super::key::Key;
use super::label::Label;
use super::message::Message;
use super::sheet::{Rect, Sheet};
use super::style::Style;

/// A chart: plain values with what stands above them, to be drawn by [`draw`].
///
/// Only types of this crate are charts, and what they say of themselves is for [`draw`] alone. It checks them, keeps
/// room for the heading, lays them out on pages, and sets title, legend and caption; where there is nothing to draw, it
/// makes a figure that says so.
pub trait Chart {
    /// Name, title, subtitle.
    fn heading(&self) -> &Heading;

    /// `true` if the values can be drawn.
    ///
    /// # Errors
    ///
    /// The fault, naming the value, and the rule.
    fn check(&self) -> Result<(), String>;

    /// The legend.
    #[doc(hidden)]
    fn keys(&self, _: &Style) -> Vec<Key> {
        Vec::new()
    }

    /// Sentences that follow the subtitle: what was left out or summed up.
    #[doc(hidden)]
    fn notes(&self) -> Vec<Label> {
        Vec::new()
    }

    /// Text on how to read the figure.
    #[doc(hidden)]
    fn reading(&self) -> String {
        String::new()
    }

    /// The pages, whose drawings are at most `room_mm` high.
    #[doc(hidden)]
    fn pages<'a>(&'a self, style: &'a Style, room_mm: f64) -> Result<Vec<Page<'a>>, ChartError>;
}

/// Function that draws into the rectangle below the heading.
type Paint<'a> = Box<dyn Fn(&Sheet, Rect) -> Result<(), ChartError> + 'a>;

/// One page of a chart; legend, notes and reading are those of the chart unless it has its own.
#[derive(Default)]
pub struct Page<'a> {
    /// The numbers that stand on it.
    pub(super) data: PlottedData,
    /// Height of the drawing in millimetres, and what draws it; absent where there is nothing to draw.
    pub(super) drawing: Option<(f64, Paint<'a>)>,
    /// `true` if the drawing is made lower where its own heading leaves it less room.
    pub(super) shrinks: bool,
    pub(super) keys: Option<Vec<Key>>,
    pub(super) notes: Option<Vec<Label>>,
    pub(super) reading: Option<String>,
}

impl<'a> Page<'a> {
    pub(super) fn new(
        data: PlottedData,
        body_mm: f64,
        paint: impl Fn(&Sheet, Rect) -> Result<(), ChartError> + 'a,
    ) -> Self {
        Self { data, drawing: Some((body_mm, Box::new(paint))), ..Self::default() }
    }

    /// A page that says that there is nothing to draw.
    pub(super) fn empty(data: PlottedData) -> Self {
        Self { data, ..Self::default() }
    }

    /// Pages that are painted the same way: of each its content, its numbers and the height of its drawing.
    pub(super) fn all<T: 'a>(
        contents: Vec<(T, PlottedData, f64)>,
        paint: impl Fn(&Sheet, Rect, &T) -> Result<(), ChartError> + 'a,
    ) -> Vec<Self> {
        let paint = Rc::new(paint);
        let page = |(content, data, body_mm): (T, PlottedData, f64)| {
            let paint = paint.clone();
            Self::new(data, body_mm, move |sheet, body| paint(sheet, body, &content))
        };
        contents.into_iter().map(page).collect()
    }
}

/// Parts of about the same length: 70 things in three parts are 23, 23 and 24.
pub(super) fn evenly(things: usize, parts: usize) -> impl Iterator<Item = Range<usize>> {
    (0..parts).map(move |part| (part * things / parts)..((part + 1) * things / parts))
}

/// Draws a chart on as many pages as it needs, up to those of the style; where there would be more, each page says so.
///
/// # Errors
///
/// [`ChartError::Input`] if the values cannot be drawn, see [`Chart::check`].
pub fn draw(chart: &dyn Chart, style: &Style) -> Result<Vec<Figure>, ChartError> {
    let heading = chart.heading();
    chart.check().map_err(|what| ChartError::Input { figure: heading.name.clone(), what })?;
    let (keys, notes, reading) = (chart.keys(style), chart.notes(), chart.reading());
    let draft = |page: (usize, usize), content: &mut Page| FigureLayout {
        heading,
        style,
        page,
        notes: content.notes.take().unwrap_or_else(|| notes.clone()),
        keys: content.keys.take().unwrap_or_else(|| keys.clone()),
        reading: content.reading.take().unwrap_or_else(|| reading.clone()),
        data: std::mem::take(&mut content.data),
    };
    // Room is kept for page numbers of two digits.
    let mut pages = chart.pages(style, draft((99, 99), &mut Page::default()).max_body_mm()?)?;
    let cut = (pages.len() > style.most_pages)
        .then(|| Message::PagesNotDrawn.with([(pages.len() - style.most_pages).to_string()]));
    pages.truncate(style.most_pages);
    let number_of_pages = pages.len();
    let figure = |(index, mut page): (usize, Page)| {
        if let Some(cut) = &cut {
            page.notes.get_or_insert_with(|| notes.clone()).push(cut.clone());
        }
        let draft = draft((index + 1, number_of_pages), &mut page);
        match page.drawing {
            Some((body_mm, paint)) => {
                let most_mm = if page.shrinks { draft.max_body_mm()? } else { f64::INFINITY };
                draft.draw(body_mm.min(most_mm), paint)
            }
            None => draft.draw_empty(),
        }
    };
    pages.into_iter().enumerate().map(figure).collect()
}

/// Text of a legend for an estimate, which may have an interval.
pub(super) fn with_interval(estimate: &str, confidence: &str, any_interval: bool) -> String {
    match any_interval {
        true => [estimate, "and its", confidence, "interval"].join(" ").replace("  ", " "),
        false => estimate.to_owned(),
    }
}

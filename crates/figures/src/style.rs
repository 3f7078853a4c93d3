//! Style of figures: widths, sizes of text, language, and the changes of a study to single figures.

use std::collections::BTreeMap;

use super::language::Language;

/// The width of a figure in print: the column widths that most journals share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Width {
    /// One column, 85 mm.
    Single,
    /// One and a half columns, 120 mm.
    #[serde(rename = "onehalf")]
    OneAndHalf,
    /// The whole page, 180 mm.
    #[default]
    Double,
}

impl Width {
    /// The width in millimetres.
    pub fn mm(self) -> f64 {
        match self {
            Self::Single => 85.0,
            Self::OneAndHalf => 120.0,
            Self::Double => 180.0,
        }
    }
}

/// The unit that has a panel, a row or a page of its own in a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Facets {
    /// Nothing: all data stand together.
    None,
    /// Each level.
    Level,
    /// Each experimental condition.
    Condition,
    /// Each participant.
    Participant,
}

impl Facets {
    /// The name of one of them in prose; empty for none.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Level => "level",
            Self::Condition => "condition",
            Self::Participant => "participant",
        }
    }
}

/// Style of a figure: its width, its greatest height and the sizes of its text.
///
/// Text in print has 8 points and its ticks 7 unless the study chooses another size; lines have at least 0.3 points.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// Width in millimetres.
    pub width_mm: f64,
    /// Greatest height in millimetres; what does not fit goes to a further page.
    pub max_height_mm: f64,
    /// Size of the title in points.
    pub title_pt: f64,
    /// Size of subtitle, legends, axis titles and panel titles in points.
    pub label_pt: f64,
    /// Size of ticks, and of the names and numbers within a plot, in points.
    pub small_pt: f64,
    /// `true` if title and subtitle stand above the drawing; the caption has them in any case.
    pub has_titles: bool,
    /// A title instead of the figure's own.
    pub title: Option<String>,
    /// The language of labels and numbers.
    pub language: Language,
    /// The most pages of a chart; where there would be more, each page says so.
    pub most_pages: usize,
}

/// The most pages of a chart of which nobody asked for more: with thousands of people one reads the numbers in a table.
const MOST_PAGES: usize = 20;

/// The size of text in print, in points: the least that APA style allows in figures (2020, section 7.26).
pub const FONT_PT: f64 = 8.0;

/// Millimetres in a pixel of CSS.
const MM_PER_PX: f64 = 25.4 / 96.0;
/// Points in a pixel of CSS.
const PT_PER_PX: f64 = 0.75;
/// Greatest height of a drawing on a screen, in pixels of CSS.
const SCREEN_HEIGHT_PX: f64 = 1_400.0;

/// The room that a figure has in a page on a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Screen {
    /// A window of a computer or a tablet.
    Wide,
    /// A telephone held upright.
    Narrow,
}

impl Screen {
    /// The width of a drawing in pixels of CSS.
    pub fn px(self) -> f64 {
        match self {
            Self::Wide => 720.0,
            // What margins of 16 pixels leave of the narrowest usual telephone, of 360.
            Self::Narrow => 328.0,
        }
    }
}

impl Style {
    /// The style for a width in print, at most 230 mm high.
    pub fn new(width: Width) -> Self {
        Self::sized(width.mm(), FONT_PT)
    }

    /// The style for a width in millimetres and a size of text in points. Titles have one point more, ticks one less.
    pub fn sized(width_mm: f64, font_pt: f64) -> Self {
        Self {
            width_mm,
            max_height_mm: 230.0,
            title_pt: font_pt + 1.0,
            label_pt: font_pt,
            small_pt: font_pt - 1.0,
            has_titles: true,
            title: None,
            language: Language::default(),
            most_pages: MOST_PAGES,
        }
    }

    /// The same style for a page on a screen, where no text has less than 12 pixels.
    pub fn on_screen(self, screen: Screen) -> Self {
        let px = if screen == Screen::Wide { [15.0, 13.0, 12.0] } else { [14.0, 12.0, 12.0] };
        let [title_pt, label_pt, small_pt] = px.map(|px| px * PT_PER_PX);
        let (width_mm, max_height_mm) = (screen.px() * MM_PER_PX, SCREEN_HEIGHT_PX * MM_PER_PX);
        Self { width_mm, max_height_mm, title_pt, label_pt, small_pt, ..self }
    }
}

impl Default for Style {
    fn default() -> Self {
        Self::new(Width::default())
    }
}

/// Changes of a study to one figure.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Change {
    /// Its title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its width.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<Width>,
    /// Its facets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facets: Option<Facets>,
}

/// The styles of all figures of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct Styles {
    /// The width of figures for which no other is given.
    pub width: Width,
    /// The size of text in points.
    pub font_pt: f64,
    /// `true` if titles stand above the drawings.
    pub has_titles: bool,
    /// `true` if the figures are drawn for a page on a screen too.
    pub is_for_page: bool,
    /// The language of all.
    pub language: Language,
    /// The facets of all; as is usual for each figure where it is absent.
    pub facets: Option<Facets>,
    /// Changes by name: of the figure, or the first words of the names of several, such as `state-graph`.
    pub each: BTreeMap<String, Change>,
}

impl Default for Styles {
    fn default() -> Self {
        Self::new(Width::default())
    }
}

impl Styles {
    /// All figures in one width, in English.
    pub fn new(width: Width) -> Self {
        let (language, each) = (Language::default(), BTreeMap::new());
        Self { width, font_pt: FONT_PT, has_titles: true, is_for_page: false, language, facets: None, each }
    }

    /// The style of a figure. Where several changes apply, that of the longest name comes first.
    pub fn of(&self, name: &str) -> Style {
        let width = self.change(name, |change| change.width).unwrap_or(self.width);
        let title = self.change(name, |change| change.title.clone());
        // Whoever asks for a panel for each participant wants them all.
        let is_asked = self.change(name, |change| change.facets).or(self.facets).is_some();
        let most_pages = if is_asked { usize::MAX } else { MOST_PAGES };
        let (has_titles, language) = (self.has_titles, self.language.clone());
        Style { has_titles, title, language, most_pages, ..Style::sized(width.mm(), self.font_pt) }
    }

    /// The facets of a figure, whose usual ones these are.
    pub fn facets_of(&self, name: &str, usual: Facets) -> Facets {
        self.change(name, |change| change.facets).or(self.facets).unwrap_or(usual)
    }

    fn change<T>(&self, name: &str, what: impl Fn(&Change) -> Option<T>) -> Option<T> {
        let mut changes: Vec<(&String, &Change)> =
            self.each.iter().filter(|(words, _)| begins_with(name, words)).collect();
        changes.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        changes.into_iter().find_map(|(_, change)| what(change))
    }
}

/// `true` if the name of a figure is these words, or begins with them: `state-graph-demo-06` with `state-graph`.
pub fn begins_with(name: &str, words: &str) -> bool {
    name.strip_prefix(words).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

/// `true` if one of two names begins with the other, so that words of a user may stand for a figure that is not drawn
/// yet.
pub fn is_related(name: &str, words: &str) -> bool {
    begins_with(name, words) || begins_with(words, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_belong_to_the_figures_that_they_name() {
        let change = |title: Option<&str>, width| Change { title: title.map(str::to_owned), width, facets: None };
        let each = BTreeMap::from([
            ("state-graph".to_owned(), change(Some("Map"), Some(Width::Single))),
            ("state-graph-a".to_owned(), change(Some("Map of a"), None)),
        ]);
        let styles = Styles { each, ..Styles::new(Width::Double) };
        let of_figure = |name: &str| (styles.of(name).title, styles.of(name).width_mm);
        assert_eq!(of_figure("state-graph-a"), (Some("Map of a".to_owned()), 85.0));
        assert_eq!(of_figure("state-graph-a1"), (Some("Map".to_owned()), 85.0));
        assert_eq!(of_figure("state-graphs"), (None, 180.0));
    }

    #[test]
    fn facets_are_those_of_the_figure_then_of_all_then_the_usual_ones() {
        let change = Change { facets: Some(Facets::Condition), ..Change::default() };
        let mut styles = Styles { each: BTreeMap::from([("transitions".to_owned(), change)]), ..Styles::default() };
        assert_eq!(styles.facets_of("transitions", Facets::None), Facets::Condition);
        assert_eq!(styles.facets_of("quality", Facets::Level), Facets::Level);
        styles.facets = Some(Facets::Participant);
        assert_eq!(styles.facets_of("transitions", Facets::None), Facets::Condition);
        assert_eq!(styles.facets_of("quality", Facets::Level), Facets::Participant);
    }
}

//! The sections `[figures]`, `[report]` and `[output]` of a study.

use std::collections::BTreeMap;

use plymap_analysis::two_groups::{Factor, GROUP_MEASURES, GroupMeasure};
use plymap_figures::{Change, FONT_PT, Facets, Language, LanguageError, Styles, Width, begins_with};
use plymap_puzzles::diagnostic::EntryDiagnostic;
use plymap_tables::TableFormat;
use serde::{Deserialize, Serialize};

/// `[figures]`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Figures {
    /// Formats: `svg`, `pdf`, `png`.
    pub formats: Vec<FigureFormat>,
    /// Documents that hold all figures, which the command line alone asks for.
    #[serde(skip)]
    pub documents: Vec<DocumentFormat>,
    /// Width in print: `single` (85 mm), `onehalf` (120 mm) or `double` (180 mm).
    pub width: Width,
    /// Resolution of PNG files.
    pub dpi: u32,
    /// Levels whose state graph and solution are drawn; the first ones of the study where it is empty.
    pub levels: Vec<String>,
    /// Colouring of the states of a state graph.
    pub colours: StateColours,
    /// Size of text in print in points; titles have one more, ticks one less.
    pub font_size: f64,
    /// True if title and subtitle stand above each drawing, as well as in its caption.
    pub titles: bool,
    /// Measures by factors whose groups are compared, such as `time_s by condition`, beside those of every study.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    /// Names of the groups that figures of them show first, in this order; for a page, which says which are compared.
    #[serde(skip)]
    pub first_groups: Vec<String>,
    /// Names of the figures that are made, or the first words of the names of several; all where it is empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// Code of the language of labels: `en`, `de`, `fr`.
    pub language: String,
    /// True if numbers have a decimal comma; as is usual in the language where it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimal_comma: Option<bool>,
    /// Labels of the user's own, by the English ones.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// Unit that has a panel, a row or a page of its own; where it is absent, the level in figures with small
    /// multiples, and none in others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facets: Option<Facets>,
    /// Changes to single figures, by their names.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub each: BTreeMap<String, Change>,
}

impl Figures {
    /// Returns true if a figure of this name is wanted.
    pub fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|words| begins_with(name, words))
    }

    /// Returns the styles of the figures. A language that is not known, which the check of a study refuses, is English.
    pub fn styles(&self) -> Styles {
        let language = self.resolved_language().unwrap_or_default();
        let (font_pt, has_titles) = (self.font_size, self.titles);
        Styles {
            language,
            font_pt,
            has_titles,
            facets: self.facets,
            each: self.each.clone(),
            ..Styles::new(self.width)
        }
    }

    /// Returns the styles of figures that are drawn for the page of a report too.
    pub fn styles_of_page(&self) -> Styles {
        Styles { is_for_page: true, ..self.styles() }
    }

    /// Returns the measures by factors whose groups are compared: those of every study, those of `groups`, and those
    /// that `only` names.
    pub fn group_figures(&self) -> Vec<GroupFigure> {
        let mut all: Vec<GroupFigure> = USUAL_GROUPS.iter().filter_map(|words| GroupFigure::read(words)).collect();
        all.iter_mut().for_each(|figure| figure.is_asked = false);
        let asked = self.groups.iter().filter_map(|words| GroupFigure::read(words));
        for figure in asked.chain(self.only.iter().filter_map(|name| GroupFigure::of_name(name))) {
            match all.iter_mut().find(|known| known.name() == figure.name()) {
                Some(known) => known.is_asked = true,
                None => all.push(figure),
            }
        }
        all
    }

    /// The language of the figures.
    ///
    /// # Errors
    ///
    /// [`LanguageError`].
    pub fn resolved_language(&self) -> Result<Language, LanguageError> {
        Language::new(&self.language, &self.labels, self.decimal_comma)
    }
}

impl Figures {
    /// The diagnostics of the section.
    pub fn check(&self) -> Vec<EntryDiagnostic> {
        let mut diagnostics = Vec::new();
        if !(72..=MAX_DPI).contains(&self.dpi) {
            let message = format!("dpi = {} is not from 72 to {MAX_DPI}", self.dpi);
            let help = "journals ask for 300 to 600; a page at 1200 has 92 million pixels, and each takes memory";
            diagnostics.push(EntryDiagnostic::new("bad-dpi", &["figures", "dpi"], message, help));
        }
        if !(LEAST_FONT..=MOST_FONT).contains(&self.font_size) {
            let message = format!("font_size = {} is not from {LEAST_FONT} to {MOST_FONT} points", self.font_size);
            let help = "APA style asks for 8 to 14 points; ticks have one point less";
            diagnostics.push(EntryDiagnostic::new("bad-font-size", &["figures", "font_size"], message, help));
        }
        for words in self.groups.iter().filter(|words| GroupFigure::read(words).is_none()) {
            let measures: Vec<&str> = GROUP_MEASURES.iter().map(|measure| measure.key).collect();
            let factors = Factor::ALL.map(Factor::name).join(", ");
            let help = format!("write MEASURE by FACTOR; measures are {}, factors {factors}", measures.join(", "));
            let message = format!("groups has {words:?}, which is no measure by a factor");
            diagnostics.push(EntryDiagnostic::new("bad-groups", &["figures", "groups"], message, &help));
        }
        if let Err(error) = self.resolved_language() {
            let help = "labels of your own go into [figures.labels]; docs/study.md shows how";
            let entry = match &error {
                LanguageError::Unknown { .. } => vec!["figures", "language"],
                LanguageError::Numbers { english, .. } => vec!["figures", "labels", english],
            };
            diagnostics.push(EntryDiagnostic::new("bad-language", &entry, error.to_string(), help));
        }
        diagnostics
    }
}

impl Default for Figures {
    fn default() -> Self {
        Self {
            formats: vec![FigureFormat::Svg],
            documents: Vec::new(),
            width: Width::Double,
            dpi: 600,
            levels: Vec::new(),
            colours: StateColours::Distance,
            font_size: FONT_PT,
            titles: true,
            groups: Vec::new(),
            first_groups: Vec::new(),
            only: Vec::new(),
            language: "en".to_owned(),
            decimal_comma: None,
            labels: BTreeMap::new(),
            facets: None,
            each: BTreeMap::new(),
        }
    }
}

/// The groups that figures of every study with several conditions compare.
const USUAL_GROUPS: [&str; 2] = ["time_s by condition", "share_optimal by condition"];
/// The least and the greatest size of text, in points.
const LEAST_FONT: f64 = 6.0;
const MOST_FONT: f64 = 14.0;

/// A measure of trials by a factor, whose groups a figure compares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupFigure {
    /// Key of the measure.
    pub measure: &'static str,
    /// The factor.
    pub factor: Factor,
    /// True if the study asks for it.
    pub is_asked: bool,
}

impl GroupFigure {
    /// Reads `time_s by condition`.
    fn read(words: &str) -> Option<Self> {
        let (measure, factor) = words.split_once(" by ")?;
        let measure = GroupMeasure::named(measure.trim())?.key;
        Some(Self { measure, factor: Factor::named(factor.trim())?, is_asked: true })
    }

    /// Reads the name of its figure.
    fn of_name(name: &str) -> Option<Self> {
        let (measure, factor) = name.strip_prefix("raincloud-")?.split_once("-by-")?;
        Self::read(&format!("{} by {factor}", measure.replace('-', "_")))
    }

    /// Returns the name of its figure, such as `raincloud-time-s-by-condition`.
    pub fn name(&self) -> String {
        format!("raincloud-{}-by-{}", self.measure.replace('_', "-"), self.factor.name())
    }
}

/// A format of figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FigureFormat {
    /// Scalable, for web pages and further editing.
    Svg,
    /// Scalable, for journals.
    Pdf,
    /// Pixels, for slides.
    Png,
}

impl FigureFormat {
    /// Returns the extension of its files, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Pdf => "pdf",
            Self::Png => "png",
        }
    }
}

/// Colouring of the states of a state graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StateColours {
    /// By their distance to the goal.
    #[default]
    Distance,
    /// Start yellow, goals red, all others blue, as in the article that plymap started from.
    Article,
}

/// `[report]`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Reporting {
    /// The questions that the report answers first, in this order.
    pub questions: Vec<Question>,
}

impl Reporting {
    /// The diagnostics of the section.
    pub fn check(&self) -> Vec<EntryDiagnostic> {
        let is_repeated =
            (1..self.questions.len()).any(|place| self.questions[..place].contains(&self.questions[place]));
        let help = "name each question once, in the order of the report";
        let repeated = || {
            EntryDiagnostic::new(
                "bad-questions",
                &["report", "questions"],
                "a question stands there twice".to_owned(),
                help,
            )
        };
        is_repeated.then(repeated).into_iter().collect()
    }
}

impl Default for Reporting {
    fn default() -> Self {
        Self { questions: Question::ALL.to_vec() }
    }
}

/// A question that a report can answer first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Question {
    /// Do people who make more moves take more time?
    MovesAndTime,
    /// Which levels are hard, and what goes with it?
    Levels,
    /// Does thinking before a move make it better?
    Thinking,
    /// Who gives up, and when?
    GivingUp,
    /// Do the conditions differ?
    Conditions,
}

impl Question {
    /// All of them, in the order of a report whose study names none.
    pub const ALL: [Self; 5] = [Self::MovesAndTime, Self::Levels, Self::Thinking, Self::GivingUp, Self::Conditions];

    /// Its name in `[report] questions`.
    pub fn name(self) -> &'static str {
        match self {
            Self::MovesAndTime => "moves-and-time",
            Self::Levels => "levels",
            Self::Thinking => "thinking",
            Self::GivingUp => "giving-up",
            Self::Conditions => "conditions",
        }
    }
}

/// `[output]`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Output {
    /// Formats of tables: `csv`, `parquet`.
    pub tables: Vec<TableFormat>,
    /// Formats of the distance tables of levels; none where it is empty.
    pub distances: Vec<TableFormat>,
    /// Further formats of the tables of statistics: `markdown`, `latex`.
    pub results: Vec<ResultFormat>,
    /// Documents: `docx`, the report for Word; `xlsx`, the tables as a workbook.
    pub documents: Vec<DocumentFormat>,
    /// True if the page has interactive state-space maps.
    pub interactive: bool,
    /// True if columns of the log that tell who somebody is are written too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub keep_personal: bool,
}

/// A format in which tables of statistics are written for a paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultFormat {
    /// A Markdown table, rounded for reading.
    Markdown,
    /// A LaTeX document that compiles alone, rounded for reading.
    Latex,
}

/// A document of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DocumentFormat {
    /// `report.docx`: the report for Word.
    Docx,
    /// `tables.xlsx`: the tables as a workbook for Excel.
    Xlsx,
}

impl DocumentFormat {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Docx, Self::Xlsx];

    /// Returns the extension of its files, without the dot, which is the word that asks for it.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Docx => "docx",
            Self::Xlsx => "xlsx",
        }
    }

    /// Returns the format of this name, if there is one.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.extension() == word)
    }
}

impl ResultFormat {
    /// Returns the extension of its files, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Markdown => "md",
            Self::Latex => "tex",
        }
    }
}

impl Output {
    /// The diagnostics of the section.
    pub fn check(&self) -> Vec<EntryDiagnostic> {
        let help = "name csv, parquet or both; the report refers to the files";
        let without =
            || EntryDiagnostic::new("no-tables", &["output", "tables"], "tables have no format".to_owned(), help);
        self.tables.is_empty().then(without).into_iter().collect()
    }
}

impl Default for Output {
    fn default() -> Self {
        Self {
            tables: vec![TableFormat::Csv],
            distances: vec![TableFormat::Parquet],
            results: Vec::new(),
            documents: vec![DocumentFormat::Docx],
            interactive: true,
            keep_personal: false,
        }
    }
}

/// The highest resolution of PNG files: a page of 180 × 230 mm has 92 million pixels.
const MAX_DPI: u32 = 1200;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_those_of_every_study_and_those_that_are_named() {
        let names = |figures: &Figures| -> Vec<(String, bool)> {
            figures.group_figures().iter().map(|figure| (figure.name(), figure.is_asked)).collect()
        };
        let usual = |is_asked| ("raincloud-time-s-by-condition".to_owned(), is_asked);
        let optimal = ("raincloud-share-optimal-by-condition".to_owned(), false);
        assert_eq!(names(&Figures::default()), [usual(false), optimal.clone()]);
        let figures = Figures {
            groups: vec!["time_s by condition".to_owned(), "n_moves by solved".to_owned()],
            only: vec!["raincloud-mean-regret-by-level".to_owned(), "raincloud".to_owned()],
            ..Figures::default()
        };
        let asked = |name: &str| (name.to_owned(), true);
        let more = [asked("raincloud-n-moves-by-solved"), asked("raincloud-mean-regret-by-level")];
        assert_eq!(names(&figures), [vec![usual(true), optimal], more.to_vec()].concat());
    }

    #[test]
    fn what_cannot_be_drawn_is_named() {
        let figures = Figures {
            groups: vec!["speed by condition".to_owned(), "time_s by condition".to_owned()],
            font_size: 40.0,
            ..Figures::default()
        };
        let diagnostics = figures.check();
        let said: Vec<String> = diagnostics.iter().map(|diagnostic| format!("{diagnostic:?}")).collect();
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0].contains("font_size = 40") && said[1].contains("speed by condition"), "{said:?}");
    }
}

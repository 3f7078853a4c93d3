//! study.toml: the one configuration file of an analysis.
//!
//! Every path in it starts from the folder that the file lies in. `plymap init` writes a commented one.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::experiment::Experiment;
use crate::store::FolderStore;
use plymap_analysis::confirmatory::Hypothesis;
use plymap_analysis::models::ModelSpec;
use plymap_analysis::{ANALYSES, Analysis, models};
use plymap_figures::{Change, Facets, Language, LanguageError, Styles, Width, begins_with};
use plymap_log::{ColumnSpec, LogError, LogSpec};
use plymap_measures::measure::Measure;
use plymap_measures::selection::{Selection, SelectionKind};
use plymap_players::cohort::{Cohort, members};
use plymap_players::policy::{PolicySpec, SpecError};
use plymap_puzzles::diagnostic::{Diagnostic, SourceText, separator_hint};
use plymap_puzzles::foreign::read_text;
use plymap_puzzles::graph::MapOptions;
use plymap_puzzles::level::LevelColumns;
use plymap_puzzles::registry::OptionsError;
use plymap_puzzles::registry::{Game, RuleOptions};
use plymap_statistics::stats::Confidence;
use plymap_tables::TableFormat;

mod words;

/// A study as its file describes it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// What the study is.
    pub study: About,
    /// Which levels were played.
    pub levels: Levels,
    /// The rules of the game; which entries there are is for the game to say.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    pub rules: toml::Table,
    /// How levels are mapped.
    #[serde(default)]
    pub map: Mapping,
    /// Where the logs are; a study without logs is a study of its levels.
    #[serde(default)]
    pub log: LogSpec,
    /// What the columns of the logs mean.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: BTreeMap<String, ColumnSpec>,
    /// What is analysed of what was played: all others are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<Selection>,
    /// What is left out of the analysis.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<Selection>,
    /// How statistics are computed.
    #[serde(default)]
    pub statistics: Statistics,
    /// Which figures are drawn, and how.
    #[serde(default)]
    pub figures: Figures,
    /// Which searches are compared.
    #[serde(default, skip_serializing_if = "Searches::is_default")]
    pub search: Searches,
    /// How simulated players are drawn.
    #[serde(default, skip_serializing_if = "Simulation::is_default")]
    pub simulation: Simulation,
    /// The cohorts that `plymap simulate` lets play.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cohort: Vec<Cohort>,
    /// The simulated players that people are compared with; the usual ones where it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Vec<Cohort>>,
    /// The question that `plymap power` answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power: Option<Power>,
    /// How strategies compete.
    #[serde(default, skip_serializing_if = "Tournament::is_default")]
    pub tournament: Tournament,
    /// The strategies that compete in `plymap tournament`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strategy: Vec<Strategy>,
    /// What participants read, play and are asked in a browser.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub experiment: Option<Experiment>,
    /// What the report answers first.
    #[serde(default)]
    pub report: Reporting,
    /// What is written.
    #[serde(default)]
    pub output: Output,
    /// The folder that paths start from.
    #[serde(skip)]
    pub folder: PathBuf,
}

/// `[study]`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// Short name; the run writes to `reports/NAME` unless told otherwise.
    pub name: String,
    /// Title of the report; the name where it is not given.
    #[serde(default)]
    pub title: Option<String>,
    /// A few sentences for the head of the report.
    #[serde(default)]
    pub description: Option<String>,
    /// File with the sentences of a paper that are checked against the tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<PathBuf>,
}

/// `[levels]`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Levels {
    /// Name of the game, or a script that is one; the first registered one where it is not given.
    #[serde(default)]
    pub game: Option<String>,
    /// Files and folders with levels.
    pub files: Vec<PathBuf>,
    /// The column of a table of levels that names them; found by its name where it is not given.
    #[serde(default)]
    pub id: Option<String>,
    /// The column of a table of levels that holds the board; found by its name where it is not given.
    #[serde(default)]
    pub board: Option<String>,
    /// Whether levels that cannot be solved are wanted, as in studies of persistence.
    #[serde(default)]
    pub allow_unsolvable: bool,
}

/// `[map]`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Mapping {
    /// The most states that a level may have.
    pub max_states: usize,
    /// Whether positions beyond a goal belong to the map.
    pub expand_goals: bool,
    /// Folder in which games and stages keep what took long to compute; that of the user where it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache: Option<PathBuf>,
}

impl Default for Mapping {
    fn default() -> Self {
        Self { max_states: MapOptions::DEFAULT_MAX_STATES, expand_goals: true, cache: None }
    }
}

/// `[statistics]`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Statistics {
    /// Level of all intervals.
    pub confidence: Confidence,
    /// Names of the analyses that a run makes beside its tables; all where it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analyses: Option<Vec<String>>,
    /// The most rows of a log that analyses, comparisons and figures are made of; of longer logs they are made of a sample
    /// of participants.
    pub max_moves: u64,
    /// The hypotheses that were written down before the data were seen, tested and corrected as one family.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub confirmatory: Vec<Hypothesis>,
    /// Models of the study's own, fitted beside the usual ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub model: Vec<ModelSpec>,
}

impl Default for Statistics {
    fn default() -> Self {
        Self {
            confidence: Confidence::default(),
            analyses: None,
            max_moves: MAX_MOVES,
            confirmatory: Vec::new(),
            model: Vec::new(),
        }
    }
}

/// So many rows are analysed unless a study says otherwise: about 2 GB of memory.
const MAX_MOVES: u64 = 1_000_000;

/// `[figures]`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Figures {
    /// Formats: `svg`, `pdf`, `png`.
    pub formats: Vec<FigureFormat>,
    /// Width in print: `single` (85 mm), `onehalf` (120 mm) or `double` (180 mm).
    pub width: Width,
    /// Resolution of PNG files.
    pub dpi: u32,
    /// Levels whose state graph and solution are drawn; the first ones of the study where it is empty.
    pub levels: Vec<String>,
    /// How the states of a state graph are coloured.
    pub colours: StateColours,
    /// Names of the figures that are made, or the first words of the names of several; all where it is empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// Code of the language of labels: `en`, `de`, `fr`.
    pub language: String,
    /// Whether numbers have a decimal comma; as is usual in the language where it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimal_comma: Option<bool>,
    /// Labels of the user's own, by the English ones.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// What has a panel, a row or a page of its own; where it is absent, levels have in figures with small multiples, and
    /// nothing has in others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facets: Option<Facets>,
    /// What is different in single figures, by their names.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub each: BTreeMap<String, Change>,
}

impl Figures {
    /// Whether a figure of this name is wanted.
    pub fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|words| begins_with(name, words))
    }

    /// How figures look. A language that is not known, which the check of a study refuses, is English.
    pub fn styles(&self) -> Styles {
        let language = self.resolved_language().unwrap_or_default();
        Styles { language, facets: self.facets, each: self.each.clone(), ..Styles::new(self.width) }
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

impl Default for Figures {
    fn default() -> Self {
        Self {
            formats: vec![FigureFormat::Svg],
            width: Width::Double,
            dpi: 600,
            levels: Vec::new(),
            colours: StateColours::Distance,
            only: Vec::new(),
            language: "en".to_owned(),
            decimal_comma: None,
            labels: BTreeMap::new(),
            facets: None,
            each: BTreeMap::new(),
        }
    }
}

/// `[search]`: which searches `plymap search-study` compares.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Searches {
    /// Names of the algorithms; all where it is empty.
    pub algorithms: Vec<String>,
    /// Names of the heuristics, sums with `+`; all of the game, and `perfect`, where it is empty.
    pub heuristics: Vec<String>,
    /// Names of the levels; all where it is empty.
    pub levels: Vec<String>,
    /// How often each search is made, for its time.
    pub repeats: u32,
    /// The most states that a search expands.
    pub max_expanded: u64,
    /// The longest time of a search, in seconds; all repeats together take about as long at most.
    pub max_seconds: f64,
    /// File with sentences about searches that are checked against the tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claims: Option<PathBuf>,
}

impl Searches {
    /// Runs of other commands do not record searches that nobody described.
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Default for Searches {
    fn default() -> Self {
        Self {
            algorithms: Vec::new(),
            heuristics: Vec::new(),
            levels: Vec::new(),
            repeats: 5,
            max_expanded: 1_000_000,
            max_seconds: 10.0,
            claims: None,
        }
    }
}

/// `[simulation]`: how simulated players are drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Simulation {
    /// Seed of the random number generator; the same seed gives the same play.
    pub seed: u64,
}

impl Default for Simulation {
    fn default() -> Self {
        Self { seed: 1 }
    }
}

impl Simulation {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// `[power]`: the question that `plymap power` answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Power {
    /// The two cohorts that are compared, or the one within which two measures are correlated.
    pub cohorts: Vec<String>,
    /// The measure of participants that is compared, a column of the table `participants`; or else `model`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measure: Option<String>,
    /// The mixed model, one of those of a report or of the study's own, whose test of the condition is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The measure that it is correlated with, where there is one cohort.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with: Option<String>,
    /// The test; Welch's t for two cohorts, Pearson's r for one, where it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<PowerTest>,
    /// Numbers of participants of each cohort that are tried.
    #[serde(default = "usual_numbers")]
    pub n: Vec<u32>,
    /// Number of simulated experiments for each of them.
    #[serde(default = "usual_repeats")]
    pub repeats: u32,
    /// The p value below which an effect counts as found.
    #[serde(default = "usual_alpha")]
    pub alpha: f64,
    /// The power that is wanted.
    #[serde(default = "usual_power")]
    pub target: f64,
}

fn usual_numbers() -> Vec<u32> {
    vec![5, 10, 15, 20, 30, 40, 60]
}

fn usual_repeats() -> u32 {
    200
}

fn usual_alpha() -> f64 {
    0.05
}

fn usual_power() -> f64 {
    0.8
}

/// A test whose power is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PowerTest {
    /// Welch's t test of two cohorts.
    Welch,
    /// The rank test of Kruskal and Wallis, of two cohorts.
    KruskalWallis,
    /// Pearson's r within one cohort.
    Pearson,
    /// Spearman's rank correlation within one cohort.
    Spearman,
    /// The test of the condition in a mixed model, of two cohorts; a study names the model instead.
    #[serde(skip)]
    Model,
}

impl Power {
    /// The test: that of the model, where one is named; Welch's t for two cohorts, Pearson's r for one, where the study
    /// names none.
    pub fn test(&self) -> PowerTest {
        match &self.model {
            Some(_) => PowerTest::Model,
            None => self.test.unwrap_or(if self.with.is_none() { PowerTest::Welch } else { PowerTest::Pearson }),
        }
    }
}

impl PowerTest {
    /// Whether it compares two cohorts.
    pub fn compares(self) -> bool {
        matches!(self, Self::Welch | Self::KruskalWallis | Self::Model)
    }

    /// Its name in prose.
    pub fn title(self) -> &'static str {
        match self {
            Self::Welch => "Welch's t test",
            Self::KruskalWallis => "the Kruskal-Wallis test",
            Self::Pearson => "Pearson's r",
            Self::Spearman => "Spearman's ρ",
            Self::Model => "the test of the condition in a mixed model",
        }
    }
}

/// `[tournament]`: how strategies compete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tournament {
    /// Number of games of each strategy at each level.
    pub games: u32,
    /// Number of moves after which a game is ended.
    pub max_moves: u32,
}

impl Default for Tournament {
    fn default() -> Self {
        Self { games: 100, max_moves: 100_000 }
    }
}

impl Tournament {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// `[[strategy]]`: a player of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strategy {
    /// Its name.
    pub name: String,
    /// How it chooses.
    pub policy: toml::Table,
}

impl Strategy {
    /// Its policy. Paths start from `folder`.
    ///
    /// # Errors
    ///
    /// [`SpecError`].
    pub fn spec(&self, folder: &Path) -> Result<PolicySpec, SpecError> {
        PolicySpec::read(&self.policy, folder, 0)
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
    /// What the names of its files end with, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Pdf => "pdf",
            Self::Png => "png",
        }
    }
}

/// How the states of a state graph are coloured.
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
    /// Whether the page has interactive state-space maps.
    pub interactive: bool,
    /// Whether columns of the log that tell who somebody is are written too.
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

impl ResultFormat {
    /// What the names of its files end with, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Markdown => "md",
            Self::Latex => "tex",
        }
    }
}

impl Default for Output {
    fn default() -> Self {
        Self {
            tables: vec![TableFormat::Csv],
            distances: vec![TableFormat::Parquet],
            results: Vec::new(),
            interactive: true,
            keep_personal: false,
        }
    }
}

/// The longest name of a study, in bytes: most systems have at most 255 for the name of a folder, and that of a run
/// begins as a longer one.
const LONGEST_NAME: usize = 200;

/// The highest resolution of PNG files: a page of 180 × 230 mm has 92 million pixels.
const MAX_DPI: u32 = 1200;

/// Why a study could not be read.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// The file could not be read.
    #[error("cannot read the study {}: {source}{}", path.display(), separator_hint(path, source.kind()))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file says something that no study can.
    #[error("{}", .0[0])]
    Diagnostics(Vec<Diagnostic>),
}

impl Study {
    /// The file of a study; a folder stands for the `study.toml` in it.
    pub fn file(path: &Path) -> PathBuf {
        if path.is_dir() { path.join("study.toml") } else { path.to_owned() }
    }

    /// Where its run goes unless somebody says otherwise; what another command makes of it has its `purpose` in the name.
    pub fn target(&self, purpose: &str) -> PathBuf {
        Path::new("reports").join(format!("{}{purpose}", self.study.name))
    }

    /// Reads a study; a folder stands for the `study.toml` in it.
    ///
    /// # Errors
    ///
    /// [`StudyError`]: the file cannot be read, or is not a study.
    pub fn read(path: &Path) -> Result<Self, StudyError> {
        let path = Self::file(path);
        let text = read_text(&path).map_err(|source| StudyError::Io { path: path.clone(), source })?;
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Self::parse(&Arc::new(SourceText { path, text }), folder).map_err(StudyError::Diagnostics)
    }

    /// Reads a study from its text; `folder` is where its paths start.
    ///
    /// # Errors
    ///
    /// Every fault of the study.
    pub fn parse(source: &Arc<SourceText>, folder: PathBuf) -> Result<Self, Vec<Diagnostic>> {
        let mut study: Self = toml::from_str(&source.text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            let at = source.text.get(span.clone()).unwrap_or_default();
            let said = words::missing_in(at, error.message()).unwrap_or_else(|| words::plain(error.message()));
            vec![Diagnostic::error("bad-study", source, span, said).with_help("docs/study.md lists every entry")]
        })?;
        study.folder = folder;
        let faults = study.faults(source);
        if faults.is_empty() { Ok(study) } else { Err(faults) }
    }

    fn faults(&self, source: &Arc<SourceText>) -> Vec<Diagnostic> {
        let mut faults = Vec::new();
        let mut fault = |code, keys: &[&str], message: String, help: &str| {
            faults.push(
                Diagnostic::error(code, source, place_of(&source.text, keys), words::plain(&message)).with_help(help),
            );
        };
        let name = &self.study.name;
        if name.len() > LONGEST_NAME {
            let message = format!("the name of the study is longer than {LONGEST_NAME} bytes");
            let help = "the name becomes the name of a folder; put long names in title of [study]";
            fault("bad-name", &["study", "name"], message, help);
        }
        if name.is_empty() || name.contains(['/', '\\']) || name.starts_with('.') {
            let help = "the name becomes the name of a folder: use letters, digits, - and _";
            fault("bad-name", &["study", "name"], format!("the study cannot be named {name:?}"), help);
        }
        for (kind, selection) in self.selections() {
            if let Err(error) = selection.check(kind) {
                fault("bad-selection", &[kind.name()], error.to_string(), "docs/study.md shows selections");
            }
        }
        if let Some(name) = self.levels.game.as_deref().filter(|name| Game::named(name).is_none()) {
            let known: Vec<_> = plymap_puzzles::registry::GAMES.iter().map(|game| game.name).collect();
            let help = format!("the games are {}, or the path of a script that ends in .lua", known.join(", "));
            fault("unknown-game", &["levels", "game"], format!("there is no game {name:?}"), &help);
        } else if let Err(error) = (self.game().check_options)(&self.rule_options()) {
            // The error names the entry in backticks; of a value that cannot be read it names the value alone.
            let named = error.reason.split('`').nth(1).filter(|name| self.rules.contains_key(*name));
            let found = if named.is_some() { None } else { self.bad_rule(&error) };
            let message = match found {
                Some(entry) => format!("[rules] for {}: `{entry}`: {}", error.game, error.reason),
                None => error.to_string(),
            };
            let entry = found.or(named).unwrap_or_default();
            fault("bad-rules", &["rules", entry], message, "docs/study.md lists the rules of each game");
        }
        if self.levels.files.is_empty() {
            let help = "name a file or a folder in files of [levels]";
            fault("no-levels", &["levels", "files"], "the study has no levels".to_owned(), help);
        }
        for name in self.statistics.analyses.iter().flatten().filter(|name| Analysis::named(name).is_none()) {
            let known: Vec<&str> = ANALYSES.iter().map(|analysis| analysis.name).collect();
            let help = format!("the analyses are {}", known.join(", "));
            fault("unknown-analysis", &["statistics", "analyses"], format!("there is no analysis {name:?}"), &help);
        }
        if let Err(message) = ModelSpec::check(&self.statistics.model) {
            let help = "docs/study.md shows models of a study's own";
            fault("bad-model", &["statistics", "model"], message, help);
        }
        for hypothesis in &self.statistics.confirmatory {
            let analyses: Vec<&Analysis> = self.analyses().collect();
            if let Err(message) = hypothesis.check(&analyses, &self.statistics.model) {
                let help = "write \"model: term\", or { table = \"…\", row = { column = \"text\" } }; docs/study.md shows both";
                fault("bad-hypothesis", &["statistics", "confirmatory"], message, help);
            }
        }
        if !(72..=MAX_DPI).contains(&self.figures.dpi) {
            let message = format!("dpi = {} is not from 72 to {MAX_DPI}", self.figures.dpi);
            let help = "journals ask for 300 to 600; a page at 1200 has 92 million pixels, and each takes memory";
            fault("bad-dpi", &["figures", "dpi"], message, help);
        }
        if let Err(error) = self.figures.resolved_language() {
            let help = "labels of your own go into [figures.labels]; docs/study.md shows how";
            let entry = match &error {
                LanguageError::Unknown { .. } => vec!["figures", "language"],
                LanguageError::Numbers { english, .. } => vec!["figures", "labels", english],
            };
            fault("bad-language", &entry, error.to_string(), help);
        }
        if !(1..=1000).contains(&self.search.repeats) {
            let message = format!("repeats = {} is not from 1 to 1000", self.search.repeats);
            fault("bad-search", &["search", "repeats"], message, "5 is enough for a median");
        }
        if !(self.search.max_seconds > 0.0 && self.search.max_seconds <= 1e6) {
            let message = format!("max_seconds = {} is not above 0, and at most 1000000", self.search.max_seconds);
            fault("bad-search", &["search", "max_seconds"], message, "10 is usual");
        }
        if self.search.max_expanded == 0 {
            let message = "max_expanded = 0 lets no search begin".to_owned();
            fault("bad-search", &["search", "max_expanded"], message, "1000000 is usual");
        }
        for (entry, cohorts) in [("cohort", &self.cohort), ("baseline", self.baseline.as_ref().unwrap_or(&Vec::new()))]
        {
            if let Err(error) = members(cohorts, self.simulation.seed, &self.folder) {
                fault("bad-cohort", &[entry], error.to_string(), "docs/simulation.md says what a cohort is made of");
            }
        }
        for (index, strategy) in self.strategy.iter().enumerate() {
            let help = "docs/policies.md lists all policies, docs/tournament.md says how strategies compete";
            let is_named = !strategy.name.is_empty() && strategy.name.trim() == strategy.name;
            if !is_named || self.strategy[..index].iter().any(|other| other.name == strategy.name) {
                let message = format!("the name {:?} of a strategy is empty, or that of another one", strategy.name);
                fault("bad-strategy", &["strategy"], message, help);
            }
            let policy = strategy.spec(&self.folder).and_then(|spec| spec.build(&self.folder).map(drop));
            if let Err(error) = policy {
                fault("bad-strategy", &["strategy"], format!("strategy {:?}: {error}", strategy.name), help);
            }
        }
        if self.tournament.games == 0 || self.tournament.max_moves == 0 {
            let message = "a tournament needs at least one game of one move".to_owned();
            fault("bad-tournament", &["tournament"], message, "games = 100 is usual");
        }
        if let Some(power) = &self.power
            && let Err((entry, message)) = self.check_power(power)
        {
            fault("bad-power", &["power", entry], message, "docs/simulation.md says what a study of power needs");
        }
        if let Some(Err(wrong)) = self.experiment.as_ref().map(Experiment::check) {
            let help = "docs/experiments.md lists what an experiment can be";
            fault("bad-experiment", &["experiment", wrong.entry], wrong.message, help);
        }
        let questions = &self.report.questions;
        if (1..questions.len()).any(|place| questions[..place].contains(&questions[place])) {
            let message = "a question stands there twice".to_owned();
            fault(
                "bad-questions",
                &["report", "questions"],
                message,
                "name each question once, in the order of the report",
            );
        }
        if self.output.tables.is_empty() {
            let help = "name csv, parquet or both; the report refers to the files";
            fault("no-tables", &["output", "tables"], "tables have no format".to_owned(), help);
        }
        if let Err(error) = self.log_spec().map_or(Ok(()), |spec| spec.check()) {
            let keys = match &error {
                LogError::UnknownEvent { value, .. } => vec!["log", "events", value],
                LogError::UnknownKey { key, .. } => vec!["columns", key],
                LogError::BadColumn { key, .. } => vec!["columns", key],
                LogError::BadStep { step, .. } => vec!["log", step],
                _ => vec!["columns"],
            };
            fault("bad-columns", &keys, error.to_string(), "docs/logs.md lists what the columns of a log can be");
        }
        // A name that stands there three times is repeated twice, and said once.
        let mut said = HashSet::new();
        faults.retain(|fault| said.insert((fault.place.span.start, fault.message.clone())));
        faults
    }

    /// The entry of `[rules]` without which they are not refused, or refused for another reason.
    fn bad_rule(&self, error: &OptionsError) -> Option<&str> {
        let without = |entry: &str| {
            let mut options = self.rule_options();
            options.table.remove(entry);
            (self.game().check_options)(&options)
        };
        let entries = || self.rules.keys().map(String::as_str);
        entries()
            .find(|entry| without(entry).is_ok())
            .or_else(|| entries().find(|entry| without(entry).is_err_and(|other| other != *error)))
    }

    /// What is wrong with `[power]`, after the entry that says it.
    fn check_power(&self, power: &Power) -> Result<(), (&'static str, String)> {
        if let Some(name) = power.cohorts.iter().find(|name| !self.cohort.iter().any(|cohort| cohort.name == **name)) {
            let known: Vec<&str> = self.cohort.iter().map(|cohort| cohort.name.as_str()).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return Err(("cohorts", format!("there is no cohort {name:?}; there are {known}")));
        }
        let n_cohorts = if power.with.is_some() { 1 } else { 2 };
        if power.cohorts.len() != n_cohorts {
            let of = if n_cohorts == 1 { "a correlation (`with`) is within" } else { "a comparison is between" };
            return Err(("cohorts", format!("{of} {n_cohorts} of the cohorts, not {}", power.cohorts.len())));
        }
        match (&power.measure, &power.model) {
            (None, None) => return Err(("cohorts", "neither a `measure` nor a `model` is asked about".to_owned())),
            (Some(_), Some(_)) => {
                return Err(("model", "ask about a `measure` or about a `model`, not both".to_owned()));
            }
            (None, Some(name)) => {
                let terms = models::terms_of(&self.statistics.model, name).map_err(|message| ("model", message))?;
                if !terms.iter().any(|term| term == models::CONDITION) {
                    return Err(("model", format!("the model {name:?} has no condition; it has {}", terms.join(", "))));
                }
                if power.with.is_some() || power.test.is_some() {
                    return Err(("model", "a model has a test of its own: leave out `with` and `test`".to_owned()));
                }
            }
            (Some(_), None) => {}
        }
        if power.test.is_some_and(|test| test.compares() != power.with.is_none()) {
            let reason =
                "welch and kruskal-wallis compare two cohorts, pearson and spearman correlate `measure` `with` another";
            return Err(("test", reason.to_owned()));
        }
        for (entry, name) in [("measure", power.measure.as_ref()), ("with", power.with.as_ref())] {
            if let Some(name) = name.filter(|name| Measure::of_power_named(name).is_none()) {
                let known: Vec<&str> = Measure::all_of_power().map(|(measure, _)| measure.name()).collect();
                return Err((entry, format!("there is no measure {name:?}; there are {}", known.join(", "))));
            }
        }
        if power.n.is_empty() || power.n.iter().any(|n| !(2..=10_000).contains(n)) {
            return Err(("n", "numbers of participants are from 2 to 10000".to_owned()));
        }
        if !(10..=100_000).contains(&power.repeats) {
            return Err(("repeats", format!("repeats = {} is not from 10 to 100000", power.repeats)));
        }
        for (entry, value) in [("alpha", power.alpha), ("target", power.target)] {
            if !(value > 0.0 && value < 1.0) {
                return Err((entry, format!("{entry} = {value} is not between 0 and 1")));
            }
        }
        Ok(())
    }

    /// The game of the study.
    pub fn game(&self) -> &'static Game {
        self.levels.game.as_deref().and_then(Game::named).unwrap_or_default()
    }

    /// The options of its rules.
    pub fn rule_options(&self) -> RuleOptions {
        RuleOptions::of_game(self.levels.game.as_deref(), self.rules.clone(), self.folder.clone())
    }

    /// The files and folders of its levels.
    pub fn level_files(&self) -> Vec<PathBuf> {
        self.levels.files.iter().map(|file| self.folder.join(file)).collect()
    }

    /// How the columns of tables of levels are named.
    pub fn level_columns(&self) -> LevelColumns {
        LevelColumns { id: self.levels.id.clone(), board: self.levels.board.clone() }
    }

    /// How its logs are read; absent if it has none.
    pub fn log_spec(&self) -> Option<LogSpec> {
        if self.log.files.is_empty() {
            return None;
        }
        Some(LogSpec {
            columns: self.columns.clone(),
            folder: self.folder.clone(),
            keep_personal: self.output.keep_personal,
            ..self.log.clone()
        })
    }

    /// What is chosen of what was played, in the order in which it is done.
    pub fn selections(&self) -> Vec<(SelectionKind, &Selection)> {
        let included = self.include.iter().map(|selection| (SelectionKind::Include, selection));
        included.chain(self.exclude.iter().map(|selection| (SelectionKind::Exclude, selection))).collect()
    }

    /// The analyses that a run makes, in the order of the report.
    pub fn analyses(&self) -> impl Iterator<Item = &'static Analysis> {
        let wanted = |analysis: &&Analysis| match &self.statistics.analyses {
            Some(names) => names.iter().any(|name| name == analysis.name),
            None => true,
        };
        ANALYSES.iter().filter(wanted)
    }

    /// Where games and stages keep what took long to compute.
    pub fn store(&self) -> Option<FolderStore> {
        match &self.map.cache {
            Some(folder) => Some(FolderStore::new(self.folder.join(folder))),
            None => FolderStore::of_user(),
        }
    }

    /// The title of its report.
    pub fn title(&self) -> &str {
        self.study.title.as_deref().unwrap_or(&self.study.name)
    }
}

/// Where the value of an entry stands in the text of a study, such as `["study", "name"]`; the nearest
/// table above it that is there, else the start.
fn place_of(text: &str, keys: &[&str]) -> Range<usize> {
    let Ok(root) = toml::de::DeTable::parse(text) else { return 0..0 };
    let mut place = 0..0;
    let mut table = Some(root.get_ref());
    for key in keys {
        let Some((name, value)) = table.and_then(|table| table.iter().find(|(name, _)| name.get_ref() == *key)) else {
            break;
        };
        place = if value.get_ref().is_table() { name.span() } else { value.span() };
        table = value.get_ref().as_table();
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The faults of a study that is right but for these lines, as `line:column message`.
    fn faults(lines: &str) -> Vec<String> {
        let text = format!("[study]\nname = \"x\"\n[levels]\nfiles = [\"levels\"]\n{lines}");
        let source = Arc::new(SourceText { path: PathBuf::from("study.toml"), text });
        let Err(faults) = Study::parse(&source, PathBuf::new()) else { return Vec::new() };
        let told = |fault: &Diagnostic| {
            let (line, column) = fault.place.line_and_column();
            format!("{line}:{column} {}", fault.message)
        };
        faults.iter().map(told).collect()
    }

    #[test]
    fn a_fault_of_figures_is_marked_where_it_stands() {
        assert_eq!(
            faults("[figures]\nlanguage = \"de\"\n[figures.labels]\n\"time\" = \"Zeit\"\n\"{} trials\" = \"Spiele\"\n"),
            ["9:15 \"{} trials\" and \"Spiele\" have 1 and 0 numbers (each written {}), and must have as many"]
        );
        assert_eq!(faults("[figures]\nlanguage = \"xx\"\n").len(), 1);
        assert_eq!(faults("[figures]\ndpi = 2400\n"), ["6:7 dpi = 2400 is not from 72 to 1200"]);
        assert!(faults("[figures]\ndpi = 1200\n").is_empty());
    }

    #[test]
    fn what_stands_there_three_times_is_said_once() {
        let strategy = "[[strategy]]\nname = \"a\"\npolicy = { kind = \"chance\" }\n";
        assert_eq!(faults(&strategy.repeat(3)), ["5:1 the name \"a\" of a strategy is empty, or that of another one"]);
    }

    #[test]
    fn a_bad_value_of_the_rules_names_its_entry() {
        assert_eq!(
            faults("[rules]\ngoal = \"out\"\n"),
            ["6:8 [rules] for rush-hour: `goal`: there is no choice `out`; the choices are `exit`, `path-clear`"]
        );
        assert_eq!(
            faults("[rules]\ngoal = \"exit\"\nmetric = 1\n"),
            ["7:10 [rules] for rush-hour: `metric`: a text in quotes is needed here, such as \"name\""]
        );
        let unknown = faults("[rules]\ntarget = 3\n");
        assert!(unknown[0].starts_with("6:10 [rules] for rush-hour: there is no entry `target`"), "{unknown:?}");
    }

    #[test]
    fn faults_of_a_log_point_at_their_entry() {
        let found = faults("[log]\nfiles = [\"a.csv\"]\n[log.events]\nDrop = \"drop\"\n");
        assert!(found[0].starts_with("8:8 [log.events] translates \"Drop\" into \"drop\""), "{found:?}");
        let found = faults("[log]\nfiles = [\"a.csv\"]\n[columns]\nsubject = \"participant\"\n");
        assert!(found[0].starts_with("8:11 [columns] names \"subject\""), "{found:?}");
        let found = faults("[log]\nfiles = [\"a.csv\"]\nseparator = \"\\n\"\n");
        assert!(found[0].starts_with("7:13 "), "{found:?}");
    }

    #[test]
    fn a_name_that_is_too_long_for_a_folder_is_refused() {
        let text = format!("[study]\nname = \"{}\"\n[levels]\nfiles = [\"levels\"]\n", "x".repeat(300));
        let source = Arc::new(SourceText { path: PathBuf::from("study.toml"), text });
        let faults = Study::parse(&source, PathBuf::new()).unwrap_err();
        assert_eq!((faults.len(), faults[0].code), (1, "bad-name"));
    }
}

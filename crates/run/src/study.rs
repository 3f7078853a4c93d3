//! study.toml: the one configuration file of an analysis.
//!
//! Every path in it starts from the folder that the file lies in. `plymap init` writes a commented one.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use plymap_analysis::section::Statistics;
use plymap_log::{ColumnSpec, LogSpec};
use plymap_measures::selection::{Selection, SelectionKind};
use plymap_play::experiment::Experiment;
use plymap_play::page_files::is_text;
use plymap_players::cohort::Cohort;
use plymap_players::section::{Simulation, check_cohorts};
use plymap_puzzles::diagnostic::{Diagnostic, EntryDiagnostic, SourceText, separator_hint};
use plymap_puzzles::foreign::read_text;
use plymap_puzzles::graph::MapOptions;
use plymap_puzzles::level::LevelColumns;
use plymap_puzzles::registry::{GAMES, Game, OptionsError, RuleOptions};
use plymap_report::PreregistrationFile;
use plymap_report::settings::{Figures, Output, Reporting};
use plymap_tables::store::FolderStore;
use plymap_tables::toml_message;

mod power;
mod searches;
mod tournament;

pub use power::{Power, PowerTest};
pub use searches::Searches;
pub use tournament::{Strategy, Tournament};

use tournament::check_strategies;

/// A study as its file describes it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// Name and description of the study.
    pub study: About,
    /// Levels of the study.
    pub levels: Levels,
    /// The rules of the game; which entries there are is for the game to say.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    pub rules: toml::Table,
    /// Settings of the maps of levels.
    #[serde(default)]
    pub map: Mapping,
    /// Logs of the study; a study without logs is a study of its levels.
    #[serde(default)]
    pub log: LogSpec,
    /// Meanings of the columns of the logs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: BTreeMap<String, ColumnSpec>,
    /// Selections of what is analysed of what was played: all others are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<Selection>,
    /// Selections of what is left out of the analysis.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<Selection>,
    /// Inclusions that somebody who looks at the study has chosen. They are made last, on what the study analyses; no file
    /// has them.
    #[serde(skip)]
    pub chosen: Vec<Selection>,
    /// Settings of statistics.
    #[serde(default)]
    pub statistics: Statistics,
    /// Settings of figures.
    #[serde(default)]
    pub figures: Figures,
    /// What was registered before the data were seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preregistration: Option<PreregistrationFile>,
    /// Searches that are compared.
    #[serde(default, skip_serializing_if = "Searches::is_default")]
    pub search: Searches,
    /// Settings of simulated play.
    #[serde(default, skip_serializing_if = "Simulation::is_default")]
    pub simulation: Simulation,
    /// The cohorts that `plymap simulate` lets play.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cohort: Vec<Cohort>,
    /// Cohorts of simulated players that people are compared with; the usual ones where it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Vec<Cohort>>,
    /// The question that `plymap power` answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power: Option<Power>,
    /// Settings of the tournament.
    #[serde(default, skip_serializing_if = "Tournament::is_default")]
    pub tournament: Tournament,
    /// The strategies that compete in `plymap tournament`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strategy: Vec<Strategy>,
    /// Experiment that participants play in a browser.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub experiment: Option<Experiment>,
    /// Settings of the report.
    #[serde(default)]
    pub report: Reporting,
    /// Settings of the output.
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

impl About {
    /// Returns the name of a new study in a folder, so that two of them do not share a report.
    pub fn name_in(folder: &Path) -> String {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let fits = |letter: char| letter.is_alphanumeric() || letter == '-' || letter == '_';
        if !name.is_empty() && name.chars().all(fits) { name.to_owned() } else { "my-study".to_owned() }
    }

    /// The diagnostics of the section.
    fn check(&self) -> Vec<EntryDiagnostic> {
        let name = &self.name;
        let mut diagnostics = Vec::new();
        let mut report = |message: String, help: &str| {
            diagnostics.push(EntryDiagnostic::new("bad-name", &["study", "name"], message, help));
        };
        if name.len() > LONGEST_NAME {
            let message = format!("the name of the study is longer than {LONGEST_NAME} bytes");
            report(message, "the name becomes the name of a folder; put long names in title of [study]");
        }
        if name.is_empty() || name.contains(['/', '\\']) || name.starts_with('.') {
            let help = "the name becomes the name of a folder: use letters, digits, - and _";
            report(format!("the study cannot be named {name:?}"), help);
        }
        diagnostics
    }
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
    /// True if levels that cannot be solved are wanted, as in studies of persistence.
    #[serde(default)]
    pub allow_unsolvable: bool,
}

impl Levels {
    /// The diagnostics of the section.
    fn check(&self) -> Vec<EntryDiagnostic> {
        let help = "name a file or a folder in files of [levels]";
        let without = || EntryDiagnostic::new("no-levels", &["levels", "files"], "the study has no levels", help);
        self.files.is_empty().then(without).into_iter().collect()
    }
}

/// `[map]`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Mapping {
    /// Maximum number of states of a level.
    pub max_states: usize,
    /// True if positions beyond a goal belong to the map.
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

/// Maximum length of the name of a study, in bytes: most systems have at most 255 for the name of a folder, and that of
/// a run begins as a longer one.
const LONGEST_NAME: usize = 200;

/// Error of reading a study.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// The file could not be read.
    #[error("cannot read the study {}: {source}{}", path.display(), separator_hint(path, source.kind()))]
    Io {
        /// The file.
        path: PathBuf,
        /// Error of the system.
        source: std::io::Error,
    },
    /// Diagnostics of the file.
    #[error("{}", .0[0])]
    Diagnostics(Vec<Diagnostic>),
}

impl Study {
    /// The file of a study; a folder stands for the `study.toml` in it.
    pub fn file(path: &Path) -> PathBuf {
        if path.is_dir() { path.join("study.toml") } else { path.to_owned() }
    }

    /// Returns the usual folder of its run; what another command makes of it has its `purpose` in the name.
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
            let said =
                toml_message::missing_in(at, error.message()).unwrap_or_else(|| toml_message::plain(error.message()));
            vec![Diagnostic::error("bad-study", source, span, said).with_help("docs/study.md lists every entry")]
        })?;
        study.folder = folder;
        let faults = study.faults(source);
        if faults.is_empty() { Ok(study) } else { Err(faults) }
    }

    /// The faults of all sections, each said once, at its entry.
    fn faults(&self, source: &Arc<SourceText>) -> Vec<Diagnostic> {
        let seed = self.simulation.seed;
        let sections = [
            self.study.check(),
            self.selections().into_iter().flat_map(|(kind, selection)| selection.check(kind)).collect(),
            self.check_rules(),
            self.levels.check(),
            self.statistics.check(),
            self.figures.check(),
            self.search.check(),
            check_cohorts("cohort", &self.cohort, seed, &self.folder),
            check_cohorts("baseline", self.baseline.as_deref().unwrap_or_default(), seed, &self.folder),
            check_strategies(&self.strategy, &self.folder),
            self.tournament.check(),
            self.power.iter().flat_map(|power| power.check(&self.cohort, &self.statistics.model)).collect(),
            self.experiment.iter().flat_map(|experiment| experiment.check(is_text)).collect(),
            self.report.check(),
            self.output.check(),
            self.log_spec().map_or_else(Vec::new, |spec| spec.diagnostics()),
        ];
        let mut faults: Vec<Diagnostic> =
            sections.into_iter().flatten().map(|diagnostic| placed(source, diagnostic)).collect();
        // A name that stands there three times is repeated twice, and said once.
        let mut said = HashSet::new();
        faults.retain(|fault| said.insert((fault.place.span.start, fault.message.clone())));
        faults
    }

    /// The diagnostics of `[rules]`, and of the game that they are for.
    fn check_rules(&self) -> Vec<EntryDiagnostic> {
        if let Some(name) = self.levels.game.as_deref().filter(|name| Game::named(name).is_none()) {
            let known: Vec<_> = GAMES.iter().map(|game| game.name).collect();
            let help = format!("the games are {}, or the path of a script that ends in .lua", known.join(", "));
            let message = format!("there is no game {name:?}");
            return vec![EntryDiagnostic::new("unknown-game", &["levels", "game"], message, help)];
        }
        let Err(error) = (self.game().check_options)(&self.rule_options()) else { return Vec::new() };
        // The error names the entry in backticks; of a value that cannot be read it names the value alone.
        let named = error.reason.split('`').nth(1).filter(|name| self.rules.contains_key(*name));
        let bad = if named.is_some() { None } else { self.bad_rule(&error) };
        let message = match bad {
            Some(entry) => format!("[rules] for {}: `{entry}`: {}", error.game, error.reason),
            None => error.to_string(),
        };
        let entry = bad.or(named).unwrap_or_default();
        let help = "docs/study.md lists the rules of each game";
        vec![EntryDiagnostic::new("bad-rules", &["rules", entry], message, help)]
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

    /// Returns the files that say something of its results and change none of them: claims, and what was registered.
    pub fn files_beside(&self) -> impl Iterator<Item = PathBuf> {
        let registered = self.preregistration.as_ref().map(|registered| &registered.file);
        self.study.claims.iter().chain(registered).map(|file| self.folder.join(file))
    }

    /// Returns the names of the columns of tables of levels.
    pub fn level_columns(&self) -> LevelColumns {
        LevelColumns { id: self.levels.id.clone(), board: self.levels.board.clone() }
    }

    /// Returns the specification of its logs; none if it has none.
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

    /// Returns the selections, in the order in which they are made.
    pub fn selections(&self) -> Vec<(SelectionKind, &Selection)> {
        let (include, exclude) = (SelectionKind::Include, SelectionKind::Exclude);
        [(include, &self.include), (exclude, &self.exclude), (include, &self.chosen)]
            .into_iter()
            .flat_map(|(kind, selections)| selections.iter().map(move |selection| (kind, selection)))
            .collect()
    }

    /// Returns the store in which games and stages keep what took long to compute.
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

/// A diagnostic at its entry in the text of a study.
fn placed(source: &Arc<SourceText>, EntryDiagnostic { code, entry, message, help }: EntryDiagnostic) -> Diagnostic {
    let keys: Vec<&str> = entry.iter().map(String::as_str).collect();
    Diagnostic::error(code, source, place_of(&source.text, &keys), toml_message::plain(&message)).with_help(help)
}

/// Returns the place, in bytes, of the value of an entry, such as `["study", "name"]`, in the text of a study; of a
/// table that of its name; of the nearest table above it that is there, else of the start.
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
        faults.iter().map(described).collect()
    }

    fn described(fault: &Diagnostic) -> String {
        let (line, column) = fault.place.line_and_column();
        format!("{line}:{column} {}", fault.message)
    }

    #[test]
    fn a_missing_entry_is_named_with_its_table() {
        let text = "[study]\nname = \"demo\"\n\n[levels]\ngame = \"rush-hour\"\nfiles = []\n\n[experiment]\n\n[[experiment.block]]\nname = \"easy\"\n";
        let source = Arc::new(SourceText { path: "study.toml".into(), text: text.to_owned() });
        let faults = Study::parse(&source, PathBuf::new()).unwrap_err();
        let said: Vec<&str> = faults.iter().map(|fault| fault.message.as_str()).collect();
        assert_eq!(said, ["the entry `levels` is missing in [[experiment.block]]"]);
    }

    /// Paths are written as the reader of TOML refuses them, so that another wording of its would fail.
    #[test]
    fn a_path_with_backslashes_in_double_quotes_is_explained() {
        for path in [r"logs\moves.csv", r"C:\Users\me\moves.csv", r"logs\x.csv"] {
            let text = format!("[study]\nname = \"demo\"\n\n[levels]\nfiles = [\"{path}\"]\n");
            let source = Arc::new(SourceText { path: "study.toml".into(), text: text.clone() });
            let faults = Study::parse(&source, PathBuf::new()).unwrap_err();
            assert!(faults[0].message.starts_with("a backslash in double quotes begins an escape"), "{}", faults[0]);
            let text = text.replace('"', "'");
            assert!(Study::parse(&Arc::new(SourceText { path: "study.toml".into(), text }), PathBuf::new()).is_ok());
        }
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
        let messages = faults("[log]\nfiles = [\"a.csv\"]\n[log.events]\nDrop = \"drop\"\n");
        assert!(messages[0].starts_with("8:8 [log.events] translates \"Drop\" into \"drop\""), "{messages:?}");
        let messages = faults("[log]\nfiles = [\"a.csv\"]\n[columns]\nsubject = \"participant\"\n");
        assert!(messages[0].starts_with("8:11 [columns] names \"subject\""), "{messages:?}");
        let messages = faults("[log]\nfiles = [\"a.csv\"]\nseparator = \"\\n\"\n");
        assert!(messages[0].starts_with("7:13 "), "{messages:?}");
    }

    #[test]
    fn a_name_that_is_too_long_for_a_folder_is_refused() {
        let text = format!("[study]\nname = \"{}\"\n[levels]\nfiles = [\"levels\"]\n", "x".repeat(300));
        let source = Arc::new(SourceText { path: PathBuf::from("study.toml"), text });
        let faults = Study::parse(&source, PathBuf::new()).unwrap_err();
        assert_eq!((faults.len(), faults[0].code), (1, "bad-name"));
    }
}

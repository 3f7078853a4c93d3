//! Levels that their game has understood, from files or from text.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::composed::Composed;
use crate::diagnostic::{Diagnostic, Severity, SourceText};
use crate::game::LevelText;
use crate::game::lists::has_lists;
use crate::level::{
    Cell, LevelColumns, LevelError, LevelSource, compact_name, is_near_setting, is_refused_name, is_setting_name,
    read_levels_and_diagnostics, same,
};
use crate::progress::Silent;
use crate::registry::{Game, LevelSettings, RuleOptions};
use crate::rules::{Guide, Rules, SearchRequest};
use crate::search::{Algorithm, Limits};

/// A level that its game has understood. Copies share its rules.
#[derive(Clone, Debug)]
pub struct LoadedLevel {
    /// Level as it stands in its file.
    pub origin: LevelSource,
    /// The cells of its row that change nothing, in order: name and value; without those that are missing.
    pub properties: Vec<(String, String)>,
    /// Remarks on what was taken for granted where the level allows several readings; they are to be said.
    pub remarks: Vec<String>,
    /// Its rules.
    pub rules: Arc<dyn Rules>,
}

impl LoadedLevel {
    /// A level as its game understands it. Cells of its row that are settings of the game count as its own lines would.
    ///
    /// # Errors
    ///
    /// Every fault of the level.
    pub fn new(origin: LevelSource, game: &Game, options: &RuleOptions) -> Result<Self, Vec<Diagnostic>> {
        Self::with_settings(origin, game, options, &(game.settings_of_levels)(options))
    }

    fn with_settings(
        origin: LevelSource,
        game: &Game,
        options: &RuleOptions,
        settings: &LevelSettings,
    ) -> Result<Self, Vec<Diagnostic>> {
        let sorted = SortedCells::of(&origin, game, settings)?;
        let properties = sorted.properties;
        let load = |text: &LevelText| (game.load)(text, options);
        let (rules, mut remarks) = match read_composed(&origin, &sorted.settings, settings, load) {
            Ok(rules) => {
                let remarks = rules.remarks().to_vec();
                (rules, remarks)
            }
            Err(faults) => {
                let load_with = |choice: &Cell| {
                    let mut entries = sorted.settings.clone();
                    entries.push((choice.name.clone(), choice.clone()));
                    read_composed(&origin, &entries, settings, load)
                };
                reading_of_published_moves(&properties, &faults, load_with).ok_or(faults)?
            }
        };
        let has_lists = has_lists(&origin.text) || sorted.settings.iter().any(|(_, cell)| has_lists(&cell.value));
        remarks.extend(settings.list_remark.filter(|_| has_lists).map(str::to_owned));
        remarks.extend(sorted.remarks);
        Ok(Self { origin, properties, remarks, rules: rules.into() })
    }

    /// A level that stands in no file, from its text; faults name it as their file.
    ///
    /// # Errors
    ///
    /// Every fault of the level.
    pub fn from_text(id: &str, text: &str, game: &Game, options: &RuleOptions) -> Result<Self, Vec<Diagnostic>> {
        let source = Arc::new(SourceText { path: id.into(), text: text.to_owned() });
        let (id, text, span) = (id.to_owned(), text.to_owned(), 0..text.len());
        Self::new(LevelSource { id, source, span, text, column: None, extra: Vec::new() }, game, options)
    }
}

/// Reads a level of a game with the settings of its row, by a reader other than that of its rules.
///
/// # Errors
///
/// Every fault of the level.
pub fn read_with_settings<T>(
    origin: &LevelSource,
    game: &Game,
    options: &RuleOptions,
    read: impl FnOnce(&LevelText) -> Result<T, Vec<Diagnostic>>,
) -> Result<T, Vec<Diagnostic>> {
    let settings = (game.settings_of_levels)(options);
    let sorted = SortedCells::of(origin, game, &settings)?;
    read_composed(origin, &sorted.settings, &settings, read)
}

/// Reads a level with these settings beside its text.
fn read_composed<T>(
    origin: &LevelSource,
    entries: &[(String, Cell)],
    settings: &LevelSettings,
    read: impl FnOnce(&LevelText) -> Result<T, Vec<Diagnostic>>,
) -> Result<T, Vec<Diagnostic>> {
    match Composed::new(origin, entries, settings)? {
        Some(composed) => {
            read(&composed.text()).map_err(|faults| faults.into_iter().map(|fault| composed.located(fault)).collect())
        }
        None => read(&LevelText { text: &origin.text, source: &origin.source, span: origin.span.clone() }),
    }
}

/// The one reading of a level that allows several which has the number of moves that is published with it, and what
/// is to be said of that.
fn reading_of_published_moves(
    properties: &[(String, String)],
    faults: &[Diagnostic],
    load_with: impl Fn(&Cell) -> Result<Box<dyn Rules>, Vec<Diagnostic>>,
) -> Option<(Box<dyn Rules>, Vec<String>)> {
    let [fault] = faults else { return None };
    let (name, published) = published_moves(properties)?;
    let readings = fault.choices.iter().filter_map(|(setting, value)| {
        let rules = load_with(&Cell { name: (*setting).to_owned(), value: value.clone(), span: 0..0 }).ok()?;
        (fewest_moves(&*rules)? == published).then_some((rules, setting, value))
    });
    let mut readings: Vec<_> = readings.collect();
    let (rules, setting, value) = readings.pop().filter(|_| readings.is_empty())?;
    let mut remarks = rules.remarks().to_vec();
    remarks.push(format!(
        "{value:?} is taken for {setting:?}: of what it could be, this alone gives the number of moves in {name:?}"
    ));
    Some((rules, remarks))
}

/// Names of columns that give the fewest moves to the goal, in the words of lists of levels.
const MOVES_NAMES: [&str; 12] = [
    "moves",
    "n_moves",
    "min_moves",
    "minimum_moves",
    "minimal_moves",
    "optimal",
    "optimal_moves",
    "optimal_length",
    "fewest_moves",
    "par",
    "shortest_solution",
    "solution_length",
];

/// The fewest moves to the goal as they are published with a level: the name of the column and the number. Absent
/// where no column has such a name and a whole number.
pub fn published_moves(properties: &[(String, String)]) -> Option<(&str, u32)> {
    let named = properties.iter().filter(|(name, _)| MOVES_NAMES.iter().any(|known| same(known, name)));
    let mut numbers = named.filter_map(|(name, value)| Some((name.as_str(), value.trim().parse().ok()?)));
    numbers.next()
}

/// The cost of a shortest solution, where it is found soon.
fn fewest_moves(rules: &dyn Rules) -> Option<u32> {
    let limits = Limits { max_states: 1_000_000, ..Limits::default() };
    let (algorithm, heuristic) = (Algorithm::UniformCost, Guide::None);
    let start = rules.start();
    rules.search(&SearchRequest { start, algorithm, heuristic, goals: &[], limits: &limits, progress: &Silent }).cost
}

/// The cells of a row, sorted by what they are to the game.
struct SortedCells {
    /// Settings of the game, which its text does not hold, and where they stand.
    settings: Vec<(String, Cell)>,
    /// Columns that change nothing.
    properties: Vec<(String, String)>,
    /// Remarks on those that have the name of a setting, or one close to it.
    remarks: Vec<String>,
}

impl SortedCells {
    fn of(level: &LevelSource, game: &Game, settings: &LevelSettings) -> Result<Self, Vec<Diagnostic>> {
        let mut sorted = Self { settings: Vec::new(), properties: Vec::new(), remarks: Vec::new() };
        let mut faults = Vec::new();
        // The keys of an object are in its text, which the game reads itself or gets as lines.
        let is_object = level.column.is_none() && level.text.trim_start().starts_with('{');
        for cell in level.extra.iter().filter(|cell| !cell.is_missing()) {
            let is_setting_of_some = is_setting_name(&cell.name);
            // Of an object, a game reads keys by its own names alone; by others it gets them as lines.
            let is_known = || settings.json_keys.iter().any(|key| same(key, &cell.name));
            let is_read = is_object && (settings.json_keys.is_empty() || is_known());
            match settings.named(&cell.name) {
                Some(setting) => {
                    if !is_read {
                        sorted.settings.extend(translated(cell).map(|cell| (setting, cell)));
                    }
                    if settings.takes_any && !is_setting_of_some {
                        sorted.properties.push((cell.name.clone(), cell.value.clone()));
                    }
                }
                None if is_refused_name(&cell.name) && !is_nothing(cell) => {
                    faults.push(foreign_setting(level, cell, game, settings));
                }
                None => {
                    sorted.properties.push((cell.name.clone(), cell.value.clone()));
                    if (is_setting_of_some || is_near_setting(&cell.name)) && !is_nothing(cell) {
                        let (name, game) = (&cell.name, game.name);
                        let remark = format!("{name:?} changes nothing here: it is no setting of a level of {game}");
                        sorted.remarks.push(remark);
                    }
                }
            }
        }
        faults.extend(sorted.join_sides(level, settings));
        if faults.is_empty() { Ok(sorted) } else { Err(faults) }
    }

    /// Makes the size of the board of its width and height; a fault where one of them is missing.
    fn join_sides(&mut self, level: &LevelSource, settings: &LevelSettings) -> Option<Diagnostic> {
        let size = settings.named("size").filter(|_| !settings.json_keys.is_empty())?;
        let mut side = |name: &str| {
            let at = self.settings.iter().position(|(setting, _)| setting == name)?;
            Some(self.settings.remove(at).1)
        };
        match (side("width"), side("height")) {
            (Some(width), Some(height)) => {
                let value = format!("{}x{}", width.value.trim(), height.value.trim());
                self.settings.push((size, Cell { value, ..width }));
                None
            }
            (None, None) => None,
            (Some(side), None) | (None, Some(side)) => {
                let message = format!("the board has a {:?} and not the other side", side.name);
                let fault = Diagnostic::error("missing-key", &level.source, side.span, message);
                Some(fault.with_help("give width and height, or neither"))
            }
        }
    }
}

/// That a column has the name of a setting, which this game does not have.
fn foreign_setting(level: &LevelSource, cell: &Cell, game: &Game, settings: &LevelSettings) -> Diagnostic {
    let (name, game) = (&cell.name, game.name);
    let message = format!("{name:?} is no setting of a level of {game}, and would change nothing");
    let rule = "a rule of all levels belongs into [rules] of the study";
    let help = format!("the settings are: {}; {rule}; rename what is a remark", settings.listed());
    Diagnostic::error("foreign-setting", &level.source, cell.span.clone(), message).labelled("not used").with_help(help)
}

/// `true` if a cell says that there is nothing of what its column is called.
fn is_nothing(cell: &Cell) -> bool {
    ["none", "no", "false", "off", "[]", "{}"].contains(&cell.value.trim().to_ascii_lowercase().as_str())
}

/// A cell in the words of its setting: a column that asks for a torus says yes or no, and there may be no walls.
fn translated(cell: &Cell) -> Option<Cell> {
    let (name, value) = (compact_name(&cell.name), cell.value.trim().to_ascii_lowercase());
    let asks = ["torus", "wrap"].contains(&name.as_str());
    let may_be_none = asks || ["boundary", "boundaries", "wall", "walls"].contains(&name.as_str());
    match value.as_str() {
        "1" | "true" | "yes" if asks => Some(Cell { value: "torus".to_owned(), ..cell.clone() }),
        "0" if asks => None,
        _ if may_be_none && is_nothing(cell) => None,
        _ => Some(cell.clone()),
    }
}

/// Reason why levels could not be loaded: every fault of every file and level.
#[derive(Debug, thiserror::Error)]
#[error("{} faults in the levels, the first: {}", .0.len(), .0[0])]
pub struct LoadError(pub Vec<Diagnostic>);

/// Reads all levels of some files and folders with the rules of a game. All faults of all levels are
/// collected before it gives up.
///
/// # Errors
///
/// [`LoadError`]: every file that cannot be read, every fault of every level.
pub fn load_levels(
    files: &[PathBuf],
    columns: &LevelColumns,
    game: &Game,
    options: &RuleOptions,
) -> Result<Vec<LoadedLevel>, LoadError> {
    let mut sources = Vec::new();
    let mut faults = Vec::new();
    let mut first_of: HashMap<String, PathBuf> = HashMap::new();
    let mut read: HashMap<PathBuf, &Path> = HashMap::new();
    for file in files {
        match read_levels_and_diagnostics(file, columns) {
            Ok((mut sources_of_levels, mut at_fault)) => {
                // A file that is named twice is one fault, and not one of each of its levels.
                let is_again = |source: &Arc<SourceText>| read.contains_key(&source.path);
                let all = sources_of_levels
                    .iter()
                    .map(|level| &level.source)
                    .chain(at_fault.iter().map(|fault| &fault.place.source));
                if let Some(source) = all.clone().find(|source| is_again(source)) {
                    let message = format!("this file is read twice: by {:?} and by {:?}", read[&source.path], file);
                    let fault = Diagnostic::error("repeated-file", source, 0..0, message);
                    faults.push(fault.with_help("name each file once in files of [levels]; a folder names all in it"));
                }
                let paths: Vec<PathBuf> = all.map(|source| source.path.clone()).collect();
                sources_of_levels.retain(|level| !is_again(&level.source));
                at_fault.retain(|fault| !is_again(&fault.place.source));
                read.extend(paths.into_iter().map(|path| (path, file.as_path())));
                // Names that are repeated within one file or folder are among its faults already.
                faults.extend(
                    sources_of_levels.iter().filter_map(|level| Some(repeated_name(level, first_of.get(&level.id)?))),
                );
                first_of.extend(sources_of_levels.iter().map(|level| (level.id.clone(), level.source.path.clone())));
                sources.extend(sources_of_levels);
                faults.extend(at_fault);
            }
            Err(error) => faults.push(unreadable(file, &error)),
        }
    }
    let settings = (game.settings_of_levels)(options);
    let loaded: Vec<_> =
        sources.into_par_iter().map(|origin| LoadedLevel::with_settings(origin, game, options, &settings)).collect();
    let mut levels = Vec::with_capacity(loaded.len());
    for level in loaded {
        match level {
            Ok(level) => levels.push(level),
            Err(sources_of_levels) => faults.extend::<Vec<Diagnostic>>(sources_of_levels),
        }
    }
    say_of_numbers(&mut levels);
    // What is wrong with a column is said once, and not of each of its rows.
    let mut said = HashSet::new();
    faults.retain(|fault| {
        fault.code != "foreign-setting" || said.insert((fault.place.source.path.clone(), fault.message.clone()))
    });
    if faults.iter().any(|fault| fault.severity == Severity::Error) { Err(LoadError(faults)) } else { Ok(levels) }
}

/// Says once of each table that no column is known to name its levels.
fn say_of_numbers(levels: &mut [LoadedLevel]) {
    let mut said = HashSet::new();
    for level in levels.iter_mut().filter(|level| level.origin.is_numbered()) {
        if said.insert(level.origin.source.path.clone()) {
            let remark = "no column is known to name the levels of this table, so they are numbered: \
                name the column by --id-column, or `id` in [levels]";
            level.remarks.push(remark.to_owned());
        }
    }
}

/// A file that cannot be read, as a fault beside those of other files.
fn unreadable(file: &Path, error: &LevelError) -> Diagnostic {
    let source = Arc::new(SourceText { path: file.to_owned(), text: String::new() });
    let fault = Diagnostic::error("unreadable-file", &source, 0..0, error.to_string());
    match error {
        LevelError::Io { .. } => {
            fault.with_help("check the path; it starts from the folder of the study, or from where plymap was called")
        }
        _ => fault,
    }
}

fn repeated_name(level: &LevelSource, first: &Path) -> Diagnostic {
    let message = format!("two levels are named {:?}; the first stands in {}", level.id, first.display());
    let fault = Diagnostic::error("repeated-level", &level.source, level.span.clone(), message);
    fault.labelled("the second").with_help("rename one of them")
}

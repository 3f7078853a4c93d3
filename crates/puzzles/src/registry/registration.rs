//! The registration of a game, by which studies and the command line find it under its name.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::diagnostic::Diagnostic;
use crate::game::LevelText;
use crate::level::{normal_name, same};
use crate::rules::Rules;

/// The options of a game's rules as `[rules]` of a study or `--rule` of a command gives them; each game
/// knows its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RuleOptions {
    /// The entries.
    pub table: toml::Table,
    /// The folder that paths among them start from.
    pub folder: PathBuf,
}

/// `[rules]` has an entry that the game does not know, or a value that it does not take.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("[rules] for {game}: {reason}")]
pub struct OptionsError {
    /// Name of the game.
    pub game: &'static str,
    /// Reason in words.
    pub reason: String,
}

/// The rules of a level, or all its faults.
pub type Loaded = Result<Box<dyn Rules>, Vec<Diagnostic>>;

/// A setting that levels may have, and its other names in columns of tables and keys of JSON.
pub type SettingNames = (&'static str, &'static [&'static str]);

/// Settings that a game takes from a level beside its board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LevelSettings {
    /// Names of columns and keys, each with the setting that it is. Case, spaces, hyphens and underscores do not count.
    pub names: Vec<(String, String)>,
    /// `true` if any other name may be one too, as to a script that does not list its settings.
    pub takes_any: bool,
    /// The keys that the game reads itself in a level that is an object of JSON; empty where it reads none.
    pub json_keys: &'static [&'static str],
    /// Remark on what is taken for granted where a position is a list of lists.
    pub list_remark: Option<&'static str>,
}

impl LevelSettings {
    fn new(settings: &[SettingNames], json_keys: &'static [&'static str], list_remark: Option<&'static str>) -> Self {
        let mut known = HashSet::new();
        let names = settings.iter().flat_map(|&(name, others)| {
            // A column or key of that name is the board itself.
            let names = std::iter::once(name).chain(others.iter().copied()).filter(|&name| name != "board");
            names.map(|other| (other.to_owned(), name.to_owned()))
        });
        let names = names.filter(|(other, _)| known.insert(other.clone()));
        Self { names: names.collect(), takes_any: false, json_keys, list_remark }
    }

    /// The setting that a column or key of this name is.
    pub fn named(&self, name: &str) -> Option<String> {
        let name = normal_name(name);
        let known = self.names.iter().find(|(known, _)| same(known, &name));
        let is_word = || name.chars().all(|letter| letter.is_ascii_alphabetic() || letter == '_');
        match known {
            Some((_, setting)) => Some(setting.clone()),
            None => (self.takes_any && !name.is_empty() && is_word()).then_some(name),
        }
    }

    /// The names, each once, for people to read.
    pub fn listed(&self) -> String {
        let names: Vec<&str> = self.names.iter().map(|(name, _)| name.as_str()).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    }
}

/// A game as the registry takes it.
pub trait Registration {
    /// The options of its rules.
    type Options: DeserializeOwned + Serialize + Default;
    /// Its name in studies and on the command line.
    const NAME: &'static str;
    /// Its name in prose.
    const TITLE: &'static str;

    /// The settings that its levels may have.
    const SETTINGS: &'static [SettingNames];
    /// The keys that it reads itself in a level that is an object of JSON. A game without any gets the settings of
    /// such an object, and the rows of its board, as text.
    const JSON_KEYS: &'static [&'static str] = &[];
    /// Remark on a level with a position that is a list of lists, where that may be meant in two ways.
    const LIST_REMARK: Option<&'static str> = None;

    /// The settings that levels may have under some options.
    fn settings_of_levels(_options: &Self::Options, _folder: &Path) -> LevelSettings {
        LevelSettings::new(Self::SETTINGS, Self::JSON_KEYS, Self::LIST_REMARK)
    }

    /// Checks what the types of the options cannot say.
    ///
    /// # Errors
    ///
    /// What is wrong, with the entry in backticks.
    fn check(_options: &Self::Options) -> Result<(), String> {
        Ok(())
    }

    /// The files beyond levels and logs that results depend on, such as a script.
    fn files(_options: &Self::Options, _folder: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Reads a level. Paths among the options start from `folder`.
    ///
    /// # Errors
    ///
    /// Every fault of the level.
    fn load(level: &LevelText, options: &Self::Options, folder: &Path) -> Loaded;
}

/// A game that plymap knows.
#[derive(Clone, Copy, Debug)]
pub struct Game {
    /// Its name in studies and on the command line.
    pub name: &'static str,
    /// Its name in prose.
    pub title: &'static str,
    /// Checks the options of its rules.
    pub check_options: fn(&RuleOptions) -> Result<(), OptionsError>,
    /// Every rule in force under some options, defaults included, as name and value.
    pub settings: fn(&RuleOptions) -> Vec<(String, String)>,
    /// The files beyond levels and logs that results under some options depend on: a manifest lists them with
    /// their hash.
    pub files: fn(&RuleOptions) -> Vec<PathBuf>,
    /// Settings that it takes from its levels beside their boards: columns and keys of these names are settings. The
    /// options must have passed `check_options`.
    pub settings_of_levels: fn(&RuleOptions) -> LevelSettings,
    /// Reads one of its levels. The options must have passed `check_options`.
    pub load: fn(&LevelText, &RuleOptions) -> Loaded,
}

impl Game {
    /// The registration of a game.
    pub(super) const fn new<E: Registration>() -> Self {
        Self {
            name: E::NAME,
            title: E::TITLE,
            check_options: check::<E>,
            settings: settings::<E>,
            files: files::<E>,
            settings_of_levels: settings_of_levels::<E>,
            load: load::<E>,
        }
    }
}

fn options<E: Registration>(options: &RuleOptions) -> Result<E::Options, OptionsError> {
    let table = toml::Value::Table(options.table.clone());
    let fail = |reason| OptionsError { game: E::NAME, reason };
    let options = table.try_into().map_err(|error: toml::de::Error| fail(error.message().to_owned()))?;
    E::check(&options).map_err(fail)?;
    Ok(options)
}

fn check<E: Registration>(rule_options: &RuleOptions) -> Result<(), OptionsError> {
    options::<E>(rule_options).map(drop)
}

/// The options as text, in the order in which the game declares them; what is empty is left out.
fn settings<E: Registration>(rule_options: &RuleOptions) -> Vec<(String, String)> {
    let Ok(Ok(toml::Value::Table(table))) = options::<E>(rule_options).map(toml::Value::try_from) else {
        return Vec::new();
    };
    let text = |value: &toml::Value| match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Table(pairs) => {
            let pairs = pairs.iter().map(|(name, value)| format!("{name} = {}", value.as_str().unwrap_or_default()));
            pairs.collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    };
    table.iter().map(|(name, value)| (name.clone(), text(value))).filter(|(_, value)| !value.is_empty()).collect()
}

fn files<E: Registration>(rule_options: &RuleOptions) -> Vec<PathBuf> {
    options::<E>(rule_options).map(|options| E::files(&options, &rule_options.folder)).unwrap_or_default()
}

fn settings_of_levels<E: Registration>(rule_options: &RuleOptions) -> LevelSettings {
    options::<E>(rule_options).map(|options| E::settings_of_levels(&options, &rule_options.folder)).unwrap_or_default()
}

fn load<E: Registration>(level: &LevelText, rule_options: &RuleOptions) -> Loaded {
    let options =
        options::<E>(rule_options).map_err(|error| vec![whole_level(level, "bad-rules", error.to_string())])?;
    E::load(level, &options, &rule_options.folder)
}

/// A fault of a whole level.
pub(super) fn whole_level(level: &LevelText, code: &'static str, message: String) -> Diagnostic {
    Diagnostic::error(code, level.source, level.span.start..level.span.start, message)
}

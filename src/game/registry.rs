//! The one place where games are registered.

use std::ops::Range;
use std::sync::Arc;

use super::Rules;
use super::rush_hour::{self, RushHour};
use crate::fault::{Fault, SourceText};

/// The options of a game's rules as `[rules]` of a study or `--rule` of a command gives them; each game
/// knows its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RuleOptions(pub toml::Table);

/// The text of one level inside its file.
#[derive(Clone, Debug)]
pub struct LevelText<'a> {
    /// The level's own text.
    pub text: &'a str,
    /// The file it stands in.
    pub source: &'a Arc<SourceText>,
    /// Where in the file it stands.
    pub span: Range<usize>,
}

/// `[rules]` has an entry that the game does not know, or a value that it does not take.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("[rules] for {game}: {reason}")]
pub struct OptionsError {
    /// Name of the game.
    pub game: &'static str,
    /// What is wrong.
    pub reason: String,
}

/// Reads a level with the options of its rules.
pub type Load = fn(&LevelText, &RuleOptions) -> Result<Box<dyn Rules>, Vec<Fault>>;

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
    /// Reads one of its levels. The options must have passed `check_options`.
    pub load: Load,
}

/// All games; the first is the default.
pub const GAMES: &[Game] = &[Game {
    name: "rush-hour",
    title: "Rush Hour",
    check_options: check_rush_hour,
    settings: rush_hour_settings,
    load: load_rush_hour,
}];

impl Game {
    /// The game of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        GAMES.iter().find(|game| game.name == name)
    }
}

impl Default for &'static Game {
    fn default() -> Self {
        &GAMES[0]
    }
}

fn rush_hour_options(options: &RuleOptions) -> Result<rush_hour::Options, OptionsError> {
    let table = toml::Value::Table(options.0.clone());
    table
        .try_into()
        .map_err(|error: toml::de::Error| OptionsError { game: "rush-hour", reason: error.message().to_owned() })
}

fn check_rush_hour(options: &RuleOptions) -> Result<(), OptionsError> {
    rush_hour_options(options).map(drop)
}

fn rush_hour_settings(options: &RuleOptions) -> Vec<(String, String)> {
    rush_hour_options(options).map(|options| options.settings()).unwrap_or_default()
}

fn load_rush_hour(level: &LevelText, options: &RuleOptions) -> Result<Box<dyn Rules>, Vec<Fault>> {
    let layout = rush_hour::notation::parse(level.text, level.source, level.span.start)?;
    let whole =
        |code, message: String| vec![Fault::error(code, level.source, level.span.start..level.span.start, message)];
    let options = rush_hour_options(options).map_err(|error| whole("bad-rules", error.to_string()))?;
    let rules = RushHour::new(layout, options).map_err(|error| whole("level-too-large", error.to_string()))?;
    Ok(Box::new(rules))
}

//! The games that plymap knows.

use std::path::PathBuf;

mod games;
mod registration;

pub use games::GAMES;
pub use registration::{Game, LevelSettings, Loaded, OptionsError, Registration, RuleOptions, SettingNames};

/// Ends of the names of files that are games themselves, with the game that plays them and the option that
/// names the file.
const FILE_GAMES: [(&str, &str, &str); 1] = [(".lua", "lua", "script")];

impl RuleOptions {
    /// The options that a study or a command line gives for a game. Where a file is named instead of a game, it
    /// is one of the options.
    pub fn of_game(name: Option<&str>, mut table: toml::Table, folder: PathBuf) -> Self {
        let file = name.and_then(|name| Some((name, FILE_GAMES.iter().find(|(end, _, _)| name.ends_with(end))?)));
        if let Some((file, (_, _, option))) = file {
            table.insert((*option).to_owned(), toml::Value::String(file.to_owned()));
        }
        Self { table, folder }
    }
}

/// There is no game of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no game {0:?}; the games are {games}, or the path of a script that ends in .lua",
    games = GAMES.iter().map(|game| game.name).collect::<Vec<_>>().join(", ")
)]
pub struct UnknownGame(pub String);

impl Game {
    /// The game of this name, or the one that plays the file of this name.
    ///
    /// # Errors
    ///
    /// [`UnknownGame`], which names those that there are.
    pub fn find(name: &str) -> Result<&'static Self, UnknownGame> {
        Self::named(name).ok_or_else(|| UnknownGame(name.to_owned()))
    }

    /// The game of this name, or the one that plays the file of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        let player = FILE_GAMES.iter().find(|(end, _, _)| name.ends_with(end));
        let name = player.map_or(name, |(_, player, _)| player);
        GAMES.iter().find(|game| game.name == name)
    }
}

impl Default for &'static Game {
    fn default() -> Self {
        &GAMES[0]
    }
}

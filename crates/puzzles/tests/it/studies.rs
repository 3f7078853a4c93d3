//! The levels of the studies in `data`, which hold every game to its laws.

use std::path::Path;

use plymap_puzzles::level::LevelColumns;
use plymap_puzzles::registry::{Game, RuleOptions};
use plymap_puzzles::valuation::{LoadedLevel, load_levels};

use crate::testing::project;

/// The levels of a study, as its game understands them.
pub struct Study {
    pub name: String,
    pub levels: Vec<LoadedLevel>,
}

/// The studies of a game: the TOML files in `data/GAME` that have a log.
pub fn studies(game: &'static Game) -> Vec<Study> {
    let folder = project().join("data").join(game.name.replace('-', "_"));
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    files.iter().filter_map(|file| study(game, file)).collect()
}

fn study(game: &'static Game, file: &Path) -> Option<Study> {
    let text = std::fs::read_to_string(file).expect("a text");
    let entries: toml::Table = text.parse().expect("TOML");
    entries.get("log")?;
    let folder = file.parent().expect("a folder");
    let levels = entries["levels"].as_table().expect("[levels]");
    assert_eq!(levels["game"].as_str(), Some(game.name), "{}", file.display());
    let files: Vec<_> =
        levels["files"].as_array().expect("files").iter().map(|name| name.as_str().expect("a name")).collect();
    let files: Vec<_> = files.into_iter().map(|name| folder.join(name)).collect();
    let rules = entries.get("rules").map(|rules| rules.as_table().expect("[rules]").clone()).unwrap_or_default();
    let options = RuleOptions::of_game(Some(game.name), rules, folder.to_owned());
    let levels = load_levels(&files, &LevelColumns::default(), game, &options).expect("levels without faults");
    Some(Study { name: entries["study"]["name"].as_str().expect("a name").to_owned(), levels })
}

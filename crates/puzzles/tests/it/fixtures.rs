//! Levels for tests.

use std::path::PathBuf;

use plymap_puzzles::registry::{Game, RuleOptions};
use plymap_puzzles::valuation::{LoadedLevel, ValuedLevel, WholeMap};

/// The map of a level that is known to be mapped.
pub trait Whole {
    fn whole(&self) -> &WholeMap;
}

impl Whole for ValuedLevel {
    fn whole(&self) -> &WholeMap {
        self.whole.as_ref().expect("a level that is mapped")
    }
}

/// Options of rules from lines such as `goal = "path-clear"`.
pub fn options(text: &str) -> RuleOptions {
    RuleOptions { table: text.parse().expect("TOML"), folder: PathBuf::new() }
}

/// A level of the first game from its text.
pub fn level(text: &str, options: &RuleOptions) -> LoadedLevel {
    level_of(Default::default(), text, options)
}

/// A level of a game from its text.
pub fn level_of(game: &Game, text: &str, options: &RuleOptions) -> LoadedLevel {
    LoadedLevel::from_text("level", text, game, options).unwrap_or_else(|faults| panic!("{}", faults[0]))
}

/// The article's level 1: size, orientation (1 horizontal), row, column; the red piece first.
pub const ARTICLE: &str = "2 1 3 2\n2 1 1 1\n2 1 5 5\n3 1 6 3\n3 2 2 1\n2 2 5 1\n3 2 1 6\n3 2 2 4\n";

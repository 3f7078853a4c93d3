//! Levels and their tables as maps make them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use plymap_certify::{Certificate, CertifyError, Claim, certify, certify_by_rules};
use plymap_puzzles::game::{Distance, StateCode, Valuation};
use plymap_puzzles::graph::{DistanceTable, MapOptions};
use plymap_puzzles::level::LevelColumns;
use plymap_puzzles::progress::Silent;
use plymap_puzzles::registry::{Game, RuleOptions};
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::{LoadedLevel, load_levels};

/// The states of a level with their distances.
pub type Entries = Vec<(StateCode, Option<Distance>)>;

/// Levels of each game that maps its levels: game, file in `data`, rules.
pub const LEVELS: [(&str, &str, &str); 12] = [
    ("rush-hour", "demo/levels", "goal = \"exit\""),
    ("rush-hour", "demo/levels", "goal = \"path-clear\""),
    ("rush-hour", "demo/levels", "metric = \"cell\""),
    ("lights-out", "lights_out/levels.txt", ""),
    ("match-the-tiles", "match_the_tiles/levels.txt", ""),
    ("panguru", "panguru/levels.txt", ""),
    ("tower-of-london", "tower_of_london/levels.txt", ""),
    ("tower-of-hanoi", "tower_of_hanoi/levels.txt", ""),
    ("lua", "lua/river_levels.txt", "script = \"river.lua\""),
    ("lua", "lua/sokoban_levels.txt", "script = \"sokoban.lua\""),
    ("lua", "lua/water_jugs_levels.txt", "script = \"water_jugs.lua\""),
    ("lua", "lua/peg_solitaire_levels.txt", "script = \"peg_solitaire.lua\""),
];

/// The folder that holds `data`: the package, or the repository where the link of the package is no folder.
fn project() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    if package.join("data").is_dir() { package.to_owned() } else { package.join("../..") }
}

/// Reads levels of a file in `data`.
pub fn levels((game, file, rules): (&str, &str, &str)) -> Vec<LoadedLevel> {
    let file = project().join("data").join(file);
    let game = Game::find(game).expect("a game");
    let folder = file.parent().expect("a folder").to_owned();
    let options = RuleOptions::of_game(Some(game.name), rules.parse().expect("rules"), folder);
    load_levels(&[file], &LevelColumns::default(), game, &options).expect("levels without faults")
}

/// Reads a level of Rush Hour from its text.
pub fn board(rules: &str, text: &str) -> Arc<dyn Rules> {
    let game = Game::find("rush-hour").expect("a game");
    let options = RuleOptions::of_game(Some(game.name), rules.parse().expect("rules"), PathBuf::new());
    LoadedLevel::from_text("tried", text, game, &options).expect("a level").rules
}

/// What a map says of all states of a level; nothing if it has more than so many, or is not valued by a map.
pub fn mapped(rules: &dyn Rules, expand_goals: bool, max_states: usize) -> Option<Entries> {
    if rules.valuation() != Valuation::Map {
        return None;
    }
    let map = rules.map(&MapOptions { expand_goals, max_states, ..MapOptions::default() }).ok()?;
    let distances = DistanceTable::new(&map);
    Some((0..map.n_states() as u32).map(|node| (map.code(node), distances.get(node))).collect())
}

/// What a map says of a small level.
pub fn small(rules: &dyn Rules) -> Entries {
    mapped(rules, true, 1_000).expect("a small map")
}

pub fn certified(rules: &dyn Rules, expand_goals: bool, entries: &Entries) -> Result<Certificate, CertifyError> {
    let claim = Claim::new("tried", expand_goals, entries.iter().copied());
    let certificate = certify(rules, &claim, &Silent);
    assert_eq!(certificate, certify_by_rules(rules, &claim, &Silent), "both checks agree");
    certificate
}

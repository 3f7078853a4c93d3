//! The one place where games are registered.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::registration::{Game, LevelSettings, Loaded, Registration, SettingNames, whole_level};
use crate::diagnostic::{SourceText, separator_hint};
use crate::foreign::read_text;
use crate::game::LevelText;
use crate::game::lights_out::bits::{BitWords, Bits};
use crate::game::lights_out::{self, LightsOut};
use crate::game::match_the_tiles::{self, MatchTheTiles};
use crate::game::panguru::{self, Panguru};
use crate::game::rush_hour::{self, RushHour};
use crate::game::scripted::{self, Scripted};
use crate::game::sliding_tiles::{self, SlidingTiles, Word};
use crate::game::tower::hanoi::{self, TowerOfHanoi};
use crate::game::tower::london::{self, TowerOfLondon};
use crate::game::twenty48::{self, Twenty48};
use crate::rules::Rules;

/// All games; the first is the default.
pub const GAMES: &[Game] = &[
    Game::new::<RushHour>(),
    Game::new::<LightsOut<u64>>(),
    Game::new::<Panguru>(),
    Game::new::<MatchTheTiles>(),
    Game::new::<TowerOfLondon>(),
    Game::new::<TowerOfHanoi>(),
    Game::new::<SlidingTiles<u64>>(),
    Game::new::<Twenty48>(),
    Game::new::<Scripted>(),
];

/// The start of a level of a tower.
const START: SettingNames =
    ("start", &["start_state", "initial", "initial_state", "start_position", "initial_position"]);

/// The target of a level of a tower.
const TARGET: SettingNames = (
    "target",
    &[
        "goal",
        "target_state",
        "goal_state",
        "target_position",
        "goal_position",
        "end",
        "end_state",
        "end_position",
        "final",
        "final_state",
        "final_position",
    ],
);

fn too_large(level: &LevelText, error: impl std::fmt::Display) -> Vec<crate::diagnostic::Diagnostic> {
    vec![whole_level(level, "level-too-large", error.to_string())]
}

impl Registration for RushHour {
    type Options = rush_hour::Options;
    const NAME: &'static str = "rush-hour";
    const TITLE: &'static str = "Rush Hour";
    const SETTINGS: &'static [SettingNames] = &[
        ("board", &["size", "board_size"]),
        ("width", &[]),
        ("height", &[]),
        ("exit", &["exit_side"]),
        ("wall", &["walls"]),
        ("red", &["red_car", "red_piece", "target_car", "target_piece", "player_car"]),
        ("player", &[]),
    ];
    const JSON_KEYS: &'static [&'static str] = &["width", "height", "exit", "walls", "red"];

    fn load(level: &LevelText, options: &Self::Options, _folder: &Path) -> Loaded {
        let parsed = rush_hour::notation::parse_with_remarks(level.text, level.source, level.span.start);
        let (layout, remarks) = parsed?;
        let rules = Self::new(layout, options.clone()).map_err(|error| too_large(level, error))?;
        Ok(Box::new(rules.with_remarks(remarks)))
    }
}

/// Stands for Lights Out on boards of any size; `load` picks the width of the sets of lamps.
impl Registration for LightsOut<u64> {
    type Options = lights_out::Options;
    const NAME: &'static str = "lights-out";
    const TITLE: &'static str = "Lights Out";
    const SETTINGS: &'static [SettingNames] = &[
        ("board", &["size", "board_size"]),
        ("width", &[]),
        ("height", &[]),
        (
            "neighbourhood",
            &["neighborhood", "pattern", "neighbours", "neighbors", "boundary", "boundaries", "torus", "wrap"],
        ),
    ];
    const JSON_KEYS: &'static [&'static str] = &["width", "height", "neighbourhood", "neighborhood", "pattern"];

    fn load(level: &LevelText, options: &Self::Options, _folder: &Path) -> Loaded {
        fn boxed<B: Bits>(board: &lights_out::Board) -> Result<Box<dyn Rules>, lights_out::TooManyLamps> {
            Ok(Box::new(LightsOut::<B>::new(board)?))
        }
        let board = lights_out::notation::parse(level.text, level.source, level.span.start, &options.neighbourhood)?;
        let rules = match board.n_lamps() {
            ..=64 => boxed::<u64>(&board),
            65..=128 => boxed::<u128>(&board),
            129..=256 => boxed::<BitWords<4>>(&board),
            257..=512 => boxed::<BitWords<8>>(&board),
            _ => boxed::<BitWords<16>>(&board),
        };
        rules.map_err(|error| too_large(level, error))
    }
}

impl Registration for MatchTheTiles {
    type Options = match_the_tiles::Options;
    const NAME: &'static str = "match-the-tiles";
    const TITLE: &'static str = "Match-the-Tiles";
    const SETTINGS: &'static [SettingNames] = &[];

    fn load(level: &LevelText, _options: &Self::Options, _folder: &Path) -> Loaded {
        let layout = match_the_tiles::notation::parse(level.text, level.source, level.span.start)?;
        Ok(Box::new(Self::new(layout).map_err(|error| too_large(level, error))?))
    }
}

impl Registration for Panguru {
    type Options = panguru::Options;
    const NAME: &'static str = "panguru";
    const TITLE: &'static str = "Panguru";
    const SETTINGS: &'static [SettingNames] = &[("plates", &[]), ("pebbles", &[]), ("lines", &["line"])];

    fn check(options: &Self::Options) -> Result<(), String> {
        options.check()
    }

    fn load(level: &LevelText, options: &Self::Options, _folder: &Path) -> Loaded {
        let layout = panguru::notation::parse(level.text, level.source, level.span.start)?;
        Ok(Box::new(Self::new(layout, options).map_err(|error| too_large(level, error))?))
    }
}

impl Registration for TowerOfLondon {
    type Options = london::Options;
    const NAME: &'static str = "tower-of-london";
    const TITLE: &'static str = "Tower of London";
    const SETTINGS: &'static [SettingNames] = &[START, TARGET, ("capacities", &[])];
    const LIST_REMARK: Option<&'static str> =
        Some("a peg that is a list is read from the bottom, as text is: its first ball lies lowest");

    fn check(options: &Self::Options) -> Result<(), String> {
        options.check()
    }

    fn load(level: &LevelText, options: &Self::Options, _folder: &Path) -> Loaded {
        let layout = london::parse(level.text, level.source, level.span.start, options)?;
        Ok(Box::new(Self::new(&layout).map_err(|error| too_large(level, error))?))
    }
}

impl Registration for TowerOfHanoi {
    type Options = hanoi::Options;
    const NAME: &'static str = "tower-of-hanoi";
    const TITLE: &'static str = "Tower of Hanoi";
    const SETTINGS: &'static [SettingNames] = &[
        START,
        TARGET,
        // The number of a peg, which says something only where the disks are known by their numbers.
        ("start", &["start_peg"]),
        ("target", &["target_peg", "goal_peg"]),
        ("disks", &["discs", "n_disks", "n_discs", "num_disks", "num_discs", "number_of_disks", "number_of_discs"]),
        ("pegs", &["n_pegs", "num_pegs", "number_of_pegs"]),
    ];

    fn load(level: &LevelText, _options: &Self::Options, _folder: &Path) -> Loaded {
        let layout = hanoi::parse(level.text, level.source, level.span.start)?;
        Ok(Box::new(Self::new(&layout).map_err(|error| too_large(level, error))?))
    }
}

/// Stands for sliding tiles in frames of any size; `load` picks the width of a position.
impl Registration for SlidingTiles<u64> {
    type Options = sliding_tiles::Options;
    const NAME: &'static str = "sliding-tiles";
    const TITLE: &'static str = "Sliding tiles";
    const SETTINGS: &'static [SettingNames] =
        &[("goal", TARGET.1), ("goal", &["target"]), ("size", &["board_size"]), ("width", &[]), ("height", &[])];

    fn check(options: &Self::Options) -> Result<(), String> {
        options.check()
    }

    fn load(level: &LevelText, options: &Self::Options, _folder: &Path) -> Loaded {
        let layout = sliding_tiles::notation::parse(level.text, level.source, level.span.start, options.goal)?;
        Ok(if layout.start.len() <= <u64 as Word>::CAPACITY {
            Box::new(Self::new(&layout, options))
        } else {
            Box::new(SlidingTiles::<u128>::new(&layout, options))
        })
    }
}

impl Registration for Twenty48 {
    type Options = twenty48::Options;
    const NAME: &'static str = "2048";
    const TITLE: &'static str = "2048";
    const SETTINGS: &'static [SettingNames] = &[
        ("size", &["board_size"]),
        ("width", &[]),
        ("height", &[]),
        ("target", &["target_tile", "goal", "goal_tile"]),
    ];
    const JSON_KEYS: &'static [&'static str] = &["size", "width", "height", "target"];

    fn check(options: &Self::Options) -> Result<(), String> {
        options.check()
    }

    fn load(level: &LevelText, options: &Self::Options, _folder: &Path) -> Loaded {
        Ok(Box::new(twenty48::notation::load(level.text, level.source, level.span.start, options)?))
    }
}

impl Registration for Scripted {
    type Options = scripted::Options;
    const NAME: &'static str = "lua";
    const TITLE: &'static str = "Lua script";
    /// Those that the script lists.
    const SETTINGS: &'static [SettingNames] = &[];

    fn settings_of_levels(options: &Self::Options, folder: &Path) -> LevelSettings {
        let script = fs::read_to_string(folder.join(&options.script)).ok();
        let listed = script.map(|text| scripted::settings_of_levels(&text, options));
        // Of a script that cannot be read or run, the levels are refused with the reason.
        let names = listed.clone().unwrap_or_default().unwrap_or_default();
        let names = names.into_iter().map(|name| (name.clone(), name)).collect();
        LevelSettings { names, takes_any: listed == Some(None), ..LevelSettings::default() }
    }

    fn check(options: &Self::Options) -> Result<(), String> {
        options.check()
    }

    fn files(options: &Self::Options, folder: &Path) -> Vec<PathBuf> {
        vec![folder.join(&options.script)]
    }

    fn load(level: &LevelText, options: &Self::Options, folder: &Path) -> Loaded {
        let path = folder.join(&options.script);
        let text = read_text(&path).map_err(|error| {
            let hint = separator_hint(&path, error.kind());
            let message = format!("cannot read the script {}: {error}{hint}", path.display());
            let help = "`script` in [rules] is the path of a Lua file (text in UTF-8), from the folder of the study";
            vec![whole_level(level, "unreadable-script", message).with_help(help)]
        })?;
        let script = Arc::new(SourceText { path, text });
        Ok(Box::new(Self::load(level, &script, options)?))
    }
}

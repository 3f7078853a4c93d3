//! Arguments that name levels and their rules.

use std::path::{Path, PathBuf};

use clap::Args;
use plymap_import::{GameLevels, levels_of_games};
use plymap_measures::level_remarks;
use plymap_puzzles::game::Store;
use plymap_puzzles::graph::MapOptions;
use plymap_puzzles::level::LevelColumns;
use plymap_puzzles::progress::{Progress, Silent};
use plymap_puzzles::registry::{GAMES, Game, RuleOptions};
use plymap_puzzles::valuation::{LoadedLevel, ValuationOptions, ValuedLevel, load_levels};
use plymap_run::study::Study;
use plymap_tables::store::FolderStore;

use super::Failure;
use super::output::say;

/// How levels are read and mapped.
#[derive(Debug, Args)]
pub struct RuleArguments {
    /// Game of the levels: rush-hour (default; import tries all games), lights-out, panguru, match-the-tiles,
    /// tower-of-london, tower-of-hanoi, sliding-tiles, 2048, or the path of a script that ends in .lua.
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// An option of the rules, such as goal=path-clear or metric=cell; may be given several times.
    #[arg(long = "rule", value_name = "KEY=VALUE", value_parser = rule)]
    rules: Vec<(String, String)>,
    /// Column of a table of levels that holds their names.
    #[arg(long, value_name = "COLUMN")]
    id_column: Option<String>,
    /// Column of a table of levels that holds the boards.
    #[arg(long, value_name = "COLUMN")]
    board_column: Option<String>,
    /// Positions beyond a goal do not belong to the map.
    #[arg(long)]
    no_expand_goals: bool,
    /// Limit of the states of a level.
    #[arg(long, value_name = "N", default_value_t = MapOptions::DEFAULT_MAX_STATES)]
    max_states: usize,
    /// Cache folder of games; default: that of the user.
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

fn rule(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write KEY=VALUE, such as goal=path-clear")?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}

impl RuleArguments {
    /// Returns the options by which levels are valued.
    pub fn valuation_options<'a>(
        &self,
        store: &'a Option<FolderStore>,
        progress: &'a dyn Progress,
    ) -> ValuationOptions<'a> {
        ValuationOptions { map: self.map_options(progress), store: store.as_ref().map(|store| store as &dyn Store) }
    }

    fn map_options<'a>(&self, progress: &'a dyn Progress) -> MapOptions<'a> {
        MapOptions {
            max_states: self.max_states,
            expand_goals: !self.no_expand_goals,
            progress,
            ..MapOptions::default()
        }
    }

    /// Returns the store in which games keep what took long to compute.
    pub fn store(&self) -> Option<FolderStore> {
        self.cache.clone().map(FolderStore::new).or_else(FolderStore::of_user)
    }

    /// The options as the manifest records them.
    pub fn as_json(&self) -> serde_json::Value {
        let mut value = serde_json::json!({
            "game": self.game(),
            "rules": self.rules.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
            "expand_goals": self.expands_goals(),
            "max_states": self.max_states,
        });
        for (name, column) in [("id_column", &self.id_column), ("board_column", &self.board_column)] {
            if let Some(column) = column {
                value[name] = column.as_str().into();
            }
        }
        value
    }

    /// The options that a manifest records; nothing of one that records none.
    pub fn of_json(value: &serde_json::Value) -> Option<Self> {
        let rule = |(key, value): (&String, &serde_json::Value)| Some((key.clone(), value.as_str()?.to_owned()));
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        Some(Self {
            game: Some(text("game")?),
            rules: value["rules"].as_object()?.iter().map(rule).collect::<Option<_>>()?,
            id_column: text("id_column"),
            board_column: text("board_column"),
            no_expand_goals: !value["expand_goals"].as_bool()?,
            max_states: usize::try_from(value["max_states"].as_u64()?).ok()?,
            cache: None,
        })
    }

    /// True if positions beyond a goal belong to maps.
    pub fn expands_goals(&self) -> bool {
        !self.no_expand_goals
    }

    fn game(&self) -> &str {
        self.game.as_deref().unwrap_or(GAMES[0].name)
    }

    /// The game that was named, or the path of its script; nothing where it is to be found.
    pub fn named_game(&self) -> Option<&str> {
        self.game.as_deref()
    }

    /// The options of the rules.
    pub fn options(&self) -> RuleOptions {
        self.options_in(Path::new(""))
    }

    /// The options of the rules, with paths from this folder.
    fn options_in(&self, folder: &Path) -> RuleOptions {
        RuleOptions::of_game(Some(self.game()), self.rules(), folder.to_owned())
    }

    /// The files beyond levels that the rules are made of, such as a script, with their paths from this folder.
    pub fn game_files(&self, folder: &Path) -> Vec<PathBuf> {
        Game::find(self.game()).map(|game| (game.files)(&self.options_in(folder))).unwrap_or_default()
    }

    /// The options that were given.
    pub fn rules(&self) -> toml::Table {
        self.rules.iter().map(|(key, text)| (key.clone(), toml_value(text))).collect()
    }

    /// Reads the levels of files and folders.
    pub fn load(&self, files: &[PathBuf]) -> Result<(Vec<LoadedLevel>, &'static Game), Failure> {
        self.load_from(files, Path::new(""))
    }

    /// Reads the levels of files and folders, by rules whose paths are from this folder.
    pub fn load_from(&self, files: &[PathBuf], folder: &Path) -> Result<(Vec<LoadedLevel>, &'static Game), Failure> {
        let game = Game::find(self.game()).map_err(Failure::message)?;
        let options = self.options_in(folder);
        (game.check_options)(&options).map_err(|error| Failure::message(format!("--rule: {error}")))?;
        Ok((load_levels(files, &self.columns(), game, &options)?, game))
    }

    fn columns(&self) -> LevelColumns {
        LevelColumns { id: self.id_column.clone(), board: self.board_column.clone() }
    }

    /// Reads the levels of files and folders as those of each game that can read them, if none is named.
    pub fn load_as_any(&self, files: &[PathBuf]) -> Result<Vec<GameLevels>, Failure> {
        if self.game.is_some() {
            return Ok(vec![self.load(files)?]);
        }
        let (read, nearest) = levels_of_games(files, &self.columns(), &self.rules());
        match nearest {
            Some((game, faults)) if read.is_empty() => {
                say!("no game reads these levels; the nearest is {}, to which they say:", game.name);
                Err(faults.into())
            }
            None if read.is_empty() => self.load(files).map(|read| vec![read]),
            _ => Ok(read),
        }
    }
}

/// The value of an option: a truth value or a number where it can be read as one, otherwise a text.
fn toml_value(text: &str) -> toml::Value {
    match text {
        "true" | "false" => toml::Value::Boolean(text == "true"),
        _ => {
            let whole = text.parse().map(toml::Value::Integer).ok();
            let real = || text.parse().ok().filter(|value: &f64| value.is_finite()).map(toml::Value::Float);
            whole.or_else(real).unwrap_or_else(|| toml::Value::String(text.to_owned()))
        }
    }
}

/// Says what was taken for granted when levels were read.
pub fn say_remarks(levels: &[LoadedLevel]) {
    level_remarks::of_loaded(levels).iter().for_each(|remark| say!("{remark}"));
}

/// One level and one of its positions.
#[derive(Debug, Args)]
pub struct PositionArguments {
    /// File with the level, or the study that it belongs to.
    #[arg(value_name = "LEVEL")]
    file: PathBuf,
    /// Name of the level, if the file has several.
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    level: Option<String>,
    #[command(flatten)]
    rules: RuleArguments,
}

/// Levels with what is needed to value them.
struct Read<'a> {
    levels: Vec<LoadedLevel>,
    game: &'static Game,
    map: MapOptions<'a>,
    store: Option<FolderStore>,
}

impl PositionArguments {
    /// Maps the level, or prepares its game to value it.
    pub fn value(&self, progress: &dyn Progress) -> Result<ValuedLevel, Failure> {
        let Read { levels, game, map, store } = self.load(progress)?;
        let options = ValuationOptions { map, store: store.as_ref().map(|store| store as &dyn Store) };
        let level = self.choose(levels)?;
        progress.begin("mapping the level", None);
        let id = level.origin.id.clone();
        let valued = ValuedLevel::new(level, game.name, &options).map_err(|error| match error {
            error if error.is_interruption() => Failure::Interrupted,
            error => Failure::message(format!("level {id:?}: {error}")),
        });
        progress.end();
        valued
    }

    fn load<'a>(&self, progress: &'a dyn Progress) -> Result<Read<'a>, Failure> {
        if !is_study(&self.file) {
            let (levels, game) = self.rules.load(std::slice::from_ref(&self.file))?;
            return Ok(Read { levels, game, map: self.rules.map_options(progress), store: self.rules.store() });
        }
        let arguments = &self.rules;
        let columns = arguments.id_column.is_some() || arguments.board_column.is_some();
        if arguments.game.is_some() || !arguments.rules.is_empty() || arguments.no_expand_goals || columns {
            let message = "a study says itself how its levels are read: leave out --game, --rule, --no-expand-goals, --id-column and --board-column";
            return Err(Failure::message(format!("{}: {message}", self.file.display())));
        }
        let study = Study::read(&self.file)?;
        let levels = load_levels(&study.level_files(), &study.level_columns(), study.game(), &study.rule_options())?;
        let is_given = arguments.max_states != MapOptions::DEFAULT_MAX_STATES;
        let max_states = if is_given { arguments.max_states } else { study.map.max_states };
        let map = MapOptions { max_states, expand_goals: study.map.expand_goals, progress, ..MapOptions::default() };
        let store = arguments.cache.clone().map(FolderStore::new).or_else(|| study.store());
        Ok(Read { levels, game: study.game(), map, store })
    }

    /// Reads the level, and no more.
    pub fn read(&self) -> Result<(LoadedLevel, &'static Game), Failure> {
        let Read { levels, game, .. } = self.load(&Silent)?;
        Ok((self.choose(levels)?, game))
    }

    fn choose(&self, levels: Vec<LoadedLevel>) -> Result<LoadedLevel, Failure> {
        let level = self.chosen(levels)?;
        say_remarks(std::slice::from_ref(&level));
        Ok(level)
    }

    fn chosen(&self, mut levels: Vec<LoadedLevel>) -> Result<LoadedLevel, Failure> {
        const SHOWN: usize = 20;
        let mut known: Vec<_> = levels.iter().take(SHOWN).map(|level| level.origin.id.clone()).collect();
        if levels.len() > SHOWN {
            known.push(format!("… ({} in all)", levels.len()));
        }
        let known = known.join(", ");
        let file = self.file.display();
        match &self.level {
            None if levels.len() == 1 => Ok(levels.remove(0)),
            None => Err(Failure::message(format!(
                "{file} holds {} levels: choose one with --level; they are {known}",
                levels.len()
            ))),
            Some(id) => levels
                .into_iter()
                .find(|level| level.origin.id == *id)
                .ok_or_else(|| Failure::message(format!("{file} has no level {id:?}; it has {known}"))),
        }
    }
}

fn is_study(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "toml") || file.join("study.toml").is_file()
}

/// Fails if a script of the rules had an error while an answer was made.
pub fn no_script_error(level: &ValuedLevel) -> Result<(), Failure> {
    level
        .rules
        .script_error()
        .map_or(Ok(()), |script_error| Err(Failure::message(format!("level {:?}: {script_error}", level.id))))
}

/// The position of a level that a command is about: its start, or the one that is given.
pub fn position(level: &ValuedLevel, state: Option<&str>) -> Result<plymap_puzzles::game::StateCode, Failure> {
    match state {
        None => Ok(level.rules.start()),
        Some(text) => level.rules.parse_state(text).map_err(|error| {
            // A position may begin with a minus, so that a misspelt option is taken for one.
            let option = if text.starts_with("--") { "; no option of this command has that name either" } else { "" };
            Failure::message(format!("level {:?}: {error}{option}", level.id))
        }),
    }
}

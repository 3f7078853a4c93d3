//! Policies that a user writes in Lua.

use super::error::PolicyError;
use super::kind::{Kind, SpecError};
use super::rule::{Policy, PolicyState};
use super::situation::{LevelContext, Situation};
use super::weights::{certain, normalised};
use crate::parameter::{ParameterError, within};
use mlua::{Function, Lua, MultiValue, Table};
use plymap_lua::{Limits, Problem, SCRIPT, Sandbox, described};
use plymap_puzzles::diagnostic::{Diagnostic, SourceText, separator_hint};
use plymap_puzzles::foreign::read_text;
use plymap_puzzles::game::StateCode;
use plymap_puzzles::game::scripted::line_span;
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The entries that a script's table may have.
const ENTRIES: [&str; 2] = ["choose", "begin"];

/// Policy that asks a function `choose(state, moves, memory)` of a Lua script, which runs in the sandbox of scripted
/// puzzles ([`plymap_puzzles::game::scripted`]) but for `math.random`, whose numbers follow from the seed of the level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct LuaPolicy {
    /// The Lua file, from the folder of the study. Empty if the script stands in `source`.
    pub file: String,
    /// The script itself. Empty if it stands in a file.
    pub source: String,
    /// The most instructions of the Lua machine in one call of the script, counted in thousands; 10,000,000 by
    /// default.
    pub max_instructions: u64,
    /// The most memory that the script may use at one level, in units of 1,048,576 bytes; 256 by default.
    pub max_memory_mb: usize,
    /// The script, once it was read; it comes before `file` and `source`.
    #[serde(skip)]
    pub script: Option<Arc<SourceText>>,
}

impl Default for LuaPolicy {
    fn default() -> Self {
        let Limits { max_instructions, max_memory_mb, .. } = Limits::default();
        Self { file: String::new(), source: String::new(), max_instructions, max_memory_mb, script: None }
    }
}

impl LuaPolicy {
    /// The policy of a script, with default limits.
    pub fn new(script: Arc<SourceText>) -> Self {
        Self { file: script.path.display().to_string(), script: Some(script), ..Self::default() }
    }

    /// The script: the file that was read, or what stands in `source`.
    fn script(&self) -> Arc<SourceText> {
        let inline = || Arc::new(SourceText { path: "source".into(), text: self.source.clone() });
        self.script.clone().unwrap_or_else(inline)
    }

    fn load(&self, seed: u64) -> Result<Script, Box<Diagnostic>> {
        let source = self.script();
        Script::load(self, source.clone(), seed).map_err(|problem| Box::new(fault(&source, problem)))
    }
}

impl Policy for LuaPolicy {
    fn kind(&self) -> &'static str {
        Self::NAME
    }

    fn describe(&self) -> String {
        if self.file.is_empty() { "by a script in Lua".to_owned() } else { format!("by the script {}", self.file) }
    }

    fn check(&self) -> Result<(), ParameterError> {
        within("max-instructions", self.max_instructions as f64, 1000.0, 1e15)?;
        within("max-memory-mb", self.max_memory_mb as f64, 1.0, 1e6)
    }

    fn needs_oracle(&self) -> bool {
        false
    }

    fn start_level<'a>(&'a self, context: &LevelContext<'a>) -> Result<Box<dyn PolicyState + 'a>, PolicyError> {
        Ok(Box::new(self.load(context.seed)?))
    }
}

impl Kind for LuaPolicy {
    const NAME: &'static str = "lua";
    const MEANING: &'static str = "a function of a Lua script";
    const ENTRIES: &'static [&'static str] = &["file", "source", "max-instructions", "max-memory-mb"];

    fn complete(&self) -> Result<(), String> {
        match (self.file.trim().is_empty(), self.source.trim().is_empty()) {
            (true, true) => Err("`file` is missing: name the Lua file, as in file = \"player.lua\"".to_owned()),
            (false, false) => Err("`file` and `source` are both there: one script is enough".to_owned()),
            _ => Ok(()),
        }
    }

    /// Reads the script and runs it once, so that a script that is wrong is found before anyone plays.
    fn open(&mut self, folder: &Path) -> Result<(), SpecError> {
        if !self.file.is_empty() {
            let path = folder.join(&self.file);
            let text = read_text(&path).map_err(|error| {
                let hint = separator_hint(&path, error.kind());
                let reason =
                    format!("`file`: cannot read the script {} (text in UTF-8): {error}{hint}", path.display());
                SpecError::Entry { kind: Self::NAME, reason }
            })?;
            self.script = Some(Arc::new(SourceText { path, text }));
        }
        Ok(self.load(0).map(drop)?)
    }

    fn files(&self, folder: &Path) -> Vec<PathBuf> {
        if self.file.is_empty() { Vec::new() } else { vec![folder.join(&self.file)] }
    }
}

/// A script that was loaded, in a Lua state of its own.
struct Script {
    source: Arc<SourceText>,
    sandbox: Sandbox,
    choose: Function,
    begin: Option<Function>,
    /// The table that the script keeps for a whole trial; made at the first call.
    memory: Option<Table>,
    n_attempts: u32,
}

impl Script {
    fn load(policy: &LuaPolicy, source: Arc<SourceText>, seed: u64) -> Result<Self, Problem> {
        let LuaPolicy { max_instructions, max_memory_mb, .. } = *policy;
        let sandbox = Sandbox::new(&Limits { max_instructions, max_memory_mb, ..Limits::default() })?;
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut generator = ChaCha8Rng::from_seed(key);
        sandbox.allow_chance(move || generator.next_u64())?;
        let returned = sandbox.run(source.text.trim_start_matches('\u{feff}'))?.into_iter().next();
        let Some(mlua::Value::Table(table)) = returned else {
            let returned = described(&returned.unwrap_or(mlua::Value::Nil));
            let message = format!("the script returns {returned}, and has to return a table");
            return Err(Problem::new("", message).with_help("end it with: return { choose = choose }"));
        };
        let (choose, begin) = functions(&table)?;
        sandbox.seal()?;
        Ok(Self { source, sandbox, choose, begin, memory: None, n_attempts: 0 })
    }

    /// A problem as a fault at its line, or at the line on which the function begins.
    fn failed(&self, function: &Function, problem: Problem) -> PolicyError {
        let info = function.info();
        let begins = info.line_defined.filter(|_| info.short_src.as_deref() == Some(SCRIPT));
        PolicyError::Script(Box::new(fault(&self.source, Problem { line: problem.line.or(begins), ..problem })))
    }
}

impl PolicyState for Script {
    fn begin_attempt(&mut self, _state: StateCode) -> Result<(), PolicyError> {
        self.n_attempts += 1;
        let Some(begin) = &self.begin else { return Ok(()) };
        let (memory, n_attempts) = (&mut self.memory, self.n_attempts);
        let called = self.sandbox.call("begin", begin, |lua| Ok((n_attempts, kept(memory, lua)?)));
        self.sandbox.keep_texts();
        called.map(drop).map_err(|problem| self.failed(begin, problem))
    }

    fn probabilities(&mut self, situation: &Situation) -> Result<Vec<f64>, PolicyError> {
        if situation.moves.is_empty() {
            return Ok(Vec::new());
        }
        let memory = &mut self.memory;
        let arguments = |lua: &Lua| {
            let memory = kept(memory, lua)?;
            Ok((state_table(lua, situation)?, moves_table(lua, situation)?, memory))
        };
        let chosen = self.sandbox.call("choose", &self.choose, arguments);
        let answered = chosen.and_then(|returned| answer(&returned, situation));
        // Its memory may hold what this call has made.
        self.sandbox.keep_texts();
        answered.map_err(|problem| {
            let position = Some(situation.context.rules.format_state(situation.state));
            self.failed(&self.choose, Problem { position, ..problem })
        })
    }
}

/// The table that the script keeps.
fn kept(memory: &mut Option<Table>, lua: &Lua) -> mlua::Result<Table> {
    if let Some(memory) = memory {
        return Ok(memory.clone());
    }
    Ok(memory.insert(lua.create_table()?).clone())
}

fn state_table(lua: &Lua, situation: &Situation) -> mlua::Result<Table> {
    let Situation { context, history, .. } = situation;
    let table = lua.create_table()?;
    table.raw_set("text", context.rules.format_state(situation.state))?;
    table.raw_set("game", context.game)?;
    table.raw_set("level", context.level)?;
    table.raw_set("n_moves", history.n_moves)?;
    table.raw_set("cost", history.cost)?;
    if let Some(previous) = &history.previous {
        table.raw_set("previous", context.rules.format_state(previous.state))?;
        table.raw_set("last_move", previous.notation.as_str())?;
    }
    Ok(table)
}

fn moves_table(lua: &Lua, situation: &Situation) -> mlua::Result<Table> {
    let rules = situation.context.rules;
    let list = lua.create_table()?;
    for legal in situation.moves {
        let entry = lua.create_table()?;
        entry.raw_set("notation", legal.notation.as_str())?;
        entry.raw_set("after", rules.format_state(legal.after))?;
        entry.raw_set("cost", legal.cost)?;
        entry.raw_set("piece", legal.piece)?;
        entry.raw_set("is_goal", rules.is_goal(legal.after))?;
        list.raw_push(entry)?;
    }
    Ok(list)
}

/// The probabilities that an answer of `choose` means.
fn answer(returned: &MultiValue, situation: &Situation) -> Result<Vec<f64>, Problem> {
    let fail = |message: String| Err(Problem::new("choose", message));
    let moves = situation.moves;
    let n_moves = moves.len();
    match returned.front().unwrap_or(&mlua::Value::Nil) {
        mlua::Value::Integer(index) => match usize::try_from(*index) {
            Ok(index) if (1..=n_moves).contains(&index) => Ok(certain(n_moves, index - 1)),
            _ => fail(format!("it returns {index}, and the moves are numbered from 1 to {n_moves}")),
        },
        mlua::Value::String(notation) => {
            let notation = notation.to_string_lossy();
            match moves.iter().position(|legal| legal.notation == notation) {
                Some(chosen) => Ok(certain(n_moves, chosen)),
                None => fail(format!("it returns {notation:?}, which is no legal move here")),
            }
        }
        mlua::Value::Table(table) => weights(table, n_moves),
        other => {
            let returned = described(other);
            let message = format!("it returns {returned}, and has to return the number of a move or a list of weights");
            let problem = Problem::new("choose", message);
            Err(if other.is_nil() {
                problem.with_help("is a `return` missing on one of its branches?")
            } else {
                problem
            })
        }
    }
}

fn weights(table: &Table, n_moves: usize) -> Result<Vec<f64>, Problem> {
    let fail = |message: String| Err(Problem::new("choose", message));
    if table.raw_len() != n_moves {
        return fail(format!("it returns a list of {} weights for {n_moves} moves", table.raw_len()));
    }
    let mut weights = Vec::new();
    for index in 1..=n_moves {
        let value: mlua::Value = table.raw_get(index).unwrap_or(mlua::Value::Nil);
        let weight = match value {
            mlua::Value::Integer(weight) => weight as f64,
            mlua::Value::Number(weight) => weight,
            _ => f64::NAN,
        };
        if !(0.0..f64::INFINITY).contains(&weight) {
            return fail(format!("weight {index} of its list is not a number from 0 up"));
        }
        weights.push(weight);
    }
    if weights.iter().all(|&weight| weight == 0.0) {
        return fail("all weights of its list are 0".to_owned());
    }
    Ok(normalised(weights))
}

/// `choose`, and `begin` if there is one.
fn functions(table: &Table) -> Result<(Function, Option<Function>), Problem> {
    let mut names: Vec<String> = Vec::new();
    let walked = table.for_each(|name: mlua::Value, _: mlua::Value| {
        names.push(name.to_string()?);
        Ok(())
    });
    walked.map_err(|error| Problem::new("", error.to_string()))?;
    names.sort_unstable();
    if let Some(unknown) = names.iter().find(|name| !ENTRIES.contains(&name.as_str())) {
        let message = format!("the script's table has an entry `{unknown}`, which means nothing here");
        return Err(Problem::new("", message).with_help(format!("the entries are {}", ENTRIES.join(", "))));
    }
    let function = |name: &str| match table.raw_get(name).unwrap_or(mlua::Value::Nil) {
        mlua::Value::Function(function) => Ok(Some(function)),
        mlua::Value::Nil => Ok(None),
        other => {
            let value = described(&other);
            Err(Problem::new("", format!("`{name}` of the script's table is {value}, and has to be a function")))
        }
    };
    let choose = function("choose")?.ok_or_else(|| {
        let problem = Problem::new("", "the script's table has no function `choose`");
        problem.with_help("add choose = function(state, moves, memory) … end")
    })?;
    Ok((choose, function("begin")?))
}

fn fault(script: &Arc<SourceText>, problem: Problem) -> Diagnostic {
    let span = problem.line.map_or(0..0, |line| line_span(&script.text, line));
    let fault = Diagnostic::error("bad-script", script, span, problem.text());
    match problem.help {
        // The limits of a puzzle stand in another place than those of a player.
        Some(help) => fault.with_help(help.replace(" in [rules]", " of the player")),
        None => fault,
    }
}

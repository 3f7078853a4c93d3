//! Where scripts run: a Lua state without files, clock, chance or network, and with limits.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use mlua::chunk::ChunkMode;
use mlua::{Function, HookTriggers, IntoLuaMulti, Lua, LuaOptions, LuaString, MultiValue, StdLib, Table, VmState};

use super::Options;
use super::pattern::{self, Capture, Match, Search};
use super::value::{Value, described};

/// Runs before each script; gives it its functions.
const PRELUDE: &str = include_str!("prelude.lua");

/// By this name Lua's messages call the script; its real name may be too long for them.
pub const SCRIPT: &str = "script";

/// The instructions between two looks at the limit.
const STEP: u32 = 1000;

/// What went wrong while a script ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The function of the script that was called, as the table that it returns names it; empty while the
    /// script was loaded.
    pub function: &'static str,
    /// The line of the script, from 1, where it is known.
    pub line: Option<usize>,
    /// The position that the function was asked about, if it was.
    pub position: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What to do about it, where that can be said.
    pub help: Option<String>,
}

impl Problem {
    /// A problem in a function of the script.
    pub fn new(function: &'static str, message: impl Into<String>) -> Self {
        Self { function, line: None, position: None, message: message.into(), help: None }
    }

    /// A function that returned something else than it has to.
    pub fn of_returned(function: &'static str, returned: &mlua::Value, expected: &str) -> Self {
        let problem = Self::new(function, format!("it returns {}, and has to return {expected}", described(returned)));
        if returned.is_nil() { problem.with_help("is a `return` missing on one of its branches?") } else { problem }
    }

    /// The same problem with what to do about it.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// What is wrong, in which function, and at which position.
    pub fn text(&self) -> String {
        let function = if self.function.is_empty() { String::new() } else { format!("{}: ", self.function) };
        let position = self.position.as_ref().map(|position| format!(" (at the position {position})"));
        format!("{function}{}{}", self.message, position.unwrap_or_default())
    }
}

/// A Lua state with limits, and the script's functions in it.
pub struct Sandbox {
    lua: Lua,
    environment: Table,
    seal: Function,
    meter: Arc<Meter>,
}

impl Sandbox {
    /// A new Lua state.
    ///
    /// # Errors
    ///
    /// [`Problem`] if the limit of memory is too low even for the state itself.
    pub fn new(options: &Options) -> Result<Self, Problem> {
        let meter = Arc::new(Meter::new(options));
        let made = Self::made(&meter, options);
        made.map_err(|error| problem("", &error, &meter))
    }

    fn made(meter: &Arc<Meter>, options: &Options) -> mlua::Result<Self> {
        let libraries = StdLib::STRING | StdLib::TABLE | StdLib::MATH | StdLib::UTF8;
        let lua = Lua::new_with(libraries, LuaOptions::new())?;
        let host = lua.create_table()?;
        host.set("match", lua.create_function(matcher(meter.clone()))?)?;
        host.set("show", lua.create_function(|_, value: mlua::Value| Ok(shown(&value)))?)?;
        let prelude = lua.load(PRELUDE).set_name("=plymap").set_mode(ChunkMode::Text);
        let (environment, seal) = prelude.call(host)?;
        lua.set_memory_limit(options.max_memory_mb.saturating_mul(1 << 20))?;
        let watch = meter.clone();
        let triggers = HookTriggers::new().every_nth_instruction(STEP);
        lua.set_global_hook(triggers, move |_, debug| {
            let charged = watch.charge(u64::from(STEP));
            if charged.is_err() && debug.source().short_src.as_deref() == Some(SCRIPT) {
                watch.line.store(debug.current_line().unwrap_or(0), Ordering::Relaxed);
            }
            charged.map(|()| VmState::Continue)
        })?;
        Ok(Self { lua, environment, seal, meter: meter.clone() })
    }

    /// Runs the script itself and gives what it returns.
    ///
    /// # Errors
    ///
    /// [`Problem`] if it is not Lua, or fails.
    pub fn run(&self, script: &str) -> Result<MultiValue, Problem> {
        self.meter.restart();
        let chunk = self.lua.load(script).set_name(format!("@{SCRIPT}")).set_mode(ChunkMode::Text);
        let chunk = chunk.set_environment(self.environment.clone());
        chunk.into_function().and_then(|chunk| chunk.call(())).map_err(|error| problem("", &error, &self.meter))
    }

    /// Calls one function of the script with arguments that `arguments` makes.
    ///
    /// # Errors
    ///
    /// [`Problem`] if it fails, or passes a limit.
    pub fn call<A: IntoLuaMulti>(
        &self,
        name: &'static str,
        function: &Function,
        arguments: impl FnOnce(&Lua) -> mlua::Result<A>,
    ) -> Result<MultiValue, Problem> {
        self.meter.restart();
        let called = arguments(&self.lua).and_then(|arguments| function.call(arguments));
        called.map_err(|error| {
            if matches!(error, mlua::Error::MemoryError(_)) {
                // What the script let go must not make the next call fail too.
                let _ = self.lua.gc_collect();
            }
            problem(name, &error, &self.meter)
        })
    }

    /// Gives the script a `math.random` that draws from `next`, so that its chance is the caller's: as Lua's own
    /// (Lua 5.4 reference manual, 6.7), where `next` gives 64 random bits. Puzzles have none.
    ///
    /// # Errors
    ///
    /// [`Problem`] if the limit of memory is too low.
    pub fn allow_chance(&self, mut next: impl FnMut() -> u64 + Send + 'static) -> Result<(), Problem> {
        let random = move |_: &Lua, (first, last): (Option<i64>, Option<i64>)| {
            let (first, last) = match (first, last) {
                (None, _) => return Ok(mlua::Value::Number((next() >> 11) as f64 / (1u64 << 53) as f64)),
                (Some(0), None) => return Ok(mlua::Value::Integer(next() as i64)),
                (Some(last), None) => (1, last),
                (Some(first), Some(last)) => (first, last),
            };
            if first > last {
                return Err(mlua::Error::runtime(format!("math.random: there is no number from {first} to {last}")));
            }
            let n_numbers = (i128::from(last) - i128::from(first) + 1) as u128;
            // The upper half of the product: even but for a share of n_numbers / 2^64.
            let drawn = (u128::from(next()) * n_numbers) >> 64;
            Ok(mlua::Value::Integer((i128::from(first) + drawn as i128) as i64))
        };
        let made = || {
            let math: Table = self.environment.get("math")?;
            math.raw_set("random", self.lua.create_function_mut(random)?)
        };
        made().map_err(|error| problem("", &error, &self.meter))
    }

    /// From now on scripts cannot set globals.
    pub fn seal(&self) -> Result<(), Problem> {
        self.seal.call(()).map_err(|error| problem("", &error, &self.meter))
    }
}

/// Counts instructions, and ends what takes too many.
#[derive(Debug)]
struct Meter {
    born: Instant,
    limit: u64,
    memory_mb: usize,
    used: AtomicU64,
    /// When the present call has to end, in milliseconds after `born`.
    deadline: AtomicU64,
    /// Which limit the present call passed: 0 none, 1 instructions, 2 time.
    passed: AtomicU8,
    /// The line of the script at which it passed the limit; 0 where that is not known.
    line: AtomicUsize,
}

impl Meter {
    fn new(options: &Options) -> Self {
        let meter = Self {
            born: Instant::now(),
            limit: options.max_instructions,
            memory_mb: options.max_memory_mb,
            used: AtomicU64::new(0),
            deadline: AtomicU64::new(0),
            passed: AtomicU8::new(0),
            line: AtomicUsize::new(0),
        };
        meter.restart();
        meter
    }

    /// Ten times longer than the slowest ordinary instructions take: only a few instructions that each work
    /// on a very long text can pass it.
    fn patience(&self) -> Duration {
        Duration::from_secs(60) + Duration::from_micros(self.limit)
    }

    fn restart(&self) {
        self.used.store(0, Ordering::Relaxed);
        self.passed.store(0, Ordering::Relaxed);
        self.line.store(0, Ordering::Relaxed);
        let deadline = self.born.elapsed() + self.patience();
        self.deadline.store(deadline.as_millis() as u64, Ordering::Relaxed);
    }

    fn charge(&self, instructions: u64) -> mlua::Result<()> {
        let used = self.used.fetch_add(instructions, Ordering::Relaxed) + instructions;
        let passed = if used > self.limit {
            1
        } else if self.born.elapsed().as_millis() as u64 > self.deadline.load(Ordering::Relaxed) {
            2
        } else {
            return Ok(());
        };
        self.passed.store(passed, Ordering::Relaxed);
        Err(mlua::Error::runtime("a limit is passed"))
    }

    /// What to tell of the limit that was passed, and what to do.
    fn excess(&self) -> Option<(String, String)> {
        match self.passed.load(Ordering::Relaxed) {
            0 => None,
            1 => Some((
                format!("one call takes more than {} instructions", self.limit),
                "is there a loop without an end? If it needs that many, allow more with `max-instructions` in [rules]"
                    .to_owned(),
            )),
            _ => Some((
                format!("one call takes more than {} seconds", self.patience().as_secs()),
                "work with shorter texts and lists".to_owned(),
            )),
        }
    }
}

/// What Lua says of an error, in a form that users can use.
fn problem(function: &'static str, error: &mlua::Error, meter: &Meter) -> Problem {
    if matches!(error, mlua::Error::MemoryError(_)) {
        let help = "does a list or a text grow without an end? If it needs that much, allow more with \
                    `max-memory-mb` in [rules]";
        return Problem::new(function, format!("the script needs more than {} MB of memory", meter.memory_mb))
            .with_help(help);
    }
    let (message, trace) = message_and_trace(error);
    let (place, message) = placed(&message);
    let stopped = Some(meter.line.load(Ordering::Relaxed)).filter(|&line| line > 0);
    let line = stopped.or(place).or_else(|| traced_line(&trace));
    let (message, help) = match meter.excess() {
        Some((message, help)) => (message, Some(help)),
        None if message.contains("stack overflow") => {
            let help = "does a function call itself without an end?";
            ("too many functions have called each other (stack overflow)".to_owned(), Some(help.to_owned()))
        }
        None => (message, None),
    };
    Problem { line, help, ..Problem::new(function, message) }
}

fn message_and_trace(error: &mlua::Error) -> (String, String) {
    let split = |text: &str| {
        let (message, trace) = text.split_once("\nstack traceback:").unwrap_or((text, ""));
        (message.to_owned(), trace.to_owned())
    };
    match error {
        mlua::Error::CallbackError { traceback, cause } => (message_and_trace(cause).0, traceback.clone()),
        mlua::Error::RuntimeError(text) => split(text),
        mlua::Error::SyntaxError { message, .. } => split(message),
        mlua::Error::BadArgument { to, pos, cause, .. } => {
            let to = to.as_deref().unwrap_or("a function");
            (format!("argument {pos} of {to}: {}", message_and_trace(cause).0), String::new())
        }
        other => split(&other.to_string()),
    }
}

/// The line of the script that stands before a message, and the message without it.
fn placed(message: &str) -> (Option<usize>, String) {
    let prefixed = |name: &str| {
        let (line, rest) = message.strip_prefix(name)?.strip_prefix(':')?.split_once(": ")?;
        Some((line.parse().ok()?, rest.to_owned()))
    };
    match (prefixed(SCRIPT), prefixed("plymap")) {
        (Some((line, rest)), _) => (Some(line), rest),
        (None, Some((_, rest))) => (None, rest),
        (None, None) => (None, message.to_owned()),
    }
}

/// The line of the script that is innermost in a traceback.
fn traced_line(trace: &str) -> Option<usize> {
    trace.lines().find_map(|line| {
        let (number, _) = line.trim_start().strip_prefix(SCRIPT)?.strip_prefix(':')?.split_once(':')?;
        number.parse().ok()
    })
}

/// A value as text, where a table would otherwise show its address.
fn shown(value: &mlua::Value) -> String {
    match Value::from_lua(value) {
        Ok(value) => value.to_text(),
        Err(unfit) => format!("table ({})", unfit.told("it")),
    }
}

/// Why a search ended early.
enum Stop {
    Pattern(String),
    Limit(mlua::Error),
}

impl From<String> for Stop {
    fn from(reason: String) -> Self {
        Self::Pattern(reason)
    }
}

impl From<Stop> for mlua::Error {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Pattern(reason) => Self::runtime(reason),
            Stop::Limit(error) => error,
        }
    }
}

type SearchArguments = (LuaString, LuaString, Option<i64>, Option<i64>, bool, Option<bool>);

/// The function `host.match` of the prelude: the first and the last byte of a match, and its captures.
fn matcher(meter: Arc<Meter>) -> impl Fn(&Lua, SearchArguments) -> mlua::Result<MultiValue> {
    move |lua, (text, pattern, first, last_end, literal_caret, plain)| {
        let (text, pattern) = (text.as_bytes(), pattern.as_bytes());
        let length = text.len() as i64;
        let first = match first.unwrap_or(1) {
            first if first > 0 => first - 1,
            0 => 0,
            first => (length + first).max(0),
        };
        if first > length {
            return Ok(MultiValue::from_vec(vec![mlua::Value::Nil]));
        }
        let first = first as usize;
        let mut n_steps = 0;
        let step = || {
            n_steps += 1;
            if n_steps % STEP == 0 { meter.charge(u64::from(STEP)).map_err(Stop::Limit) } else { Ok(()) }
        };
        let found = if plain == Some(true) {
            let found = pattern::find_plain(&text, &pattern, first, step)?;
            found.map(|span| Match { span, captures: Vec::new() })
        } else {
            let not_to = last_end.and_then(|end| usize::try_from(end - 1).ok());
            pattern::find(&text, &pattern, Search { first, not_to, literal_caret }, step)?
        };
        let Some(Match { span, captures }) = found else {
            return Ok(MultiValue::from_vec(vec![mlua::Value::Nil]));
        };
        let mut values = vec![mlua::Value::Integer(span.start as i64 + 1), mlua::Value::Integer(span.end as i64)];
        for capture in captures {
            values.push(match capture {
                Capture::Part(start, end) => mlua::Value::String(lua.create_string(&text[start..end])?),
                Capture::Open(place) | Capture::Place(place) => mlua::Value::Integer(place as i64 + 1),
            });
        }
        Ok(MultiValue::from_vec(values))
    }
}

//! Sandbox in which scripts run: a Lua state without files, clock, chance or network, and with limits.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use mlua::chunk::ChunkMode;
use mlua::debug::Debug;
use mlua::{Function, HookTriggers, IntoLuaMulti, Lua, LuaOptions, LuaString, MultiValue, StdLib, Table, VmState};

use super::joins::{self, GUARD};
use super::options::{LONGEST_LIST, LONGEST_TEXT, Options};
use super::pattern::{self, Capture, Match, Search};
use super::value::{Value, described};

/// Runs before each script; gives it its functions. It is compiled once: that takes longer than all else that a new
/// state needs.
static PRELUDE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let lua = Lua::new();
    let prelude = lua.load(include_str!("prelude.lua")).set_name("=plymap").set_mode(ChunkMode::Text);
    prelude.into_function().expect("the tests run it").dump(false)
});

/// By this name Lua's messages call the script; its real name may be too long for them.
pub const SCRIPT: &str = "script";

/// The instructions between two looks at the limit.
const STEP: u32 = 1000;

/// So many bytes that a function reads or makes, or entries that it handles, count as one instruction.
const BATCH: u64 = 16;

/// An instruction counts once more for each of these many bytes of the longest text. Comparing two texts, looking one
/// up and reading it as a number are one instruction that works on all of their bytes.
const LONG_TEXT: u64 = 1 << 16;

/// A pattern is looked through at each step: it counts once more for so many bytes of it.
const LONG_PATTERN: usize = 256;

/// Of the scripts that run side by side, one at a time uses more than this part of its memory.
const SHARE: usize = 8;

/// Error while a script ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The function of the script that was called, as the table that it returns names it; empty while the
    /// script was loaded.
    pub function: &'static str,
    /// The line of the script, from 1, where it is known.
    pub line: Option<usize>,
    /// The position that the function was asked about, if it was.
    pub position: Option<String>,
    /// Reason in words.
    pub message: String,
    /// Remedy, where there is one.
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

    /// Message with the function and the position.
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
    /// Guard that is joined to each chain of `..`.
    guard: Table,
    meter: Arc<Meter>,
}

impl Sandbox {
    /// A new Lua state.
    ///
    /// # Errors
    ///
    /// [`Problem`] if the limit of memory is too low even for the state itself.
    pub fn new(options: &Options) -> Result<Self, Problem> {
        Self::with_meter(Meter::new(options))
    }

    fn with_meter(meter: Meter) -> Result<Self, Problem> {
        let meter = Arc::new(meter);
        let made = Self::made(&meter);
        made.map_err(|error| problem("", &error, &meter))
    }

    fn made(meter: &Arc<Meter>) -> mlua::Result<Self> {
        let libraries = StdLib::STRING | StdLib::TABLE | StdLib::MATH | StdLib::UTF8;
        let lua = Lua::new_with(libraries, LuaOptions::new())?;
        let host = lua.create_table()?;
        host.set("match", lua.create_function(matcher(meter.clone()))?)?;
        host.set("show", lua.create_function(|_, value: mlua::Value| Ok(shown(&value)))?)?;
        host.set("longest_text", LONGEST_TEXT)?;
        host.set("longest_list", LONGEST_LIST)?;
        let watch = meter.clone();
        host.set("text", lua.create_function(move |lua, n_bytes: u64| watch.text(lua, n_bytes))?)?;
        let watch = meter.clone();
        host.set("entries", lua.create_function(move |_, n_entries: u64| watch.count(n_entries / BATCH))?)?;
        let prelude = lua.load(&*PRELUDE).set_name("=plymap").set_mode(ChunkMode::Binary);
        let (environment, seal, guard) = prelude.call(host)?;
        lua.set_memory_limit(meter.memory_limit())?;
        Ok(Self { lua, environment, seal, guard, meter: meter.clone() })
    }

    /// Runs the script itself and gives what it returns.
    ///
    /// # Errors
    ///
    /// [`Problem`] if it is not Lua, or fails.
    pub fn run(&self, script: &str) -> Result<MultiValue, Problem> {
        let chunk = |text: String| {
            let chunk = self.lua.load(text).set_name(format!("@{SCRIPT}")).set_mode(ChunkMode::Text);
            chunk.set_environment(self.environment.clone())
        };
        // What is wrong with its grammar is told of the script as it stands.
        chunk(script.to_owned()).into_function().map_err(|error| problem("", &error, &self.meter))?;
        let guarded = joins::guarded(script).ok_or_else(|| {
            let problem = Problem::new("", format!("the script uses the name `{GUARD}`, which plymap needs itself"));
            problem.with_help("give it another name")
        })?;
        // On the first line of the script, so that lines stay as they are.
        let chunk = chunk(format!("local {GUARD} = ...; return function(...) {guarded}\nend"));
        let main = || chunk.call::<Function>(self.guard.clone())?.call(());
        self.measured(main).map_err(|error| problem("", &error, &self.meter))
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
        let called = arguments(&self.lua).and_then(|arguments| self.measured(|| function.call(arguments)));
        called.map_err(|error| {
            if is_of_memory(&error) {
                // What the script let go must not make the next call fail too.
                let _ = self.lua.gc_collect();
            }
            problem(name, &error, &self.meter)
        })
    }

    /// Runs Lua with the limits of one call.
    fn measured<T>(&self, run: impl FnOnce() -> mlua::Result<T>) -> mlua::Result<T> {
        self.meter.restart();
        let watch = self.meter.clone();
        // Set anew, it counts from 0: whether a call passes the limit does not depend on the calls before it.
        self.lua.set_global_hook(HookTriggers::new().every_nth_instruction(STEP), move |lua, _| {
            let charged = watch.step(lua, u64::from(STEP));
            if charged.is_err() {
                watch.line.store(line_of_script(lua).unwrap_or(0), Ordering::Relaxed);
            }
            charged.map(|()| VmState::Continue)
        })?;
        let _room = self.room();
        run()
    }

    /// For the time in which the answer of a call is read and kept.
    pub fn room(&self) -> Room {
        Room { lua: self.lua.clone(), meter: self.meter.clone() }
    }

    /// Makes sure that what plymap took over from the answer of a call fits into the memory of the script, beside what
    /// Lua holds.
    ///
    /// # Errors
    ///
    /// [`Problem`] if it does not.
    pub fn check_memory(&self, function: &'static str, n_bytes: usize) -> Result<(), Problem> {
        let is_over = || self.lua.used_memory() + n_bytes > self.meter.memory_limit();
        // What the script let go does not count.
        if is_over() && (self.lua.gc_collect().is_err() || is_over()) {
            return Err(memory_problem(function, &self.meter));
        }
        self.meter.take_room(self.lua.used_memory() + n_bytes);
        Ok(())
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

    /// Says that the script keeps texts of the calls so far, which later calls can work on.
    pub fn keep_texts(&self) {
        let longest = self.meter.longest.load(Ordering::Relaxed);
        self.meter.kept_longest.store(longest, Ordering::Relaxed);
    }

    /// From now on scripts cannot set globals.
    pub fn seal(&self) -> Result<(), Problem> {
        self.keep_texts();
        self.seal.call(()).map_err(|error| problem("", &error, &self.meter))
    }
}

/// Limit that a call passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Excess {
    Nothing,
    Instructions,
    Time,
}

/// Counts the work of a call, and ends what takes too much.
#[derive(Debug)]
struct Meter {
    born: Instant,
    limit: u64,
    memory_mb: usize,
    /// Longest time of a call, so that only what no count bounds can pass it.
    patience: Duration,
    used: AtomicU64,
    /// The length of the longest text that the present call can know of, in bytes.
    longest: AtomicU64,
    /// The length of the longest text of earlier calls that later ones can still use.
    kept_longest: AtomicU64,
    /// Time at which the present call has to end, in milliseconds after `born`.
    deadline: AtomicU64,
    /// Limit that the present call passed, as a number of [`Excess`].
    passed: AtomicU8,
    /// The line of the script at which it passed the limit; 0 where that is not known.
    line: AtomicUsize,
    /// Set while the present call is the one that may use much memory.
    is_large: AtomicBool,
    /// Memory of the script when last nothing else was held.
    settled: AtomicUsize,
}

/// Set while a call uses more than its share of memory; with those that wait for its end.
static LARGE: (Mutex<bool>, Condvar) = (Mutex::new(false), Condvar::new());

impl Meter {
    fn new(options: &Options) -> Self {
        Self {
            born: Instant::now(),
            limit: options.max_instructions,
            memory_mb: options.max_memory_mb,
            patience: Duration::from_secs(60) + Duration::from_micros(options.max_instructions),
            used: AtomicU64::new(0),
            longest: AtomicU64::new(0),
            kept_longest: AtomicU64::new(0),
            deadline: AtomicU64::new(u64::MAX),
            passed: AtomicU8::new(0),
            line: AtomicUsize::new(0),
            is_large: AtomicBool::new(false),
            settled: AtomicUsize::new(0),
        }
    }

    /// In bytes.
    fn memory_limit(&self) -> usize {
        self.memory_mb.saturating_mul(1 << 20)
    }

    fn restart(&self) {
        self.used.store(0, Ordering::Relaxed);
        self.longest.store(self.kept_longest.load(Ordering::Relaxed), Ordering::Relaxed);
        self.passed.store(Excess::Nothing as u8, Ordering::Relaxed);
        self.line.store(0, Ordering::Relaxed);
        let deadline = self.born.elapsed() + self.patience;
        self.deadline.store(deadline.as_millis() as u64, Ordering::Relaxed);
    }

    /// Counts instructions, and looks at the clock and at the memory.
    fn step(&self, lua: &Lua, instructions: u64) -> mlua::Result<()> {
        self.count(instructions * (1 + self.longest.load(Ordering::Relaxed) / LONG_TEXT))?;
        if self.born.elapsed().as_millis() as u64 > self.deadline.load(Ordering::Relaxed) {
            return self.stop(Excess::Time);
        }
        self.take_room(lua.used_memory());
        Ok(())
    }

    /// Counts a text that is made or read.
    fn text(&self, lua: &Lua, n_bytes: u64) -> mlua::Result<()> {
        self.longest.fetch_max(n_bytes, Ordering::Relaxed);
        self.take_room(lua.used_memory());
        self.count(n_bytes / BATCH)
    }

    fn count(&self, instructions: u64) -> mlua::Result<()> {
        // Of one thread at a time: no sum is lost.
        let used = self.used.load(Ordering::Relaxed).saturating_add(instructions);
        self.used.store(used, Ordering::Relaxed);
        if used > self.limit { self.stop(Excess::Instructions) } else { Ok(()) }
    }

    fn stop(&self, excess: Excess) -> mlua::Result<()> {
        self.passed.store(excess as u8, Ordering::Relaxed);
        Err(mlua::Error::runtime("a limit is passed"))
    }

    /// Waits, where the script begins to use much memory, until no other one does. It waits outside of its time.
    fn take_room(&self, n_bytes: usize) {
        if self.is_large.load(Ordering::Relaxed) || n_bytes <= self.memory_limit() / SHARE {
            return;
        }
        let begun = Instant::now();
        let (is_taken, changed) = &LARGE;
        let taken = is_taken.lock().unwrap_or_else(PoisonError::into_inner);
        *changed.wait_while(taken, |is_taken| *is_taken).unwrap_or_else(PoisonError::into_inner) = true;
        self.is_large.store(true, Ordering::Relaxed);
        self.deadline.fetch_add(begun.elapsed().as_millis() as u64, Ordering::Relaxed);
    }

    /// Message on the limit that was passed, and the remedy.
    fn excess(&self) -> Option<(String, String)> {
        let passed = self.passed.load(Ordering::Relaxed);
        if passed == Excess::Instructions as u8 {
            let help = if self.longest.load(Ordering::Relaxed) >= LONG_TEXT {
                "long texts count by their bytes: work with shorter ones, or allow more with `max-instructions` in [rules]"
            } else {
                "is there a loop without an end? If it needs that many, allow more with `max-instructions` in [rules]"
            };
            Some((format!("one call takes more than {} instructions", self.limit), help.to_owned()))
        } else if passed == Excess::Time as u8 {
            let message = format!("one call takes more than {} seconds", self.patience.as_secs());
            Some((message, "work with shorter texts and lists".to_owned()))
        } else {
            None
        }
    }
}

/// While it lives, its script is the one that may use much memory, if it does. Afterwards what is left of it is let go,
/// where it is much: scripts of many levels are loaded side by side.
pub struct Room {
    lua: Lua,
    meter: Arc<Meter>,
}

impl Drop for Room {
    fn drop(&mut self) {
        let Self { lua, meter } = self;
        let least = (meter.memory_limit() / (2 * SHARE)).max(2 * meter.settled.load(Ordering::Relaxed));
        if lua.used_memory() > least && lua.gc_collect().is_ok() {
            meter.settled.store(lua.used_memory(), Ordering::Relaxed);
        }
        if meter.is_large.swap(false, Ordering::Relaxed) {
            let (is_taken, changed) = &LARGE;
            *is_taken.lock().unwrap_or_else(PoisonError::into_inner) = false;
            changed.notify_one();
        }
    }
}

fn memory_problem(function: &'static str, meter: &Meter) -> Problem {
    let help = "does a list or a text grow without an end? If it needs that much, allow more with `max-memory-mb` in \
                [rules]";
    Problem::new(function, format!("the script needs more than {} MB of memory", meter.memory_mb)).with_help(help)
}

/// Error of Lua in a form that users can use.
fn problem(function: &'static str, error: &mlua::Error, meter: &Meter) -> Problem {
    if is_of_memory(error) {
        return memory_problem(function, meter);
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

/// `true` if the memory was too small, for the script or for a function that it called.
fn is_of_memory(error: &mlua::Error) -> bool {
    match error {
        mlua::Error::MemoryError(_) => true,
        mlua::Error::CallbackError { cause, .. } => is_of_memory(cause),
        _ => false,
    }
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

/// The innermost line of the script that runs; it may have called a function of the prelude.
fn line_of_script(lua: &Lua) -> Option<usize> {
    const DEPTH: usize = 8;
    let line = |debug: &Debug| debug.current_line().filter(|_| debug.source().short_src.as_deref() == Some(SCRIPT));
    (0..DEPTH).find_map(|level| lua.inspect_stack(level, line).flatten())
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

/// Reason why a search ended early.
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
        let weight = 1 + (pattern.len() / LONG_PATTERN) as u32;
        let mut n_steps = 0;
        let step = || {
            n_steps += weight;
            if n_steps < STEP {
                return Ok(());
            }
            meter.step(lua, u64::from(std::mem::take(&mut n_steps))).map_err(Stop::Limit)
        };
        let matched = if plain == Some(true) {
            let matched = pattern::find_plain(&text, &pattern, first, step)?;
            matched.map(|span| Match { span, captures: Vec::new() })
        } else {
            let not_to = last_end.and_then(|end| usize::try_from(end - 1).ok());
            pattern::find(&text, &pattern, Search { first, not_to, literal_caret }, step)?
        };
        let Some(Match { span, captures }) = matched else {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A sandbox that allows any number of instructions, but not much time, and a function in it.
    fn impatient(body: &str) -> (Sandbox, Function) {
        let options = Options { max_instructions: 1_000_000_000_000_000, ..Options::default() };
        let sandbox = Sandbox::with_meter(Meter { patience: Duration::from_secs(1), ..Meter::new(&options) }).unwrap();
        let returned = sandbox.run(&format!("return function() {body} end")).unwrap();
        let function = returned.front().and_then(|value| value.as_function().cloned()).unwrap();
        (sandbox, function)
    }

    /// Each takes many seconds, and comes to an end without the clock too.
    #[test]
    fn what_no_count_ends_the_clock_ends() {
        for body in [
            "for i = 1, 10000000000 do end",
            "local a, b = ('x'):rep(1 << 20), ('x'):rep(1 << 20) for i = 1, 1000000 do local same = a == b end",
            "local a = ('x'):rep(1 << 20) for i = 1, 1000000 do local less = a <= a end",
            "local t, s = {}, ('x'):rep(1 << 19) for i = 1, 1000000 do t[s .. 'y'] = 1 end",
            "local s = (' '):rep(1 << 20) for i = 1, 1000000 do local n = tonumber(s) end",
            "local found = ('a'):rep(100000):find('a-x')",
        ] {
            let (sandbox, function) = impatient(body);
            let begun = Instant::now();
            let problem = sandbox.call("moves", &function, |_| Ok(())).expect_err(body);
            assert_eq!(problem.text(), "moves: one call takes more than 1 seconds", "{body}");
            assert_eq!(problem.line, Some(1), "{body}");
            // A thousand of the slowest instructions lie between two looks at the clock.
            assert!(begun.elapsed() < Duration::from_secs(30), "{body}: {:?}", begun.elapsed());
        }
    }

    /// The count of a call does not depend on where the call before it has ended.
    #[test]
    fn every_call_counts_from_zero() {
        let (sandbox, function) = impatient("for i = 1, 3210 do end return 1");
        let mut counts = Vec::new();
        for n_before in 0..40 {
            let before = format!("for i = 1, {n_before} * 37 do end");
            sandbox.run(&before).unwrap();
            sandbox.call("moves", &function, |_| Ok(())).unwrap();
            counts.push(sandbox.meter.used.load(Ordering::Relaxed));
        }
        assert!(counts[0] >= 3000 && counts.iter().all(|&count| count == counts[0]), "{counts:?}");
    }

    #[test]
    fn the_next_call_has_its_own_time() {
        let (sandbox, function) = impatient("for i = 1, 10000000 do end return 1");
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_millis(1500) {
            sandbox.call("moves", &function, |_| Ok(())).unwrap();
        }
    }
}

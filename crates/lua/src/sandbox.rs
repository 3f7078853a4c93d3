//! Sandbox in which scripts run: a Lua state without files, clock, chance or network, and with limits.

use std::sync::atomic::Ordering;
use std::sync::{Arc, LazyLock};

use mlua::chunk::ChunkMode;
use mlua::debug::Debug;
use mlua::{Function, HookTriggers, IntoLuaMulti, Lua, LuaOptions, LuaString, MultiValue, StdLib, Table, VmState};

use super::joins::{self, GUARD};
use super::limits::{LONGEST_TEXT, Limits};
use super::pattern::{self, Capture, Match, Search};
use super::value::Value;

mod meter;
mod problem;

pub use meter::Room;
use meter::{BATCH, Meter};
pub use problem::{Problem, SCRIPT};
use problem::{is_of_memory, memory_problem, problem};

/// Runs before each script; gives it its functions. It is compiled once: that takes longer than all else that a new
/// state needs.
static PRELUDE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let lua = Lua::new();
    let prelude = lua.load(include_str!("prelude.lua")).set_name("=plymap").set_mode(ChunkMode::Text);
    prelude.into_function().expect("the tests run it").dump(false)
});

/// The instructions between two looks at the limit.
const STEP: u32 = 1000;

/// A pattern is looked through at each step: it counts once more for so many bytes of it.
const LONG_PATTERN: usize = 256;

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
    pub fn new(limits: &Limits) -> Result<Self, Problem> {
        Self::with_meter(Meter::new(limits))
    }

    fn with_meter(meter: Meter) -> Result<Self, Problem> {
        let meter = Arc::new(meter);
        let sandbox = Self::made(&meter);
        sandbox.map_err(|error| problem("", &error, &meter))
    }

    fn made(meter: &Arc<Meter>) -> mlua::Result<Self> {
        let libraries = StdLib::STRING | StdLib::TABLE | StdLib::MATH | StdLib::UTF8;
        let lua = Lua::new_with(libraries, LuaOptions::new())?;
        let host = lua.create_table()?;
        host.set("match", lua.create_function(matcher(meter.clone()))?)?;
        host.set("show", lua.create_function(|_, value: mlua::Value| Ok(shown(&value)))?)?;
        host.set("longest_text", LONGEST_TEXT)?;
        host.set("longest_list", meter.longest_list)?;
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
        Room::new(self.lua.clone(), self.meter.clone())
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
        let replaced = || {
            let math: Table = self.environment.get("math")?;
            math.raw_set("random", self.lua.create_function_mut(random)?)
        };
        replaced().map_err(|error| problem("", &error, &self.meter))
    }

    /// Says that the script keeps texts of the calls so far, which later calls can work on.
    pub fn keep_texts(&self) {
        self.meter.keep_texts();
    }

    /// From now on scripts cannot set globals.
    pub fn seal(&self) -> Result<(), Problem> {
        self.keep_texts();
        self.seal.call(()).map_err(|error| problem("", &error, &self.meter))
    }
}

/// The innermost line of the script that runs; it may have called a function of the prelude.
fn line_of_script(lua: &Lua) -> Option<usize> {
    const DEPTH: usize = 8;
    let line = |debug: &Debug| debug.current_line().filter(|_| debug.source().short_src.as_deref() == Some(SCRIPT));
    (0..DEPTH).find_map(|level| lua.inspect_stack(level, line).flatten())
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
    use std::time::{Duration, Instant};

    use super::*;

    /// A sandbox that allows any number of instructions, but not much time, and a function in it.
    fn impatient(body: &str) -> (Sandbox, Function) {
        let limits = Limits { max_instructions: 1_000_000_000_000_000, ..Limits::default() };
        let mut meter = Meter::new(&limits);
        meter.patience = Duration::from_secs(1);
        let sandbox = Sandbox::with_meter(meter).unwrap();
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

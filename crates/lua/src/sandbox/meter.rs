//! Counters of the work and the memory of scripts, with their limits.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use mlua::Lua;

use crate::limits::Limits;

/// So many bytes that a function reads or makes, or entries that it handles, count as one instruction.
pub const BATCH: u64 = 16;

/// An instruction counts once more for each of these many bytes of the longest text. Comparing two texts, looking one
/// up and reading it as a number are one instruction that works on all of their bytes.
const LONG_TEXT: u64 = 1 << 16;

/// Of the scripts that run side by side, one at a time uses more than this part of its memory.
const SHARE: usize = 8;

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
pub struct Meter {
    born: Instant,
    limit: u64,
    pub memory_mb: usize,
    /// The most entries of a list that a function of Lua takes.
    pub longest_list: u64,
    /// Longest time of a call, so that only what no count bounds can pass it.
    pub patience: Duration,
    pub used: AtomicU64,
    /// The length of the longest text that the present call can know of, in bytes.
    longest: AtomicU64,
    /// The length of the longest text of earlier calls that later ones can still use.
    kept_longest: AtomicU64,
    /// Time at which the present call has to end, in milliseconds after `born`.
    deadline: AtomicU64,
    /// Limit that the present call passed, as a number of [`Excess`].
    passed: AtomicU8,
    /// The line of the script at which it passed the limit; 0 where that is not known.
    pub line: AtomicUsize,
    /// Set while the present call is the one that may use much memory.
    is_large: AtomicBool,
    /// Memory of the script when last nothing else was held.
    settled: AtomicUsize,
}

/// Set while a call uses more than its share of memory; with those that wait for its end.
static LARGE: (Mutex<bool>, Condvar) = (Mutex::new(false), Condvar::new());

impl Meter {
    pub fn new(limits: &Limits) -> Self {
        Self {
            born: Instant::now(),
            limit: limits.max_instructions,
            memory_mb: limits.max_memory_mb,
            longest_list: limits.longest_list,
            patience: Duration::from_secs(60) + Duration::from_micros(limits.max_instructions),
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
    pub fn memory_limit(&self) -> usize {
        self.memory_mb.saturating_mul(1 << 20)
    }

    pub fn restart(&self) {
        self.used.store(0, Ordering::Relaxed);
        self.longest.store(self.kept_longest.load(Ordering::Relaxed), Ordering::Relaxed);
        self.passed.store(Excess::Nothing as u8, Ordering::Relaxed);
        self.line.store(0, Ordering::Relaxed);
        let deadline = self.born.elapsed() + self.patience;
        self.deadline.store(deadline.as_millis() as u64, Ordering::Relaxed);
    }

    /// Counts instructions, and looks at the clock and at the memory.
    pub fn step(&self, lua: &Lua, instructions: u64) -> mlua::Result<()> {
        self.count(instructions * (1 + self.longest.load(Ordering::Relaxed) / LONG_TEXT))?;
        if self.born.elapsed().as_millis() as u64 > self.deadline.load(Ordering::Relaxed) {
            return self.stop(Excess::Time);
        }
        self.take_room(lua.used_memory());
        Ok(())
    }

    /// Counts a text that is made or read.
    pub fn text(&self, lua: &Lua, n_bytes: u64) -> mlua::Result<()> {
        self.longest.fetch_max(n_bytes, Ordering::Relaxed);
        self.take_room(lua.used_memory());
        self.count(n_bytes / BATCH)
    }

    pub fn count(&self, instructions: u64) -> mlua::Result<()> {
        // Of one thread at a time: no sum is lost.
        let used = self.used.load(Ordering::Relaxed).saturating_add(instructions);
        self.used.store(used, Ordering::Relaxed);
        if used > self.limit { self.stop(Excess::Instructions) } else { Ok(()) }
    }

    /// Says that the script keeps texts of the calls so far, which later calls can work on.
    pub fn keep_texts(&self) {
        self.kept_longest.store(self.longest.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    fn stop(&self, excess: Excess) -> mlua::Result<()> {
        self.passed.store(excess as u8, Ordering::Relaxed);
        Err(mlua::Error::runtime("a limit is passed"))
    }

    /// Waits, where the script begins to use much memory, until no other one does. It waits outside of its time.
    pub fn take_room(&self, n_bytes: usize) {
        if self.is_large.load(Ordering::Relaxed) || n_bytes <= self.memory_limit() / SHARE {
            return;
        }
        let begun = Instant::now();
        let (is_taken, changed) = &LARGE;
        let guard = is_taken.lock().unwrap_or_else(PoisonError::into_inner);
        *changed.wait_while(guard, |is_taken| *is_taken).unwrap_or_else(PoisonError::into_inner) = true;
        self.is_large.store(true, Ordering::Relaxed);
        self.deadline.fetch_add(begun.elapsed().as_millis() as u64, Ordering::Relaxed);
    }

    /// Message on the limit that was passed, and the remedy.
    pub fn excess(&self) -> Option<(String, String)> {
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

impl Room {
    pub(super) fn new(lua: Lua, meter: Arc<Meter>) -> Self {
        Self { lua, meter }
    }
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

//! Errors of scripts in a form that users can use.

use std::sync::atomic::Ordering;

use super::meter::Meter;
use crate::value::described;

/// By this name Lua's messages call the script; its real name may be too long for them.
pub const SCRIPT: &str = "script";

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

pub fn memory_problem(function: &'static str, meter: &Meter) -> Problem {
    let help = "does a list or a text grow without an end? If it needs that much, allow more with `max-memory-mb` in \
                [rules]";
    Problem::new(function, format!("the script needs more than {} MB of memory", meter.memory_mb)).with_help(help)
}

/// Error of Lua in a form that users can use.
pub fn problem(function: &'static str, error: &mlua::Error, meter: &Meter) -> Problem {
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
pub fn is_of_memory(error: &mlua::Error) -> bool {
    match error {
        mlua::Error::MemoryError(_) => true,
        mlua::Error::CallbackError { cause, .. } => is_of_memory(cause),
        _ => false,
    }
}

fn message_and_trace(error: &mlua::Error) -> (String, String) {
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

fn split(text: &str) -> (String, String) {
    let (message, trace) = text.split_once("\nstack traceback:").unwrap_or((text, ""));
    (message.to_owned(), trace.to_owned())
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
